"""Which addresses a report links to."""

from __future__ import annotations

import pytest

from citeaudit.model import Identifiers
from citeaudit.report.links import resolvers, web_address


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        pytest.param("https://api.example.org/works?query.title=a%20b&rows=5", True, id="https"),
        pytest.param("http://127.0.0.1:8080/works", True, id="http-with-port"),
        pytest.param(None, False, id="none"),
        pytest.param("", False, id="empty"),
        pytest.param("javascript:alert(1)", False, id="javascript"),
        pytest.param("JaVaScRiPt:alert(1)//https://", False, id="javascript-in-any-case"),
        pytest.param("data:text/html,x", False, id="data"),
        pytest.param("file:///etc/passwd", False, id="file"),
        pytest.param("//x.example/", False, id="no-scheme"),
        pytest.param("https:///x", False, id="no-host"),
        pytest.param("https://doi.org@x.example/", False, id="user"),
        pytest.param("https://x.example/ y", False, id="space"),
        pytest.param("https://x.example/\nSet-Cookie", False, id="line-end"),
        pytest.param('https://x.example/"onclick="', False, id="quote"),
        pytest.param("https://x.example/\u202e", False, id="right-to-left"),
        pytest.param("https://[::1/", False, id="broken-host"),
        pytest.param("https://x.example/" + "a" * 3_000, False, id="too-long"),
    ],
)
def test_only_plain_web_addresses_are_linked(url: str | None, linked: bool) -> None:
    assert web_address(url) == (url if linked else None)


def test_every_scheme_with_a_registry_has_its_address() -> None:
    keys = Identifiers(
        doi="10.1000/x?y#z",
        arxiv_id="hep-th/9901001",
        pmid="1",
        pmcid="PMC1",
        isbn="9780306406157",
        issn="1234-5678",
        url="https://x.example/",
    )
    assert resolvers(keys) == (
        ("doi:10.1000/x?y#z", "https://doi.org/10.1000/x%3Fy%23z"),
        ("arxiv:hep-th/9901001", "https://arxiv.org/abs/hep-th/9901001"),
        ("pmid:1", "https://pubmed.ncbi.nlm.nih.gov/1/"),
        ("pmcid:PMC1", "https://pmc.ncbi.nlm.nih.gov/articles/PMC1/"),
        ("isbn:9780306406157", None),
        ("issn:1234-5678", None),
        ("https://x.example/", None),
    )


@pytest.mark.parametrize("value", ["javascript:1", "../../x", "//x.example/", '"><img>', "\x1b]8;;"])
def test_an_identifier_cannot_leave_its_registry(value: str) -> None:
    for _, url in resolvers(Identifiers(doi=value, arxiv_id=value)):
        assert url is not None
        assert url.startswith(("https://doi.org/", "https://arxiv.org/abs/"))
        assert not set('"<>\x1b') & set(url)
