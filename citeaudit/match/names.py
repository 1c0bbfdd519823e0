"""Make names ready for comparison, and know those that stand for no one.

Records spell one person in many ways: initials, glued initials, particles, marks kept, folded (ä to a),
spelt out (ä to ae) or lost with their letter. `citeaudit.match.likeness` says what of that is a difference.
"""

from __future__ import annotations

import re
import unicodedata
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from citeaudit.match.romanised import forms_of
from citeaudit.model import Person
from citeaudit.text.lists import read_words
from citeaudit.text.normalize import fold, plain

MIN_CONTRACTED = 5
"""Letters from which `ae`, `oe`, `ue` may stand for a marked vowel: `Mueller`, but not `Roe`."""
TWO_NAMES = 4
"""Words from which a name may be two people's run together, middle initials being lost on the way."""
_MAX_NAME = 200

_HOMONYM = re.compile(r"\s+\d{4}$")  # DBLP numbers people of one name: `Nuno Santos 0001`
_NUMBERED = re.compile(r"\d{4}")
_NOTE = re.compile(r"(?<=[^\W\d_]{2})(?:\d{1,2}(?:,\d{1,2}){0,3},?|[*†‡§¶∗,]{1,4})$")  # `Marchetti1,2`, `Brandt*`
_MISREAD = re.compile("[\u00c3-\u00c5][\u0080-\u00bf\u0152-\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]")
_GLUED = re.compile(r"[A-Z]{1,4}")
_SHORTENED = re.compile(r"[^\W\d_]{2,3}\.")  # `Ch.`, `Yu.`, `Chr.`
_CAMEL = re.compile(r"[A-Z][^A-Z\s]*[A-Z]|[A-Z]{2}")
_PLACEHOLDER = re.compile(
    r"(?:anon(?:ymous)?|n\W?a|none|unknown|(?:no )?authors?|various(?: authors)?|tba|tbd|null)?", re.IGNORECASE
)
_OTHERS = frozenset({"others", "et al", "et alii", "and others", "al"})
_STOCK = read_words("citeaudit.match", "stock_names.txt")
_AUTHOR = frozenset({"author", "authors", "coauthor", "writer", "name", "lastname", "firstname", "surname"})
_COUNTS = frozenset(
    {"first", "second", "third", "fourth", "fifth", "last", "one", "two", "three", "four", "five", "six"}
    | {"1st", "2nd", "3rd"}
    | {"co", "the", "et", "al", "placeholder", "example", "your", "full", "family", "given", "some"}
)
_MAX_STOCK = 4  # words of a name that says no more than *author*
_NO_ONE = frozenset(
    {"anonymous", "unknown", "editor", "editors", "editorial", "board", "staff", "guest", "author", "authors", "writer"}
    | {"writers", "associate", "managing", "in", "chief", "the", "by", "our", "not", "no", "available", "various"}
)
"""Words of which a name consists that is an office or nobody's: `Editorial Board`, `Unknown Unknown`."""
_OFFICES = frozenset(
    {"anonymous", "unknown", "editor", "editors", "editorial", "staff", "author", "authors", "writers"}
)
_HOUSES = frozenset(
    {"springer", "nature", "verlag", "elsevier", "bv", "b", "v", "wiley", "blackwell", "sons", "ieee", "acm", "mdpi"}
    | {"publishing", "publisher", "publishers", "press", "group", "ltd", "inc", "international", "switzerland", "ag"}
    | {"science", "business", "media", "taylor", "francis", "sage", "publications", "of", "and", "the", "new", "york"}
)
"""Words of which the name of a publisher consists, which some records have for an author."""
_PARTICLES = read_words("citeaudit.match", "name_particles.txt")
_GROUP_WORDS = read_words("citeaudit.match", "group_words.txt")
_COLLECTIVE = frozenset(
    {"collaboration", "collaborators", "consortium", "contributors", "group", "initiative", "investigators", "network"}
)
"""Last words of groups that no person bears, so that a group split like a person is known."""
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md"})
_COUNTED = frozenset({"jr", "ii", "iii", "iv"})
"""Suffixes that no one bears as a name; `Sr` is one, `MD` and `PhD` may be initials."""
_RANKS = {"jr": "jr", "sr": "sr", "ii": "ii", "iii": "iii", "iv": "iv", "2nd": "ii", "3rd": "iii"}
_SPELT = {
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "ø": "oe",
    "å": "aa",
    "æ": "ae",
    "œ": "oe",
    "ß": "ss",
    "þ": "th",
    "ð": "dh",
    "ı": "i",
    "č": "ch",
    "š": "sh",
    "ž": "zh",
}


