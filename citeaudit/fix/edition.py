"""Which version of a work a reference cites, and what the record says of that version."""

from __future__ import annotations

import re
from typing import NamedTuple

from citeaudit.model import Identifiers, Reference, Work, WorkType
from citeaudit.text.normalize import key

_PREPRINT = re.compile(r"\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|ssrn|preprints?)\b", re.IGNORECASE)
_VERSION = re.compile(r"v\d{1,3}$")


class Edition(NamedTuple):
    """One form in which a work appeared, with what its record says of this form."""

    type: WorkType
    title: str | None
    year: int | None
    container_title: str | None
    volume: str | None
    issue: str | None
    pages: str | None
    publisher: str | None
    identifiers: Identifiers


def editions(work: Work) -> tuple[Edition, ...]:
    """Give every form of a work: its record first, then the versions it names, in their order."""
    first = Edition(
        work.type, work.title, work.year, work.container_title, work.volume, work.issue, work.pages, work.publisher,
        work.identifiers,
    )  # fmt: skip
    others = (
        Edition(one.type, one.title, one.year, one.container_title, one.volume, None, one.pages, None, one.identifiers)
        for one in work.versions
    )
    return (first, *others)


def cited(reference: Reference, work: Work) -> tuple[Edition, ...]:
    """Give the form that the reference cites, by identifiers, then venue, kind, year and place.

    Several where nothing in the reference chooses between them; never empty. The title takes no part.
    """
    scored = [(_score(reference, one), one) for one in editions(work)]
    best = max(score for score, _ in scored)
    return tuple(one for score, one in scored if score == best)


def _score(reference: Reference, one: Edition) -> tuple[int, int, int]:
    ids, own = reference.identifiers, one.identifiers
    pairs = (
        (ids.doi, own.doi),
        (_bare(ids.arxiv_id), _bare(own.arxiv_id)),
        (ids.pmid, own.pmid),
        (ids.pmcid, own.pmcid),
        (ids.isbn, own.isbn),
    )
    named = sum(bool(mine) and mine == theirs for mine, theirs in pairs)
    venue = _same(reference.container_title, one.container_title)
    kind = _is_preprint(reference.type, reference.container_title) == _is_preprint(one.type, one.container_title)
    place = sum(
        (
            reference.year is not None and reference.year == one.year,
            _same(reference.volume, one.volume),
            _same(reference.pages, one.pages),
        )
    )
    return named, 2 * venue + kind, place


def _bare(arxiv_id: str | None) -> str | None:
    return _VERSION.sub("", arxiv_id) if arxiv_id else None


def _same(one: str | None, other: str | None) -> bool:
    return bool(one and other) and key(one or "") == key(other or "")


def _is_preprint(kind: WorkType, container: str | None) -> bool:
    return kind is WorkType.PREPRINT or bool(container and _PREPRINT.search(container))
