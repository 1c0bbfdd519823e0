"""JATS, TEI and EndNote XML, and that no document type, entity or network is ever used."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.intext.body import MarkKind
from citeaudit.extract.reader import read
from citeaudit.extract.tagged import xml as module
from citeaudit.extract.tagged.jats_text import body_of
from citeaudit.extract.tagged.xml import parse_xml, top_element
from citeaudit.model import Extraction, WorkType

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.3//EN" "JATS-archivearticle1.dtd">
<article article-type="research-article" dtd-version="1.3" xmlns:xlink="http://www.w3.org/1999/xlink">
"""
ELEMENT = """<ref id="R1"><label>1.</label><element-citation publication-type="journal">
<person-group person-group-type="author"><name><surname>Kestrel</surname><given-names>M
A</given-names><suffix>Jr</suffix>
</name><name><surname>Oakes</surname><given-names>T</given-names></name><collab>Tide
Group</collab><etal/></person-group>
<article-title>Tides &ndash; and <italic>larvae</italic></article-title><source>J Shore Work</source><year>2011a</year>
<volume>12</volume><issue>3</issue><fpage>101</fpage><lpage>119</lpage><pub-id pub-id-type="doi">10.1234/JSW.7</pub-id>
<pub-id pub-id-type="pmid">7654321</pub-id></element-citation></ref>"""
MIXED = """<ref id="R2"><label>[2]</label><mixed-citation
publication-type="book"><string-name><surname>Linden</surname>,
<given-names>P.</given-names></string-name> (<year>1999</year>) <source>Handbook of Water</source>. <publisher-loc>Ouse
</publisher-loc>: <publisher-name>Weir Press</publisher-name>.</mixed-citation></ref>"""
CHAPTER = """<ref id="R3"><mixed-citation publication-type="book"><person-group
person-group-type="author"><string-name>Heath, I.
</string-name></person-group>. <chapter-title>On drains</chapter-title>. In: <person-group
person-group-type="editor"><name>
<surname>Wold</surname><given-names>J</given-names></name></person-group>, editor. <source>The Wet Book</source>.
<year>1987</year>. p. <fpage>3</fpage>-<lpage>17</lpage>.</mixed-citation></ref>"""
LOOSE = """<ref id="R4"><mixed-citation>Marsh, Q. (2005). Reading a river from its banks. Journal of Water, 14(2),
22-31.
<ext-link ext-link-type="doi" xlink:href="10.1234/jw.14.22">link</ext-link></mixed-citation></ref>"""
BODY = """<body><sec><title>Intro</title><p>Tides matter [<xref ref-type="bibr" rid="R1">1</xref>&#8211;<xref
ref-type="bibr"
rid="R3">3</xref>].<xref ref-type="fn" rid="fn1">a</xref></p><disp-quote><p>The river remembers all of its banks.</p>
<attrib><xref ref-type="bibr" rid="R4">Marsh 2005</xref></attrib></disp-quote><p>Area 5
m<sup>2</sup>.</p></sec></body>"""


def _article(*refs: str, body: str = "") -> str:
    notes = '<fn-group><fn id="fn1"><label>a</label><p>A note on tides.</p></fn></fn-group>'
    return f"{HEAD}{body}<back>{notes}<ref-list><title>References</title>{''.join(refs)}</ref-list></back></article>"


def _read(tmp_path: Path, source: str | bytes, name: str = "x.xml") -> Extraction:
    (tmp_path / name).write_bytes(source if isinstance(source, bytes) else source.encode())
    return read(tmp_path / name)


def test_an_element_citation_has_its_fields(tmp_path: Path) -> None:
    one = _read(tmp_path, _article(ELEMENT)).references[0]
    assert [str(person) for person in one.authors] == ["M A Kestrel Jr", "T Oakes", "Tide Group"]
    assert one.authors_truncated
    assert (one.title, one.container_title) == ("Tides – and larvae", "J Shore Work")
    assert (one.year, one.year_suffix, one.volume, one.issue, one.pages) == (2011, "a", "12", "3", "101-119")
    assert (one.identifiers.doi, one.identifiers.pmid) == ("10.1234/jsw.7", "7654321")
    assert (one.locus.label, one.locus.citekey, one.locus.line) == ("1", "R1", 4)
    assert (one.type, one.parse_score) == (WorkType.ARTICLE_JOURNAL, 1.0)
    assert "Kestrel" in one.raw
    assert "J Shore Work" in one.raw


