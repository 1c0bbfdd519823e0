"""`citeaudit ground`: where the words stand that a model's response cites."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TextIO

from citeaudit import api
from citeaudit.cli import evidence
from citeaudit.cli.output import send
from citeaudit.errors import UsageError
from citeaudit.quotes.answers import read_text
from citeaudit.quotes.documents import Documents, open_documents
from citeaudit.quotes.ground import Frame, Grounded
from citeaudit.quotes.rows import Status
from citeaudit.quotes.showing import Shown
from citeaudit.report.exits import Exit
from citeaudit.text.visible import visible

ORIGINS = ("top-left", "bottom-left")
UNITS = ("pt", "px")
LEAST_DPI, MOST_DPI = 1, 2_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A call of `ground` as the user wrote it."""

    response: str
    docs: tuple[str, ...] = ()
    folder: str | None = None
    output: str | None = None
    origin: str = "top-left"
    unit: str = "pt"
    dpi: float | None = None
    targets: evidence.Targets = field(default_factory=evidence.Targets)
    quiet: bool = False


def run(request: Request) -> int:
    """Ground the citations of a response, and give the exit code.

    Raises:
        UsageError: The response is missing or in no shape that is known, no document was named, or an option is wrong.
        ExtractionError: Evidence was asked for, and a document cannot be drawn.
    """
    frame = _frame(request)
    if bool(request.docs) == (request.folder is not None):
        raise UsageError("name either the documents, in the order in which they were sent, or their folder with --docs")
    docs: Documents = request.folder if request.folder is not None else request.docs
    sent = open_documents(docs)
    files = set(sent.shelf.files.values())
    evidence.look(request.targets, files, request.output)
    with evidence.counted("citations", quiet=request.quiet) as tell:
        found = api.ground(read_text(request.response), sent, tell=tell)

    def write(stream: TextIO) -> None:
        json.dump([one.to_dict(frame) for one in found], stream, ensure_ascii=False, indent=1)
        stream.write("\n")

    send(write, request.output)
    if request.targets:
        shown = {index: _shown(one) for index, one in enumerate(found) if one.boxes and one.book is not None}
        marked = [one for index, one in shown.items() if found[index].found]
        evidence.write(request.targets, shown, marked, files)
    _lament(found)
    return exit_code(found)


def _frame(request: Request) -> Frame:
    if request.origin not in ORIGINS:
        raise UsageError(f"--origin must be one of: {', '.join(ORIGINS)}")
    if request.unit not in UNITS:
        raise UsageError(f"--unit must be one of: {', '.join(UNITS)}")
    if request.dpi is not None and (request.unit != "px" or not LEAST_DPI <= request.dpi <= MOST_DPI):
        raise UsageError(f"--dpi must be a number from {LEAST_DPI} to {MOST_DPI}, and goes with --unit px")
    return Frame(request.origin == "bottom-left", (request.dpi or 150.0) if request.unit == "px" else None)


def _shown(one: Grounded) -> Shown:
    assert one.book is not None  # noqa: S101  # what has boxes has a document
    page = one.boxes[0].page
    caption = f"{one.row.id}, page {page}: {one.row.claim or one.row.quote}"
    return Shown(one.book.path, one.boxes, one.finding, one.row.claim or one.row.quote, caption)


def _lament(found: Sequence[Grounded]) -> None:
    """Say on standard error which documents could not be read, each once, and that nothing is cited."""
    reasons = (one.row.reason for one in found if one.finding == Status.UNREADABLE)
    for reason in dict.fromkeys(reason for reason in reasons if reason):
        sys.stderr.write(f"citeaudit: {visible(reason)}\n")
    if not found:
        sys.stderr.write("citeaudit: the response cites nothing\n")


def exit_code(found: Sequence[Grounded]) -> int:
    """Give 1 where a citation was not found, 4 where none but those of unreadable documents were not, else 0."""
    missed = {one.finding for one in found if not one.found}
    if missed - {Status.UNREADABLE.value}:
        return Exit.FINDINGS
    return Exit.UNREADABLE if missed else Exit.CLEAN
