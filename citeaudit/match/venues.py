"""Compare the names of journals, proceedings and books.

Venue names are abbreviated in as many ways as there are styles, so a name is only ever found *the same*,
*abbreviated*, *a preprint server* or *another*; none of that alone accuses.
"""

from __future__ import annotations

import re
from functools import lru_cache

from citeaudit.text.lists import read_rows, read_words
from citeaudit.text.normalize import fold

_MAX_VENUE = 400
_PREPRINT = re.compile(
    r"\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|techrxiv|psyarxiv|eartharxiv|ssrn|e ?prints?|preprints?|openreview"
    r"|research square|computing research repository)\b"
)
_PREPRINT_DOI = re.compile(
    r"10\.(?:48550/arxiv|2139/ssrn|1101/\d|64898/|26434/|36227/techrxiv|31234/osf|31219/osf|31223/|20944/preprints"
    r"|21203/rs)"
)  # arXiv, SSRN, bioRxiv and medRxiv (all digits), ChemRxiv, TechRxiv, PsyArXiv, OSF, EarthArXiv, Preprints.org, RS
_STOP = read_words("citeaudit.match", "venue_stop.txt")
_FRAME = read_words("citeaudit.match", "venue_frame.txt")
_KNOWN = read_rows("citeaudit.match", "venues.tsv")
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th)?|[ivxlc]+")
_CAPITALS = re.compile(r"\b[A-Z][A-Za-z]?[A-Za-z]?[A-Z]{1,3}[A-Za-z]{0,6}\b")
_MIN_ACRONYM = 3
_MIN_CORE = 2
"""Words two venue names must share for one to be a longer form of the other: `Nature` is not `Nature Physics`."""


def is_preprint(name: str) -> bool:
    """Whether a venue string names a preprint server: `arXiv preprint arXiv:1706.03762`, `CoRR`.

    >>> is_preprint("CoRR abs/1706.03762"), is_preprint("Physical Review Letters")
    (True, False)
    """
    return _PREPRINT.search(fold(name[:_MAX_VENUE])) is not None


def is_preprint_doi(doi: str) -> bool:
    """Whether a DOI is of a kind that only preprints have; that of a publication may share the prefix of bioRxiv.

    >>> is_preprint_doi("10.1101/2020.01.01.123456"), is_preprint_doi("10.1101/gr.123456")
    (True, False)
    """
    return _PREPRINT_DOI.match(doi[:_MAX_VENUE].lower()) is not None


@lru_cache(maxsize=16_384)
def venue_rule(claimed: str, found: str) -> str:
    """Give the name of the rule that relates two venue names: a key of `citeaudit.match.rules.RULES`.

    >>> venue_rule("Phys. Rev. Lett.", "Physical Review Letters")
    'venue_abbreviated'
    """
    one, two = (fold(name[:_MAX_VENUE]) for name in (claimed, found))
    if one.replace(" ", "") == two.replace(" ", ""):
        return "venue_same"
    if is_preprint(claimed) or is_preprint(found):
        return "venue_preprint"
    related = _abbreviated(one, two) or _acronym(claimed, two) or _acronym(found, one) or _contained(one, two)
    return "venue_abbreviated" if related else "venue_differs"


@lru_cache(maxsize=4_096)
def is_plain(claimed: str, found: str) -> bool:
    """Whether two names are the same word by word, each perhaps cut short, or known to stand for each other.

    >>> is_plain("Nat. Methods", "Nature Methods"), is_plain("Nat. Med.", "Nature Methods")
    (True, False)
    """
    one, two = (fold(name[:_MAX_VENUE]) for name in (claimed, found))
    left, right = _content(one), _content(two)
    if len(left) == len(right) and all(a.startswith(b) or b.startswith(a) for a, b in zip(left, right, strict=True)):
        return True
    return any(one == known and set(_content(meaning)) <= set(two.split()) for known, meaning in _KNOWN)


def _content(name: str) -> list[str]:
    """Give the words that tell venues apart; a last letter stays, as in `Physical Review A`."""
    words = name.split()
    kept = [word for word in words[:-1] if word not in _STOP and not _NUMBER.fullmatch(word)]
    return kept + [word for word in words[-1:] if not _NUMBER.fullmatch(word)]


def _core(name: str) -> list[str]:
    return [word for word in _content(name) if word not in _FRAME]


def _abbreviated(one: str, two: str) -> bool:
    """Whether the words of the one shorten those of the other, in order: ISO 4 style."""
    short, long = sorted((_content(one), _content(two)), key=lambda words: (len(words), sum(map(len, words))))
    if len(short) * 4 < len(long) * 3:
        return False
    rest = iter(long)
    return all(any(_shortens(word, other) for other in rest) for word in short)


def _shortens(one: str, two: str) -> bool:
    """Whether one word is the beginning of the other or its contraction: `natl` for `national`."""
    short, long = sorted((one, two), key=len)
    if long.startswith(short):
        return True
    letters = iter(long)
    return len(short) > 2 and short[0] == long[0] and short[-1] != "s" and all(letter in letters for letter in short)  # noqa: PLR2004


def _acronym(name: str, long: str) -> bool:
    """Whether capitals in `name` spell the initials of the folded `long`, stand in it, or are known to stand for it."""
    words, initials = set(long.split()), "".join(word[0] for word in _content(long))
    shorts = {fold(short) for short in _CAPITALS.findall(name[:_MAX_VENUE])} - _FRAME
    if any(len(short) >= _MIN_ACRONYM and (short in words or short in initials) for short in shorts):
        return True
    short = f" {fold(name[:_MAX_VENUE])} "
    return any(f" {known} " in short and set(_content(meaning)) <= words for known, meaning in _KNOWN)


def _contained(one: str, two: str) -> bool:
    """Whether the telling words of the one are all in the other, in a name of at least two."""
    left, right = _core(one), _core(two)
    if left and left == right:
        return True
    short, long = sorted((left, right), key=len)
    return len(short) >= _MIN_CORE and set(short) <= set(long) and len(short) * 2 >= len(long)
