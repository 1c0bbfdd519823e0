"""Tell the shape of a model's response by its structure, and read its citations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from citeaudit.quotes.providers import anthropic, bedrock, gemini, langchain, markdown, openai
from citeaudit.quotes.providers import plain as rows
from citeaudit.quotes.providers.normal import Cite, Kind, Locator, Reading, Source, unsupported
from citeaudit.quotes.providers.values import Json, Table, get, listed, plain, table, tables, text

_WRAPPERS = ("messages", "data", "message", "response", "answers", "responses", "results")
"""Fields that hold responses."""
_ASKING = frozenset({"user", "human", "system", "developer", "tool", "function"})
_FENCE = re.compile(r"```(?:json|jsonl|csv)?[ \t]*\n(.*?)\n?```", re.DOTALL)
_EVENT_LINE = re.compile(r"(?:event|data):[ \t]?\S")
_DATA_LINE = re.compile(r"^data:[ \t]*([{\[].*)$", re.MULTILINE)
_JSON = re.compile(r"\{\s*[\"}]|\[\s*[\[{\]]")
_SHOWN = 200
"""Characters of a text without a shape that are kept."""


class Shape(StrEnum):
    """Shapes of responses that are known."""

    ANTHROPIC = anthropic.PROVIDER
    """A message of Anthropic's Messages API, or its content."""
    ANTHROPIC_STREAM = "anthropic stream"
    """The events of such a message; its citations name `anthropic` as their provider, as those of other streams do."""
    BEDROCK = bedrock.PROVIDER
    OPENAI_RESPONSES = openai.RESPONSES
    OPENAI_STREAM = "openai stream"
    OPENAI_CHAT = openai.CHAT
    OPENAI_ASSISTANTS = openai.ASSISTANTS
    GEMINI = gemini.PROVIDER
    GEMINI_INTERACTIONS = gemini.INTERACTIONS
    LANGCHAIN = langchain.PROVIDER
    PLAIN = rows.PROVIDER
    MARKDOWN = markdown.PROVIDER
    SEVERAL = "several"
    """A list of responses, messages or answers, each read by its own shape."""
    UNKNOWN = "unknown"
    """None of these."""


class Response(NamedTuple):
    """What a response holds."""

    shape: Shape
    readings: tuple[Reading, ...]
    """Its answers, each with its text and citations."""

    @property
    def cites(self) -> tuple[Cite, ...]:
        """Its citations, in the order of its answers."""
        return tuple(cite for reading in self.readings for cite in reading.cites)


def read_response(data: object) -> tuple[Cite, ...]:
    """Read the citations of a response.

    Args:
        data: An SDK's object, dictionaries and lists as JSON gives them, the events of a stream as a list, or text:
            JSON, JSONL, CSV, server-sent events or Markdown.

    Returns:
        Citations in the order of the answer; empty where it cites nothing. What is unknown or malformed is kept with a
        reason. Never raises.
    """
    return tell(data).cites


def tell(data: object) -> Response:
    """Tell the shape of a response, and read it (see `read_response`)."""
    if isinstance(data, bytes | bytearray):
        data = bytes(data).decode("utf-8-sig", "replace")
    if isinstance(data, str):
        return _told(_of_text(data))
    return _told(_of_value(plain(data)))


def _told(response: Response) -> Response:
    """Read the answers as text where nothing in the response cites: models are also asked to write quotes out."""
    if response.cites or response.shape in {Shape.PLAIN, Shape.MARKDOWN, Shape.UNKNOWN}:
        return response
    readings = []
    for reading in response.readings:
        fenced = _FENCE.fullmatch(reading.text.strip())
        written = _of_text(fenced[1] if fenced is not None else reading.text)
        named = [cite for cite in written.cites if cite.quote and cite.source != Source()]
        readings.append(Reading(reading.text, named if written.shape in {Shape.PLAIN, Shape.MARKDOWN} else []))
    return Response(response.shape, tuple(readings))


def _unknown(value: Json, reason: str) -> Response:
    locator = Locator(Kind.UNSUPPORTED, type="response")
    cite = Cite("", None, None, Source(), locator, Shape.UNKNOWN.value, value, reason=reason)
    return Response(Shape.UNKNOWN, (Reading(cites=[cite]),))


