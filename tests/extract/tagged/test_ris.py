"""RIS, MEDLINE and EndNote's tagged export, in their dialects and broken in the usual ways."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.decode import Decoded
from citeaudit.extract.reader import read
from citeaudit.extract.tagged.endnote import read_endnote
from citeaudit.extract.tagged.medline import read_medline
from citeaudit.extract.tagged.ris import read_ris
from citeaudit.model import WorkType

ARTICLE = """\
TY  - JOUR
AU  - Kestrel, Maren A.
AU  - Oakes, Tim, Jr
A1  - Harbour Study Group
TI  - Tides and the timing of <i>larval</i> release
T2  - Journal of Shore Work
PY  - 2011/05//
VL  - 12
IS  - 3
SP  - 101
EP  - 119
DO  - https://doi.org/10.1234/JSW.2011.7
SN  - 0378-5955
UR  - https://example.org/tides
ER  -
"""
CHAPTER = """\
TY  - CHAP
A1  - Linden, P.
A2  - Marsh, Q.
TI  - Reading a river
BT  - Handbook of Water
PB  - Weir Press
Y1  - 1999
SP  - 3-17
SN  - 978-0-306-40615-7
ER  -
"""
MEDLINE = """\
PMID- 12345678
OWN - NLM
DP  - 2014 Mar-Apr
TI  - A trial of sleep
      in shift workers.
FAU - Aster, Ben C
AU  - Aster BC
FAU - Birch, Dora
AU  - Birch D
CN  - Night Study Group
JT  - Annals of rest
TA  - Ann Rest
VI  - 7
IP  - 2
PG  - 33-9
LID - 10.1234/ar.2014.2 [doi]
PMC - PMC4567890
PT  - Journal Article

PMID- 87654321
OWN - NLM
TI  - Another trial.
AU  - Cedar EF
DP  - 2015
JT  - Annals of rest
"""
TAGGED = """\
%0 Journal Article
%A Dale, Fay
%A Moor, G. H.
%A Fen Research Council,
%T Peat and time
%J Bog Letters
%D 2003
%V 4
%N 1
%P 10-20
%R 10.1234/bl.4.10
%@ 0378-5955

