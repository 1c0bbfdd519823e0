"""Compare titles by laying their words side by side, not by one ratio.

A ratio of letters cannot tell `graph neural networks` from `deep neural networks` in a long title
(0.95), nor `non-iid` from `iid` (0.98). Here every word must have its counterpart; what is excused
is named: a subtitle left out, a broken or joined word, a misread letter, a plural, an article.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from citeaudit.text.lists import read_words
from citeaudit.text.normalize import MAX_TITLE, fold, key, plain
from citeaudit.text.similarity import Block, align, damaged, edits, has_digit, plural, ratio

SUBTITLE_SHARE = 0.35
"""Least share of a title's letters that its part before or after a separator must have to stand for it.

Below, papers that merely share a catch word (`BERT: ...`) would pass for each other."""
MIN_DISTINCT = 12
"""Letters under which a title is too short to identify a work: `Osteoporosis` has 12, `Network in network` 16."""
_FAR = 0.45  # letters in common below which no alignment is worth printing

_SEPARATOR = re.compile(r"(?:[:?!]|\.(?=\s)|\s[-–—]|—|;|\()\s*")
_DECORATION = re.compile(
    r"^\s*(?:\[(?:retracted|withdrawn)[^\]]{0,20}\]|(?:retracted|withdrawn|temporary removal)(?: article| paper)?\s*:"
    r"|invited (?:paper|talk)\s*:|poster\s*:)\s*"
    r"|\s*[(\[](?:extended abstract|invited (?:paper|talk)|abstract only|student abstract|poster|retracted(?: article)?"
    r"|withdrawn|preprint)[)\]]\s*\.?$",
    re.IGNORECASE,
)
_ARTICLES = frozenset({"a", "an", "the"})
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""Characters of Chinese, also in Japanese and old Korean titles: each is a word or a good part of one."""
_NEGATING = frozenset("不无無非未没沒反有")
MIN_HAN = 10
"""Characters of Chinese that a title must have for another one among them to be excused."""
_FUNCTION = read_words("citeaudit.text", "function_words.txt")
_GENERIC = read_words("citeaudit.text", "generic_titles.txt")
_ROMAN = re.compile(r"[ivx]{1,5}")


class Likeness(StrEnum):
    """How a claimed title stands to a recorded one, from best to worst."""

    EQUAL = "equal"
    """The same words; case, marks, hyphens and spacing do not matter."""
    CUT = "cut"
    """One is the other without its subtitle, or without its heading."""
    ARTICLES = "articles"
    """Only a, an or the differ."""
    PLURAL = "plural"
    """Only a final s differs."""
    DAMAGED = "damaged"
    """Only a letter or two in long words differ."""
    OTHER = "other"
    """A word differs."""


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
    left, right = _words(claimed), _words(found)
    if not left or not right:
        same = _bare(claimed) == _bare(found)
        return TitleDiff(Likeness.EQUAL if same else Likeness.OTHER, 0.0 if same else 1.0)
    if "".join(left) == "".join(right):
        return TitleDiff(Likeness.EQUAL, 0.0)
    if _cut(claimed, found) or _cut(found, claimed):
        return TitleDiff(Likeness.CUT, distance(claimed, found))
    if ratio("".join(left), "".join(right)) < _FAR:
        return TitleDiff(Likeness.OTHER, distance(claimed, found), ("another title",), max(len(left), len(right)))
    if (misread := _misread(claimed, found)) is not None:
        return TitleDiff(Likeness.DAMAGED, distance(claimed, found), (misread,))
    left, right = _pieces(claimed), _pieces(found)
    blocks = align(left, right)
    return _verdict(blocks, _apart_share(blocks, left, right))


def distance(left: str, right: str) -> float:
    """Give the share of letters, 0 to 1, that have no counterpart in the aligned words of the other title.

    Symmetric, and 0 exactly on titles that `compare_titles` calls EQUAL. Leaving out a subtitle counts
    in full: that is a relation, not a distance.
    """
    first, second = _words(left), _words(right)
    if not first or not second:
        return 0.0 if _bare(left) == _bare(right) else 1.0
    if "".join(first) == "".join(second):
        return 0.0
    first, second = _pieces(left), _pieces(right)
    return _apart_share(align(first, second), first, second)


def is_generic(title: str) -> bool:
    """Whether a title is too short or too common to identify a work by itself.

    >>> is_generic("Introduction"), is_generic("Deep learning."), is_generic("Network in network")
    (True, True, False)
    """
    return len("".join(_words(title))) <= MIN_DISTINCT or fold(title[:MAX_TITLE]) in _GENERIC


@lru_cache(maxsize=16_384)
def undecorated(title: str) -> str:
    """Give a title without what indexes add to it: `RETRACTED:`, `(Extended Abstract)`, a final full stop.

    >>> undecorated("RETRACTED ARTICLE: Growth of things (Extended Abstract).")
    'Growth of things'
    """
    text = plain(title[:MAX_TITLE])
    text = _DECORATION.sub("", _DECORATION.sub("", text)).strip()
    if text.startswith("[") and text.rstrip(".").endswith("]"):  # PubMed brackets translated titles
        text = text.rstrip(".")[1:-1]
    return text.rstrip(". ")


def _apart_share(blocks: tuple[Block, ...], left: tuple[str, ...], right: tuple[str, ...]) -> float:
    loose = sum(_loose(block) for block in blocks if not block.equal)
    return min(1.0, max(loose, 1) / (sum(map(len, left)) + sum(map(len, right))))


