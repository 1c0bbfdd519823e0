"""`citeaudit quotes`: whether documents say what is quoted from them."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from citeaudit.cli.output import choose_format, send
from citeaudit.errors import UsageError
from citeaudit.quotes import notebook
from citeaudit.quotes.check import checked, placed
from citeaudit.quotes.rows import UNDECIDED, Row, Status, Wanted, summarize, wanted_of
from citeaudit.quotes.shelf import Shelf
from citeaudit.report import quotes as report

MODES = ("default", "notebook")
_FOUND = frozenset({Status.VERIFIED, Status.WRONG_PAGE})


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
    quiet: bool = False


def run(request: Request) -> int:
    """Check the quotes of one or several files of answers, and give the exit code.

    Raises:
        UsageError: A file or folder is not there, or is not in a shape that is known.
    """
    form = choose_format(request.form, request.output, report.FORMATS)
    if request.compat not in {None, *MODES}:
        raise UsageError(f"--compat must be one of: {', '.join(MODES)}")
    if request.most is not None and not 0 <= request.most <= 1:
        raise UsageError("--max-unsupported must be a share between 0 and 1, such as 0.02")
    shelf = open_folder(request.docs)
    runs = [(name, list(_checked(read_wanted(name), shelf, request))) for name in request.answers]
    rows = [row for _, listed in runs for row in listed]
    _write(form, runs, request)
    return exit_code(rows, request.most)


def open_folder(folder: str) -> Shelf:
    """Give the documents of a folder.

    Raises:
        UsageError: There is no such folder.
    """
    path = Path(folder)
    if not path.is_dir():
        raise UsageError(f"{folder}: no such folder; name the folder of the cited documents with --docs")
    return Shelf.of_folder(path)


def read_wanted(name: str) -> list[Wanted]:
    """Read the quotes of a file: the notebook's JSON, one answer a line (JSONL), or CSV with id, doc, page and quote.

    Raises:
        UsageError: It is not there or in none of these shapes.
    """
    path = Path(name)
    try:
        text = sys.stdin.read() if name == "-" else path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}: cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'})") from error
    if path.suffix.lower() == ".csv":
        return _of_csv(name, text)
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        try:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
        except json.JSONDecodeError:
            raise UsageError(
                f"{name}: line {error.lineno} is no JSON ({error.msg}); give answers.json, JSONL or CSV"
            ) from error
    listed = value if isinstance(value, list) else value.get("answers", [value]) if isinstance(value, dict) else None
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise UsageError(f"{name}: no list of answers with citations, nor of rows with doc, page and quote")
    return _of_rows(listed) if any("quote" in one for one in listed) else wanted_of(listed)


def _of_csv(name: str, text: str) -> list[Wanted]:
    reader = csv.DictReader(text.splitlines())
    if not {"doc", "quote"} <= set(reader.fieldnames or ()):
        raise UsageError(f"{name}: the first line must name the columns, among them doc and quote")
    return _of_rows(list(reader))


def _of_rows(rows: Sequence[dict[str, object]]) -> list[Wanted]:
    found = []
    for number, row in enumerate(rows, 1):
        page = str(row.get("page") or "").strip()
        found.append(
            Wanted(
                str(row.get("id") or number),
                str(row.get("doc") or ""),
                str(row.get("quote") or ""),
                int(page) if page.isdecimal() else None,
                str(row.get("claim") or row.get("answer") or ""),
            )
        )
    return found


def _checked(wanted: Sequence[Wanted], shelf: Shelf, request: Request) -> Iterator[Row]:
    if request.compat == "notebook":
        yield from notebook.check(wanted, shelf.files)
        return
    told = not request.quiet and sys.stderr.isatty()
    results = []
    for number, one in enumerate(wanted, 1):
        if told:
            sys.stderr.write(f"\r{number} of {len(wanted)} quotes")
            sys.stderr.flush()
        results.append(checked(one, shelf))
    if told:
        sys.stderr.write("\n")
    yield from placed(results)


def _write(form: str, runs: Sequence[tuple[str, list[Row]]], request: Request) -> None:
    rows = [row for _, listed in runs for row in listed]
    if form == "pdf":
        if request.output is None:
            raise UsageError("a PDF goes to a file; name it with -o")
        Path(request.output).write_bytes(report.pdf(rows, request.title))
        return

    def write(stream: TextIO) -> None:
        if form == "json":
            report.write_json(rows, stream)
        elif form == "csv":
            report.write_csv(rows, stream)
        elif form == "html":
            report.write_html(rows, stream, request.title)
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
