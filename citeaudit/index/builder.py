"""Build an index from files of records: streamed, in bounded memory, and swapped in only when it is whole."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import gzip
import lzma
import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import BinaryIO, cast

from pydantic import BaseModel, ConfigDict

from citeaudit.errors import IndexBuildError
from citeaudit.index.manifest import DATA, MANIFEST, Manifest
from citeaudit.index.records import Malformed, Record, parse_record
from citeaudit.index.store import Row, Writer, prepare

BATCH = 5_000
"""Records stored at once; also how often progress is told."""

MAX_LINE = 16_000_000
"""Bytes of one line; the record of a 5,200-author paper is about 300,000."""

SHOWN_PROBLEMS = 5
"""Malformed lines that the report quotes."""

_HOPELESS = 1_000
"""Lines without one record after which a file is taken for something else."""

Progress = Callable[[int, float], None]
"""Called with the records stored so far and the records a second."""


class BuildReport(BaseModel):
    """What came out of a build."""

    model_config = ConfigDict(frozen=True)

    name: str
    records: int
    malformed: int
    """Lines left out."""
    problems: tuple[str, ...]
    """The first few of them: `file:line: why`."""
    seconds: float
    size_bytes: int


def build(
    paths: Sequence[Path],
    out: Path,
    *,
    format: str = "jsonl",  # noqa: A002 - the name of the flag
    name: str | None = None,
    progress: Progress | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> BuildReport:
    """Build an index in the folder `out`, replacing an index that is there.

    The old index answers until the new one is whole; a build that is killed or fails leaves it as it was. The
    same records give the same `works.db`, byte for byte; only `index.json` carries the time.

    Args:
        paths: Files of records, one JSON object a line; `.xz` and `.gz` are unpacked.
        out: Folder of the index; created where it is missing.
        format: Form of the records; only `jsonl` so far.
        name: Name in reports; the folder's name where it is not given.
        progress: Told every `BATCH` records.
        clock: Gives the time, aware, UTC.

    Raises:
        IndexBuildError: A file is missing, damaged, or not JSON lines, nothing usable is in it, the folder holds
            something else, or the disk is full. The old index is still there.
    """
    if format != "jsonl":
        raise IndexBuildError(f"unknown format {format!r}; known: jsonl")
    _check(paths, out)
    started = perf_counter()
    name = name or out.resolve().name
    try:
        with _workshop(out) as folder:
            tally = _Tally(progress, started)
            with _no_sweeps():
                _fill(folder / DATA, folder / "scratch.db", paths, tally, name)
            manifest = Manifest(
                name=name,
                built_at=clock(),
                records=tally.records,
                content=tally.content,
                sources=dict(sorted(tally.sources.items(), key=lambda item: (-item[1], item[0]))),
            )
            (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2, by_alias=True) + "\n", encoding="utf-8")
            size = (folder / DATA).stat().st_size
            _swap(folder, out)
    except (OSError, sqlite3.Error) as error:
        raise IndexBuildError(f"{out}: the index could not be written ({error}); nothing was changed") from error
    return BuildReport(
        name=name,
        records=tally.records,
        malformed=tally.malformed,
        problems=tuple(tally.problems),
        seconds=perf_counter() - started,
        size_bytes=size,
    )


class _Tally:
    """Counts while lines are read."""

    def __init__(self, progress: Progress | None, started: float) -> None:
        self.records = self.malformed = 0
        self.problems: list[str] = []
        self.sources: Counter[str] = Counter()
        self._hash = blake2b(digest_size=16)
        self._progress, self._started = progress, started

    @property
    def content(self) -> str:
        return self._hash.hexdigest()

    def take(self, row: Row) -> None:
        self._hash.update(row.data)
        if row.source:
            self.sources[row.source] += 1

    def leave(self, where: str, why: str) -> None:
        self.malformed += 1
        if len(self.problems) < SHOWN_PROBLEMS:
            self.problems.append(f"{where}: {why}")

    def tell(self, records: int) -> None:
        self.records = records
        if self._progress is not None:
            self._progress(records, records / max(perf_counter() - self._started, 1e-6))


def _check(paths: Sequence[Path], out: Path) -> None:
    if not paths:
        raise IndexBuildError("no file of records was named")
    for path in paths:
        if not path.is_file():
            raise IndexBuildError(f"{path}: no such file")
    if out.exists() and not out.is_dir():
        raise IndexBuildError(f"{out}: is not a folder")
    if out.is_dir() and not (out / MANIFEST).exists() and not (out / DATA).exists() and any(out.iterdir()):
        raise IndexBuildError(f"{out}: the folder holds other files; name an empty or a new one")


def _fill(data: Path, scratch: Path, paths: Sequence[Path], tally: _Tally, name: str) -> None:
    with contextlib.closing(sqlite3.connect(data)) as db:
        for pragma in ("page_size = 4096", "journal_mode = OFF", "synchronous = OFF", "cache_size = -100000"):
            db.execute(f"PRAGMA {pragma}")
        writer = Writer(db, str(scratch))
        db.execute("PRAGMA scratch.journal_mode = OFF")
        db.execute("PRAGMA scratch.synchronous = OFF")
        db.execute("INSERT INTO words (words, rank) VALUES ('hashsize', 33554432)")
        batch: list[Row] = []
        for path in paths:
            for row in _rows(path, tally):
                tally.take(row)
                batch.append(row)
                if len(batch) >= BATCH:
                    tally.tell(writer.add(batch))
                    batch.clear()
        tally.tell(writer.add(batch))
        if not tally.records:
            reason = f" (first: {tally.problems[0]})" if tally.problems else ""
            raise IndexBuildError(f"no usable record in {', '.join(map(str, paths))}{reason}")
        writer.finish(tally.content, name)
    scratch.unlink(missing_ok=True)


def _rows(path: Path, tally: _Tally) -> Iterator[Row]:
    good = 0
    for number, line in _lines(path):
        if not line.strip():
            continue
        try:
            yield prepare(_record(line))
            good += 1
        except Malformed as problem:
            tally.leave(f"{path}:{number}", str(problem))
            if not good and (number >= _HOPELESS or line.lstrip()[:1] == b"<"):
                raise IndexBuildError(f"{path}: is not JSON lines (line {number}: {problem})") from None


def _record(line: bytes) -> Record:
    if len(line) > MAX_LINE:
        raise Malformed(f"longer than {MAX_LINE:,} bytes")
    return parse_record(line)


def _open(path: Path) -> BinaryIO:
    match path.suffix.lower():
        case ".xz":
            return cast("BinaryIO", lzma.open(path, "rb"))
        case ".gz":
            return cast("BinaryIO", gzip.open(path, "rb"))
        case _:
            return path.open("rb")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Give the numbered lines of a file, unpacked; of one over `MAX_LINE` only its beginning.

    Raises:
        IndexBuildError: The file is truncated or damaged.
    """
    number = 0
    try:
        with _open(path) as stream:
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                yield number, line
                while len(line) > MAX_LINE and not line.endswith(b"\n"):
                    line = stream.readline(MAX_LINE + 1)
    except (lzma.LZMAError, EOFError, gzip.BadGzipFile) as error:
        raise IndexBuildError(f"{path}: truncated or damaged after line {number} ({error})") from error


@contextlib.contextmanager
def _workshop(out: Path) -> Iterator[Path]:
    """Give a new folder beside `out`, gone afterwards; those of builds that were killed are cleared away.

    A running build holds a lock on its folder's `lock`, so two builds do not clear each other's.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{out.name}.building-"
    for left in out.parent.glob(f"{prefix}*"):
        with contextlib.suppress(OSError), (left / "lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=out.parent))
    try:
        with (folder / "lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _no_sweeps() -> Iterator[None]:
    """Hold the garbage collector's sweeps: records have no cycles, and sweeping millions of names took a third."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _swap(folder: Path, out: Path) -> None:
    """Put the two files in place, data first: data without its manifest still answers (see `engine`)."""
    out.mkdir(exist_ok=True)
    for file in (DATA, MANIFEST):
        with (folder / file).open("rb+") as stream:
            os.fsync(stream.fileno())
        (folder / file).replace(out / file)
