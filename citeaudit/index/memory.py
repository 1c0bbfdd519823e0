"""Past answers of sources, kept between runs. Who wants none has no `Memory`."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from citeaudit.errors import ConfigError
from citeaudit.model import Lookup, Outcome, Query, SourceHealth
from citeaudit.net.cache import FAULTS, JsonCache, open_cache, set_aside
from citeaudit.text.normalize import fold, squash

MEMORY_VERSION = 1
"""Raised whenever the stored form or the key changes; older answers are then never read again."""

LONG, SHORT = timedelta(days=30), timedelta(days=1)
"""A work that was found stays found; one that was not may be registered tomorrow."""

LIFETIMES = {Outcome.FOUND: LONG, Outcome.AMBIGUOUS: LONG, Outcome.NO_MATCH: SHORT}
"""How long an answer is believed; outcomes that are not here are no answers and are never kept."""

_AHEAD = timedelta(hours=1)
"""An answer from further in the future than clocks differ is not believed."""

_log = logging.getLogger(__name__)


class _Kept(BaseModel):
    """What is stored: enough to see that it answers the very question asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory_version: int
    source: str
    source_version: str
    lookup: Lookup


class _Health(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    health: SourceHealth
    at: datetime


class Memory:
    """Recalls what a source answered to a question; safe to use from several threads and processes.

    A memory that breaks while in use answers like an empty one: it is a convenience, never a reason to fail.
    """

    def __init__(self, directory: Path, *, clock: Callable[[], datetime]) -> None:
        """Open or create the memory.

        Args:
            directory: Its own; created with mode 0700.
            clock: Gives the time, aware, UTC.

        Raises:
            ConfigError: The directory is not safe to use or cannot be made.
        """
        self._directory, self._clock = directory, clock
        self._cache: JsonCache = open_cache(directory)

    def recall(self, source: str, version: str, query: Query) -> Lookup | None:
        """Give the answer of a source to this question, marked `from_cache`, or `None` where none is known.

        Args:
            source: Name of the source.
            version: Version of its adapter; answers to another version are not recalled.
            query: The question; its hints count as part of it.
        """
        place = _key(source, version, query)
        try:
            stored = self._cache.get(place)
            if stored is None:
                return None
            kept = _validated(stored)
            if kept is None or not self._holds(kept, source, version, query):
                self._cache.delete(place)
                return None
        except FAULTS as error:
            self._repair(error)
            return None
        return kept.lookup.model_copy(update={"query": query, "from_cache": True})

    def remember(self, lookup: Lookup, version: str) -> None:
        """Keep an answer; outages, questions that were skipped, and recalled answers are not kept.

        Args:
            lookup: The answer.
            version: Version of the source's adapter.
        """
        lifetime = LIFETIMES.get(lookup.outcome)
        if lifetime is None or lookup.from_cache:
            return
        kept = _Kept(memory_version=MEMORY_VERSION, source=lookup.source, source_version=version, lookup=lookup)
        place = _key(lookup.source, version, lookup.query)
        try:
            self._cache.set(place, kept.model_dump(mode="json"), expire=lifetime.total_seconds())
        except FAULTS as error:
            self._repair(error)

    def remember_health(self, health: SourceHealth) -> None:
        """Keep how a source fared in a run that asked it."""
        kept = _Health(health=health, at=self._clock())
        try:
            self._cache.set(f"health|{health.source}", kept.model_dump(mode="json"), expire=LONG.total_seconds())
        except FAULTS as error:
            self._repair(error)

    def recall_health(self, source: str) -> tuple[SourceHealth, datetime] | None:
        """Give how a source fared in the last run that asked it, and when that was; `None` where nothing is known."""
        try:
            stored = self._cache.get(f"health|{source}")
        except FAULTS as error:
            self._repair(error)
            return None
        try:
            kept = _Health.model_validate(stored)
        except ValidationError:
            return None
        return kept.health, kept.at

    def close(self) -> None:
        """Close the database; it opens again by itself when it is next asked."""
        self._cache.close()

    def _holds(self, kept: _Kept, source: str, version: str, query: Query) -> bool:
        lookup, now = kept.lookup, self._clock()
        lifetime = LIFETIMES.get(lookup.outcome)
        if lifetime is None or lookup.retrieved_at.tzinfo is None:
            return False
        same = (kept.memory_version, kept.source, kept.source_version) == (MEMORY_VERSION, source, version)
        fresh = -_AHEAD <= now - lookup.retrieved_at < lifetime
        return same and fresh and lookup.source == source and _asked(lookup.query) == _asked(query)

    def _repair(self, error: Exception) -> None:
        _log.warning("the memory in %s cannot be used (%s): going on without it", self._directory, error)
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            self._cache.close()
            with suppress(ConfigError, OSError):  # then every question is a miss, and every answer is lost
                set_aside(self._directory)
                self._cache = open_cache(self._directory)


def _validated(stored: object) -> _Kept | None:
    try:
        return _Kept.model_validate_json(json.dumps(stored))
    except ValidationError:
        return None


def _asked(query: Query) -> str:
    """Give a question in the form in which two that mean the same are equal."""
    parts = [
        query.kind.value,
        squash(query.text).casefold(),
        [fold(family) for family in query.families],
        query.year,
        fold(query.container_title or ""),
        query.type.value,
        (query.doi or "").lower(),
        query.formula,
    ]
    return json.dumps(parts)


def _key(source: str, version: str, query: Query) -> str:
    return sha256("|".join((str(MEMORY_VERSION), source, version, _asked(query))).encode()).hexdigest()
