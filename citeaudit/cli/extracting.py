"""`citeaudit extract`: what was read, before anything is looked up."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from citeaudit import api
from citeaudit.cli.output import choose_format, lament, send
from citeaudit.extract.reader import find
from citeaudit.model import Unreadable
from citeaudit.report import extraction
from citeaudit.report.exits import Exit
from citeaudit.report.writing import check_target

_WRITERS = {"json": extraction.write_json, "table": extraction.write_table}


def run(paths: tuple[str, ...], form: str | None, output: str | None) -> int:
    """Read, render, and give the exit code: 0, or 4 if a document could not be read.

    Raises:
        CiteauditError: The call is wrong; nothing was read.
    """
    write = _WRITERS[choose_format(form, output, _WRITERS)]
    documents = find(paths)
    if output is not None:
        check_target(Path(output), documents)
    results = api.extract_all(documents)
    send(partial(write, results), output)
    lament(results)
    return Exit.UNREADABLE if any(isinstance(result, Unreadable) for result in results) else Exit.CLEAN
