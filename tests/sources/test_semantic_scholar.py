"""Semantic Scholar: keys that are refused, merged records, and its ways to say no."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.errors import SourceUnavailableError
from citeaudit.model import Coverage, NoticeType, Outcome, Query, QueryKind, Work, WorkType
from citeaudit.seams import Answer, Ask
from citeaudit.sources.semantic_scholar import SemanticScholarSource
from citeaudit.sources.semantic_scholar.source import MAX_IDS
from tests.services.town.asking import arxiv_id, ask, doi, make, title
from tests.services.town.server import Town, open_town
from tests.sources.canned import NOW, Canned, good, look, only, refused

BASE = "http://127.0.0.1"
NO = good({"error": "Title match not found"}, status=404)


def source(api_key: str | None = None) -> SemanticScholarSource:
    return SemanticScholarSource(BASE, clock=lambda: NOW, api_key=api_key)


def record(**fields: object) -> dict[str, object]:
    return {"paperId": "p1", "title": "Moths", **fields}


def matched(*records: object) -> Answer:
    return good({"data": list(records)})


def read(**fields: Any) -> Work:
    return only(look(source(), Canned(matched(record(**fields))), [title("Moths")]))


# --- records ---


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        pytest.param({"publicationTypes": ["JournalArticle", "Review"]}, WorkType.ARTICLE_JOURNAL, id="review-article"),
        pytest.param({"publicationTypes": ["Review"]}, WorkType.ARTICLE_JOURNAL, id="review"),
        pytest.param({"publicationTypes": ["JournalArticle", "Conference"]}, WorkType.PAPER_CONFERENCE, id="both"),
        pytest.param({"publicationTypes": ["Book"]}, WorkType.BOOK, id="book"),
        pytest.param({"publicationTypes": ["Dataset"]}, WorkType.DATASET, id="dataset"),
        pytest.param({"publicationTypes": None}, WorkType.UNKNOWN, id="null"),
        pytest.param({"venue": "arXiv.org", "publicationTypes": ["JournalArticle"]}, WorkType.PREPRINT, id="arxiv"),
        pytest.param({"venue": "bioRxiv"}, WorkType.PREPRINT, id="biorxiv"),
        pytest.param(
            {"venue": "", "externalIds": {"ArXiv": "2101.00001"}}, WorkType.PREPRINT, id="arxiv-without-venue"
        ),
        pytest.param(
            {"venue": "Faculty Opinions – Post-Publication Peer Review"}, WorkType.PEER_REVIEW, id="recommendation"
        ),
    ],
)
def test_types(fields: dict[str, object], kind: WorkType) -> None:
    assert read(**fields).type is kind


@pytest.mark.parametrize(
    ("fields", "venue"),
    [
        ({"venue": "Nature"}, "Nature"),
        ({"venue": "", "publicationVenue": {"name": "Nature"}}, "Nature"),
        ({"venue": "", "publicationVenue": None, "journal": {"name": "Nature"}}, "Nature"),
        ({"venue": "", "publicationVenue": None, "journal": None}, None),
        ({"venue": None, "journal": 3}, None),
    ],
)
def test_venues(fields: dict[str, object], venue: str | None) -> None:
    assert read(**fields).container_title == venue


def test_preprint_and_publication_are_versions_of_one_work() -> None:
    work = read(
        year=2015,
        venue="International Conference on Learning Representations",
        journal={"name": "CoRR", "volume": "abs/1412.6980", "pages": None},
        publicationVenue={"name": "Int Conf Learn Represent"},
        publicationDate="2014-12-22",
        externalIds={"ArXiv": "1412.6980", "DOI": None, "PubMed": 12, "PubMedCentral": "5334499", "CorpusId": 1},
        publicationTypes=["JournalArticle", "Conference"],
    )
    assert (work.year, work.volume, work.type) == (2015, None, WorkType.PAPER_CONFERENCE)
    assert work.identifiers.pairs() == (("arxiv_id", "1412.6980"), ("pmid", "12"), ("pmcid", "PMC5334499"))
    assert [(version.type, version.year, version.container_title) for version in work.versions] == [
        (WorkType.PREPRINT, 2014, "arXiv"),
        (WorkType.PAPER_CONFERENCE, 2014, "International Conference on Learning Representations"),
        (WorkType.PAPER_CONFERENCE, 2015, "Int Conf Learn Represent"),
    ]


@pytest.mark.parametrize(
    ("pdf", "urls"),
    [
        ({"url": "", "status": None}, ()),
        ({"url": None}, ()),
        (None, ()),
        ("https://example.org/a.pdf", ()),
        ({"url": "javascript:1"}, ()),
        ({"url": "https://example.org/a.pdf", "license": None}, ("https://example.org/a.pdf",)),
    ],
)
def test_open_copies(pdf: object, urls: tuple[str, ...]) -> None:
    assert read(openAccessPdf=pdf).fulltext_urls == urls


def test_authors_may_be_missing() -> None:
    assert read(authors=[]).authors == ()
    assert read(authors=None).authors == ()
    people = read(authors=[{"name": "A. Bellet"}, {"name": None}, {"authorId": None, "name": "Qwen Team"}]).authors
    assert [str(person) for person in people] == ["A. Bellet", "Qwen Team"]


def test_a_cut_list_says_so() -> None:
    assert read(authors=[{"name": f"A. Moth{'x' * place}"} for place in range(500)]).authors_complete is False


def test_year_may_be_null() -> None:
    assert read(year=None, publicationDate="2020-01-01").year is None


def test_title_mark_is_a_notice() -> None:
    assert [notice.type for notice in read(title="RETRACTED: Moths").notices] == [NoticeType.RETRACTION]


def test_nonsense_in_a_field_costs_that_field() -> None:
    names = ("authors", "year", "venue", "journal", "externalIds", "publicationTypes", "publicationVenue")
    odds: list[object] = [None, 3, "x", [3], {"a": []}, True]
    for odd in odds:
        assert read(**dict.fromkeys(names, odd)).title == "Moths"


# --- identifiers ---


def batch(*records: object) -> Canned:
    return Canned(good(list(records)))


def test_identifiers_share_a_request_in_the_services_words() -> None:
    queries = [
        doi("10.5555/a"),
        arxiv_id("1706.03762v1"),
        doi("10.48550/arxiv.1706.03762"),
        Query(kind=QueryKind.PMID, text="7"),
        Query(kind=QueryKind.PMCID, text="PMC5334499"),
    ]
    client = batch(record(), record(), record(), record())
    lookups = look(source(), client, queries)
    assert [one.outcome for one in lookups] == [Outcome.FOUND] * 5
    assert [(ask.method, ask.body) for ask in client.asked] == [
        ("POST", {"ids": ["DOI:10.5555/a", "ARXIV:1706.03762", "PMID:7", "PMCID:5334499"]})
    ]


def test_null_is_no_record_and_order_counts() -> None:
    lookups = look(source(), batch(None, record(title="Lamps")), [doi("10.5555/a"), doi("10.5555/b")])
    assert [(one.outcome, one.coverage) for one in lookups] == [
        (Outcome.NO_MATCH, Coverage.NONE),
        (Outcome.FOUND, Coverage.NONE),
    ]
    assert only(lookups[1:]).title == "Lamps"


def test_knowing_none_of_them_is_an_answer() -> None:
    client = Canned(good({"error": "No valid paper ids given"}, status=400))
    lookups = look(source(), client, [doi("10.5555/a"), doi("10.5555/b")])
    assert {one.outcome for one in lookups} == {Outcome.NO_MATCH}


@pytest.mark.parametrize(
    "answer",
    [
        good([None]),
        good([None, None, None]),
        good({}),
        good(None),
        good({"error": "Unrecognized or unsupported fields: [x]"}, status=400),
        good(None, status=404),
    ],
)
def test_another_shape_is_no_answer(answer: Answer) -> None:
    with pytest.raises(SourceUnavailableError):
        look(source(), Canned(answer), [doi("10.5555/a"), doi("10.5555/b")])


def test_a_record_that_cannot_be_read_is_no_denial() -> None:
    lookups = look(source(), batch({"paperId": "p"}, record()), [doi("10.5555/a"), doi("10.5555/b")])
    assert [one.outcome for one in lookups] == [Outcome.UNAVAILABLE, Outcome.FOUND]


def test_the_identifier_asked_for_belongs_to_the_record() -> None:
    merged = record(externalIds={"DOI": "10.5555/published"})
    [lookup] = look(source(), batch(merged), [doi("10.5555/preprint")])
    assert [one.identifiers.doi for one in only((lookup,)).versions] == ["10.5555/preprint"]
    [lookup] = look(source(), batch(merged), [arxiv_id("2101.00001")])
    assert [one.identifiers.arxiv_id for one in only((lookup,)).versions] == ["2101.00001"]


def test_long_lists_are_cut() -> None:
    def rule(ask: Ask) -> Answer:
        assert isinstance(ask.body, dict)
        return good([None] * len(ask.body["ids"]))

    client = Canned(rule=rule)
    look(source(), client, [doi(f"10.5555/{place}") for place in range(MAX_IDS + 1)])
    assert len(client.asked) == 2


# --- titles ---


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("State-of-the-art moths", "State of the art moths"),
        ('A "quoted" – dash (in brackets)', "A quoted dash in brackets"),
        ("Moths, lamps: & what's left?", "Moths, lamps: & what's left?"),
        ("m" * 900, "m" * 300),
        ("half \ud835 a pair", "half ? a pair"),
    ],
)
def test_what_is_sent(text: str, sent: str) -> None:
    client = Canned(NO)
    look(source(), client, [title(text)])
    assert client.params[0]["query"] == sent


@pytest.mark.parametrize(
    ("kind", "venue", "coverage"),
    [
        (WorkType.ARTICLE_JOURNAL, None, Coverage.GENERAL),
        (WorkType.PAPER_CONFERENCE, None, Coverage.GENERAL),
        (WorkType.PREPRINT, None, Coverage.GENERAL),
        (WorkType.UNKNOWN, "Annals of Dusk", Coverage.GENERAL),
        (WorkType.UNKNOWN, None, Coverage.NONE),
        (WorkType.BOOK, None, Coverage.NONE),
        (WorkType.THESIS, None, Coverage.NONE),
    ],
)
def test_what_silence_on_a_title_testifies(kind: WorkType, venue: str | None, coverage: Coverage) -> None:
    [lookup] = look(source(), Canned(NO), [title("Moths", kind=kind, venue=venue)])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, coverage)


def test_an_empty_list_is_not_its_way_to_say_no() -> None:
    [lookup] = look(source(), Canned(matched()), [title("Moths")])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.NONE)


def test_a_damaged_record_keeps_silence_from_testifying() -> None:
    [lookup] = look(source(), Canned(matched({"paperId": "p"}, None)), [title("Moths")])
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.NONE)
    assert lookup.reason == "records that could not be read: 2"


@pytest.mark.parametrize(
    "answer",
    [
        good(None, status=404),
        good({"error": "Not found"}, status=404),
        good({"message": "Endpoint not found"}, status=404),
        good({"error": "Title match not found"}, status=400),
        good({"total": 0}),
        good({"data": None}),
        good([]),
    ],
)
def test_not_every_404_says_no(answer: Answer) -> None:
    with pytest.raises(SourceUnavailableError):
        look(source(), Canned(answer), [title("Moths")])


@pytest.mark.parametrize(
    ("query", "outcome"),
    [
        (Query(kind=QueryKind.ISBN, text="9780306406157"), Outcome.SKIPPED),
        (Query(kind=QueryKind.CITATION, text="Roe. Moths."), Outcome.SKIPPED),
        (title("--"), Outcome.SKIPPED),
        (doi("nonsense"), Outcome.NO_MATCH),
        (arxiv_id("abc"), Outcome.NO_MATCH),
    ],
)
def test_what_it_is_not_asked(query: Query, outcome: Outcome) -> None:
    [lookup] = look(source(), Canned(), [query])
    assert (lookup.outcome, lookup.coverage) == (outcome, Coverage.NONE)
    assert lookup.reason


# --- the key ---


def keyed(dead: bool) -> Canned:
    def rule(ask: Ask) -> Answer | Exception:
        return refused("semantic_scholar") if ask.headers and dead else matched(record())

    return Canned(rule=rule)


def test_a_refused_key_is_dropped_once_and_said() -> None:
    client, scholar = keyed(dead=True), source("s3cret")
    lookups = look(scholar, client, [title(f"Moths {place}") for place in range(6)])
    assert {lookup.outcome for lookup in lookups} == {Outcome.FOUND}
    assert all("key" in (lookup.reason or "") for lookup in lookups)
    assert [bool(ask.headers) for ask in client.asked] == [True] + [False] * 6
    assert "s3cret" not in f"{lookups}"
    assert look(scholar, client, [title("More moths")])[0].reason is not None


def test_a_good_key_goes_with_every_request() -> None:
    client = keyed(dead=False)
    lookups = look(source("s3cret"), client, [title(f"Moths {place}") for place in range(4)])
    assert {ask.headers for ask in client.asked} == {(("x-api-key", "s3cret"),)}
    assert {lookup.reason for lookup in lookups} == {None}


def test_a_refusal_without_a_key_is_a_refusal() -> None:
    with pytest.raises(SourceUnavailableError):
        look(source(), Canned(refused("semantic_scholar")), [title("Moths")])


@pytest.mark.parametrize("base", ["http://h", "http://h/", "http://h/graph/v1", "http://h/graph/v1/"])
def test_base_urls(base: str) -> None:
    client = Canned(NO)
    look(SemanticScholarSource(base), client, [title("Moths")])
    assert client.asked[0].url == "http://h/graph/v1/paper/search/match"


def test_the_town_speaks_the_same() -> None:
    with open_town(Town(pace=0.0)) as base_url:
        scholar = make("semantic_scholar", base_url, api_key="dead")
        lookups = ask(
            scholar,
            base_url,
            doi("10.1002/j.1538-7305.1948.tb01338.x"),
            arxiv_id("1412.6980"),
            doi("10.5555/unknown"),
            title("First Light of the Thornmere Observatory"),
            title("Lanterns that nobody has counted"),
        )
    assert [one.outcome for one in lookups] == [
        Outcome.FOUND,
        Outcome.FOUND,
        Outcome.NO_MATCH,
        Outcome.FOUND,
        Outcome.NO_MATCH,
    ]
    assert lookups[0].candidates[0].fulltext_urls == ("https://example.org/shannon.pdf",)
    assert lookups[3].candidates[0].authors == ()
    assert all("key" in (one.reason or "") for one in lookups)
