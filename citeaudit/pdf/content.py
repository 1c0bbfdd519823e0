"""What a PDF holds, as plain values: the only form in which a PDF leaves its worker process.

Coordinates are points in the page as displayed, origin top-left, y downwards; pages are 1-based.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntFlag
from typing import NamedTuple


class Face(IntFlag):
    """How a span is set."""

    PLAIN = 0
    SUPERSCRIPT = 1
    ITALIC = 2
    BOLD = 4


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
        return "".join(span.text for span in self.spans)


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
    made = tuple(Span._make(span) for span in spans)
    return PdfLine(
        made,
        min(span.x0 for span in made),
        min(span.y0 for span in made),
        max(span.x1 for span in made),
        max(span.y1 for span in made),
        bool(upright),
    )


_link: Callable[..., Link] = Link
"""Rows of links end where the rest is the default."""


def decode(payload: dict[str, object]) -> PdfText:
    """Build the values from what `citeaudit.pdf.child.read` returned through JSON.

    Raises:
        KeyError, TypeError, ValueError: It is not in that shape.
    """
    pages = tuple(
        PdfPage(
            number=int(str(number)),
            width=float(str(width)),
            height=float(str(height)),
            rotation=int(str(rotation)),
            lines=tuple(_line(line) for line in _rows(lines)),
            links=tuple(_link(*link) for link in _rows(links)),
        )
        for number, width, height, rotation, lines, links in _rows(payload["pages"])
    )
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
