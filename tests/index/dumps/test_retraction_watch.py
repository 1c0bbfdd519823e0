"""The Retraction Watch data: the work with its notice, also where the file mixes encodings and breaks lines."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps import packed
from citeaudit.index.dumps.retraction_watch import RetractionWatchDump
from citeaudit.index.store.record import Name, Record, RecordNotice
from citeaudit.model import NoticeType
from tests.index.dumps.reading import SAMPLES, is_sound, read_all

DUMP = RetractionWatchDump()
SAMPLE = SAMPLES / "retraction_watch.csv"
COLUMNS = next(csv.reader(io.StringIO(SAMPLE.read_text("utf-8-sig"))))
ROW = {
    "Record ID": "9",
    "Title": "One",
    "Author": "Jane Roe",
    "RetractionDate": "1/2/2022 0:00",
    "OriginalPaperDate": "3/4/2019 0:00",
    "OriginalPaperDOI": "10.5555/one",
    "RetractionNature": "Retraction",
}


def written(path: Path, *rows: dict[str, str], tail: str = "") -> Path:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="")
    writer.writeheader()
    writer.writerows({**ROW, **row} for row in rows)
    path.write_text(out.getvalue() + tail, "utf-8", newline="")
    return path


def read_one(tmp_path: Path, **fields: str) -> Record:
    (record,), faults = read_all(DUMP, written(tmp_path / "one.csv", fields))
    assert faults == []
    return record


@pytest.mark.parametrize("columns", ["", ","])
@pytest.mark.parametrize("cells", ["", ",", ",,"])
def test_a_comma_at_the_end_of_a_line_is_no_cell(tmp_path: Path, columns: str, cells: str) -> None:
    path = written(tmp_path / "one.csv", {})
    head, row, _ = path.read_text("utf-8").split("\n")
    path.write_text(f"{head.strip().rstrip(',')}{columns}\n{row.strip()}{cells}\n", "utf-8", newline="")
    (record,), faults = read_all(DUMP, path)
    assert (record.doi, faults) == ("10.5555/one", [])


def test_a_full_row_is_read() -> None:
    records, faults = read_all(DUMP, SAMPLE)
    assert faults == []
    assert records[0] == Record(
        title="On Widgets: A Survey",
        authors=(Name("Roe", "Jane A"), Name("Müller", "Jörg")),
        year=2019,
        venue="Journal of Widgets",
        publisher="Widget Press",
        type="article-journal",
        doi="10.5555/widget.2020.1",
        pmid="1234567",
        src="retraction-watch",
        id="1",
        notices=(RecordNotice(NoticeType.RETRACTION, "10.5555/widget.notice", 2022),),
        updated="2022-01-02",
    )


def test_the_rest_of_the_sample() -> None:
    doubt, corrected, back = read_all(DUMP, SAMPLE)[0][1:]
    assert (doubt.doi, doubt.pmid, doubt.type) == (None, None, "paper-conference")
    assert doubt.notices == (RecordNotice(NoticeType.CONCERN, None, 2021),)
    assert corrected.notices == (RecordNotice(NoticeType.CORRECTION, None, 2020),)
    assert (corrected.authors, corrected.year, corrected.doi) == ((), None, "10.5555/g.3")
    assert (back.notices, back.doi) == ((), "10.5555/g.4")


@pytest.mark.parametrize(
    ("retracted", "reinstated", "noticed"),
    [
        pytest.param("1/2/2019 0:00", "9/9/2020 0:00", False, id="reinstated"),
        pytest.param("1/2/2021 0:00", "9/9/2020 0:00", True, id="retracted-again"),
    ],
)
@pytest.mark.parametrize("doi", ["10.5555/one", "unavailable"])
def test_a_reinstated_work_is_retracted_no_more(
    tmp_path: Path, retracted: str, reinstated: str, noticed: bool, doi: str
) -> None:
    rows = [
        {"RetractionDate": retracted, "OriginalPaperDOI": doi},
        {"RetractionDate": reinstated, "OriginalPaperDOI": doi, "RetractionNature": "Reinstatement"},
        {"OriginalPaperDOI": "10.5555/other", "Title": "Another"},
    ]
    for order in (rows, rows[::-1]):
        records, _ = read_all(DUMP, written(tmp_path / "x.csv", *order))
        assert sum(bool(record.notices) for record in records if record.title == "One") == noticed
        assert all(record.notices for record in records if record.title == "Another")


@pytest.mark.parametrize(
    ("date", "year"),
    [
        pytest.param("11/23/2019 0:00", 2019, id="american"),
        pytest.param("2019-11-23", 2019, id="iso"),
        pytest.param("1/1/1000 0:00", None, id="placeholder"),
        pytest.param("unknown", None, id="unknown"),
        pytest.param("", None, id="empty"),
    ],
)
def test_dates(tmp_path: Path, date: str, year: int | None) -> None:
    record = read_one(tmp_path, OriginalPaperDate=date, RetractionDate=date)
    assert (record.year, record.notices[0].year) == (year, year)


def test_a_preprint_is_known_by_its_arxiv_id(tmp_path: Path) -> None:
    record = read_one(tmp_path, OriginalPaperDOI="10.48550/arXiv.1905.00001", ArticleType="Preprint;")
    assert (record.arxiv_id, record.type) == ("1905.00001", "preprint")


def test_line_breaks_in_cells_and_units_keep_their_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"Record ID": str(n), "Title": f"Title {n}", "Notes": 'a\n"quoted"\n' * (n % 3)} for n in range(400)]
    rows[300]["RetractionNature"] = "Rumour"
    path = written(tmp_path / "x.csv", *rows)
    expected = read_all(DUMP, path)
    assert [record.title for record in expected[0]] == [f"Title {n}" for n in range(400) if n != 300]
    line = path.read_bytes().decode().partition(",Rumour,")[0].count("\n") + 1
    assert [fault.where for fault in expected[1]] == [f"line {line}"]
    monkeypatch.setattr(packed.Member.read, "__defaults__", (5_000,))
    assert len(list(DUMP.split(path))) > 5
    assert read_all(DUMP, path) == expected


def test_packed_and_windows_bytes_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.csv.gz"
    body = written(tmp_path / "x.csv", {"Author": "Jörg Müller"}, {"Author": "Ana Muñoz"}).read_bytes()
    path.write_bytes(gzip.compress(body.replace("Müller".encode(), "Müller".encode("cp1252"))))
    records, faults = read_all(DUMP, path)
    assert faults == []
    assert [record.authors[0].family for record in records] == ["Müller", "Muñoz"]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        pytest.param({"RetractionNature": "Rumour"}, "unknown value 'rumour'", id="nature"),
        pytest.param({"Title": " "}, "no title", id="untitled"),
        pytest.param({"Title": "?!"}, "no letters or digits", id="marks"),
        pytest.param({"Notes": "x" * 200_000}, "no row of CSV", id="long-cell"),
    ],
)
def test_a_bad_row_is_named_and_costs_no_other(tmp_path: Path, row: dict[str, str], why: str) -> None:
    records, faults = read_all(DUMP, written(tmp_path / "x.csv", {}, row, {"Title": "Last"}))
    assert [record.title for record in records] == ["One", "Last"]
    assert [fault.where for fault in faults] == ["line 3"]
    assert why in faults[0].why


def test_a_row_of_too_few_cells_is_named(tmp_path: Path) -> None:
    records, faults = read_all(DUMP, written(tmp_path / "x.csv", {}, tail="7,Two\r\n\r\n"))
    assert len(records) == 1
    assert [(fault.where, fault.why) for fault in faults] == [("line 3", f"2 cells instead of {len(COLUMNS)}")]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param("a,b,c\n1,2,3\n", "no Retraction Watch data", id="other-columns"),
        pytest.param(
            ",".join(COLUMNS).replace(",", "\r,") + "\n1,2,3\n", "no Retraction Watch data", id="odd-line-ends"
        ),
        pytest.param("<!doctype html>", "a web page", id="page"),
        pytest.param(",".join(COLUMNS) + '\n1,"On Wid', "breaks off inside a cell", id="truncated"),
    ],
)
def test_what_is_no_such_file_is_an_error(tmp_path: Path, body: str, why: str) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(body.encode())
    with pytest.raises(IndexBuildError, match=why):
        read_all(DUMP, path)


def test_a_cell_without_an_end_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeaudit.index.dumps.retraction_watch.MAX_LINE", 1_000_000)
    path = written(tmp_path / "x.csv", {}, tail='"' + "x\n" * 2_000_000)
    with pytest.raises(IndexBuildError, match="no end of the row"):
        read_all(DUMP, path)


@given(st.integers(0, 900), st.integers(0, 12), st.binary(max_size=12))
def test_any_bytes_are_records_faults_or_a_named_error(
    tmp_path_factory: pytest.TempPathFactory, at: int, dropped: int, piece: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    body = SAMPLE.read_bytes()
    path.write_bytes(body[:at] + piece + body[at + dropped :])
    try:
        records, _ = read_all(DUMP, path)
    except IndexBuildError:
        return
    assert all(is_sound(record) for record in records)
