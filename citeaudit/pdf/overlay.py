"""Draw on a copy of a PDF what was read from it: boxes about references, colours on their fields, a legend.

The drawing happens in a worker process of its own program; the copy comes back as bytes, and the caller writes it.
Coordinates are points of the unrotated page, origin top-left: those of PyMuPDF's text and drawing.
"""

from __future__ import annotations

import base64
import os
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from citeaudit.pdf.child import main as child_main
from citeaudit.pdf.document import DocumentError, library, open_document
from citeaudit.pdf.limits import DEFAULT_LIMITS, Limits
from citeaudit.pdf.worker import MESSAGES, Pool, WorkerError, fault, look

PROGRAM = "import sys; from citeaudit.pdf.overlay import main; main(sys.argv[1:])"
"""What the worker process of an overlay runs."""

COLOURS: dict[str, tuple[float, float, float]] = {
    "author": (0.15, 0.35, 0.90),
    "title": (0.10, 0.60, 0.20),
    "venue": (0.95, 0.55, 0.05),
    "year": (0.80, 0.15, 0.55),
    "identifier": (0.05, 0.60, 0.65),
    "volume, pages": (0.55, 0.35, 0.10),
    "publisher": (0.45, 0.25, 0.75),
}
"""Kinds of fields, in the order of the legend."""

_FRAME = (0.35, 0.35, 0.40)
_NUMBER = (0.75, 0.05, 0.05)
MARK = b"\n% citeaudit overlay\n"
"""A comment behind the end of the file, by which a copy is known again."""
_CITED = (0.75, 0.05, 0.05)
_OPACITY = 0.28
_SIZE = 6.5
"""Points of a number beside its box."""
_MARGIN = 1.5
"""Points by which a box is drawn wider than its text."""
_SHORTEST = 2
"""Letters and digits that a text must have to be looked for."""

_SMALL = 0.85
"""Share of the largest letters of a row below which a number is a superscript."""
_INDENT = 40.0
"""Points by which the line after a row may begin further left: that of an indented paragraph."""

_SURE = 9
"""Letters and digits from which a text is not looked for by whole words alone; `Li` also stands in `relief`."""

Rect = tuple[int, float, float, float, float]
"""1-based page, x0, y0, x1, y1."""


@dataclass(frozen=True, slots=True)
class Marked:
    """One reference to draw."""

    label: str
    """Printed beside its box."""
    boxes: tuple[Rect, ...]
    fields: tuple[tuple[str, str], ...]
    """Kind (a key of `COLOURS`) and text of each part to colour, looked for in this order."""


class Marker(NamedTuple):
    """A citation of the running text to underline."""

    text: str
    """As printed: `[3, 5-7]`."""
    rows: tuple[Rect, ...]
    """The rows on which it stands, each as wide as its line."""


def draw(
    path: Path, marks: Iterable[Marked], citations: Iterable[Marker] = (), *, limits: Limits = DEFAULT_LIMITS
) -> bytes:
    """Give a copy of a PDF with references boxed, numbered and coloured, and citations underlined.

    A marker is underlined where its text stands in its rows (see `found_in`); one that is not found is left alone.
    Runs in a worker process; the file itself is only read.

    Raises:
        UnreadableDocumentError: Missing, damaged, or more than the limits allow.
        EncryptedDocumentError: It needs a password.
    """
    look(path, limits)
    pool = Pool(limits, size=1, program=PROGRAM)
    rows = [[mark.label, list(mark.boxes), [list(field) for field in mark.fields]] for mark in marks]
    try:
        told = pool.run(
            "overlay",
            path=os.fspath(path.absolute()),
            pages=limits.pages,
            marks=rows,
            citations=[[one.text, [list(row) for row in one.rows]] for one in citations],
        )
    except WorkerError as error:
        raise fault(error.kind if error.kind in MESSAGES else "crashed", path, error.detail) from error
    finally:
        pool.close()
    return base64.b64decode(str(told["pdf"]))