def test_a_mixed_citation_with_tags_is_typed(tmp_path: Path) -> None:
    book, chapter = _read(tmp_path, _article(MIXED, CHAPTER)).references
    assert (book.title, book.container_title, book.publisher) == ("Handbook of Water", None, "Weir Press")
    assert (book.type, book.year, str(book.authors[0]), book.locus.label) == (WorkType.BOOK, 1999, "P. Linden", "2")
    assert (chapter.title, chapter.container_title, chapter.type) == ("On drains", "The Wet Book", WorkType.CHAPTER)
    assert [str(one) for one in (*chapter.authors, *chapter.editors)] == ["I. Heath", "J Wold"]
    assert chapter.pages == "3-17"
    assert chapter.raw.startswith("Heath, I. . On drains. In:")


def test_a_mixed_citation_without_tags_is_read_from_its_text(tmp_path: Path) -> None:
    one = _read(tmp_path, _article(LOOSE)).references[0]
    assert (one.title, one.year) == ("Reading a river from its banks", 2005)
    assert one.identifiers.doi == "10.1234/jw.14.22"
    assert 0.5 < one.parse_score < 1


@pytest.mark.parametrize(
    ("citation", "title", "container", "kind"),
    [
        pytest.param(
            '<element-citation publication-type="data"><data-title>Counts</data-title>'
            "<source>Dryad</source></element-citation>",
            *("Counts", "Dryad", "dataset"),
            id="data",
        ),
        pytest.param(
            '<nlm-citation citation-type="confproc"><article-title>A talk</article-title><conf-name>Conf X</conf-name>'
            "</nlm-citation>",
            *("A talk", "Conf X", "paper-conference"),
            id="nlm-conference",
        ),
        pytest.param(
            '<citation citation-type="web"><source>A site</source><uri>https://example.org/x</uri></citation>',
            *("A site", None, "webpage"),
            id="web",
        ),
        pytest.param(
            '<element-citation publication-type="journal"><source>Phys Lett</source><volume>3</volume><year>1990</year>'
            "<person-group><name><surname>A</surname></name></person-group></element-citation>",
            *(None, "Phys Lett", "article-journal"),
            id="no-title",
        ),
        pytest.param(
            '<element-citation publication-type="software"><source>shoretool</source>'
            "<version>2</version></element-citation>",
            *("shoretool", None, "software"),
            id="software",
        ),
        pytest.param(
            '<element-citation publication-type="preprint"><article-title>T</article-title><source>bioRxiv</source>'
            "</element-citation>",
            *("T", "bioRxiv", "preprint"),
            id="preprint",
        ),
    ],
)
def test_kinds_of_citations(citation: str, title: str | None, container: str | None, kind: str, tmp_path: Path) -> None:
    one = _read(tmp_path, _article(f'<ref id="x">{citation}</ref>')).references[0]
    assert (one.title, one.container_title, one.type) == (title, container, kind)


def test_one_label_may_hold_several_works_and_alternatives(tmp_path: Path) -> None:
    two = "".join(
        f"<element-citation><article-title>T{n}</article-title><source>S</source></element-citation>" for n in (1, 2)
    )
    either = (
        "<citation-alternatives><element-citation><article-title>T3</article-title></element-citation>"
        "<mixed-citation>Printed, T3.</mixed-citation></citation-alternatives>"
    )
    found = _read(tmp_path, _article(f'<ref id="a"><label>1</label>{two}</ref><ref id="b">{either}</ref>'))
    assert [one.title for one in found.references] == ["T1", "T2", "T3"]
    assert [one.locus.label for one in found.references] == ["1", "1", None]
    assert found.references[2].raw == "Printed, T3."


