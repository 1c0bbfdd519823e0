"""The way from a question to its answer: breaker > retry > gate > guard > httpx.

Each ring is a module of its own. What was answered before is not remembered here but by question
(`citeaudit.index.memory`).
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio

from citeaudit.errors import FailureKind, SourceError
from citeaudit.net import limits as shipped
from citeaudit.net import links
from citeaudit.net.breaker import Breaker
from citeaudit.net.gate import Gates
from citeaudit.net.guard import Guard, Resolve
from citeaudit.net.ledger import shared_dir
from citeaudit.net.limits import Limits
from citeaudit.net.retry import ATTEMPTS, FEWER_ATTEMPTS, HURRIED, WITHIN_S, AttemptError, Stopwatch, retry
from citeaudit.net.wire import Caps, Opened, Wire, address
from citeaudit.seams import Answer, Ask
from citeaudit.version import __version__


@dataclass(frozen=True, slots=True)
class Means:
    """What the client stands on, so that a test can wait without waiting."""

    caps: Caps = field(default_factory=Caps)
    resolve: Resolve | None = None
    """Gives the addresses of a name; `None` asks the system."""
    clock: Callable[[], float] = time.time
    """Seconds since 1970."""
    stopwatch: Callable[[], float] = time.monotonic
    """Seconds since some moment."""
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    random: Callable[[], float] = random.random
    """A number from 0 to 1; spreads retries."""


class Client:
    """Asks services over HTTP; an async context manager that implements `citeaudit.seams.Answers`.

    Belongs to one run: sources that it pauses stay paused until it is closed. Environment proxies, `.netrc` and
    cookies are ignored. Messages of errors hold neither query nor headers, which may carry keys.

    Args:
        version: Of citeaudit, for the `User-Agent`.
        contact: E-mail address or page for the `User-Agent`, so that a service can reach the person who asks; with an
            address, the limits of those who give one hold.
        trusted: Addresses the user set, by source: these alone need not be public.
        gates_dir: Folder through which all processes of this machine keep the limits together; made if it is
            missing. `None` takes the one of this machine and user (`citeaudit.net.ledger.shared_dir`). Where there
            can be none, they are kept for this client alone.
        limits: By source and lane; `None` takes those of `configs/sources.toml`.
        means: Clocks, caps and chance.
    """

    def __init__(
        self,
        *,
        version: str = __version__,
        contact: str | None = None,
        trusted: Mapping[str, str] | None = None,
        gates_dir: Path | None = None,
        limits: Limits | None = None,
        means: Means | None = None,
    ) -> None:
        self._agent = user_agent(version, contact)
        self._trusted = trusted or {}
        self._gates_dir = gates_dir
        self._limits = shipped.load(polite="(mailto:" in self._agent) if limits is None else limits
        self._means = means or Means()
        self._breaker = Breaker()
        self._stack = AsyncExitStack()
        self._open: tuple[Gates, Wire] | None = None

    async def __aenter__(self) -> Self:
        means = self._means
        guard = Guard(self._trusted, means.resolve)
        self._stack.push_async_callback(guard.aclose)
        gates = Gates(self._limits, self._folder(), clock=means.clock, sleep=means.sleep)
        self._open = gates, Wire(guard, self._agent, means.caps, means.clock)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = None
        await self._stack.aclose()

    async def fetch(self, ask: Ask) -> Answer:
        """Ask, as often as may help, and give the answer.

        Touches the network.

        Raises:
            SourceUnavailableError: No answer: outage, time-out, limit or refusal, as its `kind` says.
            MalformedAnswerError: The answer is not of the form asked for, too large, or leads elsewhere.
        """
        self._breaker.check(ask.source)
        means = self._means
        watch = Stopwatch(means.stopwatch)
        try:
            answer = await retry(
                lambda: self._attempt(ask, watch),
                watch=watch,
                sleep=means.sleep,
                random=means.random,
                attempts=FEWER_ATTEMPTS if self._breaker.is_failing(ask.source) else ATTEMPTS,
            )
        except SourceError as error:
            absent = isinstance(error, AttemptError) and error.absent
            self._breaker.failed(ask.source, watch.elapsed_s, absent=absent)
            raise
        self._breaker.answered(ask.source)
        return answer

    @asynccontextmanager
    async def stream(self, ask: Ask, extra: Mapping[str, str]) -> AsyncIterator[Opened]:
        """Attempt once, and give the response unread while the context lasts: for files, which are read piece by piece.

        Touches the network. Nothing is tried again here, and no source is paused.

        Args:
            ask: The request; its `form` is left aside.
            extra: More headers, none of them keys: they go along with every redirect.

        Raises:
            AttemptError: No response.
            MalformedAnswerError: One that leads elsewhere.
        """
        gates, wire = self._rooms()
        async with (
            gates.turn(ask.source, ask.lane, address(ask)) as turn,
            wire.stream(ask, turn, extra=extra) as opened,
        ):
            yield opened

    def _rooms(self) -> tuple[Gates, Wire]:
        if self._open is None:
            raise RuntimeError("the client is used inside `async with Client()`")
        return self._open

    async def _attempt(self, ask: Ask, watch: Stopwatch) -> Answer:
        """Wait for a turn, and send."""
        gates, wire = self._rooms()
        async with AsyncExitStack() as stack:
            with watch.stopped():
                turn = await stack.enter_async_context(gates.turn(ask.source, ask.lane, address(ask)))
            within_s = min(WITHIN_S - watch.elapsed_s, self._means.caps.total_s * watch.share)
            self._breaker.check(ask.source)  # it may have been paused meanwhile
            try:
                return await wire.send(ask, turn, within_s=within_s)
            except AttemptError as error:
                if error.kind is FailureKind.RATE_LIMITED:
                    await turn.slow(error.wait_s)
                elif error.kind is FailureKind.TIMED_OUT:
                    watch.share = HURRIED
                raise

    def _folder(self) -> Path:
        """Give the folder of the gates."""
        with suppress(OSError):  # read-only, or not a folder: the limits then hold for this client alone
            if self._gates_dir is None:
                return shared_dir()
            self._gates_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            return self._gates_dir
        return Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="citeaudit-gates-")))


def check_address(url: str) -> None:
    """Check an address that a user set for a service.

    Raises:
        ValueError: It cannot be asked; one sentence that says why, and never quotes the address.
    """
    links.check(url)


def user_agent(version: str, contact: str | None = None) -> str:
    """Give the name under which services are asked.

    >>> user_agent("1.0", "editor@example.org")
    'citeaudit/1.0 (mailto:editor@example.org)'
    >>> user_agent("1.0", "https://example.org/editors")
    'citeaudit/1.0 (+https://example.org/editors)'

    Raises:
        ValueError: The contact holds what no header can carry as it is.
    """
    shown = (contact or "").strip(" ") if (contact or "").strip() else ""
    if not (shown.isascii() and shown.isprintable()):
        raise ValueError("the contact holds line ends, control characters or letters beyond ASCII")
    if not shown:
        return f"citeaudit/{version}"
    is_address = "@" in shown and "://" not in shown
    return f"citeaudit/{version} ({'mailto:' + shown.removeprefix('mailto:') if is_address else '+' + shown})"
