"""Measure the offline index: building, size, memory, exact and damaged questions, whole lists, a peer, growth.

    python benchmarks/index_bench.py --shared DIR [--work DIR] [--stage NAME ...] [--table FILE] [--again]
    python benchmarks/index_bench.py --quick                                    20,000 invented records, a minute

DIR holds `data/works.jsonl.xz`; `--records FILE` names any other JSON lines. Collections: `core`, a quarter of the
records; `real`, all; `middle` and `large`, 2 and 5 million with recombined ones (`index_records`). All questions
are drawn from the core, so that every collection holds their works. Stages, in this order:

- `records`  write the collections
- `build`    `citeaudit index build` with one and two processes
- `exact`    by identifier and by title
- `noisy`    damaged questions (`index_noise`), the sizes in turns; titles alone, raw and title-less references besides
- `lists`    whole reference lists, in one and two processes
- `peer`     SQLite FTS5, the same records and questions in turns
- `growth`   what the sizes let one expect of larger ones
- `misses`   prints the damaged questions of `dev` that went wrong; only where it is named

What is finished is kept in the work folder and not measured again unless `--again` is given.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import index_ask as ask
import index_build
import index_growth as growth
import index_peer
import index_queries as queries
import index_records as records
import index_table

COLLECTIONS = {"core": None, "real": 0, "middle": 2_000_000, "large": 5_000_000}
"""Records of each; `None` for the core, 0 for the real ones."""

QUICK_RECORDS = 20_000
QUICK = {"real": 0}
"""Of a quick run; `large` is twice the invented records."""

EACH, QUICK_EACH = 500, 10
"""Damaged questions of each kind and half."""

CLEAN, LISTS, PEER, WARM = 2_000, 120, 60, 5
"""Exact questions; reference lists; questions to the peer of each kind, counted and before."""

ROUNDS = 3
"""Builds of the real collection each way, and turns of whole lists."""

MAX_SIZES = ("real", "large")
"""Collections that the promises are about; the others only serve the estimate."""


class Bench:
    """One work folder, what it holds, and what was measured in it."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Take the options, and the results that are there."""
        self.work: Path = options.work
        self.work.mkdir(parents=True, exist_ok=True)
        self.quick, self.again = bool(options.quick), bool(options.again)
        self.invented: int = options.quick_records
        sizes = QUICK | {"large": 2 * self.invented} if self.quick else COLLECTIONS
        self.sizes = {name: count for name, count in sizes.items() if name in options.size}
        self.real: Path = options.records or self.work / "invented.jsonl"
        self.each = options.each or (QUICK_EACH if self.quick else EACH)
        self.rounds = options.rounds or (1 if self.quick else ROUNDS)
        self._path = self.work / "results.json"
        self.results: dict[str, dict[str, Any]] = json.loads(self._path.read_text()) if self._path.exists() else {}

    def tell(self, text: str) -> None:
        """Print a line of progress."""
        print(f"{datetime.now(UTC):%H:%M:%S} {text}", file=sys.stderr, flush=True)

    def keep(self, stage: str, name: str, figures: Any) -> None:
        """Write figures down."""
        self.results.setdefault(stage, {})[name] = figures
        half = self._path.with_suffix(".half")
        half.write_text(json.dumps(self.results, indent=1))
        half.replace(self._path)

    def done(self, stage: str, name: str) -> bool:
        """Whether figures are there and may stay."""
        return not self.again and name in self.results.get(stage, {})

    def source(self, name: str) -> Path:
        """Give the file of a collection."""
        return self.real if name == "real" else self.work / f"{name}.jsonl.gz"

    def index(self, name: str) -> Path:
        """Give the folder of the index of a collection."""
        return self.work / f"index-{name}"

    def folders(self, names: Iterable[str]) -> dict[str, Path]:
        """Give the indexes of those collections that are measured, smallest first."""
        return {name: self.index(name) for name in names if name in self.sizes}

    @cached_property
    def drawn(self) -> queries.Drawn:
        """Draw the works that are asked for."""
        self.tell("drawing works")
        drawn = queries.draw(self.real)
        self.tell(f"{drawn.hopeless} of {drawn.seen} records of the core have no surname, and are never asked for")
        return drawn


def write_records(bench: Bench) -> None:
    """Write the collections."""
    if bench.quick and not bench.real.exists():
        with bench.real.open("wb") as out:
            out.writelines(records.invented(bench.invented))
    for name, count in bench.sizes.items():
        if count != 0:
            started = time.perf_counter()
            total = records.write(bench.real, bench.source(name), count)
            bench.tell(f"{name}: {total:,} records, {time.perf_counter() - started:.0f} s")