%0 Book Section
%A Heath, I.
%E Wold, J.
%T On drains
%B The Wet Book
%I Sluice
%D 1987
"""


def _text(source: str) -> Decoded:
    return Decoded(source, "utf-8", None)


def test_an_article_has_its_fields() -> None:
    one = read_ris(_text(ARTICLE), "x.ris").references[0]
    assert [str(person) for person in one.authors] == ["Maren A. Kestrel", "Tim Oakes Jr", "Harbour Study Group"]
    assert (one.title, one.container_title) == ("Tides and the timing of larval release", "Journal of Shore Work")
    assert (one.year, one.volume, one.issue, one.pages) == (2011, "12", "3", "101-119")
    assert one.type is WorkType.ARTICLE_JOURNAL
    assert one.identifiers.doi == "10.1234/jsw.2011.7"
    assert (one.identifiers.issn, one.identifiers.isbn) == ("0378-5955", None)
    assert one.identifiers.url == "https://example.org/tides"
    assert (one.parse_score, one.locus.line) == (1.0, 1)
    assert one.raw.startswith("TY  - JOUR")


def test_a_chapter_has_its_book_and_editors() -> None:
    one = read_ris(_text(ARTICLE + "\n" + CHAPTER), "x.ris").references[1]
    assert (one.title, one.container_title, one.publisher) == ("Reading a river", "Handbook of Water", "Weir Press")
    assert [str(person) for person in one.editors] == ["Q. Marsh"]
    assert (one.identifiers.isbn, one.pages, one.year) == ("9780306406157", "3-17", 1999)
    assert (one.type, one.locus.line) == (WorkType.CHAPTER, 17)


@pytest.mark.parametrize(
    ("source", "titles"),
    [
        pytest.param("TY  - JOUR\nTI  - One\nTY  - BOOK\nTI  - Two\nER  -\n", ["One", "Two"], id="missing-end"),
        pytest.param("TY  - JOUR\nTI  - One\nPY  - 20", ["One"], id="cut-short"),
        pytest.param("\ufeffTY  - JOUR\r\nTI  - One\r\nER  - \r\n".replace("\r\n", "\n"), ["One"], id="mark"),
        pytest.param("Provider: X\n\nTY  - JOUR\nT1  - One\nER  -", ["One"], id="preamble"),
        pytest.param("  TY  - JOUR\n  T1  - One\n  ER  -", ["One"], id="indented"),
        pytest.param("TY - JOUR\nT1 - One\nER -", ["One"], id="one-space"),
        pytest.param("TY  - BOOK\nBT  - One\nER  -", ["One"], id="book-by-bt"),
        pytest.param("TY  - CPAPER\nTI  - One long\ntitle\nER  -", ["One long title"], id="continued"),
        pytest.param(
            "TY  - JOUR\nTI  - One\nAB  - a\n\nb\nER  -\n\n\nTY  - X\nTI  - Two\nER  -", ["One", "Two"], id="blank"
        ),
        pytest.param("TI  - One\nAU  - A, B\nER  -", ["One"], id="missing-type"),
    ],
)
def test_dialects_and_slips_are_read(source: str, titles: list[str]) -> None:
    assert [one.title for one in read_ris(_text(source), "x").references] == titles


@pytest.mark.parametrize(
    ("end", "titles", "failed"),
    [
        pytest.param("TY  - BOOK\nTI  - Two wo", ["One"], 1, id="inside-a-line"),
        pytest.param("TY  - BOOK\nTI  - Two\n", ["One", "Two"], 0, id="no-end-of-the-last"),
        pytest.param("TY  - BOOK\nTI  - Two\nER  - ", ["One", "Two"], 0, id="whole"),
    ],
)
def test_an_entry_in_which_the_file_breaks_off_is_told(end: str, titles: list[str], failed: int) -> None:
    found = read_ris(_text(f"TY  - JOUR\nTI  - One\nER  - \n{end}"), "x")
    assert [one.title for one in found.references] == titles
    assert len(found.failed) == failed


@pytest.mark.parametrize(
    ("end", "failed"),
    [
        pytest.param("TI  - On the ro", 1, id="inside-a-line"),
        pytest.param("TI  - On rows\nSO  - Rows. 2001.", 0, id="whole"),
        pytest.param("TI  - On rows\n", 0, id="no-source"),
    ],
)
def test_a_record_in_which_the_file_breaks_off_is_told(end: str, failed: int) -> None:
    found = read_medline(_text(f"PMID- 1\nTI  - One\nSO  - J. 2001.\n\nPMID- 2\n{end}"), "x")
    assert (len(found.references), len(found.failed)) == (2 - failed, failed)


def test_a_list_without_its_ends_says_so() -> None:
    found = read_ris(_text("TY  - JOUR\nTI  - One\nTY  - BOOK\nTI  - Two\n"), "x")
    assert "without their end (ER)" in found.self_check.notes[0]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("JOUR", "article-journal"),
        ("CONF", "paper-conference"),
        ("THES", "thesis"),
        ("COMP", "software"),
        ("ZZZZ", "unknown"),
    ],
)
def test_types_are_told(name: str, kind: str) -> None:
    assert read_ris(_text(f"TY  - {name}\nTI  - One\nJO  - J\nER  -"), "x").references[0].type == kind


@pytest.mark.parametrize(
    ("tags", "field", "value"),
    [
        pytest.param("AU  - One, A.\nAU  - et al.", "authors_truncated", True, id="et-al"),
        pytest.param("AU  - One, A.; Two, B.", "authors_truncated", False, id="semicolons"),
        pytest.param("M3  - 10.1234/abc", "doi", "10.1234/abc", id="doi-in-m3"),
        pytest.param("UR  - https://doi.org/10.1234/abc", "doi", "10.1234/abc", id="doi-in-address"),
        pytest.param("AN  - 2345678\nDB  - PubMed", "pmid", "2345678", id="pmid"),
        pytest.param("AN  - 2345678\nDB  - Scopus", "pmid", None, id="other-accession"),
        pytest.param("C2  - PMC345678", "pmcid", "PMC345678", id="pmcid"),
        pytest.param("N1  - arXiv:1706.03762", "arxiv_id", "1706.03762", id="arxiv-in-note"),
        pytest.param("PY  - in press", "status", "in press", id="in-press"),
        pytest.param("DA  - 2010/05/12", "year", 2010, id="date"),
        pytest.param("N1  - Retracted", "acknowledged", True, id="retracted"),
    ],
)
def test_a_tag_gives_its_field(tags: str, field: str, value: object) -> None:
    one = read_ris(_text(f"TY  - JOUR\nTI  - One\nJO  - J\n{tags}\nER  -"), "x").references[0]
    assert getattr(one, field, None) == value or getattr(one.identifiers, field, None) == value


def test_broken_entries_cost_themselves() -> None:
    found = read_ris(_text("TY  - JOUR\nER  -\nAB  - stray\nER  -\n" + ARTICLE), "x")
    assert [block.locus.line for block in found.failed] == [1, 3]
    assert len(found.references) == 1
    assert found.self_check.expected == 3


def test_medline_has_its_fields() -> None:
    first, second = read_medline(_text(MEDLINE), "x.nbib").references
    assert [str(person) for person in first.authors] == ["Ben C Aster", "Dora Birch", "Night Study Group"]
    assert first.title == "A trial of sleep in shift workers"
    assert (first.container_title, first.year, first.volume, first.issue) == ("Annals of rest", 2014, "7", "2")
    assert first.pages == "33-9"
    assert (first.identifiers.pmid, first.identifiers.pmcid) == ("12345678", "PMC4567890")
    assert first.identifiers.doi == "10.1234/ar.2014.2"
    assert first.type is WorkType.ARTICLE_JOURNAL
    assert (second.title, str(second.authors[0]), second.locus.line) == ("Another trial", "EF Cedar", 20)


@pytest.mark.parametrize(
    ("tags", "kind", "container"),
    [
        pytest.param("PT  - Preprint\nJT  - bioRxiv", "preprint", "bioRxiv", id="preprint"),
        pytest.param("BTI - A book\nPT  - Book Chapter", "chapter", "A book", id="chapter"),
        pytest.param("JT  - Sleep\nPT  - Letter\nVI  - 1", "article-journal", "Sleep", id="letter"),
        pytest.param("PT  - Unheard Of", "unknown", None, id="unknown"),
    ],
)
def test_medline_kinds(tags: str, kind: str, container: str | None) -> None:
    one = read_medline(_text(f"PMID- 1\nTI  - Sleep well.\n{tags}\n"), "x").references[0]
    assert (one.type, one.container_title) == (kind, container)


def test_medline_names_in_short_form() -> None:
    one = read_medline(
        _text("PMID- 1\nAU  - De Wit AB\nAU  - Smith JA 3rd\nAU  - Team\nAU  - et al.\n"), "x"
    ).references[0]
    assert [(p.family, p.given, p.suffix, p.literal) for p in one.authors] == [
        ("De Wit", "AB", None, None),
        ("Smith", "JA", "3rd", None),
        (None, None, None, "Team"),
    ]
    assert one.authors_truncated


def test_endnote_has_its_fields() -> None:
    first, second = read_endnote(_text(TAGGED), "x.enw").references
    assert [str(person) for person in first.authors] == ["Fay Dale", "G. H. Moor", "Fen Research Council"]
    assert (first.title, first.container_title, first.year) == ("Peat and time", "Bog Letters", 2003)
    assert (first.volume, first.issue, first.pages, first.identifiers.doi) == ("4", "1", "10-20", "10.1234/bl.4.10")
    assert (second.title, second.container_title, second.type) == ("On drains", "The Wet Book", WorkType.CHAPTER)
    assert [str(person) for person in second.editors] == ["J. Wold"]


def test_refer_without_types_is_split_at_blank_lines() -> None:
    found = read_endnote(_text("%A One, A.\n%A Two, B.\n%T First\n\n%A Three, C.\n%T Second\n"), "x").references
    assert [(one.title, len(one.authors)) for one in found] == [("First", 2), ("Second", 1)]


@pytest.mark.parametrize(
    ("name", "source", "form"),
    [
        pytest.param("list.txt", ARTICLE, "ris", id="ris-as-txt"),
        pytest.param("list.bib", ARTICLE, "ris", id="ris-as-bib"),
        pytest.param("list", MEDLINE, "nbib", id="medline-without-suffix"),
        pytest.param("list.txt", MEDLINE, "nbib", id="medline-as-txt"),
        pytest.param("list.ris", TAGGED, "endnote", id="endnote-as-ris"),
        pytest.param("list.ris", CHAPTER, "ris", id="ris"),
    ],
)
def test_the_content_decides(name: str, source: str, form: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(source, encoding="utf-8")
    assert read(tmp_path / name).format == form


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252", "mac_roman"])
def test_any_encoding_is_read(encoding: str, tmp_path: Path) -> None:
    source = ARTICLE.replace("Kestrel", "Müllerén").replace("Tides", "Über die gröbsten Wellen")
    (tmp_path / "x.ris").write_bytes(source.encode(encoding))
    one = read(tmp_path / "x.ris").references[0]
    assert one.authors[0].family == "Müllerén"
    assert one.title is not None
    assert one.title.startswith("Über die gröbsten Wellen")


@pytest.mark.parametrize("name", ["x.ris", "x.nbib", "x.enw"])
def test_what_holds_nothing_gets_its_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("Nothing of the kind.\nNot at all.\n", encoding="utf-8")
    with pytest.raises(NoReferencesError, match="holds no reference"):
        read(tmp_path / name)
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(UnreadableDocumentError, match="is empty"):
        read(tmp_path / name)


@given(st.text(alphabet="TYERAUI -\n%0A\x00ü", max_size=200))
def test_no_text_raises_anything_else(source: str) -> None:
    for reader in (read_ris, read_medline, read_endnote):
        try:
            found = reader(_text(source), "x")
        except NoReferencesError:
            continue
        assert all(one.raw for one in found.references)