class Likeness(IntEnum):
    """How a claimed name stands to a recorded one; a greater value is a better match."""

    OTHER = 0
    """Another person, as far as the names tell."""
    GIVEN = 1
    """The same family name, but given names that cannot belong to one person."""
    MISSPELT = 2
    """One letter differs."""
    SWAPPED = 3
    """Family and given name have changed places."""
    INITIALS = 4
    """The same, one of them shorter: initials, a middle name or a second family name left out."""
    SAME = 5
    """The same name."""


class Name(NamedTuple):
    """A name made ready for comparison; all strings are folded."""

    families: frozenset[str]
    """Spellings of the whole family name, without spaces."""
    family: tuple[str, ...]
    given: tuple[str, ...]
    """Given names or initials; glued capitals are taken apart."""
    givens: frozenset[str]
    """Spellings of the whole given name, without spaces."""
    group: bool
    """A collaboration or company rather than a person."""
    cut: bool = False
    """The first given name is two or three letters and a full stop: `Ch.` for Christian, `Yu.` for Yuri."""
    stock: bool = False
    """A name that forms and examples use for no one in particular: `John Doe`, `First Author`."""

    rank: str = ""
    """What tells bearers of one name apart: `jr`, `iii`; empty where nothing does."""

    words: tuple[str, ...] = ()
    """Given and family names in the Western order."""
    keys: frozenset[str] = frozenset()
    """Every string under which this name may be found: families, their parts and usual forms, given names."""
    letters: tuple[int, int] = (0, 0)
    """Letters of the family name and of all words, a bit each: names that differ in many are not compared further."""

    def complete(self) -> Name:
        """Give the name with `words`, `keys` and `letters` worked out."""
        given = {word for word in (*self.given, "".join(self.given)) if len(word) > 1}
        words = self.given + self.family
        letters = _letters("".join(self.family)), _letters("".join(words))
        keys = self.families | set(self.family) | given | forms_of("".join(self.family))
        return self._replace(words=words, keys=keys, letters=letters)


def _letters(text: str) -> int:
    mask = 0
    for letter in text:
        mask |= 1 << (ord(letter) & 31)
    return mask


def ready(person: Person) -> Name:
    """Make a name ready for comparison."""
    return _ready(person.family, person.given, person.literal)


def is_placeholder(person: Person) -> bool:
    """Whether a name stands for no one: `Anonymous`, `N/A`, `Editorial Board`, dashes.

    >>> is_placeholder(Person(literal="———")), is_placeholder(Person(family="Roe"))
    (True, False)
    """
    text = fold(str(person)[:_MAX_NAME])
    words = set(text.split())
    if words <= _NO_ONE and words & _OFFICES:
        return True
    return not (person.family and person.given) and _PLACEHOLDER.fullmatch(text) is not None


def is_stock(name: str) -> bool:
    """Whether forms and examples use a name for no one in particular.

    Some of them are real names too: they stand for no one only where no recorded author fits.

    >>> is_stock("Jane Doe"), is_stock("Second Author"), is_stock("Author, A."), is_stock("Jane Roebuck")
    (True, True, True, False)
    """
    words = fold(name).split()
    return " ".join(words) in _STOCK or (len(words) <= _MAX_STOCK and _is_numbered(words))


def _is_numbered(words: list[str]) -> bool:
    """Whether a name is the word *author* with a count or letters: `First Author`, `A. Author`."""
    rest = [word for word in words if word not in _AUTHOR]
    return len(rest) < len(words) and all(len(word) == 1 or word.isdigit() or word in _COUNTS for word in rest)


def is_others(person: Person) -> bool:
    """Whether a name is the words `et al.` or `others`."""
    return not (person.family and person.given) and fold(str(person)[:_MAX_NAME]) in _OTHERS


