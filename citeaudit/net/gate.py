"""Ask no service more often, nor more at a time, than it allows: over all tasks and processes of this machine.

The innermost ring: every request of every attempt passes. A turn is one slot of the service, held until the answer has
ended; within it, each request takes its token at the moment its first bytes are written, under the lock that all
processes share, so that no connecting, computing or scheduling comes between the token and the request. Whatever
is measured at the service's end then differs from what is kept here by the network alone, for which there is a margin.
"""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from pathlib import Path

import anyio
import httpx

from citeaudit.errors import FailureKind
from citeaudit.net.guard import origin
from citeaudit.net.ledger import SLOT_POLL_S, Lane, Ledger, Page, Sleep, State
from citeaudit.net.limits import Limit, Limits, find
from citeaudit.net.retry import LONGEST_WAIT_S, AttemptError

MARGIN_SHARE, MARGIN_S = 0.02, 0.03
"""What is added to every interval, for the jitter of the way to the service."""
PAUSE_S = 2.0
"""Seconds for which nobody asks a service that asked to be asked less often without saying for how long."""
LONGEST_PAUSE_S = 3600.0
"""Longest pause that is kept; longer ones are cut to it."""
SLACK_S = 60.0
"""A pause that lies further ahead than that plus the longest one is the work of a clock that was set."""
LONGEST_STRETCH = 8.0
"""Most that the interval grows after such answers; it shrinks again with every other answer."""
STRETCHED_S = 6.0
"""Most seconds to which an interval grows so, unless it is longer by itself; a run must end though nobody answers."""
SHRINK = 0.8
"""What is left of the stretch after an answer."""
LONGEST_QUEUE_S = 600.0
"""Seconds after which the first in the queue gives up: another process holds every slot, suspended perhaps."""

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_COUNT = re.compile(r"[0-9]{1,6}", re.ASCII)
_PERIOD = re.compile(r"([0-9]{1,4})s", re.ASCII)


class Gates:
    """The gates of all sources.

    Args:
        limits: By source and lane.
        folder: Shared by all processes; it exists.
        clock: Seconds since 1970.
        sleep: Waits for a number of seconds.
    """

    def __init__(self, limits: Limits, folder: Path, *, clock: Callable[[], float], sleep: Sleep) -> None:
        self._limits = limits
        self._folder = folder
        self._clock = clock
        self._sleep = sleep
        self._gates: dict[tuple[str, str], _Gate] = {}

    @asynccontextmanager
    async def turn(self, source: str, lane: str, url: httpx.URL) -> AsyncIterator[Turn]:
        """Wait for a slot and until a request may start, and hold the slot while the context lasts.

        Raises:
            AttemptError: The service asked for a pause that is too long to wait for, or no slot came free.
        """
        found = find(self._limits, source, lane)
        if found is None:
            yield Turn(None)
            return
        gate = self._gate(source, *found, url)
        with _kept(source):
            async with gate.slot():
                await gate.ready()
                turn = Turn(gate)
                try:
                    yield turn
                finally:
                    await turn.end()

    def _gate(self, source: str, lane: str, limit: Limit, url: httpx.URL) -> _Gate:
        place = _place(source, url)
        if (place, lane) not in self._gates:
            ledger = Ledger(self._folder / f"{place}.json", self._sleep)
            self._gates[place, lane] = _Gate((source, lane), limit, ledger, self._clock, self._sleep)
        return self._gates[place, lane]


class Turn:
    """One attempt's right to ask; does nothing for a source without limits."""

    def __init__(self, gate: _Gate | None) -> None:
        self._gate = gate
        self._page: Page | None = None
        self._asked = False

    async def begin(self) -> None:
        """Take a token, waiting for it; nobody else sends until `sent`.

        Raises:
            AttemptError: The service asked for a pause that is too long to wait for.
        """
        if self._gate:
            self._page = await self._gate.take()
            self._asked = True

    def sent(self) -> None:
        """Say that the request is on its way, and let others send after the interval."""
        if self._gate and self._page:
            page, self._page = self._page, None
            self._gate.count(page)

    async def adapt(self, headers: Mapping[str, str]) -> None:
        """Go by what the service says of its limits (`x-rate-limit-limit`, `-interval`, `x-concurrency-limit`)."""
        if self._gate:
            await self._gate.adapt(headers)

    async def slow(self, wait_s: float | None) -> None:
        """Keep everybody back: the service asked to be asked less often, for `wait_s` seconds if it said so."""
        if self._gate:
            await self._gate.pause(wait_s)

    async def end(self) -> None:
        """Give back what is held."""
        self.sent()
        if self._gate and self._asked and self._gate.limit.counted_from == "answer":
            with anyio.CancelScope(shield=True):
                self._gate.count(await self._gate.ledger.page())


