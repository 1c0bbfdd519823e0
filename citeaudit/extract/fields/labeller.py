"""Label the words of a printed reference: who, what, where, when.

A linear-chain conditional random field (Lafferty, McCallum, Pereira 2001), fitted by `benchmarks/train_labels.py`
on permissively licensed strings; see docs/models/reference-labels.md. The weights of a feature for all labels are
lanes of one whole number, so that a word's evidence is a plain sum and needs no array library.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from operator import add
from typing import NamedTuple

from citeaudit.extract.fields.places import Group, names, places
from citeaudit.extract.fields.tokens import Frame, Token, form, kind, own, own_beside, tokens


class Label(StrEnum):
    """What a word is; small letters stand before the title, or where there is none."""

    AUTHOR = "A"
    YEAR = "Y"
    OTHER = "O"
    TITLE = "T0"
    """The first word of the title; there is at most one."""
    MORE_TITLE = "T"
    VENUE = "V0"
    """The first word of the container or publisher."""
    MORE_VENUE = "V"
    LATER_YEAR = "y"
    LATER_OTHER = "p"
    LATER_AUTHOR = "B"


LABELS = tuple(Label)
TITLED = frozenset({Label.TITLE, Label.MORE_TITLE})
SCALE = 64
"""Steps of one unit of weight."""
LANE = 16
"""Bits of one label's sum."""
SIDES = (-2, -1, 1, 2)
_SIDED = tuple(f"{side}:" for side in SIDES)
_MIDDLE = 1 << (LANE - 1)
_BIAS = sum(_MIDDLE << (LANE * place) for place in range(len(LABELS)))
_ALL = struct.Struct(f"<{len(LABELS)}H")
_WIDTH = LANE // 8 * len(LABELS) + 1
_FORBIDDEN = -1_000_000


class Model(NamedTuple):
    """Fitted weights, in steps of 1/`SCALE`."""

    features: Mapping[str, int]
    """The packed weights of each feature."""
    near: Mapping[str, tuple[int, ...]]
    """The packed weights of what a neighbour is, at each of `SIDES`."""
    steps: tuple[tuple[int, ...], ...]
    """What it is worth that one label follows another: `steps[left][right]`."""
    out_of: tuple[tuple[tuple[int, int], ...], ...]
    """For each label, those that may follow it and what the step is worth."""
    first: tuple[int, ...]
    """What each label is worth at the start."""


def pack(weights: Mapping[Label, float]) -> int:
    """Put the weights of one feature into one number."""
    return sum(round(value * SCALE) << (LANE * LABELS.index(label)) for label, value in weights.items())


def dump(features: Mapping[str, int], steps: Mapping[tuple[Label, Label], float]) -> bytes:
    """Give the file of a model; `load` reads it."""
    names = "\n".join(sorted(features))
    table = [
        [round(steps[left, right] * SCALE) if (left, right) in steps else _FORBIDDEN for right in LABELS]
        for left in LABELS
    ]
    body = [struct.pack(f"<{len(LABELS) ** 2}i", *(value for row in table for value in row))]
    body += [features[name].to_bytes(_WIDTH, "little", signed=True) for name in sorted(features)]
    text = names.encode()
    return zlib.compress(struct.pack("<II", len(features), len(text)) + text + b"".join(body), 9)


def load(data: bytes) -> Model:
    """Read the file of a model."""
    plain = zlib.decompress(data)
    count, length = struct.unpack_from("<II", plain)
    start = 8 + length
    names = plain[8:start].decode().split("\n")
    size = len(LABELS)
    steps = struct.unpack_from(f"<{size * size}i", plain, start)
    start += 4 * size * size
    whole = int.from_bytes
    features = {
        name: whole(plain[place : place + _WIDTH], "little", signed=True)
        for name, place in zip(names, range(start, start + count * _WIDTH, _WIDTH), strict=True)
    }
    rows = tuple(steps[left * size : left * size + size] for left in range(size))
    out_of = tuple(tuple((right, step) for right, step in enumerate(row) if step != _FORBIDDEN) for row in rows)
    opening = {Label.AUTHOR, Label.YEAR, Label.OTHER, Label.TITLE, Label.VENUE, Label.LATER_OTHER}
    beyond = {name.partition(":")[2] for name in features if name.startswith(_SIDED)}
    near = {name: tuple(features.get(f"{side}:{name}", 0) for side in SIDES) for name in beyond}
    return Model(features, near, rows, out_of, tuple(0 if label in opening else _FORBIDDEN for label in LABELS))


@cache
def model() -> Model:
    """Give the model of this package; it is read once."""
    return load(files(__package__).joinpath("labels.bin").read_bytes())


@lru_cache(maxsize=32_768)
def _word(token: str) -> tuple[int, ...]:
    """Give what a word is worth to itself and to the words at `SIDES` of which it is the neighbour."""
    _, shape, before, after = kind(token)
    return _worth(own(token), own_beside(token), _form(shape, before, after))


@lru_cache(maxsize=8_192)
def _form(shape: str, before: str, after: str) -> tuple[int, ...]:
    """Give the part of that which its shape and marks decide: there are few of them."""
    named = form(shape, before, after)
    return _worth(named, named[1:], (0,) * (1 + len(SIDES)))


def _worth(alone: Sequence[str], near: Sequence[str], base: tuple[int, ...]) -> tuple[int, ...]:
    """Add the weights of what is said of a word, and of what is said of a neighbour at each of `SIDES`."""
    get, beyond = model().features.get, model().near.get
    whole, two_before, before, after, two_after = base
    for name in near:
        sides = beyond(name)
        if sides is not None:
            two_before, before, after, two_after = (
                two_before + sides[0],
                before + sides[1],
                after + sides[2],
                two_after + sides[3],
            )
    return whole + sum([get(name, 0) for name in alone]), two_before, before, after, two_after


