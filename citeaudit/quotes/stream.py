"""The text of a source as one stream of characters, each of which knows its line, its page and how it is set.

A PDF has two streams. The first is its text as a reader reads it: column after column, without running heads, page
numbers and numbers of lines, so that a passage goes on over the end of a column or a page. The second is everything
the PDF draws, in the order in which it draws it: what stands in a heading, in the margin, turned, or hidden.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from citeaudit.extract.pdf.columns import gutters
from citeaudit.extract.pdf.layout import lay_out
from citeaudit.pdf import Face, PdfLine, PdfPage, PdfText, Span
from citeaudit.quotes.folding import BARRIER, fold

WORD_GAP = 0.16
"""Gap between two spans, in font sizes, from which a space stands between them; a thin space is 1/6."""
GUTTER = 2.0
"""Gap between two pieces on one base line, in font sizes, over which nobody reads on."""
_NUMBERED = re.compile(r"\[\s*\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\s*\]")
_NAMED = re.compile(
    r"\((?:(?:see|cf\.?|e\.g\.,?)\s+)?[^\W\d_][^()\d]{1,80}?,?\s(?:1[5-9]|20)\d\d[a-z]?"
    r"(?:[;,]\s?(?:[^()\d]{1,80}?,?\s)?(?:1[5-9]|20)\d\d[a-z]?){0,12}\)"
)
"""Citations in brackets: `[3, 5-7]`, `(Miller et al., 2020; Berg, 2021a)`."""
_TOKEN = re.compile(r"[^\W_]+$")
YEAR = 4
"""Digits of a number behind which a raised number is the mark of a note."""
_CONTROL = re.compile(r"[\x00-\x1f]")
"""What broken fonts give for a glyph; and `folding.BARRIER` is ours alone."""
_HIDDEN, _LAYER, _RAISED = int(Face.HIDDEN), int(Face.LAYER), int(Face.SUPERSCRIPT)


class Line(NamedTuple):
    """A line of a stream."""

    page: int
    """1-based; 0 in a source without pages."""
    x0: float
    y0: float
    x1: float
    y1: float
    start: int
    """Place in the stream's text of its first character."""
    end: int
    upright: bool


class Stream:
    """Text in order, folded once, for any number of quotes.

    Args:
        raw: The text, its lines joined by line ends.
        lines: Page, place and extent of each line, by their place in the text.
        faces: Where a face begins (bits of `citeaudit.pdf.Face`), by place in the text.
        in_order: The lines follow one another as a reader reads them.
    """

    def __init__(
        self, raw: str, lines: Sequence[Line], faces: Sequence[tuple[int, int]], *, in_order: bool = True
    ) -> None:
        """Keep text, lines and where each face begins."""
        self.raw = raw
        self.in_order = in_order
        self.lines = tuple(lines)
        self._starts = [line.start for line in lines]
        self._face_starts = [start for start, _ in faces]
        self._faces = [face for _, face in faces]
        folded = fold(raw)
        self.text = folded.text
        self.at = array("L", folded.at)

    def line_of(self, place: int) -> int:
        """Give the index of the line that holds a place of the text."""
        return max(0, bisect_right(self._starts, place) - 1)

    def face_of(self, place: int) -> int:
        """Give the face of the character at a place."""
        index = bisect_right(self._face_starts, place) - 1
        return self._faces[index] if index >= 0 else 0

    def is_hidden(self, start: int, end: int) -> bool:
        """Whether any character of a stretch is hidden from readers."""
        return any(face & _HIDDEN for face in self._run(start, end))

    def is_layer(self, start: int, end: int) -> bool:
        """Whether a stretch is text that a program for OCR has laid over an image."""
        return any(face & _LAYER for face in self._run(start, end))

    def _run(self, start: int, end: int) -> Iterator[int]:
        first = max(0, bisect_right(self._face_starts, start) - 1)
        for index in range(first, len(self._faces)):
            if self._face_starts[index] >= end:
                return
            yield self._faces[index]

    def pieces(self, start: int, end: int) -> Iterator[tuple[Line, int, int]]:
        """Give the lines of a stretch with the part of each: line, start and end in the text."""
        for index in range(self.line_of(start), len(self.lines)):
            line = self.lines[index]
            if line.start >= end:
                return
            first, last = max(start, line.start), min(end, line.end)
            if first < last:
                yield line, first, last

    @cached_property
    def cited(self) -> list[tuple[int, int]]:
        """Where citations in brackets stand in the text."""
        return sorted(match.span() for pattern in (_NUMBERED, _NAMED) for match in pattern.finditer(self.raw))

    @cached_property
    def raised(self) -> list[tuple[int, int]]:
        """Where superscripts stand in the text that are no powers: `10⁵` and `m²` are left as they are."""
        ends = [*self._face_starts, len(self.raw)][1:][: len(self._face_starts)]  # a text without a letter has none
        return [
            (start, end)
            for start, end, face in zip(self._face_starts, ends, self._faces, strict=True)
            if face & _RAISED and not self._is_power(start)
        ]

    def _is_power(self, place: int) -> bool:
        """Whether a superscript stands behind a number shorter than a year, or behind a single letter."""
        head = _TOKEN.search(self.raw[max(0, place - 8) : place])
        if head is None:
            return False
        token = head.group()
        return len(token) < YEAR if token.isdecimal() else len(token) == 1

    @cached_property
    def without_raised(self) -> Folding:
        """The folded text without superscripts."""
        return self._without(self.raised)

    @cached_property
    def without_cited(self) -> Folding:
        """The folded text without citations in brackets."""
        return self._without(self.cited)

    @cached_property
    def without_both(self) -> Folding:
        """The folded text without either."""
        return self._without([*self.raised, *self.cited])

    @property
    def whole(self) -> Folding:
        """The folded text."""
        return Folding(self.text, self.at)

    def _without(self, spans: Iterable[tuple[int, int]]) -> Folding:
        keep = bytearray(b"\1") * len(self.at)
        found = False
        for start, end in spans:
            first, last = self._index(start), self._index(end)
            keep[first:last] = bytes(last - first)
            found = found or last > first
        if not found:
            return self.whole
        return Folding("".join(compress(self.text, keep)), array("L", compress(self.at, keep)))

    def _index(self, place: int) -> int:
        """Give the index of the first folded character at or behind a place of the text."""
        low, high = 0, len(self.at)
        while low < high:
            middle = (low + high) // 2
            if self.at[middle] < place:
                low = middle + 1
            else:
                high = middle
        return low


