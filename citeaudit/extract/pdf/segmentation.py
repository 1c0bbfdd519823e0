"""What it is to cut a reference list: one reading of it, and how the rows of a list lie and begin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from citeaudit.extract.pdf.anchors import Anchor
from citeaudit.extract.pdf.borders import pitch
from citeaudit.extract.pdf.layout import Row
from citeaudit.extract.pdf.openings import MAX_TAIL, OPENING, TERMINAL
from citeaudit.extract.pdf.sections import Section

MIN_REFERENCES = 3
"""Fewer labels or indents than this are no pattern."""
JITTER = 3.0
"""Points by which edges that are meant to be one may differ."""
FEW_ROWS = 6
"""Rows of a column that may all be short; its width is then that of the others."""
SLACK = 0.8
"""Font sizes by which a word must fit: widths of words are estimated from their rows."""


@dataclass(frozen=True, slots=True)
class Segmentation:
    """One reading of a list."""

    method: str
    """`destinations`, `labels`, `indents`, `gaps`, `starts`."""
    starts: tuple[int, ...]
    """Row on which each reference starts, rising; rows before the first belong to none."""
    confidence: float
    """How sure the evidence is in itself, 0 to 1."""
    labels: tuple[str, ...] = ()
    """Printed labels, one a reference; empty where there are none."""
    anchors: tuple[Anchor | None, ...] = ()
    """Destinations, one a reference; empty where there are none."""
    missing: tuple[str, ...] = ()
    """Labels of the sequence that were not seen."""
    duplicate: tuple[str, ...] = ()
    """Labels that were seen twice."""


Segmenter = Callable[[Section, Sequence[Anchor]], Segmentation | None]


def offsets(rows: Sequence[Row]) -> list[float]:
    """Give the distance of each row from the outer margin of its column on its page.

    Where a column shows one edge only, the margins and the depth of the other columns tell whether it is the
    outer one.
    """
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        groups[row.page, row.column].append(index)
    edges = {place: sorted(rows[index].x0 for index in indexes) for place, indexes in groups.items()}
    sure = {place: _left(found) for place, found in edges.items()}
    inner = [edge - sure[place] for place, found in edges.items() for edge in found if edge - sure[place] > JITTER]
    depth = median(inner) if len(inner) >= MIN_REFERENCES else 0.0
    margins = {left for place, left in sure.items() if edges[place][-1] - left > JITTER}
    shifts = [0.0] * len(rows)
    for place, indexes in groups.items():
        left = _settle(edges[place], sure[place], depth, margins)
        for index in indexes:
            shifts[index] = max(0.0, rows[index].x0 - left)
    return shifts


def _left(edges: Sequence[float]) -> float:
    """Give the outer margin: the leftmost edge that another row shares, so that one stray row does not set it."""
    for edge, following in pairwise(edges):
        if following - edge < JITTER / 2:
            return edge
    return edges[0]


def _settle(edges: Sequence[float], left: float, depth: float, margins: set[float]) -> float:
    """Correct the outer margin of a column that holds one start, or none, by the depth of the other columns."""
    if not depth:
        return left
    lone = [edge for edge in edges if edge < left - JITTER / 2]
    if lone and abs(left - lone[-1] - depth) < JITTER / 2:
        return lone[-1]
    one_edge = edges[-1] - left < JITTER
    known = any(abs(left - margin) < JITTER for margin in margins)
    inside = any(abs(left - depth - margin) < JITTER / 2 for margin in margins)
    return left - depth if one_edge and inside and not known else left


def near_margin(rows: Sequence[Row]) -> list[bool]:
    """Say for each row whether it starts near the outer margin; labels flush right are up to 15 points in."""
    return [shift < 15 for shift in offsets(rows)]  # noqa: PLR2004


def begins(rows: Sequence[Row], index: int) -> bool:
    """Whether a row begins like a reference, and the row before it ends like one."""
    return bool(OPENING.match(rows[index].text)) and (
        index == 0 or bool(TERMINAL.search(rows[index - 1].text[-MAX_TAIL:]))
    )


def room_before(rows: Sequence[Row]) -> list[bool]:
    """Say for each row whether its first word would have fitted on the row before: a paragraph ended there.

    Lines are filled word by word, justified or not; only the last line of a paragraph leaves such room.
    """
    groups: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.page, row.column].append(row)
    widths = {place: _full(group) - min(row.x0 for row in group) for place, group in groups.items()}
    usual = median(widths[place] for place in widths) if widths else 0.0
    ends = {place: _full(group) for place, group in groups.items()}
    for place, group in groups.items():
        if len(group) < FEW_ROWS:
            ends[place] = max(ends[place], min(row.x0 for row in group) + min(usual, max(widths.values())))
    room = [False] * len(rows)
    for index in range(1, len(rows)):
        before, row = rows[index - 1], rows[index]
        word = row.text.partition(" ")[0]
        need = (row.x1 - row.x0) * (len(word) + 1) / max(1, len(row.text))
        room[index] = ends[before.page, before.column] - before.x1 > need + SLACK * row.size
    return room


def _full(group: Sequence[Row]) -> float:
    """Give where full lines of a column end; a stray longer one does not set it."""
    ends = sorted(row.x1 for row in group)
    return ends[int(0.95 * (len(ends) - 1))]


def pitch_before(rows: Sequence[Row], index: int) -> float | None:
    """Give the distance from the row before, or `None` across columns and pages."""
    return pitch(rows[index - 1], rows[index])
