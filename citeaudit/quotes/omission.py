"""What a quotation leaves out by an ellipsis, where that changes what is said: `did [...] rely` for `did not rely`.

`citeaudit.quotes.locate` does not find such a quotation; here its parts are looked for one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from citeaudit.quotes.locate import LEAST_PART, MAX_GAP, Occurrence
from citeaudit.quotes.quotation import readings
from citeaudit.quotes.shelf import Book


class LeftOut(NamedTuple):
    """A passage of which a quotation leaves out words that matter."""

    place: Occurrence
    """From the first part to the last; its text is the passage."""
    page: int | None
    """1-based page of the PDF on which it begins."""
    differences: tuple[str, ...]
    """`[...] -> ` and what was left out, for each ellipsis."""


def left_out(book: Book, quote: str) -> LeftOut | None:
    """Find the parts of a quotation in their order, each near the one before it.

    Args:
        book: In which the quotation as a whole was not found.
        quote: With an ellipsis; `None` is given for any other.
    """
    way = next((one for one in reversed(readings(quote)) if len(one.parts) > 1), None)
    if way is None or any(gap.inserted for gap in way.gaps):
        return None
    parts = [part.text for part in way.parts]
    if any(len(part.split()) < LEAST_PART for part in parts):
        return None
    chain = next(_chains(book, parts), None)
    if chain is None:
        return None
    stream = book.source.read
    omitted = [(one.pieces[-1].end, two.pieces[0].start) for one, two in pairwise(chain)]
    pieces = tuple(piece for one in chain for piece in one.pieces)
    closest = " ".join(stream.raw[pieces[0].start : pieces[-1].end].split())
    page = pieces[0].line.page or None
    differences = tuple(f"[...] -> {' '.join(stream.raw[start:end].split())}" for start, end in omitted)
    return LeftOut(Occurrence(pieces, closest), page, differences)


def _chains(book: Book, parts: list[str]) -> Iterator[list[Occurrence]]:
    """Give each way in which the parts follow one another in the text as read."""
    found = [_places(book, part) for part in parts]
    for first in found[0]:
        chain = [first]
        for places in found[1:]:
            end = chain[-1].pieces[-1].end
            near = next((one for one in places if end <= one.pieces[0].start <= end + MAX_GAP), None)
            if near is None:
                break
            chain.append(near)
        if len(chain) == len(parts):
            yield chain


def _places(book: Book, part: str) -> list[Occurrence]:
    stream = book.source.read
    found = book.source.locate(part)
    places = found.occurrences if found and not found.hidden else ()
    own = (
        one for one in places if all(piece.line == stream.lines[stream.line_of(piece.start)] for piece in one.pieces)
    )
    return sorted(own, key=lambda one: one.pieces[0].start)
