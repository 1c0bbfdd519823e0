"""What one process of `test_processes.py` runs: argv are folder, base URL, how often, interval and concurrency."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import anyio

from citeaudit.net.client import Client
from citeaudit.net.limits import Limit
from citeaudit.seams import Ask


async def main(folder: str, url: str, count: str, interval_s: str, concurrent: str) -> None:
    limits = {"town": {"default": Limit(interval_s=float(interval_s), concurrent=int(concurrent))}}
    async with (
        Client(trusted={"town": url}, limits=limits, gates_dir=Path(folder)) as client,
        anyio.create_task_group() as group,
    ):
        for _ in range(int(count)):
            group.start_soon(client.fetch, Ask(source="town", url=f"{url}/works"))


if __name__ == "__main__":
    anyio.run(partial(main, *sys.argv[1:]))
