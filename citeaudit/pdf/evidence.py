"""Evidence for what was found in a PDF: exact places, pictures, a highlighted copy, a sheet of pictures.

Everything is done in a worker process of its own program; the file itself is only read, and results come back as plain
values or bytes, which the caller writes. Places given and returned are points of the unrotated page, origin top-left,
pages 1-based: those of `citeaudit.model.Box`, which may be given wherever a `Place` may.
"""

from __future__ import annotations

import atexit
import base64
import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from citeaudit.errors import UsageError
from citeaudit.pdf.boxes import locate_parts
from citeaudit.pdf.child import Job
from citeaudit.pdf.child import main as child_main
from citeaudit.pdf.limits import DEFAULT_LIMITS, Limits
from citeaudit.pdf.marking import colour_parts
from citeaudit.pdf.marking import contact_sheet as draw_sheet
from citeaudit.pdf.marking import highlight as draw_marks
from citeaudit.pdf.marking import snippets as draw
from citeaudit.pdf.worker import MESSAGES, Pool, WorkerError, fault, look
from citeaudit.text.visible import visible

PROGRAM = "import sys; from citeaudit.pdf.evidence import main; main(sys.argv[1:])"
"""What the worker process runs."""
COLOURS = {
    "verified": "#1a7f37",
    "wrong page": "#9a6700",
    "close match": "#bc4c00",
    "not found": "#cf222e",
    "missing document": "#cf222e",
}
"""Colour of each status."""
OTHER_COLOUR = "#57606a"
"""Of what is none of these."""


class Placed(Protocol):
    """Anything with a page and a rectangle on it."""

    @property
    def page(self) -> int:
        """1-based page."""

    @property
    def x0(self) -> float:
        """Left."""

    @property
    def y0(self) -> float:
        """Top."""

    @property
    def x1(self) -> float:
        """Right."""

    @property
    def y1(self) -> float:
        """Bottom."""


class Wanted(NamedTuple):
    """A part of a line that is to be placed."""

    page: int
    """1-based."""
    x0: float
    """The box of the line, in the displayed page space of `citeaudit.pdf.content`."""
    y0: float
    x1: float
    y1: float
    text: str
    """Of the whole line, as it was read."""
    start: int
    """Of the part, in `text`."""
    end: int
    """The same, half-open."""


class Place(NamedTuple):
    """Where a part of a line stands, in points of the unrotated page."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    whole_line: bool = False
    """The letters of the line could not be told from one another; this is the box of the line."""


class Mark(NamedTuple):
    """Something to highlight."""

    boxes: Sequence[Placed]
    note: str
    """Content of the annotation."""
    status: str = "verified"
    """Says its colour; see `COLOURS`."""


class Group(NamedTuple):
    """A picture of a sheet."""

    caption: str
    boxes: Sequence[Placed] = ()
    """Those of the first one's page are shown; without any there is a caption alone."""
    status: str = ""
    """Printed in its colour before the caption."""


def glyph_boxes(path: Path, wanted: Iterable[Wanted], *, limits: Limits = DEFAULT_LIMITS) -> tuple[Place, ...]:
    """Give exact rectangles of found text, one for each part of a line, in the order asked.

    Raises:
        UnreadableDocumentError: Missing, damaged, or more than the limits allow.
        EncryptedDocumentError: It needs a password.
    """
    rows = [list(one) for one in wanted]
    if not rows:
        return ()
    told = _run(path, limits, "boxes", wanted=rows)["boxes"]
    return tuple(Place(*row) for row in told) if isinstance(told, list) else ()


