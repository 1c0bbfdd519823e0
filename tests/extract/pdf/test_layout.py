from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.extract.pdf.columns import agree, arrange, gutters
from citeaudit.extract.pdf.furniture import line_numbers, running
from citeaudit.extract.pdf.layout import Row, join, lay_out, make_row, split, vocabulary
from citeaudit.pdf import Face, PdfLine
from tests.pdf.pages import HEIGHT, WIDTH, line, listed, of, pdf, prose, reference, span


def texts(rows: tuple[Row, ...]) -> list[str]:
    return [row.text for row in rows]


@pytest.mark.parametrize(
    ("spans", "text"),
    [
        pytest.param([span("Roe", 0), span("J", 17)], "Roe J", id="moved-instead-of-spaced"),
        pytest.param([span("Ro", 0), span("e", 10.2)], "Roe", id="kerned"),
        pytest.param([span("Roe ", 0), span("J", 25)], "Roe J", id="space-drawn-and-moved"),
        pytest.param([span("  Roe\t\tJ ", 0)], "Roe J", id="tabs"),
    ],
)
def test_spans_join_with_the_spaces_a_reader_sees(spans: list[object], text: str) -> None:
    assert join(spans) == text  # type: ignore[arg-type]  # spans, as parametrized


def test_row_takes_the_size_of_most_of_its_characters() -> None:
    row = make_row(1, 0, [span("Note", size=10), span("2", 95, size=6), span(" 1999", 101, size=10)])
    assert row is not None
    assert (row.size, row.bold) == (10.0, False)


def test_row_is_bold_only_if_all_its_letters_are() -> None:
    bold = make_row(1, 0, [span("12. ", 0), span("Title", 20, face=Face.BOLD)])
    mixed = make_row(1, 0, [span("Roe ", 0), span("12", 20, face=Face.BOLD)])
    assert bold is not None
    assert mixed is not None
    assert (bold.bold, mixed.bold) == (True, False)


def test_blank_spans_make_no_row() -> None:
    assert make_row(1, 0, [span("   ")]) is None


def two_columns() -> list[PdfLine]:
    left = [line("left column words here", 60, 100 + 12 * at) for at in range(12)]
    right = [line("right column words too", 320, 100 + 12 * at) for at in range(12)]
    return [*left, *right]


def test_one_column_has_no_gutter() -> None:
    assert gutters(prose(30), WIDTH) == ()


def test_gutter_stands_between_two_columns() -> None:
    (gap,) = gutters(two_columns(), WIDTH)
    assert 170 <= gap <= 320


def test_three_columns_have_two_gutters() -> None:
    lines = [line("eighteen letters ok", x, 100 + 12 * at) for x in (50, 220, 390) for at in range(12)]
    first, second = gutters(lines, WIDTH)
    assert 145 <= first <= 220
    assert 315 <= second <= 390


@pytest.mark.parametrize("columns", [(60,), (60, 320)], ids=["one", "two"])
def test_labels_are_no_column(columns: tuple[int, ...]) -> None:
    lines = [line(f"{at}.", x, 100 + 24 * at) for x in columns for at in range(12)]
    lines += [line("text of a reference line", x + 22, 100 + 12 * at) for x in columns for at in range(24)]
    assert len(gutters(lines, WIDTH)) == len(columns) - 1


def test_text_above_and_below_is_not_side_by_side() -> None:
    lines = [line("short words", 60, 100 + 12 * at) for at in range(10)]
    lines += [line("far to the right, but below", 330, 400 + 12 * at) for at in range(10)]
    assert gutters(lines, WIDTH) == ()


def test_columns_are_read_one_after_the_other_and_a_title_first() -> None:
    lines = [*two_columns(), line("A title that runs across both of the columns of the page", 100, 60)]
    read = [group[0].text.split()[0] for _, group in arrange(lines, gutters(lines, WIDTH))]
    assert read == ["A", *["left"] * 12, *["right"] * 12]


