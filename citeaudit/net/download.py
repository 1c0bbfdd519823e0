"""Fetch files of any size over the client's one way out: streamed, gone on with where they broke off, and checked.

A file is written beside its place (`citeaudit.net.part`) and takes it only when it is whole: its size is what the
server and the list it comes from say, its checksum what is published, its first bytes those of such a file. A web page
with status 200 (a bot check, a log-in, an error) is none of that, and replaces neither a file nor what has arrived.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from anyio import to_thread

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceUnavailableError
from citeaudit.net import content
from citeaudit.net.client import Client, Means
from citeaudit.net.part import Part, Version, digest_of, ends_with_a_line, is_whole_gzip
from citeaudit.net.retry import AttemptError, Stopwatch, retry
from citeaudit.net.wire import Opened
from citeaudit.seams import Ask

ROUNDS = 200
"""Most times that a file is gone on with after it broke off; each may hold the usual attempts."""
GAIN_BYTES = 2**16
"""Bytes that must have come since the last time for another one."""
PATIENCE_S = 600.0
"""Longest wait that a server may ask for, each time and three times as much in all; then it is for the user to wait."""
WINDOW_S = 60.0
"""Seconds over which a connection must bring `LEAST_BYTES`, else it counts as stalled."""
LEAST_BYTES = 60_000
"""1 KB a second: slower than any line on which such files are fetched at all."""
TEXT_BYTES = 8_000_000
"""Most bytes of a list of files or a checksum; a folder of 3,000 files is about 500 KB as a page."""
HEAD_BYTES = 1024
"""First bytes that are looked at before anything is written."""

DIGESTS = {"md5": 32, "sha256": 64}
"""Checksums by the number of their hexadecimal digits."""

_GZIP = b"\x1f\x8b"
_RANGE = re.compile(r"bytes (?:([0-9]{1,18})-([0-9]{1,18})|\*)/([0-9]{1,18}|\*)", re.ASCII)
_OK, _PARTIAL, _UNCHANGED, _CLIENT_ERROR, _BEYOND = 200, 206, 304, 400, 416
_STORED = frozenset({"", "identity"})
_PACKED = frozenset({"gzip", "x-gzip"})
_AS_IT_IS = {"Accept": "*/*", "Accept-Encoding": "identity"}
_BOM = b"\xef\xbb\xbf"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A file to fetch."""

    source: str
    """Whose it is, for messages and limits."""
    url: str
    """Whole address; it may hold a signature, so it stands in no message and no file."""
    name: str
    """Below the folder it goes to."""
    holds: Literal["gzip", "text"] = "gzip"
    """What its first bytes must be."""
    heading: str = ""
    """Words that a text must have among its first bytes."""
    ceiling: int
    """Most bytes."""
    size: int | None = None
    """Bytes, where the list it comes from says so."""
    digest_url: str | None = None
    """Address of its published checksum."""
    is_fixed: bool = False
    """A file of this name is never published in another version."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A whole file in its place."""

    size: int
    version: Version
    digest: str = ""
    """The published checksum that it was found to have: `md5:...`; empty where none is published."""


