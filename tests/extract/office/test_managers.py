"""What reference managers keep in a document's fields comes typed, and the printed list stays what is claimed."""

from __future__ import annotations

import base64
import json
from html import escape
from pathlib import Path

import pytest

from citeaudit.extract.office.reader import DocxExtractor
from citeaudit.model import Extraction, WorkType
from tests.extract.office.build import (
    char,
    code,
    complex_field,
    control,
    csl,
    docx,
    heading,
    mendeley_tag,
    paragraph,
    run,
    zotero,
)

ROWS = csl("On the rows of no list", "Smith", 2020, volume="12", page="45-67", DOI="10.1000/rows.1")
LISTS = csl("A second title of no work", "Jones", 2019, **{"container-title": "Journal of Lists"})
ONE = "Smith, A. (2020). On the rows of no list. Journal of Rows, 12(3), 45–67."
TWO = "Jones, A. (2019). A second title of no work. Journal of Lists, 4(1), 1–9."
RECORD = (
    '<EndNote><Cite><Author>Smith</Author><Year>2020</Year><Pages>46</Pages><record><ref-type name="Journal'
    ' Article">17</ref-type>'
    "<contributors><authors><author><style>Smith,"
    " A.</style></author></authors></contributors><titles><title><style>On the rows "
    "of no list</style></title><secondary-title>Journal of"
    " Rows</secondary-title></titles><dates><year>2020</year></dates>"
    "<electronic-resource-num>10.1000/rows.1</electronic-resource-num></record></Cite></EndNote>"
)
CITAVI = {
    "Entries": [
        {
            "Reference": {
                "Title": "On the rows of no list",
                "Authors": [{"FirstName": "A.", "LastName": "Smith"}],
                "Year": "2020",
                "Doi": "10.1000/rows.1",
                "Periodical": {"Name": "Journal of Rows"},
            }
        }
    ]
}
SOURCES = (
    '<b:Sources xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography"><b:Source><b:Tag>Smi'
    "20</b:Tag>"
    "<b:SourceType>JournalArticle</b:SourceType><b:Author><b:Author><b:NameList><b:Person><b:Last>Smith</b:Last>"
    "<b:First>A.</b:First></b:Person></b:NameList></b:Author></b:Author><b:Title>On the rows of no list</b:Title>"
    "<b:Year>2020</b:Year><b:JournalName>Journal of"
    " Rows</b:JournalName><b:DOI>10.1000/rows.1</b:DOI></b:Source><b:Source>"
    "<b:Tag>Who21</b:Tag><b:SourceType>Report</b:SourceType><b:Author><b:Author><b:Corporate>An"
    " Organisation</b:Corporate>"
    "</b:Author></b:Author><b:Title>Uncited report of lists</b:Title><b:Year>2021</b:Year></b:Source></b:Sources>"
)


def read(path: Path) -> Extraction:
    return DocxExtractor().read(path)


def b64(text: str, encoding: str = "utf-8") -> str:
    return base64.b64encode(text.encode(encoding)).decode()


