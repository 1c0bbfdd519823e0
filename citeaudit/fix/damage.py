"""Whether the value of a record is too damaged to be written into an entry."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType

from citeaudit.match.names import is_others, is_placeholder, is_stock
from citeaudit.model import FieldName, Person
from citeaudit.text.folding import folded
from citeaudit.text.marks import title_mark
from citeaudit.text.normalize import squash

MAX_LENGTH = 2_000
"""Code points of a value; a longer one is taken for damaged."""
_FIRST_YEAR, _LAST_YEAR = 1400, 2100
_MAX_VOLUME = 12
_NO_CHARACTER = frozenset({"Cc", "Cn", "Co", "Cs"})
_SHORT = 3
"""Letters up to which capitals alone are a name (`NG`) or a short form (`DNA`), and say nothing."""

# UTF-8 read as Latin-1 or Windows-1252: a lead byte, then what the next byte looks like in one of the two.
_MOJIBAKE = re.compile(
    "[\u00c2-\u00c5\u00d0-\u00d3][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014"
    "\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]|\u00e2\u20ac|\u00e2\u0080"
)
_LOST = re.compile(r"\ufffd|[^\W\d_]\?[^\W\d_]|(?<!\S)\?[^\W\d_]|\?\?")
_MARKUP = re.compile(r"&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8});|</?[a-z]{1,12}[ />]", re.IGNORECASE)
_NOTE_MARKS = re.compile(r"[*\u2020\u2021\u00a7\u00b6\u2217\u00b9\u00b2\u00b3\u2070-\u2079]\s*$")
_CUT = re.compile(r"(?:\.\.\.|\u2026)\s*$")
_GLUED_DIGIT = re.compile(r"[^\W\d_]{3,40}\d{1,2}$")
_LONE_DIGIT = re.compile(r"(?<=\s)\d{1,2}$")
_PAGE = r"(?:\d{1,7}:)?[A-Za-z]{0,3}(\d{1,7})[A-Za-z]?"
_PAGES = re.compile(rf"{_PAGE}(?:\s?[-\u2013]{{1,2}}\s?{_PAGE})?")
_ROMAN_PAGES = re.compile(r"[ivxlc]{1,9}(?:\s?[-\u2013]{1,2}\s?[ivxlc]{1,9})?", re.IGNORECASE)
_ROMAN = re.compile(r"[ivxlcdm]{1,9}", re.IGNORECASE)
_NO_NAME = re.compile(r"[\d@/<>*\u2020\u2021\u00a7\u00b6\u2217\u00b9\u00b2\u00b3_=\[\]|]")


def is_damaged(field: FieldName, value: str, claimed: str | None = None) -> bool:
    """Tell whether a recorded value is no better than the one cited.

    Args:
        field: What the value is of; of the authors, one name is given at a time.
        value: As the record has it, plain text.
        claimed: As the reference has it; `None` where it has nothing that stands for this value.

    Returns:
        Whether characters were lost or misread (mojibake, question marks in words, marks of footnotes, markup), the
        value cannot be one of this field (volume `ahead of print`), or it has lost what the reference still has
        (its script, its diacritics, its lower case, its last page).

    >>> is_damaged(FieldName.TITLE, "Ãœber Karten"), is_damaged(FieldName.TITLE, "Über Karten")
    (True, False)
    """
    text = squash(value)
    if not text or len(text) > MAX_LENGTH or _MOJIBAKE.search(value[:MAX_LENGTH]):
        return True
    if any(unicodedata.category(char) in _NO_CHARACTER for char in text):
        return True
    check = _CHECKS.get(field)
    return check is not None and bool(check(text, squash(claimed) if claimed else None))


def _is_broken(text: str, claimed: str | None) -> bool:
    """Whether a text was misread on its way, or has lost what the reference has."""
    if _LOST.search(text) or _MARKUP.search(text) or _CUT.search(text):
        return True
    if claimed is None:
        return False
    return _scripts(text).isdisjoint(_scripts(claimed)) or _has_lost_marks(text, claimed)


def _title(text: str, claimed: str | None) -> bool:
    if _is_broken(text, claimed) or _NOTE_MARKS.search(text) or title_mark(text) is not None:
        return True
    return _is_raised(text, claimed) or (claimed is not None and _has_gained_a_note(text, claimed))


def _venue(text: str, claimed: str | None) -> bool:
    return _is_broken(text, claimed) or _is_raised(text, claimed)


def _name(text: str, claimed: str | None) -> bool:
    person = Person(literal=text)
    if _is_broken(text, claimed) or _NO_NAME.search(text) or is_placeholder(person) or is_others(person):
        return True
    if is_stock(text) or not any(char.isalpha() for char in text):
        return True
    return _is_raised(text, claimed, words=1)


def _year(text: str, claimed: str | None) -> bool:
    del claimed
    return not (text.isdecimal() and _FIRST_YEAR <= int(text) <= _LAST_YEAR)


def _number(text: str, claimed: str | None) -> bool:
    del claimed
    if len(text) > _MAX_VOLUME or text.strip("0") == "":
        return True
    return not (_ROMAN.fullmatch(text) or any(char.isdecimal() for char in text))


def _pages(text: str, claimed: str | None) -> bool:
    if _ROMAN_PAGES.fullmatch(text):
        return False
    match = _PAGES.fullmatch(text)
    if match is None:
        return True
    first, last = match.groups()
    if last is None:
        cited = _PAGES.fullmatch(claimed) if claimed else None
        return first.strip("0") == "" or bool(cited and cited[2])
    return len(first) == len(last) and int(last) < int(first)


_CHECKS: Mapping[FieldName, Callable[[str, str | None], object]] = MappingProxyType(
    {
        FieldName.TITLE: _title,
        FieldName.AUTHORS: _name,
        FieldName.YEAR: _year,
        FieldName.CONTAINER_TITLE: _venue,
        FieldName.PUBLISHER: _venue,
        FieldName.VOLUME: _number,
        FieldName.ISSUE: _number,
        FieldName.PAGES: _pages,
    }
)


def _is_raised(text: str, claimed: str | None, *, words: int = 2) -> bool:
    """Whether a text stands in capitals alone where the reference does not."""
    return _is_shouted(text, words) and not (claimed and _is_shouted(claimed, words))


def _is_shouted(text: str, words: int) -> bool:
    """Whether no letter is small, though some words are longer than a short form."""
    long = sum(sum(char.isupper() for char in word) > _SHORT for word in text.split())
    return long >= words and not any(char.islower() for char in text)


def _scripts(text: str) -> frozenset[str]:
    """Give the scripts of the letters, by the first word of their names in Unicode."""
    return frozenset(unicodedata.name(char, "?").split(" ")[0] for char in text[:MAX_LENGTH] if char.isalpha())


def _has_lost_marks(text: str, claimed: str) -> bool:
    """Whether a word that the reference writes with marks stands in the record without any, and none has one there."""
    plain = {word.lower() for word in text.split() if word.isascii()}
    marked = {word.lower() for word in claimed.split() if not word.isascii()}
    return text.isascii() and any(folded(word).lower() in plain for word in marked)


def _has_gained_a_note(text: str, claimed: str) -> bool:
    """Whether the last word has a number that the cited title lacks: a mark of a footnote looks like one."""
    if claimed[-1:].isdecimal():
        return False
    return bool(_LONE_DIGIT.search(text) or _GLUED_DIGIT.search(text))
