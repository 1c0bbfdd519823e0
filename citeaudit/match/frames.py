"""Tell a title with words exchanged in place from another title of the same people.

Whoever alters a title keeps its frame: words here and there give way to as many others, and what stands between
them stays. A group's next paper shares a topic instead, in one stretch, and says something else of another length.
"""

from __future__ import annotations

import re
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
UNEVEN = 2
"""Words that may have been added or left out besides."""
_ARTICLES = frozenset({"a", "an", "the"})
_FUNCTION = read_words("citeaudit.text", "function_words.txt")
_NUMBER = re.compile(r"\d+|[ivx]{1,5}")


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
        kept=sum(len(_content(block.left)) for block in stay),
        share=equal / total if total else 0.0,
        stretches=sum(bool(_content(block.left)) for block in stay),
        longest=max((len(_content(side)) for block in gone for side in (block.left, block.right)), default=0),
        uneven=sum(abs(len(_bare(block.left)) - len(_bare(block.right))) for block in gone),
        numbered=any(map(_numbered, gone)),
    )


def exchanged(claimed: str, found: str, people: int) -> bool:
    """Whether the one title is the other with words exchanged in their places.

    Args:
        claimed: The cited title.
        found: The recorded title.
        people: Authors that the two works share, all of them and in order.
    """
    seen, many = frame(claimed, found), people >= MANY_PEOPLE
    if seen.numbered or seen.share < LEAST_SHARE or seen.uneven > UNEVEN:
        return False
    if seen.uneven:
        spread = seen.stretches >= FOUR_PLACES or (many and seen.stretches >= TWO_PLACES and seen.kept >= MANY_KEPT)
        return seen.longest <= TWO_PLACES and spread
    if seen.longest <= 1:
        return seen.kept >= (TWO_PLACES if many else KEPT)
    if seen.longest == TWO_PLACES:
        return seen.stretches >= TWO_PLACES and (many or seen.kept >= KEPT)
    return seen.longest == THREE_PLACES and seen.stretches >= THREE_PLACES


def _content(side: tuple[str, ...]) -> list[str]:
    return [word for word in side if word not in _FUNCTION]


def _bare(side: tuple[str, ...]) -> list[str]:
    return [word for word in side if word not in _ARTICLES]


def _numbered(block: Block) -> bool:
    pairs = zip(_bare(block.left), _bare(block.right), strict=False)
    return any(_NUMBER.fullmatch(one) and _NUMBER.fullmatch(two) for one, two in pairs)
