"""Forms of one word: what is spelling, inflection, a number, and what is another word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.text.wordforms import american, inflected, is_word, spelled

WORDS = st.one_of(
    st.text("abceilnorstuy", max_size=12),
    st.sampled_from(["colour", "color", "modelling", "two", "2", "ii", "studies", "study", "centre", "schroedinger"]),
)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param("analyse", "analyze", True, id="yse"),
        pytest.param("analysing", "analyzing", True, id="ysing"),
        pytest.param("optimisation", "optimization", True, id="isation"),
        pytest.param("optimised", "optimized", True, id="ised"),
        pytest.param("colour", "color", True, id="our"),
        pytest.param("behavioural", "behavioral", True, id="oural"),
        pytest.param("centre", "center", True, id="re"),
        pytest.param("fibres", "fibers", True, id="res"),
        pytest.param("dialogue", "dialog", True, id="ogue"),
        pytest.param("modelling", "modeling", True, id="lling"),
        pytest.param("filling", "filing", False, id="filling"),
        pytest.param("oestrogen", "estrogen", True, id="oe"),
        pytest.param("anaemia", "anemia", True, id="ae"),
        pytest.param("grey", "gray", True, id="table"),
        pytest.param("programme", "program", True, id="programme"),
        pytest.param("schroedinger", "schrodinger", True, id="umlaut-o"),
        pytest.param("mueller", "muller", True, id="umlaut-u"),
        pytest.param("jaeger", "jager", True, id="umlaut-a"),
        pytest.param("does", "dos", False, id="umlaut-short"),
        pytest.param("two", "2", True, id="two"),
        pytest.param("twenty", "20", True, id="twenty"),
        pytest.param("ii", "2", True, id="roman"),
        pytest.param("xiv", "14", True, id="roman-tens"),
        pytest.param("xxxix", "39", True, id="roman-most"),
        pytest.param("iv", "vi", False, id="romans"),
        pytest.param("first", "1st", True, id="ordinal"),
        pytest.param("tenth", "10th", True, id="ordinal-last"),
        pytest.param("second", "2", False, id="ordinal-is-no-number"),
        pytest.param("2nd", "second", True, id="ordinal-digits"),
        pytest.param("007", "7", True, id="zeros"),
        pytest.param("0", "zero", True, id="zero"),
        pytest.param("two", "three", False, id="numbers"),
        pytest.param("2019", "2021", False, id="years"),
        pytest.param("causal", "casual", False, id="words"),
        pytest.param("wave", "waive", False, id="short"),
        pytest.param("", "", True, id="empty"),
        pytest.param("", "a", False, id="one-empty"),
    ],
)
def test_spelling_is_of_one_word(one: str, two: str, expected: bool) -> None:
    assert spelled(one, two) is expected
    assert spelled(two, one) is expected


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        pytest.param("study", "studies", True, id="ies"),
        pytest.param("matrix", "matrices", True, id="ices"),
        pytest.param("vertex", "vertices", True, id="ices-ex"),
        pytest.param("class", "classes", True, id="es"),
        pytest.param("analysis", "analyses", True, id="is"),
        pytest.param("learn", "learning", True, id="ing"),
        pytest.param("using", "uses", False, id="stem-of-two-letters"),
        pytest.param("learned", "learning", True, id="ed-ing"),
        pytest.param("trained", "trains", True, id="ed-s"),
        pytest.param("improve", "improving", True, id="e-ing"),
        pytest.param("improved", "improves", True, id="ed-es"),
        pytest.param("planned", "plan", True, id="doubled"),
        pytest.param("modelled", "models", True, id="british"),
        pytest.param("generation", "generative", False, id="derived"),
        pytest.param("thing", "th", False, id="no-stem"),
        pytest.param("graph2", "graph2s", False, id="digits"),
        pytest.param("inductive", "deductive", False, id="words"),
        pytest.param("bed", "bing", False, id="short"),
    ],
)
def test_inflection_is_of_one_word(one: str, two: str, expected: bool) -> None:
    assert inflected(one, two) is expected
    assert inflected(two, one) is expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        pytest.param("inductive", True, id="word"),
        pytest.param("photons", True, id="physics"),
        pytest.param("recogniton", False, id="damaged"),
        pytest.param("schrdinger", False, id="lost-letter"),
        pytest.param("week", False, id="short"),
        pytest.param("", False, id="empty"),
    ],
)
def test_ordinary_words_are_known(word: str, expected: bool) -> None:
    assert is_word(word) is expected


@given(WORDS, WORDS)
def test_forms_do_not_depend_on_the_side(one: str, two: str) -> None:
    assert spelled(one, two) is spelled(two, one)
    assert inflected(one, two) is inflected(two, one)


@given(WORDS)
def test_a_word_is_its_own_form(word: str) -> None:
    assert spelled(word, word)
    assert american(word) == american(word).strip()