# --- in the worker process -----------------------------------------------------------------------------


class Word(NamedTuple):
    """A word of a page; the fields of PyMuPDF's `get_text("words")`."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


class Glyph(NamedTuple):
    """A letter of a page."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    size: float
    """Of the font, in points."""
    gap: bool
    """A space or the beginning of a line stands before it."""


def key(text: str) -> str:
    r"""Give letters and digits alone, without accents and case, so that line ends and hyphens do not matter.

    >>> key("Über-\nﬁnes Maß, 2nd")
    'uberfinesmass2nd'
    """
    return "".join(
        char
        for char in unicodedata.normalize("NFKD", text.casefold())
        if char.isalnum() and not unicodedata.combining(char)
    )


def place(words: Sequence[Word], fields: Iterable[tuple[str, str]]) -> dict[int, str]:
    """Say which words of a reference belong to which field: index of the word to kind; a word has one kind."""
    keys = [key(word.text) for word in words]
    text = "".join(keys)
    owner = [index for index, part in enumerate(keys) for _ in part]
    starts = {0, *(at for at in range(1, len(owner)) if owner[at] != owner[at - 1]), len(owner)}
    kinds: dict[int, str] = {}
    for kind, value in fields:
        wanted = key(value)
        if len(wanted) < _SHORTEST:
            continue
        start = text.find(wanted)
        while start >= 0:
            end = start + len(wanted)
            found = set(owner[start:end])
            whole = len(wanted) >= _SURE or kind in {"identifier", "year"} or (start in starts and end in starts)
            if whole and not found & kinds.keys():
                kinds.update(dict.fromkeys(found, kind))
                break
            start = text.find(wanted, start + 1)
    return kinds


def runs(words: Sequence[Word], kinds: dict[int, str]) -> Iterator[tuple[str, list[float]]]:
    """Give one rectangle for neighbouring words of a kind on one line."""
    last: tuple[str, list[float]] | None = None
    for index in sorted(kinds):
        word, kind = words[index], kinds[index]
        if last and last[0] == kind and abs(last[1][3] - word.y1) < 3 and word.x0 >= last[1][2] - 1:  # noqa: PLR2004
            last[1][1], last[1][2] = min(last[1][1], word.y0), word.x1
            continue
        if last:
            yield last
        last = (kind, [word.x0, word.y0, word.x1, word.y1])
    if last:
        yield last


def _inside(word: Word, boxes: Sequence[Rect]) -> bool:
    middle_x, middle_y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return any(x0 - 1 <= middle_x <= x1 + 1 and y0 - 1 <= middle_y <= y1 + 1 for _, x0, y0, x1, y1 in boxes)


def overlay(request: dict[str, Any]) -> dict[str, object]:
    """Draw; the job of the worker process.

    Args:
        request: `path`, `pages` (the most allowed), `marks` (label, boxes, fields), `citations` (text, rows).

    Returns:
        `pdf`: the copy, in base 64.

    Raises:
        DocumentError: The document cannot be opened or written.
    """
    document = open_document(str(request["path"]), int(request["pages"]))
    marks = [
        Marked(label, tuple(map(tuple, boxes)), tuple(map(tuple, fields))) for label, boxes, fields in request["marks"]
    ]
    per_page: dict[int, list[Marked]] = {}
    for mark in marks:
        for number in dict.fromkeys(box[0] for box in mark.boxes):
            per_page.setdefault(number, []).append(mark)
    cited: dict[int, list[tuple[str, Rect]]] = {}
    for text, rows in request["citations"]:
        for row in rows:
            cited.setdefault(row[0], []).append((text, tuple(row)))
    spread = _Words(document)
    first = min(per_page, default=0)
    for number in sorted({*per_page, *cited}):
        if 1 <= number <= len(document):
            page = document[number - 1]
            shape = page.new_shape()
            for mark in per_page.get(number, ()):
                _mark(shape, number, mark, spread)
            _underline(shape, _glyphs(page) if number in cited else (), cited.get(number, ()))
            if number == first:
                _legend(shape)
            shape.commit(overlay=True)
    return {"pdf": base64.b64encode(_saved(document)).decode("ascii")}


