"""Turn pages whose text is written sideways: a landscape list on an upright page, without `/Rotate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from citeaudit.pdf import Destination, Link, PdfLine, PdfPage, PdfText

TURNED = 0.8
"""Share of the characters of a page that must be written sideways."""
MIN_LINES = 8
"""Lines of them on one page of a document at least; a stamp on an image has fewer."""
_QUARTER, _FULL = 90, 360

Point = tuple[float, float]


def upright(pdf: PdfText) -> PdfText:
    """Give the document with its sideways pages turned as a reader turns them.

    Their rotation grows by as much, so that places can be turned back; links and destinations go with them.
    """
    turns = {page.number: turn for page in pdf.pages if (turn := sideways(page))}
    if not turns:
        return pdf
    usual = Counter(turns.values()).most_common(1)[0][0]
    turns |= {page.number: usual for page in pdf.pages if page.number not in turns and len(_tall(page)) > 1}
    moves = {page.number: _move(page, turns[page.number]) for page in pdf.pages if page.number in turns}

    def moved(page: int | None, x: float, y: float) -> Point:
        return moves[page](x, y) if page in moves else (x, y)

    pages = tuple(_turned(page, turns.get(page.number, 0), moved) for page in pdf.pages)
    destinations = {
        name: Destination(place.page, *moved(place.page, place.x, place.y)) for name, place in pdf.destinations.items()
    }
    return replace(pdf, pages=pages, destinations=destinations)


def sideways(page: PdfPage) -> int:
    """Give by how much a page must be turned clockwise to be read: 90 or 270, or 0 where it need not be."""
    tall = _tall(page)
    if len(tall) < MIN_LINES:
        return 0
    # Lines written upwards follow one another to the right, and their words to the top.
    votes = sum(_sign(second.x0 - first.x0) for first, second in pairwise(tall))
    votes += sum(_sign(line.spans[0].y0 - line.spans[-1].y0) for line in tall)
    return _QUARTER if votes > 0 else 3 * _QUARTER


def _tall(page: PdfPage) -> list[PdfLine]:
    """Give the lines written sideways, where they hold nearly all the text of a page."""
    tall = [line for line in page.lines if not line.upright and line.y1 - line.y0 > line.x1 - line.x0]
    enough = sum(len(line.text) for line in tall) >= TURNED * sum(len(line.text) for line in page.lines)
    return tall if enough else []


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _move(page: PdfPage, turn: int) -> Callable[[float, float], Point]:
    width, height = page.width, page.height
    if turn == _QUARTER:
        return lambda x, y: (height - y, x)
    return lambda x, y: (y, width - x)


def _turned(page: PdfPage, turn: int, moved: Callable[[int | None, float, float], Point]) -> PdfPage:
    links = tuple(_link(link, page.number, moved) for link in page.links)
    if not turn:
        return replace(page, links=links)
    return PdfPage(
        number=page.number,
        width=page.height,
        height=page.width,
        rotation=(page.rotation + turn) % _FULL,
        lines=tuple(_line(line, page.number, moved) for line in page.lines),
        links=links,
    )


def _box(
    edges: tuple[float, float, float, float], page: int, moved: Callable[[int | None, float, float], Point]
) -> tuple[float, float, float, float]:
    (ax, ay), (bx, by) = moved(page, *edges[:2]), moved(page, *edges[2:])
    return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def _line(line: PdfLine, page: int, moved: Callable[[int | None, float, float], Point]) -> PdfLine:
    spans = []
    for span in line.spans:
        x0, y0, x1, y1 = _box(span[1:5], page, moved)
        spans.append(span._replace(x0=x0, y0=y0, x1=x1, y1=y1))
    return PdfLine(tuple(spans), *_box(line[1:5], page, moved), not line.upright)


def _link(link: Link, page: int, moved: Callable[[int | None, float, float], Point]) -> Link:
    x0, y0, x1, y1 = _box(link[:4], page, moved)
    target_x, target_y = moved(link.target_page, link.target_x, link.target_y)
    return link._replace(x0=x0, y0=y0, x1=x1, y1=y1, target_x=target_x, target_y=target_y)
