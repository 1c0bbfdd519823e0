"""Measure how often two transcriptions of one work seem to name different venues.

Reads records as JSON lines (`.jsonl` or `.jsonl.xz`: title, authors, year, venue, doi, arxiv_id, src), pairs those of
different collections that share a DOI, an arXiv id, or title and family names of all authors, and compares their
venues. Half A (by the hash of the title) may be read; of half B only totals are shown.

    python benchmarks/venue_pairs.py ../shared/data/works.jsonl.xz --half A --show 40
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import sha1
from itertools import combinations
from pathlib import Path
from typing import Any

from citeaudit.match.venues import venue_rule
from citeaudit.text.normalize import key

_Record = dict[str, Any]


def read(path: Path) -> Iterator[_Record]:
    """Give the records that have a title and a venue."""
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record.get("venue") and record.get("title"):
                yield record


def half(record: _Record) -> str:
    """Give the half, `A` or `B`, by the hash of the title's letters."""
    return "AB"[int(sha1(key(record["title"]).encode(), usedforsecurity=False).hexdigest(), 16) % 2]


def _names(record: _Record) -> tuple[str, ...]:
    return tuple(key(person.get("family") or person.get("literal") or "") for person in record.get("authors") or ())


def groups(records: Iterator[_Record]) -> Iterator[list[_Record]]:
    """Give the records of one work: one identifier, or one title, authors and year."""
    found: dict[tuple[str, ...], list[_Record]] = defaultdict(list)
    for record in records:
        slim = {name: record.get(name) for name in ("title", "venue", "src")}
        names = _names(record)
        if record.get("doi"):
            found["doi", record["doi"].lower()].append(slim)
        elif names and record.get("year"):
            found["words", key(record["title"]), str(record["year"]), *names].append(slim)
    yield from (items for items in found.values() if len(items) > 1)


def main() -> None:
    """Count the rules over pairs and print the commonest differing ones of half A."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path)
    parser.add_argument("--half", default="A", choices=["A", "B"])
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    pairs: Counter[tuple[str, str]] = Counter()
    for items in groups(record for record in read(options.records) if half(record) == options.half):
        for one, two in combinations(items, 2):
            if one["src"] != two["src"]:
                pairs[min(one["venue"], two["venue"]), max(one["venue"], two["venue"])] += 1
    rules: Counter[str] = Counter()
    for names, count in pairs.items():
        rules[venue_rule(*names)] += count
    total = sum(rules.values())
    print(f"{total} pairs", {name: f"{count} ({count / total:.2%})" for name, count in rules.most_common()})
    if options.half == "A" and options.show:
        differing = [(pair, count) for pair, count in pairs.most_common() if venue_rule(*pair) == "venue_differs"]
        for names, count in differing[: options.show]:
            print(f"{count:6d}  {'  |  '.join(names)}")


if __name__ == "__main__":
    main()
