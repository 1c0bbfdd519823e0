"""Write one part of an index: `works.db` and the folder `words`.

`works.db` holds the records and is the only truth while a part is written. Keys and words follow from the records:
what a kill took from them is made again when the part is reopened, so nothing needs to be deleted from anywhere.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from citeaudit.errors import IndexBuildError, IndexDamagedError
from citeaudit.index.manifest import DATA, SCHEMA_VERSION, WORDS
from citeaudit.index.store.codec import Codec
from citeaudit.index.store.content_hash import BLOCK, ContentHash
from citeaudit.index.store.keys import record_keys
from citeaudit.index.store.record import Record
from citeaudit.index.store.row import Row
from citeaudit.index.store.terms import text_of
from citeaudit.index.store.words import WordWriter, said_by_tantivy
from citeaudit.text.normalize import NORMALISER_VERSION

SCRATCH = "keys.tmp"
"""Keys in the order of the records; sorted into `works.db` at the end, and then gone."""

HEAP = 128_000_000
"""Bytes of words kept in memory before they are written."""

_TABLES = """
CREATE TABLE work (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE key (hash INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (hash, id)) WITHOUT ROWID;
CREATE TABLE notice (hash INTEGER NOT NULL, type TEXT NOT NULL, doi TEXT, year INTEGER);
CREATE TABLE replaced (part TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (part, id)) WITHOUT ROWID;
CREATE TABLE held (venue INTEGER NOT NULL, year INTEGER NOT NULL, held INTEGER NOT NULL, listed INTEGER,
    complete INTEGER NOT NULL, PRIMARY KEY (venue, year)) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
"""
_SCRATCH_TABLES = """
CREATE TABLE key (hash INTEGER, id INTEGER);
CREATE TABLE done (count INTEGER);
INSERT INTO done VALUES (0);
"""
_CACHE = "PRAGMA cache_size = -65536"  # 64 MB: also what the sorting of the keys may take before it goes to disk
_CATCH_UP = 10_000
_AT_ONCE = 32
"""Keys in one statement: 0.7 microseconds a record, against 1.5 one by one."""
_WIDE = 2 * _AT_ONCE
_ADD_KEYS = "INSERT INTO key VALUES " + ", ".join(["(?, ?)"] * _AT_ONCE)  # noqa: S608 - our own text


class PartWriter:
    """Fills the folder of one part, from new or from the last checkpoint of a writer that was stopped.

    A checkpoint survives a kill at any moment, and a power cut. One writer at a time (`workshop` holds the lock).

    Attributes:
        count: Records added so far.
        kept: Those that the last checkpoint holds.
        state: What the last checkpoint was given, empty for a new part.
        codec: The one the records must be packed with.
        db: For the tables of others; what is written there becomes durable with the next checkpoint.
    """

    def __init__(self, folder: Path, *, codec: Codec | None = None, heap: int = HEAP, threads: int = 1) -> None:
        """Create a part, or reopen an unfinished one at its last checkpoint.

        Args:
            folder: Of the part; made if it is missing.
            codec: For a new part; a reopened one knows its own.
            heap: Bytes of memory for words, at least `words.LEAST_HEAP` for each thread.
            threads: That sort words; with more than one the order of words on disk depends on chance.

        Raises:
            IndexBuildError: The folder cannot be written.
            IndexDamagedError: What stands there cannot be gone on with.
        """
        self._folder = folder
        self._words: WordWriter | None = None
        self._opened: list[sqlite3.Connection] = []
        try:
            with self._writing():
                folder.mkdir(parents=True, exist_ok=True)
                self.db, fresh = _open_data(folder / DATA)
                self._opened.append(self.db)
                if fresh:
                    self._create(codec or Codec())
                self._take_up(self._facts())
                if not self.sealed:
                    self._keys = _open_keys(folder / SCRATCH)
                    self._opened.append(self._keys)
                    self._words = WordWriter(folder / WORDS, heap, threads)
                    self._catch_up()
        except IndexBuildError:
            self.close()
            raise

    def _take_up(self, facts: dict[str, object]) -> None:
        folder = self._folder
        try:
            self.count, self.state = int(str(facts["records"])), str(facts.get("state", ""))
            self.kept = self.count
            self._content, self._notices = str(facts["content"]), int(str(facts["notices"]))
            self._hash = ContentHash(bytes.fromhex(str(facts.get("chain", ""))))
            version = int(str(facts["schema_version"])), int(str(facts["normaliser_version"]))
        except (KeyError, ValueError) as error:
            raise IndexDamagedError(f"{folder}: is damaged ({error}); delete it and build again") from error
        if version != (SCHEMA_VERSION, NORMALISER_VERSION):
            raise IndexDamagedError(f"{folder}: was begun by another version; delete it and build again")
        words = facts.get("dictionary")
        self.codec = Codec(words if isinstance(words, bytes) else None)
        self.sealed = "sealed" in facts

    @contextmanager
    def _writing(self) -> Iterator[None]:
        folder = self._folder
        try:
            yield
        except BaseException as error:
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
                raise IndexDamagedError(f"{folder}: is damaged ({error}); delete it and build again") from error
            if not isinstance(error, OSError | sqlite3.Error) and not said_by_tantivy(error):
                raise
            raise IndexBuildError(f"{folder}: cannot be written ({error}); make room and build again") from error

    def _create(self, codec: Codec) -> None:
        for name in (SCRATCH, f"{SCRATCH}-journal"):
            (self._folder / name).unlink(missing_ok=True)
        shutil.rmtree(self._folder / WORDS, ignore_errors=True)
        facts: dict[str, str | bytes] = {
            "chain": "",
            "content": "",
            "normaliser_version": str(NORMALISER_VERSION),
            "records": "0",
            "notices": "0",
            "schema_version": str(SCHEMA_VERSION),
            "state": "",
        }
        if codec.dictionary:
            facts["dictionary"] = codec.dictionary
        self.db.execute("BEGIN")
        for statement in _TABLES.split(";"):
            self.db.execute(statement)
        self.db.executemany("INSERT INTO meta VALUES (?, ?)", facts.items())
        self.db.commit()

    def _facts(self) -> dict[str, object]:
        return dict(self.db.execute("SELECT name, value FROM meta"))

    def _catch_up(self) -> None:
        """Bring keys and words to the records that are stored: a kill may have come between two commits.

        Others who write to `db` may have committed records that belong to no checkpoint.
        """
        self.db.execute("DELETE FROM work WHERE id > ?", (self.count,))
        self.db.execute("DELETE FROM notice WHERE rowid > ?", (self._notices,))
        loose = "SELECT data FROM work WHERE id > ? ORDER BY id"
        self._hash.take([data for (data,) in self.db.execute(loose, (self.count - self.count % BLOCK,))])
        (done,) = self._keys.execute("SELECT count FROM done").fetchone()
        if done > self.count:
            self._keys.execute("DELETE FROM key WHERE id > ?", (self.count,))
            done = self.count
        words = self._open_words.count
        if words > self.count:
            self._open_words.clear()
            words = 0
        for first in range(min(done, words) + 1, self.count + 1, _CATCH_UP):
            records = self._stored(first, min(first + _CATCH_UP - 1, self.count))
            self._add_keys((place, record_keys(record)) for place, record in records if place > done)
            self._open_words.add((place, text_of(record)) for place, record in records if place > words)
        self._commit_derived()

    def _stored(self, first: int, last: int) -> list[tuple[int, Record]]:
        sql = "SELECT id, data FROM work WHERE id BETWEEN ? AND ? ORDER BY id"
        try:
            found = [(place, self.codec.unpack(data)) for place, data in self.db.execute(sql, (first, last))]
        except ValueError as error:
            raise IndexDamagedError(f"{self._folder}: is damaged ({error}); delete it and build again") from error
        if len(found) != last - first + 1:
            raise IndexDamagedError(f"{self._folder}: lacks records; delete it and build again")
        return found

    @property
    def _open_words(self) -> WordWriter:
        if self._words is None:
            raise IndexBuildError(f"{self._folder}: is finished or closed; nothing can be added to it")
        return self._words

    def add(self, rows: Iterable[Row]) -> int:
        """Store rows in their order; ids count from 1. Gives the number of records so far.

        Raises:
            IndexBuildError: The disk is full, or the part is finished.
        """
        words, first = self._open_words, self.count + 1
        rows = list(rows)
        packed = [row.data for row in rows]
        notices = [one for row in rows for one in row.about]
        with self._writing():
            self.db.executemany("INSERT INTO work VALUES (?, ?)", enumerate(packed, first))
            self._add_keys(enumerate([row.keys for row in rows], first))
            self.db.executemany("INSERT INTO notice VALUES (?, ?, ?, ?)", notices)
            words.add(enumerate([row.text for row in rows], first))
        self._hash.take(packed)
        self._notices += len(notices)
        self.count += len(rows)
        return self.count

    def _add_keys(self, found: Iterable[tuple[int, tuple[int, ...]]]) -> None:
        flat = [value for place, keys in found for key in keys for value in (key, place)]
        even = len(flat) - len(flat) % _WIDE
        self._keys.executemany(_ADD_KEYS, [flat[at : at + _WIDE] for at in range(0, even, _WIDE)])
        self._keys.executemany("INSERT INTO key VALUES (?, ?)", zip(flat[even::2], flat[even + 1 :: 2], strict=True))

    @property
    def content(self) -> str:
        """Give the hash over the packed records in their order; the same rows give the same hash."""
        return self._content if self.sealed else self._hash.hex()

    def checkpoint(self, state: str) -> None:
        """Make all that was added so far durable, with what the caller needs to go on from here.

        Raises:
            IndexBuildError: The disk is full.
        """
        with self._writing():
            self._commit(state)
            self._commit_derived()

    def _commit(self, state: str) -> None:
        facts = {
            "chain": self._hash.chain.hex(),
            "content": self.content,
            "notices": str(self._notices),
            "records": str(self.count),
            "state": state,
        }
        self.db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", facts.items())
        self.db.commit()
        self.state, self.kept = state, self.count

    def _commit_derived(self) -> None:
        self._keys.execute("UPDATE done SET count = ?", (self.count,))
        self._keys.commit()
        if self._open_words.count < self.count:
            self._open_words.commit()

    def finish(self, facts: Mapping[str, str]) -> None:
        """Sort the keys into place and seal the part; it then has no other files than `works.db` and `words`.

        Stopped at any moment, it is begun again by a writer that reopens the folder.

        Args:
            facts: Further rows for `meta`.

        Raises:
            IndexBuildError: The disk is full.
        """
        with self._writing():
            if not self.sealed:
                self._commit(self.state)
                self._commit_derived()
                self._keys.close()
                self._seal(facts, self._open_words)
                self._words = None
            self.close()
            for name in (SCRATCH, f"{SCRATCH}-journal"):
                (self._folder / name).unlink(missing_ok=True)
            _sync(self._folder)

    def _seal(self, facts: Mapping[str, str], words: WordWriter) -> None:
        run = self.db.execute
        run("ATTACH ? AS scratch", (str(self._folder / SCRATCH),))
        run("BEGIN")
        with ThreadPoolExecutor(1) as beside:  # neither needs Python for long, and each takes a second a million
            merged = beside.submit(words.finish)
            with _sorting_in(self.db, self._folder):
                run("INSERT INTO main.key SELECT hash, id FROM scratch.key ORDER BY hash, id")
            run("CREATE INDEX notice_hash ON notice (hash)")
            merged.result()
        run("DELETE FROM meta WHERE name IN ('chain', 'state')")
        self.db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", [*facts.items(), ("sealed", "1")])
        self.db.commit()
        run("DETACH scratch")
        self._content, self.sealed = self.content, True

    def close(self) -> None:
        """Let go of the files without a checkpoint; what was added since the last one is added again later."""
        if self._words is not None:
            self._words.close()
            self._words = None
        for db in self._opened:
            db.close()


def _open_data(path: Path) -> tuple[sqlite3.Connection, bool]:
    """Open `works.db`, and tell whether it is still to be made."""
    db = sqlite3.connect(path, check_same_thread=False)
    try:
        db.execute(
            "PRAGMA synchronous = FULL"
        )  # a rollback journal, not WAL: rows are only appended, so it stays small
        db.execute(_CACHE)
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db, not tables


def _open_keys(path: Path) -> sqlite3.Connection:
    """Open the keys that wait to be sorted; they survive a kill, and after a power cut are made again."""
    db = sqlite3.connect(path, check_same_thread=False)
    try:
        db.execute("PRAGMA synchronous = OFF")
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not tables:
            db.executescript(f"BEGIN; {_SCRATCH_TABLES} COMMIT;")
    except sqlite3.DatabaseError as error:
        db.close()
        if "disk" in str(error):  # full, or failing: not the file's fault
            raise
        path.unlink()
        return _open_keys(path)
    return db


@contextmanager
def _sorting_in(db: sqlite3.Connection, folder: Path) -> Iterator[None]:
    """Have SQLite put what it sorts beside the part: `/tmp` is often small, and the keys of a large dump are 10 GB.

    The setting holds for the process and is marked as old; a SQLite built without it sorts in its usual place.
    """
    quoted = str(folder).replace("'", "''")
    db.execute(f"PRAGMA temp_store_directory = '{quoted}'")
    try:
        yield
    finally:
        db.execute("PRAGMA temp_store_directory = ''")


def _sync(folder: Path) -> None:
    for path in (*folder.rglob("*"), folder):
        with suppress(PermissionError):  # folders on some systems
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
