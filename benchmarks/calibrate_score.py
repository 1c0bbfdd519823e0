"""Fit the weights of `parse_score` and measure what they promise.

Usage: ``python benchmarks/calibrate_score.py refstrings.jsonl [--out citeaudit/extract/fields/weights.tsv]``

A reading is right where the title is the labelled one and first author and year are so or left empty. The strings
that the labeller was fitted on are left out. What is left is split by the SHA-1 of `raw`: strings of remainder 1
modulo 4, and all of EXcite but remainder 3, set the weights; those of remainder 3 report. Without ``--out`` the
weights in the tree are measured. A logistic regression, ridge 2, by Newton's method.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from fields import family_right, title_right, year_right

from citeaudit.extract.fields.reader import read_fields, taken_apart
from citeaudit.extract.fields.score import weigh, weights
from citeaudit.extract.fields.signs import signs
from citeaudit.model.reference import Reference

SOURCES = ("grobid", "anystyle-gold", "anystyle-core", "anystyle-good", "excite")
UNFITTED = "excite"
"""Source whose strings the labeller never saw."""
RIDGE = 2.0
LEAST = 15
"""Strings that a sign must be seen in."""
SMALL = 0.15
"""Weights nearer to zero are left out, and the others fitted again."""
STEPS = (0.0, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01)
BIAS = "bias"


class Row(NamedTuple):
    """One string read."""

    quarter: int
    source: str
    titled: bool
    right: bool
    score: float
    signs: frozenset[str]


def is_right(reference: Reference, row: Mapping[str, Any]) -> bool:
    """Whether all is right; a short labelled title may be the journal of a list that prints no titles."""
    title = title_right(reference, row) or (reference.title is None and len((row["title"] or "").split()) <= 2)  # noqa: PLR2004
    named = not row["authors"] or not reference.authors or family_right(reference, row)
    if not named and reference.authors[0].literal and len(reference.authors) > 1:  # a collaboration before its people
        named = family_right(reference.model_copy(update={"authors": reference.authors[1:]}), row)
    dated = re.search(r"\d{4}", str(row["year"] or "")) is not None
    return title and named and (not dated or reference.year is None or year_right(reference, row))


def rows(path: Path) -> list[Row]:
    """Read the strings that are measured."""
    out = []
    for line in path.open(encoding="utf-8"):
        row = json.loads(line)
        quarter = int(hashlib.sha1(row["raw"].encode()).hexdigest(), 16) % 4  # noqa: S324 - a split, not a secret
        if row["source"].startswith(SOURCES) and (quarter % 2 or row["source"].startswith(UNFITTED)):
            reference = read_fields(row["raw"])
            found = signs(*taken_apart(row["raw"]))
            right = is_right(reference, row)
            titled = reference.title is not None
            out.append(Row(quarter, row["source"], titled, right, reference.parse_score, found))
    return out


def solve(matrix: list[list[float]], vector: list[float]) -> list[float]:
    """Solve a positive definite system by elimination."""
    size = len(vector)
    table = [[*row, value] for row, value in zip(matrix, vector, strict=True)]
    for place in range(size):
        pivot = table[place]
        for lower in range(place + 1, size):
            factor = table[lower][place] / pivot[place]
            if factor:
                table[lower] = [a - factor * b for a, b in zip(table[lower], pivot, strict=True)]
    found = [0.0] * size
    for place in reversed(range(size)):
        rest = sum(table[place][other] * found[other] for other in range(place + 1, size))
        found[place] = (table[place][size] - rest) / table[place][place]
    return found


def fit(sample: Sequence[Row], names: Sequence[str]) -> dict[str, float]:
    """Fit the weights of the signs named."""
    index = {name: place for place, name in enumerate((BIAS, *names))}
    told = [([0, *(index[name] for name in row.signs if name in index)], row.right) for row in sample]
    found = [0.0] * len(index)
    for _ in range(12):
        slope = [-RIDGE * value if place else 0.0 for place, value in enumerate(found)]
        bend = [[RIDGE * (place == other and place > 0) for other in range(len(index))] for place in range(len(index))]
        for places, right in told:
            chance = 1 / (1 + math.exp(-sum(found[place] for place in places)))
            for place in places:
                slope[place] += right - chance
                line = bend[place]
                for other in places:
                    line[other] += chance * (1 - chance)
        moves = solve(bend, slope)
        found = [value + move for value, move in zip(found, moves, strict=True)]
        if max(map(abs, moves)) < 1e-4:  # noqa: PLR2004
            break
    return {name: found[place] for name, place in index.items()}


def fitted(sample: Sequence[Row]) -> dict[str, float]:
    """Fit, leave out what weighs little, and fit again."""
    seen = Counter(name for row in sample for name in row.signs)
    names = sorted(name for name, count in seen.items() if LEAST <= count <= len(sample) - LEAST)
    first = fit(sample, names)
    return fit(sample, [name for name in names if abs(first[name]) >= SMALL])


def report(sample: Sequence[Row], scores: Sequence[float]) -> None:
    """Print how many readings are right by their score."""
    print(f"{'score':>14}{'strings':>9}{'mean':>8}{'right':>8}{'right from here up':>20}{'kept of right':>15}")
    every = sum(row.right for row in sample)
    for low, high in pairwise(STEPS):
        inside = [(score, row.right) for score, row in zip(scores, sample, strict=True) if low <= score < high]
        above = [row.right for score, row in zip(scores, sample, strict=True) if score >= low]
        if inside:
            mean, right = (sum(float(pair[part]) for pair in inside) / len(inside) for part in (0, 1))
            shares = f"{100 * sum(above) / len(above):20.1f}{100 * sum(above) / every:15.1f}"
            print(f"{low:7.2f}-{min(high, 1):.2f}{len(inside):11}{mean:8.3f}{right:8.3f}{shares}")


def main() -> None:
    """Fit if asked, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    measured = rows(options.path)
    told = [row for row in measured if row.quarter == 3]  # noqa: PLR2004
    table = weights()
    if options.out:
        setting = [row for row in measured if row.quarter != 3]  # noqa: PLR2004
        table = {titled: fitted([row for row in setting if row.titled == titled]) for titled in (True, False)}
        lines = ["# Weights of parse_score; by benchmarks/calibrate_score.py, see docs/models/reference-labels.md"]
        lines += [f"# {len(setting)} strings; columns: sign, with a title, without one"]
        lines += [
            "\t".join((name, *(f"{table[titled].get(name, 0.0):.2f}" for titled in (True, False))))
            for name in sorted({*table[True], *table[False]})
        ]
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for titled in (True, False):
        part = [row for row in told if row.titled == titled]
        print("with a title" if titled else "without a title")
        report(part, [weigh(row.signs, table[titled]) for row in part])
    print("parse_score, all")
    report(told, [row.score for row in told])
    for source in SOURCES:
        sound = [row.right for row in told if row.source.startswith(source) and row.score >= 0.9]  # noqa: PLR2004
        print(f"{source:24}{len(sound):6} at 0.9 or more, {100 * sum(sound) / max(1, len(sound)):.1f} % right")


if __name__ == "__main__":
    main()
