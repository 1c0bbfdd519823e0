from __future__ import annotations

import pytest

from citeaudit.extract.pdf.layout import Layout, lay_out
from citeaudit.pdf import Face, PdfLine
from tests.pdf.pages import line, of, pdf, prose, reference, span


def note(label: str, text: str, y: float, *, raised: bool = True, size: float = 8.0) -> PdfLine:
    mark = span(label, 72, y - 1, 6 if raised else size, Face.SUPERSCRIPT if raised else 0)
    return of(mark, span(f" {text}", 72 + 4 * len(label), y, size))


def read(*pages: list[PdfLine]) -> Layout:
    return lay_out(pdf(pages))


def found(layout: Layout) -> list[tuple[int, str, str]]:
    return [(item.page, item.label, item.text) for item in layout.notes]


def test_notes_at_the_foot_are_kept_apart_with_their_labels() -> None:
    first = [
        *prose(20, y=110),
        note("1", "Roe, Rows, 14.", 700),
        line("which is long.", 72, 710, 8),
        note("2", "Ibid.", 720),
    ]
    second = [*prose(20, y=110), note("3", "Poe, Columns, 3.", 700)]
    layout = read(first, second)
    assert found(layout) == [
        (1, "1", "Roe, Rows, 14. which is long."),
        (1, "2", "Ibid."),
        (2, "3", "Poe, Columns, 3."),
    ]
    assert len(layout.rows) == 40


def test_note_goes_on_at_the_foot_of_the_next_page() -> None:
    first = [*prose(20, y=110), note("1", "A note that does not", 700)]
    second = [*prose(20, y=110), line("end on its page.", 72, 690, 8), note("2", "Another.", 700)]
    assert found(read(first, second))[0] == (1, "1", "A note that does not end on its page.")


@pytest.mark.parametrize("label", ["*", "†", "a"])
def test_labels_may_be_signs_and_letters(label: str) -> None:
    assert found(read([*prose(20, y=110), note(label, "With thanks to all.", 700)])) == [
        (1, label, "With thanks to all.")
    ]


def test_plain_numbers_count_where_they_go_on_from_page_to_page() -> None:
    pages = [[*prose(20, y=110), note(f"{at}", "Roe, Rows, 14.", 700, raised=False)] for at in (1, 2)]
    assert [label for _, label, _ in found(read(*pages))] == ["1", "2"]


def test_numbered_list_in_small_type_is_no_block_of_notes() -> None:
    page = [*prose(20, y=110), *(note(str(at), reference(at), 400 + 20 * at, raised=False) for at in range(1, 9))]
    assert found(read(page)) == []


def test_list_under_its_heading_is_no_block_of_notes() -> None:
    entries = [note(str(at), reference(at), 420 + 20 * at) for at in range(1, 9)]
    assert found(read([*prose(20, y=110), line("References", 72, 400, 12), *entries])) == []


def test_caption_and_small_table_are_no_notes() -> None:
    page = [*prose(20, y=110), line("Figure 3. Rows and columns", 72, 600, 8), line("12 3.4 5.6", 72, 612, 8)]
    assert found(read(page)) == []


def test_formula_with_an_exponent_is_no_label() -> None:
    page = [
        *prose(20, y=110),
        line("and small type", 72, 690, 8),
        of(span("j", 72, 700, 6, 1), span("=1 holds", 76, 700, 8)),
    ]
    assert found(read(page)) == []


def test_empty_document_has_no_notes() -> None:
    assert read([]).notes == ()


def test_notes_end_where_a_list_begins_that_is_smaller_than_the_text_as_well() -> None:
    entries = [line(reference(at)[:60], 72, 400 + 12 * at, 9) for at in range(20)]
    page = [*prose(20, y=110), line("References", 72, 380, 12), *entries, note("1", "Roe, Rows, 14.", 700)]
    assert found(read([*prose(60, y=110)], page)) == [(2, "1", "Roe, Rows, 14.")]


FULL = "Jane Roe, The Reading of Rows (Bonn: Example Press, 1962), 10."


def called(*marks: str, y: float = 350.0) -> PdfLine:
    """A line of text that raises the labels of notes."""
    spans = []
    for at, mark in enumerate(marks):
        spans += [span("as was said then", 72 + 100 * at, y), span(mark, 152 + 100 * at, y - 1, 6, Face.SUPERSCRIPT)]
    return of(*spans)


@pytest.mark.parametrize("size", [10.0, 8.0], ids=["size-of-text", "more-notes-than-text"])
def test_notes_are_known_by_labels_that_the_text_raises(size: float) -> None:
    foot = [note("1", FULL, 500, size=size), note("2", "Ibid., 52.", 512, size=size)]
    foot += [note(f"{at}", f"See Roe, Rows, {at}, and so on, {FULL}", 500 + 12 * at, size=size) for at in range(3, 12)]
    layout = read([*prose(3, y=110), called("1", "2"), called(*(f"{at}" for at in range(3, 8)), y=364), *foot])
    assert [item.label for item in layout.notes] == [f"{at}" for at in range(1, 12)]
    assert len(layout.rows) == 5


@pytest.mark.parametrize(
    ("marks", "text"),
    [
        pytest.param(("8", "9"), FULL, id="labels-not-called"),
        pytest.param(("1", "2"), "Institute of Rows, University of Columns, Bonn", id="affiliations"),
    ],
)
def test_raised_labels_in_the_size_of_the_text_are_not_always_notes(marks: tuple[str, ...], text: str) -> None:
    page = [*prose(3, y=110), called(*marks), *(note(f"{at}", text, 488 + 12 * at, size=10) for at in (1, 2))]
    assert found(read(page)) == []


def test_list_with_raised_labels_under_its_heading_is_no_block_of_notes_in_the_size_of_the_text() -> None:
    entries = [note(str(at), FULL, 420 + 20 * at, size=10) for at in (1, 2)]
    assert found(read([*prose(3, y=110), called("1", "2"), line("References", 72, 400, 12), *entries])) == []
