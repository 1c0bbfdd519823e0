"""Citations of Google's Gemini: grounding of `generateContent`, and annotations of the Interactions API.

Shapes: ai.google.dev, "Grounding"; types of the Python SDK 3.6. Offsets are bytes of UTF-8, ends are exclusive, a start
of 0 is left out, and spans of pages are inclusive and 1-based. JSON has camel case, the SDK snake case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from citeaudit.quotes.providers.claims import Span, byte_span
from citeaudit.quotes.providers.normal import (
    Cite,
    Kind,
    Locator,
    Reading,
    Source,
    because,
    is_url,
    linked,
    located,
    unsupported,
)
from citeaudit.quotes.providers.values import Json, Table, get, listed, raw_text, table, tables, text, whole

PROVIDER, INTERACTIONS = "gemini", "gemini interactions"
_NO_QUOTE = "the provider gives no words of the source"
_NO_CITATIONS = frozenset({"word_info", "speech_metadata"})
"""Annotations of spoken answers, which cite nothing."""


class _Claim(NamedTuple):
    text: str = ""
    span: Span | None = None
    wrong: str | None = None


def read(candidates: Iterable[Json]) -> list[Reading]:
    """Read the candidates of a response; each is an answer of its own."""
    return [_candidate(one) for one in candidates]


def _candidate(candidate: Json) -> Reading:
    parts = [
        "" if get(part, "thought") is True else raw_text(part) for part in tables(table(candidate, "content"), "parts")
    ]
    reading = Reading("".join(parts))
    metadata = table(candidate, "grounding_metadata")
    chunks = listed(metadata, "grounding_chunks")
    for support in listed(metadata, "grounding_supports"):
        reading.cites += _support(support, chunks, parts)
    recited = table(candidate, "citation_metadata")
    for citation in listed(recited, "citations") or listed(recited, "citation_sources"):
        reading.cites.append(_recited(citation, reading.text))
    return reading


def _support(support: Json, chunks: Sequence[Json], parts: Sequence[str]) -> list[Cite]:
    """Give one citation for each source that a claim names."""
    claim = _segment(table(support, "segment"), parts)
    indices = listed(support, "grounding_chunk_indices")
    if not indices:
        locator = Locator(Kind.NONE, type="grounding_support")
        reason = because(claim.wrong, "names no source")
        return [Cite(claim.text, claim.span, None, Source(), locator, PROVIDER, support, reason=reason)]
    made = []
    for number in indices:
        index = whole({"index": number}, "index")
        if index is None or not 0 <= index < len(chunks):
            locator = Locator(Kind.NONE, type="grounding_support")
            reason = because(claim.wrong, f"names chunk {number}, which is not in the response")
            made.append(Cite(claim.text, claim.span, None, Source(), locator, PROVIDER, support, reason=reason))
        else:
            made.append(_chunk(chunks[index], claim, {"grounding_support": support, "grounding_chunk": chunks[index]}))
    return made


def _segment(segment: Table, parts: Sequence[str]) -> _Claim:
    """Find a segment in the answer: by its bytes, else by its text."""
    told, start, end = raw_text(segment), whole(segment, "start_index") or 0, whole(segment, "end_index")
    part = whole(segment, "part_index") or 0
    if end is not None and 0 <= part < len(parts):
        span = byte_span(parts[part], start, end)
        if span is not None and (not told or parts[part][slice(*span)] == told):
            offset = sum(map(len, parts[:part]))
            return _Claim(parts[part][slice(*span)], (span[0] + offset, span[1] + offset))
    answer = "".join(parts)
    span = byte_span(answer, start, end) if end is not None else None
    if span is not None and span[0] < span[1] and (not told or answer[slice(*span)] == told):
        return _Claim(answer[slice(*span)], span)  # offsets into all parts, as streams give them
    if not told.strip():
        return _Claim(wrong=f"bytes {start} to {end} are no part of the answer")
    at = answer.find(told)
    if at < 0:
        return _Claim(told, wrong="the segment is not in the answer")
    return _Claim(told, (at, at + len(told)), "the segment does not stand at its offsets")


def _chunk(chunk: Json, claim: _Claim, raw: Json) -> Cite:
    """Give the citation of a claim to one source."""
    if isinstance(get(chunk, "retrieved_context"), dict):
        return _retrieved(table(chunk, "retrieved_context"), claim, raw)
    for name, address in (("web", "uri"), ("maps", "uri"), ("image", "source_uri")):
        found = get(chunk, name)
        if isinstance(found, dict):
            url = text(found, address) or text(found, "image_uri")
            source = Source(
                file_id=text(found, "place_id"), url=url, title=text(found, "title") or text(found, "domain")
            )
            reason = because(claim.wrong, None if url else "no address", _NO_QUOTE)
            return Cite(claim.text, claim.span, None, source, linked(url, name), PROVIDER, raw, reason=reason)
    named = [name for name, value in chunk.items() if value is not None] if isinstance(chunk, dict) else []
    return unsupported(PROVIDER, raw, named[0] if named else "empty chunk", claim=claim.text, span=claim.span)


def _retrieved(context: Table, claim: _Claim, raw: Json) -> Cite:
    piece = table(context, "rag_chunk")
    quote = text(piece, "text") or text(context, "text")
    pages = table(piece, "page_span")
    first = whole(pages, "first_page") if pages else whole(context, "page_number")
    last = whole(pages, "last_page") if pages else None
    uri = text(context, "uri")
    locator, wrong = linked(uri, "retrieved_context"), None
    if pages or first is not None:
        end = (first if last is None else last) if first is not None else None
        locator, wrong = located(
            Kind.PAGE, first, None if end is None else end + 1, name="page_span" if pages else "page_number"
        )
    file_id = text(context, "document_name") or text(piece, "file_id") or text(context, "media_id")
    return Cite(
        claim.text,
        claim.span,
        quote,
        Source(file_id=file_id, url=uri, title=text(context, "title")),
        locator,
        PROVIDER,
        raw,
        retrieved=quote is not None,
        reason=because(claim.wrong, wrong, None if quote else _NO_QUOTE),
    )


def _recited(citation: Json, answer: str) -> Cite:
    """Keep a notice of recitation: the answer repeats a source, it does not rest on it."""
    end, name = whole(citation, "end_index"), "citation_metadata"
    span = byte_span(answer, whole(citation, "start_index") or 0, end) if end is not None else None
    source = Source(url=text(citation, "uri"), title=text(citation, "title"))
    reason = because(
        None if span else "it names no place in the answer", "the answer repeats this source; it does not cite it"
    )
    claim, locator = answer[slice(*span)] if span else "", Locator(Kind.UNSUPPORTED, type=name)
    return Cite(claim, span, None, source, locator, PROVIDER, citation, reason=reason)


def read_steps(contents: Iterable[Json]) -> Reading:
    """Read the contents of the outputs of an interaction."""
    reading = Reading()
    for content in contents:
        said, offset = raw_text(content), len(reading.text)
        reading.text += said
        for annotation in listed(content, "annotations"):
            known = table(annotation, "raw") or annotation  # the SDK wraps kinds that it does not know
            if text(known, "type") not in _NO_CITATIONS:
                reading.cites.append(_annotation(known, said, offset))
    return reading


def _annotation(annotation: Json, said: str, offset: int) -> Cite:
    kind, end = text(annotation, "type"), whole(annotation, "end_index")
    found = byte_span(said, whole(annotation, "start_index") or 0, end) if end is not None else None
    claim = said[slice(*found)] if found else ""
    span = (found[0] + offset, found[1] + offset) if found else None
    if kind not in {"url_citation", "file_citation", "place_citation", None} or not isinstance(annotation, dict):
        return unsupported(INTERACTIONS, annotation, kind, claim=claim, span=span)
    named = text(annotation, "url", "document_uri", "uri", "source")
    url = named if named and is_url(named) else None
    file_id = text(annotation, "media_id", "place_id") or (None if url else named)
    source = Source(file_id=file_id, url=url, title=text(annotation, "title", "file_name", "name"))
    page, name = whole(annotation, "page_number"), kind or "source"
    locator, wrong = linked(url, name), None
    if page is not None:
        locator, wrong = located(Kind.PAGE, page, page + 1, name=name)
    unplaced = None if found else "it names no place in the answer"
    nameless = None if url or source.title or file_id else "names no source"
    return Cite(
        claim,
        span,
        None,
        source,
        locator,
        INTERACTIONS,
        annotation,
        reason=because(unplaced, nameless, wrong, _NO_QUOTE),
    )


def joined(chunks: Iterable[Json]) -> list[Json]:
    """Put the chunks of a streamed response together to its candidates; the last metadata of each kind wins."""
    made: dict[int, Table] = {}
    for chunk in chunks:
        for candidate in tables(chunk, "candidates"):
            whole_one = made.setdefault(whole(candidate, "index") or 0, {"content": {"parts": [{"text": ""}]}})
            parts = tables(table(candidate, "content"), "parts")
            said = "".join(raw_text(part) for part in parts if get(part, "thought") is not True)
            before = raw_text(tables(table(whole_one, "content"), "parts")[0])
            whole_one["content"] = {"parts": [{"text": before + said}]}
            for name in ("grounding_metadata", "citation_metadata"):
                if (found := get(candidate, name)) is not None:
                    whole_one[name] = found
    return [made[index] for index in sorted(made)]
