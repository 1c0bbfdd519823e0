"""HTML: saved articles, encyclopedia pages, exported reports; what surrounds the text is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.errors import NoReferencesError
from citeaudit.extract.markup.readers import HtmlExtractor
from citeaudit.model import Extraction

ONE = "Smith, J. (2020). On the rows of no list. <i>Journal of Rows</i>, 12(3), 45–67. doi:10.1000/rows.1"
TWO = "Jones, K., &amp; Roe, R. (2019). A second title of no work. <em>Journal of Lists</em>, <b>4</b>(1), 1–9."
THREE = "Poe, E. (2018). Third titles and their use. Annals of Titles, 7, 100–120."
ALL = (ONE, TWO, THREE)
TITLES = ["On the rows of no list", "A second title of no work", "Third titles and their use"]


def page(body: str, head: str = "") -> str:
    return f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'>{head}</head>\n<body>{body}</body></html>"


def read(tmp_path: Path, text: str | bytes, name: str = "a.html") -> Extraction:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return HtmlExtractor().read(path)


def titles(extraction: Extraction) -> list[str | None]:
    return [reference.title for reference in extraction.references]


@pytest.mark.parametrize(
    ("body", "labels"),
    [
        pytest.param("<h2>References</h2>" + "".join(f"<p>{one}</p>" for one in ALL), [None] * 3, id="paragraphs"),
        pytest.param(
            "<h2>References</h2><ol>" + "".join(f"<li>{one}</li>" for one in ALL) + "</ol>",
            ["1", "2", "3"],
            id="numbered",
        ),
        pytest.param(
            "<h2>Références</h2><ol start=4>" + "".join(f"<li>{one}" for one in ALL) + "</ol>",
            ["4", "5", "6"],
            id="unclosed-from-four",
        ),
        pytest.param(
            "<h2>References</h2><ul>" + "".join(f"<li><p>{one}</p></li>" for one in ALL) + "</ul>",
            [None] * 3,
            id="bullets",
        ),
        pytest.param("<b>References</b><br><br><div>" + "<br>".join(ALL) + "</div>", [None] * 3, id="line-breaks"),
        pytest.param(
            "<h2>References</h2><p>" + "</p><p>".join(f"[{n}] {one}" for n, one in enumerate(ALL, 1)) + "</p>",
            ["1", "2", "3"],
            id="typed-labels",
        ),
        pytest.param(
            "<h3>References</h3><table>"
            + "".join(f"<tr><td>[{n}]</td><td>{one}</td></tr>" for n, one in enumerate(ALL, 1))
            + "</table>",
            ["1", "2", "3"],
            id="table-for-layout",
        ),
        pytest.param(
            '<ol class="references">'
            + "".join(
                f'<li id="cite_note-{n}"><span class="mw-cite-backlink"><a href="#x">^</a></span>'
                f" <span>{one}</span></li>"
                for n, one in enumerate(ALL, 1)
            )
            + "</ol>",
            ["1", "2", "3"],
            id="encyclopedia",
        ),
        pytest.param(
            '<div id="refs" class="csl-bib-body">'
            + "".join(f'<div id="ref-{n}" class="csl-entry">{one}</div>' for n, one in enumerate(ALL))
            + "</div>",
            [None] * 3,
            id="pandoc",
        ),
        pytest.param(
            '<section role="doc-bibliography"><h2>Cited</h2>' + "".join(f"<p>{one}</p>" for one in ALL) + "</section>",
            [None] * 3,
            id="role",
        ),
        pytest.param("<p>" + "</p><p>".join(ALL) + "</p>", [None] * 3, id="no-heading"),
    ],
)
def test_list_is_read(tmp_path: Path, body: str, labels: list[str | None]) -> None:
    found = read(
        tmp_path,
        page(f"<p>We begin with words.</p>{body}<h2>See also</h2><ul><li><a href='/x'>Other things</a></li></ul>"),
    )
    assert titles(found) == TITLES
    assert [reference.locus.label for reference in found.references] == labels
    assert (found.format, found.references[0].identifiers.doi) == ("html", "10.1000/rows.1")


def test_surroundings_are_left_out(tmp_path: Path) -> None:
    noise = (
        f"<nav><p>{THREE}</p></nav><script>var a = 'Old, A. (1999)';</script><style>p {{}}</style><div"
        f" class='sidebar'><p>{THREE}</p></div>"
        f"<p hidden>{THREE}</p><p style='display: none'>{THREE}</p><footer><p>{THREE}</p></footer><form>{THREE}</form>"
    )
    found = read(tmp_path, page(f"{noise}<p>Words.</p><h2>References</h2><p>{ONE}</p><p>{TWO}</p>{noise}"))
    assert titles(found) == TITLES[:2]
    assert any("hidden" in note for note in found.self_check.notes)


@pytest.mark.parametrize(
    "marker",
    [
        pytest.param('<sup id="cite_ref-2" class="reference"><a href="#cite_note-2">[2]</a></sup>', id="linked"),
        pytest.param('<a href="https://host.org/page#cite_note-2">[b]</a>', id="linked-by-full-address"),
        pytest.param("<sup>2</sup>", id="raised"),
        pytest.param('<span style="vertical-align: super">2</span>', id="raised-by-style"),
        pytest.param("[2]", id="brackets"),
        pytest.param("(Jones &amp; Roe, 2019)", id="author-year"),
    ],
)
def test_marker_leads_to_its_reference(tmp_path: Path, marker: str) -> None:
    entries = "".join(f'<li id="cite_note-{n}">{one}</li>' for n, one in enumerate(ALL, 1))
    found = read(tmp_path, page(f"<p>A claim of the text{marker}.</p><h2>References</h2><ol>{entries}</ol>"))
    assert [citation.references for citation in found.citations] == [(2,)]


def test_notes_are_told_from_references(tmp_path: Path) -> None:
    notes = (
        '<section class="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>A remark.<a href="#fnref1"'
        ' class="footnote-back">↩︎</a></p></li></ol></section>'
    )
    text = '<p>A claim<a href="#fn1" class="footnote-ref"><sup>1</sup></a> (Smith, 2020).</p>'
    found = read(tmp_path, page(f"{text}<h2>References</h2><p>{ONE}</p><p>{TWO}</p>{notes}"))
    assert titles(found) == TITLES[:2]
    assert [citation.references for citation in found.citations] == [(1,)]


def test_notes_are_references_where_there_is_no_list(tmp_path: Path) -> None:
    notes = (
        f'<div class="footnotes"><ol><li id="fn1">{ONE}</li><li id="fn2"><a href="https://example.org/b">On rows'
        f" and their lists</a></li></ol></div>"
    )
    found = read(
        tmp_path, page(f'<p>A claim<sup><a href="#fn1">1</a></sup> and two<sup><a href="#fn2">2</a></sup>.</p>{notes}')
    )
    assert titles(found) == [TITLES[0], "On rows and their lists"]
    assert [citation.references for citation in found.citations] == [(1,), (2,)]


def test_own_host_is_no_source(tmp_path: Path) -> None:
    body = (
        '<p>See <a href="https://own.org/x">Our other page on rows</a> and <a href="https://other.org/y">Their'
        " study of the rows</a>.</p>"
    )
    found = read(
        tmp_path,
        page(
            body,
            '<link rel="canonical" href="https://www.own.org/a"><meta property="og:url" content="https://own.org/a">',
        ),
    )
    assert titles(found) == ["Their study of the rows"]


def test_quotations_are_attributed(tmp_path: Path) -> None:
    body = (
        "<p>They say <q>no list has any rows at all</q> (Smith, 2020, p. 46).</p><blockquote><p>A block of quoted"
        " words stands here. (Poe, 2018, p. 101)</p></blockquote>"
    )
    found = read(tmp_path, page(body + "<h2>References</h2>" + "".join(f"<p>{one}</p>" for one in ALL)))
    assert [quote.claimed_page for reference in found.references for quote in reference.quotes] == ["46", "101"]


def test_head_completes_the_list(tmp_path: Path) -> None:
    head = (
        '<meta name="citation_title" content="The own title of it"><meta name="citation_doi" content="10.1000/own">'
        '<meta name="citation_reference" content="citation_title=A second title of no work; citation_author=K.'
        " Jones; citation_author=R. Roe; "
        "citation_journal_title=Journal of Lists; citation_volume=4; citation_publication_date=2019;"
        ' citation_doi=10.1000/lists.2">'
        '<meta name="citation_reference" content="Nobody, N. (1901). Not on the page. J Rows, 1, 2–3.">'
    )
    ld = '<script type="application/ld+json">{"@type": "ScholarlyArticle", "headline": "The own title of it"}</script>'
    found = read(tmp_path, page("<p>W.</p><h2>References</h2>" + "".join(f"<p>{one}</p>" for one in ALL), head + ld))
    assert titles(found) == TITLES
    assert (found.references[1].identifiers.doi, found.references[1].parse_score) == ("10.1000/lists.2", 1.0)
    assert found.references[1].raw.startswith("Jones, K., & Roe")
    alone = read(tmp_path, page("<p>W.</p>", head))
    assert titles(alone) == ["A second title of no work", "Not on the page"]
    assert alone.references[0].parse_score == 1.0


def test_table_of_sources_is_read(tmp_path: Path) -> None:
    table = (
        f"<table><tr><th>No<th>Titel<th>Autor<th>Jahr</tr><tr><td>1<td><a"
        f" href='https://doi.org/10.1000/a'>{TITLES[0]}</a><td>Smith, J.<td>2020</table>"
    )
    found = read(tmp_path, page(f"<p>W.</p><h2>Quellen</h2>{table}"))
    one = found.references[0]
    assert (one.title, one.year, one.identifiers.doi, one.locus.label) == (TITLES[0], 2020, "10.1000/a", "1")


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        pytest.param(
            page(
                "<h2>R\u00e9f\u00e9rences</h2><p>M\u00fcller, J. (2020). \u00dcber Zeilen ohne Liste. J Rows,"
                " 1, 2-3.</p>"
            ).encode("utf-8-sig"),
            "mark",
            id="mark",
        ),
        pytest.param(
            page(
                "<h2>References</h2><p>M\u00fcller, J. (2020). \u00dcber Zeilen ohne Liste. J Rows, 1, 2-3.</p>"
            ).encode("utf-16"),
            "utf-16",
            id="utf-16",
        ),
        pytest.param(
            page("<h2>References</h2><p>M\u00fcller, J. (2020). \u00dcber Zeilen ohne Liste. J Rows, 1, 2-3.</p>")
            .replace("utf-8", "iso-8859-1")
            .encode("cp1252"),
            "latin",
            id="declared",
        ),
        pytest.param(
            page("<h2>References</h2><p>M\u00fcller, J. (2020). \u00dcber Zeilen ohne Liste. J Rows, 1, 2-3.</p>")
            .replace("utf-8", "mac-roman")
            .encode("mac_roman"),
            "mac",
            id="declared-mac",
        ),
        pytest.param(
            page("<h2>References</h2><p>M\u00fcller, J. (2020). \u00dcber Zeilen ohne Liste. J Rows, 1, 2-3.</p>")
            .replace("utf-8", "base64")
            .encode("cp1252"),
            "odd",
            id="odd-declaration",
        ),
        pytest.param(
            page("<h2>References</h2><p>M\u00fcller, J. (2020). \u00dcber Zeilen ohne Liste. J Rows, 1, 2-3.</p>")
            .replace("charset", "x")
            .encode("cp1252"),
            "none",
            id="undeclared",
        ),
    ],
)
def test_encoding_is_found(tmp_path: Path, data: bytes, encoding: str) -> None:
    found = read(tmp_path, data)
    assert found.references[0].title == "\u00dcber Zeilen ohne Liste", encoding


def test_xhtml_is_read(tmp_path: Path) -> None:
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<html'
        f' xmlns="http://www.w3.org/1999/xhtml"><body><h2>References</h2><p>{ONE}</p><p>{TWO}</p></body></html>'
    )
    assert titles(read(tmp_path, text, "a.xhtml")) == TITLES[:2]


@pytest.mark.parametrize(
    ("head", "name", "claimed"),
    [
        (b"<!DOCTYPE html><html>", "a.txt", True),
        (b"\xef\xbb\xbf\n<html lang='en'>", "a", True),
        (b"<!-- saved --><html>", "a.htm", True),
        (b"<html>", "a.md", False),
        (b"# Title", "a.html", False),
        (b"<?xml version='1.0'?><article>", "a.xml", False),
    ],
)
def test_content_is_claimed(head: bytes, name: str, claimed: bool) -> None:
    assert HtmlExtractor.claims(head, Path(name)) is claimed


def test_page_without_sources_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoReferencesError):
        read(tmp_path, page("<p>Words alone.</p>"))


def test_tags_of_author_year_styles_are_left_out(tmp_path: Path) -> None:
    def item(tag: str, *parts: str) -> str:
        blocks = "".join(f'<span class="ltx_bibblock">{part}</span>' for part in parts)
        return f'<li class="ltx_bibitem"><span class="ltx_tag ltx_tag_bibitem">{tag}</span>{blocks}</li>'

    one = item("[1]", "J. Smith and K. Doe.", "On the rows of no list.", "<em>Journal of Rows</em>, 12(3):45–67, 2020.")
    two = item("Jones (2019)", "K. Jones.", "A second title of no work.", "<em>Journal of Lists</em>, 4:1–9, 2019.")
    found = read(tmp_path, page(f'<p>Words.</p><ol class="ltx_biblist">{one}{two}</ol>'))
    assert titles(found) == TITLES[:2]
    assert [reference.authors[0].family for reference in found.references] == ["Smith", "Jones"]


def test_one_address_with_and_without_tracking_is_one_source(tmp_path: Path) -> None:
    body = (
        '<p>See <a href="https://a.org/x?utm_source=chat.com">A study of the rows</a> and <a'
        ' href="https://a.org/x">it</a>.</p>'
    )
    assert titles(read(tmp_path, page(body))) == ["A study of the rows"]
