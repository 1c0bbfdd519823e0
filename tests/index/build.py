"""Records and indexes for the tests of this room; no test of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from citeaudit.index.builder import build
from citeaudit.index.engine import SqliteIndex
from citeaudit.index.records import Record, parse_record
from citeaudit.model import Lookup, Query, QueryKind

EMPTY: Mapping[str, object] = {}
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
    return [parse_record(json.dumps(row)) for row in (ROWS if rows is None else rows)]


def memory_index(rows: list[dict[str, object]] | None = None, *, complete: bool = False) -> SqliteIndex:
    """Give an index in memory with a clock that stands still."""
    return SqliteIndex.in_memory(records(rows), name="farm", built_at=NOW, complete=complete, clock=lambda: NOW)


def write_rows(path: Path, rows: list[dict[str, object]] | None = None) -> Path:
    """Write rows as JSON lines."""
    lines = (json.dumps(row, ensure_ascii=False) for row in (ROWS if rows is None else rows))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def built(folder: Path, rows: list[dict[str, object]] | None = None) -> Path:
    """Build an index of the rows in a folder beside its file of records."""
    build([write_rows(folder / "rows.jsonl", rows)], folder / "index", clock=lambda: NOW)
    return folder / "index"


def ask(index: SqliteIndex, text: str, by: QueryKind = QueryKind.TITLE, hints: Mapping[str, object] = EMPTY) -> Lookup:
    """Put one question."""
    (answer,) = index.search([Query.model_validate({"kind": by, "text": text, **hints})])
    return answer
