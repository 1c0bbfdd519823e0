"""The similarity of Ratcliff and Obershelp between two sequences, with bounds by which most are never compared.

Two sequences are alike by twice the elements in their matching blocks over the elements of both: the longest block
first, then the longest to its left and to its right, and so on (J. W. Ratcliff, D. E. Metzener: "Pattern matching: the
Gestalt approach", Dr. Dobb's Journal, July 1988). The result is that of `difflib.SequenceMatcher` without its
heuristics; sequences are texts with one character an element.
"""

from __future__ import annotations

from rapidfuzz.distance import LCSseq


def matched(one: str, two: str, least: int = 0) -> int:
    """Count the elements in the matching blocks.

    Args:
        one: First sequence.
        two: Second sequence.
        least: Where the count would be smaller, some number below `least` is given instead, sooner.

    >>> matched("abcd", "bcde"), matched("ab", "ba")
    (3, 1)
    """
    if one == two:
        return len(one)
    if LCSseq.similarity(one, two) < least:
        return 0
    return _matched(one, two, least)


def _matched(one: str, two: str, least: int) -> int:
    total, open_parts = 0, [(one, two)]
    while open_parts:
        left, right = open_parts.pop()
        at, start, size = longest(left, right)
        if not size:
            continue
        total += size
        open_parts += [
            (first, second)
            for first, second in ((left[:at], right[:start]), (left[at + size :], right[start + size :]))
            if first and second
        ]
        if least and total + sum(LCSseq.similarity(first, second) for first, second in open_parts) < least:
            return 0
    return total


def longest(one: str, two: str) -> tuple[int, int, int]:
    """Give start in the first, start in the second and length of the longest common block.

    Among the longest the one that begins first in the first sequence, then first in the second.

    >>> longest("zaby", "abxab")
    (1, 0, 2)
    """
    low, high = 0, min(len(one), len(two))
    if not high or not set(one) & set(two):
        return 0, 0, 0
    low, step = 1, 1
    while low + step <= high and _shared(one, two, low + step):
        low, step = low + step, 2 * step
    high = min(high, low + step - 1)
    while low < high:
        middle = (low + high + 1) // 2
        if _shared(one, two, middle):
            low = middle
        else:
            high = middle - 1
    for at in range(len(one) - low + 1):
        start = two.find(one[at : at + low])
        if start >= 0:
            return at, start, low
    return 0, 0, 0  # pragma: no cover  # a block of this length was just seen


def _shared(one: str, two: str, size: int) -> bool:
    """Whether the sequences have a block of this length in common."""
    known = {one[at : at + size] for at in range(len(one) - size + 1)}
    return any(two[at : at + size] in known for at in range(len(two) - size + 1))
