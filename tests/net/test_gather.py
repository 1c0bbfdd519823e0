"""Parts of a batch, side by side: what fails costs only itself."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial

import anyio
import pytest

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceUnavailableError
from citeaudit.model import Lookup, Outcome, Query, QueryKind
from citeaudit.net.gather import WIDTH, Part, collect, gather, unanswered
from citeaudit.sources.example import ExampleSource

NOW = datetime(2020, 1, 2, tzinfo=UTC)
SOURCE = ExampleSource("http://127.0.0.1")
DOWN = SourceUnavailableError("server error", source="example", kind=FailureKind.NETWORK)
QUERIES = tuple(Query(kind=QueryKind.DOI, text=f"10.5555/{place}") for place in range(8))


def found(query: Query, outcome: Outcome = Outcome.NO_MATCH) -> Lookup:
    return Lookup(source="example", lineage="example", query=query, outcome=outcome, retrieved_at=NOW)


def run(*parts: Part) -> dict[Query, Lookup]:
    return anyio.run(partial(gather, parts, SOURCE, clock=lambda: NOW))


async def answers(*queries: Query) -> Mapping[Query, Lookup]:
    return {query: found(query) for query in queries}


async def fails(error: Exception) -> Mapping[Query, Lookup]:
    raise error


def test_a_failure_costs_its_own_questions_only() -> None:
    one, two, three = QUERIES[:3]
    lookups = run(Part((one, two), partial(fails, DOWN)), Part((three,), partial(answers, three)))
    assert [lookups[query].outcome for query in (one, two, three)] == [
        Outcome.UNAVAILABLE,
        Outcome.UNAVAILABLE,
        Outcome.NO_MATCH,
    ]
    failure = lookups[one].failure
    assert failure is not None
    assert (failure.kind, failure.message) == (FailureKind.NETWORK, "server error")


def test_a_malformed_answer_is_a_failure_of_its_own_kind() -> None:
    lookup = unanswered(MalformedAnswerError("no list", source="example"), SOURCE, QUERIES[0], NOW)
    assert lookup.failure is not None
    assert (lookup.outcome, lookup.failure.kind) == (Outcome.UNAVAILABLE, FailureKind.MALFORMED)


def test_a_mistake_of_ours_is_not_hidden() -> None:
    with pytest.raises(ExceptionGroup):
        run(Part(QUERIES[:1], partial(fails, ZeroDivisionError())))


def test_no_more_than_three_are_in_flight() -> None:
    now, most = 0, 0

    async def slow(query: Query) -> Mapping[Query, Lookup]:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await anyio.sleep(0.001)
        now -= 1
        return await answers(query)

    assert len(run(*(Part((query,), partial(slow, query)) for query in QUERIES))) == len(QUERIES)
    assert most == WIDTH


def test_nothing_to_ask() -> None:
    assert run() == {}
    assert collect((), {}) == ()


def test_lookups_come_in_order() -> None:
    known = {query: found(query) for query in QUERIES}
    assert [lookup.query for lookup in collect((QUERIES[1], QUERIES[0], QUERIES[1]), known)] == [
        QUERIES[1],
        QUERIES[0],
        QUERIES[1],
    ]


def test_an_outage_of_everything_raises() -> None:
    lost = {query: unanswered(DOWN, SOURCE, query, NOW) for query in QUERIES}
    with pytest.raises(SourceUnavailableError, match="server error") as caught:
        collect(QUERIES, lost)
    assert caught.value.kind is FailureKind.NETWORK


@pytest.mark.parametrize("other", [found(QUERIES[0]), found(QUERIES[0], Outcome.SKIPPED)], ids=["answered", "skipped"])
def test_anything_else_is_kept(other: Lookup) -> None:
    known = {QUERIES[0]: other, QUERIES[1]: unanswered(DOWN, SOURCE, QUERIES[1], NOW)}
    assert [lookup.outcome for lookup in collect(QUERIES[:2], known)] == [other.outcome, Outcome.UNAVAILABLE]


def test_two_reasons_are_both_kept() -> None:
    limit = SourceUnavailableError("limit", source="example", kind=FailureKind.RATE_LIMITED)
    known = {query: unanswered(error, SOURCE, query, NOW) for query, error in zip(QUERIES, (DOWN, limit), strict=False)}
    assert len(collect(QUERIES[:2], known)) == 2
