"""Cut a reference list into references: several readings, the most consistent one is taken.

A segmenter gives one reading of a list or `None`. `SEGMENTERS` names those in use, the surest first; a
better one is added there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from citeaudit.extract.pdf.anchors import Anchor, snap
from citeaudit.extract.pdf.labels import by_labels
from citeaudit.extract.pdf.layout import Row
from citeaudit.extract.pdf.likeness import years
from citeaudit.extract.pdf.openings import MAX_TAIL, OPENING, TERMINAL
from citeaudit.extract.pdf.sections import Section
from citeaudit.extract.pdf.segmentation import (
    JITTER,
    MIN_REFERENCES,
    Segmentation,
    Segmenter,
    begins,
    offsets,
    pitch_before,
)
from citeaudit.extract.pdf.starts import by_starts

HANGING = 0.2
"""Share of rows that stand in from the margin from which a list is set with hanging indents."""
AGREEMENT = 0.7
"""Share of the starts of one reading that another must share to lend it its labels or destinations."""
HANG = 0.9
"""Share of the starts at the margin, and of the other rows that stand in, from which all references hang."""
MAX_TOPS = 20
"""Starts at the top of columns, among the other rows."""
KEPT_LABELS = 0.8
"""Labels for each indented start from which the labels tell all references."""
LABELS_ON_INDENTS = 0.85
"""Share of the labels that must stand on indented starts."""
AGREED = 0.9
"""How sure indents are on which what is left of the labels stands."""
WORSE = 0.05
"""Loss of quality that damaged labels make: `a7 Roe` does not look like the start of a reference."""
TIE = 0.02
"""Difference in quality that one odd reference among fifty makes."""


def by_destinations(section: Section, anchors: Sequence[Anchor]) -> Segmentation | None:
    """Cut where citations lead.

    Producers set the place a line higher or lower than the text; the shift is chosen for the whole list.
    """
    rows = section.rows
    placed = [(row, anchor) for row, anchor in zip(snap(anchors, rows), anchors, strict=True) if row is not None]
    if len(placed) < MIN_REFERENCES:
        return None
    likely = _likely(rows)

    def hits(shift: int) -> float:
        return sum(likely[row + shift] for row, _ in placed if 0 <= row + shift < len(rows))

    shift = max((0, 1, -1), key=hits)
    at: dict[int, Anchor] = {}
    for row, anchor in placed:
        moved = row + shift
        # The first place of a list may stand on its heading, which is not among the rows.
        better = 0 <= moved < len(rows) and likely[moved] >= likely[row]
        at.setdefault(moved if better else row, anchor)
    starts = tuple(sorted(at))
    distinct, reached = len(starts) / len(placed), len(placed) / len(anchors)
    confidence = 0.99 * distinct**2 * (0.6 + 0.4 * reached) * (0.5 + 0.5 * hits(shift) / len(placed))
    return Segmentation("destinations", starts, confidence, anchors=tuple(at[row] for row in starts))


def by_indents(section: Section, anchors: Sequence[Anchor]) -> Segmentation | None:
    """Cut at the outer margin of hanging indents, or at the first lines of indented paragraphs."""
    del anchors
    rows = section.rows
    shifts = offsets(rows)
    inner = [shift for shift in shifts if shift > JITTER]
    if len(inner) < MIN_REFERENCES:
        return None
    depth = median(inner)
    tolerance = min(4.0, 0.4 * depth)
    outer = tuple(index for index, shift in enumerate(shifts) if shift < tolerance)
    level = tuple(index for index, shift in enumerate(shifts) if abs(shift - depth) < tolerance)
    options = [_indented(rows, starts, len(outer) + len(level)) for starts in (outer, level)]
    return max((option for option in options if option), key=lambda option: option.confidence, default=None)


def _indented(rows: Sequence[Row], starts: tuple[int, ...], regular: int) -> Segmentation | None:
    share = len(starts) / len(rows)
    if len(starts) < MIN_REFERENCES or not 0.04 < share < 0.85:  # noqa: PLR2004
        return None
    confidence = 0.92 * regular / len(rows) * (0.3 + 0.7 * _good_starts(rows, starts))
    return Segmentation("indents", starts, confidence)


def by_gaps(section: Section, anchors: Sequence[Anchor]) -> Segmentation | None:
    """Cut where the space between lines is larger; at the top of a column, by the looks of both lines."""
    del anchors
    rows = section.rows
    pitches = [pitch_before(rows, index) for index in range(1, len(rows))]
    known = sorted(pitch for pitch in pitches if pitch is not None)
    if len(known) < 2 * MIN_REFERENCES:
        return None
    usual = known[len(known) // 4]
    least = max(1.2 * usual, usual + 1.5)
    apart = [index for index, pitch in enumerate(pitches, start=1) if pitch is not None and pitch > least]
    if not 0.05 < len(apart) / len(known) < 0.8:  # noqa: PLR2004  # all alike, or no pattern
        return None
    shifts = offsets(rows)
    hanging = _all_hang(shifts, apart)
    tops = [
        index
        for index, pitch in enumerate(pitches, start=1)
        if pitch is None and (shifts[index] < JITTER if hanging else begins(rows, index))
    ]
    starts = sorted([0, *apart, *tops])
    return Segmentation("gaps", tuple(starts), 0.88 * (0.3 + 0.7 * _good_starts(rows, starts)))


def _all_hang(shifts: Sequence[float], starts: Sequence[int]) -> bool:
    """Whether starts stand at the margin and other rows stand in: the indent then tells at the top of a column."""
    outer = sum(shifts[index] < JITTER for index in starts)
    inner = sum(shift > JITTER for shift in shifts)
    return outer >= HANG * len(starts) and inner >= HANG * (len(shifts) - len(starts)) - MAX_TOPS


SEGMENTERS: tuple[Segmenter, ...] = (by_destinations, by_labels, by_indents, by_gaps, by_starts)
"""The readings that are tried, the surest first."""


def segment(
    section: Section, anchors: Sequence[Anchor], segmenters: Iterable[Segmenter] = SEGMENTERS
) -> Segmentation | None:
    """Give the most consistent reading of a list.

    Args:
        section: The list.
        anchors: Destinations of citations, of the whole document.
        segmenters: Readings to try, the surest first.

    Returns:
        The reading with the highest product of confidence and quality; `None` if none applies.
    """
    readings = [reading for segmenter in segmenters if (reading := segmenter(section, anchors))]
    if not readings:
        return None
    readings = _mended(section.rows, readings)
    best = max(readings, key=lambda reading: reading.confidence * quality(section.rows, reading.starts))
    return _enrich(_steady(section.rows, best, readings), readings)


def _mended(rows: Sequence[Row], readings: Sequence[Segmentation]) -> list[Segmentation]:
    """Let indents tell the references where most labels are lost: OCR misreads `[15]` as `U5)`.

    They do if nearly all the labels that were read stand on indented starts, and their pieces are hardly worse.
    """
    by_indent = next((reading for reading in readings if reading.method == "indents"), None)
    labelled = next((reading for reading in readings if reading.method == "labels"), None)
    if by_indent is None or labelled is None or not all(map(str.isdigit, labelled.labels)):
        return list(readings)
    starts = set(by_indent.starts)
    shared = len(starts.intersection(labelled.starts))
    if (
        len(labelled.starts) >= KEPT_LABELS * len(starts)
        or shared < LABELS_ON_INDENTS * len(labelled.starts)
        or quality(rows, by_indent.starts) < quality(rows, labelled.starts) - WORSE
    ):
        return list(readings)
    mended = replace(by_indent, method="indents+labels", confidence=AGREED, labels=_counted(by_indent.starts, labelled))
    return [mended if reading is by_indent else reading for reading in readings if reading is not labelled]


def _counted(starts: Sequence[int], labelled: Segmentation) -> tuple[str, ...]:
    """Number references by the labels among them that were read, if these count as the references do."""
    at = {start: index for index, start in enumerate(starts)}
    firsts = Counter(
        int(label) - at[start] for start, label in zip(labelled.starts, labelled.labels, strict=True) if start in at
    )
    first, count = firsts.most_common(1)[0]
    if 2 * count <= len(labelled.starts) or first < 0:
        return tuple("" for _ in starts)
    return tuple(str(first + index) for index in range(len(starts)))


def _steady(rows: Sequence[Row], best: Segmentation, readings: Sequence[Segmentation]) -> Segmentation:
    """Prefer the rows of a layout reading that counts as many references as there are destinations.

    Destinations are sure in number and order, but some lie so near the middle of a line that half a point
    decides on which row they fall; labels and indents lie on rows.
    """
    if not best.anchors:
        return best
    for other in readings:
        shared = len(set(other.starts) & set(best.starts))
        if other is best or len(other.starts) != len(best.starts) or shared < AGREEMENT * len(best.starts):
            continue
        if quality(rows, other.starts) >= quality(rows, best.starts) - TIE:
            return replace(other, method=f"destinations+{other.method}", anchors=best.anchors)
    return best


def _enrich(best: Segmentation, readings: Sequence[Segmentation]) -> Segmentation:
    """Give the chosen reading the labels and destinations of the others where they agree on the rows."""
    method, labels, anchors = best.method, best.labels, best.anchors
    missing, duplicate = best.missing, best.duplicate
    for other in readings:
        shared = len(set(other.starts) & set(best.starts))
        if other is best or shared < AGREEMENT * len(best.starts):
            continue
        at = {row: index for index, row in enumerate(other.starts)}
        if other.labels and not labels:
            labels = tuple(other.labels[at[row]] if row in at else "" for row in best.starts)
            method, missing, duplicate = f"{method}+labels", other.missing, other.duplicate
        if other.anchors and not anchors:
            # As many as there are references: their order is surer than the rows on which they fall.
            by_row = tuple(other.anchors[at[row]] if row in at else None for row in best.starts)
            anchors = other.anchors if len(other.starts) == len(best.starts) else by_row
            method = f"destinations+{method}"
    return replace(best, method=method, labels=labels, anchors=anchors, missing=missing, duplicate=duplicate)


def quality(rows: Sequence[Row], starts: Sequence[int]) -> float:
    """Give how sensible the pieces are, 0 to 1: each has a year, a beginning, an end and a usual length."""
    if not starts:
        return 0.0
    bounds = [*starts, len(rows)]
    pieces = [rows[first:last] for first, last in pairwise(bounds) if last > first]
    texts = [" ".join(row.text for row in piece) for piece in pieces]
    dated = sum(years(text) > 0 for text in texts)
    single = sum(years(text) <= 3 for text in texts)  # noqa: PLR2004  # issued, accessed, and one in the title
    opened = sum(bool(OPENING.match(text)) for text in texts)
    closed = sum(bool(TERMINAL.search(text[-MAX_TAIL:])) for text in texts)
    usual = sum(25 <= len(text) <= 900 for text in texts)  # noqa: PLR2004
    lead = starts[0] / len(rows)
    return (dated + single + opened + closed + usual) / (5 * len(texts)) * (1 - lead)


def _likely(rows: Sequence[Row]) -> list[float]:
    """Say for each row how well it could start a reference."""
    shifts = offsets(rows)
    hanging = sum(shift > JITTER for shift in shifts) > HANGING * len(rows)
    return [
        (0.6 if begins(rows, index) else 0.0) + (0.4 if not hanging or shifts[index] < JITTER else 0.0)
        for index in range(len(rows))
    ]


def _good_starts(rows: Sequence[Row], starts: Sequence[int]) -> float:
    return sum(begins(rows, index) for index in starts) / len(starts)
