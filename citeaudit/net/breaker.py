"""Pause a source that keeps failing, for the rest of the run."""

from __future__ import annotations

from collections import Counter

from citeaudit.errors import FailureKind, SourceUnavailableError

FAILURES = 3
"""Whole requests in a row, each with its retries, after which a source is paused."""
LOST_S = 25.0
"""Seconds of such requests in a row, likewise; waits in line for one's turn do not count."""


class Breaker:
    """Counts failures in a row, source by source; belongs to one run and never closes again within it.

    An answer that says no, such as a 404, is an answer.
    """

    def __init__(self) -> None:
        self._failures: Counter[str] = Counter()
        self._lost_s: dict[str, float] = {}

    def check(self, source: str) -> None:
        """Let a request through, or not.

        Raises:
            SourceUnavailableError: The source is paused (CIRCUIT_OPEN).
        """
        if self._is_open(source):
            count = self._failures[source]
            told = (
                f"{count} failures in a row, or one that did not find it"
                if count >= FAILURES
                else f"{LOST_S:g} s without an answer"
            )
            message = f"paused for this run after {told}; nothing was sent"
            raise SourceUnavailableError(message, source=source, kind=FailureKind.CIRCUIT_OPEN)

    def answered(self, source: str) -> None:
        """Take note of an answer; one that was under way when the source was paused does not resume it."""
        if not self._is_open(source):
            self._failures[source] = 0
            self._lost_s[source] = 0.0

    def failed(self, source: str, lost_s: float = 0.0, *, absent: bool = False) -> None:
        """Take note of a request without an answer, which took that many seconds.

        One that did not even find the service pauses it at once: a machine without a network must not wait.
        """
        self._failures[source] = FAILURES if absent else min(self._failures[source] + 1, FAILURES)
        self._lost_s[source] = self._lost_s.get(source, 0.0) + lost_s

    def is_failing(self, source: str) -> bool:
        """Say whether the last request had no answer."""
        return self._failures[source] > 0

    def _is_open(self, source: str) -> bool:
        return self._failures[source] >= FAILURES or self._lost_s.get(source, 0.0) >= LOST_S
