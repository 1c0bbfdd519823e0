"""A clock that moves only when somebody sleeps on it."""

from __future__ import annotations

from anyio import lowlevel

START = 1_600_000_000.0


class Clock:
    """Stands in for clock and sleep together."""

    def __init__(self) -> None:
        self.now = START
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await lowlevel.checkpoint()
