"""Say how much sense a reading of a printed reference makes."""

from __future__ import annotations

import re

from citeaudit.extract.fields.authors import NameStyle
from citeaudit.extract.fields.rules import is_absurd
from citeaudit.extract.fields.signs import Reading
from citeaudit.extract.fields.words import is_venue_word
from citeaudit.model.reference import Identifiers

ABSURD = 0.5
"""The most that a reading is worth whose title is a place, an author or the start of an author list."""
_INITIALS = re.compile(r"\b[^\W\d_a-z]\.\s?(?:[^\W\d_a-z]\.\s?)?[^\W\d_a-z][^\W\d_]+,|[^\W\d_]{2,},\s[^\W\d_a-z]\.")
_NUMBERS = re.compile(r"\d{1,4}\s?\(\d{1,4}\)\s?:\s?\d|\bpp\.\s?\d|\bvol\.\s?\d", re.IGNORECASE)


_LONGEST = 400
"""Characters; 99.9 % of titles are shorter."""
_LONGEST_WORDS = 45
_LONGEST_WORD = 60
_SOUND = 0.9


def _title_score(title: str) -> float:
    """Give how much a string looks like a title and not like authors, a venue or a whole reference."""
    tokens = title.split()
    value = 1.0
    if not 1 <= len(tokens) <= _LONGEST_WORDS or len(title) > _LONGEST:
        value -= 0.6
    if len(re.findall(r"[^\W\d_]", title)) < max(3, len(title) // 3):
        value -= 0.6
    if len(_INITIALS.findall(title)) > 1:
        value -= 0.5  # an author list
    if _NUMBERS.search(title):
        value -= 0.4  # a whole citation
    folded = [token.strip(".,:()").lower() for token in tokens]
    venue = sum(map(is_venue_word, tokens))
    if venue > 1 and venue * 2 >= len(folded):
        value -= 0.4  # a venue
    if len(tokens) == 1:
        value -= 0.15
    if max(len(token) for token in tokens or [""]) > _LONGEST_WORD:
        value -= 0.4
    return max(0.0, value)


def score(reading: Reading, identifiers: Identifiers) -> float:
    """Give the confidence in a reading, 0 to 0.95.

    No title and no identifier needs authors with a numbered container (title-less styles) to count as read.
    """
    named = bool(reading.people) and reading.span.style is not NameStyle.NONE
    ids = bool(identifiers.pairs())
    if not reading.text.strip() and ids:
        return 0.6  # nothing but an identifier: that much is certain
    venue = reading.venue
    if reading.title is None:
        located = venue.container is not None and venue.volume is not None
        people = named and reading.span.style not in {NameStyle.GROUP, NameStyle.LISTED}
        value = (
            0.25 * people + 0.35 * located + 0.15 * (venue.pages is not None) + 0.15 * (reading.date.year is not None)
        )
        return round(min(0.95, value + 0.2 * ids), 3)
    title = _title_score(reading.title)
    value = (
        0.45 * title * reading.sure
        + 0.25 * (named or bool(reading.people)) * title
        + 0.15 * (reading.date.year is not None)
    )
    value += 0.1 * (venue.container is not None or venue.publisher is not None or ids)
    value += 0.05 * (named and reading.date.year is not None and title > _SOUND)
    value = value + 0.1 if ids else value
    if not reading.people and reading.date.year is None and not ids:
        value *= 0.5
    if is_absurd(reading.title, reading.people, reading.text):
        value = min(value, ABSURD)
    return round(min(0.95, max(0.0, value)), 3)
