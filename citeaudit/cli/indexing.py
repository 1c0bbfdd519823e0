"""`citeaudit index`: the commands that read dumps and write indexes, or read one to its end."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from citeaudit.cli.getting import size_words, time_words
from citeaudit.cli.progress import INTERRUPTED
from citeaudit.errors import UsageError
from citeaudit.index.manifest import MANIFEST
from citeaudit.settings import load
from citeaudit.text.visible import visible

if TYPE_CHECKING:
    from citeaudit.index.filling import Progress, Tell
    from citeaudit.index.running import BuildReport

LINE_EVERY_S = 10.0
"""Seconds between two lines of progress where there is no terminal."""

_FAULTS = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


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

    @property
    def paths(self) -> list[Path]:
        """Give the dumps."""
        return [Path(file) for file in self.files]

    @property
    def day(self) -> date | None:
        """Give the day of the dumps.

        Raises:
            UsageError: It is no date.
        """
        try:
            return date.fromisoformat(self.dump_date) if self.dump_date is not None else None
        except ValueError as error:
            raise UsageError(f"--dump-date {self.dump_date}: is no date; write it as 2026-05-01") from error


def locate(index: str) -> Path:
    """Give the folder of an index, as the user named it: a folder, or a name in the data directory.

    Raises:
        UsageError: Neither.
    """
    folder = Path(index)
    if folder.exists():
        return folder
    kept = load().index_folder
    if _NAME.fullmatch(index) and (kept / index / MANIFEST).is_file():
        return kept / index
    raise UsageError(f"{index}: no such folder, and no index of that name in {kept}; see citeaudit index list")


def build_index(wanted: Wanted, out: str | None, name: str | None) -> int:
    """Build, with progress on standard error, and say what came out.

    Raises:
        IndexBuildError: Nothing usable came out; an old index is still there.
        UsageError: It is not said where the index is to lie.
    """
    from citeaudit.index.builder import build

    folder = _place(out, name)
    with telling(quiet=wanted.quiet) as tell:
        return _run(
            folder,
            lambda: build(
                wanted.paths,
                folder,
                format=wanted.form,
                name=name,
                jobs=wanted.jobs,
                min_year=wanted.min_year,
                dump_date=wanted.day,
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
    from citeaudit.index.builder import update

    folder = locate(index)
    with telling(quiet=wanted.quiet) as tell:
        return _run(
            folder,
            lambda: update(
                folder,
                wanted.paths,
                format=wanted.form,
                jobs=wanted.jobs,
                min_year=wanted.min_year,
                dump_date=wanted.day,
                progress=tell,
            ),
        )


def merge_indexes(indexes: tuple[str, ...], out: str, name: str | None, wanted: Wanted) -> int:
    """Merge indexes, and say what came out.

    Raises:
        IndexBuildError: Nothing usable came out; all indexes are as they were.
        UsageError: There is no such index.
    """
    from citeaudit.index.builder import merge

    folders, folder = [locate(index) for index in indexes], Path(out)
    with telling(quiet=wanted.quiet) as tell:
        return _run(
            folder, lambda: merge(folders, folder, name=name, jobs=wanted.jobs, force=wanted.force, progress=tell)
        )


def estimate(wanted: Wanted, out: str | None, name: str | None) -> int:
    """Say what a build would come to.

    Raises:
        IndexBuildError: The dumps cannot be read.
    """
    from citeaudit.index.estimate import dry_run

    folder = _place(out, name)
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


def verify_index(index: str, *, quiet: bool) -> int:
    """Read an index to its end, and say what is wrong with it; gives exit code 1 if anything is.

    Raises:
        UsageError: There is no such index.
    """
    from citeaudit.index.checking import verify

    folder = locate(index)
    with telling(quiet=quiet) as tell:
        found = verify(folder, progress=tell)
    read = f"{_counted(found.files, 'file')}, {size_words(found.size_bytes)}, {_counted(found.records, 'record')}"
    if found.sound:
        _say([f"{folder}: sound; {read}, {found.sampled:,} looked up"])
        return 0
    _say([f"{folder}: not sound; {read}", *(f"  {problem}" for problem in found.problems), f"  {found.advice}"])
    return _FAULTS


def told(folder: Path, report: BuildReport) -> list[str]:
    """Give what came out of a build as lines for a person."""
    left_out = [f"{report.malformed:,} left out"] if report.malformed or not report.older else []
    left_out += [f"{report.older:,} too old"] if report.older else []
    left_out += [f"{report.duplicates:,} held twice"] if report.duplicates else []
    left_out += [f"{report.replaced:,} replaced"] if report.replaced else []
    added = f" ({report.added:,} new)" if report.added != report.records else ""
    return [
        *(f"{note[:1].upper()}{note[1:]}." for note in report.notes),
        f"{folder}: {_counted(report.records, 'record')}{added}, {', '.join(left_out)}",
        *(f"  {problem}" for problem in report.problems),
        f"  {size_words(report.size_bytes)}, {time_words(report.seconds)}",
    ]


@contextmanager
def telling(*, quiet: bool) -> Iterator[Tell | None]:
    """Give a listener for progress: a moving line on a terminal, now and then a line elsewhere, or none."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        with Console(stderr=True).status("starting") as status:
            yield lambda now: status.update(escape(words(now)))
    else:
        yield _Lines()


class _Lines:
    """Writes a line when a phase begins, and every few seconds."""

    def __init__(self) -> None:
        self._phase, self._last = "", monotonic()

    def __call__(self, now: Progress) -> None:
        if now.phase != self._phase or monotonic() - self._last >= LINE_EVERY_S:
            self._phase, self._last = now.phase, monotonic()
            sys.stderr.write(f"{words(now)}\n")


def words(now: Progress) -> str:
    """Give how far it is as a line for a person.

    >>> from citeaudit.index.filling import Progress
    >>> words(Progress("reading records", 120_000, 21_000.0, 30, 100, 600.0))
    'reading records: 120,000 records, 21,000 a second, 30 %, about 10 min left'
    """
    from citeaudit.index.filling import READING

    parts = [_counted(now.records, "record")]
    if now.rate >= 1 and now.phase == READING:
        parts.append(f"{now.rate:,.0f} a second")
    if now.total and now.seconds_left is not None:
        parts += [f"{100 * now.done // now.total} %", f"about {time_words(now.seconds_left)} left"]
    return f"{now.phase}: {', '.join(parts)}"


def _run(folder: Path, work: Callable[[], BuildReport]) -> int:
    try:
        report = work()
    except KeyboardInterrupt:
        sys.stderr.write(
            f"citeaudit: {visible(str(folder))}: interrupted; the index is as it was, and the same command goes on\n"
        )
        return INTERRUPTED
    _say(told(folder, report))
    return 0


def _place(out: str | None, name: str | None) -> Path:
    """Give the folder of the index to be.

    Raises:
        UsageError: Neither a folder nor a name, or a name that is no plain one.
    """
    if out is not None:
        return Path(out)
    if name is None:
        raise UsageError("say where the index is to lie: --out DIR, or --name NAME for the data directory")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"--name {name}: only letters, digits, points, dashes and underscores, or name a folder with --out"
        )
    return load().index_folder / name


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def _say(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))
