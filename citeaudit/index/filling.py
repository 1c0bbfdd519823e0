"""Filling a part: the loop from units to stored rows, its counts, and the checkpoints from which it goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from citeaudit.errors import IndexBuildError
from citeaudit.index.codec import Codec, train
from citeaudit.index.coverage import Counter
from citeaudit.index.dumps.form import DumpFormat, Unit
from citeaudit.index.dumps.packed import watched
from citeaudit.index.part import PartWriter
from citeaudit.index.record import Record
from citeaudit.index.workers import Batch, Recipe, Step, read_all

SAMPLE, SAMPLED_UNITS, SAMPLED_FILES = 10_000, 48, 16
"""Records, from so many units of so many files, from which the codec learns what most of them share.

A collection that is put together from several took 7 % less than with the first records alone.
"""

SHOWN_PROBLEMS = 5
"""Records left out that a report quotes."""

HOPELESS = 1_000
"""Things without one usable record after which a file is taken for something else."""

WORST = 0.5
"""Share of unusable things in a file of more than `HOPELESS` from which it is taken for something else."""

CHECKPOINT_RECORDS, CHECKPOINT_SECONDS = 250_000, 30.0
"""How much work a kill may cost."""

WORTH_SAVING = 20_000
"""Records that are saved once more before they are counted; fewer are read again in a second."""


class Progress(NamedTuple):
    """How far a build is."""

    phase: str
    """`reading records`, `sorting keys`, `checking files`, `comparing records`."""
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

    def take(self, path: Path, step: Step, batch: Batch) -> None:
        """Count what a unit gave.

        Raises:
            IndexBuildError: Nothing usable is in the first thousand things of the file.
        """
        self.units = step.number + 1
        self.good += len(batch.rows) + batch.older + len(batch.listings)
        self.bad += batch.faults
        self.malformed += batch.faults
        self.older += batch.older
        for fault in batch.named[: SHOWN_PROBLEMS - len(self.problems)]:
            self.problems.append(f"{path}: {fault.where}: {fault.why}")
        if not self.good and self.bad >= HOPELESS:
            raise IndexBuildError(f"{path}: nothing in it can be read as a record{self._first()}; check --format")

    def turn(self, path: Path, file: int) -> None:
        """Go on to another file.

        Raises:
            IndexBuildError: Most of the file that is done could not be read.
        """
        total = self.good + self.bad
        if total > HOPELESS and self.bad > WORST * total:
            raise IndexBuildError(
                f"{path}: {self.bad:,} of {total:,} records cannot be read{self._first()}; check --format"
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
                units += islice(found, -(-SAMPLED_UNITS // len(chosen)))
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

    def __init__(self, writer: PartWriter, counter: Counter, tally: Tally, meter: Meter) -> None:
        """Go on where `tally` stands; the writer must be at the same checkpoint."""
        self._writer, self._counter, self._tally, self._meter = writer, counter, tally, meter
        self._saved, self._saved_at = writer.count, perf_counter()
        meter.begin(writer.count, tally.file)

    def fill(self, form: DumpFormat, paths: Sequence[Path], recipe: Recipe, jobs: int) -> None:
        """Read all that is left of the files.

        Raises:
            IndexBuildError: A file is damaged or of another kind, or a worker died; what was stored up to the last
                checkpoint is kept.
        """
        tally, writer = self._tally, self._writer
        with watched(self._meter.watch), closing(read_all(self._steps(form, paths), recipe, jobs, form)) as batches:
            for step, batch in batches:
                if step.file != tally.file:
                    tally.turn(paths[tally.file], step.file)
                    self._save(1)
                tally.take(paths[step.file], step, batch)
                count = writer.add(batch.rows)
                self._counter.take(batch.rows)
                for listing in batch.listings:
                    self._counter.take_listing(listing)
                self._save(2)
                self._meter.tell(READING, count)
        tally.turn(paths[min(tally.file, len(paths) - 1)], len(paths))
        if writer.count - self._saved >= WORTH_SAVING:
            self.save()

    def _steps(self, form: DumpFormat, paths: Sequence[Path]) -> Iterator[Step]:
        begin, skip = self._tally.file, self._tally.units
        for file in range(begin, len(paths)):
            self._meter.enter(file)
            for number, unit in enumerate(form.split(paths[file])):
                if file > begin or number >= skip:
                    yield Step(file, number, unit)

    def _save(self, patience: int) -> None:
        """Save a checkpoint where one is due; between two files (1) sooner than inside one (2).

        A file that turns out to be truncated is fetched again, and then only whole files before it still count.
        """
        fresh, waited = self._writer.count - self._saved, perf_counter() - self._saved_at
        if fresh >= patience * CHECKPOINT_RECORDS or waited >= patience * CHECKPOINT_SECONDS:
            self.save()

    def save(self) -> None:
        """Save a checkpoint."""
        self._counter.save()
        self._writer.checkpoint(self._tally.dump())
        self._saved, self._saved_at = self._writer.count, perf_counter()
