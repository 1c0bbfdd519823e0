"""A file while it arrives: `NAME.part`, and beside it what the server said of it, so that it can be gone on with.

Bytes of two versions of a file must never come together. So `NAME.part.info` holds what names the version (RFC 9110
section 8.8), and a part without it, or of a server that names none, is not gone on with.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from citeaudit.errors import UsageError

RESERVE_BYTES = 64 * 2**20
"""Bytes that a download leaves free on a disk."""
PIECE = 2**14
"""Bytes unpacked at once from a file that is checked: at most 16 MB of it, for gzip packs 1,032 bytes in one."""

_INFO_BYTES = 8192
_ZLIB_GZIP = 16 + zlib.MAX_WBITS
_WEAK = "W/"


class Version(BaseModel):
    """What a server said of a file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    etag: str = Field("", max_length=1000)
    modified: str = Field("", max_length=100)
    """Its `Last-Modified`."""
    total: int | None = Field(None, ge=0)
    """Bytes of the whole file."""

    @property
    def condition(self) -> str:
        """Give what `If-Range` may name, empty where nothing does: a weak tag does not tell bytes apart."""
        return self.etag if self.etag and not self.etag.startswith(_WEAK) else self.modified

    @classmethod
    def read(cls, headers: Mapping[str, str], total: int | None) -> Version:
        """Read the headers of a response; one that is too long to be honest counts as none."""
        etag, modified = headers.get("etag", ""), headers.get("last-modified", "")
        return cls(etag=etag if len(etag) <= 1000 else "", modified=modified[:100], total=total)  # noqa: PLR2004

    def is_that_of(self, headers: Mapping[str, str]) -> bool:
        """Say whether nothing in the headers of a response contradicts that it is of this version."""
        etag, modified = headers.get("etag", ""), headers.get("last-modified", "")
        if self.etag and etag:
            return self.etag == etag
        return not self.modified or not modified or self.modified == modified


class Part:
    """The part of one file.

    Args:
        target: Where the whole file will be.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(f"{target.name}.part")
        self._info = target.with_name(f"{target.name}.part.info")
        self.version = self._recall()
        self.size = self._measure() if self.version else 0

    @property
    def is_whole(self) -> bool:
        """Say whether all bytes are there; whether they are the right ones is not known yet."""
        return self.version is not None and self.version.total == self.size > 0

    @property
    def can_go_on(self) -> bool:
        """Say whether a server can be asked for the rest."""
        return self.size > 0 and self.version is not None and bool(self.version.condition)

    def begin(self, version: Version) -> None:
        """Start afresh with a version of the file.

        Raises:
            UsageError: The folder cannot be written.
        """
        with told(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._info.unlink(missing_ok=True)  # so that old bytes are never taken for the new version
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644))
        self.size = 0
        self.note(version)

    def note(self, version: Version) -> None:
        """Keep what names the version.

        Raises:
            UsageError: The folder cannot be written.
        """
        beside = self._info.with_name(f"{self._info.name}.new")
        with told(self._info):
            beside.write_text(version.model_dump_json(), encoding="utf-8")
            beside.replace(self._info)
        self.version = version

    @contextmanager
    def open(self) -> Iterator[Callable[[bytes], None]]:
        """Give what appends bytes, for as long as the context lasts.

        Raises:
            UsageError: No space left, or the file cannot be written; what had arrived is still there.
        """
        with told(self.path):
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            yield lambda data: self._append(descriptor, data)
        finally:
            os.close(descriptor)

    def check_room(self, size: int) -> None:
        """Make sure that so many more bytes fit on the disk.

        Raises:
            UsageError: They do not.
        """
        folder = next(each for each in self.path.parents if each.is_dir())
        free = shutil.disk_usage(folder).free
        if size + RESERVE_BYTES > free:
            message = f"{self.path.parent}: {self.target.name} needs {size:,} bytes more and {free:,} are free; "
            raise UsageError(f"{message}make room, or name a folder on another disk")

    def discard(self) -> None:
        """Remove what has arrived."""
        with told(self.path):
            self._info.unlink(missing_ok=True)
            self.path.unlink(missing_ok=True)
        self.version, self.size = None, 0

    def settle(self) -> None:
        """Put the file in its place, where an old one stood until now.

        Raises:
            UsageError: That cannot be done; the old one still stands.
        """
        with told(self.target):
            _sync(self.path)
            self.path.replace(self.target)
            _sync(self.target.parent)
            self._info.unlink(missing_ok=True)

    def _append(self, descriptor: int, data: bytes) -> None:
        rest = memoryview(data)
        with told(self.path):
            while rest:
                written = os.write(descriptor, rest)
                self.size += written
                rest = rest[written:]

    def _recall(self) -> Version | None:
        try:
            with self._info.open("rb") as stream:
                return Version.model_validate_json(stream.read(_INFO_BYTES))
        except (OSError, ValidationError):
            return None

    def _measure(self) -> int:
        with suppress(OSError):
            found = self.path.lstat()
            return found.st_size if self.path.is_file() and not self.path.is_symlink() else 0
        return 0


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn a failure to write into a sentence.

    Raises:
        UsageError: What stood in the way, and what to do.
    """
    try:
        yield
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        message = f"{path}: cannot be written ({reason}); make room or name another folder"
        raise UsageError(f"{message}, then run again: what has arrived is kept") from error


def digest_of(path: Path, algorithm: str) -> str:
    """Give the checksum of a file, in lower case; reads it all, so not in an event loop.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.new(algorithm, usedforsecurity=False)).hexdigest()


def is_whole_gzip(path: Path) -> bool:
    """Say whether a gzip file ends where it should, by unpacking it; nothing is kept.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as stream:
        try:
            return _members(stream)
        except zlib.error:
            return False


def ends_with_a_line(path: Path) -> bool:
    """Say whether the last byte of a file that is not empty ends a line.

    Raises:
        OSError: It cannot be read.
    """
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) == b"\n"


def _members(stream: BinaryIO) -> bool:
    inflate, rest, ended = zlib.decompressobj(_ZLIB_GZIP), b"", False
    while data := rest or stream.read(PIECE):
        if ended:  # another member, or the zeros that some writers pad with
            if not data.strip(b"\0"):
                rest = b""
                continue
            inflate = zlib.decompressobj(_ZLIB_GZIP)
        inflate.decompress(data)
        ended, rest = inflate.eof, inflate.unused_data
    return ended


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
