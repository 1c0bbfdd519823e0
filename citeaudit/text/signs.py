"""Compare the signs of two titles that have the same letters: `<` and `>`, `Na+` and `Na-`, `1.5` and `15`.

Folding drops them, as it must, since exports and typesetting lose them. A sign that is lost says nothing; another sign
in its place, or digits that have closed up over a decimal point, say something else.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from citeaudit.text.normalize import fold
from citeaudit.text.titlewords import spelt, title_letters

MOST_SHOWN = 40
"""Characters of a title's words that are shown around a sign."""
THOUSAND = 3
"""Digits of a group that a comma, a point or a space parts from what stands before."""
_TOKEN = re.compile(r"[^\W_]+")
_ARROW = re.compile(r"<?(?:[-=–—−]+>|<[-=–—−]{2,})|[→⇒↦]")
_WRITTEN = (("<=", "≤"), (">=", "≥"), ("!=", "≠"), ("==", "="), ("+/-", "±"), ("+-", "±"), ("⩽", "≤"), ("⩾", "≥"))
_MINUS = str.maketrans(dict.fromkeys("‐‑‒–—−﹣－", "-") | {"＋": "+", "♯": "#", "⁄": "/", "∕": "/", "·": ".", "⋅": "."})
_RELATION = re.compile(r"[<>=≠≤≥≈≡∼]")
_CHARGE = re.compile(r"[\^({\[]{0,3}(?P<sign>\+{1,3}|-{1,3}|#|\*)[)}\]]{0,3}(?P<rest>.*)", re.DOTALL)
_UNARY = re.compile(r"(?:.*[\s(\[{,/^=<>≤≥])?(?P<sign>[-+±])", re.DOTALL)


class Sign(IntEnum):
    """How the signs of two titles of the same letters stand to each other, from best to worst."""

    SAME = 0
    """The same signs, or none that matter."""
    LOST = 1
    """One title has signs that the other does not have in their places."""
    JOINED = 2
    """Digits stand together that a decimal point or a stroke parts in the other: `15` and `1.5`."""
    OTHER = 3
    """Another sign stands in place of one."""


class Signs(NamedTuple):
    """What tells the signs of two titles apart."""

    sign: Sign
    differences: tuple[str, ...] = ()
    """`1.5 -> 15`, in the order of the title; of the worst kind only."""


class _Gap(NamedTuple):
    """What stands between two runs of letters and digits."""

    text: str
    before: str
    after: str


def compare_signs(claimed: str, found: str) -> Signs:
    """Tell how the signs of two titles differ that have the same letters and digits; SAME for any others.

    >>> compare_signs("A 1.5-approximation", "A 15-approximation").differences
    ('1.5 -> 15',)
    >>> compare_signs("Growth of H+ ions", "Growth of H- ions").sign.name, compare_signs("On C++", "On C").sign.name
    ('OTHER', 'LOST')
    """
    if claimed == found:
        return Signs(Sign.SAME)
    if title_letters(claimed) != title_letters(found):  # most titles; what stands in their gaps is not looked for
        return Signs(Sign.SAME)
    (letters, left), (others, right) = _gaps(claimed), _gaps(found)
    if not letters or letters != others:
        return Signs(Sign.SAME)
    seen = [(_judge(letters, place, left, right), place) for place in sorted({*left, *right})]
    worst = max((sign for sign, _ in seen), default=Sign.SAME)
    if worst is Sign.SAME:
        return Signs(worst)
    shown = (f"{_shown(place, left)} -> {_shown(place, right)}" for sign, place in seen if sign is worst)
    return Signs(worst, tuple(shown))


