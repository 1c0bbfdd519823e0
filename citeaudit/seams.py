"""The five doors through which parts are exchanged; built-ins come in by the same ones.

Implementations register under the entry-point groups of `citeaudit.registry`. One contract test
class a seam runs over everything registered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TextIO, runtime_checkable

if TYPE_CHECKING:
    from citeaudit.model import Audit, Evidence, Extraction, Lookup, Opinion, Query, Unreadable


class Extractor(Protocol):
    """Reads one kind of document."""

    name: str
    """As in `Extraction.format`."""
    suffixes: tuple[str, ...]
    """Lower case, with the dot."""

    def read(self, path: Path) -> Extraction:
        """Read the references of a document.

        Never raises for one bad entry; see `Extraction.failed`.

        Raises:
            ExtractionError: The document as a whole cannot be read.
        """
        ...


@runtime_checkable
class Recognises(Protocol):
    """What an extractor may offer beside: reading pages that are images."""

    def recognising(self, languages: str) -> Extractor:
        """Give the extractor that reads them too, in these languages (`eng+deu`, as Tesseract names them)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request of a source to its service."""

    source: str
    """Name of the source."""
    url: str
    """Address without a query."""
    params: tuple[tuple[str, str], ...] = ()
    """The query, not yet encoded."""
    method: Literal["GET", "POST"] = "GET"
    body: object = None
    """Sent as JSON with POST."""
    headers: tuple[tuple[str, str], ...] = ()
    """Keys; never in a message, a log or a cache."""
    form: Literal["json", "xml"] = "json"
    """What an answer must be; an answer of another kind is malformed."""
    follow: Literal["origin", "public"] = "origin"
    """How far redirects may lead: within scheme, host and port, or to any public address; keys never go along."""
    lane: str = "default"
    """Which of the source's rate limits it falls under, as named in `configs/sources.toml`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back: 2xx, or a 4xx that is no refusal (404 may be a service's way to say no)."""

    status: int
    value: object
    """The decoded JSON; `None` for XML, and where a 4xx came with anything but JSON."""
    text: str
    """The body as text for XML; empty for JSON, and for a 4xx without it the first words, unless it is a web page."""
    retrieved_at: datetime
    """Aware, UTC."""


class Answers(Protocol):
    """What a source may use to reach its service: requests, paced, retried and guarded by the net room."""

    async def fetch(self, ask: Ask) -> Answer:
        """Send one request and give its answer.

        Raises:
            SourceUnavailableError: No answer.
            MalformedAnswerError: The answer is not of the form asked for, too large, or leads elsewhere.
        """
        ...


class Source(Protocol):
    """A service that knows works."""

    name: str
    lineage: str
    """Independence group; services fed by the same records share one."""
    version: str
    """Of the adapter; raised when it reads answers differently, so that remembered ones are asked again."""
    batch_size: int
    """Most queries in one call of `lookup`."""
    wave: int
    """When it is asked by title: 1 first; later ones only for what is still open, as a second opinion."""

    async def lookup(self, queries: Sequence[Query], client: Answers) -> tuple[Lookup, ...]:
        """Answer each query with one lookup, in order; no candidates means NO_MATCH.

        Raises:
            SourceError: Anything that is not an answer.
        """
        ...


class Index(Protocol):
    """Records on this machine."""

    name: str
    built_at: datetime
    """Aware, UTC; bounds, with the coverage statement, what silence can testify."""

    def search(self, queries: Sequence[Query]) -> tuple[Lookup, ...]:
        """Answer each query with one lookup, in order; a damaged index answers UNAVAILABLE."""
        ...


class Judge(Protocol):
    """Looks at evidence and may say something about it."""

    name: str

    async def judge(self, evidence: Evidence) -> Opinion | None:
        """Give an opinion, or `None` where there is nothing to add."""
        ...


class Reporter(Protocol):
    """Renders audits."""

    format: str
    suffix: str
    """With the dot."""

    def write(self, results: Sequence[Audit | Unreadable], stream: TextIO) -> None:
        """Write one report over the documents, in their order."""
        ...
