"""Say whether two given names may be one person's: initials, short forms, nicknames, transliterations."""

from __future__ import annotations

from functools import cache

from citeaudit.match.names import Likeness, Name
from citeaudit.match.romanised import lost, sounds
from citeaudit.text.lists import read_rows
from citeaudit.text.similarity import edits

MIN_GARBLED = 4
"""Letters a name needs before one wrong letter is excused: `Li` and `Lu` are two people."""
_SHORT = 2  # letters of a name that is no short form of a longer one: `Jo` is not `Joseph`

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
    if (one.cut and found[0].startswith(claimed[0])) or (two.cut and claimed[0].startswith(found[0])):
        return Likeness.INITIALS
    if _skips(claimed, found) or _skips(found, claimed) or nicknamed(claimed, found):
        return Likeness.INITIALS
    pairs = ((claimed[0], found[0]), ("".join(claimed), "".join(found)))
    if any(sounds(*pair) for pair in pairs):
        return Likeness.INITIALS
    return Likeness.MISSPELT if any(_slips(*pair) for pair in pairs) else Likeness.GIVEN


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
    """Whether the first of the given names are usual names of one person: `Bob` and `Robert`.

    >>> nicknamed(("misha",), ("mikhail", "a")), nicknamed(("bob",), ("richard",))
    (True, False)
    """
    table = _nicknames()
    return bool(table.get(one[0], frozenset()) & table.get(two[0], frozenset()))


@cache
def _nicknames() -> dict[str, frozenset[int]]:
    """Give for each name the rows of the table in which it stands."""
    rows: dict[str, set[int]] = {}
    for number, row in enumerate(read_rows("citeaudit.match", "nicknames.tsv")):
        for name in row:
            rows.setdefault(name.strip(), set()).add(number)
    return {name: frozenset(numbers) for name, numbers in rows.items()}
