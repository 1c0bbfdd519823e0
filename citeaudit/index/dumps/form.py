"""The form of a dump reader: splitting is cheap and done in one process, reading units is done in many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from citeaudit.index.store.record import Listing, Malformed, Record


class Unit(NamedTuple):
    """A piece of a dump that can be read by itself: some lines, some XML elements, or a whole small file."""

    path: Path
    place: str
    """Where it begins, for people: `line 12`, `record 3001`, `member data/2020.acl.xml`."""
    data: bytes | None
    """Unpacked; `None` where the worker is to open `path` itself (a file of a few MB among thousands)."""


class Fault(NamedTuple):
    """A record that was left out."""

    where: str
    """`line 12`, `record 7 (journals/x/Y99)`; the builder puts the path before it."""
    why: str
    contents: tuple[str, ...] = ()
    """Keys of the tables of contents that name what is lost, where they can still be seen."""


class DumpFormat(Protocol):
    """Reads one service's dumps (entry point `citeaudit.dump`); a class without arguments, cheap to make.

    Instances are made in each worker process and hold no state between units.
    """

    name: str
    """As `--format` names it."""
    suffixes: tuple[str, ...]
    """Of files that are taken from a folder, lower case with the dot; packed ones (`.json.gz`) too."""

    def split(self, path: Path) -> Iterator[Unit]:
        """Give the units of one file in their order; the same file gives the same units each time.

        A unit of lines or elements is about 1 MB (`packed.UNIT_BYTES`), so that handing it to a worker pays.

        Raises:
            IndexBuildError: The file is truncated, damaged, or no dump of this form at all (a web page).
        """
        ...

    def read(self, unit: Unit) -> Iterator[Record | Listing | Fault]:
        """Give the records of one unit, tidied (`citeaudit.index.store.tidy.tidy`), a `Fault` in place of each bad one.

        Raises:
            IndexBuildError: The unit's file (where `data` is `None`) is truncated, damaged or no such dump.
        """
        ...


__all__ = ["DumpFormat", "Fault", "Listing", "Malformed", "Record", "Unit"]
