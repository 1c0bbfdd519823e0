"""Join the lines of a reference: words, addresses and identifiers that a line end has cut."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

HYPHENS = "-\u2010\u00ad"
"""What stands at the end of a line where a word is cut: hyphen-minus, hyphen, soft hyphen."""
MIN_WORD = 3
"""Letters of a half from which it may be a word of its own."""
_ADDRESS = re.compile(r"(?:https?://|www\.|doi\.org/|\b10\.\d{4,9}/)\S*$", re.IGNORECASE)
_STRIP = ".,;:()[]{}“”\"'!?’‘"
_KEPT = frozenset(("self", "non", "cross", "well", "semi", "quasi", "ex", "co", "pre", "post"))
"""First halves that keep their hyphen if the document never writes the word as one."""


def unbreak(lines: Sequence[str], words: Mapping[str, int]) -> str:
    """Join lines into one text.

    Args:
        lines: Printed lines, no spaces at their ends.
        words: How often the document writes each word, lower case, hyphens kept (`layout.vocabulary`).

    Returns:
        One line. A hyphen at a line end goes where the document knows the joined word, and stays where it
        knows the hyphenated one or both halves.

    >>> unbreak(["On infor-", "mation in self-", "supervised nets"], {"information": 2, "self-supervised": 1})
    'On information in self-supervised nets'
    """
    text = ""
    for line in lines:
        text = _append(text, line, words) if text else line
    return text


def _append(text: str, line: str, words: Mapping[str, int]) -> str:
    tail, head = text.rsplit(None, 1)[-1] if text.strip() else "", line.split(None, 1)[0] if line.strip() else ""
    if not head:
        return text
    if _ADDRESS.search(tail):
        return text + line if _goes_on(tail, head) else f"{text} {line}"
    if tail[-1:] in HYPHENS and len(tail) > 1:
        soft = tail[-1] == "\u00ad"
        return text[:-1] + line if soft or _is_one_word(tail[:-1], head, words) else text + line
    if _cjk(text[-1:]) and _cjk(line[:1]):
        return text + line
    if tail[-1:] in "–—/" and len(tail) > 1 and head[:1].isalnum() and tail[-2].isalnum():
        return text + line
    return f"{text} {line}"


def _goes_on(tail: str, head: str) -> bool:
    """Whether an address goes on in the next line."""
    if head[:1] in '(“"[' or head.lower().startswith(("http", "doi", "accessed", "retrieved", "pmid")):
        return False
    if tail[-1] in "/_-=&?%#~":
        return True
    if tail[-1] in ",;)]":
        return False
    if tail[-1] == ".":
        return head[:1].islower() or head[:1].isdigit()
    return head[:1] in "/._-?=&" or (any(char.isdigit() for char in head) and any(char in "/._-" for char in head[:-1]))


def _is_one_word(left: str, right: str, words: Mapping[str, int]) -> bool:
    """Whether two halves around a hyphen at a line end are one word without it."""
    if not right[:1].islower() or not left[-1:].isalpha():
        return False
    first = re.split(r"[-/(\[“\"]", left.lower())[-1].strip(_STRIP)
    second = re.split(r"[-/)\]”\"’]", right.lower())[0].strip(_STRIP)
    if words.get(first + second, 0) > 0:
        return True
    hyphenated = f"{first}-{second}"
    if words.get(hyphenated, 0) > 0 or first in _KEPT:
        return False
    both = min(len(first), len(second)) >= MIN_WORD and words.get(first, 0) > 0 and words.get(second, 0) > 0
    return not both


def _cjk(char: str) -> bool:
    """Whether a character is of a script that writes no spaces between words."""
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\uff00" <= char <= "\uff65"
