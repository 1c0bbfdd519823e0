"""`citeaudit ground` as a user runs it, on PDFs made here: pages, rectangles, copies, pictures, exit codes."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from citeaudit import api
from citeaudit.cli.main import main
from citeaudit.errors import UsageError
from citeaudit.pdf.document import library
from tests.quotes import prints

FIRST = ["The tide gauge was set in the north basin", "before the first storm of that autumn."]
SENTENCE = "The tide gauge was set in the north basin before the first storm of that autumn. "
SECOND = ["Repairs of the long pier cost 4.1 million", "and ended in the spring of the next year."]
REPAIRS = "Repairs of the long pier cost 4.1 million and ended in the spring of the next year."


def cited(
    text: str | None, start: int = 1, end: int | None = None, index: int = 0, kind: str = "page_location"
) -> dict[str, Any]:
    return {
        "type": kind,
        "cited_text": text,
        "document_index": index,
        "document_title": "A title",
        "start_page_number": start,
        "end_page_number": start + 1 if end is None else end,
    }


def message(*citations: dict[str, Any]) -> dict[str, Any]:
    """A response whose n-th claim rests on the n-th citation."""
    content = [{"type": "text", "text": f"Claim {n}. ", "citations": [one]} for n, one in enumerate(citations, 1)]
    return {"id": "msg", "type": "message", "role": "assistant", "content": content}


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Two pages; the sentence of the first stands on it twice."""
    document = prints.empty()
    page = document.new_page()
    prints.lines(page, FIRST, y=150)
    prints.lines(page, FIRST, y=400)
    prints.lines(document.new_page(), SECOND)
    return prints.saved(document, tmp_path / "report.pdf")


def called(folder: Path, response: object, *more: str) -> tuple[int, list[dict[str, Any]]]:
    """Ground a response in `report.pdf`, or in what is named."""
    (folder / "response.json").write_text(json.dumps(response), "utf-8")
    docs = () if any(one.endswith(".pdf") for one in more[:1]) or "--docs" in more else (str(folder / "report.pdf"),)
    code = main(["ground", str(folder / "response.json"), *docs, *more, "-o", str(folder / "out.json")])
    return code, json.loads((folder / "out.json").read_text("utf-8"))


def test_a_sentence_twice_on_a_page_is_two_places(tmp_path: Path, report: Path) -> None:
    code, (row,) = called(tmp_path, message(cited(SENTENCE)))
    assert code == 0
    assert (row["found"], row["page_number"], row["occurrences"], row["finding"]) == (True, 1, 2, "verified")
    assert (row["claim"], row["claim_span"], row["cited_text"]) == ("Claim 1. ", [0, 9], SENTENCE)
    assert (row["doc"], row["provider"], row["locator"]["end_exclusive"]) == ("report.pdf", "anthropic", 2)
    assert [len(place["rects"]) for place in row["places"]] == [2, 2]
    assert [place["page"] for place in row["places"]] == [1, 1]
    left, top, right, bottom = row["rect"]
    assert row["rect"] == row["places"][0]["rect"]
    with library().open(report) as document:
        lines = [quad.rect for quad in document[0].search_for(SENTENCE.strip(), quads=True)][:2]
    assert left == pytest.approx(72, abs=1)
    assert right == pytest.approx(max(line.x1 for line in lines), abs=0.6)
    assert top == pytest.approx(lines[0].y0, abs=3)
    assert bottom == pytest.approx(lines[1].y1, abs=3)
    assert row["places"][1]["rect"][1] - top == pytest.approx(250, abs=0.2)


