"""Collect running text with its marks and places: spaces squeezed, paragraphs apart, notes behind the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.extract.intext.body import Body, Mark, MarkKind, Note, Place
from citeaudit.extract.latex.expand import Spot
from citeaudit.extract.latex.files import Files
from citeaudit.model.reference import Locus

PARAGRAPH = "\n\n"
MAX_NOTES = 20_000


class Sink:
    """One stretch of text: the running text, or one note."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.marks: list[Mark] = []
        self.places: list[tuple[int, int]] = []
        """Pairs of an offset here and one in the source."""
        self._pending = ""
        self._blank = True
        """Whether the text ends in white space, or is empty."""

    def text(self, text: str, at: int) -> None:
        """Add text that stands at an offset of the source; white space at its ends is kept as one space."""
        words = text.split()
        if not words:
            self.space() if text else None
            return
        if text[0].isspace():
            self.space()
        self._flush()
        if not self.places or self.places[-1][1] != at:
            self.places.append((self.length, at))
        self._add(" ".join(words))
        self._blank = False
        if text[-1].isspace():
            self.space()

    def space(self) -> None:
        """Ask for a space before what comes next."""
        self._pending = self._pending or " "

    def paragraph(self) -> None:
        """End the paragraph."""
        self._pending = PARAGRAPH

    def here(self) -> int:
        """Give the offset at which the next text will stand."""
        self._flush()
        return self.length

    def mark(self, start: int, kind: MarkKind, keys: tuple[str, ...] = (), locator: str | None = None) -> None:
        """Mark what was added since an offset; nothing where that is empty."""
        if self.length > start:
            self.marks.append(Mark(start=start, end=self.length, kind=kind, keys=keys, locator=locator))

    def _flush(self) -> None:
        if self._pending and self.length and not self._blank:
            self._add(self._pending)
            self._blank = True
        self._pending = ""

    def _add(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)


class Labelled(NamedTuple):
    """A note while it is collected."""

    label: str
    sink: Sink


def assemble(main: Sink, notes: Sequence[Labelled], spots: Sequence[Spot], files: Files) -> Body:
    """Put the notes behind the running text and turn offsets of the source into places.

    Args:
        main: The running text.
        notes: In their order.
        spots: Where the source's offsets stand, sorted.
        files: For the names of the files.
    """
    parts = list(main.parts)
    length = main.length
    marks = list(main.marks)
    places = list(main.places)
    placed: list[Note] = []
    for label, sink in notes[:MAX_NOTES]:
        if not sink.length:
            continue
        parts.append(PARAGRAPH)
        start = length + len(PARAGRAPH)
        parts += sink.parts
        marks += [mark_at(mark, start) for mark in sink.marks]
        places += [(start + here, at) for here, at in sink.places]
        placed.append(Note(label=label, start=start, end=start + sink.length))
        length = start + sink.length
    marks.sort(key=lambda mark: (mark.start, -mark.end))
    return Body(text="".join(parts), marks=tuple(marks), notes=tuple(placed), places=_places(places, spots, files))


def mark_at(mark: Mark, shift: int) -> Mark:
    """Give a mark moved to the right."""
    return Mark(start=mark.start + shift, end=mark.end + shift, kind=mark.kind, keys=mark.keys, locator=mark.locator)


def _places(pairs: Sequence[tuple[int, int]], spots: Sequence[Spot], files: Files) -> tuple[Place, ...]:
    """Give a place wherever file or line change."""
    starts = [spot.start for spot in spots]
    out: list[Place] = []
    last: tuple[str, int] | None = None
    for here, at in pairs:
        index = bisect_right(starts, at) - 1
        if index < 0:
            continue
        spot = spots[index]
        if (spot.file, spot.line) != last:
            last = (spot.file, spot.line)
            out.append(Place(start=here, locus=Locus(path=files.shown(spot.file), line=spot.line)))
    return tuple(out)
