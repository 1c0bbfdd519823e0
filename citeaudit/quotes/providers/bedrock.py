"""Citations of Amazon Bedrock's Converse API, which renames the fields of Anthropic's.

Shapes: docs.aws.amazon.com/bedrock, `CitationsContentBlock` and `CitationLocation`. It does not say whether an end is
exclusive; since it hands on Anthropic's numbers, it is read so, and a range that would be empty as holding its start.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from citeaudit.quotes.providers.values import Json, Table, get, listed, raw_text, table, tables, text, whole

PROVIDER = "bedrock"
_KINDS: dict[str, tuple[Kind, Unit | None]] = {
    "document_page": (Kind.PAGE, None),
    "document_char": (Kind.CHAR, Unit.CODEPOINT),
    "document_chunk": (Kind.BLOCK, None),
    "search_result_location": (Kind.BLOCK, None),
}


def read(blocks: Sequence[Json], provider: str = PROVIDER) -> Reading:
    """Read the content blocks of one message."""
    reading = Reading()
    for block in blocks:
        cited = table(block, "citations_content")
        said = "".join(raw_text(part) for part in tables(cited, "content")) if cited else raw_text(block)
        span = (len(reading.text), len(reading.text) + len(said))
        reading.text += said
        reading.cites += [cite(one, said, span, provider) for one in listed(cited, "citations")]
    return reading


def cite(citation: Json, claim: str, span: Span | None, provider: str = PROVIDER) -> Cite:
    """Give the normal form of one citation; an unknown place is kept as unsupported. Never raises."""
    place = table(citation, "location")
    title, named = text(citation, "title"), text(citation, "source")
    parts = "".join(raw_text(part) for part in tables(citation, "source_content"))
    quote = parts if parts.strip() else text(citation, "cited_text")
    lacking = None if quote else "no cited text"
    if get(place, "web") is not None:
        url = text(table(place, "web"), "url") or (named if named and is_url(named) else None)
        source = Source(url=url, title=title or text(table(place, "web"), "domain"))
        reason = because(None if url else "no address", lacking)
        return Cite(claim, span, quote, source, linked(url, "web"), provider, citation, reason=reason)
    for name, (kind, unit) in _KINDS.items():
        if get(place, name) is None:
            continue
        found = table(place, name)
        start, end = whole(found, "start"), whole(found, "end")
        if end is not None and end == start:
            end += 1
        locator, wrong = located(kind, start, end, name=name, unit=unit)
        source = _source(found, title, named)
        return Cite(claim, span, quote, source, locator, provider, citation, reason=because(wrong, lacking))
    return unsupported(provider, citation, next(iter(place), None), claim=claim, span=span)


def _source(place: Table, title: str | None, named: str | None) -> Source:
    url = named if named and is_url(named) else None
    index, search = whole(place, "document_index"), whole(place, "search_result_index")
    return Source(index, search, None if url else named, url, title)
