"""The test town: Crossref, arXiv and Semantic Scholar on one port of this machine, each at the paths of its own host.

A base URL is that of the town. `{base}/{fault}` shows a fault on every path; `Town.break_down` gives one to a service.
"""

from __future__ import annotations

import email.utils
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qsl, urlsplit

from citeaudit.demo.server import Handler
from tests.services.faults import Faulty
from tests.services.town import arxiv, crossref, semantic_scholar
from tests.services.town.facts import facts
from tests.services.town.limits import Watch
from tests.services.town.reply import Question, Reply

Service = crossref.Crossref | arxiv.Arxiv | semantic_scholar.SemanticScholar

DRIP_S = 0.05
"""Seconds between two bytes of a slow body."""
BILLION = (
    '<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c SYSTEM "file:///etc/passwd">]><feed xmlns="http://www.w3.org/2005/Atom"><title>&b;&c;</title></feed>'
)

#: Faults by what they send in place of an answer.
REPLIES = {
    "500": Reply(500, b"Internal Server Error", "text/plain"),
    "503": Reply(503, b"Service Unavailable", "text/plain"),
    "403": Reply(403, b"<html>blocked</html>", "text/html"),
    "429": Reply(429, b"Too Many Requests", "text/plain"),
    "429_seconds": Reply(429, b"Too Many Requests", "text/plain", (("Retry-After", "1"),)),
    "429_long": Reply(429, b"Too Many Requests", "text/html", (("Retry-After", "3600"),)),
    "words": Reply(200, b"Rate exceeded.", "text/plain"),
    "page": Reply(200, b"<!doctype html><title>Please sign in</title>", "text/html"),
    "shape": Reply(200, b'{"hello": "world"}'),
    "null": Reply(200, b"null"),
    "empty": Reply(200, b""),
    "loop": Reply(302, b"", headers=(("Location", "?again=1"),)),
    "private": Reply(302, b"", headers=(("Location", "http://169.254.169.254/latest/meta-data"),)),
    "elsewhere": Reply(302, b"", headers=(("Location", "http://10.0.0.1/works"),)),
    "downgrade": Reply(302, b"", headers=(("Location", "file:///etc/passwd"),)),
    "entities": Reply(200, BILLION.encode(), "application/atom+xml"),
    "empty_feed": arxiv.feed([], total=0),
    "announced_feed": arxiv.feed([], total=7),
    "error_feed": arxiv.error_feed("1706.03762"),
    "error_feed_400": arxiv.error_feed("1706.03762", 400),
}
#: Faults of the connection.
BREAKS = ("reset", "short", "cut", "drip", "429_date")
FAULTS = (*REPLIES, *BREAKS)


class Town:
    """The services, their watch and their faults; `handler` is bound to one."""

    def __init__(self, *, pace: float = 1.0) -> None:
        known = facts()
        self.services: dict[str, Service] = {
            "crossref": crossref.Crossref(known),
            "arxiv": arxiv.Arxiv(known),
            "semantic_scholar": semantic_scholar.SemanticScholar(known),
        }
        self.watch = Watch(pace=pace)
        self._faults: dict[str, tuple[str, int]] = {}
        self._lock = Lock()

    def break_down(self, service: str, fault: str, *, times: int = 1_000_000) -> None:
        """Let a service show a fault for its next requests."""
        if fault not in FAULTS or service not in self.services:
            raise ValueError(f"no such fault or service: {service}={fault}")
        with self._lock:
            self._faults[service] = (fault, times)

    def heal(self) -> None:
        """Let every service work again."""
        with self._lock:
            self._faults.clear()

    def fault(self, service: str) -> str | None:
        """Give the fault to show now, and count it."""
        with self._lock:
            fault, left = self._faults.get(service, ("", 0))
            if left:
                self._faults[service] = (fault, left - 1)
            return fault if left else None

    def owner(self, path: str) -> str | None:
        """Give the service at whose door a path stands."""
        return next((name for name, service in self.services.items() if service.owns(path)), None)


class TownHandler(Faulty):
    """Answers one connection; `town` is set by `open_town`."""

    town: Town

    def do_GET(self) -> None:  # noqa: N802 - the name the standard library calls
        parts = urlsplit(self.path)
        first, _, rest = parts.path.lstrip("/").partition("/")
        if rest and first in FAULTS:
            self._break(first, self._question(f"/{rest}"))
        elif rest and (first.isdecimal() or hasattr(self, f"fault_{first}")):
            super().do_GET()  # the faults that every source must stand, by path
        else:
            self._answer(self._question(parts.path))

    def do_POST(self) -> None:  # noqa: N802 - likewise
        self.do_GET()

    def _question(self, path: str) -> Question:
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        params = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        try:
            body: object = json.loads(raw) if raw else None
        except ValueError:
            body = None
        return Question(self.command, path, params, body, headers)

    def _answer(self, question: Question) -> None:
        owner = self.town.owner(question.path)
        if owner is None:
            self.send(404, b"no such street", media_type="text/plain")
            return
        service = self.town.services[owner]
        self.town.watch.begin(owner, service.lane(question), question, time.monotonic())
        ended = False

        def end() -> None:
            nonlocal ended
            if not ended:
                ended = True
                self.town.watch.end(owner)

        try:
            fault = self.town.fault(owner)
            if fault is not None:
                self._break(fault, question)
            else:
                reply = service.answer(question)
                end()  # before the last byte leaves: who has read it may ask again at once
                self._send(reply)
        finally:
            end()

    def _send(self, reply: Reply) -> None:
        self.begin(
            {"Content-Type": reply.media_type, "Content-Length": str(len(reply.body)), **dict(reply.headers)},
            status=reply.status,
        )
        self.wfile.write(reply.body)

    def _break(self, fault: str, question: Question) -> None:
        if fault in REPLIES:
            self._send(REPLIES[fault])
        elif fault == "429_date":
            soon = email.utils.formatdate(time.time() + 1, usegmt=True)
            self._send(REPLIES["429"]._replace(headers=(("Retry-After", soon),)))
        elif fault == "reset":
            self.fault_reset()
        else:
            self._torn(fault, question)

    def _torn(self, fault: str, question: Question) -> None:
        """Send the right answer, but not to its end: half of it, or too slowly."""
        owner = self.town.owner(question.path)
        reply = self.town.services[owner].answer(question) if owner else REPLIES["shape"]
        half = reply.body[: len(reply.body) // 2]
        if fault == "cut":
            self._send(reply._replace(body=half))
            return
        self.begin({"Content-Type": reply.media_type, "Content-Length": str(len(reply.body))}, status=reply.status)
        if fault == "short":
            self.wfile.write(half)
            return
        for place in range(len(half)):
            self.wfile.write(half[place : place + 1])
            self.wfile.flush()
            time.sleep(DRIP_S)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: object, client_address: object) -> None:
        """Keep quiet about clients that hung up."""


def listen(town: Town, port: int = 0) -> ThreadingHTTPServer:
    """Give a server of the town that has yet to run."""
    handler: type[Handler] = type("BoundTownHandler", (TownHandler,), {"town": town})
    return _Server(("127.0.0.1", port), handler)


@contextmanager
def open_town(town: Town) -> Iterator[str]:
    """Run the town while the context lasts, and give its base URL."""
    server = listen(town)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
