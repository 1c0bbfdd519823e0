"""What a PDF holds, as plain values: the only form in which a PDF leaves its worker process.

Coordinates are points in the page as displayed, origin top-left, y downwards; pages are 1-based.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import NamedTuple


class Face(IntFlag):
    """How a span is set."""

    PLAIN = 0
    SUPERSCRIPT = 1
    ITALIC = 2
    BOLD = 4
    HIDDEN = 8
    """No reader sees it: drawn invisible, white on white, or too small."""
    LAYER = 32
    """Drawn invisible over an image of the page, as programs for OCR write what they have recognised."""


class Span(NamedTuple):
    """A run of characters of one face and size."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    """Points."""
    face: int
    """Bits of `Face`; a plain int, because there are a hundred thousand of them in a book."""


class PdfLine(NamedTuple):
    """Spans on one base line, left to right, as the PDF draws them; never empty."""

    spans: tuple[Span, ...]
    x0: float
    y0: float
    x1: float
    y1: float
    upright: bool
    """Written left to right, not turned."""

    @property
    def text(self) -> str:
        """Give the characters of the line."""
        spans = self.spans
        return spans[0][0] if len(spans) == 1 else "".join([span[0] for span in spans])


class Link(NamedTuple):
    """A link annotation: one of `uri`, `name` or `target_page` says where it leads."""

    x0: float
    y0: float
    x1: float
    y1: float
    uri: str | None = None
    name: str | None = None
    """Named destination."""
    target_page: int | None = None
    """1-based."""
    target_x: float = 0.0
    target_y: float = 0.0


class Destination(NamedTuple):
    """Where a name leads: a point on a page."""

    page: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class PdfPage:
    """One page."""

    number: int
    """1-based."""
    width: float
    height: float
    rotation: int
    """0, 90, 180 or 270: how the page is turned for display."""
    lines: tuple[PdfLine, ...]
    """In the order in which the PDF draws them, which need not be the order of reading."""
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class PdfText:
    """The text of a PDF with its places."""

    pages: tuple[PdfPage, ...]
    destinations: dict[str, Destination]
    """By name; only those that lead to a page of this document."""
    metadata: dict[str, str]
    """`title`, `author`, `subject`, `keywords`, `creator`, `producer`: those that are there."""
    toc: tuple[tuple[int, str, int], ...]
    """Outline: level, title, 1-based page."""
    repaired: bool
    """The file is damaged and was mended while it was opened."""
    broken_pages: tuple[int, ...]
    """Pages whose content could not be read; their lines are missing."""

    @property
    def has_text(self) -> bool:
        """Whether any page holds letters: a scan without a text layer does not."""
        return any(line.text.strip() for page in self.pages for line in page.lines)


def _rows(value: object) -> list[list[object]]:
    return value if isinstance(value, list) else []


def _line(row: list[object]) -> PdfLine:
    upright, spans = row[0], _rows(row[1])
    made = tuple(map(Span._make, spans))
    if len(made) == 1:
        _, x0, y0, x1, y1, _, _ = made[0]
        return PdfLine(made, x0, y0, x1, y1, bool(upright))
    return PdfLine(
        made,
        min([span[1] for span in made]),
        min([span[2] for span in made]),
        max([span[3] for span in made]),
        max([span[4] for span in made]),
        bool(upright),
    )


_link: Callable[..., Link] = Link
"""Rows of links end where the rest is the default."""


class Area(NamedTuple):
    """Where an image stands on a page."""

    x0: float
    y0: float
    x1: float
    y1: float


def decode_pages(rows: object) -> tuple[PdfPage, ...]:
    """Build pages from their rows.

    Raises:
        TypeError, ValueError: They are not in that shape.
    """
    return tuple(
        PdfPage(
            number=int(str(number)),
            width=float(str(width)),
            height=float(str(height)),
            rotation=int(str(rotation)),
            lines=tuple(map(_line, _rows(lines))),
            links=tuple(_link(*link) for link in _rows(links)),
        )
        for number, width, height, rotation, lines, links in _rows(rows)
    )


def decode_areas(payload: dict[str, object]) -> dict[int, tuple[Area, ...]]:
    """Build the images by page from what `citeaudit.pdf.document.images` returned through JSON.

    Raises:
        KeyError, TypeError, ValueError: It is not in that shape.
    """
    boxes = payload["boxes"]
    if not isinstance(boxes, dict):
        raise TypeError("boxes are an object")
    return {int(number): tuple(Area(*map(float, box)) for box in found) for number, found in boxes.items()}


def decode(payload: dict[str, object]) -> PdfText:
    """Build the values from what `citeaudit.pdf.document.read` returned through JSON.

    Raises:
        KeyError, TypeError, ValueError: It is not in that shape.
    """
    pages = decode_pages(payload["pages"])
    destinations, metadata = payload["destinations"], payload["metadata"]
    if not isinstance(destinations, dict) or not isinstance(metadata, dict):
        raise TypeError("destinations and metadata are objects")
    return PdfText(
        pages=pages,
        destinations={name: Destination._make(point) for name, point in destinations.items()},
        metadata={str(key): str(value) for key, value in metadata.items()},
        toc=tuple((int(str(level)), str(title), int(str(page))) for level, title, page in _rows(payload["toc"])),
        repaired=bool(payload["repaired"]),
        broken_pages=tuple(int(str(page)) for page in _rows(payload["broken_pages"])),
    )


def joined(parts: Sequence[PdfText]) -> PdfText:
    """Join the ranges of one document; the first holds what concerns it as a whole."""
    first = parts[0]
    return PdfText(
        pages=tuple(page for part in parts for page in part.pages),
        destinations=first.destinations,
        metadata=first.metadata,
        toc=first.toc,
        repaired=any(part.repaired for part in parts),
        broken_pages=tuple(page for part in parts for page in part.broken_pages),
    )
