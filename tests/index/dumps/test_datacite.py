"""DataCite's records: findable ones, their types, their versions, arXiv papers as such."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.index.dumps.datacite import DataciteDump
from citeaudit.index.dumps.form import Unit
from citeaudit.index.store.record import Name, Record, Related
from tests.index.dumps.reading import SAMPLES, is_sound, mutated, read_all, sample, write_lines

DUMP = DataciteDump()
ROWS = sample("datacite.jsonl")


def read_one(tmp_path: Path, **fields: Any) -> Record:
    row = {"doi": "10.5555/one", "titles": [{"title": "One"}], **fields}
    (record,), faults = read_all(DUMP, write_lines(tmp_path / "one.jsonl", [row]))
    assert faults == []
    return record


def test_a_preprint_of_arxiv_is_read() -> None:
    assert read_all(DUMP, SAMPLES / "datacite.jsonl")[0][0] == Record(
        title="On Widgets",
        authors=(Name("Roe", "Jane A."), Name(literal="Widget Lab")),
        year=2019,
        venue="arXiv",
        publisher="arXiv",
        type="preprint",
        doi="10.48550/arxiv.1905.00001",
        arxiv_id="1905.00001",
        src="datacite",
        related=(Related("published", "doi", "10.5555/widget.2020.1"),),
        updated="2025-01-02",
    )


def test_a_bare_object_is_read() -> None:
    assert read_all(DUMP, SAMPLES / "datacite.jsonl")[0][1] == Record(
        title="Gears: Version 2",
        authors=(Name("Müller", "Jörg"), Name("Roe", "Jane")),
        authors_complete=False,
        year=2021,
        publisher="Zenodo",
        type="software",
        doi="10.5281/zenodo.1",
        src="datacite",
        titles=("Zahnräder",),
        related=(Related("version", "doi", "10.5281/zenodo.0"), Related("version", "arxiv_id", "1905.00002")),
        editors=(Name("Muster", "Max"),),
        updated="2022-02-02",
    )


def test_the_rest_of_the_sample() -> None:
    records, faults = read_all(DUMP, SAMPLES / "datacite.jsonl")
    assert (len(records), faults) == (3, [])  # one is not findable
    thesis = records[2]
    assert (thesis.title, thesis.titles, thesis.type) == ("Only translated", (), "thesis")
    assert (thesis.venue, thesis.volume, thesis.pages) == ("Widget Theses", "3", "1-200")


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        pytest.param({"resourceTypeGeneral": "ConferencePaper"}, "paper-conference", id="general"),
        pytest.param({"resourceTypeGeneral": "Text", "resourceType": "Journal article"}, "article-journal", id="free"),
        pytest.param({"resourceTypeGeneral": "Other", "resourceType": 7}, None, id="odd"),
        pytest.param({"resourceTypeGeneral": "Image"}, None, id="other"),
        pytest.param(None, None, id="none"),
    ],
)
def test_types(tmp_path: Path, types: Any, kind: str | None) -> None:
    assert read_one(tmp_path, types=types).type == kind


@pytest.mark.parametrize(
    ("creator", "names"),
    [
        pytest.param({"name": "Roe, Jane", "familyName": "Roe"}, (Name("Roe"),), id="family"),
        pytest.param({"name": "Roe, Jane"}, (Name("Roe", "Jane"),), id="inverted"),
        pytest.param({"name": "Widget Lab", "nameType": "Organizational"}, (Name(literal="Widget Lab"),), id="body"),
        pytest.param({"nameType": "Organizational"}, (), id="nothing"),
        pytest.param({"givenName": "Plato"}, (Name("Plato"),), id="given"),
        pytest.param({}, (), id="empty"),
    ],
)
def test_names(tmp_path: Path, creator: dict[str, Any], names: tuple[Name, ...]) -> None:
    assert read_one(tmp_path, creators=[creator]).authors == names


def test_every_form_of_file_gives_the_same(tmp_path: Path) -> None:
    expected = read_all(DUMP, SAMPLES / "datacite.jsonl")
    lines = gzip.compress((SAMPLES / "datacite.jsonl").read_bytes())
    (tmp_path / "answer.json").write_text(json.dumps({"data": ROWS, "meta": {}}, indent=1), encoding="utf-8")
    write_lines(tmp_path / "answers.jsonl", [{"data": row} for row in ROWS])
    with tarfile.open(tmp_path / "file.tar", "w") as tar:
        for name, data in (
            ("dois/u/part_0000.jsonl.gz", lines),
            ("dois/u/2024-07.csv.gz", gzip.compress(b"doi,state")),
        ):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    for path in tmp_path.iterdir():
        assert read_all(DUMP, path) == expected, path.name


@pytest.mark.parametrize(
    ("row", "why"),
    [
        pytest.param({"doi": "10.5555/x", "titles": []}, "no title", id="untitled"),
        pytest.param({"doi": "10.5555/x", "titles": [{"title": None}]}, "no title", id="null"),
        pytest.param({"doi": "10.5555/x", "titles": "One"}, "no title", id="odd"),
        pytest.param(b'{"doi": "10.5555/x', "no JSON", id="broken"),
    ],
)
def test_a_bad_record_is_named_and_costs_no_other(tmp_path: Path, row: object, why: str) -> None:
    records, faults = read_all(DUMP, write_lines(tmp_path / "x", [ROWS[0], row, ROWS[1]]))
    assert len(records) == 2
    assert [fault.where for fault in faults] == ["line 2"]
    assert why in faults[0].why


@given(st.lists(mutated(ROWS), min_size=1, max_size=3))
def test_any_mutation_is_a_record_or_a_fault(rows: list[Any]) -> None:
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    for one in DUMP.read(Unit(Path("x"), "line 1", data)):
        assert not isinstance(one, Record) or is_sound(one)
