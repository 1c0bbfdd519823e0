"""Turn the lines of a PDF into rows in reading order, without page furniture.

Running heads and feet, page numbers, numbers of lines, watermarks, turned and hidden text are left out; notes at
the foot are kept apart. All rules are geometric; none knows a publisher.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from citeaudit.extract.pdf.columns import agree, arrange, gutters
from citeaudit.extract.pdf.footing import FootNote, take_notes
from citeaudit.extract.pdf.furniture import numbered, on_edge, running, stamped
from citeaudit.extract.pdf.headings import MAX_HEADING, is_heading
from citeaudit.extract.pdf.rows import Row, even, join, make_row, vocabulary
from citeaudit.pdf import Face, PdfLine, PdfText, Span

__all__ = ["FootNote", "Layout", "Row", "join", "lay_out", "make_row", "split", "vocabulary"]

SPLIT_GAP = 1.2
"""Gap inside one line of the PDF, in font sizes, at which it may belong to two columns."""
SIZE_STEP = 0.3
"""Points between the sizes of text and references from which they differ."""
_HIDDEN = int(Face.HIDDEN)
MAX_SPACES = 6
"""Spaces of a heading, unless its letters are spaced."""
MIN_HIDDEN = 3
"""Hidden characters on a page that are worth a word; some producers leave a stray one."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A document as rows in reading order."""

    rows: tuple[Row, ...]
    """Running text and lists; neither furniture nor notes at the foot of a page."""
    line_numbers: bool
    """Whether numbers of lines were found and left out."""
    notes: tuple[FootNote, ...] = ()
    """Notes at the foot of pages, in the order of the document."""
    hidden: tuple[int, ...] = ()
    """1-based pages on which hidden text was left out."""


def lay_out(pdf: PdfText) -> Layout:
    """Give the rows of a document in reading order.

    Args:
        pdf: The text as its worker delivered it.

    Returns:
        Rows by page, then column by column within bands between lines that cross all columns; and the notes.
    """
    hidden: list[int] = []
    pages: list[list[PdfLine]] = []
    for page in pdf.pages:
        seen, lost = visible(page.lines)
        pages.append([line for line in seen if line.upright])
        if lost >= MIN_HIDDEN:
            hidden.append(page.number)
    furniture = running(pdf.pages, pages) | stamped(pdf.pages, pages)
    contents: list[list[PdfLine]] = []
    for page, lines in zip(pdf.pages, pages, strict=True):
        kept = [line for line in lines if (page.number, line.y0, line.text) not in furniture]
        contents.append([piece for line in kept for piece in split(line)])
    numbers, edges = numbered(pdf.pages, contents)
    if edges:
        contents = [
            [line for line in lines if line not in found and not on_edge(line, edges)]
            for lines, found in zip(contents, numbers, strict=True)
        ]
    parts = [(page, band) for page, lines in zip(pdf.pages, contents, strict=True) for band in bands(lines)]
    gaps = agree([gutters(band, page.width) for page, band in parts], [band for _, band in parts])
    rows: list[Row] = []
    for (page, band), gap in zip(parts, gaps, strict=True):
        made = (
            make_row(page.number, column, [span for line in group for span in line.spans])
            for column, group in arrange(band, gap)
        )
        rows += even([row for row in made if row is not None])
    kept_rows, notes = take_notes(rows, {page.number: page.height for page in pdf.pages})
    return Layout(tuple(kept_rows), bool(edges), notes, tuple(hidden))


def visible(lines: Sequence[PdfLine]) -> tuple[list[PdfLine], int]:
    """Give the lines without their hidden text, and how many hidden characters there were."""
    kept: list[PdfLine] = []
    lost = 0
    for line in lines:
        if not any(span.face & _HIDDEN for span in line.spans):
            kept.append(line)
            continue
        spans = [span for span in line.spans if not span.face & _HIDDEN]
        lost += sum(len(span.text.strip()) for span in line.spans if span.face & _HIDDEN)
        if any(span.text.strip() for span in spans):
            kept.append(_line(spans, upright=line.upright))
    return kept, lost


def _line(spans: Sequence[Span], *, upright: bool) -> PdfLine:
    return PdfLine(
        tuple(spans),
        min(span.x0 for span in spans),
        min(span.y0 for span in spans),
        max(span.x1 for span in spans),
        max(span.y1 for span in spans),
        upright,
    )


def bands(lines: list[PdfLine]) -> list[list[PdfLine]]:
    """Cut a page at the heading of a reference list, where the list has the full width below it for itself.

    It has if it is set in another size than the text above; otherwise the heading stands inside a column.
    """
    for heading in lines:
        if not _may_head(heading.spans[0].text) or not is_heading(heading.text):
            continue
        above = [line for line in lines if line.y1 <= heading.y0 + 1]
        below = [line for line in lines if line.y0 >= heading.y1 - 1]
        under = sorted((line for line in below if line.x0 < heading.x1 + 100), key=lambda line: line.y0)[:6]
        edge = max((line.x1 for line in under), default=0.0) - 2
        beside = [line for line in above if line.x0 >= edge]
        if under and above and abs(_size(under) - _size(beside or above)) >= SIZE_STEP:
            return [above, [line for line in lines if line.y1 > heading.y0 + 1]]
    return [lines]


def _may_head(text: str) -> bool:
    """Spare most lines the look at the headings of all languages."""
    spaces = text.count(" ")
    return len(text) <= MAX_HEADING and (spaces <= MAX_SPACES or len(text) < 3 * spaces)


def _size(lines: Sequence[PdfLine]) -> float:
    return median(span.size for line in lines for span in line.spans)


def split(line: PdfLine) -> list[PdfLine]:
    """Cut a line of the PDF where it jumps: some producers draw across columns, or a line number with its line."""
    if len(line.spans) == 1:
        return [line]
    groups: list[list[Span]] = []
    for span in line.spans:
        far = groups and span.x0 - groups[-1][-1].x1 > SPLIT_GAP * max(span.size, 1.0)
        if far or not groups:
            groups.append([])
        groups[-1].append(span)
    if len(groups) == 1:
        return [line]
    return [_line(group, upright=line.upright) for group in groups if any(span.text.strip() for span in group)]
