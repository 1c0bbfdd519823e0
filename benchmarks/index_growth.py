"""What sizes that were measured let one expect of sizes that were not, with what it rests on."""

from __future__ import annotations

import math
import statistics
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import index_records as records
import orjson
from index_queries import Asked

from citeaudit.index.store.terms import surname_terms
from citeaudit.text.normalize import fold

WANTED = (("160 M (Crossref)", 160_000_000), ("250 M (OpenAlex)", 250_000_000))
"""Sizes that are estimated."""

SHARD = 5_000_000
"""Records of the largest index that was measured: shards of this size are no extrapolation."""

RARE = 8
"""Rarest words that are looked up."""

CORES = 8
"""Of the machine that asks all shards."""

READ_MS = 0.1
"""A page read at random from a solid-state disk; an assumption, not measured."""

READS = 60
"""Pages that a question by words reads where nothing is in memory: 50 records, and the beginnings of eight lists."""


SAID = """
Straight lines through {sizes} sizes from {points[0].records:,} to {largest:,} records; as a power law the size grows
with exponent {lines[0].power:.2f}, the build with {lines[1].power:.2f}, p50 with {lines[2].power:.2f}, p99 with
{lines[3].power:.2f}. Nothing above {largest:,} was measured. It rests on this:

- A damaged question costs {lines[2].base:.2f} ms, and then in proportion to the lists of its eight rarest words: in
{listed:,} records {entries[0]:,.0f} entries together in the median, {entries[1]:,} in one of a hundred; {cost:.0f} ns
an entry by the slope. Recombined records bring no new words, so that the lists grow in proportion; those of a real
collection grow more slowly.

- Identifiers and whole titles are found by their key, in a tree that is a level deeper at 250 M: their time hardly
grows, and clean references never reach the lists.

- All was in memory. At {lines[0].slope:.0f} bytes a record, 160 M are {gigabytes:.0f} GB; where they do not fit, a
question reads about {reads[0]} pages at random, {reads[1]} ms each from a solid-state disk (assumed), and many times
that from a turning one.

- The build is bound by its processes ({cores} cores here) until the trees of the keys outgrow memory; from there on by
the disk, which was not measured. Parts built apart and merged avoid that.

- Shards are asked side by side, and the slowest tells when the answer is there: their p99 counts, not their p50.
"""
"""What the estimate rests on; filled in by `estimate`."""


class Point(NamedTuple):
    """What was measured at one size."""

    records: int
    size: int
    """Bytes."""
    build_s: float
    """With two processes."""
    p50: float
    """Milliseconds, questions that are damaged; as the next."""
    p99: float


class Line(NamedTuple):
    """A straight line through points, and how fast a power law through the same points grows."""

    base: float
    slope: float
    power: float

    def at(self, x: float) -> float:
        """Give the height of the line."""
        return self.base + self.slope * x


def fit(points: Iterable[tuple[float, float]]) -> Line:
    """Give the straight line of least squares, kept from falling or beginning below 0, and the power law's exponent."""
    xs, ys = zip(*points, strict=True)
    slope, base = statistics.linear_regression(xs, ys)
    if slope < 0:  # noise of a machine, among sizes that hardly differ
        slope, base = 0.0, statistics.fmean(ys)
    if base < 0:
        slope, base = sum(x * y for x, y in zip(xs, ys, strict=True)) / sum(x * x for x in xs), 0.0
    power = statistics.linear_regression([math.log(x) for x in xs], [math.log(max(y, 1e-9)) for y in ys]).slope
    return Line(base, slope, power)


def postings(source: Path, asked: Sequence[Asked]) -> list[int]:
    """Give, for each question, the summed lengths of the lists of its eight rarest words, as a collection has them.

    Words of a single record are left out, as the engine leaves them out.
    """
    words = [
        {*fold(one.query.text).split(), *(term for family in one.query.families for term in surname_terms(family))}
        for one in asked
    ]
    wanted = set().union(*words)
    held: Counter[str] = Counter()
    for line in records.lines(source):
        row = orjson.loads(line)
        names = (one.get("family") or one.get("literal") or "" for one in row.get("authors") or ())
        terms = {*fold(row["title"]).split(), *(f"z{word}" for name in names for word in fold(name).split())}
        held.update(wanted & terms)
    return [sum(sorted(held[term] for term in one if held[term] > 1)[:RARE]) for one in words]


def estimate(points: Sequence[Point], lists: Sequence[int], listed: int, cores: int) -> str:
    """Give the estimate as Markdown.

    Args:
        points: At least two, by size.
        lists: `postings` of the questions.
        listed: Records of the collection that `lists` was counted in.
        cores: Of the machine that measured.
    """
    size, build, p50, p99 = (
        fit((one.records, getattr(one, part)) for one in points) for part in ("size", "build_s", "p50", "p99")
    )
    largest, middle = points[-1].records, statistics.median(lists)
    rows = [_row(name, count, (size, build, p50, p99)) for name, count in WANTED]
    cost = 1e6 * p50.slope * listed / middle if middle else 0.0
    said = SAID.format(
        points=points,
        lines=(size, build, p50, p99),
        largest=largest,
        listed=listed,
        entries=(middle, sorted(lists)[int(0.99 * len(lists))]),
        cost=cost,
        gigabytes=size.at(WANTED[0][1]) / 1e9,
        reads=(READS, READ_MS),
        cores=cores,
        sizes=len(points),
    )
    head = (
        "| records | size | build, 2 processes | one index, p50 / p99 | shards of at most 5 M, each p50 / p99 "
        f"| all shards on {CORES} cores, p50 | pages not in memory, besides |"
    )
    table = [head, "|" + " --- |" * (head.count("|") - 1), *rows]
    first, *rest = (
        textwrap.fill(one, 120, subsequent_indent="  " * one.startswith("-")) for one in said.strip().split("\n\n")
    )
    return "\n".join([*table, "", first, "", *rest])


def _row(name: str, count: int, lines: tuple[Line, Line, Line, Line]) -> str:
    size, build, p50, p99 = lines
    shards = math.ceil(count / SHARD)
    middle, late = p50.at(count / shards), p99.at(count / shards)
    return (
        f"| {name} | {size.at(count) / 1e9:.0f} GB | {build.at(count) / 3600:.1f} h "
        f"| {p50.at(count):.0f} / {p99.at(count):.0f} ms | {shards} x {middle:.1f} / {late:.1f} ms "
        f"| {math.ceil(shards / CORES) * middle:.0f} ms | {READS * READ_MS:.0f} ms |"
    )
