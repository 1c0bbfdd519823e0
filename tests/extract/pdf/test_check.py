from __future__ import annotations

import pytest

from citeaudit.extract.pdf.check import Seen, open_headings, pictured, self_check
from citeaudit.extract.pdf.layout import lay_out
from citeaudit.extract.pdf.sections import Section
from citeaudit.extract.pdf.segmentation import Segmentation
from citeaudit.pdf import Area
from tests.pdf.pages import line, listed, pdf, prose, reference

READING = Segmentation("indents", (0,), 0.9)


def test_heading_without_a_list_is_open() -> None:
    document = pdf([[*prose(5, y=110), line("References", y=300, size=14), *listed([reference(0)], y=330)]])
    layout = lay_out(document)
    entries = tuple(row for row in layout.rows if row.y0 > 320)
    assert open_headings(layout, [(Section(entries, "References"), READING)]) == ()
    (heading,) = open_headings(layout, [])
    assert heading.text == "References"


@pytest.mark.parametrize(
    ("images", "textless", "pages"),
    [
        pytest.param({1: [Area(0, 320, 595, 800)]}, (), (1,), id="below"),
        pytest.param({1: [Area(0, 320, 60, 340)]}, (), (), id="small"),
        pytest.param({1: [Area(0, 0, 595, 280)]}, (), (), id="above"),
        pytest.param({2: [Area(0, 0, 595, 842)]}, (2,), (1,), id="next-page"),
        pytest.param({2: [Area(0, 0, 595, 842)]}, (), (), id="next-page-has-text"),
        pytest.param({}, (), (), id="none"),
    ],
)
def test_image_in_place_of_a_list_is_noticed(
    images: dict[int, list[Area]], textless: tuple[int, ...], pages: tuple[int, ...]
) -> None:
    document = pdf([[*prose(5, y=110), line("References", y=300, size=14)], []])
    assert pictured(open_headings(lay_out(document), []), images, document, textless) == pages


def test_sentences_name_what_was_noticed() -> None:
    document = pdf([[line("\ufffd\ufffd\ufffd broken", y=110)]])
    layout = lay_out(document)
    seen = Seen(scanned=(1, 2, 3, 7), recognised=(5,), pictured=(9,), from_notes=4, citations=2, dangling=("12",))
    check = self_check(document, layout, (), [(Section(layout.rows, None), READING)], read=4, seen=seen)
    assert check.method == "indents+notes"
    assert (check.citations, check.dangling) == (2, ("12",))
    for part in (
        "scanned: 1-3, 7; use --ocr eng",
        "recognition, with its errors: pages 5.",
        "image on page 9;",
        "4 references",
        "no meaning",
    ):
        assert any(part in note for note in check.notes), part


def test_recognition_that_found_nothing_is_not_advised_again() -> None:
    document = pdf([[line("x", y=110)]])
    seen = Seen(scanned=(2,), pictured=(1,), ocr=True)
    notes = self_check(document, lay_out(document), (), [], read=0, seen=seen).notes
    assert notes == (
        "Pages without text, probably scanned: 2; recognition found no text on them.",
        "A heading of references stands above an image on page 1; its list was not read.",
        "Images on pages with text are not recognised.",
    )


@pytest.mark.parametrize(
    ("scanned", "expected"),
    [
        pytest.param((), 2, id="all-read"),
        pytest.param((1,), 2, id="scan-before"),
        pytest.param((3,), None, id="scan-behind"),
    ],
)
def test_labels_announce_nothing_where_scans_behind_them_were_not_read(
    scanned: tuple[int, ...], expected: int | None
) -> None:
    document = pdf([[], [*listed([f"[{at + 1}] {reference(at)}" for at in range(2)], y=110)], []])
    layout = lay_out(document)
    reading = Segmentation("labels", (0, 3), 0.9, labels=("1", "2"))
    lists = [(Section(layout.rows, "References"), reading)]
    assert self_check(document, layout, (), lists, read=2, seen=Seen(scanned=scanned)).expected == expected


def test_many_pages_are_named_in_part() -> None:
    document = pdf([[line("x", y=110)]])
    check = self_check(document, lay_out(document), (), [], read=0, seen=Seen(scanned=tuple(range(1, 99, 2))))
    assert "39 and others" in check.notes[0]
