"""How alike two names of a journal or a proceedings are, one of them perhaps abbreviated."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.fuzz import ratio

from citeaudit.text.normalize import fold

MAX_VENUE = 200
"""Characters of a name that are looked at."""

_SMALL = frozenset(fold("a an and at by da de del der des di die du et fur for in la le les of on the und y").split())
"""Words that abbreviations leave out."""

PART = 0.85
"""Likeness of a name that is the beginning of the other (`Phys. Rev. B`, `Physical Review B: Condensed Matter`)."""

ACRONYM = 0.95
"""Likeness of an acronym: others have the same letters."""

MAX_ACRONYM = 8
"""Letters of an acronym at most."""

_MIN_START = 2
"""Words from which the beginning of a name stands for it."""


@lru_cache(maxsize=20_000)
def alike(one: str, other: str) -> float:
    """Give how alike two names are, 0 to 1; an abbreviation is as good as the whole.

    Words are held against each other in their order: `Phys. Rev. Lett.` is `Physical Review Letters`, and so is
    `PRL`; `Natl` is `National`.

    >>> alike("J. Chem. Phys.", "The Journal of Chemical Physics")
    1.0
    """
    first, second = _words(one), _words(other)
    if not first or not second:
        return 0.0
    if (len(first), first) > (len(second), second):
        first, second = second, first
    aligned = _aligned(first, second)
    if aligned == len(second):
        return 1.0
    if len(first) == 1 and len(first[0]) <= MAX_ACRONYM and _is_acronym(first[0], second[:MAX_ACRONYM]):
        return ACRONYM
    if aligned == len(first) >= _MIN_START and _aligned(first, second[:aligned]) == aligned:
        return PART
    return max(aligned / len(second), ratio("".join(first), "".join(second)) / 100) * PART


def _words(name: str) -> tuple[str, ...]:
    words = fold(name[:MAX_VENUE]).split()
    return tuple(word for word in words if word not in _SMALL) or tuple(words)


def _aligned(short: tuple[str, ...], long: tuple[str, ...]) -> int:
    """How many words of the shorter name stand for words of the longer one, in their order."""
    count, place = 0, 0
    for word in short:
        found = next((at for at in range(place, len(long)) if _stands_for(word, long[at])), None)
        if found is not None:
            count, place = count + 1, found + 1
    return count


def _stands_for(one: str, other: str) -> bool:
    """Whether the shorter word has the first letter of the longer one, and its other letters in their order."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if short[0] != long[0]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _is_acronym(letters: str, words: tuple[str, ...]) -> bool:
    """Whether each word gives its first letter, and perhaps later ones, in order: `PNAS`, `ApJ`."""
    if not letters or not words:
        return not letters and not words
    word = words[0]
    if letters[0] != word[0]:
        return False
    taken, place = 1, 1
    while True:
        if _is_acronym(letters[taken:], words[1:]):
            return True
        place = word.find(letters[taken], place) + 1 if taken < len(letters) else 0
        if not place:
            return False
        taken += 1