def _glyphs(page: Any) -> tuple[Glyph, ...]:
    """Give the letters of a page in the order of its text."""
    found: list[Glyph] = []
    for block in page.get_text("rawdict")["blocks"]:
        for line in block.get("lines", ()):
            gap = True
            for span in line["spans"]:
                for char in span["chars"]:
                    if not char["c"].isspace():
                        x0, y0, x1, y1 = char["bbox"]
                        found.append(Glyph(x0, y0, x1, y1, char["c"], span["size"], gap))
                    gap = char["c"].isspace()
    return tuple(found)


def found_in(glyphs: Iterable[Glyph], text: str, row: Rect) -> list[list[float]]:
    """Give where a marker stands that begins in a row and may end in the next: one rectangle a line.

    Spaces and hyphens do not matter. A bare number is looked for among letters smaller than those of the row.
    """
    _, x0, y0, x1, y1 = row
    height = y1 - y0
    near = [
        one
        for one in glyphs
        if x0 - _INDENT <= one.x0
        and one.x1 <= x1 + height
        and y0 - height / 2 <= one.y0
        and one.y1 <= y1 + 1.6 * height
    ]
    spread = [(char, index) for index, one in enumerate(near) for char in _bare(one.text)]
    wanted, line = _bare(text), "".join(char for char, _ in spread)
    if not wanted:
        return []
    small = _SMALL * max((one.size for one in near), default=0.0) if wanted[0].isdecimal() else None
    rects: list[list[float]] = []
    start = line.find(wanted)
    while start >= 0:
        part = [near[index] for _, index in spread[start : start + len(wanted)]]
        before = near[spread[start - 1][1]] if start else None
        after = near[spread[start + len(wanted)][1]] if start + len(wanted) < len(spread) else None
        middle = ((part[0].x0 + part[0].x1) / 2, (part[0].y0 + part[0].y1) / 2)
        if (
            (x0 - 1 <= middle[0] <= x1 + 1 and y0 - 1 <= middle[1] <= y1 + 1)
            and (small is None or all(one.size < small for one in part))
            and (part[0].gap or not _goes_on(wanted[0], before, small))
            and ((after is not None and after.gap) or not _goes_on(wanted[-1], after, small))
        ):
            rects += _lines(part)
        start = line.find(wanted, start + 1)
    return rects


def _bare(text: str) -> str:
    """Give text without spaces, hyphens, accents and case."""
    return "".join(
        char
        for char in unicodedata.normalize("NFKD", text.casefold())
        if not (char.isspace() or unicodedata.category(char) in {"Pd", "Cf"} or unicodedata.combining(char))
    )


def _goes_on(edge: str, beside: Glyph | None, small: float | None) -> bool:
    """Tell whether a word or number goes on beyond an edge of what was found; a superscript only in small digits."""
    if beside is None or not edge.isalnum():
        return False
    if small is not None:
        return beside.text.isdecimal() and beside.size < small
    return beside.text.isalnum()


def _lines(part: Sequence[Glyph]) -> list[list[float]]:
    """Give one rectangle for the letters of each line."""
    rects: list[list[float]] = []
    for one in part:
        if rects and one.x0 >= rects[-1][0] and abs(one.y1 - rects[-1][3]) < one.size:
            rects[-1][2:] = max(one.x1, rects[-1][2]), max(one.y1, rects[-1][3])
        else:
            rects.append([one.x0, one.y0, one.x1, one.y1])
    return rects


