"""Pause a source that keeps failing, for the rest of the run."""

from __future__ import annotations

from collections import Counter

from citeaudit.errors import FailureKind, SourceUnavailableError

FAILURES = 3
"""Whole requests in a row, each with its retries, after which a source is paused."""


class Breaker:
    """Counts failures in a row, source by source; belongs to one run and never closes again within it.

    An answer that says no, such as a 404, is an answer.
    """

    def __init__(self) -> None:
        self._failures: Counter[str] = Counter()

    def check(self, source: str) -> None:
        """Let a request through, or not.

        Raises:
            SourceUnavailableError: The source is paused (CIRCUIT_OPEN).
        """
        if self._failures[source] >= FAILURES:
            message = f"paused for this run after {FAILURES} failures in a row; nothing was sent"
            raise SourceUnavailableError(message, source=source, kind=FailureKind.CIRCUIT_OPEN)

    def answered(self, source: str) -> None:
        """Take note of an answer; one that was under way when the source was paused does not resume it."""
        if self._failures[source] < FAILURES:
            self._failures[source] = 0

    def failed(self, source: str) -> None:
        """Take note of a request without an answer."""
        self._failures[source] += 1
