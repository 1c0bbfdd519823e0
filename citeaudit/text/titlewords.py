"""Read a title as the words to compare: without markup, decorations and formulas' signs."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from citeaudit.text.latex import to_text
from citeaudit.text.normalize import MAX_TITLE, fold, plain

_DECORATION = re.compile(
    r"^\s*(?:\[(?:retracted|withdrawn)[^\]]{0,20}\]|(?:retracted|withdrawn|temporary removal)(?: article| paper)?\s*:"
    r"|invited (?:paper|talk)\s*:|poster\s*:)\s*"
    r"|\s*[(\[](?:extended abstract|invited (?:paper|talk)|abstract only|student abstract|poster|retracted(?: article)?"
    r"|withdrawn|preprint)[)\]]\s*\.?$",
    re.IGNORECASE,
)
_DECORATED = ("retracted", "withdrawn", "removal", "invited", "poster", "abstract", "preprint")
"""One of these stands in every decoration."""
_TONGUE = re.compile(
    r"(?<=\S)\s+[(\[](?:article |text |original )?in (?:arabic|chinese|czech|danish|dutch|english|finnish|french|german"
    r"|greek|hebrew|hungarian|italian|japanese|korean|latin|norwegian|persian|polish|portuguese|romanian|russian|serbian"
    r"|spanish|swedish|turkish|ukrainian)[)\]]$",
    re.IGNORECASE,
)
ARTICLES = frozenset({"a", "an", "the"})
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""Characters of Chinese, also in Japanese and old Korean titles: each is a word or a good part of one."""
_NEGATING = frozenset("不无無非未没沒反有")
MIN_HAN = 10
"""Characters of Chinese that a title must have for another one among them to be excused."""
_DIGIT = re.compile(r"\d")
_PERCENT = re.compile(r"(\d)[ -]?(?:%|percent\b|per cent\b|per-cent\b)", re.IGNORECASE)
_TYPESET = re.compile(r"[\\${}]")
_TOKEN = re.compile(r"[^\W_]+")
_FORMULA = re.compile(
    r"\$[^$]{0,200}\$|\\\((?:[^\\]|\\(?!\))){0,200}\\\)|\^\S{0,20}|_\S{0,20}|√(?:\([^()]{0,20}\)|\S{0,20})"
)
_FORMAL = re.compile(r"[$\\^_√]")
"""One of these stands in every formula with markup."""
_CALL = re.compile(r"\b[A-Za-z]\([^()]{1,40}\)")
"""A formula that needs no markup: `O(n log n)`."""
_GAP = re.compile(r"[-‐–](?<!\S.)(?=\w)")  # the sign first, for which a search is fast
"""What `$k$-means` leaves behind without its formula."""
MOST = 0.6
"""Least share of a title's characters that must be left without its accented letters."""
SHOUTED = 0.5
"""Share of capitals among a title's letters from which it is set in capitals, and they name nothing."""


@lru_cache(maxsize=16_384)
def undecorated(title: str) -> str:
    """Give a title without what indexes add to it: `RETRACTED:`, `(Extended Abstract)`, a final full stop.

    >>> undecorated("RETRACTED ARTICLE: Growth of things (Extended Abstract).")
    'Growth of things'
    """
    text = plain(title[:MAX_TITLE])
    if ":" in text or "(" in text or "[" in text:  # one of them stands in every decoration, and not in most titles
        small = text.lower()
        if any(word in small for word in _DECORATED):
            text = _DECORATION.sub("", _DECORATION.sub("", text)).strip()
    if text.startswith("[") and text.rstrip(".").endswith("]"):  # PubMed brackets translated titles
        text = text.rstrip(".")[1:-1]
    return text.rstrip(". ")


@lru_cache(maxsize=16_384)
def readable(title: str) -> str:
    r"""Give an undecorated title as a reader sees it, also if it is written in LaTeX.

    >>> readable(r"${{\mathrm {Latent}}Out}$: a view of {B}ayes and {\sc bert}")
    'LatentOut: a view of Bayes and bert'
    """
    text = undecorated(title)
    text = undecorated(to_text(text)) if _TYPESET.search(text) else text
    return _TONGUE.sub("", text) if text.endswith(("]", ")")) else text


