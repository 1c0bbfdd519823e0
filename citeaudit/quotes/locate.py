"""Find a quote in a source: every place where it stands, and how it had to be read to be found.

The tiers go from the plainest reading to the boldest; the first that finds the quote decides. All of them mean that
the source says what is quoted; their names say what was left out of account. A quote that differs in a number, a sign,
a unit or a word is not found here; `citeaudit.quotes.nearest` shows what stands nearest to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from citeaudit.extract.pdf.borders import is_caption
from citeaudit.pdf import PdfText
from citeaudit.quotes.folding import UNREADABLE
from citeaudit.quotes.guards import Notes, inside, is_cut, whole
from citeaudit.quotes.quotation import Part, Quotation, readings
from citeaudit.quotes.stream import Folding, Line, Stream, as_drawn, as_read, of_text

MAX_GAP = 400
"""Characters that an ellipsis may leave out."""
MAX_INSERTED = 60
"""Characters that a bracketed insertion may stand for: about five words."""
SAME_SIZE = 0.06
"""Share by which the heights of lines of one text differ at most."""
MAX_BREAK = 4_000
"""Folded characters of a figure, a table or notes that may interrupt a sentence."""
LEAST_PART = 3
"""Words of each part of a quote with omissions."""
LEAST_HEAD = 12
"""Folded characters on either side of an interruption."""
BESIDE = 3
"""Characters between a citation and the words it belongs to."""
MOST = 200
"""Occurrences that are listed."""
_WORD = re.compile(r"\w+")
_NEGATION = re.compile(
    r"\b(?:not|no|never|nor|neither|none|nobody|nothing|without|cannot|hardly|barely|except|unless|fails?|failed|lacks?"
    r"|nicht|kein\w*|nie|ohne|ni|pas|jamais|sans|sin|nunca|non|senza)\b|\w+n['’]t\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?;](?:\s|$)")


class Tier(StrEnum):
    """How a quote was read where it was found."""

    EXACT = "exact"
    NORMALISED = "normalised"
    """Line ends, hyphens, ligatures, accents, dashes, quotation marks, spaces or punctuation differ."""
    HYPHENS = "hyphen-kept"
    """A hyphen stands in the quote where the source has one at the end of a line, or the other way round."""
    SUPERSCRIPTS = "superscripts-skipped"
    CITATIONS = "citations-skipped"
    ELIDED = "elided"
    CROSS_BLOCK = "cross-block"
    """A figure, a table or notes stand in between."""
    CROSS_PAGE = "cross-page"


class Piece(NamedTuple):
    """The part of an occurrence on one line."""

    line: Line
    start: int
    end: int
    """In the text of the stream."""
    text: str


class Occurrence(NamedTuple):
    """One place where a quote stands."""

    pieces: tuple[Piece, ...]
    text: str
    """As the source prints it, in one line."""
    hidden: bool = False
    layer: bool = False

    @property
    def pages(self) -> tuple[int, ...]:
        """Give the 1-based pages on which it stands."""
        return tuple(dict.fromkeys(piece.line.page for piece in self.pieces))


class Found(NamedTuple):
    """Where and how a quote was found."""

    tier: Tier
    occurrences: tuple[Occurrence, ...]
    notes: tuple[str, ...] = ()
    """What differs without changing what is said."""
    omitted: tuple[str, ...] = ()
    """What the quote leaves out by ellipses."""

    @property
    def hidden(self) -> bool:
        """Whether the quote stands in nothing but text that no reader sees."""
        return all(one.hidden for one in self.occurrences)


class Source:
    """A document in which quotes are looked for.

    Args:
        read: Its text in the order of reading.
        drawn: Gives all of its text in the order of drawing; asked only when needed.
    """

    def __init__(self, read: Stream, drawn: Callable[[], Stream] | None = None) -> None:
        """Keep the streams."""
        self.read = read
        self._drawn = drawn

    @classmethod
    def of_pdf(cls, pdf: PdfText) -> Source:
        """Give the source of a PDF that was read."""
        return cls(as_read(pdf), lambda: as_drawn(pdf))

    @classmethod
    def of_text(cls, text: str) -> Source:
        """Give the source of a text without pages."""
        return cls(of_text(text))

    @cached_property
    def drawn(self) -> Stream | None:
        """All text in the order of drawing; `None` in a source without pages."""
        return self._drawn() if self._drawn else None

    def locate(self, quote: str, page: int | None = None) -> Found | None:
        """Find a quote.

        Args:
            quote: The words looked for.
            page: 1-based page on which they are said to stand; where they are found on other pages only, headings
                and margins are searched too.

        Returns:
            The first tier that finds it, or `None`. Never raises.
        """
        ways = readings(quote)
        best: Found | None = None
        for stream in self._streams():
            found = next(filter(None, (_Search(stream, way).found() for way in ways)), None)
            if found and (page is None or any(page in one.pages for one in found.occurrences)):
                return found
            best = best or found
        return best

    def _streams(self) -> Iterator[Stream]:
        yield self.read
        if self.drawn is not None:
            yield self.drawn


class _Hit(NamedTuple):
    """A match in one folding."""

    folding: Folding
    first: int
    last: int
    notes: Notes

    @property
    def start(self) -> int:
        return self.folding.at[self.first]

    @property
    def end(self) -> int:
        return self.folding.at[self.last - 1] + 1


class _Search:
    """One reading of a quote in one stream."""

    def __init__(self, stream: Stream, way: Quotation) -> None:
        self._stream = stream
        self._way = way

    def found(self) -> Found | None:
        """Try the tiers in their order."""
        if len(self._way.parts) > 1:
            return self._elided()
        only = self._way.parts[0]
        for folding, tier in self._foldings():
            hits = self._hits(folding, only)
            if hits:
                return self._told(hits, tier, only)
        return self._broken(only) if self._stream.in_order else None

    def _foldings(self) -> Iterator[tuple[Folding, Tier]]:
        """Give the foldings of the stream in which superscripts or citations are left out, each once."""
        stream = self._stream
        seen: list[str] = []
        tiers = [(stream.whole, Tier.CITATIONS if self._way.uncited else Tier.NORMALISED)]
        if not self._way.uncited:  # other citations than those of the source are not left out
            tiers += [
                (stream.without_raised, Tier.SUPERSCRIPTS),
                (stream.without_cited, Tier.CITATIONS),
                (stream.without_both, Tier.CITATIONS),
            ]
        for folding, tier in tiers:
            if not any(folding.text is text for text in seen):
                seen.append(folding.text)
                yield folding, tier

    def _hits(self, folding: Folding, wanted: Part, start: int = 0, end: int | None = None) -> list[_Hit]:
        """Give the matches of a part that hold whole words and numbers."""
        hits: list[_Hit] = []
        for first, last in _matches(folding.text, wanted.folded.text, start, len(folding.text) if end is None else end):
            hit = self._checked(folding, wanted, first, last)
            if hit and (not hits or first >= hits[-1].last):
                hits.append(hit)
            if len(hits) == MOST:
                break
        return hits

    def _checked(self, folding: Folding, wanted: Part, first: int, last: int) -> _Hit | None:
        if not whole(self._stream, folding, first, last):
            return None
        if self._way.uncited and self._cites(folding.at[first], folding.at[last - 1] + 1):
            return None
        if UNREADABLE in wanted.folded.text:
            return _Hit(folding, first, last, Notes(unreadable=True))
        notes = inside(self._stream, folding, first, wanted.text, wanted.folded.at)
        return None if notes is None else _Hit(folding, first, last, notes)

    def _cites(self, begin: int, end: int) -> bool:
        """Whether the source cites right before or behind a match, other than the quote does."""
        near = [(start, stop) for start, stop in self._stream.cited if start < end + BESIDE and stop > begin - BESIDE]
        return any(stop <= begin or start >= end for start, stop in near)

    def _told(self, hits: Sequence[_Hit], tier: Tier, wanted: Part) -> Found:
        occurrences = _apart([self._occurrence([(hit.start, hit.end)]) for hit in hits])
        first = hits[0]
        raw = self._stream.raw[first.start : first.end]
        notes = _notes(first.notes, wanted.text, raw, cut=is_cut(self._stream, first.end))
        if tier is Tier.NORMALISED:
            tier = _tier(wanted.text, raw, occurrences[0])
        return Found(tier, tuple(occurrences), notes)

    def _occurrence(self, stretches: Sequence[tuple[int, int]]) -> Occurrence:
        stream = self._stream
        pieces = tuple(
            Piece(line, first, last, stream.raw[first:last])
            for start, end in stretches
            for line, first, last in stream.pieces(start, end)
        )
        return Occurrence(
            pieces,
            " … ".join(" ".join(stream.raw[start:end].split()) for start, end in stretches),
            any(stream.is_hidden(start, end) for start, end in stretches),
            any(stream.is_layer(start, end) for start, end in stretches),
        )

    def _broken(self, wanted: Part) -> Found | None:
        """Find a quote that something interrupts: a figure, a table, notes, the end of a page with its foot."""
        for folding, _ in self._foldings():
            split = _interrupted(folding, self._stream, wanted.folded.text)
            if split is None:
                continue
            (one, two), (three, four) = split
            if self._way.uncited and self._cites(folding.at[one], folding.at[four - 1] + 1):
                continue
            head = self._occurrence(
                [(folding.at[one], folding.at[two - 1] + 1), (folding.at[three], folding.at[four - 1] + 1)]
            )
            if not (whole(self._stream, folding, one, two) and whole(self._stream, folding, three, four)):
                continue
            tier = Tier.CROSS_PAGE if len(head.pages) > 1 else Tier.CROSS_BLOCK
            return Found(tier, (head,))
        return None

    def _elided(self) -> Found | None:
        """Find the parts of a quote in their order, each near the one before it."""
        parts, gaps = self._way.parts, self._way.gaps
        if any(
            len(_WORD.findall(part.text)) < LEAST_PART
            for part, gap in zip(parts[1:], gaps, strict=True)
            if not gap.inserted
        ):
            return None
        if len(_WORD.findall(parts[0].text)) < LEAST_PART:
            return None
        for folding, _ in self._foldings():
            for first in self._hits(folding, parts[0]):
                chain = self._chain(folding, first)
                if chain:
                    return self._chained(chain)
        return None

    def _chain(self, folding: Folding, first: _Hit) -> list[_Hit] | None:
        chain = [first]
        for wanted, gap in zip(self._way.parts[1:], self._way.gaps, strict=True):
            room = MAX_INSERTED if gap.inserted else MAX_GAP
            near = self._hits(folding, wanted, chain[-1].last, chain[-1].last + room + len(wanted.folded.text))
            if not near or (not gap.inserted and self._turns(chain[-1], near[0])):
                return None
            chain.append(near[0])
        return chain

    def _turns(self, one: _Hit, two: _Hit) -> bool:
        """Whether what was left out denies what follows: "is … permitted" for "is not permitted"."""
        left_out = self._stream.raw[one.end : two.start]
        ends = [match.end() for match in _SENTENCE_END.finditer(left_out)]
        return bool(_NEGATION.search(left_out[ends[-1] if ends else 0 :]))

    def _chained(self, chain: Sequence[_Hit]) -> Found:
        stretches = [(hit.start, hit.end) for hit in chain]
        omitted = tuple(" ".join(self._stream.raw[one[1] : two[0]].split()) for one, two in pairwise(stretches))
        return Found(Tier.ELIDED, (self._occurrence(stretches),), (), omitted)


def _matches(text: str, wanted: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give where a folded text stands; a character that the quote lost stands for one to three letters."""
    if UNREADABLE not in wanted:
        place = text.find(wanted, start, end)
        while place >= 0:
            yield place, place + len(wanted)
            place = text.find(wanted, place + 1, end)
        return
    readable = [re.escape(part) for part in wanted.split(UNREADABLE)]
    if sum(map(len, readable)) >= LEAST_HEAD:
        for match in re.compile(r"[^\W\d_]{1,3}".join(readable)).finditer(text, start, end):
            yield match.span()


