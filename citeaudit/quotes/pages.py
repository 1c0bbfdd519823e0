"""Which pages of a PDF a cited page can mean: its number there, its label, its printed number, its place in a range."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from citeaudit.errors import ExtractionError
from citeaudit.pdf.wording import read_words
from citeaudit.quotes.shelf import Book

FOLLOWING = 20
"""Pages that `ff.` may mean; nobody says where it ends."""
EDGE_LINES = 3
"""Lines at the head and at the foot of a page in which its number may stand."""
SEEN = 2
"""Pages on which printed numbers must run with the pages to be those of the pages."""
COVERS = 1
"""Pages that a PDF may have more or fewer than the cited range."""
ROMAN, ARABIC = "roman", ""
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_ROMAN = re.compile(r"(?=[ivxlc])(c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})", re.IGNORECASE)
_NAME = re.compile(r"(?P<series>[A-Za-z]{0,3}?)(?P<number>\d{1,6})")
_RANGE = re.compile(r"\s*[-\u2010-\u2015\u2212]{1,2}\s*")
_APART = re.compile(r"\s*(?:[,;&]|\b(?:and|und|et|y)\b)\s*")
_OPEN = re.compile(r"(?<=[\divxlc])\s?(?P<how>ff?|sqq?|ss)\.?$")
_LEAD = re.compile(r"^(?:pp?|pages?|seiten?|s)[.\s]\s*", re.IGNORECASE)
_AT_EDGE = re.compile(r"^\W{0,3}([A-Za-z]?\d{1,5})\b|\b([A-Za-z]?\d{1,5})\W{0,3}$|\bpage\s(\d{1,5})\b", re.IGNORECASE)


class Name(NamedTuple):
    """What a page is called."""

    series: str
    """`roman`, empty for plain numbers, or the letters before them: `a` of `A12`."""
    number: int


class Claim(NamedTuple):
    """The pages that a citation names, both ends included."""

    first: Name
    last: int


def parse_name(text: str) -> Name | None:
    """Read what a page is called.

    >>> parse_name("xii"), parse_name("A12"), parse_name("cover")
    (Name(series='roman', number=12), Name(series='a', number=12), None)
    """
    text = text.strip().strip("[]()")
    if found := _NAME.fullmatch(text):
        return Name(found["series"].casefold(), int(found["number"]))
    if not _ROMAN.fullmatch(text):
        return None
    digits = [_VALUES[letter] for letter in text.casefold()]
    pairs = zip(digits, [*digits[1:], 0], strict=True)
    return Name(ROMAN, sum(-one if one < two else one for one, two in pairs))


def parse_claim(text: str | None) -> tuple[Claim, ...]:
    """Read a claimed page as printed; empty where none is named, or in a way that is not known.

    >>> parse_claim("3-4"), parse_claim("123-5"), parse_claim("45f")
    ((Claim(first=Name(series='', number=3), last=4),), (Claim(first=Name(series='', number=123), last=125),), \
(Claim(first=Name(series='', number=45), last=46),))
    """
    parts = _APART.split(_LEAD.sub("", (text or "").strip())[:100])
    return tuple(filter(None, map(_claim, parts)))


def _claim(text: str) -> Claim | None:
    more = _OPEN.search(text)
    head, *rest = _RANGE.split(text[: more.start()] if more else text, maxsplit=1)
    first = parse_name(head)
    if first is None:
        return None
    if more:
        return Claim(first, first.number + (1 if more["how"] == "f" else FOLLOWING))
    end = parse_name(rest[0]) if rest else None
    if end is None:
        return Claim(first, first.number)
    last, digits = end.number, str(first.number)
    if last < first.number and len(str(last)) < len(digits) and first.series == end.series != ROMAN:
        last = int(digits[: -len(str(last))] + str(last))  # 123-5 is 123-125
    return Claim(first, max(last, first.number))


class Pages:
    """The pages of one document as a citation may name them.

    Args:
        book: The document.
        cited: The pages of the work as the reference gives them: `1703-1715`.
    """

    def __init__(self, book: Book, cited: str | None = None) -> None:
        """Look at nothing yet."""
        self._book = book
        self._range = next(iter(parse_claim(cited)), None)

    def accepted(self, claims: tuple[Claim, ...]) -> frozenset[int]:
        """Give the 1-based pages of the PDF that the claimed ones mean; none where the document has no such page.

        A range of pages in the reference says which page is meant only if the document has as many.
        """
        return frozenset(page for page in self._numbers if any(_is_one(name, claims) for name in self._names(page)))

    def fits(self, page: int, claims: tuple[Claim, ...]) -> bool:
        """Whether a page may be what is claimed, in any way of counting; generous, for a doubt must not accuse."""
        names = {*self._names(page), Name(ROMAN, page), *self._edges.get(page, ()), *self._placed(page)}
        return any(_is_one(name, claims) for name in names)

    @property
    def _numbers(self) -> range:
        return range(1, self._book.pages + 1)

    def _names(self, page: int) -> Iterator[Name]:
        yield Name(ARABIC, page)
        yield from self._printed.get(page, ())
        if self._fits_range:
            yield from self._placed(page)
        label = self._labels[page - 1] if page <= len(self._labels) else ""
        name = parse_name(label)
        if name:
            yield name

    def _placed(self, page: int) -> Iterator[Name]:
        """Give the page that stands at this place in the cited range."""
        if self._range is not None:
            yield Name(self._range.first.series, self._range.first.number + page - 1)

    @property
    def _fits_range(self) -> bool:
        if self._range is None:
            return False
        return abs(self._range.last - self._range.first.number + 1 - self._book.pages) <= COVERS

    @cached_property
    def _labels(self) -> tuple[str, ...]:
        try:
            return read_words(self._book.path).labels
        except ExtractionError:
            return ()

    @cached_property
    def _edges(self) -> dict[int, tuple[Name, ...]]:
        """Give the numbers at head and foot of each page."""
        stream = self._book.source.drawn
        rows: dict[int, list[tuple[float, str]]] = {}
        if stream is None:
            return {}
        for line in stream.lines:
            rows.setdefault(line.page, []).append((line.y0, stream.raw[line.start : line.end].strip()))
        found = {}
        for page, lines in rows.items():
            lines.sort()
            texts = dict.fromkeys(text for _, text in (*lines[:EDGE_LINES], *lines[-EDGE_LINES:]))
            found[page] = tuple(dict.fromkeys(name for text in texts for name in _edge_names(text)))
        return found

    @cached_property
    def _printed(self) -> dict[int, tuple[Name, ...]]:
        """Give the printed number of each page, of those at its edges that run with the pages."""
        steps = Counter((name.series, name.number - page) for page, names in self._edges.items() for name in names)
        running = {step for step, count in steps.items() if count >= min(SEEN, self._book.pages)}
        found: dict[int, tuple[Name, ...]] = {}
        for series, step in running:
            own = [page for page, names in self._edges.items() if Name(series, page + step) in names]
            for page in range(min(own), max(own) + 1):
                found[page] = (*found.get(page, ()), Name(series, page + step))
        return found


def _edge_names(text: str) -> Iterator[Name]:
    alone = parse_name(text.strip("-–—·|. "))
    if alone:
        yield alone
    for match in _AT_EDGE.finditer(text):
        name = parse_name(next(filter(None, match.groups())))
        if name:
            yield name


def _is_one(name: Name, claims: tuple[Claim, ...]) -> bool:
    return any(one.first.series == name.series and one.first.number <= name.number <= one.last for one in claims)
