"""Forms of a title that its words do not show to be one: cut, with the venue, abbreviated, in another language.

None of them says that two titles are one work's; with all authors, year and place the same, the work may be that one.
"""

from __future__ import annotations

import re

from citeaudit.match.frames import LEAST_SHARE, content, frame
from citeaudit.text.normalize import MAX_TITLE, words
from citeaudit.text.similarity import align
from citeaudit.text.titles import undecorated
from citeaudit.text.titlewords import title_words
from citeaudit.text.wordforms import is_english

LEAST_WORDS = 3
"""Content words of an opening, and words of a title in another language; fewer open many titles."""
LEAST_LETTERS = 3
"""Letters of an abbreviation; of two letters the same ones stand for too many things."""
_EDITION = re.compile(
    r"(?:the )?(?:(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d{1,2}(?:st|nd|rd|th)?|new) )?"
    r"(?:(?:revised|international|global|updated|expanded|enlarged|student|corrected) (?:and )?){0,3}"
    r"(?:edition|edn|ed|aufl|auflage)"
)
_ENGLISH = frozenset({"and", "by", "for", "from", "of", "the", "using", "with"})
"""Words of no other language that titles are often in."""
_SMALL = frozenset({"a", "an", "and", "for", "in", "of", "on", "the", "to", "with"})
_NAMED = {
    ("covid", "19"): ("coronavirus", "disease", "2019"),
    ("covid",): ("coronavirus", "disease"),
    ("sars", "cov", "2"): ("severe", "acute", "respiratory", "syndrome", "coronavirus", "2"),
}
"""Abbreviations that are not the first letters of their words."""
_VOLUME = frozenset({"volume", "vol", "band", "tome"})


def edition(claimed: str, found: str) -> bool:
    """Whether only one of two titles names an edition, and nothing else differs.

    >>> edition("A book of dunes, third edition", "A book of dunes"), edition("Dunes, part 3", "Dunes")
    (True, False)
    """
    one, two = title_words(claimed), title_words(found)
    if one[:1] != two[:1]:
        return False
    short, long = sorted((one, two), key=len)
    return bool(short) and long[: len(short)] == short and bool(_EDITION.fullmatch(" ".join(long[len(short) :])))


def akin(claimed: str, found: str) -> bool:
    """Whether one title opens the other, or is the other with words abbreviated; the order does not matter."""
    return frame(claimed, found).share >= LEAST_SHARE and (_opens(claimed, found) or _abbreviated(claimed, found))


def tongues(claimed: str, found: str) -> bool:
    """Whether one title is English and the other is not.

    >>> tongues("Das Wachstum der Bäume im Norden", "The growth of trees in the north")
    True
    """
    listed = [words(title[:MAX_TITLE]) for title in (claimed, found)]
    english = [
        is_english(title) or not _ENGLISH.isdisjoint(side) for title, side in zip((claimed, found), listed, strict=True)
    ]
    return min(map(len, listed)) >= LEAST_WORDS and english[0] is not english[1]


def _opens(claimed: str, found: str) -> bool:
    short, long = sorted((words(undecorated(title[:MAX_TITLE])) for title in (claimed, found)), key=len)
    named = len(long) > len(short) and long[len(short)] in _VOLUME
    return bool(short) and long[: len(short)] == short and (named or len(content(short)) >= LEAST_WORDS)


def _abbreviated(claimed: str, found: str) -> bool:
    blocks = align(*(words(undecorated(title[:MAX_TITLE])) for title in (claimed, found)))
    return all(block.equal or any(_stands(*sides) for sides in _both(block.left, block.right)) for block in blocks)


def _both(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    return (left, right), (right, left)


def _stands(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether one word stands for several by their first letters, with or without the small ones: `iot`, `cnns`."""
    if _NAMED.get(short) == long:
        return True
    if len(short) != 1 or len(long) <= 1:
        return False
    word = short[0]
    plain = word.removesuffix("s") if long[-1].endswith("s") else word
    firsts = {"".join(item[0] for item in long), "".join(item[0] for item in long if item not in _SMALL)}
    return len(plain) >= LEAST_LETTERS and not firsts.isdisjoint({word, plain})
