"""`citeaudit fix`: the corrections that records support, as a diff of a .bib file or written into it."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from citeaudit.errors import UsageError
from citeaudit.text.visible import visible

if TYPE_CHECKING:
    from citeaudit.fix.document import Fixed, Task
    from citeaudit.model import Audit, FailedBlock, Flag, Locus, Status, Unreadable, Verdict
    from citeaudit.report.exits import Exit
    from citeaudit.settings import Settings

_SUFFIXES = (".bib", ".bibtex")
_FORMAT = "bibtex"
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class Outcome(NamedTuple):
    """What became of one file."""

    path: str
    fixed: Fixed
    failed: tuple[FailedBlock, ...] = ()
    """Entries that could not be read."""
    is_read: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A call of `fix` as the user wrote it."""

    paths: tuple[str, ...]
    write: bool = False
    all_variants: bool = False
    flags: Mapping[str, object]
    """Settings by name; `None` where the user said nothing."""
    indexes: tuple[str, ...] = ()
    preset: str | None = None
    config: str | None = None
    quiet: bool = False


def fix(  # noqa: PLR0913  # one parameter an option; typer reads them from here
    paths: Annotated[list[str], typer.Argument(metavar="FILE...", help=".bib files.")],
    *,
    write: Annotated[bool, typer.Option("--write", help="Change the files instead of showing a diff.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show a diff and change nothing (the default).")] = False,
    all_variants: Annotated[
        bool, typer.Option("--all-variants", help="Also complete lists that leave out authors.")
    ] = False,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nothing over a network.")] = False,
    indexes: Annotated[
        list[str] | None, typer.Option("--index", metavar="DIR", help="Another offline index to ask. Repeatable.")
    ] = None,
    assume_complete: Annotated[
        bool, typer.Option("--assume-complete", help="Take the silence of the indexes as an answer.")
    ] = False,
    preset: Annotated[
        str | None, typer.Option("--preset", help="default, strict, editor, neurips-2026, arxiv or offline.")
    ] = None,
    config: Annotated[str | None, typer.Option("--config", metavar="FILE", help="Your settings, TOML.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on standard error but errors.")] = False,
) -> int:
    """Propose what records support as a diff of .bib files; exit code 1 if there is anything."""
    if write and diff:
        raise UsageError("--write and --diff were both given; name one of them")
    return run(
        Request(
            paths=tuple(paths),
            write=write,
            all_variants=all_variants,
            flags={"offline": offline or None, "assume_complete": assume_complete or None},
            indexes=tuple(indexes or ()),
            preset=preset,
            config=config,
            quiet=quiet,
        )
    )


def run(request: Request) -> int:
    """Audit the files, propose or write corrections, and give the exit code.

    Raises:
        CiteauditError: The call or a setting is wrong, a file is no .bib file, or it cannot be written.
    """
    from citeaudit import api
    from citeaudit.cli.output import lament
    from citeaudit.cli.progress import progress

    before = {path: _bytes(path, write=request.write) for path in _each(request.paths)}
    settings = _settings(request)
    results: list[Audit | Unreadable] = []
    with progress(quiet=request.quiet, documents=list(before)) as tell:
        api.wait(partial(api.audit_all, list(before), settings=settings, tell=tell, done=results.append))
    fixed = [_fixed(result, before, request) for result in results]
    for one in fixed:
        _give(one, before[one.path], request)
    lament(results)
    return _code(results, fixed, settings.policy.fail_on)


def _each(paths: Iterable[str]) -> Iterable[str]:
    """Give every file once, under its first name: a second diff of it could not be applied."""
    first: dict[Path, str] = {}
    for path in paths:
        first.setdefault(Path(path).resolve(), path)
    return first.values()


def _bytes(path: str, *, write: bool = False) -> bytes:
    """Give the content of a .bib file.

    Raises:
        UsageError: It is none, or cannot be read, or is to be written and protected.
    """
    if path == "-" or Path(path).suffix.lower() not in _SUFFIXES:
        raise UsageError(f"{path}: fix changes .bib files only; check tells the same for other documents")
    if not Path(path).is_file():
        raise UsageError(f"{path}: is not a file; name a .bib file")
    if write and not Path(path).stat().st_mode & _WRITABLE:
        raise UsageError(f"{path}: is protected against writing; leave out --write, or let it be written")
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror or error})") from error


