"""Make hostile or invisible characters of foreign text visible before a person or a terminal sees it."""

from __future__ import annotations

import re

_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Control characters (terminal escapes begin with one), zero-width and direction-changing characters."""


def visible(text: str) -> str:
    r"""Give the text with hidden characters written out, and line ends and tabs as spaces.

    >>> visible("a\u202eb\x1b[31m")
    'a\\u202eb\\u001b[31m'
    """
    return _HIDDEN.sub(
        lambda match: f"\\u{ord(match[0]):04x}", text.replace("\r", " ").replace("\n", " ").replace("\t", " ")
    )


def shorten(text: str, width: int) -> str:
    """Give at most `width` characters of a text, the last one an ellipsis where something was cut.

    >>> shorten("Language models are few-shot learners", 20)
    'Language models are…'
    """
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"
