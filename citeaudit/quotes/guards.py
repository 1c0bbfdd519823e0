"""What a match of folded text must also satisfy: whole words and numbers, with their signs, units and spaces.

Folding leaves out what printers change. A match that stands inside a longer word or number, lacks the sign before it or
the unit behind it, or joins two numbers that stand apart, is another statement, and no match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from citeaudit.quotes.folding import RANGE, SIGN
from citeaudit.quotes.stream import Folding, Stream
from citeaudit.text.wordforms import is_word

_BOUND = frozenset("<>≤≥≠±$€£¥₹!" + SIGN)
"""Signs before a number that a quote may not leave out."""
_UNITS = frozenset("%‰°")
"""Signs behind a number that a quote may not leave out."""
_CUT = re.compile(r"[-\u2010\u00ad]\s*\n\s*[a-z]")
"""A word that goes on in the next line."""
_SHORT = frozenset(
    (
        "a",
        "all",
        "any",
        "am",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "for",
        "go",
        "had",
        "has",
        "have",
        "he",
        "her",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "may",
        "me",
        "more",
        "most",
        "my",
        "near",
        "no",
        "none",
        "nor",
        "not",
        "now",
        "of",
        "off",
        "on",
        "one",
        "onto",
        "or",
        "our",
        "out",
        "over",
        "own",
        "part",
        "so",
        "some",
        "such",
        "than",
        "that",
        "the",
        "them",
        "then",
        "they",
        "thus",
        "to",
        "too",
        "two",
        "up",
        "upon",
        "us",
        "use",
        "very",
        "was",
        "way",
        "we",
        "well",
        "were",
        "what",
        "when",
        "who",
        "will",
        "with",
        "you",
    )
)
"""Short words, of which the vocabulary knows none."""
_DENYING = frozenset(("no", "not", "non"))
"""What turns a word around where it is joined to it or parted from it."""
_GROUP = 3
"""Digits of a group of thousands."""
_LONG_NUMBER = 4
"""Digits of a number, such as a year, behind which small raised digits are the mark of a note, no power."""


class Notes(NamedTuple):
    """How a quote differs from its source though it is found."""

    spacing: bool = False
    grouping: bool = False
    raised: bool = False
    """A raised number of the source is written level in the quote."""
    unreadable: bool = False


def is_cjk(char: str) -> bool:
    """Whether a character is of a script without spaces between words."""
    return "\u2e80" <= char <= "\ua4cf" or "\uac00" <= char <= "\ud7af" or "\uf900" <= char <= "\ufaff"


def whole(stream: Stream, folding: Folding, first: int, last: int) -> bool:
    """Whether the folded characters from `first` to before `last` begin and end with whole words and numbers."""
    return _begins(stream, folding, first) and _ends(stream, folding, last)


def _begins(stream: Stream, folding: Folding, first: int) -> bool:
    char, place = folding.text[first], folding.at[first]
    if not char.isalnum() or is_cjk(char):
        return True
    raw = stream.raw
    before = raw[place - 1] if place else ""
    if before.isalnum() and not is_cjk(before) and folding.at[max(0, first - 1)] == place - 1:
        return _apart(stream, place - 1, place)
    if not char.isdecimal():
        return True
    if before in ".,·" and place > 1 and raw[place - 2].isdecimal():
        return False
    near = first > 0 and place - folding.at[first - 1] <= 2  # noqa: PLR2004  # at most one space between
    sign = folding.text[first - 1] if near else ""
    return not (sign in _BOUND and sign) and not (sign == "." or (sign == RANGE and place - folding.at[first - 1] == 1))


def _ends(stream: Stream, folding: Folding, last: int) -> bool:
    char, place = folding.text[last - 1], folding.at[last - 1]
    if not char.isalnum() or is_cjk(char):
        return True
    raw = stream.raw
    after = raw[place + 1 : place + 2]
    if after.isalnum() and not is_cjk(after):
        return _apart(stream, place, place + 1) or _note_mark(stream, char, place)
    if not char.isdecimal():
        return True
    if after and after in ".,·" and raw[place + 2 : place + 3].isdecimal():
        return False
    near = last < len(folding.at) and folding.at[last] - place <= 2  # noqa: PLR2004
    sign = folding.text[last] if near else ""
    if sign == RANGE and folding.at[last] - place == 1:
        return False
    return not (sign in _UNITS and sign)


def _apart(stream: Stream, one: int, two: int) -> bool:
    """Whether a superscript parts two characters that stand together: the mark of a note behind a word."""
    raised = bool(stream.face_of(one) & 1), bool(stream.face_of(two) & 1)
    left, right = stream.raw[one], stream.raw[two]
    return raised[0] != raised[1] and not (left.isdecimal() and right.isdecimal()) and not left.isdecimal()


def _note_mark(stream: Stream, char: str, place: int) -> bool:
    """Whether what follows a number at once is the mark of a note: raised digits behind a year."""
    if not char.isdecimal() or not stream.face_of(place + 1) & 1:
        return False
    start = place
    while start and stream.raw[start - 1].isdecimal():
        start -= 1
    return place + 1 - start >= _LONG_NUMBER


def inside(stream: Stream, folding: Folding, first: int, quote: str, places: Sequence[int]) -> Notes | None:
    """Compare where words and numbers begin inside a match.

    Args:
        stream: The source.
        folding: The folded text in which the match stands.
        first: Index of its first character.
        quote: The quote as written.
        places: Place in the quote of each of its folded characters.

    Returns:
        What differs without harm, or `None` where numbers are joined or parted, or words into other words.
    """
    spacing = grouping = raised = False
    text, at = folding.text, folding.at
    for step in range(1, len(places)):
        left, right = text[first + step - 1], text[first + step]
        if not (left.isalnum() and right.isalnum()) or is_cjk(left) or is_cjk(right):
            continue
        gap, own = at[first + step] - at[first + step - 1] > 1, places[step] - places[step - 1] > 1
        if left.isdecimal() and right.isdecimal():
            raised = raised or _level(stream, quote, (at[first + step - 1], at[first + step]), places[step])
        if gap == own:
            continue
        if left.isdecimal() and right.isdecimal():
            if not _one_number(text, first + step):
                return None
            grouping = True
        elif left.isalpha() and right.isalpha():
            if _another(stream.raw if gap else quote, at[first + step] if gap else places[step]):
                return None
            spacing = spacing or not (gap and "\n" in stream.raw[at[first + step - 1] : at[first + step]])
    return Notes(spacing, grouping, raised)


def _level(stream: Stream, quote: str, pair: tuple[int, int], place: int) -> bool:
    """Whether a power of the source is written level in the quote: `105` for `10⁵`."""
    one, two = (bool(stream.face_of(at) & 1) for at in pair)
    return two and not one and quote[place].isascii()


def _one_number(text: str, index: int) -> bool:
    """Whether the digits around an index are one number in groups of three, as far as its digits tell."""
    end = index
    while end < len(text) and text[end].isdecimal():
        end += 1
    return (end - index) % _GROUP == 0


def _another(raw: str, place: int) -> bool:
    """Whether two words and their joined form are all words: "no table" and "notable"."""
    if "\n" in raw[max(0, place - 4) : place] or raw[place - 1] in "-\u2010\u2011\u00ad":
        return False
    start = place
    while start and not raw[start - 1].isalpha():
        start -= 1
    head = start
    while head and raw[head - 1].isalpha():
        head -= 1
    tail = place
    while tail < len(raw) and raw[tail].isalpha():
        tail += 1
    one, two = raw[head:start].lower(), raw[place:tail].lower()
    return one in _DENYING or two in _DENYING or (_known(one) and _known(two) and _known(one + two))


def _known(word: str) -> bool:
    return is_word(word) or word in _SHORT


def is_cut(stream: Stream, end: int) -> bool:
    """Whether the word that ends at a place goes on in the next line."""
    return bool(_CUT.match(stream.raw, end))
