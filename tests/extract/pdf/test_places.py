from __future__ import annotations

import pytest

from citeaudit.extract.pdf.headings import SHORTEST, headings
from citeaudit.extract.pdf.places import Shape, box, boxes
from citeaudit.extract.pdf.rows import Row, make_row
from citeaudit.model import Box
from tests.pdf.pages import span


def row(x: float, y: float, page: int = 1) -> Row:
    made = make_row(page, 0, [span("Words", x, y)])
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("rotation", "edges"),
    [
        pytest.param(0, (30, 50, 55, 60), id="upright"),
        pytest.param(90, (50, 545, 60, 570), id="quarter"),
        pytest.param(180, (545, 340, 570, 350), id="half"),
        pytest.param(270, (340, 30, 350, 55), id="three-quarters"),
    ],
)
def test_boxes_are_those_of_the_page_before_it_is_turned(rotation: int, edges: tuple[float, ...]) -> None:
    found = box(row(30, 50), {1: Shape(600, 400, rotation)})
    assert (found.x0, found.y0, found.x1, found.y1) == edges


def test_rows_below_one_another_share_a_box() -> None:
    rows = [row(30, 50), row(35, 62), row(300, 50), row(30, 50, page=2)]
    assert [(each.page, each.x0, each.y0, each.y1) for each in boxes(rows, {})] == [
        (1, 30, 50, 72),
        (1, 300, 50, 60),
        (2, 30, 50, 60),
    ]


def test_box_that_is_built_without_validation_is_as_good_as_one_with() -> None:
    built, checked = Box.built(page=1, x0=1.0, y0=2.0, x1=3.0, y1=4.0), Box(page=1, x0=1.0, y0=2.0, x1=3.0, y1=4.0)
    assert (built, hash(built), built.model_dump_json()) == (checked, hash(checked), checked.model_dump_json())
    assert built.model_copy(update={"page": 2}).page == 2


def test_no_heading_is_shorter_than_what_spares_rows_the_search() -> None:
    assert all(len(each) >= SHORTEST for kind in ("list", "end") for each in headings(kind))
