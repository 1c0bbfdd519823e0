"""Stands where the net room stands: gives answers that a test has written, and keeps what was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import anyio

from citeaudit.errors import FailureKind, SourceUnavailableError
from citeaudit.model import Lookup, Query, Work
from citeaudit.seams import Answer, Ask, Source

NOW = datetime(2020, 1, 2, tzinfo=UTC)


def good(value: object = None, *, status: int = 200, text: str = "") -> Answer:
    return Answer(status=status, value=value, text=text, retrieved_at=NOW)


def refused(source: str) -> SourceUnavailableError:
    return SourceUnavailableError("declined to answer", source=source, kind=FailureKind.REFUSED)


class Canned:
    """Answers by rule, or in turn; a rule may also give an error to raise."""

    def __init__(self, *answers: Answer | Exception, rule: Callable[[Ask], Answer | Exception] | None = None) -> None:
        self._answers = list(answers)
        self._rule = rule
        self.asked: list[Ask] = []

    async def fetch(self, ask: Ask) -> Answer:
        self.asked.append(ask)
        answer = self._rule(ask) if self._rule else self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def params(self) -> list[dict[str, str]]:
        return [dict(ask.params) for ask in self.asked]


def look(source: Source, client: Canned, queries: Sequence[Query]) -> tuple[Lookup, ...]:
    return anyio.run(source.lookup, queries, client)


def only(lookups: tuple[Lookup, ...]) -> Work:
    [lookup] = lookups
    [work] = lookup.candidates
    return work
