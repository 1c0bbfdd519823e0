"""Tell whether two words are forms of one: another spelling, another inflection, a number written out.

And whether a word is an ordinary one of titles: of two such words the difference is never a misread letter.
Everything here works on folded words (`citeaudit.text.normalize.fold`) and is pure.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from citeaudit.text.lists import read_rows, read_words
from citeaudit.text.normalize import MAX_TITLE, words

MIN_WORD = 5
"""Letters from which the vocabulary knows words; of shorter ones no letter is ever excused."""
MIN_DOUBLED = 8
"""Letters from which `ll` before an ending is a matter of spelling: `modelled`, not `filling` beside `filing`."""
ENGLISH = 0.5
"""Least share of words by which a title is taken for English; of German, French and Spanish ones few are known."""
MIN_STEM = 3
"""Letters that must stay when an ending is taken off."""
MIN_INFLECTED = 4
"""Letters from which a word is inflected: `used` beside `using`."""

_RULES = (
    (re.compile(r"y[sz](?=e[ds]?$|ers?$|ing$)"), "yz"),
    (re.compile(r"is(?=e[ds]?$|ers?$|ing$|able$|ations?$|ational$)"), "iz"),
    (re.compile(r"our(?=s?$|ed$|ing$|al$|ally$|able$|hood$|ites?$|less$)"), "or"),
    (re.compile(r"([bt])re(?=[sd]?$)"), r"\1er"),
    (re.compile(r"ogue(?=s?$)"), "og"),
    (re.compile(r"ae|oe"), "e"),
)
"""British patterns and what American spelling has in their place: analyse, optimise, colour, centre, dialogue, foetal.

Applied to both words alike, so what they do to other words does not matter unless it makes two of them one."""
_DOUBLED = re.compile(r"ll(?=ed$|ing$|ers?$)")
_BRITISH = re.compile(r"y[sz]|is|our|[bt]re|ogue|ae|oe|ll")
"""What a word must have for any of these to change it: most words have nothing of it."""
_UMLAUT = re.compile(r"([aou])e")
_PLURALS = (("ies", "y"), ("ices", "ex"), ("ices", "ix"), ("es", ""), ("es", "is"), ("s", ""))
_VERBAL = (("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"))
_ENDINGS = (*_PLURALS, *_VERBAL)
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty"
)
_ORDERED = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth"
)
_NUMBERS = {word: str(number) for number, word in enumerate(_COUNTED.split())} | {
    word: f"{number}th" for number, word in enumerate(_ORDERED.split(), start=1)
}
_ORDINAL = re.compile(r"(\d{1,4})(?:st|nd|rd|th)")
_ROMAN = re.compile(r"(x{0,3})(ix|iv|v?i{0,3})")
_ONES = {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}


@cache
def _vocabulary() -> frozenset[str]:
    return read_words("citeaudit.text", "title_words.txt")


@cache
def _function_words() -> frozenset[str]:
    return read_words("citeaudit.text", "function_words.txt")


@cache
def _spellings() -> dict[str, str]:
    return {row[0]: row[1] for row in read_rows("citeaudit.text", "spellings.tsv")}


def is_word(word: str) -> bool:
    """Whether a word is an ordinary one of titles, of `MIN_WORD` letters or more.

    >>> is_word("inductive"), is_word("inductve"), is_word("of")
    (True, False, False)
    """
    return len(word) >= MIN_WORD and word in _vocabulary()


def is_english(title: str) -> bool:
    """Whether half of a title's words or more are ordinary ones of English titles, or English function words.

    >>> is_english("The growth of trees"), is_english("Das Wachstum der Bäume")
    (True, False)
    """
    listed = words(title[:MAX_TITLE])
    known = sum(word in _function_words() or is_word(word) for word in listed)
    return bool(listed) and known >= ENGLISH * len(listed)


def spelled(left: str, right: str) -> bool:
    """Whether two words are one in another spelling: British or American, an umlaut written out, a number in words.

    >>> spelled("optimisation", "optimization"), spelled("schroedinger", "schrodinger"), spelled("two", "2")
    (True, True, True)
    >>> spelled("causal", "casual"), spelled("two", "three")
    (False, False)
    """
    if american(left) == american(right):
        return True
    number = _number(left)
    if number is not None and number == _number(right):
        return True
    if left[:1] != right[:1]:
        return False
    short, long = sorted((left, right), key=len)
    return len(short) >= MIN_WORD and len(short) != len(long) and _unmarked(long) in (short, _unmarked(short))


@lru_cache(maxsize=16_384)
def american(word: str) -> str:
    """Give the American spelling of a word, or some form that all its spellings share.

    >>> american("modelling"), american("catalogue"), american("grey")
    ('modeling', 'catalog', 'gray')
    """
    known = _spellings().get(word)
    if known is not None:
        return known
    if len(word) < MIN_WORD or not word.isalpha():
        return word
    if not _BRITISH.search(word):
        return word
    for pattern, put in _RULES:
        word = pattern.sub(put, word)
    return _DOUBLED.sub("l", word) if len(word) >= MIN_DOUBLED else word


@lru_cache(maxsize=16_384)
def inflected(left: str, right: str) -> bool:
    """Whether two words are inflections of one: `study` and `studies`, `learn`, `learned` and `learning`.

    >>> inflected("matrix", "matrices"), inflected("trained", "training"), inflected("generation", "generative")
    (True, True, False)
    """
    if min(len(left), len(right)) < MIN_INFLECTED or not (left + right).isalpha():
        return False
    return not (_stems(left) | _stems(american(left))).isdisjoint(_stems(right) | _stems(american(right)))


def _stems(word: str) -> frozenset[str]:
    """Give the words that a word may be an inflection of, itself among them."""
    stems = {word}
    for ending, put in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < MIN_STEM:
            continue
        stems.add(stem + put)
        if (ending, put) in _VERBAL and stem[-1] == stem[-2]:  # `planned`, `planning`
            stems.add(stem[:-1])
    return frozenset(stems)


def _unmarked(word: str) -> str:
    return _UMLAUT.sub(r"\1", word)


@lru_cache(maxsize=16_384)
def _number(word: str) -> str | None:
    """Give the digits of a number in words, digits or Roman letters up to 39; ordinals end in `th`."""
    if word in _NUMBERS:
        return _NUMBERS[word]
    if ordinal := _ORDINAL.fullmatch(word):
        return f"{ordinal[1]}th"
    if word.isascii() and word.isdigit():
        return word.lstrip("0") or "0"
    roman = _ROMAN.fullmatch(word)
    return str(10 * len(roman[1]) + _ONES[roman[2]]) if word and roman else None
