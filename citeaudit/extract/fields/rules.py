"""Rules that mend or doubt a reading, outside the model of `labeller`.

Titles that no stop parts from the journal, a conference, journal or publisher glued to the title, lists that print
the title first, GB/T 7714, and readings that make no sense.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeaudit.extract.fields.words import is_venue_word, words
from citeaudit.model.reference import Person
from citeaudit.text.normalize import fold

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
        known = section or token.rstrip(":").endswith(".") or is_venue_word(token) or token in _OPENERS
        before = tokens[place - 1] if place else ""
        inner = first < len(tokens) and before.endswith(".") and before[:1].isupper()
        if not capital or not (known or inner):  # "Class. Quantum Grav."
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


_NEAR_NUMBER = re.compile(r"[\w&. ]{0,40}?[ ,]\(?\d{1,4}\b")
_LAST_WORDS = re.compile(r"(?<=\w\w[.?!)])\s(?P<name>[^\W\d_a-z][\w&’' -]{2,60})$")
_LONGEST_PRESS = 5
"""Words."""


def before_name(title: str, rest: str) -> tuple[str, str]:
    """Part a title from the start of a journal's or publisher's name that was read into it.

    `… anode materials. Electrochim` before `Acta 2017, 252`, and `… panel data. John Wiley & Sons` before a city.
    """
    match = _LAST_WORDS.search(title, 8)
    if match is None:
        return title, ""
    named = match["name"].split()
    short = len(named) == 1 and rest[:1].isupper() and _NEAR_NUMBER.match(rest) is not None
    bare = [word.strip(".,").lower() for word in named]
    press = (
        len(named) <= _LONGEST_PRESS
        and any(word in words("publisher") for word in bare)
        and all(word[0].isupper() or word in {"&", "and", "of", "de", "und"} for word in named)
    )
    return (title[: match.start()].rstrip(" ."), match["name"]) if short or press else (title, "")


_ENDS_DATED = re.compile(r"\((?:1[5-9]|20)\d\d(?:-\d\d){0,2}\)[\s.·]{0,4}$")
_OTHER_ORDER = re.compile(
    r"[^\W\d_]{3}[.)]\s[^\W\d_a-z]|,\s[^\W\d_a-z]\.[,:;]|[“„«»]|\d\s?[,:(]\s?\d|\d\s?\((?:1[5-9]|20)"
)


def is_title_first(text: str) -> bool:
    """Whether a reference is of those that print title, names, venue and a date in brackets, with no stops between.

    Lists made by Manubot are so: `A study of things Jane Doe, John Roe Journal (2018-01-31)`.
    """
    dated = _ENDS_DATED.search(text[-20:])
    return dated is not None and len(text.split()) > 4 and _OTHER_ORDER.search(text[:-6]) is None  # noqa: PLR2004


_GB = re.compile(r"\s?\[(?P<mark>(?:[JMCDRPSNGAZK]|DB|CP|EB)(?:/OL|/CD)?)\]\s?(?://|[.,:：．])?\s?")
_GB_STOP = re.compile(r"(?:\.\s|．)")
_INVERTED_INITIAL = re.compile(r",\s?[^\W\d_a-z]$")


def chinese(text: str) -> tuple[int, tuple[int, int], str] | None:
    """Cut a reference of GB/T 7714, `names. title[J]. rest`, in which initials have no stops.

    Returns:
        Where the names end, the span of the title and the rest; `None` where it is not so printed.
    """
    mark = _GB.search(text, 2)
    stop = _GB_STOP.search(text, 1, mark.start()) if mark is not None else None
    if mark is None or stop is None or _INVERTED_INITIAL.search(text[: stop.start()]) or mark.start() - stop.end() < 2:  # noqa: PLR2004
        return None
    return stop.start(), (stop.end(), mark.start()), f"[{mark['mark']}] {text[mark.end() :]}"


_CAPITALS = re.compile(r"\b[^\W\d_a-z]{2,}(?:-[^\W\d_a-z]{2,})?(?=\s[^\W\d_a-z]\b)")


def uncapitalised(names: str) -> str:
    """Give family names in capitals before initials as they are otherwise printed.

    >>> uncapitalised("LIN S, DALY P W, Wang H")
    'Lin S, Daly P W, Wang H'
    """
    return _CAPITALS.sub(lambda match: match.group().title(), names)


_STATE = re.compile(r"[A-Z]{2}")
_STATES = frozenset({"usa", "uk", "u.s.a", "u.k", "us"})
_INVERTED = re.compile(r"[^\W\d_a-z][\w'’-]+,\s(?:[^\W\d_a-z][\w'’-]+\s)?[^\W\d_a-z]\.")


_WORD_END = re.compile(r"[\s,;:/]+")


def is_absurd(title: str, people: Sequence[Person], text: str) -> bool:
    """Whether a supposed title is no title: a place, one of the authors, or the name that the reference starts with."""
    tokens = [token for token in _WORD_END.split(title) if token]
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