class Folding(NamedTuple):
    """Folded text and the place in the stream's text of each of its characters."""

    text: str
    at: array[int]


def of_text(text: str) -> Stream:
    """Give the stream of a source without pages: HTML, LaTeX or plain text already read."""
    lines, start = [], 0
    for row in text.split("\n"):
        lines.append(Line(0, 0.0, 0.0, 0.0, 0.0, start, start + len(row), upright=True))
        start += len(row) + 1
    return Stream(text.replace(BARRIER, " "), lines, [(0, 0)])


def as_read(pdf: PdfText) -> Stream:
    """Give the text of a PDF in the order of reading; notes at the foot of pages follow at the end."""
    layout = lay_out(pdf)
    rows = [*layout.rows, *(row for note in layout.notes for row in note.rows)]
    return _stream((row.page, row.spans, True) for row in rows)


def as_drawn(pdf: PdfText) -> Stream:
    """Give all text of a PDF in the order in which it is drawn, hidden and turned text included."""
    return _stream(_drawn(pdf.pages), in_order=False)


_Drawn = tuple[int, Sequence[Span], bool]


def _drawn(pages: Iterable[PdfPage]) -> Iterator[_Drawn]:
    for page in pages:
        last: PdfLine | None = None
        parted = bool(gutters([line for line in page.lines if line.upright], page.width))
        for line in page.lines:
            if parted and last is not None and _across(last, line):
                yield page.number, (), True
            yield page.number, line.spans, line.upright
            last = line


def _across(one: PdfLine, two: PdfLine) -> bool:
    """Whether a line stands beside the one before it, too far away to go on with it."""
    level = abs(one.y1 - two.y1) < max(one.y1 - one.y0, 1.0) / 2
    gap = max(two.x0 - one.x1, one.x0 - two.x1)
    return level and gap > GUTTER * max(one.spans[0].size, 1.0)


def _stream(rows: Iterable[_Drawn], *, in_order: bool = True) -> Stream:
    parts: list[str] = []
    lines: list[Line] = []
    faces: list[tuple[int, int]] = []
    start = 0
    for page, spans, upright in rows:
        if not spans:
            parts.append(BARRIER)
            faces.append((start, 0))
            start += 1
            continue
        here, before = start, None
        for span in spans:
            text = _CONTROL.sub(" ", span.text)
            if before is not None and span.x0 - before.x1 > WORD_GAP * max(span.size, 1.0):
                parts.append(" ")
                start += 1
            faces.append((start, span.face))
            parts.append(text)
            start += len(text)
            before = span
        lines.append(
            Line(
                page,
                min(span.x0 for span in spans),
                min(span.y0 for span in spans),
                max(span.x1 for span in spans),
                max(span.y1 for span in spans),
                here,
                start,
                upright,
            )
        )
        parts.append("\n")
        start += 1
    return Stream("".join(parts), lines, faces, in_order=in_order)