def test_several_lists_and_notes_are_told(tmp_path: Path) -> None:
    source = _article(ELEMENT, "<ref id='n'><note><p>We thank the tide.</p></note></ref>").replace(
        "</back>", f"<ref-list>{MIXED}</ref-list></back>"
    )
    found = _read(tmp_path, source)
    assert len(found.references) == 2
    assert "1 entry of the list is a note, not a reference, and was left out" in found.self_check.notes
    assert "2 lists of references were read" in found.self_check.notes


def test_the_running_text_carries_its_marks(tmp_path: Path) -> None:
    source = _article(ELEMENT, MIXED, CHAPTER, LOOSE, body=BODY)
    found = _read(tmp_path, source)
    body = body_of(parse_xml(source, "x").root, found.references, "x")
    assert body is not None
    cites = [(body.text[mark.start : mark.end], mark.keys) for mark in body.marks if mark.kind is MarkKind.CITE]
    assert cites == [("1", ("R1",)), ("3", ("R2", "R3")), ("Marsh 2005", ("R4",))]
    kinds = {mark.kind: body.text[mark.start : mark.end] for mark in body.marks}
    assert kinds[MarkKind.NOTE] == "a"
    assert kinds[MarkKind.RAISED] == "2"
    assert kinds[MarkKind.QUOTATION].startswith("The river remembers")
    assert [body.text[note.start : note.end].strip() for note in body.notes] == ["A note on tides."]
    assert body.text.startswith("Intro\n\nTides matter [1–3].a\n\n")
    assert body.locus(body.text.index("Area")).line is not None


TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><sourceDesc><biblStruct><analytic><title level="a">Own
title
</title></analytic></biblStruct></sourceDesc></fileDesc></teiHeader><text><body><div><head>One</head><p>Seen before
<ref type="bibr" target="#b0">(Kestrel, 2011)</ref>.<note place="foot" n="1">See the tide.</note></p><quote><p>Long
words.</p>
</quote></div></body><back><div type="references"><listBibl>
<biblStruct xml:id="b0"><analytic><title level="a" type="main">Tides and larvae</title><author><persName><forename
type="first">M</forename><forename type="middle">A</forename><surname>Kestrel</surname></persName></author>
<idno type="DOI">10.1234/JSW.7</idno></analytic><monogr><title level="j">J Shore Work</title><imprint><biblScope
unit="volume">12</biblScope><biblScope unit="issue">3</biblScope><biblScope unit="page" from="101" to="119" />
<date type="published" when="2011-05">2011</date></imprint></monogr><note type="raw_reference">Kestrel MA. Tides and
larvae.
J Shore Work 2011;12:101-119.</note></biblStruct>
<biblStruct xml:id="b1"><monogr><title level="m">Handbook of Water</title><author><persName><surname>Linden</surname>
<forename>P.</forename></persName></author><editor><persName><surname>Wold</surname></persName></editor><imprint><publisher>Weir
Press</publisher><date when="1999"/></imprint></monogr><ptr target="https://example.org/w"/></biblStruct>
<bibl xml:id="b2" n="3"><author>Heath, I.</author>, <title>On drains</title>, <title level="m">The Wet Book</title>,
<date>1987</date>, <biblScope unit="pp">3–17</biblScope>.</bibl>
<bibl>Marsh, Q. (2005). Reading a river from its banks. Journal of Water, 14(2), 22-31.</bibl>
</listBibl></div></back></text></TEI>"""


def test_tei_of_grobid_and_of_editors(tmp_path: Path) -> None:
    found = _read(tmp_path, TEI)
    assert found.format == "tei"
    article, book, chapter, loose = found.references
    assert (article.title, article.container_title, article.year) == ("Tides and larvae", "J Shore Work", 2011)
    assert (str(article.authors[0]), article.pages, article.volume) == ("M A Kestrel", "101-119", "12")
    assert (article.identifiers.doi, article.type) == ("10.1234/jsw.7", WorkType.ARTICLE_JOURNAL)
    assert article.raw.startswith("Kestrel MA. Tides")
    assert (book.title, book.publisher, book.type, book.year) == (
        "Handbook of Water",
        "Weir Press",
        WorkType.BOOK,
        1999,
    )
    assert (str(book.editors[0]), book.identifiers.url) == ("Wold", "https://example.org/w")
    assert (chapter.title, chapter.container_title, chapter.pages) == ("On drains", "The Wet Book", "3-17")
    assert (chapter.locus.citekey, chapter.locus.label, str(chapter.authors[0])) == ("b2", "3", "I. Heath")
    assert (loose.title, loose.parse_score < 1) == ("Reading a river from its banks", True)
    assert found.self_check.citations is not None


def test_tei_without_a_list_takes_entries_of_the_text(tmp_path: Path) -> None:
    source = (
        "<TEI><text><body><p>See <bibl><author>Heath, I.</author> <title>On drains</title> <date>1987</date></bibl>."
        "</p></body></text></TEI>"
    )
    assert [one.title for one in _read(tmp_path, source).references] == ["On drains"]


ENDNOTE = """<?xml version="1.0" encoding="UTF-8"?><xml><records><record><database
name="L">L</database><rec-number>1</rec-number>
<ref-type name="Journal Article">17</ref-type><contributors><authors><author><style face="normal">Kestrel, M.
A.</style></author>
<author><style>Tide Group,</style></author></authors></contributors><titles><title><style face="normal">Tides and
</style><style
face="italic">larvae</style></title><secondary-title>J Shore
Work</secondary-title></titles><periodical><full-title>Journal of
Shore
Work</full-title></periodical><pages>101-119</pages><volume>12</volume><number>3</number><dates><year>2011</year></dates>
<isbn>0378-5955</isbn><accession-num>7654321</accession-num><electronic-resource-num>10.1234/JSW.7</electronic-resource-num>
<urls><related-urls><url>https://example.org/t</url></related-urls></urls><custom2>PMC345678</custom2>
<remote-database-name>Medline</remote-database-name></record><record><ref-type name="Book
Section">5</ref-type><contributors>
<authors><author>Heath, I.</author></authors><secondary-authors><author>Wold,
J.</author></secondary-authors></contributors>
<titles><title>On drains</title><secondary-title>The Wet
Book</secondary-title></titles><publisher>Sluice</publisher></record>
<record></record></records></xml>"""


def test_endnote_xml_has_its_fields(tmp_path: Path) -> None:
    found = _read(tmp_path, ENDNOTE)
    assert found.format == "endnote-xml"
    first, second = found.references
    assert [str(person) for person in first.authors] == ["M. A. Kestrel", "Tide Group"]
    assert (first.title, first.container_title, first.year) == ("Tides and larvae", "Journal of Shore Work", 2011)
    assert dict(first.identifiers.pairs()) == {
        "doi": "10.1234/jsw.7",
        "pmid": "7654321",
        "pmcid": "PMC345678",
        "issn": "0378-5955",
        "url": "https://example.org/t",
    }
    assert (second.title, second.container_title, second.type) == ("On drains", "The Wet Book", WorkType.CHAPTER)
    assert [str(person) for person in second.editors] == ["J. Wold"]
    assert [block.message for block in found.failed] == ["the record is empty"]


@pytest.mark.parametrize(
    ("source", "form"),
    [(_article(ELEMENT), "jats"), (TEI, "tei"), (ENDNOTE, "endnote-xml")],
    ids=["jats", "tei", "endnote-xml"],
)
class TestEachFormat:
    """Whatever its name, however broken."""

    @pytest.mark.parametrize("name", ["x.txt", "x", "x.tei", "x.bib", "x.json"])
    def test_the_content_decides(self, source: str, form: str, name: str, tmp_path: Path) -> None:
        assert _read(tmp_path, source, name).format == form

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
    def test_any_encoding_is_read(self, source: str, form: str, encoding: str, tmp_path: Path) -> None:
        changed = source.replace("Kestrel", "Kästner").replace("–", "-")
        if encoding == "cp1252":
            changed = changed.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"')
        found = _read(tmp_path, changed.encode(encoding))
        assert found.format == form
        assert found.references[0].authors[0].family == "Kästner"

    def test_a_file_cut_short_is_read_up_to_there(self, source: str, form: str, tmp_path: Path) -> None:
        cut = source[: int(len(source) * 0.93)]
        found = _read(tmp_path, cut)
        assert [block.message for block in found.failed] == [
            "the file breaks off inside this entry; get the complete file"
        ]
        assert all(one.title for one in found.references)
        assert found.self_check.dangling == ()
        assert "only what stands before it was read" in " ".join(found.self_check.notes)

    def test_entities_of_its_own_are_refused(self, source: str, form: str, tmp_path: Path) -> None:
        bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
        body = source.partition("?>")[2].lstrip()
        body = body.partition(">")[2] if body.startswith("<!DOCTYPE") else body
        with pytest.raises(UnreadableDocumentError, match="defines entities"):
            _read(tmp_path, bomb + body)

    def test_too_much_is_refused(self, source: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MAX_BYTES", 500)
        with pytest.raises(UnreadableDocumentError, match="is larger than 0 MB; split it"):
            _read(tmp_path, source)


@pytest.mark.parametrize(
    ("source", "error", "said"),
    [
        pytest.param(b"", UnreadableDocumentError, "is empty", id="empty"),
        pytest.param(b"<a><b/></a>", NoReferencesError, "holds no reference list", id="other-xml"),
        pytest.param(b"no xml", UnreadableDocumentError, "is not XML, line 1", id="no-xml"),
        pytest.param(b"<article>" + b"<p>" * 2_000, UnreadableDocumentError, "nested too deeply", id="deep"),
        pytest.param(b"<article><!DOCTYPE x></article>", NoReferencesError, "holds no", id="doctype-inside"),
        pytest.param(
            b"<!DOCTYPE article SYSTEM 'file:///etc/passwd'><article/>", NoReferencesError, "holds no", id="system"
        ),
        pytest.param(b"<TEI></TEI>", NoReferencesError, "holds no bibliography", id="empty-tei"),
        pytest.param(b"<records><record></record></records>", None, "", id="empty-record"),
    ],
)
def test_what_is_no_list_gets_its_sentence(
    source: bytes, error: type[Exception] | None, said: str, tmp_path: Path
) -> None:
    if error is None:
        assert len(_read(tmp_path, source).failed) == 1
        return
    with pytest.raises(error, match=said):
        _read(tmp_path, source)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("<a>R&D &unknown; &amp; &ndash; &#945;</a>", "R&D &unknown; & – α", id="entities"),
        pytest.param("<!-- c --><?p i?><!DOCTYPE a [<!ELEMENT a (b)>]><a>x</a>", "x", id="internal-subset"),
        pytest.param("<n:a xmlns:n='u'><n:b>x</n:b>y</n:a>", "xy", id="prefixes"),
        pytest.param("<a>x\x0by</a>", "xy", id="control-character"),
        pytest.param("<a><![CDATA[<b>]]></a>", "<b>", id="cdata"),
    ],
)
def test_text_is_what_a_reader_sees(text: str, told: str) -> None:
    assert parse_xml(text, "x").root.text() == told


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("<?xml version='1.0'?>\n<!-- a --><!DOCTYPE b SYSTEM 'x'><j:article x='1'>", "article"),
        ("<TEI>", "TEI"),
        ("plain", ""),
        ("", ""),
        ("<!-- never closed", ""),
    ],
)
def test_the_top_element_is_told(text: str, name: str) -> None:
    assert top_element(text) == name


def test_a_list_cut_between_two_entries_is_told(tmp_path: Path) -> None:
    found = _read(tmp_path, _article(ELEMENT, MIXED, body=BODY).partition("</ref-list>")[0])
    assert [one.locus.label for one in found.references] == ["1", "2"]
    assert "inside this list" in found.failed[0].message
    assert found.self_check.dangling == ()


def test_a_text_cut_behind_its_list_has_lost_no_entry(tmp_path: Path) -> None:
    found = _read(tmp_path, _article(ELEMENT).removesuffix("</back></article>"))
    assert len(found.references) == 1
    assert found.failed == ()


def test_people_alone_are_no_reference_that_was_read_well(tmp_path: Path) -> None:
    alone = "<ref><element-citation><name><surname>Kestrel</surname></name></element-citation></ref>"
    assert _read(tmp_path, _article(alone)).references[0].parse_score <= 0.3
