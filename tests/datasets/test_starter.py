"""The starter index holds what it says it holds, and nothing that was not verified."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from citeaudit.identifiers import clean_arxiv_id, clean_doi
from citeaudit.index.dumps.jsonl import parse
from citeaudit.index.store.record import Record
from citeaudit.index.store.works import is_complete
from citeaudit.model import NoticeType, WorkType
from citeaudit.text.normalize import key

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "datasets" / "starter"
SHARED = ROOT.parent / "shared"
LINES = (FOLDER / "works.jsonl").read_text(encoding="utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]
RECORDS = [parse(line) for line in LINES]
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))

KEYS = {
    "id", "field", "type", "title", "authors", "authors_complete", "year", "venue", "volume", "issue", "pages",
    "publisher", "doi", "arxiv_id", "notices",
}  # fmt: skip


def test_the_manifest_tells_the_truth() -> None:
    assert MANIFEST["sha256"] == hashlib.sha256((FOLDER / "works.jsonl").read_bytes()).hexdigest()
    assert MANIFEST["records"] == len(ROWS) >= 150
    assert MANIFEST["fields"] == dict(sorted(Counter(row["field"] for row in ROWS).items()))
    assert MANIFEST["licence"].startswith("CC0-1.0")
    assert all(MANIFEST[name] for name in ("origin", "verified", "compiled"))


def test_many_fields_are_there() -> None:
    fields = Counter(row["field"] for row in ROWS)
    assert set(fields) == {
        "biomedicine", "books", "computer science", "humanities", "mathematics", "physics", "social science",
    }  # fmt: skip
    assert min(fields.values()) >= 10
    assert sum(row["type"] == "book" for row in ROWS) >= 20


def test_at_least_ten_are_retracted() -> None:
    retracted = [one for one in RECORDS if any(note.type is NoticeType.RETRACTION for note in one.notices)]
    assert len(retracted) == MANIFEST["retracted"] >= 10
    assert sum(note.doi is not None for one in retracted for note in one.notices) >= 9
    for one in retracted:
        assert all(note.year is None or one.year is None or note.year >= one.year for note in one.notices)


@pytest.mark.parametrize(("row", "record"), list(zip(ROWS, RECORDS, strict=True)), ids=[row["id"] for row in ROWS])
def test_a_record_is_well_formed(row: dict[str, object], record: Record) -> None:
    assert set(row) <= KEYS
    assert re.fullmatch(r"[a-z0-9]+-\d{4}-[a-z0-9]+", str(row["id"]))
    assert row["type"] in {member.value for member in WorkType}
    assert record.year is not None
    assert record.authors
    assert all(name.literal or (name.family and name.given) for name in record.authors)
    assert is_complete(record) is row["authors_complete"]
    assert record.venue or record.type == "book"
    assert row.get("doi") == clean_doi(record.doi)
    assert row.get("arxiv_id") == clean_arxiv_id(record.arxiv_id)


@pytest.mark.parametrize("field", ["id", "doi", "arxiv_id"])
def test_nothing_is_there_twice(field: str) -> None:
    values = [row[field] for row in ROWS if row.get(field)]
    assert len(values) == len(set(values))
    titles = [(key(one.title), one.year) for one in RECORDS]
    assert len(titles) == len(set(titles))


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_starter", ROOT / "benchmarks" / "check_starter.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_two_small_collections_or_the_large_one() -> None:
    script = _script()
    assert script.passes(("works.jsonl.xz",))
    assert script.passes(("gold/a.json", "refstrings.jsonl"))
    assert not script.passes(("refstrings.jsonl",))
    assert not script.passes(())


@pytest.fixture
def collections(tmp_path: Path) -> Path:
    """Give a folder of collections in the forms that the script reads, written for this test."""
    import lzma

    data = tmp_path / "data"
    (data / "services" / "recorded").mkdir(parents=True)
    (data / "gold").mkdir()
    large = [
        {"title": "RETRACTED: On Widgets", "authors": [{"family": "R", "given": "Roe"}], "year": 2000},
        {"title": "Über Gadgets", "authors": [{"family": "Poe"}], "year": 1990},
        {"title": "On Widgets too", "authors": [{"family": "Roe"}], "year": 2000},
    ]
    text = "\n".join(json.dumps(row, separators=(",", ":")) for row in large)
    (data / "works.jsonl.xz").write_bytes(lzma.compress(text.encode()))
    (data / "gold" / "a.json").write_text(json.dumps([{"title": "Levers", "authors": ["Lee, A."], "year": "1980"}]))
    (data / "refstrings.jsonl").write_text(json.dumps({"title": "Levers", "authors": ["Lee"], "year": "1981"}) + "\n")
    service = {"title": ["Pulleys"], "author": [{"family": "Pope"}], "issued": {"date-parts": [[1970, 1]]}}
    (data / "services" / "crossref.jsonl").write_text(json.dumps(service) + "\n")
    info = {"info": {"title": "Pulleys", "authors": {"author": [{"text": "Ann Pope"}]}, "year": "1970"}}
    (data / "services" / "dblp.jsonl").write_text(json.dumps(info) + "\n")
    paper = {"title": "Springs", "authors": [{"name": "Ed Spring"}], "publication_year": 1960}
    recorded = [{"response": {"body": json.dumps({"results": [paper]})}}, {"response": {"body": "<xml/>"}}]
    (data / "services" / "recorded" / "s2.jsonl").write_text("\n".join(map(json.dumps, recorded)))
    return tmp_path


@pytest.mark.parametrize(
    ("title", "author", "year", "places"),
    [
        pytest.param("On Widgets", "Roe", 2001, ("works.jsonl.xz",), id="large-marked-and-swapped"),
        pytest.param("Uber gadgets", "Poe", 1990, ("works.jsonl.xz",), id="large-accent"),
        pytest.param("On Widgets", "Roe", 2003, (), id="year-too-far"),
        pytest.param("On Widgets", "Doe", 2000, (), id="no-surname-shared"),
        pytest.param("Levers", "Lee", 1980, ("gold/a.json", "refstrings.jsonl"), id="two-lists"),
        pytest.param("Pulleys", "Pope", 1970, ("services/crossref.jsonl", "services/dblp.jsonl"), id="two-services"),
        pytest.param("Springs", "Spring", 1960, ("services/recorded/s2.jsonl",), id="recorded"),
        pytest.param("Nothing of the kind", "Roe", 2000, (), id="nothing"),
    ],
)
def test_the_script_finds_what_is_there(
    collections: Path, title: str, author: str, year: int, places: tuple[str, ...]
) -> None:
    row = {"id": "x", "title": title, "authors": [{"family": author, "given": "A."}], "year": year}
    assert _script().evidence([parse(json.dumps(row))], collections) == {"x": places}


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the collections are not part of the project")
def test_every_record_is_verified() -> None:
    script = _script()
    short = [name for name, places in script.evidence(RECORDS, SHARED).items() if not script.passes(places)]
    assert short == []
