"""A suggestion is the cited entry with its wrong values replaced, in BibTeX and in one line; nothing is invented."""

from __future__ import annotations

import pytest

from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.model import (
    AuthorMatch,
    AuthorRelation,
    FieldMatch,
    FieldName,
    Identifiers,
    Person,
    Reference,
    Relation,
    Status,
    Verdict,
)
from citeaudit.report.suggestion import plain, suggest
from tests import samples

WORK = samples.work("On the writing of maps", "Ada Poe", "Bo Roe", year=2014).model_copy(
    update={"container_title": "Map News", "volume": "3", "identifiers": Identifiers(doi="10.5555/maps")}
)
ENTRY = """@Book{my:key,
  title = {On the Drawing of {Maps}},
  author = {Poe, A.}, year = {2013}, journal = {Map News}, note = {mine}
}"""


def _verdict(reference: Reference, *fields: FieldMatch) -> Verdict:
    one = samples.verdict(Status.MISMATCHED, found="y", of=reference)
    assert one.best is not None
    return one.model_copy(update={"best": one.best.model_copy(update={"work": WORK}), "fields": fields})


def _field(field: FieldName, claimed: str, rule: str, found: str = "y") -> FieldMatch:
    return FieldMatch(field=field, claimed=claimed, found=found, relation=Relation.DIFFERENT, score=0.0, rule=rule)


TITLE = _field(FieldName.TITLE, "On the Drawing of Maps", "title_differs", "On the writing of maps")
YEAR = _field(FieldName.YEAR, "2013", "year_differs", "2014")
AUTHORS = _field(FieldName.AUTHORS, "A. Poe", "author_not_in_record")
DOI = _field(FieldName.DOI, "10.5555/other", "identifier_unknown")


def test_a_bib_entry_keeps_key_type_and_all_else() -> None:
    (reference,) = read_bibtex(ENTRY, path="refs.bib").references
    told = suggest(_verdict(reference, TITLE, YEAR))
    assert told is not None
    assert told.bibtex == ENTRY.replace("Drawing", "Writing").replace("2013", "2014") + "\n"
    assert told.fields == {"title": "On the writing of maps", "year": "2014"}
    assert told.plain == "A. Poe. 2014. On the writing of maps. Map News."
    assert told.needed == ()


def test_another_reference_becomes_an_entry_of_its_own_fields() -> None:
    reference = samples.reference(
        "On the drawing of maps", "Ada Poe", "Cy Moe", identifiers=Identifiers(doi="10.5555/other")
    ).model_copy(update={"container_title": "Map News"})
    told = suggest(_verdict(reference, AUTHORS, DOI))
    assert told is not None
    assert told.bibtex == (
        "@misc{poe1999drawing,\n  author = {Poe, Ada and Roe, Bo},\n  doi = {10.5555/maps},\n"
        "  journal = {Map News},\n  title = {On the drawing of maps},\n  year = {1999}\n}\n"
    )
    assert told.plain == "Ada Poe, Bo Roe. 1999. On the drawing of maps. Map News. doi:10.5555/maps"


def test_a_list_cut_by_et_al_stays_cut() -> None:
    reference = samples.reference("x", "Cy Moe").model_copy(update={"authors_truncated": True})
    told = suggest(_verdict(reference, AUTHORS))
    assert told is not None
    assert told.plain == "Ada Poe et al. 1999. x."


def test_names_that_are_right_stay_as_cited() -> None:
    short = WORK.model_copy(update={"authors": samples.people("A. Poe", "B. Roe")})
    reference = samples.reference("x", "Áda Poe", "Cy Moe")
    people = (
        AuthorMatch(relation=AuthorRelation.VARIANT, claimed="Áda Poe", found="A. Poe", place=1, found_place=1),
        AuthorMatch(relation=AuthorRelation.PHANTOM, claimed="Cy Moe", found=None, place=2),
    )
    one = _verdict(reference, AUTHORS.model_copy(update={"people": people}))
    assert one.best is not None
    told = suggest(one.model_copy(update={"best": one.best.model_copy(update={"work": short})}))
    assert told is not None
    assert told.fields == {"authors": "Áda Poe, B. Roe"}
    assert told.plain == "Áda Poe, B. Roe. 1999. x."
    assert told.bibtex is not None
    assert "author = {Poe, Áda and Roe, B.}" in told.bibtex


def test_names_in_one_string_are_split() -> None:
    whole = WORK.model_copy(update={"authors": (Person(literal="Poe, A. B."), Person(literal="Roe, B."))})
    one = _verdict(samples.reference("x", "Cy Moe"), AUTHORS)
    assert one.best is not None
    told = suggest(one.model_copy(update={"best": one.best.model_copy(update={"work": whole})}))
    assert told is not None
    assert told.plain == "A. B. Poe, B. Roe. 1999. x."
    assert told.bibtex is not None
    assert "author = {Poe, A. B. and Roe, B.}" in told.bibtex


def test_a_damaged_record_suggests_nothing_and_says_so() -> None:
    one = _verdict(samples.reference("On the drawing of maps", "Ada Poe"), TITLE)
    assert one.best is not None
    work = WORK.model_copy(update={"title": "On the writing of mÃ¤ps"})
    told = suggest(one.model_copy(update={"best": one.best.model_copy(update={"work": work})}))
    assert told is not None
    assert (told.bibtex, dict(told.fields)) == (None, {})
    assert told.needed[0].startswith("The title cannot be settled by the record in index")


def test_an_entry_whose_value_stands_elsewhere_is_written_anew() -> None:
    own = "title = {On maps}, author = {Poe, A.}, journal = {Map News}, crossref = {parent}"
    child = read_bibtex(f"@article{{child, {own}}}\n@book{{parent, year = {{2013}}}}", path="refs.bib").references[0]
    told = suggest(_verdict(child, YEAR))
    assert told is not None
    assert told.bibtex is not None
    assert "@article{child," in told.bibtex
    assert "year = {2014}" in told.bibtex


@pytest.mark.parametrize(
    ("verdict", "needed"),
    [
        pytest.param(samples.verdict(), None, id="verified"),
        pytest.param(samples.verdict(Status.UNDECIDED), None, id="undecided"),
        pytest.param(samples.verdict(Status.NOT_FOUND), 1, id="not-found"),
    ],
)
def test_without_a_certain_record_there_is_nothing_to_suggest(verdict: Verdict, needed: int | None) -> None:
    told = suggest(verdict)
    assert (None if told is None else (told.bibtex, told.plain, dict(told.fields), len(told.needed))) == (
        None if needed is None else (None, None, {}, needed)
    )


def test_one_line_holds_what_the_reference_has() -> None:
    one = samples.reference("Maps.", "Ada Poe", identifiers=Identifiers(arxiv_id="1703.1", url="https://x.example"))
    full = one.model_copy(
        update={
            "year_suffix": "a",
            "container_title": "Map News",
            "volume": "3",
            "issue": "2",
            "pages": "1-9",
            "publisher": "Kiel Press",
        }
    )
    assert plain(full) == "Ada Poe. 1999a. Maps. Map News 3(2): 1-9. Kiel Press. arxiv:1703.1"
    assert plain(Reference(raw="x")) == ""
