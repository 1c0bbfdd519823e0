"""What the process of `test_shelf.py` runs that is ended in the middle: argv are folder and base URL."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import anyio

from citeaudit.net.client import Client
from citeaudit.net.download import Wanted
from citeaudit.net.shelf import fetch_all, opened


async def main() -> None:
    folder, url = sys.argv[1:]
    wanted = Wanted(source="dump", url=f"{url}/0.gz", name="0.gz", ceiling=10**9)
    with opened(Path(folder)) as shelf:
        async with Client(trusted={"dump": url}, limits={}) as client:
            await fetch_all([wanted], shelf, client)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run it may be ignored
    anyio.run(main)
