"""Values are found and replaced in the source of an entry; what cannot be written is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.fix.entry import apply, revise
from citeaudit.fix.names import listed, name_of
from citeaudit.fix.plan import Correction
from citeaudit.fix.scan import values
from citeaudit.model import AuthorMatch, AuthorRelation, FieldName, Person
from tests import samples

SOURCE = """@Book {key1 , % a remark, with = signs
  Title = "A {"}quoted{"} map",
  % comment = {x},
  author={Poe, Ada}, year = 1999 , note = jan # " and " # {more, of it},
  title = {the second one}, doi={https://doi.org/10.5555/A\\_b},
  url = {https://doi.org/10.5555/a_b}
}"""


def test_every_value_is_found() -> None:
    found = values(SOURCE)
    told = {name: SOURCE[value.start : value.end] for name, value in found.items()}
    assert told == {
        "title": '"A {"}quoted{"} map"',
        "author": "{Poe, Ada}",
        "year": "1999",
        "note": 'jan # " and " # {more, of it}',
        "doi": "{https://doi.org/10.5555/A\\_b}",
        "url": "{https://doi.org/10.5555/a_b}",
    }
    assert [piece.delimiter for piece in found["note"].pieces] == ["", '"', "{"]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("", id="empty"),
        pytest.param("@article", id="no-brace"),
        pytest.param("@article{key}", id="no-comma"),
        pytest.param("@article{key,", id="no-field"),
        pytest.param("@article{key, =}", id="no-name"),
        pytest.param("@article{k, a b}", id="no-equals"),
        pytest.param("@article{k, a = }", id="no-value"),
        pytest.param("@article{k, a = {never", id="open-brace"),
        pytest.param('@article{k, a = "never', id="open-quotes"),
        pytest.param("@article{k, a = {b\\", id="backslash-at-end"),
        pytest.param("@article{k, a = #", id="nothing-joined"),
    ],
)
def test_broken_entries_end_the_search(source: str) -> None:
    assert values(source) == {}


@given(st.text('@{}(),="#%\\\n ab1', max_size=60))
def test_any_text_is_scanned(text: str) -> None:
    for value in values("@a{k," + text).values():
        assert value.start < value.end


def _revised(source: str, *changes: Correction) -> tuple[str, int]:
    told = revise(source, changes, is_ascii=True)
    return apply(source, told.edits), len(told.left)


ENTRY = "@article{k,\n  author = {Poe, Ada and Roe, Bo},\n  %s\n}"


@pytest.mark.parametrize(
    ("field", "claimed", "value", "before", "after"),
    [
        pytest.param(FieldName.PAGES, "1-9", "101-119", "pages = {1--9}", "pages = {101--119}", id="pages"),
        pytest.param(FieldName.PUBLISHER, "A", "B & C", "school = {A}", "school = {B \\& C}", id="publisher"),
        pytest.param(FieldName.VOLUME, "3", "7", "volume = 3", "volume = 7", id="volume"),
        pytest.param(FieldName.VOLUME, "3", "A7", "volume = 3", "volume = {A7}", id="bare-to-braces"),
        pytest.param(FieldName.ISSUE, "1", "2", 'number = "1"', 'number = "2"', id="issue"),
        pytest.param(FieldName.CONTAINER_TITLE, "X", "Map News", "journal = mn", "journal = {Map News}", id="string"),
        pytest.param(FieldName.TITLE, "x", "Map News", 'title = "Map " # mn', 'title = "Map News"', id="title-joined"),
        pytest.param(FieldName.ISBN, "1", "9780306406157", "isbn = {0-1}", "isbn = {9780306406157}", id="isbn"),
        pytest.param(
            FieldName.DOI,
            "10.5555/a_b",
            "10.5555/c_d",
            "doi = {10.5555/A\\_b}, url = {https://doi.org/10.5555/a_b}",
            "doi = {10.5555/c\\_d}, url = {https://doi.org/10.5555/c_d}",
            id="doi-everywhere",
        ),
        pytest.param(
            FieldName.ARXIV_ID,
            "1703.01234",
            "1703.04321",
            "journal = {arXiv preprint arXiv:1703.01234}",
            "journal = {arXiv preprint arXiv:1703.04321}",
            id="arxiv-in-journal",
        ),
        pytest.param(
            FieldName.ARXIV_ID,
            "1703.99999",
            "1703.04321",
            "eprint = {arXiv:1703.99999v2 [cs.CL]}, eprinttype = {arxiv}, doi = {10.48550/arXiv.1703.99999}",
            "eprint = {arXiv:1703.04321 [cs.CL]}, eprinttype = {arxiv}, doi = {10.48550/arXiv.1703.04321}",
            id="arxiv-with-version-and-class-and-doi",
        ),
        pytest.param(
            FieldName.ARXIV_ID,
            "cs/0701001",
            "cs/0701002",
            "url = {https://arxiv.org/abs/cs.LG/0701001}",
            "url = {https://arxiv.org/abs/cs/0701002}",
            id="arxiv-with-subject-class",
        ),
        pytest.param(
            FieldName.ARXIV_ID,
            "2413.01234",
            "1703.04321",
            "eprint = { 24.13.01234 }, archiveprefix = {arXiv}",
            "eprint = { 1703.04321 }, archiveprefix = {arXiv}",
            id="arxiv-read-otherwise",
        ),
        pytest.param(FieldName.ARXIV_ID, "24.1", "1703.04321", 'eprint = "241"', 'eprint = "1703.04321"', id="quoted"),
        pytest.param(FieldName.PMCID, "PMC12", "PMC34", "pmcid = {12}", "pmcid = {34}", id="pmcid-bare"),
        pytest.param(FieldName.PMCID, "PMC12", "PMC34", "pmcid = {pmc12}", "pmcid = {PMC34}", id="pmcid"),
        pytest.param(FieldName.DOI, "10.5555/a_b", "10.5/c_d", "doi={10.5555/a%5Fb}", "doi={10.5/c_d}", id="encoded"),
        pytest.param(
            FieldName.DOI, "10.5555/a_b", "10.5/c_d", "doi={10.5555/a{\\_}b}", "doi={10.5/c\\_d}", id="escaped"
        ),
        pytest.param(FieldName.YEAR, "2004", "2014", "date = {2004-05}", "date = {2014-05}", id="month-is-kept"),
    ],
)
def test_values_are_replaced(field: FieldName, claimed: str, value: str, before: str, after: str) -> None:
    assert _revised(ENTRY % before, Correction(field, claimed, value)) == (ENTRY % after, 0)


@pytest.mark.parametrize(
    ("field", "claimed", "value", "before"),
    [
        pytest.param(FieldName.YEAR, "1", "2", "crossref = {other}", id="inherited"),
        pytest.param(FieldName.TITLE, "1", "2", "title = {A}, subtitle = {B}", id="subtitle"),
        pytest.param(FieldName.YEAR, "1922", "1987", "year = {1987 [1922]}", id="two-years"),
        pytest.param(FieldName.DOI, "10.5555/a", "10.5555/b", "url = {https://doi.org/10.5555/ab}", id="longer-doi"),
        pytest.param(FieldName.DOI, "10.5555/a", "10.5555/b", "doi = {in print, 10.5}", id="doi-in-words"),
        pytest.param(FieldName.ARXIV_ID, "1", "2", "eprint = {77}, eprinttype = {jstor}", id="another-archive"),
        pytest.param(FieldName.DOI, None, "10.5555/b", "doi = {10.5555/ab}", id="no-doi"),
    ],
)
def test_what_does_not_stand_alone_is_left_and_told(
    field: FieldName, claimed: str | None, value: str, before: str
) -> None:
    assert _revised(ENTRY % before, Correction(field, claimed, value)) == (ENTRY % before, 1)


@pytest.mark.parametrize(
    ("field", "before", "told"),
    [
        pytest.param(
            FieldName.YEAR,
            "crossref = {all2014}",
            "The year was not changed: it comes from all2014 by crossref; 7 is recorded.",
            id="inherited",
        ),
        pytest.param(
            FieldName.YEAR,
            "year = {1987 [1922]}, crossref = {all2014}",
            "The year was not changed: the entry has it in a form that is not written; 7 is recorded.",
            id="own-value",
        ),
        pytest.param(
            FieldName.ARXIV_ID,
            "note = {24.13.1}",
            "The arXiv id was not changed: the entry has it in a form that is not written; 7 is recorded.",
            id="identifier",
        ),
    ],
)
def test_why_a_value_is_left_is_told_with_the_recorded_one(field: FieldName, before: str, told: str) -> None:
    assert revise(ENTRY % before, [Correction(field, "x", "7")], is_ascii=True).left == (told,)


def test_a_broken_entry_is_left() -> None:
    source = "@article{k, year = {1999}, title = {never"
    assert _revised(source, Correction(FieldName.YEAR, "1999", "2000")) == (source, 1)


def _people(*rows: tuple[AuthorRelation, int | None, int | None]) -> tuple[AuthorMatch, ...]:
    return tuple(
        AuthorMatch(
            relation=relation, claimed="x" if place else None, found="y" if at else None, place=place, found_place=at
        )
        for relation, place, at in rows
    )


SAME, VARIANT, MOVED = AuthorRelation.SAME, AuthorRelation.VARIANT, AuthorRelation.MOVED
PHANTOM, MISSING, GIVEN = AuthorRelation.PHANTOM, AuthorRelation.MISSING, AuthorRelation.GIVEN_NAME
THREE = samples.people("Ada Poe", "Bo Roe", "Cy Moe")


@pytest.mark.parametrize(
    ("source", "people", "told"),
    [
        pytest.param(
            "Poe, A. and Roe, Bo\n   AND Loe, D.",
            _people((VARIANT, 1, 1), (SAME, 2, 2), (PHANTOM, 3, None), (MISSING, None, 3)),
            "Poe, A. and Roe, Bo and Moe, Cy",
            id="phantom-and-missing",
        ),
        pytest.param(
            "A. Poe and X. Roe and C. Moe",
            _people((VARIANT, 1, 1), (GIVEN, 2, 2), (VARIANT, 3, 3)),
            "A. Poe and Bo Roe and C. Moe",
            id="given-name-direct",
        ),
        pytest.param(
            "Moe, C. and Poe, A. and Roe, B.",
            _people((MOVED, 1, 3), (MOVED, 2, 1), (MOVED, 3, 2)),
            "Poe, A. and Roe, B. and Moe, C.",
            id="order",
        ),
        pytest.param("Loe, A. and others", _people((PHANTOM, 1, None)), "Poe, Ada and others", id="others"),
        pytest.param("Poe, A. and {Roe and Moe}", (), "Poe, Ada and Roe, Bo and Moe, Cy", id="nothing-known"),
        pytest.param("", (), "Poe, Ada and Roe, Bo and Moe, Cy", id="joined"),
        pytest.param("others", (), None, id="no-name"),
    ],
)
def test_lists_of_authors(source: str, people: tuple[AuthorMatch, ...], told: str | None) -> None:
    assert listed(Correction(FieldName.AUTHORS, "x", "y", THREE, people), source, is_ascii=True) == told


@pytest.mark.parametrize(
    ("person", "inverted", "told"),
    [
        pytest.param(Person(family="van der Berg", given="A."), True, "van der Berg, A.", id="particle"),
        pytest.param(Person(family="van der Berg", given="A."), False, "A. {van der Berg}", id="particle-direct"),
        pytest.param(Person(family="King", given="M.", suffix="Jr"), False, "King, Jr, M.", id="suffix"),
        pytest.param(Person(literal="Map and Chart Group"), True, "{Map and Chart Group}", id="group"),
        pytest.param(Person(family="Solo"), True, "Solo", id="one-word"),
        pytest.param(Person(family="de Solo"), True, "de Solo,", id="family-alone"),
        pytest.param(Person(family="Ørsted", given="M."), True, "{\\O}rsted, M.", id="mark"),
        pytest.param(Person(family="Poe, Roe", given="M."), True, "{Poe, Roe}, M.", id="comma"),
    ],
)
def test_names_are_split_as_they_should(person: Person, inverted: bool, told: str) -> None:
    assert name_of(person, inverted=inverted, is_ascii=True) == told
