"""A row: what a reader sees as one printed line of one column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from citeaudit.pdf import Face, Span

WORD_GAP = 0.16
"""Gap between two pieces of a line, in font sizes, from which a space stands between them; a thin space is 1/6."""
_CAMEL = re.compile(r"[A-Z](?<!\w[A-Z])[a-z]+(?:[A-Z][a-z]+)+\b")
SAME_SIZE = 0.15
"""Points by which the sizes of neighbouring rows differ at most in print; those that OCR guesses differ by more."""
UNEVEN = 0.5
"""Share of neighbours of one size below which the sizes of a page are guesses."""
MIN_UNEVEN = 12
"""Pairs of neighbours by which a page is judged."""
AROUND = 4
"""Rows on either side that tell the size of one whose own is a guess."""
GUESSED = 0.15
"""Share by which a guess may be wrong: notes differ from the text by more."""
SMALL_CAPS = 0.72, 0.87
"""Size of small capitals in sizes of the capital before them, least and most."""


@dataclass(frozen=True, slots=True)
class Row:
    """One printed line of one column."""

    page: int
    """1-based."""
    column: int
    """0-based, from the left, on its page; a row across all columns has the column it starts in."""
    x0: float
    y0: float
    x1: float
    y1: float
    spans: tuple[Span, ...]
    text: str
    """Single spaces, none at the ends."""
    size: float
    """Font size of most of its characters, points."""
    bold: bool
    """All its letters are bold."""

    @property
    def middle(self) -> float:
        """Give the height of its middle on the page."""
        return (self.y0 + self.y1) / 2


def join(spans: Sequence[Span]) -> str:
    """Join spans of one row; a space stands where the PDF moved instead of drawing one."""
    if len(spans) == 1:
        return " ".join(spans[0].text.split())
    parts: list[str] = []
    before: Span | None = None
    for span in spans:
        text = span.text
        if before is not None and not text[:1].isspace() and span.x0 - before.x1 > WORD_GAP * max(span.size, 1.0):
            # "R EFERENCES": the gap is the side bearing of a large capital before small ones, not a space.
            if not _small_caps(before, span):
                parts.append(" ")
        elif before is not None and text[:1] == " " and _small_caps(before, span):
            text = text[1:]
        parts.append(text)
        before = span
    return " ".join("".join(parts).split())


def _small_caps(before: Span, span: Span) -> bool:
    """Whether small capitals follow their first letter, with hardly more than a hair between."""
    head, tail = before.text, span.text.strip()
    if not (len(tail) > 1 and tail[:2].isupper() and head[-1:].isupper() and not head[-2:-1].isalnum()):
        return False
    return SMALL_CAPS[0] * before.size <= span.size <= SMALL_CAPS[1] * before.size and (
        span.x0 - before.x1 < 2 * WORD_GAP * before.size
    )


def make_row(page: int, column: int, spans: Sequence[Span]) -> Row | None:
    """Build a row, or `None` where there is nothing to read."""
    text = join(spans)
    if not text:
        return None
    if len(spans) == 1:
        only = spans[0]
        bold = bool(only.face & Face.BOLD) and any(map(str.isalpha, text))
        return Row(page, column, only.x0, only.y0, only.x1, only.y1, tuple(spans), text, only.size, bold)
    sizes: dict[float, int] = {}
    for span in spans:
        sizes[span.size] = sizes.get(span.size, 0) + len(span.text)
    inked = [span for span in spans if span.text.strip()]
    lettered = [span for span in inked if span.text.isalpha() or any(map(str.isalpha, span.text))]
    return Row(
        page=page,
        column=column,
        x0=min([span.x0 for span in inked]),
        y0=min([span.y0 for span in inked]),
        x1=max([span.x1 for span in inked]),
        y1=max([span.y1 for span in inked]),
        spans=tuple(spans),
        text=text,
        size=max(sizes, key=sizes.__getitem__),
        bold=bool(lettered) and all(span.face & Face.BOLD for span in lettered),
    )


def even(rows: Sequence[Row]) -> list[Row]:
    """Even out sizes that are guesses: OCR measures each line by its letters, with or without descenders.

    Args:
        rows: Of one page, in reading order.

    Returns:
        The rows; on a page of guesses each has the middle size of those around it in its column, or that of the page
        where these differ little.
    """
    pairs = [(first, second) for first, second in pairwise(rows) if first.column == second.column]
    alike = sum(abs(first.size - second.size) <= SAME_SIZE for first, second in pairs)
    if len(pairs) < MIN_UNEVEN or alike >= UNEVEN * len(pairs):
        return list(rows)
    usual = median([row.size for row in rows])
    evened = []
    for index, row in enumerate(rows):
        near = [other.size for other in rows[max(0, index - AROUND) : index + AROUND + 1] if other.column == row.column]
        size = median(near)
        evened.append(replace(row, size=usual if abs(size - usual) <= GUESSED * usual else size))
    return evened


def vocabulary(rows: Iterable[Row]) -> Counter[str]:
    """Count the words of a document, lower case, hyphenated ones whole; words cut by a line end are left out.

    Words with a capital inside count as they are as well: `StackGuard`.
    """
    words: Counter[str] = Counter()
    every: list[str] = []
    for row in rows:
        text = row.text
        if not text.islower():
            words.update(_CAMEL.findall(text))
        parts = text.lower().split(" ")
        if text.endswith("-"):
            del parts[-1]
        every += parts
    for part, count in Counter(every).items():  # most words recur: they are stripped once
        words[part.strip(".,;:()[]“”\"'!?’‘")] += count
    return words
