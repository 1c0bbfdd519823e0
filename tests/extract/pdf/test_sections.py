from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from citeaudit.extract.pdf.headings import is_heading, is_note
from citeaudit.extract.pdf.layout import Row, lay_out
from citeaudit.extract.pdf.likeness import likeness, years
from citeaudit.extract.pdf.sections import Section, find_sections, looks
from citeaudit.pdf import Face, PdfLine
from tests.pdf.pages import line, listed, pdf, prose, reference


def rows(*pages: Sequence[PdfLine]) -> tuple[Row, ...]:
    return lay_out(pdf(pages)).rows


def refs(first: int, count: int, y: float = 150.0, size: float = 10.0) -> list[PdfLine]:
    return listed([reference(at) for at in range(first, first + count)], y=y, size=size)


def heading(text: str = "References", y: float = 130.0, size: float = 14.0, face: int = Face.BOLD) -> PdfLine:
    return line(text, y=y, size=size, face=face)


def covers(section: Section, first: int, count: int) -> bool:
    """Whether a section holds these invented references and no other row."""
    expected = [item.text for item in refs(first, count)]
    return [row.text for row in section.rows] == expected


@pytest.mark.parametrize(
    "text",
    [
        "References",
        "REFERENCES",
        "R EFERENCES",
        "R e f e r e n c e s",
        "References:",
        "7. References",
        "7 References",
        "VII. REFERENCES",
        "A.2 References",
        "References 560",
        "559 References 560",
        "■ REFERENCES",
        "References and Notes",
        "Literature Cited",
        "Literaturverzeichnis",
        "Quellen- und Literaturverzeichnis",
        "Références bibliographiques",
        "Referencias",
        "Referências",
        "Riferimenti bibliografici",
        "Literatuur",
        "Källor",
        "Список литературы",
        "参考文献",
        "참고문헌",
        "Kaynakça",
    ],
)
def test_headings_of_lists_are_known(text: str) -> None:
    assert is_heading(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("References . . . . . . . . 12", id="contents"),
        pytest.param("Table 2: References to related work", id="caption"),
        pytest.param("References are given in the text", id="sentence"),
        pytest.param("Sources 2016, 311, 29.", id="journal-that-begins-so"),
        pytest.param("", id="empty"),
        pytest.param("1999", id="year"),
    ],
)
def test_other_lines_are_no_headings(text: str) -> None:
    assert not is_heading(text)


def test_closing_headings_and_notes_are_known() -> None:
    assert is_heading("Appendix", "end")
    assert is_heading("A. Appendix", "end")
    assert is_note("Received: 24 July 2014; accepted: 21 December 2014")
    assert not is_note("Roe J. 1999. On rows.")


@pytest.mark.parametrize("at", range(4))
def test_references_look_like_references(at: int) -> None:
    assert likeness(reference(at)) > 0.7


def test_prose_does_not() -> None:
    assert looks(rows(prose(12))) < 0.1
    assert looks(()) == 0.0
    assert likeness("  ") == 0.0


@pytest.mark.parametrize(
    ("text", "count"),
    [("1999", 1), ("10.1000/1999/x", 0), ("(2001a) and 2002", 2), ("19999", 0), ("1350", 0)],
)
def test_years_are_counted_but_not_in_longer_numbers_or_identifiers(text: str, count: int) -> None:
    assert years(text) == count


def test_list_is_found_below_its_heading() -> None:
    (section,) = find_sections(rows(prose(30), [heading(), *refs(0, 9)]))
    assert covers(section, 0, 9)
    assert section.heading == "References"


@pytest.mark.parametrize("size", [10.0, 14.0], ids=["same-size", "larger"])
def test_appendix_ends_the_list(size: float) -> None:
    appendix = [heading("Appendix", 500, size), *prose(12, y=520)]
    (section,) = find_sections(rows(prose(30), [heading(size=size), *refs(0, 9), *appendix]))
    assert covers(section, 0, 9)


def test_heading_set_like_that_of_the_list_ends_it() -> None:
    after = [heading("A longer story", 500), *prose(12, y=520)]
    (section,) = find_sections(rows(prose(30), [heading(), *refs(0, 9), *after]))
    assert covers(section, 0, 9)


def test_prose_after_the_list_ends_it_without_a_heading() -> None:
    (section,) = find_sections(rows(prose(30), [heading(), *refs(0, 9)], prose(30)))
    assert covers(section, 0, 9)