class Download:
    """Fetches files one at a time; make one for all.

    Args:
        client: Open.
        means: Clocks and chance; those of the client.
        heard: Called with the number of bytes, each time some have arrived; negative where some were thrown away
            that had arrived, in this run or before.
    """

    def __init__(self, client: Client, means: Means | None = None, heard: Callable[[int], None] | None = None) -> None:
        self._client = client
        self._means = means or Means()
        self._heard = heard or (lambda _: None)

    async def text(self, url: str, *, source: str) -> str:
        """Give a small text: a page that lists files, a checksum.

        Touches the network.

        Raises:
            SourceUnavailableError: No answer.
            MalformedAnswerError: Not a text, not there, or too large.
        """

        async def attempt() -> bytes:
            body = bytearray()
            async with self._client.stream(_ask(source, url), _AS_IT_IS) as opened, aclosing(opened.chunks) as chunks:
                _refuse(opened, source, "the list of files or checksum")
                async for chunk in chunks:
                    body += chunk
                    if len(body) > TEXT_BYTES:
                        raise MalformedAnswerError(f"a list of more than {TEXT_BYTES:,} bytes", source=source)
            return bytes(body)

        return (await self._retry(attempt)).decode("utf-8", "replace")

    async def fetch(self, wanted: Wanted, folder: Path, held: Fetched | None = None) -> Fetched:
        """Bring a file up to date.

        Touches the network.

        Args:
            wanted: The file.
            folder: Where it goes.
            held: What is known of the whole file that stands there already; it is kept where it is still the one
                that is published.

        Raises:
            SourceUnavailableError: No answer, or it broke off too often; what has arrived is kept.
            MalformedAnswerError: What came is not the file; one that stood there is kept.
            UsageError: It cannot be written, or there is no room.
        """
        part = Part(folder / wanted.name)
        for _ in range(2):  # a file may be published anew between its checksum and its last byte
            digest = await self._digest(wanted)
            if held and digest and digest == held.digest:
                return held
            if not held and digest and await _has(part.target, digest):  # put there by hand, or just before a crash
                return Fetched(part.target.stat().st_size, Version(), digest)
            if not part.is_whole:
                kept = None if digest else held
                if not await self._transfer(wanted, part, kept) and held:
                    return held
            if await self._is_right(wanted, part, digest):
                return self._settle(part, digest)
            self._heard(-part.size)
            part.discard()
        message = f"{wanted.name}: what arrives is not the file whose checksum is published, twice over"
        raise MalformedAnswerError(message, source=wanted.source)

    async def _transfer(self, wanted: Wanted, part: Part, held: Fetched | None) -> bool:
        """Have all bytes arrive, in as many connections as it takes; false where `held` is still what is published."""
        asked_s = 0.0
        for _ in range(ROUNDS):
            before = part.size
            try:
                return await self._retry(lambda: self._attempt(wanted, part, held))
            except SourceUnavailableError as error:
                wait_s = _asked_to_wait(error)
                asked_s += wait_s or 0.0
                if wait_s is not None and wait_s <= PATIENCE_S and asked_s <= 3 * PATIENCE_S:
                    await self._means.sleep(wait_s)
                elif not (isinstance(error, AttemptError) and error.transient and part.size - before >= GAIN_BYTES):
                    raise
        message = f"{wanted.name}: broke off {ROUNDS} times"
        raise SourceUnavailableError(message, source=wanted.source, kind=FailureKind.NETWORK)

    async def _attempt(self, wanted: Wanted, part: Part, held: Fetched | None) -> bool:
        """Ask for what is missing, and append it."""
        extra = dict(_AS_IT_IS)
        version = part.version
        if part.can_go_on and version is not None:
            extra |= {"Range": f"bytes={part.size}-", "If-Range": version.condition}
        elif held and held.version.etag:
            extra["If-None-Match"] = held.version.etag
        elif held and held.version.modified:
            extra["If-Modified-Since"] = held.version.modified
        ask = _ask(wanted.source, wanted.url)
        async with self._client.stream(ask, extra) as opened, aclosing(opened.chunks) as chunks:
            status = opened.head.status
            if status == _UNCHANGED and held:
                return False
            if status in {_PARTIAL, _BEYOND} and "Range" in extra:
                if not self._goes_on(opened, wanted, part):
                    await self._receive(opened, chunks, wanted, part)
                return True
            _refuse(opened, wanted.source, wanted.name)
            await self._begin(opened, chunks, wanted, part)
            await self._receive(opened, chunks, wanted, part)
        return True

    def _goes_on(self, opened: Opened, wanted: Wanted, part: Part) -> bool:
        """Say whether all is there already; raise where the rest is not that of what is there."""
        if opened.head.media_type in content.HTML:
            raise MalformedAnswerError(f"{wanted.name}: a web page came in place of the rest", source=wanted.source)
        match = _RANGE.fullmatch(opened.headers.get("content-range", "").strip())
        version = part.version
        if match and version and version.is_that_of(opened.headers):
            total = None if match[3] == "*" else int(match[3])
            same = total is None or version.total in {None, total}
            if opened.head.status == _BEYOND and total == part.size and same:
                part.note(version.model_copy(update={"total": total}))
                return True
            if opened.head.status == _PARTIAL and match[1] and int(match[1]) == part.size and same:
                return False
        self._heard(-part.size)
        part.discard()
        message = f"{wanted.name}: changed on the server while it was fetched"
        raise AttemptError(message, source=wanted.source, kind=FailureKind.NETWORK)

    async def _begin(self, opened: Opened, chunks: AsyncIterator[bytes], wanted: Wanted, part: Part) -> None:
        """Start afresh with what the server sends from its first byte; nothing is touched before that was looked at."""
        total = _length(opened.headers)
        head = bytearray()
        async for chunk in chunks:
            head += chunk
            if len(head) >= HEAD_BYTES:
                break
        _look(bytes(head), opened, wanted)
        for size in (total, wanted.size):
            if size is not None and size > wanted.ceiling:
                told = f"{wanted.name}: is {size:,} bytes, more than the {wanted.ceiling:,} that it can be"
                raise MalformedAnswerError(told, source=wanted.source)
        if None not in {total, wanted.size} and total != wanted.size:
            told = f"{wanted.name}: is {total:,} bytes, but {wanted.size:,} by the list of files"
            raise MalformedAnswerError(told, source=wanted.source)
        part.check_room(total or wanted.size or 0)
        self._heard(-part.size)
        part.begin(Version.read(opened.headers, total))
        with part.open() as append:
            append(bytes(head))
        self._heard(len(head))

    async def _receive(self, opened: Opened, chunks: AsyncIterator[bytes], wanted: Wanted, part: Part) -> None:
        """Append what arrives until it ends."""
        clock = self._means.stopwatch
        since, seen = clock(), part.size
        with part.open() as append:
            async for chunk in chunks:
                append(chunk)
                self._heard(len(chunk))
                if part.size > wanted.ceiling:
                    told = f"{wanted.name}: more than the {wanted.ceiling:,} bytes that it can be"
                    raise MalformedAnswerError(told, source=wanted.source)
                if clock() - since >= WINDOW_S:
                    if part.size - seen < LEAST_BYTES:
                        told = f"{wanted.name}: fewer than {LEAST_BYTES:,} bytes came in {WINDOW_S:g} s"
                        raise AttemptError(told, source=wanted.source, kind=FailureKind.TIMED_OUT)
                    since, seen = clock(), part.size
        version = part.version
        if version is None or version.total is None:
            await self._check_end(opened, wanted, part)
        elif part.size != version.total:
            told = f"{wanted.name}: broke off at {part.size:,} of {version.total:,} bytes"
            raise AttemptError(told, source=wanted.source, kind=FailureKind.NETWORK)

    async def _check_end(self, opened: Opened, wanted: Wanted, part: Part) -> None:
        """Make sure that a file whose size was never told is whole."""
        if wanted.holds == "gzip":
            is_whole = await to_thread.run_sync(is_whole_gzip, part.path)
        else:  # a connection that only closes may have been cut; a text then hardly ends where a line does
            is_whole = "transfer-encoding" in opened.headers or await to_thread.run_sync(ends_with_a_line, part.path)
        if not is_whole:
            self._heard(-part.size)
            part.discard()  # a server that tells no size sends no ranges either
            told = f"{wanted.name}: broke off, or is damaged"
            raise AttemptError(told, source=wanted.source, kind=FailureKind.NETWORK)
        part.note(Version.read(opened.headers, part.size))

    async def _digest(self, wanted: Wanted) -> str:
        """Give the published checksum, as in `Fetched.digest`."""
        if wanted.digest_url is None:
            return ""
        text = await self.text(wanted.digest_url, source=wanted.source)
        digest = read_digest(text)
        if not digest:
            message = f"{wanted.name}: what is published as its checksum is none"
            raise MalformedAnswerError(message, source=wanted.source)
        return digest

    async def _is_right(self, wanted: Wanted, part: Part, digest: str) -> bool:
        if wanted.size is not None and part.size != wanted.size:
            return False
        if not digest:
            return True
        return await _has(part.path, digest)

    def _settle(self, part: Part, digest: str) -> Fetched:
        version = part.version or Version()
        part.settle()
        return Fetched(part.size, version, digest)

    async def _retry(self, attempt: Callable[[], Awaitable[T]]) -> T:
        means = self._means
        return await retry(attempt, watch=Stopwatch(means.stopwatch), sleep=means.sleep, random=means.random)


