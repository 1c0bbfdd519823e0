"""Read answers with their quotes, and check them: the door of the room for whole files."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from citeaudit.errors import UsageError
from citeaudit.quotes import notebook
from citeaudit.quotes.check import checked, placed
from citeaudit.quotes.documents import Documents, open_documents
from citeaudit.quotes.rows import Row, Wanted, wanted_of
from citeaudit.quotes.shelf import Shelf

MODES = ("default", "notebook")
"""Ways to check: with our guards, or as the published notebook does."""
Answers = str | Path | Iterable[Mapping[str, object] | Wanted]
"""A file of answers, or answers."""
Tell = Callable[[int, int], None]
"""Hears the number of the quote that is looked for, 1-based, and of all quotes."""


def check_quotes(
    answers: Answers, docs: Documents | Shelf, *, compat: str | None = None, tell: Tell | None = None
) -> list[Row]:
    """Check whether documents say what is quoted from them, and where.

    Args:
        answers: A file (the notebook's JSON, JSONL or CSV; `-` is standard input), or answers with `citations`, rows
            with `doc`, `page` and `quote`, or `Wanted`s.
        docs: The documents by name: a folder, files, or a mapping of names to files.
        compat: `notebook` gives the statuses and ratios of the published notebook, without our guards and rectangles.
        tell: Called before each quote.

    Returns:
        One row a quote, in their order; a document that is missing or cannot be read costs only its own rows.

    Raises:
        UsageError: A file or folder is not there, or is not in a shape that is known.
    """
    if compat not in {None, *MODES}:
        raise UsageError(f"no way to check is called {compat!r}; known: {', '.join(MODES)}")
    shelf = docs if isinstance(docs, Shelf) else open_documents(docs).shelf
    wanted = read_answers(answers)
    if compat == "notebook":
        return list(notebook.check(wanted, shelf.files))
    results = []
    for number, one in enumerate(wanted, 1):
        if tell is not None:
            tell(number, len(wanted))
        results.append(checked(one, shelf))
    return placed(results)


def read_answers(answers: Answers) -> list[Wanted]:
    """Give the quotes of answers.

    Raises:
        UsageError: The file cannot be read, or is in no shape that is known.
    """
    if isinstance(answers, str | Path):
        return _of_file(str(answers))
    listed = list(answers)
    wanted = [one for one in listed if isinstance(one, Wanted)]
    return wanted if len(wanted) == len(listed) else _of_list([one for one in listed if isinstance(one, Mapping)])


def read_text(name: str) -> str:
    """Read a text file, or standard input where it is called `-`.

    Raises:
        UsageError: It cannot be read, or is not UTF-8.
    """
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}: cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'})") from error


def _of_file(name: str) -> list[Wanted]:
    text = read_text(name)
    head = text.lstrip().split("\n", 1)[0]
    if Path(name).suffix.lower() == ".csv" or (name == "-" and head[:1] not in {"", "[", "{"}):
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
    return _of_list(listed)


def _of_list(listed: Sequence[Mapping[str, object]]) -> list[Wanted]:
    return _of_rows(listed) if any("quote" in one for one in listed) else wanted_of(listed)


def _of_csv(name: str, text: str) -> list[Wanted]:
    reader = csv.DictReader(text.splitlines())
    if not {"doc", "quote"} <= set(reader.fieldnames or ()):
        raise UsageError(f"{name}: the first line must name the columns, among them doc and quote")
    return _of_rows(list(reader))


def _of_rows(rows: Sequence[Mapping[str, object]]) -> list[Wanted]:
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
