"""The example source against its service: five outcomes, and what silence testifies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import anyio
import pytest

from citeaudit.demo.server import MAX_WORKS, serve
from citeaudit.errors import FailureKind, MalformedAnswerError, SourceError, SourceUnavailableError
from citeaudit.model import Coverage, Lookup, Notice, NoticeType, Outcome, Person, Query, QueryKind, WorkType
from citeaudit.seams import Answer, Ask
from citeaudit.sources.example import MAX_QUESTION, ExampleSource
from tests.services.catalogue import CATALOGUE
from tests.services.faults import faulty
from tests.services.quick import quick

NOW = datetime(2020, 1, 2, tzinfo=UTC)
LANTERN = "Counting lanterns and moths at dusk"


class Canned:
    """Answers with one value and keeps what it was asked; stands where the net room stands."""

    def __init__(self, value: object, status: int = 200) -> None:
        self.value = value
        self.status = status
        self.asked: list[dict[str, str]] = []

    async def fetch(self, ask: Ask) -> Answer:
        self.asked.append(dict(ask.params))
        return Answer(status=self.status, value=self.value, text="", retrieved_at=NOW)


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with serve(CATALOGUE) as url:
        yield url


@pytest.fixture(scope="module")
def faulty_url() -> Iterator[str]:
    with faulty(CATALOGUE) as url:
        yield url


def look(base_url: str, *queries: Query) -> tuple[Lookup, ...]:
    async def run() -> tuple[Lookup, ...]:
        async with quick("example", base_url) as client:
            return await ExampleSource(base_url, clock=lambda: NOW).lookup(queries, client)

    return anyio.run(run)


def read(value: object, *queries: Query, status: int = 200) -> tuple[Lookup, ...]:
    return anyio.run(ExampleSource("http://127.0.0.1").lookup, queries, Canned(value, status))


def doi(text: str) -> Query:
    return Query(kind=QueryKind.DOI, text=text)


def title(text: str, year: int | None = 2000, type_: WorkType = WorkType.ARTICLE_JOURNAL) -> Query:
    return Query(kind=QueryKind.TITLE, text=text, year=year, type=type_)


@pytest.mark.parametrize(
    ("query", "outcome", "coverage", "ids"),
    [
        pytest.param(doi("10.5555/lantern"), Outcome.FOUND, Coverage.AUTHORITATIVE, ["w1"], id="registered"),
        pytest.param(doi("10.5555/dead"), Outcome.NO_MATCH, Coverage.AUTHORITATIVE, [], id="dead-under-its-prefix"),
        pytest.param(doi("10.9999/other"), Outcome.NO_MATCH, Coverage.NONE, [], id="prefix-of-another-agency"),
        pytest.param(Query(kind=QueryKind.PMID, text="7"), Outcome.FOUND, Coverage.NONE, ["w2"], id="pmid"),
        pytest.param(Query(kind=QueryKind.PMID, text="8"), Outcome.NO_MATCH, Coverage.NONE, [], id="unknown-pmid"),
        pytest.param(
            Query(kind=QueryKind.ISBN, text="9780306406157"),
            Outcome.AMBIGUOUS,
            Coverage.NONE,
            ["w3", "w4"],
            id="identifier-of-two-works",
        ),
        pytest.param(title(LANTERN), Outcome.FOUND, Coverage.GENERAL, ["w1", "w2"], id="title-best-first"),
        pytest.param(title("Nothing of the kind"), Outcome.NO_MATCH, Coverage.GENERAL, [], id="title-in-scope"),
        pytest.param(title("Nothing of the kind", 1800), Outcome.NO_MATCH, Coverage.NONE, [], id="year-out-of-scope"),
        pytest.param(title("Nothing of the kind", None), Outcome.NO_MATCH, Coverage.NONE, [], id="no-year"),
        pytest.param(
            title("Nothing of the kind", 2000, WorkType.BOOK), Outcome.NO_MATCH, Coverage.NONE, [], id="type-outside"
        ),
        pytest.param(
            Query(kind=QueryKind.CITATION, text=LANTERN), Outcome.SKIPPED, Coverage.NONE, [], id="raw-citation"
        ),
        pytest.param(doi("10.5555/" + "x" * 300), Outcome.SKIPPED, Coverage.NONE, [], id="overlong-identifier"),
    ],
)
def test_each_question_ends_in_its_outcome(
    base_url: str, query: Query, outcome: Outcome, coverage: Coverage, ids: list[str]
) -> None:
    [lookup] = look(base_url, query)
    assert (lookup.outcome, lookup.coverage) == (outcome, coverage)
    assert [work.source_id for work in lookup.candidates] == ids
    assert lookup.query == query
    assert lookup.retrieved_at == NOW
    assert (lookup.reason is not None) == (outcome is Outcome.SKIPPED)


def test_record_is_read_in_the_fields_words(base_url: str) -> None:
    [lookup] = look(base_url, doi("10.5555/lantern"))
    [work] = lookup.candidates
    assert work.title == "Counting lanterns & moths at dusk"
    assert work.authors == (Person(family="Fernwhistle", given="Ottoline"), Person(literal="Moth Count Group"))
    assert (work.type, work.year, work.container_title) == (WorkType.ARTICLE_JOURNAL, 1999, "Annals of Dusk")
    assert work.identifiers.pairs() == (("doi", "10.5555/lantern"), ("url", "https://example.org/lantern"))
    assert work.notices == (Notice(type=NoticeType.RETRACTION, doi="10.5555/notice", year=2001),)
    assert work.source == "example"


def test_unknown_type_is_unknown(base_url: str) -> None:
    [lookup] = look(base_url, Query(kind=QueryKind.PMID, text="7"))
    assert lookup.candidates[0].type is WorkType.UNKNOWN


def test_answers_keep_the_order_of_the_questions(base_url: str) -> None:
    queries = (
        title(LANTERN),
        doi("10.5555/dead"),
        Query(kind=QueryKind.CITATION, text="x"),
        title("Twice told"),
        doi("10.5555/lantern"),
    )
    lookups = look(base_url, *queries)
    assert tuple(lookup.query for lookup in lookups) == queries
    assert [len(lookup.candidates) for lookup in lookups] == [2, 0, 0, 2, 1]
    assert all(len(lookup.candidates) <= MAX_WORKS for lookup in lookups)


def test_questions_of_one_kind_share_a_request() -> None:
    client = Canned({"answers": [{"asked": "10.1/a", "works": []}, {"asked": "10.1/b", "works": []}]})
    anyio.run(ExampleSource("http://127.0.0.1/").lookup, [doi("10.1/a"), doi("10.1/b")], client)
    assert client.asked == [{"doi": '["10.1/a","10.1/b"]'}]


def test_only_title_year_and_type_leave(base_url: str) -> None:
    client = Canned({"answers": [{"asked": "T", "works": []}]})
    query = Query(kind=QueryKind.TITLE, text="T", families=("Moth",), year=2000, container_title="Journal")
    anyio.run(ExampleSource(base_url).lookup, [query], client)
    assert [json.loads(asked["title"]) for asked in client.asked] == [[{"title": "T", "year": 2000, "type": "unknown"}]]


def test_lookup_names_a_query_to_repeat(base_url: str) -> None:
    [lookup] = look(base_url, doi("10.5555/lantern"))
    assert lookup.url is not None
    assert lookup.url.startswith(f"{base_url}/works?")
    assert parse_qs(urlsplit(lookup.url).query) == {"doi": ['["10.5555/lantern"]']}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("漢" * 2_000, id="three-byte-script"),
        pytest.param("𝔘" * 2_000, id="four-byte-script"),
        pytest.param('"\\' * 1_000, id="escaped"),
        pytest.param("half \ud835 a pair", id="lone-surrogate"),
        pytest.param("a|b,c&d=e#f\n", id="separators"),
    ],
)
def test_a_full_batch_of_any_title_fits_one_request(base_url: str, text: str) -> None:
    lookups = look(base_url, *[title(text)] * ExampleSource.batch_size)
    assert {lookup.outcome for lookup in lookups} == {Outcome.NO_MATCH}


def test_nothing_asked_nothing_sent() -> None:
    client = Canned(None)
    assert anyio.run(ExampleSource("http://127.0.0.1").lookup, [], client) == ()
    assert client.asked == []


def answers(*items: dict[str, object]) -> dict[str, object]:
    return {"answers": list(items)}


GOOD: dict[str, object] = {"asked": "10.1/a", "works": []}


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(None, id="null"),
        pytest.param([], id="list"),
        pytest.param({}, id="no-answers"),
        pytest.param(answers(), id="too-few"),
        pytest.param(answers(GOOD, GOOD), id="too-many"),
        pytest.param(answers({**GOOD, "asked": "10.1/b"}), id="other-question"),
        pytest.param(answers({"asked": "10.1/a"}), id="works-missing"),
        pytest.param(answers({**GOOD, "works": None}), id="works-null"),
        pytest.param(answers({**GOOD, "works": [{"id": "w"}]}), id="no-title"),
        pytest.param(answers({**GOOD, "works": [{"id": "w", "title": ""}]}), id="empty-title"),
        pytest.param(answers({**GOOD, "works": [{"title": "T"}]}), id="no-id"),
        pytest.param(answers({**GOOD, "works": [{"id": "w", "title": "T", "year": "soon"}]}), id="year-in-words"),
        pytest.param(answers({**GOOD, "registered": True}), id="registered-without-record"),
        pytest.param(answers({**GOOD, "registered": "perhaps"}), id="registered-in-words"),
    ],
)
def test_other_shapes_are_no_answer(value: object) -> None:
    with pytest.raises(MalformedAnswerError):
        read(value, doi("10.1/a"))


@pytest.mark.parametrize("status", [204, 400, 404, 410])
def test_undocumented_status_is_no_answer(status: int) -> None:
    with pytest.raises(MalformedAnswerError, match=str(status)):
        read(answers(GOOD), doi("10.1/a"), status=status)


def test_everything_optional_may_be_null_and_anything_may_be_added() -> None:
    nulls = dict.fromkeys(["type", "year", "container_title", "volume", "issue", "pages", "publisher", "doi", "url"])
    work = {"id": "w", "title": "T", "surprise": {"deep": [1]}, **nulls}
    [lookup] = read(answers({**GOOD, "works": [work], "later": 1}), doi("10.1/a"))
    assert lookup.candidates[0].identifiers.pairs() == ()


@pytest.mark.parametrize("bad", [{"doi": "not one"}, {"isbn": "9780306406158"}, {"url": "javascript:1"}, {"pmid": "x"}])
def test_identifiers_that_cannot_be_cleaned_are_left_out(bad: dict[str, str]) -> None:
    [lookup] = read(answers({**GOOD, "works": [{"id": "w", "title": "T", **bad}]}), doi("10.1/a"))
    assert lookup.candidates[0].identifiers.pairs() == ()


@pytest.mark.parametrize(
    ("fault", "error", "kind"),
    [
        pytest.param("429", SourceUnavailableError, FailureKind.RATE_LIMITED, id="limit"),
        pytest.param("500", SourceUnavailableError, FailureKind.NETWORK, id="server-error"),
        pytest.param("403", SourceUnavailableError, FailureKind.REFUSED, id="refused"),
        pytest.param("reset", SourceUnavailableError, FailureKind.NETWORK, id="reset"),
        pytest.param("page", MalformedAnswerError, None, id="sign-in-page"),
        pytest.param("cut", MalformedAnswerError, None, id="cut"),
        pytest.param("missing", MalformedAnswerError, None, id="wrong-address"),
        pytest.param("text", MalformedAnswerError, None, id="no-answers"),
    ],
)
def test_a_fault_is_never_no_match(
    faulty_url: str, fault: str, error: type[SourceError], kind: FailureKind | None
) -> None:
    with pytest.raises(error) as caught:
        look(f"{faulty_url}/{fault}", title(LANTERN))
    assert caught.value.source == "example"
    assert getattr(caught.value, "kind", None) == kind


def test_long_titles_are_cut_alike_on_both_sides() -> None:
    client = Canned({"answers": [{"asked": "t" * MAX_QUESTION, "works": []}]})
    queries: Sequence[Query] = [title("t" * 5_000)]
    [lookup] = anyio.run(ExampleSource("http://127.0.0.1").lookup, queries, client)
    assert lookup.query == queries[0]
