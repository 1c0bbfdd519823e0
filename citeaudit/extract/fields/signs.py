"""Name what speaks for and against a reading of a printed reference; `score` weighs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from citeaudit.extract.fields.authors import AuthorSpan, NameStyle
from citeaudit.extract.fields.dates import Date
from citeaudit.extract.fields.tokens import ends_sentence
from citeaudit.extract.fields.venue import Venue
from citeaudit.extract.fields.words import is_venue_word, words
from citeaudit.model.reference import Identifiers, Person


class Reading(NamedTuple):
    """What was read, before it becomes a reference."""

    text: str
    span: AuthorSpan
    mark: str
    """What closes the author list; `y` where a year follows it."""
    people: tuple[Person, ...]
    truncated: bool
    date: Date
    title: str | None
    rest: str
    venue: Venue
    sure: float
    """How sure the title's end is, 0 to 1."""
    rule: str
    """What cut the title: `quotes`, `mark`, `bold`, `stopless`, `labels`, or `nothing`."""
    margin: float = 0.0
    """How far the second best title of the labeller is behind, in units of log-probability."""
    agrees: bool = True
    """Whether the labels see just this title."""
    start: int = 0
    """Where the title starts, as far as the reader knows."""


_AUTHORS = re.compile(
    r"\b[^\W\d_a-z]\.\s?(?:[^\W\d_a-z]\.\s?)?[^\W\d_a-z][^\W\d_]+,|[^\W\d_]{2,},\s[^\W\d_a-z]\.|"
    r"\s[^\W\d_a-z][^\W\d_]+\s[^\W\d_a-z]{1,2}[,.]\s"
)
_CITED = re.compile(
    r"\d{1,4}\s?\(\d{1,4}\)\s?:\s?\d|\b(?:pp?|S|vol|no|nr|Bd|H)\.\s?\d|\d\s?[-–]\s?\d{2,4}$|"
    r"\s(?:vol(?:ume)?|Band|Heft|tome)\s\d",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_LAST_SMALL = frozenset(
    ["a", "an", "and", "the", "of", "in", "on", "at", "for", "from", "to", "with", "by", "und", "der", "die", "das", "des", "den", "dem", "ein", "eine", "im", "in", "von", "zu", "für", "mit", "auf", "aus", "et", "de", "du", "des", "la", "le", "les", "en", "dans", "pour", "sur", "par", "y", "del", "los", "las", "el", "e", "do", "da", "dos", "das", "em", "no", "na", "o", "os", "as"]
)
_SERIES = re.compile(
    r"(?:^|[.,;]\s)(?:technical report|tech\. rep|working papers?|discussion papers?|report no|lecture notes|"
    r"ph\.?d|master|dissertation|diss\b|unpublished|paper presented|available|online|retrieved|accessed|presented at|"
    r"submitted|preprint|proc\b|proceedings|in:|in\s[^\W\d_a-z]|edited by|translated|übers|hrsg|herausgegeben)",
    re.IGNORECASE,
)
_PAIRS = ("()", "[]", "“”", "«»", "‹›")
_LETTERS = re.compile(r"[^\W\d_]")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
_STEPS = (0.5, 1.0, 2.0, 3.0, 5.0)
"""Margins that tell apart how sure the labeller is."""
_LONG, _LONGEST, _LONGEST_WORDS, _LONGEST_WORD = 25, 400, 45, 60


def signs(reading: Reading, identifiers: Identifiers) -> frozenset[str]:
    """Give the names of all that is to be said of a reading; those of one with a title are other than without."""
    found = set(_about_people(reading))
    found.update(_about_rest(reading))
    if identifiers.pairs():
        found.add("identifier")
    if reading.title is not None:
        found.update(_about_title(reading, reading.title))
        found.update(_about_place(reading, reading.title))
    return frozenset(found)


def _about_people(reading: Reading) -> Iterator[str]:
    yield f"names-{reading.span.style}"
    if not reading.people:
        yield "nobody"
    bodies = [person for person in reading.people if person.literal]
    if bodies and len(bodies) < len(reading.people):
        yield "body-among-people"
    names = [str(person) for person in reading.people]
    if any(re.search(r"\d|[:?!]", name) or len(name.split()) > 5 for name in names if name not in {b.literal for b in bodies}):
        yield "odd-name"
    if any(len(name) < 3 for name in names):
        yield "short-name"
    if any(is_venue_word(word) for name in names[-1:] for word in name.split()):
        yield "last-name-venue"
    if len(names) == 1 and not bodies and not reading.people[0].given:
        yield "family-alone"


def _about_rest(reading: Reading) -> Iterator[str]:
    venue, rest = reading.venue, reading.rest
    if reading.date.year is None:
        yield "undated-status" if reading.date.status else "undated"
    years = set(_YEAR.findall(reading.text))
    if len(years) > 1:
        yield "years"
    if venue.container is not None:
        yield "container"
    if venue.publisher is not None:
        yield "publisher"
    if venue.volume is not None:
        yield "volume"
    if venue.pages is not None:
        yield "pages"
    if venue.container is None and venue.publisher is None and len(_TWO_LETTERS.findall(rest)) > 1:
        yield "unread-rest"
    name = venue.container or venue.publisher or ""
    if name and any(map(is_venue_word, name.split())):
        yield "venue-words"
    if name and len(name.split()) > 8:  # noqa: PLR2004
        yield "long-venue"
    if name[:1].islower():
        yield "small-venue"
    tokens = rest.split()
    stops = sum(map(ends_sentence, tokens[:-1]))
    yield f"rest-stops-{min(stops, 4)}"
    if not tokens:
        yield "rest-empty"
    if re.match(r"[Ii]n:?\s|[Dd]ans\s|//", rest):
        yield "rest-in"
    if rest[:1].islower() and not re.match(r"in:?\s|edited|pp|vol|no\.|dans|arxiv", rest):
        yield "rest-small"
    if len(tokens) > 60:
        yield "rest-long"


def _about_title(reading: Reading, title: str) -> Iterator[str]:
    tokens = title.split()
    count = len(tokens)
    yield f"words-{count if count < 4 else '4-6' if count < 7 else '7-15' if count < 16 else '16-25' if count < 26 else '26+'}"
    if count > _LONGEST_WORDS or len(title) > _LONGEST or max(map(len, tokens), default=0) > _LONGEST_WORD:
        yield "overlong"
    if len(_LETTERS.findall(title)) < max(3, len(title) // 3):
        yield "few-letters"
    inner = sum(map(ends_sentence, tokens[:-1]))
    if inner:
        yield f"inner-stops-{min(inner, 3)}"
    if any(re.search(r"[^\W\d_]\.$", token) and not ends_sentence(token) for token in tokens[:-1]):
        yield "inner-short-word"
    last = tokens[-1].lower().strip(".,:") if tokens else ""
    if last in _LAST_SMALL:
        yield "ends-small"
    if title[-1:] in ":-–(&,":
        yield "ends-open"
    if last in words("abbreviation") or (is_venue_word(tokens[-1]) if tokens else False):
        yield "ends-venue"
    if last in words("place"):
        yield "ends-place"
    if title[:1].islower():
        yield "starts-small"
    if re.match(r"[^\W\d_a-z]\.|[\W_]", title):
        yield "starts-odd"
    if re.match(r"\d", title):
        yield "starts-digit"
    if _AUTHORS.search(title):
        yield "holds-names"
    if _CITED.search(title):
        yield "holds-numbers"
    if _YEAR.search(title):
        yield "holds-year"
    if re.search(r"\d", title):
        yield "holds-digit"
    if _SERIES.search(title):
        yield "holds-series"
    if any(title.count(a) != title.count(b) for a, b in _PAIRS) or title.count('"') % 2:
        yield "unbalanced"
    venue = sum(map(is_venue_word, tokens))
    if venue > 1 and venue * 2 >= count:
        yield "venue-like"
    commas = title.count(",")
    if commas:
        yield f"commas-{min(commas, 3)}"
    if re.search(r",\s[^\W\d_a-z]\w*(?:\s[^\W\d_a-z]\w*){0,3}$", title):
        yield "ends-named"
    big = sum(token[:1].isupper() for token in tokens[1:] if len(token) > 3)
    long = sum(len(token) > 3 for token in tokens[1:])
    if long and big == long and count > 2:
        yield "all-big"


def _about_place(reading: Reading, title: str) -> Iterator[str]:
    yield f"by-{reading.rule}"
    margin = reading.margin
    yield f"margin-{sum(margin >= step for step in _STEPS)}" if reading.rule == "labels" else f"margin-x{sum(margin >= step for step in _STEPS)}"
    if not reading.agrees:
        yield "disagrees"
    text = reading.text
    place = text.find(title, max(0, reading.start - 3))
    if place < 0:
        yield "not-whole"
        return
    after = text[place + len(title) :].lstrip("”\"“’'»")
    mark = after[:1]
    kind = {".": "stop", ",": "comma", "": "end", "?": "question", "!": "question", ":": "colon", ";": "stop", "(": "bracket", "[": "bracket", "/": "stop"}
    yield f"then-{kind.get(mark if mark != ' ' else after[1:2] if after[1:2] in {'(', '['} else ' ', 'space')}"
    if mark in ".,:" and after[1:2] not in {" ", ""}:
        yield "then-glued"
    lead = text[reading.span.after : place] if reading.span.style is not NameStyle.NONE else text[:place]
    lead = _YEAR.sub("", lead)
    unread = len(_TWO_LETTERS.findall(lead))
    if unread:
        yield "lead" if unread < 4 else "lead-long"
    if place < reading.span.end:
        yield "inside-names"
