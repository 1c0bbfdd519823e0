"""`citeaudit index`: the commands that read dumps and write indexes, or read one to its end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from citeaudit.cli.getting import size_words, time_words
from citeaudit.cli.places import locate, merged_place, place
from citeaudit.cli.progress import INTERRUPTED
from citeaudit.errors import UsageError
from citeaudit.index.building.signals import Interrupted
from citeaudit.text.visible import visible

if TYPE_CHECKING:
    from citeaudit.index.building.filling import Progress, Tell
    from citeaudit.index.building.running import BuildReport

LINE_EVERY_S = 10.0
"""Seconds between two lines of progress where there is no terminal."""

_FAULTS = 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for, the index aside."""

    files: tuple[str, ...] = ()
    form: str = "jsonl"
    min_year: int | None = None
    jobs: int | None = None
    dump_date: str | None = None
    force: bool = False
    quiet: bool = False
    config: str | None = None
    """The user's settings file; they say where the data directory is."""

    @property
    def paths(self) -> list[Path]:
        """Give the dumps."""
        return [Path(file) for file in self.files]

    @property
    def day(self) -> date | None:
        """Give the day of the dumps.

        Raises:
            UsageError: It is no date, or it lies ahead: silence on works of the time between would then testify.
        """
        if self.dump_date is None:
            return None
        try:
            day = date.fromisoformat(self.dump_date)
        except ValueError as error:
            raise UsageError(f"--dump-date {self.dump_date}: is no date; write it as 2026-05-01") from error
        if day > datetime.now(UTC).date() + timedelta(days=1):  # it may be tomorrow where the dump was made
            raise UsageError(f"--dump-date {self.dump_date}: lies in the future; give the day of the dump")
        return day


def build_index(wanted: Wanted, out: str | None, name: str | None) -> int:
    """Build, with progress on standard error, and say what came out.

    Raises:
        IndexBuildError: Nothing usable came out; an old index is still there.
        UsageError: It is not said where the index is to lie.
    """
    from citeaudit.index.building.builder import build

    folder, day = place(out, name, wanted.config), wanted.day
    return _run(
        folder,
        wanted,
        lambda tell: build(
            wanted.paths,
            folder,
            format=wanted.form,
            name=name,
            jobs=wanted.jobs,
            min_year=wanted.min_year,
            dump_date=day,
            force=wanted.force,
            progress=tell,
        ),
    )


def update_index(index: str, wanted: Wanted) -> int:
    """Add to an index, and say what came out.

    Raises:
        IndexBuildError: Nothing usable came out; the index is as it was.
        UsageError: There is no such index.
    """
    from citeaudit.index.building.builder import update

    folder, day = locate(index, wanted.config), wanted.day
    return _run(
        folder,
        wanted,
        lambda tell: update(
            folder,
            wanted.paths,
            format=wanted.form,
            jobs=wanted.jobs,
            min_year=wanted.min_year,
            dump_date=day,
            progress=tell,
        ),
        is_update=True,
    )


def merge_indexes(indexes: tuple[str, ...], out: str | None, name: str | None, wanted: Wanted) -> int:
    """Merge indexes, and say what came out.

    Raises:
        IndexBuildError: Nothing usable came out; all indexes are as they were.
        UsageError: There is no such index, or it is not said where the new one is to lie.
    """
    from citeaudit.index.building.builder import merge

    folders = [locate(index, wanted.config) for index in indexes]
    folder = merged_place(indexes, out, name, wanted.config)
    return _run(
        folder,
        wanted,
        lambda tell: merge(folders, folder, name=name, jobs=wanted.jobs, force=wanted.force, progress=tell),
    )


def estimate(wanted: Wanted, out: str | None, name: str | None) -> int:
    """Say what a build would come to.

    Raises:
        IndexBuildError: The dumps cannot be read.
    """
    from citeaudit.index.building.estimate import dry_run

    folder = place(out, name, wanted.config)
    found = dry_run(wanted.paths, format=wanted.form, out=folder, jobs=wanted.jobs, min_year=wanted.min_year)
    files = f"{found.files:,} file" if found.files == 1 else f"{found.files:,} files"
    lines = [
        f"{folder}: {files}, {size_words(found.input_bytes)}",
        f"  about {found.records:,} records, {size_words(found.size_bytes)}",
        f"  about {time_words(found.seconds)} with {_counted(found.jobs, 'process', 'processes')}",
        f"  room needed while it is built: {size_words(found.needed_bytes)}; free: {size_words(found.free_bytes)}",
    ]
    if found.malformed_share:
        lines.append(f"  {found.malformed_share:.1%} of the records looked at cannot be read")
    lines.append(f"  from a sample of {_counted(found.sampled_records, 'record')}; it may be off by a third")
    if not found.fits:
        lines.append("  there is not enough room: free some, name another --out, or leave out years with --min-year")
    _say(lines)
    return 0


