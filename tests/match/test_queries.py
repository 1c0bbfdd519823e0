"""Questions: identifiers first, then the title, or the words where there is no title."""

from __future__ import annotations

from citeaudit.match.queries import MAX_CITATION, queries
from citeaudit.model import QueryKind, Reference
from tests.match.build import cite


def test_identifiers_come_before_the_title() -> None:
    asked = queries(cite("A title", "Ada Roe; =OpenAI", 1999, doi="10.1/X", arxiv_id="1706.03762v7", pmid="12"))
    assert [(query.kind, query.text) for query in asked] == [
        (QueryKind.DOI, "10.1/x"),
        (QueryKind.ARXIV_ID, "1706.03762"),
        (QueryKind.PMID, "12"),
        (QueryKind.TITLE, "A title"),
    ]
    assert {query.families for query in asked} == {("Roe", "OpenAI")}
    assert {query.year for query in asked} == {1999}


def test_an_arxiv_doi_is_also_asked_as_an_id_without_version() -> None:
    asked = queries(cite("A title", doi="10.48550/arXiv.2602.12172v1"))
    assert [query.text for query in asked] == ["10.48550/arxiv.2602.12172", "2602.12172", "A title"]


def test_words_are_asked_where_there_is_no_title() -> None:
    for title in (None, "???"):
        reference = Reference(raw="  Roe,\n A.  " + "x" * 5_000, title=title)
        (query,) = queries(reference)
        assert query.kind is QueryKind.CITATION
        assert query.text.startswith("Roe, A. x")
        assert len(query.text) <= MAX_CITATION
