"""Look an index over: every file against its checksum, the tables, and whether records are found by their keys."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import perf_counter

from pydantic import BaseModel, ConfigDict

from citeaudit.errors import IndexBuildError
from citeaudit.index import manifest as manifests
from citeaudit.index.building.filling import CHECKING, Progress, Tell
from citeaudit.index.building.workshop import file_sum
from citeaudit.index.coverage.covering import Compared
from citeaudit.index.manifest import DATA, DENIED, PARTS, REBUILD, WORDS, Manifest, Part
from citeaudit.index.store.keys import record_keys
from citeaudit.index.store.opening import words_index
from citeaudit.index.store.part_reader import PartReader

SAMPLED = 200
"""Records of each part that are unpacked and looked up, evenly spread."""


class VerifyReport(BaseModel):
    """What was looked at, and what is wrong."""

    model_config = ConfigDict(frozen=True)

    name: str
    """Of the index; the folder where the manifest cannot be read."""
    problems: tuple[str, ...]
    """What is wrong, one sentence each; empty if nothing is."""
    files: int
    """Files read to their end."""
    size_bytes: int
    records: int
    """Records that a question can find."""
    sampled: int
    """Records that were unpacked and looked up."""
    advice: str = ""
    """What to run; empty if nothing is wrong."""
    seconds: float

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(folder: Path, *, progress: Tell | None = None) -> VerifyReport:
    """Look an index over. Reads all of it, changes nothing, and never raises for what is wrong with it.

    Args:
        folder: The index.
        progress: Told after every file.
    """
    started = perf_counter()
    try:
        manifest = manifests.read(folder)
    except IndexBuildError as error:
        seconds = perf_counter() - started
        return VerifyReport(
            name=str(folder),
            problems=(str(error),),
            files=0,
            size_bytes=0,
            records=0,
            sampled=0,
            advice=REBUILD,
            seconds=seconds,
        )
    look = _Look(folder, manifest, progress)
    problems = tuple(look.problems())
    return VerifyReport(
        name=manifest.name,
        problems=problems,
        files=look.files,
        size_bytes=look.size,
        records=manifest.records,
        sampled=look.sampled,
        advice=_advice(problems),
        seconds=perf_counter() - started,
    )


def _advice(problems: tuple[str, ...]) -> str:
    if problems and all(problem.startswith(DENIED) for problem in problems):
        return "let its owner grant it, and verify again; nothing else was found wrong"
    return REBUILD if problems else ""


class _Look:
    def __init__(self, folder: Path, manifest: Manifest, progress: Tell | None) -> None:
        self._folder, self._manifest, self._progress = folder, manifest, progress
        self._started = perf_counter()
        self._total = sum(each.size for part in manifest.parts for each in part.files.values())
        self.files = self.size = self.sampled = 0

    def problems(self) -> Iterator[str]:
        if not self._manifest.parts:
            yield f"{self._folder}: {manifests.MANIFEST} names no part"
        for part in self._manifest.parts:
            place = self._folder / PARTS / part.name
            broken = list(self._files(place, part))
            yield from broken
            if not broken:
                yield from self._tables(place, part)
        compared = Compared(self._folder, self._manifest).damage()
        if compared is not None:
            yield f"{compared}; nothing is taken from it, run citeaudit index cover again"

    def _files(self, place: Path, part: Part) -> Iterator[str]:
        for name in (DATA,):
            if name not in part.files:
                yield f"{place / name}: is not listed in {manifests.MANIFEST}"
        for name, expected in part.files.items():
            path = place / name
            try:
                found = file_sum(path)
            except PermissionError:
                yield f"{DENIED} {path}"
                continue
            except OSError as error:
                yield f"{path}: cannot be read ({error.strerror})"
                continue
            self.files += 1
            self.size += found.size
            self._tell()
            if found.size != expected.size:
                yield f"{path}: has {found.size:,} bytes instead of {expected.size:,}"
            elif found.blake2b != expected.blake2b:
                yield f"{path}: its content was changed (the checksum differs)"

    def _tables(self, place: Path, part: Part) -> Iterator[str]:
        checks: tuple[Callable[[Path, Part], Iterator[str]], ...] = (self._counts, self._sample)
        for check in checks:
            try:
                yield from check(place, part)
            except (IndexBuildError, sqlite3.Error, OSError, ValueError) as error:
                said = str(error)
                yield said if said.startswith(str(place)) else f"{place}: cannot be used ({said})"

    def _counts(self, place: Path, part: Part) -> Iterator[str]:
        with closing(_connect(place)) as db:
            (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            yield f"{place / DATA}: is damaged ({verdict})"
        yield from miscounted(place, part.records)

    def _sample(self, place: Path, part: Part) -> Iterator[str]:
        step = max(1, part.records // SAMPLED)
        ids = list(range(1, part.records + 1, step))[:SAMPLED]
        with (
            closing(PartReader(place)) as reader,
            closing(_connect(place)) as db,
        ):
            found = reader.records(ids)
            for number in ids:
                record = found.get(number)
                if record is None:
                    yield f"{place / DATA}: record {number} is missing"
                    continue
                self.sampled += 1
                for key in record_keys(record):
                    if db.execute("SELECT 1 FROM key WHERE hash = ? AND id = ?", (key, number)).fetchone() is None:
                        yield f"{place / DATA}: record {number} is not found by one of its keys"
                        break

    def _tell(self) -> None:
        if self._progress is not None:
            seconds = max(perf_counter() - self._started, 1e-6)
            left = seconds * (self._total - self.size) / self.size if self.size else None
            self._progress(Progress(CHECKING, self._manifest.records, 0.0, self.size, self._total, left))


def miscounted(place: Path, records: int) -> Iterator[str]:
    """Say what in a part does not hold as many records as it should.

    Args:
        place: Folder of the part.
        records: What it should hold.

    Raises:
        sqlite3.Error: The database is damaged.
        ValueError: The words are damaged.
    """
    with closing(_connect(place)) as db:
        (count,) = db.execute("SELECT count(*) FROM work").fetchone()
    if count != records:
        yield f"{place / DATA}: holds {count:,} records instead of {records:,}"
    with words_index(place / WORDS) as index:
        words = index.searcher().num_docs
    if words != records:
        yield f"{place / WORDS}: holds the words of {words:,} records instead of {records:,}"


def _connect(place: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{(place / DATA).resolve().as_uri()}?mode=ro&immutable=1", uri=True)