def _underline(shape: Any, glyphs: Sequence[Glyph], cited: Iterable[tuple[str, Rect]]) -> None:
    """Underline the markers of one page, each place once."""
    places = {
        (round(x0, 1), round(x1, 1), round(y1, 1))
        for text, row in dict.fromkeys(cited)
        for x0, _, x1, y1 in found_in(glyphs, text, row)
    }
    for x0, x1, y1 in sorted(places):
        shape.draw_line((x0, y1), (x1, y1))
        shape.finish(color=_CITED, width=0.7)


def _saved(document: Any) -> bytes:
    try:
        content: bytes = document.tobytes(garbage=1, deflate=True)
    except (library().mupdf.FzErrorBase, RuntimeError, ValueError) as error:
        raise DocumentError("damaged") from error
    return content + MARK


class _Words:
    """The words of pages, each page read once; a reference may go over several."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._pages: dict[int, list[Word]] = {}

    def of(self, mark: Marked) -> list[tuple[int, Word]]:
        found: list[tuple[int, Word]] = []
        for number in dict.fromkeys(box[0] for box in mark.boxes):
            boxes = [box for box in mark.boxes if box[0] == number]
            found += [(number, word) for word in self._page(number) if _inside(word, boxes)]
        return found

    def _page(self, number: int) -> list[Word]:
        if number not in self._pages:
            there = 1 <= number <= len(self._document)
            rows = self._document[number - 1].get_text("words") if there else []
            self._pages[number] = [Word(*row[:5]) for row in rows]
        return self._pages[number]


def _mark(shape: Any, number: int, mark: Marked, spread: _Words) -> None:
    """Draw the part of a reference that stands on one page."""
    placed = spread.of(mark)
    words = [word for _, word in placed]
    kinds = place(words, mark.fields)
    here = {index: kind for index, kind in kinds.items() if placed[index][0] == number}
    for kind, rect in runs(words, here):
        shape.draw_rect(tuple(rect))
        shape.finish(color=None, fill=COLOURS.get(kind, _FRAME), fill_opacity=_OPACITY, width=0)
    boxes = [box for box in mark.boxes if box[0] == number]
    for _, x0, y0, x1, y1 in boxes:
        shape.draw_rect((x0 - _MARGIN, y0 - _MARGIN, x1 + _MARGIN, y1 + _MARGIN))
        shape.finish(color=_FRAME, width=0.5)
    _, x0, y0, _, _ = boxes[0]
    width = 0.6 * _SIZE * len(mark.label)
    shape.insert_text((max(1.0, x0 - _MARGIN - 1 - width), y0 + _SIZE), mark.label, fontsize=_SIZE, color=_NUMBER)


def _legend(shape: Any) -> None:
    """Say along the top of the first page with references what the colours mean."""
    left, top = 14.0, 5.0
    names = [*COLOURS, "(underlined) citation"]
    letters = sum(map(len, names))
    room = float(shape.page.cropbox.width) - 2 * left - 16 * len(names)
    size = max(3.0, min(7.0, room / (0.62 * letters)))
    width = 0.62 * size * letters + 16 * len(names)
    shape.draw_rect((left - 4, top - 2, left + width, top + size + 4))
    shape.finish(color=_FRAME, fill=(1, 1, 1), fill_opacity=0.9, width=0.4)
    for name in names:
        if name in COLOURS:
            shape.draw_rect((left, top, left + size, top + size))
            shape.finish(color=None, fill=COLOURS[name], fill_opacity=0.6, width=0)
        else:
            shape.draw_line((left, top + size), (left + size, top + size))
            shape.finish(color=_CITED, width=0.7)
        shape.insert_text((left + size + 2, top + size - 1), name, fontsize=size, color=(0, 0, 0))
        left += 0.62 * size * len(name) + 16


def main(arguments: list[str]) -> None:
    """Serve overlays; arguments are those of `citeaudit.pdf.child.main`."""
    child_main(arguments, {"overlay": overlay})
