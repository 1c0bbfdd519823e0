"""Merging indexes: their stored records are read again, as if an index were one more form of dump."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import IndexDamagedError
from citeaudit.index import manifest as manifests
from citeaudit.index.building.workshop import file_sum
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.manifest import DATA, PARTS, REBUILD, Manifest
from citeaudit.index.store.keys import replacing_key
from citeaudit.index.store.part import PartWriter
from citeaudit.index.store.part_reader import Ids, PartReader
from citeaudit.index.store.record import Listing, Record

STORED_FORM = "index"
"""Name of the form, for the workers; it is merged, never built from."""

UNIT_RECORDS = 4_000

NO_LIMIT = 1 << 40

_TABLES = """
CREATE TABLE seen (name INTEGER NOT NULL, input INTEGER NOT NULL, id INTEGER NOT NULL);
CREATE TABLE dropped (input INTEGER NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (input, id)) WITHOUT ROWID;
"""
_DROP = """
INSERT INTO dropped SELECT input, id FROM (
    SELECT input, id, row_number() OVER (PARTITION BY name ORDER BY input DESC, id DESC) AS place FROM seen
) WHERE place > 1
"""


class Piece(NamedTuple):
    """A part of an index that is merged."""

    data: Path
    """Its `works.db`."""
    records: int
    gone: Ids
    """Records that later parts of the same index replaced."""


class StoredForm:
    """Reads the records of sealed parts; a unit is a range of ids, and those in it that are left out."""

    name = STORED_FORM
    suffixes: tuple[str, ...] = (DATA,)

    def __init__(self, pieces: Sequence[Piece] = (), drops: Path | None = None) -> None:
        """Take what `split` needs; a worker, which only reads, needs nothing.

        Args:
            pieces: The parts that are merged.
            drops: Where `compare` notes, when the first unit is asked for, which records a later part has, too.
        """
        self._all = pieces
        self._count: int | None = None
        self._pieces = {piece.data: (number, piece) for number, piece in enumerate(pieces)}
        self._drops = drops

    def split(self, path: Path) -> Iterator[Unit]:
        """Give the units of a part (`path` is its `works.db`)."""
        number, piece = self._pieces[path]
        for first in range(1, piece.records + 1, UNIT_RECORDS):
            last = min(first + UNIT_RECORDS - 1, piece.records)
            left_out = self._dropped(number, first, last)
            left_out.update(place for place in range(first, last + 1) if place in piece.gone)
            yield Unit(path, f"record {first}", array("q", [first, last, *sorted(left_out)]).tobytes())

    def read(self, unit: Unit) -> Iterator[Record | Listing | Fault]:
        """Give the records of one unit.

        Raises:
            IndexDamagedError: The part is damaged.
        """
        numbers = array("q")
        numbers.frombytes(unit.data or b"")
        first, last, *left_out = numbers
        gone = set(left_out)
        with closing(PartReader(unit.path.parent)) as reader:
            found = reader.records([place for place in range(first, last + 1) if place not in gone])
        yield from (found[place] for place in sorted(found))

    @property
    def paths(self) -> tuple[Path, ...]:
        """Give the `works.db` of each part, in their order."""
        return tuple(piece.data for piece in self._all)

    @property
    def duplicates(self) -> int:
        """Give how many records are left out because a later part has them, too."""
        if self._count is None:
            self._count = compare(self._all, self._drops) if self._drops is not None else 0
        return self._count

    def _dropped(self, number: int, first: int, last: int) -> set[int]:
        if not self.duplicates or self._drops is None:
            return set()
        with closing(sqlite3.connect(self._drops)) as db:
            found = db.execute("SELECT id FROM dropped WHERE input = ? AND id BETWEEN ? AND ?", (number, first, last))
            return {place for (place,) in found}


def pieces_of(folder: Path, manifest: Manifest) -> list[Piece]:
    """Give the parts of an index, oldest first, each with the records that later ones replaced.

    Raises:
        IndexDamagedError: A file is missing or cut.
    """
    manifests.check_files(folder, manifest)
    gone: dict[str, array[int]] = {part.name: array("q") for part in manifest.parts}
    for part in manifest.parts:
        for name, place in _replaced_in(folder / PARTS / part.name / DATA):
            gone.setdefault(name, array("q")).append(place)
    return [Piece(folder / PARTS / part.name / DATA, part.records, Ids(gone[part.name])) for part in manifest.parts]


def check_sums(folder: Path, manifest: Manifest) -> None:
    """Hold the records of an index against their checksums: a merge must not give damage a new seal.

    Raises:
        IndexDamagedError: They differ.
    """
    for part in manifest.parts:
        path = folder / PARTS / part.name / DATA
        expected = part.files.get(DATA)
        if expected is None or file_sum(path) != expected:
            raise IndexDamagedError(f"{path}: its content was changed (the checksum differs); {REBUILD}")


def _replaced_in(data: Path) -> list[tuple[str, int]]:
    """Give the records of older parts that a part replaces: name of the part and id."""
    try:
        with closing(sqlite3.connect(f"{data.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            return [(name, place) for name, place in db.execute("SELECT part, id FROM replaced")]
    except sqlite3.Error as error:
        raise IndexDamagedError(f"{data}: cannot be read ({error}); {REBUILD}") from error


def compare(pieces: Sequence[Piece], drops: Path) -> int:
    """Note which records a later part has, too: same collection and own id, or without one the same identifier.

    Sorted on disk; of each record 64 bits are compared, which meet by chance once in ten billion billion pairs.

    Args:
        pieces: Parts; of two that are the same, the one in the later part stays.
        drops: Database to write; complete once it is there.

    Returns:
        The number of records that are left out.

    Raises:
        IndexDamagedError: A part is damaged.
    """
    if not drops.exists():
        new = drops.with_suffix(".new")
        new.unlink(missing_ok=True)
        with closing(sqlite3.connect(new)) as db:
            db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
            for number, piece in enumerate(pieces):
                db.executemany("INSERT INTO seen VALUES (?, ?, ?)", _names(number, piece))
            db.execute(_DROP)
            db.execute("DROP TABLE seen")
            db.commit()
        new.replace(drops)
    with closing(sqlite3.connect(drops)) as db:
        (count,) = db.execute("SELECT count(*) FROM dropped").fetchone()
    return int(count)


def _names(number: int, piece: Piece) -> Iterator[tuple[int, int, int]]:
    with closing(PartReader(piece.data.parent)) as reader:
        for first in range(1, piece.records + 1, UNIT_RECORDS):
            ids = range(first, min(first + UNIT_RECORDS, piece.records + 1))
            for place, record in reader.records([one for one in ids if one not in piece.gone]).items():
                name = own_name(record)
                if name is not None:
                    digest = blake2b(name.encode(), digest_size=8).digest()
                    yield int.from_bytes(digest, "big", signed=True), number, place


def own_name(record: Record) -> str | None:
    r"""Give what makes two records the same one: collection and own id, else collection and an identifier.

    >>> own_name(Record(title="Dust", src="farm", doi="10.5555/dust"))
    'farm\ndoi\n10.5555/dust'
    """
    for scheme in ("id", "doi", "arxiv_id", "pmid"):
        value = getattr(record, scheme)
        if value:
            return f"{record.src or ''}\n{scheme}\n{value}"
    return None


def mark_replaced(writer: PartWriter, pieces: Sequence[Piece]) -> int:
    """Note in a part, before it is finished, which records of older parts it replaces.

    Args:
        writer: Of the part.
        pieces: The older parts.

    Returns:
        The number of records that it replaces and no other part replaced before.

    Raises:
        IndexDamagedError: An older part is damaged.
    """
    db, count = writer.db, 0
    db.execute("DELETE FROM replaced")
    for piece in pieces:
        with closing(PartReader(piece.data.parent)) as reader:
            for fresh in _batches(writer):
                found = {place for place in _same(fresh, reader) if place not in piece.gone}
                rows = [(piece.data.parent.name, place) for place in sorted(found)]
                db.executemany("INSERT OR IGNORE INTO replaced VALUES (?, ?)", rows)
    (count,) = db.execute("SELECT count(*) FROM (SELECT DISTINCT part, id FROM replaced)").fetchone()
    return int(count)


def _batches(writer: PartWriter) -> Iterator[list[Record]]:
    for first in range(1, writer.count + 1, UNIT_RECORDS):
        rows = writer.db.execute(
            "SELECT data FROM work WHERE id BETWEEN ? AND ?", (first, first + UNIT_RECORDS - 1)
        ).fetchall()
        yield [writer.codec.unpack(data) for (data,) in rows]


def _same(fresh: Sequence[Record], reader: PartReader) -> Iterator[int]:
    """Give the records of a part that are the same as one of these."""
    names = {own_name(record) for record in fresh} - {None}
    keys = [number for record in fresh if (number := replacing_key(record)) is not None]
    ids = reader.exact(keys, NO_LIMIT)
    for place, record in reader.records(ids).items():
        if own_name(record) in names:
            yield place
