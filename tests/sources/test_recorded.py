"""Real answers, recorded: every one goes through its adapter to the right outcome, and none raises anything else.

What is right, by what was recorded:

- a record, or a list with records, of a work: FOUND (whether it is the work asked for is not the adapter's to say);
- a list without records, `Title match not found`, Crossref's 404 for a DOI, a feed without entries that says so
  (beside a control that is found): NO_MATCH;
- everything else, such as a refusal, another route's answer, an error in words: no answer.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import anyio
import pytest

from citeaudit.errors import SourceUnavailableError
from citeaudit.model import Lookup, Outcome, Query, QueryKind, Work
from citeaudit.net import content
from citeaudit.seams import Answer, Ask, Source
from citeaudit.sources.arxiv.source import CONTROL_IDS
from citeaudit.text.normalize import fold
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
    """Gives one recorded response to every question, read as the net room reads it, and arXiv's control its own."""

    def __init__(self, response: dict[str, Any]) -> None:
        self._response = response
        self._control = Arxiv(facts())

    async def fetch(self, ask: Ask) -> Answer:
        status, body, headers = self._response["status"], self._response["body"], self._response.get("headers", {})
        if ask.form == "xml" and CONTROL_IDS[0] in dict(ask.params).get("id_list", ""):
            body = self._control.answer(Question("GET", "/api/query", dict(ask.params), None, {})).body.decode()
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        value, text = content.read(content.Response(status, media_type, None, body.encode()), ask)
        return Answer(status=status, value=value, text=text, retrieved_at=NOW)


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


NOISE = frozenset({"component", "journal", "journal-issue"})


class Recorded(NamedTuple):
    """What a record says of its work."""

    name: str
    title: str
    first: str | None
    year: int | None
    doi: str | None = None
    kind: str | None = None


def bare(text: str) -> str:
    """Give the letters of a text without markup, to compare by."""
    return fold(re.sub(r"<[^<>]*>", "", html.unescape(html.unescape(text)))).replace(" ", "")


def agrees(work: Work, fact: Recorded) -> None:
    assert bare(work.title).startswith(bare(fact.title)), fact
    assert bare(fact.title), fact
    assert work.year == fact.year, fact
    assert fact.doi is None or work.identifiers.doi == fact.doi.lower(), fact
    assert bool(work.authors) == bool(fact.first), fact
    if fact.first:
        family = work.authors[0].family or work.authors[0].literal or ""
        assert bare(family) or not bare(fact.first), fact  # one is deposited as `-`
        assert bare(family) in bare(fact.first), fact


def arxiv_facts(exchange: dict[str, Any]) -> list[Recorded]:
    found = []
    for part in exchange["response"]["body"].split("<entry>")[1:]:
        if "/api/errors" in part:
            continue
        name, heading, first, year = (
            re.search(pattern, part, re.DOTALL)[1]  # type: ignore[index]
            for pattern in (r"/abs/([^<]+)<", r"<title>(.*?)</title>", r"<name>(.*?)</name>", r"<published>(\d{4})-")
        )
        doi_ = re.search(r"<arxiv:doi[^>]*>([^<]+)<", part)
        found.append(Recorded(name, heading, first, int(year), doi_ and doi_[1]))
    return found


def crossref_facts(exchange: dict[str, Any]) -> list[Recorded]:
    message = (value_of(exchange["response"]) or {}).get("message")
    found = []
    for item in message.get("items", [message]) if isinstance(message, dict) else []:
        if not item.get("DOI") or not item.get("title"):
            continue
        dates = [item.get(name) or {} for name in ("issued", "published", "published-print", "published-online")]
        years = [date["date-parts"][0][0] for date in dates if date.get("date-parts") and date["date-parts"][0][0]]
        first: dict[str, Any] = next(iter(item.get("author") or []), {})
        named = first.get("family") or first.get("name") or first.get("given")
        found.append(
            Recorded(item["DOI"], item["title"][0], named, min(years, default=None), item["DOI"], item.get("type"))
        )
    return found


def scholar_facts(exchange: dict[str, Any]) -> list[Recorded]:
    value = value_of(exchange["response"])
    found = []
    for item in value.get("data") or [] if isinstance(value, dict) else []:
        if item.get("paperId") and item.get("title"):
            people: list[dict[str, Any]] = item.get("authors") or [{}]
            first = people[0].get("name")
            doi_ = (item.get("externalIds") or {}).get("DOI")
            found.append(Recorded(item["paperId"], item["title"], first, item.get("year"), doi_))
    return found


