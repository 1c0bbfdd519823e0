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
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.fuzz import ratio

from citeaudit.errors import IndexBuildError, IndexDamagedError
from citeaudit.index import manifest as manifests
from citeaudit.index.candidates import Held
from citeaudit.index.coverage import HELD_TABLES, combine, members, tables
from citeaudit.index.keys import identifier_key, title_keys, venue_key
from citeaudit.index.manifest import COVERAGE, DATA, PARTS, Manifest
from citeaudit.index.record import Record
from citeaudit.index.works import surnames_of
from citeaudit.text.normalize import key

if TYPE_CHECKING:
    from collections.abc import Callable

    from citeaudit.index.candidates import CandidateIndex

    Tell = Callable[[int], None]

SAME_TITLE = 85.0
"""Least likeness, 0 to 100, of the titles of two records with one identifier: a search by title must find it, too."""

_UNIT = 1_000
_Place = tuple[int, int]
"""Key of a venue, and a year."""


class Share(NamedTuple):
    """How much of a venue in a year, as the other index lists it, is held."""

    name: str
    """A name of the venue, as a record of the other index prints it."""
    year: int
    held: int
    listed: int

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

    def against(self) -> tuple[str, bool] | None:
        """Give the name of the index it was compared with, and whether that was with this content; `None` if never."""
        try:
            with closing(_open(self._path)) as db:
                meta = dict(db.execute("SELECT name, value FROM meta"))
        except sqlite3.Error:
            return None
        return meta.get("against", ""), meta.get("content") == self._content

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
                if db.execute("SELECT value FROM meta WHERE name = 'content'").fetchone() == (self._content,):
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
        IndexBuildError: One of the two cannot be used, the other knows no complete table of contents, or the result
            cannot be written.
    """
    from citeaudit.index.local import LocalCandidates

    candidates = LocalCandidates(folder)
    try:
        there = manifests.read(against)
        manifests.check_files(against, there)
        wanted = _wanted(against, there)
        if not wanted:
            raise IndexBuildError(
                f"{against}: knows no complete table of contents; compare with an index of dblp or the ACL Anthology"
            )
        counted = _count(
            candidates, _works(against, there, tell), {place for _, places in wanted.values() for place in places}
        )
        rows = {place: _row(listed, places, counted) for place, (listed, places) in wanted.items()}
        _write(folder, candidates.manifest, there.name, rows)
    except sqlite3.Error as error:
        raise IndexDamagedError(f"{against}: is damaged ({error}); {manifests.REBUILD}") from error
    finally:
        candidates.close()
    shares = {Share(one.name, place[1], one.held, one.works) for place, one in counted.items() if one.works}
    return sorted(shares, key=lambda one: (-one.held / one.listed, -one.listed, one.name, one.year))


class _Counted:
    """Works of the other index under one venue and year."""

    def __init__(self) -> None:
        self.name, self.works, self.held = "", 0, 0


def _wanted(folder: Path, manifest: Manifest) -> dict[_Place, tuple[int, list[_Place]]]:
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
    from citeaudit.index.merging import pieces_of
    from citeaudit.index.part_reader import PartReader

    read = 0
    for piece in pieces_of(folder, manifest):
        with closing(PartReader(piece.data.parent)) as reader:
            for first in range(1, piece.records + 1, _UNIT):
                ids = range(first, min(first + _UNIT, piece.records + 1))
                yield from reader.records([one for one in ids if one not in piece.gone]).values()
                read += len(ids)
                if tell is not None:
                    tell(read)


def _count(candidates: CandidateIndex, works: Iterator[Record], places: set[_Place]) -> dict[_Place, _Counted]:
    counted = {place: _Counted() for place in places}
    waiting: list[tuple[_Counted, Record]] = []
    for record in works:
        venue = venue_key(record.venue) if record.venue else 0
        one = counted.get((venue or 0, record.year or 0))
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
            db.executemany("INSERT INTO meta VALUES (?, ?)", [("content", manifest.content), ("against", against)])
            db.executemany(
                "INSERT INTO held VALUES (?, ?, ?, ?, ?)", sorted((*place, *row) for place, row in rows.items())
            )
            db.commit()
        new.replace(folder / PARTS / COVERAGE)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise IndexBuildError(
            f"{folder}: {COVERAGE} could not be written ({error}); the old one is in place"
        ) from error


def _open(path: Path) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, check_same_thread=False)
