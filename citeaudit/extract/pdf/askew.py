"""Straighten scans whose text lies askew: a degree moves the end of a line by its height."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from citeaudit.extract.pdf.rows import SAME_SIZE, UNEVEN
from citeaudit.pdf import PdfLine, PdfPage, PdfText

MIN_LINES = 12
"""Lines by which a page may be seen to be askew."""
MAX_LINES = 400
"""Lines that are looked at."""
STEP = 0.0005
STEPS = 50
"""Slopes that are tried, to either side: up to a degree and a half."""
CLEARER = 1.2
"""How many times more pairs of lines must share an edge for a page to be askew."""

Slopes = dict[int, float]
"""By 1-based page: how far the margin moves to the right, a point downwards; level pages are left out."""


def straighten(pdf: PdfText) -> tuple[PdfText, Slopes]:
    """Give the document with the lines of its askew pages made level, and by how much they were askew."""
    slopes = {page.number: slope for page in pdf.pages if _guessed(page.lines) and (slope := _slope(page.lines))}
    if not slopes:
        return pdf, slopes
    return replace(pdf, pages=tuple(_level(page, slopes.get(page.number, 0.0)) for page in pdf.pages)), slopes


def _guessed(lines: Sequence[PdfLine]) -> bool:
    """Whether the sizes of the lines are guesses of OCR; print has a few sizes, and is level."""
    sizes = [line.spans[0].size for line in lines[:MAX_LINES] if line.upright]
    alike = sum(abs(first - second) <= SAME_SIZE for first, second in pairwise(sizes))
    return len(sizes) >= MIN_LINES and alike < UNEVEN * (len(sizes) - 1)


def _slope(lines: Sequence[PdfLine]) -> float:
    """Give the slope that brings most lines to common edges."""
    places = [(line.x0, line.y0) for line in lines[:MAX_LINES] if line.upright]
    level = _gathered(places, 0.0)
    tried = (step * STEP for step in range(-STEPS, STEPS + 1))
    best = max(tried, key=lambda slope: (_gathered(places, slope), -abs(slope)))
    return best if _gathered(places, best) > CLEARER * level else 0.0


def _gathered(places: Sequence[tuple[float, float]], slope: float) -> int:
    """Give how many pairs of lines share an edge; neighbouring points count together."""
    bins = Counter(round(x - slope * y) for x, y in places)
    return sum(count * (count + bins.get(edge + 1, 0)) for edge, count in bins.items())


def _level(page: PdfPage, slope: float) -> PdfPage:
    if not slope:
        return page
    return replace(page, lines=tuple(_moved(line, slope) if line.upright else line for line in page.lines))


def _moved(line: PdfLine, slope: float) -> PdfLine:
    spans = tuple(
        span._replace(
            x0=span.x0 - slope * span.y0,
            x1=span.x1 - slope * span.y0,
            y0=span.y0 + slope * span.x0,
            y1=span.y1 + slope * span.x0,
        )
        for span in line.spans
    )
    return PdfLine(
        spans,
        min(span.x0 for span in spans),
        min(span.y0 for span in spans),
        max(span.x1 for span in spans),
        max(span.y1 for span in spans),
        upright=True,
    )
