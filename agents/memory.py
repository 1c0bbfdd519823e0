"""Second agent: what this machine already knows, all references at once."""

from __future__ import annotations

from functools import partial

from anyio import to_thread

from citeaudit.agents import weighing
from citeaudit.agents.deciding import attach
from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.match.queries import queries
from citeaudit.model import Evidence, Lookup, Rank
from citeaudit.seams import Index

_CHUNK = 500
"""Questions put to an index between two words of progress."""


class MemoryAgent:
    """Puts what people decided beside the references, asks every offline index, and recalls past answers."""

    def __init__(self, toolbox: Toolbox) -> None:
        """Keep the toolbox."""
        self._tools = toolbox

    async def __call__(self, evidences: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """Give the evidence with the decisions and the answers found on this machine appended."""
        evidences = attach(evidences, self._tools)
        for index in self._tools.indexes:
            evidences = await self._search(index, evidences)
        evidences = tuple(weighing.add(evidence, self._recall(evidence)) for evidence in evidences)
        settled = sum(any(one.rank is Rank.EXACT for one in evidence.candidates) for evidence in evidences)
        self._tools.tell(Event("memory", f"{settled} of {len(evidences)} known here", settled, len(evidences)))
        return evidences

    async def _search(self, index: Index, evidences: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        asked = [(place, query) for place, evidence in enumerate(evidences) for query in queries(evidence.reference)]
        grouped: dict[int, list[Lookup]] = {}
        for start in range(0, len(asked), _CHUNK):
            chunk = asked[start : start + _CHUNK]
            answers = await to_thread.run_sync(partial(index.search, [query for _, query in chunk]))
            for (place, _), lookup in zip(chunk, answers, strict=True):
                grouped.setdefault(place, []).append(lookup)
            done = min(start + _CHUNK, len(asked))
            self._tools.tell(Event("memory", f"asking index {index.name}", done, len(asked)))
        return tuple(weighing.add(evidence, grouped.get(place, ())) for place, evidence in enumerate(evidences))

    def _recall(self, evidence: Evidence) -> tuple[Lookup, ...]:
        memory = self._tools.memory
        if memory is None:
            return ()
        recalled = (
            memory.recall(source.name, source.version, query)
            for source in self._tools.sources
            for query in weighing.open_queries(evidence)
        )
        return tuple(lookup for lookup in recalled if lookup is not None)
