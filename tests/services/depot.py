"""A server of files on this machine: ranges, conditions, and what goes wrong when it is told to."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import NamedTuple
from urllib.parse import urlsplit

from citeaudit.demo.server import Handler, serve
from tests.services.catalogue import CATALOGUE
from tests.services.scripted import Asked

PAGE = b"<!doctype html><title>Are you a person?</title>" + b" " * 2000
MODIFIED = "Mon, 02 Feb 2026 10:00:00 GMT"


class Stored(NamedTuple):
    """A file as it is served."""

    body: bytes
    etag: str = ""
    modified: str = ""
    media_type: str = "application/octet-stream"
    ranges: bool = True
    tells_size: bool = True
    encoding: str = ""


class Mishap(NamedTuple):
    """What one request gets in place of, or on top of, what is stored."""

    status: int = 0
    """Sent with `body`, where it is not 0."""
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    cut: int | None = None
    """Bytes of the body after which the connection is closed."""
    stall: int | None = None
    """Bytes of the body after which nothing more comes, until the depot closes."""
    then: Stored | None = None
    """What is stored from the next request on."""


@dataclass
class Depot:
    """What is stored, and what was asked."""

    files: dict[str, Stored] = field(default_factory=dict)
    mishaps: dict[str, list[Mishap]] = field(default_factory=dict)
    """By path, one a request; without any left, all goes well."""
    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    slow_s: float = 0.0
    """Seconds between two pieces of 10,000 bytes."""
    most_at_once: int = 0
    at_once: int = 0
    closed: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def put(self, path: str, body: bytes, **options: object) -> Stored:
        """Store a file; unless told otherwise, its tag is made of its bytes."""
        options.setdefault("etag", f'"{hashlib.sha256(body).hexdigest()[:16]}"')
        self.files[path] = Stored(body, **options)  # type: ignore[arg-type]
        return self.files[path]

    def put_digest(self, path: str, body: bytes, form: str = "{0}  {1}\n") -> None:
        """Store the checksum of some bytes beside a file."""
        digest = hashlib.md5(body, usedforsecurity=False).hexdigest()
        self.put(f"{path}.md5", form.format(digest, path.rpartition("/")[2]).encode(), media_type="text/plain")

    def ranges(self, path: str) -> list[str]:
        """Give the ranges that were asked of a file, empty for the whole."""
        return [one.headers.get("range", "") for one in self.asked if one.path == path]

    def paths(self) -> list[str]:
        """Give the paths that were asked for, in order."""
        return [one.path for one in self.asked]


class _Keeper(Handler):
    depot: Depot
    counted = False

    def do_GET(self) -> None:  # noqa: N802 - the name the standard library calls
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        depot = self.depot
        with depot.lock:
            depot.asked.append(Asked(time.monotonic(), self.command, parts.path, parts.query, headers, b""))
            self.counted = True
            depot.at_once += 1
            depot.most_at_once = max(depot.most_at_once, depot.at_once)
            stored = depot.files.get(parts.path)
            mishap = (depot.mishaps.get(parts.path) or [Mishap()]).pop(0)
            if mishap.then:
                depot.files[parts.path] = mishap.then
        try:
            self._answer(stored, mishap, headers)
        finally:
            self._leave()

    def _leave(self) -> None:
        """Count this request no longer: before the client can know that it is over."""
        with self.depot.lock:
            self.depot.at_once -= self.counted
            self.counted = False

    def _answer(self, stored: Stored | None, mishap: Mishap, headers: dict[str, str]) -> None:
        if mishap.status or stored is None:
            named = {name.lower() for name, _ in mishap.headers}
            media = () if "content-type" in named else (("Content-Type", "text/html"),)
            length = ("Content-Length", str(len(mishap.body)))
            self._send(mishap.status or 404, (*mishap.headers, *media, length), mishap.body, mishap)
            return
        said = [("Content-Type", stored.media_type)]
        said += [("ETag", stored.etag)] * bool(stored.etag) + [("Last-Modified", stored.modified)] * bool(
            stored.modified
        )
        said += [("Content-Encoding", stored.encoding)] * bool(stored.encoding)
        if headers.get("if-none-match", "-") == stored.etag or headers.get("if-modified-since", "-") == stored.modified:
            self._send(304, tuple(said), b"", mishap)
            return
        size = len(stored.body)
        match = re.fullmatch(r"bytes=(\d+)-", headers.get("range", ""))
        if match and stored.ranges and headers.get("if-range") in {stored.etag, stored.modified, None}:
            start = int(match[1])
            if start >= size:
                self._send(416, (*said, ("Content-Range", f"bytes */{size}"), ("Content-Length", "0")), b"", mishap)
                return
            said += [("Content-Range", f"bytes {start}-{size - 1}/{size}"), ("Content-Length", str(size - start))]
            self._send(206, tuple(said), stored.body[start:], mishap)
            return
        if stored.tells_size:
            said.append(("Content-Length", str(size)))
        self._send(200, (*said, *mishap.headers), stored.body, mishap)

    def _send(self, status: int, headers: tuple[tuple[str, str], ...], body: bytes, mishap: Mishap) -> None:
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        end = min(each for each in (mishap.cut, mishap.stall, len(body)) if each is not None)
        for start in range(0, end, 10_000):
            if start + 10_000 >= end:
                self._leave()
            self.wfile.write(body[start : min(start + 10_000, end)])
            time.sleep(self.depot.slow_s)
        self.wfile.flush()
        if mishap.stall is not None:
            self.depot.closed.wait(30)
        self.close_connection = True


@contextmanager
def depot() -> Iterator[Depot]:
    """Run the server while the context lasts."""
    kept = Depot()
    with serve(CATALOGUE, type("Bound", (_Keeper,), {"depot": kept})) as url:
        kept.url = url
        try:
            yield kept
        finally:
            kept.closed.set()
