"""The page a citation names: as printed, by number, label, printed number or place in the cited range."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.quotes.pages import Pages, parse_claim, parse_name
from citeaudit.quotes.shelf import Book
from tests.quotes import prints

CLAIMS = [
    pytest.param("14", [("", 14, 14)], id="one"),
    pytest.param("p. 14", [("", 14, 14)], id="word"),
    pytest.param("pp. 3–4", [("", 3, 4)], id="range"),
    pytest.param("123-5", [("", 123, 125)], id="short-range"),
    pytest.param("5-3", [("", 5, 5)], id="backwards"),
    pytest.param("xii", [("roman", 12, 12)], id="roman"),
    pytest.param("ix-xiv", [("roman", 9, 14)], id="roman-range"),
    pytest.param("45f.", [("", 45, 46)], id="f"),
    pytest.param("45ff.", [("", 45, 65)], id="ff"),
    pytest.param("12, 15 and 17", [("", 12, 12), ("", 15, 15), ("", 17, 17)], id="list"),
    pytest.param("A12", [("a", 12, 12)], id="letter"),
    pytest.param("S4", [("s", 4, 4)], id="series"),
    pytest.param("3-end", [("", 3, 3)], id="no-end"),
    pytest.param("passim", [], id="none"),
    pytest.param("", [], id="empty"),
    pytest.param(None, [], id="nothing"),
]


@pytest.mark.parametrize(("text", "wanted"), CLAIMS)
def test_claimed_pages_are_read_as_printed(text: str | None, wanted: list[tuple[str, int, int]]) -> None:
    assert [(one.first.series, one.first.number, one.last) for one in parse_claim(text)] == wanted


@pytest.mark.parametrize("text", ["vivid", "civil", "", "12a", "IIII"])
def test_words_are_no_numbers(text: str) -> None:
    assert parse_name(text) is None


def book(path: Path, count: int, feet: dict[int, str] | None = None, labels: list[object] | None = None) -> Book:
    document = prints.empty()
    for number in range(1, count + 1):
        page = document.new_page()
        prints.lines(page, [f"A line of text of sheet {'abcdefghij'[number % 10]}.", "Another.", "More.", "Yet more."])
        if feet and number in feet:
            prints.line(page, feet[number], x=280, y=800)
    if labels:
        document.set_page_labels(labels)
    return Book(prints.saved(document, path))


def meant(pages: Pages, claim: str) -> list[int]:
    return sorted(pages.accepted(parse_claim(claim)))


def test_number_of_the_pdf(tmp_path: Path) -> None:
    pages = Pages(book(tmp_path / "a.pdf", 4))
    assert meant(pages, "3") == [3]
    assert meant(pages, "2-3") == [2, 3]
    assert meant(pages, "99") == []
    assert meant(pages, "iii") == []  # no page is called so: nothing to accuse by
    assert pages.fits(3, parse_claim("iii"))


def test_printed_numbers(tmp_path: Path) -> None:
    feet = {1: "- 1703 -", 2: "1704", 4: "Journal of Harbours 1706"}
    pages = Pages(book(tmp_path / "a.pdf", 4, feet))
    assert meant(pages, "1704") == [2]
    assert meant(pages, "1705") == [3]  # between printed ones
    assert meant(pages, "1709") == []
    assert pages.fits(2, parse_claim("1704"))
    assert not pages.fits(2, parse_claim("1705"))


def test_a_single_number_at_the_edge_excuses_and_does_not_accuse(tmp_path: Path) -> None:
    pages = Pages(book(tmp_path / "a.pdf", 3, {2: "77"}))
    assert meant(pages, "77") == []
    assert pages.fits(2, parse_claim("77"))


def test_labels_of_the_file(tmp_path: Path) -> None:
    labels: list[object] = [
        {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
        {"startpage": 2, "prefix": "", "style": "D", "firstpagenum": 1},
    ]
    pages = Pages(book(tmp_path / "a.pdf", 5, labels=labels))
    assert meant(pages, "ii") == [2]
    assert meant(pages, "2") == [2, 4]


def test_place_in_the_cited_range(tmp_path: Path) -> None:
    whole = Pages(book(tmp_path / "a.pdf", 4), "1703-1706")
    assert meant(whole, "1705") == [3]
    longer = Pages(book(tmp_path / "b.pdf", 9), "1703-1706")  # set otherwise: it cannot accuse
    assert meant(longer, "1705") == []
    assert longer.fits(3, parse_claim("1705"))


def test_a_text_and_a_lost_file_have_no_labels(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Some words.", "utf-8")
    assert meant(Pages(Book(tmp_path / "a.txt")), "1") == []
    assert not Pages(Book(tmp_path / "a.txt")).fits(1, parse_claim("7"))
    lost = book(tmp_path / "a.pdf", 2)
    pages = Pages(lost)
    assert lost.pages == 2
    lost.path.unlink()
    assert meant(pages, "2") == [2]
