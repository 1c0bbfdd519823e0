"""Small values for tests: references, works, answers and audits, with what matters to a test as arguments."""

from __future__ import annotations

from datetime import UTC, datetime

from citeaudit.errors import FailureKind
from citeaudit.index.store.record import Name, Record
from citeaudit.model import (
    Alarm,
    Audit,
    Candidate,
    Coverage,
    Document,
    Evidence,
    Failure,
    FieldMatch,
    FieldName,
    Flag,
    Identifiers,
    Locus,
    Lookup,
    Outcome,
    Person,
    Query,
    QueryKind,
    Rank,
    Reason,
    Reference,
    Relation,
    SelfCheck,
    Status,
    Verdict,
    Work,
)

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def people(*names: str) -> tuple[Person, ...]:
    """`people("Ada Lovelace", "Royal Society")`: the last word is the family name; one word alone is a literal."""
    split = [name.rsplit(" ", 1) for name in names]
    return tuple(
        Person(given=parts[0], family=parts[1]) if len(parts) > 1 else Person(literal=parts[0]) for parts in split
    )


def reference(
    title: str | None = "On the reading of references",
    *names: str,
    year: int | None = 1999,
    identifiers: Identifiers | None = None,
    label: str | None = None,
    raw: str | None = None,
) -> Reference:
    return Reference(
        raw=raw or f"{', '.join(names)}. {title}. {year}.",
        title=title,
        authors=people(*names),
        year=year,
        identifiers=identifiers or Identifiers(),
        locus=Locus(label=label),
    )


def work(
    title: str = "On the reading of references",
    *names: str,
    year: int | None = 1999,
    identifiers: Identifiers | None = None,
    source: str = "index",
) -> Work:
    return Work(
        source=source,
        source_id="1",
        title=title,
        authors=people(*names),
        year=year,
        identifiers=identifiers or Identifiers(),
    )


def lookup(
    outcome: Outcome = Outcome.NO_MATCH,
    *candidates: Work,
    source: str = "index",
    lineage: str | None = None,
    coverage: Coverage = Coverage.GENERAL,
    query: Query | None = None,
    failure: FailureKind | None = None,
) -> Lookup:
    return Lookup(
        source=source,
        lineage=lineage or source,
        query=query or Query(kind=QueryKind.TITLE, text="On the reading of references"),
        outcome=outcome,
        candidates=candidates,
        coverage=coverage,
        failure=Failure(kind=failure, message="no answer") if failure else None,
        retrieved_at=NOON,
    )


def verdict(
    status: Status = Status.VERIFIED,
    *flags: Flag,
    alarm: Alarm = Alarm.NONE,
    of: Reference | None = None,
    index: int = 1,
    found: str | None = None,
    outage: bool = False,
    lookups: tuple[Lookup, ...] = (),
) -> Verdict:
    """A verdict as the policy would give one; `found` is the recorded title of a MISMATCHED one."""
    cited = of or reference("On the reading of references", "Ada Lovelace", "Royal Society")
    best = None
    fields: tuple[FieldMatch, ...] = ()
    if status in (Status.VERIFIED, Status.MISMATCHED):
        relation = Relation.DIFFERENT if found else Relation.SAME
        title = FieldMatch(
            field=FieldName.TITLE,
            claimed=cited.title,
            found=found or cited.title,
            relation=relation,
            score=0.8 if found else 1.0,
            rule="title_differs" if found else "title_same",
            differences=("reading -> writing",) if found else (),
        )
        fields = (title,)
        record = work(found or cited.title or "Untitled")
        best = Candidate(work=record, fields=fields, rank=Rank.ANCHORED, anchor="title_authors", score=0.9)
    return Verdict(
        status=status,
        alarm=alarm,
        flags=flags,
        reasons=(Reason(code="sample", text=f"The sample says {status}."),),
        risk=0.01,
        best=best,
        fields=fields,
        outage=outage,
        evidence=Evidence(index=index, reference=cited, lookups=lookups or (lookup(),)),
    )


def audit(*verdicts: Verdict, path: str = "paper.pdf") -> Audit:
    return Audit(
        document=Document(path=path, format="pdf"),
        verdicts=verdicts,
        self_check=SelfCheck(method="labels", read=len(verdicts), expected=len(verdicts)),
        preset="default",
        offline=False,
        settings_hash="0" * 16,
        versions={"citeaudit": "0", "rules": "1", "schema": "1.0"},
        started_at=NOON,
        finished_at=NOON,
    )


def record(one: Work) -> Record:
    """The same work as an index takes it."""
    authors = tuple(
        Name(family=person.family, given=person.given) if person.family else Name(literal=person.literal)
        for person in one.authors
    )
    return Record(
        title=one.title, authors=authors, year=one.year, doi=one.identifiers.doi, arxiv_id=one.identifiers.arxiv_id
    )
