"""Print what was measured as the table of the documentation: no names or paths of the machine."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

Results = Mapping[str, Mapping[str, Any]]
"""By stage, by name: see `index_bench`."""

SAID = """\
Questions named dev could be looked at while the engine was made, held ones never; of both the works and the seeds \
differ. Times are the median of several passes after a first one; the p99 of medians is that over each question's \
median of the passes, and leaves out what else the machine did."""
"""What the columns mean."""


def table(results: Results) -> str:
    """Give all tables for which there are results."""
    parts = [_head(), _acceptance(results)]
    parts += [part(results[name]) for name, part in _PARTS.items() if name in results]
    return "\n\n".join(part for part in parts if part) + "\n"


def machine() -> tuple[int, float]:
    """Give the cores and the memory in GB that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9


def _head() -> str:
    cores, memory = machine()
    load = f"; load {os.getloadavg()[0]:.1f} when this was printed" if Path("/proc/loadavg").exists() else ""
    said = f"Measured {datetime.now(UTC):%Y-%m-%d} on {cores} cores with {memory:.0f} GB{load}. {SAID}"
    return textwrap.fill(said, width=120)


def _records(figures: Mapping[str, Any]) -> str:
    return f"{figures['records']:,}"


def _rows(head: str, rows: list[str]) -> str:
    return "\n".join([head, "|" + " --- |" * (head.count("|") - 1), *rows])


def _acceptance(results: Results) -> str:
    rows: list[str] = []
    for name in ("real", "large"):
        for told in (_built(results.get("build", {}), name), _asked(results, name)):
            rows += told
    rows += _rest(results)
    return _rows("| promise | target | measured |", rows) if rows else ""


def _built(builds: Mapping[str, Any], name: str) -> list[str]:
    rows = []
    for run, target in (("1-pinned", ">= 20,000"), ("1-free", ">= 20,000"), ("2-free", ">= 35,000")):
        one = builds.get(f"{name}-{run}")
        if one:
            where = {"1-pinned": "1 process on one core", "1-free": "1 process, free", "2-free": "2 processes"}[run]
            rate = one["records"] / one["seconds"]
            rows.append(f"| build, {_records(one)} records, {where}, records/s | {target} | {rate:,.0f} |")
    one = builds.get(f"{name}-2-free")
    if one:
        rows.append(f"| size, {_records(one)}, bytes a record | <= 260 | {one['size'] / one['records']:.0f} |")
        memory = " / ".join(f"{one[part] / 1e6:,.0f}" for part in ("pss", "own", "rss"))
        rows.append(f"| memory of that build, MB: shared pages once / anonymous / added up | <= 1,000 | {memory} |")
    return rows


def _asked(results: Results, name: str) -> list[str]:
    rows = []
    for kind in ("identifier", "title"):
        one = results.get("exact", {}).get(name, {}).get(kind)
        if one:
            rows.append(f"| exact by {kind}, {name}, p50 / p99 ms | <= 0.1 | {one['p50']:.3f} / {one['p99']:.3f} |")
    limit = {"real": "<= 2 / 8", "large": "<= 4 / 20"}[name]
    for half in ("held", "dev"):
        one = results.get("noisy", {}).get(f"{name}-{half}", {}).get("all")
        if one:
            rows.append(f"| damaged, {name}, {half}, recall@1 | >= 99.5 % | {_percent(one)} |")
            times = f"{one['p50']:.2f} / {one['p99']:.1f} ({one['steady_p99']:.1f})"
            rows.append(f"| damaged, {name}, {half}, p50 / p99 (p99 of medians) ms | {limit} | {times} |")
    return rows


def _percent(one: Mapping[str, Any]) -> str:
    return f"{100 * one['hits'] / one['asked']:.2f} % of {one['asked']:,}"


def _rest(results: Results) -> list[str]:
    rows = []
    for name, one in results.get("lists", {}).items():
        target = ">= 2,000" if name == "real-2" else ""
        text = f"{one['references'] / one['seconds']:,.0f} ({100 * one['hits'] / one['references']:.2f} % hits)"
        rows.append(f"| whole lists, {name.replace('-', ', ')} processes, references/s | {target} | {text} |")
    for name, one in results.get("peer", {}).items():
        for part, told in one["against"].items():
            ours, peer = told["ours"], told["peer"]
            text = f"{peer['p99'] / ours['p99']:.1f}x ({_percent(ours)} against {_percent(peer)})"
            what = {"all": "all questions", "words": "questions without an exact key"}[part]
            rows.append(f"| p99 of FTS5 / ours, {name}, {what}; recall@1 | >= 10x | {text} |")
    noisy = results.get("noisy", {})
    if "real-held" in noisy and "large-held" in noisy:
        ratio = noisy["large-held"]["all"]["p50"] / noisy["real-held"]["all"]["p50"]
        rows.append(f"| growth of p50, large / real, asked in turns | <= 2.5 | {ratio:.2f} |")
    return rows


def _builds(builds: Mapping[str, Any]) -> str:
    rows = []
    for name, one in builds.items():
        count, seconds, busy = one["records"], one["seconds"], max(one["cpu_s"], 0.01)
        cells = [name, f"{count:,}", f"{seconds:.0f}", f"{busy:.0f}", f"{count / seconds:,.0f}", f"{count / busy:,.0f}"]
        cells += [f"{one['size'] / count:.0f}", *(f"{one[part] / 1e6:,.0f}" for part in ("pss", "own", "rss"))]
        rows.append(_row(cells))
    rates = "records/s | records/processor s | bytes a record"
    return _rows(f"| build | records | s | processor s | {rates} | PSS MB | anonymous MB | RSS MB |", rows)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _exact(exact: Mapping[str, Any]) -> str:
    rows = [
        _row(
            [
                name,
                kind,
                f"{one['asked']:,}",
                _share(one),
                f"{one['p50']:.3f}",
                f"{one['p99']:.2f}",
                f"{one['steady_p99']:.2f}",
            ]
        )
        for name, kinds in exact.items()
        for kind, one in kinds.items()
    ]
    return _rows("| collection | asked by | asked | found first % | p50 ms | p99 ms | p99 of medians |", rows)


def _noisy(noisy: Mapping[str, Any]) -> str:
    """Print kinds as rows and collections as columns; what is asked besides, below."""
    runs = [name for name in noisy if "besides" not in name]
    kinds = sorted({kind for name in runs for kind in noisy[name]} - {"all"})
    head = "| recall@1 % (p50 / p99 ms), damaged by |" + "".join(f" {name.replace('-', ', ')} |" for name in runs)
    rows = [_row([kind, *(_cell(noisy[name].get(kind)) for name in runs)]) for kind in [*kinds, "all"]]
    asked = {noisy[name]["all"]["asked"] for name in runs}
    count = f"{' or '.join(f'{one:,}' for one in sorted(asked))} questions in each column, every kind as often."
    besides = [
        _row([name.partition(",")[0].replace("-", ", "), kind, f"{one['asked']:,}", _cell(one)])
        for name in noisy
        if name not in runs
        for kind, one in noisy[name].items()
    ]
    tables = [_rows(head, rows), count]
    if besides:
        tables.append(_rows("| collection, half | asked by | asked | recall@1 % (p50 / p99 ms) |", besides))
    return "\n\n".join(tables)


def _cell(one: Mapping[str, Any] | None) -> str:
    return "" if one is None else f"{_share(one)} ({one['p50']:.1f} / {one['p99']:.1f})"


def _share(one: Mapping[str, Any]) -> str:
    return f"{100 * one['hits'] / one['asked']:.2f}"


def _peer(peer: Mapping[str, Any]) -> str:
    rows = []
    for name, one in peer.items():
        for part, told in one["against"].items():
            for who, label in (("ours", "ours"), ("peer", "FTS5 and our weighing"), ("peer_search", "FTS5 alone")):
                row = told[who]
                rows.append(
                    f"| {name}, {part} | {label} | {row['asked']:,} | {100 * row['hits'] / row['asked']:.2f} "
                    f"| {row['p50']:.2f} | {row['p99']:.1f} |"
                )
    return _rows("| collection, questions | engine | asked | recall@1 % | p50 ms | p99 ms |", rows)


def _growth(growth: Mapping[str, Any]) -> str:
    return str(growth.get("text", ""))


_PARTS = {"build": _builds, "exact": _exact, "noisy": _noisy, "peer": _peer, "growth": _growth}
