"""Filling a part: the loop from units to stored rows, its counts, and the checkpoints from which it goes on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from citeaudit.errors import IndexBuildError
from citeaudit.index.building.signals import Stops
from citeaudit.index.building.workers import Batch, Recipe, Step, Team, read_all
from citeaudit.index.coverage.counting import Counter
from citeaudit.index.dumps.form import DumpFormat, Unit
from citeaudit.index.dumps.looks import advice
from citeaudit.index.dumps.packed import watched
from citeaudit.index.store.codec import Codec, train
from citeaudit.index.store.part import PartWriter
from citeaudit.index.store.record import Record

SAMPLE, SAMPLED_UNITS, SAMPLED_FILES = 10_000, 48, 16
"""Records, from so many units of so many files, from which the codec learns what most of them share.

A collection that is put together from several took 7 % less than with the first records alone.
"""

SAMPLED_BYTES = 4_000_000
"""Bytes of a unit above which nothing is learnt from it: all samples are in memory at once; a line may have 16 MB."""

SHOWN_PROBLEMS = 5
"""Records left out that a report quotes."""

HOPELESS = 1_000
"""Things without one usable record after which a file is taken for something else."""

WORST, MANY = 0.5, 100
"""Share of unusable things in a file of more than so many from which it is taken for something else."""

CHECKPOINT_RECORDS, CHECKPOINT_SECONDS = 500_000, 20.0
"""How much work a kill may cost."""

WORTH_SAVING = 20_000
"""Records that are saved once more before they are counted; fewer are read again in a second."""


class Progress(NamedTuple):
    """How far a build is."""

    phase: str
    """`reading records`, `sorting keys`, `checking files`, `comparing records`; first, where there is something, that
    it goes on after so many records of an interrupted run."""
    records: int
    """Stored so far."""
    rate: float
    """Records a second, since this process began."""
    done: int
    """Bytes of the files (as they lie there, packed) that are read."""
    total: int
    """Bytes of all files."""
    seconds_left: float | None
    """Of this phase; `None` where it cannot be told."""


Tell = Callable[[Progress], None]
"""Is told how far a build is, after every unit."""


@dataclass(slots=True)
class Tally:
    """Counts that must survive a kill; kept with each checkpoint."""

    file: int = 0
    """Index of the file that is being read."""
    units: int = 0
    """Units of it that are stored."""
    good: int = 0
    bad: int = 0
    """Of this file."""
    malformed: int = 0
    older: int = 0
    problems: list[str] = field(default_factory=list)
    replaced: int = 0
    duplicates: int = 0
    counts: str = ""
    """What the manifest will say (`manifest.Counts`), once everything is read and compared."""

    @property
    def touched(self) -> int:
        """Give how many files were read from, the last one perhaps in part."""
        return self.file + (1 if self.units else 0)

    def dump(self) -> str:
        """Give it as text."""
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Tally:
        """Give it back.

        Raises:
            ValueError: The text is no tally.
        """
        try:
            return cls(**json.loads(text)) if text else cls()
        except TypeError as error:
            message = "no tally of a build"
            raise ValueError(message) from error

    def take(self, path: Path, step: Step, batch: Batch, form: str) -> None:
        """Count what a unit gave.

        Raises:
            IndexBuildError: Nothing usable is in the first thousand things of the file.
        """
        self.units = step.number + 1
        self.good += len(batch.rows) + batch.older + sum(not one.broken for one in batch.listings)
        self.bad += batch.faults
        self.malformed += batch.faults
        self.older += batch.older
        for fault in batch.named[: SHOWN_PROBLEMS - len(self.problems)]:
            self.problems.append(f"{path}: {fault.where}: {fault.why}")
        if not self.good and self.bad >= HOPELESS:
            raise IndexBuildError(f"{path}: nothing in it can be read as a record{self._first()}; {advice(path, form)}")

    def turn(self, path: Path, file: int, form: str) -> None:
        """Go on to another file.

        Raises:
            IndexBuildError: Most of the file that is done could not be read.
        """
        total = self.good + self.bad
        if total > MANY and self.bad > WORST * total:
            raise IndexBuildError(
                f"{path}: {self.bad:,} of {total:,} records cannot be read{self._first()}; {advice(path, form)}"
            )
        self.file, self.units, self.good, self.bad = file, 0, 0, 0

    def _first(self) -> str:
        return f" (first: {self.problems[0]})" if self.problems else ""


class Meter:
    """Tells progress: records, bytes read, and the time that is left."""

    def __init__(self, tell: Tell | None, sizes: Sequence[int]) -> None:
        """Begin the clock.

        Args:
            tell: Who is told; nobody if `None`.
            sizes: Bytes of the files.
        """
        self._tell, self._sizes = tell, sizes
        self._started, self._first = perf_counter(), 0
        self._file, self._inside = 0, 0
        self.total = sum(sizes)
        self._begun = 0

    def begin(self, records: int, file: int) -> None:
        """Begin the clock anew, with what an interrupted run had stored."""
        self._started, self._first = perf_counter(), records
        self._file, self._inside = file, 0
        self._begun = self.done

    @property
    def done(self) -> int:
        """Give the bytes read."""
        return min(self.total, sum(self._sizes[: self._file]) + self._inside)

    def watch(self, _: Path, taken: int) -> None:
        """Note how many bytes of a file are taken."""
        self._inside = taken

    def enter(self, file: int) -> None:
        """Note that a file begins."""
        self._file, self._inside = file, 0

    def tell(self, phase: str, records: int) -> None:
        """Tell how far it is."""
        if self._tell is None:
            return
        done, seconds = self.done, max(perf_counter() - self._started, 1e-6)
        fresh, read = records - self._first, done - self._begun
        left = seconds * (self.total - done) / read if phase == READING and read > 0 else None
        self._tell(Progress(phase, records, fresh / seconds, done, self.total, left))


READING, SORTING, CHECKING, COMPARING = "reading records", "sorting keys", "checking files", "comparing records"
GOING_ON = "going on after what an interrupted run had stored"
"""Phases, as they are told."""


def sample(form: DumpFormat, paths: Sequence[Path]) -> Codec:
    """Learn a codec from records at the beginning of some files, evenly spread; the same files give the same codec.

    Raises:
        IndexBuildError: The first file is no dump of this form.
    """
    chosen = paths[:: -(-len(paths) // SAMPLED_FILES)]
    units: list[Unit] = []
    records: list[Record] = []
    try:
        for path in chosen:
            with closing(_units(form, path)) as found:
                some = islice(found, -(-SAMPLED_UNITS // len(chosen)))
                units += (unit for unit in some if len(unit.data or b"") <= SAMPLED_BYTES)
        for unit in units:
            items = (item for item in form.read(unit) if isinstance(item, Record))
            records += islice(items, -(-SAMPLE // len(units)))
    except IndexBuildError:  # met again when its turn comes; what stands before it is then stored already
        if not units:
            raise
    return train(records[:SAMPLE])


def _units(form: DumpFormat, path: Path) -> Generator[Unit, None, None]:
    yield from form.split(path)


class Filler:
    """Reads units into the writer of a part."""

    def __init__(self, writer: PartWriter, counter: Counter, tally: Tally, meter: Meter, stops: Stops) -> None:
        """Go on where `tally` stands; the writer must be at the same checkpoint."""
        self._stops, self._whole = stops, True
        self._writer, self._counter, self._tally, self._meter = writer, counter, tally, meter
        self._saved, self._saved_at = writer.count, perf_counter()
        meter.begin(writer.count, tally.file)

    def fill(self, form: DumpFormat, paths: Sequence[Path], recipe: Recipe, team: int | Team) -> None:
        """Read all that is left of the files, in one process or with a team (`workers.read_all`).

        Raises:
            IndexBuildError: A file is damaged or of another kind, or a worker died; what was stored up to the last
                checkpoint is kept.
            KeyboardInterrupt: It was told to stop; all that was stored is kept.
        """
        tally, writer = self._tally, self._writer
        try:
            with watched(self._meter.watch), closing(read_all(self._steps(form, paths), recipe, team, form)) as batches:
                for step, batch in batches:
                    with self._stops.held():
                        self._take(paths, step, batch, form.name)
                    self._meter.tell(READING, writer.count)
        except KeyboardInterrupt:
            if self._whole and writer.count > self._saved:
                with suppress(IndexBuildError, sqlite3.Error, KeyboardInterrupt), self._stops.held():
                    self.save()
            raise
        tally.turn(paths[min(tally.file, len(paths) - 1)], len(paths), form.name)
        if writer.count - self._saved >= WORTH_SAVING:
            self.save()

    def _take(self, paths: Sequence[Path], step: Step, batch: Batch, form: str) -> None:
        """Store what a unit gave. Broken off, it leaves counts and records that do not belong together."""
        self._whole, tally = False, self._tally
        if step.file != tally.file:
            tally.turn(paths[tally.file], step.file, form)
        tally.take(paths[step.file], step, batch, form)
        self._writer.add(batch.rows)
        self._counter.take(batch.rows)
        for listing in batch.listings:
            self._counter.take_listing(listing)
        fresh, waited = self._writer.count - self._saved, perf_counter() - self._saved_at
        if fresh >= CHECKPOINT_RECORDS or waited >= CHECKPOINT_SECONDS:
            self.save()
        self._whole = True

    def _steps(self, form: DumpFormat, paths: Sequence[Path]) -> Iterator[Step]:
        begin, skip = self._tally.file, self._tally.units
        for file in range(begin, len(paths)):
            self._meter.enter(file)
            for number, unit in enumerate(form.split(paths[file])):
                if file > begin or number >= skip:
                    yield Step(file, number, unit)

    def save(self) -> None:
        """Save a checkpoint."""
        self._counter.save()
        self._writer.checkpoint(self._tally.dump())
        self._saved, self._saved_at = self._writer.count, perf_counter()
