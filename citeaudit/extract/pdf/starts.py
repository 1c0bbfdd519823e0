"""Cut a list that has neither labels nor indents nor gaps: by how lines begin, end and leave room."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from citeaudit.extract.pdf.anchors import Anchor
from citeaudit.extract.pdf.headings import key
from citeaudit.extract.pdf.likeness import years
from citeaudit.extract.pdf.openings import AUTHOR, MAX_TAIL, OPENING, TERMINAL
from citeaudit.extract.pdf.rows import Row
from citeaudit.extract.pdf.sections import Section
from citeaudit.extract.pdf.segmentation import MIN_REFERENCES, Segmentation, room_before

START = 1.4
"""Weight from which a row starts a reference; see `_weight`."""
SORTED = 0.8
"""Share of neighbours in order from which a list is alphabetical."""
HEAD = 120
"""Characters in which a year behind the authors stands."""
MIN_SORTED = 6
"""Starts by which the order of a list is judged."""
_WITHIN = re.compile(
    r"(?:in|pp?|vol|no|s|eds?|hrsg|available|retrieved|accessed|url|doi|isbn|zugriff|verfügbar|abgerufen|dans|en|em)\b\W"
    r"|(?:https?|www|10)\b[.:]",
    re.IGNORECASE,
)
"""How the second half of a reference begins."""


def by_starts(section: Section, anchors: Sequence[Anchor]) -> Segmentation | None:
    """Cut where a line begins like an author and the line before has ended: the last resort."""
    del anchors
    rows = section.rows
    if not rows:
        return None
    room = room_before(rows)
    sure = [index for index in range(1, len(rows)) if room[index] and OPENING.match(rows[index].text)]
    span, early = _order(rows, sure), _early(rows, sure)
    starts = [0]
    dated = years(rows[0].text) > 0
    for index in range(1, len(rows)):
        row = rows[index]
        if not OPENING.match(row.text):
            weight = 0.0
        else:
            weight = _weight(rows, index, room=room[index], dated=dated, order=span)
            weight += (0.6 if years(_head(rows, index)) else -0.6) * early
        if weight >= START:
            starts.append(index)
            dated = False
        dated = dated or years(row.text) > 0
    least = 1 if section.heading is not None else MIN_REFERENCES
    if len(starts) < least:
        return None
    ended = sum(room[index] for index in starts[1:]) / max(1, len(starts) - 1)
    return Segmentation("starts", tuple(starts), 0.7 + 0.05 * ended)


def _head(rows: Sequence[Row], index: int) -> str:
    return " ".join(row.text for row in rows[index : index + 2])[:HEAD]


def _early(rows: Sequence[Row], sure: Sequence[int]) -> bool:
    """Whether the year stands behind the authors in most references: a start without one is then none."""
    return len(sure) >= MIN_SORTED and sum(years(_head(rows, index)) > 0 for index in sure) >= SORTED * len(sure)


def _order(rows: Sequence[Row], sure: Sequence[int]) -> dict[int, tuple[str, str]]:
    """Give for each row the letters between which a reference there must begin; empty where there is no order."""
    keys = [key(rows[index].text[:24])[:6] for index in sure]
    rising = sum(first <= second for first, second in pairwise(keys))
    if len(keys) < MIN_SORTED or rising < SORTED * (len(keys) - 1):
        return {}
    span: dict[int, tuple[str, str]] = {}
    at = 0
    for index in range(len(rows)):
        while at < len(sure) and sure[at] <= index:
            at += 1
        span[index] = (keys[at - 1] if at else "", keys[at] if at < len(keys) else "\uffff")
    return span


def _weight(rows: Sequence[Row], index: int, *, room: bool, dated: bool, order: dict[int, tuple[str, str]]) -> float:
    """Weigh the signs for a start: room on the line before, its end, an author, order, a year on either side."""
    text = rows[index].text
    weight = 2.0 if room else -0.5
    weight += 0.6 if TERMINAL.search(rows[index - 1].text[-MAX_TAIL:]) else -0.8
    within = bool(_WITHIN.match(text))
    weight += 1.0 if AUTHOR.match(text) and not within else 0.0
    weight -= 1.5 if within else 0.0
    weight += 0.5 if dated else -0.8
    if order and not room:
        low, high = order[index]
        letters = key(text[:24])[:6]
        weight += 0.5 if low <= letters <= high or AUTHOR.match(text[:2]) else -1.0
    return weight
