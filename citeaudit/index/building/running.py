"""One run of a writer with the lock held: take up or go on, read, sort, check, put in place."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import blake2b
from pathlib import Path
from time import perf_counter

from pydantic import BaseModel, ConfigDict

from citeaudit.errors import IndexBuildError
from citeaudit.index.building.checking import miscounted
from citeaudit.index.building.filling import CHECKING, COMPARING, GOING_ON, SORTING, Filler, Meter, Tally, Tell, sample
from citeaudit.index.building.merging import StoredForm, mark_replaced, pieces_of
from citeaudit.index.building.signals import Interrupted, Stops
from citeaudit.index.building.workers import Recipe, Team, cores, no_sweeps
from citeaudit.index.building.workshop import BUILDING, Task, Workshop, describe, is_full, printable, sums
from citeaudit.index.coverage.counting import Counter
from citeaudit.index.dumps.form import DumpFormat
from citeaudit.index.dumps.looks import advice
from citeaudit.index.manifest import PARTS, Counts, Covered, Manifest, Part
from citeaudit.index.store.part import PartWriter

SMALL = 20_000_000
"""Bytes of input below which further processes cost more than they bring."""

LEAST = 0.5
"""Share of the records of the old index that a new one of the same name and format must have."""

MANY_LEFT_OUT = 0.05
"""Share of records that cannot be read from which a report begins with it."""

_TALLY = "tally"

Clock = Callable[[], datetime]


class BuildReport(BaseModel):
    """What came out of a build, an update or a merge."""

    model_config = ConfigDict(frozen=True)

    name: str
    records: int
    """Records that the index now answers with."""
    added: int
    """Records of the new part."""
    malformed: int
    """Records left out because they cannot be read."""
    older: int = 0
    """Records left out because they are older than `--min-year`."""
    replaced: int = 0
    """Records of older parts that an update replaces."""
    duplicates: int = 0
    """Records that a merge left out because a later input has them, too."""
    problems: tuple[str, ...] = ()
    """The first few that cannot be read: `path: place: why`."""
    notes: tuple[str, ...] = ()
    """What else the user should know: that much was left out, or that it started afresh, and why."""
    resumed: int = 0
    """Records that an interrupted run had stored."""
    seconds: float
    """Of this run."""
    size_bytes: int
    """Of all files of the index."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted beside the inputs; the same for `build`, `update` and `merge`."""

    name: str | None = None
    jobs: int | None = None
    """Processes that read; as many as there are cores where it is `None` and there is enough to read."""
    min_year: int | None = None
    dump_date: date | None = None
    force: bool = False
    progress: Tell | None = None
    clock: Clock = lambda: datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Inherited:
    """What a merge takes over from its inputs, since stored records do not say it."""

    manifests: tuple[Manifest, ...] = ()
    stored: StoredForm | None = None
    """Reads their records; knows how many are left out because a later input has them, too."""

    @property
    def adopted(self) -> tuple[Path, ...]:
        """Give each `works.db` whose tables of contents still hold."""
        return () if self.stored is None or any(one.doubted for one in self.manifests) else self.stored.paths

    @property
    def format(self) -> str:
        """Give the forms of the dumps that the inputs were made from."""
        return "+".join(dict.fromkeys(form for one in self.manifests for form in one.format.split("+")))

    @property
    def coverage(self) -> tuple[Covered, ...]:
        """Give all that was written down by whoever knew the inputs: what they hold, the whole holds."""
        return tuple(dict.fromkeys(line for one in self.manifests for line in one.coverage))

    def known(self, counts: Counts) -> Counts:
        """Give counts with the dates of the inputs, and the number of records that they left out."""
        before = sum((one.malformed for one in self.manifests), counts.malformed)
        sources = dict(counts.sources)
        for name, info in sources.items():
            for one in self.manifests:
                sources[name] = sources[name].plus(one.sources.get(name, info).model_copy(update={"records": 0}))
        return counts.model_copy(update={"sources": sources, "malformed": before})


