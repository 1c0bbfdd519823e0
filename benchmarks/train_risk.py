"""Fit the risk of a reference, measure it on held-out folds, and write its model, its page and its plot.

Usage: ``python benchmarks/train_risk.py --shared DIR --evidence DIR``

The evidence is what ``python benchmarks/verdicts.py record`` leaves, weighed anew by the rules of today: HALLMARK to
fit and to measure on folds grouped by title, CiteAudit only to measure. References made from real records
(`made_evidence`) are fitted on, too. Needs nothing but the project; about two minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha1
from pathlib import Path
from typing import Any, NamedTuple

from made_evidence import made, undeclared, works
from risk_fit import Row, Weights, fit
from risk_page import Measured, measure, page, plot

from citeaudit.bench.witness import Witness, again, read
from citeaudit.model import Evidence, Policy
from citeaudit.policy import calibrated
from citeaudit.policy.case import Case
from citeaudit.policy.decide import RULES_VERSION
from citeaudit.policy.features import signs_of
from citeaudit.text.normalize import key

ROOT = Path(__file__).parents[1]
FOLDS = 5
SEED = 7
MADE = 2_500
"""True and as many altered made references."""
ROWS = 6_000
"""Rows that the whole fit counts as, however many there are: the pull of the ridge is in rows."""
PLAIN = Policy()


STATES = {True: "declared complete", False: "as it is"}
"""Whether the index counts as complete (`--assume-complete`)."""
WEIGHT = 0.25
"""Share of each of the four sources of the fit."""


class Benchmark(NamedTuple):
    """A recorded set, and which of its rows are used."""

    name: str
    file: str
    gold: str
    weight: float
    keep: Callable[[dict[str, Any]], bool]


def _everything(label: dict[str, Any]) -> bool:
    return bool(label)


def _generated(label: dict[str, Any]) -> bool:
    return label["group"] == "generated" and bool(label["work_in_index"])


def _independent(label: dict[str, Any]) -> bool:
    return (label["group"], label["work_in_index"]) == ("generated", "independent")


def _realworld(label: dict[str, Any]) -> bool:
    return (label["group"], label["work_in_index"]) == ("realworld", "independent")


FITTED = Benchmark("HALLMARK dev", "hallmark.jsonl.gz", "hallmark_dev_gold.jsonl", WEIGHT, _everything)
_GOLD = "citeaudit_dev_gold.jsonl"
MEASURED = (
    Benchmark("CiteAudit generated, any", "citeaudit-twins.jsonl.gz", _GOLD, 0.0, _generated),
    Benchmark("CiteAudit generated, independent", "citeaudit-works.jsonl.gz", _GOLD, 0.0, _independent),
    Benchmark("CiteAudit real-world, independent", "citeaudit-works.jsonl.gz", _GOLD, 0.0, _realworld),
)
"""Rows whose work is in the index: from any collection, or from one that is independent of the benchmark."""


class Source(NamedTuple):
    """Labelled evidence: rows of one set, with or without the index declared complete."""

    name: str
    weight: float
    """Share of the fit; 0 where the set only measures."""
    rows: list[Row]


def main() -> None:
    """Fit, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True, help="folder with data/ and tools/")
    parser.add_argument("--evidence", type=Path, required=True, help="folder with the evidence files of bench")
    parser.add_argument("--dry", action="store_true", help="measure only, write nothing")
    args = parser.parse_args()
    taken: set[str] = set()
    fitted = _benchmark(args, FITTED, taken)
    held = [source for one in MEASURED for source in _benchmark(args, one, taken)]
    fitted += _made(args.shared / "data/works.jsonl.xz", taken)
    measured = list(_folds(fitted))
    weights = fit([(row, share) for source in fitted for row, share in _shared(source)])
    measured += [measure(source.name, "final model", source.rows, lambda _: weights) for source in held]
    for one in measured:
        figures = f"{one.rows:5d} rows, {one.given:.1%} with a risk, AUROC {one.auroc:.4f}, ECE {one.ece:.4f}"
        sys.stderr.write(f"{one.name:54s} {one.by:15s} {figures}\n")
    if not args.dry:
        _write(weights, fitted, measured)


