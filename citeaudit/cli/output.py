"""Where a report goes, and in which form."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from citeaudit.errors import UsageError
from citeaudit.model import Audit, Extraction, Unreadable
from citeaudit.report.writing import write_atomic
from citeaudit.text.visible import visible


def dotted(form: str) -> str:
    """Give the suffix of a format that is called as its files are: `.json`."""
    return f".{form}"


def choose_format(
    form: str | None, output: str | None, known: Iterable[str], suffix: Callable[[str], str] = dotted
) -> str:
    """Give the name of the format: the one asked for, else the one the file name says; `table` without a suffix.

    Args:
        form: What the user asked for.
        output: The file to write; its suffix, in either case, says the format where `form` does not.
        known: Names of formats.
        suffix: Gives the suffix of the files of a format.

    Raises:
        UsageError: No such format, or a suffix that names none.
    """
    names = tuple(known)
    if form is None:
        wanted = Path(output).suffix.lower() if output else ""
        if wanted in {"", "."}:
            return "table"
        suffixes = {suffix(name): name for name in names}
        if wanted not in suffixes:
            told = ", ".join(suffixes)
            raise UsageError(f"{output}: no report has the suffix {wanted}; known: {told}; or name one with --format")
        return suffixes[wanted]
    if form not in names:
        raise UsageError(f"unknown format {form!r}; known: {', '.join(names)}")
    return form


def send(write: Callable[[TextIO], None], output: str | None) -> None:
    """Write to a file at once, or to standard output; line ends are kept as the report writes them."""
    if output is not None:
        write_atomic(Path(output), write)
        return
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(newline="")
    if sys.stdout is None:
        raise UsageError("standard output is closed; name a file with -o")
    try:
        write(sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"standard output cannot be written: {error.strerror or error}") from error


def lament(results: Iterable[Audit | Extraction | Unreadable]) -> None:
    """Say on standard error what could not be read, one sentence a document, whatever the report says."""
    for result in results:
        if isinstance(result, Unreadable):
            sys.stderr.write(f"citeaudit: {visible(result.path)}: {visible(result.message)}\n")
