"""Fit the weights by which the field reader picks the end of a title.

Usage: ``python benchmarks/train_breaks.py refstrings.jsonl --out citeaudit/extract/fields/break_weights.json``

Only strings of permissively licensed sources and of the even half (see `benchmarks/fields.py`) are used. The
model is a softmax over the candidates of one string, fitted by stochastic gradient with averaging.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

from fields import is_even
from rapidfuzz.fuzz import token_sort_ratio

from citeaudit.extract.fields import reader
from citeaudit.extract.fields import breaks as fields_breaks
from citeaudit.extract.fields import features as fields_features
from citeaudit.extract.fields.text import joined, strip_identifiers, unlabelled
from citeaudit.text.normalize import fold

PERMISSIVE = ("grobid", "anystyle-gold", "anystyle-core", "anystyle-good", "anystyle-ugly", "jats")
TITLE_RIGHT = 96
ORIGIN = "GROBID citation corpus (Apache-2.0), anystyle (BSD-2-Clause), JATS (CC-BY)"


def example(row: dict[str, Any]) -> tuple[list[list[str]], int] | None:
    """Give the features of each candidate and the index of the right one, or `None` where there is no lesson."""
    text = strip_identifiers(unlabelled(joined(row["raw"]))).text
    _, _, start, context = reader.before_title(text, reader.Hints())
    if reader.marked(text, start) is not None:
        return None
    gold = fold(row["title"] or "")
    listed = fields_breaks.candidates(text, start)
    best, right = 0.0, -1
    for index, (candidate, _) in enumerate(listed):
        title = fold(text[start : candidate.end]) if candidate.kind != "none" else ""
        ratio = token_sort_ratio(title, gold) if gold else 100.0 * (candidate.kind == "none")
        if ratio > best:
            best, right = ratio, index
    if best < TITLE_RIGHT:
        return None
    return [fields_features.features(text, start, candidate, context, rank) for candidate, rank in listed], right


def fit(examples: list[tuple[list[list[str]], int]], epochs: int, rate: float, decay: float) -> dict[str, float]:
    """Fit by gradient steps, give the averaged weights."""
    weights: dict[str, float] = defaultdict(float)
    totals: dict[str, float] = defaultdict(float)
    random.seed(0)
    steps = 0
    for epoch in range(epochs):
        random.shuffle(examples)
        step = rate / (1 + epoch * 0.5)
        for candidates, right in examples:
            scores = [sum(weights[name] for name in names) for names in candidates]
            top = max(scores)
            shares = [math.exp(score - top) for score in scores]
            norm = sum(shares)
            steps += 1
            for index, names in enumerate(candidates):
                gradient = (index == right) - shares[index] / norm
                if abs(gradient) < 1e-4:  # noqa: PLR2004 - not worth a step
                    continue
                for name in names:
                    change = step * gradient
                    weights[name] += change
                    totals[name] += change * steps
        for name, value in list(weights.items()):
            weights[name] -= decay * value
            totals[name] -= decay * value * steps
        wrong = sum(max(range(len(c)), key=lambda i: sum(weights[n] for n in c[i])) != r for c, r in examples[:2000])
        print(f"epoch {epoch}: {wrong / min(2000, len(examples)):.3f} wrong on training strings")
    return {name: value - totals[name] / steps for name, value in weights.items()}


def main() -> None:
    """Read, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    options = parser.parse_args()
    examples, skipped = [], 0
    for line in options.path.open(encoding="utf-8"):
        row = json.loads(line)
        if not is_even(row["raw"]) or not row["source"].startswith(PERMISSIVE):
            continue
        found = example(row)
        if found is None:
            skipped += 1
        else:
            examples.append(found)
    print(f"{len(examples)} lessons, {skipped} strings without one")
    weights = fit(examples, options.epochs, 0.1, 0.005)
    kept = {name: round(value, 3) for name, value in sorted(weights.items()) if abs(value) >= 0.02}  # noqa: PLR2004
    card = {
        "what": "Weights of citeaudit.extract.fields.breaks: which mark ends the title of a printed reference.",
        "fitted_on": f"{len(examples)} strings: " + ORIGIN,
        "fitted_by": "benchmarks/train_breaks.py",
        "weights": kept,
    }
    options.out.write_text(json.dumps(card, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(kept)} weights")


if __name__ == "__main__":
    main()