def build(bench: Bench) -> None:
    """Build each collection with two processes, the promised ones also with one, free and kept on a core."""
    for name in bench.sizes:
        ways: list[tuple[int, int | None]] = [(2, None)]
        if name == "real":
            ways = [(1, 0), *([] if bench.quick else [(1, None)]), *ways]
        elif name in MAX_SIZES and not bench.quick:
            ways = [(1, 0), *ways]
        names = {way: f"{name}-{way[0]}-{'free' if way[1] is None else 'pinned'}" for way in ways}
        if all(bench.done("build", one) for one in names.values()) and _usable(bench.index(name)):
            continue
        costs: dict[tuple[int, int | None], list[index_build.Cost]] = {way: [] for way in ways}
        for _ in range(bench.rounds if name == "real" else 1):
            for way in ways:
                costs[way].append(_built(bench, name, *way))
        for way, several in costs.items():
            bench.keep("build", names[way], _middle(several))


def _built(bench: Bench, name: str, jobs: int, core: int | None) -> index_build.Cost:
    out = bench.work / "index-trial"
    shutil.rmtree(out, ignore_errors=True)
    cost = index_build.build(bench.source(name), out, jobs=jobs, core=core)
    where = "" if core is None else " on one core"
    bench.tell(
        f"{name}, {jobs} process{'es' * (jobs > 1)}{where}: {cost.records:,} records, {cost.seconds:.1f} s, "
        f"{cost.records / cost.seconds:,.0f}/s ({cost.records / max(cost.cpu_s, 0.01):,.0f} a processor s), "
        f"{cost.size / cost.records:.0f} bytes a record, {cost.memory.pss / 1e6:.0f} MB"
    )
    shutil.rmtree(bench.index(name), ignore_errors=True)
    out.replace(bench.index(name))
    return cost


def _middle(several: list[index_build.Cost]) -> dict[str, Any]:
    """Give the median of times, the highest of memory."""
    first = several[0]
    peaks = {part: max(getattr(one.memory, part) for one in several) for part in first.memory._fields}
    medians = {part: statistics.median(getattr(one, part) for one in several) for part in ("seconds", "cpu_s")}
    return {"records": first.records, "size": first.size, "rounds": len(several), **medians, **peaks}


def _usable(folder: Path) -> bool:
    from citeaudit.index.asking.engine import open_index

    return folder.is_dir() and ask.usable(open_index(folder))


def exact(bench: Bench) -> None:
    """Ask by identifier and by title."""
    folders = bench.folders(MAX_SIZES)
    if all(bench.done("exact", name) for name in folders):
        return
    count = CLEAN // 10 if bench.quick else CLEAN
    asked = queries.identified(bench.drawn, "held", count) + queries.clean(bench.drawn, "held", count)
    for name, kinds in ask.compare(folders, asked).items():
        _keep(bench, "exact", name, {kind: one for kind, one in kinds.items() if kind != "all"})


def noisy(bench: Bench) -> None:
    """Ask damaged questions: both halves, all sizes in turns; then titles alone, and references as raw text."""
    folders = bench.folders(bench.sizes)
    if all(bench.done("noisy", f"{name}-{half}") for name in folders for half in queries.HALVES):
        return
    for half in queries.HALVES:
        asked = queries.noisy(bench.drawn, half, bench.each)
        for name, kinds in ask.compare(folders, asked).items():
            _keep(bench, "noisy", f"{name}-{half}", kinds)
        extra = [one._replace(kind="title alone") for one in queries.alone(asked)]
        extra += queries.raw(bench.drawn, half, bench.each) + queries.untitled(bench.drawn, half, bench.each)
        for name, kinds in ask.compare(bench.folders(MAX_SIZES), extra, passes=1).items():
            _keep(
                bench, "noisy", f"{name}-{half}, besides", {kind: one for kind, one in kinds.items() if kind != "all"}
            )


def misses(bench: Bench) -> None:
    """Print the questions of `dev` that went wrong, for whoever works on the engine; never those of `held`."""
    for name, folder in bench.folders(MAX_SIZES).items():
        for one, lookup in ask.misses(folder, queries.noisy(bench.drawn, "dev", bench.each)):
            first = lookup.candidates[0] if lookup.candidates else None
            found = f"{first.title} ({first.year})" if first else lookup.outcome.value
            print(f"{name} {one.kind}\n  of    {one.source.title} {one.source.families} {one.source.year}")
            print(f"  asked {one.query.text} {one.query.families} {one.query.year}\n  found {found}", flush=True)


def _keep(bench: Bench, stage: str, name: str, kinds: Mapping[str, ask.Figures]) -> None:
    bench.keep(stage, name, {kind: one._asdict() for kind, one in kinds.items()})
    for kind, one in kinds.items():
        told = f"{100 * one.recall:.2f} % of {one.asked:,}, p50 {one.p50:.3f}, p99 {one.p99:.2f} ms"
        bench.tell(f"{stage} {name} {kind}: {told}")