@pytest.mark.parametrize(
    ("text", "start", "end", "page", "finding"),
    [
        pytest.param(REPAIRS, 1, 2, None, "wrong page", id="end-exclusive"),
        pytest.param(REPAIRS, 1, 3, 2, "verified", id="second-of-range"),
        pytest.param(SENTENCE, 1, 3, 1, "verified", id="first-of-range"),
        pytest.param(REPAIRS, 9, 10, None, "wrong page", id="no-such-page"),
        pytest.param(REPAIRS.replace("4.1", "4.7"), 2, 3, None, "close match", id="number"),
        pytest.param("The lighthouse keeper wrote to his sister every week.", 1, 2, None, "not found", id="none"),
        pytest.param(None, 1, 2, None, "no quote", id="no-words"),
        pytest.param("...", 1, 2, None, "too short", id="dots"),
        pytest.param("north basin", 1, 2, 1, "verified", id="short-but-there"),
        pytest.param("southern", 1, 2, None, "too short", id="short"),
    ],
)
def test_pages_and_findings(
    report: Path, text: str | None, start: int, end: int, page: int | None, finding: str
) -> None:
    tmp_path, found = report.parent, page is not None
    code, (row,) = called(tmp_path, message(cited(text, start, end)))
    assert (row["found"], row["page_number"], row["finding"]) == (found, page, finding)
    assert code == (0 if found else 1)
    assert (row["rect"] is None) is not found
    assert bool(row["occurrences"]) is found
    if finding == "wrong page":
        assert row["status"] == "wrong page"
        assert row["found_page"] == row["places"][0]["page"] == 2
    if finding == "close match":
        assert row["differences"] == ["4.7 -> 4.1"]
        assert len(row["places"]) == 1


def test_order_of_documents_and_what_is_not_there(tmp_path: Path, report: Path) -> None:
    other = prints.printed(tmp_path / "other.pdf", ["Nothing of the kind is said", "in this short note."])
    rows = message(
        cited(REPAIRS, 2, index=1), cited(REPAIRS, 2, index=0), cited(REPAIRS, index=7), cited("x", kind="new_location")
    )
    code, found = called(tmp_path, rows, str(other), str(report))
    assert code == 1
    assert [row["finding"] for row in found] == ["verified", "misattributed", "missing document", "unsupported locator"]
    assert [row["id"] for row in found] == ["c1", "c2", "c3", "c4"]
    assert found[1]["found_doc"] == "report.pdf"
    assert found[3]["reason"] == "new_location is not known here"
    assert found[3]["locator"] == {"kind": "unsupported", "type": "new_location"}
    code, found = called(tmp_path, message(cited(REPAIRS, 2, index=1)), "--docs", str(tmp_path))
    assert (code, found[0]["doc"]) == (0, "report.pdf")


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_rotated_pages(tmp_path: Path, turn: int) -> None:
    document = prints.empty()
    page = document.new_page(width=500, height=700)
    prints.lines(page, FIRST, y=150)
    page.set_rotation(turn)
    with library().open(stream=document.tobytes()) as drawn:
        shown = drawn[0].rect
        rect = library().Rect(72, 150 - 9, 200, 170)
        matrix, flip = drawn[0].rotation_matrix, drawn[0].transformation_matrix
    prints.saved(document, tmp_path / "report.pdf")
    _, (row,) = called(tmp_path, message(cited(SENTENCE)))
    left, top, right, bottom = row["rect"]
    assert (left, top) == (pytest.approx(72, abs=1), pytest.approx(rect.y0, abs=4))
    _, (row,) = called(tmp_path, message(cited(SENTENCE)), "--unit", "px", "--dpi", "144")
    wanted = (library().Rect(left, top, right, bottom) * matrix).normalize()
    assert row["rect"] == pytest.approx([2 * side for side in wanted], abs=0.3)
    assert row["rect"][2] <= 2 * shown.width
    _, (row,) = called(tmp_path, message(cited(SENTENCE)), "--origin", "bottom-left")
    if not turn:
        assert row["rect"] == pytest.approx(list(library().Rect(left, top, right, bottom) * flip), abs=0.2)
    assert row["rect"] == pytest.approx([left, 700 - bottom, right, 700 - top], abs=0.2)
    _, (row,) = called(tmp_path, message(cited(SENTENCE)), "--origin", "bottom-left", "--unit", "px")
    scale = 150 / 72
    under = [wanted.x0, shown.height - wanted.y1, wanted.x1, shown.height - wanted.y0]
    assert row["rect"] == pytest.approx([side * scale for side in under], abs=0.3)


