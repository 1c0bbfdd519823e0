"""An occurrence leads to the letters it stands on, whichever stream it was found in."""

from __future__ import annotations

from pathlib import Path

from citeaudit.pdf import read_pages
from citeaudit.pdf.document import library
from citeaudit.quotes.locate import Source
from citeaudit.quotes.places import places, wanted

LINES = ("The harbour was rebuilt in the year of the great storm, and the", "lamps along the quay were lit again.")
QUOTE = "the great storm, and the lamps along the quay"


def _source(tmp_path: Path) -> tuple[Path, Source]:
    document = library().open()
    for _ in range(2):
        page = document.new_page()
        for row, line in enumerate(LINES):
            page.insert_text((72, 200 + 14 * row), line, fontsize=10)
        page.insert_text((30, 600), "Margin of the printed page, turned upwards", fontsize=8, rotate=90)
    path = tmp_path / "made.pdf"
    path.write_bytes(document.tobytes())
    return path, Source.of_pdf(read_pages(path))


def test_each_occurrence_has_a_rectangle_a_line(tmp_path: Path) -> None:
    path, source = _source(tmp_path)
    found = source.locate(QUOTE)
    assert found is not None
    told = places(path, source, found.occurrences)
    assert [[box.page for box in boxes] for boxes in told] == [[1, 1], [2, 2]]
    font = library().Font("helv")
    first, second = told[0]
    assert not first.whole_line
    assert abs(first.x0 - 72 - font.text_length(LINES[0].split("the great")[0], 10)) < 0.3
    assert abs(second.x1 - 72 - font.text_length("lamps along the quay", 10)) < 0.3


def test_text_beside_the_running_text_is_placed_too(tmp_path: Path) -> None:
    path, source = _source(tmp_path)
    found = source.locate("printed page, turned upwards", page=2)
    assert found is not None
    boxes = [boxes for boxes in places(path, source, found.occurrences) if boxes[0].page == 2]
    assert len(boxes) == 1
    assert not boxes[0][0].whole_line
    assert boxes[0][0].y1 - boxes[0][0].y0 > 80


def test_a_source_without_pages_has_no_places(tmp_path: Path) -> None:
    path, source = _source(tmp_path)
    text = Source.of_text("\n".join(LINES))
    found = text.locate(QUOTE)
    assert found is not None
    assert wanted(text, found.occurrences[0]) == ()
    assert places(path, text, found.occurrences) == ((),)
    other = source.locate(QUOTE)
    assert other is not None
    assert wanted(text, other.occurrences[0]) == ()
