"""Find what is registered behind a seam; built-ins and third parties come in by the same door."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Literal

from citeaudit.errors import ConfigError, DependencyError

Seam = Literal["extractor", "source", "index", "candidates", "dump", "judge", "reporter"]


@cache
def _entries(seam: Seam) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=f"citeaudit.{seam}")}


def names(seam: Seam) -> tuple[str, ...]:
    """Give the registered names behind a seam, sorted."""
    return tuple(sorted(_entries(seam)))


def load(seam: Seam, name: str) -> object:
    """Give the registered object (a class or a factory) behind a name.

    Raises:
        ConfigError: No such name; the message lists the known ones.
        DependencyError: It is registered but cannot be imported.
    """
    entries = _entries(seam)
    if not entries:
        message = (
            f"nothing is registered for {seam}: install citeaudit (pip install .), do not run it from a bare folder"
        )
        raise DependencyError(message)
    if name not in entries:
        message = f"unknown {seam} {name!r}; known: {', '.join(names(seam))}"
        raise ConfigError(message)
    try:
        return entries[name].load()
    except ImportError as error:
        message = f"the {seam} {name!r} cannot be imported: {error}"
        raise DependencyError(message) from error
