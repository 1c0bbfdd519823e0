"""From PyMuPDF's spans to ours, inside the worker process: joined, composed, and marked where no reader sees them.

Nothing but the standard library is imported. Spans are rows of text, x0, y0, x1, y1, size and face: the fields
of `citeaudit.pdf.content.Span`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

SAME_SIZE = 0.2
"""Points by which the size may differ inside one span; some PDFs scale every word."""
ASCENT, DESCENT = 0.76, 0.24
"""How far letters reach above and below the base line, in font sizes."""
TINY = 2.0
"""Points below which text is too small to be read; hidden instructions are set so."""
WHITE = 0xF4
"""Least share of red, green and blue of text that is as good as white."""
SUPERSCRIPT, ITALIC, BOLD, HIDDEN = 1, 2, 4, 8
"""Bits of `citeaudit.pdf.content.Face`."""
PALE = 16
LAYER = 32
"""White or nearly so: whether it is hidden depends on what lies under it; never leaves the worker process."""
_FLAG_SUPERSCRIPT, _FLAG_ITALIC, _FLAG_BOLD = 1, 2, 16
"""Bits of a PyMuPDF span (TEXT_FONT_SUPERSCRIPT, TEXT_FONT_ITALIC, TEXT_FONT_BOLD)."""
_ITALIC_NAME = re.compile(r"Ital|Obliq|Slant|Kursiv|-It\b|CMTI|CMSL|CMBXTI|SFTI|SFSL|LMRomanSlant")
_BOLD_NAME = re.compile(r"Bold|Black|Heavy|Demi|-Bd\b|CMBX|SFBX")
_ACCENTS = {
    "\u00b4": "\u0301",
    "\u02ca": "\u0301",
    "\u0060": "\u0300",
    "\u02cb": "\u0300",
    "\u00a8": "\u0308",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u00af": "\u0304",
    "\u02c9": "\u0304",
    "\u00b8": "\u0327",
    "\u02db": "\u0328",
}
"""Accents that stand beside their letter, and those that stand on it."""
ACCENTS = "".join(mark for mark in _ACCENTS if mark != "\u0060")
_ANY = re.compile(f"[{re.escape(ACCENTS)}]")
_PLAIN_LETTERS = {
    "\u0301": "aeiouy",
    "\u0300": "aeiou",
    "\u0308": "aeiouy",
    "\u0302": "aeiou",
    "\u0303": "nao",
    "\u030c": "cdenrstzl",
    "\u0306": "agu",
    "\u0307": "zgec",
    "\u030a": "au",
    "\u030b": "ou",
    "\u0304": "aeiou",
    "\u0327": "cst",
    "\u0328": "ae",
}
"""Letters on which each accent is common; between two letters that could bear it, these go first."""
_GRAVE = re.compile(r"(?<=[^\W\d_])`([aeiouAEIOU])")
"""TeX draws a grave accent as the opening quotation mark; between letters it is none."""
_APART = re.compile(r"\s+(?=[\u0300-\u0338])")
_ALIKE = {"\u0306": "\u030c"}
"""A breve over a letter that has none was meant as a caron: fonts confuse the two."""
_DOTLESS = {"\u0131": "i", "\u0237": "j"}


@lru_cache(maxsize=4096)
def face_of(flags: int, font: str, color: int = 0, alpha: int = 255) -> int:
    """Give the face of a span; names tell what the flags of old fonts leave out."""
    face = SUPERSCRIPT if flags & _FLAG_SUPERSCRIPT else 0
    if flags & _FLAG_ITALIC or _ITALIC_NAME.search(font):
        face |= ITALIC
    if flags & _FLAG_BOLD or _BOLD_NAME.search(font):
        face |= BOLD
    if alpha == 0:
        return face | HIDDEN
    return face | PALE if is_pale(color) else face


def is_pale(color: int) -> bool:
    """Whether an sRGB integer is white or nearly so."""
    return min(color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF) >= WHITE


def composed(text: str) -> str:
    """Set accents on their letters.

    >>> composed("Bure\u02d8s and M\u00a8uller, fran\u00b8cais, o`u")
    'Bureš and Müller, français, où'
    >>> composed("Vezirog\u02d8lu, Vrac\u02c7ar, Guzma\u00b4n, Sm\u00b4\u0131d")
    'Veziroğlu, Vračar, Guzmán, Smíd'
    """
    if "`" in text:
        text = _GRAVE.sub(lambda match: unicodedata.normalize("NFC", f"{match[1]}\u0300"), text)
    if text.isascii():
        return text
    if _ANY.search(text):
        text = _gathered(text)
    text = _APART.sub("", text)
    return unicodedata.normalize("NFC", text)


def _gathered(text: str) -> str:
    """Set accents that stand beside a letter on it: TeX draws them before their letter, others behind it."""
    made = ""
    at = 0
    while at < len(text):
        char = text[at]
        accent = _ACCENTS.get(char) if char in ACCENTS else None
        if accent is None:
            made += char
            at += 1
            continue
        before, after = made[-1:], text[at + 1 : at + 2]
        common = _PLAIN_LETTERS[accent]
        behind = _compose(after, accent) if after.isalpha() else None
        onto = _compose(before, accent) if before.isalpha() else None
        plain = _DOTLESS.get(after, after).lower() in common
        if behind and (plain or not onto or before.lower() not in common):
            made += behind
            at += 2
        elif onto and (before.lower() in common or not after.isalpha()):
            made = made[:-1] + onto
            at += 1
        else:
            made += char
            at += 1
    return made


def _compose(letter: str, accent: str) -> str | None:
    letter = _DOTLESS.get(letter, letter)
    for mark in (accent, _ALIKE.get(accent)):
        one = unicodedata.normalize("NFC", letter + mark) if mark else ""
        if len(one) == 1:
            return one
    return None


def merge(spans: Sequence[dict[str, Any]], *, level: bool = False) -> list[list[Any]]:
    """Join neighbouring spans of one face and size; many PDFs make a span of every word and every space.

    Args:
        spans: Of one line, as PyMuPDF gives them, in drawing order.
        level: The line is level; its height is then taken from base line and size, because what PyMuPDF takes from
            the font differs by its version.

    Returns:
        Rows of text, x0, y0, x1, y1, size and face; accents that stood apart are part of their word.
    """
    merged: list[list[Any]] = []
    last: list[Any] | None = None
    accent = ""
    for span in spans:
        text = span["text"]
        if last is not None and text.isspace():
            last[0] += accent + text
            last[3], accent = max(last[3], span["bbox"][2]), ""
            continue
        if text in ACCENTS:  # also where it is empty
            accent += text
            continue
        x0, y0, x1, y1 = span["bbox"]
        size = span["size"]
        face = face_of(span["flags"], span.get("font", ""), span.get("color", 0), span.get("alpha", 255))
        if size < TINY and y1 - y0 < TINY:
            face |= HIDDEN
        if level:
            base = span["origin"][1]
            y0, y1 = base - ASCENT * size, base + DESCENT * size
        if last is not None and last[6] == face and -SAME_SIZE < last[5] - size < SAME_SIZE:
            last[0] += accent + text
            last[2], last[3], last[4] = min(last[2], y0), max(last[3], x1), max(last[4], y1)
        else:
            last = [accent + text, x0, y0, x1, y1, size, face]
            merged.append(last)
        accent = ""
    if accent and last is None:
        last = [accent, *spans[-1]["bbox"], spans[-1]["size"], 0]
        merged.append(last)
    elif accent and last is not None:
        last[0] += accent
    return [_finished(row) for row in merged]


def _finished(row: list[Any]) -> list[Any]:
    text, x0, y0, x1, y1, size, face = row
    if not text.isascii() or "`" in text:
        text = composed(text)
    # Ten times a number in single precision is exact, so that this is `round(x, 1)` at a third of its price; heights
    # are worked out in double precision.
    return [text, round(x0 * 10) / 10, round(y0, 1), round(x1 * 10) / 10, round(y1, 1), round(size * 10) / 10, face]


LONG_WORD = 24
"""Letters in a row from which a line may have lost its spaces; German compounds are mostly shorter."""
LOST_SHARE = 0.06
"""Share of the lines of a page that must look so."""
LOST_LINES = 3
"""The same, lines; a few names may be written in one word."""
MIN_GAP = 0.12
"""Gap between glyphs, in font sizes, that may be a space; letters stand apart by up to 0.03, kerned by 0.11."""
MIN_JUMP = 0.05
"""Difference between the widest gap inside words and the narrowest between them."""
MAX_KERN = 0.5
"""Overlap of two glyphs, in font sizes, beyond which they do not follow one another."""
_CLOSING, _OPENING = frozenset(".,;:)]”’"), frozenset("([“‘")
_CAPITAL_INSIDE = re.compile(r"[A-Z](?<=[a-z]{2}[A-Z])[a-z]{2}")
_GLUED = re.compile(rf"[^\W\d_]{{{LONG_WORD},}}|[a-z]{{2}}[A-Z][a-z]{{2}}")


def lost_spaces(lines: Sequence[Sequence[Sequence[Any]]]) -> bool:
    """Whether a page looks as if spaces had been lost: very long words, or capitals inside of words.

    MuPDF takes gaps below 0.15 font sizes for none; tight italics are set with 0.147. `lines` are merged spans.
    """
    text = "\n".join([row[0] for line in lines for row in line])
    found = len(_CAPITAL_INSIDE.findall(text))
    if found < LOST_LINES:
        found += sum([_GLUED.search(word) is not None for word in text.split() if len(word) >= LONG_WORD])
    if found < LOST_LINES:  # most pages end here
        return False
    suspicious = sum(any(_GLUED.search(row[0]) for row in line) for line in lines)
    return suspicious >= LOST_LINES and suspicious > LOST_SHARE * len(lines)


def respace(lines: Sequence[Sequence[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """Rebuild the spaces of a page from the gaps between its glyphs.

    Args:
        lines: Spans by line, with `chars`, as `extractRAWDICT` gives them.

    Returns:
        The spans with `text`, as `merge` takes them; where gaps say nothing, the text is as it was.
    """
    gaps = [_gaps(spans) for spans in lines]
    usual = _threshold([gap for found in gaps for gap in found])
    return [
        _spaced(spans, found, _threshold(found) if len(found) >= LONG_WORD else usual)
        for spans, found in zip(lines, gaps, strict=True)
    ]


def _gaps(spans: Sequence[dict[str, Any]]) -> list[float]:
    """Give the gap before each glyph but the first, in font sizes."""
    chars = [(char["bbox"][0], char["bbox"][2], span["size"]) for span in spans for char in span["chars"]]
    return [(after[0] - before[1]) / max(before[2], 1.0) for before, after in pairwise(chars)]


def _spaced(spans: Sequence[dict[str, Any]], gaps: Sequence[float], threshold: float) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    at, size = -1, 0.0
    before = " "
    for span in spans:
        text = ""
        # Beside sub- and superscripts, and where italics end at a bracket, there are gaps of their own.
        alike = abs(span["size"] - size) < SAME_SIZE
        size = span["size"]
        for char in span["chars"]:
            own = char["c"]
            joint = (before.isalnum() or before in _CLOSING) and (own.isalpha() or own in _OPENING)
            if at >= 0 and joint and gaps[at] > threshold and (text or (alike and own not in _OPENING)):
                text += " "
            text += own
            before = own
            at += 1
        made.append({**span, "text": text})
    return made


def _threshold(gaps: Sequence[float]) -> float:
    """Give the gap from which a space stands: the middle of the widest jump between small and large gaps."""
    known = sorted(gap for gap in gaps if -MAX_KERN < gap < 1.0)
    if not known:
        return float("inf")
    usual = known[len(known) // 2]
    best, jump = float("inf"), MIN_JUMP
    for low, high in pairwise(known):
        if high - usual >= MIN_GAP and high - low > jump:
            best, jump = (low + high) / 2, high - low
    return best
