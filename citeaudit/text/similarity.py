"""Compare words and word sequences: what is one word damaged, what is another word.

Everything here works on folded words (`citeaudit.text.normalize.fold`) and is pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import OSA, Indel, Levenshtein

from citeaudit.text.wordforms import is_word

LETTERS_PER_EDIT = 6
"""One wrong letter is excused in every six: a misread letter in a line of type, never a swapped short word."""
MAX_EDITS = 4
"""Wrong letters excused at most: in a script without spaces a title is one long word, and another in it would pass."""


_LOOKALIKES = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_NEGATING = frozenset({"a", "an", "anti", "de", "dis", "il", "im", "in", "ir", "mis", "non", "un"})
"""Beginnings of words that turn what follows into its opposite."""

_BEGINNINGS = (
    *(("hyper", "hypo"), ("inter", "intra"), ("ad", "ab"), ("endo", "ecto"), ("endo", "exo"), ("micro", "macro")),
    *(("micro", "nano"), ("poly", "oligo"), ("pre", "pro"), ("pre", "post"), ("over", "under"), ("ante", "anti")),
    *(("super", "supra"), ("super", "sub"), ("iso", "aniso"), ("homo", "hetero"), ("para", "peri"), ("ortho", "para")),
    *(("tetra", "tri"), ("penta", "hexa"), ("mono", "poly"), ("infra", "intra")),
)
_ENDINGS = (
    *(("ate", "ite"), ("ate", "ide"), ("ite", "ide"), ("ose", "ase"), ("ine", "ane"), ("ine", "ene"), ("ine", "yne")),
    *(("ane", "ene"), ("ane", "yne"), ("ene", "yne"), ("one", "olone"), ("ine", "idine"), ("ol", "al"), ("ane", "one")),
)
"""Beginnings and endings of scientific words of which a letter or two make another: `hypokalemia`, `sulfite`."""
_ENDINGS_BACKWARDS = tuple((one[::-1], two[::-1]) for one, two in _ENDINGS)


class Block(NamedTuple):
    """Words at one place of two sequences; `equal` where they are the same words."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    equal: bool


def edits(left: str, right: str) -> int:
    """Give the number of single-letter edits, a swap of neighbours counting as one.

    >>> edits("neubig", "newbig"), edits("chen", "cehn")
    (1, 1)
    """
    return OSA.distance(left, right)


def ratio(left: str, right: str) -> float:
    """Give the share of letters two strings have in common in order, 0 to 1; 1 for two empty ones.

    >>> ratio("abcd", "abcd"), ratio("", "x")
    (1.0, 0.0)
    """
    return float(Indel.normalized_similarity(left, right))


@lru_cache(maxsize=65_536)
def damaged(left: str, right: str) -> bool:
    """Whether two words may be one word with typing or recognition damage.

    One edit per six letters of the longer, and the same first letter, so that `supervised` and
    `unsupervised`, `2019` and `2021`, `graph` and `deep` stay different words. Of two ordinary words
    (`wordforms.is_word`) neither is the other damaged, if only a letter tells them apart.

    >>> damaged("recogniton", "recognition"), damaged("iid", "id"), damaged("resnet50", "resnet18")
    (True, False, False)
    >>> damaged("inductive", "deductive"), damaged("adaption", "adoption")
    (False, False)
    """
    if left == right:
        return True
    if (is_word(left) and is_word(right)) or _negates(left, right):
        return False
    if not left or not right or left[0] != right[0] or has_digit(left) or has_digit(right):
        return False
    most = min(max(len(left), len(right)) // LETTERS_PER_EDIT, MAX_EDITS)
    if edits(left, right) > most and edits(_as_seen(left), _as_seen(right)) > most:
        return False
    return not opposed(left, right)


def opposed(left: str, right: str) -> bool:
    """Whether two words differ just in a beginning or an ending that makes another scientific word.

    >>> opposed("hyperkalemia", "hypokalemia"), opposed("sulfates", "sulfites"), opposed("hyperkalmia", "hyperkalemia")
    (True, True, False)
    """
    for one, two in _BEGINNINGS:
        if _exchanged(left, right, (one, two)) or _exchanged(right, left, (one, two)):
            return True
    ends = left.removesuffix("s")[::-1], right.removesuffix("s")[::-1]
    return any(_exchanged(*ends, pair) or _exchanged(ends[1], ends[0], pair) for pair in _ENDINGS_BACKWARDS)


def _exchanged(left: str, right: str, pair: tuple[str, str]) -> bool:
    one, two = pair
    return left.startswith(one) and right.startswith(two) and left[len(one) :] == right[len(two) :]


def _as_seen(word: str) -> str:
    """Give a word with one letter for those that optical readers take for each other."""
    for letters, letter in _LOOKALIKES:
        word = word.replace(letters, letter)
    return word


def _negates(left: str, right: str) -> bool:
    short, long = sorted((left, right), key=len)
    return long.removesuffix(short) in _NEGATING


def plural(left: str, right: str) -> bool:
    """Whether two words differ only by a final `s`, and are long enough for that to be a plural.

    >>> plural("network", "networks"), plural("a", "as")
    (True, False)
    """
    short, long = sorted((left, right), key=len)
    return len(short) > 2 and long == short + "s" and not has_digit(long)  # noqa: PLR2004 - `ai`, `as` and `is` are words


def has_digit(word: str) -> bool:
    """Whether a word carries a number; such words must agree exactly.

    >>> has_digit("resnet50"), has_digit("resnet")
    (True, False)
    """
    return any(letter.isdigit() for letter in word)


def align(left: Sequence[str], right: Sequence[str]) -> tuple[Block, ...]:
    """Lay two word sequences side by side in order.

    Returns:
        Blocks that join to the two sequences; blocks of equal words alternate with blocks that differ,
        where one side may be empty. Swapping the arguments swaps the sides.
    """
    one, two = tuple(left), tuple(right)
    turned = two < one  # ties are broken by the order of arguments, which must not show
    if turned:
        one, two = two, one
    blocks: list[Block] = []
    place = beside = 0
    for same in Levenshtein.editops(one, two).as_matching_blocks():
        if place < same.a or beside < same.b:
            sides = one[place : same.a], two[beside : same.b]
            blocks.append(Block(*(sides[::-1] if turned else sides), equal=False))
        place, beside = same.a + same.size, same.b + same.size
        if same.size:
            blocks.append(Block(one[same.a : place], two[same.b : beside], equal=True))
    return tuple(blocks)
