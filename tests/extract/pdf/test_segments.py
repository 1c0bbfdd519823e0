from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.extract.pdf.anchors import Anchor, find_anchors, snap
from citeaudit.extract.pdf.hyphens import unbreak
from citeaudit.extract.pdf.labels import Hit, by_labels, label_span, longest_run
from citeaudit.extract.pdf.layout import Row, lay_out
from citeaudit.extract.pdf.pieces import MAX_RAW, cut
from citeaudit.extract.pdf.sections import Section
from citeaudit.extract.pdf.segmentation import Segmentation
from citeaudit.extract.pdf.segments import by_destinations, by_gaps, by_indents, quality, segment
from citeaudit.extract.pdf.starts import by_starts
from citeaudit.pdf import Destination, Link, PdfLine
from tests.pdf.pages import line, listed, pdf, prose, reference


def section(*pages: Sequence[PdfLine]) -> Section:
    return Section(lay_out(pdf(pages)).rows, None)


def starts_with(rows: Sequence[Row], reading: Segmentation | None, count: int) -> bool:
    """Whether a reading cuts a list of invented references right."""
    if reading is None:
        return False
    firsts = [rows[at].text for at in reading.starts]
    return len(firsts) == count and all("J. R., and" in text for text in firsts)


@pytest.mark.parametrize("form", ["[{}]", "({})", "{}.", "{})", "{}"], ids=["square", "round", "dot", "half", "bare"])
def test_labels_of_every_form_cut_a_list(form: str) -> None:
    content = section(listed([f"{form.format(at + 1)} {reference(at)}" for at in range(12)]))
    reading = by_labels(content, ())
    assert starts_with(content.rows, reading, 12)
    assert reading is not None
    assert reading.labels == tuple(str(at) for at in range(1, 13))
    assert reading.missing == reading.duplicate == ()


def test_labels_of_the_alpha_style_cut_a_list() -> None:
    labels = ["ADB90", "BF91", "Cla92", "DG+93", "EH94a", "EH94b"]
    content = section(listed([f"[{label}] {reference(at)}" for at, label in enumerate(labels)]))
    reading = by_labels(content, ())
    assert reading is not None
    assert reading.labels == tuple(labels)


def test_years_and_pages_at_line_starts_are_no_labels() -> None:
    texts = [f"[{at + 1}] {reference(at)}" for at in range(6)]
    content = section(listed(texts, width=34))
    reading = by_labels(content, ())
    assert starts_with(content.rows, reading, 6)


def test_missing_label_is_reported() -> None:
    texts = [f"[{at + 1}] {reference(at)}" for at in range(8) if at != 4]
    reading = by_labels(section(listed(texts)), ())
    assert reading is not None
    assert reading.missing == ("5",)


def test_label_that_lost_its_bracket_is_found_between_its_neighbours() -> None:
    texts = [f"{at + 1}. {reference(at)}" for at in range(8)]
    texts[4] = texts[4].replace("5.", "5")
    reading = by_labels(section(listed(texts)), ())
    assert reading is not None
    assert reading.labels == tuple("12345678")


def test_label_seen_twice_is_reported() -> None:
    texts = [f"[{at}] {reference(at)}" for at in (1, 2, 3, 3, 4, 5)]
    reading = by_labels(section(listed(texts)), ())
    assert reading is not None
    assert reading.duplicate == ("3",)


@pytest.mark.parametrize(
    ("form", "numbers"),
    [
        pytest.param("[{}]", (1, 2, 3, 3, 4, 5, 5, 6), id="twice"),
        pytest.param("{}.", (1, 2, 3, 3, 4, 5, 5, 6), id="twice-with-dots"),
        pytest.param("({})", (1, 2, 3, 4, 2, 5, 6), id="out-of-place"),
        pytest.param("[{}]", (1, 2, 3, 4, 900), id="far-out-of-sequence"),
    ],
)
def test_odd_label_opens_a_reference_all_the_same(form: str, numbers: tuple[int, ...]) -> None:
    texts = [f"{form.format(number)} {reference(at)}" for at, number in enumerate(numbers)]
    content = section(listed(texts))
    reading = by_labels(content, ())
    assert starts_with(content.rows, reading, len(numbers))
    assert reading is not None
    assert reading.labels == tuple(map(str, numbers))


