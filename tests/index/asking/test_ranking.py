"""Weighing is symmetric where it should be, drops the hopeless, and reads abbreviated venues."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.index.asking import ranking, venues
from citeaudit.index.asking.grouping import same_work
from citeaudit.index.asking.ranking import FLOOR, GOOD, MARGIN, Hit, likeness
from citeaudit.model import Query, QueryKind
from tests.index.build import records

KEYS = st.text(alphabet="abcdefgh", min_size=0, max_size=40)
WORDS = st.lists(st.sampled_from(["Journal", "of", "Lunar", "Farming", "Dust", "Rev.", "Proc.", "B"]), max_size=6)


@given(KEYS, KEYS)
def test_likeness_is_symmetric_bounded_and_one_on_equals(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 1
    assert likeness(one, one) == 1 or not one


@pytest.mark.parametrize(
    ("cited", "recorded", "least", "most"),
    [
        pytest.param("Lun. Farm. Lett.", "Lunar Farming Letters", 1, 1, id="words-cut"),
        pytest.param("The Journal of Lunar Farming", "J. Lunar Farming", 1, 1, id="small-words"),
        pytest.param(
            "Proc. Natl. Acad. Moon", "Proceedings of the National Academy of the Moon", 1, 1, id="letters-out"
        ),
        pytest.param("PNAM", "Proceedings of the National Academy of the Moon", 0.95, 0.95, id="acronym"),
        pytest.param("LuJ", "The Lunar Journal", 0.95, 0.95, id="acronym-of-syllables"),
        pytest.param("Lun. Rev. B", "Lunar Review B: Dust and Gravel", 0.85, 0.85, id="beginning"),
        pytest.param("Lun. Rev. B", "Lunar Review D", 0, 0.75, id="other-section"),
        pytest.param("Dust", "Dust Physics", 0, 0.7, id="other-journal"),
        pytest.param("Gravel", "Dust", 0, 0.5, id="nothing-in-common"),
        pytest.param("PXAM", "Proceedings of the National Academy of the Moon", 0, 0.5, id="other-acronym"),
        pytest.param("Jouma1 of Lunar Farrning", "Journal of Lunar Farming", 0.6, 0.85, id="misread"),
        pytest.param("", "Dust", 0, 0, id="empty"),
        pytest.param("The", "A", 0, 0.5, id="small-words-alone"),
    ],
)
def test_an_abbreviated_venue_is_as_good_as_the_whole(cited: str, recorded: str, least: float, most: float) -> None:
    assert least <= venues.alike(cited, recorded) <= most


@given(WORDS, WORDS)
def test_venues_are_alike_both_ways_and_within_bounds(one: list[str], other: list[str]) -> None:
    first, second = " ".join(one), " ".join(other)
    assert 0 <= venues.alike(first, second) <= 1
    assert venues.alike(first, first) == 1 or not one
    if len(one) != len(other):
        assert venues.alike(first, second) == venues.alike(second, first)


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_names_can_be_compared(one: str, other: str) -> None:
    assert 0 <= venues.alike(one, other) <= 1


def test_same_work_is_symmetric() -> None:
    rows = records()
    for one in rows:
        for other in rows:
            assert same_work(one, other) == same_work(other, one)


def test_unrelated_titles_stay_under_the_floor() -> None:
    asked = ranking.ask(Query(kind=QueryKind.TITLE, text="Quantum chromodynamics of unrelated particles"))
    assert all(ranking.weigh(asked, record) < FLOOR for record in records())


def test_what_is_far_behind_a_good_hit_is_left_out() -> None:
    (record, *_) = records()
    hits = [Hit(score, place, record) for place, score in enumerate((GOOD + MARGIN / 2, GOOD, 0.52))]
    assert ranking.leading(hits) == hits[:2]
    assert ranking.leading(hits[2:]) == hits[2:]
    assert ranking.leading([]) == []
