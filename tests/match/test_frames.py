"""Titles with words exchanged in place, and titles of another paper by the same people."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.match.frames import exchanged, frame
from citeaudit.match.rank import weigh
from citeaudit.model import Rank
from tests.match.build import cite, record

ALTERED = "Fast Walks on Narrow Graphs: A Dense Encoder for Image Search"
TRUE = "Slow Walks on Wide Graphs: A Sparse Encoder for Video Search"
FOUR = "Ada Roe; Bo Li; Cy Hu; Di Fox"


@pytest.mark.parametrize(
    ("claimed", "found", "people", "expected"),
    [
        pytest.param(ALTERED, TRUE, 2, True, id="single-words-here-and-there"),
        pytest.param("Fast walks graphs", "Slow walks graphs", 4, True, id="two-kept-many-people"),
        pytest.param("Fast walks graphs", "Slow walks graphs", 3, False, id="two-kept-three-people"),
        pytest.param("Fast walks graphs trees", "Slow walks graphs trees", 3, True, id="three-kept"),
        pytest.param("Fast walks", "Slow walks", 9, False, id="one-kept"),
        pytest.param(
            "Walks of dense image graphs with trees", "Walks of sparse video graphs with trees", 2, True, id="in-twos"
        ),
        pytest.param("Dense image walks graphs trees", "Sparse video walks graphs trees", 2, False, id="one-stretch"),
        pytest.param(
            "Walks on graphs with dense image codes",
            "Walks on graphs with wide video codes",
            2,
            True,
            id="in-the-middle",
        ),
        pytest.param(
            "Walks of dense image codes", "Walks of sparse video codes", 3, False, id="twos-two-kept-three-people"
        ),
        pytest.param("Walks of dense image codes", "Walks of sparse video codes", 4, True, id="twos-two-kept-many"),
        pytest.param(
            "Walks on fast dense image graphs with codes by old trees",
            "Walks on slow sparse video graphs with codes by new trees",
            2,
            True,
            id="in-threes",
        ),
        pytest.param(
            "Walks on fast dense image graphs", "Walks on slow sparse video graphs", 9, False, id="threes-two-stretches"
        ),
        pytest.param(
            "Walks by two fast dense images on graphs with codes for trees",
            "Walks by one slow sparse video on graphs with codes for trees",
            9,
            False,
            id="in-fours",
        ),
        pytest.param(
            "Walks on fast graphs with codes by dense trees for wide things",
            "Walks on slow graphs with codes by trees for narrow things",
            2,
            True,
            id="one-word-more-four-stretches",
        ),
        pytest.param(
            "Walks graphs codes trees things dense search",
            "Walks graphs codes trees things search wide",
            3,
            False,
            id="uneven-one-stretch",
        ),
        pytest.param("Walks on the grid, part ii: codes", "Walks on the grid, part iv: codes", 9, False, id="a-series"),
        pytest.param("Walks on graphs in 2019 codes", "Walks on graphs in 2021 codes", 9, False, id="a-year"),
        pytest.param("A dune and a sea", "Storms over quiet lakes", 9, False, id="nothing-kept"),
        pytest.param("", "", 9, False, id="no-words"),
    ],
)
def test_words_exchanged_in_their_places(claimed: str, found: str, people: int, expected: bool) -> None:
    assert exchanged(claimed, found, people) is expected
    assert exchanged(found, claimed, people) is expected


def test_a_frame_counts_what_stays() -> None:
    seen = frame("Fast walks on the wide graphs of trees", "Slow walks on wide graphs of young trees")
    assert (seen.kept, seen.stretches, seen.longest, seen.uneven, seen.numbered) == (4, 3, 1, 1, False)
    assert seen.share == pytest.approx(6 / 9)


VOCABULARY = ["a", "the", "of", "on", "ii", "iv", "2019", "dune", "walks", "graphs", "codes", "trees"]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=12)


@given(WORDS.map(" ".join), WORDS.map(" ".join), st.integers(1, 6))
def test_the_order_of_two_titles_does_not_matter(one: str, two: str, people: int) -> None:
    assert frame(one, two) == frame(two, one)
    assert exchanged(one, two, people) is exchanged(two, one, people)


WALKS = "Walks on dense image graphs of codes"


@pytest.mark.parametrize(
    ("claimed", "found", "people", "expected"),
    [
        pytest.param(
            "Slow long walks on wide old sand graphs",
            "Slow long walks on new dry peat graphs",
            5,
            True,
            id="three-in-a-row",
        ),
        pytest.param(
            "Slow long walks on wide old sand graphs",
            "Slow long walks on new dry peat graphs",
            4,
            False,
            id="four-people",
        ),
        pytest.param(
            "Slow long walks graphs on wide old sand",
            "Slow long walks graphs on new dry peat",
            5,
            False,
            id="one-stretch",
        ),
        pytest.param(
            "Slow long walks on wide old sand here graphs",
            "Slow long walks on new dry peat graphs",
            5,
            False,
            id="a-word-more-two-stretches",
        ),
        pytest.param(
            "Slow walks by wide old sand graphs with wet trees here",
            "Slow walks by dry graphs with big trees here",
            5,
            False,
            id="two-words-more",
        ),
        pytest.param(
            "Slow walks by wide old sand graphs with wet trees here",
            "Slow walks by dry peat graphs with big trees here",
            5,
            True,
            id="a-word-more-three-stretches",
        ),
        pytest.param(
            "Slow walks on wide old wet sand graphs",
            "Slow walks on new dry big peat graphs",
            5,
            False,
            id="four-in-a-row",
        ),
    ],
)
def test_a_crowd_needs_a_smaller_frame(claimed: str, found: str, people: int, expected: bool) -> None:
    assert exchanged(claimed, found, people) is expected
    assert exchanged(found, claimed, people) is expected


@pytest.mark.parametrize(
    ("found", "people", "gap", "expected"),
    [
        pytest.param("Walks on sparse image graphs of codes", 4, 1, True, id="single-words"),
        pytest.param("Walks on sparse image graphs of codes", 4, 2, False, id="two-years"),
        pytest.param("Walks on sparse image graphs of codes", 3, 1, False, id="three-people"),
        pytest.param("Walks on sparse image graphs of trees", 9, 1, False, id="three-kept"),
        pytest.param("Walks on sparse video graphs of codes", 9, 1, False, id="two-in-a-row"),
        pytest.param("Walks on sparse image graphs of codes here", 9, 1, False, id="a-word-more"),
    ],
)
def test_a_year_off_by_one_asks_for_single_words(found: str, people: int, gap: int, expected: bool) -> None:
    assert exchanged(WALKS, found, people, gap) is expected


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_a_frame(one: str, two: str) -> None:
    assert 0.0 <= frame(one, two).share <= 1.0


@pytest.mark.parametrize(
    ("cited", "fields", "recorded", "expected"),
    [
        pytest.param(FOUR, {}, FOUR, "title_exchanged", id="all-authors"),
        pytest.param("A. Roe; B. Li; C. Hu; D. Fox", {}, FOUR, "title_exchanged", id="initials"),
        pytest.param("Ada Roe; Bo Li", {}, FOUR, "other_work", id="authors-left-out"),
        pytest.param("Bo Li; Ada Roe; Cy Hu; Di Fox", {}, FOUR, "other_work", id="another-order"),
        pytest.param("Ada Roe", {}, "Ada Roe", "title_exchanged", id="one-by-full-name"),
        pytest.param("A. Roe", {}, "A. Roe", "other_work", id="one-by-initial"),
        pytest.param(FOUR, {"year": 2002}, FOUR, "title_exchanged", id="year-off-by-one"),
        pytest.param(FOUR, {"year": 2003}, FOUR, "other_work", id="year-off-by-two"),
        pytest.param(
            "Ada Roe; Bo Li; Cy Hu", {"year": 2002}, "Ada Roe; Bo Li; Cy Hu", "other_work", id="year-of-three"
        ),
        pytest.param(
            "Ada Rowe; Bo Lindt; Cy Hu; Di Fox", {}, "Ada Rowe; Bo Lindl; Cy Hu; Di Fox", "other_work", id="slip"
        ),
        pytest.param(
            "Ada Rowe; Bo Lindemann; Cy Hu; Di Fox; Ed Gray",
            {},
            "Ada Rowe; Bo Lindermann; Cy Hu; Di Fox; Ed Gray",
            "title_exchanged",
            id="slip-in-a-crowd",
        ),
        pytest.param(FOUR, {"container_title": "Nature"}, FOUR, "other_work", id="another-venue"),
        pytest.param(FOUR, {"volume": "9"}, FOUR, "other_work", id="another-volume"),
        pytest.param(FOUR, {"pages": "77"}, FOUR, "other_work", id="another-page"),
        pytest.param(
            FOUR,
            {"container_title": "Widget Letters", "volume": "7", "pages": "1-9"},
            FOUR,
            "title_exchanged",
            id="same-place",
        ),
    ],
)
def test_an_altered_title_is_anchored_only_by_everything_else(
    cited: str, fields: dict[str, Any], recorded: str, expected: str
) -> None:
    reference = cite(ALTERED, cited, **{"year": 2001, **fields})
    work = record(TRUE, recorded, 2001, container_title="Widget Letters", volume="7", pages="1-9")
    candidate = weigh(reference, work)
    assert candidate.anchor == expected
    assert candidate.anchored is (expected == "title_exchanged")


def test_a_word_that_differs_in_another_place_may_be_a_further_paper() -> None:
    title, near = "On the quiet growth of coastal dune grasses", "On the quiet growth of alpine dune grasses"
    work = record(title, FOUR, 2001, container_title="Widget Letters", volume="7")
    candidate = weigh(cite(near, FOUR, 2001, container_title="Widget Letters", volume="9"), work)
    assert (candidate.rank, candidate.anchor) == (Rank.POSSIBLE, "neighbour")
    assert weigh(cite(near, FOUR, 2001, container_title="Widget Letters", volume="7"), work).anchor == "near_title"
