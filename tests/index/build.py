"""Records and indexes for the tests of this room; no test of its own."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from citeaudit.index.asking.engine import LookupIndex
from citeaudit.index.building.builder import build
from citeaudit.index.manifest import PARTS, FileSum, Manifest, Part, write
from citeaudit.index.store.part import PartWriter
from citeaudit.index.store.prepare import prepare
from citeaudit.index.store.record import About, Name, Record, RecordNotice, Related
from citeaudit.index.store.tidy import tidy
from citeaudit.model import Lookup, NoticeType, Query, QueryKind

EMPTY: Mapping[str, object] = {}
NONE: Mapping[str, Mapping[str, list[int]]] = {}
NOW = datetime(2026, 11, 30, tzinfo=UTC)

ROWS: list[dict[str, object]] = [
    {
        "title": "Growing Tomatoes on the Moon: A Feasibility Study",
        "authors": [{"family": "Alder", "given": "Ruth"}, {"family": "Van der Berg", "given": "Piet"}],
        "year": 2011,
        "venue": "Journal of Lunar Farming",
        "volume": "4",
        "pages": "11-29",
        "doi": "10.5555/moon.1",
        "src": "farm",
    },
    {
        "title": "Growing tomatoes on the moon: a feasibility study",
        "authors": [{"family": "Alder", "given": "R."}, {"family": "Berg", "given": "P. van der"}],
        "year": 2010,
        "arxiv_id": "1001.0001",
        "src": "arxiv",
    },
    {
        "title": "Introduction",
        "authors": [{"family": "Birch", "given": "Ola"}],
        "year": 1999,
        "venue": "Lunar Handbook",
        "src": "farm",
    },
    {"title": "Introduction", "authors": [{"family": "Birch", "given": "Ola"}], "year": 2015, "src": "farm"},
    {"title": "Introduction", "authors": [{"family": "Cedar", "given": "Ivo"}], "year": 2015, "src": "farm"},
    {
        "title": "Dust and its Discontents",
        "authors": [{"family": "Elm", "given": "Mary"}, {"family": "Fir", "given": "John"}],
        "year": 2018,
        "doi": "10.48550/arXiv.1801.00002",
        "src": "arxiv",
    },
    {
        "title": "RETRACTED: Cheese as a Building Material",
        "authors": [{"family": "Gum", "given": "Ann"}],
        "year": 2005,
        "doi": "10.5555/cheese",
        "src": "farm",
    },
    {
        "title": "A Rover that Waters Plants",
        "authors": [{"family": "Ruth Alder Ola Birch"}],
        "year": 2020,
        "src": "dirt",
    },
]


def records(rows: list[dict[str, object]] | None = None) -> list[Record]:
    """Give tidy records."""
    return [tidy(_record(row)) for row in (ROWS if rows is None else rows)]


def _record(row: Mapping[str, Any]) -> Record:
    made = dict(row)
    made["authors"] = tuple(
        Name(literal=one) if isinstance(one, str) else Name(**one) for one in row.get("authors", ())
    )
    made["notices"] = tuple(RecordNotice(NoticeType(one["type"]), one.get("doi")) for one in row.get("notices", ()))
    made["related"] = tuple(Related(*one) for one in row.get("related", ()))
    made["about"] = tuple(About(NoticeType(one[0]), *one[1:]) for one in row.get("about", ()))
    made["titles"] = tuple(row.get("titles", ()))
    return Record(**made)


def memory_index(rows: list[dict[str, object]] | None = None, *, complete: bool = False) -> LookupIndex:
    """Give an index in memory with a clock that stands still."""
    return LookupIndex.in_memory(records(rows), name="farm", built_at=NOW, complete=complete, clock=lambda: NOW)


def write_rows(path: Path, rows: list[dict[str, object]] | None = None) -> Path:
    """Write rows as JSON lines."""
    lines = (json.dumps(row, ensure_ascii=False) for row in (ROWS if rows is None else rows))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def built(folder: Path, rows: list[dict[str, object]] | None = None) -> Path:
    """Build an index of the rows in a folder beside its file of records; the same rows are built once and copied."""
    write_rows(folder / "rows.jsonl", rows)
    shutil.copytree(_template(json.dumps(ROWS if rows is None else rows)), folder / "index")
    return folder / "index"


@cache
def _template(rows: str) -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    build([write_rows(folder / "rows.jsonl", json.loads(rows))], folder / "index", clock=lambda: NOW)
    return folder / "index"


def sealed(
    folder: Path, parts: Mapping[str, list[dict[str, object]]], replaced: Mapping[str, Mapping[str, list[int]]] = NONE
) -> Path:
    """Make an index folder of these parts, oldest first, without the builder; gives the folder.

    Args:
        folder: Made if missing; its manifest is replaced.
        parts: Rows by the name of the part.
        replaced: By the name of a part, the ids of older parts' records that it replaces.
    """
    made = []
    for name, rows in parts.items():
        place = folder / PARTS / name
        if not place.exists():
            writer = PartWriter(place)
            writer.add(prepare(record, writer.codec) for record in records(rows))
            for older, ids in replaced.get(name, {}).items():
                writer.db.executemany("INSERT INTO replaced VALUES (?, ?)", [(older, one) for one in ids])
            writer.finish({"name": "farm"})
        sizes = {str(file.relative_to(place)): file.stat().st_size for file in place.rglob("*") if file.is_file()}
        files = {one: FileSum(size=size, blake2b="") for one, size in sizes.items()}
        made.append(Part(name=name, records=len(rows), files=files))
    count = sum(part.records for part in made)
    manifest = Manifest(name="farm", built_at=NOW, records=count, content="-".join(parts), parts=tuple(made))
    write(folder, manifest)
    return folder


def ask(index: LookupIndex, text: str, by: QueryKind = QueryKind.TITLE, hints: Mapping[str, object] = EMPTY) -> Lookup:
    """Put one question."""
    (answer,) = index.search([Query.model_validate({"kind": by, "text": text, **hints})])
    return answer