def look(source: Source, response: dict[str, Any], *queries: Query) -> tuple[Lookup, ...]:
    return anyio.run(source.lookup, queries, Replay(response))


@pytest.mark.parametrize("name", EXPECTED)
def test_all_are_there(name: str) -> None:
    assert len(exchanges(name)) == EXPECTED[name]


def crossref_right(response: dict[str, Any], kind: QueryKind) -> set[Outcome]:
    value, status = value_of(response), response["status"]
    message = value.get("message") if isinstance(value, dict) else None
    if status == 404 and kind is QueryKind.DOI:
        return {Outcome.NO_MATCH if response["body"] == "Resource not found." else Outcome.UNAVAILABLE}
    if status != 200 or not isinstance(message, dict):
        return {Outcome.UNAVAILABLE}
    if kind is QueryKind.DOI:
        if "DOI" not in message:
            return {Outcome.UNAVAILABLE}
        return {Outcome.FOUND} if message.get("title") else {Outcome.NO_MATCH}
    items = message.get("items")
    if not isinstance(items, list) or (not items and message.get("total-results")):
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


def test_arxiv_titles() -> None:
    seen = set()
    for exchange in exchanges("arxiv"):
        expected = {Outcome.FOUND if arxiv_facts(exchange) else Outcome.NO_MATCH}
        if "/api/errors" in exchange["response"]["body"]:
            expected = {Outcome.UNAVAILABLE}
        [(_, outcome, _)] = outcomes(make("arxiv", BASE), exchange["response"], title("What was recorded and no more"))
        assert {outcome} == expected, exchange["request"]
        seen.add(outcome)
    assert seen == {Outcome.FOUND, Outcome.NO_MATCH, Outcome.UNAVAILABLE}


def test_arxiv_ids_as_they_were_asked() -> None:
    seen = []
    for exchange in exchanges("arxiv"):
        asked = parse_qs(urlsplit(exchange["request"]["url"]).query).get("id_list", [""])[0]
        ids = [one for one in asked.split(",") if one]
        if not ids:
            continue
        held = {fact.name: fact for fact in arxiv_facts(exchange)}
        lookups = look(make("arxiv", BASE), exchange["response"], *map(arxiv_id, ids))
        for one, lookup in zip(ids, lookups, strict=True):
            match = next((fact for name, fact in held.items() if one in (name, name.rpartition("v")[0])), None)
            assert lookup.outcome is (Outcome.FOUND if match else Outcome.NO_MATCH), one
            if match:
                [work] = lookup.candidates
                assert work.identifiers.arxiv_id == match.name
                agrees(work, match)
            seen.append(lookup.outcome)
    assert (seen.count(Outcome.FOUND), seen.count(Outcome.NO_MATCH)) == (6, 4)


def test_crossref_dois_as_they_were_asked() -> None:
    met = 0
    for exchange in exchanges("crossref"):
        path = urlsplit(exchange["request"]["url"]).path
        asked = unquote(path.removeprefix("/works/")).lower()
        message = (
            (value_of(exchange["response"]) or {}).get("message") if exchange["response"]["status"] == 200 else None
        )
        if not path.startswith("/works/10.") or not isinstance(message, dict) or "DOI" not in message:
            continue
        [lookup] = look(make("crossref", BASE), exchange["response"], doi(asked))
        fact = next(iter(crossref_facts(exchange)), None)
        assert lookup.outcome is (Outcome.FOUND if fact else Outcome.NO_MATCH), asked
        if fact:
            agrees(lookup.candidates[0], fact)
            met += 1
    assert met >= 20


READERS = {
    "crossref": lambda exchange: [fact for fact in crossref_facts(exchange) if fact.kind not in NOISE],
    "arxiv": arxiv_facts,
    "semantic_scholar": scholar_facts,
}


@pytest.mark.parametrize(("name", "least"), [("crossref", 240), ("arxiv", 100), ("semantic_scholar", 30)])
def test_what_is_found_says_what_was_recorded(name: str, least: int) -> None:
    """Titles, first authors, years and DOIs, against the recorded body read here by other means."""
    met = 0
    for exchange in exchanges(name):
        try:
            [lookup] = look(make(name, BASE), exchange["response"], title("What was recorded and no more"))
        except SourceUnavailableError:
            continue
        facts_ = READERS[name](exchange)
        assert len(lookup.candidates) == len(facts_), exchange["request"]
        for work, fact in zip(lookup.candidates, facts_, strict=True):
            agrees(work, fact)
            met += 1
    assert met >= least


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
