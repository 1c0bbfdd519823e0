"""What an index says about itself: `index.json` beside its parts.

Replacing this file is the one moment at which an index changes: a part that it does not name is not there.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from citeaudit.errors import IndexBuildError, IndexDamagedError
from citeaudit.model import Query, WorkType
from citeaudit.text.normalize import NORMALISER_VERSION, fold

SCHEMA_VERSION = 2
"""Raised whenever the files of a part change their form."""

MANIFEST, PARTS, DATA, WORDS = "index.json", "parts", "works.db", "words"
"""Names in the folder of an index; the last two stand in the folder of each part."""

COVERAGE = "coverage.db"
"""In the folder of the parts: what a comparison with another index's tables of contents showed (`covering.cover`)."""

COUNTED = (
    "authors",
    "year",
    "venue",
    "volume",
    "issue",
    "pages",
    "publisher",
    "type",
    "doi",
    "arxiv_id",
    "pmid",
    "pmcid",
    "isbn",
    "notices",
    "related",
    "about",
    "authors_complete",
)
"""Fields of `record.Record` that are counted where they are not empty, in the order of the bits of `Row.fields`.

The last one is counted where there are authors and the list may be taken as whole (`works.is_complete`).
"""

REBUILD = "build it again with: citeaudit index build FILE... --format FORMAT --out DIR"
"""What to do about an index that cannot be used."""

