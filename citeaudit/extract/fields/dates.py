"""Read when a work was issued: year, letter after it, first edition, and words in place of a year."""

from __future__ import annotations

import re
from typing import NamedTuple

_Y = r"(?:1[5-9]|20)\d\d"
_SUFFIX = re.compile(rf"(?<!\d)(?P<year>{_Y})(?P<suffix>[a-z])(?![\w-])")
_ORIGINAL = (
    re.compile(
        rf"(?<!\d)(?P<year>{_Y})[a-z]?\s?[\[(](?:zuerst\s|orig(?:inal)?\.?\s|first published\s|)(?P<first>{_Y})[\])]"
    ),
    re.compile(rf"[\[(](?P<first>{_Y})[\])]\s?(?P<year>{_Y})(?!\d)"),
    re.compile(rf"(?<![\d/–-])(?P<first>{_Y})\s?/\s?(?P<year>{_Y})(?![\d/])"),
    re.compile(
        rf"\b(?:zuerst|originally(?: published)?(?: in)?|original work published|first published(?: in)?|"
        rf"orig\.|Erstausgabe|Original(?:ausgabe)?|publicado originalmente em|1re éd\.)[\s:,]{{0,2}}(?P<first>{_Y})",
        re.IGNORECASE,
    ),
)
_STATUS = re.compile(
    r"(?<![\w’'-])(?P<status>in press|forthcoming|to appear|in preparation|submitted|accepted|n\.\s?d\.|o\.\s?J\.|"
    r"s\.\s?d\.|s\.\s?a\.|ohne Jahr|im Erscheinen|im Druck|in Druck|in Vorbereitung|i\.\s?E\.|sous presse|à paraître|"
    r"en prensa|no prelo|in corso di stampa|undated)(?!\s?[\w’'-])",
    re.IGNORECASE,
)
_LONGEST = 2_000


class Date(NamedTuple):
    """What a reference says about its time."""

    year: int | None
    suffix: str | None
    original: int | None
    status: str | None


def read_date(year: int | None, before: str, after: str) -> Date:
    """Complete a year by what stands about it.

    Args:
        year: The year of issue, or `None`.
        before: What stands between the authors and the title.
        after: What follows the title.

    Returns:
        The date; where two years are printed, the earlier one is the first edition's.

    >>> read_date(1922, "(1922/1987): ", "")
    Date(year=1987, suffix=None, original=1922, status=None)
    """
    text = f"{before[:_LONGEST]} {after[:_LONGEST]}"
    original = None
    for pattern in _ORIGINAL:
        match = pattern.search(text)
        if match is None:
            continue
        first, later = int(match["first"]), int(match.groupdict().get("year") or year or 0)
        if first < later and year in {first, later, None}:
            original, year = first, later
            break
    suffix = next((match["suffix"] for match in _SUFFIX.finditer(text) if int(match["year"]) == year), None)
    status = _STATUS.search(before) or _STATUS.search(after) if year is None else _STATUS.search(before)
    return Date(year, suffix, original, status["status"] if status is not None else None)
