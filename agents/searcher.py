"""Third agent: asks the sources for what is still open, in bulk, and turns failures into answers that say so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import anyio

from citeaudit.agents import weighing
from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.errors import FailureKind, MalformedAnswerError, SourceError, SourceUnavailableError
from citeaudit.model import IDENTIFIER_KINDS, Evidence, Failure, Lookup, Outcome, Query
from citeaudit.seams import Source

_Asked = tuple[int, Query]
"""Place of the evidence in its tuple, and the question."""

_TITLES_AT_ONCE = 3
"""Titles put to a source before their answers are remembered: each costs a request, and a run may be cut off."""


class SearcherAgent:
    """Asks in waves: identifiers in bulk, then titles, then a second opinion before anything can accuse.

    The titles of a wave are asked only for references that nothing has settled so far, so that most cost one request
    or none. Within a wave all its sources are asked at the same time, each in batches of its own size.
    """

    def __init__(self, toolbox: Toolbox) -> None:
        """Keep the toolbox."""
        self._tools = toolbox

    async def __call__(self, evidences: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """Give the evidence with one more answer for each question asked."""
        sources = self._tools.sources
        if not sources:
            return evidences
        evidences = await self._wave(sources, evidences, identifiers=True)
        for wave in sorted({source.wave for source in sources}):
            evidences = await self._wave([one for one in sources if one.wave == wave], evidences, identifiers=False)
        return evidences

    async def _wave(
        self, sources: Sequence[Source], evidences: tuple[Evidence, ...], *, identifiers: bool
    ) -> tuple[Evidence, ...]:
        """Ask some sources by identifiers or by words, and add their answers in the order of the sources."""
        answers: dict[str, list[tuple[int, Lookup]]] = {source.name: [] for source in sources}
        async with anyio.create_task_group() as group:
            for source in sources:
                asked = tuple(_still_open(source, evidences, identifiers=identifiers))
                group.start_soon(partial(self._ask, source, asked, answers[source.name], identifiers=identifiers))
        for source in sources:
            grouped: dict[int, list[Lookup]] = {}
            for place, lookup in answers[source.name]:
                grouped.setdefault(place, []).append(lookup)
            evidences = tuple(weighing.add(one, grouped.get(place, ())) for place, one in enumerate(evidences))
        return evidences

    async def _ask(
        self, source: Source, asked: Sequence[_Asked], answers: list[tuple[int, Lookup]], *, identifiers: bool
    ) -> None:
        size = source.batch_size if identifiers else min(source.batch_size, _TITLES_AT_ONCE)
        for start in range(0, len(asked), size):
            batch = asked[start : start + size]
            lookups = await self._answers(source, [query for _, query in batch])
            for (place, _), lookup in zip(batch, lookups, strict=True):
                self._remember(source, lookup)
                answers.append((place, lookup))
            self._tools.tell(Event("searcher", f"asking {source.name}", len(answers), len(asked)))

    async def _answers(self, source: Source, batch: list[Query]) -> tuple[Lookup, ...]:
        """Ask one batch; the one place where a source's error becomes a value."""
        if self._tools.client is None:
            message = f"source {source.name} was given without a client"
            raise ValueError(message)
        try:
            return await source.lookup(batch, self._tools.client)
        except SourceError as error:
            failure = Failure(kind=_kind(error), message=error.message)
            return tuple(
                Lookup(
                    source=source.name,
                    lineage=source.lineage,
                    query=query,
                    outcome=Outcome.UNAVAILABLE,
                    failure=failure,
                    retrieved_at=self._tools.clock(),
                )
                for query in batch
            )

    def _remember(self, source: Source, lookup: Lookup) -> None:
        if self._tools.memory is not None:
            self._tools.memory.remember(lookup, source.version)


def _still_open(source: Source, evidences: Sequence[Evidence], *, identifiers: bool) -> Iterator[_Asked]:
    for place, evidence in enumerate(evidences):
        answered = weighing.answered(evidence, source)
        for query in weighing.open_queries(evidence):
            if query not in answered and (query.kind in IDENTIFIER_KINDS) is identifiers:
                yield place, query


def _kind(error: SourceError) -> FailureKind:
    match error:
        case SourceUnavailableError():
            return error.kind
        case MalformedAnswerError():
            return FailureKind.MALFORMED
        case _:
            return FailureKind.NETWORK
