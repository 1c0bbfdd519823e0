"""Titles that are cut, go on, are abbreviated or are in another language; and numbers that stand for others."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.match.frames import renumbered
from citeaudit.match.rank import weigh
from citeaudit.match.title_forms import akin, edition, tongues
from citeaudit.model import Outcome, Rank, Status
from tests.match.build import ask, cite, judge, record

TITLE = "Slow walks of sparse beetles in wet dunes"
TWO = "Ada Roe; Bo Li"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("Slow walks of beetles", "Slow walks of beetles in dunes", True, id="cut"),
        pytest.param("Slow walks of beetles...", "Slow walks of beetles in dunes", True, id="dots"),
        pytest.param("Slow walks", "Slow walks of beetles", False, id="two-words"),
        pytest.param("Slow walks of beetles", "On slow walks of beetles", False, id="not-from-the-start"),
        pytest.param("Slow walks of beetles", "Slow walks of beetles " + "in dunes of wet sand " * 2, False, id="far"),
        pytest.param("Slow walks of beetles", "Slow walks of beetles, Widget Letters", True, id="venue-after"),
        pytest.param("Slow walks", "Slow walks, volume 1: sand", True, id="volume"),
        pytest.param("Slow walks", "Slow walks, voluminous 1: sand", False, id="no-volume"),
        pytest.param("Walks of CNNs here", "Walks of convolutional neural networks here", True, id="plural"),
        pytest.param("Walks of a CNN here", "Walks of a convolutional neural network here", True, id="singular"),
        pytest.param("Walks on IoT sand", "Walks on internet of things sand", True, id="small-word-counted"),
        pytest.param("Walks on NAS sand", "Walks on national academy of science sand", True, id="small-word-left-out"),
        pytest.param("Walks on AI sand", "Walks on artificial intelligence sand", False, id="two-letters"),
        pytest.param("Walks of CNNs here", "Walks of recurrent neural networks here", False, id="another-meaning"),
        pytest.param("Walks by COVID-19 on sand", "Walks by coronavirus disease 2019 on sand", True, id="named"),
        pytest.param("Walks by SARS-CoV-2 on sand", "Walks by coronavirus disease 2019 on sand", False, id="not-named"),
        pytest.param("Walks of CNNs here", "Talks of convolutional neural networks here", False, id="and-another-word"),
        pytest.param("", "Slow walks of beetles", False, id="empty"),
    ],
)
def test_forms_that_words_do_not_show(one: str, other: str, expected: bool) -> None:
    assert akin(one, other) is expected
    assert akin(other, one) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("A book of dunes, third edition", "A book of dunes", True, id="word"),
        pytest.param("A book of dunes (2nd ed.)", "A book of dunes", True, id="number"),
        pytest.param("A book of dunes, new and revised edition", "A book of dunes", False, id="unknown-order"),
        pytest.param("A book of dunes, revised and enlarged edition", "A book of dunes", True, id="revised"),
        pytest.param("A book of dunes, second edition", "A book of dunes, third edition", False, id="both"),
        pytest.param("A book of dunes, third edition", "A book of sand", False, id="another-word"),
        pytest.param("third edition", "", False, id="nothing-else"),
    ],
)
def test_an_edition_after_the_title(one: str, other: str, expected: bool) -> None:
    assert edition(one, other) is expected
    assert edition(other, one) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("Das Wachstum der Bäume", "The growth of trees", True, id="german"),
        pytest.param("The growth of trees", "The fall of trees", False, id="english"),
        pytest.param("Das Wachstum der Bäume", "Der Fall der Bäume", False, id="both-german"),
        pytest.param("Das Wachstum", "The growth of trees", False, id="short"),
        pytest.param("Calm life of thin crabs", "The growth of trees", False, id="english-of-rare-words"),
    ],
)
def test_another_language(one: str, other: str, expected: bool) -> None:
    assert tongues(one, other) is expected
    assert tongues(other, one) is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("A dose of 10 % in wet wheat", "A dose of 100 % in wet wheat", True, id="percent"),
        pytest.param("Towns 1990-2000", "Towns 1990-2010", False, id="two-words-stay"),
        pytest.param("Growth of old towns 1990-2000", "Growth of old towns 1990-2010", True, id="years"),
        pytest.param("A 3D view of wet dunes", "A 2D view of wet dunes", True, id="in-a-word"),
        pytest.param("Asking GPT-3 of wet dunes", "Asking GPT-2 of wet dunes", True, id="name"),
        pytest.param("GPT-3: asking wet dunes", "GPT-2: asking wet dunes", True, id="name-before-colon"),
        pytest.param("Sand 3: asking wet dunes", "Sand 2: asking wet dunes", False, id="part-before-colon"),
        pytest.param("Asking old wet dunes 2", "Asking old wet dunes 3", False, id="part-at-the-end"),
        pytest.param("Asking wet dunes, part 2 of all", "Asking wet dunes, part 3 of all", False, id="part-named"),
        pytest.param("Asking old wet dunes II", "Asking old wet dunes III", False, id="part-roman"),
        pytest.param("A 360° view of wet dunes", "A 360a view of wet dunes", False, id="damage"),
        pytest.param("A 31x31 view of wet dunes", "A 3131 view of wet dunes", False, id="sign-lost"),
        pytest.param("A 3D view of wet dunes", "A view of wet dunes", False, id="left-out"),
        pytest.param("A 3D view of wet dunes", "A 2C view of wet dunes", False, id="letters-too"),
        pytest.param("A 3D view of wet dunes", "A dry view of wet dunes", False, id="a-word"),
        pytest.param(
            "Crystal form of 2-bromo-4-chlorophenol salt",
            "Crystal form of 3-bromo-4-chlorophenol salt",
            False,
            id="compound",
        ),
    ],
)
def test_numbers_in_place_of_others(one: str, other: str, expected: bool) -> None:
    assert renumbered(one, other) is expected
    assert renumbered(other, one) is expected


@pytest.mark.parametrize(
    ("title", "authors", "fields", "anchor"),
    [
        pytest.param("Slow walks of sparse beetles", TWO, {}, "title_form", id="cut"),
        pytest.param("Slow walks of sparse beetles", "A. Roe; B. Li", {}, "title_form", id="initials"),
        pytest.param("Slow walks of sparse beetles", "Cy Hu; Di Fox", {}, "other_work", id="other-authors"),
        pytest.param("Slow walks of sparse beetles", TWO, {"year": 2009}, "other_work", id="another-year"),
        pytest.param("Slow walks of sparse beetles", TWO, {"volume": "9"}, "other_work", id="another-volume"),
        pytest.param("Langsame Wege der Käfer im Sand", TWO, {}, "title_form", id="language"),
        pytest.param("Langsame Wege der Käfer im Sand", TWO, {"year": 2002}, "other_work", id="language-year"),
        pytest.param("Langsame Wege der Käfer im Sand", TWO, {"container_title": None}, "other_work", id="no-venue"),
        pytest.param("Langsame Wege der Käfer im Sand", "Ada Roe", {}, "other_work", id="language-one-author"),
        pytest.param("Calm lives of thin crickets on peat", TWO, {}, "other_work", id="another-title"),
    ],
)
def test_a_form_of_the_title_is_left_open_where_all_else_agrees(
    title: str, authors: str, fields: dict[str, Any], anchor: str
) -> None:
    place = {"container_title": "Widget Letters", "volume": "7"}
    work = record(TITLE, TWO, 2001, **place)
    candidate = weigh(cite(title, authors, **{"year": 2001, **place, **fields}), work)
    assert (candidate.anchor, candidate.rank) == (
        anchor,
        Rank.POSSIBLE if anchor == "title_form" else Rank.REJECTED,
    )


def test_a_form_of_the_title_is_not_said_to_be_missing() -> None:
    reference = cite("Slow walks of sparse beetles", TWO, 2001)
    answers = [ask(reference, Outcome.FOUND, record(TITLE, TWO, 2001, source=name), source=name) for name in ("a", "b")]
    assert judge(reference, *answers).status is Status.UNDECIDED


@pytest.mark.parametrize(
    ("authors", "fields", "anchor"),
    [
        pytest.param(TWO, {}, "near_title", id="all-else"),
        pytest.param("Ada Roe", {}, "series", id="author-left-out"),
        pytest.param(TWO, {"year": 2002}, "series", id="year-off-by-one"),
        pytest.param(TWO, {"container_title": "Nature"}, "neighbour", id="another-venue"),
    ],
)
def test_another_number_is_anchored_only_by_everything_else(authors: str, fields: dict[str, Any], anchor: str) -> None:
    work = record("A dose of 10 % in wet wheat", TWO, 2001, container_title="Widget Letters")
    claim = {"year": 2001, "container_title": "Widget Letters", **fields}
    assert weigh(cite("A dose of 100 % in wet wheat", authors, **claim), work).anchor == anchor
