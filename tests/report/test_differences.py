"""What differs at a glance: words inside a title, one line an author and none for those who agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.model import AuthorMatch, AuthorRelation, FieldMatch, FieldName, Relation
from citeaudit.report.differences import MAX_LINES, author_lines, author_rows, lines, marked


@pytest.mark.parametrize(
    ("claimed", "found", "told"),
    [
        pytest.param("On graph learning", "On deep learning", "On {graph -> deep} learning", id="word"),
        pytest.param("On learning", "On deep learning", "On {+ deep} learning", id="more"),
        pytest.param("On deep learning", "On learning", "On {- deep} learning", id="fewer"),
        pytest.param("On Learning: A view", "on learning. a View", "On Learning: A view", id="case-and-marks"),
        pytest.param("A b c", "X y", "{A b c -> X y}", id="nothing-in-common"),
        pytest.param("a\u202eb", "c", "{a\\u202eb -> c}", id="hidden"),
    ],
)
def test_a_title_shows_its_words_that_differ(claimed: str, found: str, told: str) -> None:
    assert marked(claimed, found) == told


def test_titles_beyond_measure_stand_beside_each_other() -> None:
    assert marked("a " * 400, "b") == " ".join(["a"] * 400) + " -> b"


@given(st.text("abc XY:.", min_size=1, max_size=40))
def test_a_title_does_not_differ_from_itself(text: str) -> None:
    assert "{" not in marked(text, text)


def _one(
    relation: AuthorRelation, claimed: str | None, found: str | None, place: int | None, at: int | None
) -> AuthorMatch:
    return AuthorMatch(relation=relation, claimed=claimed, found=found, place=place, found_place=at)


PEOPLE = (
    _one(AuthorRelation.SAME, "Ada Poe", "Ada Poe", 1, 1),
    _one(AuthorRelation.VARIANT, "B. Roe", "Bo Roe", 2, 2),
    _one(AuthorRelation.GIVEN_NAME, "M. Jones", "Karl Jones", 3, 3),
    _one(AuthorRelation.MISSPELT, "Bo Muller", "Bo Miller", 4, 4),
    _one(AuthorRelation.SWAPPED, "Li Wei", "Wei Li", 5, 5),
    _one(AuthorRelation.MOVED, "C. Doe", "Cy Doe", 6, 8),
    _one(AuthorRelation.PHANTOM, "J. Loe", None, 7, None),
    _one(AuthorRelation.PLACEHOLDER, "Anonymous", None, 8, None),
    _one(AuthorRelation.UNKNOWN, "A group", None, 9, None),
    _one(AuthorRelation.MISSING, None, "Zed Poe", None, 9),
)


def _match(*people: AuthorMatch, relation: Relation = Relation.DIFFERENT) -> FieldMatch:
    return FieldMatch(
        field=FieldName.AUTHORS,
        claimed="x",
        found="y",
        relation=relation,
        score=0.5,
        rule="author_not_in_record",
        people=people,
    )


def test_one_line_an_author_who_differs() -> None:
    assert author_lines(_match(*PEOPLE)) == (
        "3  M. Jones  ->  Karl Jones (given name differs)",
        "4  Bo Muller  ->  Bo Miller (a letter differs)",
        "5  Li Wei  ->  Wei Li (family and given name changed places)",
        "6  C. Doe  ->  Cy Doe (author 8 in the record)",
        "+ J. Loe  not in the record",
        "8  Anonymous  a name often used as a placeholder",
        "- Zed Poe  left out",
    )


def test_many_authors_are_cut_and_counted() -> None:
    many = _match(*(_one(AuthorRelation.PHANTOM, f"A{n} Roe", None, n, None) for n in range(1, 31)))
    assert len(author_lines(many)) == MAX_LINES + 1
    assert author_lines(many)[-1] == "and 18 more"
    assert len(author_rows(many)) == 30


def test_only_what_counts_is_told_closely() -> None:
    assert lines(_match(*PEOPLE, relation=Relation.VARIANT)) == ()
    assert lines(_match(*PEOPLE)) == author_lines(_match(*PEOPLE))
    year = _match().model_copy(update={"field": FieldName.YEAR})
    assert lines(year) == ()


def test_hidden_characters_of_names_are_written_out() -> None:
    assert author_lines(_match(_one(AuthorRelation.PHANTOM, "A\u202eb", None, 1, None))) == (
        "+ A\\u202eb  not in the record",
    )
