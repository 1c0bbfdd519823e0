"""Say whether two given names may be one person's: initials, short forms, nicknames, transliterations."""

from __future__ import annotations

from functools import cache

from citeaudit.match.names import Likeness, Name
from citeaudit.match.romanised import VOWELS, eastern, is_eastern, lost, sounds
from citeaudit.text.lists import read_rows
from citeaudit.text.similarity import edits

MIN_GARBLED = 4
"""Letters a name needs before one wrong letter is excused: `Li` and `Lu` are two people."""
ENDINGS = ("a", "e", "ia", "ina", "ine", "ette", "elle")
"""What makes another given name of one: `Daniel` and `Daniela`."""
_SHORT = 2  # letters of a name that is no short form of a longer one: `Jo` is not `Joseph`

_SOFT = ("a", "e", "u")  # letters before which j, i and y write one Cyrillic letter with them

_Words = tuple[str, ...]


def compare_given(one: Name, two: Name) -> Likeness:
    """Compare the given names of two people of one family name; the order of the two does not matter.

    Returns:
        SAME, INITIALS for another form of the name, MISSPELT for a letter or two, else GIVEN.
    """
    claimed, found = one.given, two.given
    if "".join(claimed) == "".join(found) or one.givens & two.givens:
        return Likeness.SAME if one.families & two.families else Likeness.INITIALS
    if not claimed or not found or _shorter(claimed, found):
        return Likeness.INITIALS
    if (one.cut or two.cut) and _begins(claimed[0], found[0]):
        return Likeness.INITIALS
    if _skips(claimed, found) or _skips(found, claimed) or nicknamed(claimed, found):
        return Likeness.INITIALS
    pairs = ((claimed[0], found[0]), ("".join(claimed), "".join(found)))
    if any(sounds(*pair) for pair in pairs) or (is_eastern("".join(one.family)) and eastern(*pairs[1])):
        return Likeness.INITIALS
    return Likeness.MISSPELT if any(_slips(*pair) for pair in pairs) else Likeness.GIVEN


def _begins(one: str, two: str) -> bool:
    """Whether a name cut after its first letters is the other's beginning: `Ya.`, `Ja.`, `Ia.` and `J.` for Yakov."""
    forms = ((one, two), (_softened(one), _softened(two)))
    return any(left.startswith(right) or right.startswith(left) for left, right in forms)


def _softened(name: str) -> str:
    return f"y{name[1:]}" if name[0] in "ij" and (name[1:2] in _SOFT or len(name) == 1) else name


def namesakes(one: Name, two: Name) -> bool:
    """Whether two names that agree otherwise are told apart as those of relatives or namesakes are.

    So are a second initial, `Jr` and `III`, and an ending that makes another given name. Order does not matter.
    """
    if one.rank and two.rank and one.rank != two.rank:
        return True
    if not one.given or not two.given or one.family != two.family:
        return False
    short, long = sorted((one.given[0], two.given[0]), key=len)
    if len(short) >= MIN_GARBLED and short[-1] not in VOWELS and long in [short + ending for ending in ENDINGS]:
        return not nicknamed((short,), (long,)) and not one.givens & two.givens
    return _other_initials(one.given, two.given)


def _other_initials(one: _Words, two: _Words) -> bool:
    """Whether both give further names besides the first, and no two of them can be one."""
    if one[0][0] != two[0][0] or not one[1:] or not two[1:]:
        return False
    return not any(left[0] == right[0] for left in one[1:] for right in two[1:])


def _shorter(claimed: _Words, found: _Words) -> bool:
    """Whether the first names can be one, or both have a whole name in common: `J. Michael` known as `Michael`."""
    if compatible(claimed[0], found[0]) or compatible("".join(claimed), "".join(found)):
        return True
    return bool({word for word in claimed if len(word) > 1} & {word for word in found if len(word) > 1})


def _skips(short: _Words, long: _Words) -> bool:
    """Whether a lone initial or name stands for a later given name: `M. Roe` for `J. Michael Roe`."""
    return len(short) == 1 and any(compatible(short[0], word) for word in long[1:])


def _slips(one: str, two: str) -> bool:
    """Whether one letter differs, or marked ones are lost."""
    longest = max(len(one), len(two))
    return (longest >= MIN_GARBLED and edits(one, two) == 1) or lost(one, two)


def compatible(one: str, two: str) -> bool:
    """Whether two given names can be one: equal, an initial, or a short form that begins the other.

    >>> compatible("a", "ada"), compatible("alex", "alexander"), compatible("jo", "joseph")
    (True, True, False)
    """
    short, long = sorted((one, two), key=len)
    return long.startswith(short) and (len(short) == 1 or len(short) > _SHORT)


def nicknamed(one: _Words, two: _Words) -> bool:
    """Whether the first of the given names are usual names of one person: `Bob` and `Robert` or `R`.

    >>> nicknamed(("misha",), ("mikhail", "a")), nicknamed(("bob",), ("richard",)), nicknamed(("bob",), ("r",))
    (True, False, True)
    """
    table = _nicknames()
    short, long = sorted((one[0], two[0]), key=len)
    if len(short) == 1:
        return short in _firsts().get(long, frozenset())
    return bool(table.get(short, frozenset()) & table.get(long, frozenset()))


@cache
def _firsts() -> dict[str, frozenset[str]]:
    """Give for each short form the initials of the names that it stands for; these stand first in their rows."""
    firsts: dict[str, set[str]] = {}
    for row in read_rows("citeaudit.match", "nicknames.tsv"):
        for name in row[1:]:
            firsts.setdefault(name.strip(), set()).add(row[0][0])
    return {name: frozenset(letters) for name, letters in firsts.items()}


@cache
def _nicknames() -> dict[str, frozenset[int]]:
    """Give for each name the rows of the table in which it stands."""
    rows: dict[str, set[int]] = {}
    for number, row in enumerate(read_rows("citeaudit.match", "nicknames.tsv")):
        for name in row:
            rows.setdefault(name.strip(), set()).add(number)
    return {name: frozenset(numbers) for name, numbers in rows.items()}
