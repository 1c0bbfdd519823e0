from __future__ import annotations

from collections.abc import Sequence

import pytest

from citeaudit.extract.pdf.borders import group_size, is_caption, unheaded, usual_pitch
from citeaudit.extract.pdf.headings import is_heading
from citeaudit.extract.pdf.layout import Row, lay_out
from citeaudit.extract.pdf.reader import PdfExtractor
from citeaudit.extract.pdf.sections import Section, find_sections
from citeaudit.extract.pdf.segmentation import room_before
from citeaudit.extract.pdf.starts import by_starts
from citeaudit.pdf import Face, PdfLine
from tests.pdf.pages import line, listed, pdf, prose, reference


def rows(*pages: Sequence[PdfLine]) -> tuple[Row, ...]:
    return lay_out(pdf(pages)).rows


def raws(*pages: Sequence[PdfLine]) -> list[str]:
    return [each.raw for each in PdfExtractor().extract(pdf(pages), "a.pdf").references]


def wanted(*numbers: int) -> list[str]:
    return [reference(at) for at in numbers]


def heading(text: str, y: float, size: float = 12.0) -> PdfLine:
    return line(text, y=y, size=size, face=Face.BOLD)


@pytest.mark.parametrize(
    "text",
    [
        "R EFERENCES",
        "R E F E R E N C E S",
        "7. References",
        "VII. REFERENCES",
        "8 | REFERENCES",
        "559 References 560",
        "References:",
        "References for the supplement",
        "References (continued)",
        "References / Literatur",
        "参考文献(References)",
        "Quellen- und Literaturverzeichnis",
        "REFERÊNCIAS BIBLIOGRÁFICAS",
        "Bibliograﬁa",
        "Список использованной литературы",
        "참고문헌",
        "المراجع",
        "Källförteckning",
        "เอกสารอ้างอิง",
        "संदर्भ",
    ],
)
def test_headings_of_many_forms_and_languages_open_a_list(text: str) -> None:
    assert is_heading(text)


@pytest.mark.parametrize(
    "text",
    [
        "Table 2: References to related work",
        "References . . . . . . . 12",
        "References are given in the text",
        "Literature review",
        "References to related work",
        "[12] References 1999",
    ],
)
def test_what_only_names_references_opens_none(text: str) -> None:
    assert not is_heading(text)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Appendix A. Proofs of the claims", True),
        ("Anhang: Fragebogen", True),
        ("Über die Autoren", True),
        ("Appendix to the report of the board, which was long", False),
    ],
)
def test_appendices_end_a_list(text: str, *, ends: bool) -> None:
    assert is_heading(text, "end") == ends


@pytest.mark.parametrize(
    ("text", "caption"),
    [
        ("Table 3. Results by year", True),
        ("Abb. 2: Verlauf", True),
        ("Fig. S1 Map", True),
        ("Figures of speech are many", False),
        ("Table talk. London, 1999.", False),
    ],
)
def test_captions_are_known_by_their_number(text: str, *, caption: bool) -> None:
    assert is_caption(text) == caption


@pytest.mark.parametrize("hang", [0.0, 12.0], ids=["flush", "hanging"])
@pytest.mark.parametrize("size", [8.0, 10.0], ids=["smaller", "same-size"])
def test_list_without_heading_is_found_from_its_first_to_its_last_row(hang: float, size: float) -> None:
    body = prose(40)
    tail = prose(9, y=500)
    listing = listed(wanted(*range(12)), hang=hang, size=size)
    assert raws(body, [*listing, *tail]) == wanted(*range(12))


def test_prose_with_citations_is_no_list() -> None:
    cited = [
        line("It was said before (Adams, 1999) that they were not there (Baker, 2001).", y=80 + 12 * at)
        for at in range(50)
    ]
    assert unheaded(rows(cited)) is None
    assert unheaded(()) is None


