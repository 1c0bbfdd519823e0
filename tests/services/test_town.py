"""The test town: it speaks as the services do, keeps an eye on their limits, and goes wrong on demand."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from xml.etree.ElementTree import Element, fromstring

import pytest

from tests.services.town.asking import SOURCES, arxiv_id, ask, doi, make, title
from tests.services.town.facts import SERVICES, facts
from tests.services.town.limits import Watch
from tests.services.town.reply import Question
from tests.services.town.server import FAULTS, Town, open_town

ROOT = Path(__file__).parents[2]
RECORDED = ROOT.parent / "shared" / "data" / "services" / "recorded"
shared = [
    pytest.mark.shared,
    pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded answers are not part of the project"),
]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with open_town(Town(pace=0.0)) as url:
        yield url


def get(url: str, *, body: object = None, **params: str) -> tuple[int, bytes]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}?{urlencode(params)}", data, {"Content-Type": "application/json"})  # noqa: S310 - the town is on this machine
    try:
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - likewise
            return answer.status, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.read()


# --- facts ---


def test_it_knows_the_projects_own_works() -> None:
    known = facts()
    assert len(known) > 200
    assert all(fact.held_by <= set(SERVICES) for fact in known)
    assert {"arxiv_id", "container_title"} <= set(
        next(one for one in known if one.title == "Attention Is All You Need").rest
    )


@pytest.mark.parametrize("service", SERVICES)
def test_every_service_holds_some(service: str) -> None:
    assert sum(service in fact.held_by for fact in facts()) > 20


# --- shapes ---


def shape(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Give each path in a JSON value with the kind of thing there; numbers are one kind."""
    kind = "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__
    yield path, kind
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from shape(inner, f"{path}.{'*' if path.endswith('relation') else name}")
    elif isinstance(value, list):
        for inner in value:
            yield from shape(inner, f"{path}[]")


def recorded(service: str) -> Iterator[tuple[str, Any]]:
    for line in (RECORDED / f"{service}.jsonl").read_text(encoding="utf-8").splitlines():
        exchange = json.loads(line)
        yield exchange["request"]["url"], exchange["response"]["body"]


def paths(bodies: Iterator[Any]) -> set[tuple[str, str]]:
    return {pair for body in bodies for pair in shape(body)}


