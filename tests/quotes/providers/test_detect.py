"""The shape of a response is told by its structure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from citeaudit.quotes.providers.detect import Shape, read_response, tell
from citeaudit.quotes.providers.values import get, plain, text, whole

PAGE = {
    "type": "page_location",
    "cited_text": "It rained.",
    "document_index": 0,
    "start_page_number": 1,
    "end_page_number": 2,
}
BLOCK = {"type": "text", "text": "Rain.", "citations": [PAGE]}
MESSAGE = {"role": "assistant", "content": [BLOCK]}
URL = {"type": "url_citation", "url": "https://a.example", "title": "A", "start_index": 0, "end_index": 5}
OUTPUT = {"type": "message", "content": [{"type": "output_text", "text": "Rain.", "annotations": [URL]}]}
CANDIDATE = {
    "content": {"parts": [{"text": "Rain."}]},
    "groundingMetadata": {
        "groundingChunks": [{"web": {"uri": "https://a.example"}}],
        "groundingSupports": [{"segment": {"endIndex": 5}, "groundingChunkIndices": [0]}],
    },
}
THREAD = {"content": [{"type": "text", "text": {"value": "Rain.", "annotations": []}}]}
CITED = {"citationsContent": {"content": [{"text": "Rain."}], "citations": [{"title": "Log", "location": {}}]}}
ROW = {"id": "a", "doc": "a.pdf", "page": 1, "quote": "It rained"}


@pytest.mark.parametrize(
    ("data", "shape", "count"),
    [
        pytest.param(MESSAGE, Shape.ANTHROPIC, 1, id="message"),
        pytest.param([BLOCK], Shape.ANTHROPIC, 1, id="blocks"),
        pytest.param(BLOCK, Shape.ANTHROPIC, 1, id="block"),
        pytest.param([{"role": "user", "content": [BLOCK]}, MESSAGE], Shape.ANTHROPIC, 1, id="conversation"),
        pytest.param({"messages": [MESSAGE, MESSAGE]}, Shape.ANTHROPIC, 2, id="state"),
        pytest.param({"content": []}, Shape.ANTHROPIC, 0, id="empty-message"),
        pytest.param([CITED], Shape.BEDROCK, 1, id="converse-blocks"),
        pytest.param({"role": "assistant", "content": [CITED]}, Shape.BEDROCK, 1, id="converse-message"),
        pytest.param({"output": [OUTPUT]}, Shape.OPENAI_RESPONSES, 1, id="response"),
        pytest.param([{"type": "reasoning"}, OUTPUT], Shape.OPENAI_RESPONSES, 1, id="output-items"),
        pytest.param(OUTPUT, Shape.OPENAI_RESPONSES, 1, id="output-item"),
        pytest.param(OUTPUT["content"], Shape.OPENAI_RESPONSES, 1, id="output-parts"),
        pytest.param(
            {"role": "assistant", "content": "Rain.", "annotations": [URL]}, Shape.OPENAI_CHAT, 1, id="chat-message"
        ),
        pytest.param({"choices": []}, Shape.OPENAI_CHAT, 0, id="no-choices"),
        pytest.param(THREAD, Shape.OPENAI_ASSISTANTS, 0, id="thread"),
        pytest.param({"candidates": [CANDIDATE]}, Shape.GEMINI, 1, id="gemini"),
        pytest.param(
            {"outputs": [{"type": "text", "text": "Rain.", "annotations": [URL]}]},
            Shape.GEMINI_INTERACTIONS,
            1,
            id="outputs",
        ),
        pytest.param({"content": "Rain.", "response_metadata": {}}, Shape.LANGCHAIN, 0, id="langchain"),
        pytest.param(
            [{"type": "text", "text": "Rain.", "annotations": [URL]}], Shape.LANGCHAIN, 1, id="annotated-blocks"
        ),
        pytest.param([], Shape.PLAIN, 0, id="nothing"),
        pytest.param(ROW, Shape.PLAIN, 1, id="row"),
        pytest.param([ROW, 5], Shape.PLAIN, 2, id="row-and-stray"),
        pytest.param({"answers": [{"id": "a", "citations": [ROW]}]}, Shape.PLAIN, 1, id="answers"),
        pytest.param([{"output": [OUTPUT]}, MESSAGE], Shape.SEVERAL, 2, id="two-shapes"),
        pytest.param(['"It rained" [a.pdf, p. 1]'], Shape.MARKDOWN, 1, id="texts"),
        pytest.param("", Shape.MARKDOWN, 0, id="no-text"),
        pytest.param("A “so-called” expert [sic].", Shape.MARKDOWN, 0, id="prose"),
        pytest.param(None, Shape.UNKNOWN, 1, id="none"),
        pytest.param(7, Shape.UNKNOWN, 1, id="number"),
        pytest.param({"weather": "rain"}, Shape.UNKNOWN, 1, id="other"),
        pytest.param({"message": {"weather": "rain"}}, Shape.UNKNOWN, 1, id="other-within"),
        pytest.param('{"quote": "cut', Shape.UNKNOWN, 1, id="cut-off"),
        pytest.param("[" * 100_000, Shape.UNKNOWN, 1, id="nested"),
        pytest.param(['{"id": 1}'], Shape.UNKNOWN, 1, id="json-within-json"),
    ],
)
def test_shape_is_told_by_structure(data: Any, shape: Shape, count: int) -> None:
    found = tell(data)
    assert (found.shape, len(found.cites)) == (shape, count)


def test_citations_beside_a_known_shape_are_kept() -> None:
    found = tell({"choices": [{"message": {"content": "Rain [1]."}}], "citations": ["https://a.example", 5]})
    assert found.shape is Shape.OPENAI_CHAT
    assert [(cite.raw, cite.locator.kind.value) for cite in found.cites] == [
        ("https://a.example", "unsupported"),
        (5, "unsupported"),
    ]


def test_streams_are_put_together() -> None:
    chunk = {"candidates": [{"content": {"parts": [{"text": "Größe "}, {"text": "hm", "thought": True}]}}]}
    last = {
        "candidates": [
            {
                "content": {"parts": [{"text": "zählt."}]},
                "finishReason": "STOP",
                "groundingMetadata": {
                    "groundingChunks": [{"web": {"uri": "https://a.example"}}],
                    "groundingSupports": [{"segment": {"startIndex": 8, "endIndex": 15}, "groundingChunkIndices": [0]}],
                },
            }
        ]
    }
    assert [cite.claim_text for cite in read_response([chunk, last])] == ["zählt."]
    both = [{"candidates": [{**CANDIDATE, "finishReason": "STOP"}]}] * 2
    assert len(read_response(both)) == 2


def test_openai_streams_are_put_together() -> None:
    place = {"output_index": 1, "content_index": 0}
    events = [
        {"type": "response.created", "response": {"output": []}},
        {"type": "response.output_text.delta", **place, "delta": "Rain fell. "},
        {"type": "response.output_text.delta", **place, "delta": "Snow too."},
        {
            "type": "response.output_text.annotation.added",
            **place,
            "annotation": {"type": "file_citation", "file_id": "f", "index": 10},
        },
    ]
    found = tell(events)
    assert found.shape is Shape.OPENAI_STREAM
    assert [cite.claim_text for cite in found.cites] == ["Rain fell."]
    done = {"type": "response.completed", "response": {"output": [OUTPUT]}}
    assert [cite.source.url for cite in read_response([*events, done])] == ["https://a.example"]


def test_chat_streams_are_put_together() -> None:
    note = {"type": "url_citation", "url_citation": {**URL, "start_index": 0, "end_index": 10}}
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"content": "Rain "}}]},
        {"choices": [{"index": 0, "delta": {"content": "fell."}}]},
        {"choices": [{"index": 0, "delta": {"annotations": [note]}}]},
        {"choices": []},
    ]
    assert [cite.claim_text for cite in read_response(chunks)] == ["Rain fell."]
    sent = "\n\n".join(f"data: {json.dumps(chunk)}" for chunk in chunks) + "\n\ndata: [DONE]\n"
    assert [cite.claim_text for cite in read_response(sent)] == ["Rain fell."]


def test_server_sent_events_are_read() -> None:
    events: list[dict[str, Any]] = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Rain."}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": PAGE}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta"},
    ]
    sent = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events) + "data: {cut\n"
    for data in (sent, events, [{"event": one["type"], "data": one} for one in events]):
        found = tell(data)
        assert found.shape is Shape.ANTHROPIC_STREAM
        assert [(cite.claim_text, cite.quote) for cite in found.cites] == [("Rain.", "It rained.")]


def test_a_stream_of_two_messages_keeps_them_apart() -> None:
    events = [
        {"type": "message_start", "message": {"content": [{"type": "text", "text": "One.", "citations": [PAGE]}]}},
        {"type": "message_stop"},
        {"type": "message_start", "message": {"content": []}},
        {"type": "content_block_start", "index": 0, "content_block": BLOCK},
    ]
    assert [cite.claim_text for cite in read_response(events)] == ["One.", "Rain."]


def test_messages_of_langchain_are_read_natively_and_translated() -> None:
    message = AIMessage(content=[{**BLOCK, "citations": [PAGE]}], response_metadata={"model_provider": "anthropic"})
    for data in (message, message.content_blocks, {"messages": [message]}, message.model_dump()):
        (cite,) = read_response(data)
        assert (cite.quote, cite.locator.start, cite.locator.end_exclusive, cite.provider) == (
            "It rained.",
            1,
            2,
            "langchain",
        )


def test_written_quotes_count_only_where_nothing_else_cites() -> None:
    content = [{"type": "text", "text": 'He said "it rained" [b.pdf, p. 2].', "citations": [PAGE]}]
    assert [cite.quote for cite in read_response({"content": content})] == ["It rained."]
    del content[0]["citations"]
    assert [cite.quote for cite in read_response({"content": content})] == ["it rained"]
    assert read_response({"content": [{"type": "text", "text": "> No source."}]}) == ()
    assert read_response({"content": [{"type": "text", "text": '{"cut'}]}) == ()


def test_values_become_json() -> None:
    class Colour(Enum):
        RED = "red"

    @dataclass
    class Thing:
        made: date
        method: Any
        colour: Colour

    held: list[Any] = [Thing(date(2026, 1, 2), print, Colour.RED), b"bytes", object(), {1: {2}}]
    held.append(held)
    assert plain(held) == [{"made": "2026-01-02", "colour": "red"}, None, None, {"1": [2]}, None]


def test_fields_are_read_leniently() -> None:
    data = plain({"startIndex": "7", "b": 3.0, "c": True, "d": "1" * 30, "e": " "})
    assert [whole(data, name) for name in ("start_index", "b", "c", "d", "e")] == [7, 3, None, None, None]
    assert text(data, "e", "start_index") == "7"
    assert get([1], "a") is None


def test_kinds_that_an_sdk_does_not_know_keep_their_name() -> None:
    wrapped = {"type": "UNKNOWN", "raw": {"type": "galaxy_citation", "endIndex": 4}, "is_unknown": True}
    (cite,) = read_response({"outputs": [{"type": "text", "text": "Rain.", "annotations": [wrapped]}]})
    assert (cite.locator.type, cite.claim_text) == ("galaxy_citation", "Rain")
    nested = {"type": "non_standard_annotation", "value": {"type": "non_standard_annotation"}}
    (cite,) = read_response([{"type": "text", "text": "Rain.", "annotations": [nested]}])
    assert (cite.locator.kind.value, cite.raw) == ("unsupported", nested)
