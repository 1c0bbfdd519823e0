"""Real answers, recorded: every one goes through its adapter to the right outcome, and none raises anything else.

What is right, by what was recorded:

- a record, or a list with records, of a work: FOUND (whether it is the work asked for is not the adapter's to say);
- a list without records, `Title match not found`, Crossref's 404 for a DOI, a feed without entries that says so
  (beside a control that is found): NO_MATCH;
- everything else, such as a refusal, another route's answer, an error in words: no answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from citeaudit.errors import FailureKind, SourceUnavailableError
from citeaudit.model import Outcome, Query, QueryKind
from citeaudit.seams import Answer, Ask, Source
from tests.services.town.arxiv import Arxiv
from tests.services.town.asking import arxiv_id, doi, make, title
from tests.services.town.facts import facts
from tests.services.town.reply import Question
from tests.sources.canned import NOW

RECORDED = Path(__file__).parents[3] / "shared" / "data" / "services" / "recorded"
BASE = "http://127.0.0.1"
EXPECTED = {"crossref": 154, "arxiv": 19, "semantic_scholar": 116}

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded answers are not part of the project"),
]


class Replay:
    """Gives one recorded response to every question, and arXiv's control what it would get."""

    def __init__(self, response: dict[str, Any]) -> None:
        self._response = response
        self._control = Arxiv(facts())

    async def fetch(self, ask: Ask) -> Answer:
        status, body = self._response["status"], self._response["body"]
        if status in (401, 403, 429) or status >= 500:
            kind = FailureKind.REFUSED if status < 429 else FailureKind.RATE_LIMITED
            raise SourceUnavailableError("declined", source=ask.source, kind=kind)
        if ask.form == "xml":
            params = dict(ask.params)
            if "1706.03762" in params.get("id_list", "") or "Attention Is All" in params.get("search_query", ""):
                body = self._control.answer(Question("GET", "/api/query", params, None, {})).body.decode()
            return Answer(status=status, value=None, text=body, retrieved_at=NOW)
        try:
            value = json.loads(body)
        except ValueError:
            value = None
            if status < 400:
                raise SourceUnavailableError("no JSON", source=ask.source, kind=FailureKind.MALFORMED) from None
        return Answer(status=status, value=value, text="", retrieved_at=NOW)


def exchanges(name: str) -> list[dict[str, Any]]:
    path = RECORDED / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def outcomes(source: Source, response: dict[str, Any], *queries: Query) -> Iterator[tuple[Query, Outcome, int]]:
    for query in queries:
        try:
            [lookup] = anyio.run(source.lookup, [query], Replay(response))
        except SourceUnavailableError:
            yield query, Outcome.UNAVAILABLE, 0
        else:
            yield query, lookup.outcome, len(lookup.candidates)


def value_of(response: dict[str, Any]) -> Any:
    try:
        return json.loads(response["body"])
    except ValueError:
        return None


@pytest.mark.parametrize("name", EXPECTED)
def test_all_are_there(name: str) -> None:
    assert len(exchanges(name)) == EXPECTED[name]


def crossref_right(response: dict[str, Any], kind: QueryKind) -> set[Outcome]:
    value, status = value_of(response), response["status"]
    message = value.get("message") if isinstance(value, dict) else None
    if status == 404 and kind is QueryKind.DOI:
        return {Outcome.NO_MATCH}
    if status != 200 or not isinstance(message, dict):
        return {Outcome.UNAVAILABLE}
    if kind is QueryKind.DOI:
        if "DOI" not in message:
            return {Outcome.UNAVAILABLE}
        return {Outcome.FOUND} if message.get("title") else {Outcome.NO_MATCH}
    items = message.get("items")
    if not isinstance(items, list):
        return {Outcome.UNAVAILABLE}
    noise = ("component", "journal", "journal-issue")
    works = [item for item in items if item.get("DOI") and item.get("title") and item.get("type") not in noise]
    return {Outcome.FOUND if works else Outcome.NO_MATCH}


def test_crossref() -> None:
    seen = set()
    for exchange in exchanges("crossref"):
        queries = (doi("10.1000/recorded"), title("What was recorded"))
        for query, outcome, count in outcomes(make("crossref", BASE), exchange["response"], *queries):
            assert {outcome} == crossref_right(exchange["response"], query.kind), exchange["request"]
            assert bool(count) == (outcome is Outcome.FOUND)
            seen.add((query.kind, outcome))
    assert len(seen) == 6  # each outcome was met by DOI and by title


