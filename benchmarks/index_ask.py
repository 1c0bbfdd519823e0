"""Ask indexes and time them: one question at a time, and whole lists in several processes.

Indexes that are compared are asked the same question in turn, so that whatever else the machine does falls on all.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import index_peer
import index_queries as queries
from index_queries import Asked

from citeaudit.index.asking.engine import open_index
from citeaudit.model import Lookup, Outcome, Query, QueryKind
from citeaudit.seams import Index
from citeaudit.text.normalize import key

PASSES = 3
"""Timed passes, after one that only warms and counts the hits."""

READY_S = 600
"""Seconds to wait for another process to have opened its index."""


class Figures(NamedTuple):
    """What asking some questions came to; `p50`, `p99` and `mean` are the medians of what each pass gives."""

    asked: int
    hits: int
    p50: float
    """Milliseconds, as the next three."""
    p99: float
    mean: float
    first_p50: float
    """Of the first pass, over questions not asked before."""
    steady_p99: float
    """Over each question's median of all passes: without what the machine did besides."""

    @property
    def recall(self) -> float:
        """Hits a question, 0 to 1."""
        return self.hits / self.asked if self.asked else 0.0


def quantile(times: Sequence[float], share: float) -> float:
    """Give the time that a share of the questions does not exceed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def opened(folder: Path) -> Index:
    """Open an index, or stop where it does not answer."""
    index = open_index(folder)
    if not usable(index):
        raise SystemExit(f"{folder.name}: the index does not answer; run the stage `build` first")
    return index


def usable(index: Index) -> bool:
    """Whether an index answers at all: neither damaged nor of another version."""
    (lookup,) = index.search([Query(kind=QueryKind.TITLE, text="A trial question")])
    return lookup.outcome is not Outcome.UNAVAILABLE


def compare(folders: Mapping[str, Path], asked: Sequence[Asked], passes: int = PASSES) -> dict[str, dict[str, Figures]]:
    """Ask several indexes every question in turn.

    Args:
        folders: Indexes by the name of their size.
        asked: The questions.
        passes: Timed passes.

    Returns:
        By index, then by kind of question and `all` for all of them.
    """
    indexes = {name: opened(folder) for name, folder in folders.items()}
    hits: dict[str, list[bool]] = {name: [] for name in indexes}
    times: dict[str, list[list[float]]] = {name: [] for name in indexes}
    order = list(indexes)
    for turn in range(passes + 1):
        for name in indexes:
            times[name].append([])
        for place, one in enumerate(asked):
            for name in order[place % len(order) :] + order[: place % len(order)]:
                started = time.perf_counter()
                (lookup,) = indexes[name].search([one.query])
                times[name][turn].append((time.perf_counter() - started) * 1000)
                if turn == 0:
                    hits[name].append(queries.is_hit(one, lookup))
    for index in indexes.values():
        close = getattr(index, "close", None)
        if close is not None:
            close()
    return {name: _by_kind(asked, hits[name], times[name]) for name in indexes}


def misses(folder: Path, asked: Sequence[Asked]) -> Iterator[tuple[Asked, Lookup]]:
    """Give the questions whose first candidate is not the work, with the answer."""
    index = opened(folder)
    for one in asked:
        (lookup,) = index.search([one.query])
        if not queries.is_hit(one, lookup):
            yield one, lookup


def _by_kind(asked: Sequence[Asked], hits: Sequence[bool], times: Sequence[Sequence[float]]) -> dict[str, Figures]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(asked):
        places[one.kind].append(place)
    if len(places) > 1:
        places["all"] = list(range(len(asked)))
    return {
        kind: _figures([hits[at] for at in ats], [[row[at] for at in ats] for row in times])
        for kind, ats in places.items()
    }


def _figures(hits: Sequence[bool], times: Sequence[Sequence[float]]) -> Figures:
    timed = times[1:] or times
    return Figures(
        asked=len(hits),
        hits=sum(hits),
        p50=statistics.median(quantile(row, 0.5) for row in timed),
        p99=statistics.median(quantile(row, 0.99) for row in timed),
        mean=statistics.median(statistics.fmean(row) for row in timed),
        first_p50=quantile(times[0], 0.5),
        steady_p99=quantile([statistics.median(each) for each in zip(*timed, strict=True)], 0.99),
    )


class Lists(NamedTuple):
    """What asking whole reference lists came to."""

    processes: int
    references: int
    seconds: float
    """From the first start to the last end, indexes open and warm."""
    hits: int

    @property
    def rate(self) -> float:
        """References a second."""
        return self.references / self.seconds


def throughput(folder: Path, lists: Sequence[Sequence[Asked]], processes: int, warm: int = 4) -> Lists:
    """Ask whole lists in several processes, each kept on a core of its own.

    Args:
        folder: The index.
        lists: Reference lists, shared out in turns.
        processes: How many.
        warm: Lists that each process asks before the clock starts, and that do not count.
    """
    context = multiprocessing.get_context("spawn")
    gate, told = context.Barrier(processes), context.SimpleQueue()
    shares = [[list(one) for one in lists[at::processes]] for at in range(processes)]
    workers = [
        context.Process(target=_work, args=(folder, share, warm, at, (gate, told))) for at, share in enumerate(shares)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        raise SystemExit("a process that asked lists ended early")
    rows = [told.get() for _ in workers]
    seconds = max(row[1] for row in rows) - min(row[0] for row in rows)
    return Lists(processes, sum(row[2] for row in rows), seconds, sum(row[3] for row in rows))


def _work(folder: Path, lists: list[list[Asked]], warm: int, core: int, shared: tuple) -> None:  # type: ignore[type-arg]
    gate, told = shared
    if hasattr(os, "sched_setaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {allowed[core % len(allowed)]})
    index = opened(folder)
    for one in lists[:warm]:
        index.search([each.query for each in one])
    counted = lists[warm:]
    gate.wait(READY_S)
    started = time.monotonic()
    answers = [index.search([each.query for each in one]) for one in counted]
    ended = time.monotonic()
    pairs = [pair for one, lookups in zip(counted, answers, strict=True) for pair in zip(one, lookups, strict=True)]
    told.put((started, ended, len(pairs), sum(queries.is_hit(each, lookup) for each, lookup in pairs)))


class Against(NamedTuple):
    """Ours and the peer's figures over the same questions, asked in turn."""

    ours: Figures
    peer: Figures
    peer_search: Figures
    """The peer's full-text search alone, without fetching and weighing."""


