"""One line a reference."""

from __future__ import annotations

import json

from citeaudit.report.json_report import render
from citeaudit.report.jsonl import JsonlReporter
from tests import samples
from tests.report.material import HOSTILE, LOST, NOTHING, full, hostile, written


def test_a_line_is_the_reference_of_the_json_report_with_its_document() -> None:
    lines = [json.loads(line) for line in written(JsonlReporter(), [full()]).splitlines()]
    wanted = [row.model_dump(mode="json") for row in render(full()).references]
    assert [line.pop("document") for line in lines] == ["paper.pdf"] * 6
    assert lines == wanted


def test_documents_come_in_order_and_an_unreadable_one_is_one_line() -> None:
    one = samples.audit(samples.verdict(), path="a.bib")
    other = samples.audit(samples.verdict(), samples.verdict(index=2), path="b.bib")
    lines = [json.loads(line) for line in written(JsonlReporter(), [one, LOST, NOTHING, other]).splitlines()]
    assert [(line["document"], line.get("index")) for line in lines] == [
        ("a.bib", 1),
        ("lost.pdf", None),
        ("b.bib", 1),
        ("b.bib", 2),
    ]
    assert lines[1] == {"document": "lost.pdf", "error": "is empty; save it again"}
    assert all("error" not in line for line in lines if "index" in line)


def test_nothing_is_an_empty_file() -> None:
    assert written(JsonlReporter(), []) == written(JsonlReporter(), [NOTHING]) == ""


def test_no_text_breaks_a_line_or_leaves_ascii() -> None:
    for text in HOSTILE.values():
        lines = written(JsonlReporter(), [hostile(f"{text}\u2028Ω")]).split("\n")
        assert len(lines) == 7
        assert all(line.isascii() for line in lines)
        assert json.loads(lines[0])["title"] == f"{text}\u2028Ω"
