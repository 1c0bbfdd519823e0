"""One line of a dump becomes a work; dirt is tolerated, and what is of no use is named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.index.records import (
    Malformed,
    Name,
    Record,
    as_version,
    as_work,
    is_complete,
    keys,
    parse_record,
    person,
    surnames_of,
    tidy,
    work_type,
)
from citeaudit.index.store import pack, prepare, unpack
from citeaudit.model import Notice, NoticeType, Person, WorkType
from citeaudit.text.normalize import MAX_TITLE

FULL = {
    "id": "roe-2020",
    "title": "On Widgets: A Study",
    "authors": [{"family": "Roe", "given": "Jane"}, {"literal": "The Widget Group"}],
    "year": 2020,
    "venue": "Journal of Widgets",
    "volume": "3",
    "issue": "1",
    "pages": "1-9",
    "publisher": "Acme",
    "type": "article-journal",
    "doi": "https://doi.org/10.1234/ABC",
    "arxiv_id": "arXiv:2001.00001v2",
    "pmid": "123",
    "isbn": "0-306-40615-2",
    "url": "https://example.org/w",
    "src": "a+b",
    "notices": [{"type": "retraction", "doi": "10.1234/R", "year": 2021}],
    "unknown": {"left": "alone"},
}


def record(**fields: object) -> Record:
    return parse_record(json.dumps({"title": "On Widgets", **fields}))


def test_a_full_record_becomes_a_full_work() -> None:
    work = as_work(parse_record(json.dumps(FULL)), source="test", source_id="7")
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
    ("line", "complaint"),
    [
        pytest.param("", "EOF", id="empty"),
        pytest.param("<html>", "expected value", id="html"),
        pytest.param('{"title": "a"', "EOF", id="cut"),
        pytest.param("[1]", "object", id="list"),
        pytest.param("{}", "title: Field required", id="no-title"),
        pytest.param('{"title": null}', "title", id="null-title"),
        pytest.param('{"title": "…?!"}', "no letters or digits", id="punctuation"),
        pytest.param('{"title": "a", "authors": "Roe"}', "authors", id="authors-text"),
        pytest.param('{"title": "a", "authors": [5]}', "authors.0", id="author-number"),
        pytest.param('{"title": "a", "authors": ["x", {"family": 5}]}', "authors.1", id="family-number"),
        pytest.param('{"title": "a", "year": [2000]}', "year", id="year-list"),
        pytest.param('{"title": "a", "volume": {}}', "volume", id="volume-object"),
        pytest.param('{"title": "a", "notices": [{"type": "party"}]}', "notices.0.type", id="unknown-notice"),
    ],
)
def test_a_line_of_no_use_says_why(line: str, complaint: str) -> None:
    with pytest.raises(Malformed, match=complaint):
        parse_record(line)


def test_bytes_that_are_no_text_are_of_no_use() -> None:
    with pytest.raises(Malformed):
        parse_record(b'{"title": "\xff\xfe"}')


@pytest.mark.parametrize(
    ("raw", "year"),
    [
        pytest.param(2003, 2003, id="number"),
        pytest.param("2003", 2003, id="text"),
        pytest.param("c1999", 1999, id="copyright"),
        pytest.param("2003-05-01", 2003, id="date"),
        pytest.param("in press", None, id="words"),
        pytest.param("", None, id="empty"),
        pytest.param(20033, None, id="too-many-digits"),
        pytest.param(0, None, id="zero"),
        pytest.param(None, None, id="null"),
    ],
)
def test_years(raw: object, year: int | None) -> None:
    assert record(year=raw).year == year


@pytest.mark.parametrize(
    ("title", "clean", "kind"),
    [
        pytest.param("RETRACTED: On Widgets", "On Widgets", NoticeType.RETRACTION, id="elsevier"),
        pytest.param("RETRACTED ARTICLE: On Widgets", "On Widgets", NoticeType.RETRACTION, id="springer"),
        pytest.param("[Retracted] On Widgets", "On Widgets", NoticeType.RETRACTION, id="brackets"),
        pytest.param("WITHDRAWN: On Widgets", "On Widgets", NoticeType.WITHDRAWAL, id="withdrawn"),
        pytest.param("Retracted articles: a study", "Retracted articles: a study", None, id="about-retraction"),
        pytest.param("Withdrawn behaviour in voles", "Withdrawn behaviour in voles", None, id="plain-word"),
    ],
)
def test_marks_in_titles_become_notices(title: str, clean: str, kind: NoticeType | None) -> None:
    found = record(title=title)
    assert found.title == clean
    assert [notice.type for notice in found.notices] == ([] if kind is None else [kind])


def test_a_mark_adds_no_second_notice() -> None:
    found = record(title="RETRACTED: On Widgets", notices=[{"type": "retraction", "year": 2021}])
    assert [notice.year for notice in found.notices] == [2021]


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
        pytest.param(Name(" ", ""), Person(literal="?"), id="nothing"),
    ],
)
def test_names(name: Name, expected: Person) -> None:
    assert person(name) == expected


@pytest.mark.parametrize(
    ("fields", "complete"),
    [
        pytest.param({"authors": [{"family": "Hanahan"}]}, False, id="first-author-only"),
        pytest.param({"authors": [{"family": "Plato", "given": "A."}]}, True, id="single-author"),
        pytest.param({"authors": [{"literal": "WHO"}]}, True, id="group"),
        pytest.param({"authors": [{"family": "A"}, {"family": "B"}]}, True, id="two-families"),
        pytest.param({"authors": [{"family": "Hanahan"}], "authors_complete": True}, True, id="said-so"),
        pytest.param({"authors": [{"family": "A", "given": "B"}], "authors_complete": False}, False, id="said-not"),
        pytest.param({"authors": [{"family": "A", "given": "B"}, {"family": "others"}]}, False, id="others"),
        pytest.param({"authors": [{"family": "Guo", "given": "Junzi Zhang Xin"}]}, False, id="run-together"),
        pytest.param({"authors": [{"family": "de la Roe", "given": "J. R. R."}]}, True, id="particles-and-initials"),
        pytest.param({"authors": ["A. Roe", "et al."]}, False, id="et-al"),
    ],
)
def test_whether_a_list_is_whole(fields: dict[str, object], complete: bool) -> None:
    found = record(**fields)
    assert is_complete(found) is complete
    assert all((name.family or name.literal) not in ("others", "et al.") for name in found.authors)


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


@pytest.mark.parametrize(
    ("fields", "pairs"),
    [
        pytest.param({"doi": "10.1234/ABC.pdf"}, {("doi", "10.1234/abc")}, id="doi"),
        pytest.param({"arxiv_id": "2001.00001v3"}, {("arxiv_id", "2001.00001")}, id="arxiv-version"),
        pytest.param(
            {"doi": "10.48550/arxiv.2001.00001"},
            {("doi", "10.48550/arxiv.2001.00001"), ("arxiv_id", "2001.00001")},
            id="arxiv-doi",
        ),
        pytest.param({"doi": "none", "isbn": "123"}, set(), id="no-identifiers"),
        pytest.param({"pmid": 7, "pmcid": "PMC5334499"}, {("pmid", "7"), ("pmcid", "PMC5334499")}, id="pubmed"),
    ],
)
def test_what_a_record_is_found_by(fields: dict[str, object], pairs: set[tuple[str, str]]) -> None:
    assert set(keys(record(**fields))) == pairs


def test_an_address_that_only_says_the_identifier_again_is_dropped() -> None:
    assert record(doi="10.1234/abc", url="https://doi.org/10.1234/ABC").url is None
    assert record(doi="10.1234/abc", url="https://example.org").url == "https://example.org"


def test_versions_keep_year_venue_identifiers_and_notices() -> None:
    preprint = record(arxiv_id="2001.00001", year=2019, notices=[{"type": "correction"}])
    work = as_work(record(year=2020, doi="10.1234/a"), source="t", source_id="1", others=(preprint, preprint))
    assert work.versions == (as_version(preprint),)
    assert work.versions[0].type is WorkType.PREPRINT
    assert work.versions[0].year == 2019
    assert [notice.type for notice in work.notices] == [NoticeType.CORRECTION]


def test_surnames() -> None:
    assert surnames_of(record(authors=["A. Roe", {"family": "van Dyck", "given": "B."}])) == {"roe", "van", "dyck"}


def test_a_long_title_is_cut() -> None:
    assert len(record(title="word " * 1_000).title) <= MAX_TITLE


TEXT = st.text(max_size=40)
RECORDS = st.builds(
    Record,
    title=st.text(min_size=1, max_size=60),
    authors=st.lists(st.builds(Name, st.none() | TEXT, st.none() | TEXT, st.none() | TEXT), max_size=4).map(tuple),
    year=st.none() | st.integers(1000, 2100),
    venue=st.none() | TEXT,
    doi=st.none() | TEXT | st.just("10.1234/ABC"),
    url=st.none() | TEXT,
    arxiv_id=st.none() | TEXT | st.just("arXiv:2001.00001v2"),
)


@given(RECORDS)
def test_tidying_twice_changes_nothing_and_everything_can_be_stored(found: Record) -> None:
    try:
        once = tidy(found)
    except Malformed:
        return
    assert tidy(once).model_dump(exclude={"title", "notices"}) == once.model_dump(exclude={"title", "notices"})
    assert unpack(pack(once)) == once
    assert prepare(once).hashes
    as_work(once, source="t", source_id="1")


def test_damaged_data_is_a_value_error() -> None:
    for data in (b"", b"\xff\xff\xff", pack(record())[:-3]):
        with pytest.raises(ValueError, match=r"damaged|valid|EOF"):
            unpack(data)


@pytest.mark.parametrize(
    ("author", "family", "given_name"),
    [
        pytest.param("Doe, Jane", "Doe", "Jane", id="string"),
        pytest.param({"literal": "Doe, Jane"}, "Doe", "Jane", id="literal"),
    ],
)
def test_a_name_in_the_order_of_a_bibliography_is_a_person(author: object, family: str, given_name: str) -> None:
    record = parse_record(json.dumps({"title": "On names", "authors": [author], "year": 2001}).encode())
    (who,) = as_work(record, source="x", source_id="1").authors
    assert (who.family, who.given) == (family, given_name)
