"""Say whether two names may be one person.

Records spell one person in many ways: initials, glued initials, particles, marks kept, folded (ä to a),
spelt out (ä to ae) or lost with their letter. None of that is a difference; another given name is.
"""

from __future__ import annotations

import re
import unicodedata
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from citeaudit.model import Person
from citeaudit.text.lists import read_words
from citeaudit.text.normalize import fold, plain
from citeaudit.text.similarity import edits

MIN_GARBLED = 4
"""Letters a family name needs before one wrong letter is excused: `Li` and `Lu` are two people."""
MIN_GARBLED_ALONE = 6
"""Letters it needs where the given names cannot confirm it in full: `Wang` and `Yang` are two people."""
MIN_CONTRACTED = 5
"""Letters from which `ae`, `oe`, `ue` may stand for a marked vowel: `Mueller`, but not `Roe`."""
MIN_JOINED = 8
"""Letters a whole name needs to be recognised however it is split: `Jiajunzhang`."""
TWO_NAMES = 4
"""Words from which a name may be two people's run together, middle initials being lost on the way."""
_MAX_NAME = 200

_HOMONYM = re.compile(r"\s+\d{4}$")  # DBLP numbers people of one name: `Nuno Santos 0001`
_NUMBERED = re.compile(r"\d{4}")
_GLUED = re.compile(r"[A-Z]{1,4}")
_SHORTENED = re.compile(r"[^\W\d_]{2,3}\.")  # `Ch.`, `Yu.`, `Chr.`
_CAMEL = re.compile(r"[A-Z][^A-Z\s]*[A-Z]|[A-Z]{2}")
_PLACEHOLDER = re.compile(
    r"(?:anon(?:ymous)?|n\W?a|none|unknown|(?:no )?authors?|various(?: authors)?|tba|tbd|null)?", re.IGNORECASE
)
_OTHERS = frozenset({"others", "et al", "et alii", "and others", "al"})
_PARTICLES = read_words("citeaudit.match", "name_particles.txt")
_GROUP_WORDS = read_words("citeaudit.match", "group_words.txt")
_COLLECTIVE = frozenset(
    {"collaboration", "collaborators", "consortium", "contributors", "group", "initiative", "investigators", "network"}
)
"""Last words of groups that no person bears, so that a group split like a person is known."""
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md"})
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

    @property
    def words(self) -> tuple[str, ...]:
        """Give given and family names in the Western order."""
        return self.given + self.family

    @property
    def keys(self) -> frozenset[str]:
        """Give every string under which this name may be found: families, their parts, given names."""
        return self.families | set(self.family) | {word for word in self.given if len(word) > 1}


def ready(person: Person) -> Name:
    """Make a name ready for comparison."""
    return _ready(person.family, person.given, person.literal)


def is_placeholder(person: Person) -> bool:
    """Whether a name stands for no one: `Anonymous`, `N/A`, dashes.

    >>> is_placeholder(Person(literal="———")), is_placeholder(Person(family="Roe"))
    (True, False)
    """
    if person.family and person.given:
        return False
    return _PLACEHOLDER.fullmatch(fold(str(person)[:_MAX_NAME])) is not None


def is_others(person: Person) -> bool:
    """Whether a name is the words `et al.` or `others`."""
    return not (person.family and person.given) and fold(str(person)[:_MAX_NAME]) in _OTHERS


def liken(claimed: Name, found: Name) -> Likeness:
    """Tell how two names stand to each other; the order of the two does not matter."""
    if claimed.group or found.group:
        return Likeness.SAME if _same_group(claimed, found) else Likeness.OTHER
    if _same_family(claimed, found):
        like = _given(claimed, found)
        joined = like is Likeness.GIVEN and (within(claimed, found) or within(found, claimed))
        return Likeness.INITIALS if joined else like
    if _swapped(claimed, found) or _swapped(found, claimed):
        return Likeness.SWAPPED
    if _glued(claimed, found) or _glued(found, claimed) or _ends(claimed, found) or _ends(found, claimed):
        return Likeness.INITIALS
    if _garbled(claimed, found):
        return Likeness.MISSPELT
    return Likeness.OTHER