class _Gate:
    """One lane of one service."""

    def __init__(
        self, name: tuple[str, str], limit: Limit, ledger: Ledger, clock: Callable[[], float], sleep: Sleep
    ) -> None:
        self._source, self._lane = name
        self.limit = limit
        self.ledger = ledger
        self._clock = clock
        self._sleep = sleep
        self._queue = anyio.Lock()  # the tasks of this process line up; its first competes with other processes
        self._concurrent = limit.concurrent
        self._stretched = False

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        async with self._queue:
            given_up = self._clock() + LONGEST_QUEUE_S
            while (descriptor := self.ledger.slot(self._concurrent)) is None:
                if self._clock() > given_up:
                    message = f"another run on this machine has been asking it for {LONGEST_QUEUE_S:g} s"
                    raise AttemptError(message, source=self._source, kind=FailureKind.TIMED_OUT, final=True)
                await self._sleep(SLOT_POLL_S)
        try:
            yield
        finally:
            os.close(descriptor)

    async def ready(self) -> None:
        """Wait until a request may start, without taking the token."""
        (await self._open()).close()

    async def take(self) -> Page:
        """Wait until a request may start, and give the ledger, which nobody else can open until it is closed."""
        page = await self._open()
        self._postpone(page.state)  # in case this process ends before it can say when it sent
        page.write()
        return page

    def count(self, page: Page) -> None:
        """Let the interval begin now, and close the ledger."""
        try:
            self._postpone(page.state)
            page.write()
        finally:
            page.close()

    async def adapt(self, headers: Mapping[str, str]) -> None:
        count, period = (headers.get(f"x-rate-limit-{each}", "") for each in ("limit", "interval"))
        interval_s = _interval(count, period)
        concurrent = _count(headers.get("x-concurrency-limit", ""))
        if not (interval_s or concurrent or self._stretched):
            return
        page = await self.ledger.page()
        try:
            lane = page.state.lane(self._lane)
            lane.interval_s = interval_s or lane.interval_s
            lane.concurrent = concurrent or lane.concurrent
            lane.stretch = max(1.0, lane.stretch * SHRINK)
            page.write()
        finally:
            page.close()

    async def pause(self, wait_s: float | None) -> None:
        page = await self.ledger.page()
        try:
            lane = page.state.lane(self._lane)
            if wait_s is None:
                lane.stretch = min(LONGEST_STRETCH, lane.stretch * 2)
            until = self._clock() + (PAUSE_S if wait_s is None else min(wait_s, LONGEST_PAUSE_S))
            page.state.not_before = max(page.state.not_before, until)
            page.write()
        finally:
            page.close()

    async def _open(self) -> Page:
        """Open the ledger at a moment when a request may start."""
        while True:
            page = await self.ledger.page()
            try:
                delay = self._delay(page)
            except BaseException:
                page.close()
                raise
            if delay <= 0:
                return page
            page.close()
            await self._sleep(delay)

    def _delay(self, page: Page) -> float:
        """Give the seconds until a request may start."""
        now, state = self._clock(), page.state
        lane = state.lane(self._lane)
        # Nobody writes times so far ahead: the clock was set back. Of a lost file the worst is assumed.
        if state.not_before - now > LONGEST_PAUSE_S + SLACK_S:
            state.not_before = 0.0
        if page.damaged or lane.next_at - now > self._gap_s(lane) + MARGIN_S:
            page.damaged = False
            self._postpone(state)
            page.write()
        self._concurrent = min(self.limit.concurrent, lane.concurrent or self.limit.concurrent)
        self._stretched = lane.stretch > 1
        pause_s = state.not_before - now
        if pause_s > LONGEST_WAIT_S:
            message = f"asked not to be asked for another {pause_s:,.0f} s"
            raise AttemptError(message, source=self._source, kind=FailureKind.RATE_LIMITED, final=True)
        return max(pause_s, lane.next_at - now)

    def _postpone(self, state: State) -> None:
        lane = state.lane(self._lane)
        lane.next_at = self._clock() + self._gap_s(lane)

    def _gap_s(self, lane: Lane) -> float:
        """Give the seconds between two requests: what the service says, but never less than is configured."""
        interval_s = max(self.limit.interval_s, lane.interval_s or 0.0)
        return max(interval_s, min(interval_s * lane.stretch, STRETCHED_S)) * (1 + MARGIN_SHARE) + MARGIN_S


@contextmanager
def _kept(source: str) -> Iterator[None]:
    """Turn a failing file into no answer: without it the limit cannot be kept."""
    try:
        yield
    except OSError as error:
        message = f"its rate limit cannot be kept on this machine ({error.strerror or type(error).__name__})"
        raise AttemptError(message, source=source, kind=FailureKind.NETWORK, final=True) from error


def _place(source: str, url: httpx.URL) -> str:
    """Name the service whose limits are shared; a service on this machine is another one on every port."""
    name = f"{source}-{origin(url)[2]}" if url.host in _LOOPBACK else source
    return name if re.fullmatch(r"[a-z0-9_-]{1,80}", name, re.ASCII) else sha256(name.encode()).hexdigest()[:32]


def _interval(count: str, period: str) -> float | None:
    """Read "5" and "1s" as 0.2 s."""
    number, match = _count(count), _PERIOD.fullmatch(period.strip())
    if number is None or match is None:
        return None
    interval_s = int(match[1]) / number
    return interval_s if 0 < interval_s <= LONGEST_WAIT_S else None


def _count(text: str) -> int | None:
    """Read a whole number of at least one, and at most as many as make sense."""
    match = _COUNT.fullmatch(text.strip())
    return min(int(match[0]), 1000) or None if match else None
