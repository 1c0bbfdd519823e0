"""Describe a place at which the title of a printed reference may end, for the model of `fields_breaks`.

Each feature is a name; the names of what stands on both sides, and some of their pairs, are what the weights
in `break_weights.json` belong to. A feature added or changed here needs `benchmarks/train_breaks.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from citeaudit.extract.fields.words import is_venue_word, words


class Break(NamedTuple):
    """A place where the title may end: `end` is after its last character, `after` where the rest starts."""

    kind: str
    end: int
    after: int


class Context(NamedTuple):
    """What was decided before the title."""

    style: str
    """Style of the author list."""
    mark: str
    """What closed it; `y` where a year stood between authors and title."""
    listed: str | None = None
    """Style of the whole list, where the caller knows it."""


BREAK = re.compile(
    r"(?P<period>(?<!\s)\.[”\"’»)\]]?\s(?=\S))|(?P<query>[?!][”\"’»)]?[.,]?\s(?=\S))|"
    r"(?P<in>[.,:;]\s(?:In|in)(?::\s?|\s(?=[A-ZÄÖÜ]))|\s(?:In\s(?=[A-ZÄÖÜ])|[Ii]n:\s?)|//\s?)|(?P<bare>\sin\s(?=[A-ZÄÖÜ]))|"
    r"(?P<comma>\s?,\s?(?=\S))|(?P<colon>:\s)|(?P<semi>\s?;\s)|(?P<paren>[.,]?\s[(\[](?=\S))|(?P<dash>\s[–—-]\s)|(?P<end>[.,;]?\s?$)"
)
"""The kinds of places; the name of the group is the kind."""

_LATER_PERIOD = re.compile(r"[^\W\d_]{3}[.?!]\s(?=\S)")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*\.?")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b")
_VOLUME = re.compile(
    r"\d{1,4}\s?(?:\(\s?\w{1,9}\s?\)|[,:]\s?(?:no\.?\s?)?[eE]?\d|\s\(\d{4}\))|\bvol(?:ume)?\b|\bv\.\s?\d|\bno\.|\bBd\.|\bH\.\s?\d|\bJg\.",
    re.IGNORECASE,
)
_PAGES = re.compile(r"\bpp?\.?\s?\d|\bS\.\s?\d|\d{1,5}\s?[-–‐‒—]{1,2}\s?\d{1,5}|\bpages?\b", re.IGNORECASE)
_CITY = re.compile(r"[A-ZÄÖÜ][\w./ -]{2,30}(?:,\s[A-Z]{2})?\s?:\s")
_ABBREVIATED = re.compile(r"(?:[A-ZÄÖÜ][\w-]{0,9}\.\s?){1,6}")
_SEGMENT = re.compile(r"[.,:;(]\s|\s\(|\d")
_WINDOW = 160
"""Characters after a break that are looked at."""
_BUCKETS = (0, 1, 2, 4, 7, 12, 18, 26, 40)
_CUES = frozenset(
    {
        "in",
        "proc",
        "proceedings",
        "advances",
        "arxiv",
        "corr",
        "phd",
        "ph",
        "dissertation",
        "diss",
        "master",
        "technical",
        "thesis",
    }
    | {
        "report",
        "edited",
        "ed",
        "hrsg",
        "vol",
        "pp",
        "no",
        "bd",
        "band",
        "unpublished",
        "available",
        "retrieved",
        "http",
        "manuscript",
    }
    | {"eds", "trans", "presented", "paper", "doctoral"}
)
_OPEN_ENDS = frozenset(
    {
        "the",
        "of",
        "and",
        "a",
        "in",
        "for",
        "on",
        "und",
        "der",
        "die",
        "des",
        "de",
        "la",
        "et",
        "with",
        "to",
        "von",
        "zur",
        "im",
        "am",
    }
)


def _bucket(count: int) -> str:
    return next((str(limit) for limit in _BUCKETS if count <= limit), "more")


#: What announces that a later mark ends the title: `Title. Subtitle. City: Press`, `Title. Subtitle. In: …`.
_LATER_CITY = re.compile(r"[.?!,]\s[A-ZÄÖÜ][\w/ -]{2,30}(?:,\s[A-Z]{2})?\s?:\s[A-ZÄÖÜ]")
_LATER_IN = re.compile(r"[.?!,;]\s[Ii]n(?::\s|\s[A-ZÄÖÜ])")
_LATER_VOLUME = re.compile(r"[.?!]\s[A-ZÄÖÜ][^.\d]{3,60},?\s(?:vol\.?\s)?\d{1,4}\s?[(:,]")
_LATER_WORD = re.compile(r"[.?!,]\s([A-ZÄÖÜ][\w-]{2,20})")


def _later_place(rest: str) -> bool:
    return any(match.group(1).lower() in words("place") for match in _LATER_WORD.finditer(rest))


class _Right(NamedTuple):
    """What follows a break: the window, its first segment and the words of that."""

    rest: str
    segment: str
    spelt: list[str]

    @property
    def first(self) -> str:
        return self.spelt[0].lower().rstrip(".") if self.spelt else ""

    def has(self, name: str) -> bool:
        return any(token.lower().rstrip(".") in words(name) for token in self.spelt)

    @property
    def case(self) -> str:
        """How the first segment is capitalised."""
        tokens = [token for token in self.segment.split() if token[0].isalpha()]
        capital = sum(token[0].isupper() for token in tokens)
        lower = sum(token[0].islower() and len(token) > 3 for token in tokens)  # noqa: PLR2004 - short words stay small
        return "title-case" if capital and not lower else "sentence-case" if lower > capital else "mixed"

    @property
    def head(self) -> str:
        """The class of the first character."""
        char = self.rest[0]
        if char.isdigit():
            return "digit"
        if char.isalpha():
            return "upper" if char.isupper() else "lower"
        return char if char in "([“„" else "other"


_RIGHT: tuple[tuple[str, Callable[[_Right], object]], ...] = (
    ("right-journal", lambda right: any(map(is_venue_word, right.spelt))),
    (
        "right-journal-first",
        lambda right: is_venue_word(right.first) or (bool(right.spelt) and is_venue_word(right.spelt[0])),
    ),
    ("right-publisher", lambda right: right.has("publisher")),
    ("right-publisher-first", lambda right: right.first in words("publisher")),
    ("right-place", lambda right: right.first in words("place")),
    ("right-place-inside", lambda right: right.has("place")),
    ("right-city", lambda right: _CITY.match(right.rest)),
    ("right-abbreviated", lambda right: _ABBREVIATED.match(right.rest)),
    ("right-year-now", lambda right: _YEAR.match(right.rest.lstrip("("))),
    ("right-volume-near", lambda right: _VOLUME.search(right.rest[: len(right.segment) + 25])),
    ("right-year-near", lambda right: _YEAR.search(right.rest[: len(right.segment) + 12])),
    ("right-pages", lambda right: _PAGES.search(right.rest)),
    ("right-later-city", lambda right: _LATER_CITY.search(right.rest)),
    ("right-later-place", lambda right: _later_place(right.rest)),
    ("right-later-in", lambda right: _LATER_IN.search(right.rest)),
    ("right-later-volume", lambda right: _LATER_VOLUME.search(right.rest)),
    ("right-no-numbers", lambda right: not _VOLUME.search(right.rest) and not _PAGES.search(right.rest)),
)


def describe_right(text: str, after: int) -> Iterator[str]:
    """Name what follows a break."""
    rest = text[after : after + _WINDOW]
    if not rest:
        yield "right-empty"
        return
    segment = _SEGMENT.split(rest, maxsplit=1)[0]
    right = _Right(rest, segment, _WORD.findall(segment))
    yield f"right-{right.head}"
    yield f"right-words-{_bucket(len(right.spelt))}"
    yield f"right-{right.case}"
    if right.first in _CUES:
        yield f"right-cue-{right.first}"
    yield from (name for name, test in _RIGHT if test(right))


class _Left(NamedTuple):
    """A supposed title and its words."""

    title: str
    tokens: list[str]

    @property
    def last(self) -> str:
        return self.tokens[-1].lstrip('([“"„‘').rstrip(".")


_IN_INSIDE = re.compile(r"[.,;:?]\s(?:In|in)[:\s]")
_LINK_INSIDE = re.compile(r"https?:|www\.")
_VENUE_INSIDE = re.compile(
    r"[.,?]\s[^.,?]*\b(?:Press|Verlag|University|Journal|Review|Zeitschrift|Proceedings|Revista|Revue)\b"
)
_SHORTENED = re.compile(r"\b(?:[A-ZÄÖÜ][a-z]{1,7}\.\s){2}")

_LEFT: tuple[tuple[str, Callable[[_Left], object]], ...] = (
    (
        "title-ends-abbreviated",
        lambda left: left.last.lower() in words("abbreviation") or (len(left.last) == 1 and left.last.isupper()),
    ),
    ("title-ends-journal", lambda left: is_venue_word(left.last)),
    ("title-ends-digit", lambda left: left.last.isdigit() and not _YEAR.fullmatch(left.last)),
    ("title-ends-year", lambda left: _YEAR.fullmatch(left.last)),
    ("title-ends-capital", lambda left: left.last[:1].isupper()),
    ("title-ends-open", lambda left: left.last.lower() in _OPEN_ENDS),
    ("title-ends-place", lambda left: left.last.lower().strip(".,:;()") in words("place")),
    ("title-open-bracket", lambda left: left.title.count("(") > left.title.count(")")),
    (
        "title-open-quote",
        lambda left: (
            left.title.count("“") + left.title.count("„")
            > left.title.count("”") + left.title.count("“") * ("„" in left.title)
        ),
    ),
    ("title-volume", lambda left: _VOLUME.search(left.title)),
    ("title-pages", lambda left: _PAGES.search(left.title)),
    ("title-year", lambda left: _YEAR.search(left.title)),
    ("title-in", lambda left: _IN_INSIDE.search(left.title)),
    ("title-url", lambda left: _LINK_INSIDE.search(left.title)),
    ("title-journal", lambda left: sum(map(is_venue_word, left.tokens)) > 1),
    ("title-venue-after-mark", lambda left: _VENUE_INSIDE.search(left.title)),
    ("title-abbreviations", lambda left: _SHORTENED.search(left.title + " ")),
    ("title-no-lower", lambda left: not any(token[0].islower() and len(token) > 3 for token in left.tokens)),  # noqa: PLR2004
)


def describe_left(text: str, start: int, end: int) -> Iterator[str]:
    """Name what a supposed title is like."""
    title = text[start:end]
    left = _Left(title, title.split())
    yield f"title-words-{_bucket(len(left.tokens))}"
    if not left.tokens:
        return
    kinds = [match.lastgroup for match in BREAK.finditer(title)]
    yield f"title-periods-{min(kinds.count('period'), 3)}"
    if "comma" in kinds:
        yield "title-commas"
    yield from (name for name, test in _LEFT if test(left))


def features(text: str, start: int, candidate: Break, context: Context, place: int) -> list[str]:
    """Name all there is to say about one candidate.

    Args:
        text: The reference without label and identifiers.
        start: Where the title starts.
        candidate: Where it may end; of kind `none` where no title is printed.
        context: What was decided before.
        place: Its rank among those of its kind, from 0.
    """
    kind, mark, rank = candidate.kind, context.mark, min(place, 4)
    later = "later" if _LATER_PERIOD.search(text, candidate.end + 1) else "last"
    out = [
        f"kind-{kind}",
        f"{kind}&mark{mark}",
        f"{kind}&{context.style}",
        f"{kind}&{rank}",
        f"{kind}&mark{mark}&{rank}",
    ]
    out += [f"{kind}&{later}", f"{kind}&{later}&mark{mark}"]
    right = list(describe_right(text, candidate.after))
    if kind == "none":
        named = [f"none-{name}" for name in right]
        return [*out, *named, *(f"{name}&mark{mark}" for name in named)]
    left = list(describe_left(text, start, candidate.end))
    return [*out, *right, *left, *(f"{kind}&{name}" for name in (*right, *left)), *(f"{mark}&{name}" for name in right)]