def snippet(
    path: Path,
    boxes: Sequence[Placed],
    margin: float = 24.0,
    dpi: float = 150.0,
    *,
    full_width: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> bytes:
    """Draw the lines about some boxes of one page, as the page is displayed, with the boxes highlighted.

    Args:
        path: The document; it is not changed.
        boxes: Those of other pages than the first of them are left out.
        margin: Points that are shown around the boxes; lines that begin to be shown are shown whole.
        dpi: Pixels an inch; fewer where the picture would be larger than 20 megapixels.
        full_width: Show the page from its left to its right edge.
        limits: What drawing may cost.

    Returns:
        A PNG.

    Raises:
        UsageError: There is no box, or the document has no such page.
        UnreadableDocumentError, EncryptedDocumentError: As `glyph_boxes`.
    """
    (made,) = snippets(path, [boxes], margin, dpi, full_width=full_width, limits=limits)
    if made is None:
        where = f"no page {boxes[0].page} or nothing on it there" if boxes else "no place was given"
        raise UsageError(f"{path}: {where}; name a rectangle on one of its pages")
    return made


def snippets(
    path: Path,
    groups: Iterable[Sequence[Placed]],
    margin: float = 24.0,
    dpi: float = 150.0,
    *,
    full_width: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[bytes | None, ...]:
    """Draw several pictures of a document at once; see `snippet`.

    Returns:
        PNGs in the order of the groups; `None` for one that cannot be shown, or for which the time did not suffice.

    Raises:
        UnreadableDocumentError, EncryptedDocumentError: As `glyph_boxes`.
    """
    rows = [_rows(boxes) for boxes in groups]
    look_of = {"margin": margin, "dpi": dpi, "full_width": full_width}
    told = _run(path, limits, "snippets", groups=rows, **look_of)["pictures"]
    return tuple(base64.b64decode(one) or None for one in told) if isinstance(told, list) else ()


def highlight(path: Path, marks: Iterable[Mark], *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Give a copy of a PDF with one highlight annotation for each mark, its note as content, its status as colour.

    A mark whose boxes stand on several pages has one annotation on each. A document that is protected against changes,
    but opens without a password, is annotated too; the copy keeps its protection.

    Raises:
        UnreadableDocumentError, EncryptedDocumentError: As `glyph_boxes`.
    """
    rows = [
        [_plain(mark.note), list(colour_parts(COLOURS.get(mark.status, OTHER_COLOUR))), _rows(mark.boxes)]
        for mark in marks
    ]
    return base64.b64decode(str(_run(path, limits, "highlight", marks=rows)["pdf"]))


def contact_sheet(
    path: Path, groups: Iterable[Group], *, title: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> bytes:
    """Give a PDF with the evidence of a document: each picture with its caption above it.

    Args:
        path: The document.
        groups: In the order of the sheet; captions are text, not markup.
        title: Heading; the name of the file without it.
        limits: What drawing may cost.

    Raises:
        UnreadableDocumentError, EncryptedDocumentError: As `glyph_boxes`.
    """
    rows = [
        [_plain(one.caption), _plain(one.status), COLOURS.get(one.status, OTHER_COLOUR), _rows(one.boxes)]
        for one in groups
    ]
    heading = _plain(path.name if title is None else title)
    told = _run(path, limits, "sheet", groups=rows, title=heading, margin=12.0, full_width=False)
    return base64.b64decode(str(told["pdf"]))


def _rows(boxes: Iterable[Placed]) -> list[list[float]]:
    return [[one.page, one.x0, one.y0, one.x1, one.y1] for one in boxes]


def _plain(text: str) -> str:
    """Give text that can be drawn: hidden characters written out, halves of characters replaced; lines stay lines."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return "\n".join(map(visible, whole.split("\n")))


@lru_cache(maxsize=8)
def _pool(limits: Limits) -> Pool:
    """Give the workers for these limits; they serve many calls and end with this process."""
    pool = Pool(limits, size=max(1, os.cpu_count() or 1), program=PROGRAM)
    atexit.register(pool.close)
    return pool


def _run(path: Path, limits: Limits, job: str, **arguments: object) -> dict[str, object]:
    look(path, limits)
    try:
        return _pool(limits).run(job, path=os.fspath(path.absolute()), pages=limits.pages, **arguments)
    except WorkerError as error:
        raise fault(error.kind if error.kind in MESSAGES else "crashed", path, error.detail) from error


def main(arguments: list[str]) -> None:
    """Serve evidence; arguments are those of `citeaudit.pdf.child.main`."""
    jobs: dict[str, Job] = {"boxes": locate_parts, "snippets": draw, "highlight": draw_marks, "sheet": draw_sheet}
    child_main(arguments, jobs)
