"""Predictions for the scorers: the same path, each row alone, ids opaque, labels unread."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from langchain.chat_models import base

from citeaudit.bench.witness import again, read
from citeaudit.cli.main import main
from citeaudit.errors import UsageError
from citeaudit.index.building.builder import build
from citeaudit.model import Coverage, Policy
from citeaudit.settings import load

RECORD = {
    "title": "On the reading of long references",
    "authors": [{"family": "Lovelace", "given": "Ada"}, {"family": "Somerville", "given": "Mary"}],
    "year": 1843,
}
FIELDS = {"title": RECORD["title"], "author": "Lovelace, Ada and Somerville, Mary", "year": "1843"}


@pytest.fixture
def index(tmp_path: Path) -> Path:
    records = tmp_path / "records.jsonl"
    records.write_text(json.dumps(RECORD) + "\n", encoding="utf-8")
    build([records], tmp_path / "index")
    return tmp_path / "index"


def _predict(kind: str, rows: list[dict[str, object]], index: Path, *more: str) -> list[dict[str, object]]:
    data, out = index.parent / "rows.jsonl", index.parent / "predictions.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    arguments = ["bench", kind, "--data", str(data), "--index", str(index), "--out", str(out), "--preset", "strict"]
    assert main([*arguments, "--assume-complete", *more]) == 0
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_entries_are_judged_one_line_a_row(index: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": "a", "bibtex_type": "article", "fields": FIELDS},
        {"id": "b", "bibtex_type": "article", "fields": FIELDS | {"title": "On the writing of short references"}},
        {"id": "c", "bibtex_type": "article", "fields": FIELDS, "real": False, "kind": "label"},
    ]
    told = _predict("hallmark", rows, index)
    assert [one["id"] for one in told] == ["a", "b", "c"]
    assert told[0]["status"] == told[2]["status"] == "VERIFIED"
    assert told[1]["status"] in ("MISMATCHED", "NOT_FOUND")
    assert set(told[0]) == {"id", "status", "alarm", "risk", "seconds"}


def test_strings_are_judged_and_nonsense_is_an_abstention(index: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": "1", "citation": "Ada Lovelace and Mary Somerville. On the reading of\nlong references. 1843."},
        {"id": "2", "citation": " "},
        {"id": "3", "citation": "Nora Nobody. A title that nobody has printed anywhere. 2001."},
    ]
    told = _predict("citeaudit", rows, index)
    assert [one["status"] for one in told] == ["VERIFIED", "UNPARSED", "NOT_FOUND"]
    assert len(_predict("citeaudit", rows, index, "--limit", "2")) == 2


def test_a_row_is_judged_the_same_whatever_stood_before_it(index: Path) -> None:
    row: dict[str, object] = {"id": "x", "bibtex_type": "article", "fields": FIELDS}
    alone = _predict("hallmark", [row], index)
    after = _predict("hallmark", [row | {"id": "y"}, row], index)
    assert after[1] | {"seconds": 0} == alone[0] | {"seconds": 0}


def test_rows_of_another_form_are_named(index: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = index.parent / "broken.jsonl"
    data.write_text("{", encoding="utf-8")
    arguments = ["bench", "citeaudit", "--data", str(data), "--index", str(index), "--out", str(index.parent / "x")]
    assert main(arguments) == 3
    assert "broken.jsonl, line 1: cannot be read as rows" in capsys.readouterr().err


def test_extraction_writes_the_form_of_the_scorer(tmp_path: Path, repository: Path) -> None:
    out = tmp_path / "predictions.json"
    (tmp_path / "broken.pdf").write_bytes(b"not a PDF")
    (tmp_path / "example.pdf").symlink_to(repository / "datasets" / "examples" / "manuscript.pdf")
    assert main(["bench", "extraction", "--pdfs", str(tmp_path), "--out", str(out)]) == 0
    told = json.loads(out.read_text(encoding="utf-8"))["pdfs"]
    assert told["broken"]["refs"] == []
    assert len(told["example"]["refs"]) >= 25
    assert {"title", "authors", "year", "doi", "arxiv", "raw"} == set(told["example"]["refs"][0])


@pytest.mark.shared
def test_scorers_take_what_is_written(tmp_path: Path, repository: Path) -> None:
    shared = repository.parent / "shared"
    if not (shared / "data" / "pdfs").is_dir():
        pytest.skip("scores on material that is not part of the project")
    out = tmp_path / "predictions.json"
    (tmp_path / "pdfs").mkdir()
    name = min((shared / "data" / "pdfs").glob("*.pdf"))
    (tmp_path / "pdfs" / name.name).symlink_to(name)
    assert main(["bench", "extraction", "--pdfs", str(tmp_path / "pdfs"), "--out", str(out)]) == 0
    scorer = shared / "tools" / "score_extraction.py"
    done = subprocess.run([sys.executable, str(scorer), str(out)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


INTEGRATION = """
from itertools import repeat
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel

