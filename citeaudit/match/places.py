"""Compare where a work appeared: venue, volume, issue, pages."""

from __future__ import annotations

import re
from collections.abc import Iterable

from citeaudit.match.field import match_of
from citeaudit.match.venues import venue_rule
from citeaudit.model import FieldMatch, FieldName, Reference, Work
from citeaudit.text.normalize import fold

_LEADING = re.compile(r"[a-z]*\d+[a-z]?")
_MAX_FIELD = 200


def venue_match(reference: Reference, work: Work) -> FieldMatch | None:
    """Compare the venue with those of all versions; `None` where neither side has one."""
    names = [name for name in (work.container_title, *(version.container_title for version in work.versions)) if name]
    claimed = reference.container_title
    if not claimed:
        return match_of(FieldName.CONTAINER_TITLE, "venue_not_cited", (None, names[0])) if names else None
    if not names:
        return match_of(FieldName.CONTAINER_TITLE, "venue_not_recorded", (claimed, None))
    order = ("venue_same", "venue_abbreviated", "venue_preprint", "venue_differs")
    rule, found = min(((venue_rule(claimed, name), name) for name in names), key=lambda pair: order.index(pair[0]))
    diff = (f"{claimed} -> {found}",) if rule == "venue_differs" else ()
    return match_of(FieldName.CONTAINER_TITLE, rule, (claimed, found), diff)


def number_matches(reference: Reference, work: Work) -> Iterable[FieldMatch | None]:
    """Compare volume, issue and pages, in this order; `None` for what neither side has."""
    volumes = (work.volume, *(version.volume for version in work.versions))
    pages = (work.pages, *(version.pages for version in work.versions))
    yield _number(FieldName.VOLUME, reference.volume, volumes)
    yield _number(FieldName.ISSUE, reference.issue, (work.issue,))
    yield _number(FieldName.PAGES, reference.pages, pages)


def _number(name: FieldName, claimed: str | None, values: tuple[str | None, ...]) -> FieldMatch | None:
    known = [value for value in values if value]
    if not claimed:
        return match_of(name, f"{name}_not_cited", (None, known[0])) if known else None
    if not known:
        return match_of(name, f"{name}_not_recorded", (claimed, None))
    equal = next((value for value in known if _same_number(claimed, value)), None)
    if equal is not None:
        return match_of(name, f"{name}_same", (claimed, equal))
    return match_of(name, f"{name}_differs", (claimed, known[0]), (f"{claimed} -> {known[0]}",))


def _same_number(claimed: str, found: str) -> bool:
    """Whether two volumes, issues or page ranges agree: the same text, or the same first number and no other last one.

    `123-45` is `123-145`; a lone first page is its range.
    """
    one, two = fold(claimed[:_MAX_FIELD]), fold(found[:_MAX_FIELD])
    if one == two:
        return True
    left, right = _LEADING.findall(one), _LEADING.findall(two)
    if not left or not right or left[0] != right[0]:
        return False
    return min(len(left), len(right)) == 1 or left[1].endswith(right[1]) or right[1].endswith(left[1])


def first_page(pages: str | None) -> str | None:
    """Give the first page of a range, folded; `None` where there is no number.

    >>> first_page("S123--S145"), first_page("in press")
    ('s123', None)
    """
    hit = _LEADING.search(fold((pages or "")[:_MAX_FIELD]))
    return hit.group() if hit else None
