"""Which version of a work a reference cites, and what the record says of that version."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.model import FieldMatch, FieldName, Identifiers, Reference, Relation, Work, WorkType
from citeaudit.text.normalize import key, words

_PREPRINT = re.compile(r"\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|ssrn|preprints?)\b", re.IGNORECASE)
_VERSION = re.compile(r"v\d{1,3}$")
_APART = frozenset(
    {
        *(WorkType.THESIS, WorkType.REPORT, WorkType.DATASET, WorkType.SOFTWARE, WorkType.WEBPAGE, WorkType.NEWS),
        *(WorkType.PATENT, WorkType.STANDARD, WorkType.BOOK, WorkType.PEER_REVIEW),
    }
)
"""Types of which a work of the same title and authors is another text."""
_SIDE = frozenset(
    {"workshop", "workshops", "companion", "poster", "posters", "demo", "thesis", "tutorial", "tutorials"}
)
"""Words of venues in which a first or short version appears."""
SCHEMES = frozenset({FieldName.DOI, FieldName.ARXIV_ID, FieldName.PMID, FieldName.PMCID, FieldName.ISBN})
"""Fields that hold identifiers."""
_SAME_VENUE = frozenset({"venue_same", "venue_abbreviated"})
_AGREEING = frozenset({Relation.SAME, Relation.VARIANT})


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


def is_apart(reference: Reference, work: Work) -> bool:
    """Tell whether one is of a kind (a thesis, a data set) of which the other, of another kind, is never a version."""
    kinds = {reference.type, work.type}
    return len(kinds) > 1 and WorkType.UNKNOWN not in kinds and not _APART.isdisjoint(kinds)


def is_cited(field: FieldName, reference: Reference, form: Edition, fields: Sequence[FieldMatch]) -> bool:
    """Tell whether a form is so surely the one cited that it may say what one field of it is.

    Args:
        field: What the reference has otherwise: year, venue, volume, issue, pages, publisher, or an identifier.
        reference: What is cited.
        form: The form of the work that fits best.
        fields: How the reference stands to the record, for the venue under its other names.

    Returns:
        Whether both or neither are preprints, and an identifier of this form is cited or the rest agrees: the venue,
        and as many of year, volume, issue and pages as disagree besides. For a venue, the year must agree, and nothing
        disagree or point to a workshop. What one field allows the others allow too: a second run finds nothing more.
    """
    if _is_posted(reference) != _is_preprint(form.type, form.container_title):
        return False
    if named(reference, form):
        return True
    told = _places(reference, form)
    wrong = [name for name, agrees in told.items() if agrees is False]
    right = sum(agrees is True for agrees in told.values())
    renamed = not wrong and told[FieldName.YEAR] is True and _may_be_slip(reference, form)
    if field is FieldName.CONTAINER_TITLE:
        return renamed
    besides = len(wrong) - (field in wrong or (field in SCHEMES and bool(wrong)))
    agrees = _has_venue(reference, form, fields) or (field in SCHEMES and renamed)
    return agrees and besides <= right


def _places(reference: Reference, form: Edition) -> dict[FieldName, bool | None]:
    """Give for year, volume, issue and pages whether they agree; `None` where a side has none."""
    return {
        FieldName.YEAR: reference.year == form.year if reference.year is not None and form.year is not None else None,
        FieldName.VOLUME: key(reference.volume) == key(form.volume) if reference.volume and form.volume else None,
        FieldName.ISSUE: key(reference.issue) == key(form.issue) if reference.issue and form.issue else None,
        FieldName.PAGES: _first(reference.pages) == _first(form.pages) if reference.pages and form.pages else None,
    }


def _first(pages: str) -> str:
    return words(pages)[0] if words(pages) else ""


def _has_venue(reference: Reference, form: Edition, fields: Sequence[FieldMatch]) -> bool:
    mine, own = reference.container_title, form.container_title
    if _is_posted(reference) and not mine:
        return True  # `is_cited` has seen that the form is a preprint, too
    if not mine or not own:
        return not mine and not own
    if _same(mine, own) or (_is_preprint(WorkType.UNKNOWN, mine) and _is_preprint(WorkType.UNKNOWN, own)):
        return True
    venue = next((one for one in fields if one.field is FieldName.CONTAINER_TITLE), None)
    if venue is None or venue.found is None or not _same(venue.found, own):
        return False
    return venue.relation in _AGREEING and venue.rule in _SAME_VENUE


def _may_be_slip(reference: Reference, form: Edition) -> bool:
    """Whether a venue is another one by a slip only: a workshop, or a journal instead of a meeting, is a version."""
    kinds = {reference.type, form.type} - {WorkType.UNKNOWN}
    sides = [_SIDE.intersection(words(venue or "")) for venue in (reference.container_title, form.container_title)]
    return len(kinds) < 2 and sides[0] == sides[1]  # noqa: PLR2004 - two kinds differ


def named(reference: Reference, one: Edition) -> int:
    """Count the identifiers of a form that are cited."""
    ids, own = reference.identifiers, one.identifiers
    pairs = (
        (ids.doi, own.doi),
        (_bare(ids.arxiv_id), _bare(own.arxiv_id)),
        (ids.pmid, own.pmid),
        (ids.pmcid, own.pmcid),
        (ids.isbn, own.isbn),
    )
    return sum(bool(mine) and mine == theirs for mine, theirs in pairs)


def _score(reference: Reference, one: Edition) -> tuple[int, int, int]:
    venue = _same(reference.container_title, one.container_title)
    kind = _is_posted(reference) == _is_preprint(one.type, one.container_title)
    place = sum(
        (
            reference.year is not None and reference.year == one.year,
            _same(reference.volume, one.volume),
            _same(reference.pages, one.pages),
        )
    )
    return named(reference, one), 2 * venue + kind, place


def _is_posted(reference: Reference) -> bool:
    """Whether a reference is to a preprint: by its type or venue, or by an arXiv id alone."""
    if _is_preprint(reference.type, reference.container_title):
        return True
    ids = reference.identifiers
    if reference.type in (WorkType.PAPER_CONFERENCE, WorkType.BOOK, WorkType.CHAPTER):
        return False
    return bool(ids.arxiv_id and not ids.doi and not reference.container_title)


def _bare(arxiv_id: str | None) -> str | None:
    return _VERSION.sub("", arxiv_id) if arxiv_id else None


def _same(one: str | None, other: str | None) -> bool:
    return bool(one and other) and key(one or "") == key(other or "")


def _is_preprint(kind: WorkType, container: str | None) -> bool:
    return kind is WorkType.PREPRINT or bool(container and _PREPRINT.search(container))
