"""Time comparing and deciding: one reference against fifty candidates that share its words.

    python benchmarks/decide_speed.py WORKS.jsonl.xz [--count 200] [--rounds 3] [--profile]

The candidates of a reference are the records of a sample that share most of its title's words, the rarest first, as
a search would give them. Each round starts with cold caches of titles and names; the best round counts.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import statistics
import sys
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

from renderings import works

from citeaudit.match.queries import queries
from citeaudit.match.rank import rank, settle
from citeaudit.model import Evidence, Lookup, Outcome, Policy, Reference, Work
from citeaudit.policy import decide
from citeaudit.text import normalize

CANDIDATES = 50
MOST = 2.0
"""Milliseconds a reference, median."""
SAMPLE = 60_000


def asked(sample: list[Work], count: int) -> list[tuple[Reference, Lookup]]:
    """Give references, each the claim of a work of the sample, with the answer of a search among the sample."""
    postings: dict[str, list[int]] = defaultdict(list)
    for place, work in enumerate(sample):
        for word in set(normalize.words(work.title)):
            postings[word].append(place)
    chance = random.Random(6)  # noqa: S311  # a sample, no secret
    return [_asked(sample, postings, place) for place in chance.sample(range(len(sample)), count)]


def _asked(sample: list[Work], postings: dict[str, list[int]], place: int) -> tuple[Reference, Lookup]:
    work = sample[place]
    score: dict[int, float] = defaultdict(float, {place: 2.0})
    for word in set(normalize.words(work.title)):
        for other in postings[word]:
            score[other] += 1 / len(postings[word])
    near = sorted(score, key=lambda other: (-score[other], other))[:CANDIDATES]
    if len(near) < CANDIDATES:
        near += [other for other in range(CANDIDATES) if other not in score][: CANDIDATES - len(near)]
    reference = Reference(
        raw=f"{work.title}. {work.year}.",
        type=work.type,
        title=work.title,
        authors=work.authors,
        year=work.year,
        container_title=work.container_title,
        volume=work.volume,
        pages=work.pages,
        identifiers=work.identifiers,
    )
    lookup = Lookup(
        source="index",
        lineage="index",
        query=queries(reference)[-1],
        outcome=Outcome.FOUND,
        candidates=tuple(sample[other] for other in near),
        retrieved_at=datetime(2026, 1, 2, tzinfo=UTC),
    )
    return reference, lookup


def run(reference: Reference, lookup: Lookup) -> None:
    """Compare and decide as the pipeline does."""
    settled = settle(reference, lookup)
    decide(Evidence(index=1, reference=reference, lookups=(settled,), candidates=rank(reference, [settled])), Policy())


def _cold() -> None:
    """Forget what was remembered of titles and names, but not the tables that ship (`functools.cache`)."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("citeaudit.match.", "citeaudit.text.")):
            for value in vars(module).values():
                if hasattr(value, "cache_clear") and value.cache_parameters()["maxsize"] is not None:
                    value.cache_clear()


def main() -> int:
    """Print milliseconds a reference: median, and the slowest in twenty."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("works", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    cases = asked(works(arguments.works, SAMPLE, 6), arguments.count)
    if arguments.profile:
        _cold()
        with cProfile.Profile() as profile:
            for case in cases:
                run(*case)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return 0
    medians = []
    for _ in range(arguments.rounds):
        _cold()
        times = []
        for case in cases:
            start = time.perf_counter()
            run(*case)
            times.append(1_000 * (time.perf_counter() - start))
        medians.append((statistics.median(times), statistics.quantiles(times, n=20)[-1]))
    median, slow = min(medians)
    print(f"{len(cases)} references x {CANDIDATES} candidates: median {median:.2f} ms, 95 % within {slow:.2f} ms")
    return 0 if median <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
