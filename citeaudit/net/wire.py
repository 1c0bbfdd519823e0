"""One attempt: a request, its redirects, and the response up to its caps. httpx and its exceptions stop here."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar
from urllib.parse import urlencode

import anyio
import httpx

from citeaudit.errors import FailureKind, MalformedAnswerError
from citeaudit.net import content, links
from citeaudit.net.gate import Turn
from citeaudit.net.guard import TRUSTED, BlockedAddressError, Guard, origin
from citeaudit.net.retry import AttemptError, retry_after
from citeaudit.seams import Answer, Ask

MAX_BODY_BYTES = 10_000_000
"""Most bytes of one answer, counted after decompression; a batch of 200 OpenAlex works is about 3 MB."""
MAX_HOPS = 5
"""Most redirects followed."""
TOTAL_S = 30.0
"""Most seconds from the first byte sent to the last byte read, however steadily they drip."""
SILENCE_S = 15.0
"""Most seconds of silence while reading or writing."""
CONNECT_S = 5.0
"""Most seconds until a connection stands."""

_PLAIN_ENCODINGS = frozenset({"", "identity"})
_GZIP = frozenset({"gzip", "x-gzip"})
_ZLIB_GZIP = 16 + zlib.MAX_WBITS  # expect a gzip header, nothing else
_ACCEPT = {"json": "application/json", "xml": "application/atom+xml, application/xml;q=0.9"}
_GET_AFTER_POST = frozenset({301, 302, 303})  # as RFC 9110 section 15.4 allows, and as every browser does
_NOTHING: Mapping[str, str] = {}
_STARTED, _SENT = "send_request_headers.started", ("send_request_headers.complete", "send_request_headers.failed")


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Caps:
    """What one attempt may cost."""

    silence_s: float = SILENCE_S
    connect_s: float = CONNECT_S
    total_s: float = TOTAL_S
    max_bytes: int = MAX_BODY_BYTES


@dataclass(frozen=True, slots=True)
class _Hop:
    """One request of an attempt."""

    url: httpx.URL
    trusted: bool
    """At the address the user set, all the way from the first request."""
    has_keys: bool = True
    method: str = "GET"


@dataclass(frozen=True, slots=True)
class _Elsewhere:
    """A response that sends to another address."""

    response: httpx.Response


@dataclass(frozen=True, slots=True)
class Opened:
    """A response of which only the headers were read."""

    head: content.Response
    """With an empty body."""
    headers: Mapping[str, str]
    """Names are found in any case."""
    chunks: AsyncGenerator[bytes, None]
    """The body as it comes over the wire, not decompressed; raises the errors of `Wire.send`."""


class Wire:
    """Sends requests.

    Args:
        guard: Makes the connections.
        agent: The `User-Agent`.
        caps: What one attempt may cost.
        clock: Seconds since 1970.
    """

    def __init__(self, guard: Guard, agent: str, caps: Caps, clock: Callable[[], float]) -> None:
        self._guard = guard
        self._agent = agent
        self._caps = caps
        self._clock = clock

    async def send(self, ask: Ask, turn: Turn, *, within_s: float) -> Answer:
        """Attempt once.

        Args:
            ask: The request.
            turn: The right to send it; every hop takes a token of its own.
            within_s: Most seconds, where that is less than the cap.

        Raises:
            AttemptError: No answer.
            MalformedAnswerError: Not an answer of the form asked for, or one that leads elsewhere.
        """
        total_s = min(within_s, self._caps.total_s)
        try:
            with anyio.fail_after(total_s) as scope:
                pace = _Pace(turn, scope, total_s)
                response = await self._follow(ask, lambda hop: self._hop(ask, hop, pace))
        except TimeoutError:
            message = f"no complete answer within {total_s:.3g} s"
            raise AttemptError(message, source=ask.source, kind=FailureKind.TIMED_OUT) from None
        except content.HTTPX_ERRORS as error:
            raise content.translate(error, source=ask.source) from None  # its text may hold keys
        value, text = content.read(response, ask)
        return Answer(
            status=response.status, value=value, text=text, retrieved_at=datetime.fromtimestamp(self._clock(), UTC)
        )

    @asynccontextmanager
    async def stream(self, ask: Ask, turn: Turn, *, extra: Mapping[str, str]) -> AsyncIterator[Opened]:
        """Attempt once, and give the response unread, for as long as the context lasts; see `send`.

        The time allowed ends when its headers are there; a body may then take as long as it does not fall silent.

        Args:
            ask: The request; its `form` is left aside.
            turn: The right to send it.
            extra: More headers, none of them keys: they go along with every redirect.

        Raises:
            AttemptError: No response.
            MalformedAnswerError: One that leads elsewhere.
        """
        total_s = self._caps.total_s
        async with AsyncExitStack() as stack:
            try:
                with anyio.fail_after(total_s) as scope:
                    pace = _Pace(turn, scope, total_s)
                    response = await self._follow(ask, lambda hop: self._arrive(ask, hop, pace, stack, extra))
            except TimeoutError:
                message = f"no answer within {total_s:.3g} s"
                raise AttemptError(message, source=ask.source, kind=FailureKind.TIMED_OUT) from None
            except content.HTTPX_ERRORS as error:
                raise content.translate(error, source=ask.source) from None  # its text may hold keys
            yield Opened(self._head(response), response.headers, _chunks(response, ask.source))

    async def _follow(self, ask: Ask, attempt: Callable[[_Hop], Awaitable[T | _Elsewhere]]) -> T:
        """Send, and go along with redirects as far as `ask.follow` lets them lead."""
        url = address(ask)
        hop = _Hop(url, trusted=self._guard.trusts(ask.source, url), method=ask.method)
        for number in range(MAX_HOPS + 1):
            try:
                answer = await attempt(hop)
            except BlockedAddressError as error:
                if number:
                    message = f"sends to an address that is not followed: {error}"
                    raise MalformedAnswerError(message, source=ask.source) from error
                message = f"its address is not one that may be asked: {error}"
                raise AttemptError(message, source=ask.source, kind=FailureKind.REFUSED) from error
            if not isinstance(answer, _Elsewhere):
                return answer
            hop = _next(hop, answer.response, ask)
        raise MalformedAnswerError(f"redirects more than {MAX_HOPS} times", source=ask.source)

    async def _hop(self, ask: Ask, hop: _Hop, pace: _Pace) -> content.Response | _Elsewhere:
        """Send one request, and read its response unless that is a redirect."""
        async with self._open(ask, hop, pace) as response:
            await pace.turn.adapt(response.headers)
            if response.is_redirect and "location" in response.headers:
                return _Elsewhere(response)
            head = self._head(response)
            read = self._glance if content.is_refusal(head.status) else self._read
            return head._replace(body=await read(response, ask.source))

    async def _arrive(
        self, ask: Ask, hop: _Hop, pace: _Pace, stack: AsyncExitStack, extra: Mapping[str, str]
    ) -> httpx.Response | _Elsewhere:
        """Send one request, and leave its response open on the stack unless that is a redirect."""
        async with AsyncExitStack() as opened:
            response = await opened.enter_async_context(self._open(ask, hop, pace, extra))
            await pace.turn.adapt(response.headers)
            if response.is_redirect and "location" in response.headers:
                return _Elsewhere(response)
            stack.push_async_exit(opened.pop_all())
            return response

    def _head(self, response: httpx.Response) -> content.Response:
        """Give what a response says of itself, without its body."""
        headers = response.headers
        wait_s = retry_after(headers.get("retry-after"), date=headers.get("date"), now=self._clock())
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        return content.Response(response.status_code, media_type, wait_s, b"")

    @asynccontextmanager
    async def _open(
        self, ask: Ask, hop: _Hop, pace: _Pace, extra: Mapping[str, str] = _NOTHING
    ) -> AsyncIterator[httpx.Response]:
        headers = {"User-Agent": self._agent, "Accept": _ACCEPT[ask.form], "Accept-Encoding": "gzip", **extra}
        data = None
        if hop.method == "POST":
            data = json.dumps(ask.body).encode()
            headers["Content-Type"] = "application/json"
        timeout = httpx.Timeout(self._caps.silence_s, connect=self._caps.connect_s)
        extensions = {"timeout": timeout.as_dict(), "trace": pace.trace, TRUSTED: hop.trusted}
        keys = _sendable(ask) if hop.has_keys else {}
        request = httpx.Request(hop.method, hop.url, headers=headers | keys, content=data, extensions=extensions)
        try:
            response = await self._guard.handle_async_request(request)
        except UnicodeError:  # a host that a resolver does not take
            raise httpx.InvalidURL("not a host") from None
        try:
            yield response
        finally:
            await response.aclose()

    async def _glance(self, response: httpx.Response, source: str) -> bytes:
        """Give the first bytes of a body of which no more is wanted."""
        del source
        async with aclosing(response.aiter_raw()) as chunks:  # type: ignore[type-var]  # it is a generator
            return await anext(chunks, b"")

    async def _read(self, response: httpx.Response, source: str) -> bytes:
        """Give the decoded body; never holds more than the cap plus one chunk.

        httpx would inflate each chunk whole (a 48 KB body came out at 50 MB), so this does it with a limit.
        """
        cap = self._caps.max_bytes
        too_large = MalformedAnswerError(f"the answer is larger than {cap:,} bytes", source=source)
        announced = response.headers.get("content-length", "")
        if announced.isdecimal() and len(announced) < 20 and int(announced) > cap:  # noqa: PLR2004 - digits of 2**64
            raise too_large
        encoding = response.headers.get("content-encoding", "").strip().lower()
        if encoding not in _PLAIN_ENCODINGS | _GZIP:
            raise MalformedAnswerError("the answer is compressed in a way that was not asked for", source=source)
        inflate = zlib.decompressobj(_ZLIB_GZIP) if encoding in _GZIP else None
        body = bytearray()
        async for chunk in response.aiter_raw():
            try:
                body += inflate.decompress(chunk, cap - len(body) + 1) if inflate else chunk
            except zlib.error as error:
                raise MalformedAnswerError("the answer could not be decompressed", source=source) from error
            if len(body) > cap:
                raise too_large
        if inflate and body and not inflate.eof:
            raise MalformedAnswerError("the answer breaks off", source=source)
        return bytes(body)


@dataclass(frozen=True, slots=True)
class _Pace:
    """Ties the moments of a connection to the turn and to the time allowed."""

    turn: Turn
    scope: anyio.CancelScope
    total_s: float

    async def trace(self, name: str, info: object) -> None:
        """Hear from the connection, as httpcore's extension `trace` does, what it is about to do or has done."""
        del info
        if name.endswith(_STARTED):
            self.scope.deadline = math.inf  # to wait for a token is not to wait for the service
            await self.turn.begin()
            self.scope.deadline = anyio.current_time() + self.total_s
        elif name.endswith(_SENT):
            self.turn.sent()


