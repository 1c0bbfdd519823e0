"""The fitted weights of the risk, and how signs add up under them.

A logistic regression: evidence in natural logarithms of odds, added to the prior's. Which way a sign may weigh is part
of the form of the file (`side`), so that the laws hold for every file that loads.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from citeaudit.policy.features import Choice, Sign, Signs

FORMAT = 1
"""Version of the form of the model file; a file of another is not read."""
FILE = "risk.json"


class Model(BaseModel):
    """The packaged model file; docs/models/risk.md tells where its numbers come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = Field(ge=FORMAT, le=FORMAT)
    trained: str
    """The day on which it was fitted, ISO 8601."""
    rules: str
    """`RULES_VERSION` of the comparison and the verdict under which it was fitted."""
    sets: tuple[str, ...]
    """What it was fitted on, each with its number of rows."""
    weights: dict[str, float]
    """Natural logarithms of odds by a name or a kind of `Sign`; what is not named weighs nothing."""

    @model_validator(mode="after")
    def _lawful(self) -> Model:
        for name, weight in self.weights.items():
            if not math.isfinite(weight) or weight * side(name) < 0:
                raise ValueError(f"{name}: the weight {weight} is not on the side where it may be")
        tied = ("record", "record:weakly_tied", "record:generic_title")
        if sum(self.weights.get(name, 0.0) for name in tied) > 0:
            raise ValueError("record: one that agrees must not raise the risk")
        return self


def side(name: str) -> int:
    """Give which way a sign may weigh: -1 for the reference, 1 against it.

    >>> side("title:SAME:title_same"), side("record"), side("silence:general")
    (-1, -1, 1)
    """
    return -1 if name == "record" or ":SAME" in name else 1


@cache
def packaged(package: str = "citeaudit.policy", file: str = FILE) -> Model | None:
    """Give the model that ships with a package; `None` where it is absent, damaged or of another form."""
    try:
        return Model.model_validate_json(files(package).joinpath(file).read_bytes())
    except (OSError, ValidationError):
        return None


def evidence(signs: Signs, weights: Mapping[str, float]) -> float:
    """Give what is seen as a natural logarithm of odds: 0 where nothing is known, less where it speaks for a reference.

    What the reference claims by itself counts always. Answers count against it only if every source was heard.
    """
    told = min((_sum(record, weights, signs.sound) for record in signs.records), default=None)
    if told is None:
        told = _sum(((sign,) for sign in signs.silence), weights, signs.sound)
    if not signs.heard:
        told = min(0.0, told)
    return told + _sum(((sign,) for sign in signs.claims), weights, signs.sound)


def weight(sign: Sign, weights: Mapping[str, float]) -> float:
    """Give the weight of a sign, or of its kind where the sign itself has none."""
    found = weights.get(sign.name)
    return weights.get(sign.kind, 0.0) if found is None else found


def _sum(choices: Iterable[Choice], weights: Mapping[str, float], sound: float) -> float:
    """Add up, of each choice the least; what speaks against the reference only as far as the reading is sound."""
    total = 0.0
    for choice in choices:
        least = min(weight(sign, weights) for sign in choice)
        total += least * sound if least > 0 else least
    return total


def probability(evidence: float, prior: float) -> float:
    """Give the probability at a prior, both in [0, 1]; `evidence` is a natural logarithm of odds.

    >>> probability(0.0, 0.01)
    0.01
    """
    odds = math.exp(max(-50.0, min(50.0, evidence)))
    return prior * odds / (1.0 - prior + prior * odds)