def lists(bench: Bench) -> None:
    """Ask whole reference lists, in two processes and in one."""
    folders = bench.folders(MAX_SIZES[:1] if bench.quick else MAX_SIZES)
    if all(bench.done("lists", f"{name}-{count}") for name in folders for count in (1, 2)):
        return
    made = queries.lists(bench.drawn, "held", 20 if bench.quick else LISTS)
    for name, folder in folders.items():
        rows = {1: list[ask.Lists](), 2: list[ask.Lists]()}
        for _ in range(bench.rounds):
            for count in (2, 1):
                rows[count].append(ask.throughput(folder, made[: len(made) // (3 - count)], count))
        for count, several in rows.items():
            middle = sorted(several, key=lambda one: one.rate)[len(several) // 2]
            bench.keep("lists", f"{name}-{count}", middle._asdict())
            bench.tell(f"lists {name}, {count} processes: {middle.rate:,.0f} references/s")


def peer(bench: Bench) -> None:
    """Build the peer's tables and ask both."""
    for name, folder in bench.folders(MAX_SIZES).items():
        if bench.done("peer", name):
            continue
        database = bench.work / f"fts5-{name}.db"
        built = bench.results.get("peer-build", {}).get(name)
        if built is None or not database.exists():
            made = index_peer.build(bench.source(name), database)
            bench.keep("peer-build", name, made._asdict())
            bench.tell(
                f"FTS5 {name}: {made.records / made.seconds:,.0f}/s, {made.size / made.records:.0f} bytes a record"
            )
        asked = queries.noisy(bench.drawn, "held", min(PEER, bench.each))
        warm = queries.noisy(bench.drawn, "dev", min(WARM, bench.each))
        told = ask.against(folder, database, asked, warm)
        figures = {
            part: {who: one._asdict() for who, one in zip(row._fields, row, strict=True)} for part, row in told.items()
        }
        bench.keep("peer", name, {"against": figures})
        for part, row in told.items():
            ours, theirs = row.ours, row.peer
            times = f"p99 {ours.p99:.1f} against {theirs.p99:.1f} ms"
            bench.tell(f"peer {name} {part}: {times}, recall {ours.recall:.4f} against {theirs.recall:.4f}")


def grow(bench: Bench) -> None:
    """Write the estimate from all sizes that were built and asked."""
    points = []
    for name in bench.sizes:
        built = bench.results.get("build", {}).get(f"{name}-2-free")
        asked = bench.results.get("noisy", {}).get(f"{name}-held")
        if built and asked:
            told = asked["all"]
            points.append(growth.Point(built["records"], built["size"], built["seconds"], told["p50"], told["p99"]))
    if len(points) < 2:  # noqa: PLR2004 - a line has two points
        raise SystemExit("growth needs two sizes: run the stages `build` and `noisy` first")
    entries = growth.postings(bench.real, queries.noisy(bench.drawn, "held", bench.each))
    listed = sum(1 for _ in records.lines(bench.real))
    bench.keep("growth", "text", growth.estimate(points, entries, listed, index_table.machine()[0]))


STAGES: dict[str, Callable[[Bench], None]] = {
    "records": write_records,
    "build": build,
    "exact": exact,
    "noisy": noisy,
    "lists": lists,
    "peer": peer,
    "growth": grow,
}
"""In their order."""

BESIDES: dict[str, Callable[[Bench], None]] = {"misses": misses}
"""Only where they are named."""


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, help="folder that holds `data/works.jsonl.xz`")
    parser.add_argument("--records", type=Path, help="the real records, in place of those of --shared")
    parser.add_argument("--work", type=Path, default=Path("/tmp/citeaudit-bench"))  # noqa: S108  # the user's own machine
    parser.add_argument("--stage", nargs="+", choices=[*STAGES, *BESIDES], default=list(STAGES), metavar="NAME")
    parser.add_argument("--size", nargs="+", choices=COLLECTIONS, default=list(COLLECTIONS), metavar="COLLECTION")
    parser.add_argument("--each", type=int, help=f"damaged questions of each kind and half; {EACH} unless told")
    parser.add_argument("--rounds", type=int, help=f"builds each way, and turns of lists; {ROUNDS} unless told")
    parser.add_argument("--quick", action="store_true", help="few invented records, fewer ways: to see that it runs")
    parser.add_argument("--quick-records", type=int, default=QUICK_RECORDS, metavar="N", help="how many")
    parser.add_argument("--again", action="store_true", help="measure again what was measured")
    parser.add_argument("--table", type=Path, help="where to write the Markdown; standard output unless told")
    options = parser.parse_args(arguments)
    if options.shared and not options.records:
        options.records = options.shared / "data" / "works.jsonl.xz"
    if not options.quick and (options.records is None or not options.records.is_file()):
        parser.error("name the records with --shared DIR or --records FILE, or try --quick")
    if options.quick:
        options.work = options.work / "quick"
    return options


def main(arguments: list[str] | None = None) -> int:
    """Run the stages and write the table."""
    options = parse(arguments)
    bench = Bench(options)
    bench.tell(f"load {os.getloadavg()[0]:.1f}")
    for name, stage in (STAGES | BESIDES).items():
        if name in options.stage:
            started = time.perf_counter()
            stage(bench)
            bench.tell(f"stage {name}: {time.perf_counter() - started:.0f} s")
    text = index_table.table(bench.results)
    if options.table:
        options.table.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
