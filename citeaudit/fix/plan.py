"""What to change in a reference so that it agrees with the record, and what a person must find out first.

Only what a certain record supports is ever proposed: another form of the same (an abbreviated venue, initials, a
preprint's year) stays as cited, and where no work is certain, a sentence says what is needed instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple

from citeaudit.fix.authors import is_supported, settled
from citeaudit.fix.damage import is_damaged
from citeaudit.fix.edition import SCHEMES, cited, editions, is_apart, is_cited
from citeaudit.match.rules import NO_ONE, RULES
from citeaudit.model import (
    AuthorMatch,
    AuthorRelation,
    Candidate,
    FieldMatch,
    FieldName,
    Person,
    Reference,
    Relation,
    Status,
    Verdict,
    Work,
)
from citeaudit.policy.decisions import is_settled
from citeaudit.policy.words import label, quoted
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

_OTHER_VERSION = "year_of_other_version"
"""The rule of a year, venue and pages that may all be those of another version; then none of them is changed."""
_MARKUP = frozenset("$\\<")
"""Marks of mathematics and markup in a recorded title, which only a person can put into LaTeX."""
_FORMULA = re.compile(r"\$|\\(?:SI|si|qty|num|ce|ensuremath|math[a-z]+|sqrt|ch)\b")
_OF_VERSION = frozenset(
    {"venue_main", "venue_part", "venue_posted", "venue_preprint", _OTHER_VERSION, "year_of_edition", "year_preprint"}
)
"""VARIANT rules of year and venue by which a reference is of another version than the record."""
_HALF = 0.5
_HARDLY_ANYONE = NO_ONE | {"authors_mostly_differ"}


class Correction(NamedTuple):
    """One field to change."""

    field: FieldName
    claimed: str | None
    """As the reference has it; of an identifier, its normal form."""
    value: str
    """As the record has it, plain text."""
    persons: tuple[Person, ...] = ()
    """Of the authors field: all authors that the reference should list, in order, as `settled` gives them."""
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
    if best is None or not is_firm(best) or not _is_one_work(best, wrong, verdict):
        return Plan(needed=tuple(_what_is_needed(verdict, wrong)))
    if verdict.status not in (Status.MISMATCHED, Status.VERIFIED):
        return Plan(needed=tuple(_what_is_needed(verdict, wrong))) if wrong else Plan()
    changes: list[Correction] = []
    needed: list[str] = []
    for match in wrong:
        change = _change(match, verdict, best) if _is_slip(match) else None
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


def _is_one_work(best: Candidate, wrong: Sequence[FieldMatch], verdict: Verdict) -> bool:
    """Whether so much agrees that what differs is a slip about this work, and not another work.

    An identifier alone does not say so: it may be the slip. Half of the words of the title must agree; and where hardly
    an author does, the whole title must, and an identifier of the record or every other field. Where no author does,
    the record's list must be trusted besides (`is_supported`), or nothing of it is.
    """
    title = next((match for match in wrong if match.field is FieldName.TITLE), None)
    if title and title.claimed and title.found and _likeness(title.claimed, title.found) < _HALF:
        return False
    if not any(match.rule in _HARDLY_ANYONE for match in wrong):
        return True
    evidence = verdict.evidence
    strangers = next((match.rule for match in wrong if match.rule in NO_ONE), None)
    is_stock = strangers == "authors_stock_names"
    if strangers and not is_supported(best, evidence.candidates, evidence.reference, is_stock=is_stock):
        return False
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
    schemes = [match for match in wrong if match.field in SCHEMES]
    for match in schemes:
        yield (
            f"The {label(match.field)} and the title do not lead to one work: decide which of the two is meant, "
            "then correct the other."
        )
    if verdict.status is Status.MISMATCHED and not schemes:
        yield "The record that came back may be another work: compare it with the copy that was used first."


def _open(match: FieldMatch, work: Work) -> str:
    """Say what differs and is not changed, and what a person should do."""
    name = label(match.field)
    told = f", which has {quoted(match.found)}" if match.found else ""
    if _is_slip(match):
        return f"The {name} cannot be settled by the record in {work.source}{told}: look in the copy that was used."
    return (
        f"The {name} may be that of another version or form than the record in {work.source}{told}: compare with the "
        "copy that was used."
    )


def _change(match: FieldMatch, verdict: Verdict, best: Candidate) -> Correction | None:
    """Give the change of one field, or `None` where the record does not say, or says no better."""
    reference, work = verdict.evidence.reference, best.work
    if match.field in SCHEMES:
        claimed = getattr(reference.identifiers, match.field) or match.claimed
        value = _identifier(match.field, reference, work, verdict.fields)
        return None if value is None or value == claimed else Correction(match.field, claimed, value)
    if is_apart(reference, work):
        return None
    if match.field is FieldName.AUTHORS:
        return _authors(match, verdict, best)
    value = _value(match, reference, work, verdict.fields)
    if value is None or value == match.claimed or is_damaged(match.field, value, match.claimed):
        return None
    if match.field is FieldName.TITLE and (match.claimed is None or not _MARKUP.isdisjoint(value)):
        return None
    if match.field is FieldName.TITLE and _FORMULA.search(reference.raw):
        return None  # records lose what formulas and units say
    return Correction(match.field, match.claimed, value)


def _adds_or_drops(match: FieldMatch) -> bool:
    """Whether authors would come or go, as they do between versions of a work."""
    return any(person.relation in (AuthorRelation.PHANTOM, AuthorRelation.MISSING) for person in match.people)


def _may_be_elsewhere(verdict: Verdict, best: Candidate) -> bool:
    """Whether year or venue are not those of the record, and no identifier says that it is of the version cited."""
    fields = (match for match in verdict.fields if match.field in (FieldName.YEAR, FieldName.CONTAINER_TITLE))
    return not best.identifier_of and any(
        match.relation is Relation.DIFFERENT or match.rule in _OF_VERSION for match in fields
    )


def _authors(match: FieldMatch, verdict: Verdict, best: Candidate) -> Correction | None:
    reference = verdict.evidence.reference
    if not reference.authors or (_adds_or_drops(match) and _may_be_elsewhere(verdict, best)):
        return None
    persons = settled(reference, best.work, match.people)
    if persons is None or (persons == reference.authors and match.rule != INCOMPLETE):
        return None
    return Correction(match.field, match.claimed, ", ".join(map(str, persons)), persons, match.people)


def _identifier(field: FieldName, reference: Reference, work: Work, fields: Sequence[FieldMatch]) -> str | None:
    """Give the identifier of the cited version; an arXiv id names the work, whichever version is cited."""
    forms = cited(reference, work)
    if not all(is_cited(field, reference, form, fields) for form in forms):
        return None
    forms = editions(work) if field is FieldName.ARXIV_ID else forms
    told = {value for form in forms if (value := getattr(form.identifiers, field))}
    return told.pop() if len(told) == 1 else None


def _value(match: FieldMatch, reference: Reference, work: Work, fields: Sequence[FieldMatch]) -> str | None:
    """Give what the cited version has; `None` where it has nothing, or no one version is certainly the one cited."""
    forms = cited(reference, work)
    if match.field is not FieldName.TITLE:
        if any(one.rule == _OTHER_VERSION for one in fields):
            return None
        forms = forms if all(is_cited(match.field, reference, form, fields) for form in forms) else ()
    told = {str(value) for form in forms if (value := getattr(form, match.field)) is not None}
    if match.field is FieldName.TITLE and not told:
        told = {work.title}
    return told.pop() if len(told) == 1 else None
