"""Where found text stands on a page, to the letter: the letters of a line are laid beside its text as we read it.

Runs in the worker process; nothing but the standard library and PyMuPDF is imported. Our reader mends the text of a
line (accents, lost spaces, private characters), so letters and text need not be as many; what cannot be laid side by
side is answered with the whole line, and said so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from citeaudit.pdf.document import UPRIGHT, library, open_document, text_flags
from citeaudit.pdf.spans import ASCENT, DESCENT

EDGE = 1.0
"""Points by which the middle of a letter may lie outside the box of its line, which is rounded."""
ALIKE = 0.5
"""Share of the letters looked for that must be the same on the page for an alignment to count."""
LONGEST = 4_000
"""Letters of a line that are aligned; the time grows with their square."""

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1."""


class Glyph(NamedTuple):
    """A letter of a page, in points of the unrotated page."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


def displayed(rect: Rect, rotation: int, width: float, height: float) -> Rect:
    """Turn a rectangle of the unrotated page as the page is turned for display.

    Args:
        rect: Points of the unrotated page, origin top-left.
        rotation: 0, 90, 180 or 270, clockwise.
        width: Of the page as displayed, in points.
        height: The same.

    >>> displayed((72, 60, 118, 75), 90, 842, 595)
    (767, 72, 782, 118)
    """
    x0, y0, x1, y1 = rect
    match rotation % 360:
        case 90:
            return width - y1, x0, width - y0, x1
        case 180:
            return width - x1, height - y1, width - x0, height - y0
        case 270:
            return y0, height - x1, y1, height - x0
        case _:
            return rect


def glyphs(page: Any) -> list[Glyph]:
    """Give the letters of a page in the order in which it draws them, without spaces.

    The height of letters is taken from base line and size, as `citeaudit.pdf.spans` does for lines, because what
    PyMuPDF takes from a font in the file differs by its version; the fonts it brings itself are measured alike.
    """
    own = {str(font[3]) for font in page.get_fonts() if font[1] == "n/a"}
    found: list[Glyph] = []
    for block in page.get_text("rawdict", flags=text_flags())["blocks"]:
        for line in block.get("lines", ()):
            across, down = line["dir"]
            for span in line["spans"]:
                sized = span["font"] not in own and not line.get("wmode")
                for char in span["chars"]:
                    if char["c"] > " " and not char["c"].isspace():
                        rect = _sized(char, span["size"], across, down) if sized else tuple(char["bbox"])
                        found.append(Glyph(char["c"], *rect))
    return found


def _sized(char: dict[str, Any], size: float, across: float, down: float) -> Rect:
    """Give the box of a letter by base line and size; of one on a slanted line, as PyMuPDF gives it."""
    x0, y0, x1, y1 = char["bbox"]
    x, y = char["origin"]
    if abs(down) < UPRIGHT:
        above, below = (ASCENT, DESCENT) if across > 0 else (DESCENT, ASCENT)
        return x0, y - above * size, x1, y + below * size
    if abs(across) < UPRIGHT:
        left, right = (DESCENT, ASCENT) if down > 0 else (ASCENT, DESCENT)
        return x - left * size, y0, x + right * size, y1
    return x0, y0, x1, y1


def aligned(drawn: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Give which letters of a page are a part of a line.

    Args:
        drawn: Letters of the line as the page draws them, without spaces.
        text: Text of the line as it was read, without spaces.
        start: Of the part, in `text`.
        end: The same, half-open.

    Returns:
        First and last of the letters, half-open, in `drawn`; `None` where too few of them agree.

    >>> aligned("thein´uence", "theinfluence", 3, 12)
    (3, 11)
    """
    if not 0 <= start < end <= len(text) or max(len(drawn), len(text)) > LONGEST:
        return None
    if len(drawn) == len(text) and _shared(drawn, text, start, end) >= ALIKE * (end - start):
        return start, end
    same = 0
    inside: list[int] = []
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, drawn, text, autojunk=False).get_opcodes():
        first, last = max(j1, start), min(j2, end)
        if kind == "equal" and first < last:
            same += last - first
            inside += (i1 + first - j1, i1 + last - j1 - 1)
        elif kind == "replace" and first < last:
            inside += (_between(first - j1, j2 - j1, i1, i2), _between(last - j1 - 1, j2 - j1, i1, i2))
    if same < ALIKE * (end - start):
        return None
    return min(inside), max(inside) + 1


def _shared(one: str, two: str, start: int, end: int) -> int:
    return sum(map(str.__eq__, one[start:end], two[start:end]))


def _between(place: int, size: int, first: int, last: int) -> int:
    """Give the letter that stands as far into its stretch as `place` does into its own."""
    return first + place * (last - first) // size


def part(near: Sequence[Glyph], text: str, start: int, end: int) -> Rect | None:
    """Give the rectangle of a part of a line.

    Args:
        near: Letters in the box of the line, in the order of drawing.
        text: Text of the line with its spaces.
        start: Of the part, in `text`.
        end: The same, half-open.
    """
    bare = "".join(char for char in text if _drawn(char))
    first = sum(map(_drawn, text[:start]))
    last = first + sum(map(_drawn, text[start:end]))
    for row in (near, sorted(near, key=lambda one: one.x0)):
        letters = [(char, index) for index, one in enumerate(row) for char in one.text]
        found = aligned("".join(char for char, _ in letters), bare, first, last)
        if found:
            inside = [row[index] for _, index in letters[slice(*found)]]
            return _around((one.x0, one.y0, one.x1, one.y1) for one in inside)
    return None


def _drawn(char: str) -> bool:
    return char > " " and not char.isspace()


def _around(rects: Iterable[Rect]) -> Rect:
    x0, y0, x1, y1 = zip(*rects, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def locate_parts(request: dict[str, Any]) -> dict[str, object]:
    """Give the rectangles of parts of lines; a job of the worker process.

    Args:
        request: `path`, `pages` (the most allowed), `wanted`: rows of 1-based page, x0, y0, x1, y1 in displayed page
            space, text of the line, start and end of the part.

    Returns:
        `boxes`: for each row page, x0, y0, x1, y1 in points of the unrotated page, and whether it is the whole line.

    Raises:
        DocumentError: The document cannot be opened.
    """
    document = open_document(str(request["path"]), int(request["pages"]))
    rows = request["wanted"]
    made: list[list[object]] = [[*row[:5], True] for row in rows]
    for number in sorted({int(row[0]) for row in rows}):
        if 1 <= number <= len(document):
            here = [at for at, row in enumerate(rows) if row[0] == number]
            for at, box in zip(here, _on_page(document[number - 1], [rows[at] for at in here]), strict=True):
                made[at] = [number, *box]
    document.close()
    return {"boxes": made}


def _on_page(page: Any, rows: Sequence[Sequence[Any]]) -> Iterator[list[object]]:
    pymupdf = library()
    try:
        letters = glyphs(page)
    except (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError):  # one broken page costs itself alone
        letters = []
    for _, x0, y0, x1, y1, text, start, end in rows:
        line = tuple((pymupdf.Rect(x0, y0, x1, y1) * page.derotation_matrix).normalize())
        near = [one for one in letters if _inside(one, line)]
        found = part(near, text, start, end)
        yield [*(round(value, 1) for value in found or line), found is None]


def _inside(one: Glyph, box: Rect) -> bool:
    x, y = (one.x0 + one.x1) / 2, (one.y0 + one.y1) / 2
    return box[0] - EDGE <= x <= box[2] + EDGE and box[1] - EDGE <= y <= box[3] + EDGE
