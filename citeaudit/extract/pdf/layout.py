"""Turn the lines of a PDF into rows in reading order, without page furniture.

A row is what a reader sees as one printed line of one column. Running heads and feet, page numbers, line
numbers of review copies and turned text are left out. All rules are geometric; none knows a publisher.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from citeaudit.extract.pdf.columns import agree, arrange, gutters
from citeaudit.extract.pdf.headings import is_heading
from citeaudit.pdf import Face, PdfLine, PdfPage, PdfText, Span

MARGIN = 0.12
"""Share of the page height, top and bottom, in which running heads and feet stand."""
REPEATS = 3
"""Pages on which a line must recur to count as a running head; two in documents of up to four pages."""
WORD_GAP = 0.16
"""Gap between two pieces of a line, in font sizes, from which a space stands between them; a thin space is 1/6."""
SPLIT_GAP = 1.2
"""Gap inside one line of the PDF, in font sizes, at which it may belong to two columns."""
MIN_LINE_NUMBERS = 8
"""Bare numbers in one vertical line from which they count as line numbers."""
LINE_STEPS = (1, 2, 5, 10)
"""Lines from one number to the next."""
NUMBERED = 0.5
"""Share of the pages that must have numbers of lines."""
REACH = 0.3
"""Share of the page height over which numbers of lines must reach; the last page may be short."""
SIZE_STEP = 0.3
"""Points between the sizes of text and references from which they differ."""
_NUMBER = re.compile(r"\d{1,5}")
_NOT_LETTER = re.compile(r"[\W\d_]+")
_PAGE_NUMBER = re.compile(r"[\divxlc]{1,7}|(?:page\s)?\d{1,5}\s?(?:/|of|von|de|sur)\s?\d{1,5}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """One printed line of one column."""

    page: int
    """1-based."""
    column: int
    """0-based, from the left, on its page; a row across all columns has the column it starts in."""
    x0: float
    y0: float
    x1: float
    y1: float
    spans: tuple[Span, ...]
    text: str
    """Single spaces, none at the ends."""
    size: float
    """Font size of most of its characters, points."""
    bold: bool
    """All its letters are bold."""

    @property
    def middle(self) -> float:
        """Give the height of its middle on the page."""
        return (self.y0 + self.y1) / 2


@dataclass(frozen=True, slots=True)
class Layout:
    """A document as rows in reading order."""

    rows: tuple[Row, ...]
    line_numbers: bool
    """Whether numbers of lines were found and left out."""


def join(spans: Sequence[Span]) -> str:
    """Join spans of one row; a space stands where the PDF moved instead of drawing one."""
    parts: list[str] = []
    end: float | None = None
    for span in spans:
        if end is not None and span.x0 - end > WORD_GAP * max(span.size, 1.0) and not span.text[:1].isspace():
            parts.append(" ")
        parts.append(span.text)
        end = span.x1
    return " ".join("".join(parts).split())


def make_row(page: int, column: int, spans: Sequence[Span]) -> Row | None:
    """Build a row, or `None` where there is nothing to read."""
    text = join(spans)
    if not text:
        return None
    sizes: Counter[float] = Counter()
    for span in spans:
        sizes[span.size] += len(span.text)
    lettered = [span for span in spans if any(char.isalpha() for char in span.text)]
    inked = [span for span in spans if span.text.strip()]
    return Row(
        page=page,
        column=column,
        x0=min(span.x0 for span in inked),
        y0=min(span.y0 for span in inked),
        x1=max(span.x1 for span in inked),
        y1=max(span.y1 for span in inked),
        spans=tuple(spans),
        text=text,
        size=sizes.most_common(1)[0][0],
        bold=bool(lettered) and all(span.face & Face.BOLD for span in lettered),
    )


def lay_out(pdf: PdfText) -> Layout:
    """Give the rows of a document in reading order.

    Args:
        pdf: The text as its worker delivered it.

    Returns:
        Rows by page, then column by column within bands between lines that cross all columns.
    """
    pages = [[line for line in page.lines if line.upright] for page in pdf.pages]
    furniture = running(pdf.pages, pages)
    contents: list[list[PdfLine]] = []
    for page, lines in zip(pdf.pages, pages, strict=True):
        kept = [line for line in lines if (page.number, line.y0, line.text) not in furniture]
        contents.append([piece for line in kept for piece in split(line)])
    numbers = [line_numbers(lines, page.height) for page, lines in zip(pdf.pages, contents, strict=True)]
    # A table may number its rows on one page; a review copy numbers its lines on all.
    if sum(bool(found) for found in numbers) < NUMBERED * sum(bool(lines) for lines in contents):
        numbers = [set() for _ in numbers]
    edges = {(side, round(place)) for found in numbers for line in found for side, place in _edges(line)}
    contents = [
        [line for line in lines if line not in found and not _on_edge(line, edges)]
        for lines, found in zip(contents, numbers, strict=True)
    ]
    parts = [(page, band) for page, lines in zip(pdf.pages, contents, strict=True) for band in bands(lines)]
    gaps = agree([gutters(band, page.width) for page, band in parts], [band for _, band in parts])
    rows: list[Row] = []
    for (page, band), gap in zip(parts, gaps, strict=True):
        for column, group in arrange(band, gap):
            row = make_row(page.number, column, [span for line in group for span in line.spans])
            if row is not None:
                rows.append(row)
    return Layout(tuple(rows), bool(edges))


def running(pages: Sequence[PdfPage], lines: Sequence[Sequence[PdfLine]]) -> set[tuple[int, float, str]]:
    """Find running heads and feet: lines near the edge that recur at one height, and bare page numbers there.

    Args:
        pages: The pages.
        lines: Those of their lines that are to be read, page by page.

    Returns:
        Page number, upper edge and text of each such line.
    """
    seen: dict[tuple[str, int], list[tuple[int, float, str]]] = defaultdict(list)
    for page, content in zip(pages, lines, strict=True):
        for line in content:
            letters = _NOT_LETTER.sub("", line.text).lower()[:60]
            if letters and not MARGIN * page.height < line.y0 < (1 - MARGIN) * page.height:
                seen[letters, round(line.y0 / 6)].append((page.number, line.y0, line.text))
    least = REPEATS if len(pages) > 4 else 2  # noqa: PLR2004  # see REPEATS
    found: set[tuple[int, float, str]] = set()
    for (letters, height), keys in seen.items():
        near = [*keys, *seen.get((letters, height + 1), ()), *seen.get((letters, height - 1), ())]
        if len({page for page, _, _ in near}) >= least:
            found.update(keys)
    for page, content in zip(pages, lines, strict=True):
        rest = [line for line in content if (page.number, line.y0, line.text) not in found]
        found.update((page.number, line.y0, line.text) for line in _page_numbers(rest, page.height))
    return found


def _page_numbers(lines: Sequence[PdfLine], height: float) -> list[PdfLine]:
    """Find bare numbers that stand alone as the first or last line of a page; a label has text beside it."""
    if not lines:
        return []
    top, bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    return [
        line
        for line in lines
        if (line.y0 == top or line.y1 == bottom)
        and not 2 * MARGIN * height < line.y0 < (1 - 2 * MARGIN) * height
        and _PAGE_NUMBER.fullmatch(line.text.strip())
        and not any(other is not line and other.y0 < line.y1 and line.y0 < other.y1 for other in lines)
    ]


def bands(lines: list[PdfLine]) -> list[list[PdfLine]]:
    """Cut a page at the heading of a reference list, where the list has the full width below it for itself.

    It has if it is set in another size than the text above; otherwise the heading stands inside a column.
    """
    for heading in lines:
        if not is_heading(heading.text):
            continue
        above = [line for line in lines if line.y1 <= heading.y0 + 1]
        below = [line for line in lines if line.y0 >= heading.y1 - 1]
        under = sorted((line for line in below if line.x0 < heading.x1 + 100), key=lambda line: line.y0)[:6]
        edge = max((line.x1 for line in under), default=0.0) - 2
        beside = [line for line in above if line.x0 >= edge]
        if under and above and abs(_size(under) - _size(beside or above)) >= SIZE_STEP:
            return [above, [line for line in lines if line.y1 > heading.y0 + 1]]
    return [lines]


def _size(lines: Sequence[PdfLine]) -> float:
    return median(span.size for line in lines for span in line.spans)


def split(line: PdfLine) -> list[PdfLine]:
    """Cut a line of the PDF where it jumps: some producers draw across columns, or a line number with its line."""
    groups: list[list[Span]] = []
    for span in line.spans:
        far = groups and span.x0 - groups[-1][-1].x1 > SPLIT_GAP * max(span.size, 1.0)
        if far or not groups:
            groups.append([])
        groups[-1].append(span)
    if len(groups) == 1:
        return [line]
    return [
        PdfLine(
            tuple(group),
            group[0].x0,
            min(span.y0 for span in group),
            max(span.x1 for span in group),
            max(span.y1 for span in group),
            line.upright,
        )
        for group in groups
        if any(span.text.strip() for span in group)
    ]


def line_numbers(lines: Sequence[PdfLine], height: float) -> set[PdfLine]:
    """Find the numbers of lines in review copies: bare numbers in one vertical line, rising evenly at an even pitch.

    Labels of references are spaced unevenly, because references have different lengths; the marks of an axis do
    not reach down the page.

    Args:
        lines: The lines of one page.
        height: Of the page, points.

    Returns:
        Those that are numbers of lines.
    """
    aligned: dict[tuple[str, int], list[PdfLine]] = defaultdict(list)
    for line in lines:
        if _NUMBER.fullmatch(line.text.strip()):
            for side, place in _edges(line):
                aligned[side, round(place)].append(line)
    found: set[PdfLine] = set()
    for side, place in sorted(aligned):
        group = [line for shift in (-1, 0, 1) for line in aligned.get((side, place + shift), ())]
        group.sort(key=lambda line: line.y0)
        if len(group) >= MIN_LINE_NUMBERS and group[-1].y0 - group[0].y0 >= REACH * height and _even(group, lines):
            found.update(group)
    return found


def _edges(line: PdfLine) -> tuple[tuple[str, float], tuple[str, float]]:
    """Give both edges: numbers of lines are set flush left or flush right."""
    return ("left", line.x0), ("right", line.x1)


def _on_edge(line: PdfLine, edges: set[tuple[str, int]]) -> bool:
    """Whether a line is a bare number where other pages number their lines: a last page has too few to tell."""
    if not edges or not _NUMBER.fullmatch(line.text.strip()):
        return False
    return any((side, round(place) + shift) in edges for side, place in _edges(line) for shift in (-1, 0, 1))


def _even(group: Sequence[PdfLine], lines: Sequence[PdfLine]) -> bool:
    """Whether bare numbers rise by one step at one pitch, and number most of the printed lines."""
    values = [int(line.text) for line in group]
    steps = [second - first for first, second in pairwise(values)]
    pitches = [second.y0 - first.y0 for first, second in pairwise(group)]
    step, pitch = Counter(steps).most_common(1)[0][0], median(pitches)
    if step not in LINE_STEPS:
        return False
    members = set(group)
    printed = len({round(line.y0 / 4) for line in lines if line not in members})
    # A figure may interrupt the numbers, and a heading their pitch.
    rising = sum(value == step for value in steps) >= 0.8 * len(steps)
    level = sum(abs(value - pitch) <= 0.2 * pitch for value in pitches) >= 0.6 * len(pitches)
    return rising and level and len(group) * step >= 0.4 * printed


def vocabulary(rows: Iterable[Row]) -> Counter[str]:
    """Count the words of a document, lower case, hyphenated ones whole; words cut by a line end are left out."""
    words: Counter[str] = Counter()
    for row in rows:
        parts = row.text.lower().split(" ")
        if row.text.endswith("-"):
            parts = parts[:-1]
        words.update(part.strip(".,;:()[]“”\"'!?’‘") for part in parts)
    return words
