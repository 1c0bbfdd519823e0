"""Find where the values of one BibTeX entry stand in its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_HEAD = re.compile(r"@\s{0,20}\w{1,60}\s{0,20}[{(]")
_GAP = re.compile(r"(?:[\s,]|%[^\n]*)*")
_NAME = re.compile(r"[^\s=,{}\"#%()]{1,200}")
_SPACE = re.compile(r"\s*")
_BARE = re.compile(r"[^\s,{}\"#%()]+")


class Piece(NamedTuple):
    """One part of a value; parts are joined by `#`."""

    start: int
    """Of its delimiter, where it has one; half-open, code points in the source of the entry."""
    end: int
    delimiter: str
    """`{`, a quotation mark, or nothing for a number or the name of a string."""


class Value(NamedTuple):
    """The value of one field."""

    name: str
    """In lower case."""
    pieces: tuple[Piece, ...]
    """At least one."""

    @property
    def start(self) -> int:
        """Give where it starts."""
        return self.pieces[0].start

    @property
    def end(self) -> int:
        """Give where it ends."""
        return self.pieces[-1].end


def values(source: str) -> dict[str, Value]:
    """Give the values of an entry by field name, the first of those that repeat; ends where the source is broken."""
    found: dict[str, Value] = {}
    for one in _values(source):
        found.setdefault(one.name, one)
    return found


def _values(source: str) -> Iterator[Value]:
    head = _HEAD.match(source)
    comma = source.find(",", head.end()) if head else -1
    if comma < 0:
        return
    place = comma + 1
    while True:
        place = _end(_GAP, source, place)
        name = _NAME.match(source, place)
        if name is None:
            return
        place = _end(_SPACE, source, name.end())
        if source[place : place + 1] != "=":
            return
        pieces = tuple(_pieces(source, place + 1))
        if not pieces:
            return
        yield Value(name.group().lower(), pieces)
        place = pieces[-1].end


def _pieces(source: str, place: int) -> Iterator[Piece]:
    while True:
        piece = _piece(source, _end(_SPACE, source, place))
        if piece is None:
            return
        yield piece
        place = _end(_SPACE, source, piece.end)
        if source[place : place + 1] != "#":
            return
        place += 1


def _piece(source: str, start: int) -> Piece | None:
    opening = source[start : start + 1]
    if opening not in ("{", '"') or not opening:
        bare = _BARE.match(source, start)
        return Piece(start, bare.end(), "") if bare else None
    depth, place = 0, start + (opening == '"')
    while place < len(source):
        char = source[place]
        if char == "\\":
            place += 2
            continue
        depth += (char == "{") - (char == "}")
        if (opening == "{" and depth == 0) or (opening == '"' and depth == 0 and char == '"'):
            return Piece(start, place + 1, opening)
        place += 1
    return None


def _end(pattern: re.Pattern[str], source: str, place: int) -> int:
    match = pattern.match(source, place)
    return match.end() if match else place
