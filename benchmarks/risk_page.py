"""Figures, tables and the plot of docs/models/risk.md."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from risk_fit import Row, Weights

from citeaudit.policy.calibrated import Model, evidence, probability

PRIOR = 0.01
"""Share of wrong references to which the labelled rows are weighted: the default of `Policy.prior`."""
BINS = 10
EDGES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 1.0)
"""Risks between which the table and the plot gather rows: most references lie far below 0.1."""

SHOWN = ("HALLMARK dev, declared complete", "HALLMARK dev, as it is", "CiteAudit generated, any, declared complete")
"""Sets whose calibration is shown."""
COLOURS = ("#1b6ca8", "#d1495b", "#3a7d44")
SIZE, EDGE, LEAST = 400, 60, 0.0001


class Bin(NamedTuple):
    """Rows whose risk lies between two edges."""

    low: float
    high: float
    right: int
    wrong: int
    said: float
    """Mean risk, rows weighted to the prior."""
    true: float
    """Share of wrong references, weighted likewise."""


class Measured(NamedTuple):
    """What the risk is worth on one set."""

    name: str
    by: str
    rows: int
    given: float
    """Share of the rows that have a risk."""
    auroc: float
    ece: float
    """Expected calibration error at the prior, ten bins of equal width."""
    bins: tuple[Bin, ...]


def measure(name: str, by: str, rows: list[Row], weights: Callable[[Row], Weights]) -> Measured:
    """Measure the risk under weights that may depend on the row (folds)."""
    pairs = [(probability(evidence(row.signs, weights(row)), PRIOR), row.wrong) for row in rows if row.signs]
    edges = [place / BINS for place in range(BINS + 1)]
    even = _bins(pairs, edges)
    total = sum(_weight(pairs, item) for item in even)
    ece = sum(_weight(pairs, item) / total * abs(item.said - item.true) for item in even)
    return Measured(name, by, len(rows), len(pairs) / len(rows), _auroc(pairs), ece, tuple(_bins(pairs, EDGES)))


def _shares(pairs: list[tuple[float, bool]]) -> tuple[float, float]:
    """Give the weight of a right and of a wrong row, so that wrong ones are the prior's share."""
    share = sum(wrong for _, wrong in pairs) / len(pairs)
    return (1 - PRIOR) / (1 - share) if share < 1 else 0.0, PRIOR / share if share else 0.0


def _weight(pairs: list[tuple[float, bool]], item: Bin) -> float:
    right, wrong = _shares(pairs)
    return right * item.right + wrong * item.wrong


def _bins(pairs: list[tuple[float, bool]], edges: list[float] | tuple[float, ...]) -> list[Bin]:
    shares = _shares(pairs)
    bins = []
    for low, high in pairwise(edges):
        cell = [(risk, wrong) for risk, wrong in pairs if low <= risk < high or risk == high == 1.0]
        wrongs = sum(wrong for _, wrong in cell)
        weight = shares[0] * (len(cell) - wrongs) + shares[1] * wrongs
        if cell:
            said = sum(shares[wrong] * risk for risk, wrong in cell) / weight
            bins.append(Bin(low, high, len(cell) - wrongs, wrongs, said, shares[1] * wrongs / weight))
    return bins


def _auroc(pairs: list[tuple[float, bool]]) -> float:
    """Give the share of pairs of a wrong and a right row in which the wrong one has the higher risk, ties half."""
    below, total = 0, 0.0
    ordered: dict[float, list[int]] = {}
    for risk, wrong in pairs:
        ordered.setdefault(risk, [0, 0])[wrong] += 1
    for risk in sorted(ordered):
        rights, wrongs = ordered[risk]
        total += wrongs * (below + rights / 2)
        below += rights
    above = len(pairs) - below
    return total / (below * above) if below and above else float("nan")


# --- The page ----------------------------------------------------------------------------------------------


def page(text: str, model: Model, measured: list[Measured]) -> str:
    """Put today's figures and weights between the marks of the page."""
    for name, table in (("fit", _fit(model)), ("figures", _figures(measured)), ("weights", _weights(model))):
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        before, rest = text.split(begin, 1)
        text = f"{before}{begin}\n{table}\n{end}{rest.split(end, 1)[1]}"
    return text


