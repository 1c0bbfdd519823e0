"""Hold one index against the tables of contents of another: does it have all that they list?

Crossref and OpenAlex list no tables of contents; DBLP and the ACL Anthology do. What is found is kept in
`coverage.db` beside the parts, and holds for the content that was compared: after an update, compare again.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.fuzz import ratio

from citeaudit.errors import IndexBuildError, IndexDamagedError
from citeaudit.index import manifest as manifests
from citeaudit.index.asking.candidates import Held
from citeaudit.index.coverage.counting import HELD_TABLES, combine, members, tables
from citeaudit.index.dumps.proceedings import names_of
from citeaudit.index.manifest import COVERAGE, DATA, PARTS, Manifest
from citeaudit.index.store.keys import identifier_key, title_keys, venue_key
from citeaudit.index.store.record import Record
from citeaudit.index.store.works import surnames_of
from citeaudit.text.normalize import key

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeaudit.index.asking.candidates import CandidateIndex

    Tell = Callable[[int], None]

SAME_TITLE = 85.0
"""Least likeness, 0 to 100, of the titles of two records with one identifier: a search by title must find it, too."""

_UNIT = 1_000
_PAPERS = frozenset({"paper-conference", "article-journal", "preprint", "chapter", "thesis"})
_META = "SELECT value FROM meta WHERE name = ?"
_Place = tuple[int, int]
"""Key of a venue, and a year."""
_Wanted = dict[_Place, tuple[int, list[_Place]]]
"""Of a complete venue and year: how many works are listed, and under which places their records stand."""


class Share(NamedTuple):
    """How much of a venue in a year, as the other index lists it, is held."""

    name: str
    """A name of the venue, as a record of the other index prints it."""
    year: int
    held: int
    listed: int
    full: str = ""
    """The shortest known name that a question must have for a miss to testify; empty where records print none."""

    @property
    def complete(self) -> bool:
        """Whether all of it is."""
        return self.held >= self.listed


class Compared:
    """What `cover` found of an index, if it still is of this content; safe across threads and forked processes."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        """Name the folder of the index and the content that must have been compared; opened at the first question."""
        self._path, self._content = folder / PARTS / COVERAGE, manifest.content
        self._lock = threading.Lock()
        self._pid = 0
        self._db: sqlite3.Connection | None = None

    def held(self, venue: int, year: int) -> Held | None:
        """Give how much of a venue in a year is held; `None` where it was not compared, or the file is not usable.

        A damaged file says nothing: the index then claims less.
        """
        try:
            with self._lock:
                db = self._opened()
                row = db.execute("SELECT held, listed, complete FROM held WHERE venue = ? AND year = ?", (venue, year))
                found = row.fetchone()
        except sqlite3.Error:
            return None
        return None if found is None else Held(found[0], found[1], bool(found[2]))

    def damage(self) -> str | None:
        """Say what is wrong with the file; `None` if nothing is, or there is none."""
        if not self._path.is_file():
            return None
        try:
            with closing(_open(self._path)) as db:
                return None if _sound(db) else f"{self._path}: its content was changed (the checksum differs)"
        except sqlite3.Error as error:
            return f"{self._path}: is damaged ({error})"

    def against(self) -> tuple[str, bool] | None:
        """Give the name of the index it was compared with, and whether that was with this content; `None` if never."""
        try:
            with closing(_open(self._path)) as db:
                meta = dict(db.execute("SELECT name, value FROM meta"))
        except sqlite3.Error:
            return None
        return meta.get("against", ""), meta.get("content") == self._content

    def rows(self) -> dict[tuple[int, int], Held]:
        """Give all that was compared, by venue and year; nothing where `held` would say nothing."""
        try:
            with self._lock:
                found = self._opened().execute("SELECT venue, year, held, listed, complete FROM held").fetchall()
        except sqlite3.Error:
            return {}
        return {(row[0], row[1]): Held(row[2], row[3], bool(row[4])) for row in found}

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._db is not None and self._pid == os.getpid():
                self._db.close()
            self._db = None

    def _opened(self) -> sqlite3.Connection:
        if self._db is None or self._pid != os.getpid():
            self._pid, self._db = os.getpid(), None
            if self._path.is_file():
                db = _open(self._path)
                if _sound(db) and db.execute(_META, ("content",)).fetchone() == (self._content,):
                    self._db = db
                    return db
                db.close()
            self._db = sqlite3.connect(":memory:", check_same_thread=False)
            self._db.executescript(HELD_TABLES)
        return self._db


def cover(folder: Path, against: Path, *, tell: Tell | None = None) -> list[Share]:
    """Look up every work of the complete tables of contents of another index, and keep what is all held.

    Args:
        folder: The index that is looked up in.
        against: The index with the tables of contents.
        tell: Told how many records of the other index have been read.

    Returns:
        One line a venue and year that is complete there, fullest venues first; their names are those that records
        print, which may be an abbreviation.

    Raises:
        IndexBuildError: One of the two cannot be used, they are one and the same, the other knows no complete table
            of contents, or the result cannot be written.
    """
    from citeaudit.index.asking.local import LocalCandidates

    if folder.resolve() == against.resolve():
        raise IndexBuildError(
            f"{folder}: cannot be compared with itself; its own tables of contents count already: name another index"
        )
    candidates = LocalCandidates(folder)
    try:
        there = manifests.read_whole(against)
        wanted = _wanted(against, there)
        if not wanted:
            raise IndexBuildError(
                f"{against}: knows no complete table of contents; compare with an index of dblp or the ACL Anthology"
            )
        counted = _count(candidates, _works(against, there, tell), wanted)
        rows = {place: _row(listed, places, counted) for place, (listed, places) in wanted.items()}
        _write(folder, candidates.manifest, there.name, rows)
    except sqlite3.Error as error:
        raise IndexDamagedError(f"{against}: is damaged ({error}); {manifests.REBUILD}") from error
    finally:
        candidates.close()
    shares = {Share(one.name, place[1], one.held, one.works, one.full) for place, one in counted.items() if one.works}
    return sorted(shares, key=lambda one: (-one.held / one.listed, -one.listed, one.name, one.year))


class _Counted:
    """Works of the other index under one venue and year."""

    def __init__(self) -> None:
        self.name, self.full, self.works, self.held = "", "", 0, 0


def _wanted(folder: Path, manifest: Manifest) -> _Wanted:
    """Give the complete venues and years: how many works are listed, and where their records stand."""
    rows: dict[_Place, list[Held]] = {}
    standing: dict[_Place, list[_Place]] = {}
    for part in manifest.parts:
        data = folder / PARTS / part.name / DATA
        for venue, year, held in tables(data):
            rows.setdefault((venue, year), []).append(held)
        for venue, year, of_venue, of_year in members(data):
            standing.setdefault((venue, year), []).append((of_venue, of_year))
    joined = {place: combine(held) for place, held in rows.items()}
    return {
        place: (held.listed or 0, standing[place])
        for place, held in joined.items()
        if held is not None and held.complete and place in standing
    }


def _works(folder: Path, manifest: Manifest, tell: Tell | None) -> Iterator[Record]:
    from citeaudit.index.building.merging import pieces_of
    from citeaudit.index.store.part_reader import PartReader

    read = 0
    for piece in pieces_of(folder, manifest):
        with closing(PartReader(piece.data.parent)) as reader:
            for first in range(1, piece.records + 1, _UNIT):
                ids = range(first, min(first + _UNIT, piece.records + 1))
                yield from reader.records([one for one in ids if one not in piece.gone]).values()
                read += len(ids)
                if tell is not None:
                    tell(read)


def _count(candidates: CandidateIndex, works: Iterator[Record], wanted: _Wanted) -> dict[_Place, _Counted]:
    counted = {place: _Counted() for _, places in wanted.values() for place in places}
    waiting: list[tuple[_Counted, Record]] = []
    for record in works:
        year = record.year or 0
        for name, place in _names(record, year):
            for each in wanted[place][1] if place in wanted else ():
                full = counted[each].full
                counted[each].full = min(filter(None, (full, name)), key=len)
        one = counted.get((venue_key(record.venue) or 0 if record.venue else 0, year))
        if one is None:
            continue
        one.name = one.name or record.venue or ""
        one.works += 1
        waiting.append((one, record))
        if len(waiting) >= _UNIT:
            _look_up(candidates, waiting)
            waiting.clear()
    _look_up(candidates, waiting)
    return counted


def _names(record: Record, year: int) -> list[tuple[str, _Place]]:
    """Give the names by which a record may show what a venue is called in full: its own venue, or it is the volume."""
    names = [record.venue] if record.venue else []
    if record.type not in _PAPERS:
        names += names_of(record.title, None, year)
    return [(name, (number, year)) for name in names if (number := venue_key(name)) is not None]


def _look_up(candidates: CandidateIndex, waiting: Sequence[tuple[_Counted, Record]]) -> None:
    asked = [(*_identifiers(record), *title_keys(record.title)) for _, record in waiting]
    for (one, record), found in zip(waiting, candidates.exact(asked), strict=True):
        one.held += any(_is_same(record, other) for other in found.values())


def _identifiers(record: Record) -> list[int]:
    pairs = ((scheme, getattr(record, scheme)) for scheme in ("doi", "arxiv_id", "pmid", "pmcid"))
    return [identifier_key(scheme, value) for scheme, value in pairs if value]


def _is_same(one: Record, other: Record) -> bool:
    """Whether a record is of the same work, and a search by its title would find it."""
    if not set(_identifiers(one)).isdisjoint(_identifiers(other)):
        return ratio(key(one.title), key(other.title)) >= SAME_TITLE
    same = not set(title_keys(one.title)).isdisjoint(title_keys(other.title))
    return same and not surnames_of(one).isdisjoint(surnames_of(other))


def _row(listed: int, places: Sequence[_Place], counted: dict[_Place, _Counted]) -> Held:
    works = max(listed, sum(counted[place].works for place in places))
    held = sum(counted[place].held for place in places)
    return Held(held, works, complete=held >= works)


def _write(folder: Path, manifest: Manifest, against: str, rows: dict[_Place, Held]) -> None:
    new = folder / PARTS / f"{COVERAGE}.new"
    try:
        new.unlink(missing_ok=True)
        with closing(sqlite3.connect(new)) as db:
            db.executescript(
                "PRAGMA journal_mode = OFF; CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT);" + HELD_TABLES
            )
            db.executemany(
                "INSERT INTO held VALUES (?, ?, ?, ?, ?)", sorted((*place, *row) for place, row in rows.items())
            )
            meta = [("content", manifest.content), ("against", against), ("checksum", _checksum(db))]
            db.executemany("INSERT INTO meta VALUES (?, ?)", meta)
            db.commit()
        new.replace(folder / PARTS / COVERAGE)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise IndexBuildError(
            f"{folder}: {COVERAGE} could not be written ({error}); the old one is in place"
        ) from error


def _checksum(db: sqlite3.Connection) -> str:
    rows = db.execute("SELECT venue, year, held, listed, complete FROM held ORDER BY venue, year")
    return blake2b(repr(rows.fetchall()).encode(), digest_size=16).hexdigest()


def _sound(db: sqlite3.Connection) -> bool:
    """Whether nothing changed since `cover`: one wrong bit would make an absence evidence."""
    found = db.execute(_META, ("checksum",)).fetchone()
    return found is not None and found[0] == _checksum(db)


def _open(path: Path) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, check_same_thread=False)
