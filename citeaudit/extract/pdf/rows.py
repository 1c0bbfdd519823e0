"""A row: what a reader sees as one printed line of one column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citeaudit.pdf import Face, Span

WORD_GAP = 0.16
"""Gap between two pieces of a line, in font sizes, from which a space stands between them; a thin space is 1/6."""
_CAMEL = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")
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
    sizes: Counter[float] = Counter()
    for span in spans:
        sizes[span.size] += len(span.text)
    inked = [span for span in spans if span.text.strip()]
    lettered = [span for span in inked if any(map(str.isalpha, span.text))]
    return Row(
        page=page,
        column=column,
        x0=min([span.x0 for span in inked]),
        y0=min([span.y0 for span in inked]),
        x1=max([span.x1 for span in inked]),
        y1=max([span.y1 for span in inked]),
        spans=tuple(spans),
        text=text,
        size=sizes.most_common(1)[0][0],
        bold=bool(lettered) and all(span.face & Face.BOLD for span in lettered),
    )


def vocabulary(rows: Iterable[Row]) -> Counter[str]:
    """Count the words of a document, lower case, hyphenated ones whole; words cut by a line end are left out.

    Words with a capital inside count as they are as well: `StackGuard`.
    """
    words: Counter[str] = Counter()
    for row in rows:
        words.update(_CAMEL.findall(row.text))
        parts = row.text.lower().split(" ")
        if row.text.endswith("-"):
            parts = parts[:-1]
        words.update([part.strip(".,;:()[]“”\"'!?’‘") for part in parts])
    return words
