"""Rules beside the model mend a reading, or say that it makes no sense."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.extract.fields.reader import read_fields
from citeaudit.extract.fields.rules import (
    before_meeting,
    before_name,
    chinese,
    is_absurd,
    is_title_first,
    stopless,
    uncapitalised,
)
from citeaudit.model import Person, Reference

DOUBTED = 0.6


def families(reference: Reference) -> list[str]:
    return [person.family or person.literal or "" for person in reference.authors]


@pytest.mark.parametrize(
    ("raw", "title", "names"),
    [
        pytest.param(
            "Doe J, Roe B. ThingNet: A scalable system of things. J Things. 2016;3:1-9.",
            "ThingNet: A scalable system of things",
            ["Doe", "Roe"],
            id="vancouver-head-in-camel-case",
        ),
        pytest.param(
            "Doe J, Roe BC, Poe R. Dropping: A simple way to read. J Things. 2014;15:19-58.",
            "Dropping: A simple way to read",
            ["Doe", "Roe", "Poe"],
            id="vancouver-head-of-one-word",
        ),
        pytest.param(
            "Doe KF, Roe DG, Poe D. THINGS 2010 statement: updated guidelines for reading. BMJ. 2010;340:c332.",
            "THINGS 2010 statement: updated guidelines for reading",
            ["Doe", "Roe", "Poe"],
            id="vancouver-head-with-year",
        ),
        pytest.param(
            "Poe A. Reading and Self-Reading: On things in the late age. London: North Press; 1991.",
            "Reading and Self-Reading: On things in the late age",
            ["Poe"],
            id="vancouver-head-of-two-words",
        ),
        pytest.param(
            "Doe AM. Reading machinery and sense. Mind. 1950;59(236):433-460.",
            "Reading machinery and sense",
            ["Doe"],
            id="initials-that-spell-a-word-of-journals",
        ),
        pytest.param(
            "Doe I, Roe O, Le QV. Sequence to sequence reading of things. Adv Things. 2014;27:31-40.",
            "Sequence to sequence reading of things",
            ["Doe", "Roe", "Le"],
            id="family-name-like-an-article",
        ),
        pytest.param(
            "Robert W. Coe. AFNI: Software for the reading of things. Computers and Things, 29(3):162–173, 1996.",
            "AFNI: Software for the reading of things",
            ["Coe"],
            id="given-name-and-initial-are-no-vancouver-name",
        ),
        pytest.param(
            'Doe, Dylan, Nat Roe-Gammon, G. Alexander Poe, and Ann B. Coe. "A title of things." Fish 3 (2019): 1-20.',
            "A title of things",
            ["Doe", "Roe-Gammon", "Poe", "Coe"],
            id="initial-before-given-name-in-chicago",
        ),
        pytest.param(
            "Press, William H., Saul A. Roe, and Brian P. Poe. 2007. The reading of things. North University Press.",
            "The reading of things",
            ["Press", "Roe", "Poe"],
            id="family-name-like-a-body",
        ),
        pytest.param(
            "Press WH, Roe SA, Poe BP. The reading of things. J Things. 2007;1:2-3.",
            "The reading of things",
            ["Press", "Roe", "Poe"],
            id="family-name-like-a-body-in-vancouver",
        ),
        pytest.param(
            "Roe y Arcas B, Poe MI. The reading of things. J Things. 2019;1:2-3.",
            "The reading of things",
            ["Roe y Arcas", "Poe"],
            id="double-name-in-vancouver",
        ),
        pytest.param(
            "Poe, Thomas S. The Reading of Things. Chicago: University of Chicago Press, 1962.",
            "The Reading of Things",
            ["Poe"],
            id="middle-initial-ends-a-chicago-list",
        ),
        pytest.param(
            "M. Poe, Reading and Time. New York, NY, USA: Blackwell, 1962.",
            "Reading and Time",
            ["Poe"],
            id="title-is-no-list",
        ),
        pytest.param(
            "D. J. Doe, Reading Theory, Inference and Learning Algorithms. New York, NY, USA: North Press, 2003.",
            "Reading Theory, Inference and Learning Algorithms",
            ["Doe"],
            id="title-like-a-list-of-names",
        ),
    ],
)
def test_names_end_where_the_title_starts(raw: str, title: str, names: list[str]) -> None:
    reference = read_fields(raw)
    assert reference.title == title
    assert families(reference) == names


SERIES = "Reading and chaos: With applications to physics, biology, chemistry, and engineering"
CAPITALS = "Reading and Chaos: With Applications to Physics, Biology, Chemistry, and Engineering"


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        pytest.param(f"Doe, S. H. (2018). {SERIES}. Westview.", SERIES, id="apa"),
        pytest.param(f"Doe, S. H. (2018). {SERIES}.", SERIES, id="apa-without-publisher"),
        pytest.param(f"S. H. Doe, {CAPITALS}. Boulder, CO, USA: Westview, 2018.", CAPITALS, id="ieee"),
        pytest.param(f"Steven H. Doe. 2018. {CAPITALS}. Academic Press, New York, NY.", CAPITALS, id="acm"),
        pytest.param(f"Doe, Steven H. {CAPITALS}. Boulder: Westview Press, 2018.", CAPITALS, id="chicago"),
        pytest.param(
            "Doe, T., & Roe, R. (2009). The parts of reading: Data mining, inference, and prediction. Springer.",
            "The parts of reading: Data mining, inference, and prediction",
            id="subtitle-of-three",
        ),
        pytest.param(
            "J. Doe, On reading of things, Journal of Science and Engineering, vol. 3, pp. 1-2, 2001.",
            "On reading of things",
            id="journal-with-and",
        ),
    ],
)
def test_serial_commas_stay_in_the_title(raw: str, title: str) -> None:
    assert read_fields(raw).title == title


@pytest.mark.parametrize(
    ("raw", "title", "venue", "volume", "pages"),
    [
        pytest.param(
            "Doe T, Roe A and Poe O 1995 Novel type of reading in a system of things Phys. Rev. Lett. 75 1226-9",
            "Novel type of reading in a system of things",
            "Phys. Rev. Lett",
            "75",
            "1226-9",
            id="shortened",
        ),
        pytest.param(
            "Doe S W 1975 Reading by things Nature 43 199", "Reading by things", "Nature", "43", "199", id="one-word"
        ),
        pytest.param(
            "Doe D J and Roe S H 1998 On the reading of things J. Phys. A 31 440–2",
            "On the reading of things",
            "J. Phys. A",
            "31",
            "440-2",
            id="section",
        ),
    ],
)
def test_journal_without_a_stop_before_it_is_no_title(
    raw: str, title: str, venue: str, volume: str, pages: str
) -> None:
    reference = read_fields(raw)
    assert (reference.title, reference.container_title) == (title, venue)
    assert (reference.volume, reference.pages) == (volume, pages)


@pytest.mark.parametrize(
    "text", ["On the reading of things", "On things 12 34", "Nature 12 34", "On things. Nature 12 34"]
)
def test_nothing_is_cut_without_the_words_of_a_journal(text: str) -> None:
    assert stopless(text, 0) is None


def test_conference_is_parted_from_the_title() -> None:
    reference = read_fields(
        "Doe, D., Roe, K.: Reading by joint learning. International Conference on Reading Things (2015)"
    )
    assert reference.title == "Reading by joint learning"
    assert before_meeting("Reading at a conference on things") == ("Reading at a conference on things", "")


@pytest.mark.parametrize(
    ("title", "people", "text", "absurd"),
    [
        pytest.param("New York", (), "", True, id="place"),
        pytest.param("New York, NY, USA", (), "", True, id="place-and-state"),
        pytest.param("Poe", (Person(family="Poe"),), "", True, id="author"),
        pytest.param("Ada Poe", (Person(family="Poe", given="Ada"),), "", True, id="full-author"),
        pytest.param("Poe", (), "Poe, Thomas S. The Reading", True, id="name-that-starts-the-reference"),
        pytest.param("Poe, Thomas S. The Reading of Things", (), "", True, id="starts-like-a-list"),
        pytest.param("Herrings", (Person(family="Poe"),), "Poe, A. Herrings", False, id="one-word"),
        pytest.param("Herrings of New York", (Person(family="Poe"),), "", False, id="about-a-place"),
        pytest.param("Cities, Towns and Things", (), "Cities, Towns and Things", False, id="commas"),
    ],
)
def test_absurd_title_is_told(title: str, people: tuple[Person, ...], text: str, absurd: bool) -> None:
    assert is_absurd(title, people, text) is absurd


def test_absurd_reading_is_doubted() -> None:
    assert read_fields("Poe, Ada. (1999). New York. London: North Press.").parse_score < DOUBTED


@given(st.text(max_size=120), st.integers(0, 120))
def test_rules_take_any_text(text: str, place: int) -> None:
    stopless(text, 0)
    before_name(text[:place], text[place:])
    chinese(text)
    is_title_first(text)
    uncapitalised(text)
    before_meeting(text)
    is_absurd(text, (), text)
