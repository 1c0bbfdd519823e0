"""The passage of a document that stands nearest to a quote, by the words they share in order.

A passage is as many words of one page as the quote has. The measure, its threshold and what counts as a word are those
of PyMuPDF's published notebook on checking quotes; its result is reached by bounds:
a passage is compared only if the words it shares, in any order and then in order, could make it the best.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from citeaudit.quotes.blocks import matched

_OUTSIDE = re.compile(r"[^\w%$.]")
_NO_WORD = "\0"
_FIRST = 0xE000
"""Character of the first word; private ones and those beyond stand for words."""
LEAST_PAGES = 3
"""Pages that are looked through where none can reach the ratio that matters."""
EPSILON = 1e-9
MOST_TRIED = 30
"""Passages that are compared where none can reach the ratio that matters."""


def word_form(text: str) -> str:
    """Give a word as it is compared: letters, digits, `_ % $ .`, in small letters, without dots at the end.

    >>> word_form("(Revenue,"), word_form("12.5%."), word_form("—")
    ('revenue', '12.5%', '')
    """
    return _OUTSIDE.sub("", text).lower().rstrip(".")


class Nearest(NamedTuple):
    """The nearest passage."""

    ratio: float
    """0 to 1: twice the words in matching blocks over the words of both."""
    page: int | None
    """1-based; none where no passage has a word in common."""
    text: str
    start: int = 0
    """Number of its first word on the page, from 0."""


class Passages:
    """The words of a document, ready for any number of quotes.

    Args:
        pages: The words of each page, in order, as printed.
    """

    def __init__(self, pages: Iterable[Sequence[str]]) -> None:
        """Number the words and note where each stands."""
        self._pages = [list(page) for page in pages]
        self._signs: dict[str, str] = {"": _NO_WORD}
        self._signed: list[str] = []
        self._places: list[dict[str, list[int]]] = []
        self._counts: dict[str, list[tuple[int, int]]] = {}
        """By word, the pages on which it stands and how often."""
        for page in self._pages:
            signs = [self._sign(word_form(word)) for word in page]
            places: dict[str, list[int]] = {}
            for place, sign in enumerate(signs):
                places.setdefault(sign, []).append(place)
            self._signed.append("".join(signs))
            self._places.append(places)
            for sign, listed in places.items():
                self._counts.setdefault(sign, []).append((len(self._places) - 1, len(listed)))

    def _sign(self, word: str) -> str:
        return self._signs.setdefault(word, chr(_FIRST + len(self._signs)))

    @property
    def has_pages(self) -> bool:
        """Whether the document has any page."""
        return bool(self._pages)

    def words_of(self, quote: str) -> list[str]:
        """Give the words of a quote as they are compared."""
        return [form for form in map(word_form, quote.split()) if form]

    def nearest(self, quote: str, *, least: float = 0.0) -> Nearest:
        """Give the passage nearest to a quote; among equals the first.

        Args:
            quote: The words looked for.
            least: Below this ratio any near passage will do: the one with most words in common, in any order.
        """
        words = self.words_of(quote)
        if not words:
            return Nearest(0.0, None, "")
        signs: dict[str, str] = {}
        for word in words:
            if word not in signs:
                signs[word] = self._signs.get(word) or chr(1 + len(signs))
        return self._search("".join(signs[word] for word in words), least)

    def _search(self, wanted: str, least: float) -> Nearest:
        size = len(wanted)
        best, found = 0.0, (0, -1)
        for bound, page, start in self._promising(wanted, least):
            if bound < best:
                break
            window = self._window(page, start, size)
            total = size + len(window)
            ratio = 2.0 * matched(wanted, window, least=ceil(best * total / 2 - EPSILON)) / total
            if ratio > best or (ratio == best and (page, start) < found):
                best, found = ratio, (page, start)
        page, start = found
        if start < 0:
            return Nearest(0.0, None, "")
        return Nearest(best, page + 1, " ".join(self._pages[page][start : start + size]), start)

    def _promising(self, wanted: str, least: float) -> Iterator[tuple[float, int, int]]:
        """Give bound, page and start of passages, the best bound first: of the words that they share in order."""
        size = len(wanted)
        kept, best = self._candidates(wanted, least)
        ranked = []
        for page, start in kept:
            window = self._window(page, start, size)
            total = size + len(window)
            share = LCSseq.similarity(wanted, window, score_cutoff=ceil(best * total / 2 - EPSILON))
            if share:
                ranked.append((-2.0 * share / total, page, start))
        ranked.sort()
        for bound, page, start in ranked:
            yield -bound, page, start

    def _candidates(self, wanted: str, least: float) -> tuple[list[tuple[int, int]], float]:
        """Give the passages whose words, in any order, may make them the nearest, and a ratio that one of them has."""
        pages = self._page_bounds(wanted)
        if not pages:
            return [], 0.0
        known: dict[int, list[float]] = {}
        first = known[pages[0][1]] = self._bounds(pages[0][1], wanted)
        best = self._ratio(wanted, pages[0][1], first.index(max(first)))
        floor = max(best, least)
        for bound, page in pages:
            if -bound < floor and len(known) >= LEAST_PAGES:
                break
            if page not in known:
                known[page] = self._bounds(page, wanted)
        kept = [(page, start) for page, bounds in known.items() for start, one in enumerate(bounds) if one >= floor]
        if kept or not least:
            return kept, best
        listed = ((bound, -page, -start) for page, bounds in known.items() for start, bound in enumerate(bounds))
        return [(-page, -start) for _, page, start in nlargest(MOST_TRIED, listed)], 0.0

    def _page_bounds(self, wanted: str) -> list[tuple[float, int]]:
        """Give a bound of the ratio, negative, and the number of each page that shares a word with it, in order."""
        size = len(wanted)
        shares: dict[int, int] = {}
        for sign in set(wanted):
            most = wanted.count(sign)
            for page, count in self._counts.get(sign, ()):
                shares[page] = shares.get(page, 0) + min(most, count)
        return sorted((-2.0 * share / (size + share), page) for page, share in shares.items())

    def _window(self, page: int, start: int, size: int) -> str:
        return self._signed[page][start : start + size].replace(_NO_WORD, "")

    def _ratio(self, wanted: str, page: int, start: int) -> float:
        window = self._window(page, start, len(wanted))
        return 2.0 * matched(wanted, window) / (len(wanted) + len(window))

    def _bounds(self, page: int, wanted: str) -> list[float]:
        """Give for each passage of a page the ratio that it would have if its words stood in the order of the quote."""
        size, signed = len(wanted), self._signed[page]
        count = max(1, len(signed) - size + 1)
        steps = [0] * (count + 1)
        places = self._places[page]
        for sign in set(wanted):
            listed, most = places.get(sign, ()), wanted.count(sign)
            for number, place in enumerate(listed):
                # A word counts as often as the quote has it: of more in one passage, the last ones.
                first = max(0, place - size + 1)
                last = min(place, count - 1)
                if number + most < len(listed):
                    last = min(last, listed[number + most] - size)
                if first <= last:
                    steps[first] += 1
                    steps[last + 1] -= 1
        shares = accumulate(steps[:count])
        if len(signed) >= size and _NO_WORD not in places:
            ratios = [share / size for share in range(size + 1)]
            return [ratios[share] for share in shares]
        return [2.0 * share / (size + len(self._window(page, start, size))) for start, share in enumerate(shares)]