def loads(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


class TestShapes:
    pytestmark = shared

    def test_crossref(self, base_url: str) -> None:
        bodies = [(url, loads(body)) for url, body in recorded("crossref") if "/works" in url]
        known = paths(body for _, body in bodies)
        items = {(path.removeprefix(".message"), kind) for path, kind in known if path.startswith(".message")}
        known |= {
            (f".message.items[]{path}", kind) for path, kind in items
        }  # alone a record is whole, in lists selected
        known |= {
            (f".message{path.removeprefix('.items[]')}", kind) for path, kind in items if path.startswith(".items[]")
        }
        known |= {(path.replace("updated-by", "update-to"), kind) for path, kind in known if "updated-by" in path}
        texts = [get(f"{base_url}/works", rows="300", **{"query.bibliographic": "a of the in and dusk moths"})[1]]
        texts += [get(f"{base_url}/works/10.1103%2Fphysrevlett.106.068302")[1]]
        texts += [get(f"{base_url}/works/10.1038%2Fnature14539/agency")[1]]
        ours = paths(json.loads(text) for text in texts)
        assert len(ours) > 40
        assert ours - known == set()

    def test_semantic_scholar(self, base_url: str) -> None:
        known: set[tuple[str, str]] = set()
        for url, body in recorded("semantic_scholar"):
            if "/paper/" in url:
                known |= set(shape(loads(body)))
        papers = {(path.removeprefix(".data[]").removeprefix("[]"), kind) for path, kind in known}
        papers |= paths(loads(line) for line in (RECORDED.parent / "semantic_scholar.jsonl").read_text().splitlines())
        known |= {(f"{head}{path}", kind) for path, kind in papers for head in ("[]", ".data[]")}
        fields = (
            "title,authors,year,venue,publicationVenue,journal,externalIds,openAccessPdf,isOpenAccess,"
            "publicationTypes,publicationDate,url"
        )
        ids = [f"DOI:{fact.get('doi')}" for fact in facts() if fact.get("doi")] + ["DOI:10.5555/none"]
        texts = [get(f"{base_url}/graph/v1/paper/batch", body={"ids": ids}, fields=fields)[1]]
        texts += [get(f"{base_url}/graph/v1/paper/search/match", query="Deep Learning", fields=fields)[1]]
        texts += [get(f"{base_url}/graph/v1/paper/search/match", query="nothing such", fields=fields)[1]]
        ours = paths(json.loads(text) for text in texts)
        assert len(ours) > 40
        assert ours - known == set()

    def test_arxiv(self, base_url: str) -> None:
        def tags(element: Element, path: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
            yield path, tuple(sorted(element.attrib))
            for inner in element:
                yield from tags(inner, f"{path}/{inner.tag}")

        known = {pair for _, body in recorded("arxiv") for pair in tags(fromstring(body))}  # noqa: S314 - our own files
        asked = ",".join(str(fact.get("arxiv_id")) for fact in facts() if fact.get("arxiv_id"))
        texts = [get(f"{base_url}/api/query", id_list=asked, max_results="100")[1].decode()]
        texts += [get(f"{base_url}/api/query", id_list="abc")[1].decode(), get(f"{base_url}/api/query")[1].decode()]
        ours = {pair for text in texts for pair in tags(fromstring(text))}  # noqa: S314 - likewise
        assert len(ours) > 15
        assert {path for path, _ in ours - known} <= {
            "/{http://www.w3.org/2005/Atom}entry/{http://arxiv.org/schemas/atom}doi"
        }


# --- statuses ---


@pytest.mark.parametrize(
    ("path", "params", "status"),
    [
        ("/works/10.5555%2Fnone", {}, 404),
        ("/works/10.5555%2Fnone/agency", {}, 404),
        ("/works/10.48550%2Farxiv.1706.03762/agency", {}, 200),
        ("/works", {"select": "DOI,colour"}, 400),
        ("/graph/v1/paper/search/match", {"query": "nothing such"}, 404),
        ("/graph/v1/paper/search/match", {"query": "x", "fields": "colour"}, 400),
        ("/graph/v1/author/1", {}, 404),
        ("/graph/v1/paper/unknown", {}, 404),
        ("/elsewhere", {}, 404),
        ("/api/query", {"id_list": "abc"}, 200),
    ],
)
def test_statuses(base_url: str, path: str, params: dict[str, str], status: int) -> None:
    assert get(f"{base_url}{path}", **params)[0] == status


@pytest.mark.parametrize("body", [{}, {"ids": []}, {"ids": ["DOI:10.5555/none"]}, []])
def test_batches_of_nothing_are_refused(base_url: str, body: object) -> None:
    assert get(f"{base_url}/graph/v1/paper/batch", body=body, fields="title")[0] == 400


# --- limits ---

WITH, WITHOUT = {"user-agent": "x (mailto:a@example.org)"}, {"user-agent": "x"}


def watch(service: str, lane: str, *times: float, headers: dict[str, str] = WITH, overlap: bool = False) -> list[str]:
    seen = Watch()
    for at_s in times:
        seen.begin(service, lane, Question("GET", "/", {}, None, headers), at_s)
        if not overlap:
            seen.end(service)
    return seen.violations


@pytest.mark.parametrize(
    ("service", "lane", "times", "violations"),
    [
        ("arxiv", "default", (0, 3.0, 6.1), 0),
        ("arxiv", "default", (0, 2.9), 1),
        ("crossref", "list", (0, 0.1, 0.2, 1.05), 0),
        ("crossref", "list", (0, 0.1, 0.2, 0.9), 1),
        ("crossref", "single", tuple(place / 10 for place in range(12)), 0),
        ("semantic_scholar", "default", (0, 1.0), 0),
        ("semantic_scholar", "default", (0, 0.5), 1),
    ],
)
def test_limits(service: str, lane: str, times: tuple[float, ...], violations: int) -> None:
    assert len(watch(service, lane, *times)) == violations


def test_limits_without_contact() -> None:
    assert watch("crossref", "list", 0, 0.5, headers=WITHOUT).count("crossref/list: no contact") == 2
    assert "crossref/list: 2 within a second" in watch("crossref", "list", 0, 0.5, headers=WITHOUT)


def test_requests_at_a_time() -> None:
    assert watch("arxiv", "default", 0, 10, overlap=True) == ["arxiv/default: 2 at a time"]
    assert watch("crossref", "list", 0, 10, 20, overlap=True) == []


def test_sources_never_ask_more_at_a_time_than_crossref_allows() -> None:
    town = Town(pace=0.0)
    with open_town(town) as url:
        ask(make("crossref", url), url, *(title(f"Moths of the {place}th kind") for place in range(12)))
    assert town.watch.violations == []
    assert len(town.watch.requests) == 12
    assert all(seen.contact for seen in town.watch.requests)
    assert "query.bibliographic" in town.watch.requests[0].line


# --- faults ---


def test_a_fault_ends_when_it_is_healed() -> None:
    town = Town(pace=0.0)
    with open_town(town) as url:
        town.break_down("crossref", "500")
        assert get(f"{url}/works/10.1038%2Fnature14539")[0] == 500
        assert get(f"{url}/api/query", id_list="1706.03762")[0] == 200
        town.heal()
        assert get(f"{url}/works/10.1038%2Fnature14539")[0] == 200


def test_unknown_faults_are_refused() -> None:
    with pytest.raises(ValueError, match="crossref=plague"):
        Town().break_down("crossref", "plague")


def test_fault_names_are_no_streets() -> None:
    town = Town()
    assert not any(town.owner(f"/{fault}/works") for fault in FAULTS)


def test_by_hand() -> None:
    command = [sys.executable, "-m", "tests.services.town", "--port", "0", "--fault", "arxiv=empty_feed"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(4)]
        url = lines[0].rpartition("=")[2]
        assert b"<entry>" not in get(f"{url}/api/query", id_list="1706.03762")[1]
        process.send_signal(2)
        rest, _ = process.communicate(timeout=20)
    assert lines[0].startswith("export CITEAUDIT_SOURCES__CROSSREF__BASE_URL=http://127.0.0.1:")
    assert "1 requests" in rest
    assert "arxiv/default: no contact" in rest


# --- what a manuscript costs ---


def test_requests_of_fifty_references() -> None:
    """Everything asked of everyone: the searcher asks less."""
    known = facts()
    ids = [str(fact.get("arxiv_id")) for fact in known if "arxiv" in fact.held_by][:20]
    dois = [str(fact.get("doi")) for fact in known if "crossref" in fact.held_by][:15]
    titles = [fact for fact in known if fact.type == "article-journal" and "crossref" in fact.held_by][-15:]
    queries = [
        *(arxiv_id(one) for one in ids),
        *(doi(one) for one in dois),
        *(title(fact.title, str(fact.authors[0].get("family") if fact.authors else "")) for fact in titles),
    ]
    counts = {}
    for name in SOURCES:
        town = Town(pace=0.0)
        with open_town(town) as url:
            ask(make(name, url), url, *queries)
        counts[name] = len(town.watch.requests)
    assert counts == {"crossref": 1 + 15, "arxiv": 1 + 15, "semantic_scholar": 1 + 15}
