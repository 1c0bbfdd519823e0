"""Fourth agent: quotations against the text of their sources, as far as the user's own library holds them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import anyio
from anyio import to_thread

from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.model import Evidence, QuoteCheck, QuoteStatus
from citeaudit.quotes.copies import find_copy
from citeaudit.quotes.library import Library
from citeaudit.quotes.manuscript import Cited, Manuscript

AT_ONCE = 2
"""Documents of the library that are opened at a time; each takes a worker process."""
UNREAD = "no library of full texts was named"


class ScholarAgent:
    """Finds the copy of each cited work in the library, and looks there for the words that are quoted from it.

    All work on documents is done in threads, which wait for worker processes, a document or a quotation at a time.
    """

    def __init__(self, toolbox: Toolbox) -> None:
        """Keep the toolbox."""
        self._tools = toolbox

    async def __call__(self, evidences: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """Give the evidence with one check a quotation; without a library each is skipped and says why."""
        total = sum(len(evidence.reference.quotes) for evidence in evidences)
        told = "1 quote" if total == 1 else f"{total or 'no'} quotes"
        folder = self._tools.settings.library
        if not total or folder is None:
            message = f"{told}: skipped, no library was named" if total else f"{told}: skipped"
            self._tools.tell(Event("scholar", message, total, max(total, 1)))  # only a listener hears of no quotes
            return tuple(map(_skip, evidences))
        cache = self._tools.settings.cache_dir if self._tools.settings.memory else None
        library = await to_thread.run_sync(Library, folder, cache)
        try:
            await self._read(library)
            return await self._check(evidences, library, total)
        finally:
            library.close()

    async def _read(self, library: Library) -> None:
        """Learn what each document of the library is."""
        limiter = anyio.CapacityLimiter(AT_ONCE)
        done = 0

        async def read(place: int) -> None:
            nonlocal done
            await to_thread.run_sync(library.read, library.files[place], limiter=limiter)
            done += 1
            self._tools.tell(Event("scholar", "reading the library", done, len(library.files)))

        async with anyio.create_task_group() as group:
            for place in range(len(library.files)):
                group.start_soon(read, place)

    async def _check(self, evidences: Sequence[Evidence], library: Library, total: int) -> tuple[Evidence, ...]:
        # A reading that was repaired has the place of the reading it repairs, and is judged with it.
        as_read = [one for one in evidences if not one.reference.repaired]
        manuscript = await to_thread.run_sync(lambda: Manuscript({one.index: _cited(one, library) for one in as_read}))
        done, results = 0, []
        for evidence in evidences:
            checks: list[QuoteCheck] = []
            for quote in evidence.reference.quotes:
                if evidence.reference.repaired:
                    continue
                checks.append(await to_thread.run_sync(partial(manuscript.check, evidence.index, quote)))
                done += 1
                self._tools.tell(Event("scholar", "checking quotes", done, total))
            results.append(_with(evidence, checks))
        return tuple(results)


def _cited(evidence: Evidence, library: Library) -> Cited:
    """Give a reference with its copy; only a record that surely is the cited work helps to know it."""
    works = [one.work for one in evidence.candidates if one.anchored][:1]
    locus = evidence.reference.locus
    name = locus.label or locus.citekey or str(evidence.index)
    return Cited(name, evidence.reference, find_copy(evidence.reference, works, library))


def _skip(evidence: Evidence) -> Evidence:
    return _with(
        evidence,
        [
            QuoteCheck(text=quote.text, status=QuoteStatus.SKIPPED, reason=UNREAD, claimed_page=quote.claimed_page)
            for quote in evidence.reference.quotes
        ],
    )


def _with(evidence: Evidence, checks: Sequence[QuoteCheck]) -> Evidence:
    return evidence.model_copy(update={"quote_checks": (*evidence.quote_checks, *checks)}) if checks else evidence
