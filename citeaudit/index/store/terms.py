"""The words and surnames a record is found by where no exact key fits."""

from __future__ import annotations

from functools import lru_cache

from citeaudit.index.store.record import Name, Record
from citeaudit.text.folding import folded

LEADING_SURNAMES = 8
"""Surnames of a record that are searchable: the first eight and the last."""

MAX_WORDS = 60
"""Words of a title that are searchable."""


def surname_terms(name: Name | str) -> tuple[str, ...]:
    """Give the search terms of a surname: `z` and the folded name, and `z` and each word of a longer one.

    Names run together in dumps (`Bernard Ghanem Chen Zhao`) are found by each of their words.

    >>> surname_terms("Van der Berg")
    ('zvanderberg', 'zvan', 'zder', 'zberg')
    """
    return _terms(name if isinstance(name, str) else name.family or name.literal or "")


_LONGEST = 80


@lru_cache(maxsize=100_000)
def _terms(text: str) -> tuple[str, ...]:
    return tuple(_surname_text(text).split())


@lru_cache(maxsize=100_000)
def _surname_text(text: str) -> str:
    if text.isascii() and text.isalpha() and len(text) <= _LONGEST:  # four of five: nothing to fold but capitals
        return f"z{text.lower()}"
    word = folded(text[:_LONGEST])
    if " " not in word:
        return f"z{word}" if word else ""
    parts = word.split()[:4]
    return f"z{''.join(parts)} z{' z'.join(parts)}"


def title_terms(title: str) -> list[str]:
    """Give the words of a title, folded, in their order."""
    return folded(title).split()[:MAX_WORDS]


def text_of(record: Record, words: str | None = None) -> str:
    """Give the words of a record with single spaces: those of its titles, and its surnames with a `z` before.

    Args:
        record: Tidied.
        words: Its title, folded, where that is known already.
    """
    names = record.authors
    if len(names) > LEADING_SURNAMES + 1:
        names = (*names[:LEADING_SURNAMES], names[-1])
    text = folded(record.title) if words is None else words
    if text.count(" ") >= MAX_WORDS:
        text = " ".join(text.split()[:MAX_WORDS])
    parts = [text, *[_surname_text(family or literal or "") for family, _, literal in names]]
    for title in record.titles:
        parts += title_terms(title)
    return " ".join(parts) if "" not in parts else " ".join(filter(None, parts))
