"""Citations in messages of langchain-core 1.x: its own `citation` annotations, and what providers left in place.

Shapes: `langchain_core.messages.content.Citation` and the translators beside it. Indices count the answer's text, never
the source; where in the source the words stand is in `extras`, under the provider's names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from citeaudit.quotes.providers import anthropic, bedrock, gemini, openai
from citeaudit.quotes.providers.claims import Span, byte_span, cited_span, claimed, sentence_before, unmarked
from citeaudit.quotes.providers.normal import Cite, Reading, Source, because, linked, unsupported
from citeaudit.quotes.providers.values import Json, Table, get, listed, raw_text, table, text, whole

PROVIDER = "langchain"
OWN = frozenset({"citation", "non_standard_annotation"})
"""Types of the annotations that langchain-core itself defines."""


def read(message: Table) -> list[Reading]:
    """Read one message: its blocks, and grounding that Gemini's integration leaves in `response_metadata`."""
    content = get(message, "content")
    blocks: list[Json] = [{"text": content}] if isinstance(content, str) else listed(message, "content")
    metadata = table(message, "response_metadata")
    reading = read_blocks(blocks)
    if reading.cites or get(metadata, "grounding_metadata") is None:
        return [reading]
    parts: list[Json] = [{"text": raw_text(block) if isinstance(block, dict) else block} for block in blocks]
    return gemini.read([{**metadata, "content": {"parts": parts}}])


def read_blocks(blocks: Sequence[Json]) -> Reading:
    """Read the blocks of one message."""
    reading = Reading()
    for block in blocks:
        said, offset = block if isinstance(block, str) else raw_text(block), len(reading.text)
        reading.text += said
        for annotation in [*listed(block, "annotations"), *listed(block, "citations")]:
            reading.cites.append(cite(annotation, said, offset))
    return reading


def cite(annotation: Json, said: str, offset: int) -> Cite:
    """Give the normal form of one annotation; an unknown type is kept as unsupported. Never raises."""
    kind = text(annotation, "type")
    if kind == "non_standard_annotation":
        value = get(annotation, "value")
        if text(value, "type") == "non_standard_annotation":
            return unsupported(PROVIDER, annotation, kind)
        return cite(value, said, offset)
    if kind == "citation":
        return _citation(annotation, said, offset)
    return _native(annotation, said, offset)


def _native(annotation: Json, said: str, offset: int) -> Cite:
    """Read an annotation that is still in its provider's own form."""
    if text(annotation, "type") in openai.TYPES:
        return openai.cite(annotation, said, offset, PROVIDER)
    span = (offset, offset + len(said))
    if get(annotation, "location") is not None:
        return bedrock.cite(annotation, said, span, PROVIDER)
    return anthropic.cite(annotation, said, span, PROVIDER)


def _citation(annotation: Json, said: str, offset: int) -> Cite:
    extras = {**table(annotation, "extras")}
    quote, title, url = text(annotation, "cited_text"), text(annotation, "title"), text(annotation, "url")
    span, unclear = _claim(annotation, extras, said)
    claim = unmarked(said[slice(*span)]) if span else ""
    placed = (span[0] + offset, span[1] + offset) if span else None
    if (native := _restored(annotation, extras)) is not None:
        reader = bedrock.cite if get(extras, "location") is not None else anthropic.cite
        made = reader(native, claim, placed, PROVIDER)
        return replace(made, raw=annotation, reason=because(unclear, made.reason))
    if get(extras, "google_ai_metadata") is not None:
        quote = None  # langchain-core puts the segment of the answer there, not words of the source
    source = Source(whole(extras, "document_index"), None, text(extras, "file_id"), url, title)
    reason = because(unclear, None if quote else "no cited text")
    return Cite(claim, placed, quote, source, linked(url, "citation"), PROVIDER, annotation, reason=reason)


def _restored(annotation: Json, extras: Table) -> Table | None:
    """Give the provider's own citation, where langchain-core moved its place in the source into `extras`."""
    fields = {**table({"it": annotation}, "it"), **extras}
    if get(extras, "location") is not None:
        return fields
    for kind, (_, first, last, _) in anthropic.RANGES.items():
        named = kind != "content_block_location" or whole(extras, "search_result_index") is None
        if named and (get(extras, first) is not None or get(extras, last) is not None):
            return {**fields, "type": kind}
    return None


def _claim(annotation: Json, extras: Table, said: str) -> tuple[Span | None, str | None]:
    """Find the claim: what the indices cover, the sentence before a mark or an index, else the whole block."""
    start, end = whole(annotation, "start_index"), whole(annotation, "end_index")
    if get(extras, "google_ai_metadata") is not None:
        found = byte_span(said, start or 0, end) if end is not None else None
        return found, None if found else f"bytes {start} to {end} are no part of the answer"
    if start is None and end is None:
        index = whole(extras, "index")
        file_index = index is not None and text(extras, "file_id") is not None and 0 <= index <= len(said)
        return (sentence_before(said, index) if file_index and index is not None else (0, len(said))), None
    span = cited_span(said, start or 0, end)
    if span is None:
        return None, f"{start} to {end} lies outside the answer"
    return claimed(said, span), None
