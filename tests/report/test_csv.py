"""The CSV report: read back it is what was written, and no spreadsheet runs it."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.model import Audit, Identifiers, Unreadable
from citeaudit.report.csv_report import COLUMNS, NUMERIC, CsvReporter, guard, plain, unguard
from citeaudit.report.writing import write_atomic
from tests import samples
from tests.report.material import HOSTILE, LOST, NOTHING, full, hostile, written


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def _written(*results: Audit | Unreadable) -> list[dict[str, str]]:
    return _rows(written(CsvReporter(), results))


def test_columns_are_those_of_the_reference(repository: Path) -> None:
    reference = (repository / "docs" / "reports.md").read_text(encoding="utf-8")
    told = [line.split("`")[1] for line in reference.partition("## csv")[2].splitlines() if line.startswith("| `")]
    assert tuple(told) == COLUMNS
    assert tuple(_written(full())[0]) == COLUMNS


def test_one_row_a_reference_in_order() -> None:
    rows = _written(full(), LOST, NOTHING, samples.audit(samples.verdict(), path="b.bib"))
    assert [(row["document"], row["index"]) for row in rows] == [
        *(("paper.pdf", str(number)) for number in range(1, 7)),
        ("lost.pdf", ""),
        ("b.bib", "1"),
    ]
    assert (rows[6]["status"], rows[6]["reasons"]) == ("UNREADABLE", "is empty; save it again")


def test_a_row_says_what_was_claimed_found_and_answered() -> None:
    first, second, third, fourth = _written(full())[:4]
    assert (first["label"], first["status"], first["alarm"], first["risk"]) == ("key1", "VERIFIED", "NONE", "0.01")
    assert (second["flags"], second["disagreements"]) == (
        "retracted",
        "title: On the {reading -> writing} of references",
    )
    assert (second["title"], second["found_title"]) == ("On the reading of references", "On the writing of references")
    assert (second["sources_answered"], second["sources_failed"]) == ("fine", "slow")
    assert (third["year"], third["found_year"], third["found_title"]) == ("1999", "", "")
    assert (fourth["sources_answered"], fourth["sources_failed"]) == ("", "slow")


def test_lists_are_joined_and_cut_lists_say_so() -> None:
    cited = samples.reference("T", "Ada Lovelace", "Royal Society").model_copy(update={"authors_truncated": True})
    one = samples.verdict(of=cited)
    assert one.best is not None
    keys = Identifiers(doi="10.1/x", arxiv_id="1706.03762")
    best = one.best.model_copy(update={"work": samples.work("T", "Ada Lovelace", identifiers=keys)})
    row = _written(samples.audit(one.model_copy(update={"best": best})))[0]
    assert row["authors"] == "Ada Lovelace; Royal Society; et al."
    assert row["found_authors"] == "Ada Lovelace"
    assert row["found_identifiers"] == "doi:10.1/x; arxiv_id:1706.03762"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        pytest.param("=1+1", "'=1+1", id="equals"),
        pytest.param("+1", "'+1", id="plus"),
        pytest.param("-1", "'-1", id="minus"),
        pytest.param("@SUM(A1)", "'@SUM(A1)", id="at"),
        pytest.param("  =1", "'  =1", id="after-spaces"),
        pytest.param("\u00a0\u200b=1", "\xa0\\u200b=1", id="after-unseen-spaces"),
        pytest.param("\tx", "'\tx", id="tab"),
        pytest.param("\rx", "'\rx", id="carriage-return"),
        pytest.param("\nx", "'\nx", id="line-feed"),
        pytest.param("＝1", "'＝1", id="wide-equals"),
        pytest.param("＠x", "'＠x", id="wide-at"),
        pytest.param("﹣1", "'﹣1", id="small-minus"),
        pytest.param("\x00=1", "'=1", id="null-before"),
        pytest.param("'=1", "''=1", id="guarded-already"),
        pytest.param("'t Hooft", "'t Hooft", id="apostrophe"),
        pytest.param("A = B", "A = B", id="inside"),
        pytest.param("", "", id="empty"),
    ],
)
def test_a_formula_is_guarded_and_nothing_else(text: str, cell: str) -> None:
    assert guard(plain(text)) == cell
    assert unguard(cell) == plain(text)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_cell_of_a_hostile_document_runs(text: str) -> None:
    for row in _written(hostile(text), Unreadable(path=text, message=text)):
        for column, cell in row.items():
            if column in NUMERIC:
                assert cell == "" or float(cell) >= 0
            else:
                assert not cell.strip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def test_numbers_stay_numbers() -> None:
    row = _written(samples.audit(samples.verdict(of=samples.reference("T", year=-1))))[0]
    assert {column: row[column] for column in sorted(NUMERIC)} == {
        "found_year": "1999",
        "index": "1",
        "risk": "0.01",
        "year": "-1",
    }


@given(title=st.text(), label=st.text(min_size=1), raw=st.text(min_size=1))
def test_what_is_read_back_is_what_was_written(title: str, label: str, raw: str) -> None:
    row = _written(samples.audit(samples.verdict(of=samples.reference(title, label=label, raw=raw))))[0]
    assert unguard(row["title"]) == plain(title)
    assert unguard(row["label"]) == plain(label)
    assert unguard(row["raw"]) == plain(raw)


@given(st.text(alphabet="'=+-@ \t\r\n\u00a0＝a0"))
def test_the_guard_is_exact(text: str) -> None:
    assert unguard(guard(text)) == text
    assert not guard(text).lstrip(" \u00a0").startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝"))


def test_line_ends_are_kept_in_files_and_on_standard_output(tmp_path: Path) -> None:
    one = samples.audit(samples.verdict(of=samples.reference("T", raw="a\nb\r\nc\rd")))
    target = tmp_path / "x.csv"
    write_atomic(target, lambda stream: CsvReporter().write([one], stream))
    told = target.read_bytes()
    assert told.decode() == written(CsvReporter(), [one])
    assert told.count(b"\r\n") == 2 + 1
    assert b"\r\r\n" not in told
    assert _rows(told.decode())[0]["raw"] == "a\nb\r\nc\rd"
    file = tmp_path / "x.bib"
    file.write_text("@article{a, title = {A title of no work}, year = {2001}}\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "citeaudit", "check", str(file), "--offline", "-q", "--format", "csv"],
        capture_output=True,
        check=True,
    )
    assert [row["label"] for row in _rows(done.stdout.decode())] == ["a"]
    assert done.stdout.count(b"\n") == done.stdout.count(b"\r\n")


def test_every_cell_is_in_quotes() -> None:
    lines = written(CsvReporter(), [full()]).split("\r\n")
    assert all(line.startswith('"') and line.endswith('"') for line in lines if line)
    assert lines[0].count('"') == 2 * len(COLUMNS)


def test_a_row_says_what_can_be_done() -> None:
    first, second, third = _written(full())[:3]
    assert (first["letter"], first["suggested"], first["retrieved"]) == ("", "", "2026-01-02T12:00:00Z")
    assert second["letter"].startswith("Reference key2 cites the title")
    assert second["suggested"] == "Ada Lovelace. 1999. On the writing of references."
    assert second["repeat"] == "https://api.example.org/works?q=a%20b"
    assert third["needed"] == "No record was found: a DOI, or where the work can be seen, is needed."
