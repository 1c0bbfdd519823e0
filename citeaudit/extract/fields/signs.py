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
    start: int = 0
    """Where the title starts, as far as the reader knows."""


_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
_LAST_SMALL = re.compile(
    r"(?:^|\s)(?:an?|and|the|of|in|on|at|for|from|to|with|by|und|de[rsnm]|die|das|eine?|im|von|zu|für|mit|auf|aus|et|du|"
    r"la|les?|en|dans|pour|sur|par|y|del|l[ao]s|el|e|d[oae]s?|em|n[oa])[.,:]?$",
    re.IGNORECASE,
)
_TITLE_SIGNS = tuple(
    (name, re.compile(pattern, flags))
    for name, pattern, flags in (
        ("starts-odd", r"[^\W\d_a-z]\.|[\W_]|\d", 0),
        (
            "holds-numbers",
            r".*?(?:\d{1,4}\s?\(\d{1,4}\)\s?:\s?\d|\b(?:pp?|S|vol|no|nr|Bd|H)\.\s?\d|\d-\d{2,4}$)",
            re.IGNORECASE,
        ),
        (
            "holds-series",
            (
                r"(?:.*?[.,;]\s)?(?:technical report|tech\. rep|working papers?|discussion papers?|report no|"
                r"lecture notes|ph\.?d|dissertation|diss\b|unpublished|paper presented|available|online|retrieved|"
                r"accessed|presented at|submitted|preprint|proc\b|proceedings|in:|in\s(?-i:[A-ZÄÖÜ])|edited by|"
                r"translated|übers|hrsg)"
            ),
            re.IGNORECASE,
        ),
        ("holds-digit", r".*?\d", 0),
        ("holds-year", r".*?(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", 0),
        ("ends-named", r".*,\s[^\W\d_a-z]\w*(?:\s[^\W\d_a-z]\w*){0,3}$", 0),
    )
)
_PAIRS = ("()", "[]", "“”", "«»", "‹›")
_STEPS = (0.5, 1.0, 2.0, 3.0, 5.0)
"""Margins that tell apart how sure the labeller is."""
_LENGTHS = ((1, "1"), (2, "2"), (3, "3"), (6, "4-6"), (15, "7-15"), (25, "16-25"))
"""Words of a title, at most, and the name of that length."""
_LONGEST_READ = 500
"""Characters of a title that are looked at."""
_LONG_VENUE = 8
_LONG_NAME = 5
_LONG_LEAD = 4
_NEXT = {
    ".": "stop",
    "/": "stop",
    ";": "stop",
    ",": "comma",
    "": "end",
    "?": "question",
    "!": "question",
    ":": "colon",
    "(": "bracket",
    "[": "bracket",
}
"""What follows a title."""


def signs(reading: Reading, identifiers: Identifiers) -> frozenset[str]:
    """Give the names of all that is to be said of a reading."""
    found = {*_about_people(reading), *_about_date(reading), *_about_venue(reading.venue), *_about_rest(reading)}
    if identifiers.pairs():
        found.add("identifier")
    if reading.title is not None:
        title = reading.title[:_LONGEST_READ]
        found |= {*_about_title(title), *_about_words(title), *_about_place(reading, title)}
    return frozenset(found)


def _about_people(reading: Reading) -> Iterator[str]:
    yield f"names-{reading.span.style}"
    bodies = [person for person in reading.people if person.literal]
    names = [str(person) for person in reading.people if not person.literal]
    if not reading.people:
        yield "nobody"
    if bodies and names:
        yield "body-among-people"
    if any(re.search(r"[\d:?!]", name) or len(name.split()) > _LONG_NAME for name in names):
        yield "odd-name"
    if names and any(map(is_venue_word, names[-1].split())):
        yield "last-name-venue"
    if len(names) == 1 and not bodies and not reading.people[0].given:
        yield "family-alone"


def _about_date(reading: Reading) -> Iterator[str]:
    if reading.date.year is None:
        yield "undated-status" if reading.date.status else "undated"
    if len(set(_YEAR.findall(reading.text))) > 1:
        yield "years"


def _about_venue(venue: Venue) -> Iterator[str]:
    for field in ("container", "publisher", "volume", "pages"):
        if getattr(venue, field) is not None:
            yield field
    name = venue.container or venue.publisher or ""
    if any(map(is_venue_word, name.split())):
        yield "venue-words"
    if len(name.split()) > _LONG_VENUE:
        yield "long-venue"
    if name[:1].islower():
        yield "small-venue"


def _about_rest(reading: Reading) -> Iterator[str]:
    tokens = reading.rest.split()
    yield f"rest-stops-{min(sum(map(ends_sentence, tokens[:-1])), 4)}"
    if re.match(r"[Ii]n:?\s|[Dd]ans\s|//", reading.rest):
        yield "rest-in"
    elif reading.rest[:1].islower() and not re.match(r"edited|pp|vol|no\.|arxiv", reading.rest):
        yield "rest-small"
    unnamed = reading.venue.container is None and reading.venue.publisher is None
    if unnamed and len(_TWO_LETTERS.findall(reading.rest)) > 1:
        yield "unread-rest"


def _about_title(title: str) -> Iterator[str]:
    for name, pattern in _TITLE_SIGNS:
        if pattern.match(title):
            yield name
    if title[:1].islower():
        yield "starts-small"
    if _LAST_SMALL.search(title):
        yield "ends-small"
    if any(title.count(pair[0]) != title.count(pair[1]) for pair in _PAIRS) or title.count('"') % 2:
        yield "unbalanced"
    if "," in title:
        yield f"commas-{min(title.count(','), 3)}"


def _about_words(title: str) -> Iterator[str]:
    tokens = title.split()
    yield f"words-{next((name for most, name in _LENGTHS if len(tokens) <= most), 'many')}"
    inner = [token for token in tokens[:-1] if "." in token or "?" in token or "!" in token]
    stops = sum(map(ends_sentence, inner))
    if stops:
        yield f"inner-stops-{min(stops, 2)}"
    if any(re.search(r"[^\W\d_]\.$", token) and not ends_sentence(token) for token in inner):
        yield "inner-short-word"
    last = tokens[-1] if tokens else ""
    if is_venue_word(last) or last.lower().strip(".,:") in words("abbreviation"):
        yield "ends-venue"


def _about_place(reading: Reading, title: str) -> Iterator[str]:
    yield f"by-{reading.rule}"
    step = sum(reading.margin >= least for least in _STEPS)
    yield f"margin-{step}" if reading.rule == "labels" else f"margin-beside-{step}"
    text = reading.text
    place = text.find(title, max(0, reading.start - 3))
    if place < 0:
        return
    after = text[place + len(title) :].lstrip("”\"“’'»")
    mark = after.lstrip()[:1] if after[:2] in {" (", " ["} else after[:1]
    yield f"then-{_NEXT.get(mark, 'space')}"
    named = reading.span.style is not NameStyle.NONE
    unread = len(_TWO_LETTERS.findall(_YEAR.sub("", text[reading.span.after if named else 0 : place])))
    if unread >= _LONG_LEAD:
        yield "lead-long"
    if place < reading.span.end:
        yield "inside-names"