def test_page_with_two_stray_lines_takes_the_gutter_of_its_neighbour() -> None:
    last = [*(line("left column words here", 60, 100 + 12 * at) for at in range(12)), line("right", 320, 100)]
    first, second = agree([gutters(two_columns(), WIDTH), gutters(last, WIDTH)], [two_columns(), last])
    assert first == second
    assert agree([(), ()], [last, last]) == [(), ()]


def test_full_width_page_keeps_its_one_column_beside_others() -> None:
    assert agree([(300.0,), ()], [two_columns(), prose(20)])[1] == ()


def test_label_and_text_on_one_line_are_one_row() -> None:
    rows = lay_out(pdf([[line("[1]", 50, 101), line("Roe J. Rows.", 72, 100), line("1999.", 72, 112)]])).rows
    assert texts(rows) == ["[1] Roe J. Rows.", "1999."]


def test_running_heads_feet_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            line("Roe et al. Rows", 72, 30),
            *prose(20, y=120),
            line(f"Journal of Layout 12 ({at})", 72, 800),
            line(str(at), 300, 815),
        ]
        for at in range(1, 5)
    ]
    rows = lay_out(pdf(pages)).rows
    assert all(row.text.startswith(("We were", "set by", "because")) for row in rows)
    assert len(rows) == 80


def test_line_that_stands_on_one_page_only_stays() -> None:
    pages = [[line(title, 72, 40), *prose(20)] for title in ("References", "Methods", "Results")]
    assert "References" in texts(lay_out(pdf(pages)).rows)


def test_label_in_the_middle_of_a_page_is_no_page_number() -> None:
    pages = [[*prose(5), line("7", 72, 400), *prose(5, y=500)]]
    assert running(pdf(pages).pages, pages) == set()


def test_empty_page_has_no_furniture() -> None:
    assert running(pdf([[]]).pages, [[]]) == set()


def numbered(first: int, count: int) -> list[PdfLine]:
    lines: list[PdfLine] = []
    for at, text in enumerate(prose(count, y=100, x=110, width=80)):
        number = str(first + at)
        lines += [line(number, 60 - 3 * len(number), text.y0 + 3, size=6), text]
    return lines


def test_numbers_of_lines_are_left_out_even_where_a_page_has_few() -> None:
    layout = lay_out(pdf([numbered(1, 30), numbered(31, 30), numbered(61, 2)]))
    assert layout.line_numbers
    assert not any(char.isdigit() for row in layout.rows for char in row.text)


def test_number_drawn_in_one_line_with_its_text_is_cut_off() -> None:
    drawn = [of(span(str(at + 5), 40, 100 + 12 * at), span("words of the text", 72, 100 + 12 * at)) for at in range(30)]
    assert set(texts(lay_out(pdf([drawn])).rows)) == {"words of the text"}


def test_labels_of_references_are_no_line_numbers() -> None:
    entries = [line(str(at), 55, 100 + 12 * 3 * (at - 1) + 12 * (at % 3)) for at in range(1, 15)]
    assert line_numbers([*entries, *prose(40, y=100)], HEIGHT) == set()


def test_numbered_rows_of_one_table_are_no_line_numbers() -> None:
    layout = lay_out(pdf([numbered(1, 30), prose(30), prose(30), prose(30)]))
    assert not layout.line_numbers
    assert layout.rows[0].text.startswith("1 ")


def test_marks_of_an_axis_are_no_line_numbers() -> None:
    axis = [line(str(at), 55, 300 + 8 * at, size=6) for at in range(10)]
    assert line_numbers([*axis, *prose(40)], HEIGHT) == set()


def test_turned_text_is_left_out() -> None:
    rows = lay_out(pdf([[line("Downloaded from somewhere", 20, 100, upright=False), line("A row")]])).rows
    assert texts(rows) == ["A row"]


def test_line_across_two_columns_is_cut_at_its_jump() -> None:
    drawn = of(span("left words", 60), span("right words", 330))
    assert [piece.text for piece in split(drawn)] == ["left words", "right words"]
    assert split(line("one piece")) == [line("one piece")]


