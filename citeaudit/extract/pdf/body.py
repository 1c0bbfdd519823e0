"""Build the running text of a PDF for the in-text room: paragraphs, marks, notes, places."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from citeaudit.extract.intext.body import Body, Mark, MarkKind, Note, Place
from citeaudit.extract.pdf.footing import FootNote
from citeaudit.extract.pdf.hyphens import append
from citeaudit.extract.pdf.places import Shapes, box
from citeaudit.extract.pdf.rows import Row
from citeaudit.model import Locus
from citeaudit.pdf import Face, Link, PdfText, Span

SAME_SIZE = 0.3
"""Points by which the sizes of rows of one paragraph may differ."""
WIDE_PITCH = 1.45
"""Distance between two rows, in usual ones, from which a paragraph has ended."""
INDENT = 0.7
"""Depth of the indent of a first row, in font sizes, at least."""
DEEP = 4.0
"""The same, at most: what stands further in is set apart."""
SHORT = 0.12
"""Share of the column that the last row of a paragraph leaves free."""
SET_IN = 1.2
"""Distance of a block quotation from both margins, in font sizes, at least."""
SMALLER = 0.95
"""Size of a block quotation in smaller type, in sizes of the text."""
MIN_WORDS = 12
"""Words of a block quotation; a heading or a formula has fewer."""
RAISED = 0.86
"""Size of a raised mark, in sizes of its row, at most."""
LIFT = 0.12
"""Distance of its lower edge from that of the row, in sizes of the row, at least."""
MAX_MARK = 60
"""Characters of a raised mark."""
MAX_LINKS = 20_000
"""Links that are set on the text."""
_ENDS = '.!?:;”"»)]’'
_SUPERSCRIPT = int(Face.SUPERSCRIPT)

Target = Callable[[Link], str | None]
"""Gives the key of the reference to which a link leads, or `None`."""


@dataclass(frozen=True, slots=True)
class Context:
    """What is known about a document as a whole."""

    path: str
    words: Mapping[str, int]
    """How often it writes each word, for words cut by line ends."""
    shapes: Shapes
    """Its turned pages."""


@dataclass(slots=True)
class _Text:
    """A text that grows by rows, with what stands where."""

    words: Mapping[str, int]
    shapes: Shapes
    path: str
    links: Mapping[int, Sequence[tuple[Link, str]]]
    notes: Mapping[int, frozenset[str]]
    """Labels of the notes of each page."""
    parts: list[str] = field(default_factory=list)
    length: int = 0
    marks: list[Mark] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)

    def add(self, rows: Sequence[Row]) -> tuple[int, int]:
        """Add a paragraph and give where it stands."""
        if self.parts:
            self.parts.append("\n\n")
            self.length += 2
        start, text = self.length, ""
        for row in rows:
            text = append(text, row.text, self.words) if text else row.text
            self._note_place(start + max(0, len(text) - len(row.text)), row)
        self.parts.append(text)
        self.length += len(text)
        return start, self.length

    def _note_place(self, at: int, row: Row) -> None:
        # Built without validation, which takes most of the time for thousands of rows: the values are our own.
        locus = Locus.built(
            path=self.path, page=row.page, line=None, boxes=(box(row, self.shapes),), label=None, citekey=None
        )
        self.places.append(Place(start=at, locus=locus))
        links = self.links.get(row.page)
        if len(row.spans) > 1 or links:
            starts = _span_starts(row)
            if len(row.spans) > 1:
                self.marks += _raised(row, starts, at, self.notes.get(row.page, frozenset()))
            if links:
                self.marks += _cites(row, starts, at, links)


def build_body(
    pdf: PdfText, rows: Sequence[Row], notes: Sequence[FootNote], target: Target, *, context: Context
) -> Body:
    """Build the running text of a PDF.

    Args:
        pdf: The document, for its links.
        rows: Its rows in reading order, without those of its lists.
        notes: Notes at the foot of its pages.
        target: Gives the key of the reference to which a link leads.
        context: What is known about the document.

    Returns:
        The text; the notes stand behind the paragraphs.
    """
    labels: dict[int, set[str]] = defaultdict(set)
    for note in notes:
        labels[note.page].add(note.label)
    text = _Text(
        context.words,
        context.shapes,
        context.path,
        _keyed(pdf, target),
        {page: frozenset(found) for page, found in labels.items()},
    )
    usual = _usual(rows)
    for paragraph, quoted in paragraphs(rows):
        start, end = text.add(paragraph)
        words = sum(row.text.count(" ") + 1 for row in paragraph)
        if quoted and words >= MIN_WORDS and paragraph[0].size <= usual + SAME_SIZE:
            text.marks.append(Mark(start=start, end=end, kind=MarkKind.QUOTATION))
    found: list[Note] = []
    for note in notes:
        start, end = text.add(note.rows)
        found.append(Note(label=note.label, start=start, end=end))
    marks = sorted(text.marks, key=lambda mark: (mark.start, -mark.end))
    return Body(text="".join(text.parts), marks=tuple(marks), notes=tuple(found), places=tuple(text.places))


def _usual(rows: Sequence[Row]) -> float:
    """Give the size of most text."""
    sizes: dict[float, int] = defaultdict(int)
    for row in rows:
        sizes[row.size] += len(row.text)
    return max(sizes, key=lambda size: sizes[size]) if sizes else 0.0


def paragraphs(rows: Sequence[Row]) -> list[tuple[list[Row], bool]]:
    """Cut rows into paragraphs, and say of each whether it is set apart as a quotation is.

    Args:
        rows: In reading order.
    """
    margins = _margins(rows)
    pitch = _pitch(rows)
    usual = _usual(rows)
    made: list[tuple[list[Row], bool]] = []
    for row in rows:
        apart = _set_apart(row, margins[row.page, row.column], usual)
        last = made[-1] if made else None
        if last is None or apart != last[1] or _begins(row, last[0], margins, pitch):
            made.append(([row], apart))
        else:
            last[0].append(row)
    return made


def _margins(rows: Sequence[Row]) -> dict[tuple[int, int], tuple[float, float]]:
    """Give the left and right margin of each column of each page: the edges that most of its rows reach."""
    groups: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.page, row.column].append(row)
    margins: dict[tuple[int, int], tuple[float, float]] = {}
    for place, group in groups.items():
        lefts, rights = sorted([row.x0 for row in group]), sorted([row.x1 for row in group])
        margins[place] = (lefts[len(lefts) // 10], rights[-1 - len(rights) // 10])
    return margins


def _pitch(rows: Sequence[Row]) -> float:
    steps = [
        second.y0 - first.y0
        for first, second in pairwise(rows)
        if first.column == second.column and first.page == second.page and 0 < second.y0 - first.y0 < 3 * second.size
    ]
    return median(steps) if steps else 12.0


def _set_apart(row: Row, margins: tuple[float, float], usual: float) -> bool:
    """Whether a row stands in from the left margin and does not pass it on the right, or is in smaller type there."""
    left = row.x0 - margins[0]
    if row.size > usual + SAME_SIZE or not SET_IN * row.size < left < 0.3 * (margins[1] - margins[0]):
        return False
    return margins[1] - row.x1 > SET_IN * row.size * 0.8 or row.size <= SMALLER * usual


def _begins(
    row: Row, before: Sequence[Row], margins: Mapping[tuple[int, int], tuple[float, float]], pitch: float
) -> bool:
    """Whether a row begins a paragraph after those before it."""
    last = before[-1]
    if abs(row.size - last.size) > SAME_SIZE or row.bold != last.bold:
        return True
    here, there = margins[row.page, row.column], margins[last.page, last.column]
    indent = row.x0 - here[0]
    indented = INDENT * row.size < indent < DEEP * row.size and last.x0 - there[0] < INDENT * row.size
    ended = last.text[-1] in _ENDS
    short = there[1] - last.x1 > SHORT * (there[1] - there[0])
    if (row.page, row.column) != (last.page, last.column) or row.y0 < last.y0:
        return ended and (indented or short)
    if row.y0 - last.y0 > WIDE_PITCH * pitch:
        return True
    return indented or (short and ended)


def _span_starts(row: Row) -> list[int]:
    """Give where each span begins in the text of its row; -1 where it is not found."""
    if len(row.spans) == 1:
        return [0]
    starts: list[int] = []
    at = 0
    for span in row.spans:
        text = " ".join(span.text.split())
        found = row.text.find(text, at) if text else -1
        starts.append(found)
        if found >= 0:
            at = found + len(text)
    return starts


def _raised(row: Row, starts: Sequence[int], at: int, notes: frozenset[str]) -> list[Mark]:
    found: list[Mark] = []
    for span, start in zip(row.spans, starts, strict=True):
        text = span.text.strip()
        if start < 0 or not text or len(text) > MAX_MARK or not _is_raised(span, row):
            continue
        label = text.strip("[]() ")
        kind, keys = (MarkKind.NOTE, (label,)) if label in notes else (MarkKind.RAISED, ())
        found.append(Mark(start=at + start, end=at + start + len(text), kind=kind, keys=keys))
    return found


def _is_raised(span: Span, row: Row) -> bool:
    small = span.size <= RAISED * row.size
    if span.face & _SUPERSCRIPT:
        return small or span.y1 < row.y1 - LIFT * row.size
    return small and row.y1 - span.y1 > LIFT * row.size and span.y1 < row.y1


def _keyed(pdf: PdfText, target: Target) -> dict[int, list[tuple[Link, str]]]:
    """Give the links that lead into the list, by page, from the top."""
    found: dict[int, list[tuple[Link, str]]] = {}
    left = MAX_LINKS
    for page in pdf.pages:
        links = [(link, key) for link in page.links[:left] if not link.uri and (key := target(link)) is not None]
        left -= len(links)
        if links:
            found[page.number] = sorted(links, key=lambda pair: (pair[0].y0, pair[0].x0))
    return found


def _cites(row: Row, starts: Sequence[int], at: int, links: Sequence[tuple[Link, str]]) -> Iterable[Mark]:
    """Set the links that lie on a row on its text; those of one reference with hardly a mark between are one."""
    found: list[Mark] = []
    middle = row.middle
    # Links are sorted by their upper edges, and none that matters is as tall as three rows.
    first = bisect_left(links, row.y0 - 3 * row.size, key=lambda pair: pair[0].y0)
    for link, key in links[first:]:
        if link.y0 > row.y1:
            break
        if not (link.y0 <= middle <= link.y1 and link.x0 < row.x1 and row.x0 < link.x1):
            continue
        span = _covered(row, starts, link)
        if span is None:
            continue
        start, end = span
        last = found[-1] if found else None
        if last and last.keys == (key,) and at + start - last.end <= 2 and at + start >= last.start:  # noqa: PLR2004
            found[-1] = Mark(start=last.start, end=max(last.end, at + end), kind=MarkKind.CITE, keys=last.keys)
        else:
            found.append(Mark(start=at + start, end=at + end, kind=MarkKind.CITE, keys=(key,)))
    return found


def _covered(row: Row, starts: Sequence[int], link: Link) -> tuple[int, int] | None:
    """Give the words of a row on which a link lies; places inside a span are estimated by its width."""
    first, last = None, 0
    for span, start in zip(row.spans, starts, strict=True):
        if start < 0 or span.x1 <= link.x0 + 1 or span.x0 >= link.x1 - 1:
            continue
        text = " ".join(span.text.split())
        unit = (span.x1 - span.x0) / max(1, len(span.text))
        begin = start + max(0, round((link.x0 - span.x0) / unit) if unit else 0)
        end = start + min(len(text), round((link.x1 - span.x0) / unit) if unit else len(text))
        first = begin if first is None else first
        last = max(last, end)
    if first is None or last <= first:
        return None
    return _words(row.text, first, last)


def _words(text: str, first: int, last: int) -> tuple[int, int] | None:
    """Widen a stretch to whole words, and leave out the marks around it."""
    middle = min(len(text) - 1, (first + last) // 2)
    first, last = min(first, middle), max(last, middle + 1)
    while first > 0 and text[first - 1].isalnum() and text[first].isalnum():
        first -= 1
    while last < len(text) and text[last - 1].isalnum() and text[last].isalnum():
        last += 1
    while first < last and not text[first].isalnum():
        first += 1
    while last > first and not text[last - 1].isalnum():
        last -= 1
    return (first, last) if last > first else None
