"""Use what a page shows and plain text does not: which words of a reference are italic or bold.

An italic run is the venue where a title stands before it, and the title of a book where it opens the title; bold
figures are a volume; a bold run at the front is the title of a list that prints titles first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from citeaudit.extract.fields.text import joined

Span = tuple[int, int]

_WORDS = re.compile(r"[^\W\d_]{2,}")
_ENDS = '.,?!:;”"’»)'
_LEAST_TITLE = 8
"""Letters of a bold run that may be a title by itself."""
_LEAD = re.compile(r"(?:[.,;:]?\s[Ii]n:?)?[\s“„(.,;:]{0,6}\Z")
_FIGURES = re.compile(r"[A-Z]?\d{1,4}[A-Z]?")


def runs(text: str, printed: Iterable[str]) -> list[Span]:
    """Find runs in the prepared text, in order; those that touch are one. What is not found is left out."""
    found: list[Span] = []
    place = 0
    for run in printed:
        wanted = joined(run).strip(" .,;:")
        at = text.find(wanted, place) if wanted else -1
        if at < 0:
            continue
        place = at + len(wanted)
        if found and not text[found[-1][1] : at].strip():
            found[-1] = (found[-1][0], place)
        else:
            found.append((at, place))
    return found


def leading(text: str, bold: Iterable[str]) -> Span | None:
    """Give the bold run that opens the reference and is long enough for a title, with text after it."""
    first = next(iter(runs(text, bold)), None)
    if first is None or first[0] > 2 or len(text) - first[1] < 4:  # noqa: PLR2004 - a quote mark; a year
        return None
    return first if sum(map(len, _WORDS.findall(text[first[0] : first[1]]))) >= _LEAST_TITLE else None


def volume(bold: Iterable[str]) -> str | None:
    """Give the bold run that is a volume, if there is just one."""
    figures = [run.strip(" ,.;:()") for run in bold]
    figures = [run for run in figures if _FIGURES.fullmatch(run) and not re.fullmatch(r"(?:1[5-9]|20)\d\d", run)]
    return figures[0] if len(figures) == 1 else None


def adjusted(text: str, title: Span, italic: Iterable[str]) -> Span:
    """Mend the span of a title by the italic runs.

    A run at its end, after a mark, is the venue; one that opens it and reaches to a mark is the whole title (books).
    Names of species and other words inside a title change nothing.
    """
    start, end = title
    for first, last in runs(text, italic):
        if not _WORDS.search(text[first:last]):
            continue
        head = text[start:first].rstrip(" “„(")
        head = re.sub(r"[.,?!;:]?\s[Ii]n:?$", ".", head)
        if start + 3 < first < end <= last + 2 and head[-1:] in _ENDS and len(head.split()) > 1:
            lead = _LEAD.search(text, start, first)
            return start, lead.start() if lead is not None else first
        opens = abs(first - start) <= 1 and len(text[first:last].split()) > 1
        if opens and last != end and (text[last : last + 1] in {*_ENDS, ""} or text[last : last + 2] == " ("):
            return first, last
    return title
