"""An answer counts where it is right and what it points at is what it rests on."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from citeaudit.bench.citevqa import Item, RulesJudge, Scores, is_attributed, read, run, same_answer, score
from citeaudit.bench.located import Cited, Library
from citeaudit.bench.regions import Region, around, bare, compare, iou, is_hit, of_fields, of_rect, parse
from citeaudit.cli.main import main
from citeaudit.errors import UnreadableDocumentError, UsageError
from citeaudit.pdf import PdfPage
from citeaudit.pdf.document import library

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "datasets" / "citevqa"
SQUARE = Region("1", 1, 0, 0, 100, 100)
FAR = Region("1", 1, 500, 500, 600, 600)


def _item(**more: object) -> Item:
    row = {"question": "How many?", "gold_answer": "12", "gold_boxes": SQUARE.written(), "predicted_answer": "12"}
    return Item.model_validate(row | more)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param('<bbox page="1" x1="536" y1="65" x2="642" y2="656" />', ("1", 1, 536, 65, 642, 656), id="plain"),
        pytest.param('<bbox doc="2" page="3" x1="1" y1="2" x2="3" y2="4.5"/>', ("2", 3, 1, 2, 3, 4.5), id="document"),
        pytest.param('<bbox y2="4" x2="3" y1="2" x1="1" page="3" doc="2">', ("2", 3, 1, 2, 3, 4), id="another-order"),
        pytest.param("<BBox page='1' x1=1 y1='2' x2=3 y2=4/>", ("1", 1, 1, 2, 3, 4), id="other-quotes"),
        pytest.param('<bbox page="1" x1="5" y1="5" x2="5" y2="9" />', ("1", 1, 5, 5, 5, 9), id="a-line"),
        pytest.param('<bbox page="1" x1="9" y1="1" x2="5" y2="4" />', None, id="ends-before-it-begins"),
        pytest.param('<bbox page="1" x1="1" y1="9" x2="5" y2="4" />', None, id="upside-down"),
        pytest.param('<bbox page="0" x1="1" y1="1" x2="5" y2="4" />', None, id="page-0"),
        pytest.param('<bbox page="1" x1="1" y1="1" x2="5" />', None, id="side-missing"),
        pytest.param('<bbox page="1" x1="one" y1="1" x2="5" y2="4" />', None, id="no-number"),
        pytest.param('<bbox page="1" x1="nan" y1="1" x2="5" y2="4" />', None, id="nan"),
        pytest.param('<bbox page="1" x1="1" y1="1" x2="inf" y2="4" />', None, id="endless"),
        pytest.param("bbox page=1", None, id="no-tag"),
    ],
)
def test_regions_are_read_whatever_the_order_of_attributes(text: str, told: tuple[object, ...] | None) -> None:
    assert parse(f"before {text} after") == (() if told is None else (Region(*told),))  # type: ignore[arg-type]


def test_a_region_is_written_as_it_is_read() -> None:
    assert parse(SQUARE.written() + "x" + FAR.written() + SQUARE.written()) == (SQUARE, FAR)
    assert bare(f"so {SQUARE.written()} it") == "so   it"
    assert of_fields({"page": 1, "x1": 0, "y1": 0, "x2": 100, "y2": 100, "doc": None}) == SQUARE


@pytest.mark.parametrize(
    ("other", "told"),
    [
        pytest.param(SQUARE, 1.0, id="same"),
        pytest.param(Region("1", 1, 0, 0, 100, 50), 0.5, id="half"),
        pytest.param(Region("1", 1, 50, 50, 150, 150), 2500 / 17500, id="corner"),
        pytest.param(Region("1", 1, 100, 0, 200, 100), 0.0, id="edge"),
        pytest.param(FAR, 0.0, id="apart"),
        pytest.param(Region("1", 1, 5, 5, 5, 5), 0.0, id="empty"),
    ],
)
def test_intersection_over_union(other: Region, told: float) -> None:
    assert iou(SQUARE, other) == iou(other, SQUARE) == pytest.approx(told)


@pytest.mark.parametrize(
    ("predicted", "hit"),
    [
        pytest.param(Region("1", 1, 0, 0, 100, 50), True, id="half-exactly"),
        pytest.param(Region("1", 1, 0, 0, 100, 49.9), False, id="less-than-half"),
        pytest.param(SQUARE._replace(page=2), False, id="another-page"),
        pytest.param(SQUARE._replace(doc="2"), False, id="another-document"),
    ],
)
def test_a_hit_is_half_of_the_area_on_the_same_page(predicted: Region, *, hit: bool) -> None:
    assert is_hit(SQUARE, predicted) is hit


def test_shares_of_regions_and_pages() -> None:
    wanted = [SQUARE, FAR, SQUARE._replace(page=2)]
    overlap = compare(wanted, [SQUARE, Region("1", 1, 200, 200, 210, 210)])
    assert overlap == (1 / 3, 1 / 2, 1 / 2)
    assert overlap.f1 == pytest.approx(0.4)
    assert compare(wanted, []) == (0.0, 0.0, 0.0)
    assert compare(wanted, []).f1 == 0.0
    assert compare(wanted, [Region("1", 1, 200, 200, 210, 210)]).f1 == 0.0


@pytest.mark.parametrize(
    ("ans", "rel", "recall", "told"),
    [
        pytest.param(5, None, 1.0, True, id="right"),
        pytest.param(5, None, 0.0, False, id="right-answer-wrong-region"),
        pytest.param(5, 3.0, 0.6, True, id="recall-is-enough"),
        pytest.param(5, 3.0, 0.59, False, id="recall-is-not-enough"),
        pytest.param(4, 4.0, 0.0, True, id="relevance-is-enough"),
        pytest.param(4, 3.9, 0.0, False, id="relevance-is-not-enough"),
        pytest.param(3.9, 5.0, 1.0, False, id="wrong-answer-right-region"),
    ],
)
def test_the_rule(ans: float, rel: float | None, recall: float, *, told: bool) -> None:
    assert is_attributed(ans, rel, recall) is told


@pytest.mark.parametrize(
    ("gold", "predicted", "told"),
    [
        pytest.param("The Old Crane", "the old  crane.", True, id="same-words"),
        pytest.param("eleven and seventeen", "Eleven, and seventeen.", True, id="punctuation"),
        pytest.param("12", "There were 12 boats.", True, id="a-number-in-words"),
        pytest.param("1,200", "1200", True, id="grouped"),
        pytest.param("12.0", "12", True, id="decimals"),
        pytest.param("0,05", "0.05", True, id="decimal-comma"),
        pytest.param("12%", "12 per cent", True, id="percent"),
        pytest.param("−12", "-12", True, id="minus"),
        pytest.param("12", "112", False, id="another-number"),
        pytest.param("0,05", "0,07", False, id="another-decimal"),
        pytest.param("1.2.3", "1.2.4", False, id="version"),
        pytest.param("12", "-12", False, id="sign"),
        pytest.param("-12%", "12%", False, id="sign-lost"),
        pytest.param("12", "12 or 13", False, id="two-numbers"),
        pytest.param("12 km", "12 miles", False, id="another-unit"),
        pytest.param("12%", "12", False, id="unit-lost"),
        pytest.param("12", "not 12", False, id="denied"),
        pytest.param("12", "more than 12", False, id="bound"),
        pytest.param("< 12", "12", False, id="comparator-lost"),
        pytest.param("the crane", "a crane", False, id="other-words"),
        pytest.param("12 or 13", "12 or 14", False, id="list"),
        pytest.param("", "", False, id="empty"),
        pytest.param("C", "C++", True, id="signs-of-prose"),
    ],
)
def test_answers_are_compared_by_words_or_number(gold: str, predicted: str, *, told: bool) -> None:
    assert same_answer(gold, predicted) is told


def test_a_unit_may_stand_in_the_question() -> None:
    assert same_answer("12%", "12", "What percentage of boats is red?")
    assert same_answer("12 metres", "12", "How many metres is it?")


def test_hand_cases() -> None:
    half = Region("1", 1, 0, 0, 100, 50).written()
    five = "".join(Region("1", number, 0, 0, 100, 100).written() for number in range(1, 6))
    three = "".join(Region("1", number, 0, 0, 100, 100).written() for number in range(1, 4))
    scores = score(
        [
            _item(id="half", predicted_boxes=half),
            _item(id="wrong-region", predicted_boxes=FAR.written()),
            _item(id="three-of-five", gold_boxes=five, predicted_boxes=three, rel=3),
            _item(id="no-gold", gold_boxes=""),
            _item(id="backwards", gold_boxes='<bbox page="1" x1="9" y1="0" x2="1" y2="9"/>'),
            _item(id="in-the-answer", predicted_answer=f"12 {SQUARE.written()}"),
            _item(id="a-judge's-word", predicted_answer="a dozen", ans=4, rel=4),
            _item(id="objects", gold_boxes=[{"page": 1, "x1": 0, "y1": 0, "x2": 9, "y2": 9}, {"page": 1}, half]),
            _item(id="no-predictions", predicted_boxes=[], citations=[{"doc": "x.pdf", "quote": "y"}]),
        ]
    )
    told = {one.id: one.saa for one in scores.items}
    assert told == {
        "half": True,
        "wrong-region": False,
        "three-of-five": True,
        "in-the-answer": True,
        "a-judge's-word": True,
        "objects": False,
        "no-predictions": False,
    }
    assert scores.excluded == 2
    table = scores.table()
    assert table["items"] == 7
    assert table["saa"] == pytest.approx(57.1)
    assert table["ans"] == pytest.approx((6 * 100 + 80) / 7, abs=0.1)
    assert table["rel"] == pytest.approx(70)
    assert table["recall"] == pytest.approx(100 * 2.6 / 7, abs=0.1)


def test_a_judge_can_be_put_in() -> None:
    class Kind(RulesJudge):
        def relevance(self, item: Item, predicted: Sequence[Region]) -> float | None:
            return 5.0 if predicted else 0.0

    items = [_item(predicted_boxes=FAR.written()), _item()]
    assert [one.saa for one in score(items, Kind()).items] == [True, False]
    assert [one.saa for one in score(items).items] == [False, False]


def test_nothing_scored_has_no_mean() -> None:
    assert Scores((), 3).table()["saa"] is None


@pytest.mark.parametrize(
    ("rotation", "told"),
    [(0, (50, 200, 150, 250)), (90, (750, 50, 800, 150)), (180, (850, 750, 950, 800)), (270, (200, 850, 250, 950))],
)
def test_a_rectangle_becomes_thousandths_of_the_page_as_displayed(rotation: int, told: tuple[float, ...]) -> None:
    width, height = (200.0, 100.0) if rotation in {0, 180} else (100.0, 200.0)
    page = PdfPage(3, width, height, rotation, (), ())
    rect = (10.0, 20.0, 30.0, 25.0)
    assert of_rect(rect, page, "a")[2:] == told
    with library().open() as document:
        made = document.new_page(width=200, height=100)
        made.set_rotation(rotation)
        turned = tuple(library().Rect(rect) * made.rotation_matrix)
    assert of_rect(turned, page, "a", turned=True) == of_rect(rect, page, "a")


def test_one_region_a_page() -> None:
    second = SQUARE._replace(page=2)
    assert around([SQUARE, second, FAR]) == (Region("1", 1, 0, 0, 600, 600), second)


def test_the_set_scores_what_it_was_made_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "scored.jsonl"
    arguments = ["bench", "citevqa", str(FOLDER / "items.jsonl"), "--docs", str(FOLDER), "--out", str(out)]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["items"], told["excluded"], told["saa"], told["rel"]) == (9, 1, 66.7, None)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {row["id"] for row in rows if not row["saa"]} == {"wrong-answer", "wrong-region", "altered-quote"}
    recall = {row["id"]: row["recall"] for row in rows}
    assert recall.pop("wrong-region") == recall.pop("altered-quote") == 0.0
    assert set(recall.values()) == {1.0}


def test_the_set_is_what_its_manifest_and_its_script_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    names = sorted(path.name for path in FOLDER.iterdir() if path.name not in {"manifest.json", "README.md"})
    assert manifest["sha256"] == {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in names}
    assert manifest["licence"] == "CC0-1.0"
    spec = importlib.util.spec_from_file_location("citevqa_set", ROOT / "benchmarks" / "citevqa_set.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "FOLDER", tmp_path / "again")
    script.main()
    assert (tmp_path / "again" / "items.jsonl").read_bytes() == (FOLDER / "items.jsonl").read_bytes()


def test_passages_are_taken_from_the_folder_alone(tmp_path: Path) -> None:
    shelf = Library(FOLDER)
    for name in ("../harbour.pdf", "/etc/hostname", "gone.pdf"):
        with pytest.raises(UsageError, match="holds no document"):
            shelf.locate(Cited(doc=name, quote="x"))
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7")
    with pytest.raises(UnreadableDocumentError):
        Library(tmp_path).locate(Cited(doc="broken.pdf", quote="x"))


def test_the_cited_page_goes_first(tmp_path: Path) -> None:
    document = library().open()
    for top in (100, 400):
        page = document.new_page()
        page.insert_text((72, top), "The ferry did not sail on eleven days because of fog.", fontsize=10)
        page.insert_text((72, 700), f"Signed on page {top} by the harbour master.", fontsize=10, rotate=90)
    (tmp_path / "twice.pdf").write_bytes(document.tobytes())
    shelf = Library(tmp_path)
    quote = "The ferry did not sail on eleven days because of fog."
    found = [shelf.locate(Cited(doc="twice.pdf", quote=quote, page=page))[0].page for page in (None, 1, 2, 9)]
    assert found == [1, 1, 2, 1]
    [turned] = shelf.locate(Cited(doc="twice.pdf", quote="Signed on page 400 by the harbour master."))
    assert turned.page == 2
    assert turned.y2 - turned.y1 > turned.x2 - turned.x1


@pytest.mark.parametrize(
    ("content", "match"),
    [
        pytest.param(b"{}\n", "line 1", id="no-item"),
        pytest.param(b"[]\n", "line 1", id="no-object"),
        pytest.param(b"\n{", "line 2", id="no-json"),
        pytest.param(b"\xff", "is not an item", id="no-text"),
        pytest.param(b'{"question": "q", "gold_answer": "a", "ans": 7}', "line 1", id="score-out-of-range"),
    ],
)
def test_what_is_no_item_is_said(tmp_path: Path, content: bytes, match: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=match):
        list(read(str(path)))
    with pytest.raises(UsageError, match="cannot be read"):
        run(str(tmp_path / "gone.jsonl"))


def test_keys_may_have_blanks(tmp_path: Path) -> None:
    row = {"question": "q", "gold answer": "12", "gold boxes": [SQUARE.written()], "predicted answer": "12"}
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(row | {"predicted boxes": [SQUARE.written()]}) + "\n\n", encoding="utf-8")
    assert run(str(path)).table()["saa"] == 100.0
