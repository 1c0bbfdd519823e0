"""What differs at a glance: words inside a title, one line an author and none for those who agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.match.rules import RULES
from citeaudit.model import AuthorMatch, AuthorRelation, FieldMatch, FieldName, Relation
from citeaudit.report.differences import FORMS, MAX_LINES, author_lines, author_rows, lines, marked, noted
from citeaudit.settings import load, presets
from tests import samples


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


def test_of_another_order_everyone_who_moved_is_told() -> None:
    turned = _match(
        _one(AuthorRelation.SAME, "Ada Roe", "Ada Roe", 1, 2),
        _one(AuthorRelation.VARIANT, "B. Li", "Bo Li", 2, 3),
        _one(AuthorRelation.MOVED, "Di Fox", "Di Fox", 3, 1),
        _one(AuthorRelation.SAME, "Cy Hu", "Cy Hu", 4, 4),
    )
    assert author_lines(turned) == (
        "1  Ada Roe  ->  Ada Roe (author 2 in the record)",
        "2  B. Li  ->  Bo Li (author 3 in the record)",
        "3  Di Fox  ->  Di Fox (author 1 in the record)",
    )
    more = _match(*turned.people, _one(AuthorRelation.PHANTOM, "J. Loe", None, 5, None))
    assert [row.place for row in author_rows(more)] == ["3", "+"]
    less = _match(*turned.people, _one(AuthorRelation.MISSING, None, "J. Loe", None, 5))
    assert [row.place for row in author_rows(less)] == ["3", "-"]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        pytest.param({}, "year: 1999 -> 2000", id="values"),
        pytest.param({"field": FieldName.CONTAINER_TITLE, "claimed": None}, "venue: nothing -> 2000", id="no-claim"),
        pytest.param({"differences": ("in another order", "x")}, "year: in another order", id="differences"),
        pytest.param({"relation": Relation.SAME}, "", id="same"),
        pytest.param({"relation": Relation.DIFFERENT}, "", id="counted"),
        pytest.param({"rule": "venue_abbreviated"}, "", id="a-form"),
        pytest.param({"claimed": "a" * 90}, f"year: {'a' * 59}… -> 2000", id="cut"),
    ],
)
def test_what_is_noted_is_one_short_line(values: dict[str, object], told: str) -> None:
    one = samples.verdict()
    year = {"field": FieldName.YEAR, "claimed": "1999", "found": "2000", "relation": Relation.VARIANT}
    match = one.fields[0].model_copy(update={**year, "rule": "year_off_by_one", "differences": (), **values})
    assert noted(one.model_copy(update={"fields": (*one.fields, match)})) == told


def test_mere_forms_are_rules_that_no_preset_counts() -> None:
    counted = {name for preset in presets() for name in load(preset=preset).policy.counted}
    assert FORMS.isdisjoint(counted)
    assert {RULES[name].relation for name in FORMS} == {Relation.VARIANT}


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
