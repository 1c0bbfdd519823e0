"""Whether what a model read is printed in the reference, so that it can point at words but not add any."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citeaudit.agents.replies import Name, Reading
from citeaudit.identifiers import clean_arxiv_id, clean_doi
from citeaudit.text.normalize import fold, plain

_WORD = re.compile(r"[^\W_]+(?:[’'‘`´ʼ\u0300-\u036f]+[^\W_]+)*")
_WEAK = frozenset(" ,:-‐‑‒–—/&+'’‘()")
"""Marks that stand inside titles, too: beside one of these a title ends only where another field is printed."""
_INSIDE = frozenset((".", "-", "–"))
"""What joins the parts of numbers, when it stands between two words alone."""
_APART = 2
"""Words that may stand between a given and a family name: particles, a suffix."""
_CUT = 20
"""Places of a title that are tried; a title is not printed more often."""

Span = tuple[int, int]
"""Half-open, counted in words."""


class Printed:
    """A printed text as folded words, with what stands between them."""

    def __init__(self, text: str) -> None:
        """Cut the text into words; spaces, hyphens at line ends, case and accents will not matter."""
        text = plain(text)
        self.words: list[str] = []
        self._gaps: list[str] = []
        end = 0
        for match in _WORD.finditer(text):
            parts = fold(match.group()).split()
            if parts:
                self._gaps += [text[end : match.start()], *[" "] * (len(parts) - 1)]
                self.words += parts
                end = match.end()
        self._gaps.append(text[end:])
        self.key = "".join(self.words)
        self._starts: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        place = 0
        for number, word in enumerate(self.words):
            self._starts[place] = number
            place += len(word)
            self._ends[place] = number + 1

    def spans(self, value: str) -> Iterator[Span]:
        """Give where a value is printed as whole words, first to last; nowhere if it has no words."""
        key = Printed(value).key
        place = self.key.find(key) if key else -1
        while place >= 0:
            start, end = self._starts.get(place), self._ends.get(place + len(key))
            if start is not None and end is not None:
                yield start, end
            place = self.key.find(key, place + 1)

    def years(self, year: int) -> Iterator[Span]:
        """Give where a year is printed, alone or with a letter (`1999a`); `1999.00123` and `1999-2003` hold none."""
        shape = re.compile(rf"{year}[a-z]?")
        for number, word in enumerate(self.words):
            inside = {self._gaps[number], self._gaps[number + 1]} & _INSIDE
            if shape.fullmatch(word) and not inside:
                yield number, number + 1

    def bounded(self, span: Span, covered: frozenset[int]) -> bool:
        """Whether a title ends where the text lets it: at a mark, or at a word that is in another field."""
        start, end = span
        before = start == 0 or start - 1 in covered or self.words[start - 1] in {"al", "others"}
        after = end + (self.words[end : end + 1] == ["in"])
        behind = end == len(self.words) or after in covered
        return (before or _ends_here(self._gaps[start])) and (behind or _ends_here(self._gaps[end]))


def is_printed(reading: Reading, raw: str) -> bool:
    """Whether every value of a reading is printed in the reference: as whole words, each outside of the title.

    The title must stand between marks or other fields, so that a part of a longer one does not pass for it. The type
    is no printed value.
    """
    if not _has_identifiers(reading, raw):
        return False
    text = Printed(raw)
    if reading.title is None:
        return _rest(reading, text, (0, 0)) is not None
    titles = [span for _, span in zip(range(_CUT), text.spans(reading.title), strict=False)]
    covers = ((span, _rest(reading, text, span)) for span in titles)
    return any(covered is not None and text.bounded(span, covered) for span, covered in covers)


def _ends_here(gap: str) -> bool:
    """Whether the marks between two words can end a title: not so the point inside `2.0`."""
    return gap != "." and any(char not in _WEAK for char in gap)


def _rest(reading: Reading, text: Printed, title: Span) -> frozenset[int] | None:
    """Give the words that the other fields cover, or `None` where one of them is not printed outside of the title."""
    places = [_person(person, text, title) for person in reading.authors]
    values = (reading.container_title, reading.volume, reading.issue, reading.pages)
    places += [_outside(text.spans(value), title) for value in values if value is not None]
    if reading.year is not None:
        places.append(_outside(text.years(reading.year), title))
    if not all(places):
        return None
    return frozenset(word for spans in places for start, end in spans for word in range(start, end))


def _person(person: Name, text: Printed, title: Span) -> list[Span]:
    if person.family is None:
        return _outside(text.spans(person.literal or ""), title)
    families = _outside(text.spans(person.family), title)
    if person.given is None:
        return families
    given = _outside(text.spans(person.given), title)
    pairs = [(one, other) for one in families for other in given if _beside(one, other)]
    return [span for pair in pairs for span in pair]


def _beside(one: Span, other: Span) -> bool:
    return 0 <= other[0] - one[1] <= _APART or 0 <= one[0] - other[1] <= _APART


def _outside(spans: Iterator[Span], title: Span) -> list[Span]:
    return [span for span in spans if span[1] <= title[0] or span[0] >= title[1]]


def _has_identifiers(reading: Reading, raw: str) -> bool:
    text = raw.lower()
    given = ((reading.doi, clean_doi(reading.doi)), (reading.arxiv_id, clean_arxiv_id(reading.arxiv_id)))
    return all(value is None or (clean is not None and _stands(clean.lower(), text)) for value, clean in given)


def _stands(identifier: str, text: str) -> bool:
    """Whether an identifier is printed whole: `10.1/ab` does not stand in `10.1/abc`, nor in `10.1/ab.2`."""
    whole = rf"(?<![0-9.]){re.escape(identifier)}(?:v\d+)?(?![-\w]|[./;:(<][\w(])"
    return re.search(whole, text) is not None
