"""A service on this machine that says what it is told to, and keeps what it was asked and when."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock
from typing import NamedTuple
from urllib.parse import urlsplit

from citeaudit.demo.server import Handler, serve
from tests.services.catalogue import CATALOGUE


class Reply(NamedTuple):
    """One response."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = {"Content-Type": "application/json"}
    hold_s: float = 0.0
    """Seconds before it is sent."""


class Asked(NamedTuple):
    """One request."""

    at: float
    """Seconds on this machine's clock when its first line had been read."""
    method: str
    path: str
    query: str
    headers: dict[str, str]
    """By name in lower case."""
    body: bytes


@dataclass
class Script:
    """What the service says, request after request; the last reply is repeated."""

    replies: tuple[Reply, ...]
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    at_once: int = 0
    """Requests under way."""
    most_at_once: int = 0
    lock: Lock = field(default_factory=Lock)

    @property
    def gaps(self) -> list[float]:
        """Seconds between requests, in order of arrival."""
        times = sorted(one.at for one in self.asked)
        return [later - earlier for earlier, later in pairwise(times)]


class _Scripted(Handler):
    script: Script

    def do_GET(self) -> None:  # noqa: N802 - the name the standard library calls
        at = time.monotonic()
        length = int(self.headers.get("Content-Length") or 0)
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        script = self.script
        with script.lock:
            script.at_once += 1
            script.most_at_once = max(script.most_at_once, script.at_once)
            asked = Asked(at, self.command, parts.path, parts.query, headers, self.rfile.read(length))
            script.asked.append(asked)
            reply = script.replies[min(len(script.asked), len(script.replies)) - 1]
        time.sleep(reply.hold_s)
        with script.lock:
            script.at_once -= 1  # before the client can know that it is over
        self.send_response_only(reply.status)  # no `Server`, and no `Date` but the reply's
        for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)

    do_POST = do_GET  # noqa: N815 - likewise


@contextmanager
def scripted(*replies: Reply) -> Iterator[Script]:
    """Run the service while the context lasts."""
    script = Script(replies or (Reply(),))
    with serve(CATALOGUE, type("Bound", (_Scripted,), {"script": script})) as url:
        script.url = url
        yield script