def test_lists_by_chapter_start_again_at_one() -> None:
    texts = [f"[{at + 1}] {reference(at)}" for at in (0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 0, 1, 2)]
    reading = by_labels(section(listed(texts)), ())
    assert reading is not None
    assert "".join(reading.labels) == "1234123456123"


def test_two_labels_are_no_list() -> None:
    assert by_labels(section(listed([f"[{at}] {reference(at)}" for at in (1, 2)])), ()) is None


@given(st.lists(st.integers(1, 12), max_size=40))
def test_longest_run_rises_and_keeps_the_order_of_rows(numbers: list[int]) -> None:
    run = longest_run([Hit(row, number) for row, number in enumerate(numbers)])
    assert [hit.row for hit in run] == sorted(hit.row for hit in run)
    assert all(0 < second.number - first.number <= 5 for first, second in pairwise(run))
    assert bool(run) == bool(numbers)


def test_span_of_labels_is_found_in_a_whole_document() -> None:
    enumeration = [line(f"{at}. It was said that they are not there", y=600 + 12 * at) for at in range(1, 9)]
    labelled = listed([f"{at + 1}. {reference(at)}" for at in range(7)])
    rows = lay_out(pdf([[*prose(30), *enumeration], labelled])).rows
    span = label_span(rows)
    assert span is not None
    assert rows[span[0]].text.startswith("1. Adamsa")
    assert rows[span[1]].text.startswith("7. Ghosha")
    assert label_span(lay_out(pdf([[*prose(30), *enumeration]])).rows) is None


def test_hanging_indents_cut_a_list() -> None:
    content = section(listed([reference(at) for at in range(10)]))
    assert starts_with(content.rows, by_indents(content, ()), 10)


def test_indented_first_lines_cut_a_list() -> None:
    content = section(listed([reference(at) for at in range(10)], x=90, hang=-14))
    assert starts_with(content.rows, by_indents(content, ()), 10)


def test_indents_are_measured_in_each_column() -> None:
    left = listed([reference(at) for at in range(6)], x=60, width=44, size=8)
    right = listed([reference(at) for at in range(6, 12)], x=320, width=44, size=8)
    content = section([*left, *right])
    assert starts_with(content.rows, by_indents(content, ()), 12)


def test_column_that_only_continues_a_reference_starts_none() -> None:
    whole = listed([reference(at) for at in range(6)], width=40)
    first, rest = whole[:-2], [item._replace() for item in whole[-2:]]
    moved = [line(item.text, item.x0, 100 + 12 * at) for at, item in enumerate(rest)]
    content = section(first, moved)
    assert starts_with(content.rows, by_indents(content, ()), 6)


def test_column_with_one_start_keeps_it() -> None:
    first = listed([reference(at) for at in range(5)], width=40)
    last = listed([reference(5)], width=40)
    content = section(first, last)
    assert starts_with(content.rows, by_indents(content, ()), 6)


def test_flush_list_has_no_indents() -> None:
    content = section(listed([reference(at) for at in range(8)], hang=0))
    assert by_indents(content, ()) is None


def test_gaps_cut_a_flush_list() -> None:
    content = section(listed([reference(at) for at in range(8)], hang=0, gap=5))
    assert starts_with(content.rows, by_gaps(content, ()), 8)


def test_gaps_at_the_top_of_a_page_go_by_looks() -> None:
    pages = [listed([reference(at) for at in range(first, first + 4)], hang=0, gap=5) for first in (0, 4)]
    content = section(*pages)
    assert starts_with(content.rows, by_gaps(content, ()), 8)


def test_even_list_has_no_gaps() -> None:
    assert by_gaps(section(listed([reference(at) for at in range(8)], hang=0)), ()) is None
    assert by_gaps(section(listed([reference(0)])), ()) is None


def test_author_like_starts_are_the_last_resort() -> None:
    content = section(listed([reference(at) for at in range(8)], hang=0))
    assert starts_with(content.rows, by_starts(content, ()), 8)
    chosen = segment(content, ())
    assert chosen is not None
    assert chosen.method == "starts"


