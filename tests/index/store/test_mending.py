"""Misread, misspelt and broken words are mended by the words that an index holds, with a bounded number of looks."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeaudit.index.store.mending import MAX_LOOKS, MAX_WALKS, mended, undone

HELD = {
    "formulae": 40,
    "random": 900,
    "matrices": 700,
    "fluctuations": 800,
    "temperature": 900,
    "between": 5_000,
    "technology": 300,
    "deep": 4_000,
    "learning": 9_000,
    "quantum": 8_000,
    "invariance": 90,
    "modern": 60,
    "models": 600,
    "for": 90_000,
    "of": 250_000,
    "in": 240_000,
    "a": 200_000,
    "length": 500,
    "ma": 3,
    "fl": 4,
    "single": 1,
    "zjohnson": 70,
    "zchandra": 9,
    "zmeier": 30,
}
"""Words, and the records that hold each."""


def _begins(beginning: str) -> list[tuple[str, int]]:
    return [(word, held) for word, held in HELD.items() if word.startswith(beginning)]


def _mended(words: str) -> list[str]:
    return mended(words.split(), lambda word: HELD.get(word, 0), _begins)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("ma trices", "matrices"),
        ("for mulae", "formulae"),
        ("fo rmulac", "formulae"),
        ("fl uetuations", "fluctuations"),
        ("moclern", "modern"),
        ("modem", "modern"),
        ("quontum", "quantum"),
        ("ternperatiiro", "temperature"),
        ("hetween", "between"),
        ("techn iology", "technology"),
        ("qunatum", "quantum"),
        ("ivnariance", "invariance"),
        ("xuantum", "quantum"),
        ("oquantum", "quantum"),
        ("ranadm", "random"),
        ("zjohnon", "zjohnson"),
        ("zcharidra", "zchandra"),
        ("zrneier", "zmeier"),
    ],
)
def test_a_word_is_found_again(asked: str, found: str) -> None:
    assert found in _mended(asked)


@pytest.mark.parametrize(
    ("asked", "found"),
    [("deeplearning", {"deep", "learning"}), ("alength", {"a", "length"}), ("ofquantum", {"of", "quantum"})],
)
def test_words_that_were_run_together_are_parted(asked: str, found: set[str]) -> None:
    assert found <= set(_mended(asked))


def test_known_words_stay_as_they_are() -> None:
    words = "deep learning of random matrices zjohnson"
    assert _mended(words) == words.split()


def test_the_rarer_half_of_a_broken_word_is_left_out() -> None:
    assert _mended("ma trices for mulae") == ["for", "matrices", "formulae"]


def test_a_word_of_one_record_stays_and_is_mended_besides() -> None:
    assert _mended("single") == ["single"]


@pytest.mark.parametrize("asked", ["lont", "qq", "x", "zab", "zzzzzz", "rnrnrn", "wholly strange wordings"])
def test_what_is_like_nothing_stays(asked: str) -> None:
    assert _mended(asked) == asked.split()


def test_a_misreading_is_undone_each_way_once() -> None:
    assert {"zm", "zin", "zrh"} <= set(undone("zrn"))
    assert all(form.startswith("z") for form in undone("zrnclzvv"))
    assert len(set(undone("morn"))) == len(undone("morn"))


_WORD = st.one_of(
    st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=45),
    st.sampled_from(sorted(HELD)),
    st.sampled_from(sorted(HELD)).map(lambda word: word[1:] or word),
    st.text("рнщ漢字é", min_size=1, max_size=8),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_WORD, max_size=60, unique=True), st.integers(0, 3))
def test_the_looks_are_bounded_and_nothing_is_invented(words: list[str], held: int) -> None:
    looks: list[str] = []
    walks: list[str] = []

    def known(word: str) -> int:
        looks.append(word)
        return HELD.get(word, held if len(word) > 30 else 0)

    def begins(beginning: str) -> list[tuple[str, int]]:
        walks.append(beginning)
        return _begins(beginning)

    found = mended(words, known, begins)
    assert len(looks) == len(set(looks)) <= MAX_LOOKS
    assert len(walks) == len(set(walks)) <= MAX_WALKS
    assert len(found) == len(set(found))
    assert all(known(word) >= 2 for word in found if word not in words)
    assert [word for word in found if word in words] == [word for word in dict.fromkeys(words) if word in found]


@given(st.lists(_WORD, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_the_held_words_is_no_matter(words: list[str], chance: st.DataObject) -> None:
    def shuffled(beginning: str) -> list[tuple[str, int]]:
        found = _begins(beginning)
        chance.shuffle(found)  # type: ignore[attr-defined]
        return found

    assert mended(words, lambda word: HELD.get(word, 0), shuffled) == _mended(" ".join(words))


@pytest.mark.parametrize("count", [60, 400])
def test_gibberish_reaches_the_bounds_and_no_further(count: int) -> None:
    looks: list[str] = []
    walks: list[str] = []
    words = [f"{'bdfghklmnprst'[at % 13]}{'aeiou'[at % 5]}rncl{at}vvkq" for at in range(count)]
    mended(words, lambda word: looks.append(word) or 0, lambda word: walks.append(word) or ())  # type: ignore[func-returns-value]
    assert MAX_LOOKS * 0.5 < len(looks) <= MAX_LOOKS
    assert len(walks) <= MAX_WALKS
