"""A reference as it would agree with its record, as BibTeX and in plain words; or what is needed to say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from citeaudit.fix.entry import apply, revise
from citeaudit.fix.plan import Plan, plan
from citeaudit.model import FieldName, Reference, Verdict
from citeaudit.report.citekeys import keyed
from citeaudit.report.extraction_bibtex import entry

_IDENTIFIERS = frozenset({FieldName.DOI, FieldName.ARXIV_ID, FieldName.PMID, FieldName.PMCID, FieldName.ISBN})


class Suggestion(NamedTuple):
    """What would make a reference agree with its record."""

    fields: Mapping[str, str]
    """New values by the name of the field, plain text; empty where nothing is proposed."""
    bibtex: str | None
    """The entry, its key and type as cited; `None` where nothing is proposed."""
    plain: str | None
    """The same in one line."""
    needed: tuple[str, ...]
    """What a person must find out first, one sentence each."""


def suggest(verdict: Verdict) -> Suggestion | None:
    """Give the suggestion for a reference, or `None` where there is nothing to say.

    Only fields that a certain record supports change; what the reference has besides stays as cited.
    """
    made = plan(verdict)
    if not made.changes:
        return Suggestion({}, None, None, made.needed) if made.needed else None
    reference = verdict.evidence.reference
    right = corrected(reference, made)
    fields = {change.field.value: change.value for change in made.changes}
    return Suggestion(fields, _bibtex(reference, right, made), plain(right), made.needed)


def corrected(reference: Reference, made: Plan) -> Reference:
    """Give the reference with the changes of its plan."""
    update: dict[str, object] = {}
    identifiers: dict[str, str] = {}
    for change in made.changes:
        if change.field is FieldName.AUTHORS:
            cut = len(reference.authors) if reference.authors_truncated else len(change.persons)
            update |= {"authors": change.persons[:cut], "authors_truncated": cut < len(change.persons)}
        elif change.field in _IDENTIFIERS:
            identifiers[change.field.value] = change.value
        else:
            update[change.field.value] = int(change.value) if change.field is FieldName.YEAR else change.value
    if identifiers:
        update["identifiers"] = reference.identifiers.model_copy(update=identifiers)
    return reference.model_copy(update=update)


def plain(reference: Reference) -> str:
    """Give a reference in one line: authors, year, title, venue, volume, pages, identifiers."""
    names = ", ".join(map(str, reference.authors)) + (" et al." if reference.authors_truncated else "")
    year = f"{reference.year}{reference.year_suffix or ''}" if reference.year is not None else ""
    volume = (reference.volume or "") + (f"({reference.issue})" if reference.issue else "")
    venue = " ".join(part for part in (reference.container_title, volume) if part)
    place = ": ".join(part for part in (venue, reference.pages) if part)
    parts = (names, year, reference.title or "", place, reference.publisher or "")
    told = [f"{part.rstrip('.')}." for part in parts if part]
    shown = [
        f"{scheme.removesuffix('_id')}:{value}" for scheme, value in reference.identifiers.pairs() if scheme != "url"
    ]
    return " ".join((*told, *shown))


def _bibtex(reference: Reference, right: Reference, made: Plan) -> str:
    """Give the cited entry with its wrong values replaced, or an entry made of the fields where it came otherwise."""
    if reference.raw.startswith("@"):
        revision = revise(reference.raw, made.changes, is_ascii=reference.raw.isascii())
        if len(revision.done) == len(made.changes):
            return f"{apply(reference.raw, revision.edits)}\n"
    key, _ = next(iter(keyed([reference])))
    return entry(key, right)
