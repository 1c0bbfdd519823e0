"""Give private-use characters their meaning: by published assignments, else by the words they stand in.

Fonts without a map to Unicode leave ligatures at private places (`con\ue104icts`). Runs in the worker process;
nothing but the standard library is imported.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

PRIVATE = re.compile("[\ue000-\uf8ff\ufffd\U000f0000-\U000ffffd]")
UNNAMED = re.compile("[\U000f0000-\U000ffffd]")
"""What `Unnamed` puts in the place of the replacement character."""
UNKNOWN = "\ufffd"
"""What stands in the text where a font says nothing at all about a glyph."""
FIRST_UNNAMED, LAST_UNNAMED = 0xF0000, 0xFFFFD
IN_WORD = re.compile(f"[^\\W\\d_]{UNKNOWN}|{UNKNOWN}[^\\W\\d_]")
"""Where it hides a letter, not a sign."""
MIXED = 0.2
"""Share of the words that another reading of it may explain."""
MAX_WORDS = 20_000
"""Words with private characters that are weighed."""
_WORD = re.compile("[^\\W\\d_\ue000-\uf8ff]*(?:[\ue000-\uf8ff\ufffd\U000f0000-\U000ffffd][^\\W\\d_\ue000-\uf8ff]*)+")


@cache
def table() -> tuple[dict[str, str], dict[str, frozenset[str]]]:
    """Read `glyphs.tsv`: the known characters, and for each ligature the stems that contain it."""
    known: dict[str, str] = {}
    stems: dict[str, frozenset[str]] = {}
    for row in Path(__file__).with_name("glyphs.tsv").read_text("utf-8").splitlines():
        if not row or row.startswith("#"):
            continue
        kind, key, value = row.split("\t")
        if kind == "char":
            known[chr(int(key, 16))] = value
        else:
            stems[key] = frozenset(value.split())
    return known, stems


def meanings(words: Iterable[str]) -> dict[str, str]:
    """Give what the private characters of a document stand for.

    Args:
        words: Texts in which they occur.

    Returns:
        Character to letters; those that no word explains are left out.

    >>> meanings(["con\ue104icts", "the in\ue104uence"])
    {'\ue104': 'fl'}
    """
    known, stems = table()
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    found: dict[str, str] = {}
    for count, match in enumerate(match for text in words for match in _WORD.finditer(text)):
        if count >= MAX_WORDS:
            break
        word = match.group()
        inside = set(PRIVATE.findall(word))
        for char in inside:
            if char in known:
                found[char] = known[char]
        if len(inside) == 1 and not inside & found.keys():
            (char,) = inside
            for ligature, parts in stems.items():
                whole = word.replace(char, ligature).lower()
                if any(part in f"^{whole}" for part in parts if ligature.lower() in part):
                    votes[char][ligature] += 1
    for char, counted in votes.items():
        (best, most), *others = counted.most_common(2)
        # The replacement character may stand for several ligatures: then nothing can be said.
        limit = most * MIXED if char == UNKNOWN else most
        if not others or others[0][1] < limit:
            found.setdefault(char, best)
    return found


def replace(text: str, meaning: Mapping[str, str]) -> str:
    """Put letters in the place of the private characters that are known."""
    return _WORD.sub(lambda match: _replaced(match.group(), meaning), text)


def _replaced(word: str, meaning: Mapping[str, str]) -> str:
    letters = len(word) > len(PRIVATE.findall(word))
    return "".join(meaning.get(char, char) if letters or char != UNKNOWN else char for char in word)


class Unnamed:
    """Tells glyphs apart of which a font says nothing at all, by font and number of the glyph.

    A document has one; the characters it gives are private ones beyond U+F0000.
    """

    def __init__(self) -> None:
        """Know none yet."""
        self._seen: dict[tuple[str, str], str] = {}

    def tell(self, text: str, numbered: str, font: str) -> str:
        """Give a text with such glyphs told apart.

        Args:
            text: As read, with the replacement character for them.
            numbered: The same with the number of the glyph as character.
            font: Its name.
        """
        if len(text) != len(numbered):
            return text
        pairs = zip(text, numbered, strict=True)
        return "".join(self._char(font, number) if char == UNKNOWN else char for char, number in pairs)

    def _char(self, font: str, number: str) -> str:
        return self._seen.setdefault((font, number), chr(min(FIRST_UNNAMED + len(self._seen), LAST_UNNAMED)))
