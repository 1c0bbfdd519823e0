"""Semantic Scholar's papers: whole names split, one record for a preprint and its publication."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.index.dumps import values
from citeaudit.index.dumps.form import Unit
from citeaudit.index.dumps.s2 import S2Dump
from citeaudit.index.store.record import Name, Record
from citeaudit.text.names import parse_person
from tests.index.dumps.reading import SAMPLES, is_sound, mutated, read_all, sample, write_lines

DUMP = S2Dump()
ROWS = sample("s2.jsonl")
SERVICES = Path(__file__).parents[4] / "shared" / "data" / "services"


def test_a_full_record_is_read() -> None:
    records, faults = read_all(DUMP, SAMPLES / "s2.jsonl")
    assert faults == []
    assert records[0] == Record(
        title="On Widgets",
        authors=(Name("Roe", "Jane A."), Name("van der Berg", "Ludwig"), Name(literal="The Widget Collaboration")),
        year=2020,
        venue="Journal of Widgets",
        volume="12",
        pages="11-29",
        type="article-journal",
        doi="10.5555/widget.2020.1",
        arxiv_id="1905.00001",
        pmid="1234567",
        pmcid="PMC7654321",
        src="s2",
        id="101",
        updated="2024-05-06",
    )


def test_the_rest_of_the_sample() -> None:
    server, recommendation, many = read_all(DUMP, SAMPLES / "s2.jsonl")[0][1:]
    assert (server.type, server.arxiv_id, server.volume) == ("preprint", "1905.00003", None)
    assert recommendation.type == "review"
    assert (many.venue, many.type, many.authors_complete) == ("Proc. Widg.", "paper-conference", False)


def test_volume_and_pages_of_an_unnamed_journal_are_not_those_of_a_server(tmp_path: Path) -> None:
    row = {"title": "One", "venue": "bioRxiv", "journal": {"name": "Widgets", "volume": "12", "pages": "1-9"}}
    (record,), _ = read_all(DUMP, write_lines(tmp_path / "x", [row]))
    assert (record.type, record.volume, record.pages) == ("preprint", None, None)


def test_a_meeting_has_not_the_volume_of_the_server_where_the_paper_was_posted(tmp_path: Path) -> None:
    row = {"title": "One", "venue": "Widget Systems", "journal": {"name": "ArXiv", "volume": "abs/1905.00003"}}
    (record,), _ = read_all(DUMP, write_lines(tmp_path / "x", [row]))
    assert (record.venue, record.volume, record.pages) == ("Widget Systems", None, None)


def test_part_files_and_answers_give_the_same(tmp_path: Path) -> None:
    expected = read_all(DUMP, SAMPLES / "s2.jsonl")
    (tmp_path / "papers-part0.jsonl.gz").write_bytes(gzip.compress((SAMPLES / "s2.jsonl").read_bytes()))
    rows = [
        {"externalIds": row.pop("externalids"), "publicationTypes": row.pop("publicationtypes"), **row}
        for row in sample("s2.jsonl")
    ]
    write_lines(tmp_path / "answers.jsonl", [{"total": 4, "data": rows}])
    for path in tmp_path.iterdir():
        assert read_all(DUMP, path) == expected, path.name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("J. Roe", Name("Roe", "J."), id="initial"),
        pytest.param("Jörg Müller-Lang", Name("Müller-Lang", "Jörg"), id="accents"),
        pytest.param("Roe, Jane", Name("Roe", "Jane"), id="inverted"),
        pytest.param("Ana de la Cruz", Name("de la Cruz", "Ana"), id="particles"),
        pytest.param("Sammy Roe Jr", Name("Roe", "Sammy"), id="suffix"),
        pytest.param("Widget Research Council", Name(literal="Widget Research Council"), id="body"),
        pytest.param("Plato", Name("Plato"), id="one-word"),
        pytest.param("Dr. Jane Roe", Name("Roe", "Jane"), id="title"),
        pytest.param("123", Name(literal="123"), id="digits"),
    ],
)
def test_whole_names_are_split(name: str, expected: Name) -> None:
    assert values.whole_name(name) == expected


GIVEN = [
    "Jane",
    "J.",
    "Jörg",
    "Hans-Georg",
    "Jean-paul",
    "Mary",
    "Ana",
    "Xu",
    "Élodie",
    "Łukasz",
    "Ole",
    "Prof.",
    "Dr.",
]
FAMILY = ["Roe", "Müller", "Li", "Roe-Doe", "Bank", "Press", "Group", "Łoś", "Szabó", "Jr", "Church", "Nguyễn", "Team"]


@given(st.lists(st.sampled_from(GIVEN), min_size=1, max_size=4), st.sampled_from(FAMILY))
def test_the_short_cut_gives_what_the_long_way_gives(given: list[str], family: str) -> None:
    name = " ".join([*given, family])
    assert values.whole_name(name) == values.of_person(parse_person(name))


@pytest.mark.parametrize(
    ("row", "why"),
    [
        pytest.param({"corpusid": 1, "title": ""}, "no title", id="untitled"),
        pytest.param({"corpusid": 1, "title": {"x": 1}}, "no title", id="odd"),
        pytest.param(b'{"corpusid": 1, "tit', "no JSON", id="broken"),
        pytest.param(b"null", "not an object", id="null"),
    ],
)
def test_a_bad_record_is_named_and_costs_no_other(tmp_path: Path, row: object, why: str) -> None:
    records, faults = read_all(DUMP, write_lines(tmp_path / "x", [ROWS[0], row, ROWS[1]]))
    assert len(records) == 2
    assert [fault.where for fault in faults] == ["line 2"]
    assert why in faults[0].why


@given(st.lists(mutated(ROWS[:3]), min_size=1, max_size=3))
def test_any_mutation_is_a_record_or_a_fault(rows: list[Any]) -> None:
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    for one in DUMP.read(Unit(Path("x"), "line 1", data)):
        assert not isinstance(one, Record) or is_sound(one)


@pytest.mark.shared
def test_records_as_the_service_gives_them() -> None:
    if not SERVICES.is_dir():
        pytest.skip("the material beside the project is not there")
    records, faults = read_all(DUMP, SERVICES / "semantic_scholar.jsonl")
    assert faults == []
    assert len(records) > 100
    assert all(is_sound(record) and record.id for record in records)
    assert sum(bool(record.authors) for record in records) > 0.9 * len(records)
