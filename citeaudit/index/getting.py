"""Fetch a dump: ask which files it consists of today, and bring the folder up to date."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from pydantic import SecretStr

from citeaudit.index.catalogue import Api, Dump, Plan, plan
from citeaudit.net.client import Client, Means
from citeaudit.net.download import Download
from citeaudit.net.limits import Limits
from citeaudit.net.shelf import Progress, Shelf, Tally, fetch_all, opened
from citeaudit.net.wire import Caps

CAPS = Caps(silence_s=30.0, total_s=60.0)
"""Servers that pack a repository when it is asked for keep silent meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is wanted."""

    dump: Dump
    folder: Path
    """Where the files go; made if it is missing."""
    base_url: str | None = None
    """Address in place of the one in the table; it need not be public."""
    key: SecretStr | None = None
    contact: str | None = None
    """Told to the service in the `User-Agent`."""
    means: Means | None = None
    limits: Limits | None = None
    """How often services may be asked; `None` takes those that ship."""
    heard: Callable[[Progress], None] | None = None

    def client(self) -> Client:
        """Make the client, which trusts the address that the user set."""
        way = self.dump.way
        asked = (self.dump.name, way.source) if isinstance(way, Api) else (self.dump.name,)
        trusted = dict.fromkeys(asked, self.base_url) if self.base_url else {}
        known = {name: url for name, url in trusted.items() if url}
        means = self.means or Means(caps=CAPS)
        return Client(contact=self.contact, trusted=known, limits=self.limits, means=means)


@dataclass(frozen=True, slots=True)
class Prospect:
    """What fetching would come to."""

    plan: Plan
    there: int
    """Files that are there, whole, and need not be asked for."""
    arrived: int
    """Bytes that are there, of files that are not whole, too."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it."""

    tally: Tally
    path: Path
    """What to build from."""
    day: date
    """Of the dump: as its list says, else of its newest file, else today."""
    outdated: tuple[str, ...]
    """Files in the folder that were fetched once and are published no more."""


async def look(order: Order) -> Prospect:
    """Ask which files there are, and see which of them are here.

    Touches the network, but for fixed addresses.

    Raises:
        SourceError: No list, as `citeaudit.index.catalogue.plan` says.
        UsageError: A key is missing, or another run is fetching.
    """
    async with order.client() as client:
        today = await _plan(order, client)
    if not order.folder.is_dir():
        return Prospect(today, 0, 0)
    with opened(order.folder) as shelf:
        there = sum(shelf.keeps(each) for each in today.wanted)
        return Prospect(today, there, sum(shelf.arrived(each) for each in today.wanted))


async def get(order: Order) -> Outcome:
    """Bring the folder up to date; whatever stops it, what has arrived is kept, and the next call goes on.

    Touches the network.

    Raises:
        SourceUnavailableError: No answer; run again later.
        MalformedAnswerError: What came is not the dump.
        UsageError: A key is missing, no room, the folder cannot be written, or another run is fetching into it.
    """
    with opened(order.folder) as shelf:
        async with order.client() as client:
            today = await _plan(order, client)
            tally = await fetch_all(today.wanted, shelf, client, means=order.means, heard=order.heard)
        names = {each.name for each in today.wanted}
        outdated = tuple(sorted(name for name in shelf.names - names if _belongs(name, today)))
        return Outcome(tally, today.place(order.folder), today.day or _newest(shelf, today), outdated)


async def _plan(order: Order, client: Client) -> Plan:
    download = Download(client, order.means)
    return await plan(order.dump, client, download, base_url=order.base_url, key=order.key)


def _belongs(name: str, today: Plan) -> bool:
    """Say whether a file would be built from, too: one of another release lies in a folder of its own."""
    return not today.below or name.startswith(f"{today.below}/")


def _newest(shelf: Shelf, today: Plan) -> date:
    days = []
    for each in today.wanted:
        held = shelf.held(each.name)
        try:
            days.append(parsedate_to_datetime(held.version.modified if held else "").date())
        except ValueError:
            continue
    return max(days, default=datetime.now(UTC).date())
