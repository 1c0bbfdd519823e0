"""Foreign JSON: what is odd is left out, and nothing fails."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.text.foreign import MAX_TEXT, Foreign, Many, One, Text, Texts, Year, read_text, read_texts, read_year

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet=st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


class Inner(Foreign):
    name: Text = None


class Outer(Foreign):
    title: Text = None
    titles: Texts = ()
    year: Year = None
    inner: One[Inner] = None
    many: Many[Inner] = ()


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(("title", "titles", "year", "inner", "many"), JSON)))
def test_no_value_makes_a_record_fail(value: dict[str, object]) -> None:
    record = Outer.model_validate(value)
    assert record.title is None or record.title.isprintable()
    assert all(record.titles)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(True, None, id="bool"),
        pytest.param(1.5, None, id="float"),
        pytest.param(7, "7", id="int"),
        pytest.param(10**5_000, None, id="endless-int"),
        pytest.param(["a"], None, id="list"),
        pytest.param("a\x00b\x1b[31mc\u202e", "ab[31mc", id="controls"),
        pytest.param("\ud835", "?", id="surrogate"),
        pytest.param("m" * 9_999, "m" * MAX_TEXT, id="endless"),
        pytest.param("<mml:math><mml:mi>x</mml:mi></mml:math> rays", "x rays", id="mathml"),
    ],
)
def test_text(value: object, expected: str | None) -> None:
    assert read_text(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (2020, 2020),
        ("2020", 2020),
        ("2020-05", 2020),
        ("May 2020", None),
        (20, None),
        (9999, None),
        (True, None),
        ([], None),
    ],
)
def test_year(value: object, expected: int | None) -> None:
    assert read_year(value) == expected


def test_texts_of_anything() -> None:
    assert read_texts({"a": 1}) == ()
    assert len(read_texts(["a"] * 20_000)) == 10_000


def test_records_within_records() -> None:
    record = Outer.model_validate({"inner": {"name": "x", "other": 1}, "many": [{"name": "y"}, None, 3, "z"]})
    assert record.inner == Inner(name="x")
    assert record.many == (Inner(name="y"),)
