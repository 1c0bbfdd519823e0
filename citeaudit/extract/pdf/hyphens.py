"""Join the lines of a reference: words, addresses and identifiers that a line end has cut."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

HYPHENS = "-\u2010\u00ad"
"""What stands at the end of a line where a word is cut: hyphen-minus, hyphen, soft hyphen."""
MIN_WORD = 3
"""Letters of a half from which it may be a word of its own."""
MAX_WORD = 400
"""Characters before a line end that are looked at; the longest address that matters is shorter."""
_ADDRESS = re.compile(r"(?:https?://|www\.|doi\.org/|\b10\.\d{4,9}/)\S*$", re.IGNORECASE)
_STRIP = ".,;:()[]{}“”\"'!?’‘"
_KEPT = frozenset(("self", "non", "cross", "well", "semi", "quasi", "ex", "co", "pre", "post"))
"""First halves that keep their hyphen if the document never writes the word as one."""
_TAILS = frozenset(
    (
        *("based", "tuned", "trained", "driven", "aware", "specific", "related", "like", "dimensional", "quality"),
        *("resolution", "scale", "shot", "agent", "modal", "level", "effective", "efficient", "oriented", "induced"),
        *("mediated", "associated", "linked", "supervised", "learning", "order", "free", "wide", "called", "known"),
    )
)
"""Second halves that are rarely the end of one word; `fine-tuned`, `rule-based`, `large-scale`."""
_LETTERS = re.compile(r"[^\W\d_]*")
_LAST_LETTERS = re.compile(r"[^\W\d_]+$")


def unbreak(lines: Sequence[str], words: Mapping[str, int]) -> str:
    """Join lines into one text.

    Args:
        lines: Printed lines, no spaces at their ends.
        words: How often the document writes each word, lower case, hyphens kept; and those with capitals inside as
            they are (`rows.vocabulary`).

    Returns:
        One line. A hyphen at a line end goes where the document knows the joined word, and stays where it
        knows the hyphenated one or both halves.

    >>> unbreak(["On infor-", "mation in self-", "supervised nets"], {"information": 2, "self-supervised": 1})
    'On information in self-supervised nets'
    >>> unbreak(["A stack-", "guard"], {"stackguard": 1, "StackGuard": 1})
    'A stackguard'
    """
    text = ""
    for line in lines:
        text = append(text, line, words) if text else line
    return text


def append(text: str, line: str, words: Mapping[str, int]) -> str:
    """Add one line to a text that is not empty; what is added ends with the line, unless its first word changes."""
    end = text[-MAX_WORD:]
    tail = end.rsplit(None, 1)[-1] if end.strip() else ""
    head = line[:MAX_WORD].split(None, 1)[0] if line.strip() else ""
    if not head:
        return text
    if _ADDRESS.search(tail):
        if tail[-1] in HYPHENS and _in_address(tail, head, words):
            return text[:-1] + line
        return text + line if _goes_on(tail, head) else f"{text} {line}"
    if tail[-1:] in HYPHENS and len(tail) > 1:
        return _rejoined(text, line, (tail, head), words)
    if _cjk(text[-1:]) and _cjk(line[:1]):
        return text + line
    if tail[-1:] in "–—/" and len(tail) > 1 and head[:1].isalnum() and tail[-2].isalnum():
        return text + line
    return f"{text} {line}"


def _rejoined(text: str, line: str, halves: tuple[str, str], words: Mapping[str, int]) -> str:
    """Join the halves of a word cut at a hyphen, in the writing of the document."""
    tail, head = halves
    left, right = _LAST_LETTERS.search(tail[:-1]), _LETTERS.match(head)
    if left and right and right.group():
        # "Stack-guard" where the document writes "StackGuard".
        for whole in (left.group() + right.group(), left.group() + right.group().capitalize()):
            if any(char.isupper() for char in whole[1:]) and words.get(whole, 0) > 0:
                return text[: -1 - len(left.group())] + whole + line[right.end() :]
    soft = tail[-1] == "\u00ad"
    return text[:-1] + line if soft or _is_one_word(tail[:-1], head, words) else text + line


def _in_address(tail: str, head: str, words: Mapping[str, int]) -> bool:
    """Whether a hyphen in an address is that of the line end: `jour-nal.pone` where the document has `journal`."""
    left, right = _LAST_LETTERS.search(tail[:-1]), _LETTERS.match(head)
    if tail[-1] == "\u00ad":
        return True
    if left is None or right is None or not right.group()[:1].islower():
        return False
    return words.get((left.group() + right.group()).lower(), 0) > 0


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
    if second in _TAILS and len(first) > MIN_WORD:
        return False
    both = min(len(first), len(second)) >= MIN_WORD and words.get(first, 0) > 0 and words.get(second, 0) > 0
    return not both


def _cjk(char: str) -> bool:
    """Whether a character is of a script that writes no spaces between words."""
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\uff00" <= char <= "\uff65"
