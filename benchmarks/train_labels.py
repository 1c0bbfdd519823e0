"""Fit the labeller of the field reader and write its model.

Usage: ``python benchmarks/train_labels.py refstrings.jsonl --out citeaudit/extract/fields/labels.bin``

Needs `python-crfsuite` (MIT), which is no dependency of the project: ``pip install python-crfsuite``. Only strings
of permissively licensed sources and of the even half (see `benchmarks/fields.py`) are used, and strings made of
invented records (`made_references`). What was used is printed as the data manifest of docs/models/reference-labels.md.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pycrfsuite
from fields import is_even
from made_references import Maker

from citeaudit.extract.fields.labeller import SIDES, TITLED, Label, dump, pack
from citeaudit.extract.fields.places import names, places
from citeaudit.extract.fields.reader import frame
from citeaudit.extract.fields.text import joined, strip_identifiers, unlabelled
from citeaudit.extract.fields.tokens import Frame, Token, beside, lexical, tokens

PERMISSIVE = ("grobid", "anystyle-gold", "anystyle-core", "anystyle-good", "jats-pont", "jats-public")
"""Sources by the start of their name: GROBID citation corpus (Apache-2.0), anystyle (BSD-2-Clause), JATS (CC-BY)."""
LEAST = 0.03
"""Weights nearer to zero are left out."""
_CLOSERS = '.,;:”"’»)'

Span = tuple[int, int]


class Truth(NamedTuple):
    """The labelled spans of one string."""

    title: Span | None
    others: list[tuple[Span, str]]
    """Spans of authors (`A`), venue (`V`) and year (`Y`)."""


def find(text: str, part: str | None, start: int = 0) -> Span | None:
    """Give where a labelled part stands in the prepared text; its outer marks may be missing there."""
    part = joined(part).strip() if part else ""
    for wanted in (part, part.strip(" .,;:\"“”'‘’()")):
        place = text.find(wanted, start) if wanted else -1
        if place >= 0:
            return place, place + len(wanted)
    return None


def align(row: dict[str, Any], text: str) -> Truth | None:
    """Find the labelled parts in the text; `None` where the title cannot be found."""
    title = find(text, row["title"]) if row["title"] else None
    if row["title"] and title is None:
        return None

    def free(span: Span | None) -> bool:
        return span is not None and not (title and span[0] < title[1] and span[1] > title[0])

    others: list[tuple[Span, str]] = []
    place = 0
    for name in row["authors"]:
        span = find(text, name, place) or find(text, name)
        if span is not None and free(span):
            others.append((span, "A"))
            place = span[1]
    venue = find(text, row["venue"], title[1] if title else 0) or find(text, row["venue"])
    if venue is not None and free(venue):
        others.append((venue, "V"))
    if row["year"]:
        years = (match.span() for match in re.finditer(re.escape(str(row["year"])[:4]), text))
        others += [(span, "Y") for span in [next(filter(free, years), None)] if span is not None]
    return Truth(title, others)


def label(listed: list[Token], truth: Truth) -> list[str] | None:
    """Give the label of each word; `None` where the title is not one run."""
    title = truth.title
    venue = min((span[0] for span, kind in truth.others if kind == "V"), default=10**9)
    named = max((span[1] for span, kind in truth.others if kind == "A"), default=0)
    out: list[str] = []
    for token in listed:
        middle = (token.start + min(token.end, token.start + len(token.text.rstrip(_CLOSERS)) or 1)) / 2
        if title and title[0] <= middle < title[1]:
            out.append(Label.MORE_TITLE if out and out[-1] in TITLED else Label.TITLE)
            continue
        later = bool(title and middle >= title[1]) or (not title and (middle >= venue or 0 < named <= middle))
        kind = next((kind for span, kind in truth.others if span[0] <= middle < span[1]), "O")
        if kind == "A":
            out.append(Label.LATER_AUTHOR if title and later else Label.AUTHOR)
        elif kind == "V" and later:
            out.append(Label.MORE_VENUE if out and out[-1] in {Label.VENUE, Label.MORE_VENUE} else Label.VENUE)
        elif kind == "Y":
            out.append(Label.LATER_YEAR if later else Label.YEAR)
        else:
            out.append(Label.LATER_OTHER if later else Label.OTHER)
    return None if out.count(Label.TITLE) > 1 else out


def describe(listed: list[Token], given: Frame) -> list[list[str]]:
    """Name the features of each word, as `labeller.evidence` adds them up."""
    out = []
    for place, groups in enumerate(places(listed, given)):
        found = [*lexical(listed[place].text), *(name for group in groups for name in names(group))]
        for side in SIDES:
            beyond = place + side
            near = beside(listed[beyond].text) if 0 <= beyond < len(listed) else ("none",)
            found += [f"{side}:{name}" for name in near]
        out.append(found)
    return out


def rows(path: Path, made: int) -> Iterator[dict[str, Any]]:
    """Give the strings to learn from."""
    for line in path.open(encoding="utf-8"):
        row = json.loads(line)
        if is_even(row["raw"]) and row["source"].startswith(PERMISSIVE):
            yield row
    yield from Maker(7).rows(made)


def main() -> None:
    """Read, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--made", type=int, default=8_000)
    parser.add_argument("--rounds", type=int, default=80)
    options = parser.parse_args()
    trainer = pycrfsuite.Trainer(verbose=False)
    used: Counter[str] = Counter()
    for row in rows(options.path, options.made):
        text = strip_identifiers(unlabelled(joined(row["raw"]))).text
        truth, listed = align(row, text), tokens(text)
        labels = label(listed, truth) if truth is not None and listed else None
        if labels is not None:
            trainer.append(describe(listed, frame(text)[0]), labels)
            used[row["source"]] += 1
    print(f"{used.total()} strings: {dict(used)}", flush=True)
    trainer.set_params({"c1": 0.05, "c2": 0.02, "max_iterations": options.rounds, "feature.minfreq": 2})
    with tempfile.NamedTemporaryFile(suffix=".crfsuite") as file:
        trainer.train(file.name)
        tagger = pycrfsuite.Tagger()
        tagger.open(file.name)
        fitted = tagger.info()
    weights: dict[str, dict[Label, float]] = defaultdict(dict)
    for (name, found), weight in fitted.state_features.items():
        if abs(weight) >= LEAST:
            weights[name][Label(found)] = weight
    steps = {(Label(left), Label(right)): weight for (left, right), weight in fitted.transitions.items()}
    data = dump({name: pack(of) for name, of in weights.items()}, steps)
    options.out.write_bytes(data)
    print(f"{len(weights)} features, {len(data)} bytes")


if __name__ == "__main__":
    main()
