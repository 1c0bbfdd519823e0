"""Citations of Anthropic's Messages API: complete messages, and events of a stream.

Shapes: platform.claude.com/docs, "Citations" and "Streaming messages"; types of the Python SDK 2.14. Pages are 1-based,
characters and blocks 0-based; every end is exclusive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from citeaudit.quotes.providers.claims import Span
from citeaudit.quotes.providers.normal import (
    Cite,
    Kind,
    Reading,
    Source,
    Unit,
    because,
    is_url,
    linked,
    located,
    unsupported,
)
from citeaudit.quotes.providers.values import Json, Table, get, listed, raw_text, table, text, whole

PROVIDER = "anthropic"
RANGES: dict[str, tuple[Kind, str, str, Unit | None]] = {
    "page_location": (Kind.PAGE, "start_page_number", "end_page_number", None),
    "char_location": (Kind.CHAR, "start_char_index", "end_char_index", Unit.CODEPOINT),
    "content_block_location": (Kind.BLOCK, "start_block_index", "end_block_index", None),
    "search_result_location": (Kind.BLOCK, "start_block_index", "end_block_index", None),
}
"""Kinds of places in a source, and the fields that bound them."""
WEB = "web_search_result_location"
_STARTED, _CHANGED, _OPENED = "message_start", "content_block_delta", "content_block_start"
EVENTS = frozenset({_STARTED, _OPENED, _CHANGED, "content_block_stop", "message_delta", "message_stop", "ping"})
"""Types of the events of a stream."""


def read(blocks: Sequence[Json], provider: str = PROVIDER) -> Reading:
    """Read the content blocks of one message; a text block with citations is the claim of each of them."""
    reading = Reading()
    for block in blocks:
        said = raw_text(block)
        span = (len(reading.text), len(reading.text) + len(said))
        reading.text += said
        reading.cites += [cite(one, said, span, provider) for one in listed(block, "citations")]
    return reading


def cite(citation: Json, claim: str, span: Span | None, provider: str = PROVIDER) -> Cite:
    """Give the normal form of one citation; an unknown type is kept as unsupported. Never raises."""
    kind = text(citation, "type")
    if kind == WEB:
        return _web(citation, claim, span, provider)
    if kind not in RANGES:
        return unsupported(provider, citation, kind, claim=claim, span=span)
    counted, first, last, unit = RANGES[kind]
    locator, wrong = located(counted, whole(citation, first), whole(citation, last), name=kind, unit=unit)
    source, nameless = _source(citation, searched=kind == "search_result_location")
    quote = text(citation, "cited_text")
    reason = because(wrong, nameless, None if quote else "no cited text")
    return Cite(claim, span, quote, source, locator, provider, citation, reason=reason)


def _source(citation: Json, *, searched: bool) -> tuple[Source, str | None]:
    """Name the source; documents and search results are counted apart."""
    index = whole(citation, "search_result_index" if searched else "document_index")
    named = text(citation, "source") if searched else None
    url = named if named and is_url(named) else None
    file_id = text(citation, "file_id") or (None if url else named)
    title = text(citation, "title", "document_title") if searched else text(citation, "document_title", "title")
    known = index if index is not None and index >= 0 else None
    source = Source(None if searched else known, known if searched else None, file_id, url, title)
    return source, None if known is not None or title or file_id or url else "names no document"


def _web(citation: Json, claim: str, span: Span | None, provider: str) -> Cite:
    url, quote = text(citation, "url"), text(citation, "cited_text")
    reason = because(None if url else "no address", None if quote else "no cited text")
    source = Source(url=url, title=text(citation, "title"))
    return Cite(claim, span, quote, source, linked(url, WEB), provider, citation, reason=reason)


def assembled(events: Iterable[Json]) -> list[list[Json]]:
    """Put the events of a stream together to the content blocks of its messages.

    A block takes its text from `text_delta` and a citation from each `citations_delta`; events that were lost leave
    what arrived. Blocks come in the order of their index.
    """
    messages: list[dict[int, Table]] = [{}]
    for event in events:
        kind = text(event, "type")
        if kind == _STARTED:
            messages.append(dict(enumerate(_blocks(table(event, "message")))))
        index = whole(event, "index")
        if index is None:
            continue
        if kind == _OPENED:
            messages[-1][index] = _opened(table(event, "content_block"))
        elif kind == _CHANGED:
            _change(messages[-1].setdefault(index, _opened({})), table(event, "delta"))
    return [[blocks[index] for index in sorted(blocks)] for blocks in messages if blocks]


def _blocks(message: Table) -> list[Table]:
    return [_opened(block) for block in listed(message, "content") if isinstance(block, dict)]


def _opened(block: Table) -> Table:
    return {**block, "text": raw_text(block), "citations": list(listed(block, "citations"))}


def _change(block: Table, delta: Table) -> None:
    kind = text(delta, "type")
    if kind == "text_delta":
        block["text"] = raw_text(block) + raw_text(delta)
    elif kind == "citations_delta":
        block["citations"] = [*listed(block, "citations"), get(delta, "citation")]
