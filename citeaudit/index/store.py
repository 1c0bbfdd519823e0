"""The tables of `works.db`, how a record is put in, and the words it is found by.

Layout and look-up ladder follow the measurements on 1 and 5 million records that stand in `docs/index.md`.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from citeaudit.index.manifest import SCHEMA_VERSION
from citeaudit.index.records import Name, Record, keys
from citeaudit.text.normalize import NORMALISER_VERSION, fold, key

LEADING_SURNAMES = 8
"""Surnames of a record that are searchable: the first eight and the last."""

MAX_WORDS = 60
"""Words of a title that are searchable."""

MIN_HEAD = 8
"""Characters, folded, that a title must have before the colon to be found by that part alone."""

_TABLES = """
CREATE TABLE work (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE ident (scheme TEXT NOT NULL, value TEXT NOT NULL, id INTEGER NOT NULL,
    PRIMARY KEY (scheme, value, id)) WITHOUT ROWID;
CREATE TABLE title_key (hash INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (hash, id)) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', detail = none, columnsize = 0, tokenize = 'ascii');
CREATE TABLE frequency (word TEXT PRIMARY KEY, records INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
# The full-text table only lists which records hold a word; `reader` weighs them by `frequency`. FTS5's own bm25
# needs detail=full and took 3.5 times as long for the same 50 candidates (400 noisy titles, 801,262 records).

_SCRATCH = """
CREATE TABLE scratch.ident (scheme TEXT, value TEXT, id INTEGER);
CREATE TABLE scratch.title_key (hash INTEGER, id INTEGER);
"""

_SEED = (
    b'{"title":"Learning Analysis of the and for with in a using on Model Neural Networks Data Deep","authors":'
    b'[{"family":"Wang","given":"Li"},{"family":"Zhang","given":"J."}],"authors_complete":false,"year":2020,'
    b'"venue":"Proceedings of the International Conference on Journal of Physical Review Letters","volume":"1",'
    b'"issue":"2","pages":"1-10","doi":"10.1103/physrevlett.10.1016/j.","arxiv_id":"2001.","url":"https://doi.org/",'
    b'"src":"'
)
"""Preset dictionary: what most records share. Part of the schema: changing it changes `SCHEMA_VERSION`."""


class Row(NamedTuple):
    """A record made ready to be stored; needs no database, so that other processes can make it."""

    data: bytes
    idents: tuple[tuple[str, str], ...]
    hashes: tuple[int, ...]
    text: str
    source: str


def pack(record: Record) -> bytes:
    """Give the record as compressed JSON."""
    packer = zlib.compressobj(6, wbits=-15, zdict=_SEED)
    return packer.compress(record.model_dump_json(exclude_defaults=True).encode()) + packer.flush()


def unpack(data: bytes) -> Record:
    """Give the record back.

    Raises:
        ValueError: Damaged (`zlib.error` and pydantic's are turned into it).
    """
    try:
        return Record.model_validate_json(zlib.decompressobj(wbits=-15, zdict=_SEED).decompress(data))
    except zlib.error as error:
        raise ValueError("damaged record") from error


def title_hash(title_key: str) -> int:
    """Give 64 bits of a folded title as SQLite's signed integer."""
    return int.from_bytes(blake2b(title_key.encode(), digest_size=8).digest(), "big", signed=True)


_COLON = re.compile(r":\s|\s[-–—]\s")


def head(title: str) -> str | None:
    """Give the folded key of the part before a colon or a spaced dash, if there is one that says enough."""
    found = _COLON.search(title)
    if found is None:
        return None
    part = key(title[: found.start()])
    return part if len(part) >= MIN_HEAD else None


def title_hashes(title: str) -> tuple[int, ...]:
    """Give the hashes a title is found by: the whole and the part before a colon."""
    short = head(title)
    whole = title_hash(key(title))
    return (whole,) if short is None else (whole, title_hash(short))


def surname_terms(name: Name | str) -> tuple[str, ...]:
    """Give the search terms of a surname: `z` and the folded name, and `z` and each word of a longer one.

    Names run together in dumps (`Bernard Ghanem Chen Zhao`) are found by each of their words.

    >>> surname_terms("Van der Berg")
    ('zvanderberg', 'zvan', 'zder', 'zberg')
    """
    return _surname_terms(name if isinstance(name, str) else name.family or name.literal or "")


@lru_cache(maxsize=100_000)
def _surname_terms(text: str) -> tuple[str, ...]:
    parts = fold(text[:80]).split()[:4]
    if len(parts) < 2:  # noqa: PLR2004 - one word or none
        return tuple(f"z{part}" for part in parts)
    return (f"z{''.join(parts)}", *(f"z{part}" for part in parts))


def text_of(record: Record) -> str:
    """Give the words of a record for the full-text table: those of its title, and its surnames with a `z` before."""
    names = record.authors
    chosen = names if len(names) <= LEADING_SURNAMES else (*names[:LEADING_SURNAMES], names[-1])
    terms = [term for name in chosen for term in surname_terms(name)]
    return " ".join((*fold(record.title).split()[:MAX_WORDS], *terms))


def prepare(record: Record) -> Row:
    """Make a tidy record ready to be stored."""
    return Row(pack(record), keys(record), title_hashes(record.title), text_of(record), record.src or "")


class Writer:
    """Fills an empty database; `finish` must be called before it is of use."""

    def __init__(self, connection: sqlite3.Connection, scratch: str = ":memory:") -> None:
        """Create the tables.

        Args:
            connection: To an empty database.
            scratch: File for what is sorted at the end, thrown away afterwards; in memory for small ones.
        """
        self._db = connection
        self._count = 0
        self._db.execute("ATTACH ? AS scratch", (scratch,))
        self._db.executescript(_TABLES + _SCRATCH)

    def add(self, rows: Iterable[Row]) -> int:
        """Store rows in their order; their ids count from 1. Gives the number of rows so far."""
        numbered = list(enumerate(rows, start=self._count + 1))
        many = self._db.executemany
        many("INSERT INTO work VALUES (?, ?)", [(place, row.data) for place, row in numbered])
        many("INSERT INTO words (rowid, text) VALUES (?, ?)", [(place, row.text) for place, row in numbered])
        many("INSERT INTO scratch.ident VALUES (?, ?, ?)", _idents(numbered))
        many("INSERT INTO scratch.title_key VALUES (?, ?)", _hashes(numbered))
        self._count += len(numbered)
        return self._count

    def finish(self, content: str, name: str) -> None:
        """Sort the keys into place, count the words, merge the full-text table, and seal it with its versions."""
        run = self._db.execute
        run("INSERT OR IGNORE INTO ident SELECT * FROM scratch.ident ORDER BY scheme, value, id")
        run("INSERT OR IGNORE INTO title_key SELECT * FROM scratch.title_key ORDER BY hash, id")
        run("INSERT INTO words (words) VALUES ('optimize')")
        run("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, 'words', 'row')")
        run("INSERT INTO frequency SELECT term, doc FROM temp.vocabulary ORDER BY term")
        run("DROP TABLE temp.vocabulary")
        facts = {
            "content": content,
            "name": name,
            "normaliser_version": str(NORMALISER_VERSION),
            "records": str(self._count),
            "schema_version": str(SCHEMA_VERSION),
        }
        self._db.executemany("INSERT INTO meta VALUES (?, ?)", sorted(facts.items()))
        self._db.commit()
        run("DETACH scratch")


def _idents(numbered: list[tuple[int, Row]]) -> Iterator[tuple[str, str, int]]:
    return ((scheme, value, place) for place, row in numbered for scheme, value in row.idents)


def _hashes(numbered: list[tuple[int, Row]]) -> Iterator[tuple[int, int]]:
    return ((number, place) for place, row in numbered for number in row.hashes)