def against(folder: Path, database: Path, asked: Sequence[Asked], warm: Sequence[Asked]) -> dict[str, Against]:
    """Ask ours and the peer every question in turn, once each: the peer needs seconds for some.

    Args:
        folder: Our index.
        database: The peer's.
        asked: The questions.
        warm: Other questions, asked of both before.

    Returns:
        By name: `all` questions, and `words`: those whose title key is not the record's, so that ours, too, searches.
    """
    ours, peer = opened(folder), index_peer.Peer(database)
    for one in warm:
        ours.search([one.query])
        peer.ask(one.query)
    times: list[tuple[float, float, float]] = []
    hits: list[tuple[bool, bool]] = []
    for place, one in enumerate(asked):
        if place % 2:
            answer = peer.ask(one.query)
        started = time.perf_counter()
        (lookup,) = ours.search([one.query])
        took = (time.perf_counter() - started) * 1000
        if not place % 2:
            answer = peer.ask(one.query)
        times.append((took, answer.ms, answer.search_ms))
        hits.append((queries.is_hit(one, lookup), queries.is_same(one.source, answer.best)))
    peer.close()
    chosen = {
        "all": list(range(len(asked))),
        "words": [at for at, one in enumerate(asked) if key(one.query.text) != key(one.source.title)],
    }
    return {name: _against(ats, times, hits) for name, ats in chosen.items() if ats}


def _against(ats: Sequence[int], times: Sequence[tuple[float, ...]], hits: Sequence[tuple[bool, bool]]) -> Against:
    def told(column: int, who: int) -> Figures:
        return _figures([hits[at][who] for at in ats], [[times[at][column] for at in ats]])

    return Against(told(0, 0), told(1, 1), told(2, 1))
