"""Pages that are written sideways."""

from __future__ import annotations

import pytest

from citeaudit.extract.pdf.places import box, turned
from citeaudit.extract.pdf.reader import PdfExtractor
from citeaudit.extract.pdf.rows import make_row
from citeaudit.extract.pdf.turning import sideways, upright
from citeaudit.pdf import Destination, Link, PdfLine
from tests.pdf.pages import HEIGHT, WIDTH, line, listed, pdf, prose, reference

Edges = tuple[float, float, float, float]


def turned_to(edges: Edges, turn: int) -> Edges:
    """Where a box of a landscape page comes to stand, if that is laid on its side."""
    x0, y0, x1, y1 = edges
    if turn == 90:
        return y0, HEIGHT - x1, y1, HEIGHT - x0
    return WIDTH - y1, x0, WIDTH - y0, x1


def aside(item: PdfLine, turn: int) -> PdfLine:
    spans = []
    for span in item.spans:
        x0, y0, x1, y1 = turned_to((span.x0, span.y0, span.x1, span.y1), turn)
        spans.append(span._replace(x0=x0, y0=y0, x1=x1, y1=y1))
    return PdfLine(tuple(spans), *turned_to((item.x0, item.y0, item.x1, item.y1), turn), upright=False)


ENTRIES = [reference(at) for at in range(16)]
LANDSCAPE = [line("References", 72, 60), *listed(ENTRIES, y=80, width=120)]


@pytest.mark.parametrize("turn", [90, 270], ids=["upwards", "downwards"])
def test_list_that_is_written_sideways_is_read(turn: int) -> None:
    document = pdf([prose(40), [aside(item, turn) for item in LANDSCAPE]])
    assert [sideways(page) for page in document.pages] == [0, turn]
    assert [item.raw for item in PdfExtractor().extract(document, "made.pdf").references] == ENTRIES


@pytest.mark.parametrize("turn", [90, 270], ids=["upwards", "downwards"])
def test_boxes_are_those_of_the_page_as_it_lies(turn: int) -> None:
    document = pdf([[aside(item, turn) for item in LANDSCAPE]])
    level = upright(document)
    for before, after in zip(document.pages[0].lines, level.pages[0].lines, strict=True):
        row = make_row(1, 0, after.spans)
        assert row is not None
        found = box(row, turned(level))
        assert (found.x0, found.y0, found.x1, found.y1) == pytest.approx((before.x0, before.y0, before.x1, before.y1))


def test_links_and_destinations_go_with_their_page() -> None:
    lines = [aside(item, 90) for item in LANDSCAPE]
    link = Link(*turned_to((100, 92, 140, 102), 90), uri="https://doi.org/10.5555/12345678")
    document = pdf([lines], links={1: [link]}, destinations={"cite.roe": Destination(1, 92.0, HEIGHT - 72.0)})
    level = upright(document)
    assert level.pages[0].links[0][:4] == pytest.approx((100, 92, 140, 102))
    assert level.destinations["cite.roe"] == Destination(1, 72.0, 92.0)
    assert (level.pages[0].width, level.pages[0].height, level.pages[0].rotation) == (HEIGHT, WIDTH, 90)


def test_short_last_page_turns_with_the_others() -> None:
    pages = [[aside(item, 90) for item in LANDSCAPE], [aside(item, 90) for item in LANDSCAPE[1:4]]]
    assert [page.rotation for page in upright(pdf(pages)).pages] == [90, 90]


def test_stamp_in_the_margin_turns_no_page() -> None:
    stamp = [aside(line(f"Stamp number {at}", 100, 20 + 12 * at), 90) for at in range(10)]
    document = pdf([[*prose(40), *stamp], []])
    assert upright(document) is document
