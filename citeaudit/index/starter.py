"""The starter index that ships with the package: a few hundred widely cited works."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.resources import files

from citeaudit.errors import IndexBuildError
from citeaudit.index.engine import Clock, SqliteIndex, utc_now
from citeaudit.index.records import Malformed, Record, parse_record

NAME = "starter"
"""Its name in reports and settings."""


def starter_records() -> tuple[Record, ...]:
    """Give the records of the starter index, in the order of the file.

    Raises:
        IndexBuildError: The installed file is missing or damaged.
    """
    try:
        lines = (files("citeaudit") / "datasets" / "starter" / "works.jsonl").read_bytes().splitlines()
        return tuple(parse_record(line) for line in lines)
    except (OSError, Malformed) as error:
        raise IndexBuildError(f"the starter index is damaged ({error}); install citeaudit again") from error


def open_starter(*, complete: bool = False, clock: Clock = utc_now) -> SqliteIndex:
    """Open the starter index, in memory.

    Args:
        complete: Whether the user declares it complete (`--assume-complete`).
        clock: Gives the time of each answer, aware, UTC.

    Raises:
        IndexBuildError: The installed files are missing or damaged.
    """
    try:
        manifest = json.loads((files("citeaudit") / "datasets" / "starter" / "manifest.json").read_bytes())
        built_at = datetime.fromisoformat(manifest["compiled"]).replace(tzinfo=UTC)
    except (OSError, ValueError, KeyError) as error:
        raise IndexBuildError(f"the starter index is damaged ({error}); install citeaudit again") from error
    return SqliteIndex.in_memory(starter_records(), name=NAME, built_at=built_at, complete=complete, clock=clock)