def _interrupted(folding: Folding, stream: Stream, wanted: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Give head and tail of a quote between which other lines stand: both at the edge of a line."""
    text = folding.text
    low, high = LEAST_HEAD, len(wanted) - LEAST_HEAD
    if high < low or text.find(wanted[:low]) < 0:
        return None
    while low < high:
        middle = (low + high + 1) // 2
        if text.find(wanted[:middle]) >= 0:
            low = middle
        else:
            high = middle - 1
    for size in range(low, max(LEAST_HEAD, low - 3) - 1, -1):
        place = text.find(wanted[:size])
        while place >= 0:
            end = place + size
            tail = text.find(wanted[size:], end, end + MAX_BREAK + len(wanted))
            if tail >= 0 and _edge(stream, folding, end, tail):
                return (place, end), (tail, tail + len(wanted) - size)
            place = text.find(wanted[:size], place + 1)
    return None


def _edge(stream: Stream, folding: Folding, end: int, tail: int) -> bool:
    """Whether one stretch ends a line, another begins one, and what stands between is no running text.

    It is none where its letters are of another size than those before, or where it follows a caption.
    """
    first, last = stream.line_of(folding.at[end - 1]), stream.line_of(folding.at[tail])
    one, two = stream.lines[first], stream.lines[last]
    after = stream.raw[folding.at[end - 1] + 1 : one.end]
    before = stream.raw[two.start : folding.at[tail]]
    if any(map(str.isalnum, after)) or any(map(str.isalnum, before)):
        return False
    captioned = False
    for line in stream.lines[first + 1 : last]:
        captioned = captioned or is_caption(stream.raw[line.start : line.end].strip())
        if not captioned and abs(_height(line) - _height(one)) <= SAME_SIZE * _height(one):
            return False
    return True


def _height(line: Line) -> float:
    return line.y1 - line.y0


def _tier(quote: str, raw: str, occurrence: Occurrence) -> Tier:
    """Tell the plain tiers apart."""
    if len(occurrence.pages) > 1:
        return Tier.CROSS_PAGE
    if " ".join(raw.split()) == " ".join(quote.split()):
        return Tier.EXACT
    joined = re.sub(r"[-\u2010\u2011]\s*\n\s*", "", raw)
    kept = re.sub(r"([-\u2010\u2011])\s*\n\s*", r"\1", raw)
    if joined != kept and _hyphens(quote) == _hyphens(kept) != _hyphens(joined):
        return Tier.HYPHENS
    return Tier.NORMALISED


def _hyphens(text: str) -> int:
    return len(re.findall(r"(?<=\w)[-\u2010\u2011](?=\w)", text))


def _notes(notes: Notes, quote: str, raw: str, *, cut: bool) -> tuple[str, ...]:
    """Say what differs without changing what is said."""
    told = []
    if notes.spacing:
        told.append("spacing")
    if notes.grouping or (re.search(r"\d[,\s\u2009\u202f\u00a0]\d{3}", raw) is None) != (
        re.search(r"\d[,\s\u2009\u202f\u00a0]\d{3}", quote) is None
    ):
        told.append("digit grouping")
    if notes.raised:
        told.append("raised digits written level")
    if notes.unreadable:
        told.append("unreadable characters")
    if cut:
        told.append("ends in a cut word")
    if not raw.isascii() or not quote.isascii():
        one, two = _marks(quote), _marks(raw)
        if one != two:
            told.append("accents")
    return tuple(told)


def _marks(text: str) -> list[str]:
    import unicodedata

    return [char for char in unicodedata.normalize("NFKC", text).lower() if char.isalpha() and not char.isascii()]


def _apart(occurrences: Sequence[Occurrence]) -> list[Occurrence]:
    """Leave out what the PDF draws twice at one place."""
    kept: list[Occurrence] = []
    for one in occurrences:
        if not any(_same_place(one, other) for other in kept):
            kept.append(one)
    return kept


SAME = 0.7
"""Share of area, intersection over union, from which two boxes are one place."""


def _same_place(one: Occurrence, two: Occurrence) -> bool:
    if len(one.pieces) != len(two.pieces):
        return False
    return all(
        first.line.page == second.line.page
        and first.line.page > 0
        and _overlap(first.line, second.line) > SAME
        and first.start - first.line.start == second.start - second.line.start
        for first, second in zip(one.pieces, two.pieces, strict=True)
    )


def _overlap(one: Line, two: Line) -> float:
    width = min(one.x1, two.x1) - max(one.x0, two.x0)
    height = min(one.y1, two.y1) - max(one.y0, two.y0)
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    area = (one.x1 - one.x0) * (one.y1 - one.y0) + (two.x1 - two.x0) * (two.y1 - two.y0)
    return both / (area - both) if area > both else 1.0