def _benchmark(args: argparse.Namespace, one: Benchmark, taken: set[str]) -> list[Source]:
    """Read a recorded set: with the declaration that the index is complete, and the same answers without it.

    Titles of a set that is only measured go to `taken`.
    """
    with (args.shared / "data" / one.gold).open(encoding="utf-8") as lines:
        labels = {str(row["id"]): row for row in map(json.loads, lines)}
    rows: dict[bool, list[Row]] = {True: [], False: []}
    for witness in read(args.evidence / one.file):
        label = labels[witness.id]
        if not one.weight and witness.verdict is not None:
            taken.update(_titles(witness.verdict.evidence))
        if one.keep(label):
            for complete, row in zip((True, False), _rows(witness, wrong=not label["real"]), strict=True):
                rows[complete].append(row)
    return [Source(f"{one.name}, {STATES[complete]}", one.weight, rows[complete]) for complete in (True, False)]


def _titles(seen: Evidence) -> set[str]:
    works = (work for lookup in seen.lookups for work in lookup.candidates)
    return {key(title) for title in (seen.reference.title or "", *(work.title for work in works))}


def _rows(witness: Witness, *, wrong: bool) -> tuple[Row, Row]:
    """Give a row under the declaration and without it."""
    if witness.verdict is None:
        unread = Row(witness.id, witness.id, wrong, None)
        return unread, unread
    seen = again(witness.verdict, PLAIN, assume_complete=True).evidence
    return both(witness.id, _group(seen), wrong, seen)


def both(name: str, group: str, wrong: bool, seen: Evidence) -> tuple[Row, Row]:
    """Give a row of evidence as declared complete, and the same without the declaration."""
    declared, open_ = (signs_of(Case(one, PLAIN)) for one in (seen, undeclared(seen)))
    return Row(name, group, wrong, declared), Row(name, group, wrong, open_)


def _group(seen: Evidence) -> str:
    """Give the title of the work: the record's where there is one, because the cited one may be altered."""
    best = seen.candidates[0] if seen.candidates else None
    return key((best.work.title if best and best.anchored else seen.reference.title) or "")


def _made(path: Path, taken: set[str]) -> list[Source]:
    """Make references of works whose titles no set that only measures has, and of no work of the folds twice."""
    rows = [
        both(f"made {number}", one.group, one.wrong, one.evidence)
        for number, one in enumerate(made(works(path, SEED, taken.__contains__), MADE, SEED))
    ]
    return [
        Source(f"Made from records, {STATES[complete]}", WEIGHT, [pair[place] for pair in rows])
        for place, complete in enumerate((True, False))
    ]


def _shared(source: Source) -> Iterator[tuple[Row, float]]:
    """Give each row its share: both classes of a set weigh the same, and the sets as stated."""
    counts = Counter(row.wrong for row in source.rows)
    for row in source.rows:
        yield row, source.weight * ROWS / 2 / counts[row.wrong]


def _fold(row: Row) -> int:
    return int(sha1(row.group.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def _folds(sources: list[Source]) -> Iterator[Measured]:
    """Measure each set on folds that hold no title of the rows that were fitted."""
    by_fold = []
    for fold in range(FOLDS):
        rest = [source._replace(rows=[row for row in source.rows if _fold(row) != fold]) for source in sources]
        by_fold.append(fit([item for source in rest for item in _shared(source)]))
    for source in sources:
        yield measure(source.name, "held-out folds", source.rows, lambda row: by_fold[_fold(row)])


def _write(weights: Weights, fitted: list[Source], measured: list[Measured]) -> None:
    sets = tuple(f"{source.name}: {len(source.rows)} rows" for source in fitted)
    trained = datetime.now(UTC).date().isoformat()
    model = calibrated.Model(format=calibrated.FORMAT, trained=trained, rules=RULES_VERSION, sets=sets, weights=weights)
    (ROOT / "citeaudit/policy" / calibrated.FILE).write_text(f"{model.model_dump_json(indent=1)}\n", encoding="utf-8")
    card = ROOT / "docs/models/risk.md"
    card.write_text(page(card.read_text(encoding="utf-8"), model, measured), encoding="utf-8")
    card.with_suffix(".svg").write_text(plot(measured), encoding="utf-8")


if __name__ == "__main__":
    main()
