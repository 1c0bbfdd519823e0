"""Ask one finished part of an index. Safe across threads and forked processes; files are mapped into memory."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from citeaudit.errors import IndexDamagedError
from citeaudit.index.asking.candidates import Held
from citeaudit.index.manifest import DATA, REBUILD, SCHEMA_VERSION, WORDS
from citeaudit.index.store.codec import Codec
from citeaudit.index.store.record import Record, RecordNotice
from citeaudit.index.store.words import WordReader
from citeaudit.model import NoticeType
from citeaudit.text.normalize import NORMALISER_VERSION

_AT_ONCE = 500
"""Values in one question to SQLite; it takes 32,766."""

_SCANNED = 1_000


class Ids:
    """A set of ids, one bit each."""

    def __init__(self, ids: Iterable[int]) -> None:
        """Take the ids, all positive."""
        self._bits = bytearray()
        self._count = 0
        for place in ids:
            if place >> 3 >= len(self._bits):
                self._bits.extend(bytes((place >> 3) + 1 - len(self._bits)))
            self._count += not self._bits[place >> 3] >> (place & 7) & 1
            self._bits[place >> 3] |= 1 << (place & 7)

    def __contains__(self, place: object) -> bool:
        if not isinstance(place, int) or not 0 <= place >> 3 < len(self._bits):
            return False
        return bool(self._bits[place >> 3] >> (place & 7) & 1)

    def __len__(self) -> int:
        return self._count


class PartReader:
    """One part: its records, and the ways to find them. Ids count from 1."""

    def __init__(self, folder: Path) -> None:
        """Open a part that `part.PartWriter` finished.

        Raises:
            IndexDamagedError: It is missing, unfinished, damaged or of another version.
        """
        self._folder = folder
        self._open: dict[tuple[int, int], sqlite3.Connection] = {}
        self._words: WordReader | None = None
        self.close = weakref.finalize(self, _close, self._open)
        """Let go of the files; no question may follow."""
        self._meta = {str(name): value for name, value in self._rows("SELECT name, value FROM meta")}
        if "sealed" not in self._meta:
            raise self._damaged("it was never finished")
        version = self._meta.get("schema_version"), self._meta.get("normaliser_version")
        if version != (str(SCHEMA_VERSION), str(NORMALISER_VERSION)):
            raise self._damaged("it is of another version")
        words = self._meta.get("dictionary")
        self._codec = Codec(words if isinstance(words, bytes) else None)

    def _damaged(self, why: object) -> IndexDamagedError:
        return IndexDamagedError(f"{self._folder}: cannot be used ({str(why)[:200]}); {REBUILD}")

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        owner = (os.getpid(), threading.get_ident())  # a connection must not cross a fork, nor be used by two at once
        try:
            db = self._open.get(owner)
            if db is None:
                db = self._open[owner] = _connect(self._folder / DATA)
            return db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise self._damaged(error) from error

    def meta(self) -> dict[str, str]:
        """Give what the part says about itself: records, content, versions, and what `finish` was given."""
        return {name: value for name, value in self._meta.items() if isinstance(value, str)}

    def exact(self, keys: Sequence[int], limit: int = 200) -> list[int]:
        """Give the ids of the records that have any of some keys, at most `limit`, in their order.

        Raises:
            IndexDamagedError: The file is damaged or gone.
        """
        sql = f"SELECT DISTINCT id FROM key WHERE hash IN ({_marks(keys)}) LIMIT ?"  # noqa: S608 - only question marks
        return sorted(_number(place) for (place,) in self._rows(sql, (*keys, limit)))

    def records(self, ids: Iterable[int]) -> dict[int, Record]:
        """Give records by id, in the order asked.

        Raises:
            IndexDamagedError: A record is damaged or missing.
        """
        wanted = list(dict.fromkeys(ids))
        found: dict[int, object] = {}
        for first in range(0, len(wanted), _AT_ONCE):
            some = wanted[first : first + _AT_ONCE]
            sql = f"SELECT id, data FROM work WHERE id IN ({_marks(some)})"  # noqa: S608 - only question marks
            found.update((_number(place), data) for place, data in self._rows(sql, some))
        try:
            return {place: self._unpack(found[place]) for place in wanted}
        except KeyError as error:
            raise self._damaged(f"record {error} is missing") from error

    def _unpack(self, data: object) -> Record:
        if not isinstance(data, bytes):
            raise self._damaged("a record is no record")
        try:
            return self._codec.unpack(data)
        except ValueError as error:
            raise self._damaged(error) from error

    def scan(self) -> Iterator[Record]:
        """Give all records in the order of their ids.

        Raises:
            IndexDamagedError: As `records`.
        """
        last = 0
        sql = f"SELECT id, data FROM work WHERE id > ? ORDER BY id LIMIT {_SCANNED}"  # noqa: S608 - our own number
        while rows := self._rows(sql, (last,)):
            for _, data in rows:
                yield self._unpack(data)
            last = _number(rows[-1][0])

    def search(self, terms: Iterable[str], k: int = 50, count: int = 8) -> list[int]:
        """Give the ids of the `k` records that share most with the `count` rarest of some words, best first.

        Words that a single record holds are left out where at least three others remain: a misread word is rare, too.

        Raises:
            IndexDamagedError: The files are damaged or gone.
        """
        return self._worded().search(terms, k, count)

    def mended(self, terms: Sequence[str]) -> list[str]:
        """Give words, mended by those that this part holds (`mending.mended`).

        Raises:
            IndexDamagedError: As `search`.
        """
        return self._worded().mended(terms)

    def known(self, word: str) -> int:
        """Give how many records hold a word or surname term.

        Raises:
            IndexDamagedError: As `search`.
        """
        return self._worded().known(word)

    def begins(self, beginning: str) -> list[tuple[str, int]]:
        """Give the words that begin so and that several records hold, with how many do.

        Raises:
            IndexDamagedError: As `search`.
        """
        return self._worded().begins(beginning)

    def _worded(self) -> WordReader:
        if self._words is None:
            self._words = WordReader(self._folder / WORDS)
        return self._words

    def notices(self, keys: Sequence[int]) -> dict[int, tuple[RecordNotice, ...]]:
        """Give the notices about works by the keys of their identifiers; keys without any are left out.

        Raises:
            IndexDamagedError: As `exact`.
        """
        found: dict[int, tuple[RecordNotice, ...]] = {}
        for first in range(0, len(keys), _AT_ONCE):
            some = keys[first : first + _AT_ONCE]
            sql = f"SELECT hash, type, doi, year FROM notice WHERE hash IN ({_marks(some)}) ORDER BY rowid"  # noqa: S608
            for key, kind, doi, year in self._rows(sql, some):
                name, when = None if doi is None else str(doi), None if year is None else _number(year)
                notice = RecordNotice(self._notice_type(kind), name, when)
                found[_number(key)] = (*found.get(_number(key), ()), notice)
        return found

    def _notice_type(self, kind: object) -> NoticeType:
        try:
            return NoticeType(str(kind))
        except ValueError as error:
            raise self._damaged(error) from error

    def held(self, venue: int, year: int) -> Held | None:
        """Give how much of a venue (`keys.venue_key`) in a year is held, or `None` where nothing is known of it.

        Raises:
            IndexDamagedError: As `exact`.
        """
        sql = "SELECT held, listed, complete FROM held WHERE venue = ? AND year = ?"
        for held, listed, complete in self._rows(sql, (venue, year)):
            return Held(_number(held), None if listed is None else _number(listed), bool(complete))
        return None

    def replaced(self) -> dict[str, Ids]:
        """Give, by the names of older parts, the ids of their records that this part replaces.

        Raises:
            IndexDamagedError: As `exact`.
        """
        ids: dict[str, list[int]] = {}
        for part, place in self._rows("SELECT part, id FROM replaced ORDER BY part, id"):
            ids.setdefault(str(part), []).append(_number(place))
        return {part: Ids(places) for part, places in ids.items()}


def _connect(path: Path) -> sqlite3.Connection:
    """Open a finished database for reading only, mapped into memory.

    It is opened as immutable: no lock is taken and no file is written beside it. Parts never change once finished.
    """
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    db.execute("PRAGMA mmap_size = 1099511627776")
    return db


def _close(connections: dict[tuple[int, int], sqlite3.Connection]) -> None:
    while connections:
        connections.popitem()[1].close()


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _number(value: object) -> int:
    return value if isinstance(value, int) else int(str(value))
