"""Measure the author rule on independent transcriptions of one work, and print a Markdown table.

    python benchmarks/author_pairs.py WORKS.jsonl[.xz] [--half A|B|all] [--show RULE|all] [-n 40]

WORKS has one record a line: `title`, `authors` ([{family, given} or {literal}]), `year`, `venue`, `doi`, `arxiv_id`,
`src` (the collection; `a+b` for a merged record). Two records are a pair if no collection has both, and

- `identifier`: they have a DOI or an arXiv id in common, whatever their titles are; or
- `venue`: they have the same folded title of at least four words and 20 letters, years at most one apart, and the
  same folded venue; or
- `words`: likewise, but instead of the venue at least half of the folded words of the shorter list of names (three
  letters and more, in any order) are words of the other. Such pairs were chosen by names, though not by the rule, so
  they are shown apart.

Pairs of an arXiv record and a publication are two versions of a work, between which authors come and go, rather than
transcriptions of one list: they are `versions` whatever joined them. Where one list is a single name that runs the
last author and the first together, as one collection prints them, the pair is `run together`: little is compared.

A record of one collection stands for the citation, the other for the record; which is which is drawn by the hash of
the title. At most two pairs of one title are taken. Pairs with `bib`, a collection that lost its diacritics, are shown
apart. Titles are split into halves A and B by their hash: conflicts of half A may be read, of B only the totals.
Nothing is tuned here, and some pairs are wrong data or two works of one title: they stay in.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from citeaudit.match.people import compare_people
from citeaudit.match.rules import RULES
from citeaudit.model import Person, Reference, Relation, Work
from citeaudit.text.folding import folded

MIN_WORDS, MIN_LETTERS = 4, 20
"""Least length of a title that joins two records."""
MOST_RECORDS = 12
"""Records of one title beyond which it is a heading of many works."""
MOST_PAIRS = 2
TWO_NAMES = 4
"""Words from which a single name may be two people's."""
LOST = "bib"
"""The collection that lost diacritics."""

Row = dict[str, Any]


class Pair(NamedTuple):
    """Two records of one work."""

    join: str
    title: str
    cited: Row
    found: Row

    @property
    def lost(self) -> bool:
        """Whether one side lost its diacritics."""
        return any(LOST in row["src"].split("+") for row in (self.cited, self.found))

    @property
    def half(self) -> str:
        """`A` or `B`."""
        return "AB"[_hash(self.title) % 2]


def _hash(text: str) -> int:
    return int(hashlib.sha256(text.replace(" ", "").encode()).hexdigest(), 16)


def read(path: Path) -> list[Row]:
    """Give the records that have authors and a title."""
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as lines:
        rows = (json.loads(line) for line in lines if line.strip())
        return [row for row in rows if row.get("authors") and row.get("title") and row.get("src")]


def pairs_of(rows: Iterable[Row]) -> Iterator[Pair]:
    """Give the pairs, those by identifier first; no two records are paired twice."""
    by_id: dict[str, list[Row]] = defaultdict(list)
    by_title: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        for key in _ids(row):
            by_id[key].append(row)
        by_title[folded(row["title"])].append(row)
    taken: set[tuple[int, int]] = set()
    seen: Counter[str] = Counter()
    for group in by_id.values():
        for one, two in _apart(group):
            yield from _pair("identifier", one, two, taken, seen)
    for title, group in by_title.items():
        if len(title.split()) < MIN_WORDS or len(title) < MIN_LETTERS:
            continue
        for one, two in _apart(group):
            join = _join(one, two)
            if join:
                yield from _pair(join, one, two, taken, seen)


def _ids(row: Row) -> list[str]:
    doi, arxiv = (row.get("doi") or "").lower(), (row.get("arxiv_id") or "").lower().partition("v")[0]
    return [f"doi:{doi}"] * bool(doi) + [f"arxiv:{arxiv}"] * bool(arxiv)


def _apart(group: list[Row]) -> Iterator[tuple[Row, Row]]:
    if len(group) <= MOST_RECORDS:
        for one, two in combinations(group, 2):
            if not set(one["src"].split("+")) & set(two["src"].split("+")):
                yield one, two


def _join(one: Row, two: Row) -> str | None:
    if not one.get("year") or not two.get("year") or abs(one["year"] - two["year"]) > 1:
        return None
    if folded(one.get("venue") or "") == folded(two.get("venue") or "") != "":
        return "venue"
    left, right = _name_words(one), _name_words(two)
    least = min(len(left), len(right))
    return "words" if least and len(left & right) * 2 >= least else None


