"""`citeaudit index`: which index, folder, year and number of processes the user means."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from citeaudit.errors import UsageError
from citeaudit.index.manifest import DATA, MANIFEST, PARTS
from citeaudit.settings import load

MAX_JOBS = 256

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_TRACES = ("building", "writer.lock", PARTS)
"""What a build leaves in a folder before its index is whole."""


def index_folder(config: str | None) -> Path:
    """Give the folder of the indexes in the data directory.

    Args:
        config: The user's settings file; `None` takes the usual one.

    Raises:
        ConfigError: The settings cannot be read.
    """
    return load(config=Path(config) if config else None).index_folder


def locate(index: str, config: str | None = None) -> Path:
    """Give the folder of an index, as the user named it: a folder, or a name in the data directory.

    Raises:
        ConfigError: The settings cannot be read.
        UsageError: Neither, or a folder in which no index was finished.
    """
    folder = Path(index)
    if not folder.exists():
        kept = index_folder(config)
        folder = kept / index
        if not _NAME.fullmatch(index) or not folder.exists():
            raise UsageError(f"{index}: no such folder, and no index of that name in {kept}; see citeaudit index list")
    if not (folder / MANIFEST).exists() and not any(folder.glob(f"{PARTS}/*/{DATA}")):
        if any((folder / name).exists() for name in _TRACES):
            raise UsageError(f"{index}: no index was finished here; run the build again")
        raise UsageError(f"{index}: is no index ({MANIFEST} is missing); see citeaudit index list")
    return folder


def place(out: str | None, name: str | None, config: str | None = None) -> Path:
    """Give the folder of the index to be.

    Raises:
        ConfigError: The settings cannot be read.
        UsageError: Neither a folder nor a name, or a name that is no plain one.
    """
    if out is not None:
        return Path(out)
    if name is None:
        raise UsageError("say where the index is to lie: --out DIR, or --name NAME for the data directory")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"--name {name}: only letters, digits, points, dashes and underscores, or name a folder with --out"
        )
    return index_folder(config) / name


def merged_place(indexes: tuple[str, ...], out: str | None, name: str | None, config: str | None = None) -> Path:
    """Give the folder of what a merge makes; `--out` written as one of the merged indexes is that index.

    Raises:
        ConfigError: The settings cannot be read.
        UsageError: As `place`.
    """
    if out is None and name is None:
        raise UsageError(
            "say where the index is to lie: --out DIR, --name NAME for the data directory, or --out with one of the "
            "merged indexes to replace it"
        )
    return locate(out, config) if out is not None and out in indexes else place(out, name, config)


def year(option: str, value: str | None, command: str) -> int | None:
    """Give a year that the user wrote.

    Raises:
        UsageError: It is none, or lies ahead.
    """
    return _number(option, value, command, "a year", datetime.now(UTC).year)


def jobs(option: str, value: str | None, command: str) -> int | None:
    """Give a number of processes that the user wrote.

    Raises:
        UsageError: It is none.
    """
    return _number(option, value, command, "a number of processes", MAX_JOBS)


def _number(option: str, value: str | None, command: str, what: str, most: int) -> int | None:
    if value is None:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", value) or not 1 <= int(value) <= most:
        raise UsageError(f"{option} {value}: give {what} from 1 to {most}; see citeaudit index {command} --help")
    return int(value)
