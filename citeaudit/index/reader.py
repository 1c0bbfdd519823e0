"""Ask `works.db`: by identifier, by title key, by words. Safe across threads and forked processes."""

from __future__ import annotations

import math
import os
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from heapq import nsmallest
from pathlib import Path
from typing import NamedTuple

from citeaudit.index.records import Record
from citeaudit.index.store import unpack

MAX_SAME_TITLE = 200
"""Records of one title key that are looked at; `Introduction` and the like have hundreds."""

WORDS_ASKED = 8
"""Rarest words of a question that are looked up: recall@1 99.5 % on noisy titles, `docs/index.md`."""

ENOUGH_WORDS = 3
"""Words that must remain before words of a single record are left out: a misread word is rare, too."""

BUDGETS = (6_000, 40_000)
"""Records touched, by the first round of a search, and by the second where the first found nothing good.

On 801,262 records and 400 noisy titles: 6,000 finds 98 % in 2 ms, 40,000 all in 6 ms.
"""

MAX_FRESH = 20_000
"""Unpacked records kept at hand, about 30 MB; unpacking was half of the time of a search."""


class Word(NamedTuple):
    """A word and the number of records that hold it."""

    records: int
    text: str


class Reader:
    """One index's tables."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], *, shared: bool = False) -> None:
        """Take the way to open the data.

        Args:
            connect: Opens a connection that may be closed from another thread.
            shared: Whether all threads must use one connection in turn: a database in memory lives in it alone.
        """
        self._connect = connect
        self._guard: AbstractContextManager[object] = threading.RLock() if shared else nullcontext()
        self._shared = shared
        self._open: dict[tuple[int, int], sqlite3.Connection] = {}
        self._total: int | None = None
        self._fresh: dict[int, Record] = {}
        self.close = weakref.finalize(self, _close, self._open)

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        # a connection must not cross a fork, nor be used by two threads at once
        owner = (0, 0) if self._shared else (os.getpid(), threading.get_ident())
        with self._guard:
            db = self._open.get(owner)
            if db is None:
                db = self._open[owner] = self._connect()
            return db.execute(sql, values).fetchall()

    def meta(self) -> dict[str, str]:
        """Give what the data says about itself: content, name, records, versions."""
        return {str(name): str(value) for name, value in self._rows("SELECT name, value FROM meta")}

    def records(self, ids: Iterable[int]) -> dict[int, Record]:
        """Give records by id, in the order asked.

        Raises:
            ValueError: A record is damaged.
        """
        wanted = list(dict.fromkeys(ids))
        sql = f"SELECT id, data FROM work WHERE id IN ({_marks(wanted)})"  # noqa: S608 - only question marks
        found = {place: data for place, data in self._rows(sql, wanted) if isinstance(data, bytes)}
        return {place: self._unpacked(place, found[place]) for place in wanted if place in found}

    def _unpacked(self, place: int, data: bytes) -> Record:
        """Unpack a record, or give it as it was unpacked a moment ago: one list of references asks for many again."""
        record = self._fresh.get(place)
        if record is None:
            record = unpack(data)
            if len(self._fresh) >= MAX_FRESH:
                self._fresh.clear()
            self._fresh[place] = record
        return record

    def with_identifier(self, scheme: str, value: str) -> list[int]:
        """Give the ids of the records with an identifier."""
        rows = self._rows("SELECT id FROM ident WHERE scheme = ? AND value = ? LIMIT 50", (scheme, value))
        return _ids(rows)

    def with_title(self, hashes: Sequence[int]) -> list[int]:
        """Give the ids of the records found by these title hashes, at most `MAX_SAME_TITLE`."""
        sql = f"SELECT id FROM title_key WHERE hash IN ({_marks(hashes)}) LIMIT {MAX_SAME_TITLE}"  # noqa: S608 - as above
        return _ids(self._rows(sql, hashes))

    def rarest(self, words: Iterable[str], count: int = WORDS_ASKED) -> list[Word]:
        """Give the rarest of the words that the index knows at all, rarest first."""
        asked = list(dict.fromkeys(words))
        sql = f"SELECT records, word FROM frequency WHERE word IN ({_marks(asked)})"  # noqa: S608 - as above
        known = sorted(Word(int(str(number)), str(text)) for number, text in self._rows(sql, asked))
        repeated = [word for word in known if word.records > 1]
        return (repeated if len(repeated) >= ENOUGH_WORDS else known)[:count]

    def search(self, words: Sequence[Word], budget: int, limit: int = 50) -> list[int]:
        """Give the ids of the records that share most with the words, best first.

        A record scores the sum of `log(records in all / records with the word)` over the words it holds.

        Args:
            words: Rarest first.
            budget: Records to touch at most; the rarest words come first, and one word is always asked.
            limit: Ids to give at most.
        """
        scores: dict[int, float] = {}
        touched = 0
        for word in words:
            if touched and touched + word.records > budget:
                break
            touched += word.records
            weight = math.log(self._records_in_all() / word.records)
            rows = self._rows("SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", (f'"{word.text}"', budget))
            for place in _ids(rows):
                scores[place] = scores.get(place, 0.0) + weight
        best = nsmallest(limit, ((-score, place) for place, score in scores.items()))
        return [place for _, place in best]

    def _records_in_all(self) -> int:
        if self._total is None:
            self._total = 1 + int(self.meta()["records"])
        return self._total


def open_file(path: Path) -> sqlite3.Connection:
    """Open a finished database for reading only, mapped into memory.

    It is opened as immutable: no lock is taken and no file is written beside it. A rebuilt index is another file
    under the same name, so a reader goes on with the one it opened.
    """
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    db.execute("PRAGMA mmap_size = 4294967296")
    return db


def _close(connections: dict[tuple[int, int], sqlite3.Connection]) -> None:
    while connections:
        connections.popitem()[1].close()


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _ids(rows: list[tuple[object, ...]]) -> list[int]:
    return [place for (place,) in rows if isinstance(place, int)]
