"""Read earlier JSON reports: as a baseline, and to decide about the references in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from citeaudit.errors import UsageError
from citeaudit.model import Alarm, Flag, Identifiers, Person, Reference, Relation, Status, WorkType
from citeaudit.version import SCHEMA_VERSION

MAX_BYTES = 512 * 2**20
"""Of a report; 5,000 references take about 40 MB."""


class _Part(BaseModel):
    """A part of a report that is looked at; a later version may say more."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class SavedReason(_Part):
    """One step of a conclusion."""

    code: str


class SavedVerdict(_Part):
    """A conclusion."""

    status: Status
    alarm: Alarm
    flags: tuple[Flag, ...]
    reasons: tuple[SavedReason, ...]


class SavedField(_Part):
    """One compared field."""

    field: str
    claimed: str | None
    relation: Relation


class SavedWork(_Part):
    """The record that was found."""

    source: str
    source_id: str
    title: str


class SavedRow(_Part):
    """One reference with its verdict."""

    index: int
    label: str | None
    raw: str
    type: WorkType
    title: str | None
    authors: tuple[Person, ...]
    authors_truncated: bool
    editors: tuple[Person, ...] = ()
    year: int | None
    container_title: str | None
    volume: str | None
    pages: str | None
    publisher: str | None
    identifiers: Identifiers
    verdict: SavedVerdict
    best: SavedWork | None
    fields: tuple[SavedField, ...]

    def reference(self) -> Reference:
        """Give the reference, as far as its fingerprint needs it."""
        own = self.model_dump(include=set(Reference.model_fields) & set(type(self).model_fields))
        return Reference.model_validate(own)


class SavedDocument(_Part):
    """The manuscript of a report."""

    path: str


class SavedReport(_Part):
    """A report on one document."""

    document: SavedDocument
    references: tuple[SavedRow, ...]
    preset: str | None
    least_alarm: Alarm | None = None


def read_reports(path: Path) -> tuple[SavedReport, ...]:
    """Read a JSON report, on one document or several.

    Raises:
        UsageError: It is missing, no JSON report of this program, or of a version that this one cannot read.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path}: is larger than {MAX_BYTES // 2**20} MB; name a JSON report of this program")
        data = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(
            f"{path}: the report cannot be read: {error.strerror or error}; name one that is there"
        ) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: is no JSON report; make one with check --format json -o {path}") from error
    reports = tuple(_report(item, path) for item in (data if isinstance(data, list) else [data]))
    if not reports:
        raise UsageError(f"{path}: holds no report; make one with check --format json -o {path}")
    return reports


def rows(reports: tuple[SavedReport, ...]) -> Iterator[tuple[SavedReport, SavedRow]]:
    """Give every reference with its report, in order."""
    return ((report, row) for report in reports for row in report.references)


def _report(data: Any, path: Path) -> SavedReport:
    version = data.get("schema_version") if isinstance(data, dict) else None
    if not isinstance(version, str):
        raise UsageError(f"{path}: is no JSON report of this program; make one with check --format json -o {path}")
    if version.partition(".")[0] != SCHEMA_VERSION.partition(".")[0]:
        raise UsageError(
            f"{path}: is a report of version {version[:20]!r}, and this program reads {SCHEMA_VERSION}; make it anew"
        )
    try:
        return SavedReport.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(f"{path}: is damaged at {place} ({first['msg']}); make the report anew") from None


def is_report(path: Path) -> bool:
    """Whether a file begins as a JSON report does; never raises."""
    try:
        with path.open("rb") as stream:
            return b'"schema_version"' in stream.read(4_096)
    except (OSError, ValueError):
        return False
