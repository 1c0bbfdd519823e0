"""Open a dump as it was published: packed or not, alone or in a tar, told by its content and never by its name.

Nothing is written to disk, names inside an archive are only shown, and memory stays bounded whatever a file
claims to hold. What is no dump at all (a web page, an error message, an archive of another kind) or ends too soon
is an `UnreadableDumpError` that names the file and the place, so that it can never pass for a small collection.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import BinaryIO

from citeaudit.errors import UnreadableDumpError
from citeaudit.index.dumps.form import Unit
from citeaudit.index.dumps.unpack import Packed, Source, kind_of

UNIT_BYTES = 1_000_000
"""Unpacked bytes of a unit of lines, so that handing it to another process pays."""
MAX_LINE = 16_000_000
"""Bytes of a line; longer ones are cut to `SHOWN`, which no reader takes for a record."""
MAX_WHOLE = 512_000_000
"""Unpacked bytes of a file or member that is read as one."""
SHOWN = 1_000
PEEK = 4_096
"""Bytes at the start of a file that tell a dump from a web page."""

_BLOCK = 512
_MAX_HEADER = 1_000_000
"""Bytes of a long name or an extended header in a tar."""
_TAR_MAGIC = slice(257, 262)
_CHECKSUM, _SIZE, _FLAG, _NAME, _PREFIX = slice(148, 156), slice(124, 136), slice(156, 157), slice(100), slice(345, 500)
_PAX = re.compile(rb"\d{1,9} (path|size)=([^\n]{0,4096})\n")
_PAGE = re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_REFUSED = re.compile(
    rb"(?:http[/ ]|error:? )?(?:\d{3}:? )?(?:access ?denied|forbidden|just a moment|are you a robot|too many requests"
    rb"|rate (?:limit )?exceeded|not found|bad gateway|service unavailable)"
    rb"|(?:<\?xml[^>]{0,100}>\s*)?<error>\s*<code>",
    re.IGNORECASE,
)
_COMPLAINT = re.compile(
    rb'\{\s*"(?:errors?|detail)"\s*:|\{\s*"message"\s*:\s*"[^"]{0,400}"\s*[,}]|\{\s*"status"\s*:\s*(?:"error"|[45]\d\d\b)'
    rb'|\{\s*"title"\s*:\s*"[^"]{0,80}"\s*,\s*"status"\s*:\s*[45]\d\d\b'
)
_LFS = b"version https://git-lfs.github.com"
_OTHER_ARCHIVES = {b"PK\x03\x04": "ZIP", b"7z\xbc\xaf": "7z", b"Rar!": "RAR"}

_watch: ContextVar[Callable[[Path, int], None] | None] = ContextVar("watch", default=None)


@contextmanager
def watched(callback: Callable[[Path, int], None]) -> Iterator[None]:
    """Have every read of a dump inside the block told to `callback`: the path, and packed bytes taken so far."""
    token = _watch.set(callback)
    try:
        yield
    finally:
        _watch.reset(token)


class Member:
    """One unpacked stream: a file, or a file inside a tar; only reads forward.

    Attributes:
        path: The file on disk.
        name: Inside a tar its name, for people only; empty for a file that is none.
        head: The first bytes (at most `PEEK`), already looked at but not taken.
    """

    def __init__(self, path: Path, name: str, source: Source) -> None:
        self.path = path
        self.name = name
        self._source = source
        self._kept = b""
        self.head = self._kept = _read(source, PEEK)

    @property
    def place(self) -> str:
        """Give `member NAME: ` to put before a place, or nothing outside a tar."""
        return f"member {self.name}: " if self.name else ""

    def read(self, size: int = UNIT_BYTES) -> bytes:
        """Give the next `size` unpacked bytes, fewer only at the end.

        Raises:
            UnreadableDumpError: The file is truncated or damaged, or unpacks to far more than any dump does.
        """
        kept, self._kept = self._kept[:size], self._kept[size:]
        if len(kept) == size:
            return kept
        return kept + _read(self._source, size - len(kept))

    def whole(self, limit: int = MAX_WHOLE) -> bytes:
        """Give all that is left.

        Raises:
            UnreadableDumpError: As `read`, or it is longer than `limit`.
        """
        data = self.read(limit + 1)
        if len(data) > limit:
            raise UnreadableDumpError(
                f"{self.path}: {self.place}unpacks to more than {limit:,} bytes and cannot be read as one; split it."
            )
        return data


def members(path: Path, suffixes: tuple[str, ...] = ()) -> Iterator[Member]:
    """Give the streams of a file: itself, or the members of a tar, each unpacked.

    A stream ends to be readable when the next one is asked for.

    Args:
        path: The dump.
        suffixes: Of the members of a tar to take, lower case; all where empty. Links, devices and hidden files
            are never taken.

    Raises:
        UnreadableDumpError: The file is missing, empty, truncated, damaged, or no dump.
    """
    try:
        with path.open("rb") as file:
            yield from _members(path, file, suffixes)
    except OSError as error:
        raise UnreadableDumpError(f"{path}: cannot be read ({error.strerror or error}); check the path.") from error


def _members(path: Path, file: BinaryIO, suffixes: tuple[str, ...]) -> Iterator[Member]:
    outer = Member(path, "", _unpacked(path, "", _raw(path, file)))
    if not outer.head:
        if path.stat().st_size == 0:
            raise UnreadableDumpError(f"{path}: is empty; fetch it again.")
        return
    if outer.head[_TAR_MAGIC] == b"ustar":
        for name, source in _tar(outer):
            if _is_wanted(name, suffixes):
                inner = Member(path, name, _unpacked(path, name, source))
                check(inner)
                yield inner
        return
    check(outer)
    yield outer


def _raw(path: Path, file: BinaryIO) -> Source:
    watch = _watch.get()

    def read(size: int) -> bytes:
        data = file.read(size)
        if watch is not None:
            watch(path, file.tell())
        return data

    return read


def _unpacked(path: Path, name: str, source: Source) -> Source:
    start = _read(source, 6)
    kind = kind_of(start)

    def rest(size: int) -> bytes:
        nonlocal start
        if start:
            given, start = start[:size], start[size:]
            return given
        return source(size)

    return rest if kind is None else Packed(kind, rest, f"{path}: member {name}" if name else str(path)).read


def _read(source: Source, size: int) -> bytes:
    """Give exactly `size` bytes unless the source ends; sources may give fewer at a time."""
    data = source(size)
    if len(data) == size or not data:
        return data
    parts, missing = [data], size - len(data)
    while missing and (data := source(missing)):
        parts.append(data)
        missing -= len(data)
    return b"".join(parts)


def _is_wanted(name: str, suffixes: tuple[str, ...]) -> bool:
    base = name.rpartition("/")[2].lower()
    return not base.startswith(".") and (not suffixes or base.endswith(suffixes))


def _tar(outer: Member) -> Iterator[tuple[str, Source]]:
    """Give the plain files of a tar. Read here, since `tarfile` takes any header size into memory.

    Form: POSIX.1-2017, pax, "ustar Interchange Format"; GNU's long names (`L`) and sizes over 8 GB.
    """
    long_name, long_size, read = "", None, outer.read
    while len(header := read(_BLOCK)) == _BLOCK and header.strip(b"\0"):
        size = _tar_size(outer, header)
        flag = header[_FLAG]
        if flag in (b"L", b"x"):
            if size > _MAX_HEADER:
                raise _tar_damage(outer)
            extra = read(-(-size // _BLOCK) * _BLOCK)[:size]
            if flag == b"L":
                long_name = _tar_text(extra)
            else:
                found = dict(_PAX.findall(extra))
                long_name = _tar_text(found.get(b"path", b"")) or long_name
                long_size = int(found[b"size"]) if found.get(b"size", b"").isdigit() else long_size
            continue
        size = size if long_size is None else long_size
        prefix, base = _tar_text(header[_PREFIX]) if header[257:263] == b"ustar\0" else "", _tar_text(header[_NAME])
        name = long_name or (f"{prefix}/{base}" if prefix else base)
        long_name, long_size = "", None
        left = [size]
        source = partial(_part, outer, left)
        if flag in (b"0", b"\0", b"7"):
            yield name, source
        while left[0] and source(UNIT_BYTES):
            pass
        padding = -size % _BLOCK
        if left[0] or len(read(padding)) != padding:
            raise _tar_damage(outer)
    if len(header) != _BLOCK:  # an archive ends with blocks of zeros
        raise _tar_damage(outer)
    while read(UNIT_BYTES):  # to its end, so that a damaged checksum is seen
        pass


def _part(outer: Member, left: list[int], size: int) -> bytes:
    if left[0] == 0:
        return b""
    data = outer.read(min(size, left[0]))
    if not data:
        raise _tar_damage(outer)
    left[0] -= len(data)
    return data


def _tar_size(outer: Member, header: bytes) -> int:
    try:
        stated = int(header[_CHECKSUM].rstrip(b" \0") or b"0", 8)
        raw = header[_SIZE]
        size = int.from_bytes(raw[4:], "big") if raw[0] & 0x80 else int(raw.rstrip(b" \0") or b"0", 8)
    except ValueError:
        raise _tar_damage(outer) from None
    if size < 0 or stated != sum(header) - sum(header[_CHECKSUM]) + 8 * ord(" "):
        raise _tar_damage(outer)
    return size


def _tar_text(raw: bytes) -> str:
    return raw.partition(b"\0")[0].decode("utf-8", "replace")


def _tar_damage(outer: Member) -> UnreadableDumpError:
    return UnreadableDumpError(f"{outer.path}: is a tar that is truncated or damaged; fetch it again.")


def check(member: Member) -> None:
    """Look at the start of a stream for what is no dump.

    Raises:
        UnreadableDumpError: It is a web page, an error message of a service, a pointer to a file, or an archive of a
            kind that is not read.
    """
    head = member.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    what = next((f"a {kind} archive" for magic, kind in _OTHER_ARCHIVES.items() if head.startswith(magic)), None)
    if what:
        raise UnreadableDumpError(f"{member.path}: {member.place}is {what}; unpack it and name the file inside.")
    if head.startswith(_LFS):
        what = "a Git LFS pointer"
    elif head[:1] == b"<" and _PAGE.search(head[:1024]):
        what = "a web page"
    elif _REFUSED.match(head) or _COMPLAINT.match(head):
        what = "an error message of a service"
    if what:
        shown = head[:80].decode("utf-8", "replace").split("\n")[0]
        raise UnreadableDumpError(f"{member.path}: {member.place}is {what}, not a dump ({shown!r}); fetch it again.")


def lines(path: Path, suffixes: tuple[str, ...] = ()) -> Iterator[Unit]:
    """Give the units of a file of JSON lines, about `UNIT_BYTES` of whole lines each.

    Places are `line N`, inside a tar `member NAME: line N`, by the first line of the unit, counted from 1.

    Args:
        path: The dump; a tar gives the lines of its members.
        suffixes: As for `members`.

    Raises:
        UnreadableDumpError: As `members`, or the last line breaks off.
    """
    for member in members(path, suffixes):
        yield from lines_of(member)


def lines_of(member: Member) -> Iterator[Unit]:
    """Give the units of one stream; see `lines`."""
    number, rest = 1, b""
    while chunk := member.read():
        cut = chunk.rfind(b"\n") + 1
        if cut == 0:
            rest = rest + chunk if len(rest) < MAX_LINE else rest
            continue
        first = chunk.find(b"\n") + 1
        data = rest[:SHOWN] + chunk[first - 1 : cut] if len(rest) + first > MAX_LINE else rest + chunk[:cut]
        rest = chunk[cut:]
        yield Unit(member.path, f"{member.place}line {number}", data)
        number += data.count(b"\n")
    if not rest.strip():
        return
    if rest.lstrip()[:1] == b"{" and not _is_json(rest):
        raise UnreadableDumpError(f"{member.path}: {member.place}line {number} breaks off; fetch the file again.")
    yield Unit(member.path, f"{member.place}line {number}", rest if len(rest) < MAX_LINE else rest[:SHOWN])


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return False
    return True


def whole(path: Path) -> Iterator[Unit]:
    """Give one unit for a small file that the worker opens itself with `content`."""
    yield Unit(path, "line 1", None)


def content(unit: Unit, limit: int = MAX_WHOLE) -> bytes:
    """Give the unpacked bytes of a unit; of a file that is not yet open, at most `limit`.

    Raises:
        UnreadableDumpError: As `members`; also for a tar, whose members are units of their own.
    """
    if unit.data is not None:
        return unit.data
    found = b""
    for member in members(unit.path):
        if member.name:
            raise UnreadableDumpError(f"{unit.path}: is a tar where a single file is needed; unpack it.")
        found = member.whole(limit)
    return found
