"""Put right the words of a title that differ, keeping braces, capitals and line breaks of those that do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from citeaudit.fix.latex import protected
from citeaudit.text.latex import to_text
from citeaudit.text.normalize import key, squash

MAX_WORDS = 400
"""Of a title; a longer one is written anew."""
_SPACE = re.compile(r"\s+")


class _Token(NamedTuple):
    source: str
    gap: str
    """White space before it."""
    words: tuple[str, ...]
    """What it says; several in braces (`{New York}`)."""


def retitled(source: str, title: str, *, is_ascii: bool) -> str:
    r"""Give the source of a title with the words of another.

    Args:
        source: The value as it stands, without its delimiters; LaTeX.
        title: Plain text.
        is_ascii: Whether letters with marks are written as macros.

    >>> retitled("Graph learning for {DNA}", "Deep learning for DNA", is_ascii=True)
    'Deep learning for {DNA}'
    """
    inner, wraps = _unwrapped(source)
    tokens = _tokens(inner)
    new = squash(title.lower() if title.isupper() else title).split(" ")  # capitals alone are a style of the record
    if len(tokens) > MAX_WORDS or len(new) > MAX_WORDS:
        told = " ".join(protected(word, is_ascii=is_ascii) for word in new)
    else:
        told = "".join(_joined(tokens, new, is_ascii=is_ascii))
    return "{" * wraps + told + "}" * wraps


def _joined(tokens: Sequence[_Token], new: Sequence[str], *, is_ascii: bool) -> Iterator[str]:
    places = [(at, word) for at, token in enumerate(tokens) for word in token.words]
    matcher = SequenceMatcher(a=[_folded(word) for _, word in places], b=[*map(_folded, new)], autojunk=False)
    first = True
    for tag, start, end, low, high in matcher.get_opcodes():
        pieces = (
            _same(tokens, places, start, new[low:high], is_ascii=is_ascii)
            if tag == "equal"
            else _other(tokens, places[start:end], new[low:high], is_ascii=is_ascii)
        )
        for gap, piece in pieces:
            yield piece if first else f"{gap}{piece}"
            first = False


def _same(
    tokens: Sequence[_Token], places: Sequence[tuple[int, str]], start: int, words: Sequence[str], *, is_ascii: bool
) -> Iterator[tuple[str, str]]:
    """Give words that both have as they are cited; one of a group in braces that is broken up is written anew."""
    at = 0
    while at < len(words):
        place = places[start + at][0]
        token = tokens[place]
        begins = start + at == 0 or places[start + at - 1][0] != place
        if begins and at + len(token.words) <= len(words):
            yield token.gap or " ", token.source
            at += len(token.words)
        else:
            yield " ", protected(words[at], is_ascii=is_ascii)
            at += 1


def _other(
    tokens: Sequence[_Token], old: Sequence[tuple[int, str]], words: Sequence[str], *, is_ascii: bool
) -> Iterator[tuple[str, str]]:
    """Give words of the record; in place of as many, they take over white space and a capital at the beginning."""
    paired = len(old) == len(words)
    for at, word in enumerate(words):
        gap = (tokens[old[at][0]].gap or " ") if paired else " "
        raised = paired and old[at][1][:1].isupper() and word.islower()
        yield gap, protected(word[:1].upper() + word[1:] if raised else word, is_ascii=is_ascii)


def _folded(word: str) -> str:
    return key(word) or word


def _unwrapped(source: str) -> tuple[str, int]:
    """Take off braces around the whole title; give how many there were."""
    inner, wraps = source.strip(), 0
    while inner.startswith("{") and inner.endswith("}") and _closes(inner) == len(inner) - 1 and "\\" not in inner[:2]:
        inner, wraps = inner[1:-1].strip(), wraps + 1
    return inner, wraps


def _closes(text: str) -> int:
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            return place
    return -1


def _tokens(source: str) -> list[_Token]:
    tokens: list[_Token] = []
    depth, start, gap_start = 0, 0, 0
    for place, char in enumerate([*source, " "]):
        if char.isspace() and depth == 0:
            if place > start:
                piece = source[start:place]
                tokens.append(_Token(piece, source[gap_start:start], tuple(squash(to_text(piece)).split(" "))))
                gap_start = place
            start = place + 1
        depth = max(0, depth + (char == "{") - (char == "}"))
    return tokens
