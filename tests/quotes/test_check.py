"""What becomes of a quote: each status, with the evidence that goes with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citeaudit.pdf.wording import read_words
from citeaudit.quotes import notebook
from citeaudit.quotes.check import check, check_one, numbers_agree
from citeaudit.quotes.differences import differences, weighed
from citeaudit.quotes.rows import CLOSE, Row, Status, Wanted, summarize, wanted_of
from citeaudit.quotes.shelf import Shelf
from tests.quotes import prints

REPORT = (
    [
        "Net sales rose by 12% to 4.1 million in the last year of the plan.",
        "Operating margin improved to 18.4%, compared",
    ],
    ["The three largest buyers took 31% of all goods that were sold.", "Terms of payment: 30 days."],
)
OTHER = (["The river was low in that summer and the mills stood still for weeks."],)
LISTED = (
    [
        "The text of the paper says little of the matter at hand.",
        "",
        "References",
        "",
        "[1] A. Baker. The mills of the lower valley stood still. 1999.",
    ],
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """A folder of documents, each with its fault."""
    folder = tmp_path_factory.mktemp("docs")
    prints.printed(folder / "report.pdf", *REPORT)
    prints.printed(folder / "other.pdf", *OTHER)
    prints.printed(folder / "listed.pdf", *LISTED)
    prints.printed(folder / "blank.pdf", [])
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"garbage" * 9)
    (folder / "empty.pdf").write_bytes(b"")
    (folder / "page.pdf").write_bytes(b"<html><body>Not found</body></html>")
    (folder / "notes.txt").write_text("The minutes say that the vote was taken by a show of hands.", "utf-8")
    locked = prints.empty()
    prints.line(locked.new_page(), "Nobody may read this without the password.")
    prints.saved(locked, folder / "locked.pdf", encryption=4, user_pw="u", owner_pw="o")
    hidden = prints.empty()
    sheet = hidden.new_page()
    prints.lines(sheet, ["What everyone may read stands here in black on white."])
    prints.line(sheet, "What no reader sees was written here in white letters.", y=300, color=(1, 1, 1))
    prints.saved(hidden, folder / "hidden.pdf")
    return Shelf.of_folder(folder)


def one(doc: str, quote: str, page: int | None = 1) -> Wanted:
    return Wanted("q", doc, quote, page)


CASES = [
    ("verified", "report.pdf", "Net sales rose by 12% to 4.1 million", 1, Status.VERIFIED),
    ("by its stem", "report", "Net sales rose by 12% to 4.1 million", 1, Status.VERIFIED),
    ("without a page", "report.pdf", "The three largest buyers took 31%", None, Status.VERIFIED),
    ("page out of range", "report.pdf", "The three largest buyers took 31%", 99, Status.VERIFIED),
    ("wrong page", "report.pdf", "The three largest buyers took 31% of all goods", 1, Status.WRONG_PAGE),
    ("changed number", "report.pdf", "Net sales rose by 12% to 4.7 million", 1, Status.CLOSE_MATCH),
    ("digit lost", "report.pdf", "Operating margin improved to 8.4%, compared", 1, Status.CLOSE_MATCH),
    ("four words", "report.pdf", "Terms of payment: 45 days", 1, Status.CLOSE_MATCH),
    ("invented", "report.pdf", "The company will open a plant in the south of the country", 1, Status.NOT_FOUND),
    ("no document", "absent.pdf", "Net sales rose by 12% to 4.1 million", 1, Status.MISSING_DOCUMENT),
    ("another document", "report.pdf", "The river was low in that summer and the mills", 1, Status.MISATTRIBUTED),
    ("empty quote", "report.pdf", "", 1, Status.TOO_SHORT),
    ("no word", "report.pdf", "— … — … — … — … — … —", 1, Status.TOO_SHORT),
    ("one word", "report.pdf", "the", 1, Status.TOO_SHORT),
    ("fifteen characters", "report.pdf", "Net sales rose ", 1, Status.TOO_SHORT),
    ("too long", "report.pdf", "words and more " * 200, 1, Status.TOO_LONG),
    ("no text", "blank.pdf", "Net sales rose by 12% to 4.1 million", 1, Status.NO_TEXT),
    ("damaged", "broken.pdf", "Net sales rose by 12% to 4.1 million", 1, Status.UNREADABLE),
    ("zero bytes", "empty.pdf", "Net sales rose by 12% to 4.1 million", 1, Status.UNREADABLE),
    ("a web page", "page.pdf", "Net sales rose by 12% to 4.1 million", 1, Status.UNREADABLE),
    ("locked", "locked.pdf", "Nobody may read this without the password", 1, Status.UNREADABLE),
    ("hidden", "hidden.pdf", "What no reader sees was written here in white", 1, Status.HIDDEN),
    ("text without pages", "notes.txt", "the vote was taken by a show of hands", 4, Status.VERIFIED),
]


@pytest.mark.parametrize(("doc", "quote", "page", "status"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_statuses(shelf: Shelf, doc: str, quote: str, page: int | None, status: Status) -> None:
    row = check_one(one(doc, quote, page), shelf)
    assert row.status is status
    assert (row.id, row.doc, row.page, row.quote) == ("q", doc, page, quote)


def test_a_bad_document_costs_its_rows_alone(shelf: Shelf) -> None:
    wanted = [one("broken.pdf", "Net sales rose by 12% to 4.1 million"), one("report", "Net sales rose by 12% to 4.1")]
    assert [row.status for row in check(wanted, shelf)] == [Status.UNREADABLE, Status.VERIFIED]


def test_what_a_wrong_page_tells(shelf: Shelf) -> None:
    row = check_one(one("report.pdf", "The three largest buyers took 31% of all goods"), shelf)
    assert (row.found_page, row.tier, row.similarity) == (2, "exact", None)


def test_what_a_close_match_tells(shelf: Shelf) -> None:
    row = check_one(one("report.pdf", "Operating margin improved to 8.4%, compared"), shelf)
    assert row.differences == ("8.4% -> 18.4%",)
    assert (row.closest_page, row.similarity) == (1, 0.83)
    assert not numbers_agree(row)


def test_what_another_document_tells(shelf: Shelf) -> None:
    row = check_one(one("report.pdf", "The river was low in that summer and the mills"), shelf)
    assert (row.found_doc, row.found_page) == ("other.pdf", 1)
    assert row.to_dict()["status"] == "not found"
    assert row.to_dict()["finding"] == "misattributed"


def test_what_stands_in_the_reference_list_is_said(shelf: Shelf) -> None:
    row = check_one(one("listed.pdf", "The mills of the lower valley stood still"), shelf)
    assert row.status is Status.VERIFIED
    assert "in the reference list" in row.notes


@pytest.mark.parametrize("doc", ["broken.pdf", "empty.pdf", "page.pdf", "locked.pdf"])
def test_why_a_document_cannot_be_read(shelf: Shelf, doc: str) -> None:
    row = check_one(one(doc, "Net sales rose by 12% to 4.1 million"), shelf)
    assert row.reason
    assert row.to_dict()["status"] == row.to_dict()["finding"] == "unreadable"


def test_chinese_quotes_may_be_shorter(tmp_path: Path) -> None:
    prints.boxed(tmp_path / "a.pdf", "<p>一份不太简短的介绍，我们在这里说明方法的细节和结果的讨论。</p>")
    shelf = Shelf.of_folder(tmp_path)
    assert check_one(one("a.pdf", "我们在这里说明"), shelf).status is Status.VERIFIED
    assert check_one(one("a.pdf", "我们在"), shelf).status is Status.TOO_SHORT


def test_garbled_text_is_never_silently_missing(tmp_path: Path) -> None:
    document = prints.empty()
    sheet = document.new_page()
    prints.lines(sheet, ["\ufffd\ufffd\ufffd words \ufffd\ufffd of \ufffd\ufffd\ufffd here"] * 6)
    (tmp_path / "a.txt").write_text("\ufffd\ufffd\ufffd words \ufffd\ufffd of \ufffd\ufffd\ufffd here " * 6, "utf-8")
    row = check_one(one("a.txt", "A sentence that nobody can read in this file"), Shelf.of_folder(tmp_path))
    assert row.status is Status.NO_TEXT


@pytest.mark.parametrize(
    ("quote", "passage", "told"),
    [
        ("growth of 8% to 12%", "growth of 8% to 10%", ("12% -> 10%",)),
        ("levels were normal", "normal were levels", ("same words, different order",)),
        ("the red house", "the house", ("red -> (nothing)",)),
        ("the house", "the red house", ("(nothing) -> red",)),
    ],
)
def test_differences(quote: str, passage: str, told: tuple[str, ...]) -> None:
    assert differences(quote, passage) == told


@pytest.mark.parametrize(
    ("quote", "passage", "first"),
    [
        ("a red fox of 12 kg", "a brown fox of 13 kg", "12 -> 13"),
        ("the margin was 12.5% then", "a margin was −12.5% then", "12.5% -> −12.5%"),
        ("we did find a big effect", "we did not find any effect", "(nothing) -> not"),
        ("p < 0.05 in one group", "p > 0.05 in each group", "< 0.05 -> > 0.05"),
    ],
)
def test_what_changes_a_statement_comes_first(quote: str, passage: str, first: str) -> None:
    assert weighed(quote, passage)[0] == first


def test_summary_counts_and_rate(shelf: Shelf) -> None:
    rows = list(check([one(row[1], row[2], row[3]) for row in CASES], shelf))
    summary = summarize(rows)
    assert summary["citations"] == len(CASES)
    assert summary["verified"] == 5
    assert summary["wrong page"] == 1
    unsupported = 3 + 1 + 1 + 1 + 1  # close, not found, missing, misattributed, hidden
    assert summary["unsupported_rate"] == round(unsupported / len(CASES), 3)
    assert summarize([])["unsupported_rate"] == 0.0


def test_citations_of_answers_keep_what_they_have() -> None:
    answers: list[dict[str, object]] = [
        {"id": "a", "answer": "So.", "citations": [{"doc": "x.pdf", "page": 3, "quote": "q"}, {"quote": "r"}, "none"]},
        {"id": "b"},
    ]
    assert wanted_of(answers) == [Wanted("a", "x.pdf", "q", 3, "So."), Wanted("a", "", "r", None, "So.")]


@pytest.fixture(scope="module")
def files(shelf: Shelf) -> dict[str, Path]:
    """The same documents by name."""
    return shelf.files


@pytest.mark.parametrize(
    ("doc", "quote", "status"),
    [
        ("report.pdf", "8.4%, compared", Status.VERIFIED),  # inside 18.4%: the notebook's defect
        ("report.pdf", "Net sales rose by 12% to 4.7 million", Status.CLOSE_MATCH),
        ("report.pdf", "The three largest buyers took 31%", Status.WRONG_PAGE),
        ("report.pdf", "", Status.CLOSE_MATCH),
        ("report.pdf", "A plant in the south of the country will open", Status.NOT_FOUND),
        ("absent.pdf", "Net sales", Status.MISSING_DOCUMENT),
        ("broken.pdf", "Net sales", Status.MISSING_DOCUMENT),
    ],
)
def test_the_notebook_is_followed_in_its_defects(files: dict[str, Path], doc: str, quote: str, status: Status) -> None:
    (row,) = notebook.check([one(doc, quote)], files)
    assert row.status is status


def test_words_and_labels(files: dict[str, Path]) -> None:
    wording = read_words(files["report.pdf"], ["12% to 4.1", "nowhere at all"])
    assert wording.pages[0][:3] == ("Net", "sales", "rose")
    assert wording.found == ((1,), ())
    assert len(wording.labels) == 2


@pytest.mark.shared
def test_the_published_run(repository: Path) -> None:
    folder = repository.parent / "shared" / "cases" / "notebook"
    if not folder.exists():
        pytest.skip("the published run is not here")
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    wanted = wanted_of(json.loads((folder / "answers.json").read_text("utf-8")))
    shelf = Shelf.of_folder(folder)
    for rows in (notebook.check(wanted, shelf.files), list(check(wanted, shelf))):
        told = [row.to_dict() for row in rows]
        assert [{key: row[key] for key in gold} for row, gold in zip(told, expected["rows"], strict=True)] == expected[
            "rows"
        ]
        assert summarize(rows) == expected["summary"]


@pytest.mark.shared
def test_quotes_of_real_pdfs(repository: Path) -> None:
    cases, folder = (
        repository.parent / "shared" / "cases" / "quotes.json",
        repository.parent / "shared" / "data" / "pdfs",
    )
    if not cases.exists():
        pytest.skip("the labelled quotes are not here")
    listed = json.loads(cases.read_text("utf-8"))
    wanted = [Wanted(case["id"], case["doc"], case["quote"], case["page"]) for case in listed]
    shelf = Shelf.of_folder(folder)
    for case, row in zip(listed, check(wanted, shelf), strict=True):
        assert str(row.to_dict()["status"]) in case["expected"], case["id"]
    for case, row in zip(listed, notebook.check(wanted, shelf.files), strict=True):
        told = row.to_dict()
        assert {key: told[key] or None for key in case["notebook"]} == case["notebook"], case["id"]


def test_the_threshold_is_the_notebooks() -> None:
    assert CLOSE == 0.7


def test_a_row_says_what_json_needs() -> None:
    row = Row.of(one("a.pdf", "words"), Status.TOO_SHORT, reason="short")
    assert row.to_dict() == {
        "id": "q",
        "doc": "a.pdf",
        "page": 1,
        "quote": "words",
        "status": "too short",
        "finding": "too short",
        "found_page": None,
        "similarity": None,
        "closest": None,
        "closest_page": None,
        "differences": [],
        "tier": None,
        "rects": [],
        "notes": [],
        "found_doc": None,
        "reason": "short",
    }


@pytest.mark.parametrize(("page", "status"), [(1, Status.VERIFIED), (2, Status.VERIFIED), (3, Status.WRONG_PAGE)])
def test_a_quote_over_the_end_of_a_page_stands_on_both(tmp_path: Path, page: int, status: Status) -> None:
    first = ["The first page ends in the middle of a sentence that", "goes over the end of the"]
    second = ["page and is finished at the top of the next one,", "as many sentences are."]
    prints.printed(tmp_path / "a.pdf", first, second, ["The third page says quite other things."])
    row = check_one(one("a.pdf", "goes over the end of the page and is finished", page), Shelf.of_folder(tmp_path))
    assert row.status is status
    assert row.tier == "cross-page"
