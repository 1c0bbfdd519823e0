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
MIN_EASTERN = 3
"""Letters from which two spellings may be one Chinese, Korean or Japanese name; initials are compared elsewhere."""
_MIN_LONG = 4
_KANA = re.compile(r"(?:(?:ts|sh|ch|[bghkmnpr]y|[bdfghjkmnprstwyz])?[aeiou]|n){2,10}")
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


def eastern(one: str, two: str, *, pinyin: bool = False) -> bool:
    """Whether two folded names are one Chinese, Korean or Japanese name romanised in two ways.

    Args:
        one: A folded name, without spaces.
        two: Another.
        pinyin: Also where both may be pinyin, whose letters otherwise count: `Peiwen` may be Wade-Giles for `Beiwen`.

    >>> eastern("tsetung", "zedong"), eastern("cheolsoo", "chulsoo"), eastern("zihao", "zhihao")
    (True, True, False)
    """
    if min(len(one), len(two)) < MIN_EASTERN:
        return False
    if not pinyin and _PINYIN.fullmatch(one) and _PINYIN.fullmatch(two):
        return False
    return any(_written(one, scope) == _written(two, scope) for scope in ("chinese", "korean")) or japanese(one, two)


def japanese(one: str, two: str) -> bool:
    """Whether two folded names are one Japanese name, its long vowels marked or not: `Ohno`, `Ono`.

    >>> japanese("satoh", "satou"), japanese("kohler", "koler")
    (True, False)
    """
    left, right = _written(one, "japanese"), _written(two, "japanese")
    return left == right and min(len(one), len(two)) >= MIN_EASTERN and _KANA.fullmatch(left) is not None


@lru_cache(maxsize=65_536)
def _written(name: str, wanted: str) -> str:
    for written, sound, scope in _sounds():
        if scope == wanted:
            name = name.replace(written, sound)
    return name


@lru_cache(maxsize=65_536)
def _sound(name: str, slavic: bool) -> str:
    """Give a name with each sound written in one way."""
    for written, sound, scope in _sounds():
        if scope == "any" or (slavic and scope == "slavic"):
            name = name.replace(written, sound)
    single = (letter for place, letter in enumerate(name) if letter not in VOWELS or name[place - 1 : place] != letter)
    return "".join(single)


@cache
def _sounds() -> tuple[tuple[str, str, str], ...]:
    rows = read_rows("citeaudit.match", "romanisation.tsv")
    return tuple((row[0], "" if row[1] == "-" else row[1], row[2].strip()) for row in rows)


def forms_of(family: str) -> frozenset[str]:
    """Give marks that a folded family name shares with other usual forms of it; none for most names."""
    return frozenset(f"={row}" for row in _surnames().get(family, ()))


def is_eastern(family: str) -> bool:
    """Whether a folded family name is a usual Chinese, Korean or Vietnamese one, which may be written first.

    >>> is_eastern("nguyen"), is_eastern("roe")
    (True, False)
    """
    return family in _surnames()


def one_surname(one: str, two: str) -> bool:
    """Whether two folded family names are usual forms of one Chinese, Korean or Arabic name: `Lee` and `Yi`.

    Many people bear each, so this says nothing unless the given names agree.

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
