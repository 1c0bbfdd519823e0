"""`citeaudit index get`: fetch the dump of a service, or say how a person does."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from datetime import date

    from citeaudit.index.catalogue import Dump
    from citeaudit.index.getting import Order, Outcome, Prospect
    from citeaudit.net.shelf import Progress
    from citeaudit.settings import Settings

ASK_ABOVE = 2_000_000_000
"""Bytes of a dump above which it is asked whether to go on."""

_UNDECIDED, _USAGE, _INTERRUPTED = 2, 3, 130
_LINE_EVERY_S = 10.0
"""Seconds between two lines of progress where there is no terminal."""
_MINUTE_S, _HOUR_S = 60, 3600


def get(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Name of a dump; without it, all are shown.")
    ] = None,
    *,
    to: Annotated[
        str | None, typer.Option("--to", metavar="DIR", help="Folder for the files (default: in the data directory).")
    ] = None,
    build: Annotated[bool, typer.Option("--build", help="Build the index when all files are there.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be fetched.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Fetch large dumps without asking.")] = False,
    mirror: Annotated[
        str | None, typer.Option("--from", metavar="URL", help="Address in place of the service's own.")
    ] = None,
    config: Annotated[str | None, typer.Option("--config", metavar="FILE", help="Your settings, TOML.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")] = False,
) -> int:
    """Fetch the dump of a service; run again, it goes on where it stopped."""
    return run(Request(name, to, build, dry_run, yes, mirror, config, quiet))


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for."""

    name: str | None = None
    to: str | None = None
    build: bool = False
    dry_run: bool = False
    yes: bool = False
    mirror: str | None = None
    config: str | None = None
    quiet: bool = False


def run(request: Request) -> int:
    """Fetch, and give the exit code: 2 where running again may help, 3 where something else must be done first.

    Raises:
        CiteauditError: No such dump, a setting is wrong, a key is missing, or there is no room.
    """
    from citeaudit.index.catalogue import find
    from citeaudit.settings import load

    if request.name is None:
        return _show_all()
    dump = find(request.name)
    settings = load(config=Path(request.config) if request.config else None)
    folder = Path(request.to) if request.to else settings.data_dir / "dumps" / dump.name
    _say(*_facts(dump, request.mirror, folder))
    if dump.base_url is None:
        _say(*_by_hand(dump, folder, settings))
        return 0 if request.dry_run else _USAGE
    return _fetch(request, _order(request, dump, folder, settings), settings)


def _fetch(request: Request, order: Order, settings: Settings) -> int:
    import anyio

    from citeaudit.errors import MalformedAnswerError, SourceUnavailableError
    from citeaudit.index.getting import get as fetch
    from citeaudit.index.getting import look

    dump = order.dump
    try:
        if request.dry_run:
            _say(*_preview(anyio.run(look, order), order, settings))
            return 0
        _confirm(request, dump)
        try:
            outcome = anyio.run(fetch, order)
        finally:
            if isinstance(order.heard, _Teller):
                order.heard.end()
    except SourceUnavailableError as error:
        return _fail(f"{error}; what has arrived is kept: run the same command again to go on", _UNDECIDED)
    except MalformedAnswerError as error:
        return _fail(f"{error}; nothing was replaced: see {dump.terms}, or name a mirror with --from", _UNDECIDED)
    except KeyboardInterrupt:
        return _fail("interrupted; what has arrived is kept: run the same command again to go on", _INTERRUPTED)
    _say(*_result(outcome, order.folder))
    if not request.build:
        _say(*_next(dump, outcome.path, settings, outcome.day))
        return 0
    return _build(request, dump, outcome, settings)


def _preview(prospect: Prospect, order: Order, settings: Settings) -> list[str]:
    plan, dump = prospect.plan, order.dump
    size = f"about {size_words(dump.size_bytes)}" if plan.size is None else size_words(plan.size)
    records = f", {plan.records:,} records" if plan.records else ""
    return [
        f"  files: {len(plan.wanted):,} ({prospect.there:,} here already), {size}{records}",
        f"  here: {size_words(prospect.arrived)}",
        *_next(dump, plan.place(order.folder), settings, plan.day),
    ]


def _order(request: Request, dump: Dump, folder: Path, settings: Settings) -> Order:
    """Put together what is wanted.

    Raises:
        UsageError: The settings are offline, or the address cannot be asked.
    """
    from citeaudit.errors import UsageError
    from citeaudit.index.catalogue import Api
    from citeaudit.index.getting import Order
    from citeaudit.net.client import check_address

    if settings.offline:
        raise UsageError(f"{dump.name}: the settings are offline, so nothing is fetched")
    if request.mirror:
        try:
            check_address(request.mirror)
        except ValueError as error:
            raise UsageError(f"--from: {error}") from error
    source = settings.sources.get(dump.way.source) if isinstance(dump.way, Api) else None
    return Order(
        dump=dump,
        folder=folder,
        base_url=request.mirror,
        key=source.api_key if source else None,
        contact=settings.contact,
        heard=None if request.quiet else _Teller(),
    )