DENIED = "no permission to read"
"""In the message about an index that may be whole: building it again is no remedy."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class _Saved(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


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


class SourceInfo(_Saved):
    """What an index holds from one collection, and up to when that can be known."""

    records: int = 0
    updated: date | None = None
    """The newest change of a record, as the collection dates it; `None` where it dates none."""
    dump_date: date | None = None
    """Day of the dump, as whoever built the index said; the collection cannot know later works."""
    last_year: int | None = None
    """The latest year of a record."""

    @property
    def end(self) -> date | None:
        """The last day that it can know of: that of the dump, else the newest change; `None` where neither is known."""
        return self.dump_date or self.updated

    def plus(self, other: SourceInfo) -> SourceInfo:
        """Give both together; the dates are the later ones, an unknown date yields to a known one."""
        return SourceInfo(
            records=self.records + other.records,
            updated=max(filter(None, (self.updated, other.updated)), default=None),
            dump_date=max(filter(None, (self.dump_date, other.dump_date)), default=None),
            last_year=max(filter(None, (self.last_year, other.last_year)), default=None),
        )


class Counts(_Saved):
    """What records were read into an index; one that a later update replaced is counted both times."""

    counted: int = 0
    """Records that these counts are over."""
    malformed: int = 0
    """Records that were left out."""
    sources: Mapping[str, SourceInfo] = {}
    """By collection (`Record.src`), most records first; the empty name for records without one."""
    years: Mapping[int, int] = {}
    """Records by year, in order; those without a year are not in here."""
    fields: Mapping[str, int] = {}
    """Records that have the field, by the names of `COUNTED`, in that order."""

    @cached_property
    def end(self) -> date | None:
        """The last day that any of the collections can know of; `None` where one of them has no date, or none is."""
        days = [info.end for info in self.sources.values()]
        known = [day for day in days if day is not None]
        return max(known) if known and len(known) == len(days) else None

    def plus(self, other: Counts) -> Counts:
        """Give both together."""
        sources = dict(self.sources)
        for name, info in other.sources.items():
            sources[name] = sources[name].plus(info) if name in sources else info
        years = {year: self.years.get(year, 0) + other.years.get(year, 0) for year in {**self.years, **other.years}}
        return Counts(
            counted=self.counted + other.counted,
            malformed=self.malformed + other.malformed,
            sources=dict(sorted(sources.items(), key=lambda item: (-item[1].records, item[0]))),
            years=dict(sorted(years.items())),
            fields={name: self.fields.get(name, 0) + other.fields.get(name, 0) for name in COUNTED},
        )


class FileSum(_Saved):
    """What a file of a sealed part must be."""

    size: int
    """Bytes."""
    blake2b: str
    """Hexadecimal, as `hashlib.blake2b(digest_size=16)` gives it."""


class Part(_Saved):
    """One sealed part: a folder of that name in `parts/`, never changed after the manifest names it."""

    name: str
    records: int
    """Records in it, those that a later part replaced included."""
    files: Mapping[str, FileSum] = {}
    """By their path in the folder of the part, with `/`."""

    @field_validator("name")
    @classmethod
    def _is_a_folder(cls, value: str) -> str:
        if not _NAME.fullmatch(value):
            message = "is no plain name of a folder"
            raise ValueError(message)
        return value

    @field_validator("files")
    @classmethod
    def _stay_inside(cls, value: Mapping[str, FileSum]) -> Mapping[str, FileSum]:
        for name in value:
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts or not path.parts:
                message = "must be files in the folder of the part"
                raise ValueError(message)
        return value


class Manifest(Counts):
    """The content of `index.json`."""

    name: str
    """As reports call the index."""
    built_at: datetime
    """Aware, UTC; of the last build, update or merge."""
    records: int
    """Records that a question can find: those of all parts, without those that a later part replaced."""
    content: str
    """Hash over the records of all parts; equal content, equal records."""
    normaliser_version: int = NORMALISER_VERSION
    schema_version: int = SCHEMA_VERSION
    format: str = "jsonl"
    """Form of the dumps it was built from; several joined by `+`."""
    parts: tuple[Part, ...] = ()
    """Oldest first; empty where the records lie elsewhere (in memory, on a server)."""
    coverage: tuple[Covered, ...] = ()
    """What its silence can testify beside its tables of contents. Written by whoever knows the data."""
    told: tuple[str, ...] = ()
    """Remarks of the last build, for people: the first records left out, and why."""

    @property
    def doubted(self) -> bool:
        """Whether no table of contents may be taken as whole: there were updates, and a record was unreadable.

        It may have been a late work of a volume that an older part calls complete.
        """
        return len(self.parts) > 1 and self.malformed > 0


def read(folder: Path) -> Manifest:
    """Read `index.json`.

    Raises:
        IndexDamagedError: Missing, not readable, or of another version; says what to run.
    """
    try:
        text = (folder / MANIFEST).read_bytes()
    except PermissionError as error:
        raise _denied(folder / MANIFEST) from error
    except OSError as error:
        raise IndexDamagedError(f"{folder}: {MANIFEST} cannot be read ({error.strerror}); {REBUILD}") from error
    try:
        raw = json.loads(text)
        check(folder, raw["schema_version"], raw["normaliser_version"])
        manifest = Manifest.model_validate(raw)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise IndexDamagedError(f"{folder}: {MANIFEST} is damaged ({_complaint(error)}); {REBUILD}") from error
    if manifest.built_at.tzinfo is None:
        manifest = manifest.model_copy(update={"built_at": manifest.built_at.replace(tzinfo=UTC)})
    return manifest


def installed(place: Path) -> list[Path]:
    """Give the folders of the indexes that lie in a folder, sorted.

    One that lost its `index.json` is still one, so that its absence is told; one that is being built for the first
    time has no sealed part yet, and is none.
    """
    found = {path.parent for path in place.glob(f"*/{MANIFEST}")}
    return sorted(found | {path.parents[2] for path in place.glob(f"*/{PARTS}/*/{DATA}")})


def is_there(path: Path) -> bool:
    """Whether something is at a path; what may not be looked at is taken to be there: whoever opens it will say so."""
    try:
        return path.exists()
    except PermissionError:
        return True
    except OSError:  # a name that is too long, for one
        return False


def write(folder: Path, manifest: Manifest) -> None:
    """Put `index.json` in place at once; with it, the parts that it names become the index.

    Raises:
        IndexBuildError: It cannot be written (disk full, no permission); the old one is still in place.
    """
    text = manifest.model_dump_json(indent=2, by_alias=True) + "\n"
    new = folder / f"{MANIFEST}.new"
    try:
        with new.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(folder / MANIFEST)
        _sync(folder)
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise IndexBuildError(
            f"{folder}: {MANIFEST} could not be written ({error.strerror}); the index is as it was"
        ) from error


def check(folder: Path, schema: int, normaliser: int) -> None:
    """Refuse an index of another version.

    Raises:
        IndexDamagedError: Another version; says what to run.
    """
    if (schema, normaliser) != (SCHEMA_VERSION, NORMALISER_VERSION):
        raise IndexDamagedError(f"{folder}: the index was built by another version of citeaudit; {REBUILD}")


def check_files(folder: Path, manifest: Manifest) -> None:
    """See that every file of every part is there with its size; reads none of them (`checking.verify` does).

    Raises:
        IndexDamagedError: A file is missing or of another size; says which, and what to run.
    """
    for part in manifest.parts:
        for name, expected in part.files.items():
            path = folder / PARTS / part.name / name
            try:
                size = path.stat().st_size
            except PermissionError as error:
                raise _denied(path) from error
            except OSError as error:
                raise IndexDamagedError(f"{path}: is missing ({error.strerror}); {REBUILD}") from error
            if not os.access(path, os.R_OK):
                raise _denied(path)
            if size != expected.size:
                raise IndexDamagedError(f"{path}: has {size:,} bytes instead of {expected.size:,}; {REBUILD}")


def read_whole(folder: Path) -> Manifest:
    """Read `index.json`, and see that the files it names are there; again where another process replaces it meanwhile.

    Raises:
        IndexDamagedError: As `read` and `check_files`.
    """
    manifest = read(folder)
    while True:
        try:
            check_files(folder, manifest)
        except IndexDamagedError:
            before, manifest = manifest, read(folder)
            if manifest == before:
                raise
        else:
            return manifest


def _denied(path: Path) -> IndexDamagedError:
    return IndexDamagedError(f"{DENIED} {path}; let its owner grant it, or leave the index out")


def _complaint(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg'].removeprefix('Value error, ')}"
    return f"no {error}" if isinstance(error, KeyError) else str(error)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