@lru_cache(maxsize=16_384)
def title_words(title: str) -> tuple[str, ...]:
    """Give the folded words of a title.

    >>> title_words("TNF-α & CO<sub>2</sub>.")
    ('tnf', 'alpha', 'and', 'co2')
    """
    return tuple(fold(spelt(title)).split())


@lru_cache(maxsize=16_384)
def title_letters(title: str) -> str:
    """Give the words of `title_words` joined.

    >>> title_letters("TNF-α & CO<sub>2</sub>.")
    'tnfalphaandco2'
    """
    return "".join(title_words(title))


@lru_cache(maxsize=16_384)
def spelt(title: str) -> str:
    """Give a readable title with its signs that stand for words written out; others stay.

    >>> spelt("TNF-α & 10% of 2 × 2 tables at −5 °C")
    'TNF- ALPHA   and  10  of 2 x 2 tables at −5  C'
    """
    text = readable(title).replace("&", " and ").replace("×", "x").replace("°", " ")
    return _spell(_PERCENT.sub(r"\1 ", text) if _DIGIT.search(text) else text)


@lru_cache(maxsize=16_384)
def title_pieces(title: str) -> tuple[str, ...]:
    """Give the words to lay side by side; of Chinese, which has no spaces, each character.

    Else a whole title were one long word, and two other characters in it passed for a misread letter.
    """
    if title.isascii() or _HAN.search(title) is None:
        return title_words(title)
    pieces: list[str] = []
    for piece in _HAN.sub(r" \g<0> ", readable(title)).split():
        words = title_words(piece)
        pieces += [piece] if len(piece) == 1 and not ARTICLES.isdisjoint(words) else words  # `an` is no article here
    return tuple(pieces)


def unaccented(title: str) -> str:
    """Give the letters of a title without those that have marks, which some exports lose: `Rényi` became `Rnyi`.

    Empty where there is none, or where little else is left.
    """
    text = readable(title)
    if text.isascii():
        return ""
    kept = "".join(char for char in text if char.isascii() or not char.isalpha())
    return "" if kept == text or len(kept) < MOST * len(text) else "".join(title_words(kept))


@lru_cache(maxsize=16_384)
def formula_words(title: str) -> frozenset[str] | None:
    r"""Give the words that a title has in formulas; `None` where it has no formula, nor the gap that a lost one leaves.

    >>> sorted(formula_words(r"Sums of $\sqrt{n}$ terms")), formula_words("On -means"), formula_words("On k-means")
    (['n', 'sqrt'], frozenset(), None)
    """
    text = undecorated(title)
    found = [match.group() for match in _FORMULA.finditer(text)] if _FORMAL.search(text) else []
    if not found and not _GAP.search(text):
        return None
    return frozenset(
        word for formula in found for text in (formula, to_text(formula)) for word in fold(_spell(text)).split()
    )


def formulas_apart(one: str, other: str) -> bool:
    r"""Whether two titles that differ in a formula both have one, so that none was merely lost.

    >>> formulas_apart("Sorting in O(n) time", "Sorting in O(n^2) time"), formulas_apart("On -means", "On $k$-means")
    (True, False)
    """
    return all(formula_words(title) or _CALL.search(readable(title)) for title in (one, other))


def misread(one: str, other: str) -> str | None:
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


def bare(title: str) -> str:
    """Give what can still be compared of a title without any letter or digit we can fold."""
    return plain(title[:MAX_TITLE]).casefold()


@lru_cache(maxsize=16_384)
def title_names(title: str) -> frozenset[str]:
    """Give the folded words that are names of methods or acronyms by their capitals: `BERT`, `TrustZone`, `mRNA`.

    None of a title that is set in capitals throughout.

    >>> sorted(title_names("Attacks on TrustZone and GANs")), title_names("ATTACKS ON TRUSTZONE")
    (['gans', 'trustzone'], frozenset())
    """
    text = readable(title)
    capitals = sum(map(str.isupper, text))
    if capitals > SHOUTED * sum(map(str.isalpha, text)):
        return frozenset()
    tokens = (token for token in _TOKEN.findall(text) if sum(map(str.isupper, token)) > token[0].isupper())
    return frozenset(word for token in tokens for word in fold(token).split())