def test_prose_has_no_starts() -> None:
    assert by_starts(section(prose(9)), ()) is None
    assert segment(section(prose(9)), ()) is None


def anchored(content: Section, shift: float = 0.0, x: float = 72.0) -> list[Anchor]:
    firsts = [row for row in content.rows if "J. R., and" in row.text]
    return [Anchor(f"cite.key{at}", row.page, x, row.y0 + shift, linked=True) for at, row in enumerate(firsts)]


@pytest.mark.parametrize("shift", [-9.0, -1.0, 0.0, 4.0], ids=["a-line-high", "above", "top", "inside"])
def test_destinations_cut_a_list_wherever_on_the_line_they_stand(shift: float) -> None:
    content = section(listed([reference(at) for at in range(8)]))
    reading = by_destinations(content, anchored(content, shift))
    assert starts_with(content.rows, reading, 8)
    assert reading is not None
    assert [anchor.citekey for anchor in reading.anchors if anchor] == [f"key{at}" for at in range(8)]


def test_destinations_a_line_low_are_shifted_back_together() -> None:
    content = section(listed([reference(at) for at in range(8)]))
    assert starts_with(content.rows, by_destinations(content, anchored(content, 12.0)), 8)


def test_destinations_without_a_place_on_the_line_follow_their_numbers() -> None:
    left = listed([reference(at) for at in range(6)], x=60, width=44, size=8)
    right = listed([reference(at) for at in range(6, 12)], x=320, width=44, size=8)
    content = section([*left, *right])
    assert starts_with(content.rows, by_destinations(content, anchored(content, x=0.0)), 12)


def test_destination_at_the_foot_of_a_page_belongs_to_the_next() -> None:
    rows = lay_out(pdf([listed([reference(0)]), listed([reference(1)])])).rows
    foot = Anchor("cite.b", 1, 72.0, 700.0, linked=True)
    assert snap([foot], rows) == [len(listed([reference(0)]))]
    beyond = [Anchor("cite.c", 2, 72.0, 700.0, linked=True), Anchor("cite.d", 9, 0.0, 0.0, linked=True)]
    assert snap(beyond, rows) == [None, None]


def test_destinations_heaped_on_one_place_are_not_believed() -> None:
    content = section(listed([f"{at + 1}. {reference(at)}" for at in range(8)]))
    heap = [Anchor(f"CR{at}", 1, 0.0, 790.0, linked=True) for at in range(8)]
    chosen = segment(content, heap)
    assert chosen is not None
    assert chosen.method == "labels"


def test_labels_and_destinations_that_agree_are_joined() -> None:
    content = section(listed([f"[{at + 1}] {reference(at)}" for at in range(8)]))
    chosen = segment(content, anchored(content))
    assert chosen is not None
    assert chosen.method == "destinations+labels"
    assert chosen.labels == tuple("12345678")
    assert len([anchor for anchor in chosen.anchors if anchor]) == 8


def test_destinations_beside_their_rows_take_the_rows_of_the_indents() -> None:
    content = section(listed([reference(at) for at in range(12)]))
    places = anchored(content)
    places[3] = Anchor("cite.key3", 1, 72.0, places[3].y + 12, linked=True)
    chosen = segment(content, places)
    assert starts_with(content.rows, chosen, 12)
    assert chosen is not None
    assert chosen.method == "destinations+indents"
    assert [anchor.citekey for anchor in chosen.anchors if anchor] == [f"key{at}" for at in range(12)]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("cite.Roe2020", "Roe2020"),
        ("cite.0@Roe2020", "Roe2020"),
        ("bib.roe", "roe"),
        ("ref-roe2020", "roe2020"),
        ("CR12", None),
        ("bib12", None),
        ("Reference_7", None),
    ],
)
def test_names_of_destinations_carry_keys(name: str, key: str | None) -> None:
    assert Anchor(name, 1, 0, 0, linked=False).citekey == key


