"""Quirks of sound records that must not accuse: groups, cut lists, homonyms, preprints known by their DOI."""

from __future__ import annotations

import pytest

from citeaudit.match.compare import compare
from citeaudit.match.rank import weigh
from citeaudit.model import (
    Alarm,
    Coverage,
    FieldName,
    Identifiers,
    Person,
    Policy,
    Rank,
    Reference,
    Relation,
    Status,
    Work,
    WorkType,
)
from tests.match.build import cite, found, judge, record

TITLE = "On the quiet growth of coastal dune grasses"
LONG = "On the quiet growth of coastal dune grasses beneath winter storms"
SHORT = "Deep learning for plankton classification"
US = "Ada Roe; Bo Li; Cy Hu"
THEM = "Di Fox; Ed Gray"
ARTICLE = WorkType.ARTICLE_JOURNAL


def _rule(reference: Reference, work: Work, field: FieldName) -> str:
    return next(match.rule for match in compare(reference, work) if match.field is field)


# --- Groups ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "group",
    [
        pytest.param("=Global Lighthouse Collaborators", id="collaborators"),
        pytest.param("Global Lighthouse Collaborators", id="split-like-a-person"),
        pytest.param("=DUNE Investigators", id="investigators"),
        pytest.param("=Dune Grass Study Group", id="study-group"),
        pytest.param("Dune Study Group", id="study-group-split"),
        pytest.param("=The ATLAS Collaboration", id="collaboration"),
        pytest.param("=Human Genome Consortium", id="consortium"),
        pytest.param("=Friends of Coastal Dunes", id="four-words"),
    ],
)
def test_a_group_never_contradicts_persons(group: str) -> None:
    for cited, held, rule in ((US, group, "authors_unlisted"), (group, US, "authors_group")):
        reference = cite(TITLE, cited, 2001, doi="10.1/x")
        work = record(TITLE, held, 2001, doi="10.1/x")
        assert _rule(reference, work, FieldName.AUTHORS) == rule
        assert judge(reference, found(reference, work)).status is Status.VERIFIED


def test_an_unsplit_person_of_three_words_is_compared() -> None:
    work = record(TITLE, "=John Quincy Doe", 2001)
    assert _rule(cite(TITLE, US, 2001), work, FieldName.AUTHORS) == "authors_differ"
    four = record(TITLE, "=Maria del Carmen Gomez", 2001)
    assert _rule(cite(TITLE, "Gomez, M.", 2001), four, FieldName.AUTHORS) == "authors_initials"


# --- Lists cut in the record -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cited", "held", "rule"),
    [
        pytest.param(US, "Ada Roe", "authors_beyond", id="one-of-three"),
        pytest.param("Ada Roe; Bo Li", "A. Roe", "author_not_in_record", id="one-of-two"),
        pytest.param(f"Ada Roe; Bo Li; {THEM}", "Ada Roe; Bo Li", "authors_beyond", id="two-of-four"),
        pytest.param(f"{US}; {THEM}; Gu Ma", US, "authors_beyond", id="three-of-six"),
        pytest.param(US, "Ada Roe; Bo Li", "author_not_in_record", id="one-too-many-of-three"),
        pytest.param(f"{US}; {THEM}", US, "author_not_in_record", id="two-too-many-of-five"),
        pytest.param(US, "Bo Li", "author_not_in_record", id="not-the-first"),
        pytest.param(f"Ada Roe; Bo Li; {THEM}", "Bo Li; Ada Roe", "author_not_in_record", id="another-order"),
        pytest.param(f"Ada Roe; Di Fox; {THEM}", "Ada Roe; Bo Li", "authors_mostly_differ", id="another-second"),
    ],
)
def test_a_record_may_list_only_the_first_authors(cited: str, held: str, rule: str) -> None:
    reference, work = cite(TITLE, cited, 2001, doi="10.1/x"), record(TITLE, held, 2001, doi="10.1/x")
    assert _rule(reference, work, FieldName.AUTHORS) == rule
    status = judge(reference, found(reference, work)).status
    assert status is (Status.VERIFIED if rule == "authors_beyond" else Status.MISMATCHED)