def _of_text(data: str) -> Response:
    data = data.lstrip("\ufeff")
    bare = data.strip()
    if _EVENT_LINE.match(bare):
        return _of_list([event for event in map(_parsed, _DATA_LINE.findall(bare)) if event is not None])
    if _JSON.match(bare):
        return _of_json(bare)
    columns = rows.columns(bare)
    if columns is not None and "doc" in columns[0]:
        return Response(Shape.PLAIN, tuple(rows.of_table(bare)))
    return Response(Shape.MARKDOWN, (markdown.read(data),))


def _parsed(line: str) -> Json:
    """Give JSON; none where it is none."""
    try:
        return plain(json.loads(line))
    except (ValueError, RecursionError):
        return None


def _of_json(data: str) -> Response:
    """Read JSON, or one JSON a line; a line that is none is kept with a reason."""
    whole = _parsed(data)
    if whole is not None:
        return _of_value(whole)
    lines = [(number, line, _parsed(line)) for number, line in enumerate(data.splitlines(), 1) if line.strip()]
    if not any(isinstance(value, dict) for _, _, value in lines):
        return _unknown(data[:_SHOWN], "it looks like JSON, but is none or was cut off")
    found = _of_list([value for _, _, value in lines if value is not None])
    bad = [
        reading
        for number, line, value in lines
        if value is None
        for reading in _unknown(line[:_SHOWN], f"line {number} is not JSON").readings
    ]
    return Response(found.shape, (*found.readings, *bad))


def _of_value(value: Json) -> Response:
    if isinstance(value, dict):
        return _of_table(value)
    if isinstance(value, list):
        return _of_list(value)
    if isinstance(value, str):
        return _of_text(value) if not _JSON.match(value.strip()) else _unknown(value[:_SHOWN], "it is JSON within JSON")
    return _unknown(value, "it is no response of a known shape")


def _of_table(value: Table) -> Response:
    if "lc" in value and isinstance(value.get("kwargs"), dict):
        value = table(value, "kwargs")  # as langchain-core writes its objects out
    found = _of_known(value)
    if found.shape in {Shape.PLAIN, Shape.UNKNOWN} or _is_block(value):
        return found
    strays = [unsupported(found.shape.value, one, "citations") for one in listed(value, "citations")]
    return Response(found.shape, (*found.readings, Reading(cites=strays))) if strays else found


def _of_known(value: Table) -> Response:
    if _is_block(value):
        return _of_blocks([value])
    for shape, applies, read in _SHAPES:
        if applies(value):
            return Response(shape, tuple(read(value)))
    content = get(value, "content")
    if isinstance(content, list):
        return _of_blocks(content)
    wrapped = next((get(value, name) for name in _WRAPPERS if isinstance(get(value, name), list | dict)), None)
    inner = None if wrapped is None else _of_value(wrapped)
    if inner is None or inner.shape is Shape.UNKNOWN:
        return _unknown(value, "it is no response of a known shape")
    return inner


def _is_langchain(value: Table) -> bool:
    return isinstance(get(value, "response_metadata"), dict) or isinstance(get(value, "additional_kwargs"), dict)


def _interaction(value: Table) -> list[Json]:
    """Give the contents of an interaction: those of its steps, or its outputs."""
    steps = tables(value, "steps")
    if steps:
        return [part for step in steps if text(step, "type") == "model_output" for part in listed(step, "content")]
    return listed(value, "outputs")


