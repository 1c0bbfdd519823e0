"""The seam for back ends: where the records of an index lie, and how they are found.

`engine.LookupIndex` asks one of these and does everything else: the ladder, weighing, gathering, coverage. The local
one (`local.LocalCandidates`) is files on this disk; a distributed one answers the same calls over a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from citeaudit.index.manifest import Manifest
from citeaudit.index.store.record import Record, RecordNotice

Found = dict[int, Record]
"""Records by their place, a number that is unique in the index; best first where there is an order."""


class Held(NamedTuple):
    """How much of a venue in a year the index holds."""

    held: int
    """Works held."""
    listed: int | None
    """Works that a table of contents lists; `None` where no table is known."""
    complete: bool
    """Whether every listed work is held, and the table itself shows no gap."""


class CandidateIndex(Protocol):
    """Records and the ways to find them. All calls take the questions of a whole reference list at once."""

    manifest: Manifest

    def exact(self, asked: Sequence[Sequence[int]], limit: int = 200) -> list[Found]:
        """Give, for each question, the records that have any of its keys (`citeaudit.index.store.keys`).

        Args:
            asked: Keys, one sequence a question.
            limit: Records to give at most for one question.

        Raises:
            IndexDamagedError: The files are damaged or gone; a part of the answer is never given as the whole.
        """
        ...

    def search(self, asked: Sequence[Sequence[str]], k: int = 50, count: int = 8, *, mend: bool = False) -> list[Found]:
        """Give, for each question, the `k` records that share most with its rarest words, best first.

        Args:
            asked: Words and surname terms (`citeaudit.index.store.terms`), one sequence a question; which of them are
                rare is for the back end to find out.
            k: Records to give at most for one question.
            count: How many of the rarest words to look up. Words that a single record holds are left out where
                at least three others remain: a misread word is rare, too.
            mend: Whether to look also for what unknown words may have been (`mending.mended`).

        Raises:
            IndexDamagedError: As `exact`.
        """
        ...

    def notices(self, keys: Sequence[int]) -> dict[int, tuple[RecordNotice, ...]]:
        """Give the notices about works by the keys of their identifiers; keys without any are left out.

        Raises:
            IndexDamagedError: As `exact`.
        """
        ...

    def held(self, venue: int, year: int) -> Held | None:
        """Give how much of a venue (`keys.venue_key`) in a year is held, or `None` where nothing is known of it."""
        ...

    def close(self) -> None:
        """Let go of the files; no question may follow."""
        ...
