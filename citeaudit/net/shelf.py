"""A folder that files are fetched into: what is there and whole, and many files brought up to date at once.

What is known of each whole file stands as one line in `.citeaudit-fetched`; the last line for a name holds, and one
that was cut off by a crash is passed over. The file is locked (`flock`) while files are fetched, which the kernel
undoes when a process ends in whatever way.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import anyio
from pydantic import BaseModel, ConfigDict, ValidationError

from citeaudit.errors import CiteauditError, UsageError
from citeaudit.net.client import Client, Means
from citeaudit.net.download import Download, Fetched, Wanted
from citeaudit.net.part import RESERVE_BYTES, Part, Version, told

AT_ONCE = 2
"""Most files fetched at a time: services that give away such files ask to be spared."""
TOLD_EVERY_S = 0.2
"""Least seconds between two words on progress."""
RATE_OVER_S = 20.0
"""Seconds over which the rate is taken."""

LEDGER = ".citeaudit-fetched"
_LEDGER_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is."""

    files: int
    """Done, those that were there included."""
    of_files: int
    arrived: int
    """Bytes, those that had arrived before included."""
    of_bytes: int | None
    """All of them; `None` where that is not known."""
    rate: float
    """Bytes a second, lately."""

    @property
    def left_s(self) -> float | None:
        """Give the seconds left at this rate, where that can be said."""
        if self.of_bytes is None or self.rate <= 0:
            return None
        return max(0, self.of_bytes - self.arrived) / self.rate


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of it."""

    fetched: int
    """Files that are new here."""
    kept: int
    """Files that were there already and are still what is published."""
    paths: tuple[Path, ...]
    """All that were wanted, in their order."""


class _Line(BaseModel):
    """One line of the ledger."""

    model_config = ConfigDict(extra="ignore")

    name: str
    size: int
    mtime_ns: int
    version: Version
    digest: str = ""


class Shelf:
    """A folder while it is locked; made by `opened`."""

    def __init__(self, folder: Path, ledger: BinaryIO) -> None:
        self.folder = folder
        self._ledger = ledger
        self._lines = {line.name: line for line in _read(ledger)}

    @property
    def names(self) -> frozenset[str]:
        """Give the names of the files that were fetched and are there as they were then."""
        return frozenset(name for name in self._lines if self.held(name) is not None)

    def held(self, name: str) -> Fetched | None:
        """Give what is known of a file, unless it is gone or was changed since."""
        line = self._lines.get(name)
        if line is None:
            return None
        try:
            found = (self.folder / name).lstat()
        except OSError:
            return None
        if (found.st_size, found.st_mtime_ns) != (line.size, line.mtime_ns):
            return None
        return Fetched(line.size, line.version, line.digest)

    def keeps(self, wanted: Wanted) -> bool:
        """Say whether a file is there, whole, and known to be what is published without asking for it."""
        if wanted.size is not None:
            path = self.folder / wanted.name
            return path.is_file() and path.stat().st_size == wanted.size
        return wanted.is_fixed and self.held(wanted.name) is not None

    def add(self, name: str, fetched: Fetched) -> None:
        """Take note of a file that has taken its place.

        Raises:
            UsageError: The folder cannot be written.
        """
        with told(self.folder / LEDGER):
            found = (self.folder / name).lstat()
            line = _Line(
                name=name,
                size=found.st_size,
                mtime_ns=found.st_mtime_ns,
                version=fetched.version,
                digest=fetched.digest,
            )
            self._ledger.write(line.model_dump_json().encode() + b"\n")
            self._ledger.flush()
        self._lines[name] = line

    def check_room(self, wanted: Sequence[Wanted]) -> None:
        """Make sure that all files fit on the disk, as far as their sizes are known.

        Raises:
            UsageError: They do not.
        """
        missing = [each for each in wanted if each.size is not None and not self.keeps(each)]
        need = sum((each.size or 0) - self.arrived(each) for each in missing)
        free = shutil.disk_usage(self.folder).free
        if missing and need + RESERVE_BYTES > free:
            message = f"{self.folder}: {len(missing):,} files need {need:,} bytes more and {free:,} are free; "
            raise UsageError(f"{message}make room, or name a folder on another disk")

    def arrived(self, wanted: Wanted) -> int:
        """Give the bytes of a file that are there, whole or not."""
        path = self.folder / wanted.name
        return path.stat().st_size if self.keeps(wanted) else Part(path).size


@contextmanager
def opened(folder: Path) -> Iterator[Shelf]:
    """Lock a folder, which is made if it is missing.

    Raises:
        UsageError: Another run is fetching into it, or it cannot be written.
    """
    path = folder / LEDGER
    with ExitStack() as stack:
        with told(path):
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
            stream = stack.enter_context(os.fdopen(descriptor, "ab+"))
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"{folder}: another run is fetching into it; wait for it, or name another folder"
            raise UsageError(message) from None
        yield Shelf(folder, stream)


async def fetch_all(
    wanted: Sequence[Wanted],
    shelf: Shelf,
    client: Client,
    *,
    means: Means | None = None,
    heard: Callable[[Progress], None] | None = None,
) -> Tally:
    """Bring files up to date, a few at a time; the first that fails stops the others, and what has arrived is kept.

    Touches the network.

    Raises:
        SourceError: As `Download.fetch` says.
        UsageError: Likewise; or all together do not fit on the disk, in which case nothing is asked for.
    """
    means = means or Means()
    shelf.check_room(wanted)
    meter = _Meter(wanted, shelf, means.stopwatch, heard)
    download = Download(client, means, meter.add)
    open_ones = iter([each for each in wanted if not shelf.keeps(each)])
    failures: list[CiteauditError] = []
    renewed: list[str] = []

    async def work(scope: anyio.CancelScope) -> None:
        try:
            for each in open_ones:
                held, before = shelf.held(each.name), _number(shelf.folder / each.name)
                got = await download.fetch(each, shelf.folder, held)
                is_new = _number(shelf.folder / each.name) != before
                if got is not held:
                    shelf.add(each.name, got)
                renewed.extend([each.name] * is_new)
                meter.done(0 if is_new else got.size)
        except CiteauditError as error:
            failures.append(error)
            scope.cancel()

    async with anyio.create_task_group() as group:
        for _ in range(AT_ONCE):
            group.start_soon(work, group.cancel_scope)
    if failures:
        raise failures[0]
    meter.tell()
    paths = tuple(shelf.folder / each.name for each in wanted)
    return Tally(len(renewed), len(wanted) - len(renewed), paths)


def _number(path: Path) -> int | None:
    """Give the number of a file on its disk, which another file in its place does not have."""
    return path.stat().st_ino if path.is_file() else None


class _Meter:
    """Adds up what arrives."""

    def __init__(
        self,
        wanted: Sequence[Wanted],
        shelf: Shelf,
        clock: Callable[[], float],
        heard: Callable[[Progress], None] | None,
    ) -> None:
        kept = sum(shelf.keeps(each) for each in wanted)
        sizes = [each.size for each in wanted]
        total = None if None in sizes else sum(size or 0 for size in sizes)
        arrived = sum(shelf.arrived(each) for each in wanted)
        self._now = Progress(kept, len(wanted), arrived, total, 0.0)
        self._clock = clock
        self._heard = heard
        self._told = clock() - TOLD_EVERY_S
        self._marks = [(clock(), 0)]
        self._lately = 0
        self._has_told_all = False

    def add(self, size: int) -> None:
        self._now = replace(self._now, arrived=self._now.arrived + size)
        self._lately += max(0, size)
        if self._clock() - self._told >= TOLD_EVERY_S:
            self.tell()

    def done(self, size: int) -> None:
        self._now = replace(self._now, files=self._now.files + 1, arrived=self._now.arrived + size)
        self.tell()

    def tell(self) -> None:
        now = self._told = self._clock()
        self._marks.append((now, self._lately))
        while len(self._marks) > 2 and now - self._marks[1][0] > RATE_OVER_S:  # noqa: PLR2004 - one older, one newer
            self._marks.pop(0)
        since, before = self._marks[0]
        rate = (self._lately - before) / (now - since) if now > since else 0.0
        self._now = replace(self._now, rate=rate)
        if self._heard and not self._has_told_all:
            self._has_told_all = self._now.files == self._now.of_files
            self._heard(self._now)


def _read(ledger: BinaryIO) -> Iterator[_Line]:
    ledger.seek(0)
    data = ledger.read(_LEDGER_BYTES)
    if data and not data.endswith(b"\n"):
        ledger.write(b"\n")  # a line that was cut off ends here
    for line in data.splitlines():
        try:
            yield _Line.model_validate_json(line)
        except ValidationError:
            continue
