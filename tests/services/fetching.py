"""Ask through the real client, one request after the other, with a clock of the test."""

from __future__ import annotations

from typing import Any

import anyio

from citeaudit.net.client import Client, Means
from citeaudit.net.wire import Caps
from citeaudit.seams import Answer, Ask
from tests.services.moments import Clock
from tests.services.quick import skip


def fetch(*asks: Ask, clock: Clock | None = None, **options: Any) -> Answer:
    """Ask one after the other through one client, and give the last answer."""
    caps = options.pop("caps", Caps())
    means = Means(caps, clock=clock, stopwatch=clock, sleep=clock.sleep) if clock else Means(caps, sleep=skip)
    options.setdefault("trusted", {asks[0].source: asks[0].url})
    options.setdefault("limits", {})

    async def run() -> Answer:
        async with Client(means=means, **options) as client:
            answers = [await client.fetch(ask) for ask in asks]
            return answers[-1]

    return anyio.run(run)


def works(url: str, **fields: Any) -> Ask:
    return Ask(source="example", url=f"{url}/works", **fields)
