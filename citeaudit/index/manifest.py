"""What an index says about itself: `index.json` beside its data, and what its silence can testify."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from citeaudit.errors import IndexBuildError
from citeaudit.model import IDENTIFIER_KINDS, Coverage, Query, QueryKind, WorkType
from citeaudit.text.normalize import NORMALISER_VERSION, fold

SCHEMA_VERSION = 1
"""Raised whenever the tables of `works.db` change."""

DATA, MANIFEST = "works.db", "index.json"
"""Names of the two files in the folder of an index."""


class Covered(BaseModel):
    """One line of a coverage statement: works of a venue, or of some types, in a span of years."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    container_title: str | None = None
    """The venue, compared after folding; `None` means any."""
    types: tuple[WorkType, ...] = ()
    """Types of work; empty means any."""
    first: int = Field(alias="from")
    """First year covered; `from` in the file."""
    last: int = Field(alias="to")
    """Last year covered; `to` in the file."""
    complete: bool = False
    """Whether *every* work of the venue and the years is held; means nothing without a venue."""

    def covers(self, query: Query) -> bool:
        """Whether a work such as the question asks for would fall under this line; an unknown year never does."""
        if query.year is None or not self.first <= query.year <= self.last:
            return False
        if self.types and query.type not in self.types:
            return False
        if self.container_title is None:
            return bool(self.types)
        return query.container_title is not None and fold(query.container_title) == fold(self.container_title)


class Manifest(BaseModel):
    """The content of `index.json`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: str
    built_at: datetime
    """Aware, UTC."""
    records: int
    content: str
    """Hash over the records, as `works.db` holds it too: tells a manifest that belongs to other data."""
    normaliser_version: int = NORMALISER_VERSION
    schema_version: int = SCHEMA_VERSION
    sources: dict[str, int] = {}
    """Number of records by collection (`src` of the records), most first."""
    coverage: tuple[Covered, ...] = ()
    """What its silence can testify; empty means nothing. Written by whoever knows the data, read at each opening."""

    def testify(self, query: Query, *, complete: bool) -> Coverage:
        """Give what *no match* on this question is worth.

        An index is no registration agency: that it lacks an identifier never testifies anything. Nor does silence on
        the words of a reference whose title is not known: an index is searched by titles.

        Args:
            query: The question.
            complete: Whether the user declared the index complete.
        """
        if query.kind in IDENTIFIER_KINDS or query.kind is QueryKind.CITATION:
            return Coverage.NONE
        lines = [line for line in self.coverage if line.covers(query)]
        if any(line.complete and line.container_title is not None for line in lines):
            return Coverage.AUTHORITATIVE
        if complete:
            return Coverage.DECLARED
        return Coverage.GENERAL if lines else Coverage.NONE


def read(folder: Path) -> Manifest:
    """Read `index.json`.

    Raises:
        IndexBuildError: Missing, not readable, or of another version; says what to run.
    """
    try:
        manifest = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except OSError as error:
        raise IndexBuildError(f"{folder}: {MANIFEST} cannot be read ({error.strerror}); {REBUILD}") from error
    except ValidationError as error:
        raise IndexBuildError(f"{folder}: {MANIFEST} is damaged; {REBUILD}") from error
    if manifest.built_at.tzinfo is None:
        manifest = manifest.model_copy(update={"built_at": manifest.built_at.replace(tzinfo=UTC)})
    check(folder, manifest.schema_version, manifest.normaliser_version)
    return manifest


def check(folder: Path, schema: int, normaliser: int) -> None:
    """Refuse an index of another version.

    Raises:
        IndexBuildError: Another version; says what to run.
    """
    if (schema, normaliser) != (SCHEMA_VERSION, NORMALISER_VERSION):
        raise IndexBuildError(f"{folder}: the index was built by another version of citeaudit; {REBUILD}")


REBUILD = "build it again with: citeaudit index build --format jsonl FILE --out DIR"
"""What to do about an index that cannot be used."""
