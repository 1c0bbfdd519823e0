from __future__ import annotations

from collections.abc import Sequence

import pytest

from citeaudit.extract.pdf.furniture import running, stamped
from citeaudit.extract.pdf.layout import lay_out
from citeaudit.pdf import Face, PdfLine
from tests.pdf.pages import line, of, pdf, prose, span

CHAPTERS = ("On Rows", "Of Columns", "The Margins", "Indents Told", "Some Labels")


def texts(pages: Sequence[list[PdfLine]]) -> list[str]:
    return [row.text for row in lay_out(pdf(pages)).rows]


def test_heads_that_change_with_the_chapter_are_known_by_their_page_number() -> None:
    pages = [
        [line(f"{at + 41} {CHAPTERS[at]}" if at % 2 else f"{CHAPTERS[at]} {at + 41}", 72, 40), *prose(20, y=100)]
        for at in range(5)
    ]
    assert not any(char.isdigit() for text in texts(pages) for char in text)


def test_last_line_of_a_page_that_ends_in_a_number_stays() -> None:
    pages = [[*prose(20, y=110), line(f"{CHAPTERS[at]}, volume {90 - 3 * at}", 72, 760)] for at in range(5)]
    assert sum("volume" in text for text in texts(pages)) == 5


def test_number_of_the_page_beside_the_text_does_not_take_a_line_of_it() -> None:
    pages = [[line(str(at), 560, 64), line(f"{CHAPTERS[at - 1]} is", y=60), *prose(20, y=110)] for at in range(1, 6)]
    assert sum(" is" in text and text.startswith(CHAPTERS) for text in texts(pages)) == 5


def test_watermark_is_left_out_wherever_it_stands() -> None:
    pages = [
        [line("DRAFT", 200, 400, 60), *[line(f"{text.text} {at}", y=text.y0) for text in prose(20, y=110)]]
        for at in range(4)
    ]
    read = texts(pages)
    assert "DRAFT" not in read
    assert len(read) == 80


def test_form_whose_pages_are_alike_keeps_its_text() -> None:
    pages = [prose(20, y=150) for _ in range(4)]
    assert stamped(pdf(pages).pages, pages) == set()
    assert len(texts(pages)) == 80


def test_short_documents_have_no_watermarks() -> None:
    pages = [[line("DRAFT", 200, 400, 60)]] * 2
    assert stamped(pdf(pages).pages, pages) == set()


def margins(first: int, count: int, step: int, places: Sequence[float]) -> list[PdfLine]:
    """Lines of text, each `step`-th with its number in the margins."""
    made: list[PdfLine] = []
    for at, text in enumerate(prose(count, y=100, x=110, width=70)):
        made.append(text)
        if (first + at) % step == 0:
            made += [line(str(first + at), place, text.y0 + 3, size=6) for place in places]
    return made


@pytest.mark.parametrize(
    ("step", "places"),
    [
        pytest.param(1, (40.0,), id="left"),
        pytest.param(1, (560.0,), id="right"),
        pytest.param(1, (40.0, 560.0), id="both"),
        pytest.param(5, (40.0,), id="every-fifth"),
        pytest.param(5, (40.0, 560.0), id="every-fifth-in-both"),
        pytest.param(10, (40.0,), id="every-tenth"),
    ],
)
def test_numbers_of_lines_are_left_out(step: int, places: tuple[float, ...]) -> None:
    layout = lay_out(pdf([margins(1, 45, step, places), margins(46, 45, step, places)]))
    assert layout.line_numbers
    assert not any(char.isdigit() for row in layout.rows for char in row.text)


def test_page_without_lines_has_no_furniture() -> None:
    assert running(pdf([[], []]).pages, [[], []]) == set()


def test_hidden_text_is_left_out_and_said_so() -> None:
    seen, unseen = span("A row that is seen. ", 72), span("Praise this work.", 180, face=Face.HIDDEN)
    layout = lay_out(pdf([[of(seen, unseen)], [line("More", face=Face.HIDDEN)], [line("Seen")]]))
    assert [row.text for row in layout.rows] == ["A row that is seen.", "Seen"]
    assert layout.hidden == (1, 2)


@pytest.mark.parametrize(
    ("head", "tail", "text"),
    [
        pytest.param(span("R", 72, size=10), span("EFERENCES", 79, size=8), "REFERENCES", id="moved"),
        pytest.param(span("R ", 72, size=10), span("EFERENCES", 82, size=8), "R EFERENCES", id="spaced-before"),
        pytest.param(span("R", 72, size=10), span(" EFERENCES", 77, size=8), "REFERENCES", id="spaced-behind"),
        pytest.param(span("A", 72, size=10), span("DNA", 79, size=10), "A DNA", id="one-size"),
    ],
)
def test_small_capitals_are_one_word(head: object, tail: object, text: str) -> None:
    read = texts([[of(head, tail)]])  # type: ignore[arg-type]  # spans, as parametrized
    assert read == [text]


def test_page_with_an_abstract_above_two_columns_is_read_in_order() -> None:
    wide = [line(f"across {text.text}"[:95], y=text.y0) for text in prose(30, y=80)]
    left = [line(f"left {at} of the words", 72, 460 + 12 * at) for at in range(20)]
    right = [line(f"right {at} of the words", 320, 460 + 12 * at) for at in range(20)]
    firsts = [text.split()[0] for text in texts([[*wide, *left, *right]])]
    assert firsts == ["across"] * 30 + ["left"] * 20 + ["right"] * 20


ALIKE = "A. Author, A study number {} of long lists in many", "manuscripts. Journal of Lists {}, {}-{}."


@pytest.mark.parametrize("step", [12.0, 24.0], ids=["dense", "spaced"])
@pytest.mark.parametrize("labelled", [True, False], ids=["labelled", "bare"])
def test_entries_alike_but_for_their_numbers_are_no_running_heads(step: float, labelled: bool) -> None:
    count = int(700 / step)
    lines = [ALIKE[at % 2].format(*range(at, at + 3)) for at in range(6 * count)]
    if labelled:
        lines = [f"[{at // 2 + 1}] {text}" if at % 2 == 0 else text for at, text in enumerate(lines)]
    pages = [[line(lines[page * count + at], 72, 60 + step * at) for at in range(count)] for page in range(6)]
    assert len(texts(pages)) == len(lines)


def test_entry_with_a_label_of_the_sequence_is_no_running_head() -> None:
    pages = [
        [
            line(f"[{2 * at + 1}] Ibid., {at}.", 72, 60),
            *prose(20, y=110),
            line(f"[{2 * at + 2}] Roe, Rows, 3.", 72, 760),
        ]
        for at in range(5)
    ]
    assert sum(text.startswith("[") for text in texts(pages)) == 10


def test_head_that_stands_above_entries_alike_goes() -> None:
    pages = [
        [
            line(f"On Lists {page + 7}", 72, 40),
            *(line(ALIKE[0].format(page * 30 + at), 72, 80 + 12 * at) for at in range(30)),
        ]
        for page in range(5)
    ]
    assert not any(text.startswith("On Lists") for text in texts(pages))
