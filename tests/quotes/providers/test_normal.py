"""Citations become questions: a document, its pages, a quote."""

from __future__ import annotations

import pytest

from citeaudit.quotes.providers.detect import read_response
from citeaudit.quotes.providers.markdown import named
from citeaudit.quotes.providers.normal import Cite, Kind, Locator, Source, doc_of, is_url, linked, pages_of, questions


def cite(**told: object) -> Cite:
    values: dict[str, object] = {
        "claim_text": "Rain.",
        "claim_span": (0, 5),
        "quote": "It rained",
        "source": Source(),
        "locator": Locator(Kind.NONE),
        "provider": "plain",
        "raw": None,
    }
    return Cite(**{**values, **told})  # type: ignore[arg-type]


def test_questions_name_document_pages_and_quote() -> None:
    rows = questions(
        [
            cite(source=Source(index=1, title="Report"), locator=Locator(Kind.PAGE, 3, 5)),
            cite(id="q7", quote=None, source=Source(index=9, title="Report"), locator=Locator(Kind.CHAR, 3, 5)),
        ],
        ["a.pdf", "b.pdf"],
    )
    assert rows == [("c1", "b.pdf", (3, 4), "It rained", "Rain."), ("q7", "Report", None, None, "Rain.")]


def test_an_exclusive_end_is_not_a_page() -> None:
    one = {
        "type": "page_location",
        "cited_text": "x y",
        "document_index": 0,
        "start_page_number": 1,
        "end_page_number": 2,
    }
    assert questions(read_response({"content": [{"type": "text", "text": "x", "citations": [one]}]}))[0].pages == (1,)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        pytest.param(Source(index=0), "a.pdf", id="index"),
        pytest.param(Source(index=4), "document 5", id="index-without-a-name"),
        pytest.param(Source(index=-1, url="https://a.example"), "https://a.example", id="negative"),
        pytest.param(Source(search_index=0, title="Hit"), "Hit", id="search-results-are-no-documents"),
        pytest.param(Source(search_index=0), "search result 1", id="search-result"),
        pytest.param(Source(file_id="f", url="https://a.example"), "f", id="file"),
        pytest.param(Source(), "", id="nothing"),
    ],
)
def test_documents_are_named(source: Source, name: str) -> None:
    assert doc_of(source, ["a.pdf"]) == name


@pytest.mark.parametrize(
    ("url", "kind", "page"),
    [
        ("https://a.example/b.pdf#page=3", Kind.PAGE, 3),
        ("https://a.example/b.pdf#zoom=2&page=12", Kind.PAGE, 12),
        ("local.pdf#page=4", Kind.PAGE, 4),
        ("https://a.example/b.pdf#page=0", Kind.URL, None),
        ("https://a.example/?page=3", Kind.URL, None),
        ("local.pdf", Kind.NONE, None),
        (None, Kind.NONE, None),
    ],
)
def test_addresses_may_name_a_page(url: str | None, kind: Kind, page: int | None) -> None:
    assert (linked(url, "").kind, linked(url, "").start) == (kind, page)


def test_incomplete_ranges_name_no_page() -> None:
    assert pages_of(Locator(Kind.PAGE)) is None
    assert is_url("gs://bucket/a.pdf")
    assert not is_url("a.pdf")


@pytest.mark.parametrize(
    ("text", "title", "url", "start", "end"),
    [
        pytest.param("report.pdf, p. 3", "report.pdf", None, 3, 4, id="page"),
        pytest.param("report.pdf (p. 3)", "report.pdf", None, 3, 4, id="page-in-brackets"),
        pytest.param("Bericht, S. 3-5", "Bericht", None, 3, 6, id="german"),
        pytest.param("report.pdf, page 3", "report.pdf", None, 3, 4, id="word"),
        pytest.param("https://a.example/b.pdf, p. 2", None, "https://a.example/b.pdf", 2, 3, id="address"),
        pytest.param("[B](https://a.example/b.pdf), pp. 2–3", "B", "https://a.example/b.pdf", 2, 4, id="link"),
        pytest.param("report.pdf, pp. 9-3", "report.pdf", None, None, None, id="backwards"),
        pytest.param("p. 3", None, None, 3, 4, id="page-alone"),
    ],
)
def test_sources_as_texts_name_them(
    text: str, title: str | None, url: str | None, start: int | None, end: int | None
) -> None:
    source, locator, wrong = named(text)
    assert (source.title, source.url, locator.start, locator.end_exclusive) == (title, url, start, end)
    assert (wrong is None) == (start is not None and bool(title or url))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        pytest.param('"a b" [x.pdf, p. 1; y.pdf, p. 2]', [("x.pdf", (1,)), ("y.pdf", (2,))], id="two-sources"),
        pytest.param('"a b" [emphasis added]', [], id="remark"),
        pytest.param('"a b" [Smith 2020]', [("Smith 2020", None)], id="author-year"),
        pytest.param('"a b" [2]\n\n[2]: https://a.example\n', [("https://a.example", None)], id="numbered"),
        pytest.param('"a b" [2]', [("[2]", None)], id="unknown-number"),
        pytest.param('"a\n\nb" [x.pdf, p. 1]', [], id="paragraphs"),
        pytest.param('a " b "c d" [x.pdf, p. 1]', [("x.pdf", (1,))], id="odd-mark"),
        pytest.param("> a b\n> — x.pdf, p. 4\n", [("x.pdf", (4,))], id="line-inside"),
        pytest.param("> a b\n\nSomething else.\n", [("", None)], id="block-without-source"),
        pytest.param(">\n>\n", [("", None)], id="empty-block"),
        pytest.param("> a b\n> c d\n>\n\n[x.pdf, p. 4]\n", [("x.pdf", (4,))], id="line-in-brackets"),
    ],
)
def test_markdown(text: str, rows: list[tuple[str, tuple[int, ...] | None]]) -> None:
    assert [(row.doc, row.pages) for row in questions(read_response(text))] == rows


def test_csv_goes_on_after_odd_rows() -> None:
    rows = questions(read_response("id\tdoc\tpage\tquote\tanswer\n1\ta.pdf\n2\tb.pdf\t2\tIt rained\tRain.\textra\n"))
    assert rows == [("1", "a.pdf", None, None, ""), ("2", "b.pdf", (2,), "It rained", "Rain.")]


def test_a_cell_too_long_for_csv_is_told() -> None:
    found = read_response("id,doc,page,quote\n1,a.pdf,1,x y\n2,a.pdf,1," + "x" * 200_000)
    assert [(one.quote, one.reason is None) for one in found] == [("x y", True), (None, False)]
