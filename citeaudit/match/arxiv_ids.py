"""What the form of an arXiv id says: when it was given out, and whether it can have been.

https://info.arxiv.org/help/arxiv_identifier.html: YYMM.NNNN from 0704, YYMM.NNNNN from 1501; before that
archive/YYMMNNN, from 9107 to 0703.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from citeaudit.text.lists import read_rows

FIRST_NEW, FIRST_FIVE = (2007, 4), (2015, 1)
"""Months from which ids have the new form, and five digits."""
FIRST_OLD = (1991, 7)
MOST = 50_000
"""Number that no id of arXiv has come near in any month."""
GROWTH = 1.25
"""Share by which the number of an id may exceed the highest that public records show for its year."""
_NEW = re.compile(r"(\d{2})(\d{2})\.(\d{4,5})(?:v\d{1,3})?")
_OLD = re.compile(r"[a-z-]{2,9}(?:\.[a-z-]{2,6})?/(\d{2})(\d{2})(\d{3})(?:v\d{1,3})?", re.IGNORECASE)
_CENTURY = 91
_MONTHS = 12


@cache
def _highest() -> dict[int, int]:
    return {int(row[0]): int(row[1]) for row in read_rows("citeaudit.match", "arxiv_months.tsv")}


def arxiv_month(arxiv_id: str) -> tuple[int, int] | None:
    """Give year and month in which an arXiv id was given out, unchecked; `None` where the text has not its form.

    >>> arxiv_month("1706.03762v7"), arxiv_month("hep-th/9901001"), arxiv_month("12345")
    ((2017, 6), (1999, 1), None)
    """
    hit = _NEW.fullmatch(arxiv_id)
    if hit:
        return 2000 + int(hit.group(1)), int(hit.group(2))
    hit = _OLD.fullmatch(arxiv_id)
    if hit is None:
        return None
    year = int(hit.group(1))
    return (1900 if year >= _CENTURY else 2000) + year, int(hit.group(2))


def arxiv_rule(arxiv_id: str, today: date) -> str | None:
    """Give the rule by which an arXiv id cannot be one, or is unlikely to; `None` for any other text.

    Args:
        arxiv_id: What stands after `arXiv:`.
        today: Day of the check, UTC; an id of the next day is let pass, as time zones differ.

    >>> arxiv_rule("2413.01234", date(2026, 1, 2)), arxiv_rule("1706.03762", date(2026, 1, 2))
    ('arxiv_id_impossible', None)
    """
    month = arxiv_month(arxiv_id)
    if month is None:
        return None
    new = _NEW.fullmatch(arxiv_id)
    first = FIRST_NEW if new else FIRST_OLD
    late = (today.year, today.month) if today.day < 28 else _next(today)  # noqa: PLR2004 - the last days of any month
    if not 1 <= month[1] <= _MONTHS or not first <= month <= late or (not new and month >= FIRST_NEW):
        return "arxiv_id_impossible"
    if new is None:
        return None
    digits = new.group(3)
    if int(digits) == 0 or int(digits) > MOST:
        return "arxiv_id_impossible"
    if len(digits) != (5 if month >= FIRST_FIVE else 4):
        return "arxiv_id_malformed"
    highest = _highest().get(month[0])
    return "arxiv_id_unlikely" if highest is not None and int(digits) > highest * GROWTH else None


def _next(today: date) -> tuple[int, int]:
    return (today.year + 1, 1) if today.month == _MONTHS else (today.year, today.month + 1)
