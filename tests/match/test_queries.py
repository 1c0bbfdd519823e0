"""Questions: identifiers first, then the title, or the words where there is no title."""

from __future__ import annotations

import pytest

from citeaudit.extract.latex.bibtex import read_bibtex
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
        reference = Reference(raw="  Roe,\n A.  " + "x" * 5_000, title=title, parse_score=0.5)
        (query,) = queries(reference)
        assert query.kind is QueryKind.CITATION
        assert query.text.startswith("Roe, A. x")
        assert len(query.text) <= MAX_CITATION


PRIVATE = (
    "file = {/home/ed/Falcon/draft.pdf}",
    "annote = {Falcon note}",
    "abstract = {Falcon, in secret}",
    "owner = {falcon}",
)


@pytest.mark.parametrize("title", ["", "title = {},", "title = {???},"])
@pytest.mark.parametrize("private", [*PRIVATE, "note = {Falcon: not to be shared}", "keywords = {falcon-2027}"])
def test_of_an_entry_without_a_title_only_its_bibliography_leaves(title: str, private: str) -> None:
    fields = "author={Smith, John and Roe, A.}, journal={Phys Rev Lett}, year={1999}, volume={12}, pages={3--9}"
    [reference] = read_bibtex(f"@article{{falcon-key, {title} {fields}, {private}}}", path="x.bib").references
    [query] = queries(reference)
    assert (query.kind, query.text) == (QueryKind.CITATION, "Smith, Roe, Phys Rev Lett, 12, 3-9, 1999")


@pytest.mark.parametrize("private", [*PRIVATE, "note = {Falcon: not to be shared}"])
def test_of_an_entry_without_bibliography_nothing_leaves(private: str) -> None:
    [reference] = read_bibtex(f"@misc{{falcon-key, {private}}}", path="x.bib").references
    assert {query.text for query in queries(reference)} == {""}


def test_words_come_with_the_doi_that_is_cited_beside_them() -> None:
    assert [query.doi for query in queries(cite("A title", doi="10.1/X"))] == [None, "10.1/X"]
    assert [query.doi for query in queries(cite("A title"))] == [None]


@pytest.mark.parametrize(
    ("title", "formula"),
    [
        (r"{Orders of $\unknownmacro$ moths}", True),
        (r"{Orders of \ensuremath{\foo} moths}", True),
        (r"{Orders of \(x\) moths}", True),
        (r'"Orders of $x$ moths"', True),
        (r"{Moths at \$5 each}", False),
        ("{Moths}", False),
    ],
)
def test_a_formula_in_a_title_is_noted(title: str, *, formula: bool) -> None:
    rest = "booktitle = {On $x$}, author = {Roe, A.}, doi = {10.5555/x}"
    text = f"@article{{k, {rest}, title = {title}, note = {{$5}}}}"
    [reference] = read_bibtex(text, path="x.bib").references
    assert [query.formula for query in queries(reference)] == [False, formula]


def test_signs_of_a_printed_title_are_no_formula() -> None:
    reference = Reference(raw="Roe. title = $x$", title="Moths", parse_score=0.9)
    assert [query.formula for query in queries(reference)] == [False]