def verify_index(index: str, *, quiet: bool, config: str | None = None) -> int:
    """Read an index to its end, and say what is wrong with it; gives exit code 1 if anything is.

    Raises:
        UsageError: There is no such index.
    """
    from citeaudit.index.building.checking import verify

    folder = locate(index, config)
    with telling(quiet=quiet) as tell:
        found = verify(folder, progress=tell)
    read = f"{_counted(found.files, 'file')}, {size_words(found.size_bytes)}, {_counted(found.records, 'record')}"
    if found.sound:
        _say([f"{folder}: sound; {read}, {found.sampled:,} looked up"])
        return 0
    _say([f"{folder}: not sound; {read}", *(f"  {problem}" for problem in found.problems), f"  {found.advice}"])
    return _FAULTS


def told(folder: Path, report: BuildReport, *, is_update: bool = False) -> list[str]:
    """Give what came out of a build, an update or a merge as lines for a person."""
    left_out = [f"{report.malformed:,} left out"] if report.malformed or not (report.older or is_update) else []
    left_out += [f"{report.older:,} too old"] if report.older else []
    left_out += [f"{report.duplicates:,} held twice"] if report.duplicates else []
    if is_update:
        replacing = {0: "none of them replaces an older one", 1: "1 of them replaces an older one"}.get(
            report.replaced, f"{report.replaced:,} of them replace older ones"
        )
        said = [f"{_counted(report.added, 'record')} read", replacing, *left_out]
        line = f"{', '.join(said)}; the index now has {report.records:,}"
    else:
        line = ", ".join([_counted(report.records, "record"), *left_out])
    more = report.malformed > len(report.problems) > 0
    return [
        *(f"{note[:1].upper()}{note[1:]}{'' if note.endswith('?') else '.'}" for note in report.notes),
        f"{folder.absolute()}: {line}",
        *(f"  {problem}" for problem in report.problems),
        *([f"  ... and {report.malformed - len(report.problems):,} more"] if more else []),
        f"  {size_words(report.size_bytes)}, {time_words(report.seconds)}",
    ]


@contextmanager
def telling(*, quiet: bool) -> Iterator[Tell | None]:
    """Give a listener for progress: a moving line on a terminal, now and then a line elsewhere, or none."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        from citeaudit.index.building.filling import GOING_ON

        console = Console(stderr=True)

        def show(now: Progress) -> None:
            if now.phase == GOING_ON:  # a line of its own: the next word would wipe it out
                console.print(escape(words(now)), highlight=False)
            else:
                status.update(escape(words(now)))

        with console.status("starting") as status:
            yield show
    else:
        lines = _Lines()
        yield lines
        lines.end()


class _Lines:
    """Writes a line when a phase begins, and every few seconds."""

    def __init__(self) -> None:
        self._phase, self._last = "", monotonic()
        self._waiting: Progress | None = None

    def __call__(self, now: Progress) -> None:
        if now.phase != self._phase or monotonic() - self._last >= LINE_EVERY_S:
            self._phase, self._last = now.phase, monotonic()
            self._write(now)
        else:
            self._waiting = now

    def end(self) -> None:
        """Write how far it came, so that the last line is no old one."""
        if self._waiting is not None:
            self._write(self._waiting)

    def _write(self, now: Progress) -> None:
        self._waiting = None
        sys.stderr.write(f"{words(now)}\n")


def words(now: Progress) -> str:
    """Give how far it is as a line for a person.

    >>> from citeaudit.index.building.filling import Progress
    >>> words(Progress("reading records", 120_000, 21_000.0, 30, 100, 600.0))
    'reading records: 120,000 records, 21,000 a second, 30 %, about 10 min left'
    """
    from citeaudit.index.building.filling import READING

    parts = [_counted(now.records, "record")]
    if now.rate >= 1 and now.phase == READING:
        parts.append(f"{now.rate:,.0f} a second")
    if now.total and now.seconds_left is not None:
        parts.append(f"{100 * now.done // now.total} %")
        if now.done < now.total:
            parts.append(f"about {time_words(now.seconds_left)} left")
    return f"{now.phase}: {', '.join(parts)}"


def _run(folder: Path, wanted: Wanted, work: Callable[[Tell | None], BuildReport], *, is_update: bool = False) -> int:
    """Work with progress, which has ended before anything else is said."""
    try:
        with telling(quiet=wanted.quiet) as tell:
            report = work(tell)
    except KeyboardInterrupt as stop:
        then = "and the same command goes on"
        if isinstance(stop, Interrupted):
            then += f" after {_counted(stop.kept, 'record')}"
            then = then if stop.kept else "and nothing is kept to go on from"
        sys.stderr.write(f"citeaudit: {visible(str(folder))}: interrupted; the index is as it was, {then}\n")
        return INTERRUPTED
    _say(told(folder, report, is_update=is_update))
    return 0


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def _say(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))