_Applies = Callable[[Table], bool]
_Read = Callable[[Table], Sequence[Reading]]
_SHAPES: tuple[tuple[Shape, _Applies, _Read], ...] = (
    (
        Shape.GEMINI,
        lambda it: isinstance(get(it, "candidates"), list),
        lambda it: gemini.read(listed(it, "candidates")),
    ),
    (
        Shape.OPENAI_CHAT,
        lambda it: isinstance(get(it, "choices"), list),
        lambda it: openai.read_choices(listed(it, "choices")),
    ),
    (
        Shape.OPENAI_RESPONSES,
        lambda it: isinstance(get(it, "output"), list),
        lambda it: [openai.read_output(listed(it, "output"))],
    ),
    (
        Shape.BEDROCK,
        lambda it: isinstance(get(table(it, "output"), "message"), dict),
        lambda it: [bedrock.read(listed(table(table(it, "output"), "message"), "content"))],
    ),
    (
        Shape.GEMINI_INTERACTIONS,
        lambda it: isinstance(get(it, "steps"), list) or isinstance(get(it, "outputs"), list),
        lambda it: [gemini.read_steps(_interaction(it))],
    ),
    (Shape.LANGCHAIN, _is_langchain, langchain.read),
    (
        Shape.OPENAI_CHAT,
        lambda it: isinstance(get(it, "content"), str) and get(it, "role") is not None,
        lambda it: openai.read_choices([{"message": it}]),
    ),
    (
        Shape.PLAIN,
        lambda it: not isinstance(get(it, "message"), dict) and _is_plain(it),
        lambda it: rows.read([it]),
    ),
)
"""Shapes of one response, in the order in which they are tried."""


def _of_list(items: list[Json]) -> Response:
    items = [
        get(item, "data") if get(item, "event") is not None and isinstance(get(item, "data"), dict) else item
        for item in items
    ]
    kinds = {text(item, "type") or "" for item in items}
    if kinds & anthropic.EVENTS:
        return Response(Shape.ANTHROPIC_STREAM, tuple(anthropic.read(blocks) for blocks in anthropic.assembled(items)))
    if any(kind.startswith("response.") for kind in kinds):
        return Response(Shape.OPENAI_STREAM, (openai.read_output(openai.assembled(items)),))
    if any(get(choice, "delta") is not None for item in items for choice in listed(item, "choices")):
        return Response(Shape.OPENAI_CHAT, tuple(openai.read_choices(openai.joined(items))))
    if _is_gemini_stream(items):
        return Response(Shape.GEMINI, tuple(gemini.read(gemini.joined(items))))
    if kinds & {"output_text", "file_search_call", "web_search_call"} or any(map(_is_output, items)):
        output: list[Json] = [{"content": items}] if "output_text" in kinds else items
        return Response(Shape.OPENAI_RESPONSES, (openai.read_output(output),))
    if any(map(_is_block, items)):
        return _of_blocks(items)
    if not items or any(map(_is_plain, items)):
        return Response(Shape.PLAIN, tuple(rows.read(items)))
    found = [_of_value(item) for item in items if text(item, "role", "type") not in _ASKING]
    shapes = {one.shape for one in found}
    shape = shapes.pop() if len(shapes) == 1 else Shape.SEVERAL
    return Response(shape, tuple(reading for one in found for reading in one.readings))


def _is_plain(item: Json) -> bool:
    cited = isinstance(get(item, "citations"), list | dict) and get(item, "content") is None
    return cited or isinstance(get(item, "quote"), str)


def _is_gemini_stream(items: list[Json]) -> bool:
    """Whether these are the chunks of one response of Gemini: only the last of them has finished."""
    candidates = [candidate for item in items for candidate in listed(item, "candidates")]
    finished = sum(text(candidate, "finish_reason") is not None for candidate in candidates)
    return len(items) > 1 and bool(candidates) and finished <= 1


def _is_output(item: Json) -> bool:
    return any(text(part, "type") == "output_text" for part in listed(item, "content"))


def _is_block(item: Json) -> bool:
    typed = text(item, "type") == "text" and get(item, "role") is None
    return typed or get(item, "citations_content") is not None


def _of_blocks(blocks: list[Json]) -> Response:
    """Read the content of one message."""
    annotations = [one for block in blocks for one in listed(block, "annotations")]
    citations = [one for block in blocks for one in listed(block, "citations")]
    if any(get(block, "citations_content") is not None for block in blocks):
        return Response(Shape.BEDROCK, (bedrock.read(blocks),))
    if any(isinstance(get(block, "text"), dict) for block in blocks):
        return Response(Shape.OPENAI_ASSISTANTS, (openai.read_thread(blocks),))
    if any(text(block, "type") == "output_text" for block in blocks):
        return Response(Shape.OPENAI_RESPONSES, (openai.read_output([{"content": blocks}]),))
    if annotations or any(get(one, "location") is not None for one in citations):
        return Response(Shape.LANGCHAIN, (langchain.read_blocks(blocks),))
    return Response(Shape.ANTHROPIC, (anthropic.read(blocks),))
