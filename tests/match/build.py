"""References, records and answers for the tests of matching and policy, written in a line each."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from citeaudit.errors import FailureKind
from citeaudit.match.queries import queries
from citeaudit.match.rank import rank, settle
from citeaudit.model import (
    Coverage,
    Evidence,
    Failure,
    Identifiers,
    Lookup,
    Outcome,
    Person,
    Policy,
    Query,
    QueryKind,
    Reference,
    Verdict,
    Work,
    WorkType,
)
from citeaudit.policy import decide

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
_SCHEMES = ("doi", "arxiv_id", "pmid", "pmcid", "isbn", "url")


def people(names: str) -> tuple[Person, ...]:
    """`Given Family; Family, Given; =Literal`: a comma puts the family first, an equals sign keeps the name whole."""
    return tuple(_person(name.strip()) for name in names.split(";") if name.strip())


def _person(name: str) -> Person:
    if name.startswith("="):
        return Person(literal=name[1:])
    family, comma, given = name.partition(",")
    if not comma:
        given, _, family = name.rpartition(" ")
    return Person(family=family.strip(), given=given.strip() or None)


def _split(fields: dict[str, Any]) -> dict[str, Any]:
    ids = {key: fields.pop(key) for key in _SCHEMES if key in fields}
    if "editors" in fields:
        fields["editors"] = people(fields["editors"])
    return {**fields, "identifiers": Identifiers(**ids)}


def cite(title: str | None, authors: str = "", year: int | None = None, **fields: Any) -> Reference:
    """A reference; identifiers are plain arguments."""
    fields.setdefault("type", WorkType.ARTICLE_JOURNAL)
    raw = f"{authors}. {title}. {year}."
    return Reference(raw=raw, title=title, authors=people(authors), year=year, **_split(fields))


def record(title: str, authors: str = "", year: int | None = None, **fields: Any) -> Work:
    """A record of the index `local`."""
    fields.setdefault("source", "local")
    fields.setdefault("source_id", f"{title}/{authors}/{year}")
    return Work(title=title, authors=people(authors), year=year, **_split(fields))


def ask(
    reference: Reference,
    outcome: Outcome,
    *candidates: Work,
    source: str = "local",
    kind: QueryKind | None = None,
    **fields: Any,
) -> Lookup:
    """The answer of one source to one of the reference's own questions, by words unless `kind` says otherwise."""
    asked = queries(reference)
    query = next((item for item in asked if item.kind is kind), asked[-1])
    fields.setdefault("coverage", Coverage.GENERAL)
    failure = Failure(kind=FailureKind.TIMED_OUT, message="no answer") if outcome is Outcome.UNAVAILABLE else None
    lineage = fields.pop("lineage", source)
    return Lookup(
        source=source,
        lineage=lineage,
        query=query,
        outcome=outcome,
        candidates=candidates,
        failure=failure,
        retrieved_at=NOON,
        **fields,
    )


def weighed(reference: Reference, *lookups: Lookup, **fields: Any) -> Evidence:
    """Evidence as the pipeline builds it: lookups settled, every record ranked."""
    settled = tuple(settle(reference, lookup) for lookup in lookups)
    return Evidence(index=1, reference=reference, lookups=settled, candidates=rank(reference, settled), **fields)


def judge(reference: Reference, *lookups: Lookup, policy: Policy | None = None, **fields: Any) -> Verdict:
    """The verdict on a reference after these answers."""
    return decide(weighed(reference, *lookups, **fields), policy or Policy())


def found(reference: Reference, *candidates: Work, **fields: Any) -> Lookup:
    """One source found these records."""
    return ask(reference, Outcome.FOUND, *candidates, **fields)


def silent(reference: Reference, source: str, **fields: Any) -> Lookup:
    """One source answered that it has nothing."""
    return ask(reference, Outcome.NO_MATCH, source=source, **fields)


def query(kind: QueryKind, text: str) -> Query:
    """A question without hints."""
    return Query(kind=kind, text=text)