def _settings(request: Request) -> Settings:
    from citeaudit.settings import load

    config = Path(request.config) if request.config else None
    settings = load(preset=request.preset, config=config, flags=request.flags)
    if not request.indexes:
        return settings
    named = tuple(dict.fromkeys((*settings.indexes, *request.indexes)))
    return settings.model_copy(update={"indexes": named})


def _fixed(result: Audit | Unreadable, before: Mapping[str, bytes], request: Request) -> Outcome:
    from citeaudit.fix.document import Fixed, fix
    from citeaudit.model import Unreadable

    if isinstance(result, Unreadable):
        return Outcome(result.path, Fixed(before[result.path], ()), is_read=False)
    path = result.document.path
    if result.document.format != _FORMAT:
        raise UsageError(f"{path}: was read as {result.document.format}; fix changes .bib files only")
    tasks = [_task(verdict, all_variants=request.all_variants) for verdict in result.verdicts]
    return Outcome(path, fix(before[path], tasks), result.failed)


def _task(verdict: Verdict, *, all_variants: bool) -> Task:
    """Give what to do about a reference, with what a person must find out."""
    from citeaudit.fix.document import Task
    from citeaudit.fix.plan import Plan, plan
    from citeaudit.fix.remains import remains

    reference = verdict.evidence.reference
    # What its author vouches for in a comment is left alone here, whoever decides about it in a report.
    made = Plan() if reference.remark else plan(verdict, all_variants=all_variants)
    return Task(reference, replace(made, needed=(*made.needed, *remains(verdict))))


def _give(one: Outcome, old: bytes, request: Request) -> None:
    """Write the diff to standard output, or the file to its place; tell what was left on standard error."""
    from citeaudit.fix.document import diff
    from citeaudit.report.writing import write_bytes

    path, content = one.path, one.fixed.content
    if request.write and content != old:
        if _bytes(path, write=True) != old:
            raise UsageError(f"{path}: has changed while it was read; run again")
        write_bytes(Path(path), content)
    elif content != old:
        _show(diff(_patched(path), old, content))
    if not request.quiet:
        for line in _told(one, written=request.write):
            sys.stderr.write(f"{visible(line)}\n")


def _show(told: bytes) -> None:
    """Write to standard output, bytes as they are.

    Raises:
        UsageError: It is closed, or full.
    """
    if sys.stdout is None:
        raise UsageError("standard output is closed; open it, or name --write")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(told)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"standard output cannot be written: {error.strerror or error}") from error


def _patched(path: str) -> str:
    """Give the path as `patch` takes it: below the current folder where it is, since others are refused."""
    place = Path(path).absolute()
    return place.relative_to(Path.cwd()).as_posix() if place.is_relative_to(Path.cwd()) else path


def _told(one: Outcome, *, written: bool) -> Iterable[str]:
    """Give a line on the whole file, then one on every entry that a person must look at."""
    from citeaudit.report.words import numbered

    if not one.is_read:
        return
    path, fixed = one.path, one.fixed
    entries = sum(bool(each.changes) for each in fixed.done)
    what = f"{numbered(fixed.changes, 'field')} of {entries} {'entry' if entries == 1 else 'entries'}"
    told = f"{what} {'changed' if written else 'would change'}" if fixed.changes else "nothing to change"
    left = sum(bool(each.left) for each in fixed.done) + len(one.failed)
    yield f"{path}: {told}" + (f"; {left} {'entry' if left == 1 else 'entries'} to look at" if left else "")
    for each in fixed.done:
        if each.left:
            yield f"{path}: {_name(each.reference.locus)}: {' '.join(each.left)}"
    for block in one.failed:
        yield f"{path}: {_name(block.locus)}: {block.message}."


def _name(locus: Locus) -> str:
    named = locus.citekey or "entry without a key"
    return f"{named} (line {locus.line})" if locus.line else named


def _code(results: Sequence[Audit | Unreadable], fixed: Sequence[Outcome], fail_on: Iterable[Status | Flag]) -> Exit:
    """Give the exit code: an outage first, then changes and findings, then what could not be read."""
    from citeaudit.report.exits import Exit, exit_code

    found = exit_code(results, fail_on)
    if found is Exit.UNDECIDED:
        return found
    return Exit.FINDINGS if any(one.fixed.changes for one in fixed) else found
