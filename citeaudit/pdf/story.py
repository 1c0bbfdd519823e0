"""Lay out simple HTML as a PDF with PyMuPDF's Story, in a worker process of its own.

The HTML is given no archive, so nothing in it can name a file.
"""

from __future__ import annotations

import base64
import io
from typing import NamedTuple

from citeaudit.errors import UnreadableDocumentError
from citeaudit.pdf.child import main as child_main
from citeaudit.pdf.document import DocumentError, library
from citeaudit.pdf.limits import DEFAULT_LIMITS, Limits
from citeaudit.pdf.worker import Pool, WorkerError

PROGRAM = "import sys; from citeaudit.pdf.story import main; main(sys.argv[1:])"
"""What the worker process runs."""
MAX_PAGES = 2_000
"""Pages of a laid out text; more than any report has."""


class Paper(NamedTuple):
    """The size of a page and its margin, points."""

    width: float = 595.0
    height: float = 842.0
    margin: float = 36.0


A4 = Paper()


def lay_out(html: str, css: str = "", paper: Paper = A4, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Give a PDF of some HTML.

    Args:
        html: A fragment in which everything foreign has been escaped.
        css: Its styles.
        paper: Size and margin.
        limits: Of the worker process.

    Raises:
        UnreadableDocumentError: It could not be laid out within the limits.
    """
    pool = Pool(limits, size=1, program=PROGRAM)
    try:
        told = pool.run("story", html=html, css=css, paper=list(paper))
    except WorkerError as error:
        raise UnreadableDocumentError(f"could not be laid out as a PDF ({error.kind})", path="the report") from error
    finally:
        pool.close()
    return base64.b64decode(str(told["pdf"]))


# --- in the worker process -----------------------------------------------------------------------------


def story(request: dict[str, object]) -> dict[str, object]:
    """Carry out the job; the request has `html`, `css` and `paper`."""
    pymupdf = library()
    sizes = request["paper"]
    width, height, margin = map(float, sizes) if isinstance(sizes, list) else A4
    page = pymupdf.Rect(0, 0, width, height)
    room = pymupdf.Rect(margin, margin, width - margin, height - margin)
    text = pymupdf.Story(html=str(request["html"]), user_css=str(request["css"]))
    out = io.BytesIO()
    writer = pymupdf.DocumentWriter(out)
    more, pages = 1, 0
    while more:
        pages += 1
        if pages > MAX_PAGES:
            raise DocumentError("pages")
        device = writer.begin_page(page)
        more, _ = text.place(room)
        text.draw(device)
        writer.end_page()
    writer.close()
    return {"pdf": base64.b64encode(out.getvalue()).decode("ascii")}


def main(arguments: list[str]) -> None:
    """Serve the job; arguments are those of `citeaudit.pdf.child.main`."""
    child_main(arguments, {"story": story})
