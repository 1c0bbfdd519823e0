"""Damage titles and names the way PDFs, typists and careless reference lists do; the same seed gives the same damage.

Rates, and why:

- `ocr`: one misread place in 18 characters, the rate at which the project's notes on altered citations measured title
  rules; letters that look alike, a ligature lost, an accent lost or set apart, a space lost.
- `hyphen`: a line of a two-column page holds about 40 characters, so one broken word in 40, one at least.
- `typo`: one slip in 40 characters, one at least: uncorrected typing errs in one to three of a hundred strokes.
- `truncation`: the subtitle is left out, or 15 to 50 % of the words at the end, or up to a third in the middle.
- `joined`: one lost space in six, one at least, as text taken out of a tightly set PDF has them.
- `word`: one content word changed (60 %) or two (40 %): replaced by one of another title, dropped, or moved.
- `heavy`: `ocr`, `hyphen` and `typo` together, each at its full rate.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Sequence

OCR_SPACING, HYPHEN_SPACING, TYPO_SPACING, SPACES_A_LOSS = 18, 40, 40, 6
"""Characters (spaces, of the last) a fault."""

CONFUSIONS: dict[str, tuple[str, ...]] = {
    "rn": ("m",),
    "m": ("rn",),
    "cl": ("d",),
    "d": ("cl",),
    "l": ("1", "I"),
    "I": ("l", "1"),
    "1": ("l",),
    "i": ("l", "j"),
    "O": ("0",),
    "0": ("O",),
    "o": ("c", "a"),
    "e": ("c", "o"),
    "c": ("e",),
    "a": ("o",),
    "h": ("b", "li"),
    "b": ("h",),
    "u": ("n", "ii"),
    "n": ("u", "ri"),
    "w": ("vv",),
    "v": ("y",),
    "t": ("f", "l"),
    "f": ("t",),
    "S": ("5",),
    "B": ("8",),
    "g": ("q",),
    "fi": ("", "f", "h"),
    "fl": ("", "f"),
    "ff": ("f", ""),
    " ": ("",),
}
"""What a reader of images makes of letters that look alike; a ligature is one glyph, and is often lost whole."""

NEIGHBOURS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
"""Rows of the keyboard."""

MIN_WORDS = {"truncation": 5, "word": 4, "joined": 2}
"""Words a title must have for a kind of damage to make sense."""

MIN_BROKEN = 6
"""Letters from which a word is broken at the end of a line."""

MIN_CONTENT = 4
"""Letters from which a word counts as one of content."""

Damage = Callable[[str, random.Random, Sequence[str]], str | None]
"""Takes a title, a source of chance, and words of other titles; `None` where the title cannot be damaged so."""


def ocr(text: str, chance: random.Random, _pool: Sequence[str] = ()) -> str | None:
    """Misread one place in 18 characters, one at least."""
    places = [(at, size) for at in range(len(text)) for size in (2, 1) if _misread(text[at : at + size], None)]
    if not places:
        return None
    chosen: dict[int, int] = {}
    for _ in range(max(1, round(len(text) / OCR_SPACING))):
        at, size = chance.choice(places)
        if not any(at < other + length and other < at + size for other, length in chosen.items()):
            chosen[at] = size
    for at in sorted(chosen, reverse=True):
        end = at + chosen[at]
        text = f"{text[:at]}{_misread(text[at:end], chance)}{text[end:]}"
    return text


def _misread(letters: str, chance: random.Random | None) -> str:
    """Give what is read in place of letters; without `chance`, something not empty where there is any such thing."""
    readings = CONFUSIONS.get(letters, ())
    if not readings and len(letters) == 1 and not letters.isascii():
        base, *marks = list(unicodedata.normalize("NFD", letters))
        if marks and base.isascii():
            readings = (base, "", f"\u00b4{base}", f"{base}\u00a8")  # lost, lost with its letter, set apart
    if chance is None:
        return "?" if readings else ""
    return chance.choice(readings)


def hyphen(text: str, chance: random.Random, _pool: Sequence[str] = ()) -> str | None:
    """Break words as at the end of a line: `exam-ple`, `exam- ple`, a soft hyphen, or the break alone."""
    words = text.split(" ")
    long = [at for at, word in enumerate(words) if len(word) >= MIN_BROKEN and word.isalpha()]
    if not long:
        return None
    for at in chance.sample(long, min(len(long), max(1, round(len(text) / HYPHEN_SPACING)))):
        cut = chance.randint(2, len(words[at]) - 3)
        mark = chance.choices(("- ", "-", "\u00ad", " "), (50, 35, 5, 10))[0]
        words[at] = f"{words[at][:cut]}{mark}{words[at][cut:]}"
    return " ".join(words)


def typo(text: str, chance: random.Random, _pool: Sequence[str] = ()) -> str | None:
    """Insert, delete, swap or hit a neighbouring key, once in 40 characters, once at least."""
    for _ in range(max(1, round(len(text) / TYPO_SPACING))):
        places = [at for at, letter in enumerate(text) if letter.isalpha() and _beside(letter)]
        if not places:
            return None
        at = chance.choice(places)
        wrong = chance.choice(_beside(text[at]))
        match chance.randrange(4):
            case 0:
                text = f"{text[:at]}{wrong}{text[at:]}"
            case 1:
                text = f"{text[:at]}{text[at + 1 :]}"
            case 2:
                text = f"{text[:at]}{text[at : at + 2][::-1]}{text[at + 2 :]}"
            case _:
                text = f"{text[:at]}{wrong}{text[at + 1 :]}"
    return text


def _beside(letter: str) -> str:
    for row in NEIGHBOURS:
        at = row.find(letter.lower())
        if at >= 0:
            near = row[max(0, at - 1) : at] + row[at + 1 : at + 2]
            return near.upper() if letter.isupper() else near
    return ""


def truncation(text: str, chance: random.Random, _pool: Sequence[str] = ()) -> str | None:
    """Leave out the subtitle, the end, or the middle."""
    words = text.split()
    if len(words) < MIN_WORDS["truncation"]:
        return None
    main = text.split(": ", maxsplit=1)[0]
    if main != text and len(main.split()) > 1 and chance.random() < 0.5:  # noqa: PLR2004
        return main
    if chance.random() < 0.6:  # noqa: PLR2004
        kept = max(3, round(len(words) * chance.uniform(0.5, 0.85)))
        return " ".join(words[:kept]) + chance.choice(("", "", "..."))
    gone = max(1, round(len(words) * chance.uniform(0.1, 0.34)))
    start = chance.randint(1, len(words) - gone - 1)
    return " ".join([*words[:start], "...", *words[start + gone :]])


def joined(text: str, chance: random.Random, _pool: Sequence[str] = ()) -> str | None:
    """Lose one space in six, one at least."""
    words = text.split()
    if len(words) < MIN_WORDS["joined"]:
        return None
    gaps = range(1, len(words))
    lost = set(chance.sample(gaps, max(1, round(len(gaps) / SPACES_A_LOSS))))
    return "".join(word if at in lost or not at else f" {word}" for at, word in enumerate(words))


def word(text: str, chance: random.Random, pool: Sequence[str]) -> str | None:
    """Replace, drop or move one or two content words.

    Args:
        text: The title.
        chance: Where choices come from.
        pool: Content words of other titles.
    """
    words = text.split()
    if len(words) < MIN_WORDS["word"]:
        return None
    for _ in range(1 + (len(words) > MIN_WORDS["word"] and chance.random() < 0.4)):  # noqa: PLR2004
        content = [at for at, one in enumerate(words) if len(one) >= MIN_CONTENT]
        if not content:
            return None
        at = chance.choice(content)
        match chance.choices(("replace", "drop", "move"), (50, 30, 20))[0]:
            case "replace":
                words[at] = chance.choice(pool)
            case "drop":
                del words[at]
            case _:
                moved = words.pop(at)
                words.insert(chance.randint(0, len(words)), moved)
    return " ".join(words)


def heavy(text: str, chance: random.Random, pool: Sequence[str]) -> str | None:
    """Misread, break and mistype, each at its full rate."""
    for damage in (typo, hyphen, ocr):
        text = damage(text, chance, pool) or text
    return text


KINDS: dict[str, Damage] = {
    "ocr": ocr,
    "hyphen": hyphen,
    "typo": typo,
    "truncation": truncation,
    "joined": joined,
    "word": word,
    "heavy": heavy,
}
"""Every kind by its name."""

NAME_KINDS: dict[str, tuple[tuple[Damage, int], ...]] = {
    "ocr": ((ocr, OCR_SPACING),),
    "typo": ((typo, TYPO_SPACING),),
    "heavy": ((typo, TYPO_SPACING), (hyphen, HYPHEN_SPACING), (ocr, OCR_SPACING)),
}
"""Kinds that do not stop at the title: its page was read, or typed, as badly where it names the authors.

With the characters a fault; most names are shorter than that, and stay whole.
"""

SLIP = 0.05
"""Share of surnames with a slip in the other kinds: an accent misread, or one typing fault."""


def names(families: Sequence[str], kind: str, chance: random.Random) -> tuple[str, ...]:
    """Give surnames as a reference of this kind prints them, at the rate of the kind."""
    return tuple(_name(family, kind, chance) for family in families)


def _name(family: str, kind: str, chance: random.Random) -> str:
    if kind not in NAME_KINDS:
        if chance.random() >= SLIP:
            return family
        return (typo(family, chance) if family.isascii() else ocr(family, chance)) or family
    for damage, spacing in NAME_KINDS[kind]:
        if chance.random() < len(family) / spacing:
            family = damage(family, chance, ()) or family
    return family