def test_list_below_a_text_of_another_size_is_read_by_itself() -> None:
    upper = [*prose(10, 60, 100, width=40), *prose(10, 320, 100, width=40)]
    left = listed([reference(0), reference(1)], 60, 260, 7.5, width=50)
    right = listed([reference(2), reference(3)], 320, 260, 7.5, width=50)
    rows = lay_out(pdf([[*upper, line("References", 60, 240, 12), *left, *right]])).rows
    order = [row.text.split(",")[0] for row in rows if row.text.split(",")[0] in {"References", "Adamsa", "Clarka"}]
    assert order == ["References", "Adamsa", "Clarka"]
    assert texts(rows).index("References") == 20


def test_heading_inside_a_column_does_not_cut_the_page() -> None:
    left = [*prose(10, 60, 100, width=40), line("References", 60, 240, 12), *listed([reference(0)], 60, 260, width=40)]
    right = listed([reference(at) for at in range(1, 4)], 320, 100, width=40)
    rows = lay_out(pdf([[*left, *right]])).rows
    assert texts(rows).index("References") == 10
    assert rows[11].text.startswith("Adamsa")


def test_words_cut_by_a_line_end_are_not_in_the_vocabulary() -> None:
    rows = lay_out(pdf([[line("a self-made inter-"), line("val, (odd)", y=112)]])).rows
    assert set(vocabulary(rows)) == {"a", "self-made", "val", "odd"}


def test_crowded_page_takes_no_more_than_seconds() -> None:
    crowd = [line("1", 72 + at % 400, 100 + (at // 400)) for at in range(20_000)]
    started = time.monotonic()
    lay_out(pdf([crowd]))
    assert time.monotonic() - started < 80


@given(
    st.lists(st.tuples(st.floats(0, 500), st.floats(0, 800), st.text("ab1. ", min_size=1, max_size=30)), max_size=40)
)
def test_layout_never_raises_and_invents_nothing(places: list[tuple[float, float, str]]) -> None:
    lines = [line(text, x, y) for x, y, text in places]
    seen = "".join(row.text for row in lay_out(pdf([lines])).rows).replace(" ", "")
    given_text = "".join(text for _, _, text in places).replace(" ", "")
    assert len(seen) <= len(given_text)
    assert set(seen) <= set(given_text)


@pytest.mark.parametrize("over", [20, 140], ids=["a-little", "far-and-over-the-text-beside"])
def test_line_that_sticks_out_of_its_column_stays_in_it(over: int) -> None:
    address = PdfLine((span("https://example.org/long", 72, 140),), 72, 140, 290 + over, 150, upright=True)
    left = [item for item in prose(12, width=40) if not 139 < item.y0 < 151]
    right = prose(12, x=310, width=40)
    rows = [*arrange([*left, address, *right], (300.0,))]
    assert [column for column, _ in rows] == [0] * 12 + [1] * 12
    assert rows[5][1] == [address]


def test_last_words_of_justified_lines_are_no_labels() -> None:
    left = [line("Words of a column that is it", 72, 100 + 12 * at) for at in range(20)]
    ends = [line("set", 215, 100 + 12 * at) for at in range(0, 20, 2)]  # pushed out to the edge of the column
    right = [line(f"Some row of a short column {at}", 252, 100 + 12 * at) for at in range(14)]
    assert [round(gap) for gap in gutters([*left, *ends, *right], WIDTH)] == [230]


def test_line_that_hangs_out_to_the_left_stays_in_the_right_column() -> None:
    hanging = PdfLine((span("[12] Roe", 296, 140),), 296, 140, 500, 150, upright=True)
    right = [item for item in prose(12, x=310, width=40) if not 139 < item.y0 < 151]
    rows = [*arrange([*prose(12, width=40), hanging, *right], (300.0,))]
    assert [column for column, _ in rows] == [0] * 12 + [1] * 12


def test_running_head_of_a_short_document_is_known_by_its_page_number() -> None:
    pages = [
        [line("On the order of rows 223", 72, 40), *prose(30, y=110)],
        [line("224 Jane Roe", 72, 40), *prose(30, y=110)],
    ]
    assert len(lay_out(pdf(pages)).rows) == 60
