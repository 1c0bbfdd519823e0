"""`citeaudit fix`: the corrections that records support, as a diff of a .bib file or written into it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from citeaudit.errors import UsageError
from citeaudit.text.visible import visible

if TYPE_CHECKING:
    from citeaudit.fix.document import Done, Fixed
    from citeaudit.model import Audit, Unreadable
    from citeaudit.report.exits import Exit
    from citeaudit.settings import Settings

_SUFFIXES = (".bib", ".bibtex")
_FORMAT = "bibtex"


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

    before = {path: _bytes(path) for path in request.paths}
    settings = _settings(request)
    results: list[Audit | Unreadable] = []
    with progress(quiet=request.quiet, documents=list(before)) as tell:
        api.wait(partial(api.audit_all, list(before), settings=settings, tell=tell, done=results.append))
    fixed = [_fixed(result, before, request) for result in results]
    for path, one in fixed:
        _give(path, before[path], one, request)
    lament(results)
    return _code(results, fixed)


def _bytes(path: str) -> bytes:
    """Give the content of a .bib file.

    Raises:
        UsageError: It is none, or cannot be read.
    """
    if path == "-" or Path(path).suffix.lower() not in _SUFFIXES:
        raise UsageError(f"{path}: fix changes .bib files only; check and report tell the same for other documents")
    if not Path(path).is_file():
        raise UsageError(f"{path}: is not a file; name a .bib file")
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


def _fixed(result: Audit | Unreadable, before: Mapping[str, bytes], request: Request) -> tuple[str, Fixed]:
    from citeaudit.fix.document import Fixed, Task, fix
    from citeaudit.fix.plan import plan
    from citeaudit.model import Unreadable

    if isinstance(result, Unreadable):
        return result.path, Fixed(before[result.path], ())
    path = result.document.path
    if result.document.format != _FORMAT:
        raise UsageError(f"{path}: was read as {result.document.format}; fix changes .bib files only")
    read = ((one.evidence.reference, one) for one in result.verdicts)
    # What its author vouches for in a comment is left alone here, whoever decides about it in a report.
    tasks = (
        Task(reference, plan(one, all_variants=request.all_variants)) for reference, one in read if not reference.remark
    )
    return path, fix(before[path], tasks)


def _give(path: str, old: bytes, fixed: Fixed, request: Request) -> None:
    """Write the diff to standard output, or the file to its place; tell what was left on standard error."""
    from citeaudit.fix.document import diff
    from citeaudit.report.writing import write_bytes

    if request.write and fixed.content != old:
        if _bytes(path) != old:
            raise UsageError(f"{path}: has changed while it was read; run again")
        write_bytes(Path(path), fixed.content)
    elif fixed.content != old:
        sys.stdout.flush()
        sys.stdout.buffer.write(diff(_patched(path), old, fixed.content))
        sys.stdout.buffer.flush()
    if not request.quiet:
        for line in _told(path, fixed, written=request.write):
            sys.stderr.write(f"{visible(line)}\n")


def _patched(path: str) -> str:
    """Give the path as `patch` takes it: below the current folder where it is, since others are refused."""
    place = Path(path).absolute()
    return place.relative_to(Path.cwd()).as_posix() if place.is_relative_to(Path.cwd()) else path


def _told(path: str, fixed: Fixed, *, written: bool) -> Iterable[str]:
    from citeaudit.report.words import numbered

    entries = sum(bool(one.changes) for one in fixed.done)
    what = f"{numbered(fixed.changes, 'field')} of {entries} {'entry' if entries == 1 else 'entries'}"
    yield f"{path}: {what} {'changed' if written else 'would change'}"
    for one in fixed.done:
        for sentence in one.left:
            yield f"{path}: {_name(one)}: {sentence}"


def _name(one: Done) -> str:
    locus = one.reference.locus
    return f"{locus.citekey or 'entry'} (line {locus.line})" if locus.line else locus.citekey or "entry"


def _code(results: Sequence[Audit | Unreadable], fixed: Sequence[tuple[str, Fixed]]) -> Exit:
    """Give the exit code: an outage first, then changes, then what could not be read."""
    from citeaudit.report.exits import Exit, exit_code

    found = exit_code(results, ())
    if found is Exit.UNDECIDED:
        return found
    return Exit.FINDINGS if any(one.changes for _, one in fixed) else found
