"""Say how likely a reading of a printed reference is right.

The score is the probability that title, first author and year are right or left empty: a logistic regression over
`signs`, fitted by `benchmarks/calibrate_score.py` on strings that the labeller never saw, and bounds for what the
labelled strings hold too little of: text that is no reference, scripts other than Latin.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from citeaudit.extract.fields.authors import NameStyle
from citeaudit.extract.fields.rules import is_absurd
from citeaudit.extract.fields.signs import Reading, signs
from citeaudit.extract.fields.words import is_venue_word
from citeaudit.model.reference import Identifiers

BEST = 0.99
"""The most a reading is worth; 1 is kept for typed fields."""
ALONE = 0.95
"""What an identifier is worth with nothing else: it cannot be misread."""
ABSURD = 0.5
"""The most that a reading is worth whose title is a place, an author or the start of an author list."""
FOREIGN = 0.8
"""The most for scripts of which there are few labelled strings, unless marks settle the title."""
UNTITLED_FOREIGN = 0.5
NOWHERE = 0.3
"""The most for a title with neither people, year nor identifier, and for one of few letters or of too many."""
NOBODY = 0.65
"""The most for a volume of a journal without people."""
PLACELESS = 0.45
"""The most for people and a year or identifier, with neither title nor volume."""
NOTHING = 0.2

_FOREIGN = re.compile(r"[\u0370-\u1fff\u2c00-\u2dff\u3040-\u30ff\u3400-\u9fff\ua640-\ua69f\uac00-\ud7af]")
_LONGEST, _LONGEST_WORDS, _LONGEST_WORD = 400, 45, 60
_LETTERS = re.compile(r"[^\W\d_]")
_LEAST_LETTERS = 3


@cache
def weights() -> Mapping[bool, Mapping[str, float]]:
    """Give the weight of each sign, for readings with a title (`True`) and without."""
    lines = files(__package__).joinpath("weights.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {titled: {row[0]: float(row[1 if titled else 2]) for row in rows} for titled in (True, False)}


def weigh(found: Iterable[str], table: Mapping[str, float]) -> float:
    """Give the probability that the signs of a reading speak for."""
    return 1 / (1 + math.exp(-table["bias"] - sum(table.get(name, 0.0) for name in found)))


def score(reading: Reading, identifiers: Identifiers) -> float:
    """Give the probability that title, first author and year are right or empty, 0 to `BEST`."""
    known = bool(identifiers.pairs())
    if not reading.text.strip():
        return ALONE if known else 0.0
    value = weigh(signs(reading, identifiers), weights()[reading.title is not None])
    most = _most_untitled(reading, known=known) if reading.title is None else _most(reading, reading.title, known=known)
    return round(min(value, most, BEST), 3)


def _most_untitled(reading: Reading, *, known: bool) -> float:
    venue = reading.venue
    located = venue.container is not None and venue.volume is not None
    people = bool(reading.people) and reading.span.style not in {NameStyle.GROUP, NameStyle.LISTED, NameStyle.NONE}
    if _FOREIGN.search(reading.text):
        return UNTITLED_FOREIGN if located or known else NOTHING
    if located:
        return BEST if people or known else NOBODY
    if people or known:
        return PLACELESS if reading.date.year is not None or known else NOWHERE
    return NOTHING


def _most(reading: Reading, title: str, *, known: bool) -> float:
    if not title_like(title):
        return NOWHERE
    if not reading.people and reading.date.year is None and not known:
        return NOWHERE
    if is_absurd(title, reading.people, reading.text):
        return ABSURD
    unsure = reading.rule == "labels" and _FOREIGN.search(title) is not None
    return FOREIGN if unsure else BEST


def title_like(title: str) -> bool:
    """Whether a text has the letters and the length of a title, and is not a venue."""
    tokens = title.split()
    letters = len(_LETTERS.findall(title))
    venue = sum(map(is_venue_word, tokens))
    return (
        0 < len(tokens) <= _LONGEST_WORDS
        and len(title) <= _LONGEST
        and max(map(len, tokens)) <= _LONGEST_WORD
        and letters >= (1 if _FOREIGN.search(title) else max(_LEAST_LETTERS, len(title) // 3))
        and not (venue > 1 and venue == len(tokens))
    )
