"""Tables of contents: whether one shows a gap, and which of its names say what it is of.

A table is taken as whole only where it proves it: its papers are numbered without a break, or their pages follow
one another from the beginning. What cannot be seen (no pages, issues that each begin at page 1) counts as a gap.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

MIN_WORKS = 5
"""Works below which a table is no evidence of anything: a record of front matter makes one, too."""

PAGED = 0.9
"""Least share of works with pages; what has none could stand in any hole."""

MAX_HOLE = 3
"""Pages between two works that are not taken as a missing one (blank pages, a title page); short papers have four.

Where the collection does not say how many works there are, fewer than the shortest work has.
"""

OVERLAPPING = 0.01
"""Largest share of works that begin before the page on which an earlier one ends: more is two runs of pages in one."""

_PAGES = re.compile(r"(\d{1,6})(?::\d{1,4})?(?:\s{0,2}[-‐-―−]{1,3}\s{0,2}(\d{1,6})(?::\d{1,4})?)?")
_TOKEN = re.compile(r"[^\W_]+")
_SMALL_WORD = 4
_FULL_WORDS = 2


class Span(NamedTuple):
    """First and last page of a work, or the number of the paper twice."""

    first: int
    last: int


def parse_pages(text: str | None) -> Span | None:
    """Give the pages of a work as a table prints them; `None` where they are not plain numbers.

    >>> parse_pages("101-9"), parse_pages("7:1-7:22"), parse_pages("42"), parse_pages("S12-S19")
    (Span(first=101, last=109), Span(first=7, last=7), Span(first=42, last=42), None)
    """
    found = _PAGES.fullmatch(text.strip()) if text and len(text) <= 30 else None  # noqa: PLR2004 - hostile input
    if found is None:
        return None
    first, last = found.group(1), found.group(2) or found.group(1)
    if len(last) < len(first):
        last = first[: -len(last)] + last  # `101-9`
    return Span(int(first), int(last)) if int(first) <= int(last) else None


def is_whole(spans: Sequence[Span], works: int, *, told: bool) -> bool:
    """Whether a table shows no gap.

    Args:
        spans: Pages of those works that have any, in any order.
        works: Number of all works that the table lists.
        told: Whether the collection says that number; else it is that of the works that were found.
    """
    if works < MIN_WORKS or len(spans) < PAGED * works:
        return False
    ordered = sorted(spans)
    single = sum(span.first == span.last for span in ordered)
    if single >= PAGED * len(ordered):
        return _is_numbered(ordered, works)
    hole = MAX_HOLE if told else min(MAX_HOLE, *(span.last - span.first for span in ordered))
    reach, overlaps = 0, 0
    for span in ordered:
        if span.first - reach - 1 > hole:
            return False
        overlaps += span.first < reach
        reach = max(reach, span.last)
    return overlaps <= OVERLAPPING * works


def _is_numbered(spans: Sequence[Span], works: int) -> bool:
    """Whether papers are numbered 1, 2, 3 ... without a break; one without a number could be any."""
    numbers = [span.first for span in spans]
    return len(numbers) == works and numbers[0] <= 1 and numbers == list(range(numbers[0], numbers[0] + works))


def is_full(name: str) -> bool:
    """Whether a name says what venue it is: two words or more that are no acronym, number or small word.

    `ACL 2020` may mean the conference, a workshop there, or a companion volume; several venues share an acronym.

    >>> is_full("Computational Linguistics"), is_full("EMNLP-IJCNLP 2019"), is_full("ICML Workshop"), is_full("Nature")
    (True, False, False, False)
    """
    words = _TOKEN.findall(name[:1_000])
    return sum(_is_word(word) for word in words) >= _FULL_WORDS


def _is_word(word: str) -> bool:
    if len(word) < _SMALL_WORD or any(letter.isdigit() for letter in word):
        return False
    return sum(letter.isupper() for letter in word) <= 1  # `NeurIPS`, `SIGIR`