def read_digest(text: str) -> str:
    """Find the checksum in a file that holds one, in whichever of the usual forms.

    >>> read_digest("MD5(a.xml.gz)= D41D8CD98F00B204E9800998ECF8427E")
    'md5:d41d8cd98f00b204e9800998ecf8427e'
    >>> read_digest("<html>not found</html>")
    ''
    """
    for word in re.split(r"[^0-9A-Za-z]+", text[:1000]):
        for algorithm, length in DIGESTS.items():
            if len(word) == length and re.fullmatch(r"[0-9A-Fa-f]+", word, re.ASCII):
                return f"{algorithm}:{word.lower()}"
    return ""


def _ask(source: str, url: str) -> Ask:
    return Ask(source=source, url=url, follow="public")


async def _has(path: Path, digest: str) -> bool:
    return await to_thread.run_sync(_is_file_with, path, digest)


def _is_file_with(path: Path, digest: str) -> bool:
    """Say whether a file is there and has a checksum."""
    algorithm, _, value = digest.partition(":")
    return path.is_file() and digest_of(path, algorithm) == value


def _refuse(opened: Opened, source: str, name: str) -> None:
    """Raise unless the response holds what was asked for, from its first byte."""
    content.refuse(opened.head, source)
    status = opened.head.status
    if status >= _CLIENT_ERROR:
        raise MalformedAnswerError(f"{name}: is not there (status {status})", source=source)
    if status != _OK:
        raise MalformedAnswerError(f"{name}: unexpected status {status}", source=source)


