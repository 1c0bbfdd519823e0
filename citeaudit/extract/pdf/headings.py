"""Know the headings that open and close a reference list, in the languages of `headings.tsv`."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

MAX_HEADING = 60
"""Characters."""
SHORTEST = 2
"""Letters of the shortest heading."""
MAX_KNOWN = 20_000
"""Rows whose answer is kept; every stage asks for the same ones."""

_NUMBERING = re.compile(
    r"^\s*(?:(?:[A-Z]?\d{1,4}|[IVX]{1,5}|[A-Z])(?:\.\d{1,2})*(?:[.):]\s?|\s+)|§\s*\d*\s*|[■▪•●◆►]\s*)(?:[|–—-]\s)?"
)
_TRAILING = re.compile(r"\s+\d{1,4}$")
"""The number of a line or of a page."""
_DOTS = re.compile(r"(?:\.\s?){4,}|…")
_NOT_LETTER = re.compile(r"[\W\d_]+")
_TWICE = re.compile(r"\s?[/(（|]\s?")
"""Between the same heading in two languages."""
_OF = re.compile(
    r"^(?P<head>[^\W\d_]+(?:\s[^\W\d_]+)?)(?:\s(?:for|to|of|in|from|zu|zum|zur|für|der|des|pour|para)\s|\s?[(:–—-]\s?)"
    r"(?P<rest>[^.;]{1,50})$"
)
"""`References for the supplement`, `Bibliography of Chapter 3`, `References (continued)`."""
_PART = re.compile(
    r"supp|append|annex|anhang|anexo|chapter|kapitel|section|part\b|teil\b|methods|main|online|study|studies|paper"
    r"|article|continued|cont|fortsetzung|included|review|meta",
    re.IGNORECASE,
)
_LETTERED = re.compile(
    r"^(?:appendix|appendices|anhang|annexe?|anexo|ap[eê]ndice|apéndice|appendice|приложение|附录|付録|supplementary"
    r"\s(?:note|table|figure|method)s?)(?:\s?(?-i:[A-Z\d]{1,3}))?(?:\s?[.:–—-]|\s(?-i:[A-Z\d]{1,3})\b|$)",
    re.IGNORECASE,
)
"""`Appendix A. Proofs`, `Anhang: Fragebogen`."""
MAX_LETTERED = 90
"""Characters of a heading of an appendix."""


@cache
def headings(kind: str) -> frozenset[str]:
    """Give the keys of known headings: `list` opens a reference list, `end` closes one."""
    text = files(__package__).joinpath("headings.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return frozenset(key(row[2]) for row in rows if row[0] == kind)


@cache
def _edges(kind: str) -> tuple[str, ...]:
    return tuple(headings(kind))


@cache
def _known(kind: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Give the keys of the headings of a kind, and the letters with which each begins and ends."""
    known = headings(kind)
    return known, frozenset(each[:SHORTEST] for each in known), frozenset(each[-SHORTEST:] for each in known)


@lru_cache(MAX_KNOWN)
def key(text: str) -> str:
    """Fold a heading: letters alone, lower case, no accents; small caps may come as `R EFERENCES`."""
    folded = text.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFKD", folded)
    return _NOT_LETTER.sub("", folded)


def is_heading(text: str, kind: str = "list") -> bool:
    """Whether a row is a known heading and nothing else; a line of a table of contents is none."""
    if len(text) > MAX_LETTERED or (len(text) > MAX_HEADING and kind != "end"):
        return False
    return _is_heading(text, kind)


@lru_cache(MAX_KNOWN)
def _is_heading(text: str, kind: str) -> bool:
    whole = key(text)
    known, heads, tails = _known(kind)
    if kind == "end" and _LETTERED.match(_NUMBERING.sub("", text)) and not any(map(str.isdigit, text[15:])):
        return True
    if whole in known and len(text) <= MAX_HEADING and not _DOTS.search(text) and not _digits(text):
        return True
    # Most rows of a document end here: neither end of them is a heading.
    if len(text) > MAX_HEADING or not (whole[:SHORTEST] in heads or whole[-SHORTEST:] in tails):
        return False
    if not (whole.endswith(_edges(kind)) or whole.startswith(_edges(kind))):
        return False
    words = _TRAILING.sub("", _NUMBERING.sub("", text))
    if _DOTS.search(text) or any(map(str.isdigit, words)):
        return kind == "list" and _of_part(words)
    return key(words) in known or _doubled(words, known) or (kind == "list" and _of_part(words))


def _digits(text: str) -> bool:
    return any(map(str.isdigit, _TRAILING.sub("", _NUMBERING.sub("", text))))


def _doubled(words: str, known: frozenset[str]) -> bool:
    """Whether a heading stands there in two languages: `References / Literatur`, `参考文献(References)`."""
    parts = [key(part) for part in _TWICE.split(words)]
    return len(parts) > 1 and all(part in known for part in parts if part)


def _of_part(words: str) -> bool:
    """Whether it is the heading of the list of a part: `References for the supplement`."""
    match = _OF.match(words)
    if match is None or not _PART.search(match["rest"]) or _DOTS.search(words):
        return False
    return key(match["head"]) in headings("list")


@cache
def _notes() -> tuple[str, ...]:
    return tuple(headings("note"))


def is_note(text: str) -> bool:
    """Whether a row opens one of the notes that publishers set after the references."""
    return key(text[:MAX_HEADING]).startswith(_notes())