def test_a_passage_over_two_pages(tmp_path: Path) -> None:
    document = prints.empty()
    prints.lines(document.new_page(), ["The survey of the northern coast was begun in the wet", FIRST[0]], y=700)
    prints.lines(document.new_page(), [*FIRST[1:], "Then work went on."], y=72)
    prints.saved(document, tmp_path / "report.pdf")
    for start, page in ((1, 1), (2, 2)):
        _, (row,) = called(tmp_path, message(cited(SENTENCE, start)))
        assert (row["page_number"], row["tier"]) == (page, "cross-page")
        assert [one["page"] for one in row["places"][0]["rects"]] == [1, 2]
        assert row["rect"] == row["places"][0]["rects"][page - 1]["rect"]


def test_evidence(tmp_path: Path, report: Path) -> None:
    before = report.read_bytes()
    response = message(
        cited(SENTENCE), cited(REPAIRS.replace("4.1", "4.7"), 2), cited(REPAIRS, 2), cited("Absent words.")
    )
    marks, pngs, sheet = tmp_path / "marks", tmp_path / "deep" / "pngs", tmp_path / "sheet.pdf"
    more = ("--highlight", str(marks), "--sheet", str(sheet), "--snippets", str(pngs))
    code, rows = called(tmp_path, response, *more)
    assert (code, [row["found"] for row in rows]) == (1, [True, False, True, False])
    assert report.read_bytes() == before
    with library().open(marks / "report.pdf") as copy:
        notes = [[mark.info["content"] for mark in page.annots()] for page in copy]
    assert notes == [["Claim 1. "], ["Claim 3. "]]
    assert sorted(one.name for one in pngs.iterdir()) == ["001.png", "002.png", "003.png"]
    assert (pngs / "001.png").read_bytes().startswith(b"\x89PNG")
    with library().open(sheet) as drawn:
        text = "".join(page.get_text() for page in drawn)
        assert sum(len(page.get_images()) for page in drawn) == 3
    assert "c1, page 1: Claim 1." in text
    assert "close match" in text


