"""Cut running text into sentences; what cites stays with the sentence it closes."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import islice

from citeaudit.extract.intext.marker import most
from citeaudit.text.lists import read_words

ABBREVIATIONS = read_words("citeaudit.extract.intext", "abbreviations.txt")
"""Lower-case words that a full stop follows inside a sentence, without the stop."""

_STOP = re.compile(
    r"[.!?…。！？]{1,4}[\"'”’“»«›‹)\]）」』]{0,3}(?=\s|$|[\[(（\d¹²³⁴-⁹])|[。！？][”’」』）]{0,2}|\n\s*\n"
)
_LAST_WORD = re.compile(r"([^\W\d_](?:[\w’'-]|\.(?=\w)){0,24})\.[\"'”’“»)\]]{0,3}$")
_LOOK_BACK = 32
_GAP = re.compile(r"[ \t\u00a0\u202f\n]{0,3}")


def boundaries(text: str, quotes: Iterable[tuple[int, int]] = (), markers: Sequence[tuple[int, int]] = ()) -> list[int]:
    """Give the offsets behind each sentence, sorted; the last is the length of the text.

    Args:
        text: Paragraphs are separated by an empty line, which ends a sentence always.
        quotes: Half-open spans, sorted, inside which no sentence ends.
        markers: Half-open spans, sorted. One that follows a full stop belongs before it, unless the sentence goes on
            from there: `end. [4]`, but `end. [4] shows`.
    """
    starts = [start for start, _ in markers]
    marked = frozenset(starts)
    ends: list[int] = []
    for found in islice(_STOP.finditer(text), most(text)):
        if found[0][0] == "\n":
            ends.append(found.start())
        elif (_free(text, found) or found.end() in marked) and _ends(text, found):
            ends.append(_extended(text, found.end(), starts, markers))
    kept = _outside(ends, quotes)
    return sorted({*kept, len(text)})


def sentence_at(ends: Sequence[int], start: int, stop: int) -> tuple[int, int]:
    """Give the half-open span of the sentence, or sentences, that hold a span."""
    first = bisect_right(ends, start)
    last = bisect_left(ends, max(stop, start + 1))
    return (ends[first - 1] if first else 0, ends[min(last, len(ends) - 1)])


def _free(text: str, found: re.Match[str]) -> bool:
    """Whether nothing hangs on a stop; a script without spaces needs none."""
    return not text[found.end() : found.end() + 1].strip() or found[0][0] in "。！？"


def _ends(text: str, found: re.Match[str]) -> bool:
    if found[0][0] not in ".…":
        return not _goes_on(text, found.end()) or found[0][0] in "。！？"
    if _goes_on(text, found.end()):
        return False
    if found[0][0] == "…" or found[0].startswith(".."):
        return True
    low = max(0, found.start() - _LOOK_BACK)
    low = max(low, text.rfind(" ", low, found.start()) + 1)  # the word holds no space
    last = _LAST_WORD.search(text, low, found.end())
    if last is None:
        return True
    word = last[1].lower()
    return not (word in ABBREVIATIONS or (len(word) == 1 and word.isalpha() and last[1].isupper()))


def _goes_on(text: str, at: int) -> bool:
    after = _GAP.match(text, at)
    following = text[after.end() : after.end() + 1] if after is not None else ""
    return following.islower() or following in {",", ";", ":"}


def _extended(text: str, end: int, starts: Sequence[int], markers: Sequence[tuple[int, int]]) -> int:
    """Take in the markers that follow a full stop at once, where nothing but a new sentence follows them."""
    at, reached = bisect_left(starts, end), end
    while at < len(markers):
        gap = text[reached : markers[at][0]]
        if gap.strip(" \t\u00a0,") or "\n" in gap:
            break
        reached = markers[at][1]
        at += 1
    if reached == end:
        return end
    closed = re.match(r"[.\s]{0,3}", text[reached : reached + 3])
    follows = text[reached + (closed.end() if closed is not None else 0) :][:1] if reached < len(text) else ""
    return end if follows.islower() or follows in {",", ";", ":"} else reached


def _outside(ends: Iterable[int], quotes: Iterable[tuple[int, int]]) -> list[int]:
    spans = list(quotes)
    starts = [start for start, _ in spans]
    kept = []
    for end in ends:
        at = bisect_right(starts, end - 1) - 1
        if at < 0 or not spans[at][0] < end < spans[at][1]:
            kept.append(end)
    return kept
