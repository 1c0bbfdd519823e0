"""What it is to cut a reference list: one reading of it, and how the rows of a list lie and begin."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from citeaudit.extract.pdf.anchors import Anchor
from citeaudit.extract.pdf.layout import Row
from citeaudit.extract.pdf.sections import Section

MIN_REFERENCES = 3
"""Fewer labels or indents than this are no pattern."""
JITTER = 3.0
"""Points by which edges that are meant to be one may differ."""
MAX_TAIL = 200
"""Characters at the end of a line that are looked at."""
TERMINAL = re.compile(r"[.)\]\d/”\"»]\s*$|https?://\S+$|\b10\.\d{4,9}/\S+$")
OPENING = re.compile(
    r"[^\W\d_a-z]|[“\"«‘'(\[—–_]|\d{1,4}[.)\s]|(?:van|von|de|der|den|di|da|del|della|la|le|du|el|al)\b", re.UNICODE
)


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


def pitch_before(rows: Sequence[Row], index: int) -> float | None:
    """Give the distance from the row before, or `None` across columns and pages."""
    row, before = rows[index], rows[index - 1]
    if (row.page, row.column) != (before.page, before.column) or row.y0 <= before.y0:
        return None
    return row.y0 - before.y0