def _fit(model: Model) -> str:
    sets = "\n".join(f"- {name}" for name in model.sets)
    return (
        f"Fitted on {model.trained} under version {model.rules} of the rules, {len(model.weights)} weights:\n\n{sets}\n"
    )


def _figures(measured: list[Measured]) -> str:
    rows = [
        f"| {one.name} | {one.by} | {one.rows} | {one.given:.3f} | {one.auroc:.4f} | {one.ece:.4f} |"
        for one in measured
    ]
    head = ["| set | weights from | rows | risk given | AUROC | ECE at 0.01 |", "| --- | --- | --- | --- | --- | --- |"]
    tables = "\n".join(_calibration(one) for one in measured if one.name in SHOWN)
    return "\n".join([*head, *rows]) + f"\n\n{tables}"


def _calibration(one: Measured) -> str:
    head = [
        f"{one.name} ({one.by}):\n",
        "| risk from | to | right | wrong | mean risk | wrong, at the prior |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    rows = [
        f"| {low:g} | {high:g} | {right} | {wrong} | {said:.4f} | {true:.4f} |"
        for low, high, right, wrong, said, true in one.bins
    ]
    return "\n".join([*head, *rows]) + "\n"


def _weights(model: Model) -> str:
    """Show what each rule weighs by itself; kinds stand for rules that have no weight of their own."""
    ordered = sorted(model.weights.items(), key=lambda item: (item[0].split(":")[0], item[1], item[0]))
    rows = [f"| `{name}` | {value:+.2f} | {math.exp(value):.3g} |" for name, value in ordered if value]
    return "\n".join(["| sign | weight | odds times |", "| --- | --- | --- |", *rows]) + "\n"


# --- The plot ----------------------------------------------------------------------------------------------


def plot(measured: list[Measured]) -> str:
    """Draw what was said against what was true, both axes logarithmic from 0.0001 to 1."""
    box = f'viewBox="0 0 {SIZE + 2 * EDGE} {SIZE + 2 * EDGE}"'
    look = 'font-family="sans-serif" font-size="12" role="img" aria-label="Calibration of the risk"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} {look}>',
        '<rect width="100%" height="100%" fill="white"/>',
        *_grid(),
    ]
    shown = [one for one in measured if one.name in SHOWN]
    for place, (one, colour) in enumerate(zip(shown, COLOURS, strict=False)):
        parts += _series(one, colour)
        parts.append(f'<circle cx="{EDGE + 16}" cy="{EDGE + 16 + 18 * place}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{EDGE + 26}" y="{EDGE + 20 + 18 * place}">{one.name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _at(value: float) -> float:
    return (math.log10(max(LEAST, value)) - math.log10(LEAST)) / -math.log10(LEAST) * SIZE


def _grid() -> list[str]:
    far, parts = EDGE + SIZE, []
    for value in (0.0001, 0.001, 0.01, 0.1, 1.0):
        x, y = EDGE + _at(value), far - _at(value)
        parts.append(f'<path d="M{x:.1f} {EDGE}V{far}M{EDGE} {y:.1f}H{far}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{far + 16}" text-anchor="middle">{value:g}</text>')
        parts.append(f'<text x="{EDGE - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    middle = EDGE + SIZE / 2
    parts.append(f'<path d="M{EDGE} {far}L{far} {EDGE}" stroke="#888" stroke-dasharray="4"/>')
    parts.append(f'<text x="{middle}" y="{far + 38}" text-anchor="middle">risk given</text>')
    turned = f'transform="rotate(-90 16 {middle})"'
    parts.append(f'<text x="16" y="{middle}" text-anchor="middle" {turned}>wrong, at a prior of {PRIOR}</text>')
    return parts


def _series(one: Measured, colour: str) -> list[str]:
    points = [(EDGE + _at(item.said), EDGE + SIZE - _at(item.true)) for item in one.bins]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in points]
    return [f'<path d="M{line}" fill="none" stroke="{colour}"/>', *dots]
