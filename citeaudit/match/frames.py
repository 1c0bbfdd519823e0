"""Tell a title with words exchanged in place from another title of the same people.

Whoever alters a title keeps its frame: words here and there give way to as many others, and what stands between
them stays. A group's next paper shares a topic instead, in one stretch, and says something else of another length.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from citeaudit.text.lists import read_words
from citeaudit.text.normalize import MAX_TITLE, words
from citeaudit.text.similarity import Block, align
from citeaudit.text.titles import undecorated

LEAST_SHARE = 0.35
"""Least share of all words, in their places, that stay.

This and the numbers below were chosen on 8,196 pairs of works with the same authors (two or more, in order) in one
year and titles that differ by more than damage, from `works.jsonl.xz`, half A: see `citeaudit.match.anchors`."""
KEPT, MANY_KEPT = 3, 6
"""Content words that must stay; the greater number where words were added or left out besides."""
TWO_PLACES, THREE_PLACES, FOUR_PLACES = 2, 3, 4
"""Stretches that must stay, each with a content word: the more of them, the more lies in the frame."""
MANY_PEOPLE = 4
"""Authors from whom on two papers in a year by just these people are rare, so that a smaller frame will do."""
CROWD = 5
"""Authors from whom on a frame in two or three places will do, and one misspelt name or a year off by one as well."""
HALF = 0.5
"""Least share of all words that stay in the titles of a crowd."""
UNEVEN = 2
"""Words that may have been added or left out besides."""
_ARTICLES = frozenset({"a", "an", "the"})
_FUNCTION = read_words("citeaudit.text", "function_words.txt")
_NUMBER = re.compile(r"\d+|[ivx]{1,5}")


_DIGITS = re.compile(r"\d+")
_COUNTING = "part parts volume vol no number nr issue book chapter section paper phase stage report note lecture series"
_PARTS = frozenset(_COUNTING.split())
_LAST = re.compile(r"(?<![A-Za-z]-)(?<![A-Za-z0-9])(\d{1,2})(?=\s*(?:[:;,.(]|[-–—]\s|$))")
"""A number that ends a title or its first half, as that of a part does; `GPT-3` is a name."""
_LOCANT = re.compile(r"(?:^|[\s(\[-])\d[\d,']{0,10}-[(\[]?[A-Za-z]")
LOCANTS = 2
"""Numbers of the form `2,3-di` from which a title names a compound: papers on its relatives appear side by side."""


class Frame(NamedTuple):
    """What two titles, laid side by side, have in common and how the rest is spread."""

    kept: int
    """Content words that stay."""
    share: float
    """Share, 0 to 1, of all words that stay."""
    stretches: int
    """Runs of words that stay and hold a content word."""
    longest: int
    """Content words of the longest run that was exchanged, on its longer side."""
    uneven: int
    """Words by which the two sides of the exchanged runs differ in length, articles aside."""
    numbered: bool
    """A number stands in place of another, as between the parts of a series."""


@lru_cache(maxsize=4_096)
def frame(claimed: str, found: str) -> Frame:
    """Lay two titles side by side; the order of the two does not matter.

    >>> frame("Slow walks on wide graphs", "Fast walks on narrow graphs")[:5]
    (2, 0.6, 2, 1, 0)
    """
    one, two = (words(undecorated(title[:MAX_TITLE])) for title in (claimed, found))
    blocks = align(one, two)
    stay, gone = [block for block in blocks if block.equal], [block for block in blocks if not block.equal]
    equal = sum(len(block.left) for block in stay)
    total = equal + sum(max(len(block.left), len(block.right)) for block in gone)
    return Frame(
        kept=sum(len(content(block.left)) for block in stay),
        share=equal / total if total else 0.0,
        stretches=sum(bool(content(block.left)) for block in stay),
        longest=max((len(content(side)) for block in gone for side in (block.left, block.right)), default=0),
        uneven=sum(abs(len(_bare(block.left)) - len(_bare(block.right))) for block in gone),
        numbered=any(map(_numbered, gone)),
    )


def exchanged(claimed: str, found: str, people: int, gap: int = 0) -> bool:
    """Whether the one title is the other with words exchanged in their places.

    A year off by one asks for many people and single words. In 1,249 pairs of works by the same four people or more in
    adjacent years, half A, no title passed so for the other; of 1,524 in one year, the rule for a crowd added one.

    Args:
        claimed: The cited title.
        found: The recorded title.
        people: Authors that the two works share, all of them and in order.
        gap: Years between the two works.
    """
    seen, many = frame(claimed, found), people >= MANY_PEOPLE
    if seen.numbered or seen.share < LEAST_SHARE or seen.uneven > UNEVEN or gap > 1:
        return False
    if gap:
        return many and not seen.uneven and seen.longest <= 1 and seen.kept > KEPT
    if people >= CROWD and _crowded(seen):
        return True
    if seen.uneven:
        spread = seen.stretches >= FOUR_PLACES or (many and seen.stretches >= TWO_PLACES and seen.kept >= MANY_KEPT)
        return seen.longest <= TWO_PLACES and spread
    if seen.longest <= 1:
        return seen.kept >= (TWO_PLACES if many else KEPT)
    if seen.longest == TWO_PLACES:
        return seen.stretches >= TWO_PLACES and (many or seen.kept >= KEPT)
    return seen.longest == THREE_PLACES and seen.stretches >= THREE_PLACES


def renumbered(claimed: str, found: str) -> bool:
    """Whether the one title is the other with numbers exchanged that count no parts: `10 %` and `100 %`.

    The rest must be long enough. A number that is left out or damaged (`360°` and `360a`) is no other number, and
    people write on related compounds at a time. Of 5,556 pairs of works by the same two people or more in one year,
    half A, none passed so for the other.
    """
    one, two = (undecorated(title[:MAX_TITLE]) for title in (claimed, found))
    blocks = align(words(one), words(two))
    if sum(len(content(block.left)) for block in blocks if block.equal) < KEPT:
        return False
    if max(len(_LOCANT.findall(one)), len(_LOCANT.findall(two))) >= LOCANTS:
        return False
    last, before = {*_LAST.findall(one), *_LAST.findall(two)}, ""
    for block in blocks:
        left, right = _bare(block.left), _bare(block.right)
        if not block.equal and not (len(left) == len(right) and before not in _PARTS and _other(left, right, last)):
            return False
        before = left[-1] if left else before
    return True


def content(side: tuple[str, ...]) -> list[str]:
    """Give the words that have a subject, in their order."""
    return [word for word in side if word not in _FUNCTION]


def _crowded(seen: Frame) -> bool:
    """Whether the frame is one that five people or more do not give two papers of a year."""
    if seen.share < HALF or seen.longest > THREE_PLACES or seen.kept <= KEPT:
        return False
    return seen.stretches >= (TWO_PLACES if not seen.uneven else THREE_PLACES) and seen.uneven <= 1


def _other(left: list[str], right: list[str], last: set[str]) -> bool:
    """Whether words that differ do so in one number each, and none of these counts parts."""
    pairs = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    return all(
        _DIGITS.sub("#", one, count=1) == _DIGITS.sub("#", two, count=1)
        and "#" in _DIGITS.sub("#", one)
        and last.isdisjoint((one, two))
        for one, two in pairs
    )


def _bare(side: tuple[str, ...]) -> list[str]:
    return [word for word in side if word not in _ARTICLES]


def _numbered(block: Block) -> bool:
    pairs = zip(_bare(block.left), _bare(block.right), strict=False)
    return any(_NUMBER.fullmatch(one) and _NUMBER.fullmatch(two) for one, two in pairs)
