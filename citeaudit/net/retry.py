"""Ask again where that may help: transient failures only, a few times, within a bounded time."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from citeaudit.errors import FailureKind, SourceUnavailableError

ATTEMPTS = 3
"""Most attempts at one request."""
FEWER_ATTEMPTS = 2
"""Most where each is dear or promises little: after a time-out, and after a request that had no answer at all."""
WITHIN_S = 75.0
"""Most seconds for all attempts and the waits between them; waits for one's turn do not count."""
LONGEST_WAIT_S = 30.0
"""A service that asks for a longer wait, in sum, is not asked again for this request."""
FIRST_WAIT_S = 1.0
"""Mean seconds before the second attempt; doubles from there, each wait spread by half its length either way."""

HURRIED = 0.5
"""Part of the usual time that an attempt gets after one that timed out."""

_TRANSIENT = frozenset({FailureKind.RATE_LIMITED, FailureKind.TIMED_OUT, FailureKind.NETWORK})
_SECONDS = re.compile(r"[0-9]{1,9}", re.ASCII)

T = TypeVar("T")


class AttemptError(SourceUnavailableError):
    """One attempt without an answer.

    Args:
        message: What happened, for the report.
        source: Name of the source.
        kind: As in `SourceUnavailableError`; RATE_LIMITED, TIMED_OUT and NETWORK may pass.
        wait_s: Seconds the service asked to wait.
        final: No other attempt can end differently, whatever the kind.
        absent: The service cannot be found at all, which every other request of this run would meet too.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str,
        kind: FailureKind,
        wait_s: float | None = None,
        final: bool = False,
        absent: bool = False,
    ) -> None:
        """Add what the service asked for."""
        super().__init__(message, source=source, kind=kind)
        self.wait_s = wait_s
        self.absent = absent
        self.transient = kind in _TRANSIENT and not final


class Stopwatch:
    """Measures the seconds since it was made, without those for which it was stopped."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started = clock()
        self.share = 1.0
        """Part of the usual time that the next attempt gets."""

    @property
    def elapsed_s(self) -> float:
        """Seconds so far."""
        return self._clock() - self._started

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Leave out the time until the context ends."""
        begun = self._clock()
        try:
            yield
        finally:
            self._started += self._clock() - begun


async def retry(
    attempt: Callable[[], Awaitable[T]],
    *,
    watch: Stopwatch,
    sleep: Callable[[float], Awaitable[None]],
    random: Callable[[], float],
    attempts: int = ATTEMPTS,
) -> T:
    """Give the result of the first attempt that has one.

    Args:
        attempt: Makes one attempt.
        watch: Started with the request.
        sleep: Waits for a number of seconds.
        random: Gives a number from 0 to 1.
        attempts: Most attempts.

    Raises:
        SourceUnavailableError: The last attempt's failure.
        MalformedAnswerError: Raised by an attempt; asking again gives the same.
    """
    number, asked_s = 1, 0.0
    while True:
        try:
            return await attempt()
        except AttemptError as error:
            wait_s = max(error.wait_s or 0.0, FIRST_WAIT_S * 2 ** (number - 1) * (0.5 + random()))
            if (error.wait_s or 0.0) > LONGEST_WAIT_S:
                message = f"{error.message}, and to wait for {error.wait_s:,.0f} s"
                raise SourceUnavailableError(message, source=error.source, kind=FailureKind.RATE_LIMITED) from error
            asked_s += error.wait_s or 0.0
            most = min(attempts, FEWER_ATTEMPTS) if error.kind is FailureKind.TIMED_OUT else attempts
            ended = number >= most or asked_s > LONGEST_WAIT_S
            if not error.transient or ended or watch.elapsed_s + wait_s >= WITHIN_S:
                raise
        await sleep(wait_s)
        number += 1


def retry_after(value: str | None, *, date: str | None, now: float) -> float | None:
    """Read a `Retry-After` header, in seconds or as a date (RFC 9110 section 10.2.3).

    Args:
        value: The header.
        date: The `Date` header of the same answer: the service's own clock is the one its date was made with.
        now: Seconds since 1970, for an answer without a `Date`.

    Returns:
        Seconds to wait, at least 0; `None` where nothing readable was asked for.

    >>> retry_after("120", date=None, now=0)
    120.0
    >>> retry_after("Thu, 01 Jan 1970 00:01:00 GMT", date="Thu, 01 Jan 1970 00:00:20 GMT", now=0)
    40.0
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    until = _seconds(text)
    if until is None:
        return None
    since = _seconds(date or "")
    return max(0.0, until - (now if since is None else since))


def _seconds(text: str) -> float | None:
    """Give the seconds since 1970 of an HTTP date."""
    try:
        moment: datetime = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
