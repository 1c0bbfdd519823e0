from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.pdf.spans import BOLD, HIDDEN, ITALIC, PALE, composed, face_of, lost_spaces, merge, respace


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        pytest.param("Bure\u02d8s", "Bureš", id="breve-for-caron"),
        pytest.param("M\u00a8uller, Universit\u00a8at", "Müller, Universität", id="before-the-letter"),
        pytest.param("Vezirog\u02d8lu", "Veziroğlu", id="behind-the-letter"),
        pytest.param("Guzma\u00b4n", "Guzmán", id="behind-a-vowel"),
        pytest.param("Sm\u00b4\u0131d", "Smíd", id="dotless"),
        pytest.param("fran\u00b8cais", "français", id="cedilla"),
        pytest.param("Ji\u02c7r\u00b4\u0131", "Jiří", id="two-in-a-row"),
        pytest.param("o`u, `A", "où, `A", id="grave"),
        pytest.param("Poznan\u00b4", "Poznań", id="at-the-end"),
        pytest.param("e\u0301t e \u0301", "ét é", id="combining"),
        pytest.param("25 \u02daC, don\u00b4t", "25 \u02daC, don\u00b4t", id="no-accent"),
        pytest.param("`quoted' text", "`quoted' text", id="quotation"),
    ],
)
def test_split_accents_come_back_on_their_letters(drawn: str, read: str) -> None:
    assert composed(drawn) == read
    assert composed(read) == read


@given(st.text("aeiousczn \u00b4\u00a8\u02c7\u02d8\u00b8`'", max_size=30))
def test_composing_keeps_all_other_characters(text: str) -> None:
    assert composed(composed(text)).count(" ") == composed(text).count(" ")


def drawn(text: str, x0: float, x1: float, **more: Any) -> dict[str, Any]:
    return {"text": text, "size": 10.0, "flags": 0, "bbox": (x0, 0.0, x1, 10.0), "origin": (x0, 8.0), **more}


def test_accent_drawn_apart_is_part_of_its_word() -> None:
    spans = [drawn("see ", 0, 10), drawn("\u00b4", 10, 12, flags=1), drawn("Alvarez", 9, 30)]
    assert merge(spans) == [["see Álvarez", 0, 0.0, 30, 10.0, 10.0, 0]]


def test_accent_alone_is_kept() -> None:
    assert merge([drawn("\u00b4", 0, 3)])[0][0] == "\u00b4"
    assert merge([drawn("a", 0, 3), drawn("\u02dd", 3, 5)])[0][0] == "a\u02dd"


def test_height_of_a_level_line_is_taken_from_its_base_line() -> None:
    (row,) = merge([drawn("word", 0, 20, bbox=(0, 1.7, 20, 9.1))], level=True)
    assert row[2:5] == [0.4, 20, 10.4]


@pytest.mark.parametrize(
    ("more", "bits"),
    [
        pytest.param({"alpha": 0}, HIDDEN, id="invisible"),
        pytest.param({"color": 0xFFFFFF}, PALE, id="white"),
        pytest.param({"color": 0xF0FFFF}, 0, id="light"),
        pytest.param({"size": 1.0, "bbox": (0.0, 0.0, 9.0, 1.0)}, HIDDEN, id="tiny"),
        pytest.param({"size": 1.0}, 0, id="size-that-says-nothing"),
        pytest.param({"font": "TimesNewRomanPS-BoldItalicMT"}, BOLD | ITALIC, id="named"),
        pytest.param({"flags": 18}, BOLD | ITALIC, id="flagged"),
        pytest.param({"font": "CMTI10"}, ITALIC, id="computer-modern"),
    ],
)
def test_faces(more: dict[str, Any], bits: int) -> None:
    assert merge([drawn("words", 0, 20, **more)])[0][6] == bits


def test_roman_faces_have_no_bits() -> None:
    assert face_of(4, "CMR10") == 0


def glyphs(text: str, gap: float, size: float = 10.0) -> list[dict[str, Any]]:
    """A line whose `_` are gaps instead of spaces."""
    chars, x = [], 0.0
    for char in text:
        if char == "_":
            x += gap * size
            continue
        chars.append({"c": char, "bbox": (x, 0.0, x + 5, 10.0)})
        x += 5
    return [drawn("", 0, x, chars=chars)]


def test_spaces_are_rebuilt_from_the_gaps_between_glyphs() -> None:
    line = glyphs("biology_of_whey_proteins_in_J._Mammary_Gland_Biol._Neoplasia", 0.147)
    assert respace([line])[0][0]["text"] == "biology of whey proteins in J. Mammary Gland Biol. Neoplasia"


def test_short_line_takes_the_gap_of_its_page() -> None:
    page = [glyphs("one_line_with_many_words_in_it_and_some_more", 0.14), glyphs("J._Sci.", 0.14)]
    assert respace(page)[1][0]["text"] == "J. Sci."


@pytest.mark.parametrize("gap", [0.0, 0.05, 0.1])
def test_kerned_letters_are_no_words(gap: float) -> None:
    assert respace([glyphs("the_journal_of_bul_letins_and_tel_lus_and_more", gap)])[0][0]["text"].count(" ") == 0


@pytest.mark.parametrize(
    ("texts", "lost"),
    [
        pytest.param(["J.MammaryGlandBiol.Neoplasia"] * 3, True, id="capitals-inside"),
        pytest.param(["thesewordsstandwithoutanyspacesbetweenthem"] * 3, True, id="long-words"),
        pytest.param(["the GitHub repository"] + ["plain words of text"] * 60, False, id="one-name"),
        pytest.param([], False, id="empty"),
    ],
)
def test_pages_without_spaces_are_noticed(texts: list[str], lost: bool) -> None:
    assert lost_spaces([[[text, 0, 0, 0, 0, 10, 0]] for text in texts]) is lost


@pytest.mark.parametrize("char", ["a", "\u00b4", "`", " "])
def test_hostile_line_takes_no_time(char: str) -> None:
    started = time.monotonic()
    composed(char * 200_000)
    lost_spaces([[[char * 1_000_000, 0, 0, 0, 0, 10, 0]]])
    assert time.monotonic() - started < 2
