"""Describe the words of a printed reference for the labeller (`labeller`).

A word is what stands between white space; words that a lost space glued together are parted. What is said of a
word alone is kept apart from what is said of its place, so that the first need be worked out only once a word.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from citeaudit.extract.fields.words import is_venue_word, words
from citeaudit.text.names import PARTICLES

MAX_TOKENS = 600
"""Words of a reference that are labelled; what follows is taken for the rest."""


class Token(NamedTuple):
    """A word and where it stands; the span is half-open."""

    text: str
    start: int
    end: int


class Frame(NamedTuple):
    """What the rules say about a reference before it is labelled."""

    style: str
    """How the names are written (`NameStyle`)."""
    mark: str
    """What closes the author list; `y` where a year follows it."""
    start: int
    """Where the rules see the title start."""
    quoted: tuple[int, int] | None
    """The span of what stands in quotation marks there."""
    volume: int
    """Where the first number of a volume stands; the length of the text where there is none."""


_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(
    rf"[^\s,;{_CJK}]*[^\s,;{_CJK}](?:[,;]+(?=[^\s\d])|[,;]*)|[,;]+|[{_CJK}]+(?:\s?[,;.:]+)?",
)
_GLUED = re.compile(
    r"(?<=[^\W\d_]{2}[.:?!])(?=[^\W\d_a-z]|\d|[“\"‘(])|(?<=[)\]][.:])(?=[^\W\d_])|(?<=[”’\"][.,])(?=[^\W\d_])"
)


def tokens(text: str) -> list[Token]:
    """Part a reference into at most `MAX_TOKENS` words, in order.

    >>> [token.text for token in tokens("Doe, J. Math. Z.67,55 (1999)")]
    ['Doe,', 'J.', 'Math.', 'Z.67,', '55', '(1999)']
    """
    cuts = [match.start() for match in _GLUED.finditer(text)]
    cuts.append(len(text))
    found: list[Token] = []
    upcoming = 0
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        while cuts[upcoming] < end:
            if cuts[upcoming] > start:
                found.append(Token(text[start : cuts[upcoming]], start, cuts[upcoming]))
                start = cuts[upcoming]
            upcoming += 1
        found.append(Token(text[start:end], start, end))
        if len(found) >= MAX_TOKENS:
            break
    return found


_LISTS = ("place", "publisher", "abbreviation", "given")
_CORE = re.compile(r"^([^\w&]*)(.*?)([^\w&]*)$", re.DOTALL)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d[a-z]?")
_SHAPES = (
    ("year", _YEAR),
    ("range", re.compile(r"[A-Za-z]?\d+[-–‐−—][A-Za-z]?\d+")),
    ("number", re.compile(r"\d+")),
    ("volume", re.compile(r"\d+\(\d[\d-]*\)?(?::.*)?|\d+:[\w–-]+|\d+/\d+")),
    ("ordinal", re.compile(r"\d+(?:st|nd|rd|th|d)")),
    ("mixed", re.compile(r".*\d.*")),
    ("initial", re.compile(r"[^\W\d_]")),
    ("initials", re.compile(r"(?:[^\W\d_]{1,2}[.-]+){1,5}[^\W\d_]?")),
)
_CUES = {
    name: group
    for group, names in {
        "in": "in en em dans",
        "editor": "ed eds edited editor editors hrsg hg herausgeber org orgs dir edd",
        "volume": "vol vols volume bd band jg tome",
        "issue": "no nr heft issue num number",
        "pages": "p pp s pages page seiten seite pág pg",
        "edition": "edn edition aufl auflage ed",
        "thesis": "thesis dissertation diss phd ph.d master habilitation",
        "report": "report working paper techreport preprint manuscript unpublished",
        "and": "and & und et y e og",
        "al": "al others",
        "venue": "proceedings proc journal conference conf symposium workshop transactions trans annals review letters "
        "lett bulletin advances lecture notes zeitschrift",
        "press": "press verlag publishers publishing university books inc ltd editions editora éditions",
        "by": "by von par por",
        "status": "press forthcoming submitted appear accepted",
        "of": "of the for on a an der die das des für la le les de",
    }.items()
    for name in names.split()
}


def _case(core: str) -> str:
    if core.islower():
        return "lower"
    if core.isupper():
        return "upper" if len(core) > 1 else "initial"
    if core[0].isupper():
        return "capital" if core[1:].islower() else "camel"
    return "odd"


@lru_cache(maxsize=16_384)
def kind(token: str) -> tuple[str, str, str, str]:
    """Give the bare word in lower case, its shape, and the marks before and after it."""
    match = _CORE.match(token[:80])
    before, core, after = match.groups() if match else ("", token, "")
    if core.isalpha():
        shape = "" if len(core) > 1 else "initial"
    else:
        shape = next((name for name, pattern in _SHAPES if pattern.fullmatch(core)), "") if core else "mark"
    if not shape or shape == "initial":
        shape = shape or _case(core)
        shape = f"short-{shape}" if len(core) <= 3 and shape == "capital" else shape  # noqa: PLR2004 - Wei, Jr
    lower = core.lower()
    return lower, shape, before[:2], after[:3]


@cache
def _flags() -> dict[str, tuple[str, ...]]:
    """Give the lists that hold each word."""
    every = frozenset().union(*map(words, _LISTS))
    return {word: tuple(f"is-{name}" for name in _LISTS if word in words(name)) for word in every}


_NUMERIC = frozenset({"year", "range", "number", "volume", "mixed", "mark"})
"""Shapes of words that are none."""


def form(shape: str, before: str, after: str) -> tuple[str, ...]:
    """Name what the shape of a word and the marks about it say; the first is said of no neighbour."""
    return ("bias", f"shape={shape}", f"after={after}", f"before={before}", f"shape+after={shape}{after}")


def lexical(token: str) -> tuple[str, ...]:
    """Name what there is to say about one word by itself."""
    return (*form(*kind(token)[1:]), *own(token))


def own(token: str) -> tuple[str, ...]:
    """Name of that what its form does not say."""
    lower, shape, _, after = kind(token)
    out: list[str] = []
    if shape not in _NUMERIC:
        out += [f"word={lower}", f"suffix3={lower[-3:]}", f"suffix2={lower[-2:]}", f"prefix3={lower[:3]}"]
        out += [f"word+after={lower}{after[:1]}", f"word+case={lower}{shape}"]
    else:
        out.append(f"digits={sum(map(str.isdigit, lower))}")
    out += [f"long={min(len(lower), 12) // 2}"]
    out += _flags().get(lower, ())
    if is_venue_word(token):
        out += ["is-venue", f"is-venue+after={after}"]
    if lower in words("month"):
        out.append("is-month")
    if lower in PARTICLES:
        out.append("is-particle")
    if lower in _CUES:
        out += [f"cue={_CUES[lower]}", f"cue+after={_CUES[lower]}{after[:1]}", f"cue+shape={_CUES[lower]}{shape}"]
    return tuple(out)


def beside(token: str) -> tuple[str, ...]:
    """Name what a word says about its neighbours."""
    return (*form(*kind(token)[1:])[1:], *own_beside(token))


def own_beside(token: str) -> tuple[str, ...]:
    """Name of that what its form does not say."""
    lower, shape, _, _ = kind(token)
    out: list[str] = []
    if shape not in _NUMERIC:
        out.append(f"word={lower}")
    if is_venue_word(token):
        out.append("is-venue")
    out += _flags().get(lower, ())
    if lower in _CUES:
        out.append(f"cue={_CUES[lower]}")
    return tuple(out)


@lru_cache(maxsize=16_384)
def ends_sentence(token: str) -> bool:
    """Whether a word may end a sentence."""
    lower, shape, _, after = kind(token)
    if not after or (after[0] not in '.?!:”"’)' and "." not in after):
        return False
    if "?" in after or "!" in after or "”" in after or '"' in after:
        return True
    return "." in after and len(lower) > 2 and lower not in words("abbreviation") and shape != "initials"  # noqa: PLR2004