def test_citations_are_told_from_other_destinations() -> None:
    names = ["page.1", "section.2", "cite.a", "cite.b", "cite.c", "Item.1", "figure.caption.3"]
    document = pdf(
        [prose(3)],
        links={1: [Link(0, 0, 1, 1, name="cite.a")]},
        destinations={name: Destination(1, 0, at) for at, name in enumerate(names)},
    )
    found = find_anchors(document)
    assert [(anchor.name, anchor.linked) for anchor in found] == [
        ("cite.a", True),
        ("cite.b", False),
        ("cite.c", False),
    ]


def test_bare_targets_of_links_stand_in_for_names() -> None:
    links = [Link(0, 0, 1, 1, target_page=3, target_x=72.0, target_y=100.0 + 20 * at) for at in range(7)]
    found = find_anchors(pdf([prose(3), prose(3), prose(3)], links={1: links}))
    assert len(found) == 7
    assert found[0].citekey is None
    assert find_anchors(pdf([prose(3)])) == ()


def test_pieces_are_joined_without_their_labels() -> None:
    texts = [f"[{at + 1}] {reference(at)}" for at in range(6)]
    content = section(listed(texts))
    reading = by_labels(content, ())
    assert reading is not None
    pieces = cut(content, reading, {})
    assert [piece.raw for piece in pieces] == [reference(at) for at in range(6)]
    assert [piece.label for piece in pieces] == list("123456")


def test_compound_reference_gives_a_piece_a_part() -> None:
    compound = f"a) {reference(1)}; b) {reference(2)}; c) {reference(3)}"
    texts = [
        reference(0),
        compound,
        "a) " + reference(4),
        reference(5),
    ]
    content = section(listed([f"[{at + 1}] {text}" for at, text in enumerate(texts)]))
    reading = by_labels(content, ())
    assert reading is not None
    pieces = cut(content, reading, {})
    assert [piece.label for piece in pieces] == ["1", "2a", "2b", "2c", "3", "4"]
    assert pieces[2].raw == reference(2)
    assert pieces[4].raw == reference(4)


def test_what_stands_far_below_is_not_part_of_the_last_reference() -> None:
    labelled = listed([f"[{at + 1}] {reference(at)}" for at in range(5)])
    content = section([*labelled, line("J. R. Adams is a reader.", y=600)])
    reading = by_labels(content, ())
    assert reading is not None
    assert cut(content, reading, {})[-1].raw == reference(4)


def test_last_piece_that_is_no_reference_is_left_out() -> None:
    tail = "The authors thank all who were there, and those who would have been."
    content = section(listed([*(reference(at) for at in range(5)), tail], hang=0, gap=5))
    reading = by_gaps(content, ())
    assert reading is not None
    assert len(cut(content, reading, {})) == 5


def test_endless_reference_is_cut() -> None:
    content = section([line("word " * 20, y=60 + 2 * at) for at in range(300)])
    pieces = cut(content, Segmentation("labels", (0,), 1.0, labels=("1",)), {})
    assert len(pieces[0].raw) <= MAX_RAW


