"""A decision reaches the same reference in another document, and never a neighbour."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.decisions.fingerprint import VERSION, closest, core_of, covers, fingerprint, is_fingerprint, why_not
from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.model import Identifiers, Person, Reference
from tests.match.build import cite, people

TITLE = "Attention is all you need"
REAL = "Ashish Vaswani; Noam Shazeer; Niki Parmar"
PAPER = cite(TITLE, REAL, 2017)

NAMES = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=9).map(str.capitalize)
AUTHORS = st.lists(
    st.builds(lambda given, family: Person(given=given, family=family), NAMES, NAMES), min_size=1, max_size=5
)
TITLES = st.lists(NAMES, min_size=1, max_size=8).map(" ".join)
REFERENCES = st.builds(
    lambda title, authors, year: Reference(raw="as printed", title=title, authors=tuple(authors), year=year),
    TITLES,
    AUTHORS,
    st.integers(1900, 2030),
)


def mark(reference: Reference) -> str:
    found = fingerprint(reference)
    assert found is not None
    return found


def changed(reference: Reference, **fields: Any) -> Reference:
    return reference.model_copy(update=fields)


def renamed(reference: Reference, change: Any) -> tuple[Person, ...]:
    return tuple(
        person.model_copy(update={"given": change(person.given or ""), "family": change(person.family or "")})
        for person in reference.authors
    )


def marked(text: str) -> str:
    """Put a diaeresis on vowels that may bear one."""
    return unicodedata.normalize("NFC", re.sub("([aou])", "\\1\u0308", text))


@given(REFERENCES)
def test_case_marks_spacing_and_punctuation_change_nothing(reference: Reference) -> None:
    title = reference.title or ""
    before = mark(reference)
    for change in (str.upper, str.lower, marked):
        assert mark(changed(reference, title=change(title), authors=renamed(reference, change))) == before
    spaced = changed(reference, title=f"  {title.replace(' ', ' - ')}. ", raw="another style")
    assert mark(spaced) == before
    other_form = changed(reference, container_title="J. Any", volume="3", issue="2", pages="1-9", publisher="Any")
    assert mark(other_form) == before


@given(REFERENCES, st.data())
def test_any_other_family_name_or_place_makes_another_reference(reference: Reference, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(reference.authors) - 1))
    family = data.draw(NAMES.filter(lambda name: name != reference.authors[place].family))
    authors = list(reference.authors)
    authors[place] = authors[place].model_copy(update={"family": family})
    assert not covers(mark(reference), mark(changed(reference, authors=tuple(authors))))
    fewer = reference.authors[:-1]
    if fewer:
        assert not covers(mark(reference), mark(changed(reference, authors=fewer)))
    more = (*reference.authors, Person(given="Nora", family="Nobody"))
    assert not covers(mark(reference), mark(changed(reference, authors=more)))
    swapped = tuple(reversed(reference.authors))
    assert covers(mark(reference), mark(changed(reference, authors=swapped))) == (swapped == reference.authors)


@given(REFERENCES)
def test_a_decision_on_full_names_holds_for_initials_and_not_the_other_way(reference: Reference) -> None:
    initials = tuple(one.model_copy(update={"given": f"{(one.given or '')[0]}."}) for one in reference.authors)
    short = changed(reference, authors=initials)
    assert covers(mark(reference), mark(short))
    assert not covers(mark(short), mark(reference))
    assert mark(short).endswith("-initials")


DIFFERENT = [
    pytest.param({"authors": people("Nora Nobody; Ned Nowhere")}, id="row-28-same-title-invented-authors"),
    pytest.param({"authors": people("Anna Vaswani; Noam Shazeer; Niki Parmar")}, id="another-given-name-same-initial"),
    pytest.param({"authors": people("A. B. Vaswani; N. Shazeer; N. Parmar")}, id="a-further-initial"),
    pytest.param({"authors": people("Noam Shazeer; Ashish Vaswani; Niki Parmar")}, id="another-order"),
    pytest.param({"authors_truncated": True}, id="et-al"),
    pytest.param({"title": "Attention is not all you need"}, id="negated-title"),
    pytest.param({"title": "Attention is all you need: A sequel"}, id="longer-title"),
    pytest.param({"year": 2018}, id="year"),
    pytest.param({"year": None}, id="no-year"),
    pytest.param({"identifiers": Identifiers(doi="10.1234/other")}, id="doi"),
    pytest.param({"identifiers": Identifiers(arxiv_id="1706.03762")}, id="arxiv"),
    pytest.param({"authors": ()}, id="title-alone"),
    pytest.param({"authors": (), "container_title": "Proceedings"}, id="title-and-venue"),
]


@pytest.mark.parametrize("fields", DIFFERENT)
def test_a_neighbour_never_inherits(fields: dict[str, Any]) -> None:
    other = changed(PAPER, **fields)
    assert not covers(mark(PAPER), closest(other))
    assert not covers(closest(other), mark(PAPER))


SAME = [
    pytest.param({"identifiers": Identifiers(url="https://example.org")}, id="a-web-address"),
    pytest.param({"identifiers": Identifiers(issn="1234-5678")}, id="an-issn"),
    pytest.param({"container_title": "NeurIPS", "pages": "1-11", "volume": "30"}, id="a-venue"),
    pytest.param({"authors": people("A. Vaswani; N. Shazeer; N. Parmar")}, id="initials"),
    pytest.param({"editors": people("Ada Roe")}, id="editors-beside-authors"),
]


@pytest.mark.parametrize("fields", SAME)
def test_another_form_inherits(fields: dict[str, Any]) -> None:
    assert covers(mark(PAPER), mark(changed(PAPER, **fields)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Programming in C", "Programming in C++", id="plus"),
        pytest.param("Programming in C", "Programming in C#", id="sharp"),
        pytest.param("∀", "∃", id="signs-alone"),
    ],
)
def test_signs_that_tell_titles_apart_are_kept(one: str, other: str) -> None:
    assert mark(cite(one, "Ada Roe", 1999)) != mark(cite(other, "Ada Roe", 1999))


def test_latex_accents_are_those_of_text() -> None:
    source = r"""@article{a, title={Na{\"i}ve {B}ayes and Erd{\H o}s}, author={Heged{\H u}s, {\'A}d{\'a}m}, year=2001}
    @article{b, title={Naïve Bayes and Erdős}, author={Ádám Hegedűs}, year=2001}"""
    one, other = read_bibtex(source, path="x.bib").references
    assert mark(one) == mark(other)
    bare = changed(other, authors=(Person(family=r"Heged\H us", given="Ádám"),), title=r"Na\"ive Bayes and Erd\H os")
    assert mark(bare) == mark(other)
    grouped = changed(other, title="{Naïve} {Bay}es and Erdős", authors=(Person(family="{Heged}űs", given="Ádám"),))
    assert mark(grouped) == mark(other)
    raw = changed(
        other, title=r"Na\"{i}ve {B}ayes and Erd\H{o}s", authors=(Person(family=r"Heged{\H u}s", given="Ádám"),)
    )
    assert mark(raw) == mark(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            Identifiers(doi="10.48550/arXiv.1706.03762v3"), Identifiers(arxiv_id="1706.03762"), id="arxiv-doi"
        ),
        pytest.param(Identifiers(arxiv_id="1706.03762v7"), Identifiers(arxiv_id="1706.03762v1"), id="revisions"),
        pytest.param(Identifiers(doi="10.1/ABC"), Identifiers(doi="10.1/abc"), id="case"),
    ],
)
def test_forms_of_one_identifier_are_one(one: Identifiers, other: Identifiers) -> None:
    assert mark(changed(PAPER, identifiers=one)) == mark(changed(PAPER, identifiers=other))


POOR = [
    pytest.param(cite(TITLE, "", 2017), "no authors", id="title-alone"),
    pytest.param(cite(TITLE, "=Anonymous", 2017), "no authors", id="placeholder"),
    pytest.param(cite(TITLE, "=———", 2017), "no authors", id="ditto-dash"),
    pytest.param(
        changed(cite(TITLE, "", 2017), identifiers=Identifiers(issn="1234-5678")),
        "no authors",
        id="an-issn-tells-no-work",
    ),
    pytest.param(cite(TITLE, "", None, container_title="Proceedings"), "no authors", id="venue-alone"),
    pytest.param(cite(None, REAL, 2017), "no title", id="authors-alone"),
    pytest.param(cite("  ", REAL, 2017), "no title", id="blank-title"),
    pytest.param(cite(None, REAL, 2017, container_title="J. Any", volume="3"), "no title", id="no-page"),
    pytest.param(cite(None, "", None), "no title", id="nothing"),
]


@pytest.mark.parametrize(("reference", "lacking"), [*POOR])
def test_what_could_be_anything_cannot_be_decided(reference: Reference, lacking: str) -> None:
    assert fingerprint(reference) is None
    assert lacking in (why_not(reference) or "")
    assert closest(reference).startswith("raw-")
    assert not is_fingerprint(closest(reference))


RICH = [
    pytest.param(cite(TITLE, "", 2017, container_title="Proceedings"), {"container_title": "Another"}, id="venue-year"),
    pytest.param(cite(TITLE, "", None, doi="10.1/x"), {"identifiers": Identifiers(doi="10.1/y")}, id="doi"),
    pytest.param(
        cite("Release notes", "", None, url="https://www.example.org/notes/"),
        {"identifiers": Identifiers(url="https://example.org/other")},
        id="web-page",
    ),
    pytest.param(
        cite(None, REAL, 2017, container_title="Phys. Rev.", volume="3", pages="12-14"), {"pages": "15-18"}, id="page"
    ),
    pytest.param(cite(None, "", None, container_title="A", volume="3", pages="1"), {"volume": "4"}, id="volume"),
]


@pytest.mark.parametrize(("reference", "other"), RICH)
def test_without_title_or_authors_the_other_fields_count(reference: Reference, other: dict[str, Any]) -> None:
    assert why_not(reference) is None
    assert mark(reference) != mark(changed(reference, **other))


def test_address_and_page_count_in_any_form() -> None:
    page = cite("Release notes", "", None, url="https://www.example.org/notes/")
    assert mark(page) == mark(changed(page, identifiers=Identifiers(url="http://example.org/notes")))
    place = cite(None, REAL, 2017, container_title="Phys. Rev.", volume="3", pages="12-14")
    assert mark(place) == mark(changed(place, pages="12–20", container_title="phys rev"))


def test_a_body_and_an_editor_are_people() -> None:
    body = cite(TITLE, "=World Bank", 2017)
    assert mark(body) != mark(cite(TITLE, "=World Health Organization", 2017))
    edited = changed(cite(TITLE, "", 2017), editors=people(REAL))
    assert why_not(edited) is None
    assert mark(edited) != mark(PAPER)
    assert mark(changed(edited, authors=people("=Anonymous"))) == mark(edited)
    assert mark(cite(TITLE, "Ada Author", 2017)) != mark(cite(TITLE, "Bo Author", 2017))
    assert mark(cite(TITLE, "Ada Roe; =Anonymous", 2017)) != mark(cite(TITLE, "Ada Roe", 2017))


def test_spacing_and_hyphens_of_names_change_nothing() -> None:
    one = cite(TITLE, "van der Berg, Jan-Pieter; =World Bank", 2017)
    assert mark(one) == mark(cite(TITLE, "Vanderberg, Jan Pieter; =Worldbank", 2017))
    assert mark(cite(TITLE, "Li, Bo", 2017)) != mark(cite(TITLE, "Li, B.", 2017))
    assert not mark(cite(TITLE, "Li, Bo", 2017)).endswith("-initials")
    assert mark(cite(TITLE, "Li, J.-P.", 2017)) == mark(cite(TITLE, "Li, J P", 2017))
    assert fingerprint(changed(PAPER, authors=(Person(family="Anonymous"),))) is None
    assert fingerprint(changed(PAPER, authors=(Person(literal="N/A", family="Roe"),))) is None


def test_addresses_are_told_apart() -> None:
    page = cite("Release notes", "", None, url="https://example.org/a?to=https://b.example/")
    assert mark(page) == mark(changed(page, identifiers=Identifiers(url="example.org/a?to=https://b.example")))
    for url in ("https://other.org/a?to=https://b.example", "https://example.org/b"):
        assert mark(page) != mark(changed(page, identifiers=Identifiers(url=url)))
    arxiv = changed(PAPER, identifiers=Identifiers(arxiv_id="1706.03762"))
    assert mark(arxiv) != mark(changed(PAPER, identifiers=Identifiers(arxiv_id="1706.03763")))


def test_suffixes_count_with_full_names() -> None:
    junior = changed(PAPER, authors=(PAPER.authors[0].model_copy(update={"suffix": "Jr"}), *PAPER.authors[1:]))
    assert core_of(mark(junior)) == core_of(mark(PAPER))
    assert not covers(mark(junior), mark(PAPER))


def test_the_form_is_versioned_and_stays() -> None:
    found = mark(PAPER)
    assert found == "1-dd146436446200def2d8c9ccb719d755-96fdefd7455d"
    assert (
        mark(changed(PAPER, authors=people("A. Vaswani; N. Shazeer; N. Parmar")))
        == "1-dd146436446200def2d8c9ccb719d755-initials"
    )
    assert found.startswith(f"{VERSION}-")
    assert is_fingerprint(found)
    assert not is_fingerprint(f"9{found}")
    assert not is_fingerprint(found[:-1])
    assert not is_fingerprint("")


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_no_text_is_too_strange(title: str, family: str, given_: str) -> None:
    reference = Reference(raw=title or "?", title=title, authors=(Person(family=family, given=given_),))
    found = fingerprint(reference)
    assert (found is None) == (why_not(reference) is not None)
    assert found is None or is_fingerprint(found)
    assert closest(reference)
