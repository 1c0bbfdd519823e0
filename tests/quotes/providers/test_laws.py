"""Whatever a provider sends, reading it ends in rows."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeaudit.quotes.providers.detect import Shape, read_response, tell
from citeaudit.quotes.providers.normal import Cite, Kind, pages_of, questions

FILES = sorted(Path(__file__).parent.glob("*.json"))
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 10**18, 2.5, float("nan"), float("inf"),
    "", "x", "12", "é€😀", "\ud800", [], {}, [[]], {"type": "text"},
)  # fmt: skip
_NAMES = (
    "type text citations annotations content candidates choices output message parts quote doc page answer role"
    " groundingMetadata groundingSupports groundingChunks segment startIndex endIndex start_index end_index index"
    " citation page_location url_citation file_citation event data delta response_metadata lc kwargs steps"
)
_words = st.sampled_from(_NAMES.split())
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | _words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_words | st.text(max_size=4), inner, max_size=5),
    max_leaves=25,
)


def sound(cites: tuple[Cite, ...]) -> None:
    for cite in cites:
        start, end = cite.locator.start, cite.locator.end_exclusive
        assert (start is None) == (end is None)
        if start is not None and end is not None:
            assert (cite.locator.kind is Kind.PAGE) <= start < end
            assert pages_of(cite.locator) is None or len(pages_of(cite.locator) or ()) == end - start
        assert cite.quote is None or cite.quote.strip()
        assert cite.locator.kind is not Kind.UNSUPPORTED or cite.reason
    assert len(questions(cites)) == len(cites)


def changed(value: Any, draw: Random, share: float) -> Any:
    if draw.random() < share:
        return draw.choice(ODD)
    if isinstance(value, dict):
        return {name: changed(item, draw, share) for name, item in value.items() if draw.random() > share}
    if isinstance(value, list):
        return [changed(item, draw, share) for item in value]
    return value


@given(_json)
@settings(max_examples=200, deadline=None)
def test_anything_is_read(value: Any) -> None:
    sound(read_response(value))


@given(st.text(max_size=300) | st.text(alphabet='"“”„«»[](){}>^:;,.\n p3ax—-`', max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read(text: str) -> None:
    sound(read_response(text))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_damaged_responses_are_read(path: Path) -> None:
    response = json.loads(path.read_text("utf-8"))["response"]
    draw = Random(7)  # noqa: S311
    for _ in range(40):
        sound(read_response(changed(response, draw, 0.08)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_cut_off_responses_are_told(path: Path) -> None:
    response = json.loads(path.read_text("utf-8"))["response"]
    if not isinstance(response, str):
        found = tell(json.dumps(response)[:-2])
        assert found.shape is Shape.UNKNOWN
        assert found.cites[0].reason == "it looks like JSON, but is none or was cut off"


def test_order_of_fields_does_not_matter() -> None:
    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: turned(value[name]) for name in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    for path in FILES:
        response = json.loads(path.read_text("utf-8"))["response"]
        if "bedrock" not in path.stem:
            assert len(read_response(turned(response))) == len(read_response(response))