def _confirm(request: Request, dump: Dump) -> None:
    """Ask before a large dump is fetched.

    Raises:
        UsageError: Not confirmed, or there is nobody to ask.
    """
    from citeaudit.errors import UsageError

    if request.yes or dump.size_bytes <= ASK_ABOVE:
        return
    size = size_words(dump.size_bytes)
    if not sys.stdin.isatty():
        raise UsageError(f"{dump.name}: about {size} would be fetched; add --yes to do so, or --dry-run to see more")
    sys.stderr.write(f"Fetch about {size}? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise UsageError(f"{dump.name}: not fetched")


def _build(request: Request, dump: Dump, outcome: Outcome, settings: Settings) -> int:
    from citeaudit.cli import indexing

    # of a folder that holds older files, too, only those that are published today
    paths = outcome.tally.paths if outcome.outdated else (outcome.path,)
    wanted = indexing.Wanted(
        tuple(map(str, paths)), dump.format, dump_date=f"{outcome.day}", quiet=request.quiet, config=request.config
    )
    return indexing.build_index(wanted, str(settings.index_folder / dump.name), dump.name)


def _show_all() -> int:
    from citeaudit.index.catalogue import load

    for dump in load().values():
        how = "by hand" if dump.base_url is None else f"about {size_words(dump.size_bytes)}"
        _say(f"{dump.name} ({how}): {dump.what}")
    _say("Fetch one with: citeaudit index get NAME")
    return 0


def _facts(dump: Dump, mirror: str | None, folder: Path) -> list[str]:
    return [
        f"{dump.name}: {dump.what}",
        f"  licence: {dump.licence} ({dump.terms})",
        f"  size: about {size_words(dump.size_bytes)} ({dump.as_of:%B %Y}); renewed {dump.renewed}",
        f"  from: {mirror or dump.base_url or 'no address that a program may fetch from'}",
        f"  to: {folder}",
    ]


def _by_hand(dump: Dump, folder: Path, settings: Settings) -> list[str]:
    from citeaudit.index.catalogue import ByHand

    steps = dump.way.steps if isinstance(dump.way, ByHand) else ()
    return [
        f"{dump.name} cannot be fetched by a program:",
        *(f"  {step}" for step in steps),
        f"Put what you get into {folder}.",
        *_next(dump, folder, settings, None),
    ]


def _next(dump: Dump, path: Path, settings: Settings, day: date | None) -> list[str]:
    """Give the command that builds the index."""
    out = settings.index_folder / dump.name
    dated = f" --dump-date {day}" if day else ""
    where, there = shlex.quote(str(path)), shlex.quote(str(out))
    return ["Then build the index:", f"  citeaudit index build --format {dump.format} {where} --out {there}{dated}"]


def _result(outcome: Outcome, folder: Path) -> list[str]:
    from citeaudit.report.words import numbered

    tally = outcome.tally
    lines = [f"{numbered(tally.fetched, 'file')} fetched, {tally.kept:,} here already: {folder}"]
    if outcome.outdated:
        shown = ", ".join(outcome.outdated[:3]) + (", ..." if len(outcome.outdated) > 3 else "")  # noqa: PLR2004
        lines.append(f"no longer published, but still there: {numbered(len(outcome.outdated), 'file')} ({shown});")
        lines.append("  remove them before you build from the folder, or their records come back")
    return lines


class _Teller:
    """Shows progress on standard error: a moving line on a terminal, now and then a line elsewhere."""

    def __init__(self) -> None:
        self._last = float("-inf")
        self._wide = sys.stderr.isatty()
        self._is_open = False

    def __call__(self, now: Progress) -> None:
        is_last = now.files == now.of_files
        if self._wide:
            sys.stderr.write(f"\r\x1b[K{progress_words(now)}" + ("\n" if is_last else ""))
            sys.stderr.flush()
            self._is_open = not is_last
        elif is_last or monotonic() - self._last >= _LINE_EVERY_S:
            self._last = monotonic()
            sys.stderr.write(f"{progress_words(now)}\n")

    def end(self) -> None:
        """Leave a line that was cut short, so that the next word stands on its own."""
        if self._is_open:
            sys.stderr.write("\n")
            self._is_open = False


def progress_words(now: Progress) -> str:
    """Give how far it is as a line for a person."""
    of = f" of {size_words(now.of_bytes)}" if now.of_bytes else ""
    left = f", {time_words(now.left_s)} left" if now.left_s and now.files < now.of_files else ""
    return f"{now.files:,} of {now.of_files:,} files, {size_words(now.arrived)}{of}, {size_words(now.rate)}/s{left}"


def size_words(size: float) -> str:
    """Give a number of bytes as people say it.

    >>> size_words(1_100_000_000), size_words(640), size_words(1_500)
    ('1.1 GB', '640 bytes', '1.5 KB')
    """
    for unit, bytes_of in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if size >= bytes_of:
            return f"{size / bytes_of:.3g} {unit}"
    return f"{size:.0f} bytes"


def time_words(seconds: float) -> str:
    """Give a time as people say it.

    >>> time_words(42), time_words(600), time_words(9_000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < _MINUTE_S:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE_S:.0f} min" if seconds < _HOUR_S else f"{seconds / _HOUR_S:.1f} h"


def _say(*lines: str) -> None:
    from citeaudit.text.visible import visible

    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))


def _fail(message: str, code: int) -> int:
    from citeaudit.text.visible import visible

    sys.stderr.write(f"citeaudit: {visible(message)}\n")
    return code