# --- Other works of one title ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [WorkType.BOOK, WorkType.CHAPTER, WorkType.THESIS])
def test_a_review_of_a_book_is_not_the_book(kind: WorkType) -> None:
    book = {"type": kind, "publisher": "Dune Press"}
    review = {"type": ARTICLE, "container_title": "The Library Quarterly", "doi": "10.1/review"}
    there = cite(LONG, "Harriet Longmire", 2011, **book), record(LONG, "Rowan Peake", 2012, **review, source="crossref")
    back = cite(LONG, "Rowan Peake", 2012, **review), record(LONG, "Harriet Longmire", 2011, **book)
    for reference, work in (there, back):
        candidate = weigh(reference, work)
        assert (candidate.rank, candidate.anchor) == (Rank.POSSIBLE, "other_form")
        assert judge(reference, found(reference, work)).status in (Status.UNDECIDED, Status.NOT_CHECKABLE)


@pytest.mark.parametrize(
    ("title", "cited", "held", "rank", "anchor"),
    [
        pytest.param(LONG, "Dunes", "Marine Tech", Rank.POSSIBLE, "homonym", id="another-venue"),
        pytest.param(LONG, "Dunes", "Dunes", Rank.ANCHORED, "title_other_authors", id="same-venue"),
        pytest.param(SHORT, "Dunes", "Dunes", Rank.ANCHORED, "title_other_authors", id="same-venue-short"),
        pytest.param(LONG, "Dunes", None, Rank.ANCHORED, "title_other_authors", id="no-venue-recorded-long"),
        pytest.param(LONG, None, "Dunes", Rank.ANCHORED, "title_other_authors", id="no-venue-cited-long"),
        pytest.param(LONG, None, None, Rank.ANCHORED, "title_other_authors", id="no-venue-long"),
        pytest.param(SHORT, "Dunes", None, Rank.POSSIBLE, "homonym", id="no-venue-recorded-short"),
        pytest.param(SHORT, None, None, Rank.POSSIBLE, "homonym", id="no-venue-short"),
        pytest.param(LONG, "Dunes", "arXiv", Rank.ANCHORED, "title_other_authors", id="preprint"),
    ],
)
def test_other_authors_of_a_title_need_its_venue(
    title: str, cited: str | None, held: str | None, rank: Rank, anchor: str
) -> None:
    candidate = weigh(cite(title, US, 2018, container_title=cited), record(title, THEM, 2018, container_title=held))
    assert (candidate.rank, candidate.anchor) == (rank, anchor)


def test_a_homonym_is_left_open_unless_the_index_would_hold_the_work_cited() -> None:
    reference = cite(LONG, US, 2018, container_title="Dunes")
    other = record(LONG, THEM, 2018, container_title="Marine Tech")
    verdict = judge(reference, found(reference, other))
    assert (verdict.status, verdict.best) == (Status.UNDECIDED, None)
    complete = judge(reference, found(reference, other, coverage=Coverage.DECLARED))
    assert (complete.status, complete.alarm) == (Status.MISMATCHED, Alarm.REVIEW)
    true = record(LONG, US, 2018, container_title="Dunes")
    assert judge(reference, found(reference, other, true, coverage=Coverage.DECLARED)).status is Status.VERIFIED


def test_other_authors_under_the_same_identifier_differ() -> None:
    reference = cite(SHORT, US, 2018, container_title="Dunes", doi="10.1/x")
    work = record(SHORT, THEM, 2018, container_title="Marine Tech", doi="10.1/x")
    assert judge(reference, found(reference, work)).status is Status.MISMATCHED