def within(part: Name, whole: Name) -> bool:
    """Whether a name stands inside a longer one, as `Josh Achiam` in `OpenAI Josh Achiam`.

    Some records run names together: a company with a person, or two persons.
    """
    small, large = part.words, whole.words
    if len(small) >= len(large) or (len(small) < 2 and not part.group):  # noqa: PLR2004 - one bare word stands in anything
        return False
    if any(large[start : start + len(small)] == small for start in range(len(large) - len(small) + 1)):
        return True
    full = {word for word in small if len(word) > 1}
    return len(large) >= TWO_NAMES and len(full) > 1 and full <= set(large)


@lru_cache(maxsize=65_536)
def _ready(family: str | None, given: str | None, literal: str | None) -> Name:
    if literal and not family:
        return _literal(literal)
    family, given = _clean(family), _clean(given)
    if _NUMBERED.fullmatch(family) and given:
        given, _, family = given.rpartition(" ")
    firsts = _initials(given)
    lasts = tuple(word for word in fold(family).split() if word not in _SUFFIXES) or tuple(fold(family).split())
    group = not firsts and bool(_CAMEL.search(family)) and not family.isupper()
    group = (
        group or bool(_COLLECTIVE.intersection(lasts[-1:])) or any(word in _GROUP_WORDS for word in lasts if not firsts)
    )
    cut = _SHORTENED.match(given) is not None and not _GLUED.match(given.partition(".")[0][1:])
    return Name(_spellings(family), lasts, firsts, _spellings(given), group, cut)


def _literal(literal: str) -> Name:
    """Read an unsplit name: a group, or a person whose last word is the family name."""
    text = _clean(literal)
    parts = text.split()
    lone = len(parts) < 2 or len(parts) > 4  # noqa: PLR2004 - persons have two to four names
    if lone or any(word in _GROUP_WORDS for word in fold(text).split()):
        words = tuple(word for word in fold(text).split() if word != "the")
        return Name(frozenset({"".join(words)}), words, (), frozenset(), group=True)
    return _ready(parts[-1], " ".join(parts[:-1]), None)


def _clean(text: str | None) -> str:
    return _HOMONYM.sub("", plain((text or "")[:_MAX_NAME]))


def _initials(given: str) -> tuple[str, ...]:
    """Give folded given names; `ME` and `J.R.` come apart into letters, `Kai-Ming` into two words."""
    words: list[str] = []
    for part in re.split(r"[\s.\-‐-―]+", given):
        words += list(fold(part)) if _GLUED.fullmatch(part) else fold(part).split()
    return tuple(word for word in words if word not in _SUFFIXES or len(words) == 1)


def _spellings(family: str) -> frozenset[str]:
    """Give a family name as it may be written: folded, spelt out, with its marked letters lost, without particles."""
    text = unicodedata.normalize("NFC", family).lower()
    forms = {fold(text), fold("".join(_SPELT.get(letter, letter) for letter in text))}
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


def _same_family(claimed: Name, found: Name) -> bool:
    """Whether two family names agree, a second surname left out being agreement."""
    if claimed.families & found.families:
        return True
    short, long = sorted((claimed, found), key=lambda name: len(name.family))
    ends = (long.family[0], long.family[-1]) if len(long.family) > 1 else ()
    if len(short.family) == 1 and len(short.family[0]) > 2 and short.family[0] in ends:  # noqa: PLR2004
        return True
    return sorted(claimed.words) == sorted(found.words) and claimed.words[-1:] == found.words[-1:]


