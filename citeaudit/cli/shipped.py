"""`citeaudit index`: the starter index, which ships with the program and has no folder."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from citeaudit.index.manifest import Counts
from citeaudit.index.starter import NAME, open_starter, starter_records

if TYPE_CHECKING:
    from citeaudit.index.asking.candidates import CandidateIndex


def is_shipped(index: str) -> bool:
    """Whether the user means the starter index: its name, where no folder here is called so."""
    return index == NAME and not Path(index).exists()


def candidates() -> CandidateIndex:
    """Open its records.

    Raises:
        IndexBuildError: The installed files are damaged.
    """
    return open_starter().candidates


def facts() -> tuple[list[str], Counts]:
    """Give what it is in lines for a person, and its records by year.

    Raises:
        IndexBuildError: The installed files are damaged.
    """
    records = starter_records()
    years = Counter(record.year for record in records if record.year is not None)
    retracted = sum(bool(record.notices) for record in records)
    compiled = open_starter().candidates.manifest.built_at
    return [
        f"{NAME}: ships with the program, compiled {compiled:%Y-%m-%d}",
        f"  {len(records):,} widely cited works, {retracted:,} of them with a notice such as a retraction",
    ], Counts(counted=len(records), years=dict(sorted(years.items())))