def test_note_of_the_publisher_ends_the_list() -> None:
    notes = [line("Received: 24 July 2014; accepted: 21 December 2014", y=500), *prose(4, y=520)]
    (section,) = find_sections(rows(prose(30), [heading(), *refs(0, 9), *notes]))
    assert covers(section, 0, 9)


def test_word_in_the_table_of_contents_is_passed_over() -> None:
    contents = [line("Contents", y=60), line("Introduction", y=80), line("References", y=92), line("Appendix", y=104)]
    (section,) = find_sections(rows([*contents, *prose(30, y=150)], prose(30), [heading(), *refs(0, 9)]))
    assert covers(section, 0, 9)


def test_running_head_inside_a_list_does_not_cut_it() -> None:
    pages = [[heading(), *refs(0, 9)], [line("REFERENCES", y=60), *refs(9, 9)]]
    (section,) = find_sections(rows(prose(30), *pages))
    assert len(section.rows) == len(refs(0, 9)) + len(refs(9, 9))


def test_two_lists_are_two_sections() -> None:
    second = [heading("Supplementary References", 60), *refs(9, 6, y=80)]
    first, last = find_sections(rows(prose(30), [heading(), *refs(0, 9)], prose(40), second))
    assert covers(first, 0, 9)
    assert last.heading == "Supplementary References"
    assert [row.text for row in last.rows] == [item.text for item in refs(9, 6)]


def test_captions_and_footers_among_the_references_are_left_out() -> None:
    stray = [line("Figure 3. What was seen in 1999.", y=400, size=7), line("Journal of Layout", y=412, size=7)]
    (section,) = find_sections(rows(prose(30), [heading(), *refs(0, 6), *stray, *refs(6, 5, y=430)]))
    assert all(row.size == 10 for row in section.rows)
    assert len(section.rows) == len(refs(0, 6)) + len(refs(6, 5))


def test_list_without_a_heading_is_found_by_its_looks() -> None:
    (section,) = find_sections(rows(prose(40), prose(40), refs(0, 12)))
    assert section.heading is None
    assert len(section.rows) >= len(refs(0, 12)) - 3


def test_list_without_a_heading_is_found_by_its_destinations() -> None:
    content = rows(prose(40), [*prose(10), *refs(0, 6, y=300)])
    starts = [at for at, row in enumerate(content) if "J. R., and" in row.text]
    (section,) = find_sections(content, starts)
    assert covers(section, 0, 6)


def test_list_without_a_heading_is_found_by_its_labels() -> None:
    labelled = [f"[{at + 1}] {reference(at)}" for at in range(7)]
    content = rows(prose(40), [*prose(6), *listed(labelled, y=250)])
    first = next(at for at, row in enumerate(content) if row.text.startswith("[1]"))
    last = next(at for at, row in enumerate(content) if row.text.startswith("[7]"))
    (section,) = find_sections(content, (), (first, last))
    assert section.rows[0].text.startswith("[1]")
    assert len(section.rows) == len(listed(labelled))


def test_labels_carry_a_list_over_rows_that_do_not_look_like_references() -> None:
    plain = [f"[{at + 1}] A work of which the title is all that they have" for at in range(4, 16)]
    content = rows(prose(40), [heading(), *listed([f"[{at + 1}] {reference(at)}" for at in range(4)] + plain, y=150)])
    last = next(at for at, row in enumerate(content) if row.text.startswith("[16]"))
    (section,) = find_sections(content, (), (41, last))
    assert section.rows[-1].text.startswith("[16]")


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([prose(50), prose(50)], id="prose"),
        pytest.param([prose(50), [heading(), *prose(40, y=150)]], id="prose-under-the-heading"),
        pytest.param([[heading(y=700)]], id="heading-alone"),
        pytest.param([[line("A word")]], id="one-line"),
    ],
)
def test_body_text_is_never_a_list(pages: list[list[PdfLine]]) -> None:
    assert find_sections(rows(*pages)) == ()


def test_thousands_of_headings_do_not_slow_the_search() -> None:
    content = rows(*[[line("References", y=60 + 9 * at, size=8) for at in range(80)] for _ in range(60)])
    started = time.monotonic()
    assert find_sections(content) == ()
    assert time.monotonic() - started < 50