@lru_cache(maxsize=16_384)
def _gaps(title: str) -> tuple[str, dict[int, _Gap]]:
    """Give the folded letters of a title, and what stands in its gaps, by the letters before; none where these vary."""
    text = spelt(title)
    whole = title_letters(title)
    gaps: dict[int, _Gap] = {}
    place, end, before = 0, 0, ""
    for token in [*_TOKEN.finditer(text), None]:
        start, after = (len(text), "") if token is None else (token.start(), token.group())
        gap = text[end:start]
        place += len(fold(gap).replace(" ", ""))
        if gap or token is None or not end:
            gaps[place] = _Gap(_tidy(gap), before, after)
        if token is not None:
            place, end, before = place + len(fold(after)), token.end(), after
    return (whole, gaps) if place == len(whole) else ("", {})


def _tidy(gap: str) -> str:
    text = _ARROW.sub(" ", gap.translate(_MINUS))
    for written, sign in _WRITTEN:
        text = text.replace(written, sign)
    return text


def _judge(letters: str, place: int, left: dict[int, _Gap], right: dict[int, _Gap]) -> Sign:
    one, two = left.get(place), right.get(place)
    digits = letters[place - 1 : place].isdigit() and letters[place : place + 1].isdigit()
    kinds = [_numbers(one, two, letters[place:])] if digits else []
    kinds += [_pair(_relation(one), _relation(two))]
    kinds += [_pair(*pair) for pair in (_charges(one, two), (_unary(one), _unary(two)))]
    return max(kinds)


def _pair(one: str, two: str) -> Sign:
    if one == two:
        return Sign.SAME
    return Sign.OTHER if one and two else Sign.LOST


def _numbers(one: _Gap | None, two: _Gap | None, rest: str) -> Sign:
    """Compare what parts two digits: nothing, a decimal point, a stroke; anything else may stand for any of them."""
    marks = {_mark(one), _mark(two)}
    if marks == {".", "/"}:
        return Sign.OTHER
    if "" not in marks or marks.isdisjoint({".", ",", "/"}):
        return Sign.SAME
    group = re.match(r"\d+", rest)
    thousands = group is not None and len(group.group()) % THOUSAND == 0 and "/" not in marks
    return Sign.SAME if thousands else Sign.JOINED


def _mark(gap: _Gap | None) -> str:
    """Give the one sign between two digits, a space for any other; empty where they stand together."""
    if gap is None:
        return ""
    text = gap.text.strip()
    return "/" if text == ":" else text if text in (".", ",", "/") else " "


def _relation(gap: _Gap | None) -> str:
    return "" if gap is None else "".join(_RELATION.findall(gap.text))


def _charges(one: _Gap | None, two: _Gap | None) -> tuple[str, str]:
    """Give the signs that end the word before on either side; a hyphen is one only where the other has a plus."""
    first, second = _charge(one), _charge(two)
    if "-" in (first, second) and "+" not in (first, second):
        return "", ""
    if "*" in (first, second) and not (first and second):  # a mark of a note
        return "", ""
    return first, second


def _charge(gap: _Gap | None) -> str:
    match = None if gap is None else _CHARGE.match(gap.text)
    if gap is None or match is None or not gap.before:
        return ""
    infix = not match["rest"] and gap.after
    return "" if infix else match["sign"]


def _unary(gap: _Gap | None) -> str:
    if gap is None or not gap.after[:1].isdigit():
        return ""
    match = _UNARY.fullmatch(gap.text)
    hyphen = match is None or (len(gap.text) == 1 and gap.before)
    return "" if match is None or hyphen else match["sign"]


def _shown(place: int, gaps: dict[int, _Gap]) -> str:
    """Give the words around a place as the title has them."""
    gap = gaps.get(place)
    if gap is None:
        return gaps[max(start for start in gaps if start < place)].after[:MOST_SHOWN]
    joined = f"{gap.before[-MOST_SHOWN:]}{gap.text}{gap.after[:MOST_SHOWN]}"
    charge = _charge(gap)
    if charge and gap.after and not gap.text.strip(" ^(){}[]").removeprefix(charge):
        return f"{gap.before[-MOST_SHOWN:]}{gap.text.rstrip()}"
    return joined.strip()
