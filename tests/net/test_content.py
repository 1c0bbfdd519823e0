"""What a 4xx says in words reaches the source, unless it is a web page."""

from __future__ import annotations

import pytest

from citeaudit.net.content import Response, read
from citeaudit.seams import Ask


@pytest.mark.parametrize(
    ("media_type", "body", "expected"),
    [
        pytest.param("text/plain", b"Resource not found.", (None, "Resource not found."), id="words"),
        pytest.param("application/json", b"Resource not found.", (None, "Resource not found."), id="words-called-json"),
        pytest.param("text/plain", b"x" * 5_000, (None, "x" * 200), id="cut"),
        pytest.param("text/plain", b"\xff", (None, "\ufffd"), id="no-utf-8"),
        pytest.param("text/html", b"Resource not found.", (None, ""), id="page"),
        pytest.param(
            "application/json", b'{"message": "no Route matched"}', ({"message": "no Route matched"}, ""), id="json"
        ),
        pytest.param("", b"", (None, ""), id="nothing"),
    ],
)
def test_words_of_a_404(media_type: str, body: bytes, expected: tuple[object, str]) -> None:
    assert read(Response(404, media_type, None, body), Ask(source="example", url="https://example.org")) == expected