def test_parts_of_a_list_are_read_without_their_headings() -> None:
    first, second = listed(wanted(0, 1, 2, 3), y=130), listed(wanted(4, 5, 6, 7), y=330)
    page = [heading("Bibliography", 80, 14.0), heading("Archives", 112), *first, heading("Printed works", 310), *second]
    assert raws(prose(30), page) == wanted(*range(8))


def test_table_inside_a_list_is_left_out() -> None:
    first, second = listed(wanted(0, 1, 2, 3), y=110), listed(wanted(4, 5, 6, 7), y=440)
    table = [line("Table 1. Results by region", y=290)]
    table += [line(f"Region {at} 0.{at}2 0.{at}7", y=304 + 12 * at) for at in range(10)]
    assert raws(prose(30), [heading("References", 80), *first, *table, *second]) == wanted(*range(8))


def test_figures_behind_a_list_are_no_references() -> None:
    captions = [
        line(f"Figure {at}: Values by year, 1990-2005, and by group, see Adams (1999).", y=340 + 30 * at)
        for at in range(1, 6)
    ]
    assert raws(prose(30), [heading("References", 80), *listed(wanted(*range(5)), y=110), *captions]) == wanted(
        *range(5)
    )


def test_lives_of_the_authors_are_no_references() -> None:
    life = listed(
        ["Jane R. Roe received the B.Sc. degree in 1998 and the Ph.D. degree in 2003 from the University of Rows."],
        y=400,
        hang=0,
    )
    assert raws(prose(30), [heading("References", 80), *listed(wanted(*range(6)), y=110), *life]) == wanted(*range(6))


def test_word_of_a_note_inside_a_reference_does_not_end_the_list() -> None:
    texts = wanted(*range(8))
    texts[2] = (
        "Clark, A. (1999). On a very long title of a chapter that is in a book, edited by Baker, P. London: Rows Press."
    )
    lines = listed(texts, y=110, width=76)
    assert any(item.text.startswith("edited by") for item in lines)
    assert raws(prose(30), [heading("References", 80), *lines]) == texts


def test_long_list_of_authors_does_not_end_the_list() -> None:
    names = "; ".join(f"{chr(65 + at % 26)}dams, {chr(66 + at % 20)}." for at in range(60))
    texts = [
        *wanted(0, 1, 2, 3, 4, 5),
        f"{names} (2016). On the observation of rows. Physical Rows, 116, 61-102.",
        *wanted(6, 7),
    ]
    assert len(raws(prose(30), [heading("References", 80), *listed(texts, y=110)])) == 9


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("hang", [0.0, 12.0], ids=["flush", "hanging"])
def test_short_lists_are_read(count: int, hang: float) -> None:
    texts = wanted(*range(count))
    assert raws(prose(40), [heading("References", 80), *listed(texts, y=110, hang=hang)]) == texts


def test_row_that_leaves_room_for_the_next_word_has_ended() -> None:
    found = rows(
        [line("a long row of words that fills it", y=100), line("short", y=112), line("another row of words", y=124)]
    )
    assert room_before(found) == [False, False, True]


def test_flush_list_is_cut_where_rows_leave_room() -> None:
    content = Section(rows(listed(wanted(*range(9)), hang=0)), "References")
    reading = by_starts(content, ())
    assert reading is not None
    assert len(reading.starts) == 9
    assert by_starts(Section((), None), ()) is None


def test_narrow_columns_need_more_rows_at_a_time() -> None:
    assert group_size(rows(prose(9, width=30))) > group_size(rows(prose(9)))
    assert usual_pitch(rows(prose(9))) == pytest.approx(12.0)
    assert usual_pitch(()) == 0.0


def test_second_list_for_the_supplement_is_read() -> None:
    first = [heading("References", 80), *listed(wanted(0, 1, 2, 3), y=110)]
    second = [heading("References for the supplement", 80), *listed(wanted(4, 5, 6), y=110)]
    found = find_sections(rows(prose(30), first, prose(12), second))
    assert [section.heading for section in found] == ["References", "References for the supplement"]
