"""Check that every record of the starter index is found in collections of real records.

A record is found where another has the same folded title, a surname in common, and a year within one. It passes
with one such record in the large collection, `works.jsonl.xz`, or with one in each of two smaller ones: answers
of services, exchanges recorded with them, reference lists of papers, labelled reference strings.

    python benchmarks/check_starter.py --shared DIR     exit code 0 where every record passes, 1 otherwise
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from citeaudit.index.dumps.jsonl import parse
from citeaudit.index.store.record import Record
from citeaudit.index.store.works import surnames_of
from citeaudit.text.normalize import fold, key, plain

STARTER = Path(__file__).resolve().parents[1] / "datasets" / "starter" / "works.jsonl"
LARGE = "works.jsonl.xz"
NEEDED = 2
"""Smaller collections that must agree where the large one lacks a work."""

_MARK = re.compile(r"^(?:retracted|withdrawn)(?: article)?\s?:\s*", re.IGNORECASE)
_TITLE = '"title":"'
_NOT_LETTER = re.compile(r"[^a-z0-9]")
_START = 10
"""Letters of a title that are compared before a line of the large collection is read in full."""


class Seen(NamedTuple):
    """A record somewhere else: the collection, the title as printed, words of its authors, its year."""

    collection: str
    title: str
    names: frozenset[str]
    year: int | None


def evidence(records: Iterable[Record], shared: Path) -> dict[str, tuple[str, ...]]:
    """Give, by record id, the collections in which the work is found, sorted.

    Args:
        records: Of the starter index.
        shared: Folder that holds the folder `data`.
    """
    wanted: dict[str, list[Record]] = {}
    for record in records:
        wanted.setdefault(key(record.title), []).append(record)
    found: dict[str, set[str]] = {str(record.id): set() for group in wanted.values() for record in group}
    starts = {title[:_START] for title in wanted}
    data = shared / "data"
    for seen in (*_large(data / LARGE, wanted, starts), *_small(data)):
        for record in wanted.get(key(_MARK.sub("", seen.title)), ()):
            near = record.year is None or (seen.year is not None and abs(record.year - seen.year) <= 1)
            if near and surnames_of(record) & seen.names:
                found[str(record.id)].add(seen.collection)
    return {name: tuple(sorted(places)) for name, places in found.items()}


def passes(places: tuple[str, ...]) -> bool:
    """Whether what was found is enough."""
    return LARGE in places or len(places) >= NEEDED


def read_starter(path: Path = STARTER) -> list[Record]:
    """Give the records of the starter index."""
    return [parse(line) for line in path.read_bytes().splitlines()]


def _names(parts: Iterable[object]) -> frozenset[str]:
    return frozenset(word for part in parts for word in fold(str(part)).split() if len(word) > 1)


def _surname(name: dict[str, str]) -> str:
    """Give the surname, also where it was swapped with an initial (`G`, `Hardin`)."""
    family = name.get("family") or name.get("literal") or ""
    return family if len(family) > 1 else name.get("given") or ""


def _year(value: object) -> int | None:
    match = re.search(r"\d{4}", str(value or ""))
    return int(match.group()) if match else None


def _large(path: Path, wanted: Container[str], starts: set[str]) -> Iterator[Seen]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            begin = line.find(_TITLE) + len(_TITLE)
            text = line[begin : min(line.find('"', begin), begin + 60)].lower()
            if text.startswith(("retracted", "withdrawn")):
                text = _MARK.sub("", text)
            if text.isascii() and "\\" not in text and _NOT_LETTER.sub("", text)[:_START] not in starts:
                continue
            row = json.loads(line)
            if key(_MARK.sub("", row["title"])) not in wanted:
                continue
            names = _names(_surname(name) for name in row["authors"])
            yield Seen(LARGE, row["title"], names, _year(row.get("year")))


def _small(data: Path) -> Iterator[Seen]:
    for path in sorted((data / "gold").glob("*.json")):
        for row in json.loads(path.read_text(encoding="utf-8")):
            yield from _plain_row(f"gold/{path.name}", row)
    for row in _rows(data / "refstrings.jsonl"):
        yield from _plain_row("refstrings.jsonl", row)
    for path in sorted((data / "services").glob("*.jsonl")):
        for row in _rows(path):
            yield from _service(f"services/{path.name}", row)
    for path in sorted((data / "services" / "recorded").glob("*.jsonl")):
        for row in _rows(path):
            yield from _recorded(f"services/recorded/{path.name}", row)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _plain_row(collection: str, row: dict[str, Any]) -> Iterator[Seen]:
    if row.get("title"):
        yield Seen(collection, row["title"], _names(row.get("authors") or ()), _year(row.get("year")))


def _recorded(collection: str, row: dict[str, Any]) -> Iterator[Seen]:
    body = (row.get("response") or {}).get("body")
    try:
        answer = json.loads(body) if isinstance(body, str) else body
    except json.JSONDecodeError:
        return
    stack = [answer]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            yield from _service(collection, item)
            stack.extend(value for value in item.values() if isinstance(value, (dict, list)))


def _service(collection: str, row: dict[str, Any]) -> Iterator[Seen]:
    row = row.get("info") or row
    title = row.get("title")
    if isinstance(title, list):
        title = title[0] if title else None
    if not isinstance(title, str):
        return
    year = row.get("year") or row.get("publication_year")
    if year is None and isinstance(row.get("issued"), dict):
        year = str(row["issued"].get("date-parts"))
    people = row.get("author") or row.get("authors") or row.get("authorships") or ()
    if isinstance(people, dict):
        people = people.get("author") or ()
    yield Seen(collection, plain(title), _names(_strings(people)), _year(year))


def _strings(item: object) -> Iterator[str]:
    if isinstance(item, str):
        yield item
    elif isinstance(item, dict):
        for name in ("family", "name", "display_name", "text", "author"):
            yield from _strings(item.get(name))
    elif isinstance(item, (list, tuple)):
        for part in item:
            yield from _strings(part)


def main() -> int:
    """Print what each record rests on, and the records that rest on too little."""
    parser = argparse.ArgumentParser(description="Check the starter index against collections of real records.")
    parser.add_argument("--shared", type=Path, required=True, help="folder that holds the folder `data`")
    parser.add_argument("--records", type=Path, default=STARTER, help="the starter index, as JSON lines")
    options = parser.parse_args()
    found = evidence(read_starter(options.records), options.shared)
    short = [name for name, places in found.items() if not passes(places)]
    for name, places in sorted(found.items()):
        print(f"{'ok ' if passes(places) else 'NOT'} {name}: {', '.join(places) or 'nothing'}")
    print(f"{len(found) - len(short)} of {len(found)} records verified")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
