"""Titles are put right word by word: braces, capitals and white space of the rest stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.fix.latex import protected, written
from citeaudit.fix.titles import retitled
from citeaudit.text.latex import to_text
from citeaudit.text.normalize import key, squash


@pytest.mark.parametrize(
    ("source", "title", "told"),
    [
        pytest.param("Graph learning for {DNA}", "Deep Learning for DNA", "Deep learning for {DNA}", id="one-word"),
        pytest.param("{{A tale of two cities}}", "A tale of three cities", "{{A tale of three cities}}", id="wrapped"),
        pytest.param("A tale of\n     two cities", "A tale of\ntwo rivers", "A tale of\n     two rivers", id="lines"),
        pytest.param("The {New York} story", "The New York history", "The {New York} history", id="group"),
        pytest.param("The {New York} story", "The New Jersey story", "The New Jersey story", id="group-broken"),
        pytest.param("Reading maps", "Reading of old maps", "Reading of old maps", id="more-words"),
        pytest.param("Reading of old maps", "Reading maps", "Reading maps", id="fewer-words"),
        pytest.param("The maps of Kiel", "The RNA of Kiel", "The {RNA} of Kiel", id="capitals"),
        pytest.param("Maps \\& charts", "Maps & graphs", "Maps \\& graphs", id="escaped"),
        pytest.param("Maps: a Study of Kiel", "Maps. A guide of Kiel", "Maps: a Guide of Kiel", id="case-kept"),
        pytest.param("Maps of {Kiel}", "CHARTS OF KIEL", "Charts of {Kiel}", id="record-in-capitals"),
        pytest.param("", "Maps of {Kiel}", "Maps of \\{Kiel\\}", id="anew"),
        pytest.param('"A" rare map', "A rare chart", '"A" rare chart', id="quotes-of-the-file"),
        pytest.param("{\\'E}tude des cartes", "Étude des plans", "{\\'E}tude des plans", id="accent-is-no-wrap"),
    ],
)
def test_only_words_that_differ_change(source: str, title: str, told: str) -> None:
    assert retitled(source, title, is_ascii=True) == told


def test_a_title_beyond_measure_is_written_anew() -> None:
    assert retitled("a " * 500, "Maps of Kiel", is_ascii=True) == "Maps of Kiel"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("Müller & Søn", r"M{\"u}ller \& S{\o}n", id="marks"),
        pytest.param("Łódź 50% #1 a_b", r"{\L}{\'o}d{\'z} 50\% \#1 a\_b", id="specials"),
        pytest.param("naïve Đ", 'na{\\"\\i}ve Đ', id="no-macro"),
        pytest.param("Čapek, Gonçalves, Ångström", r"{\v C}apek, Gon{\c c}alves, {\AA}ngstr{\"o}m", id="more-marks"),
        pytest.param("pages 1–2 — “so”", "pages 1--2 --- ``so''", id="dashes"),
        pytest.param("x{y}^~\\", r"x\{y\}\textasciicircum{}\textasciitilde{}\textbackslash{}", id="active"),
    ],
)
def test_letters_with_marks_as_macros(text: str, told: str) -> None:
    assert written(text, is_ascii=True) == told


def test_letters_with_marks_as_they_are() -> None:
    assert written("Müller & Søn", is_ascii=False) == r"Müller \& Søn"


@given(st.text("abcdeéüøłßçčåÄÖ &%#_:,.AB", max_size=40), st.booleans())
def test_what_is_written_is_read_back(text: str, is_ascii: bool) -> None:
    told = written(text, is_ascii=is_ascii)
    assert squash(to_text(told)) == squash(text)
    assert told.isascii() or not is_ascii


@given(
    st.lists(st.sampled_from(["Graph", "{DNA}", "{New York}", "caf{\\'e}", "of", "the", "\\&"]), min_size=1, max_size=8)
)
def test_the_same_title_changes_nothing(words: list[str]) -> None:
    source = "\n ".join(words)
    assert retitled(source, to_text(source), is_ascii=True) == source


@given(st.text("abcdeXé {}\\&:", max_size=30), st.text("abcdeXé &:DNA", min_size=1, max_size=30))
def test_the_new_title_is_what_is_read(source: str, title: str) -> None:
    if source.count("{") == source.count("}") and "\\" not in source and key(title):
        assert key(to_text(retitled(source, title, is_ascii=False))) == key(title)


def test_capitals_that_a_style_must_not_lower_are_in_braces() -> None:
    assert [protected(word, is_ascii=True) for word in ("DNA", "mRNA", "Deep", "A", "LaTeX:", "deep")] == [
        "{DNA}",
        "{mRNA}",
        "Deep",
        "A",
        "{LaTeX:}",
        "deep",
    ]
