"""Score what is read from the proving ground, per PDF and in all.

Run as `python benchmarks/proving/score.py OUT --half dev`. A gold reference is
found where, one to one, a reference that was read has its title (token sort 90), or its words hold the gold title and
year; gold without a printed title by the likeness of the words, or by first author and year. Gold that is not surely
printed counts neither way. Other predictions in the scorer's form can be scored with `--predictions FILE`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz

from citeaudit.bench.extraction import run

Row = dict[str, object]
FOUND_TITLE, RIGHT_TITLE, IN_RAW, RAW_ALIKE = 90, 96, 90, 85
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def _words(text: object) -> str:
    plain = unicodedata.normalize("NFKD", str(text or ""))
    plain = (
        "".join(char for char in plain if not unicodedata.combining(char)).lower().replace("ß", "ss").replace("ı", "i")
    )
    plain = re.sub(r"(?<=\w)-\s+(?=\w)", "", plain)
    return " ".join("".join(char if char.isalnum() else " " for char in plain).split())


def _letters(text: object) -> str:
    return _words(text).replace(" ", "")


def _year(row: Row) -> str | None:
    found = _YEAR.search(str(row.get("year") or ""))
    return found[0] if found else None


def _first(row: Row) -> str:
    authors = row.get("authors")
    return _letters(authors[0]) if isinstance(authors, list) and authors else ""


@dataclass
class Gold:
    """A reference that is printed."""

    row: Row
    title: str = ""
    letters: str = ""
    raw: str = ""

    @classmethod
    def of(cls, row: Row) -> Gold:
        """Fold what is compared; a title that is not printed is none."""
        shown = row.get("title") if row.get("title_in_pdf", True) else ""
        return cls(row, _words(shown), _letters(shown), _words(row.get("raw")))


@dataclass
class Read:
    """A reference that was read."""

    row: Row
    title: str
    raw: str
    letters: str
    printed: str


@dataclass
class Score:
    """Counts of one PDF."""

    name: str
    kind: str
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def f1(self) -> float:
        """Give the harmonic mean of recall and precision, 0 to 1."""
        found, gold, read = self.counts["found"], self.counts["gold"], self.counts["read_effective"]
        return 2 * found / (gold + read) if gold + read else 0.0


class Match(NamedTuple):
    """A gold reference against one that was read."""

    weight: float
    gold: int
    read: int


def _reads(rows: Iterable[Row], golds: Sequence[Gold]) -> list[Read]:
    """Fold what was read; a text that holds many references at once, or one that returns, tells nothing."""
    seen: set[str] = set()
    made: list[Read] = []
    for row in rows:
        letters = _letters(row.get("raw"))
        held = sum(len(gold.letters) >= 20 and gold.letters in letters for gold in golds)  # noqa: PLR2004
        empty = held >= 4 or (held >= 2 and letters in seen) or len(letters) > 3_000  # noqa: PLR2004
        seen.add(letters)
        raw = "" if empty else str(row.get("raw") or "")
        made.append(Read(row, _words(row.get("title")), _words(raw), "" if empty else letters, raw))
    return made


def _titled(gold: Gold, read: Read) -> float:
    alike = fuzz.token_sort_ratio(gold.title, read.title) if read.title else 0
    if alike >= FOUND_TITLE:
        return alike
    year = gold.row.get("year")
    dated = not year or str(year) in read.printed or year == _year(read.row)
    if read.letters and len(gold.letters) >= 8 and dated and len(gold.letters) <= 1.1 * len(read.letters):  # noqa: PLR2004
        alike = 100 if gold.letters in read.letters else fuzz.partial_ratio(gold.letters, read.letters)
        return alike - 30 if alike >= IN_RAW else 0
    return 0


def _untitled(gold: Gold, read: Read) -> float:
    if gold.raw and read.raw and len(gold.raw) >= 15:  # noqa: PLR2004
        alike = fuzz.ratio(gold.raw, read.raw)
        if alike >= 70:  # noqa: PLR2004
            return alike
        alike = fuzz.partial_ratio(gold.raw, read.raw)
        if alike >= RAW_ALIKE:
            return alike * 0.9
    first, year = _first(gold.row), gold.row.get("year")
    if first and year and first in read.letters[:120] and str(year) in read.printed:
        venue = _letters(gold.row.get("venue"))[:6]
        return 75 if venue and venue in read.letters else 60
    return 0


def _pairs(golds: Sequence[Gold], reads: Sequence[Read]) -> dict[int, int]:
    found: list[Match] = []
    for place, gold in enumerate(golds):
        for other, read in enumerate(reads):
            weight = _titled(gold, read) if gold.title else _untitled(gold, read)
            if weight:
                weight -= 5 if gold.row.get("uncertain") else 0
                weight += bool(gold.row.get("year")) and gold.row["year"] == _year(read.row)
                weight += bool(_first(gold.row)) and _first(gold.row) in read.letters[:80]
                found.append(Match(weight, place, other))
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for match in sorted(found, key=lambda one: -one.weight):
        if match.gold not in chosen and match.read not in taken:
            chosen[match.gold] = match.read
            taken.add(match.read)
    return chosen


def _same_author(gold: str, read: str) -> bool:
    near = read.startswith(gold) or read.endswith(gold) or (len(read) >= 4 and read in gold)  # noqa: PLR2004
    return bool(read) and near and len(read) <= len(gold) + 12


def _doi(value: object) -> str | None:
    found = re.search(r"10\.\d{4,9}/\S+", str(value or "").lower())
    return found[0].rstrip(".,;)") if found else None


def score(name: str, kind: str, gold_rows: Sequence[Row], read_rows: Sequence[Row]) -> Score:
    """Count what is right in one PDF."""
    golds = [Gold.of(row) for row in gold_rows]
    reads = _reads(read_rows, golds)
    pairs = _pairs(golds, reads)
    known = {_doi(row["doi"]) for row in gold_rows if row.get("doi")}
    told = Score(name, kind)
    counts = told.counts
    counts["read"] = len(reads)
    counts["read_effective"] = len(reads) - sum(bool(golds[one].row.get("uncertain")) for one in pairs)
    counts["merged"] = sum(
        sum(len(gold.letters) >= 20 and gold.letters in read.letters for gold in golds) >= 2  # noqa: PLR2004
        for read in reads
    )
    for place, gold in enumerate(golds):
        if not gold.row.get("uncertain"):
            counts["gold"] += 1
            _count(counts, gold, reads[pairs[place]] if place in pairs else None, known)
    return told


def _count(counts: Counter[str], gold: Gold, read: Read | None, known: set[str | None]) -> None:
    own = _doi(gold.row.get("doi"))
    counts["title_n"] += bool(gold.title)
    counts["doi_n"] += bool(own and gold.row.get("doi_in_pdf"))
    if read is None:
        return
    counts["found"] += 1
    told = _doi(read.row.get("doi"))
    if gold.title:
        exact = _letters(read.row.get("title")) == gold.letters
        counts["title"] += exact or fuzz.token_sort_ratio(gold.title, read.title) >= RIGHT_TITLE
    if _first(gold.row):
        counts["author_n"] += 1
        counts["author"] += _same_author(_first(gold.row), _first(read.row))
    if gold.row.get("year"):
        counts["year_n"] += 1
        counts["year"] += _year(read.row) == gold.row["year"]
    counts["doi"] += bool(own and gold.row.get("doi_in_pdf") and told == own)
    counts["doi_wrong"] += bool(told and told != own and (own or told in known))


def _share(counts: Counter[str], part: str, whole: str) -> str:
    return f"{100 * counts[part] / counts[whole]:5.1f}" if counts[whole] else "    -"


def _line(name: str, told: Sequence[Score]) -> str:
    counts: Counter[str] = Counter()
    for one in told:
        counts.update(one.counts)
    macro = 100 * sum(one.f1 for one in told) / len(told)
    return (
        f"{name:24s} gold {counts['gold']:5d} read {counts['read']:5d} found {counts['found']:5d} F1 {macro:5.1f} "
        f"title {_share(counts, 'title', 'title_n')} author {_share(counts, 'author', 'author_n')} "
        f"year {_share(counts, 'year', 'year_n')} doi {_share(counts, 'doi', 'doi_n')} "
        f"wrong {counts['doi_wrong']:3d} merged {counts['merged']:3d}"
    )


def main() -> int:
    """Read one half, score it, print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("dev", "heldout"), default="dev")
    parser.add_argument("--predictions", type=Path, help="score these instead of reading the PDFs")
    parser.add_argument("--totals", action="store_true", help="leave out the rows of single PDFs")
    asked = parser.parse_args()
    folder = asked.out / asked.half
    file = asked.predictions or folder / "predictions.json"
    if asked.predictions is None:
        run(str(folder / "pdfs"), str(file))
    read = json.loads(file.read_text("utf-8"))["pdfs"]
    told: list[Score] = []
    for row in json.loads((folder / "manifest.json").read_text("utf-8")):
        gold = json.loads((folder / row["gold"]).read_text("utf-8"))
        told.append(score(row["id"], row["kind"], gold, read.get(row["id"], {}).get("refs", [])))
    if not asked.totals:
        print("\n".join(_line(one.name, [one]) for one in sorted(told, key=lambda one: one.f1)))
    kinds: defaultdict[str, list[Score]] = defaultdict(list)
    for one in told:
        kinds[one.kind].append(one)
    print("\n".join(_line(f"= {kind} ({len(kinds[kind])})", kinds[kind]) for kind in sorted(kinds)))
    print(_line(f"= {asked.half} ({len(told)})", told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
