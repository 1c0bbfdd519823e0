"""Show what was found: pictures, highlighted copies and sheets, each document asked once for all of its rows."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import ExtractionError
from citeaudit.model import Box
from citeaudit.pdf.evidence import COLOURS, OTHER_COLOUR, Group, Mark, contact_sheet, highlight, snippets
from citeaudit.pdf.story import lay_out
from citeaudit.quotes.rows import Row
from citeaudit.quotes.shelf import Shelf
from citeaudit.text.visible import shorten, visible

MOST = 200
"""Pictures of one report: of about 60 kB each, a page with more is slow to open."""

_SHEET_DPI = 110
_WIDEST, _TALLEST = 520.0, 420.0
"""Points of a picture on a sheet."""
_PNG_SIZE = (16, 20)
"""Where a PNG tells its width and height, four bytes each (PNG specification, IHDR)."""
_CAPTION = 1_500
_CSS = "body{font-family:sans-serif;font-size:9pt}h2{font-size:14pt}p{margin:3pt 0}"


class Shown(NamedTuple):
    """Something found, and what is to be said of it."""

    path: Path
    """The PDF."""
    boxes: tuple[Box, ...]
    """Of one place."""
    status: str
    """Says its colour."""
    note: str
    """Content of the annotation."""
    caption: str
    """Of the picture."""


def shown_rows(rows: Sequence[Row], shelf: Shelf) -> dict[int, Shown]:
    """Give what can be shown of checked quotes, by index of the row: the place on the page that the row names."""
    found = {}
    for index, row in enumerate(rows):
        page = row.found_page or row.closest_page
        places = [boxes for boxes in row.occurrences if boxes]
        name = row.found_doc or row.doc
        if places and name in shelf:
            boxes = next((boxes for boxes in places if any(box.page == page for box in boxes)), places[0])
            note = "\n".join([f"{row.id}: {row.status.value}", *row.differences])
            caption = f"{row.id}, page {boxes[0].page}: {row.quote}"
            found[index] = Shown(shelf.path(name), boxes, row.status.value, note, caption)
    return found


def pictures(
    shown: Mapping[int, Shown], most: int | None = MOST, *, dpi: float = 150.0
) -> tuple[dict[int, bytes], list[str]]:
    """Draw what was found.

    Args:
        shown: By index.
        most: How many are drawn, the first ones; `None` draws all.
        dpi: Pixels an inch.

    Returns:
        PNGs by index; and a sentence for each document that cannot be drawn.
    """
    chosen = dict(list(shown.items())[:most])
    drawn: dict[int, bytes] = {}
    failed = []
    for path, indexes in _by_path(chosen).items():
        try:
            made = snippets(path, [chosen[index].boxes for index in indexes], dpi=dpi)
        except ExtractionError as error:
            failed.append(str(error))
            continue
        drawn |= {index: png for index, png in zip(indexes, made, strict=True) if png is not None}
    return drawn, failed


def copies(shown: Iterable[Shown]) -> dict[Path, bytes]:
    """Give a highlighted copy of each PDF in which something was found, by its path; one annotation a place and page.

    Raises:
        UnreadableDocumentError, EncryptedDocumentError: One of them cannot be annotated.
    """
    listed = dict(enumerate(shown))
    return {
        path: highlight(path, [Mark(listed[at].boxes, listed[at].note, listed[at].status) for at in indexes])
        for path, indexes in _by_path(listed).items()
    }


def sheet(shown: Iterable[Shown]) -> bytes:
    """Give a PDF with a picture of each place and its caption, by document.

    Raises:
        UnreadableDocumentError, EncryptedDocumentError: The only document cannot be drawn, or the sheet not be laid
            out; of several documents, one that cannot be drawn has captions alone.
    """
    listed = dict(enumerate(shown))
    paths = _by_path(listed)
    if len(paths) == 1:
        groups = [Group(one.caption, one.boxes, one.status) for one in listed.values()]
        return contact_sheet(next(iter(paths)), groups)
    drawn, failed = pictures(listed, dpi=_SHEET_DPI)
    parts = [f"<p>{escape(visible(one))}</p>" for one in failed]
    for path, indexes in paths.items():
        parts.append(f"<h2>{escape(visible(path.name))}</h2>")
        parts += [_entry(listed[at], drawn.get(at)) for at in indexes]
    return lay_out("".join(parts), _CSS)


def _entry(one: Shown, png: bytes | None) -> str:
    colour = COLOURS.get(one.status, OTHER_COLOUR)
    text = escape(shorten(visible(" ".join(one.caption.split())), _CAPTION))
    told = f'<p><b style="color:{colour}">{escape(one.status)}</b> {text}</p>'
    if png is None:
        return told
    width, height = (int.from_bytes(png[at : at + 4], "big") * 72 / _SHEET_DPI for at in _PNG_SIZE)
    scale = min(1.0, _WIDEST / width, _TALLEST / height)
    data = base64.b64encode(png).decode("ascii")
    return f'{told}<p><img width="{width * scale:.0f}" src="data:image/png;base64,{data}"></p>'


def _by_path(shown: Mapping[int, Shown]) -> dict[Path, list[int]]:
    found: dict[Path, list[int]] = {}
    for index, one in shown.items():
        found.setdefault(one.path, []).append(index)
    return found
