r"""Write plain text as LaTeX that BibTeX reads back the same."""

from __future__ import annotations

import re
import unicodedata

from citeaudit.text.latex import to_text
from citeaudit.text.normalize import squash

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    '"': '{"}',  # a bare one would end a value in quotes
}
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u ", "\u0307": ".",
    "\u0308": '"', "\u030a": "r ", "\u030b": "H ", "\u030c": "v ", "\u0327": "c ", "\u0328": "k ", "\u0323": "d ",
}  # fmt: skip
_LETTERS = {
    "ß": r"{\ss}", "ø": r"{\o}", "Ø": r"{\O}", "æ": r"{\ae}", "Æ": r"{\AE}", "œ": r"{\oe}", "Œ": r"{\OE}",
    "ł": r"{\l}", "Ł": r"{\L}", "å": r"{\aa}", "Å": r"{\AA}", "ı": r"{\i}",
    "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "‐": "-", "‑": "-", "−": "-", "\u00a0": " ",
    "…": "...",
}  # fmt: skip
_ESCAPED = re.compile(r'[\\{}$&#%_~^"]')
_PROTECTED = re.compile(r"\w[A-Z]|[A-Z]$")
_LETTER = re.compile(r"[^\W\d_]")


def written(text: str, *, is_ascii: bool) -> str:
    r"""Give text as LaTeX source on one line.

    Args:
        text: Plain text.
        is_ascii: Whether letters with marks are written as macros; what has none stays as it is.

    >>> written("Müller & Søn", is_ascii=True), written("Müller", is_ascii=False)
    ('M{\\"u}ller \\& S{\\o}n', 'Müller')
    """
    escaped = _ESCAPED.sub(lambda match: _SPECIAL[match.group()], squash(unicodedata.normalize("NFC", text)))
    if not is_ascii or escaped.isascii():
        return escaped
    told = "".join(char if char.isascii() else _plain(char) for char in escaped)
    return told if squash(to_text(told)) == squash(to_text(escaped)) or told.isascii() else escaped


def _plain(char: str) -> str:
    if char in _LETTERS:
        return _LETTERS[char]
    parts = unicodedata.normalize("NFD", char)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:  # noqa: PLR2004 - a letter and its mark
        accent = _ACCENTS[parts[1]]
        letter = rf"\{parts[0]}" if parts[0] in "ij" and accent not in ("c ", "k ", "d ") else parts[0]
        return rf"{{\{accent}{letter}}}"
    return char


def protected(word: str, *, is_ascii: bool) -> str:
    """Give a word of a title, in braces where it has a capital that a style must not lower.

    >>> protected("DNA", is_ascii=True), protected("Deep", is_ascii=True)
    ('{DNA}', 'Deep')
    """
    told = written(word, is_ascii=is_ascii)
    letters = "".join(_LETTER.findall(word))
    return f"{{{told}}}" if len(letters) > 1 and _PROTECTED.search(letters) else told
