"""Turn a cut list into pieces: one printed reference each, with its rows, label and destination."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from citeaudit.extract.pdf.anchors import Anchor
from citeaudit.extract.pdf.hyphens import unbreak
from citeaudit.extract.pdf.labels import ALPHA, BULLET, LABELS
from citeaudit.extract.pdf.layout import Row, join
from citeaudit.extract.pdf.likeness import likeness, years
from citeaudit.extract.pdf.sections import Section
from citeaudit.extract.pdf.segmentation import Segmentation
from citeaudit.pdf import Face, Span

WIDE_GAP = 2.2
"""Distance between two rows, in usual ones, at which the last reference of a list has ended."""
MAX_ROWS = 150
"""Rows of one reference; a compound one of a chemistry journal has 30."""
TAIL_LIKENESS = 0.3
"""Likeness below which a last piece without a year is what follows the list: contributions, thanks."""
BULLETED = 0.8
"""Share of the references that open with one sign for it to be a bullet; repeated authors are fewer."""
MAX_RAW = 4_000
"""Characters of one reference; what is longer is no reference and is cut."""

_DAMAGED = re.compile(r"[\[({|]?\s?[\w‘'|]{1,4}\s?[\])}]\s*|\W?\d\w{0,3}[.\])]?\s+|[a-z]\d{1,2}\s+")
"""What OCR makes of a label: `U5)`, `Pea}`, `116)`, `a7`."""
_PART = re.compile(r"(?:(?<=^)|(?<=[\s;.,]))\(?([a-z])\)\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """One printed reference."""

    raw: str
    """Joined lines, without the label."""
    rows: tuple[Row, ...]
    label: str | None
    anchor: Anchor | None

    def runs(self, face: Face, words: Mapping[str, int]) -> tuple[str, ...]:
        """Give the texts set in a face, in order; runs over a line end are one, and each occurs in `raw`."""
        found: list[dict[int, list[Span]]] = []
        going = False
        for at, row in enumerate(self.rows[:MAX_ROWS]):
            for span in row.spans:
                if not span.text.strip():
                    continue
                if not going and span.face & int(face):
                    found.append({})
                going = bool(span.face & int(face))
                if going:
                    found[-1].setdefault(at, []).append(span)
        texts = (unbreak([join(spans) for spans in run.values()], words) for run in found)
        return tuple(text for text in texts if text and text != self.raw and text in self.raw)


def cut(section: Section, reading: Segmentation, words: Mapping[str, int]) -> list[Piece]:
    """Give the pieces of a list.

    Args:
        section: The list.
        reading: Where its references start.
        words: Of the document, for words cut by line ends.

    Returns:
        Pieces in order; a compound reference `a) ... b) ...` gives one piece a part, labelled `5a`, `5b`.
    """
    bounds = [*reading.starts, len(section.rows)]
    usual = _usual_pitch(section.rows)
    bullet = _bullet(section, reading)
    pieces: list[Piece] = []
    for index, start in enumerate(reading.starts):
        rows = section.rows[start : bounds[index + 1]]
        if index == len(reading.starts) - 1:
            rows = _before_gap(rows, usual)
        label = reading.labels[index] if reading.labels else ""
        anchor = reading.anchors[index] if reading.anchors else None
        text = unbreak([row.text for row in rows[:MAX_ROWS]], words)
        text = _unlabel(text, label) if label else text
        text = BULLET.sub("", text, count=1) if bullet and text.startswith(bullet) else text
        pieces.extend(
            Piece(raw[:MAX_RAW].strip(), rows, f"{label}{part}" or None, anchor) for part, raw in _parts(text)
        )
    while (
        len(pieces) > 1
        and not reading.labels
        and not years(pieces[-1].raw)
        and likeness(pieces[-1].raw) < TAIL_LIKENESS
    ):
        pieces.pop()
    return [piece for piece in pieces if piece.raw]


def _bullet(section: Section, reading: Segmentation) -> str:
    """Give the bullet with which nearly all references open; empty where there is none."""
    heads = [section.rows[start].text for start in reading.starts]
    bullets = Counter(head[0] for head in heads if BULLET.match(head))
    bullet, count = bullets.most_common(1)[0] if bullets else ("", 0)
    return bullet if count >= BULLETED * len(heads) else ""


def _unlabel(text: str, label: str) -> str:
    for pattern in (*LABELS.values(), ALPHA):
        match = pattern.match(text)
        if match and match["n"].lstrip("0") == label.lstrip("0"):
            return text[match.end() :]
    # A label that lost its dot or bracket in print.
    if text.startswith(label):
        return text[len(label) :].lstrip(" .)]}")
    damaged = _DAMAGED.match(text)
    return text[damaged.end() :] if damaged else text


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Split a compound reference of chemistry journals; parts must run a, b, c from the start of the text."""
    marks = list(_PART.finditer(text))
    if not marks or marks[0].start() > 1 or marks[0][1] != "a":
        yield "", text
        return
    chosen: list[re.Match[str]] = []
    for mark in marks:
        if mark[1] == chr(ord("a") + len(chosen)):
            chosen.append(mark)
    if len(chosen) == 1:
        yield "", text[chosen[0].end() :]
        return
    ends = [*(mark.start() for mark in chosen[1:]), len(text)]
    for mark, end in zip(chosen, ends, strict=True):
        yield mark[1], text[mark.end() : end].rstrip(" ;,")


def _usual_pitch(rows: Sequence[Row]) -> float:
    pitches = [
        second.y0 - first.y0
        for first, second in pairwise(rows)
        if (first.page, first.column) == (second.page, second.column) and second.y0 > first.y0
    ]
    return median(pitches) if pitches else 0.0


def _before_gap(rows: tuple[Row, ...], usual: float) -> tuple[Row, ...]:
    """Leave out what stands far below: a note of the publisher, a biography."""
    for index in range(1, len(rows)):
        first, second = rows[index - 1], rows[index]
        same = (first.page, first.column) == (second.page, second.column)
        if same and usual and second.y0 - first.y0 > WIDE_GAP * usual:
            return rows[:index]
    return rows
