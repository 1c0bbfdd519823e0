"""Know one name through two ways of writing it in Latin letters, and through letters lost with their marks."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from citeaudit.text.lists import read_rows

MIN_SOUND = 5
"""Letters from which two spellings of one sound may be one name; `Shi` and `Si`, `Zhang` and `Zang` are two."""
MIN_SLAVIC = 6
"""Letters from which that holds for `sh`, `zh`, `ch` against the bare letter also, which Chinese tells apart."""
MOST_LOST = 3
"""Letters that marks may have taken with them: `Kkyavuz` for `Küçükyavuz`."""
MIN_LEFT = 3
"""Letters that must remain of such a name."""
_MIN_LONG = 4
_PINYIN = re.compile(
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|uang|ang|eng|ing|ong|iao|ian|uai|uan|ai|ei|ao|ou|an|en|in|un"
    r"|ia|ie|iu|ua|uo|ui|ue|er|a|o|e|i|u)){1,8}"
)
"""Words that may be Chinese in pinyin, where each letter counts: `Liyang` is not `Liang`."""
VOWELS = frozenset("aeiouy")
BORE = frozenset("aeiouycsznlg")
"""Letters that bear marks in most Latin alphabets, so that a bad encoding drops them."""


@lru_cache(maxsize=65_536)
def sounds(one: str, two: str, *, slavic: bool = False) -> bool:
    """Whether two folded names are one name romanised in two ways; the order of the two does not matter.

    Args:
        one: A folded name.
        two: Another.
        slavic: Also take `sh`, `zh`, `ch`, `ts` for the letters that they write in Czech or in scholarly works.

    >>> sounds("sergey", "sergei"), sounds("tchebychev", "chebyshev"), sounds("tchebychev", "chebyshev", slavic=True)
    (True, False, True)
    """
    if min(len(one), len(two)) < (MIN_SLAVIC if slavic else MIN_SOUND):
        return False
    if _sound(one, slavic) != _sound(two, slavic):
        return False
    return not (_PINYIN.fullmatch(one) and _PINYIN.fullmatch(two))


@lru_cache(maxsize=65_536)
def _sound(name: str, slavic: bool) -> str:
    """Give a name with each sound written in one way."""
    for written, sound, scope in _sounds():
        if slavic or scope == "any":
            name = name.replace(written, sound)
    single = (letter for place, letter in enumerate(name) if letter not in VOWELS or name[place - 1 : place] != letter)
    return "".join(single)


@cache
def _sounds() -> tuple[tuple[str, str, str], ...]:
    rows = read_rows("citeaudit.match", "romanisation.tsv")
    return tuple((row[0], "" if row[1] == "-" else row[1], row[2].strip()) for row in rows)


def one_surname(one: str, two: str) -> bool:
    """Whether two folded family names are usual forms of one Chinese or Korean name: `Lee` and `Yi`.

    Many people bear each, so this says little unless the given names agree in full.

    >>> one_surname("lee", "rhee"), one_surname("park", "kim")
    (True, False)
    """
    table = _surnames()
    return bool(table.get(one, frozenset()) & table.get(two, frozenset()))


@cache
def _surnames() -> dict[str, frozenset[int]]:
    rows: dict[str, set[int]] = {}
    for number, row in enumerate(read_rows("citeaudit.match", "surnames.tsv")):
        for name in row:
            rows.setdefault(name.strip(), set()).add(number)
    return {name: frozenset(numbers) for name, numbers in rows.items()}


def lost(one: str, two: str, letters: frozenset[str] = BORE) -> bool:
    """Whether one folded name is the other less up to three letters that bore marks; the order does not matter.

    Args:
        one: A folded name.
        two: Another.
        letters: The letters that may be lost; at most one of them at the end.

    >>> lost("szab", "szabo"), lost("zdenizci", "ozdenizci"), lost("khler", "kohler"), lost("yang", "wang")
    (True, True, True, False)
    """
    short, long = sorted((one, two), key=len)
    if len(short) < MIN_LEFT or len(long) < _MIN_LONG or not 0 < len(long) - len(short) <= MOST_LOST:
        return False
    place = 0
    for letter in long[:-1]:
        if place < len(short) and letter == short[place]:
            place += 1
        elif letter not in letters or place == len(short):
            return False
    rest = short[place:]
    return rest == long[-1] or (not rest and long[-1] in letters)
