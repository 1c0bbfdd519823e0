"""What the tests of dump readers share: reading a file to its end, and mutating samples."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from citeaudit.index.dumps.form import DumpFormat, Fault
from citeaudit.index.store.record import STORED, About, Name, Record, RecordNotice, Related

SAMPLES = Path(__file__).parent / "samples"


def read_all(dump: DumpFormat, path: Path) -> tuple[list[Record], list[Fault]]:
    """Give the records and the faults of a file, in their order."""
    found = [one for unit in dump.split(path) for one in dump.read(unit)]
    assert all(isinstance(one, Record | Fault) for one in found)
    return [one for one in found if isinstance(one, Record)], [one for one in found if isinstance(one, Fault)]


def write_lines(path: Path, rows: Iterable[object]) -> Path:
    """Write one JSON value a line; bytes are taken as they are."""
    lines = (row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode() for row in rows)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def sample(name: str) -> list[dict[str, Any]]:
    """Give the objects of a sample of JSON lines."""
    return [json.loads(line) for line in (SAMPLES / name).read_text("utf-8").splitlines()]


def is_sound(record: Record) -> bool:
    """Whether every field holds what its annotation says: what packs and compares records relies on it."""
    texts = [*(getattr(record, name) for name in STORED if name not in _OTHER), record.updated]
    people = [*record.authors, *record.editors]
    return (
        isinstance(record.title, str)
        and all(text is None or isinstance(text, str) for text in texts)
        and (record.year is None or type(record.year) is int)
        and record.authors_complete in {None, True, False}
        and all(type(one) is Name and any(one) and all(p is None or isinstance(p, str) for p in one) for one in people)
        and all(type(one) is RecordNotice and (one.doi is None or isinstance(one.doi, str)) for one in record.notices)
        and all(type(one) is Related and isinstance(one.value, str) for one in record.related)
        and all(type(one) is About and isinstance(one.value, str) for one in record.about)
        and all(isinstance(one, str) for one in record.titles)
        and all(type(one) is int for one in record.years)
    )


_OTHER = {"year", "authors", "authors_complete", "editors", "notices", "related", "about", "titles", "years"}

ODD: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["", " ", "et al.", "\ud800", "\x00", "10.1234/x", "<b>", "&amp;", "0000", "1/1/"]),
    st.lists(st.one_of(st.none(), st.integers(), st.text(max_size=3), st.just({})), max_size=3),
    st.dictionaries(st.text(max_size=3), st.none(), max_size=2),
    st.just([[]]),
    st.just([[None]]),
)
"""JSON values where others are expected."""


@st.composite
def mutated(draw: st.DrawFn, rows: list[dict[str, Any]]) -> Any:
    """Give one of the rows with up to three of its inner values replaced or dropped."""
    row = json.loads(json.dumps(draw(st.sampled_from(rows))))
    for _ in range(draw(st.integers(1, 3))):
        places = [*_places(row)]
        if not places:
            break
        holder, key = draw(st.sampled_from(places))
        if draw(st.booleans()) and isinstance(holder, dict):
            del holder[key]
        else:
            holder[key] = json.loads(json.dumps(draw(ODD)))
    return row


def _places(value: Any) -> Iterable[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from _places(inner)
