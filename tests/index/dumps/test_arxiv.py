"""The arXiv snapshot: readable titles, the year of the first version, the published paper as another version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.index.dumps.arxiv import ArxivDump
from citeaudit.index.dumps.form import Unit
from citeaudit.index.store.record import Name, Record, RecordNotice, Related
from citeaudit.model import NoticeType
from tests.index.dumps.reading import SAMPLES, is_sound, mutated, read_all, sample, write_lines

DUMP = ArxivDump()
ROWS = sample("arxiv.jsonl")


def read_one(tmp_path: Path, **fields: Any) -> Record:
    row = {"id": "1905.00009", "title": "One", **fields}
    (record,), faults = read_all(DUMP, write_lines(tmp_path / "one.jsonl", [row]))
    assert faults == []
    return record


def test_a_full_record_is_read() -> None:
    records, faults = read_all(DUMP, SAMPLES / "arxiv.jsonl")
    assert faults == []
    assert records[0] == Record(
        title="On α-Widgets: the Gödel case",
        authors=(
            Name("Roe", "Jane A."),
            Name("Müller", "Jörg"),
            Name(literal="The Widget Collaboration"),
            Name("Plato"),
        ),
        year=2019,
        venue="arXiv",
        type="preprint",
        arxiv_id="1905.00001",
        src="arxiv",
        related=(Related("published", "doi", "10.5555/widget.2020.1"),),
        updated="2020-01-08",
    )


def test_the_rest_of_the_sample() -> None:
    old, two = read_all(DUMP, SAMPLES / "arxiv.jsonl")[0][1:]
    assert (old.arxiv_id, old.year) == ("hep-th/9901001", 1999)
    assert old.notices == (RecordNotice(NoticeType.WITHDRAWAL),)
    assert (old.authors, old.authors_complete) == ((Name("Ames", "A."),), False)
    assert [one.value for one in two.related] == ["10.5555/a", "10.5555/b"]


@pytest.mark.parametrize(
    ("comment", "withdrawn"),
    [
        ("This paper has been withdrawn by the author due to an error", True),
        ("This paper has been withdrawn", True),
        ("Paper withdrawn", True),
        ("Withdrawn.", True),
        ("withdrawn by the authors; see 1905.00001", True),
        ("This submission has been withdrawn by arXiv administrators because of disputed authorship", True),
        ("12 pages. The paper was withdrawn because Lemma 2 is wrong", True),
        ("Withdrawn from WidgetConf 2019", False),
        ("This paper was withdrawn from WidgetConf 2019", False),
        ("Replaces an earlier, withdrawn submission to a journal", False),
        ("v2 was withdrawn by the author, v3 is correct", False),
        ("On how troops were withdrawn, 12 pages", False),
        ("The claim of Section 3 is withdrawn", False),
        ("12 pages", False),
        ("", False),
        (None, False),
    ],
)
def test_only_a_paper_said_to_be_withdrawn_is(tmp_path: Path, comment: str | None, withdrawn: bool) -> None:
    assert bool(read_one(tmp_path, comments=comment).notices) is withdrawn


@pytest.mark.parametrize(
    ("fields", "year"),
    [
        pytest.param(
            {"versions": [{"created": "Mon, 2 Apr 2007 19:18:42 GMT"}, {"created": "2009"}]}, 2007, id="first"
        ),
        pytest.param({"versions": []}, 2019, id="by-id"),
        pytest.param({"versions": [{"created": "soon"}]}, 2019, id="odd"),
        pytest.param({"versions": "v1"}, 2019, id="no-list"),
        pytest.param({"id": "math/0309001"}, 2003, id="old-id"),
    ],
)
def test_years(tmp_path: Path, fields: dict[str, Any], year: int) -> None:
    assert read_one(tmp_path, **fields).year == year


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        pytest.param(
            {"authors": "Jane Roe, Jörg Müller"}, (Name("Roe", "Jane"), Name("Müller", "Jörg")), id="unparsed"
        ),
        pytest.param({"authors_parsed": [["Roe", "J.", "", "Lab"]]}, (Name("Roe", "J."),), id="affiliation"),
        pytest.param({"authors_parsed": [["Roe"], [], ["", ""]]}, (Name("Roe"),), id="short"),
        pytest.param({"authors_parsed": ["Roe", None]}, (Name("Roe"),), id="no-lists"),
        pytest.param({}, (), id="none"),
    ],
)
def test_names(tmp_path: Path, fields: dict[str, Any], names: tuple[Name, ...]) -> None:
    assert read_one(tmp_path, **fields).authors == names


@pytest.mark.parametrize(
    ("row", "why"),
    [
        pytest.param({"id": "1905.00001"}, "no title", id="untitled"),
        pytest.param({"title": "One"}, "no arXiv id", id="no-id"),
        pytest.param({"id": "1913.00001", "title": "One"}, "no arXiv id", id="no-such-month"),
        pytest.param({"id": "1905.00001", "title": "$ $"}, "title", id="nothing-left"),
        pytest.param(b'{"id": "1905.00001", "ti', "no JSON", id="broken"),
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
