"""Found text is placed to the letter, on turned and cropped pages too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from citeaudit.pdf import PdfLine, read_pages
from citeaudit.pdf import boxes as module
from citeaudit.pdf.boxes import Glyph, aligned, displayed, glyphs, part
from citeaudit.pdf.document import DocumentError, library
from citeaudit.pdf.evidence import Place, Wanted, glyph_boxes

TEXT = "Kelp grew by 12% in the sheltered bay"
ASKED = "12% in the"


def _made(tmp_path: Path, rotation: int = 0, crop: tuple[float, ...] | None = None, turned: int = 0) -> Path:
    document = library().open()
    page = document.new_page(width=500, height=400)
    page.insert_text((120, 180), TEXT, fontsize=10, rotate=turned)
    if crop:
        page.set_cropbox(crop)
    page.set_rotation(rotation)
    path = tmp_path / "made.pdf"
    path.write_bytes(document.tobytes())
    return path


def _wanted(line: PdfLine, asked: str = ASKED) -> Wanted:
    start = line.text.index(asked)
    return Wanted(1, line.x0, line.y0, line.x1, line.y1, line.text, start, start + len(asked))


def _searched(path: Path, asked: str = ASKED) -> Any:
    with library().open(path) as document:
        [rect] = document[0].search_for(asked)
        return rect


@pytest.mark.parametrize("crop", [pytest.param(None, id="whole"), pytest.param((100, 100, 450, 350), id="cropped")])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_part_of_a_line_is_placed_on_the_unrotated_page(
    tmp_path: Path, rotation: int, crop: tuple[float, ...] | None
) -> None:
    path = _made(tmp_path, rotation, crop)
    [line] = read_pages(path).pages[0].lines
    [place] = glyph_boxes(path, [_wanted(line)])
    left, top = (100, 100) if crop else (0, 0)
    font = library().Font("helv")
    start = 120 - left + font.text_length(TEXT[: TEXT.index(ASKED)], 10)
    assert place.page == 1
    assert not place.whole_line
    assert place.x0 == pytest.approx(start, abs=0.2)
    assert place.x1 == pytest.approx(start + font.text_length(ASKED, 10), abs=0.2)
    assert place.y0 < 180 - top - 7 < 180 - top < place.y1
    assert place[1:5] == pytest.approx(tuple(_searched(path)), abs=0.2)


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_turned_text_is_placed_too(tmp_path: Path, turned: int) -> None:
    path = _made(tmp_path, turned=turned)
    [line] = read_pages(path).pages[0].lines
    [place] = glyph_boxes(path, [_wanted(line)])
    assert not place.whole_line
    assert place[1:5] == pytest.approx(tuple(_searched(path)), abs=0.2)


@pytest.mark.parametrize(("turned", "rect"), [
    pytest.param(0, (100.0, 92.4, 110.0, 102.4), id="level"),
    pytest.param(90, (92.4, 100.0, 102.4, 110.0), id="upwards"),
    pytest.param(180, (100.0, 97.6, 110.0, 107.6), id="upside-down"),
    pytest.param(270, (97.6, 100.0, 107.6, 110.0), id="downwards"),
    pytest.param(45, (1.0, 2.0, 3.0, 4.0), id="slanted"),
])  # fmt: skip
def test_the_height_of_letters_does_not_come_from_the_font(turned: int, rect: tuple[float, ...]) -> None:
    across, down = {0: (1, 0), 90: (0, -1), 180: (-1, 0), 270: (0, 1), 45: (0.7, 0.7)}[turned]
    box = {0: (100, 0, 110, 9), 90: (0, 100, 9, 110), 180: (100, 0, 110, 9), 270: (0, 100, 9, 110), 45: (1, 2, 3, 4)}
    char = {"bbox": box[turned], "origin": (100, 100)}
    assert module._sized(char, 10, across, down) == pytest.approx(rect)


@pytest.mark.parametrize(
    ("drawn", "text", "span", "told"),
    [
        pytest.param("abcdef", "abcdef", (2, 4), (2, 4), id="same"),
        pytest.param("Mu¨ller", "Müller", (0, 6), (0, 7), id="accent-apart"),
        pytest.param("the\ue104uxis", "thefluxis", (3, 7), (3, 6), id="private-ligature"),
        pytest.param("thefluxis", "the\ue104uxis", (3, 6), (3, 7), id="ligature-named"),
        pytest.param("xxxxab", "ab", (0, 2), (4, 6), id="more-drawn"),
        pytest.param("stormsea", "seastorm", (0, 8), (0, 5), id="another-order"),
        pytest.param("abcdef", "uvwxyz", (0, 6), None, id="another-line"),
        pytest.param("", "abc", (0, 3), None, id="nothing-drawn"),
        pytest.param("abc", "abc", (1, 1), None, id="empty"),
        pytest.param("abc", "abc", (1, 9), None, id="beyond"),
        pytest.param("a" * 5000, "a" * 5000, (1, 9), None, id="too-long"),
    ],
)
def test_letters_are_laid_beside_the_text(
    drawn: str, text: str, span: tuple[int, int], told: tuple[int, int] | None
) -> None:
    assert aligned(drawn, text, *span) == told


def test_spaces_do_not_count_and_order_is_mended() -> None:
    row = [Glyph(char, 10.0 * at, 0.0, 10.0 * at + 9, 10.0) for at, char in enumerate("tides")]
    assert part(row, "ti de s", 3, 5) == (20.0, 0.0, 39.0, 10.0)
    assert part(row[2:] + row[:2], "tides", 0, 2) == (0.0, 0.0, 19.0, 10.0)
    assert part(row, "moons", 0, 5) is None
    assert part(row, "tides", 2, 2) is None


def test_a_line_that_is_not_there_is_answered_whole(tmp_path: Path) -> None:
    path = _made(tmp_path, rotation=90)
    asked = [
        Wanted(1, 200.0, 100.0, 210.0, 200.0, "Other words", 0, 5),
        Wanted(7, 10.0, 10.0, 90.0, 20.0, "No such page", 0, 2),
    ]
    assert glyph_boxes(path, asked) == (
        Place(1, 100.0, 190.0, 200.0, 200.0, whole_line=True),
        Place(7, 10.0, 10.0, 90.0, 20.0, whole_line=True),
    )
    assert glyph_boxes(path, []) == ()


def test_two_parts_of_a_page_come_back_in_the_order_asked(tmp_path: Path) -> None:
    path = _made(tmp_path)
    [line] = read_pages(path).pages[0].lines
    late, early = glyph_boxes(path, [_wanted(line, "bay"), _wanted(line, "Kelp")])
    assert late.x0 > early.x1


@pytest.mark.parametrize(("rotation", "told"), [
    (0, (10, 20, 30, 25)), (90, (75, 10, 80, 30)), (180, (170, 75, 190, 80)), (270, (20, 170, 25, 190)),
])  # fmt: skip
def test_a_place_is_turned_as_the_page_is_shown(rotation: int, told: tuple[float, ...]) -> None:
    size = (200, 100) if rotation in {0, 180} else (100, 200)
    assert displayed((10, 20, 30, 25), rotation, *size) == told
    pymupdf = library()
    with pymupdf.open() as document:
        page = document.new_page(width=200, height=100)
        page.set_rotation(rotation)
        assert tuple(pymupdf.Rect(10, 20, 30, 25) * page.rotation_matrix) == told


def test_the_job_runs_in_this_process_too(tmp_path: Path) -> None:
    path = _made(tmp_path)
    [line] = read_pages(path).pages[0].lines
    request = {"path": str(path), "pages": 5, "wanted": [list(_wanted(line))]}
    told: Any = module.locate_parts(request)["boxes"]
    assert [(row[0], row[5]) for row in told] == [(1, False)]
    with library().open(path) as document:
        assert "".join(one.text for one in glyphs(document[0])) == TEXT.replace(" ", "")
    with pytest.raises(DocumentError):
        module.locate_parts({"path": str(tmp_path / "gone.pdf"), "pages": 5, "wanted": []})


def test_a_broken_page_costs_its_places_alone() -> None:
    class Broken:
        derotation_matrix = library().Identity

        def get_fonts(self) -> list[object]:
            raise RuntimeError

    rows = [(1, 1.0, 2.0, 3.0, 4.0, "ab", 0, 1)]
    assert list(module._on_page(Broken(), rows)) == [[1.0, 2.0, 3.0, 4.0, True]]
