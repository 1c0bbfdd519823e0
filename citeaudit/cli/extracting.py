"""`citeaudit extract`: what was read, before anything is looked up."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from citeaudit import api
from citeaudit.cli.output import choose_format, lament, send
from citeaudit.cli.progress import interrupted, progress
from citeaudit.errors import UsageError
from citeaudit.extract.reader import find
from citeaudit.model import Extraction, Unreadable
from citeaudit.report import extraction
from citeaudit.report.exits import Exit
from citeaudit.report.extraction_bibtex import write_bibtex
from citeaudit.report.extraction_csl import write_csl
from citeaudit.report.writing import check_target

_WRITERS = {
    "bibtex": write_bibtex,
    "csl-json": write_csl,
    "json": extraction.write_json,
    "table": extraction.write_table,
}
_SUFFIXES = {"bibtex": ".bib", "csl-json": ".csl", "json": ".json", "table": ".txt"}
"""What the name of the output says about the format."""

_HEAD = 1024
"""Bytes among which a PDF has its mark."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for, as `citeaudit extract --help` names it."""

    paths: tuple[str, ...]
    form: str | None = None
    output: str | None = None
    overlay: str | None = None
    ocr: str | None = None
    quiet: bool = False


def run(request: Request) -> int:
    """Read, render, and give the exit code: 0, or 4 if a document, or an entry of one, could not be read.

    Raises:
        CiteauditError: The call is wrong, and nothing was read; or the overlay cannot be drawn.
    """
    output, overlay = request.output, request.overlay
    documents = find(request.paths)
    if output is not None:
        check_target(Path(output), documents)
    targets = _targets(documents, overlay, output) if overlay is not None else {}
    write = _WRITERS[choose_format(request.form, output, _WRITERS, _SUFFIXES.__getitem__)]
    results: list[Extraction | Unreadable] = []
    stopped = False
    silent = request.quiet or (len(documents) == 1 and not sys.stderr.isatty())  # one is told only where it vanishes
    try:
        with progress(quiet=silent, documents=documents) as tell:
            api.extract_all(documents, ocr=request.ocr, tell=tell, done=results.append)
    except KeyboardInterrupt:
        if not results:
            raise
        stopped = True
    if overlay is not None:
        _draw(results, targets, whole=not stopped)
    send(partial(write, results), output)
    lament(results)
    if stopped:
        return interrupted(len(results), documents)
    lost = any(isinstance(result, Unreadable) or result.failed for result in results)
    return Exit.UNREADABLE if lost else Exit.CLEAN


def _targets(documents: Sequence[str], overlay: str, output: str | None) -> dict[str, Path]:
    """Give where the overlay of each document goes: a file for one, a folder for several.

    Raises:
        UsageError: It is neither, or it would replace a document or the report.
    """
    place = Path(overlay)
    if output is not None and place.absolute() == Path(output).absolute():
        raise UsageError(f"{overlay}: is named for the report and for the overlay; name two files")
    if place.is_dir():
        targets = {name: place / f"{Path(name).stem}.overlay.pdf" for name in documents if _is_pdf(name)}
        if len(set(targets.values())) < len(targets):
            raise UsageError(f"{overlay}: two of the PDFs have the same name; draw them one by one")
    elif len(documents) == 1:
        targets = {documents[0]: place}
    else:
        raise UsageError(f"--overlay {overlay}: several documents need a folder that exists; or name one PDF only")
    for target in targets.values():
        check_target(target, documents)
    return targets


def _is_pdf(name: str) -> bool:
    """Tell whether a document can be drawn on, by its name or its content."""
    if Path(name).suffix.lower() == ".pdf":
        return True
    path = Path(name)
    if not path.is_file():  # standard input, a pipe, nothing
        return False
    try:
        with path.open("rb") as stream:
            return b"%PDF-" in stream.read(_HEAD)
    except OSError:  # reading it says what is wrong
        return False


def _draw(results: Sequence[Extraction | Unreadable], targets: dict[str, Path], *, whole: bool) -> None:
    """Draw the PDFs among the documents; all were read if `whole`.

    Raises:
        UsageError: There is no PDF among those that were read.
    """
    from citeaudit.report.extraction_overlay import write_overlay

    read = [one for one in results if isinstance(one, Extraction)]
    drawn = [one for one in read if one.format == "pdf" and one.path in targets and one.path != "-"]
    if whole and read and not drawn:
        raise UsageError(f"{read[0].path}: only a PDF on disk can be drawn on, and this was read as {read[0].format}")
    for one in drawn:
        write_overlay(one, targets[one.path])
