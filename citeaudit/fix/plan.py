"""What to change in a reference so that it agrees with the record, and what a person must find out first.

Only what a certain record supports is ever proposed: another form of the same (an abbreviated venue, initials, a
preprint's year) stays as cited, and where no work is certain, a sentence says what is needed instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from citeaudit.fix.edition import Edition, cited
from citeaudit.match.rules import RULES
from citeaudit.model import (
    AuthorMatch,
    Candidate,
    FieldMatch,
    FieldName,
    Person,
    Relation,
    Status,
    Verdict,
    Work,
)
from citeaudit.policy.decisions import is_settled
from citeaudit.policy.words import label
from citeaudit.text.normalize import words

FIRM = frozenset({"identifier", "title_authors", "title_year", "title_exchanged", "near_title", "title_less"})
"""Anchors under which the record is certainly the cited work."""
BACKED = "title_other_authors"
"""The anchor that needs two more fields of the same record before anything is proposed."""
_BACKING = 2
_PLACES = frozenset(
    {FieldName.YEAR, FieldName.CONTAINER_TITLE, FieldName.VOLUME, FieldName.PAGES, FieldName.DOI, FieldName.ARXIV_ID}
)

SLIPS = frozenset(
    {
        *("title_damaged", "title_plural", "title_article", "title_inflected"),
        *("authors_misspelt", "authors_order", "authors_swapped_parts"),
        *("year_off_by_one", "venue_differs", "venue_unknown", "volume_differs", "issue_differs", "pages_differs"),
        *("arxiv_id_malformed", "arxiv_id_unlikely", "arxiv_id_later_than_year", "isbn_checksum"),
        *("doi_malformed", "doi_prefix_unknown", "doi_registrant_unusual", "pmid_unlikely", "pmcid_unlikely"),
    }
)
"""VARIANT rules that the record may put right where a policy counts them.

Under any other one the reference may be right about another version or form, whatever a policy counts.
"""
INCOMPLETE = "authors_incomplete"
"""The rule of a list that leaves authors out: changed only on request, for a style may want it short."""

_MARKUP = frozenset("$\\<")
"""Marks of mathematics and markup in a recorded title, which only a person can put into LaTeX."""
_HALF = 0.5
_NO_ONE = frozenset({"authors_differ", "authors_mostly_differ", "authors_stock_names"})
_SCHEMES = frozenset({FieldName.DOI, FieldName.ARXIV_ID, FieldName.PMID, FieldName.PMCID, FieldName.ISBN})


class Correction(NamedTuple):
    """One field to change."""

    field: FieldName
    claimed: str | None
    """As the reference has it; of an identifier, its normal form."""
    value: str
    """As the record has it, plain text."""
    persons: tuple[Person, ...] = ()
    """Of the authors field: all authors of the record, in order."""
    people: tuple[AuthorMatch, ...] = ()
    """Of the authors field: how each cited author stands to them, as far as it is known."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do about one reference."""

    record: Work | None = None
    """The record that the changes come from."""
    changes: tuple[Correction, ...] = ()
    """In the order of `FieldName`."""
    needed: tuple[str, ...] = ()
    """What a person must find out, one neutral sentence each; empty where the changes settle everything."""


def plan(verdict: Verdict, *, all_variants: bool = False) -> Plan:
    """Give what to change in a reference.

    Args:
        verdict: The conclusion about it.
        all_variants: Whether an incomplete list of authors is completed, too.

    Returns:
        An empty plan where nothing differs, or where a person has settled it.
    """
    if is_settled(verdict):
        return Plan()
    wrong = [match for match in verdict.fields if _counts(match, all_variants=all_variants)]
    best = verdict.best
    if best is None or not is_firm(best) or not _is_one_work(best, wrong):
        return Plan(needed=tuple(_what_is_needed(verdict, wrong)))
    if verdict.status not in (Status.MISMATCHED, Status.VERIFIED):
        return Plan(needed=tuple(_what_is_needed(verdict, wrong))) if wrong else Plan()
    forms = cited(verdict.evidence.reference, best.work)
    changes: list[Correction] = []
    needed: list[str] = []
    for match in wrong:
        change = _change(match, verdict, best.work, forms) if _is_slip(match) else None
        if change is None:
            needed.append(_open(match, best.work))
        else:
            changes.append(change)
    return Plan(best.work, tuple(changes), tuple(needed))


