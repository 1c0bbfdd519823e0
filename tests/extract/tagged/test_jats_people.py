"""People, notes and rarer parts of JATS and TEI entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.extract.intext.body import MarkKind
from citeaudit.extract.reader import read
from citeaudit.extract.tagged.jats import references_of
from citeaudit.extract.tagged.jats_text import body_of
from citeaudit.extract.tagged.record import Record, collect, pages, split_person
from citeaudit.extract.tagged.xml import parse_xml
from citeaudit.model import Reference, WorkType
from citeaudit.model.reference import Locus


def _ref(inside: str, kind: str = "journal", tag: str = "element-citation") -> Reference:
    source = f'<ref id="a"><{tag} publication-type="{kind}">{inside}</{tag}></ref>'
    root = parse_xml(source, "x").root
    return references_of(next(root.children("ref")), "x")[0]


NAME = "<name><surname>Kestrel</surname><given-names>M</given-names></name>"


@pytest.mark.parametrize(
    ("people", "authors", "editors"),
    [
        pytest.param(NAME, ["M Kestrel"], [], id="bare"),
        pytest.param(f"<person-group>{NAME}</person-group>", ["M Kestrel"], [], id="no-role"),
        pytest.param(f'<person-group person-group-type="editor">{NAME}</person-group>', [], ["M Kestrel"], id="editor"),
        pytest.param(f'<person-group person-group-type="translator">{NAME}</person-group>', [], [], id="translator"),
        pytest.param(
            f"<person-group><name-alternatives>{NAME}<string-name>X</string-name></name-alternatives></person-group>",
            *(["M Kestrel"], []),
            id="alternatives",
        ),
        pytest.param(
            "<person-group>Kestrel, M.; Oakes, T.; et al.</person-group>", ["M. Kestrel", "T. Oakes"], [], id="text"
        ),
        pytest.param(
            '<person-group person-group-type="editor">Wold, J.</person-group>', [], ["J. Wold"], id="text-of-editors"
        ),
        pytest.param("<string-name>Kestrel, M.</string-name>", ["M. Kestrel"], [], id="string-name"),
        pytest.param("<collab>Tide Group</collab>", ["Tide Group"], [], id="collab"),
        pytest.param(
            "<name><surname>Berg</surname><given-names>T</given-names><prefix>van den</prefix></name>",
            *(["T van den Berg"], []),
            id="particle",
        ),
    ],
)
def test_people_are_told_by_their_role(people: str, authors: list[str], editors: list[str]) -> None:
    one = _ref(f"{people}<article-title>Tides</article-title><source>J</source>")
    assert [str(person) for person in one.authors] == authors
    assert [str(person) for person in one.editors] == editors


@pytest.mark.parametrize(
    ("inside", "field", "value"),
    [
        pytest.param("<etal/>", "authors_truncated", True, id="et-al"),
        pytest.param("<comment>in press</comment>", "status", "in press", id="in-press"),
        pytest.param("<date>2012-03</date>", "year", 2012, id="date"),
        pytest.param("<elocation-id>e123</elocation-id>", "pages", "e123", id="article-number"),
        pytest.param("<page-range>3-9</page-range><fpage>3</fpage>", "pages", "3-9", id="page-range"),
        pytest.param("<comment>doi: 10.1234/x</comment>", "doi", "10.1234/x", id="doi-in-comment"),
        pytest.param('<pub-id pub-id-type="arxiv">1706.03762</pub-id>', "arxiv_id", "1706.03762", id="arxiv"),
        pytest.param('<pub-id pub-id-type="other">PMC345678</pub-id>', "pmcid", "PMC345678", id="other-id"),
        pytest.param('<ext-link ext-link-type="pmid" href="7654321"/>', "pmid", "7654321", id="link-to-pubmed"),
        pytest.param("<isbn>978-0-306-40615-7</isbn>", "isbn", "9780306406157", id="isbn"),
        pytest.param("<comment>Retracted</comment>", "acknowledged", True, id="retracted"),
    ],
)
def test_parts_give_their_fields(inside: str, field: str, value: object) -> None:
    one = _ref(f"{NAME}<article-title>Tides</article-title><source>J</source>{inside}")
    assert getattr(one, field, None) == value or getattr(one.identifiers, field, None) == value


def test_what_is_tagged_wins_over_the_text() -> None:
    one = _ref(
        "Kestrel M, Oakes T. Tides and the timing of larvae. <source>Shore Work</source> <year>2011</year>;12:101-119.",
        tag="mixed-citation",
    )
    assert (one.container_title, one.year, one.type) == ("Shore Work", 2011, WorkType.ARTICLE_JOURNAL)
    assert one.title == "Tides and the timing of larvae"
    assert one.parse_score < 1


def test_an_untitled_journal_reference_gets_no_title_from_its_journal() -> None:
    one = _ref(
        "<string-name><surname>Kestrel</surname>, <given-names>M.</given-names></string-name>, "
        "<source>Phys. Lett.</source>"
        " <volume>12</volume>, <fpage>3</fpage> (<year>1990</year>).",
        tag="mixed-citation",
    )
    assert (one.title, one.container_title, one.volume, one.year) == (None, "Phys. Lett.", "12", 1990)


def test_a_note_that_is_a_reference_is_read(tmp_path: Path) -> None:
    printed = "Linden, P. (2005). Reading a river from its banks. Journal of Water, 14(2), 22-31."
    note = f"<ref id='n'><label>7</label><note><p>{printed}</p></note></ref>"
    (tmp_path / "x.xml").write_text(f"<article><back><ref-list>{note}</ref-list></back></article>", encoding="utf-8")
    [one] = read(tmp_path / "x.xml").references
    assert (one.title, one.locus.label, one.locus.citekey) == ("Reading a river from its banks", "7", "n")


def test_notes_inside_the_text_and_tables_are_read() -> None:
    source = (
        "<article><body><p>Tides<fn id='f1'><label>*</label><p>As "
        "<xref ref-type='bibr' rid='R1'>1</xref> says.</p></fn>"
        " turn.<tex-math>x^2</tex-math></p><table-wrap><table><tr><td>a "
        "<xref ref-type='bibr' rid='R2'>2</xref></td></tr>"
        "</table></table-wrap><p>To <xref ref-type='bibr' rid='R9'>9</xref>-<xref ref-type='bibr' rid='R1'>1</xref></p>"
        "</body></article>"
    )
    references = [Reference(raw="x", locus=Locus(citekey=f"R{number}")) for number in (1, 2)]
    body = body_of(parse_xml(source, "x").root, references, "x")
    assert body is not None
    assert "x^2" not in body.text
    assert [mark.keys for mark in body.marks if mark.kind is MarkKind.CITE] == [("R2",), ("R9",), ("R1",), ("R1",)]
    assert [body.text[note.start : note.end].strip() for note in body.notes] == ["As 1 says."]
    assert [note.label for note in body.notes] == ["f1"]


@pytest.mark.parametrize(
    ("entry", "field", "value"),
    [
        pytest.param("<monogr><title level='j'>J Water</title></monogr>", "container_title", "J Water", id="no-title"),
        pytest.param(
            "<analytic><title level='a'>T</title></analytic><monogr>"
            "<title level='m'>P</title><meeting>M</meeting></monogr>",
            *("type", "paper-conference"),
            id="meeting",
        ),
        pytest.param(
            "<monogr><title>T</title><idno type='arXiv'>1706.03762</idno></monogr>", "type", "preprint", id="arxiv"
        ),
        pytest.param("<monogr><title>T</title></monogr><note type='report'>x</note>", "type", "report", id="report"),
        pytest.param(
            "<monogr><title>T</title><author><orgName>Tide Office</orgName></author></monogr>",
            *("authors", "Tide Office"),
            id="group",
        ),
        pytest.param(
            "<monogr><title>T</title><author>A, B.; C, D.</author></monogr>", "authors", "B. A; D. C", id="text"
        ),
        pytest.param(
            "<monogr><title type='main'>Water</title><title type='sub'>A story</title></monogr>",
            *("title", "Water: A story"),
            id="subtitle",
        ),
        pytest.param(
            "<monogr/><note type='raw_reference'>Linden, P. (2005). Reading a river. "
            "Journal of Water, 14(2), 22-31.</note>",
            *("title", "Reading a river"),
            id="only-printed",
        ),
    ],
)
def test_tei_parts(entry: str, field: str, value: str, tmp_path: Path) -> None:
    (tmp_path / "x.tei").write_text(f"<listBibl><biblStruct>{entry}</biblStruct></listBibl>", encoding="utf-8")
    found = getattr(read(tmp_path / "x.tei").references[0], field)
    assert ("; ".join(map(str, found)) if isinstance(found, tuple) else found) == value


def test_tei_text_has_its_marks(tmp_path: Path) -> None:
    source = (
        "<TEI><text><body><p>One <ref target='#b0'>[1]</ref> and <ref type='figure' target='#f'>Fig</ref>.</p></body>"
        "<back><listBibl><biblStruct xml:id='b0'><monogr><title>T</title></monogr></biblStruct>"
        "</listBibl></back></text></TEI>"
    )
    (tmp_path / "x.xml").write_text(source, encoding="utf-8")
    assert read(tmp_path / "x.xml").self_check.citations == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Kestrel", "Kestrel"),
        ("Maren Kestrel", "Maren Kestrel"),
        ("", None),
        (" ,", None),
        ("Institute of Tides, Department of Larvae", "Institute of Tides, Department of Larvae"),
        ("Kestrel, M., Jr", "M. Kestrel Jr"),
    ],
)
def test_a_name_in_one_string_is_split(text: str, told: str | None) -> None:
    person = split_person(text)
    assert (str(person) if person else None) == told


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [("3", "9", "3-9"), ("3-9", "9", "3-9"), (None, "9", "9"), ("7", None, "7"), (None, None, None), ("–", None, None)],
)
def test_pages_are_a_range(first: str | None, last: str | None, told: str | None) -> None:
    assert pages(first, last) == told


def test_identifiers_in_text_are_found_after_typed_ones() -> None:
    text = "arXiv:1706.03762, PMID: 7654321, PMC345678, ISBN 978-0-306-40615-7, https://example.org/x"
    found = collect([("any", text), ("doi", "not one"), ("doi", "10.1234/a")])
    assert [name for name, _ in found.pairs()] == ["doi", "arxiv_id", "pmid", "pmcid", "isbn", "url"]


def test_a_subtitle_joins_and_a_preprint_server_is_told() -> None:
    record = Record(title="Tides", subtitle="A story", container="bioRxiv", date="2020", type=WorkType.ARTICLE_JOURNAL)
    one = record.reference("x", Locus())
    assert (one.title, one.type) == ("Tides: A story", WorkType.PREPRINT)
    assert Record(date="2020").reference("", Locus()).parse_score == 0.3
