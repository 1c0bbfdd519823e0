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
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from rapidfuzz.fuzz import token_sort_ratio

from citeaudit.extract.fields.reader import read_fields
from citeaudit.model.reference import Reference
from citeaudit.text.normalize import fold

TITLE_RIGHT = 96
SURE = 0.8
"""A `parse_score` whose readings are counted apart; see `calibrate_score.py` for all of them."""
FAMILY_SPAN = 40


def is_even(raw: str) -> bool:
    """Whether a string belongs to the half for tuning."""
    return int(hashlib.sha1(raw.encode()).hexdigest(), 16) % 2 == 0  # noqa: S324 - a split, not a secret


def normal(text: str | None) -> str:
    """Give the text as the scorer of extraction compares it: no accents, marks as spaces, broken words closed."""
    apart = unicodedata.normalize("NFKD", text or "")
    plain = (
        "".join(char for char in apart if not unicodedata.combining(char)).lower().replace("ß", "ss").replace("ı", "i")
    )
    plain = re.sub(r"(?<=\w)-\s+(?=\w)", "", re.sub(r"</?(?:italic|bold)>", "", plain))
    return " ".join("".join(char if char.isalnum() else " " for char in plain).split())


def title_right(reference: Reference, row: dict[str, Any]) -> bool:
    """Whether the title is the labelled one."""
    if not row["title"]:
        return reference.title is None
    return token_sort_ratio(normal(reference.title), normal(row["title"])) >= TITLE_RIGHT


def family_right(reference: Reference, row: dict[str, Any]) -> bool:
    """Whether the first author's family name stands at the start of the labelled list, which is not empty."""
    if not reference.authors:
        return False
    first = reference.authors[0]
    label = fold(re.sub(r"^\W*\d+\W*", "", row["authors"][0]))[:FAMILY_SPAN]
    return fold(first.family or first.literal or "?")[:FAMILY_SPAN] in label


def year_right(reference: Reference, row: dict[str, Any]) -> bool:
    """Whether the year is the labelled one."""
    return str(reference.year) in re.findall(r"\d{4}", str(row["year"]))


def main() -> None:
    """Read, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--half", choices=("even", "odd", "all"), default="odd")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--source", default="")
    parser.add_argument("--misses", type=int, default=0)
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seconds = 0.0
    for line in options.path.open(encoding="utf-8"):
        row = json.loads(line)
        if options.half != "all" and is_even(row["raw"]) != (options.half == "even"):
            continue
        if not row["source"].startswith(options.source) or (options.limit and counts["all"]["n"] >= options.limit):
            continue
        started = time.process_time()
        reference = read_fields(row["raw"])
        seconds += time.process_time() - started
        for name in (row["source"], "all"):
            counts[name].update(_told(reference, row))
        if options.misses and not (
            title_right(reference, row) and (family_right(reference, row) or not row["authors"])
        ):
            options.misses -= 1
            print(f"R {row['raw'][:260]}\n  gold {row['title']} | {row['authors'][:2]} | {row['year']}")
            people = [str(person) for person in reference.authors][:3]
            print(f"  read {reference.title} | {people} | {reference.year} | {reference.parse_score}")
    _table(counts)
    print(f"{1000 * seconds / max(1, counts['all']['n']):.2f} ms of processor time a string")


def _told(reference: Reference, row: dict[str, Any]) -> dict[str, int]:
    """Count what is right; authors and years only where they are labelled, as the scorer of extraction does."""
    title, sure = title_right(reference, row), reference.parse_score >= SURE
    named, dated = bool(row["authors"]), bool(re.search(r"\d{4}", str(row["year"] or "")))
    return {
        "n": 1,
        "title": title,
        "named": named,
        "family": named and family_right(reference, row),
        "dated": dated,
        "year": dated and year_right(reference, row),
        "sure": sure,
        "both": sure and title,
        "untitled": not row["title"],
        "none": not row["title"] and reference.title is None,
    }


def _table(counts: dict[str, Counter[str]]) -> None:
    print(
        f"{'source':26}{'n':>7}{'title':>8}{'family':>8}{'year':>8}{'sure':>8}{'title of sure':>15}"
        f"{'none of untitled':>18}"
    )
    shares = (("title", "n", 8), ("family", "named", 8), ("year", "dated", 8), ("sure", "n", 8), ("both", "sure", 15))
    for name, told in sorted(counts.items(), key=lambda item: -item[1]["n"]):
        row = "".join(
            f"{100 * told[part] / max(1, told[of]):{width}.1f}"
            for part, of, width in (*shares, ("none", "untitled", 18))
        )
        print(f"{name:26}{told['n']:7}{row}")


if __name__ == "__main__":
    main()
