"""What was read is drawn where it stands, on a copy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from citeaudit.errors import UnreadableDocumentError
from citeaudit.pdf import overlay as module
from citeaudit.pdf.document import library
from citeaudit.pdf.overlay import COLOURS, Glyph, Marked, Marker, Word, draw, found_in, key, place, runs

LINES = ("[1] Kestrel, M. Tides and the tim-", "ing of larvae. J Shore Work, 2011.", "doi:10.1234/JSW.7")


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    document = library().open()
    for rotation in (0, 90):
        page = document.new_page(width=400, height=300)
        for number, line in enumerate(LINES):
            page.insert_text((50, 100 + 14 * number), line, fontsize=10)
        page.set_rotation(rotation)
    path = tmp_path / "paper.pdf"
    path.write_bytes(document.tobytes())
    return path


MARK = Marked(
    "1",
    ((1, 48.0, 90.0, 300.0, 132.0),),
    (
        ("title", "Tides and the timing of larvae"),
        ("identifier", "10.1234/jsw.7"),
        ("author", "Kestrel"),
        ("year", "2011"),
    ),
)


def _filled(page: Any, kind: str) -> list[Any]:
    return [
        library().Rect(one["rect"])
        for one in page.get_drawings()
        if one.get("fill") and all(abs(a - b) < 0.01 for a, b in zip(one["fill"], COLOURS[kind], strict=True))
    ]


def test_fields_are_coloured_where_they_stand(paper: Path) -> None:
    before = paper.read_bytes()
    with library().open(
        stream=draw(paper, [MARK], [Marker("[1]", ((1, 50.0, 90.0, 220.0, 101.0),))]), filetype="pdf"
    ) as copy:
        page = copy[0]
        text = page.get_text()
        for name in (*COLOURS, "(underlined) citation"):
            assert name in text
        in_list = {kind: [rect for rect in _filled(page, kind) if rect.y0 > 50] for kind in COLOURS}
        assert [len(rects) for rects in in_list.values()] == [1, 2, 0, 1, 1, 0, 0]
        assert "Tides and the tim-" in page.get_textbox(in_list["title"][0] + (-1, -1, 1, 1))
        assert "1\n" in text
        [under] = [
            one["rect"] for one in page.get_drawings() if one["type"] == "s" and 20 < one["rect"].y0 == one["rect"].y1
        ]
        assert "[1]" in page.get_textbox((under.x0 - 1, under.y0 - 8, under.x1 + 1, under.y1 + 1))
        assert under.width < 20
        assert not _filled(copy[1], "title")
    assert paper.read_bytes() == before


def test_a_reference_over_two_pages_is_drawn_on_both(paper: Path) -> None:
    both = Marked("7", (*MARK.boxes, (2, 48.0, 90.0, 300.0, 132.0), (9, 0.0, 0.0, 1.0, 1.0)), MARK.fields)
    with library().open(stream=draw(paper, [both]), filetype="pdf") as copy:
        assert _filled(copy[0], "title")
        assert [one for one in copy[1].get_drawings() if not one.get("fill")]


def test_nothing_to_draw_gives_the_same_pages(paper: Path) -> None:
    with library().open(stream=draw(paper, []), filetype="pdf") as copy:
        assert copy[0].get_text().split() == " ".join(LINES).split()


def test_what_is_no_pdf_gets_its_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(b"%PDF-1.7 and nothing more")
    with pytest.raises(UnreadableDocumentError, match="damaged"):
        draw(path, [MARK])
    with pytest.raises(UnreadableDocumentError, match="no such file"):
        draw(tmp_path / "gone.pdf", [MARK])


def _words(text: str) -> list[Word]:
    return [Word(10.0 * at, 0.0, 10.0 * at + 9, 8.0, word) for at, word in enumerate(text.split())]


@pytest.mark.parametrize(
    ("text", "fields", "told"),
    [
        pytest.param("Li, A relief map 2001", [("author", "Li")], {0: "author"}, id="whole-words"),
        pytest.param("on relief map", [("author", "Li")], {}, id="not-inside-a-word"),
        pytest.param("Über- ﬁnes x", [("title", "Überfines")], {0: "title", 1: "title"}, id="hyphen-and-ligature"),
        pytest.param(
            "1999 A year 1999",
            [("title", "1999 A year"), ("year", "1999")],
            {0: "title", 1: "title", 2: "title", 3: "year"},
            id="second-place",
        ),
        pytest.param("x", [("title", "-"), ("venue", "gone")], {}, id="nothing"),
    ],
)
def test_words_are_told_to_fields(text: str, fields: list[tuple[str, str]], told: dict[int, str]) -> None:
    assert place(_words(text), fields) == told


def test_neighbours_share_a_rectangle() -> None:
    words = [*_words("a b c"), Word(0.0, 20.0, 9.0, 28.0, "d")]
    told = list(runs(words, {0: "title", 1: "title", 2: "year", 3: "year"}))
    assert [(kind, rect) for kind, rect in told] == [
        ("title", [0.0, 0.0, 19.0, 8.0]),
        ("year", [20.0, 0.0, 29.0, 8.0]),
        ("year", [0.0, 20.0, 9.0, 28.0]),
    ]
    assert list(runs([], {})) == []


def test_the_job_draws_in_this_process_too(paper: Path) -> None:
    request = {
        "path": str(paper),
        "pages": 10,
        "marks": [["1", [list(MARK.boxes[0])], [list(one) for one in MARK.fields]]],
        "citations": [["[1]", [[1, 48.0, 90.0, 220.0, 101.0]]]],
    }
    assert str(module.overlay(request)["pdf"]).startswith("JVBER")
    assert key("Ä-b 1") == "ab1"


def _letters(*lines: str) -> list[Glyph]:
    """Letters 5 points wide on lines 12 points apart; `^` makes the next one small."""
    found = []
    for number, line in enumerate(lines):
        at, gap, small = 0, True, False
        for char in line:
            if char == "^":
                small = True
                continue
            if not char.isspace():
                y0 = 12.0 * number
                found.append(Glyph(5.0 * at, y0, 5.0 * at + 5, y0 + 10, char, 6.0 if small else 10.0, gap))
            at, gap, small = at + 1, char.isspace(), False
    return found


@pytest.mark.parametrize(
    ("lines", "text", "told"),
    [
        pytest.param(["see [3, 5] it"], "[3, 5]", [(20, 50, 10)], id="one"),
        pytest.param(["a [3] b [3]"], "[3]", [(10, 25, 10), (40, 55, 10)], id="each-place"),
        pytest.param(["so (Ke-", "strel, 2001) it"], "(Kestrel, 2001)", [(15, 30, 10), (0, 60, 22)], id="over-a-line"),
        pytest.param(["so it", "and [3]"], "[3]", [], id="not-in-the-next-row"),
        pytest.param(["a\u00a0[3\u20135] b"], "[3-5]", [(10, 35, 10)], id="dashes"),
        pytest.param(["tides^1^2 are 12"], "12", [(25, 35, 10)], id="superscript"),
        pytest.param(["H1^3 and ^1^3 it"], "3", [(10, 15, 10)], id="after-a-large-digit"),
        pytest.param(["LiKe Li (2001)"], "Li (2001)", [(25, 70, 10)], id="whole-words"),
        pytest.param(["RLi (2001)"], "Li (2001)", [], id="inside-a-word"),
        pytest.param(["nothing here"], "[9]", [], id="not-found"),
        pytest.param(["nothing here"], " - ", [], id="empty"),
        pytest.param([""], "3", [], id="no-letters"),
    ],
)
def test_a_marker_is_found_in_its_row(lines: list[str], text: str, told: list[tuple[int, int, int]]) -> None:
    found = found_in(_letters(*lines), text, (1, 0.0, 0.0, 100.0, 10.0))
    assert [(round(x0), round(x1), round(y1)) for x0, _, x1, y1 in found] == told
