"""Rules that mend or doubt a reading, outside the model of `fields_breaks`.

Serial commas of a title, titles that no stop parts from the journal, a conference glued to the title, and
readings that make no sense.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeaudit.extract.fields.words import is_venue_word, words
from citeaudit.model.reference import Person
from citeaudit.text.normalize import fold

LONGEST_SERIES = 200
"""Characters of a series of words after a comma."""

_SERIES = re.compile(
    r"(?P<series>(?:[^\W\d_][\w'’/-]*(?:\s[\w'’/-]+){0,4},\s){0,6}?(?:[^\W\d_][\w'’/-]*(?:\s[\w'’/-]+){0,4},?\s)?"
    r"(?:and|&|und)\s[^\W\d_][\w'’/-]*(?:\s[\w'’/-]+){0,4})(?P<close>\.\s|\.?$|\s?\()"
)
_AFTER = re.compile(
    r"[A-ZÄÖÜ][\w’'&./ -]{1,60}(?:,\s[A-Z][\w. ]{1,20}){0,3}(?:\s?:\s|[.,;]|\s?\(|$)|\s*$|"
    r"(?:1[5-9]|20)\d\d|\(|\d{1,3}(?:st|nd|rd|th)\sed"
)
_NUMBERED = re.compile(r"\b\d{1,4}\s?(?:\(\d|[,:]\s?\d)|\bvol\b|\bno\.", re.IGNORECASE)


def with_series(text: str, end: int, after: int) -> tuple[int, int]:
    """Take the rest of a series of words into a title that was cut at one of its commas.

    `Data Mining, | Inference, and Prediction. New York: Springer` goes on up to the full stop. What holds a
    word of journals, or has a volume after it, is none.

    Returns:
        Where the title ends and where the rest starts.
    """
    match = _SERIES.match(text[: after + LONGEST_SERIES], after)
    if match is None or any(map(is_venue_word, match["series"].split()[:1])):
        return end, after
    if "journal" in match["series"].lower() or _NUMBERED.search(text, match.end("series"), match.end("series") + 60):
        return end, after
    if not _AFTER.match(text, match.end()):
        return end, after
    closed = match.end() - 1 if match["close"].endswith("(") else match.end()
    return match.end("series"), closed


_LAST_NUMBERS = re.compile(
    r"\s(?P<volume>[A-Z]?\d{1,4})(?:\s?\((?P<issue>\d{1,4})\))?\s(?P<pages>[A-Z]?\d{1,7}(?:\s?[-–—]\s?[A-Z]?\d{1,7})?)\s?\.?\s*$"
)
_CONNECTORS = frozenset({"of", "the", "and", "for", "in", "on", "&", "de", "der", "für"})
_OPENERS = frozenset({"New", "The"})
_LONGEST_VENUE = 10
"""Words."""


def stopless(text: str, start: int) -> tuple[str, str] | None:
    """Cut a reference that sets no stop between title and journal, as those of IOP do.

    `Novel type of phase transition Phys. Rev. Lett. 75 1226-9`: words of journals and shortened words before the
    volume are the journal.

    Returns:
        The title, and the rest with a comma after the volume; `None` where it is not so printed.
    """
    numbers = _LAST_NUMBERS.search(text, start)
    if numbers is None:
        return None
    tokens = text[start : numbers.start()].split()
    first = len(tokens)
    for place in range(len(tokens) - 1, max(0, len(tokens) - _LONGEST_VENUE) - 1, -1):
        token = tokens[place]
        if token in _CONNECTORS and first < len(tokens):
            continue
        capital = token[:1].isupper()
        section = len(token) == 1 and capital and place == len(tokens) - 1
        if not capital or not (section or token.rstrip(":").endswith(".") or is_venue_word(token) or token in _OPENERS):
            break
        first = place
    title = " ".join(tokens[:first])
    if first == len(tokens) or first < 2 or re.search(r"[.,;]$", title):  # noqa: PLR2004 - a title has two words
        return None
    issue = f"({numbers['issue']})" if numbers["issue"] else ""
    return title, f"{' '.join(tokens[first:])} {numbers['volume']}{issue}, {numbers['pages']}"


_MEETING = re.compile(
    r"[.?!]\s(?=(?:In\s)?(?:Proc\.|Proceedings\sof\s|(?:[^\W\d_a-z][\w-]*\s){0,4}(?:Conference|Symposium|Workshop|Congress)\son\s))"
)


def before_meeting(title: str) -> tuple[str, str]:
    """Part a title from the conference or proceedings that were read into it; the second is empty where none were."""
    match = _MEETING.search(title, 8)
    return (title[: match.start()].strip(), title[match.end() :]) if match is not None else (title, "")


_STATE = re.compile(r"[A-Z]{2}")
_STATES = frozenset({"usa", "uk", "u.s.a", "u.k", "us"})
_INVERTED = re.compile(r"[^\W\d_a-z][\w'’-]+,\s(?:[^\W\d_a-z][\w'’-]+\s)?[^\W\d_a-z]\.")


def is_absurd(title: str, people: Sequence[Person], text: str) -> bool:
    """Whether a supposed title is no title: a place, one of the authors, or the name that the reference starts with."""
    tokens = [token for token in re.split(r"[\s,;:/]+", title) if token]
    if tokens and all(
        token.strip(".").lower() in words("place") | _STATES or _STATE.fullmatch(token) for token in tokens
    ):
        return True
    folded = fold(title)
    if any(folded in {fold(person.family or ""), fold(str(person)), fold(person.literal or "")} for person in people):
        return True
    if people:
        return False
    named = len(tokens) == 1 and re.match(rf"{re.escape(tokens[0])},?\s[^\W\d_a-z]", text) is not None
    return named or _INVERTED.match(title) is not None