@pytest.mark.parametrize(
    ("lines", "words", "text"),
    [
        pytest.param(["infor-", "mation"], {"information": 1}, "information", id="known-word"),
        pytest.param(["infor-", "mation"], {}, "information", id="halves-are-no-words"),
        pytest.param(["self-", "supervised"], {"self-supervised": 1}, "self-supervised", id="known-with-hyphen"),
        pytest.param(["self-", "supervised"], {}, "self-supervised", id="self"),
        pytest.param(["large-", "scale"], {"large": 2, "scale": 3}, "large-scale", id="both-are-words"),
        pytest.param(["Stack-", "guard"], {"stackguard": 1}, "Stackguard", id="name-known-as-one"),
        pytest.param(["Baron-", "Cohen"], {}, "Baron-Cohen", id="capital-after"),
        pytest.param(["12-", "19"], {}, "12-19", id="pages"),
        pytest.param(["12–", "19"], {}, "12–19", id="pages-with-dash"),
        pytest.param(["soft\u00ad", "ware"], {}, "software", id="soft-hyphen"),
        pytest.param(["non\u2010", "linear"], {"nonlinear": 1}, "nonlinear", id="unicode-hyphen"),
        pytest.param(["rows -", "and more"], {}, "rows - and more", id="lone-dash"),
        pytest.param(["https://doi.org/10.1000/", "abc.12"], {}, "https://doi.org/10.1000/abc.12", id="after-slash"),
        pytest.param(["10.1007/s11192-", "020-03759-0."], {}, "10.1007/s11192-020-03759-0.", id="identifier-hyphen"),
        pytest.param(["doi:10.1016/j.", "cell.2001"], {}, "doi:10.1016/j.cell.2001", id="identifier-dot"),
        pytest.param(["https://a.org/b.", "Next sentence"], {}, "https://a.org/b. Next sentence", id="address-ends"),
        pytest.param(["https://a.org/b,", "accessed"], {}, "https://a.org/b, accessed", id="address-then-comma"),
        pytest.param(["https://a.org/bc", "d/e-f"], {}, "https://a.org/bc d/e-f", id="no-digit-no-join"),
        pytest.param(["https://a.org/bc", "12/e.html"], {}, "https://a.org/bc12/e.html", id="path-goes-on"),
        pytest.param(["https://a.org/bc", "(accessed"], {}, "https://a.org/bc (accessed", id="bracket-after"),
        pytest.param(["设计与实现", "方法"], {}, "设计与实现方法", id="chinese"),
        pytest.param(["one", "", "two"], {}, "one two", id="empty-line"),
        pytest.param([], {}, "", id="nothing"),
    ],
)
def test_lines_are_joined_as_the_document_writes_its_words(lines: list[str], words: dict[str, int], text: str) -> None:
    assert unbreak(lines, words) == text


@given(st.lists(st.text("abAB1-./ ", min_size=1, max_size=12), max_size=6))
def test_joining_keeps_every_letter(lines: list[str]) -> None:
    joined = unbreak([item.strip() for item in lines], {})
    letters = [char for char in joined if char.isalnum()]
    assert letters == [char for item in lines for char in item if char.isalnum()]


@pytest.mark.parametrize("text", ["a" * 200_000, "(" * 200_000, "http://" * 30_000, "A. " * 60_000, "[1] " * 50_000])
def test_long_hostile_rows_are_cut_in_linear_time(text: str) -> None:
    content = section([line(text, y=100 + 12 * at) for at in range(4)])
    started = time.monotonic()
    reading = segment(content, ())
    if reading is not None:
        cut(content, reading, {})
        assert 0.0 <= quality(content.rows, reading.starts) <= 1.0
    assert time.monotonic() - started < 30


def test_quality_of_nothing_is_none() -> None:
    assert quality(section(prose(3)).rows, ()) == 0.0


@pytest.mark.parametrize("form", ["［{}］", "【{}】", "〔{}〕", "（{}）", "{}、"])
def test_full_width_labels_cut_a_list(form: str) -> None:
    content = section(listed([f"{form.format(at + 1)}{reference(at)}" for at in range(12)]))
    reading = by_labels(content, ())
    assert reading is not None
    assert [piece.raw for piece in cut(content, reading, {})] == [reference(at) for at in range(12)]


@pytest.mark.parametrize("bullet", ["• ", "– ", "- ", "\uf0b7 ", "* "])
def test_bullets_cut_a_list_and_are_no_part_of_it(bullet: str) -> None:
    content = section(listed([f"{bullet}{reference(at)}" for at in range(12)], hang=0))
    reading = segment(content, ())
    assert reading is not None
    assert [piece.raw for piece in cut(content, reading, {})] == [reference(at) for at in range(12)]


def test_dash_for_the_authors_before_is_no_bullet() -> None:
    entries = [reference(at) if at % 3 == 0 else f"— {reference(at)[23:]}" for at in range(12)]
    content = section(listed(entries))
    reading = segment(content, ())
    assert reading is not None
    assert [piece.raw for piece in cut(content, reading, {})] == entries


def test_indent_tells_the_start_at_the_top_of_a_column_where_all_references_hang() -> None:
    entries = [reference(at).removesuffix(".") for at in range(12)]  # no line ends as a reference does
    content = section(listed(entries[:6], gap=6), listed(entries[6:], gap=6))
    assert starts_with(content.rows, by_gaps(content, ()), 12)