def _given(one: Name, two: Name) -> Likeness:
    """Compare the given names of two people of one family name."""
    claimed, found = one.given, two.given
    if "".join(claimed) == "".join(found) or one.givens & two.givens:
        return Likeness.SAME if one.families & two.families else Likeness.INITIALS
    if not claimed or not found:
        return Likeness.INITIALS
    if _compatible(claimed[0], found[0]) or _compatible("".join(claimed), "".join(found)):
        return Likeness.INITIALS
    if {word for word in claimed if len(word) > 1} & {word for word in found if len(word) > 1}:
        return Likeness.INITIALS  # `J. Michael` known as `Michael`
    if (one.cut and found[0].startswith(claimed[0])) or (two.cut and claimed[0].startswith(found[0])):
        return Likeness.INITIALS
    if _skips(claimed, found) or _skips(found, claimed):
        return Likeness.INITIALS
    pairs = ((claimed[0], found[0]), ("".join(claimed), "".join(found)))
    slip = any(max(map(len, pair)) >= MIN_GARBLED and edits(*pair) == 1 for pair in pairs)
    return Likeness.MISSPELT if slip else Likeness.GIVEN


def _skips(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether a lone initial or name stands for a later given name: `M. Roe` for `J. Michael Roe`."""
    return len(short) == 1 and any(_compatible(short[0], word) for word in long[1:])


def _compatible(one: str, two: str) -> bool:
    """Whether two given names can be one: equal, an initial, or a short form that begins the other."""
    short, long = sorted((one, two), key=len)
    return long.startswith(short) and (len(short) == 1 or len(short) > 2)  # noqa: PLR2004 - `Jo` is not `Joseph`


def _swapped(one: Name, two: Name) -> bool:
    """Whether `one` has its parts in the other order."""
    if not one.given or not two.given or "".join(one.given) not in two.families:
        return False
    return "".join(one.family) == "".join(two.given) or one.family[:1] == two.given[:1]


def _ends(short: Name, long: Name) -> bool:
    """Whether `long` only adds a second family name that was read as the family: `Carlos Riquelme Ruiz`."""
    words = short.words
    return len(words) > 1 and len(words[0]) > 1 and long.words[:-1] == words


def _glued(one: Name, two: Name) -> bool:
    """Whether `one` was read as `Baldassarre` given to a family `ME`, the initials of `two`."""
    family, initials = "".join(one.family), "".join(word[0] for word in two.given)
    return 0 < len(family) <= 3 and "".join(one.given) in two.families and initials.startswith(family)  # noqa: PLR2004


def _garbled(one: Name, two: Name) -> bool:
    """Whether one letter of the family name is wrong, or marked ones are lost, and the given names bear that out."""
    left, right = "".join(one.family), "".join(two.family)
    longest = max(len(left), len(right))
    if _joined(one, two):
        return True
    if longest < MIN_GARBLED or not (edits(left, right) == 1 or _lost(left, right) or _lost(right, left)):
        return False
    if "".join(one.given) == "".join(two.given) and len("".join(one.given)) > 1:
        return True
    return longest >= MIN_GARBLED_ALONE and _given(one, two) >= Likeness.MISSPELT


def _lost(short: str, long: str) -> bool:
    """Whether a name is another without one or two of its inner letters, as `Grbzbalaban`."""
    if not (MIN_GARBLED < len(short) < len(long) <= len(short) + 2) or short[0] != long[0]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _joined(one: Name, two: Name) -> bool:
    """Whether two names have the same letters, split elsewhere or not at all, up to one letter too many."""
    left, right = "".join(one.words), "".join(two.words)
    if min(len(left), len(right)) < MIN_JOINED:
        return False
    if right in (left, "".join(one.family + one.given)) or left == "".join(two.family + two.given):
        return True
    return len(left) != len(right) and edits(left, right) == 1


def _same_group(one: Name, two: Name) -> bool:
    """Whether two groups are one: the same words, an acronym, or a longer form of the name."""
    left, right = (tuple(word for word in name.words if word != "the") for name in (one, two))
    if "".join(left) == "".join(right):
        return True
    if not left or not right:
        return False
    short, long = sorted((left, right), key=len)
    if one.group and two.group and long[: len(short)] == short:
        return True
    return len(short) == 1 and len(short[0]) > 2 and short[0] == "".join(word[0] for word in long)  # noqa: PLR2004
