"""Broken, misnamed, large and hostile text ends soon, and in a sentence."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeaudit.errors import ExtractionError, NoReferencesError, UnreadableDocumentError
from citeaudit.extract.markup.assemble import find_references, finish
from citeaudit.extract.markup.html import parse_html
from citeaudit.extract.markup.markdown import parse_markdown
from citeaudit.extract.markup.readers import HtmlExtractor, MarkdownExtractor
from citeaudit.extract.markup.references import link_title
from citeaudit.seams import Extractor

PIECES = [
    *(
        "a",
        "(",
        "[",
        "]",
        "[[",
        "](",
        "[a](",
        "*",
        "**a",
        "_a ",
        "`",
        "<",
        "<a ",
        "</",
        "<!--",
        "&",
        "^",
        "~",
        "@a;",
        "[@a;",
    ),
    *(
        "\\",
        "{#",
        "【1",
        "|",
        "|-|\n",
        "> ",
        "1. ",
        "\n\n1. a",
        "http://a",
        "![",
        "[^a]:",
        "\ue200",
        "<div>",
        "=\n",
        "[1] ",
    ),
    *("<a href='#x'>", "<ol><li>", "1999 ", "\n[a]: b", "<sup>", "`a``b```"),
]
READERS = [pytest.param(MarkdownExtractor(), ".md", id="markdown"), pytest.param(HtmlExtractor(), ".html", id="html")]


@pytest.mark.parametrize(("extractor", "suffix"), READERS)
@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"", "empty", id="empty"),
        pytest.param(b"  \n\n", "empty", id="blank"),
        pytest.param(b"%PDF-1.7\n", "not text", id="pdf"),
        pytest.param(b"PK\x03\x04\x14", "not text", id="zip"),
        pytest.param(b"\x89PNG\r\n", "not text", id="picture"),
    ],
)
def test_bad_file_is_refused_with_a_sentence(
    tmp_path: Path, extractor: Extractor, suffix: str, data: bytes, words: str
) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(data)
    with pytest.raises(UnreadableDocumentError, match=words):
        extractor.read(path)
    with pytest.raises(UnreadableDocumentError):
        extractor.read(tmp_path / f"gone{suffix}")


@pytest.mark.parametrize(("extractor", "suffix"), READERS)
def test_huge_file_is_refused_at_once(tmp_path: Path, extractor: Extractor, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    started = time.monotonic()
    with pytest.raises(UnreadableDocumentError):
        extractor.read(path)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(("extractor", "suffix"), READERS)
def test_long_text_is_refused(tmp_path: Path, extractor: Extractor, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_text("words " * 5_100_000, encoding="utf-8")
    with pytest.raises(UnreadableDocumentError, match="30 million"):
        extractor.read(path)


@pytest.mark.parametrize("piece", PIECES)
def test_much_of_one_piece_takes_no_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    started = time.monotonic()
    parse_markdown(text, keys=True)
    parse_html(text)
    assert time.monotonic() - started < 4


@pytest.mark.parametrize("piece", ["[1] ", "Smith, J. (1999). ", "[a](http://a.bc) ", "“", "a | "])
def test_a_long_reference_takes_no_time(piece: str) -> None:
    document = parse_markdown("# References\n\n" + piece * (15_000 // len(piece)))
    started = time.monotonic()
    with contextlib.suppress(NoReferencesError):
        finish(document, find_references(document, path="a"), path="a", form="markdown")
    assert time.monotonic() - started < 4


def test_long_paragraph_is_cut_and_told() -> None:
    assert "cut at" in parse_markdown("word " * 50_000).remarks[0]


def test_deep_page_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(
        "<div>" * 5_000 + "<p>Smith, J. (2020). On the rows of no list. J Rows, 12(3), 45–67.</p>", encoding="utf-8"
    )
    with contextlib.suppress(ExtractionError):
        HtmlExtractor().read(path)


@given(st.text(alphabet="ab1 .[](){}*_`<>!^~@#|-=:\n\\\"'&/【】†", max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_text_is_parsed(text: str) -> None:
    for document in (parse_markdown(text, keys=True), parse_html(text).document):
        for block in document.blocks:
            assert all(0 <= span.start <= span.end <= len(block.text) for span in block.spans)
        with contextlib.suppress(NoReferencesError):
            made = finish(document, find_references(document, path="a"), path="a", form="markdown")
            assert all(reference.raw for reference in made.references)


@given(st.text(max_size=80))
def test_title_of_a_link_is_found_once(text: str) -> None:
    title, _ = link_title(text)
    if title is not None:
        assert title in " ".join(text.split())
