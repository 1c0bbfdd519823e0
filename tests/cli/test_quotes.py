"""`citeaudit quotes` as a user runs it: forms in and out, the gate, and what is said of bad input."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from citeaudit import api
from citeaudit.cli.main import main
from citeaudit.errors import UsageError
from citeaudit.pdf.document import library
from citeaudit.quotes.documents import open_documents
from citeaudit.quotes.rows import Wanted
from citeaudit.quotes.showing import pictures, sheet, shown_rows
from tests.quotes import prints

ANSWERS = [
    {
        "id": "q1",
        "question": "How did it go?",
        "answer": "Well.",
        "citations": [
            {"doc": "report.pdf", "page": 1, "quote": "Net sales rose by 12% to 4.1 million"},
            {"doc": "report.pdf", "page": 1, "quote": "Net sales rose by 12% to 4.7 million"},
        ],
    },
    {"id": "q2", "citations": [{"doc": "absent.pdf", "page": 2, "quote": "The river was low in that summer"}]},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one document, and the answers beside it."""
    (tmp_path / "docs").mkdir()
    prints.printed(tmp_path / "docs" / "report.pdf", ["Net sales rose by 12% to 4.1 million in the last year."])
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS), "utf-8")
    return tmp_path


def called(folder: Path, *more: str, answers: str = "answers.json") -> int:
    return main(["quotes", str(folder / answers), "--docs", str(folder / "docs"), *more])


def test_table_and_summary(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert called(folder) == 1
    told = capsys.readouterr().out
    assert "differs: 4.7 -> 4.1" in told
    assert "3 quotes: 1 verified, 1 close match, 1 missing document; unsupported rate 0.667" in told


@pytest.mark.parametrize(("most", "code"), [("0.02", 1), ("0.666", 1), ("0.667", 0), ("1", 0)])
def test_the_gate(folder: Path, most: str, code: int) -> None:
    assert called(folder, "--max-unsupported", most) == code


@pytest.mark.parametrize("mode", ["default", "notebook"])
def test_json(folder: Path, capsys: pytest.CaptureFixture[str], mode: str) -> None:
    called(folder, "--format", "json", "--compat", mode)
    rows = json.loads(capsys.readouterr().out)
    assert [row["status"] for row in rows] == ["verified", "close match", "missing document"]
    assert rows[1]["similarity"] == 0.88
    assert rows[1]["differences"] == ["4.7 -> 4.1"]
    if mode == "default":
        (left, top, right, bottom), page = rows[0]["rects"][0][0]["rect"], rows[0]["rects"][0][0]["page"]
        assert page == 1
        assert left == pytest.approx(72, abs=1)
        assert top < 100 < bottom
        assert right > left + 150
        assert len(rows[1]["rects"]) == 1
    assert {"id", "doc", "page", "quote", "found_page", "closest", "closest_page", "tier", "rects"} <= rows[0].keys()


def test_csv_has_the_notebooks_columns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called(folder, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(rows[0]) == [
        *("id", "doc", "page", "quote", "status"),
        *("found_page", "similarity", "closest_page", "closest", "differences"),
    ]
    assert rows[1]["differences"] == "4.7 -> 4.1"
    assert rows[0]["similarity"] == ""


def test_pdf_and_html(folder: Path) -> None:
    hostile = [{"doc": "report.pdf", "page": 1, "id": "<b>x</b>", "quote": "<script>alert(1)</script> and more"}]
    (folder / "rows.json").write_text(json.dumps(hostile), "utf-8")
    assert called(folder, "-o", str(folder / "r.pdf")) == 1
    assert (folder / "r.pdf").read_bytes().startswith(b"%PDF-")
    called(folder, "-o", str(folder / "r.html"), answers="rows.json")
    page = (folder / "r.html").read_text("utf-8")
    assert "<script>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", "\n".join(json.dumps(answer) for answer in ANSWERS)),
        ("a.csv", "id,doc,page,quote\nq,report.pdf,1,Net sales rose by 12% to 4.1 million\n"),
        ("a.json", json.dumps({"answers": ANSWERS})),
        ("b.json", json.dumps([{"doc": "report.pdf", "page": "1", "quote": "Net sales rose by 12% to 4.1 million"}])),
    ],
)
def test_forms_of_input(folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str) -> None:
    (folder / name).write_text(text, "utf-8")
    called(folder, "--format", "json", answers=name)
    assert json.loads(capsys.readouterr().out)[0]["status"] == "verified"


def test_several_runs_side_by_side(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "second.json").write_text(json.dumps(ANSWERS[:1]), "utf-8")
    main(["quotes", str(folder / "answers.json"), str(folder / "second.json"), "--docs", str(folder / "docs")])
    told = capsys.readouterr().out
    rate = next(line for line in told.splitlines() if line.startswith("unsupported_rate"))
    assert rate.split()[1:] == ["0.667", "0.5"]


@pytest.mark.parametrize(
    ("name", "text", "more", "said"),
    [
        ("a.json", "{", (), "no JSON"),
        ("a.json", "3", (), "no list of answers"),
        ("a.csv", "id,text\n1,2\n", (), "must name the columns"),
        ("a.json", None, (), "cannot be read"),
        ("a.json", "[]", ("--compat", "other"), "--compat must be one of"),
        ("a.json", "[]", ("--max-unsupported", "2"), "share between 0 and 1"),
        ("a.json", "[]", ("--format", "pdf"), "goes to a file"),
        ("a.json", "[]", ("--format", "xml"), "unknown format"),
    ],
)
def test_bad_calls(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | None, more: tuple[str, ...], said: str
) -> None:
    if text is not None:
        (folder / name).write_text(text, "utf-8")
    assert called(folder, *more, answers=name) == 3
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_no_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["quotes", str(folder / "answers.json"), "--docs", str(folder / "nowhere")]) == 3
    assert "no such folder" in capsys.readouterr().err