def is_firm(candidate: Candidate) -> bool:
    """Tell whether a record is so certainly the cited work that its fields may be proposed."""
    if not candidate.anchored:
        return False
    if candidate.anchor == BACKED:
        agreeing = (match for match in candidate.fields if match.relation is Relation.SAME and match.field in _PLACES)
        return len(tuple(agreeing)) >= _BACKING
    return candidate.anchor in FIRM


def _is_one_work(best: Candidate, wrong: Sequence[FieldMatch]) -> bool:
    """Whether so much agrees that what differs is a slip about this work, and not another work.

    An identifier alone does not say so: it may be the slip. Half of the words of the title must agree; and where hardly
    an author does, the whole title must, and an identifier of the record or every other field.
    """
    title = next((match for match in wrong if match.field is FieldName.TITLE), None)
    if title and title.claimed and title.found and _likeness(title.claimed, title.found) < _HALF:
        return False
    if not any(match.rule in _NO_ONE for match in wrong):
        return True
    return title is None and (bool(best.identifier_of) or len(wrong) == 1)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(a=words(one), b=words(other), autojunk=False).ratio()


def _counts(match: FieldMatch, *, all_variants: bool) -> bool:
    if match.rule == INCOMPLETE:
        return all_variants
    return match.relation is Relation.DIFFERENT


def _is_slip(match: FieldMatch) -> bool:
    """Whether what differs cannot be right about another form of the work."""
    rule = RULES.get(match.rule)
    differs = rule is not None and rule.relation is Relation.DIFFERENT
    return differs or match.rule in SLIPS or match.rule == INCOMPLETE


def _what_is_needed(verdict: Verdict, wrong: Iterable[FieldMatch]) -> Iterator[str]:
    """Say what a person must find out where no record is certain."""
    if verdict.status is Status.NOT_FOUND:
        yield "No record was found: a DOI, or where the work can be seen, is needed."
    schemes = [match for match in wrong if match.field in _SCHEMES]
    for match in schemes:
        yield (
            f"The {label(match.field)} and the title do not lead to one work: decide which of the two is meant, "
            "then correct the other."
        )
    if verdict.status is Status.MISMATCHED and not schemes:
        yield "The record that came back may be another work: compare it with the copy that was used first."


def _open(match: FieldMatch, work: Work) -> str:
    name = label(match.field)
    if not _is_slip(match):
        return f"The {name} may be that of another version or form: compare it with the copy that was used."
    return f"The record in {work.source} does not settle the {name}: look it up in the copy that was used."


def _change(match: FieldMatch, verdict: Verdict, work: Work, forms: tuple[Edition, ...]) -> Correction | None:
    """Give the change of one field, or `None` where the record does not say."""
    if match.field is FieldName.AUTHORS:
        complete = work.authors_complete and bool(work.authors) and bool(verdict.evidence.reference.authors)
        names = ", ".join(map(str, work.authors))
        return Correction(match.field, match.claimed, names, work.authors, match.people) if complete else None
    value = _value(match.field, work, forms)
    if match.field is FieldName.TITLE and (match.claimed is None or value is None or not _MARKUP.isdisjoint(value)):
        return None
    claimed = getattr(verdict.evidence.reference.identifiers, match.field) if match.field in _SCHEMES else match.claimed
    return None if value is None or value == claimed else Correction(match.field, claimed, value)


def _value(field: FieldName, work: Work, forms: tuple[Edition, ...]) -> str | None:
    """Give what the cited version has; `None` where it has nothing, or where versions that fit disagree."""
    if field in _SCHEMES:
        told = {value for form in forms if (value := getattr(form.identifiers, field))}
    else:
        told = {str(value) for form in forms if (value := getattr(form, field)) is not None}
    if field is FieldName.TITLE and not told:
        told = {work.title}
    return told.pop() if len(told) == 1 else None
