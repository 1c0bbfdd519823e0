"""Pictures, highlighted copies and sheets show what was found, and leave the document as it was."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from citeaudit.errors import EncryptedDocumentError, UnreadableDocumentError, UsageError
from citeaudit.model import Box
from citeaudit.pdf import marking
from citeaudit.pdf.document import DocumentError, library
from citeaudit.pdf.evidence import (
    COLOURS,
    Group,
    Mark,
    Place,
    Placed,
    contact_sheet,
    highlight,
    snippet,
    snippets,
)
from citeaudit.pdf.limits import MIB, Limits
from citeaudit.pdf.marking import colour_parts

LINES = [f"Line {number} of the harbour report tells of tides" for number in range(30)]
BOX = Place(1, 72.0, 160.0, 130.0, 172.0)  # in line 7, whose base line is at 170
Maker = Callable[..., Path]


@pytest.fixture
def report(make_pdf: Maker) -> Path:
    return make_pdf([LINES, LINES])


def _opened(content: bytes, kind: str = "pdf") -> Any:
    return library().open(stream=content, filetype=kind)


def _size(png: bytes) -> tuple[float, float]:
    """In points, of a picture at 72 dpi."""
    pixels = library().Pixmap(png)
    return pixels.width, pixels.height


def _yellow(png: bytes) -> list[tuple[int, int]]:
    """Places of pixels that are highlighted."""
    pixels = library().Pixmap(png)
    found = []
    for y in range(0, pixels.height, 2):
        for x in range(0, pixels.width, 2):
            red, green, blue = pixels.pixel(x, y)[:3]
            if red > 240 and green > 220 and blue < 200:
                found.append((x, y))
    return found


def test_a_picture_grows_to_whole_lines(report: Path) -> None:
    before = report.read_bytes()
    width, height = _size(snippet(report, [BOX], margin=1, dpi=72))
    length = library().Font("helv").text_length(LINES[7], 10)
    assert width == pytest.approx(length + 5 + 4, abs=3)  # margin and padding to the left, padding to the right
    assert height == pytest.approx(14 + 2 * 4, abs=2)  # its line alone
    assert _size(snippet(report, [BOX], margin=3, dpi=72))[1] == pytest.approx(3 * 14 + 2 * 4, abs=2)
    assert height + 40 < _size(snippet(report, [BOX], margin=24, dpi=72))[1]
    assert report.read_bytes() == before


def test_a_picture_may_be_as_wide_as_the_page(report: Path) -> None:
    assert _size(snippet(report, [BOX], margin=1, dpi=72, full_width=True))[0] == pytest.approx(595, abs=1)


def test_a_picture_never_leaves_the_page(report: Path) -> None:
    assert _size(snippet(report, [BOX], margin=5000, dpi=72)) == pytest.approx((595, 842), abs=1)


def test_a_huge_picture_is_drawn_coarser(report: Path) -> None:
    width, height = _size(snippet(report, [BOX], margin=5000, dpi=2000))
    assert width * height <= marking.MOST_PIXELS * 1.01


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [pytest.param(False, id="whole"), pytest.param(True, id="cropped")])
def test_the_highlight_lies_on_the_words(tmp_path: Path, rotation: int, *, crop: bool) -> None:
    document = library().open()
    page = document.new_page(width=400, height=300)
    if crop:
        page.set_cropbox((50, 40, 390, 290))
    page.draw_rect((100, 80, 160, 95), color=None, fill=(0, 0, 0.6))  # what is to be covered, and nothing else
    page.set_rotation(rotation)
    path = tmp_path / "turned.pdf"
    path.write_bytes(document.tobytes())
    png = snippet(path, [Place(1, 100, 80, 160, 95)], margin=30, dpi=72)
    width, height = _size(png)
    assert (width > height) == (rotation in {0, 180})
    pixels = library().Pixmap(png)
    dark = [(x, y) for x in range(pixels.width) for y in range(pixels.height) if pixels.pixel(x, y)[0] < 150]
    yellow = _yellow(png)
    assert dark
    left, right = min(x for x, _ in dark), max(x for x, _ in dark)
    top, bottom = min(y for _, y in dark), max(y for _, y in dark)
    assert right - left == pytest.approx(59 if width > height else 14, abs=2)
    assert all(left - 6 <= x <= right + 6 and top - 6 <= y <= bottom + 6 for x, y in yellow)


def test_the_highlight_of_turned_text_is_no_wider_than_its_letters(make_pdf: Maker) -> None:
    path = make_pdf([[]])
    yellow = _yellow(snippet(path, [Place(1, 200, 100, 212, 400)], margin=30, dpi=72))
    across, down = [x for x, _ in yellow], [y for _, y in yellow]
    assert max(across) - min(across) == pytest.approx(12, abs=3)
    assert max(down) - min(down) == pytest.approx(306, abs=6)


def test_pictures_that_cannot_be_shown_are_said(report: Path) -> None:
    off_page = Place(1, 5000, 5000, 5001, 5001)
    made = snippets(report, [[BOX], [], [Place(9, 1, 1, 2, 2)], [off_page], [Place(2, 72, 160, 130, 172), BOX]], dpi=50)
    assert [one is None for one in made] == [False, True, True, True, False]
    with pytest.raises(UsageError, match="no place was given"):
        snippet(report, [])
    with pytest.raises(UsageError, match="no page 9"):
        snippet(report, [Place(9, 1, 1, 2, 2)])


def _annotations(content: bytes) -> Iterator[tuple[int, Any]]:
    with _opened(content) as document:
        for page in document:
            for annotation in page.annots():
                yield page.number + 1, (annotation.info["content"], annotation.colors["stroke"], annotation.vertices)


def test_each_mark_is_one_annotation_in_its_colour(report: Path) -> None:
    before = report.read_bytes()
    second = Box(page=1, x0=72, y0=174, x1=100, y1=186)
    marks = [
        Mark([BOX, second], "two lines,\n<b>one</b> note \U0001f30a", "verified"),
        Mark([BOX], "another page", "wrong page"),
        Mark([BOX], "differs", "close match"),
        Mark([BOX, Place(2, 72, 160, 130, 172)], "over the page", "not found"),
        Mark([BOX], "odd \ud800 \x1b[31m", "unheard of"),
        Mark([], "nowhere", "verified"),
        Mark([Place(9, 1, 1, 2, 2)], "no such page"),
    ]
    found = list(_annotations(highlight(report, marks)))
    assert [number for number, _ in found] == [1, 1, 1, 1, 1, 2]
    notes = [content.replace("\r", "\n") for _, (content, _, _) in found]
    assert notes[0] == marks[0].note
    assert notes[3] == notes[5] == "over the page"
    assert notes[4] == "odd ? \\u001b[31m"
    assert [len(vertices) for _, (_, _, vertices) in found] == [8, 4, 4, 4, 4, 4]
    wanted = [COLOURS["verified"], COLOURS["wrong page"], COLOURS["close match"], COLOURS["not found"]]
    for (_, (_, stroke, _)), colour in zip(found, wanted, strict=False):
        assert stroke == pytest.approx(tuple(colour_parts(colour)), abs=0.01)
    assert report.read_bytes() == before


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_an_annotation_lies_on_the_words(tmp_path: Path, rotation: int) -> None:
    document = library().open()
    page = document.new_page(width=400, height=300)
    page.insert_text((120, 100), "tides", fontsize=10)
    page.set_cropbox((50, 40, 390, 290))
    page.set_rotation(rotation)
    path = tmp_path / "turned.pdf"
    path.write_bytes(document.tobytes())
    [(_, (_, _, vertices))] = _annotations(highlight(path, [Mark([Place(1, 70, 50, 92, 63)], "x")]))
    assert {(round(x), round(y)) for x, y in vertices} == {(70, 50), (92, 50), (70, 63), (92, 63)}


def test_a_document_protected_against_changes_is_annotated_and_stays_so(make_pdf: Maker) -> None:
    pymupdf = library()
    path = make_pdf(
        [LINES], encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="harbour", permissions=pymupdf.PDF_PERM_PRINT
    )
    content = highlight(path, [Mark([BOX], "a note")])
    assert [note for _, (note, _, _) in _annotations(content)] == ["a note"]
    with _opened(content) as copy:
        assert copy.metadata["encryption"]
        assert not copy.permissions & pymupdf.PDF_PERM_ANNOTATE
    assert _yellow(snippet(path, [BOX]))


def test_a_document_with_a_password_says_so(make_pdf: Maker) -> None:
    path = make_pdf([LINES], encryption=library().PDF_ENCRYPT_AES_256, owner_pw="a", user_pw="b")
    with pytest.raises(EncryptedDocumentError, match="needs a password"):
        highlight(path, [Mark([BOX], "a note")])


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda path: highlight(path, [Mark([BOX], "x")]), id="highlight"),
        pytest.param(lambda path: snippet(path, [BOX]), id="snippet"),
        pytest.param(lambda path: contact_sheet(path, []), id="sheet"),
    ],
)
def test_what_is_no_pdf_gets_its_sentence(tmp_path: Path, call: Callable[[Path], object]) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(b"%PDF-1.7 and nothing more")
    with pytest.raises(UnreadableDocumentError, match="damaged"):
        call(path)
    with pytest.raises(UnreadableDocumentError, match="no such file"):
        call(tmp_path / "gone.pdf")
    path.write_bytes(b"<html>")
    with pytest.raises(UnreadableDocumentError, match="is not a PDF"):
        call(path)


def test_limits_hold(report: Path) -> None:
    with pytest.raises(UnreadableDocumentError, match="has 2 pages"):
        highlight(report, [], limits=Limits(pages=1))
    with pytest.raises(UnreadableDocumentError, match=r"made the PDF reader stop|more memory"):
        snippet(report, [BOX], limits=Limits(memory_bytes=24 * MIB))


def test_a_sheet_shows_each_picture_with_its_caption(report: Path) -> None:
    groups = [
        Group(f"claim {at} <script>alert(1)</script> & é 中文", [BOX], "verified" if at % 2 else "close match")
        for at in range(9)
    ]
    groups.append(Group("nothing was found", (), "not found"))
    groups.append(Group("no label", [Place(2, 72, 160, 130, 172)]))
    with _opened(contact_sheet(report, groups)) as sheet:
        text = " ".join(page.get_text(flags=0) for page in sheet)
        assert "made.pdf" in text
        for at in range(9):
            assert f"claim {at} <script>alert(1)</script> & é 中文" in " ".join(text.split())
        assert "not found nothing was found" in " ".join(text.split())
        assert sum(len(page.get_images()) for page in sheet) == 10
        assert len(sheet) > 1
        for page in sheet:
            for image in page.get_image_info():
                assert library().Rect(image["bbox"]) in page.rect


def test_a_sheet_has_a_heading_of_its_own_and_no_more_than_it_holds(
    report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marking, "MOST_GROUPS", 2)
    groups = [["long " * 900, "verified", "#1a7f37", []], ["b", "", "#57606a", []], ["c", "", "#57606a", []]]
    request = {"path": str(report), "pages": 9, "title": "<Tides>", "groups": groups, "margin": 9, "full_width": False}
    request["cpu_s"] = 30
    with _opened(b64decode(str(marking.contact_sheet(request)["pdf"]))) as sheet:
        text = " ".join(" ".join(page.get_text(flags=0) for page in sheet).split())
    assert text.startswith("<Tides> verified long")
    assert "…" in text
    assert "1 more are not shown." in text
    assert " c " not in text


def test_a_tall_picture_is_made_smaller(report: Path) -> None:
    tall = [Place(1, 72, 72, 100, 500)]
    with _opened(contact_sheet(report, [Group("tall", tall)], title="T")) as sheet:
        [image] = sheet[0].get_image_info()
        assert image["bbox"][3] - image["bbox"][1] <= marking.TALLEST + 1


def test_the_jobs_run_in_this_process_too(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [list(BOX[:5])]
    base = {"path": str(report), "pages": 9, "cpu_s": 30}
    look = {"margin": 24, "dpi": 50, "full_width": True}
    told: Any = marking.snippets({**base, "groups": [rows, []], **look})["pictures"]
    assert [one[:5] for one in told] == ["iVBOR", ""]
    off_page = [[1, 5000, 5000, 5001, 5001]]
    assert marking.snippets({**base, "groups": [off_page], **look, "full_width": False})["pictures"] == [""]
    several = [["caption", "verified", "#1a7f37", [[1, 72, 72, 100, 500]]]] * 3
    sheet = marking.contact_sheet({**base, "title": "T", "groups": several, **look})["pdf"]
    with _opened(b64decode(str(sheet))) as made:
        assert [len(page.get_images()) for page in made] == [1, 1, 1]
    assert marking.snippets({**base, "groups": [rows], **look, "cpu_s": 0})["pictures"] == [""]
    late = {**base, "title": "T", "groups": several, **look, "cpu_s": 0}
    with _opened(b64decode(str(marking.contact_sheet(late)["pdf"]))) as made:
        assert [len(page.get_images()) for page in made] == [0]
    marks = [["n", [0, 0, 1], [*rows, [9, 1, 1, 2, 2]]]]
    assert str(marking.highlight({**base, "marks": marks})["pdf"]).startswith("JVBER")

    def broken(*_: object) -> object:  # the library, at a page it cannot draw
        raise RuntimeError

    monkeypatch.setattr(marking, "_highlight", broken)
    with pytest.raises(DocumentError):
        marking.highlight({**base, "marks": marks})
    assert marking.snippets({**base, "groups": [rows], **look})["pictures"] == [""]


def test_a_box_of_the_model_is_a_place() -> None:
    boxes: list[Placed] = [Box(page=1, x0=0, y0=0, x1=1, y1=1), BOX]
    assert [one.page for one in boxes] == [1, 1]
