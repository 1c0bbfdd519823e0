"""Fit the weights of the risk: a logistic regression whose weights stay on their side, by coordinates.

Both classes weigh the same, so that what is fitted is evidence (natural logarithms of likelihood ratios) and no prior.
Of several records and versions the one that speaks most for the reference counts; which that is depends on the weights,
so choosing and fitting take turns.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from citeaudit.model import FieldName, Relation
from citeaudit.policy.calibrated import side, weight
from citeaudit.policy.features import Choice, Sign, Signs

RARE = 12
"""Rows in which a rule must be seen to get a weight of its own; others share that of their field and relation."""
RIDGE = 0.3
"""How strongly a weight is drawn to nothing, in rows."""
TURNS, SWEEPS = 5, 15
MOST = 8.0
"""No single sign weighs more than this."""
GIVEN = {
    "silence:general": math.log(8),
    "silence:authoritative": math.log(40),
    "identifier:unknown": math.log(15),
}
"""Weights that the sets cannot tell, because an index on disk gives no such answers: orders of magnitude, by hand."""
START = {"SAME": -1.0, "VARIANT": 0.5, "DIFFERENT": 2.0}
"""What a field's relation weighs before the fit, and where no labelled row shows it."""

Weights = dict[str, float]
Pattern = tuple[tuple[str, float], ...]


class Row(NamedTuple):
    """One labelled reference."""

    id: str
    group: str
    """The title of the work."""
    wrong: bool
    signs: Signs | None
    """`None` where the reference could not be read or nothing answered."""


def fit(rows: Iterable[tuple[Row, float]]) -> Weights:
    """Give the weights for labelled rows with their shares; deterministic."""
    told = [(row.signs, row.wrong, share) for row, share in rows if row.signs is not None]
    seen = _seen(signs for signs, _, _ in told)
    weights = {name: _start(name) for name in _known(seen)}
    for _ in range(TURNS):
        lent = _lend(seen, weights)
        patterns: dict[Pattern, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for signs, wrong, share in told:
            patterns[_pattern(signs, weights)][wrong] += share
        _descend(patterns, weights, lent | set(GIVEN))
    _lend(seen, weights)
    return {name: round(value, 3) for name, value in sorted(weights.items())}


def _seen(rows: Iterable[Signs]) -> Counter[Sign]:
    """Count in how many rows each sign is seen."""
    seen: Counter[Sign] = Counter()
    for signs in rows:
        seen.update({sign for choice in _choices(signs) for sign in choice})
    return seen


def _known(seen: Counter[Sign]) -> set[str]:
    """Give the names that get a weight: signs seen often enough, and the kinds of all."""
    own = {sign.name for sign, count in seen.items() if count >= RARE}
    unseen = {f"{prefix}{field.value}:{Relation.DIFFERENT.value}" for prefix in ("", "claim:") for field in FieldName}
    return own | {sign.kind for sign in seen} | unseen | set(GIVEN)


def _lend(seen: Counter[Sign], weights: Weights) -> set[str]:
    """Give a kind the mean of its rules, for rules that are rare or written after the fit; gives those kinds."""
    rules: dict[str, list[tuple[Sign, int]]] = defaultdict(list)
    for sign, count in seen.items():
        if sign.name != sign.kind and sign.name in weights and sign.kind not in GIVEN:
            rules[sign.kind].append((sign, count))
    for kind, found in rules.items():
        total = sum(count for _, count in found)
        weights[kind] = sum(weights[sign.name] * count for sign, count in found) / total
    return set(rules)


def _choices(signs: Signs) -> list[Choice]:
    records = [choice for record in signs.records for choice in record]
    return [*records, *((sign,) for sign in (*signs.silence, *signs.claims))]


def _start(name: str) -> float:
    if name in GIVEN:
        return GIVEN[name]
    return next((value for word, value in START.items() if f":{word}" in name), 0.5 * side(name))


def _pattern(signs: Signs, weights: Weights) -> Pattern:
    """Give what counts under the weights: the record and the versions that speak most for the reference."""
    options = [_resolved(record, signs.sound, weights) for record in signs.records]
    silence = _resolved(((sign,) for sign in signs.silence), signs.sound, weights)
    told = min(options, key=lambda option: (_total(option, weights), sorted(option.items())), default=silence)
    claims = _resolved(((sign,) for sign in signs.claims), signs.sound, weights)
    joined = Counter(told)
    joined.update(claims)
    return tuple(sorted(joined.items()))


def _resolved(choices: Iterable[Choice], sound: float, weights: Weights) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for choice in choices:
        sign = min(choice, key=lambda sign: (weight(sign, weights), sign))
        name = sign.name if sign.name in weights else sign.kind
        found[name] += round(sound, 1) if side(name) > 0 else 1.0
    return found


def _total(option: Mapping[str, float], weights: Weights) -> float:
    return sum(weights[name] * value for name, value in option.items())


def _descend(patterns: Mapping[Pattern, list[float]], weights: Weights, fixed: set[str]) -> None:
    """Improve one weight after the other by a bounded Newton step, all but the fixed ones."""
    items = list(patterns.items())
    scores = [sum(weights[name] * value for name, value in pattern) for pattern, _ in items]
    columns: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for place, (pattern, _) in enumerate(items):
        for name, value in pattern:
            columns[name].append((place, value))
    free = sorted(columns.keys() - fixed)
    for _ in range(SWEEPS):
        for name in free:
            slope, bend = RIDGE * weights[name], RIDGE
            for place, value in columns[name]:
                right, wrong = items[place][1]
                p = 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, scores[place]))))
                slope += value * ((right + wrong) * p - wrong)
                bend += value * value * (right + wrong) * p * (1.0 - p)
            step = max(-1.0, min(1.0, slope / bend))
            moved = _bounded(name, weights[name] - step, weights)
            change, weights[name] = moved - weights[name], moved
            for place, value in columns[name]:
                scores[place] += change * value


def _bounded(name: str, value: float, weights: Weights) -> float:
    """Keep a weight on its side, and a weakly tied record that agrees from raising the risk."""
    low, high = (-MOST, 0.0) if side(name) < 0 else (0.0, MOST)
    spare = -weights.get("record", 0.0)
    if name == "record":
        high = -weights.get("record:weakly_tied", 0.0) - weights.get("record:generic_title", 0.0)
    elif name == "record:weakly_tied":
        high = spare - weights.get("record:generic_title", 0.0)
    elif name == "record:generic_title":
        high = spare - weights.get("record:weakly_tied", 0.0)
    return max(low, min(high, value))