def _look(head: bytes, opened: Opened, wanted: Wanted) -> None:
    """Raise where the first bytes are not those of such a file."""
    start = head.removeprefix(_BOM).lstrip()[:100].lower()
    is_packed = head.startswith(_GZIP)
    if opened.head.media_type in content.HTML or start.startswith(content.HTML_STARTS):
        told = "a web page came in its place, perhaps to see whether a person asks"
    elif start.startswith((b"{", b"<")):
        told = "an error message came in its place"
    elif wanted.holds == "gzip" and not is_packed:
        told = "what came is not packed with gzip"
    elif wanted.holds == "text" and (is_packed or b"\0" in head or wanted.heading.encode() not in head):
        told = f"what came does not begin with {wanted.heading}" if wanted.heading else "what came is not a text"
    else:
        encoding = opened.headers.get("content-encoding", "").strip().lower()
        if encoding in _STORED or (encoding in _PACKED and wanted.holds == "gzip"):
            return  # some servers call the packing of a packed file that of the answer
        told = "it came packed in a way that was not asked for"
    raise MalformedAnswerError(f"{wanted.name}: {told}", source=wanted.source)


def _length(headers: Mapping[str, str]) -> int | None:
    text = headers.get("content-length", "")
    return int(text) if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) else None


def _asked_to_wait(error: SourceUnavailableError) -> float | None:
    """Give the seconds that a server asked to wait, where that is why no more was asked of it."""
    cause = error if isinstance(error, AttemptError) else error.__cause__
    return cause.wait_s if isinstance(cause, AttemptError) and cause.kind is FailureKind.RATE_LIMITED else None