async def _chunks(response: httpx.Response, source: str) -> AsyncGenerator[bytes, None]:
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except content.HTTPX_ERRORS as error:
        raise content.translate(error, source=source) from None


def address(ask: Ask) -> httpx.URL:
    """Give the address to ask, with its query.

    Raises:
        AttemptError: It is none that can be asked.
    """
    query = urlencode([(name, value.encode("utf-8", "replace")) for name, value in ask.params])
    try:
        url = links.read(ask.url)
        if query:
            url = url.copy_with(query=query.encode())
        if url.scheme not in {"http", "https"} or not url.host:
            raise httpx.UnsupportedProtocol("neither http nor https")
    except content.HTTPX_ERRORS as error:
        raise content.translate(error, source=ask.source) from None
    return url


def _sendable(ask: Ask) -> dict[str, str]:
    """Give the headers of a request.

    Raises:
        AttemptError: One of them holds what no header can; httpx would say so with the key in its words.
    """
    for name, value in ask.headers:
        if not (value.isascii() and value.isprintable()) or value != value.strip():
            message = f"the value for {name} holds characters or line ends that cannot be sent"
            raise AttemptError(message, source=ask.source, kind=FailureKind.REFUSED)
    return dict(ask.headers)


def _next(hop: _Hop, response: httpx.Response, ask: Ask) -> _Hop:
    """Give the request that a redirect leads to."""
    try:
        there = links.follow(hop.url, response.headers["location"])
    except httpx.InvalidURL:
        raise MalformedAnswerError("sends to an address that is not a valid URL", source=ask.source) from None
    is_home = origin(there) == origin(hop.url)
    if not is_home and (ask.follow == "origin" or (hop.url.scheme, there.scheme) == ("https", "http")):
        raise MalformedAnswerError("sends to another address, which is not followed", source=ask.source)
    method = "GET" if response.status_code in _GET_AFTER_POST else hop.method
    return replace(hop, url=there, trusted=hop.trusted and is_home, has_keys=hop.has_keys and is_home, method=method)
