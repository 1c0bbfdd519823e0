"""Boxes of rows, in the space that `Box` documents: points of the unrotated page, origin top-left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from citeaudit.extract.pdf.rows import Row
from citeaudit.model import Box
from citeaudit.pdf import PdfText


class Shape(NamedTuple):
    """How a page is displayed."""

    width: float
    height: float
    rotation: int
    slope: float = 0.0
    """How far its margin was moved to the left a point downwards, to make the lines of a scan level."""


Shapes = dict[int, Shape]
"""By 1-based page; pages that are neither turned nor made level are left out."""


def turned(pdf: PdfText, slopes: Mapping[int, float] | None = None) -> Shapes:
    """Give the pages that are turned for display, or were askew by these slopes."""
    slopes = slopes or {}
    return {
        page.number: Shape(page.width, page.height, page.rotation, slopes.get(page.number, 0.0))
        for page in pdf.pages
        if page.rotation or page.number in slopes
    }


def box(row: Row, shapes: Shapes) -> Box:
    """Give the box of a row."""
    return _unturned(row.page, (row.x0, row.y0, row.x1, row.y1), shapes)


def boxes(rows: Sequence[Row], shapes: Shapes) -> tuple[Box, ...]:
    """Give the boxes of rows in reading order; rows below one another in one column share one."""
    found: list[tuple[int, float, float, float, float]] = []
    for row in rows:
        last = found[-1] if found else None
        if last and last[0] == row.page and row.y0 >= last[2] and abs(row.x0 - last[1]) < last[3] - last[1]:
            found[-1] = (row.page, min(last[1], row.x0), last[2], max(last[3], row.x1), max(last[4], row.y1))
        else:
            found.append((row.page, row.x0, row.y0, row.x1, row.y1))
    return tuple(_unturned(page, (x0, y0, x1, y1), shapes) for page, x0, y0, x1, y1 in found)


def _unturned(page: int, edges: tuple[float, float, float, float], shapes: Shapes) -> Box:
    """Turn a box back: `/Rotate` turns the page clockwise for display (ISO 32000-1, 7.7.3.3)."""
    x0, y0, x1, y1 = edges
    shape = shapes.get(page)
    if shape is not None:
        width, height, rotation, slope = shape
        if slope:
            x0, y0, x1, y1 = _askew(x0, y0, x1, y1, slope)
        if rotation == 90:  # noqa: PLR2004
            x0, y0, x1, y1 = y0, width - x1, y1, width - x0
        elif rotation == 180:  # noqa: PLR2004
            x0, y0, x1, y1 = width - x1, height - y1, width - x0, height - y0
        elif rotation == 270:  # noqa: PLR2004
            x0, y0, x1, y1 = height - y1, x0, height - y0, x1
    return Box.built(page=page, x0=x0, y0=y0, x1=x1, y1=y1)  # our own values: validation is slow


def _askew(x0: float, y0: float, x1: float, y1: float, slope: float) -> tuple[float, float, float, float]:
    """Give the box around what was moved by `citeaudit.extract.pdf.askew`, where it was before."""
    low, high = min(slope * x0, slope * x1), max(slope * x0, slope * x1)
    y0, y1 = y0 - high, y1 - low
    low, high = min(slope * y0, slope * y1), max(slope * y0, slope * y1)
    return round(x0 + low, 1), round(y0, 1), round(x1 + high, 1), round(y1, 1)
