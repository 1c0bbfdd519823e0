"""What the tests of XML and bibliography dumps share: reading a file through its registered format."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from citeaudit.index.dumps.form import DumpFormat, Fault
from citeaudit.index.store.record import Listing, Record
from citeaudit.registry import load

SAMPLES = Path(__file__).parent / "samples"


def dump(name: str) -> DumpFormat:
    made = load("dump", name)
    assert callable(made)
    return cast("DumpFormat", made())


def read(name: str, path: Path) -> list[Record | Listing | Fault]:
    form = dump(name)
    return [found for unit in form.split(path) for found in form.read(unit)]


def records(found: list[Record | Listing | Fault]) -> list[Record]:
    return [one for one in found if isinstance(one, Record)]


def faults(found: list[Record | Listing | Fault]) -> list[Fault]:
    return [one for one in found if isinstance(one, Fault)]


def listings(found: list[Record | Listing | Fault]) -> list[Listing]:
    return [one for one in found if isinstance(one, Listing)]
