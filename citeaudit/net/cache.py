"""The one cache on disk: diskcache, made to hold JSON text and nothing else.

diskcache unpickles rows that say they are pickled, also under its own `JSONDisk`, and joins the file name of a
row to its directory unchecked (CVE-2025-69872, unfixed): whoever can write one row runs code or reads files.
`JsonOnlyDisk` never unpickles and never opens, writes or removes a file: every value is text in the database.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
import stat
from pathlib import Path
from typing import Any, NoReturn

import diskcache
from diskcache.core import DEFAULT_SETTINGS, METADATA, MODE_RAW

from citeaudit.errors import ConfigError

SIZE_LIMIT = 256 * 2**20
"""Bytes after which the oldest answers are dropped."""

LOCK_WAIT_S = 5.0
"""Seconds to wait for another process that writes."""

FAULTS = (sqlite3.Error, diskcache.Timeout, OSError)
"""What a cache may raise while it is in use: damaged, locked for too long, no space left."""

_DATABASE = "cache.db"
_MISSING = object()
_log = logging.getLogger(__name__)


class RefusedRowError(OSError):
    """A row that this cache would never have written; diskcache takes an `OSError` for a miss."""


class JsonOnlyDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache has no types
    """Keys are plain text or bytes, values JSON text inside the database; everything else is refused."""

    def put(self, key: object) -> tuple[object, bool]:
        """Give the database's form of a key.

        Raises:
            TypeError: The key is neither `str` nor `bytes`; diskcache would pickle it.
        """
        if isinstance(key, str):
            return key, True
        if isinstance(key, bytes):
            return sqlite3.Binary(key), True
        raise TypeError(f"a cache key must be str or bytes, not {type(key).__name__}")

    def get(self, key: object, raw: object) -> str | bytes:
        """Give a key back from its row.

        Raises:
            RefusedRowError: The row says that its key is pickled.
        """
        if raw and isinstance(key, (str, bytes)):
            return key
        raise RefusedRowError("a key that is not plain text or bytes")

    def store(self, value: object, read: bool, key: object = None) -> tuple[int, int, None, str]:
        """Give the row of a value: its JSON text, whatever its size.

        Raises:
            TypeError: The value cannot be written as JSON, or is a file.
        """
        del key
        if read:
            raise TypeError("files are not cached")
        return 0, MODE_RAW, None, json.dumps(value, separators=(",", ":"))

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> Any:
        """Give the value of a row.

        Raises:
            RefusedRowError: The row is pickled, names a file (inside or outside the directory), or is not JSON text.
        """
        if mode != MODE_RAW or filename is not None or read or not isinstance(value, str):
            raise RefusedRowError("a row that is not JSON text")
        try:
            return json.loads(value)
        except (ValueError, RecursionError) as error:
            raise RefusedRowError("a row that is not JSON") from error

    def filename(self, key: object = None, value: object = None) -> NoReturn:
        """Refuse to name a file.

        Raises:
            RefusedRowError: Always; there are no files.
        """
        del key, value
        raise RefusedRowError("this cache has no files")

    def remove(self, file_path: object) -> None:
        """Leave the file of a row alone: no row of ours has one, so it was put there to have something deleted."""


class JsonCache(diskcache.Cache):  # type: ignore[misc]  # diskcache has no types
    """A cache whose refused rows read as a miss and are deleted."""

    def get(self, key: str | bytes, default: Any = None, **options: Any) -> Any:
        """Give the value of a key, or the default; see `diskcache.Cache.get`."""
        value = super().get(key, default=_MISSING, **options)
        if value is not _MISSING:
            return value
        if key in self:  # there is a row, and it was refused
            self.delete(key)
        return default


def open_cache(directory: Path) -> JsonCache:
    """Open the cache in a directory that only this user can enter.

    It is created with mode 0700, and tightened to that where it is the user's own. A database that cannot be
    read is set aside beside it (`cache.db.damaged`), a note is logged, and an empty one takes its place.

    Raises:
        ConfigError: The directory cannot be made or used, belongs to another user, or everybody may write to it.
    """
    _secure(directory)
    try:
        return _open(directory)
    except (*FAULTS, TypeError, ValueError) as error:
        _log.warning("the cache in %s is damaged (%s): set aside, starting with an empty one", directory, error)
    try:
        set_aside(directory)
        return _open(directory)
    except FAULTS as error:
        raise ConfigError(f"cache_dir: {directory} cannot be used ({error}); name another directory") from error


def set_aside(directory: Path) -> None:
    """Move a damaged database out of the way; an older one that was set aside is replaced."""
    for tail in ("", "-wal", "-shm"):
        file = directory / f"{_DATABASE}{tail}"
        if file.is_symlink() or file.exists():
            file.replace(directory / f"{_DATABASE}.damaged{tail}")


def _foreign(file: Path) -> list[str]:
    """Give the settings in a database that diskcache does not know; it would set each as its own attribute."""
    if not file.exists():
        return []
    with contextlib.closing(sqlite3.connect(file)) as db:
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'Settings'").fetchone() is None:
            return []
        names = [str(name) for (name,) in db.execute("SELECT key FROM Settings")]
    return [name for name in names if name not in DEFAULT_SETTINGS and name not in METADATA]


def _open(directory: Path) -> JsonCache:
    if foreign := _foreign(directory / _DATABASE):
        raise sqlite3.DatabaseError(f"unknown settings {', '.join(foreign)}")
    cache = JsonCache(
        str(directory),
        timeout=LOCK_WAIT_S,
        disk=JsonOnlyDisk,
        size_limit=SIZE_LIMIT,
        eviction_policy="least-recently-stored",
        statistics=0,
    )
    try:
        (verdict,) = cache._sql("PRAGMA quick_check(1)").fetchone()  # noqa: SLF001 - diskcache has no door for it
    except BaseException:
        cache.close()
        raise
    if verdict != "ok":
        cache.close()
        raise sqlite3.DatabaseError(verdict)
    return cache


def _secure(directory: Path) -> None:
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = directory.stat()
    except OSError as error:
        raise ConfigError(
            f"cache_dir: {directory} cannot be made ({error.strerror}); name another directory"
        ) from error
    if found.st_uid != os.getuid():
        raise ConfigError(f"cache_dir: {directory} belongs to another user; name a directory of your own")
    if found.st_mode & stat.S_IWOTH:
        raise ConfigError(f"cache_dir: everybody may write to {directory}; name another directory, or remove this one")
    if stat.S_IMODE(found.st_mode) != stat.S_IRWXU:
        directory.chmod(0o700)