@pytest.mark.parametrize(
    "cited",
    [
        pytest.param(complex_field(zotero(ROWS), "(Smith, 2020)"), id="zotero"),
        pytest.param(complex_field(zotero(ROWS), "(Smith, 2020)", cuts=40), id="code-over-many-runs"),
        pytest.param(complex_field(zotero(ROWS).replace("ZOTERO_ITEM ", ""), "(Smith, 2020)"), id="mendeley-desktop"),
        pytest.param(control(run("(Smith, 2020)"), tag=mendeley_tag(ROWS)), id="mendeley-cite"),
        pytest.param(complex_field(f" ADDIN EN.CITE {RECORD} ", "(Smith, 2020)"), id="endnote"),
        pytest.param(
            char("begin", b64(RECORD))
            + code(" ADDIN EN.CITE ")
            + char("begin", b64(RECORD))
            + code(" ADDIN EN.CITE.DATA ")
            + char("end")
            + char("separate")
            + run("(Smith, 2020)")
            + char("end"),
            id="endnote-data",
        ),
        pytest.param(
            complex_field(" ADDIN EN.CITE ", "(Smith, 2020)", data=b64(RECORD, "utf-16-le")), id="endnote-wide-data"
        ),
        pytest.param(
            complex_field(f"ADDIN CitaviPlaceholder{{{b64(json.dumps(CITAVI))}}}", "(Smith, 2020)"), id="citavi"
        ),
        pytest.param(complex_field(" CITATION Smi20 \\l 1033 ", "(Smith, 2020)"), id="word"),
        pytest.param(
            f'<w:fldSimple w:instr=" CITATION Smi20 \\l 1033 ">{run("(Smith, 2020)")}</w:fldSimple>',
            id="word-simple-field",
        ),
        pytest.param(
            char("begin")
            + code(" IF 1 ")
            + complex_field(zotero(LISTS), "x")
            + char("separate")
            + complex_field(zotero(ROWS), "(Smith, 2020)")
            + char("end"),
            id="inside-another-field",
        ),
    ],
)
def test_typed_citation_gives_the_work(tmp_path: Path, cited: str) -> None:
    found = read(
        docx(tmp_path / "a.docx", paragraph("As is said ", cited, "."), parts={"customXml/item1.xml": SOURCES})
    )
    work = next(one for one in found.references if one.title == "On the rows of no list")
    assert (work.year, work.identifiers.doi, work.parse_score) == (2020, "10.1000/rows.1", 1.0)
    assert (work.authors[0].family, work.authors[0].given) == ("Smith", "A.")
    assert found.self_check.method == "fields"
    assert "On the rows of no list" in work.raw
    assert [(citation.text, citation.missing) for citation in found.citations if citation.references] == [
        ("(Smith, 2020)", ())
    ]
    assert all(one.title != "Uncited report of lists" for one in found.references)


def test_printed_line_is_what_is_claimed(tmp_path: Path) -> None:
    cited = complex_field(zotero(ROWS, LISTS), "(Smith, 2020; Jones, 2019)")
    field = char("begin") + code(" ADDIN ZOTERO_BIBL {} CSL_BIBLIOGRAPHY ") + char("separate")
    altered = ONE.replace("2020", "2021")
    body = [paragraph("Said ", cited), heading("Bibliography"), paragraph(field, altered), paragraph(TWO, char("end"))]
    first, second = read(docx(tmp_path / "a.docx", *body)).references
    assert (first.raw, second.raw) == (altered, TWO)
    assert (first.year, second.year) == (2021, 2019)  # as printed, whatever the field says
    assert first.parse_score < 1.0
    assert (second.parse_score, second.container_title) == (1.0, "Journal of Lists")
    assert first.identifiers.doi == "10.1000/rows.1"  # not printed, so that nothing speaks against it
    assert (first.locus.line, second.locus.line) == (3, 4)


def test_work_that_is_not_printed_is_kept_and_told(tmp_path: Path) -> None:
    body = [paragraph("Said ", complex_field(zotero(ROWS, LISTS), "(1, 2)")), heading("References"), paragraph(ONE)]
    found = read(docx(tmp_path / "a.docx", *body))
    assert [one.title for one in found.references] == ["On the rows of no list", "A second title of no work"]
    assert any("1 work that fields cite was not found" in note for note in found.self_check.notes)


def test_pages_of_a_citation_are_claimed(tmp_path: Path) -> None:
    cited = complex_field(zotero(ROWS, LISTS, pages=["46", ""]), "(Smith, 2020, p. 46; Jones, 2019)")
    text = paragraph("They claim that “no list has any rows at all” ", cited, ".")
    found = read(docx(tmp_path / "a.docx", text, heading("References"), paragraph(ONE), paragraph(TWO)))
    assert [(citation.references, citation.claimed_page) for citation in found.citations] == [((1, 2), "46")]
    assert [quote.claimed_page for quote in found.references[0].quotes] == ["46"]
    assert [reference.cited for reference in found.references] == [True, True]


def test_word_switches_are_read(tmp_path: Path) -> None:
    text = paragraph(
        "Said ", complex_field(' CITATION Smi20 \\p "46" \\l 1033 \\m Who21 ', "(Smith, 2020, 46; An, 2021)")
    )
    found = read(docx(tmp_path / "a.docx", text, parts={"customXml/item1.xml": SOURCES}))
    assert [one.type for one in found.references] == [WorkType.ARTICLE_JOURNAL, WorkType.REPORT]
    assert str(found.references[1].authors[0]) == "An Organisation"
    assert found.citations[0].claimed_page == "46"


