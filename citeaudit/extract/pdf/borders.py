"""Where a list that no heading bounds begins and ends: by the looks of its rows, and by how they are set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from citeaudit.extract.pdf.likeness import likeness
from citeaudit.extract.pdf.openings import AUTHOR, MAX_TAIL, OPENING, TERMINAL
from citeaudit.extract.pdf.rows import Row

UNHEADED = 0.5
"""Least mean likeness of a list without a heading."""
NEUTRAL = 0.42
"""Likeness between prose (up to 0.3) and references (from 0.5): what is above speaks for a list."""
MIN_ROWS = 8
"""Least rows of a list without a heading."""
GROUP_CHARS = 220
"""Characters that are weighed at a time; a reference has 100 to 300."""
MIN_GROUP = 3
"""Rows."""
MAX_GROUP = 8
"""Rows; more would hide the border."""
MAX_SEARCH = 20_000
"""Rows at the end of a document in which a list without a heading is sought: about 400 pages."""
GAP = 1.25
"""Distance of two rows, in usual ones, from which there is space between them."""
SAMPLE = 400
"""Rows by which the usual length of a row is known."""

_CAPTION = re.compile(
    r"(?:tab(?:le|elle|leau|la|ela)?|fig(?:ure|ura)?|abb(?:ildung)?|grafik|quadro|cuadro|gráfico|scheme|box|exhibit|plate"
    r"|diagramm|übersicht|表|图|圖)\.?\s?[A-Z]{0,2}\.?(?:\d{1,3}|[IVX]{1,5})(?:\.\d{1,2})?[a-z]?(?:\s?[.:|–—-]|\s|$)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\W?\d{1,4}[.)\]]\s?\S|\[[\w+]{2,12}\]")


def pitch(before: Row, row: Row) -> float | None:
    """Give the distance of two rows that follow each other, or `None` across columns and pages."""
    if (row.page, row.column) != (before.page, before.column) or row.y0 <= before.y0:
        return None
    return row.y0 - before.y0


def is_caption(text: str) -> bool:
    """Whether a row opens the caption of a table or a figure."""
    return bool(_CAPTION.match(text))


def modal_size(rows: Iterable[Row]) -> float:
    """Give the font size of most characters."""
    sizes: Counter[float] = Counter()
    for row in rows:
        sizes[row.size] += len(row.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def group_size(rows: Sequence[Row]) -> int:
    """Give how many rows hold about as much text as one reference; narrow columns need more of them."""
    lengths = [len(row.text) for row in rows[:SAMPLE]]
    return min(MAX_GROUP, max(MIN_GROUP, round(GROUP_CHARS / max(1.0, median(lengths))))) if lengths else MIN_GROUP


def weigh(rows: Sequence[Row], start: int, end: int) -> float:
    """Give the likeness of a few rows taken together."""
    return likeness(" ".join(row.text for row in rows[max(0, start) : max(0, end)]))


def unheaded(rows: Sequence[Row]) -> tuple[int, int] | None:
    """Find the run of rows that looks most like references, outside the first third of a document.

    Returns:
        Its first row and the row after its last; `None` where nothing looks like a list.
    """
    first = max(len(rows) // 3, len(rows) - MAX_SEARCH)
    size = group_size(rows[first:])
    marks = list(range(first, len(rows), size))
    weights = [weigh(rows, mark, mark + size) for mark in marks]
    best, total, start = (0.0, 0, 0), 0.0, 0
    for index, weight in enumerate(weights):
        if total <= 0:
            total, start = 0.0, index
        total += weight - NEUTRAL
        if total > best[0]:
            best = (total, start, index + 1)
    _, start, end = best
    if end <= start or sum(weights[start:end]) < UNHEADED * (end - start):
        return None
    usual = usual_pitch(rows[marks[start] : marks[end - 1]])
    head = border(rows, marks[start], size, usual, opens=True)
    tail = border(rows, min(len(rows), marks[end - 1] + size), size, usual, opens=False)
    return (head, tail) if tail - head >= MIN_ROWS else None


def usual_pitch(rows: Sequence[Row]) -> float:
    """Give the distance of most rows from the one before, points; 0 where there are none."""
    known = [step for first, second in pairwise(rows) if (step := pitch(first, second)) is not None]
    return median(known) if known else 0.0


def border(rows: Sequence[Row], near: int, size: int, usual: float, *, opens: bool, least: int = 0) -> int:
    """Give the row near which a list opens, or the first row behind its end.

    Args:
        rows: The document.
        near: About where.
        size: Rows that are weighed at a time.
        usual: Distance of two rows of the list, points; 0 where it is not known.
        opens: Whether references begin there, or end.
        least: The first row that it may be.
    """

    def rank(index: int) -> float:
        # A reference and a row of prose look like prose: outside, what is nearest must not be a reference either.
        if opens:
            change = weigh(rows, index, index + size) - max(
                weigh(rows, index - rest, index) for rest in range(2, size + 1)
            )
        else:
            change = weigh(rows, index - size, index) - max(
                weigh(rows, index, index + rest) for rest in range(2, size + 1)
            )
        if index in (0, len(rows)):
            return 2.0 * change + 1.0
        before, row = rows[index - 1], rows[index]
        step = pitch(before, row)
        score = 2.0 * change
        score += 0.8 * (abs(before.size - row.size) > 0.3)  # noqa: PLR2004 - points
        score += 0.3 if step is None else 0.8 * (usual > 0 and step > GAP * usual)
        score += 0.6 * (before.bold != row.bold)
        score += 0.6 * bool(TERMINAL.search(before.text[-MAX_TAIL:]))
        if opens:
            score += 0.4 * bool(OPENING.match(row.text)) + 0.8 * bool(AUTHOR.match(row.text) or _LABEL.match(row.text))
        return score

    span = range(max(least, near - 2 * size), min(len(rows), near + 2 * size) + 1)
    return max(span, key=rank)