def test_clean_and_unreadable(folder: Path) -> None:
    (folder / "clean.json").write_text(json.dumps([ANSWERS[0] | {"citations": ANSWERS[0]["citations"][:1]}]), "utf-8")
    assert called(folder, answers="clean.json") == 0
    (folder / "docs" / "broken.pdf").write_bytes(b"")
    rows = [{"doc": "broken.pdf", "page": 1, "quote": "Net sales rose by 12% to 4.1 million"}]
    (folder / "broken.json").write_text(json.dumps(rows), "utf-8")
    assert called(folder, answers="broken.json") == 4


def test_html_shows_where_a_quote_stands(folder: Path) -> None:
    called(folder, "-o", str(folder / "r.html"))
    page = (folder / "r.html").read_text("utf-8")
    assert page.count("data:image/png;base64,") == 2  # verified and close match; the third has no document
    called(folder, "-o", str(folder / "r.html"), "--compat", "notebook")
    assert "data:image" not in (folder / "r.html").read_text("utf-8")


def test_evidence_of_quotes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    original = folder / "docs" / "report.pdf"
    before = original.read_bytes()
    more = ("--highlight", str(folder / "marks"), "--sheet", str(folder / "sheet.pdf"))
    assert called(folder, *more) == 1
    assert original.read_bytes() == before
    with library().open(folder / "marks" / "report.pdf") as copy:
        marks = [(mark.info["content"], mark.colors["stroke"]) for mark in copy[0].annots()]
    assert [note for note, _ in marks] == ["q1: verified", "q1: close match\n4.7 -> 4.1"]
    assert marks[0][1] != marks[1][1]
    with library().open(folder / "sheet.pdf") as drawn:
        assert "q1, page 1: Net sales rose" in " ".join(drawn[0].get_text().split())
    assert called(folder, *more, "--compat", "notebook") == 3
    assert "leave it out for --highlight" in capsys.readouterr().err


def test_as_many_pictures_as_a_report_takes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = api.check_quotes(folder / "answers.json", folder / "docs")
    shelf = open_documents(folder / "docs").shelf
    shown = shown_rows(rows * 3, shelf)
    assert sorted(shown) == [0, 1, 3, 4, 6, 7]
    drawn, failed = pictures(shown, 3)
    assert (sorted(drawn), failed) == ([0, 1, 3], [])
    (folder / "docs" / "report.pdf").write_bytes(b"%PDF-1.7 nothing")
    drawn, failed = pictures(shown)
    assert drawn == {}
    assert len(failed) == 1
    assert "report.pdf" in failed[0]
    assert not capsys.readouterr().err


def test_answers_in_python(folder: Path) -> None:
    heard: list[int] = []
    docs = {"report.pdf": folder / "docs" / "report.pdf"}
    rows = api.check_quotes(ANSWERS, docs, tell=lambda number, of: heard.append(10 * number + of))
    assert [row.status.value for row in rows] == ["verified", "close match", "missing document"]
    assert heard == [13, 23, 33]
    assert rows[0].occurrences
    wanted = [Wanted("a", "report", "Net sales rose by 12% to 4.1 million", 1)]
    (row,) = api.check_quotes(wanted, folder / "docs", compat="notebook")
    assert (row.status.value, row.occurrences) == ("verified", ())
    with pytest.raises(UsageError, match="no way to check"):
        api.check_quotes(wanted, folder / "docs", compat="other")


def test_a_sheet_goes_on_where_a_document_is_gone(folder: Path) -> None:
    other = prints.printed(folder / "docs" / "other.pdf", ["The keeper of the light wrote home in May."])
    wanted = [
        Wanted("a", "report", "Net sales rose by 12% to 4.1 million", 1),
        Wanted("<b>", "other", "The keeper of the light wrote home", 1),
    ]
    rows = api.check_quotes(wanted, folder / "docs")
    shown = shown_rows(rows, open_documents(folder / "docs").shelf)
    other.write_bytes(b"%PDF-1.7 nothing")
    with library().open(stream=sheet(shown.values())) as drawn:
        assert sum(len(page.get_images()) for page in drawn) == 1
        text = " ".join("".join(page.get_text() for page in drawn).split())
    assert "<b>, page 1: The keeper" in text
    assert "is damaged" in text


def test_csv_on_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("doc,page,quote\nreport.pdf,1,Net sales rose by 12% to 4.1 million\n"))
    assert main(["quotes", "-", "--docs", str(folder / "docs")]) == 0
    assert "1 quote: 1 verified" in capsys.readouterr().out


def test_what_could_not_be_judged_is_not_said_to_be_missing(folder: Path) -> None:
    rows = [
        {"doc": "report.pdf", "page": 1, "quote": "Net sales"},
        {"doc": "absent.pdf", "page": 1, "quote": "Net sales rose by 12% to 4.1 million"},
        {"doc": "report.pdf", "page": 1, "quote": "Net sales rose by 12% to 4.1 million"},
        {"doc": "report.pdf", "page": 1, "quote": "The company will build a plant in the south"},
    ]
    (folder / "rows.json").write_text(json.dumps(rows), "utf-8")
    called(folder, "-o", str(folder / "r.html"), answers="rows.json")
    page = (folder / "r.html").read_text("utf-8")
    assert "4 citations checked. 2 (50%) were not found in the cited documents" in page
    assert "1 of them because the document is not there. 1 could not be judged." in page
    called(folder, "-o", str(folder / "r.csv"), answers="rows.json")
    assert "too short" in (folder / "r.csv").read_text("utf-8")
