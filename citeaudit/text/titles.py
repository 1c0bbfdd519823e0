"""Compare titles by laying their words side by side, not by one ratio.

A ratio of letters cannot tell `graph neural networks` from `deep neural networks` in a long title
(0.95), nor `non-iid` from `iid` (0.98). Here every word must have its counterpart; what is excused
is named: a subtitle left out, a broken or joined word, a misread letter, a plural, an article.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from citeaudit.text.lists import read_words
from citeaudit.text.normalize import MAX_TITLE, fold
from citeaudit.text.similarity import MAX_EDITS, Block, align, damaged, edits, has_digit, plural, ratio
from citeaudit.text.titlewords import (
    ARTICLES,
    bare,
    formula_words,
    misread,
    readable,
    title_letters,
    title_names,
    title_pieces,
    title_words,
    unaccented,
    undecorated,
)
from citeaudit.text.wordforms import MIN_WORD, american, inflected, is_word, spelled

__all__ = ["Likeness", "TitleDiff", "compare_titles", "distance", "is_generic", "translations", "undecorated"]

SUBTITLE_SHARE = 0.35
"""Least share of a title's letters that its part before or after a separator must have to stand for it.

Below, papers that merely share a catch word (`BERT: ...`) would pass for each other."""
TELLING = 3
TELLING_SHARE = 0.2
"""Least share for a part that has so many content words: `Learning to rank` is no catch word."""
MAX_SIGN = 2
"""Letters and digits of a sign that a title without markup may have for a formula: `k`, `l1`."""
MIN_DISTINCT = 12
"""Letters under which a title is too short to identify a work: `Osteoporosis` has 12, `Network in network` 16."""
_FAR = 0.45  # letters in common below which no alignment is worth printing

LETTERS_PER_JOINED = 12
"""One wrong letter is excused in every twelve of words that are joined on one side: several words hide more."""
_SEPARATOR = re.compile(r"(?:[:?!]|\.(?=\s)|\s[-–—]|—|;|[(\[]|\s[=/|](?=\s))\s*")
_TRANSLATED = re.compile(
    r"(?P<one>[^\[\]]{2,600})\[(?P<other>[^\[\]]{2,600})\]\.?|(?P<left>[^=]{2,600})\s=\s(?P<right>[^=]{2,600})"
)
"""`Originaltitel [Original title]` of PubMed and of styles, `Originaltitel = Original title` of libraries."""
_FUNCTION = read_words("citeaudit.text", "function_words.txt")
_SMALL = _FUNCTION | {"into", "that", "which"}
_GENERIC = read_words("citeaudit.text", "generic_titles.txt")
_LAMBDA = frozenset({"lamda", "lambda"})
_ROMAN = re.compile(r"[ivx]{1,5}")


class Likeness(StrEnum):
    """How a claimed title stands to a recorded one, from best to worst."""

    EQUAL = "equal"
    """The same words; case, marks, hyphens and spacing do not matter."""
    CUT = "cut"
    """One is the other without its subtitle, or without its heading."""
    ARTICLES = "articles"
    """Only a, an or the differ."""
    SPELLING = "spelling"
    """Only the spelling differs: British or American, an umlaut written out or lost, a number in words or digits."""
    FORMULA = "formula"
    """Only signs of a formula are lost from one of them."""
    SMALL = "small"
    """Only words without a subject differ: prepositions, `and`."""
    PLURAL = "plural"
    """Only a final s differs."""
    INFLECTED = "inflected"
    """Only the inflection of a word differs: `studies` and `study`, `learned` and `learning`."""
    DAMAGED = "damaged"
    """Only a letter or two in long words differ, of which one at least is no ordinary word."""
    OTHER = "other"
    """A word differs."""


_PLACE = {likeness: place for place, likeness in enumerate(Likeness)}


class TitleDiff(NamedTuple):
    """What tells two titles apart."""

    likeness: Likeness
    distance: float
    """As of `distance`."""
    differences: tuple[str, ...] = ()
    """`graph -> deep`, `left out: non`, `not in the record: robust`; in the order of the title."""
    changed: int = 0
    """Content words that differ."""
    numbers_only: bool = False
    """Every differing word is a number, as between parts of a series."""


def compare_titles(claimed: str, found: str) -> TitleDiff:
    """Tell how two titles differ, word by word.

    >>> compare_titles("Attacks on graph networks", "Attacks on deep networks").differences
    ('graph -> deep',)
    """
    left, right = title_words(claimed), title_words(found)
    if not left or not right:
        same = bare(claimed) == bare(found)
        return TitleDiff(Likeness.EQUAL if same else Likeness.OTHER, 0.0 if same else 1.0)
    one, two = title_letters(claimed), title_letters(found)
    if one == two:
        return TitleDiff(Likeness.EQUAL, 0.0)
    beside = _Beside(claimed, found)
    if _cut(claimed, found) or _cut(found, claimed):
        return TitleDiff(Likeness.CUT, beside.distance)
    if ratio(one, two) < _FAR:
        return TitleDiff(Likeness.OTHER, beside.distance, ("another title",), max(len(left), len(right)))
    if two == unaccented(claimed) or one == unaccented(found):
        return TitleDiff(Likeness.SPELLING, beside.distance)
    if (letter := misread(claimed, found)) is not None:
        return TitleDiff(Likeness.DAMAGED, beside.distance, (letter,))
    return beside.verdict()


def distance(left: str, right: str) -> float:
    """Give the share of letters, 0 to 1, that have no counterpart in the aligned words of the other title.

    Symmetric, and 0 exactly on titles that `compare_titles` calls EQUAL. Leaving out a subtitle counts
    in full: that is a relation, not a distance.
    """
    first, second = title_words(left), title_words(right)
    if not first or not second:
        return 0.0 if bare(left) == bare(right) else 1.0
    if title_letters(left) == title_letters(right):
        return 0.0
    return _Beside(left, right).distance


def is_generic(title: str) -> bool:
    """Whether a title is too short or too common to identify a work by itself.

    >>> is_generic("Introduction"), is_generic("Deep learning."), is_generic("Network in network")
    (True, True, False)
    """
    return len(title_letters(title)) <= MIN_DISTINCT or fold(title[:MAX_TITLE]) in _GENERIC


def translations(title: str) -> tuple[str, ...]:
    """Give the original and the translated title of one that holds both; empty for any other.

    >>> translations("Das Wachstum der Bäume [The growth of trees].")
    ('Das Wachstum der Bäume', 'The growth of trees')
    """
    if "[" not in title and "=" not in title:
        return ()
    match = _TRANSLATED.fullmatch(title[:MAX_TITLE].strip())
    return () if match is None else tuple(part.strip() for part in match.groups() if part is not None)


def _cut(short: str, long: str) -> bool:
    """Whether `short` is `long` up to, or from, one of its separators, and a fair share of it."""
    target, whole = title_letters(short), title_letters(long)
    if len(target) >= len(whole) or not (whole.startswith(target) or whole.endswith(target)):
        return False
    telling = sum(word not in _FUNCTION for word in title_words(short)) >= TELLING and len(target) > MIN_DISTINCT
    if len(target) < (TELLING_SHARE if telling else SUBTITLE_SHARE) * len(whole):
        return False
    text = readable(long)
    return any(
        target in (title_letters(text[: cut.start()]), title_letters(text[cut.end() :])) for cut in _separators(text)
    )


def _separators(text: str) -> list[re.Match[str]]:
    return list(_SEPARATOR.finditer(text))[:8]  # a title with more is hostile or not a title


class _Beside:
    """Two titles laid side by side, and what is a name in either."""

    def __init__(self, left: str, right: str) -> None:
        one, two = title_pieces(left), title_pieces(right)
        self._letters = sum(map(len, one)) + sum(map(len, two))
        self._titles = left, right
        self._pairs: dict[tuple[str, str], Likeness] = {}
        self._formulas = formula_words(left), formula_words(right)
        blocks = align(one, two)
        self._apart = [block for block in blocks if not block.equal and "".join(block.left) != "".join(block.right)]
        self._likenesses = [self._judge(block) for block in self._apart]

    @property
    def distance(self) -> float:
        loose = sum(map(self._loose, self._apart, self._likenesses))
        return min(1.0, max(loose, 1) / self._letters)

    def verdict(self) -> TitleDiff:
        other = [
            word
            for block, likeness in zip(self._apart, self._likenesses, strict=True)
            if likeness is Likeness.OTHER
            for word in self._strange(block)
        ]
        content = [word for word in other if word not in _FUNCTION]
        numbers = bool(other) and all(has_digit(word) or _ROMAN.fullmatch(word) for word in content or other)
        changed = (len(content) + 1) // 2 or int(bool(other))
        return TitleDiff(_worst(self._likenesses), self.distance, tuple(map(_describe, self._apart)), changed, numbers)

    def _judge(self, block: Block) -> Likeness:
        """Give how the two sides of one differing block stand to each other."""
        left, right = _plain(block.left), _plain(block.right)
        if left == right:
            return Likeness.ARTICLES
        if _SMALL.issuperset((*left, *right)):
            return Likeness.SMALL
        if self._formulas != (None, None) and self._lost(left, right):
            return Likeness.FORMULA
        if len(left) == len(right) == 1:
            return self._pair(left[0], right[0])
        if len(left) == len(right):
            return _worst(map(self._pair, left, right))
        return self._joined(left, right) if left and right else Likeness.OTHER

    def _lost(self, left: tuple[str, ...], right: tuple[str, ...]) -> bool:
        """Whether one side has lost signs of a formula: nothing that stays differs, and what is gone was one.

        Where the fuller title has no formula itself, as in `k-means`, a gap or a formula of the other must tell of it.
        """
        (poor, rest), (rich, whole) = sorted(
            zip(self._formulas, (left, right), strict=True), key=lambda side: (len("".join(side[1])), side[1])
        )
        if not _within("".join(rest), "".join(whole)):
            return False
        gone = [word for word in whole if word not in rest]
        return all(word in (rich or ()) or (poor is not None and len(word) <= MAX_SIGN) for word in gone)

    def _pair(self, one: str, two: str) -> Likeness:
        known = self._pairs.get((one, two))
        if known is None:
            known = self._pairs[one, two] = self._compared(one, two)
        return known

    def _compared(self, one: str, two: str) -> Likeness:
        """Give how two words stand to each other; a name has no misread letter, it is another name."""
        if one == two:
            return Likeness.EQUAL
        if spelled(one, two):
            return Likeness.SPELLING
        if one[0] != two[0]:
            return Likeness.OTHER
        if plural(one, two):
            return Likeness.PLURAL
        if inflected(one, two):
            return Likeness.INFLECTED
        if not damaged(one, two):
            return Likeness.OTHER
        named = title_names(self._titles[0]) | title_names(self._titles[1])
        return Likeness.OTHER if one in named or two in named else Likeness.DAMAGED

    def _joined(self, left: tuple[str, ...], right: tuple[str, ...]) -> Likeness:
        """Give how words stand to each other of which some are joined on one side, or broken at a line's end."""
        one, two = "".join(left), "".join(right)
        if _lettered(left) == _lettered(right):
            return Likeness.SPELLING
        if one[0] != two[0] or abs(len(one) - len(two)) > MAX_EDITS:
            return Likeness.OTHER
        if "".join(map(american, left)) == "".join(map(american, right)):
            return Likeness.SPELLING
        likeness = self._pair(one, two)
        unknown = any(len(word) >= MIN_WORD and not is_word(word) for word in (*left, *right))
        if likeness is not Likeness.DAMAGED or (
            unknown and edits(one, two) <= max(1, max(len(one), len(two)) // LETTERS_PER_JOINED)
        ):
            return likeness
        return Likeness.OTHER

    def _strange(self, block: Block) -> list[str]:
        """Give the words of both sides that have no counterpart; an unpaired word counts for two."""
        if len(block.left) != len(block.right):
            return [*max((block.left, block.right), key=len)] * 2
        pairs = zip(block.left, block.right, strict=True)
        return [word for one, two in pairs if self._pair(one, two) is Likeness.OTHER for word in (one, two)]

    def _loose(self, block: Block, likeness: Likeness) -> int:
        """Give the letters of a differing block without counterpart, both sides together."""
        left, right = "".join(block.left), "".join(block.right)
        if likeness not in (Likeness.ARTICLES, Likeness.OTHER):
            return 2 * edits(left, right)
        if len(block.left) != len(block.right):
            return len(left) + len(right)
        strange = self._strange(block)
        if len(strange) == 2 * len(block.left):
            return len(left) + len(right)
        pairs = zip(block.left, block.right, strict=True)
        alike = [pair for pair in pairs if pair[0] != pair[1] and self._pair(*pair) is not Likeness.OTHER]
        return sum(map(len, strange)) + 2 * sum(edits(*pair) for pair in alike)


def _plain(side: tuple[str, ...]) -> tuple[str, ...]:
    """Give the words without articles."""
    return side if ARTICLES.isdisjoint(side) else tuple(word for word in side if word not in ARTICLES)


def _lettered(side: tuple[str, ...]) -> str:
    """Give the letters of words with a lambda as folding to ASCII leaves it: `ΛCDM` is also `LCDM`."""
    return "".join(word[0] if word in _LAMBDA else word for word in side)


def _within(part: str, whole: str) -> bool:
    """Whether the letters of a part stand in the whole in their order."""
    letters = iter(whole)
    return all(letter in letters for letter in part)


def _worst(likenesses: Iterable[Likeness]) -> Likeness:
    return max(likenesses, key=_PLACE.__getitem__, default=Likeness.EQUAL)


def _describe(block: Block) -> str:
    left, right = " ".join(block.left), " ".join(block.right)
    if not left:
        return f"left out: {right}"
    return f"{left} -> {right}" if right else f"not in the record: {left}"