@lru_cache(maxsize=65_536)
def _ready(family: str | None, given: str | None, literal: str | None) -> Name:
    if literal and not family:
        return _literal(literal)
    family, given = _clean(family), _clean(given)
    if not any(char.isdigit() for char in given):  # else the digits tell people apart
        family = _NOTE.sub("", family)
    person_family, person_given = family, given
    if _NUMBERED.fullmatch(family) and given:
        given, _, family = given.rpartition(" ")
    if fold(family) in _COUNTED and given:  # `Robert J. Marks II` split before its last word
        given, _, family = given.rpartition(" ") if " " in given else ("", "", given)
    elif fold(given) in _COUNTED:  # `III Sutton`
        given = ""
    firsts = _initials(given)
    ranks = [_RANKS[word] for word in fold(f"{person_given} {person_family}").split() if word in _RANKS]
    lasts = tuple(word for word in fold(family).split() if word not in _SUFFIXES) or tuple(fold(family).split())
    group = not firsts and bool(_CAMEL.search(family)) and not family.isupper()
    group = (
        group or bool(_COLLECTIVE.intersection(lasts[-1:])) or any(word in _GROUP_WORDS for word in lasts if not firsts)
    )
    cut = _SHORTENED.match(given) is not None and not _GLUED.match(given.partition(".")[0][1:])
    stock = is_stock(f"{given} {family}")
    group = (group or is_house(firsts + lasts)) and not stock
    rank = ranks[-1] if ranks else ""
    return Name(_spellings(family), lasts, firsts, _spellings(given), group, cut, stock, rank).complete()


def is_house(words: tuple[str, ...]) -> bool:
    """Whether a name is a publisher's: two words and more, for `Springer` and `Wiley` are names of people too."""
    return len(words) > 1 and _HOUSES.issuperset(words) and any(len(word) > 1 for word in words)


def _literal(literal: str) -> Name:
    """Read an unsplit name: a group, or a person whose last word is the family name."""
    text = _clean(literal)
    parts = text.split()
    lone = len(parts) < 2 or len(parts) > 4  # noqa: PLR2004 - persons have two to four names
    if lone or any(word in _GROUP_WORDS for word in fold(text).split()):
        words = tuple(word for word in fold(text).split() if word != "the")
        stock = is_stock(text)
        whole = frozenset({"".join(words)})
        return Name(whole, words, (), frozenset(), group=not stock, stock=stock).complete()
    return _ready(parts[-1], " ".join(parts[:-1]), None)


def _clean(text: str | None) -> str:
    text = (text or "")[:_MAX_NAME]
    if text.isascii() and text.isalpha():
        return text
    return _HOMONYM.sub("", plain(_MISREAD.sub(_mend, text)))


def _mend(match: re.Match[str]) -> str:
    """Undo UTF-8 that was read as Windows-1252 or Latin-1: `MÃ¼ller`."""
    text = match.group()
    for encoding in ("cp1252", "latin-1"):
        try:
            return bytes((ord(text[0]), *text[1].encode(encoding))).decode("utf-8")
        except UnicodeError:
            continue
    return match.group()


def _initials(given: str) -> tuple[str, ...]:
    """Give folded given names; `ME` and `J.R.` come apart into letters, `Kai-Ming` into two words."""
    words: list[str] = []
    for part in re.split(r"[\s.\-‐-―]+", given):
        words += list(fold(part)) if _GLUED.fullmatch(part) else fold(part).split()
    return tuple(word for word in words if word not in _SUFFIXES or len(words) == 1)


def _spellings(family: str) -> frozenset[str]:
    """Give a family name as it may be written: folded, spelt out, with its marked letters lost, without particles."""
    text = unicodedata.normalize("NFC", family).lower()
    forms = {fold(text)}
    if not text.isascii():
        forms.add(fold("".join(_SPELT.get(letter, letter) for letter in text)))
        lost = fold("".join(letter for letter in text if letter.isascii()))
        if len(lost) * 2 >= len(text):  # a name wholly in another script leaves nothing to compare
            forms.add(lost)
    for form in tuple(forms):
        bare = [word for word in form.split() if word not in _SUFFIXES]
        forms.add(" ".join(bare))
        while len(bare) > 1 and bare[0] in _PARTICLES:
            bare = bare[1:]
        forms.add(" ".join(bare))
    whole = {form.replace(" ", "") for form in forms if form}
    long = (form for form in whole if len(form) >= MIN_CONTRACTED)
    return frozenset(whole | {form.replace("ae", "a").replace("oe", "o").replace("ue", "u") for form in long})
