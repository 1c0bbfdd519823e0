"""`citeaudit quotes` as a user runs it: forms in and out, the gate, and what is said of bad input."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from citeaudit.cli.main import main
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
