"""The example service speaks what it documents, on loopback, and stops when it is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from pydantic import ValidationError

from citeaudit.demo import server
from tests.services.catalogue import CATALOGUE


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with server.serve(CATALOGUE) as url:
        yield url


def get(base_url: str, target: str) -> tuple[int, dict[str, object]]:
    connection = HTTPConnection(urlsplit(base_url).netloc, timeout=5)
    try:
        connection.request("GET", target)
        response = connection.getresponse()
        assert response.getheader("Content-Type") == "application/json"
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def ask(base_url: str, parameter: str, questions: object) -> list[dict[str, object]]:
    status, value = get(base_url, f"/works?{parameter}={quote(json.dumps(questions))}")
    assert status == 200
    answers = value["answers"]
    assert isinstance(answers, list)
    return answers


def test_identifiers_are_answered_in_order(base_url: str) -> None:
    asked = ["10.5555/dead", "10.5555/lantern", "10.9999/other"]
    answers = ask(base_url, "doi", asked)
    assert [answer["asked"] for answer in answers] == asked
    assert [answer["registered"] for answer in answers] == [False, True, None]


def test_title_search_puts_the_closest_first(base_url: str) -> None:
    [answer] = ask(base_url, "title", [{"title": "moths and lanterns, counting at DAWN"}])
    works = answer["works"]
    assert isinstance(works, list)
    assert [work["id"] for work in works] == ["w2", "w1"]


@pytest.mark.parametrize("title", ["", "!?", "漢字"])
def test_a_title_without_shared_words_has_no_works(base_url: str, title: str) -> None:
    assert [answer["works"] for answer in ask(base_url, "title", [{"title": title}])] == [[]]


@pytest.mark.parametrize(
    ("question", "in_scope"),
    [
        pytest.param({"title": "t", "year": 1990, "type": "article-journal"}, True, id="first-year"),
        pytest.param({"title": "t", "year": 2020}, True, id="type-not-said"),
        pytest.param({"title": "t", "year": 1989}, False, id="before"),
        pytest.param({"title": "t", "year": 2021}, False, id="after"),
        pytest.param({"title": "t", "year": 2000, "type": "webpage"}, False, id="type-outside"),
        pytest.param({"title": "t", "year": None}, False, id="year-not-said"),
    ],
)
def test_scope_is_type_and_year(base_url: str, question: dict[str, object], in_scope: bool) -> None:
    assert [answer["in_scope"] for answer in ask(base_url, "title", [question])] == [in_scope]


@pytest.mark.parametrize(
    ("target", "status"),
    [
        pytest.param("/", 404, id="root"),
        pytest.param("/works/w1", 404, id="single"),
        pytest.param("/works", 400, id="no-question"),
        pytest.param("/works?doi=10.5555/lantern", 400, id="not-a-list"),
        pytest.param("/works?doi=[1]", 400, id="not-text"),
        pytest.param("/works?orcid=[]", 400, id="unknown-scheme"),
        pytest.param("/works?title=[%22t%22]", 400, id="title-not-an-object"),
        pytest.param("/works?doi=[]&title=[]", 400, id="two-kinds"),
        pytest.param("/works?scope=[]", 400, id="not-a-scheme"),
    ],
)
def test_other_questions_are_refused(base_url: str, target: str, status: int) -> None:
    assert get(base_url, target)[0] == status


def test_service_is_on_loopback_and_stops() -> None:
    with server.serve(CATALOGUE) as url:
        assert url.startswith("http://127.0.0.1:")
        assert get(url, "/works?doi=[]") == (200, {"answers": []})
    with pytest.raises(ConnectionRefusedError):
        get(url, "/works?doi=[]")


def test_service_survives_a_client_that_hangs_up(base_url: str) -> None:
    connection = HTTPConnection(urlsplit(base_url).netloc, timeout=5)
    connection.connect()
    connection.sock.sendall(b"GET /wor")
    connection.close()
    assert get(base_url, "/works?doi=[]")[0] == 200


def test_catalogue_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text(CATALOGUE.model_dump_json(), encoding="utf-8")
    assert server.load(path) == CATALOGUE
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ValidationError):
        server.load(path)
