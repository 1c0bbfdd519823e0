"""How much a piece of text looks like a bibliographic reference; shared by finding and cutting lists."""

from __future__ import annotations

import re
from functools import lru_cache

MAX_KEPT = 4_096
"""Texts whose likeness is kept: finding and cutting weigh the same rows several times."""
MAX_LOOK = 1_500
"""Characters that are looked at; no reference needs more to be told from prose."""

# What may begin a match comes first, what must not stand before it second: the search for a first letter is fast.
_YEAR = re.compile(
    r"(?:1(?:(?<![\d./-]1)|(?<=\s\d/1)|(?<=\s\d\d/1))[5-9]\d\d|2(?:(?<![\d./-]2)|(?<=\s\d/2)|(?<=\s\d\d/2))0[0-4]\d)[a-z]?"
    r"(?!\d|/(?!\d\d(?:\d\d)?\b))"
)
"""`1999`, `1999a`, `1938/39`, `8/2008`; no part of a longer number or identifier."""
_DASHED = re.compile("[-–—]")
_RANGE = re.compile(r"\b[A-Za-z]?\d{1,5}\s?[-–—]{1,2}\s?[A-Za-z]?\d{1,5}\b")
_VOLUME = re.compile(r"\b\d{1,4}\s?\(\s?\d{1,4}\s?\)|\b\d{1,4}\s?[:,]\s?[A-Za-z]?\d{1,6}\b|\bvol(?:ume)?\.?\s?\d")
_LINK = re.compile(r"\b(?:10\.\d{4,9}/|doi\b|https?://|arxiv\b|pmid\b|isbn\b|www\.)")
_IN_LINKS = ("10.", "doi", "http", "arxiv", "pmid", "isbn", "www.")
_NAME = re.compile(
    r"\b[^\W\d_a-z][\w'’-]+,?\s(?:[^\W\d_a-z]\.?[\s-]?){1,3}(?=[,;.&:(\s]|$)"  # Smith, J. R. / Smith JR
    r"|\b(?:[^\W\d_a-z]\.[\s-]?){1,3}\s?[^\W\d_a-z][\w'’-]+(?=[,;.:\s]|$)"  # J. R. Smith
)
_HOUSE = re.compile(
    r"\b(?:press|verlag|springer|elsevier|wiley|university|universität|proc(?:eedings)?|journal|conference"
    r"|trans(?:actions)?|thesis|dissertation|eds?\.|hrsg|in:|pp?\.|et al|und|vol\.|no\.|hg\.|retrieved|accessed"
    r"|technical report|preprint)\b"
    r"|\[[jmcdnrspaeb](?:/ol)?\]|&"
)
_DIGIT = re.compile(r"\d")
_MARKS = ".,;:!?()[]\"'“”‘’"
_PROSE = frozenset(
    [
        "we",
        "our",
        "this",
        "these",
        "which",
        "were",
        "was",
        "is",
        "are",
        "have",
        "has",
        "been",
        "that",
        "it",
        "can",
        "will",
        "would",
        "should",
        "there",
        "they",
        "however",
        "thus",
        "wir",
        "wird",
        "werden",
        "wurde",
        "nicht",
        "sich",
        "dass",
        "ist",
        "sind",
        "nous",
        "cette",
        "sont",
        "est",
        "esta",
        "são",
        "foram",
        "son",
        "fueron",
    ]
)


def years(text: str) -> int:
    """Count the years that stand in a text; parts of longer numbers and of identifiers do not count."""
    return len(_YEAR.findall(text[:MAX_LOOK]))


def likeness(text: str) -> float:
    """Give how much a text looks like one or several references, 0 to 1.

    A year, pages, volume, names with initials, a publisher's word and a link speak for it; words of
    running prose speak against it.

    >>> likeness("Roe J, Poe A. On rows. J Lay. 1999;22(2):327-38.") > 0.7
    True
    >>> likeness("We show that this is not the case, as was said in 1999.") < 0.3
    True
    """
    return _weigh(text[:MAX_LOOK])


@lru_cache(MAX_KEPT)
def _weigh(text: str) -> float:
    if not text.strip():
        return 0.0
    lower = text.lower()
    score = 0.30 * bool(_YEAR.search(text))
    digits = _DIGIT.search(text) is not None
    score += 0.20 * bool(digits and _DASHED.search(text) and _RANGE.search(text))
    score += 0.15 * bool(digits and _VOLUME.search(lower))
    score += 0.25 * bool(any(map(lower.__contains__, _IN_LINKS)) and _LINK.search(lower))
    score += 0.20 * bool(_NAME.search(text))
    score += 0.15 * bool(_HOUSE.search(lower))
    words = lower.split()
    prose = sum(word.strip(_MARKS) in _PROSE for word in words) / max(8, len(words))
    return max(0.0, min(1.0, score - 4 * max(0.0, prose - 0.03)))
