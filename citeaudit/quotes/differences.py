"""Say in what two passages differ, word by word; what changes a statement first."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from citeaudit.quotes.nearest import word_form

NOTHING = "(nothing)"
REORDERED = "same words, different order"
_NUMBER = re.compile(r"\d")
_POLARITY = frozenset(
    (
        "not",
        "no",
        "never",
        "nor",
        "neither",
        "none",
        "nobody",
        "nothing",
        "without",
        "cannot",
        "hardly",
        "barely",
        "except",
        "unless",
        "fail",
        "fails",
        "failed",
        "lack",
        "lacks",
        "didnt",
        "doesnt",
        "dont",
        "isnt",
        "arent",
        "wasnt",
        "werent",
        "wont",
        "wouldnt",
        "cant",
        "couldnt",
        "shouldnt",
        "hasnt",
        "havent",
        "hadnt",
        "nicht",
        "kein",
        "keine",
        "nie",
        "ohne",
        "pas",
        "jamais",
        "sans",
        "sin",
        "nunca",
        "non",
        "senza",
        "increase",
        "increased",
        "decrease",
        "decreased",
        "more",
        "less",
        "higher",
        "lower",
        "above",
        "below",
    )
)
"""Words that turn what is said around."""
_SIGNED = re.compile(r"(?:[<>≤≥≠±]\s?)?[-−–<>≤≥=≠±~$€£¥]*\d[\d.,]*\s?[%‰°]?")


def differences(quote: str, passage: str) -> tuple[str, ...]:
    """Give the differences of a passage from a quote, as the notebook words and orders them.

    >>> differences("growth of 8% to 12%", "growth of 8% to 10%")
    ('12% -> 10%',)
    >>> differences("normal levels", "levels normal")
    ('same words, different order',)
    """
    one = [form for form in map(word_form, quote.split()) if form]
    two = [form for form in map(word_form, passage.split()) if form]
    if sorted(one) == sorted(two):
        return (REORDERED,)
    return tuple(
        f"{' '.join(one[first:last]) or NOTHING} -> {' '.join(two[start:end]) or NOTHING}"
        for kind, first, last, start, end in SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
        if kind != "equal"
    )


def weighed(quote: str, passage: str) -> tuple[str, ...]:
    """Give the differences, those in numbers, signs and negations first; signs are compared as printed.

    >>> weighed("It fell by 12.5% in the north", "It fell by −12.5% in a north")
    ('12.5% -> −12.5%', 'the -> a')
    """
    found = list(differences(quote, passage))
    signed = signs(quote, passage)
    rest = [one for one in found if one not in signed]
    return (*signed, *sorted(rest, key=lambda one: not changes(one)))


def signs(quote: str, passage: str) -> list[str]:
    """Give the numbers that differ, with their signs and units, where both have as many."""
    one, two = _SIGNED.findall(quote), _SIGNED.findall(passage)
    one, two = ([text.strip(" .,") for text in side] for side in (one, two))
    if len(one) != len(two):
        return []
    return [f"{left} -> {right}" for left, right in zip(one, two, strict=True) if _plain(left) != _plain(right)]


def _plain(number: str) -> str:
    return number.replace("–", "-").replace("−", "-").replace(" ", "").lstrip("=~")


def changes(difference: str) -> bool:
    """Whether a difference touches a number or turns a statement around."""
    if _NUMBER.search(difference):
        return True
    words = {re.sub(r"\W", "", word) for word in difference.split()}
    return bool(words & _POLARITY)
