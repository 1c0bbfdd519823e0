"""Which notices are about the work that was cited, and which about another version of it or another work.

Preprints are withdrawn because the article has appeared; a journal retracts its version and not that of the meeting;
and beside a work stand its namesakes and neighbours. A notice on any of these is told, and is no flag of the reference.
What is decided rests on the reference and the record alone, so that no outage makes a notice louder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from citeaudit.match.posted import is_only_posted, is_posted
from citeaudit.match.rules import NO_ONE
from citeaudit.match.venues import is_preprint, is_preprint_doi
from citeaudit.model import (
    Candidate,
    FieldName,
    Flag,
    NoticeType,
    Rank,
    Reason,
    Reference,
    Relation,
    Version,
    Work,
    WorkType,
)
from citeaudit.policy.case import Case, certain
from citeaudit.policy.words import listed, quoted, reason_of, verb

FLAG_OF: Mapping[NoticeType, Flag] = MappingProxyType(
    {
        NoticeType.RETRACTION: Flag.RETRACTED,
        NoticeType.WITHDRAWAL: Flag.WITHDRAWN,
        NoticeType.CONCERN: Flag.CONCERN,
        NoticeType.CORRECTION: Flag.CORRECTED,
    }
)
"""The flag that each kind of notice raises."""
_AS = {
    Flag.RETRACTED: "retracted",
    Flag.WITHDRAWN: "withdrawn",
    Flag.CONCERN: "under an expression of concern",
}
_AGREE = (Relation.SAME, Relation.VARIANT)
_OPEN = (Relation.UNKNOWN, Relation.NOT_CITED)
_OTHER_PEOPLE = NO_ONE | {"authors_mostly_differ"}
_OTHER_VENUE = frozenset({"venue_differs", "venue_unknown", "venue_posted", "venue_preprint", "venue_unsupported"})
_PLACE = (FieldName.VOLUME, FieldName.PAGES)


class Beside(NamedTuple):
    """A notice that is not, or not certainly, about what was cited."""

    flag: Flag
    candidate: Candidate
    version: bool
    """Whether the record is of the work, in another version."""
    usual: bool
    """Whether it needs no look: the preprint of a published article was withdrawn."""


def notices(case: Case) -> dict[Flag, tuple[str, ...]]:
    """Give the flags of the work cited, in the order of `Flag`, with the sources that say so."""
    seen: dict[Flag, set[str]] = {}
    for candidate in case.anchored:
        for notice in candidate.work.notices:
            if _of_work(case, candidate) and _of_version(case.reference, candidate, notice.type):
                seen.setdefault(FLAG_OF[notice.type], set()).add(candidate.work.source)
    return {flag: tuple(sorted(seen[flag])) for flag in Flag if flag in seen}


def beside(case: Case) -> tuple[Beside, ...]:
    """Give the notices on other versions, and on the best record where it may be another work, each kind once."""
    if case.reference.acknowledged:
        return ()
    flags = notices(case)
    found = (item for candidate in case.anchored for item in _beside(case, candidate))
    firm = sorted(found, key=lambda one: (not one.version, one.usual, one.candidate.work.source, one.flag))
    first = {item.flag: item for item in reversed(firm) if item.flag not in flags}
    return tuple(first[flag] for flag in Flag if flag in first)


def _beside(case: Case, candidate: Candidate) -> Iterator[Beside]:
    best = case.best.candidate if case.best else None
    if candidate != best and not certain(candidate):
        return  # a namesake or neighbour beside the work itself
    own = _of_work(case, candidate)
    published = is_published(case.reference)
    for notice in candidate.work.notices:
        flag = FLAG_OF[notice.type]
        if flag in _AS and not (own and _of_version(case.reference, candidate, notice.type)):
            yield Beside(flag, candidate, own, own and published and notice.type is NoticeType.WITHDRAWAL)


def told(item: Beside) -> Reason:
    """Say what a notice beside the work is about."""
    work = item.candidate.work
    if item.version:
        text = f"{work.source} lists another version of the work than the one cited as {_AS[item.flag]}."
    else:
        text = (
            f"{work.source} lists {quoted(work.title)} as {_AS[item.flag]}; it may be another work than the one cited."
        )
    return reason_of("notice_elsewhere", text, (work.source,))


def acknowledged(flag: Flag, names: tuple[str, ...]) -> Reason:
    """Say that the citation itself tells of a notice."""
    text = f"{listed(names)} {verb(names, 'lists', 'list')} the work as {flag.value}, and the citation says so."
    return reason_of("retraction_acknowledged", text, names)


def is_published(reference: Reference) -> bool:
    """Whether a reference is to a publication, by its DOI or its venue, and not to a preprint."""
    doi, venue = reference.identifiers.doi, reference.container_title
    if doi and not is_preprint_doi(doi):
        return True
    return bool(venue) and not is_preprint(venue or "") and reference.type is not WorkType.PREPRINT


def _of_work(case: Case, candidate: Candidate) -> bool:
    """Whether a record is certainly of the work cited: by title, and by authors or identifier."""
    title, authors = candidate.match(FieldName.TITLE), candidate.match(FieldName.AUTHORS)
    if title is None or authors is None or title.relation not in (*_AGREE, Relation.NOT_CITED):
        return False
    if candidate.identifier_of or authors.relation in _AGREE:
        return True
    if authors.relation in _OPEN:
        return not case.failed and not any(_names_people(item) for item in case.evidence.candidates)
    return authors.rule not in _OTHER_PEOPLE


def _names_people(candidate: Candidate) -> bool:
    """Whether a record that is or may be the work has authors to compare."""
    authors = candidate.match(FieldName.AUTHORS)
    return candidate.rank is not Rank.REJECTED and authors is not None and authors.relation not in _OPEN


def _of_version(reference: Reference, candidate: Candidate, kind: NoticeType) -> bool:
    """Whether a record is of the version cited, as far as either says which it is."""
    work, published = candidate.work, is_published(reference)
    every: list[Work | Version] = [work, *work.versions]
    posted = [is_posted(form) for form in every]
    if published and kind is NoticeType.WITHDRAWAL and any(posted) and not all(posted):
        return False  # a record of several versions does not say which of them was withdrawn
    if published and is_only_posted(work) and not _is_cited(candidate, reference):
        return False
    if candidate.identifier_of:
        return True
    rules = {match.field: match.rule for match in candidate.fields}
    if any(rule.endswith("_other_than_recorded") for rule in rules.values()):
        return False
    moved = rules.get(FieldName.CONTAINER_TITLE, "") in _OTHER_VENUE
    if rules.get(FieldName.CONTAINER_TITLE) == "venue_differs" and rules.get(FieldName.YEAR) == "year_same":
        moved = reference.type is not work.type and WorkType.UNKNOWN not in (reference.type, work.type)
    return not moved or any(rules.get(field) == f"{field.value}_same" for field in _PLACE)


def _is_cited(candidate: Candidate, reference: Reference) -> bool:
    """Whether the identifier by which a preprint is cited is its own, and none of a publication stands beside it."""
    return bool(candidate.identifier_of) and (
        "doi" in candidate.identifier_of or not reference.identifiers.doi or is_preprint_doi(reference.identifiers.doi)
    )
