"""Ask the parts of a batch side by side, so that a part without an answer costs only its own questions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import anyio

from citeaudit.errors import FailureKind, SourceError, SourceUnavailableError
from citeaudit.model import Failure, Lookup, Outcome, Query
from citeaudit.seams import Source

WIDTH = 3
"""Most parts in flight, Crossref's limit for lists; what each service allows is the gate's business."""


class Part(NamedTuple):
    """Some questions that are answered together."""

    queries: tuple[Query, ...]
    ask: Callable[[], Awaitable[Mapping[Query, Lookup]]]
    """Gives the answers that it got; raises `SourceError` where it got none."""


async def gather(parts: Iterable[Part], source: Source, *, clock: Callable[[], datetime]) -> dict[Query, Lookup]:
    """Ask all parts, at most `WIDTH` at a time.

    Returns:
        What the parts answered, and UNAVAILABLE for every question of a part that failed.
    """
    answers: dict[Query, Lookup] = {}
    gate = anyio.Semaphore(WIDTH)

    async def run(part: Part) -> None:
        async with gate:
            try:
                answers.update(await part.ask())
            except SourceError as error:
                answers.update({query: unanswered(error, source, query, clock()) for query in part.queries})

    async with anyio.create_task_group() as group:
        for part in parts:
            group.start_soon(run, part)
    return answers


def unanswered(error: SourceError, source: Source, query: Query, at: datetime) -> Lookup:
    """Give the lookup that an error amounts to: never NO_MATCH."""
    kind = error.kind if isinstance(error, SourceUnavailableError) else FailureKind.MALFORMED
    return Lookup(
        source=source.name,
        lineage=source.lineage,
        query=query,
        outcome=Outcome.UNAVAILABLE,
        failure=Failure(kind=kind, message=error.message),
        retrieved_at=at,
    )


def collect(queries: Sequence[Query], answers: Mapping[Query, Lookup]) -> tuple[Lookup, ...]:
    """Give one lookup a query, in order.

    Raises:
        SourceUnavailableError: Not one question was answered, and all failed for one reason.
    """
    lookups = tuple(answers[query] for query in queries)
    failures = {lookup.failure for lookup in lookups}
    if len(failures) == 1 and (failure := failures.pop()) is not None:
        raise SourceUnavailableError(failure.message, source=lookups[0].source, kind=failure.kind)
    return lookups
