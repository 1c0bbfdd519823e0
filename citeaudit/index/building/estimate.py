"""Say beforehand how large an index will be and how long it takes, from a sample of the dumps; writes nothing."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter

from pydantic import BaseModel, ConfigDict

from citeaudit.errors import IndexBuildError
from citeaudit.index.building.builder import dump_files
from citeaudit.index.building.workers import cores, find, no_sweeps
from citeaudit.index.building.workshop import describe
from citeaudit.index.dumps.form import DumpFormat, Unit
from citeaudit.index.dumps.looks import advice
from citeaudit.index.dumps.packed import watched
from citeaudit.index.store.codec import train
from citeaudit.index.store.prepare import prepare
from citeaudit.index.store.record import Listing, Record

SAMPLED_FILES = 8
"""Files that are looked into, evenly spread."""

SAMPLED_BYTES = 4_000_000
"""Packed bytes that are read of each of them."""

SAMPLED_RECORDS = 40_000
"""Records after which no more is read; each file gives its share of them."""

KEY_BYTES, WORD_BYTES, RECORD_BYTES = 17.0, 33.0, 15.0
"""Bytes on disk of a key, of the words of a record, and of a record beside its data (801,262 real ones: 17.1, 33.2
and 17.2; 100,000 of them: 16.9, 32.1 and 13.7)."""

STORE_SECONDS = 14e-6
"""Seconds of the main process to store a record; this much cannot be shared out."""

SPARE = 1.5
"""Disk needed while building, as a multiple of the result: keys are sorted on disk."""


class Estimate(BaseModel):
    """What a build would come to. All figures are extrapolated from a sample, and can be off by a third."""

    model_config = ConfigDict(frozen=True)

    files: int
    input_bytes: int
    """Of all files, as they lie there."""
    sampled_files: int
    sampled_records: int
    records: int
    """Expected; those older than `--min-year` are left out."""
    size_bytes: int
    """Of the finished index."""
    needed_bytes: int
    """While it is built, beside an old index that stays until the end."""
    free_bytes: int
    """Where the index would lie."""
    seconds: float
    """With `jobs` processes on this machine as busy as now."""
    jobs: int
    malformed_share: float
    """Share of the sample that cannot be read, 0 to 1."""

    @property
    def fits(self) -> bool:
        """Whether the disk has room."""
        return self.needed_bytes <= self.free_bytes


def dry_run(
    paths: Sequence[Path],
    *,
    format: str = "jsonl",  # noqa: A002 - the name of the flag
    out: Path | None = None,
    jobs: int | None = None,
    min_year: int | None = None,
) -> Estimate:
    """Estimate records, size and time of a build; writes nothing.

    Args:
        paths: As for `builder.build`.
        format: As for `builder.build`.
        out: Where the index would lie; this folder if `None`.
        jobs: Processes that would read; as many as there are cores if `None`.
        min_year: Records older than this would be left out.

    Raises:
        IndexBuildError: A file is missing or no such dump, or nothing usable is in the sample.
    """
    form = find(format)
    files = dump_files(paths, form)
    sizes = [describe(path).size for path in files]
    step = max(1, len(files) // SAMPLED_FILES)
    chosen = files[::step][:SAMPLED_FILES]
    sample = _Sample(form, min_year)
    with no_sweeps():
        for path in chosen:
            sample.look(path, SAMPLED_RECORDS // len(chosen))
        if not sample.records:
            raise IndexBuildError(f"{files[0]}: no usable record in the first of it; {advice(files[0], format)}")
        each = sample.weigh()
    scale = sum(sizes) / max(sample.packed, 1)
    jobs = jobs or cores()
    records = round(len(sample.records) * scale)
    size = round(each * records)
    main = sample.splitting * scale + STORE_SECONDS * records
    reading = sample.reading * scale
    seconds = main + reading if jobs == 1 else max(main, reading / jobs, (main + reading) / cores())
    return Estimate(
        files=len(files),
        input_bytes=sum(sizes),
        sampled_files=sample.files,
        sampled_records=len(sample.records),
        records=records,
        size_bytes=size,
        needed_bytes=round(SPARE * size),
        free_bytes=shutil.disk_usage(_existing(out or Path())).free,
        seconds=seconds,
        jobs=jobs,
        malformed_share=sample.faults / max(sample.faults + sample.seen, 1),
    )


class _Sample:
    """The first records of some files, and what reading them took."""

    def __init__(self, form: DumpFormat, min_year: int | None) -> None:
        self._form, self._oldest = form, min_year or -10_000
        self.records: list[Record] = []
        self.files = self.packed = self.seen = self.faults = 0
        self.splitting = self.reading = 0.0
        self._taken = 0

    def look(self, path: Path, enough: int) -> None:
        """Read the beginning of a file, up to so many records."""
        self.files += 1
        enough += self.seen
        self._taken = 0
        with watched(self._watch), closing(self._units(path)) as units:
            started = perf_counter()
            for unit in units:
                given = perf_counter()
                self.splitting += given - started
                self._read(unit)
                self.reading += perf_counter() - given
                if self._taken >= SAMPLED_BYTES or self.seen >= enough:
                    break
                started = perf_counter()
        self.packed += self._taken or path.stat().st_size

    def _units(self, path: Path) -> Generator[Unit, None, None]:
        yield from self._form.split(path)

    def _watch(self, _: Path, taken: int) -> None:
        self._taken = taken

    def _read(self, unit: Unit) -> None:
        for item in self._form.read(unit):
            if isinstance(item, Record):
                self.seen += 1
                if item.year is None or item.year >= self._oldest:
                    self.records.append(item)
            elif not isinstance(item, Listing):
                self.faults += 1

    def weigh(self) -> float:
        """Give the bytes on disk of a record; takes the time of preparing them along."""
        half = (len(self.records) + 1) // 2  # what a dictionary was trained on packs better than what follows
        codec = train(self.records[:half])
        started = perf_counter()
        rows = [prepare(record, codec) for record in self.records[-half:]]
        self.reading += (perf_counter() - started) * len(self.records) / half
        data = sum(len(row.data) for row in rows)
        keys = sum(len(row.keys) for row in rows)
        return (data + KEY_BYTES * keys) / len(rows) + WORD_BYTES + RECORD_BYTES


def _existing(path: Path) -> Path:
    path = path.absolute()
    while not path.exists():
        path = path.parent
    return path
