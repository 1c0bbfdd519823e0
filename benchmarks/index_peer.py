"""The peer: SQLite's full-text search over the same records, asked the same questions.

One FTS5 table without content, `detail=full`, tokenizer `unicode61`, of titles and surnames folded as ours are; the
words of a question joined by OR, the 50 best by bm25, and then our own weighing of the 50 records.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import index_records as records
import orjson

from citeaudit.index.asking import ranking
from citeaudit.index.store.record import Name, Record
from citeaudit.model import Query
from citeaudit.text.normalize import fold

BATCH = 10_000
"""Records written at a time."""

FOUND = 50
"""Records taken from the full-text search."""

MIN_LETTERS, ENOUGH = 4, 3
"""Words shorter than this are left out where so many longer ones remain: in its favour, they only cost it time."""

NAMES = 8
"""Surnames that are asked for, in its favour too; ours indexes as many."""


class Built(NamedTuple):
    """What making the table took."""

    records: int
    seconds: float
    size: int
    """Bytes, records included."""


class Answer(NamedTuple):
    """What the peer found, and how long it took."""

    best: Record | None
    search_ms: float
    """Of the full-text search alone."""
    ms: float
    """All in: records fetched and weighed."""


def build(source: Path, out: Path) -> Built:
    """Make the table from a collection.

    Args:
        source: JSON lines.
        out: The database; a finished one is replaced.
    """
    half, started, count = out.with_suffix(".half"), perf_counter(), 0
    half.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(half)) as db:
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -200000"):
            db.execute(f"PRAGMA {pragma}")
        db.execute("CREATE TABLE work (id INTEGER PRIMARY KEY, data BLOB)")
        db.execute(
            "CREATE VIRTUAL TABLE words USING fts5(title, authors, content='', detail=full, tokenize='unicode61')"
        )
        for batch in _batches(source):
            numbered = list(enumerate(batch, count + 1))
            db.executemany("INSERT INTO work VALUES (?, ?)", [(place, line) for place, (line, *_) in numbered])
            rows = [(place, title, names) for place, (_, title, names) in numbered]
            db.executemany("INSERT INTO words (rowid, title, authors) VALUES (?, ?, ?)", rows)
            count += len(batch)
        db.execute("INSERT INTO words (words) VALUES ('optimize')")
        db.commit()
    half.replace(out)
    return Built(count, perf_counter() - started, out.stat().st_size)


def _batches(source: Path) -> Iterator[list[tuple[bytes, str, str]]]:
    batch: list[tuple[bytes, str, str]] = []
    for line in records.lines(source):
        row = orjson.loads(line)
        names = " ".join(fold(one.get("family") or one.get("literal") or "") for one in row.get("authors") or ())
        batch.append((line, fold(row["title"]), names))
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch


def words(query: Query) -> list[str]:
    """Give the words that the peer is asked for: short ones, which many records hold, only where there are few."""
    asked = dict.fromkeys(word for text in (query.text, *query.families[:NAMES]) for word in fold(text).split())
    long = [word for word in asked if len(word) >= MIN_LETTERS]
    return long if len(long) >= ENOUGH else list(asked)


class Peer:
    """The table, opened for reading and mapped into memory as ours is."""

    def __init__(self, path: Path) -> None:
        """Open it."""
        self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        self._db.execute("PRAGMA mmap_size = 17179869184")

    def ask(self, query: Query) -> Answer:
        """Answer one question by words."""
        started = perf_counter()
        match = " OR ".join(f'"{word}"' for word in words(query))
        sql = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        places = [int(place) for (place,) in self._db.execute(sql, (match, FOUND))]
        searched = perf_counter()
        marks = ",".join("?" * len(places))
        rows = self._db.execute(f"SELECT id, data FROM work WHERE id IN ({marks})", places)  # noqa: S608 - only question marks
        held = {place: _record(data) for place, data in rows}
        hits = ranking.order(ranking.ask(query), {place: held[place] for place in places})
        ended = perf_counter()
        best = hits[0].record if hits else None
        return Answer(best, (searched - started) * 1000, (ended - started) * 1000)

    def close(self) -> None:
        """Close it."""
        self._db.close()


def _record(data: bytes) -> Record:
    row = orjson.loads(data)
    people = tuple(Name(one.get("family"), one.get("given"), one.get("literal")) for one in row.get("authors") or ())
    return Record(title=row["title"], authors=people, year=row.get("year"), venue=row.get("venue"), doi=row.get("doi"))
