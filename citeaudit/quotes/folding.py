"""Fold text to the characters that a quotation must keep: letters, digits, and signs that change what is said.

Spaces, line ends, hyphens between letters and the punctuation of prose are left out on both sides alike; so a quote is
found whatever the printer did to it. What was left out is compared afterwards (`citeaudit.quotes.guards`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

BARRIER = "\x01"
"""Stands between parts of a page that no reader would read on from one to the other."""
UNREADABLE = "\ufffd"
"""Stands for letters that a PDF reader could not name."""
SIGN = "−"
"""A minus that belongs to a number."""
RANGE = "-"
"""A dash between two numbers."""
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u207b\u208b"
_NUMERIC = "\u2212\u207b\u208b"
"""Dashes that are nothing but a minus."""
_KEPT = frozenset("%‰$€£¥₹<>≤≥=≠≈~±+×÷/°^&#@|§√∞∈∉∑∏∂∇")
_MAPPED = {
    BARRIER: BARRIER,
    UNREADABLE: UNREADABLE,
    "＜": "<",
    "＞": ">",
    "≦": "≤",
    "≧": "≥",
    "⩽": "≤",
    "⩾": "≥",
    "≲": "≤",
    "≳": "≥",
    "∼": "~",
    "˜": "~",
    "⁄": "/",
    "∕": "/",
    "∙": "",
    "º": "°",
    "µ": "μ",
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ł": "l",
    "ı": "i",
    "ȷ": "j",
    "þ": "th",
}
_COMPARED = {"≮": "!<", "≯": "!>"}
_PLACED = frozenset(_DASHES + ".,٫·")
"""What counts only by what stands around it."""
_PARTS = re.compile(r"(?P<run>[A-Za-z0-9%$<>=~+/^&#@|]+)|[^\s!\"'()*:;?\[\]_`{}\\]")


class Folded(NamedTuple):
    """A text without what does not count."""

    text: str
    at: list[int]
    """Place in the source of each character."""


@lru_cache(maxsize=8_192)
def letters(char: str) -> str:
    """Give what a character is folded to, if it counts wherever it stands; dashes and dots depend on their place.

    >>> letters("É"), letters("ﬁ"), letters("²"), letters("“"), letters("≤")
    ('e', 'fi', '2', '', '≤')
    """
    if char in _MAPPED:
        return _MAPPED[char]
    if char in _KEPT:
        return char
    if char in _COMPARED:
        return _COMPARED[char]
    if char in _DASHES:
        return ""
    made = ""
    for part in unicodedata.normalize("NFKD", char):
        if unicodedata.combining(part):
            continue
        for lowered in part.casefold():
            small = _MAPPED.get(lowered, lowered)
            if small in _KEPT or small.isalnum() or len(small) != 1:
                made += _digit(small)
            elif unicodedata.category(small) in {"So", "Sm", "Sc", "Co", "Lo"} and small not in _DASHES:
                made += small
    return made


def _digit(text: str) -> str:
    value = unicodedata.digit(text, None) if len(text) == 1 else None
    return text if value is None else str(value)


def fold(text: str) -> Folded:
    r"""Fold a text.

    >>> fold("It fell by −12.5 %, i.e. re-\nmarkably (p<0.05).").text
    'itfellby−12.5%ieremarkablyp<0.05'
    >>> fold("2019–2021: 1,200 of 12 000").text
    '2019-20211200of12000'
    """
    made: list[str] = []
    at: list[int] = []
    for part in _PARTS.finditer(text):
        place, end = part.span()
        if part.lastgroup == "run":
            made.append(part.group().lower())
            at += range(place, end)
            continue
        char = part.group()
        one = _between(text, place, char) if char in _PLACED else letters(char)
        if one:
            made.append(one)
            at += [place] * len(one)
    return Folded("".join(made), at)


def _between(text: str, place: int, char: str) -> str:
    """Fold a dash, a dot or a comma by what stands around it."""
    after, before = text[place + 1 : place + 2], text[place - 1 : place] if place else ""
    if char in _DASHES:
        return _dash(text, place, char)
    if not (_figure(before) and _figure(after)):
        return "." if char == "." and _figure(after) and not before.isalnum() else ""
    if char == "," and _grouped(text, place):
        return ""
    return "." if char == "·" else "," if char == "٫" else char


def _figure(char: str) -> bool:
    return char.isdecimal()


def _grouped(text: str, place: int) -> bool:
    """Whether a comma between figures parts thousands: `12,000`, not `0,05`, `12,13` or `1,2345`."""
    if not _THREE.match(text, place + 1):
        return False
    start = place
    while start and text[start - 1].isdecimal():
        start -= 1
    lead = text[start:place]
    return len(lead) <= 3 and lead[0] != "0"  # noqa: PLR2004


_THREE = re.compile(r"\d{3}(?!\d)")


def _dash(text: str, place: int, char: str) -> str:
    """Tell a minus and a range from a hyphen."""
    after = text[place + 1 : place + 13].lstrip()[:1]
    if not _figure(after) and not (after == "." and text[place + 2 : place + 3].isdecimal()):
        return SIGN if char in _NUMERIC and not after.isspace() and after else ""
    head = text[max(0, place - 12) : place]
    before = head.rstrip()[-1:]
    close = head[-1:] == before and before != ""
    if _figure(before) or (before and before in ")%°"):
        spaced_after = text[place + 1 : place + 2].isspace()
        if close or spaced_after:
            return RANGE
        return SIGN
    if close and (before.isalnum() or before in "])"):
        return SIGN if char in _NUMERIC else ""
    if text[place + 1 : place + 2].isspace() and char not in _NUMERIC:
        return ""
    return SIGN
