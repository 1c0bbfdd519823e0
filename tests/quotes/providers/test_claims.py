"""A place in an answer leads to what is claimed there."""

from __future__ import annotations

import time

import pytest

from citeaudit.quotes.providers.claims import byte_span, cited_span, claimed, sentence_before, unmarked, utf16_span

ANSWER = (
    "It rose by 2.4 m in 1990, as e.g. Dr. Ames says. It fell later ([a](https://a.example)) [3]. Then【4:0†s】 no."
)


@pytest.mark.parametrize(
    ("text", "place", "claim"),
    [
        pytest.param(ANSWER, ANSWER.index(" It fell"), "It rose by 2.4 m in 1990, as e.g. Dr. Ames says.", id="end"),
        pytest.param(ANSWER, 5, "It rose by 2.4 m in 1990, as e.g. Dr. Ames says.", id="middle"),
        pytest.param("One. Two. ([a](https://a.example))([b](https://b.example))", 35, "Two.", id="marks-in-a-row"),
        pytest.param("- One\n- Two [1]\n- Three", 11, "Two", id="list"),
        pytest.param("# Head\n\n1. **One** item\n2. Two", 20, "**One** item", id="numbered"),
        pytest.param("最初の文。二番目の文。三番目。", 11, "二番目の文。", id="cjk"),
        pytest.param("One. Two.", 900, "Two.", id="behind"),
        pytest.param("One. Two.", -5, "One.", id="before"),
        pytest.param("", 0, "", id="empty"),
    ],
)
def test_sentence_before_a_place(text: str, place: int, claim: str) -> None:
    assert text[slice(*sentence_before(text, place))] == claim


@pytest.mark.parametrize(
    ("start", "end", "mark", "found"),
    [
        pytest.param(3, 9, None, "(a [b]", id="exclusive-balanced-inside"),
        pytest.param(3, 11, None, "(a [b] c)", id="inclusive-bracket"),
        pytest.param(13, 17, None, "words", id="inclusive-word"),
        pytest.param(13, 18, None, "words", id="exclusive-word"),
        pytest.param(19, 22, "【1】", "【1】", id="utf16"),
        pytest.param(0, 2, "【1】", "【1】", id="moved-mark"),
        pytest.param(18, 23, None, "【1】.", id="end-behind-the-text"),
        pytest.param(20, 99, None, None, id="outside"),
        pytest.param(5, 3, None, None, id="backwards"),
        pytest.param(None, 3, None, None, id="missing"),
    ],
)
def test_offsets_of_marks(start: int | None, end: int | None, mark: str | None, found: str | None) -> None:
    text = "😀: (a [b] c) words【1】."
    span = cited_span(text, start, end, mark)
    assert (text[slice(*span)] if span else None) == found


def test_a_span_of_words_is_its_own_claim() -> None:
    assert claimed("One. Two.", (5, 9)) == (5, 9)
    assert claimed("One. https://a.example", (5, 22)) == (0, 4)


def test_marks_are_left_out_of_claims() -> None:
    assert unmarked(ANSWER[ANSWER.index("It fell") :]) == "It fell later. Then no."


@pytest.mark.parametrize(
    ("start", "end", "span"),
    [(0, 7, (0, 5)), (8, 11, (6, 7)), (0, 0, (0, 0)), (3, 7, None), (0, 4, (0, 3)), (0, 12, None), (-1, 2, None)],
)
def test_bytes_of_utf8(start: int, end: int, span: tuple[int, int] | None) -> None:
    assert byte_span("Größe €", start, end) == span


def test_units_of_utf16_never_cut_a_pair() -> None:
    assert utf16_span("a😀b", 1, 3) == (1, 2)
    assert utf16_span("a😀b", 2, 4) is None


def test_long_answers_with_many_marks_take_no_time() -> None:
    text = "The level fell by 2.4 m ([a](https://a.example)). " * 2_000
    started = time.perf_counter()
    for place in range(0, len(text), 500):
        sentence_before(text, place)
    assert time.perf_counter() - started < 5