@lru_cache(maxsize=16_384)
def _words(title: str) -> tuple[str, ...]:
    text = undecorated(title).replace("&", " and ").replace("\\var", "\\")  # `\\varepsilon` is epsilon
    return tuple(fold(_spell(text)).split())


@lru_cache(maxsize=16_384)
def _pieces(title: str) -> tuple[str, ...]:
    """Give the words to lay side by side; of Chinese, which has no spaces, each character.

    Else a whole title were one long word, and two other characters in it passed for a misread letter.
    """
    if title.isascii() or _HAN.search(title) is None:
        return _words(title)
    pieces: list[str] = []
    for piece in _HAN.sub(r" \g<0> ", undecorated(title)).split():
        words = _words(piece)
        pieces += [piece] if len(piece) == 1 and not _ARTICLES.isdisjoint(words) else words  # `an` is no article here
    return tuple(pieces)


def _misread(one: str, other: str) -> str | None:
    """Give the one character of Chinese in which two long titles differ, as a misread letter does in Latin ones.

    Other forms of a character are often read otherwise (`么`, `麽`). A character that negates is none of them.
    """
    if one.isascii() or other.isascii():
        return None
    left, right = ("".join(filter(str.isalnum, undecorated(title).casefold())) for title in (one, other))
    if len(left) != len(right) or len(_HAN.findall(left)) < MIN_HAN:
        return None
    apart = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    if len(apart) != 1 or not all(_HAN.fullmatch(char) and char not in _NEGATING for char in apart[0]):
        return None
    return " -> ".join(apart[0])


def _spell(text: str) -> str:
    """Write lone Greek letters out, so that `TNF-α` is `TNF-alpha`; Greek text stays."""
    if text.isascii() or sum("Ͱ" <= letter <= "Ͽ" for letter in text) > len(text) // 4:
        return text
    return "".join(f" {unicodedata.name(char).split()[-1]} " if _is_greek(char) else char for char in text)


def _is_greek(char: str) -> bool:
    return "Ͱ" <= char <= "Ͽ" and " LETTER " in unicodedata.name(char, "") and " WITH " not in unicodedata.name(char)


def _bare(title: str) -> str:
    """Give what can still be compared of a title without any letter or digit we can fold."""
    return plain(title[:MAX_TITLE]).casefold()


def _cut(short: str, long: str) -> bool:
    """Whether `short` is `long` up to, or from, one of its separators, and a fair share of it."""
    target, text = "".join(_words(short)), undecorated(long)
    whole = len(key(text))
    if len(target) < SUBTITLE_SHARE * whole or len(target) >= whole:
        return False
    return any(
        target in ("".join(_words(text[: cut.start()])), "".join(_words(text[cut.end() :])))
        for cut in _separators(text)
    )


def _separators(text: str) -> list[re.Match[str]]:
    return list(_SEPARATOR.finditer(text))[:8]  # a title with more is hostile or not a title


def _verdict(blocks: tuple[Block, ...], apart: float) -> TitleDiff:
    found = {Likeness.EQUAL}
    differences: list[str] = []
    other: list[str] = []
    for block in blocks:
        if block.equal or "".join(block.left) == "".join(block.right):
            continue
        likeness = _judge(block)
        found.add(likeness)
        differences.append(_describe(block))
        if likeness is Likeness.OTHER:
            other += _apart(block)
    worst = max(found, key=list(Likeness).index)
    content = [word for word in other if word not in _FUNCTION]
    numbers = bool(other) and all(has_digit(word) or _ROMAN.fullmatch(word) for word in content or other)
    changed = (len(content) + 1) // 2 or int(bool(other))
    return TitleDiff(worst, apart, tuple(differences), changed, numbers)


def _judge(block: Block) -> Likeness:
    """Give how the two sides of one differing block stand to each other."""
    left = tuple(word for word in block.left if word not in _ARTICLES)
    right = tuple(word for word in block.right if word not in _ARTICLES)
    if left == right:
        return Likeness.ARTICLES
    if len(left) != len(right):
        joined = "".join(left), "".join(right)
        return Likeness.DAMAGED if left and right and damaged(*joined) else Likeness.OTHER
    if all(one == two or plural(one, two) for one, two in zip(left, right, strict=True)):
        return Likeness.PLURAL
    if all(plural(one, two) or damaged(one, two) for one, two in zip(left, right, strict=True)):
        return Likeness.DAMAGED
    return Likeness.OTHER


def _apart(block: Block) -> list[str]:
    """Give the words of both sides that have no counterpart; an unpaired word counts for two."""
    if len(block.left) != len(block.right):
        longer = max(block.left, block.right, key=len)
        return list(longer) * 2
    pairs = zip(block.left, block.right, strict=True)
    return [word for one, two in pairs if not damaged(one, two) and not plural(one, two) for word in (one, two)]


def _describe(block: Block) -> str:
    left, right = " ".join(block.left), " ".join(block.right)
    if not left:
        return f"left out: {right}"
    return f"{left} -> {right}" if right else f"not in the record: {left}"


def _loose(block: Block) -> int:
    """Give the letters of a differing block without counterpart, both sides together."""
    left, right = "".join(block.left), "".join(block.right)
    if left == right:
        return 0
    if _judge(block) in (Likeness.PLURAL, Likeness.DAMAGED):
        return 2 * edits(left, right)
    if len(block.left) != len(block.right):
        return len(left) + len(right)
    pairs = zip(block.left, block.right, strict=True)
    return sum(
        2 * edits(one, two) if damaged(one, two) or plural(one, two) else len(one) + len(two) for one, two in pairs
    )
