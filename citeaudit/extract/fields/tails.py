"""Tell where a supposed title runs on into what follows it: a thesis note, a page, a place, a journal, a bracket."""

from __future__ import annotations

import re

from citeaudit.extract.fields.words import is_venue_word, words

_LEAST = 8
"""Characters of a title that stay in any case."""
_LEAST_WORDS = 3
_NOTE = re.compile(
    r"(?:[.,;]\s|\s(?=[(\[]))(?:online\b|Online(?:\sverfügbar|:)|abrufbar|[Vv]erfügbar\s|Zugriff\s|Available\s|Retrieved\s|Accessed\s|"
    r"(?:Doktor|Diplom|Magister|Master|Bachelor)arbeit\b|(?:Inaugural-)?[Dd]issertation\b|Habilitation(?:sschrift)?\b|"
    r"Thèse\sde\s|Mémoire\sde\s|Tesis\sde\s|Tech(?:nical|\.)\s[Rr]ep(?:ort\b|\.)|(?:Working|Discussion)\s[Pp]aper\s?\w*\d|"
    r"Paper\spresented\s|[Pp]resented\sat\s|[Vv]ol(?:ume|\.)\s(?:\d|[IVX]+\s)|(?:S|pp?)\.\s?\d|\(=|"
    r"Lecture\sNotes\sin\s|«[^»]+$|"
    r"(?<!\d\s)\d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d\d$)|\s//\s|\s/\s(?=[^\W\d_a-z]\.\s)"
)
_INSIDE = re.compile(r"(?:[.,;]\s[Ii]n:\s|\.\sIn\s)(?=[^\W\d_a-z]|[“„\"«]|\d)")
_HELD = re.compile(
    r"\b(?:[Ee]ds?\b|[Ee]dited|Hrsg|Hg\b|Proc|pp?\.\s|S\.\s\d|Conference|Press\b|Verlag|\w+:\s[^\W\d_a-z])"
)
_PLACE = re.compile(r"[.?!]\s(?P<place>[^\W\d_a-z][\w-]+)(?:/[\w-]+|,\s(?P<second>[^\W\d_a-z][\w-]+))?(?=:\s|$)")
_AFTER_COMMA = re.compile(r",\s(?P<name>[^\W\d_a-z][^,.:;()]{3,80})$")
_NUMBERED = re.compile(r"\d|[Vv]ol|[Nn]o\.|\(\d|Bd\.|Heft|H\.\s?\d")
_CUT_SHORT = re.compile(r",\s(?P<name>[^\W\d_a-z][^\W\d_]{1,7})$")
_SHORT = frozenset({"inst", "publ", "trans", "mem", "bull", "ann", "arch", "proc", "rev", "comm", "math", "phys"})
_JOURNAL_ON = re.compile(r"(?<=\w\w[.?!])\s(?P<name>[^\W\d_a-z][\w-]+)$")
_NAME_ON = re.compile(r"(?:[^\W\d_a-z]\w+|and|&|of|the)(?:\s(?:[^\W\d_a-z]\w+|and|&|of|the)){0,4},\s\d{1,4}\b")


def ending(title: str, after: str) -> int:
    """Give the length of what is title in a supposed title.

    Args:
        title: The supposed title, without outer marks.
        after: The text that follows it, with its marks.

    >>> ending("A study of things. Doktorarbeit", ". Berlin"), ending("A study of things", ". Berlin")
    (17, 17)
    """
    stops = [len(title)]
    note = _NOTE.search(title, _LEAST)
    if note is not None:
        stops.append(note.start())
    inside = _INSIDE.search(title, _LEAST)
    if inside is not None and _HELD.search((title + after)[inside.end() : inside.end() + 400]):
        stops.append(inside.start())
    opened = title.rfind("(")
    if opened >= _LEAST and ")" not in title[opened:] and ")" in after[:300]:
        stops.append(opened)
    stops += _place(title)
    stops += _venue(title, after)
    end = min(stops)
    return len(title[:end].rstrip(" .,;:"))


def _place(title: str) -> list[int]:
    """Find a place of publication, alone or with a second one, that ends the title or stands before a colon."""
    for match in _PLACE.finditer(title, _LEAST):
        named = [found.lower() for found in match.group("place", "second") if found]
        if all(name in words("place") for name in named):
            return [match.start() + (title[match.start()] != ".")]
    return []


def _is_short(name: str) -> bool:
    return is_venue_word(name) or name.lower() in words("abbreviation") | _SHORT


def _venue(title: str, after: str) -> list[int]:
    """Find a journal, or the first word of its name, at the end of the title."""
    bare = after.lstrip(" .,;:")
    match = _AFTER_COMMA.search(title, _LEAST)
    if match is not None and len(title[: match.start()].split()) >= _LEAST_WORDS:
        named = match["name"].split()
        big = all(word[0].isupper() or len(word) <= 3 for word in named)  # noqa: PLR2004 - of, für, and
        if big and len(named) > 1 and any(map(is_venue_word, named)) and _NUMBERED.match(bare):
            return [match.start()]
    match = _CUT_SHORT.search(title, _LEAST)
    if match is not None and after[:2] == ". " and _is_short(match["name"]) and bare[:1].isupper():
        return [match.start()]
    match = _JOURNAL_ON.search(title, _LEAST)
    if match is not None and after[:2] == ", " and _NAME_ON.match(bare):  # "Population, Space and Place, 14"
        return [match.start()]
    return []