def unwritten(out: Path, error: BaseException) -> IndexBuildError:
    """Give the one sentence for what the disk and the libraries said while an index was written."""
    told = str(error).partition("\n")[0][:300]
    if is_full(error):
        message = f"the disk is full or fails ({told}); make room and run the same command again, it will go on"
    else:
        message = f"the index could not be written ({told}); it is as it was, run the same command again"
    return IndexBuildError(f"{out}: {message}")


class Run:
    """One build, update or merge, with the lock held."""

    def __init__(
        self, out: Path, shop: Workshop, old: Manifest | None, task: Task, order: Order, inherited: Inherited
    ) -> None:
        """Take up a task.

        Args:
            out: Folder of the index.
            shop: Its workshop.
            old: Manifest of the index that is there.
            task: What to do.
            order: What is wanted beside the inputs.
            inherited: What a merge takes over.
        """
        self._extra = inherited
        self._out, self._shop, self._old, self._task, self._order = out, shop, old, task, order
        self._started = perf_counter()
        self._notes: list[str] = []
        self._resumed = 0
        self._team: Team | None = None
        self._stops = Stops()
        self._meter = Meter(order.progress, [file.size for file in task.inputs])
        self._jobs = order.jobs or (1 if self._meter.total < SMALL else cores())

    @property
    def name(self) -> str:
        """Give the name that the index will have."""
        return self._order.name or (self._old.name if self._old and self._adds else self._out.resolve().name)

    @property
    def _adds(self) -> bool:
        return self._task.kind == "update"

    def go(self, form: DumpFormat, files: Sequence[Path]) -> BuildReport:
        """Do it; what stands in the workshop goes on where it stopped.

        Args:
            form: Reader of the files.
            files: What is read, in the order of the task's inputs.

        Raises:
            IndexBuildError: As `builder.build`.
        """
        done = self._done()
        if done is not None:
            done = done.model_copy(update={"name": self.name})  # another --name does not make another task
            self._notes.append("the part was whole already; it only had to be put in place")
            return self._end(done, Tally(malformed=done.malformed, problems=list(done.told)), done.parts[-1].records)
        if self._jobs > 1:
            self._team = Team(self._jobs)  # they start while the codec learns
        with self._stops.heeded(), contextlib.closing(self._team) if self._team else contextlib.nullcontext():
            return self._go(form, files)

    def _go(self, form: DumpFormat, files: Sequence[Path]) -> BuildReport:
        writer, tally = self._take_up(form, files)
        try:
            with no_sweeps():
                manifest = self._make(writer, tally, form, files)
        except (OSError, sqlite3.Error) as error:
            self._leave(writer, error)
            raise
        except KeyboardInterrupt as error:
            raise Interrupted(writer.kept if self._leave(writer, error) else 0) from error
        except IndexBuildError as error:
            kept = self._leave(writer, error)
            self._translate(error)
            if not kept:
                raise
            told = f"{str(error).rstrip('.')}; what was read before is kept for when the same command is run again"
            raise type(error)(told) from error
        self._warn(tally, writer.count)
        return self._end(manifest, tally, writer.count)

    def _warn(self, tally: Tally, stored: int) -> None:
        total = stored + tally.malformed + tally.older
        share = tally.malformed / max(total, 1)
        if share > MANY_LEFT_OUT:
            self._notes.append(
                f"{tally.malformed:,} of {total:,} records could not be read ({100 * share:.1f} %); is --format right?"
            )

    def _done(self) -> Manifest | None:
        """Give the manifest to be, if an interrupted run of this task came as far as that."""
        earlier, manifest = self._shop.earlier(), self._shop.sealed()
        if earlier is None or manifest is None:
            return None
        task = self._task
        if manifest == self._old:  # put in place, and killed while clearing away: the base is what it made
            task = task.model_copy(update={"base": earlier.base})
        return manifest if task.goes_on(earlier, len(task.inputs)) else None

    def _take_up(self, form: DumpFormat, files: Sequence[Path]) -> tuple[PartWriter, Tally]:
        """Open the part of an interrupted run of the same task at its last checkpoint, or begin one."""
        earlier = self._shop.earlier()
        if earlier is not None:
            found = self._go_on(earlier)
            if found is not None:
                return found
        self._shop.clear()
        self._shop.begin(self._task.model_copy(update={"part": self._next_name()}))
        try:
            return PartWriter(self._shop.part, codec=sample(form, files)), Tally()
        except KeyboardInterrupt as error:
            self._shop.clear()
            raise Interrupted(0) from error
        except IndexBuildError as error:
            self._shop.clear()
            self._translate(error)
            raise

    def _go_on(self, earlier: Task) -> tuple[PartWriter, Tally] | None:
        try:
            writer = PartWriter(self._shop.part)
            tally = Tally.load(_saved(writer))
        except (IndexBuildError, OSError, sqlite3.Error, ValueError) as error:
            self._notes.append(f"the interrupted run cannot be gone on with ({error}); starting afresh")
            return None
        if not _saved(writer):
            writer.close()
            return None
        if not self._task.goes_on(earlier, tally.touched):
            writer.close()
            self._notes.append("files or options changed since the interrupted run; starting afresh")
            return None
        self._shop.begin(self._task.model_copy(update={"part": earlier.part}))
        self._resumed = writer.count
        self._meter.tell(GOING_ON, writer.count)
        return writer, tally

    def _next_name(self) -> str:
        """Give a name that no part ever had here, so that no reader takes one for another."""
        taken = [part.name for part in self._old.parts] if self._old else []
        with contextlib.suppress(OSError):
            taken += [path.name for path in (self._out / PARTS).iterdir()]
        numbers = [int(name) for name in taken if name.isdecimal()]
        return f"{max(numbers, default=0) + 1:06d}"

    def _make(self, writer: PartWriter, tally: Tally, form: DumpFormat, files: Sequence[Path]) -> Manifest:
        if not writer.sealed:
            if not tally.counts:
                self._read(writer, tally, form, files)
            self._meter.tell(SORTING, writer.count)
            writer.finish({_TALLY: tally.dump()})
            wrong = next(miscounted(self._shop.part, writer.count), None)
            if wrong:
                self._shop.clear()
                raise IndexBuildError(f"{wrong}; the disk or another program changed it, build again")
        self._meter.tell(CHECKING, writer.count)
        begun = self._shop.earlier()
        if begun is None:
            raise IndexBuildError(f"{self._out}: the folder {BUILDING} was changed by another program; build again")
        part = Part(name=begun.part, records=writer.count, files=sums(self._shop.part))
        manifest = self._manifest(part, writer.content, tally)
        self._shop.seal(manifest)
        return manifest

    def _read(self, writer: PartWriter, tally: Tally, form: DumpFormat, files: Sequence[Path]) -> None:
        """Read all files, count and compare; afterwards only the keys must be sorted."""
        task, order = self._task, self._order
        counter = Counter(writer.db, min_year=task.min_year, today=order.clock().date())
        recipe = Recipe(task.format, writer.codec.dictionary, task.min_year)
        Filler(writer, counter, tally, self._meter, self._stops).fill(form, files, recipe, self._team or 1)
        self._refuse_changed(files)
        self._refuse_little(writer.count, tally)
        counts = counter.write(dump_date=order.dump_date, malformed=tally.malformed, adopted=self._extra.adopted)
        tally.duplicates = self._extra.stored.duplicates if self._extra.stored else 0
        if self._adds and self._old is not None:
            self._meter.tell(COMPARING, writer.count)
            tally.replaced = mark_replaced(writer, pieces_of(self._out, self._old))
        tally.counts = counts.model_dump_json()
        writer.checkpoint(tally.dump())

    def _refuse_changed(self, files: Sequence[Path]) -> None:
        """Refuse what may be half of one file and half of another; the next run sees the change and starts afresh.

        Raises:
            IndexBuildError: A file was changed while it was read.
        """
        for path, before in zip(files, self._task.inputs, strict=True):
            if describe(path) != before:
                raise IndexBuildError(
                    f"{path}: was changed while it was read; run the same command once it is complete"
                )

    def _refuse_little(self, count: int, tally: Tally) -> None:
        """Refuse to replace an index by nothing, or by much less of the same.

        Raises:
            IndexBuildError: So it is.
        """
        old, names = self._old, ", ".join(file.path for file in self._task.inputs[:3])
        if not count:
            first = f" (first: {tally.problems[0]})" if tally.problems else ""
            if tally.older:
                raise IndexBuildError(
                    f"{names}: all {tally.older:,} records are older than --min-year; take an earlier one"
                )
            what = advice(Path(self._task.inputs[0].path), self._task.format)
            raise IndexBuildError(f"{names}: no usable record in it{first}; {what}")
        if self._adds or old is None or self._order.force:
            return
        if (old.name, old.format) == (self.name, self._format) and count < LEAST * old.records:
            message = f"{names}: only {count:,} records, while the index has {old.records:,}"
            raise IndexBuildError(f"{message}; if that is right, run the same command with --force")

    @property
    def _format(self) -> str:
        if self._extra.format:
            return self._extra.format
        earlier = self._old.format.split("+") if self._old is not None and self._adds else []
        return "+".join(dict.fromkeys([*earlier, self._task.format]))

    def _manifest(self, part: Part, content: str, tally: Tally) -> Manifest:
        old = self._old if self._adds else None
        counts = self._extra.known(Counts.model_validate_json(tally.counts))
        if old is not None:
            counts = Counts.model_validate(old.model_dump()).plus(counts)
            content = blake2b(f"{old.content}{content}".encode(), digest_size=16).hexdigest()
        records = part.records + (old.records - tally.replaced if old else 0)
        return Manifest(
            **counts.model_dump(),
            name=self.name,
            built_at=self._order.clock(),
            records=records,
            content=content,
            format=self._format,
            parts=(*(old.parts if old else ()), part),
            coverage=old.coverage if old else self._extra.coverage,
            told=tuple(map(printable, tally.problems)),
        )

    def _translate(self, error: IndexBuildError) -> None:
        """Say what the writer of the part complains of in the words of a whole build.

        Raises:
            IndexBuildError: If it comes from there.
        """
        if str(error).startswith(str(self._shop.part)) and error.__cause__ is not None:
            raise unwritten(self._out, error.__cause__) from error

    def _leave(self, writer: PartWriter, error: BaseException) -> bool:
        """Let go after an error; gives whether there is something from which the next run goes on."""
        cause = error.__cause__ or error
        broken = isinstance(cause, sqlite3.DatabaseError) and not isinstance(cause, sqlite3.OperationalError)
        worth = writer.count > 0 and bool(writer.state or writer.sealed) and not broken
        with contextlib.suppress(OSError, sqlite3.Error):
            writer.close()
        if not worth:
            self._shop.clear()
        return worth

    def _end(self, manifest: Manifest, tally: Tally, added: int) -> BuildReport:
        self._shop.commit(manifest)
        return BuildReport(
            name=manifest.name,
            records=manifest.records,
            added=added,
            malformed=tally.malformed,
            older=tally.older,
            replaced=tally.replaced,
            duplicates=tally.duplicates,
            problems=tuple(tally.problems),
            notes=tuple(self._notes),
            resumed=self._resumed,
            seconds=perf_counter() - self._started,
            size_bytes=sum(each.size for one in manifest.parts for each in one.files.values()),
        )


def _saved(writer: PartWriter) -> str:
    """Give the tally of the last checkpoint, or that of a part that is finished; empty where there is none."""
    if not writer.sealed:
        return writer.state
    found = writer.db.execute("SELECT value FROM meta WHERE name = ?", (_TALLY,)).fetchone()
    return str(found[0]) if found else ""