class ChatGroq(GenericFakeChatModel):
    model: str
    timeout: float
    max_retries: int

    def __init__(self, **fields):
        reply = '{"text": "The title may be that of a reprint.", "parse_doubt": 0.5}'
        super().__init__(messages=repeat(reply), **fields)
"""
WRONG = FIELDS | {"title": "On the reading of short references"}


@pytest.mark.parametrize("name", ["evidence.jsonl", "evidence.jsonl.gz"])
def test_evidence_is_kept_and_decided_again(name: str, index: Path) -> None:
    file = index.parent / name
    rows: list[dict[str, object]] = [
        {"id": "a", "bibtex_type": "article", "fields": FIELDS},
        {"id": "b", "bibtex_type": "article", "fields": WRONG},
        {"id": "c", "citation": " "},
    ]
    told = _predict("hallmark", rows, index, "--evidence", str(file))
    right, wrong, none = read(file)
    assert none.verdict is None
    assert [one.id for one in (right, wrong, none)] == ["a", "b", "c"]
    assert right.verdict is not None
    assert wrong.verdict is not None
    assert right.verdict.evidence.lookups[0].candidates
    assert not right.verdict.evidence.candidates
    strict = load(preset="strict").policy
    for witness, row in ((right, told[0]), (wrong, told[1])):
        assert witness.verdict is not None
        verdict = again(witness.verdict, strict, assume_complete=True)
        assert (verdict.status, verdict.alarm, verdict.risk) == (row["status"], row["alarm"], row["risk"])
    nowhere = again(wrong.verdict, Policy(), assume_complete=False)
    assert all(one.coverage is Coverage.NONE for one in nowhere.evidence.lookups)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"{}\n", "line 1: cannot be read as evidence; write it anew", id="other-form"),
        pytest.param(None, "cannot be read as evidence: No such file", id="missing"),
    ],
)
def test_evidence_that_is_none_is_named(content: bytes | None, said: str, tmp_path: Path) -> None:
    file = tmp_path / "evidence.jsonl"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        list(read(file))


def test_a_model_remarks_where_it_is_named(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "langchain_groq.py").write_text(INTEGRATION, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "langchain_groq", raising=False)
    base._get_chat_model_creator.cache_clear()  # a class of the same name of another test would answer
    monkeypatch.setenv("GROQ_API_KEY", "k")
    file = index.parent / "evidence.jsonl"
    wrong = FIELDS | {"year": "1849"}
    rows: list[dict[str, object]] = [{"id": "a", "bibtex_type": "article", "fields": wrong}]
    without = _predict("hallmark", rows, index)
    told = _predict("hallmark", rows, index, "--model", "groq:one", "--evidence", str(file))
    (witness,) = read(file)
    assert witness.verdict is not None
    assert witness.verdict.evidence.opinion is not None
    assert witness.verdict.evidence.opinion.judge == "groq:one"
    assert told[0]["status"] == without[0]["status"] == "MISMATCHED"
    assert '"opinion":null' not in file.read_text(encoding="utf-8")
