"""Words: damaged, plural, or another; and the alignment of word sequences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.text.similarity import align, damaged, edits, has_digit, opposed, plural, ratio

WORDS = st.lists(st.sampled_from(["graph", "deep", "the", "of", "2019", "networks", "a"]), max_size=8)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        pytest.param("optimisation", "optimization", False, id="two-words"),
        pytest.param("adaption", "adoption", False, id="two-words-one-letter"),
        pytest.param("inductive", "inducitve", True, id="one-word"),
        pytest.param("trigonous", "trigonus", True, id="no-words"),
        pytest.param("inteligibly", "unintelligibly", False, id="negated-first-letter"),
        pytest.param("ununderstanding", "understanding", False, id="negated"),
        pytest.param("antiantigenic", "antigenic", False, id="negated-anti"),
        pytest.param("leaming", "learning", True, id="rn-is-m"),
        pytest.param("leanring", "learning", True, id="turned-into-rn"),
        pytest.param("netvvork", "network", True, id="vv-is-w"),
        pytest.param("inducling", "induding", True, id="cl-is-d"),
        pytest.param("recgniton", "recognition", False, id="two-letters-of-eleven"),
        pytest.param("inmunohistochemistrj", "immunohistochemistry", True, id="two-letters-of-twenty"),
        pytest.param("recognition", "recogniton", True, id="letter-lost"),
        pytest.param("networks", "netwroks", True, id="letters-swapped"),
        pytest.param("same", "same", True, id="same"),
        pytest.param("supervised", "unsupervised", False, id="prefix"),
        pytest.param("increase", "decrease", False, id="first-letter"),
        pytest.param("graph", "grape", False, id="five-letters"),
        pytest.param("inter", "intra", False, id="short-prefix"),
        pytest.param("2019", "2021", False, id="year"),
        pytest.param("resnet50", "resnet51", False, id="number-in-word"),
        pytest.param("", "word", False, id="empty"),
    ],
)
def test_damage_is_never_another_word(left: str, right: str, expected: bool) -> None:
    assert damaged(left, right) is expected
    assert damaged(right, left) is expected


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("hyperkalemia", "hypokalemia", id="hyper-hypo"),
        pytest.param("intermolecular", "intramolecular", id="inter-intra"),
        pytest.param("adduction", "abduction", id="ad-ab"),
        pytest.param("endoparasites", "ectoparasites", id="endo-ecto"),
        pytest.param("microglobulins", "macroglobulins", id="micro-macro"),
        pytest.param("sulfate", "sulfite", id="ate-ite"),
        pytest.param("sulfates", "sulfites", id="plural"),
        pytest.param("cellulose", "cellulase", id="ose-ase"),
        pytest.param("propane", "propene", id="ane-ene"),
        pytest.param("prednisone", "prednisolone", id="one-olone"),
    ],
)
def test_another_scientific_word_is_no_damage(left: str, right: str) -> None:
    assert opposed(left, right)
    assert opposed(right, left)
    assert not damaged(left, right)
    assert not damaged(right, left)


def test_a_letter_elsewhere_is_damage() -> None:
    assert not opposed("hyperkalmia", "hyperkalemia")
    assert not opposed("hyperkalmia", "hypokalemia")
    assert damaged("hyperkalmia", "hyperkalemia")


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        pytest.param("method", "methods", True, id="plural"),
        pytest.param("methods", "method", True, id="either-way"),
        pytest.param("a", "as", False, id="short"),
        pytest.param("v10", "v10s", False, id="number"),
        pytest.param("class", "classes", False, id="two-letters"),
    ],
)
def test_plural_is_one_s(left: str, right: str, expected: bool) -> None:
    assert plural(left, right) is expected


def test_a_swap_is_one_edit() -> None:
    assert edits("form", "from") == 1


@pytest.mark.parametrize(
    ("left", "right", "expected"), [("", "", 1.0), ("ab", "ab", 1.0), ("ab", "cd", 0.0), ("ab", "ac", 0.5)]
)
def test_ratio_counts_shared_letters(left: str, right: str, expected: float) -> None:
    assert ratio(left, right) == pytest.approx(expected)


def test_digits_are_seen_anywhere() -> None:
    assert has_digit("a1b")
    assert not has_digit("abc")


def test_alignment_names_the_exchanged_word() -> None:
    blocks = align(["on", "graph", "networks"], ["on", "deep", "networks"])
    assert [(block.left, block.right) for block in blocks if not block.equal] == [(("graph",), ("deep",))]


@given(WORDS, WORDS)
def test_alignment_covers_both_and_is_symmetric(left: list[str], right: list[str]) -> None:
    blocks = align(left, right)
    assert [word for block in blocks for word in block.left] == left
    assert [word for block in blocks for word in block.right] == right
    assert all(block.left == block.right for block in blocks if block.equal)
    assert [(block.right, block.left) for block in blocks] == [
        (block.left, block.right) for block in align(right, left)
    ]
