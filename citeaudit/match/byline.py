"""Put the comparison of two author lists on record, one row an author."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from citeaudit.match.names import Likeness
from citeaudit.match.roll import Pairs, Side, moved
from citeaudit.model import AuthorMatch, AuthorRelation, Person

MAX_ROWS = 200
"""Rows up to which every one is kept."""
KEPT_ROWS = 50
"""Of a longer list, rows at its beginning that are kept whatever they say."""

_BY_LIKENESS = {
    Likeness.GIVEN: AuthorRelation.GIVEN_NAME,
    Likeness.MISSPELT: AuthorRelation.MISSPELT,
    Likeness.SWAPPED: AuthorRelation.SWAPPED,
}
_AGREE = (AuthorRelation.SAME, AuthorRelation.VARIANT)
_DROPPED = str.maketrans("", "", " .-‐\u00a0")


class Byline(NamedTuple):
    """What a comparison of two lists found; places are 0-based places among the names of a `Side`."""

    cited: Side
    found: Side | None = None
    """`None` where nothing could be compared."""
    pairs: Pairs | None = None
    editors: tuple[Person, ...] = ()
    """Editors of the record, to whom `pairs.editors` points."""
    phantoms: tuple[int, ...] = ()
    misread: tuple[int, ...] = ()
    """Cited names whose words are the record's, cut or joined otherwise."""
    missing: tuple[int, ...] = ()
    """Recorded persons who are left out."""


def rows_of(byline: Byline) -> tuple[AuthorMatch, ...]:
    """Give a row for each cited author in the printed order, then one for each who is missing.

    Where that makes more than 200 rows, only the first 50 are kept and all that are neither SAME nor VARIANT.
    """
    rows = [*_cited(byline), *_missing(byline)]
    if len(rows) <= MAX_ROWS:
        return tuple(rows)
    return (*rows[:KEPT_ROWS], *(row for row in rows[KEPT_ROWS:] if row.relation not in _AGREE))


def _cited(byline: Byline) -> list[AuthorMatch]:
    side = byline.cited
    rows = [
        AuthorMatch(relation=AuthorRelation.PLACEHOLDER, claimed=str(person), found=None, place=place)
        for place, person in side.empty
    ]
    out_of_order = moved(byline.pairs.places) if byline.pairs else frozenset()
    for place, person in enumerate(side.people):
        found, at = _counterpart(byline, place)
        claimed = str(person)
        relation = _relation(byline, place, (claimed, found), moved=place in out_of_order)
        rows.append(
            AuthorMatch(relation=relation, claimed=claimed, found=found, place=side.places[place], found_place=at)
        )
    return sorted(rows, key=lambda row: row.place or 0) if side.empty else rows


def _counterpart(byline: Byline, place: int) -> tuple[str | None, int | None]:
    """Give the name of the recorded author for whom a cited one stands, and their 1-based place in the list."""
    if byline.pairs is None or byline.found is None:
        return None, None
    other = byline.pairs.places[place]
    if other is not None:
        return str(byline.found.people[other]), byline.found.places[other]
    editor = byline.pairs.editors.get(place)
    return (None if editor is None else str(byline.editors[editor])), None


def _relation(byline: Byline, place: int, texts: tuple[str, str | None], *, moved: bool) -> AuthorRelation:
    like = byline.pairs.likes[place] if byline.pairs else Likeness.OTHER
    if like is Likeness.OTHER:
        return _unmatched(byline, place)
    if like in _BY_LIKENESS:
        return _BY_LIKENESS[like]
    if moved:
        return AuthorRelation.MOVED
    claimed, found = texts
    same = found is not None and like is Likeness.SAME and _bare(claimed) == _bare(found)
    return AuthorRelation.SAME if same else AuthorRelation.VARIANT


def _unmatched(byline: Byline, place: int) -> AuthorRelation:
    if place in byline.phantoms:
        return AuthorRelation.PHANTOM
    if place in byline.misread:
        return AuthorRelation.VARIANT
    return AuthorRelation.PLACEHOLDER if byline.cited.names[place].stock else AuthorRelation.UNKNOWN


def _bare(name: str) -> str:
    return name.translate(_DROPPED).lower()


def _missing(byline: Byline) -> Iterator[AuthorMatch]:
    if byline.found is None:
        return
    for place in byline.missing:
        name, at = str(byline.found.people[place]), byline.found.places[place]
        yield AuthorMatch(relation=AuthorRelation.MISSING, claimed=None, found=name, found_place=at)
