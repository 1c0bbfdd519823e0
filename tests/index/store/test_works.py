"""A stored record becomes a work, with the dirt of dumps put right."""

from __future__ import annotations

import pytest

from citeaudit.index.store.record import Name, Record, RecordNotice, Related
from citeaudit.index.store.tidy import tidy
from citeaudit.index.store.works import as_version, as_work, is_complete, person, surnames_of, work_type
from citeaudit.model import Identifiers, Notice, NoticeType, Person, WorkType

FULL = tidy(
    Record(
        "On Widgets: A Study",
        id="roe-2020",
        authors=(Name("Roe", "Jane"), Name(literal="The Widget Group")),
        year=2020,
        venue="Journal of Widgets",
        volume="3",
        issue="1",
        pages="1-9",
        publisher="Acme",
        type="article-journal",
        doi="10.1234/ABC",
        arxiv_id="2001.00001v2",
        pmid="123",
        isbn="0-306-40615-2",
        url="https://example.org/w",
        src="a+b",
        notices=(RecordNotice(NoticeType.RETRACTION, "10.1234/R", 2021),),
    )
)


def record(**fields: object) -> Record:
    return tidy(Record("On Widgets")._replace(**fields))  # type: ignore[arg-type]


def test_a_full_record_becomes_a_full_work() -> None:
    work = as_work(FULL, source="test", source_id="7")
    assert (work.source, work.source_id, work.title) == ("test", "roe-2020", "On Widgets: A Study")
    assert work.authors == (Person(family="Roe", given="Jane"), Person(literal="The Widget Group"))
    assert (work.year, work.container_title, work.volume, work.issue) == (2020, "Journal of Widgets", "3", "1")
    assert (work.pages, work.publisher, work.type) == ("1-9", "Acme", WorkType.ARTICLE_JOURNAL)
    assert dict(work.identifiers.pairs()) == {
        "doi": "10.1234/abc",
        "arxiv_id": "2001.00001v2",
        "pmid": "123",
        "isbn": "9780306406157",
        "url": "https://example.org/w",
    }
    assert work.notices == (Notice(type=NoticeType.RETRACTION, doi="10.1234/r", year=2021),)


def test_a_title_is_enough() -> None:
    work = as_work(record(), source="test", source_id="7")
    assert (work.source_id, work.authors, work.year, work.type) == ("7", (), None, WorkType.UNKNOWN)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param(Name("Roe", "Jane"), Person(family="Roe", given="Jane"), id="plain"),
        pytest.param(Name("Roe", None), Person(family="Roe"), id="family-alone"),
        pytest.param(Name("Maximilian L. Ach", None), Person(literal="Maximilian L. Ach"), id="whole-name"),
        pytest.param(Name("van der Goot", "Rob"), Person(family="van der Goot", given="Rob"), id="particles"),
        pytest.param(Name("G", "Hardin"), Person(family="Hardin", given="G"), id="swapped-initial"),
        pytest.param(Name("J. R.", "Hardin"), Person(family="Hardin", given="J. R."), id="swapped-initials"),
        pytest.param(Name("Li", "X."), Person(family="Li", given="X."), id="two-letter-family"),
        pytest.param(Name("O", "K."), Person(family="O", given="K."), id="one-letter-family"),
        pytest.param(Name(None, "Plato"), Person(literal="Plato"), id="given-alone"),
        pytest.param(Name(None, None, "WHO"), Person(literal="WHO"), id="literal"),
        pytest.param(Name(None, None, "Doe, Jane"), Person(family="Doe", given="Jane"), id="bibliography-order"),
        pytest.param(Name(" ", ""), Person(literal="?"), id="nothing"),
    ],
)
def test_names(name: Name, expected: Person) -> None:
    assert person(name) == expected


@pytest.mark.parametrize(
    ("fields", "complete"),
    [
        pytest.param({"authors": (Name("Hanahan"),)}, False, id="first-author-only"),
        pytest.param({"authors": (Name("Plato", "A."),)}, True, id="single-author"),
        pytest.param({"authors": (Name(literal="WHO"),)}, True, id="group"),
        pytest.param({"authors": (Name("A"), Name("B"))}, True, id="two-families"),
        pytest.param({"authors": (Name("Hanahan"),), "authors_complete": True}, True, id="said-so"),
        pytest.param({"authors": (Name("A", "B"),), "authors_complete": False}, False, id="said-not"),
        pytest.param({"authors": (Name("A", "B"), Name("others"))}, False, id="others"),
        pytest.param({"authors": (Name("Guo", "Junzi Zhang Xin"),)}, False, id="run-together"),
        pytest.param({"authors": (Name("de la Roe", "J. R. R."),)}, True, id="particles-and-initials"),
    ],
)
def test_whether_a_list_is_whole(fields: dict[str, object], complete: bool) -> None:
    assert is_complete(record(**fields)) is complete


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        pytest.param({"type": "book"}, WorkType.BOOK, id="named"),
        pytest.param({"type": "pamphlet"}, WorkType.UNKNOWN, id="unknown-name"),
        pytest.param({"arxiv_id": "2001.00001"}, WorkType.PREPRINT, id="arxiv-alone"),
        pytest.param({"doi": "10.48550/arXiv.2001.00001"}, WorkType.PREPRINT, id="arxiv-doi"),
        pytest.param({"arxiv_id": "2001.00001", "venue": "CoRR"}, WorkType.PREPRINT, id="corr"),
        pytest.param({"arxiv_id": "2001.00001", "venue": "NeurIPS"}, WorkType.UNKNOWN, id="published"),
    ],
)
def test_types(fields: dict[str, object], kind: WorkType) -> None:
    assert work_type(record(**fields)) is kind


def test_versions_keep_year_venue_identifiers_and_notices() -> None:
    preprint = record(arxiv_id="2001.00001", year=2019, notices=(RecordNotice(NoticeType.CORRECTION),))
    work = as_work(record(year=2020, doi="10.1234/a"), source="t", source_id="1", others=(preprint, preprint))
    assert work.versions == (as_version(preprint),)
    assert work.versions[0].type is WorkType.PREPRINT
    assert work.versions[0].year == 2019
    assert [notice.type for notice in work.notices] == [NoticeType.CORRECTION]


def test_related_works_become_versions_with_an_identifier() -> None:
    related = (
        Related("preprint", "arxiv_id", "2001.00001"),
        Related("published", "doi", "10.1234/b"),
        Related("version", "handle", "x/1"),
        Related("version", "doi", "10.1234/a"),
    )
    work = as_work(record(doi="10.1234/a", related=related), source="t", source_id="1")
    assert [(one.type, one.identifiers) for one in work.versions] == [
        (WorkType.PREPRINT, Identifiers(arxiv_id="2001.00001")),
        (WorkType.UNKNOWN, Identifiers(doi="10.1234/b")),
    ]


def test_other_titles_become_versions() -> None:
    work = as_work(record(titles=("Über Dinge",), year=2020), source="t", source_id="1")
    assert [(one.title, one.year) for one in work.versions] == [("Über Dinge", 2020)]


def test_surnames() -> None:
    assert surnames_of(record(authors=(Name(literal="A. Roe"), Name("van Dyck", "B.")))) == {"roe", "van", "dyck"}


def test_the_other_years_of_a_record_are_those_of_versions() -> None:
    work = as_work(Record("On Widgets", year=2020, venue="Widgets", years=(2019,)), source="here", source_id="1")
    assert [(version.year, version.container_title) for version in work.versions] == [(2019, "Widgets")]
