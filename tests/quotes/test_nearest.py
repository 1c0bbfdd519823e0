"""The nearest passage is that of the plain algorithm, window by window, on any words."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.quotes.blocks import longest, matched
from citeaudit.quotes.nearest import Nearest, Passages, word_form

SHORT = st.text("abc", max_size=14)
WORD = st.sampled_from(["a", "b", "c", "d", "—", "12%", "12", "b."])
PAGES = st.lists(st.lists(WORD, max_size=14), max_size=4)
QUOTE = st.lists(WORD, max_size=8).map(" ".join)


def plain(pages: Sequence[Sequence[str]], quote: str) -> Nearest:
    """The algorithm as it is described."""
    wanted = [form for form in map(word_form, quote.split()) if form]
    best = Nearest(0.0, None, "")
    if not wanted:
        return best
    for number, words in enumerate(pages, 1):
        for start in range(max(1, len(words) - len(wanted) + 1)):
            window = words[start : start + len(wanted)]
            other = [form for form in map(word_form, window) if form]
            ratio = SequenceMatcher(None, wanted, other, autojunk=False).ratio()
            if ratio > best.ratio:
                best = Nearest(ratio, number, " ".join(window), start)
    return best


@given(SHORT, SHORT)
def test_the_longest_block_is_difflibs(one: str, two: str) -> None:
    block = SequenceMatcher(None, one, two, autojunk=False).find_longest_match()
    assert longest(one, two) == ((block.a, block.b, block.size) if block.size else (0, 0, 0))


@given(SHORT, SHORT)
def test_the_matching_blocks_are_difflibs(one: str, two: str) -> None:
    blocks = SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks()
    assert matched(one, two) == sum(block.size for block in blocks)


@given(SHORT, SHORT, st.integers(0, 14))
def test_a_bound_hides_only_what_is_below_it(one: str, two: str, least: int) -> None:
    exact = matched(one, two)
    told = matched(one, two, least=least)
    assert told == exact if exact >= least else told < max(1, least)


@given(PAGES, QUOTE)
def test_the_nearest_passage_is_that_of_the_plain_algorithm(pages: list[list[str]], quote: str) -> None:
    assert Passages(pages).nearest(quote) == plain(pages, quote)


@given(PAGES, QUOTE)
def test_above_the_ratio_that_matters_nothing_is_missed(pages: list[list[str]], quote: str) -> None:
    exact, quick = plain(pages, quote), Passages(pages).nearest(quote, least=0.7)
    if exact.ratio >= 0.7:
        assert quick == exact
    else:
        assert quick.ratio <= exact.ratio


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("(Revenue,", "revenue"),
        ("12.5%.", "12.5%"),
        ("$4.1", "$4.1"),
        ("—", ""),
        ("...", ""),
        ("don't", "dont"),
        ("a_b", "a_b"),
        ("Größe", "größe"),
    ],
)
def test_forms_of_words(text: str, form: str) -> None:
    assert word_form(text) == form


def test_a_near_passage_is_given_where_none_reaches_the_ratio() -> None:
    pages = [["one", "two", "three", "four", "five"], ["six", "seven", "eight", "nine", "ten"]]
    near = Passages(pages).nearest("seven apples and ten pears", least=0.7)
    assert near.page == 2
    assert 0 < near.ratio < 0.7


def test_no_page_and_no_word() -> None:
    assert Passages([]).nearest("some words") == Nearest(0.0, None, "")
    assert Passages([["some"]]).nearest("…") == Nearest(0.0, None, "")
    assert Passages([["some"]]).nearest("other") == Nearest(0.0, None, "")
