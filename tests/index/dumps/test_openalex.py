"""OpenAlex's works: names as printed, cut lists known as such, other versions by their pages."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.index.dumps.form import Unit
from citeaudit.index.dumps.openalex import OpenalexDump
from citeaudit.index.store.record import Name, Record, RecordNotice, Related
from citeaudit.model import NoticeType
from tests.index.dumps.reading import SAMPLES, is_sound, mutated, read_all, sample, write_lines

DUMP = OpenalexDump()
ROWS = sample("openalex.jsonl")
SERVICES = Path(__file__).parents[4] / "shared" / "data" / "services"


def read_one(tmp_path: Path, **fields: Any) -> Record:
    row = {"id": "https://openalex.org/W9", "title": "One", **fields}
    (record,), faults = read_all(DUMP, write_lines(tmp_path / "one.jsonl", [row]))
    assert faults == []
    return record


def test_a_full_record_is_read() -> None:
    record = read_all(DUMP, SAMPLES / "openalex.jsonl")[0][0]
    assert record == Record(
        title="On Widgets",
        authors=(
            Name("Roe", "Jane A."),
            Name("Müller-Lang", "Jörg"),
            Name("Right", "J."),
            Name(literal="The Widget Group"),
            Name("Shown", "Only"),
        ),
        year=2020,
        venue="Journal of Widgets",
        volume="12",
        issue="2",
        pages="11-29",
        type="article-journal",
        doi="10.5555/widget.2020.1",
        pmid="1234567",
        pmcid="PMC7654321",
        src="openalex",
        id="W1",
        notices=(RecordNotice(NoticeType.RETRACTION),),
        related=(Related("preprint", "arxiv_id", "1905.00001"), Related("version", "doi", "10.5555/other")),
        updated="2025-02-03",
    )


def test_the_rest_of_the_sample() -> None:
    (draft, meeting, review), faults = read_all(DUMP, SAMPLES / "openalex.jsonl")[0][1:], ()
    assert faults == ()
    assert (draft.type, draft.arxiv_id, draft.pages, draft.related) == ("preprint", "1905.00001", "7", ())
    assert (len(draft.authors), draft.authors_complete) == (100, False)
    assert (meeting.title, meeting.type, meeting.authors_complete) == ("Gears at a meeting", "paper-conference", False)
    assert (review.type, review.year, review.venue) == ("article-journal", 2001, None)


@pytest.mark.parametrize("count", [99, 101])
def test_a_list_of_another_length_is_not_known_to_be_cut(tmp_path: Path, count: int) -> None:
    people = [{"author": {"display_name": "Jane Roe"}}] * count
    assert read_one(tmp_path, authorships=people).authors_complete is None


@pytest.mark.parametrize(
    ("raw", "shown", "name"),
    [
        pytest.param("Roe, Jane", "Jane Roe", Name("Roe", "Jane"), id="inverted"),
        pytest.param("Ludwig van der Berg", "L. Berg", Name("van der Berg", "Ludwig"), id="particles"),
        pytest.param("JÖRG MÜLLER", "Jörg Müller", Name("Müller", "Jörg"), id="capitals"),
        pytest.param("JORG MÜLLER", "Jane Roe", Name("Müller", "Jorg"), id="another-person"),
        pytest.param("MULLER JA", "Jane Roe", Name("Muller", "J. A."), id="initials"),
        pytest.param("VAN DER ROE, JAN", "Jan van der Roe", Name("van der Roe", "Jan"), id="capitals-inverted"),
        pytest.param("LI WEI", "Wei Li", Name("Wei", "Li"), id="capitals-short"),
        pytest.param("", "Jane Roe", Name("Roe", "Jane"), id="no-raw"),
    ],
)
def test_names_are_as_printed(tmp_path: Path, raw: str, shown: str, name: Name) -> None:
    people = [{"author": {"display_name": shown}, "raw_author_name": raw}, {"author": None}]
    assert read_one(tmp_path, authorships=people).authors == (name,)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        pytest.param({"type": "article", "type_crossref": "proceedings-article"}, "paper-conference", id="crossref"),
        pytest.param({"type": "article", "primary_location": {"raw_type": "posted-content"}}, "preprint", id="posted"),
        pytest.param({"type": "article"}, "article-journal", id="article"),
        pytest.param({"type": "peer-review"}, "review", id="peer-review"),
        pytest.param({"type": "dissertation"}, "thesis", id="thesis"),
        pytest.param({"type": "libguides"}, None, id="other"),
        pytest.param({}, None, id="none"),
    ],
)
def test_types(tmp_path: Path, fields: dict[str, Any], kind: str | None) -> None:
    assert read_one(tmp_path, **fields).type == kind


@pytest.mark.parametrize(
    ("kind", "retracted"), [("article", True), ("preprint", True), ("retraction", False), ("erratum", False)]
)
def test_a_notice_is_not_retracted_itself(tmp_path: Path, kind: str, *, retracted: bool) -> None:
    assert bool(read_one(tmp_path, type=kind, is_retracted=True).notices) is retracted


@pytest.mark.parametrize("fields", [{"is_paratext": True}, {"type": "paratext"}, {"type": "grant"}])
def test_front_matter_is_no_work_and_no_fault(tmp_path: Path, fields: dict[str, Any]) -> None:
    assert read_all(DUMP, write_lines(tmp_path / "p", [{"title": "Contents", **fields}])) == ([], [])


def test_part_files_and_answers_give_the_same(tmp_path: Path) -> None:
    expected = read_all(DUMP, SAMPLES / "openalex.jsonl")
    compact = b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in ROWS)
    (tmp_path / "part_000.gz").write_bytes(gzip.compress(compact))
    (tmp_path / "answer.json").write_text(json.dumps({"meta": {"count": 5}, "results": ROWS}), encoding="utf-8")
    assert read_all(DUMP, tmp_path / "part_000.gz") == read_all(DUMP, tmp_path / "answer.json") == expected


def test_lists_of_merged_ids_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "2025-01-01.csv.gz"
    path.write_bytes(gzip.compress(b"merge_date,id,merge_into_id\n"))
    assert list(DUMP.split(path)) == []


def test_authors_and_journals_are_no_works(tmp_path: Path) -> None:
    rows = [{"id": "https://openalex.org/A5", "display_name": "Jane Roe"}]
    (fault,) = read_all(DUMP, write_lines(tmp_path / "part_000.gz", rows))[1]
    assert fault.why == "id: A5 is no work"


def test_a_bad_record_is_named_and_costs_no_other(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x", [{"title": "Good"}, {"title": None}, b'{"title": ', {"title": "Second"}])
    records, faults = read_all(DUMP, path)
    assert [record.title for record in records] == ["Good", "Second"]
    assert [(fault.where, fault.why[:8]) for fault in faults] == [("line 2", "no title"), ("line 3", "no JSON:")]


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param({"authorships": "Jane Roe"}, id="people"),
        pytest.param({"primary_location": [1]}, id="location"),
        pytest.param({"locations": {"a": 1}}, id="locations"),
        pytest.param({"biblio": "12(2)"}, id="biblio"),
        pytest.param({"ids": ["x"], "type": ["article"]}, id="ids"),
    ],
)
def test_a_slip_of_one_field_costs_no_record(tmp_path: Path, odd: dict[str, Any]) -> None:
    assert read_one(tmp_path, publication_year=2020, **odd).year == 2020


@given(st.lists(mutated(ROWS), min_size=1, max_size=3))
def test_any_mutation_is_a_record_or_a_fault(rows: list[Any]) -> None:
    data = b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows)
    for one in DUMP.read(Unit(Path("x"), "line 1", data)):
        assert not isinstance(one, Record) or is_sound(one)


@pytest.mark.shared
def test_records_as_the_service_gives_them() -> None:
    if not SERVICES.is_dir():
        pytest.skip("the material beside the project is not there")
    records, faults = read_all(DUMP, SERVICES / "openalex.jsonl")
    assert faults == []
    assert len(records) > 50
    assert all(is_sound(record) and record.id and record.year for record in records)
    assert sum(bool(record.authors) for record in records) > 0.9 * len(records)