def test_crossref_bulk_finds_each_record_under_its_doi() -> None:
    for exchange in exchanges("crossref"):
        message = (value_of(exchange["response"]) or {}).get("message")
        items = message.get("items", []) if isinstance(message, dict) else []
        works = [item for item in items if item.get("DOI") and item.get("title")]
        if len(works) > 1:
            source = make("crossref", BASE)
            queries = [doi(item["DOI"].lower()) for item in works]
            lookups = anyio.run(source.lookup, queries, Replay(exchange["response"]))
            bulk = [lookup for lookup in lookups if lookup.outcome is Outcome.FOUND]
            assert len(bulk) >= 0.9 * len(works), exchange["request"]


def test_arxiv() -> None:
    seen = set()
    for exchange in exchanges("arxiv"):
        body = exchange["response"]["body"]
        error, entries = "/api/errors" in body, body.count("<entry>")
        queries = [title("What was recorded and nothing else")]
        if "id_list=&" not in exchange["request"]["url"]:
            queries = [
                arxiv_id(
                    exchange["request"]["url"].partition("id_list=")[2].partition("&")[0].partition("%2C")[2]
                    or "1605.08386"
                )
            ]
        for query, outcome, _ in outcomes(make("arxiv", BASE), exchange["response"], *queries):
            if error:
                expected = {Outcome.UNAVAILABLE}
            elif query.kind is QueryKind.TITLE:
                expected = {Outcome.FOUND if entries else Outcome.NO_MATCH}
            else:
                expected = {Outcome.FOUND if query.text in body else Outcome.NO_MATCH}
            assert {outcome} == expected, exchange["request"]
            seen.add(outcome)
    assert seen == {Outcome.FOUND, Outcome.NO_MATCH, Outcome.UNAVAILABLE}


def test_semantic_scholar() -> None:
    seen = set()
    for exchange in exchanges("semantic_scholar"):
        value, status = value_of(exchange["response"]), exchange["response"]["status"]
        queries = [title("What was recorded")]
        if isinstance(value, list):
            queries.append(doi("10.1000/recorded"))
        for query, outcome, _ in outcomes(make("semantic_scholar", BASE), exchange["response"], *queries):
            data = value.get("data") if isinstance(value, dict) else None
            if query.kind is QueryKind.DOI:
                expected = Outcome.UNAVAILABLE  # none of them has one record for one identifier
            elif status == 404 and value == {"error": "Title match not found"}:
                expected = Outcome.NO_MATCH
            elif status != 200 or not isinstance(data, list):
                expected = Outcome.UNAVAILABLE
            else:
                works = [item for item in data if isinstance(item, dict) and item.get("paperId") and item.get("title")]
                expected = Outcome.FOUND if works else Outcome.NO_MATCH
            assert outcome is expected, exchange["request"]
            seen.add(outcome)
    assert seen == {Outcome.FOUND, Outcome.NO_MATCH, Outcome.UNAVAILABLE}


def test_semantic_scholar_batches_keep_their_order() -> None:
    met = 0
    for exchange in exchanges("semantic_scholar"):
        value = value_of(exchange["response"])
        if "/paper/batch" not in exchange["request"]["url"] or not isinstance(value, list):
            continue
        met += 1
        queries = [doi(f"10.1000/{place}") for place in range(len(value))]
        lookups = (
            anyio.run(make("semantic_scholar", BASE).lookup, queries, Replay(exchange["response"]))
            if any(item and "title" in item for item in value)
            else ()
        )
        for item, lookup in zip(value, lookups, strict=False):
            assert lookup.outcome is (Outcome.NO_MATCH if item is None else Outcome.FOUND)
    assert met == 2


SAMPLES = Path(__file__).parents[3] / "shared" / "data" / "services"


@pytest.mark.parametrize("name", ["crossref", "semantic_scholar"])
def test_every_sampled_record_is_read(name: str) -> None:
    lines = (SAMPLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        value = {"message": {"items": [record]}} if name == "crossref" else {"data": [record]}
        response = {"status": 200, "body": json.dumps(value)}
        [(_, outcome, _)] = outcomes(make(name, BASE), response, title("What was recorded"))
        readable = bool(record.get("title")) and record.get("type") != "component"
        assert outcome is (Outcome.FOUND if readable else Outcome.NO_MATCH)
    assert len(records) == 150
