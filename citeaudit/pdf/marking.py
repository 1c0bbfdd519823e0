"""Show where found text stands: a picture of its lines, annotations on a copy, a sheet of pictures.

The jobs of the worker process of `citeaudit.pdf.evidence`; nothing but the standard library and PyMuPDF is imported.
Places are points of the unrotated page, origin top-left; pictures show the page as it is displayed. The document given
is never drawn on: pictures are made of a copy of one page.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from html import escape
from math import sqrt
from time import process_time
from typing import Any

from citeaudit.pdf.document import DocumentError, library, open_document, text_flags

PAD = 4.0
"""Points around the lines of a picture."""
MOST_PIXELS = 20e6
"""A picture that would have more is drawn coarser."""
OPACITY = 0.4
"""Of a highlight: the letters under the darkest colour can still be read."""
UPWARDS = 2.0
"""Height in widths from which the text in a box runs along its height."""
YELLOW = (1.0, 0.85, 0.2)
"""Of what a picture shows."""
SHEET = (595.0, 842.0)
"""Width and height of a sheet: A4, in points."""
MARGIN = 36.0
SHEET_DPI = 110
TALLEST = 420.0
"""Points that a picture on a sheet may be high."""
MOST_GROUPS = 300
"""Pictures of one sheet; what is beyond is counted at its end."""
SHARE = 0.6
"""Of the processor time of a request that pictures may use; then come captions alone."""
MOST_CAPTION = 1_500
"""Characters of a caption."""
_GAP = 16.0
_CSS = (
    "body { font-family: sans-serif; font-size: 9pt; margin: 0; } h2 { font-size: 14pt; margin: 0; } p { margin: 0; }"
)
_FRAME = (0.6, 0.6, 0.6)

Row = Sequence[Any]
"""1-based page, x0, y0, x1, y1."""


def _packed(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def picture(document: Any, boxes: Sequence[Row], look: dict[str, Any], dpi: float) -> tuple[bytes, float, float] | None:
    """Draw the lines about some boxes of one page, with the boxes marked.

    Args:
        document: Open; not changed.
        boxes: Those of other pages than the first of them are left out.
        look: `margin`, in points, and `full_width`.
        dpi: Pixels an inch.

    Returns:
        PNG, and width and height in points; `None` where there is no such page, no box, or nothing can be drawn.
    """
    if boxes and 1 <= boxes[0][0] <= len(document):
        with suppress(library().mupdf.FzErrorBase, RuntimeError, ValueError):  # a broken page costs its picture alone
            return _drawn(document, boxes, look, dpi)
    return None


def _drawn(document: Any, boxes: Sequence[Row], look: dict[str, Any], dpi: float) -> tuple[bytes, float, float] | None:
    pymupdf = library()
    number = boxes[0][0]
    with pymupdf.open() as copy:
        copy.insert_pdf(document, from_page=number - 1, to_page=number - 1, links=False)
        page = copy[0]
        rects = [pymupdf.Rect(row[1:5]) for row in boxes if row[0] == number]
        clip = _clip(page, rects, float(look["margin"]), full_width=bool(look["full_width"]))
        if clip.is_empty:
            return None
        _highlight(page, rects, YELLOW)
        fine = min(dpi, 72 * sqrt(MOST_PIXELS / (clip.width * clip.height)))
        pixels = page.get_pixmap(matrix=pymupdf.Matrix(fine / 72, fine / 72), clip=clip, alpha=False)
        return pixels.tobytes("png"), clip.width, clip.height


def _clip(page: Any, rects: Iterable[Any], margin: float, *, full_width: bool) -> Any:
    """Give what a picture shows, as displayed: the boxes and a margin, grown to whole lines."""
    pymupdf = library()
    turn = page.rotation_matrix
    clip = pymupdf.Rect()
    for rect in rects:
        clip |= rect * turn
    clip = clip + (-margin, -margin, margin, margin)  # noqa: RUF005  # a rectangle is moved, not joined
    whole = pymupdf.Rect(clip)
    for block in page.get_text("dict", flags=text_flags())["blocks"]:
        for line in block.get("lines", ()):
            box = pymupdf.Rect(line["bbox"]) * turn
            if box.intersects(clip):
                whole |= box
    whole = whole + (-PAD, -PAD, PAD, PAD)  # noqa: RUF005
    if full_width:
        whole.x0, whole.x1 = page.rect.x0, page.rect.x1
    return whole & page.rect


def _highlight(page: Any, rects: Sequence[Any], colour: Sequence[float]) -> Any:
    """Annotate a page with one highlight for all the boxes."""
    mark = page.add_highlight_annot(quads=[_along(rect) for rect in rects])
    mark.set_colors(stroke=tuple(colour))
    mark.update(opacity=OPACITY)
    return mark


def snippets(request: dict[str, Any]) -> dict[str, object]:
    """Draw pictures; a job of the worker process.

    Args:
        request: `path`, `pages` (the most allowed), `groups`: boxes of each picture, `margin`, `dpi`, `full_width`.

    Returns:
        `pictures`: PNG in base 64 of each group; empty where there is nothing to show, or no time was left.

    Raises:
        DocumentError: The document cannot be opened.
    """
    document = open_document(str(request["path"]), int(request["pages"]))
    enough = _Time(request)
    drawn = (enough.left and picture(document, boxes, request, float(request["dpi"])) for boxes in request["groups"])
    pictures = [_packed(one[0]) if one else "" for one in drawn]
    document.close()
    return {"pictures": pictures}


def highlight(request: dict[str, Any]) -> dict[str, object]:
    """Annotate a copy; a job of the worker process.

    Args:
        request: `path`, `pages` (the most allowed), `marks`: rows of note, colour and boxes.

    Returns:
        `pdf`: the copy, in base 64; protected as the document is.

    Raises:
        DocumentError: The document cannot be opened or written.
    """
    document = open_document(str(request["path"]), int(request["pages"]))
    with _damage():
        for note, colour, boxes in request["marks"]:
            for number in dict.fromkeys(int(row[0]) for row in boxes):
                if 1 <= number <= len(document):
                    page = document[number - 1]  # an annotation is lost with its page
                    rects = [library().Rect(row[1:5]) for row in boxes if row[0] == number]
                    mark = _highlight(page, rects, colour)
                    mark.set_info(content=note, title="citeaudit")
                    mark.update(opacity=OPACITY)
        kept = library().PDF_ENCRYPT_KEEP
        return {"pdf": _packed(document.tobytes(garbage=1, deflate=True, encryption=kept))}


@contextmanager
def _damage() -> Iterator[None]:
    """Take what the library throws at a document for a fault of the document."""
    try:
        yield
    except (library().mupdf.FzErrorBase, RuntimeError, ValueError) as error:
        raise DocumentError("damaged") from error


def contact_sheet(request: dict[str, Any]) -> dict[str, object]:
    """Draw a sheet of pictures with their captions; a job of the worker process.

    Args:
        request: `path`, `pages` (the most allowed), `title`, `groups`: rows of caption, label, colour of the label
            (`#rrggbb`) and boxes; `margin`, `full_width`.

    Returns:
        `pdf`: the sheet, in base 64.

    Raises:
        DocumentError: The document cannot be opened.
    """
    document = open_document(str(request["path"]), int(request["pages"]))
    groups = request["groups"]
    sheet, enough = _Sheet(), _Time(request)
    sheet.add(f"<h2>{escape(request['title'])}</h2>")
    for caption, label, colour, boxes in groups[:MOST_GROUPS]:
        shown = picture(document, boxes, request, SHEET_DPI) if enough.left else None
        sheet.add(_caption(caption, label, colour), shown)
    if len(groups) > MOST_GROUPS:
        sheet.add(f"<p>{len(groups) - MOST_GROUPS} more are not shown.</p>")
    document.close()
    return {"pdf": _packed(sheet.finished())}


def _along(rect: Any) -> Any:
    """Give the corners of a box in the order of its text: a highlight has round ends as wide as its text is high."""
    if rect.height <= UPWARDS * rect.width:
        return rect.quad
    return library().Quad(rect.bl, rect.tl, rect.br, rect.tr)


class _Time:
    """Tells when pictures have used most of the processor time of a request: the rest must still be written."""

    def __init__(self, request: dict[str, Any]) -> None:
        """Begin now."""
        self._until = process_time() + SHARE * float(request["cpu_s"])

    @property
    def left(self) -> bool:
        """Whether another picture may be drawn."""
        return process_time() < self._until


def _caption(caption: str, label: str, colour: str) -> str:
    text = caption if len(caption) <= MOST_CAPTION else caption[: MOST_CAPTION - 1] + "…"
    told = f'<b style="color: {escape(colour)}">{escape(label)}</b> ' if label else ""
    return f"<p>{told}{escape(text)}</p>"


class _Sheet:
    """Pages of captions, and where the pictures go: text is laid out first, pictures are set into the finished pages.

    A `Story` gets no archive, so that nothing in a caption can name a file; so it cannot be given the pictures either.
    """

    def __init__(self) -> None:
        """Begin the first page."""
        self._stream = io.BytesIO()
        self._writer = library().DocumentWriter(self._stream)
        self._device: Any = None
        self._page = -1
        self._y = MARGIN
        self._pictures: list[tuple[int, tuple[float, float, float, float], bytes]] = []

    def add(self, html: str, shown: tuple[bytes, float, float] | None = None) -> None:
        """Add a caption and its picture, on one page together."""
        width, height = _fitted(shown)
        story = library().Story(html, user_css=_CSS)
        if self._device is None:
            self._turn()
        more, filled = story.place(self._room())
        if (more or filled[3] + PAD + height > SHEET[1] - MARGIN) and self._y > MARGIN:
            self._turn()
            story = library().Story(html, user_css=_CSS)
            _, filled = story.place(self._room())
        story.draw(self._device)
        self._y = filled[3] + PAD
        if shown:
            self._pictures.append((self._page, (MARGIN, self._y, MARGIN + width, self._y + height), shown[0]))
            self._y += height
        self._y += _GAP

    def _room(self) -> Any:
        return library().Rect(MARGIN, self._y, SHEET[0] - MARGIN, SHEET[1] - MARGIN)

    def _turn(self) -> None:
        """Begin a page."""
        if self._device is not None:
            self._writer.end_page()
        self._device = self._writer.begin_page(library().Rect(0, 0, *SHEET))
        self._page, self._y = self._page + 1, MARGIN

    def finished(self) -> bytes:
        """Give the PDF."""
        self._writer.end_page()
        self._writer.close()
        with library().open(stream=self._stream.getvalue(), filetype="pdf") as document:
            for number, rect, png in self._pictures:
                page = document[number]
                page.insert_image(rect, stream=png)
                page.draw_rect(rect, color=_FRAME, width=0.5)
            content: bytes = document.tobytes(garbage=1, deflate=True)
            return content


def _fitted(shown: tuple[bytes, float, float] | None) -> tuple[float, float]:
    """Give the size of a picture on a sheet: its own, or smaller."""
    if shown is None:
        return 0.0, 0.0
    _, width, height = shown
    scale = min(1.0, (SHEET[0] - 2 * MARGIN) / width, TALLEST / height)
    return width * scale, height * scale


def colour_parts(colour: str) -> Iterator[float]:
    """Give red, green and blue of `#rrggbb`, each 0 to 1.

    >>> list(colour_parts("#ff0033"))
    [1.0, 0.0, 0.2]
    """
    return (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
