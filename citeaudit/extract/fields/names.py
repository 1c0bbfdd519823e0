"""Take personal names one after another from the start of a printed reference.

The style of a list (initials first, family first, full names) is a pattern for one name; a list is read by
taking names of that style until something else stands there. Every pattern is anchored and bounded, so the
scan is linear.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache

from citeaudit.extract.fields.words import is_venue_word
from citeaudit.text.names import PARTICLES


class NameStyle(StrEnum):
    """How the names of a list are written."""

    INVERTED = "inverted"
    """`Smith, J. A., Doe, B.`"""
    GLUED = "glued"
    """`Smith JA, Doe B`"""
    INITIALS = "initials"
    """`J. A. Smith, B. Doe`"""
    FULL = "full"
    """`John A. Smith, Barbara Doe`"""
    REVERSED = "reversed"
    """`Smith, John A.; Doe, Barbara`"""
    GROUP = "group"
    """`World Health Organization`"""
    FAMILY = "family"
    """`Smith (2010)`, `SMITH and DOE 2010`"""
    CJK = "cjk"
    """`张三, 李四`"""
    LISTED = "listed"
    """Names of mixed style, closed by `and …. ` or `et al. `."""
    LOOSE = "loose"
    """A name that breaks the style of its list (`Ada lovelace`); only inside a list of full names."""
    NONE = "none"


_CASED = [chr(code) for code in (*range(0x41, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x1F00))]
_CAPITALS = "".join(char for char in _CASED if unicodedata.category(char) == "Lu")
UPPER = f"[{_CAPITALS}]"
"""One capital letter, as a pattern; the next three are patterns too."""
_L = r"[^\W\d_]"
_LETTERS = rf"(?:{_L}|['’ʼ´`‐‑˘ˇ¨˝\u0300-\u036f-](?={_L}))"
_DINI = rf"{UPPER}(?:[a-zé]|hr|m)?\."
_GAP = r"(?:\s?[-‐–]\s?|\s)?"
_ONE = rf"(?:{UPPER}[-‐]{UPPER}\.|{_DINI}){_GAP}"
INITIALS = rf"(?:{_ONE}){{1,6}}"
_BARE = rf"{UPPER}(?:[-‐]{UPPER})?(?!{_L}|\.|['’])"
_LONG_FIRST = sorted(map(re.escape, PARTICLES - {"y", "e", "d", "s"}), key=len, reverse=True)
_PART = rf"(?:(?:{'|'.join(_LONG_FIRST)})\s|[dDlL]['’]\s?|al-|el-|Ste?\.\s)"
WORD = rf"(?:[dDlLO]['’])?{UPPER}{_LETTERS}{{1,40}}"
FAMILY = rf"(?:{_PART}){{0,3}}{WORD}(?:\s(?:{_PART}){{0,3}}{WORD}){{0,2}}"
_DOUBLE = rf"{FAMILY}(?:\s[yi]\s{WORD})?"  # Ramón y Cajal, before initials
_JR = r"(?:,?\s(?:Jr|Sr|II|III|IV|2nd|3rd)\b\.?)?"
_GLUE = (
    rf"(?:{UPPER}[-‐]{UPPER}(?!{_L})|{UPPER}{{1,4}}(?!{_L}|\.{UPPER})|"
    rf"(?:{_DINI}{_GAP}){{1,5}}(?:(?<=\.){UPPER}(?!{_L}|\.))?(?!{_L}))"
)
_ABBREVIATED = r"(?:Ch|Th|Md|Mr|Dr|St|Ph|Kh|Sh|Wm|Jr|Chr|Geo)\."
_MIDDLE = rf"(?:{UPPER}\.[-‐]?|{_ABBREVIATED}|{_BARE}|(?:{_PART}){{0,3}}{WORD})"
_TAIL_PART = rf"(?:\s?(?:{_PART}){{1,3}}(?=[,;.&(]|and\b))?"
_CJK = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"

_PATTERNS = {
    NameStyle.INVERTED: (
        rf"{_DOUBLE}{_JR},\s?(?:(?:{INITIALS}|(?:{_BARE}\s?){{1,4}}|{UPPER}{{2,3}}(?!{_L}))"
        rf"(?:\s?{_BARE}(?=\s?[,;.&(:]|\sand\b)){{0,2}}){_JR}{_TAIL_PART}"
    ),
    NameStyle.GLUED: rf"{_DOUBLE}\s{_GLUE}(?:\s{UPPER}(?!{_L}|\.)){{0,3}}{_JR}",
    NameStyle.INITIALS: (
        rf"(?:{_ONE}|{_BARE}\s?){{1,8}}(?:{_PART}){{0,3}}{WORD}(?:\s(?:{_PART}){{0,3}}{WORD}){{0,2}}{_JR}"
    ),
    NameStyle.FULL: rf"(?:{_ABBREVIATED}\s)?{WORD}(?:\s{_MIDDLE}){{1,6}}{_JR}",
    NameStyle.REVERSED: (
        # Given names, then middle initials; after a given name and an initial no given name follows any more.
        rf"{_DOUBLE}{_JR},\s(?:(?:{WORD})(?:\s(?:{_BARE}|{WORD})){{0,3}}(?:\s(?:{UPPER}\.|{_ABBREVIATED}|{_BARE})){{0,3}}"
        rf"|{UPPER}\.\s{WORD}(?=;|\.\s?[“\"(]|,\s(?:and|&)|\s(?:u\.|et)|\s?\(\d)|{INITIALS}){_TAIL_PART}{_JR}"
    ),
    NameStyle.FAMILY: FAMILY,
    NameStyle.LOOSE: rf"(?:[a-z]{{2,12}}\s{WORD}|{WORD}\s[a-z]{{2,12}}|{WORD})(?=,\s|\sand\s|\.\s)",
    NameStyle.CJK: rf"{_CJK}{{2,8}}(?:\s{_CJK}{{1,4}})?",
}
_NAMES = {style: re.compile(pattern) for style, pattern in _PATTERNS.items()}
SEPARATOR = re.compile(
    r"\s?(?:[,;/·•・、]\s?(?:(?:and|und|et|y|e|og|och|en|with|AND)\s|&\s?)?|"
    r"\s?(?:and|und|et|y|e|og|och|AND|u\.)\s|\s?[&＆]\s?|\s[–—-]\s)"
)
"""What may stand between two names."""

_CONJ = re.compile(r"and|und|et|&|＆|\by\b|\be\b|\bog\b|AND|u\.")


_WITH_INITIALS = frozenset({NameStyle.INITIALS, NameStyle.FULL, NameStyle.GLUED})


@lru_cache(maxsize=4_096)
def _name(text: str, place: int, style: NameStyle) -> int:
    """Give the end of a name of that style at `place`, or -1; several readings of a list ask for the same ones."""
    match = _NAMES[style].match(text, place)
    if match is None:
        return -1
    found = match.group()
    if style in _WITH_INITIALS and _looks_like_venue(
        found, text[match.end() : match.end() + 12], glued=style is NameStyle.GLUED
    ):
        return -1
    end = match.end()
    while end > place and text[end - 1] in " -–":
        end -= 1
    return end


_ARTICLES = re.compile(
    rf"(?:The|A|On|Der|Die|Das|Le|La|Les|Il|El|Los|Zur|Zum|How|Why|What|Towards?|Introduction)\s(?!{UPPER}{{1,3}}[,.;])"
)


def _looks_like_venue(found: str, following: str, *, glued: bool) -> bool:
    """Whether a supposed name is a journal: `J. Chem`, `Z. Physik, 146`, `Nature Genetics 12`.

    Initials run together (`glued`) say nothing: `Turing AM` is no American journal.
    """
    parts = [part for part in _LETTERED.findall(found) if not glued or not part.isupper() or len(part) > 3]  # noqa: PLR2004
    if any(is_venue_word(part) for part in parts):
        return True
    return _NUMBERED.match(following) is not None


_LETTERED = re.compile(r"[^\W\d_]{2,}")
_NUMBERED = re.compile(r"[.,]?\s?(?:\d{1,3}\b(?!\d)|vol\b|v\.\s?\d|\(\d{1,3}\))")


ORDER = (NameStyle.INVERTED, NameStyle.GLUED, NameStyle.INITIALS, NameStyle.FULL, NameStyle.REVERSED, NameStyle.CJK)
#: Styles that a later name of a list may have, given the style of the first.
_LATER = {
    NameStyle.INVERTED: (NameStyle.INVERTED, NameStyle.INITIALS),
    NameStyle.GLUED: (NameStyle.GLUED,),
    NameStyle.INITIALS: (NameStyle.INITIALS,),
    NameStyle.FULL: (NameStyle.FULL, NameStyle.INITIALS),
    NameStyle.CJK: (NameStyle.CJK,),
    NameStyle.REVERSED: (NameStyle.REVERSED, NameStyle.INVERTED, NameStyle.FULL, NameStyle.INITIALS),
    NameStyle.FAMILY: (NameStyle.FAMILY,),
}
_MAX_NAMES = 400


def take_names(text: str, style: NameStyle, *, start: int = 0, loose: bool = False) -> tuple[int, int, bool]:
    """Take names from `start`: their end, their number, whether a conjunction closed the list.

    With `loose`, names of another style are taken inside the list; such a reading counts only if it closes well.
    """
    end = _name(text, start, style)
    count, closed = int(end > 0), False
    while end > 0 and count < _MAX_NAMES:
        separator = SEPARATOR.match(text, end)
        if separator is None:
            break
        mark = separator.group()
        conjunction = bool(_CONJ.search(mark))
        if closed and not conjunction and ";" not in mark:
            break
        styles = _LATER[style]
        if conjunction:
            styles = (*styles, NameStyle.FULL, NameStyle.GLUED, NameStyle.FAMILY)
        if "/" in mark:
            styles = (*styles, NameStyle.FAMILY)
        if loose:
            styles = (*styles, NameStyle.FULL, NameStyle.INITIALS, NameStyle.LOOSE)
        following = (
            -1
            if _ARTICLES.match(text, separator.end()) and not loose
            else max(_name(text, separator.end(), later) for later in styles)
        )
        if style is NameStyle.REVERSED and mark.strip() == ",":
            following = _in_order(text, separator.end(), following)
        if following < 0 and mark.strip()[:1] in {",", ";"}:
            following = group_at(text, separator.end())
        if following < 0:
            break
        closed = closed or conjunction
        end, count = following, count + 1
    return end, count, closed


def _in_order(text: str, place: int, otherwise: int) -> int:
    """Give the end of a name in reading order, in a list whose first one is inverted, if the list goes on after it."""
    end = _ordered(text, place)
    separator = SEPARATOR.match(text, end) if end > 0 else None
    if separator is None or ";" in separator.group():
        return otherwise
    goes_on = _ordered(text, separator.end()) > 0 or text.startswith("et al", separator.end())
    return end if goes_on else otherwise


def _ordered(text: str, place: int) -> int:
    found = [_NAMES[style].match(text, place) for style in (NameStyle.FULL, NameStyle.INITIALS)]
    return max((match.end() for match in found if match is not None), default=-1)


_GROUP = re.compile(
    rf"(?:the\s)?{UPPER}[^.,;:()\d]{{0,80}}?(?:[Cc]ollaborations?|Consortium|Group|Team|Committee|Network|Initiative|Investigators)\b"
)


def group_at(text: str, place: int) -> int:
    """Give where a body's name (`ATLAS Collaboration`) that starts at `place` ends, or -1."""
    match = _GROUP.match(text, place)
    return match.end() if match else -1
