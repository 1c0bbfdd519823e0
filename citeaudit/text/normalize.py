"""Fold text to what a comparison may rely on.

The folding is versioned: an index stores the version it was built with and refuses another
(`citeaudit.index.asking.engine`).
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from anyascii import anyascii

NORMALISER_VERSION = 1
"""Raised whenever `fold`, `words` or `key` changes for any input."""

MAX_TITLE = 1_000
"""Characters of a title that are looked at; longer ones are cut (hostile input)."""

_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_APOSTROPHE = re.compile(r"['’‘`´ʼ]")
_NOT_WORD = re.compile(r"[^a-z0-9]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


PLAIN = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else 32 for code in range(256))  # noqa: PLR2004
"""What each byte of plain ASCII is folded to: letters and digits in small, all else a space."""
DROPPED = b"'`\x7f" + bytes(code for code in range(32) if chr(code) not in "\t\n\r")
"""Bytes that leave no space behind."""


def squash(text: str) -> str:
    r"""Give the text with every run of white space as one space, none at the ends.

    >>> squash("  An\n   example ")
    'An example'
    """
    return " ".join(text.split())


def plain(text: str) -> str:
    """Give readable text: entities resolved, markup and invisible characters dropped, NFKC, squashed.

    Services send `&amp;amp;`, `<i>`, `<mml:math>` and line breaks inside titles (Crossref, DBLP, PubMed).

    >>> plain("The <i>de  novo</i> &amp;amp; the rest")
    'The de novo & the rest'
    """
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" in text:
        text = _TAG.sub("", text)
    if text.isascii() and text.isprintable():  # of white space, there may be only spaces
        return text.strip() if "  " not in text else squash(text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return squash(_CONTROL.sub("", text))


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """Give lower-case ASCII words with single spaces; marks, apostrophes and punctuation are gone.

    Idempotent.

    >>> fold("Müßig’s “Don’t” – naïve_Bayes")
    'mussigs dont naive bayes'
    """
    if text.isascii() and "&" not in text and "<" not in text:
        return " ".join(text.encode().translate(PLAIN, DROPPED).decode().split())
    text = _APOSTROPHE.sub("", plain(text))
    if not text.isascii():
        text = _APOSTROPHE.sub("", anyascii(text))
    return _NOT_WORD.sub(" ", text.lower()).strip()


def words(text: str) -> tuple[str, ...]:
    """Give the folded words of a text in their order."""
    return tuple(fold(text).split())


def key(text: str) -> str:
    """Give one string that hyphen breaks, spacing, case and marks cannot change.

    >>> key("State-of-the-art  Methods") == key("state of the art methods")
    True
    """
    return fold(text[:MAX_TITLE]).replace(" ", "")
