"""Hostile text costs about as much as honest text of its length."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from citeaudit.errors import CiteauditError
from citeaudit.extract.decode import Decoded, decode
from citeaudit.extract.reader import extractors
from citeaudit.extract.tagged.csl import read_csl
from citeaudit.extract.tagged.endnote import read_endnote
from citeaudit.extract.tagged.identifiers import read_identifiers
from citeaudit.extract.tagged.medline import read_medline
from citeaudit.extract.tagged.ris import read_ris
from citeaudit.extract.tagged.xml import parse_xml, top_element

READERS: dict[str, Callable[[str], object]] = {
    "decode": lambda text: decode(text.encode()),
    "legacy": lambda text: decode(text.encode() + b"\xff\xfe"),
    "xml": lambda text: parse_xml(f"<a>{text}</a>", "x"),
    "bare-xml": lambda text: parse_xml(text, "x"),
    "top": top_element,
    "ris": lambda text: read_ris(Decoded(f"TY  - JOUR\nAU  - {text}\nTI  - {text}\nN1  - {text}", "utf-8", None), "x"),
    "medline": lambda text: read_medline(Decoded(f"PMID- 1\nFAU - {text}\nTI  - {text}", "utf-8", None), "x"),
    "endnote": lambda text: read_endnote(Decoded(f"%0 Book\n%A {text}\n%T {text}", "utf-8", None), "x"),
    "csl": lambda text: read_csl(Decoded(f'[{{"title": "x"}}, {text}', "utf-8", None), "x"),
    "identifiers": lambda text: read_identifiers(Decoded(f"10.1234/a\n{text}", "utf-8", None), "x"),
}


@pytest.mark.parametrize(
    "piece", ["a", "<", "&", "Ã", " ", ";", "A, ", "[", '"', "}, {", "<!--", "10.1/", "1 ", "<!DOCTYPE "]
)
@pytest.mark.parametrize("name", READERS)
def test_a_long_line_of_one_thing_is_no_trap(name: str, piece: str) -> None:
    text = piece * (100_000 // len(piece))
    try:
        READERS[name](text)
    except CiteauditError as error:
        assert "x" in str(error)  # noqa: PT017 - either outcome is right, as long as it comes


@pytest.mark.parametrize("piece", ["<", "a", "TY  - ", "%0 ", "PMID- ", "[{", "<!--", "10.1234/"])
def test_claims_cost_nothing(piece: str) -> None:
    head = (piece * 4_096).encode()[:4_096]
    for extractor in extractors():
        claims = getattr(extractor, "claims", None)
        assert claims is None or claims(head, Path("x")) in {True, False}