def test_evidence_of_several_documents_with_one_name(tmp_path: Path, report: Path) -> None:
    (tmp_path / "b").mkdir()
    other = prints.printed(tmp_path / "b" / "report.pdf", FIRST)
    response = message(cited(SENTENCE), cited(SENTENCE, index=1))
    folder, sheet = tmp_path / "made", tmp_path / "sheet.pdf"
    code, rows = called(tmp_path, response, str(report), str(other), "--highlight", str(folder), "--sheet", str(sheet))
    assert code == 0
    assert [row["doc"] for row in rows] == [str(report), str(other)]
    assert {one.name for one in folder.iterdir()} == {"report.pdf", "report-2.pdf"}
    with library().open(sheet) as drawn:
        assert sum(len(page.get_images()) for page in drawn) == 2
        text = " ".join("".join(page.get_text() for page in drawn).split())
    assert "c1, page 1: Claim 1." in text
    assert text.count("report.pdf") == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--highlight", "."), "is one of the documents"),
        (("--sheet", "report.pdf"), "is one of the documents"),
        (("--sheet", "out.json"), "name two files"),
        (("--sheet", "."), "is a folder"),
        (("--snippets", "report.pdf"), "is a file"),
        (("--highlight", "report.pdf/marks"), "cannot be made"),
        (("--docs", "."), "name either"),
        (("--origin", "centre"), "--origin must be"),
        (("--unit", "cm"), "--unit must be"),
        (("--dpi", "150"), "goes with --unit px"),
        (("--unit", "px", "--dpi", "0"), "from 1 to"),
    ],
)
def test_usage(
    tmp_path: Path,
    report: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = report.read_bytes()
    Path("response.json").write_text(json.dumps(message(cited(SENTENCE))), "utf-8")
    assert main(["ground", "response.json", "report.pdf", "-o", "out.json", *more]) == 3
    assert said in capsys.readouterr().err
    assert report.read_bytes() == before


@pytest.mark.parametrize(
    ("argument", "text", "said"),
    [
        ("absent.json", None, "absent.json: cannot be read"),
        ("r.json", '{"content": [', "no shape that is known"),
        ("r.json", '{"weather": "fine"}', "no shape that is known"),
    ],
)
def test_bad_responses(
    report: Path, capsys: pytest.CaptureFixture[str], argument: str, text: str | None, said: str
) -> None:
    place = report.with_name(argument)
    if text is not None:
        place.write_text(text, "utf-8")
    assert main(["ground", str(place), str(report)]) == 3
    assert said in capsys.readouterr().err
    assert main(["ground", str(place)]) == 3
    assert "name either" in capsys.readouterr().err


def test_documents_that_cannot_be_read(tmp_path: Path, report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(report.read_bytes()[:300])
    code, (row,) = called(tmp_path, message(cited(SENTENCE)), str(broken))
    assert (code, row["found"], row["finding"], row["status"]) == (4, False, "unreadable", "unreadable")
    assert "broken.pdf" in capsys.readouterr().err
    code, rows = called(tmp_path, message(cited(SENTENCE), cited(SENTENCE, index=1)), str(broken), str(report))
    assert (code, [row["found"] for row in rows]) == (4, [False, True])
    code, rows = called(
        tmp_path, message(cited(SENTENCE), cited("Absent words here.", index=1)), str(broken), str(report)
    )
    assert code == 1
    assert main(["ground", str(tmp_path / "response.json"), str(tmp_path / "absent.pdf")]) == 1
    assert [row["finding"] for row in json.loads(capsys.readouterr().out.partition("\ncite")[0])] == [
        "unreadable",
        "missing document",
    ]


def test_standard_input_and_output(
    report: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    events = [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "It cost a lot."}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "citations_delta", "citation": cited(REPAIRS, 2)},
        },
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"data: {json.dumps(one)}\n\n" for one in events)))
    assert main(["ground", "-", str(report)]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["claim"], row["page_number"], row["tier"]) == ("It cost a lot.", 2, "normalised")


@pytest.mark.parametrize(
    ("response", "finding"),
    [
        pytest.param([{"doc": "report.pdf", "page": 2, "quote": REPAIRS}], "verified", id="name"),
        pytest.param([{"doc": "report", "page": "2", "quote": REPAIRS}], "verified", id="stem"),
        pytest.param([{"quote": REPAIRS}], "verified", id="the-only-document"),
        pytest.param([{"doc": "https://a.example/x/report.pdf#page=2", "quote": REPAIRS}], "verified", id="address"),
        pytest.param([{"doc": "https://a.example/x/report.pdf#page=1", "quote": REPAIRS}], "wrong page", id="anchor"),
        pytest.param([{"doc": "notes.pdf", "page": 2, "quote": REPAIRS}], "missing document", id="another"),
        pytest.param([{"doc": "report.pdf", "page": "xii", "quote": REPAIRS}], "verified", id="printed-page"),
    ],
)
def test_names_of_documents(report: Path, response: list[dict[str, object]], finding: str) -> None:
    (one,) = api.ground(response, [report])
    assert one.finding == finding