def test_uncited_sources_count_where_nothing_else_is_there(tmp_path: Path) -> None:
    found = read(
        docx(
            tmp_path / "a.docx",
            paragraph("Words."),
            parts={"customXml/item1.xml": SOURCES, "customXml/item2.xml": "<x"},
        )
    )
    assert len(found.references) == 2


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(" ADDIN ZOTERO_ITEM CSL_CITATION {broken ", id="json"),
        pytest.param(" ADDIN ZOTERO_ITEM CSL_CITATION " + '{"a":' * 5_000, id="deep-json"),
        pytest.param(" ADDIN EN.CITE <EndNote><!DOCTYPE x><Cite", id="xml"),
    ],
)
def test_broken_field_is_told_and_harms_nothing(tmp_path: Path, broken: str) -> None:
    body = [paragraph("Said ", complex_field(broken, "(Smith, 2020)")), heading("References"), paragraph(ONE)]
    found = read(docx(tmp_path / "a.docx", *body))
    assert [one.year for one in found.references] == [2020]


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(" ADDIN ZOTERO_ITEM CSL_CITATION [1] ", id="no-object"),
        pytest.param(' ADDIN ZOTERO_ITEM CSL_CITATION {"citationItems": [1, {"itemData": 2}]} ', id="no-items"),
        pytest.param(" ADDIN EN.CITE ", id="no-data"),
        pytest.param(" ADDIN CitaviPlaceholder{AAAAAAAAAAAA}", id="no-citavi"),
        pytest.param(" CITATION  \\l ", id="no-tag"),
        pytest.param(" CITATION Gone20 ", id="unknown-tag"),
        pytest.param(" PAGE ", id="no-citation"),
    ],
)
def test_odd_field_harms_nothing(tmp_path: Path, odd: str) -> None:
    body = [paragraph("Said ", complex_field(odd, "x")), char("end"), heading("References"), paragraph(ONE)]
    assert [one.year for one in read(docx(tmp_path / "a.docx", *body)).references] == [2020]


CUSTOM = (
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" '
    'xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">{}</Properties>'
)


def marked(name: str, content: str, number: int, *, ends: bool = True) -> str:
    """Give content inside a bookmark."""
    end = f'<w:bookmarkEnd w:id="{number}"/>' if ends else ""
    return f'<w:bookmarkStart w:id="{number}" w:name="{name}"/>{content}{end}'


def stored(**codes: str) -> dict[str, str]:
    """Give the part with custom properties, each code cut in two as Zotero cuts at 255 characters."""
    properties = "".join(
        f'<property name="{name}_{place}"><vt:lpwstr>{escape(piece)}</vt:lpwstr></property>'
        for name, code_ in codes.items()
        for place, piece in ((2, code_[40:]), (1, code_[:40]))
    )
    return {"docProps/custom.xml": CUSTOM.format(properties)}


@pytest.mark.parametrize("ends", [pytest.param(True, id="whole"), pytest.param(False, id="end-lost")])
def test_citations_that_zotero_keeps_as_bookmarks_are_typed(tmp_path: Path, *, ends: bool) -> None:
    cited = zotero(ROWS, pages=["46"]).strip().removeprefix("ADDIN ")
    body = [
        paragraph(
            "Rows are said to be of no list ", marked("ZOTERO_BREF_ab12", run("(Smith, 2020, 46)"), 3, ends=ends), "."
        ),
        paragraph("Nothing is cited here."),
        '<w:bookmarkStart w:id="9" w:name="ZOTERO_BREF_list"/>',
        paragraph(ONE),
        '<w:bookmarkEnd w:id="9"/>',
    ]
    parts = stored(ZOTERO_BREF_ab12=cited, ZOTERO_BREF_list='ZOTERO_BIBL {"uncited":[]} CSL_BIBLIOGRAPHY and more')
    found = read(docx(tmp_path / "a.docx", *body, parts=parts))
    (reference,) = found.references
    assert (reference.identifiers.doi, reference.raw, reference.cited) == ("10.1000/rows.1", ONE, True)
    assert [(one.references, one.claimed_page) for one in found.citations] == [((1,), "46")]


def test_custom_properties_that_are_broken_harm_nothing(tmp_path: Path) -> None:
    body = [paragraph("Said ", marked("ZOTERO_BREF_x", run("(Smith, 2020)"), 1)), heading("References"), paragraph(ONE)]
    parts = {"docProps/custom.xml": "<Properties><property name="}
    assert [one.year for one in read(docx(tmp_path / "a.docx", *body, parts=parts)).references] == [2020]
