"""Measure the field reader on labelled reference strings.

Usage: ``python benchmarks/fields.py refstrings.jsonl [--half even|odd|all] [--limit N] [--misses N --source S]``

Each line of the file holds `raw`, `title`, `authors`, `year`, `source`. The halves are split by the SHA-1 of
`raw`: even ones are for tuning, odd ones for reporting. A title is right at a rapidfuzz token_sort_ratio of
96 or more, or where the label and the reading both have none.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from rapidfuzz.fuzz import token_sort_ratio

from citeaudit.extract.fields.reader import read_fields
from citeaudit.model.reference import Reference
from citeaudit.text.normalize import fold

TITLE_RIGHT = 96
FAMILY_SPAN = 40


def is_even(raw: str) -> bool:
    """Whether a string belongs to the half for tuning."""
    return int(hashlib.sha1(raw.encode()).hexdigest(), 16) % 2 == 0  # noqa: S324 - a split, not a secret


def title_right(reference: Reference, row: dict[str, Any]) -> bool:
    """Whether the title is the labelled one."""
    if not row["title"]:
        return reference.title is None
    return token_sort_ratio(fold(reference.title or ""), fold(row["title"])) >= TITLE_RIGHT


def family_right(reference: Reference, row: dict[str, Any]) -> bool:
    """Whether the first author's family name stands at the start of the labelled list."""
    if not row["authors"]:
        return not reference.authors
    if not reference.authors:
        return False
    first = reference.authors[0]
    label = fold(re.sub(r"^\W*\d+\W*", "", row["authors"][0]))[:FAMILY_SPAN]
    return fold(first.family or first.literal or "?")[:FAMILY_SPAN] in label


def year_right(reference: Reference, row: dict[str, Any]) -> bool:
    """Whether the year is the labelled one, or none where none is labelled."""
    label = re.search(r"\d{4}", str(row["year"] or ""))
    return reference.year == (int(label.group()) if label else None)


def main() -> None:
    """Read, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--half", choices=("even", "odd", "all"), default="odd")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--source", default="")
    parser.add_argument("--misses", type=int, default=0)
    options = parser.parse_args()
    counts: dict[str, list[int]] = defaultdict(lambda: [0] * 6)
    started = time.perf_counter()
    for line in options.path.open(encoding="utf-8"):
        row = json.loads(line)
        if options.half != "all" and is_even(row["raw"]) != (options.half == "even"):
            continue
        if not row["source"].startswith(options.source) or (options.limit and counts["all"][0] >= options.limit):
            continue
        reference = read_fields(row["raw"])
        right = (title_right(reference, row), family_right(reference, row), year_right(reference, row))
        sure = reference.parse_score >= 0.8  # noqa: PLR2004 - the promise of `parse_score`
        for name in (row["source"], "all"):
            for place, value in enumerate((True, *right, sure, sure and right[0])):
                counts[name][place] += value
        if options.misses and not all(right[:2]):
            options.misses -= 1
            print(f"R {row['raw'][:260]}\n  gold {row['title']} | {row['authors'][:2]} | {row['year']}")
            people = [str(person) for person in reference.authors][:3]
            print(f"  read {reference.title} | {people} | {reference.year} | {reference.parse_score}")
    seconds = time.perf_counter() - started
    print(f"{'source':28}{'n':>7}{'title':>8}{'family':>8}{'year':>8}{'sure':>8}{'title of sure':>15}")
    for name, (total, title, family, year, sure, both) in sorted(counts.items(), key=lambda item: -item[1][0]):
        shares = "".join(f"{100 * value / total:8.1f}" for value in (title, family, year, sure))
        print(f"{name:28}{total:7}{shares}{100 * both / max(1, sure):15.1f}")
    print(f"{1000 * seconds / max(1, counts['all'][0]):.2f} ms a string")


if __name__ == "__main__":
    main()
