"""The example service, on a port of this machine.

Speaks what `citeaudit.sources.example` documents, out of one file of records. Searching a title gives works that
share most of its words, as search engines do: whether one of them is the work asked for is not its business.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources.abc import Traversable
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from citeaudit.text.normalize import words

SCHEMES = ("doi", "arxiv_id", "pmid", "pmcid", "isbn")
MAX_WORKS = 3
"""Most works in the answer to one title."""
MIN_SHARED = 0.5
"""Least share of words, 0 to 1, that a title has in common with the one asked for."""


class Record(BaseModel):
    """One work; fields the service does not search by are passed on as they are."""

    model_config = ConfigDict(frozen=True, extra="allow")

    id: str
    title: str
    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    isbn: str | None = None


class Scope(BaseModel):
    """Which works the service collects."""

    model_config = ConfigDict(frozen=True)

    types: frozenset[str]
    """CSL types, and `unknown` for a question that does not say."""
    since: int
    """First year of issue."""
    until: int
    """Last year of issue."""


class _TitleQuestion(BaseModel):
    title: str
    year: int | None = None
    type: str = "unknown"


class Catalogue(BaseModel):
    """All that the service knows."""

    model_config = ConfigDict(frozen=True)

    scope: Scope
    prefixes: frozenset[str]
    """DOI prefixes whose registration agency it is; every DOI under them is among the works or does not exist."""
    works: tuple[Record, ...]

    def identified(self, scheme: str, value: str) -> dict[str, object]:
        """Answer one question by identifier."""
        works = [work.model_dump(exclude_none=True) for work in self.works if getattr(work, scheme) == value]
        is_agency = scheme == "doi" and value.partition("/")[0] in self.prefixes
        return {"asked": value, "works": works, "registered": bool(works) if is_agency else None}

    def titled(self, question: _TitleQuestion) -> dict[str, object]:
        """Answer one question by title; works that share most words come first."""
        asked = set(words(question.title))
        shares = [(_share(asked, set(words(work.title))), work) for work in self.works]
        near = sorted((pair for pair in shares if pair[0] >= MIN_SHARED), key=lambda pair: -pair[0])
        works = [work.model_dump(exclude_none=True) for _, work in near[:MAX_WORKS]]
        year = question.year
        in_years = year is not None and self.scope.since <= year <= self.scope.until
        return {"asked": question.title, "works": works, "in_scope": in_years and question.type in self.scope.types}

    def answer(self, query: str) -> list[dict[str, object]]:
        """Answer the query part of an address: one parameter, a JSON list of questions.

        Raises:
            ValueError: It is not a question of the documented shape.
        """
        [(parameter, value)] = parse_qsl(query, strict_parsing=True)
        if parameter == "title":
            return [self.titled(question) for question in _TITLES.validate_json(value)]
        if parameter not in SCHEMES:
            raise ValueError(parameter)
        return [self.identified(parameter, each) for each in _VALUES.validate_json(value)]


_TITLES = TypeAdapter(tuple[_TitleQuestion, ...])
_VALUES = TypeAdapter(tuple[str, ...])


class Handler(BaseHTTPRequestHandler):
    """Answers one connection; `catalogue` is set by `serve`."""

    catalogue: Catalogue

    def do_GET(self) -> None:
        """Answer a question, or say with a status why not."""
        parts = urlsplit(self.path)
        if parts.path != "/works":
            self.reply(HTTPStatus.NOT_FOUND, {"error": "no such collection"})
            return
        try:
            answers = self.catalogue.answer(parts.query)
        except (ValueError, ValidationError):
            self.reply(HTTPStatus.BAD_REQUEST, {"error": "not a question of the documented shape"})
            return
        self.reply(HTTPStatus.OK, {"answers": answers})

    def reply(self, status: int, value: object) -> None:
        """Send a JSON value."""
        self.send(status, json.dumps(value).encode())

    def send(self, status: int, body: bytes, *, media_type: str = "application/json") -> None:
        """Send a whole response."""
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it so
        """Keep quiet: the audit reports what was asked."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet about clients that hung up."""


def load(path: Path | Traversable) -> Catalogue:
    """Read a file of records.

    Raises:
        OSError: It cannot be read.
        ValueError: It is not a catalogue.
    """
    return Catalogue.model_validate_json(path.read_text(encoding="utf-8"))


@contextmanager
def serve(catalogue: Catalogue, handler: type[Handler] = Handler) -> Iterator[str]:
    """Run the service while the context lasts, and give its base URL.

    Listens on a free port of the loopback interface, in threads of this process.
    """
    bound = type(handler.__name__, (handler,), {"catalogue": catalogue})
    server = _Server(("127.0.0.1", 0), bound)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _share(asked: set[str], held: set[str]) -> float:
    """Give the Dice coefficient of two sets of words."""
    return 2 * len(asked & held) / (len(asked) + len(held)) if asked or held else 0.0
