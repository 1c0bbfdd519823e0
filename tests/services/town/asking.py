"""Ask a source of the town through the real client, at once: no limits, no waiting between attempts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import anyio

from citeaudit.model import Lookup, Query, QueryKind, WorkType
from citeaudit.net.client import Client, Means
from citeaudit.net.wire import Caps
from citeaudit.seams import Source
from citeaudit.sources.arxiv import ArxivSource
from citeaudit.sources.crossref import CrossrefSource
from citeaudit.sources.semantic_scholar import SemanticScholarSource

NOW = datetime(2020, 1, 2, tzinfo=UTC)
CONTACT = "town@example.org"
SOURCES: dict[str, Callable[..., Source]] = {
    "crossref": CrossrefSource,
    "arxiv": ArxivSource,
    "semantic_scholar": SemanticScholarSource,
}


async def _at_once(_: float) -> None:
    await anyio.lowlevel.checkpoint()


def make(name: str, base_url: str, api_key: str | None = None) -> Source:
    return SOURCES[name](base_url, clock=lambda: NOW, contact=CONTACT, api_key=api_key)


def client(*names: str, base_url: str, total_s: float = 5.0) -> Client:
    trusted = dict.fromkeys(names, base_url)
    means = Means(caps=Caps(silence_s=total_s, total_s=total_s), sleep=_at_once)
    return Client(contact=CONTACT, trusted=trusted, limits={}, means=means)


def ask(source: Source, base_url: str, *queries: Query, total_s: float = 5.0) -> tuple[Lookup, ...]:
    """Give the lookups of one call."""

    async def run() -> tuple[Lookup, ...]:
        async with client(source.name, base_url=base_url, total_s=total_s) as answers:
            return await source.lookup(queries, answers)

    return anyio.run(run)


def doi(text: str) -> Query:
    return Query(kind=QueryKind.DOI, text=text)


def arxiv_id(text: str) -> Query:
    return Query(kind=QueryKind.ARXIV_ID, text=text)


def title(
    text: str,
    *families: str,
    kind: WorkType = WorkType.ARTICLE_JOURNAL,
    venue: str | None = None,
    year: int | None = None,
) -> Query:
    return Query(kind=QueryKind.TITLE, text=text, families=families, type=kind, container_title=venue, year=year)


def ask_all(sources: Sequence[Source], base_url: str, queries: Sequence[Query]) -> list[Lookup]:
    """Give the lookups of several sources, one after the other, with one client."""

    async def run() -> list[Lookup]:
        async with client(*(source.name for source in sources), base_url=base_url) as answers:
            found: list[Lookup] = []
            for source in sources:
                for start in range(0, len(queries), source.batch_size):
                    found += await source.lookup(queries[start : start + source.batch_size], answers)
            return found

    return anyio.run(run)