def test_a_response_that_cites_nothing(tmp_path: Path, report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert called(tmp_path, {"role": "assistant", "content": [{"type": "text", "text": "No."}]}) == (0, [])
    assert "cites nothing" in capsys.readouterr().err
    assert api.ground([], report) == []


def test_texts_without_pages(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text(f"{SENTENCE}\nMore of it.\n{SENTENCE}", "utf-8")
    place = cited(SENTENCE, kind="char_location") | {"start_char_index": 0, "end_char_index": len(SENTENCE)}
    for docs in (note, [note], {"note": note}):
        (one,) = api.ground(message(place), docs)
        row = one.to_dict()
        assert (row["found"], row["page_number"], row["rect"], row["occurrences"]) == (True, None, None, 2)
        assert row["places"] == []
    (one,) = api.ground(message(cited(SENTENCE, 3)), note)
    assert one.found


def test_hidden_text_is_not_found(tmp_path: Path) -> None:
    document = prints.empty()
    page = document.new_page()
    prints.lines(page, ["Some words that everybody sees on this page of the report."])
    prints.lines(page, FIRST, y=300, render_mode=3)
    path = prints.saved(document, tmp_path / "report.pdf")
    (one,) = api.ground(message(cited(SENTENCE)), [path])
    assert (one.found, one.finding) == (False, "found only in hidden text")
    assert one.boxes


def test_a_running_head_is_found_on_the_page_that_is_cited(tmp_path: Path) -> None:
    head = "Annual report of the harbour master"
    document = prints.empty()
    for number in range(6):
        page = document.new_page()
        prints.line(page, head, y=30, fontsize=8)
        prints.lines(page, [f"Chapter {number} tells of ship {chr(65 + number)} and its crew."] * 1 + SECOND, y=100)
    prints.line(document[0], f"{head} and all that", y=300)
    path = prints.saved(document, tmp_path / "report.pdf")
    (one,) = api.ground(message(cited(head, 4)), [path])
    assert (one.found, one.row.found_page) == (True, 4)


def test_progress_and_paths(report: Path) -> None:
    heard: list[tuple[int, int]] = []
    place = report.with_name("r.json")
    place.write_text(json.dumps(message(cited(SENTENCE), cited(REPAIRS, 2))), "utf-8")
    found = api.ground(place, [report, report], tell=lambda number, of: heard.append((number, of)))
    assert [one.found for one in found] == [True, True]
    assert heard == [(1, 2), (2, 2)]
    for docs, said in (([], "no document was named"), (report.with_name("absent"), "no such folder")):
        with pytest.raises(UsageError, match=said):
            api.ground(place, docs)


def test_words_that_are_not_on_turned_pages(tmp_path: Path) -> None:
    document = prints.empty()
    page = document.new_page()
    prints.lines(page, FIRST, y=150)
    page.set_rotation(90)
    path = prints.saved(document, tmp_path / "report.pdf")
    (one,) = api.ground(message(cited(REPAIRS)), [path])
    assert (one.found, one.finding) == (False, "not found")


def test_only_what_was_asked_for_is_written(tmp_path: Path, report: Path) -> None:
    for option, name in (("--highlight", "marks"), ("--sheet", "sheet.pdf"), ("--snippets", "pngs")):
        called(tmp_path, message(cited(SENTENCE)), option, str(tmp_path / name))
        assert {one.name for one in tmp_path.iterdir()} == {report.name, "response.json", "out.json", name}
        shutil.rmtree(tmp_path / name) if option != "--sheet" else (tmp_path / name).unlink()


def test_nothing_found_writes_no_evidence(tmp_path: Path, report: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = tmp_path / "sheet.pdf"
    called(tmp_path, message(cited("Absent words of another report.")), "--sheet", str(sheet))
    assert not sheet.exists()
    assert "nothing to show" in capsys.readouterr().err
    assert report.exists()


@pytest.mark.parametrize(("quiet", "told"), [((), "\r1 of 2 citations\r2 of 2 citations\n"), (("--quiet",), "")])
def test_progress_on_a_terminal(
    tmp_path: Path,
    report: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    quiet: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    called(tmp_path, message(cited(SENTENCE), cited(REPAIRS, 2)), str(report), *quiet)
    assert capsys.readouterr().err == told