# --- Years of preprints ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "year", "rule"),
    [
        pytest.param({"type": WorkType.PREPRINT}, 2007, "year_preprint", id="type-six"),
        pytest.param({"type": WorkType.PREPRINT}, 2008, "year_differs", id="type-seven"),
        pytest.param({"type": WorkType.PREPRINT}, 1998, "year_differs", id="earlier"),
        pytest.param({"container_title": "SSRN Electronic Journal"}, 2005, "year_preprint", id="venue"),
        pytest.param({"doi": "10.2139/ssrn.3000001"}, 2005, "year_preprint", id="ssrn"),
        pytest.param({"doi": "10.1101/2020.01.01.123456"}, 2005, "year_preprint", id="biorxiv"),
        pytest.param({"doi": "10.1101/gr.123456"}, 2005, "year_differs", id="genome-research"),
        pytest.param({"doi": "10.48550/arxiv.2001.00001"}, 2005, "year_preprint", id="arxiv"),
        pytest.param({"doi": "10.1016/j.x.1"}, 2005, "year_differs", id="journal"),
    ],
)
def test_a_preprint_may_appear_years_later(held: dict[str, object], year: int, rule: str) -> None:
    undated = record("x").versions
    work = record(TITLE, US, 2001, **held).model_copy(update={"versions": undated})
    assert _rule(cite(TITLE, US, year, container_title="Journal of Dunes"), work, FieldName.YEAR) == rule


def test_the_doi_of_a_preprint_with_the_year_of_the_journal_agrees() -> None:
    reference = cite(TITLE, US, 2005, container_title="Journal of Housing", doi="10.2139/ssrn.3000001")
    work = record(TITLE, US, 2001, type=WorkType.PREPRINT, doi="10.2139/ssrn.3000001")
    assert judge(reference, found(reference, work)).status is Status.VERIFIED


def test_a_preprint_cited_long_after_its_publication_differs() -> None:
    reference = cite(TITLE, US, 2001, container_title="arXiv")
    assert _rule(reference, record(TITLE, US, 2005, container_title="Dunes"), FieldName.YEAR) == "year_differs"


def test_a_changed_title_under_its_own_identifier_is_for_a_person_to_see() -> None:
    reference = cite("Completely different first title of grapes", US, 2017, arxiv_id="1704.00004")
    work = record(TITLE, "", 2017, arxiv_id="1704.00004", type=WorkType.PREPRINT).model_copy(
        update={"authors": tuple(Person(family=name, given=given) for given, name in _SPLIT)}
    )
    verdict = judge(reference, found(reference, work))
    assert (verdict.status, verdict.alarm) == (Status.MISMATCHED, Alarm.REVIEW)
    relations = {match.field: match.relation for match in verdict.fields}
    assert relations[FieldName.TITLE] is Relation.DIFFERENT
    assert work.identifiers == Identifiers(arxiv_id="1704.00004")


_SPLIT = (("Ada", "Roe"), ("Bo", "Li"), ("Cy", "Hu"))


@pytest.mark.parametrize(
    ("cited", "held", "rule"),
    [
        pytest.param("=Anonymous", US, "authors_placeholder", id="placeholder"),
        pytest.param("=OpenAI", US, "authors_group", id="group"),
        pytest.param("=Smith", US, "authors_group", id="one-word"),
        pytest.param(f"{US}; =Anonymous", US, "authors_and_no_one", id="placeholder-beside"),
        pytest.param(f"{US}; =OpenAI", US, "authors_and_group", id="group-beside"),
        pytest.param(US, "Ada Roe", "authors_beyond", id="beyond"),
        pytest.param("Daniela Fox; Bo Li", "Daniel Fox; Bo Li", "authors_namesake", id="namesake"),
    ],
)
def test_what_only_notes_may_be_counted(cited: str, held: str, rule: str) -> None:
    reference, work = cite(TITLE, cited, 2001, doi="10.1/x"), record(TITLE, held, 2001, doi="10.1/x")
    verdict = judge(reference, found(reference, work))
    assert (verdict.status, verdict.alarm) == (Status.VERIFIED, Alarm.NONE)
    strict = judge(reference, found(reference, work), policy=Policy(counted=(rule,)))
    assert (strict.status, strict.alarm) == (Status.MISMATCHED, Alarm.REVIEW)
    assert [match.rule for match in strict.fields if match.relation is Relation.DIFFERENT] == [rule]