_MOST_PLACES = 65_536
_places: dict[Group, int] = {}
"""What groups are worth; a plain dictionary, since `lru_cache` costs three times as much and there are few."""


def _place(group: Group) -> int:
    """Work out what a group is worth, and keep it."""
    get = model().features.get
    if len(_places) >= _MOST_PLACES:
        _places.clear()
    worth = _places[group] = sum([get(name, 0) for name in names(group)])
    return worth


@cache
def _edge() -> tuple[int, ...]:
    """Give what the want of a neighbour is worth."""
    get = model().features.get
    return 0, *(get(f"{side}:none", 0) for side in SIDES)


def evidence(listed: Sequence[Token], frame: Frame) -> list[tuple[int, ...]]:
    """Give what each word is worth under each label, in steps of 1/`SCALE`; all are raised by the same amount."""
    edge = _edge()
    known = [edge, edge, *[_word(token.text) for token in listed], edge, edge]
    out: list[tuple[int, ...]] = []
    beside = zip(known, known[1:], known[2:], known[3:], known[4:], strict=False)
    placed = _places.get
    for (first, second, own_worth, fourth, fifth), groups in zip(beside, places(listed, frame), strict=True):
        total = _BIAS + own_worth[0] + first[1] + second[2] + fourth[3] + fifth[4]
        for group in groups:
            worth = placed(group)
            total += _place(group) if worth is None else worth
        out.append(_ALL.unpack(total.to_bytes(_ALL.size, "little")))
    return out


class Labelled(NamedTuple):
    """A reading: the words, their labels, and how far the second best title is behind."""

    tokens: list[Token]
    labels: list[Label]
    margin: float
    """In units of log-probability; 0 where two readings are as good."""


_BEAM = 8 * SCALE
"""Labels that are this far behind the best one of their word are given up."""
_LOST = -(10**9)
_T0, _T = LABELS.index(Label.TITLE), LABELS.index(Label.MORE_TITLE)

Column = dict[int, int]
"""The labels of one word that are still in the race, and what they are worth."""


def _forward(worth: Sequence[Sequence[int]], model: Model) -> list[Column]:
    """Give the best worth of all readings up to each word, for each label it may have."""
    columns: list[Column] = []
    reach: list[int] = list(model.first)
    size = len(LABELS)
    for row in worth:
        scores = list(map(add, row, reach))
        least = max(scores) - _BEAM
        column = {label: score for label, score in enumerate(scores) if score >= least}
        columns.append(column)
        reach = [_LOST] * size
        for left, score in column.items():
            for right, step in model.out_of[left]:
                value = score + step
                if value > reach[right]:  # noqa: PLR1730 - `max` is a call, and this is the inner loop
                    reach[right] = value
    return columns


def _backward(worth: Sequence[Sequence[int]], columns: Sequence[Column], model: Model) -> list[Column]:
    """Give the best worth of a whole reading through each label that is in the race."""
    ahead: Column = dict.fromkeys(columns[-1], 0)
    through = [dict(columns[-1])]
    steps = model.steps
    for place in range(len(columns) - 2, -1, -1):
        row = worth[place + 1]
        rights = [(right, row[right] + value) for right, value in ahead.items()]
        ahead = {left: max([steps[left][right] + value for right, value in rights]) for left in columns[place]}
        through.append({left: score + ahead[left] for left, score in columns[place].items()})
    through.reverse()
    return through


def _trace(columns: Sequence[Column], model: Model) -> list[int]:
    """Give the best reading."""
    label = max(columns[-1], key=columns[-1].__getitem__)
    found = [label]
    for column in reversed(columns[:-1]):
        right = label
        label = max(column, key=lambda left: column[left] + model.steps[left][right])
        found.append(label)
    found.reverse()
    return found


def _margin(through: Sequence[Column], labels: Sequence[int]) -> float:
    """Give how far the best reading with another title is behind the best reading."""
    best = max(through[-1].values())
    titled = [place for place, label in enumerate(labels) if label in {_T0, _T}]
    if not titled:
        rivals = [column.get(_T0, _LOST) for column in through]
    else:
        first, last = titled[0], titled[-1]
        rivals = [value for label, value in through[first].items() if label != _T0]
        rivals += [value for label, value in through[last].items() if label not in {_T0, _T}]
        if last + 1 < len(through):
            rivals.append(through[last + 1].get(_T, _LOST))
    return min(best - max(rivals, default=_LOST), _BEAM) / SCALE


def label(text: str, frame: Frame, *, titled: float = 0.0) -> Labelled:
    """Label the words of a reference; text without words gives none.

    Args:
        text: One reference on one line, without label and identifiers.
        frame: What the rules say about it.
        titled: What the rest of the list adds to the reading that a title is printed, in units of log-probability.
    """
    listed = tokens(text)
    if not listed:
        return Labelled([], [], 0.0)
    fitted = model()
    worth = evidence(listed, frame)
    if titled:
        extra = round(titled * SCALE)
        worth = [(*row[:_T0], row[_T0] + extra, *row[_T0 + 1 :]) for row in worth]
    columns = _forward(worth, fitted)
    labels = _trace(columns, fitted)
    margin = _margin(_backward(worth, columns, fitted), labels)
    return Labelled(listed, [LABELS[place] for place in labels], margin)
