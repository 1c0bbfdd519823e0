"""What stands for something printed before."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.extract.ditto import Kind, back, expand, family, fold, stands_for_authors
from citeaudit.extract.fields.reader import read_fields
from citeaudit.model import Person, Reference

ROE = Person(family="Roe", given="Jane")
POE = Person(family="Poe", given="Ann")


def reference(raw: str, *authors: Person, **fields: object) -> Reference:
    return Reference.model_validate({"raw": raw, "authors": authors, **fields})


ABOVE = reference("Roe, Jane. 1998. On Columns. London: Row.", ROE, title="On Columns", year=1998, volume="2")


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("———. 1999. On Rows.", id="three-em"),
        pytest.param("— 1999. On Rows.", id="one-em"),
        pytest.param("– – –. 1999. On Rows.", id="spaced"),
        pytest.param("---. On Rows. 1999.", id="hyphens"),
        pytest.param("______. On Rows. 1999.", id="underscores"),
        pytest.param("Ders. (1999): On Rows.", id="ders"),
        pytest.param("Dies.: On Rows. Bonn 1999.", id="dies"),
        pytest.param("ders., On Rows, Bonn 1999.", id="lower-case"),
        pytest.param(", On Rows, Bonn, 1999.", id="drawn-rule"),
        pytest.param("Idem, On Rows, 1999.", id="idem"),
        pytest.param("Derselbe, On Rows, 1999.", id="derselbe"),
    ],
)
def test_mark_stands_for_the_authors_above(raw: str) -> None:
    second = expand([ABOVE, reference(raw, title="On Rows", year=1999)])[1]
    assert second.authors == (ROE,)
    assert second.raw == raw
    assert (second.title, second.year) == ("On Rows", 1999)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("Roe, J. 1999. On Rows.", id="name"),
        pytest.param("Dersch, J. 1999. On Rows.", id="name-that-begins-alike"),
        pytest.param("Ideal Rows. 1999.", id="title-that-begins-alike"),
        pytest.param("Dies alles war 1999 neu.", id="german-this"),
        pytest.param("-omics and rows. 1999.", id="one-hyphen"),
        pytest.param("", id="nothing"),
    ],
)
def test_names_and_titles_are_no_marks(raw: str) -> None:
    assert stands_for_authors(raw) == 0


def test_marks_in_a_row_stand_for_one_author() -> None:
    read = expand([ABOVE, reference("———. 1999. Rows."), reference("———. 2001. Cells.")])
    assert [one.authors for one in read] == [(ROE,)] * 3


def test_mark_on_top_of_a_list_leaves_the_authors_empty() -> None:
    (only,) = expand([reference("———. 1999. Rows.", Person(literal="———"))])
    assert only.authors == ()


def test_editor_behind_a_mark_is_an_editor() -> None:
    second = expand([ABOVE, reference("———, ed. 1999. Rows in Time.", title="Rows in Time")])[1]
    assert (second.authors, second.editors) == ((), (ROE,))


def test_editors_above_are_stood_for_too() -> None:
    above = reference("Roe, Jane, ed. 1998. Columns.", editors=(ROE,))
    assert expand([above, reference("———. 1999. Rows.")])[1].authors == (ROE,)


def test_names_behind_a_mark_are_added() -> None:
    second = expand([ABOVE, reference("———, and Ann Poe. 1999. Rows.", POE)])[1]
    assert second.authors == (ROE, POE)


def test_truncated_list_above_is_truncated_below() -> None:
    above = ABOVE.model_copy(update={"authors_truncated": True})
    assert expand([above, reference("———. 1999. Rows.")])[1].authors_truncated


def test_mark_read_as_a_title_is_taken_back() -> None:
    second = expand([ABOVE, reference("______; Poe, A. Os quadros. 1997.", title="______; Poe", parse_score=0.9)])[1]
    assert second.title is None
    assert second.parse_score <= 0.2


@pytest.mark.parametrize(
    ("above", "raw", "title", "names"),
    [
        pytest.param(
            "Smith, J. A. B. 1993. “What Do Committees Decide?” Public Choice Letters 8 (2): 14.",
            "———, and Rita Poe. 2001. “Chairs of Committees.” Public Choice Letters 16 (1): 1–9.",
            "Chairs of Committees",
            ["Smith", "Poe"],
            id="chicago-one-more",
        ),
        pytest.param(
            "Roe, Jane (1988): Alte Zeilen. Bonn: Verlag.",
            "Dies. (1999): Neue Zeilen. Berlin: Verlag.",
            "Neue Zeilen",
            ["Roe"],
            id="german",
        ),
        pytest.param(
            "ROE, J. As linhas. São Paulo: Hucitec, 1991.",
            "______. As colunas. São Paulo: Hucitec, 1995.",
            "As colunas",
            ["ROE"],
            id="abnt",
        ),
    ],
)
def test_fields_are_read_with_the_names_in_place(above: str, raw: str, title: str, names: list[str]) -> None:
    read = expand([read_fields(above), read_fields(raw)], lambda _, text: read_fields(text))[1]
    assert read.raw == raw
    assert read.title == title
    assert [person.family for person in read.authors] == names


def test_a_reading_without_the_names_is_not_taken() -> None:
    read = expand([ABOVE, reference("———. 1999. Rows.", title="Rows")], lambda _, text: reference(text, title="Wrong"))
    assert (read[1].title, read[1].authors) == ("Rows", (ROE,))


def test_ibid_in_a_list_is_the_work_above() -> None:
    second = expand([ABOVE, reference("Ibid., vol. 3, pp. 4-5.", volume="3", pages="4-5", parse_score=0.4)])[1]
    assert (second.title, second.authors, second.year) == ("On Columns", (ROE,), 1998)
    assert (second.volume, second.pages, second.parse_score) == ("3", "4-5", 0.4)


def test_ibid_with_a_year_of_its_own_keeps_it() -> None:
    assert expand([ABOVE, reference("Ibid., vol. 3, 2001.", year=2001)])[1].year == 2001


def test_ibid_on_top_of_a_list_stays_as_it_is() -> None:
    alone = reference("Ibid., p. 3.")
    assert expand([alone]) == (alone,)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(
            pytest.param(text, Kind.IBID, id=text)
            for text in (
                "Ibid., 14.",
                "ibid.",
                "Ebd., S. 3.",
                "Ebenda, S. 4 f.",
                "A. a. O., S. 9",
                "a.a.O.",
                "op. cit., 4",
            )
        ),
        *(
            pytest.param(text, Kind.SHORT, id=text)
            for text in (
                "Smith, op. cit., p. 14",
                "Schmidt (Anm. 3), S. 14",
                "Schmidt, wie Anm. 12.",
                "Schmidt: a.a.O., S. 9 f.",
                "Roe, loc. cit.",
                "Roe, Rows (n. 4 above), 12",
            )
        ),
        *(
            pytest.param(text, None, id=text)
            for text in (
                "A. Roe, Rows, Bonn 1999, S. 14",
                "Ibidsen, Rows, 1999",
                "Roe, Rows and Columns, 1999 (op. cit.)",
                "Roe, Rows, p. 4",
                "",
            )
        ),
    ],
)
def test_short_forms_point_back(text: str, kind: Kind | None) -> None:
    found = back(text)
    assert (found.kind if found else None) == kind


def test_short_forms_say_whom_and_which_note() -> None:
    found = back("J. von Schmidt (Anm. 13), S. 14")
    assert found is not None
    assert (found.name, found.note) == ("vonschmidt", "13")
    assert family("123") == ""


@given(st.lists(st.text(max_size=40), max_size=6))
def test_expanding_keeps_number_order_and_words(raws: list[str]) -> None:
    references = [reference(raw or "x") for raw in raws]
    read = expand(references)
    assert [one.raw for one in read] == [one.raw for one in references]


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@pytest.mark.parametrize("char", ["-", "_", "—", "a", "A", ".", " ", "1", "i", "("])
def test_a_long_line_takes_no_time(char: str) -> None:
    started = time.process_time()
    expand([reference(char * 1_000_000), reference(char * 1_000_000)])
    back(char * 1_000_000)
    assert time.process_time() - started < 1
