"""`citeaudit quotes`: whether documents say what is quoted from them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from citeaudit import api
from citeaudit.cli import evidence
from citeaudit.cli.output import choose_format, send
from citeaudit.errors import UsageError
from citeaudit.quotes.answers import MODES
from citeaudit.quotes.documents import open_documents
from citeaudit.quotes.rows import UNDECIDED, Row, Status, summarize
from citeaudit.quotes.showing import Shown, pictures, shown_rows
from citeaudit.report import quotes as report
from citeaudit.report.writing import check_target, write_bytes
from citeaudit.text.visible import visible

_FOUND = frozenset({Status.VERIFIED, Status.WRONG_PAGE})
_PICTURE_DPI = 110.0
"""Of the HTML report: enough to read, and half the size of 150."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A call of `quotes` as the user wrote it."""

    answers: tuple[str, ...]
    docs: str
    form: str | None = None
    output: str | None = None
    compat: str | None = None
    most: float | None = None
    title: str = "Citation check"
    targets: evidence.Targets = field(default_factory=evidence.Targets)
    quiet: bool = False


def run(request: Request) -> int:
    """Check the quotes of one or several files of answers, and give the exit code.

    Raises:
        UsageError: A file or folder is not there, or is not in a shape that is known.
        ExtractionError: Evidence was asked for, and a document cannot be drawn.
    """
    form = choose_format(request.form, request.output, report.FORMATS)
    _look(form, request)
    shelf = open_documents(request.docs).shelf
    files = set(shelf.files.values())
    evidence.look(request.targets, files, request.output)
    runs = []
    for name in request.answers:
        with evidence.counted("quotes", quiet=request.quiet) as tell:
            runs.append((name, api.check_quotes(name, shelf, compat=request.compat, tell=tell)))
    rows = [row for _, listed in runs for row in listed]
    shown = shown_rows(rows, shelf)
    _write(form, runs, request, shown)
    if request.targets:
        evidence.write(request.targets, shown, list(shown.values()), files)
    return exit_code(rows, request.most)


def _look(form: str, request: Request) -> None:
    """Refuse what is wrong with a call before anything is read."""
    if request.compat not in {None, *MODES}:
        raise UsageError(f"--compat must be one of: {', '.join(MODES)}")
    if request.compat == "notebook" and request.targets:
        raise UsageError("--compat notebook finds no rectangles; leave it out for --highlight and --sheet")
    if request.most is not None and not 0 <= request.most <= 1:
        raise UsageError("--max-unsupported must be a share between 0 and 1, such as 0.02")
    if form == "pdf" and request.output is None:
        raise UsageError("a PDF goes to a file; name it with -o")
    if not Path(request.docs).is_dir():
        raise UsageError(f"{request.docs}: no such folder; name the folder of the cited documents with --docs")
    if request.output is not None:
        check_target(Path(request.output), request.answers)


def _write(form: str, runs: Sequence[tuple[str, Sequence[Row]]], request: Request, shown: Mapping[int, Shown]) -> None:
    rows = [row for _, listed in runs for row in listed]
    if form == "pdf" and request.output is not None:
        write_bytes(Path(request.output), report.pdf(rows, request.title))
        return
    images: dict[int, bytes] = {}
    if form == "html":
        images, failed = pictures(shown, dpi=_PICTURE_DPI)
        sys.stderr.writelines(f"citeaudit: {visible(one)}\n" for one in failed)

    def write(stream: TextIO) -> None:
        if form == "json":
            report.write_json(rows, stream)
        elif form == "csv":
            report.write_csv(rows, stream)
        elif form == "html":
            report.write_html(rows, stream, request.title, images)
        else:
            report.table(rows, stream)
            if len(runs) > 1:
                report.compare(runs, stream)

    send(write, request.output)


def exit_code(rows: Sequence[Row], most: float | None) -> int:
    """Give 1 where too much is unsupported (anything, without a limit), else 4 where a document could not be read."""
    summary = summarize(rows)
    if most is not None:
        return int(summary["unsupported_rate"] > most)
    if any(row.status not in _FOUND | UNDECIDED for row in rows) or any(
        row.status is Status.WRONG_PAGE for row in rows
    ):
        return 1
    return 4 if any(row.status is Status.UNREADABLE for row in rows) else 0
