from __future__ import annotations

import pytest

from citeaudit.extract.pdf.layout import Row, lay_out
from citeaudit.extract.pdf.links import Linked, assign, own_dois
from citeaudit.extract.pdf.pieces import Piece
from citeaudit.pdf import Link, PdfText
from tests.pdf.pages import line, pdf, prose


def link(row: Row, uri: str, *, x0: float | None = None) -> Link:
    """A link over one row, a little higher than it, as producers draw them."""
    return Link(row.x0 if x0 is None else x0, row.y0 - 2, row.x1, row.y1 - 1, uri=uri)


def two() -> tuple[list[Row], list[Piece]]:
    rows = list(lay_out(pdf([[line(f"Reference {at}, 1999.", y=100 + 12 * at) for at in range(4)]])).rows)
    return rows, [Piece("first", tuple(rows[:2]), None, None), Piece("second", tuple(rows[2:]), None, None)]


def document(links: list[Link], metadata: dict[str, str] | None = None) -> PdfText:
    return pdf([[line("10.1000/own first page")], []][:1], links={1: links}, metadata=metadata)


@pytest.mark.parametrize(
    ("uri", "linked"),
    [
        pytest.param("https://doi.org/10.1000/Abc", Linked(doi="10.1000/abc"), id="doi"),
        pytest.param(
            "http://dx.doi.org/10.1016/0022-0981%2890%2990090-T",
            Linked(doi="10.1016/0022-0981(90)90090-t"),
            id="percent",
        ),
        pytest.param("https://arxiv.org/abs/1706.03762v2", Linked(arxiv_id="1706.03762v2"), id="arxiv"),
        pytest.param("https://pubmed.ncbi.nlm.nih.gov/23874189/", Linked(pmid="23874189"), id="pubmed"),
        pytest.param("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC3715443", Linked(pmcid="PMC3715443"), id="pmc"),
        pytest.param("https://example.org/report.html", Linked(url="https://example.org/report.html"), id="address"),
        pytest.param("https://scholar.google.com/scholar?q=10.1000/x", Linked(), id="search"),
        pytest.param("https://doi.org/10.1000/own", Linked(), id="the-article-itself"),
        pytest.param("https://doi.org/10.1000/own.s001", Linked(), id="its-supplement"),
        pytest.param("mailto:roe@example.org", Linked(), id="mail"),
    ],
)
def test_link_gives_its_identifier_to_the_reference_it_lies_on(uri: str, linked: Linked) -> None:
    rows, pieces = two()
    found = assign(document([link(rows[3], uri)]), pieces, frozenset({"10.1000/own"}))
    assert found == (Linked(), linked)


def test_link_never_goes_to_the_neighbour() -> None:
    rows, pieces = two()
    links = [link(rows[1], "https://doi.org/10.1000/one"), link(rows[2], "https://doi.org/10.1000/two")]
    found = assign(document(links), pieces, frozenset())
    assert [item.doi for item in found] == ["10.1000/one", "10.1000/two"]


def test_first_link_of_a_kind_counts() -> None:
    rows, pieces = two()
    links = [link(rows[0], "https://doi.org/10.1000/one"), link(rows[1], "https://doi.org/10.1000/other")]
    assert assign(document(links), pieces, frozenset())[0].doi == "10.1000/one"


def test_link_beside_all_rows_or_on_another_page_belongs_to_none() -> None:
    rows, pieces = two()
    far = Link(400, 600, 500, 610, uri="https://doi.org/10.1000/far")
    inner = Link(10, 10, 20, 20, name="cite.a")
    elsewhere = pdf([[], []], links={2: [link(rows[0], "https://doi.org/10.1000/x")]})
    assert assign(document([far, inner]), pieces, frozenset()) == (Linked(), Linked())
    assert assign(elsewhere, pieces, frozenset()) == (Linked(), Linked())


def test_own_doi_comes_from_metadata_and_the_first_page() -> None:
    pages = [[line("https://doi.org/10.1000/printed"), *prose(2, y=200)], [line("10.1000/cited")]]
    found = own_dois(pdf(pages, metadata={"subject": "Journal, doi:10.1000/named"}))
    assert found == {"10.1000/printed", "10.1000/named"}


def test_single_page_may_be_the_list_itself() -> None:
    assert own_dois(pdf([[line("10.1000/cited")]])) == frozenset()


def test_link_close_below_a_reference_is_its_own() -> None:
    rows, pieces = two()
    below = Link(80, rows[3].y1 + 1, 150, rows[3].y1 + 10, uri="https://doi.org/10.1000/two")
    far = Link(80, rows[3].y1 + 40, 150, rows[3].y1 + 50, uri="https://doi.org/10.1000/foot")
    assert [item.doi for item in assign(document([below, far]), pieces, frozenset())] == [None, "10.1000/two"]


def test_leftover_of_an_editor_says_nothing() -> None:
    rows, pieces = two()
    thin = Link(90, rows[0].y0, 91.6, rows[0].y1, uri="https://doi.org/10.1000/old")
    assert assign(document([thin]), pieces, frozenset()) == (Linked(), Linked())


@pytest.mark.parametrize(
    ("printed", "linked", "doi"),
    [
        pytest.param("Roe, 1999. doi:10.1000/abc", "10.1000/abc", "10.1000/abc", id="same"),
        pytest.param("Roe, 1999. doi:10.1000/ab c-d", "10.1000/abc-d", "10.1000/abc-d", id="broken-in-print"),
        pytest.param("Roe, 1999. doi:10.1000/abc", "10.9999/other", None, id="another-work"),
        pytest.param("Roe, 1999.", "10.9999/other", "10.9999/other", id="not-printed"),
    ],
)
def test_printed_doi_is_what_was_claimed(printed: str, linked: str, doi: str | None) -> None:
    rows, _ = two()
    pieces = [Piece(printed, tuple(rows[:1]), None, None)]
    assert assign(document([link(rows[0], f"https://doi.org/{linked}")]), pieces, frozenset())[0].doi == doi
