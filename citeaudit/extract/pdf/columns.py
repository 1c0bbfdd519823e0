"""Find the columns of a page and bring its lines into reading order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from citeaudit.pdf import PdfLine

MIN_COLUMN = 0.14
"""Least width of a column, as a share of the page: labels of references are narrower, thirds of a page wider."""
MIN_LINES = 4
"""Least lines on either side of a gutter."""
MIN_MIXED = 6
"""The same on a mixed page."""
MAX_TRIED = 12
"""Places that are tried on a mixed page, the likeliest first."""
MAX_LINES = 2_000
"""Lines of a page by which its columns are found; a crowded one has 300."""
MAX_PIECES = 60
"""Pieces of one printed line."""
MAX_CROSSING = 0.25
"""Largest share of the lines beside a gutter that may run across it (titles, captions, footers)."""
MAX_AMONG = 0.08
"""The same on a mixed page, of lines between the columns alone."""
LABEL = 0.08
"""Share of the page width left of a gap in which a column of labels stands: the gap is none between columns."""
MAX_LABELS = 0.1
"""Share of the lines right of a gap that may have such a neighbour; short pieces of text are."""
MAX_STRAY = 0.1
"""The same on a page that takes its gutter from its neighbours."""
GUTTER_STEP = 3.0
"""Points between the places that are tried for a gutter."""
OVERFULL = 0.3
"""Share of its length by which a line may stick out over a gutter, beside text of the next column."""
SAME_LINE = 0.5
"""Overlap of two pieces, as a share of the lower one, from which they stand on one line."""
_LABEL = re.compile(r"\s*(?:\d|[^\w\s])")
"""How a label begins: a digit, a bracket, a bullet."""


def gutters(lines: Sequence[PdfLine], width: float) -> tuple[float, ...]:
    """Find the white gaps between columns.

    Args:
        lines: The lines of one page, furniture already removed.
        width: Of the page, points.

    Returns:
        The middle of each gap, from the left; empty for a page of one column.
    """
    few = lines[:MAX_LINES]
    found = _gutters(few, width, 0.0, width) or _gutters(few, width, 0.0, width, mixed=True)
    return tuple(sorted(found))


def _gutters(lines: Sequence[PdfLine], width: float, left: float, right: float, *, mixed: bool = False) -> list[float]:
    """Find the best gutter between two edges, and those beside it.

    On a mixed page the lines in the way may be many, if they stand above or below the columns.
    """
    if len(lines) < 2 * MIN_LINES or right - left < 2 * MIN_COLUMN * width:
        return []
    ends, starts = sorted([line.x1 for line in lines]), sorted([line.x0 for line in lines])
    steps = int((right - left - 2 * MIN_COLUMN * width) / GUTTER_STEP) + 1
    ranks: list[tuple[float, float, float, tuple[int, int]]] = []
    for step in range(steps):
        x = left + MIN_COLUMN * width + step * GUTTER_STEP
        first, last = bisect_right(ends, x + 1), bisect_left(starts, x - 1)
        sides = first + len(lines) - last
        if min(first, len(lines) - last) < (MIN_MIXED if mixed else MIN_LINES):
            continue
        crossing = len(lines) - sides
        if crossing <= MAX_CROSSING * sides or mixed:
            # The fewest lines in the way; then the widest gap: labels stand nearer to their text than columns do.
            ranks.append((crossing, ends[first - 1] - starts[last], x, (first, last)))
    ranks.sort()
    x = _first(lines, ranks[:MAX_TRIED] if mixed else ranks, width, mixed=mixed)
    if x < 0:
        return []
    before = [line for line in lines if line.x1 <= x + 1]
    after = [line for line in lines if line.x0 >= x - 1]
    return [*_gutters(before, width, left, x), x, *_gutters(after, width, x, right)]


def _first(
    lines: Sequence[PdfLine], ranks: Sequence[tuple[float, float, float, tuple[int, int]]], width: float, *, mixed: bool
) -> float:
    """Give the first place that parts two columns, or -1: two wide groups of lines beside each other, and no labels.

    Args:
        lines: Of the page.
        ranks: Places to try: two figures, the place, and how many lines it has before and after it.
        width: Of the page.
        mixed: Whether lines may stand in the way.
    """
    narrow: set[tuple[int, int]] = set()  # most places part the lines as their neighbour does
    for _, _, x, parted in ranks:
        if parted in narrow:
            continue
        before = [line for line in lines if line.x1 <= x + 1]
        after = [line for line in lines if line.x0 >= x - 1]
        if min(_width(before), _width(after)) < MIN_COLUMN * width or not _beside(before, after):
            narrow.add(parted)
        elif _is_gutter(lines, before, after, (x, width), mixed=mixed):
            return x
    return -1.0


def _is_gutter(
    lines: Sequence[PdfLine],
    before: Sequence[PdfLine],
    after: Sequence[PdfLine],
    place: tuple[float, float],
    *,
    mixed: bool,
) -> bool:
    x, width = place
    if _labels(before, x - LABEL * width, width) > max(MIN_LINES - 1, MAX_LABELS * len(after)):
        return False
    if not mixed:
        return True
    low, high = _shared(before, after)
    among = sum(line.x0 < x - 1 and line.x1 > x + 1 and low < line.y0 and line.y1 < high for line in lines)
    return among <= MAX_AMONG * (len(before) + len(after))


def _labels(lines: Sequence[PdfLine], edge: float, width: float) -> int:
    """Count the pieces right of an edge that may be labels: the last words of a justified line follow on others."""
    narrow = [line for line in lines if line.x0 > edge]
    return sum(
        bool(_LABEL.match(line.spans[0].text))
        or not any(_level(line, other) and -1 <= line.x0 - other.x1 < LABEL * width for other in lines)
        for line in narrow[:MAX_PIECES]
    )


def _width(lines: Sequence[PdfLine]) -> float:
    """Give the width of most lines: the widest tenth is left out, it may be a title."""
    widths = sorted(line.x1 - line.x0 for line in lines)
    return widths[int(0.9 * (len(widths) - 1))]


def _beside(before: Sequence[PdfLine], after: Sequence[PdfLine]) -> bool:
    """Whether the two groups stand beside each other, not one above the other."""
    low, high = _shared(before, after)
    shared = [sum(low - 1 <= line.y0 and line.y1 <= high + 1 for line in group) for group in (before, after)]
    return min(shared) >= MIN_LINES - 1


def _shared(before: Sequence[PdfLine], after: Sequence[PdfLine]) -> tuple[float, float]:
    """Give the heights between which both groups stand."""
    return (
        max(min(line.y0 for line in group) for group in (before, after)),
        min(max(line.y1 for line in group) for group in (before, after)),
    )


def agree(pages: Sequence[tuple[float, ...]], lines: Sequence[Sequence[PdfLine]]) -> list[tuple[float, ...]]:
    """Give pages on which no gutter stands out that of their neighbours, where it fits.

    The last page of a list often holds a full column and two lines of the next.

    Args:
        pages: Gutters of each page, by `gutters`.
        lines: The lines of each page.

    Returns:
        Gutters of each page.
    """
    settled: list[tuple[float, ...]] = []
    for number, (found, content) in enumerate(zip(pages, lines, strict=True)):
        near = [other for other in pages[max(0, number - 2) : number + 3] if other]
        settled.append(found)
        if found or not content or not near:
            continue
        gaps = near[0]
        crossing = sum(any(line.x0 + 1 < gap < line.x1 - 1 for gap in gaps) for line in content)
        if crossing <= MAX_STRAY * len(content):
            settled[-1] = gaps
    return settled


def arrange(lines: Sequence[PdfLine], gaps: Sequence[float]) -> Iterator[tuple[int, list[PdfLine]]]:
    """Give the lines of one page in reading order.

    A line that crosses a gutter is read after all that stands above it in every column, and before the rest.

    Args:
        lines: The lines of one page, furniture already removed.
        gaps: The gutters of the page, from the left.

    Yields:
        Column, 0-based, and the pieces of one printed line from left to right.
    """
    columns: list[list[PdfLine]] = [[] for _ in range(len(gaps) + 1)]
    ordered = sorted(lines, key=lambda line: (line.y0, line.x0))
    tops = [line.y0 for line in ordered]
    for line in ordered:
        first = sum(gap < line.x0 + 1 for gap in gaps)
        crossed = [gap for gap in gaps if line.x0 + 1 < gap < line.x1 - 1]
        column = _overfull(line, first, crossed, ordered[slice(*_near(line, tops))]) if len(crossed) == 1 else None
        if crossed and column is None:
            yield from _flush(columns)
            yield first, [line]
        else:
            columns[first if column is None else column].append(line)
    yield from _flush(columns)


def _near(line: PdfLine, tops: Sequence[float]) -> tuple[int, int]:
    """Give where those lines stand that may be beside one, of lines sorted by their upper edges."""
    height = line.y1 - line.y0
    low = bisect_left(tops, line.y0 - height)
    return low, min(bisect_right(tops, line.y1), low + MAX_PIECES)


def _overfull(line: PdfLine, first: int, crossed: Sequence[float], near: Sequence[PdfLine]) -> int | None:
    """Give the column of a line that sticks out of it: an address that cannot be broken, a label that hangs out.

    A line across all columns has nothing beside it, and none is printed over another.
    """
    gap, allowed = crossed[0], OVERFULL * (line.x1 - line.x0)
    beside = [other for other in near if other is not line and _level(line, other)]
    right = min((other.x0 for other in beside if other.x0 >= gap - 1), default=None)
    if right is not None and (line.x1 - gap <= allowed or right < line.x1 - 1):
        return first
    if gap - line.x0 <= allowed and any(other.x1 <= gap + 1 for other in beside):
        return first + 1
    return None


def _level(line: PdfLine, other: PdfLine) -> bool:
    """Whether two pieces stand on one height."""
    overlap = min(line.y1, other.y1) - max(line.y0, other.y0)
    low = min(line.y1 - line.y0, other.y1 - other.y0)
    return low > 0 and overlap > SAME_LINE * low


def _flush(columns: list[list[PdfLine]]) -> Iterator[tuple[int, list[PdfLine]]]:
    for number, column in enumerate(columns):
        yield from ((number, group) for group in _printed(column))
        column.clear()


def _printed(lines: Sequence[PdfLine]) -> list[list[PdfLine]]:
    """Join the pieces that stand on one line of one column."""
    groups: list[list[PdfLine]] = []
    for line in sorted(lines, key=lambda line: ((line.y0 + line.y1) / 2, line.x0)):
        if groups:
            last = groups[-1][-1]
            overlap = min(line.y1, last.y1) - max(line.y0, last.y0)
            low = min(line.y1 - line.y0, last.y1 - last.y0)
            apart = all(line.x0 >= piece.x1 - 2 or line.x1 <= piece.x0 + 2 for piece in groups[-1])
            if len(groups[-1]) < MAX_PIECES and low > 0 and overlap > SAME_LINE * low and apart:
                groups[-1].append(line)
                continue
        groups.append([line])
    return [sorted(group, key=lambda line: line.x0) for group in groups]
