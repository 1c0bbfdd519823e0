"""The five doors through which parts are exchanged; built-ins come in by the same ones.

Implementations register under the entry-point groups of `citeaudit.registry`. One contract test
class a seam runs over everything registered.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TextIO

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


class Answers(Protocol):
    """What a source may use to reach its service: one GET, cached, paced and guarded by the net room."""

    async def get_json(self, url: str, *, params: dict[str, str], source: str) -> tuple[int, object]:
        """Give the status and the decoded body.

        Raises:
            SourceUnavailableError: No answer.
            MalformedAnswerError: The body is not JSON.
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
