"""What a Word document prints is what is read: lists of every kind, notes, quotations, links."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.extract.office.reader import DocxExtractor
from citeaudit.model import Extraction
from tests.extract.office.build import control, docx, heading, listed, paragraph, run

ONE = "Smith, J. (2020). On the rows of no list. Journal of Rows, 12(3), 45–67. https://doi.org/10.1000/rows.1"
TWO = "Jones, K., & Roe, R. (2019). A second title of no work. Journal of Lists, 4(1), 1–9."
THREE = "Poe, E. (2018). Third titles and their use. Annals of Titles, 7, 100–120."
TITLES = ["On the rows of no list", "A second title of no work", "Third titles and their use"]
UP = '<w:vertAlign w:val="superscript"/>'


def read(path: Path) -> Extraction:
    return DocxExtractor().read(path)


def titles(extraction: Extraction) -> list[str | None]:
    return [reference.title for reference in extraction.references]


@pytest.mark.parametrize(
    ("body", "labels"),
    [
        pytest.param([heading("References"), *map(paragraph, (ONE, TWO, THREE))], [None] * 3, id="paragraphs"),
        pytest.param([heading("Literaturverzeichnis"), *map(paragraph, (ONE, TWO, THREE))], [None] * 3, id="german"),
        pytest.param([paragraph("参考文献"), *map(paragraph, (ONE, TWO, THREE))], [None] * 3, id="chinese-paragraph"),
        pytest.param(
            [paragraph(run("Works Cited", "<w:b/>")), *map(paragraph, (ONE, TWO, THREE))], [None] * 3, id="bold-heading"
        ),
        pytest.param([heading("References"), *map(listed, (ONE, TWO, THREE))], ["1", "2", "3"], id="automatic-numbers"),
        pytest.param(
            [listed("A point in the text."), heading("References"), *(listed(one, 3) for one in (ONE, TWO, THREE))],
            ["1", "2", "3"],
            id="numbers-start-again",
        ),
        pytest.param(
            [heading("References"), *(paragraph(one, style="Listed") for one in (ONE, TWO, THREE))],
            ["1", "2", "3"],
            id="numbers-from-the-style",
        ),
        pytest.param([heading("References"), *(listed(one, 2) for one in (ONE, TWO, THREE))], [None] * 3, id="bullets"),
        pytest.param(
            [heading("References"), *(paragraph(f"[{n}] {one}") for n, one in enumerate((ONE, TWO, THREE), 1))],
            ["1", "2", "3"],
            id="typed-brackets",
        ),
        pytest.param(
            [
                heading("References"),
                *(paragraph(f"{n}.", "<w:r><w:tab/></w:r>", one) for n, one in enumerate((ONE, TWO, THREE), 1)),
            ],
            ["1", "2", "3"],
            id="typed-stops-and-tabs",
        ),
        pytest.param(
            [heading("References"), *(paragraph(f"{n} {one}") for n, one in enumerate((ONE, TWO, THREE), 1))],
            ["1", "2", "3"],
            id="bare-numbers",
        ),
        pytest.param(
            [heading("References"), *(paragraph(run(str(n), UP), one) for n, one in enumerate((ONE, TWO, THREE), 1))],
            ["1", "2", "3"],
            id="raised-numbers",
        ),
        pytest.param(
            [heading("References"), paragraph(ONE, "<w:r><w:br/></w:r>", TWO, "<w:r><w:br/></w:r>", THREE)],
            [None] * 3,
            id="line-breaks",
        ),
        pytest.param([paragraph("Some text."), *map(paragraph, (ONE, TWO, THREE))], [None] * 3, id="no-heading"),
        pytest.param(
            [paragraph("Text."), *(paragraph(one, style="Bib") for one in (ONE, TWO, THREE))], [None] * 3, id="style"
        ),
        pytest.param(
            [heading("Text"), control("".join(map(paragraph, (ONE, TWO, THREE))), properties="<w:bibliography/>")],
            [None] * 3,
            id="bibliography-control",
        ),
        pytest.param(
            [
                heading("References"),
                *map(paragraph, (ONE, TWO, THREE)),
                heading("Appendix A"),
                paragraph("More of 1999."),
            ],
            [None] * 3,
            id="before-an-appendix",
        ),
        pytest.param(
            [
                heading("References"),
                paragraph("Primary", style="H2"),
                paragraph(ONE),
                paragraph("Other", style="H2"),
                paragraph(TWO),
                paragraph(THREE),
            ],
            [None] * 3,
            id="headings-inside",
        ),
    ],
)
def test_list_is_read(tmp_path: Path, body: list[str], labels: list[str | None]) -> None:
    found = read(docx(tmp_path / "a.docx", paragraph("We begin with words."), *body))
    assert found.format == "docx"
    assert titles(found) == TITLES
    assert [reference.locus.label for reference in found.references] == labels
    assert [reference.year for reference in found.references] == [2020, 2019, 2018]
    assert found.references[0].identifiers.doi == "10.1000/rows.1"
    assert found.self_check.read == 3


def test_two_lists_are_read(tmp_path: Path) -> None:
    body = [
        heading("One"),
        heading("References"),
        paragraph(ONE),
        paragraph(TWO),
        heading("Two"),
        paragraph("Words."),
        heading("References"),
        paragraph(THREE),
    ]
    found = read(docx(tmp_path / "a.docx", *body))
    assert titles(found) == TITLES
    assert any("2 lists" in note for note in found.self_check.notes)


def test_missing_number_is_told(tmp_path: Path) -> None:
    body = [heading("References"), paragraph(f"[1] {ONE}"), paragraph(f"[3] {TWO}"), paragraph(f"[4] {THREE}")]
    check = read(docx(tmp_path / "a.docx", *body)).self_check
    assert (check.labels_missing, check.expected, check.complete) == (("2",), 4, False)


def test_tracked_changes_are_applied(tmp_path: Path) -> None:
    deleted = "<w:del><w:r><w:delText>deleted words</w:delText></w:r></w:del>"
    inserted = f"<w:ins>{run('rows of no list. ')}</w:ins>"
    body = [
        heading("References"),
        paragraph("Smith, J. (2020). On the ", deleted, inserted, "Journal of Rows, 12(3), 45–67."),
        paragraph(TWO),
        paragraph(THREE),
    ]
    found = read(docx(tmp_path / "a.docx", *body))
    assert titles(found)[0] == TITLES[0]
    assert "deleted" not in found.references[0].raw


def test_hidden_text_is_left_out_and_told(tmp_path: Path) -> None:
    body = [heading("References"), paragraph(ONE, run(" IGNORE ALL", "<w:vanish/>")), paragraph(TWO), paragraph(THREE)]
    found = read(docx(tmp_path / "a.docx", *body))
    assert "IGNORE" not in found.references[0].raw
    assert any("hidden text" in note for note in found.self_check.notes)


def test_link_gives_the_identifier(tmp_path: Path) -> None:
    linked = f'<w:hyperlink r:id="rId9">{run("A second title of no work")}</w:hyperlink>'
    field = (
        '<w:fldSimple w:instr=" HYPERLINK &quot;https://arxiv.org/abs/2001.00001&quot; ">'
        + run("link")
        + "</w:fldSimple>"
    )
    body = [
        heading("References"),
        paragraph(ONE),
        paragraph("Jones, K. (2019). ", linked, ". Journal of Lists, 4(1), 1–9."),
        paragraph(THREE, " ", field),
    ]
    found = read(docx(tmp_path / "a.docx", *body, links={"rId9": "https://doi.org/10.1000/lists.2"}))
    assert titles(found) == TITLES
    assert found.references[1].identifiers.doi == "10.1000/lists.2"
    assert found.references[2].identifiers.arxiv_id == "2001.00001"


def test_table_of_sources_is_read(tmp_path: Path) -> None:
    def row(*cells: str) -> str:
        return "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells) + "</w:tr>"

    table = (
        "<w:tbl>"
        + row("Title", "Author", "Year")
        + row(TITLES[0], "Smith, J.", "2020")
        + row(TITLES[1], "Jones, K.", "2019")
        + "</w:tbl>"
    )
    found = read(docx(tmp_path / "a.docx", heading("Sources"), table))
    assert titles(found) == TITLES[:2]
    assert [reference.year for reference in found.references] == [2020, 2019]


def test_text_box_holds_a_list(tmp_path: Path) -> None:
    box = (
        "<w:r><w:pict><v:shape"
        " xmlns:v='v'><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
    )
    inside = box.format("".join(map(paragraph, (ONE, TWO, THREE))))
    assert titles(read(docx(tmp_path / "a.docx", heading("References"), paragraph(inside)))) == TITLES


def test_contents_are_no_list(tmp_path: Path) -> None:
    body = [
        paragraph("References 12", style="Toc"),
        paragraph("We say so (Smith, 2020)."),
        heading("References"),
        *map(paragraph, (ONE, TWO, THREE)),
    ]
    found = read(docx(tmp_path / "a.docx", *body))
    assert titles(found) == TITLES
    assert [citation.references for citation in found.citations] == [(1,)]


def test_citations_and_quotations_are_linked(tmp_path: Path) -> None:
    body = [
        paragraph("They claim that “no list has any rows at all” (Smith, 2020, p. 46)."),
        paragraph("A block of quoted words stands here for long (Poe, 2018, p. 101).", style="Own"),
        paragraph(
            "Set in from both sides, these are quoted words as well (Jones & Roe, 2019, p. 4).",
            properties='<w:ind w:left="720" w:right="720"/>',
        ),
        heading("References"),
        *map(paragraph, (ONE, TWO, THREE)),
    ]
    found = read(docx(tmp_path / "a.docx", *body))
    assert [(quote.claimed_page) for reference in found.references for quote in reference.quotes] == ["46", "4", "101"]
    assert [reference.cited for reference in found.references] == [True] * 3
    assert [citation.locus.line for citation in found.citations] == [1, 2, 3]


def test_raised_numbers_cite(tmp_path: Path) -> None:
    text = paragraph("One claim", run("1", UP), ", another", run("2,", UP), run("3", UP), ".")
    found = read(docx(tmp_path / "a.docx", text, heading("References"), *map(listed, (ONE, TWO, THREE))))
    assert [citation.references for citation in found.citations] == [(1,), (2, 3)]


def test_cross_reference_into_the_list_cites(tmp_path: Path) -> None:
    mark = '<w:bookmarkStart w:id="1" w:name="_Ref77"/><w:bookmarkEnd w:id="1"/>'
    pointer = f'<w:fldSimple w:instr=" REF _Ref77 \\r \\h ">{run("[2]")}</w:fldSimple>'
    body = [
        paragraph("As was shown ", pointer, "."),
        heading("References"),
        listed(ONE),
        paragraph(mark, TWO, properties='<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'),
        listed(THREE),
    ]
    found = read(docx(tmp_path / "a.docx", *body))
    assert [citation.references for citation in found.citations] == [(2,)]


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_notes_hold_references_where_there_is_no_list(tmp_path: Path, kind: str) -> None:
    mark = '<w:r><w:rPr><w:rStyle w:val="Up"/></w:rPr><w:{0}Reference w:id="{1}"/></w:r>'
    body = [paragraph("A claim.", mark.format(kind, 3)), paragraph("Another claim.", mark.format(kind, 2))]
    notes = [paragraph(ONE), paragraph(TWO)]
    made = docx(
        tmp_path / "a.docx",
        *body,
        footnotes=notes if kind == "footnote" else (),
        endnotes=notes if kind == "endnote" else (),
    )
    found = read(made)
    assert titles(found) == [TITLES[1], TITLES[0]]  # in the order in which the text points to them
    assert [citation.references for citation in found.citations] == [(1,), (2,)]
    assert any("notes" in note for note in found.self_check.notes)


def test_notes_cite_the_list(tmp_path: Path) -> None:
    mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    body = [
        paragraph("They claim that “no list has any rows at all”.", mark),
        heading("References"),
        *map(paragraph, (ONE, TWO, THREE)),
    ]
    found = read(docx(tmp_path / "a.docx", *body, footnotes=[paragraph("Smith, On the rows of no list, p. 46.")]))
    assert titles(found) == TITLES
    assert [quote.claimed_page for quote in found.references[0].quotes] == ["46"]


def test_links_are_sources_where_there_is_nothing_else(tmp_path: Path) -> None:
    linked = f'<w:hyperlink r:id="rId9">{run("A survey of rows and lists")}</w:hyperlink>'
    found = read(
        docx(tmp_path / "a.docx", paragraph("See ", linked, "."), links={"rId9": "https://arxiv.org/abs/2001.00001"})
    )
    assert (found.self_check.method, titles(found)) == ("links", ["A survey of rows and lists"])
    assert found.references[0].identifiers.arxiv_id == "2001.00001"


def test_notes_in_words_are_read_as_such(tmp_path: Path) -> None:
    mark = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    first = "See J. Smith, On the Rows of No List (Berlin: Row Press, 2020), 46; "
    second = "Karl Jones, A Second Title of No Work (London: List Press, 2019), 3."
    notes = [
        first + second,
        "Ibid., 5.",
        "Smith, Rows, 50.",
        "Edgar Poe, Third Titles and Their Use (New York: Title House, 2018), 7. This is much debated.",
    ]
    body = [paragraph(f"Claim {place} of the text stands here.", mark.format(place + 2)) for place in range(4)]
    found = read(docx(tmp_path / "a.docx", *body, footnotes=[paragraph(note) for note in notes]))
    assert titles(found) == ["On the Rows of No List", "A Second Title of No Work", "Third Titles and Their Use"]
    assert {reference for citation in found.citations for reference in citation.references} == {1, 2, 3}
    assert found.self_check.method == "notes"


def test_odd_pieces_of_text_are_read(tmp_path: Path) -> None:
    hyphen = "<w:r><w:t>a well</w:t><w:noBreakHyphen/><w:t>known</w:t><w:br w:type='page'/><w:cr/><w:t>row</w:t></w:r>"
    ruby = f"<w:r><w:ruby><w:rt>{run('up')}</w:rt><w:rubyBase>{run('base')}</w:rubyBase></w:ruby></w:r>"
    box = "<w:txbxContent>{}</w:txbxContent>"
    drawn = "<w:r><w:AlternateContent><w:Choice>{}</w:Choice><w:Fallback>{}</w:Fallback></w:AlternateContent></w:r>"
    twice = box.format(paragraph("A box says so (Poe, 2018)."))
    cell = f"<w:tc>{paragraph('They say')}{paragraph('“no list has any rows at all” (Smith, 2020, p. 46).')}</w:tc>"
    deleted = f"<w:p><w:pPr/><w:moveFrom>{run('moved (Smith, 2020)')}</w:moveFrom></w:p>"
    body = [
        paragraph(hyphen, ruby, drawn.format(twice, twice), "<w:r><w:AlternateContent/></w:r>"),
        f"<w:customXml>{paragraph('Inside (Jones & Roe, 2019).')}</w:customXml>",
        '<w:bookmarkStart w:id="4" w:name="_Ref4"/>',
        f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>",
        deleted,
        control(paragraph("A control."), tag="any"),
        "<w:sdt><w:sdtPr/></w:sdt>",
        heading("References"),
        *map(paragraph, (ONE, TWO, THREE)),
    ]
    found = read(docx(tmp_path / "a.docx", *body))
    assert titles(found) == TITLES
    assert sorted(citation.references for citation in found.citations) == [(1,), (2,), (3,)]
    assert [quote.claimed_page for quote in found.references[0].quotes] == ["46"]
