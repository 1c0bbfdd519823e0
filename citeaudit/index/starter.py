"""The starter index that ships with the package: a few hundred widely cited works."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from citeaudit.errors import IndexBuildError
from citeaudit.index.asking.engine import Clock, LookupIndex, utc_now
from citeaudit.index.store.record import Malformed, Name, Record, RecordNotice
from citeaudit.index.store.tidy import tidy
from citeaudit.model import NoticeType

NAME = "starter"
"""Its name in reports and settings."""

_PLAIN = frozenset(Record._fields) - {"authors", "editors", "notices", "titles", "related", "about"}


def starter_records() -> tuple[Record, ...]:
    """Give the records of the starter index, in the order of the file.

    Raises:
        IndexBuildError: The installed file is missing or damaged.
    """
    try:
        lines = (files("citeaudit") / "datasets" / "starter" / "works.jsonl").read_bytes().splitlines()
        return tuple(_record(json.loads(line)) for line in lines)
    except (OSError, Malformed, ValueError, TypeError, KeyError) as error:
        raise IndexBuildError(f"the starter index is damaged ({error}); install citeaudit again") from error


def _record(row: dict[str, Any]) -> Record:
    """Read one line of our own making; other files need the dump reader, which forgives more."""
    notices = (RecordNotice(NoticeType(one["type"]), one.get("doi"), one.get("year")) for one in row.get("notices", ()))
    plain = {name: value for name, value in row.items() if name in _PLAIN}
    authors = tuple(Name(**name) for name in row.get("authors", ()))
    return tidy(Record(**plain, authors=authors, notices=tuple(notices)))


def open_starter(*, complete: bool = False, clock: Clock = utc_now) -> LookupIndex:
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
    return LookupIndex.in_memory(starter_records(), name=NAME, built_at=built_at, complete=complete, clock=clock)
