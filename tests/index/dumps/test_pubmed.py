"""PubMed's XML as records."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index.dumps import pubmed
from citeaudit.index.store.record import About, Name, Record, RecordNotice
from citeaudit.model import NoticeType
from tests.index.dumps.xml_reading import SAMPLES, dump, faults, read, records

SAMPLE = SAMPLES / "pubmed.xml"
CITATION = "<MedlineCitation><PMID>8</PMID>{}</MedlineCitation>"


@pytest.fixture(scope="module")
def by_pmid() -> dict[str | None, Record]:
    return {record.pmid: record for record in records(read("pubmed", SAMPLE))}


def article(tmp_path: Path, inside: str = "", *, after: str = "", data: str = "") -> Record:
    path = tmp_path / "p.xml"
    path.write_text(
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article><ArticleTitle>Sap.</ArticleTitle>"
        f"{inside}</Article>{after}</MedlineCitation>{data}</PubmedArticle></PubmedArticleSet>"
    )
    (record,) = records(read("pubmed", path))
    return record


def test_an_article_is_read_in_full(by_pmid: dict[str | None, Record]) -> None:
    assert by_pmid["90000001"] == Record(
        title="Effect of CO2 on Bonsai minima",
        authors=(Name("Hollow", "Ada K"), Name("Brook", "Z. B."), Name(literal="Small Trees Study Group")),
        authors_complete=False,
        year=1998,
        venue="The journal of small trees",
        volume="12",
        issue="3 Suppl",
        pages="123-8",
        type="article-journal",
        doi="10.1234/jst.1998.123",
        pmid="90000001",
        pmcid="PMC9000001",
        src="pubmed",
        notices=(
            RecordNotice(NoticeType.RETRACTION, "10.1234/jst.2004.1", 2004),
            RecordNotice(NoticeType.CORRECTION, None, 1999),
        ),
        updated="2021-03-04",
    )


def test_a_notice_says_what_it_is_about(by_pmid: dict[str | None, Record]) -> None:
    notice = by_pmid["90000002"]
    assert notice.about == (
        About(NoticeType.RETRACTION, "pmid", "90000001"),
        About(NoticeType.CORRECTION, "doi", "10.1234/other.5"),
    )
    assert not notice.notices


def test_a_translated_title_keeps_its_brackets_beside_the_original(by_pmid: dict[str | None, Record]) -> None:
    notice = by_pmid["90000002"]
    assert notice.title == "[Notice about a study of bonsai]."
    assert notice.titles == ("Mitteilung über eine Bonsai-Studie",)
    assert (notice.pages, notice.venue) == ("e17", "J Small Trees")


def test_chapters_are_read_and_deletions_passed_over(by_pmid: dict[str | None, Record]) -> None:
    chapter = by_pmid["90000003"]
    assert (chapter.type, chapter.venue, chapter.isbn) == ("chapter", "Handbook of Trees", None)
    assert (chapter.authors, chapter.editors) == ((Name("Fir", "Abies"),), (Name("Oak", "Quercus"),))
    assert "90000009" not in by_pmid


def test_a_book_is_no_chapter(tmp_path: Path) -> None:
    path = tmp_path / "b.xml"
    book = "<Book><BookTitle>Trees</BookTitle><Isbn>9783161484100</Isbn></Book>"
    path.write_text(
        f"<PubmedArticleSet><PubmedBookArticle><BookDocument>{book}</BookDocument></PubmedBookArticle></PubmedArticleSet>"
    )
    (record,) = records(read("pubmed", path))
    assert (record.title, record.type, record.isbn) == ("Trees", "book", "9783161484100")


def test_a_retracted_work_without_a_link_still_carries_a_notice(tmp_path: Path) -> None:
    kinds = "<PublicationTypeList><PublicationType>Retracted Publication</PublicationType></PublicationTypeList>"
    assert article(tmp_path, kinds).notices == (RecordNotice(NoticeType.RETRACTION),)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("RetractionIn", NoticeType.RETRACTION),
        ("RetractedandRepublishedIn", NoticeType.RETRACTION),
        ("ExpressionOfConcernIn", NoticeType.CONCERN),
        ("ErratumIn", NoticeType.CORRECTION),
        ("PartialRetractionIn", NoticeType.CORRECTION),
        ("CommentIn", None),
        ("Cites", None),
        ("RetractedandRepublishedFrom", None),
    ],
)
def test_kinds_of_notices(kind: str, wanted: NoticeType | None, tmp_path: Path) -> None:
    comment = f'<CommentsCorrections RefType="{kind}"><PMID>8</PMID></CommentsCorrections>'
    record = article(tmp_path, after=f"<CommentsCorrectionsList>{comment}</CommentsCorrectionsList>")
    assert [notice.type for notice in record.notices] == ([wanted] if wanted else [])
    assert not record.about


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("<Year>2004</Year>", 2004),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", 1998),
        ("<MedlineDate>Winter 1976-1977</MedlineDate>", 1976),
        ("<MedlineDate>no date 12345</MedlineDate>", None),
        ("<Year/>", None),
    ],
)
def test_years(date: str, year: int | None, tmp_path: Path) -> None:
    journal = f"<Journal><JournalIssue><PubDate>{date}</PubDate></JournalIssue></Journal>"
    assert article(tmp_path, journal).year == year


@pytest.mark.parametrize(
    ("inside", "pages"),
    [
        ("<Pagination><MedlinePgn>123-8</MedlinePgn></Pagination>", "123-8"),
        ("<Pagination><StartPage>12</StartPage><EndPage>19</EndPage></Pagination>", "12-19"),
        ("<Pagination><StartPage>12</StartPage><EndPage>12</EndPage></Pagination>", "12"),
        ("<Pagination><MedlinePgn/></Pagination><ELocationID EIdType='pii'>e100</ELocationID>", "e100"),
        ("<ELocationID EIdType='pii'>S0140-6736(10)60175-4</ELocationID>", None),
    ],
)
def test_pages(inside: str, pages: str | None, tmp_path: Path) -> None:
    assert article(tmp_path, inside).pages == pages


@pytest.mark.parametrize(
    ("inside", "data", "doi"),
    [
        ("<ELocationID EIdType='doi' ValidYN='Y'>10.1234/A</ELocationID>", "", "10.1234/a"),
        ("<ELocationID EIdType='doi' ValidYN='N'>10.1234/a</ELocationID>", "", None),
        (
            "<ELocationID EIdType='doi'>10.1234/a</ELocationID>",
            "<PubmedData><ArticleIdList><ArticleId IdType='doi'>10.1234/b</ArticleId></ArticleIdList></PubmedData>",
            "10.1234/b",
        ),
    ],
)
def test_dois(inside: str, data: str, doi: str | None, tmp_path: Path) -> None:
    assert article(tmp_path, inside, data=data).doi == doi


@pytest.mark.parametrize(
    ("people", "authors", "complete"),
    [
        ("", (), None),
        ("<AuthorList><Author ValidYN='N'><LastName>Elm</LastName></Author></AuthorList>", (Name("Elm"),), None),
        ("<AuthorList CompleteYN='Y'><Author><Initials>A</Initials></Author></AuthorList>", (), None),
        ("<AuthorList CompleteYN='N'><Author><LastName>Elm</LastName></Author></AuthorList>", (Name("Elm"),), False),
    ],
)
def test_author_lists(people: str, authors: tuple[Name, ...], complete: bool | None, tmp_path: Path) -> None:
    record = article(tmp_path, people)
    assert (record.authors, record.authors_complete) == (authors, complete)


def test_a_preprint_and_an_odd_date(tmp_path: Path) -> None:
    kinds = "<PublicationTypeList><PublicationType>Preprint</PublicationType></PublicationTypeList><Journal/>"
    after = "<DateRevised><Year>2020</Year><Month>Mar</Month><Day>1</Day></DateRevised>"
    record = article(tmp_path, kinds, after=after)
    assert (record.type, record.updated, record.venue) == ("preprint", None, None)


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("<PubmedArticle><MedlineCitation><PMID>8</PMID>", "no well-formed XML"),
        (f"<PubmedArticle>{CITATION.format('')}</PubmedArticle>", "has no article"),
        ("<PubmedArticle><PubmedData/></PubmedArticle>", "has no citation"),
        (f"<PubmedArticle>{CITATION.format('<Article><ArticleTitle/></Article>')}</PubmedArticle>", "no letters"),
        ("<PubmedBookArticle><BookDocument><PMID>8</PMID></BookDocument></PubmedBookArticle>", "has no book"),
    ],
    ids=["open", "no-article", "no-citation", "no-title", "no-book"],
)
def test_a_malformed_record_is_placed_and_the_others_survive(broken: str, why: str, tmp_path: Path) -> None:
    good = (
        "<PubmedArticle><MedlineCitation><PMID>7</PMID><Article><ArticleTitle>Sap</ArticleTitle></Article>"
        "</MedlineCitation></PubmedArticle>"
    )
    path = tmp_path / "p.xml"
    path.write_text(f"<PubmedArticleSet>\n{good}\n{broken}\n{good}\n</PubmedArticleSet>")
    found = read("pubmed", path)
    assert len(records(found)) == 2
    ((where, told, *_),) = faults(found)
    assert where == ("line 3 (8)" if "PMID" in broken else "line 3")
    assert why in told


def test_a_file_is_one_unit_and_a_large_one_many_with_the_same_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pubmed26n0001.xml.gz"
    path.write_bytes(gzip.compress(SAMPLE.read_bytes()))
    whole = read("pubmed", path)
    assert [unit.data for unit in dump("pubmed").split(path)] == [None]
    monkeypatch.setattr(pubmed, "WHOLE_BYTES", 10)
    assert all(unit.data for unit in dump("pubmed").split(path))
    assert read("pubmed", path) == whole == read("pubmed", SAMPLE)


def test_half_a_file_is_refused_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "half.xml"
    path.write_bytes(SAMPLE.read_bytes()[:4_000])
    with pytest.raises(IndexBuildError, match=r"half\.xml: .*breaks off"):
        read("pubmed", path)
    with pytest.raises(IndexBuildError, match="cannot be read"):
        read("pubmed", tmp_path / "gone.xml")
