"""Boxes of rows, in the space that `Box` documents: points of the unrotated page, origin top-left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.extract.pdf.rows import Row
from citeaudit.model import Box
from citeaudit.pdf import PdfPage, PdfText


class Shape(NamedTuple):
    """How a page is displayed."""

    width: float
    height: float
    rotation: int


Shapes = dict[int, Shape]
"""By 1-based page; pages that are not turned are left out."""


def turned(pdf: PdfText) -> Shapes:
    """Give the pages that are turned for display."""
    return {page.number: _shape(page) for page in pdf.pages if page.rotation}


def _shape(page: PdfPage) -> Shape:
    return Shape(page.width, page.height, page.rotation)


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
        width, height, rotation = shape
        if rotation == 90:  # noqa: PLR2004
            x0, y0, x1, y1 = y0, width - x1, y1, width - x0
        elif rotation == 180:  # noqa: PLR2004
            x0, y0, x1, y1 = width - x1, height - y1, width - x0, height - y0
        elif rotation == 270:  # noqa: PLR2004
            x0, y0, x1, y1 = height - y1, x0, height - y0, x1
    return Box.model_construct(page=page, x0=x0, y0=y0, x1=x1, y1=y1)  # our own values: validation is slow
