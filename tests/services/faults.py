"""A service on this machine that goes wrong on purpose.

`{base}/{fault}/works` shows the named fault, `{base}/works` none.
"""

from __future__ import annotations

import gzip
import json
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from citeaudit.demo.server import Catalogue, Handler, serve

SLOW_S = 1.0
"""Seconds before the first byte of `slow`, and between bytes of `drip`: longer than any test waits."""
PAGE = b"<!doctype html><title>Please sign in</title>"
GOOD = b'{"answers": []}'
BIG = 300_000
"""Bytes of `big` and of `bomb` once inflated."""


class Faulty(Handler):
    """The example service with faults; the first part of the path names one."""

    def do_GET(self) -> None:  # noqa: N802 - the name the standard library calls
        fault, _, rest = urlsplit(self.path).path.strip("/").partition("/")
        if not rest:
            super().do_GET()
        elif fault.isdecimal():
            self.send(int(fault), PAGE, media_type="text/html")
        else:
            getattr(self, f"fault_{fault}")()

    def fault_page(self) -> None:
        self.send(200, PAGE, media_type="text/html; charset=utf-8")

    def fault_page_of_json(self) -> None:
        self.send(200, GOOD, media_type="application/xhtml+xml")

    def fault_text(self) -> None:
        self.send(200, GOOD, media_type="text/plain")

    def fault_missing(self) -> None:
        self.reply(404, {"error": "no such work"})

    def fault_missing_in_words(self) -> None:
        self.send(404, b"Resource not found.", media_type="text/plain")

    def fault_empty(self) -> None:
        self.send(200, b"")

    def fault_cut(self) -> None:
        self.send(200, GOOD[:-3])

    def fault_latin(self) -> None:
        self.send(200, '{"title": "Müßig"}'.encode("latin-1"))

    def fault_nan(self) -> None:
        self.send(200, b'{"score": NaN}')

    def fault_deep(self) -> None:
        self.send(200, b"[" * 200_000)

    def fault_digits(self) -> None:
        self.send(200, b"9" * 10_000)

    def fault_short(self) -> None:
        self.begin({"Content-Length": "1000"})
        self.wfile.write(GOOD)

    def fault_big(self) -> None:
        self.send(200, b'"' + b"a" * BIG + b'"')

    def fault_gzip(self) -> None:
        self.zipped(gzip.compress(GOOD))

    def fault_bomb(self) -> None:
        self.zipped(gzip.compress(b'"' + b"a" * BIG + b'"'))

    def fault_cut_gzip(self) -> None:
        self.zipped(gzip.compress(GOOD)[:-12])

    def fault_bad_gzip(self) -> None:
        self.zipped(GOOD)

    def fault_brotli(self) -> None:
        self.begin({"Content-Encoding": "br"})
        self.wfile.write(GOOD)

    def fault_slow(self) -> None:
        time.sleep(SLOW_S)
        self.send(200, GOOD)

    def fault_drip(self) -> None:
        self.begin({"Content-Length": "100"})
        for _ in range(10):
            self.wfile.write(b" ")
            time.sleep(SLOW_S / 10)

    def fault_reset(self) -> None:
        linger = struct.pack("ii", 1, 0)  # on, for no time at all: the connection is reset, not closed
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.shutdown(socket.SHUT_RD)
        self.connection.close()
        self.close_connection = True

    def fault_garbage(self) -> None:
        self.wfile.write(b"this is not HTTP\r\n\r\n")

    def fault_away(self) -> None:
        self.begin({"Location": "http://localhost/works"}, status=302)

    def fault_home(self) -> None:
        self.begin({"Location": "/echo/works?moved=yes"}, status=301)

    def fault_loop(self) -> None:
        self.begin({"Location": self.path}, status=302)

    def fault_nowhere(self) -> None:
        self.begin({"Location": "http://[::1"}, status=302)

    def fault_echo(self) -> None:
        """Send back what was asked, and try to leave a cookie."""
        value = {"query": urlsplit(self.path).query, "headers": {k.lower(): v for k, v in self.headers.items()}}
        body = json.dumps(value).encode()
        self.begin({"Content-Type": "application/json", "Set-Cookie": "seen=1", "Content-Length": str(len(body))})
        self.wfile.write(body)

    def zipped(self, body: bytes) -> None:
        self.begin({"Content-Type": "application/json", "Content-Encoding": "gzip", "Content-Length": str(len(body))})
        self.wfile.write(body)

    def begin(self, headers: dict[str, str], *, status: int = 200) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


@contextmanager
def faulty(catalogue: Catalogue) -> Iterator[str]:
    """Run the service with faults, and give its base URL."""
    with serve(catalogue, Faulty) as base_url:
        yield base_url