def _name_words(row: Row) -> set[str]:
    texts = (" ".join(str(part) for part in name.values() if part) for name in row["authors"])
    return {word for text in texts for word in folded(text).split() if len(word) > 2}  # noqa: PLR2004 - no initials


def _pair(join: str, one: Row, two: Row, taken: set[tuple[int, int]], seen: Counter[str]) -> Iterator[Pair]:
    title = folded(one["title"])
    key = (id(one), id(two)) if id(one) < id(two) else (id(two), id(one))
    if key in taken or seen[title] >= MOST_PAIRS:
        return
    taken.add(key)
    seen[title] += 1
    first, second = sorted((one, two), key=lambda row: row["src"])
    cited, found = (first, second) if _hash(title) // 2 % 2 else (second, first)
    versions = ("arxiv" in (one["src"], two["src"])) and (join == "words" or one.get("venue") != two.get("venue"))
    kind = "versions" if versions else "run together" if _run_together(one, two) else join
    yield Pair(kind, title, cited, found)


def _run_together(one: Row, two: Row) -> bool:
    short, long = sorted((people(one), people(two)), key=len)
    return len(short) == 1 < len(long) and len(str(short[0]).split()) >= TWO_NAMES


def people(row: Row) -> tuple[Person, ...]:
    """Give the names of a record."""
    names = ({key: name[key] for key in ("family", "given", "literal") if name.get(key)} for name in row["authors"])
    return tuple(Person(**name) for name in names if name)


def rule_of(pair: Pair) -> tuple[str, tuple[str, ...]]:
    """Give the rule that compares the two lists, and what differs."""
    reference = Reference(raw=pair.title, title=pair.cited["title"], authors=people(pair.cited))
    work = Work(source="pairs", source_id="1", title=pair.found["title"], authors=people(pair.found))
    result = compare_people(reference, work)
    return result.rule, result.differences


def main() -> None:
    """Compare every pair and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("works", type=Path)
    parser.add_argument("--half", choices=("A", "B", "all"), default="all")
    parser.add_argument("--show", help="print conflicts of half A under this rule, or under all")
    parser.add_argument("-n", type=int, default=40, help="conflicts to print at most")
    arguments = parser.parse_args()
    counts: dict[tuple[str, bool, str], Counter[str]] = defaultdict(Counter)
    left = arguments.n
    for pair in pairs_of(read(arguments.works)):
        if arguments.half not in ("all", pair.half):
            continue
        rule, differences = rule_of(pair)
        counts[pair.join, pair.lost, pair.half][rule] += 1
        wanted = RULES[rule].relation is Relation.DIFFERENT if arguments.show == "all" else rule == arguments.show
        if wanted and pair.half == "A" and left > 0:
            left -= 1
            _show(pair, rule, differences)
    _table(counts)


def _show(pair: Pair, rule: str, differences: tuple[str, ...]) -> None:
    print(f"- {rule} ({pair.join}): {pair.title[:90]}")
    for row in (pair.cited, pair.found):
        print(f"    {row['src']} {row.get('year')}: {'; '.join(str(person) for person in people(row))[:400]}")
    print(f"    {list(differences)[:6]}")


def _table(counts: dict[tuple[str, bool, str], Counter[str]]) -> None:
    print("\n| pairs by | bib | half | pairs | DIFFERENT | share | by rule |")
    print("| --- | --- | --- | ---: | ---: | ---: | --- |")
    rows = [((join, lost, half), counts[join, lost, half]) for join, lost, half in sorted(counts)]
    for lost in (False, True):
        for half in sorted({key[2] for key in counts}):
            whole = sum((count for key, count in rows if key[1:] == (lost, half)), Counter())
            rows.append((("all", lost, half), whole))
        rows.append((("all", lost, "both"), sum((count for key, count in rows if key[:2] == ("all", lost)), Counter())))
    for (join, lost, half), count in rows:
        total = sum(count.values())
        bad = {rule: n for rule, n in count.most_common() if RULES[rule].relation is Relation.DIFFERENT}
        share = 100 * sum(bad.values()) / max(1, total)
        shown = ", ".join(f"{rule} {n}" for rule, n in bad.items())
        with_bib = "with" if lost else "without"
        print(f"| {join} | {with_bib} | {half} | {total:,} | {sum(bad.values())} | {share:.2f} % | {shown} |")


if __name__ == "__main__":
    main()
