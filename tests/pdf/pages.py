"""Pages for tests, built in memory: what a worker would deliver, with only what matters to a test as arguments."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from citeaudit.pdf import Destination, Link, PdfLine, PdfPage, PdfText, Span

WIDTH, HEIGHT = 595.0, 842.0
PROSE = (
    "We were told that this is not what they have seen before, and it was clear that these rows should have been",
    "set by hand, which is why it has taken them so long to say that there is nothing else that can be done here",
    "because it would have been too late, and they are not the ones who will have to explain what it was for now",
)
AUTHORS = ("Adams", "Baker", "Clark", "Davis", "Evans", "Frank", "Ghosh", "Hills", "Irwin", "Jones", "Kumar", "Lopez")
TOPICS = ("rows", "columns", "margins", "indents", "labels", "ligatures", "hyphens", "gutters", "captions", "footers")


def span(text: str, x: float = 72.0, y: float = 100.0, size: float = 10.0, face: int = 0) -> Span:
    """A span half a font size wide a character."""
    return Span(text, x, y, x + 0.5 * size * len(text), y + size, size, face)


def line(
    text: str, x: float = 72.0, y: float = 100.0, size: float = 10.0, face: int = 0, *, upright: bool = True
) -> PdfLine:
    """A line of one span."""
    return of(span(text, x, y, size, face), upright=upright)


def of(*spans: Span, upright: bool = True) -> PdfLine:
    """A line of several spans."""
    return PdfLine(
        spans,
        min(item.x0 for item in spans),
        min(item.y0 for item in spans),
        max(item.x1 for item in spans),
        max(item.y1 for item in spans),
        upright,
    )


def pdf(
    pages: Sequence[Iterable[PdfLine]],
    *,
    links: Mapping[int, Sequence[Link]] | None = None,
    destinations: Mapping[str, Destination] | None = None,
    metadata: Mapping[str, str] | None = None,
) -> PdfText:
    """A document; links by page number."""
    made = tuple(
        PdfPage(number, WIDTH, HEIGHT, 0, tuple(lines), tuple((links or {}).get(number, ())))
        for number, lines in enumerate(pages, start=1)
    )
    return PdfText(made, dict(destinations or {}), dict(metadata or {}), (), repaired=False, broken_pages=())


def prose(count: int, x: float = 72.0, y: float = 80.0, size: float = 10.0, width: int = 88) -> list[PdfLine]:
    """Lines of running text."""
    return [line(PROSE[at % len(PROSE)][:width], x, y + 12 * at, size) for at in range(count)]


def reference(at: int) -> str:
    """An invented reference, another one for each number; names rise."""
    first, second = AUTHORS[at % len(AUTHORS)], AUTHORS[(at + 5) % len(AUTHORS)]
    topic = TOPICS[at % len(TOPICS)]
    return (
        f"{first}{chr(97 + at // 12)}, J. R., and {second}, P. ({1990 + at % 30}). On the reading of {topic} in printed"
        f" pages, part {at}. Journal of Layout, {at + 3}(2), {100 + at}-{110 + at}."
    )


def listed(
    texts: Iterable[str],
    x: float = 72.0,
    y: float = 100.0,
    size: float = 10.0,
    *,
    hang: float = 12.0,
    width: int = 70,
    gap: float = 0.0,
) -> list[PdfLine]:
    """References as printed lines: wrapped, hanging by `hang`, `gap` more between them."""
    lines: list[PdfLine] = []
    for text in texts:
        for number, part in enumerate(textwrap.wrap(text, width, break_on_hyphens=False)):
            lines.append(line(part, x + (hang if number else 0.0), y, size))
            y += 1.2 * size
        y += gap
    return lines
