"""Read the arguments of LaTeX commands: balanced braces and brackets, each in linear time."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_SPACE = re.compile(r"[ \t]{0,40}(?:\n[ \t]{0,40})?")
_SIGN = re.compile(r"\\.|[{}\[\]]", re.DOTALL)
_NAME = re.compile(r"[A-Za-z@]+")


class Argument(NamedTuple):
    """An argument: its source and the half-open span with its delimiters."""

    text: str
    start: int
    end: int


def skip(text: str, start: int) -> int:
    """Give the offset behind spaces and at most one line end."""
    match = _SPACE.match(text, start)
    return match.end() if match else start


@lru_cache(maxsize=64)
def pairs(text: str) -> dict[int, int]:
    """Give the offset of the closing sign for each closed `{` and `[`, in one pass over the text.

    A brace closes the brackets that stay open inside it; brackets that do not match are text.
    """
    closing: dict[int, int] = {}
    opened: list[int] = []
    braces = 0
    for match in _SIGN.finditer(text):
        sign, place = match.group(), match.start()
        if sign in "{[":
            opened.append(place)
            braces += sign == "{"
        elif sign == "]":
            if opened and text[opened[-1]] == "[":
                closing[opened.pop()] = place
        elif sign == "}" and braces:
            while text[opened[-1]] == "[":
                opened.pop()
            closing[opened.pop()] = place
            braces -= 1
    return closing


def _enclosed(text: str, start: int, opening: str) -> Argument | None:
    start = skip(text, start)
    if start >= len(text) or text[start] != opening:
        return None
    end = pairs(text).get(start)
    return Argument(text[start + 1 : end], start, end + 1) if end is not None else None


def braced(text: str, start: int) -> Argument | None:
    """Read `{…}` at an offset, spaces before it allowed; `None` where there is none or it is not closed."""
    return _enclosed(text, start, "{")


def bracketed(text: str, start: int) -> Argument | None:
    """Read `[…]` at an offset, spaces before it allowed; brackets inside braces are text."""
    return _enclosed(text, start, "[")


def taken(text: str, start: int) -> Argument | None:
    r"""Read what TeX takes as an argument: `{…}`, one command, or one character."""
    found = braced(text, start)
    if found is not None:
        return found
    start = skip(text, start)
    if start >= len(text) or text[start] in "{}":
        return None
    end = start + 1
    if text[start] == "\\":
        name = _NAME.match(text, start + 1)
        end = name.end() if name else min(len(text), start + 2)
    return Argument(text[start:end], start, end)
