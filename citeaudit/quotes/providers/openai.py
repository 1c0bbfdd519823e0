"""Citations of OpenAI's Responses, Chat Completions and legacy Assistants APIs.

Shapes: platform.openai.com/docs, "File search", "Web search", "Assistants"; types of the Python SDK 3.57. A file
citation names a file and a place in the answer, no words of the file and no page; a quote is known only where the
request asked for the results of its search (`include=["file_search_call.results"]`) and one passage of that file came.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from citeaudit.quotes.providers.claims import Span, cited_span, claimed, sentence_before, unmarked
from citeaudit.quotes.providers.normal import (
    Cite,
    Kind,
    Locator,
    Reading,
    Source,
    because,
    linked,
    unsupported,
)
from citeaudit.quotes.providers.values import Json, Table, get, listed, raw_text, table, tables, text, whole

RESPONSES, CHAT, ASSISTANTS = "openai responses", "openai chat", "openai assistants"
TYPES = frozenset({"file_citation", "url_citation", "container_file_citation", "file_path"})
"""Types of annotations."""
Passages = Mapping[str, Sequence[str]]
"""Passages that a file search handed to the model, by file."""
_NO_QUOTE = "the provider gives no words of the file"


def read_output(output: Iterable[Json]) -> Reading:
    """Read the `output` items of a response."""
    items = [item for item in output if isinstance(item, dict)]
    passages = _passages(items)
    reading = Reading()
    for item in items:
        for part in tables(item, "content"):
            _add(reading, raw_text(part), listed(part, "annotations"), RESPONSES, passages)
    return reading


def read_choices(choices: Iterable[Json]) -> list[Reading]:
    """Read the `choices` of a chat completion; each is an answer of its own."""
    readings = []
    for choice in choices:
        message = table(choice, "message") or table(choice, "delta")
        content = get(message, "content")
        said = content if isinstance(content, str) else "".join(raw_text(part) for part in tables(message, "content"))
        readings.append(Reading())
        _add(readings[-1], said, listed(message, "annotations"), CHAT, {})
    return readings


def read_thread(content: Iterable[Json]) -> Reading:
    """Read the content of one message of an assistant's thread."""
    reading = Reading()
    for part in content:
        said = table(part, "text")
        _add(reading, raw_text(said, "value"), listed(said, "annotations"), ASSISTANTS, {})
    return reading


def _add(reading: Reading, said: str, annotations: Iterable[Json], provider: str, passages: Passages) -> None:
    offset = len(reading.text)
    reading.text += said
    reading.cites += [cite(one, said, offset, provider, passages) for one in annotations]


def cite(annotation: Json, said: str, offset: int, provider: str, passages: Passages | None = None) -> Cite:
    """Give the normal form of one annotation; an unknown type is kept as unsupported. Never raises.

    Args:
        annotation: As the provider gives it.
        said: Text part that it belongs to; its indices count the characters of this part.
        offset: Where the part begins in the text of the answer.
        provider: Name of the shape.
        passages: What the model was given to read, by file.
    """
    kind = text(annotation, "type")
    inner = table(annotation, kind) if kind in TYPES else {}
    fields = {**annotation, **inner} if isinstance(annotation, dict) else {}
    if kind not in TYPES:
        return unsupported(provider, annotation, kind)
    span, unclear = _claim(fields, said, raw_text(annotation) or None)
    claim = unmarked(said[slice(*span)]) if span else ""
    placed = (span[0] + offset, span[1] + offset) if span else None
    if kind == "url_citation":
        url = text(fields, "url")
        source = Source(url=url, title=text(fields, "title"))
        reason = because(unclear, None if url else "no address", "the provider gives no words of the page")
        return Cite(claim, placed, None, source, linked(url, kind), provider, annotation, reason=reason)
    file_id = text(fields, "file_id")
    quote, silent = _quote(passages or {}, file_id)
    source = Source(file_id=file_id, title=text(fields, "filename"))
    nameless = None if file_id or source.title else "names no file"
    return Cite(
        claim,
        placed,
        quote,
        source,
        Locator(Kind.NONE, type=kind),
        provider,
        annotation,
        retrieved=quote is not None,
        reason=because(unclear, nameless, silent),
    )


def _claim(fields: Table, said: str, mark: str | None) -> tuple[Span | None, str | None]:
    """Find the claim: what the span covers, or the sentence before a mark or an index."""
    start, end = whole(fields, "start_index"), whole(fields, "end_index")
    if start is None and end is None:
        index = whole(fields, "index")
        if get(fields, "type") == "file_path" or index is None:
            return None, "it names no place in the answer"  # the index of a file path counts files
        if 0 <= index <= len(said):
            return sentence_before(said, index), None
        return None, f"index {index} lies outside the answer"
    span = cited_span(said, start, end, mark)
    if span is None:
        return None, f"{start} to {end} lies outside the answer"
    return claimed(said, span), None


def _quote(passages: Passages, file_id: str | None) -> tuple[str | None, str | None]:
    """Give the passage of a file that the model was given, if there is but one; and why there is none."""
    found = passages.get(file_id or "", ())
    if len(found) == 1:
        return found[0], None
    if found:
        return None, f"{len(found)} passages of the file were retrieved, and the provider does not say which is meant"
    return None, _NO_QUOTE


def _passages(items: Iterable[Table]) -> dict[str, list[str]]:
    """Collect what file searches handed to the model, by file; the same passage counts once."""
    found: dict[str, list[str]] = {}
    for item in items:
        for result in tables(item, "results"):
            file_id, passage = text(result, "file_id"), text(result, "text")
            if file_id and passage and passage not in found.setdefault(file_id, []):
                found[file_id].append(passage)
    return found


def assembled(events: Iterable[Json]) -> list[Json]:
    """Put the events of a streamed response together to its output items; the complete response wins where it came."""
    parts: dict[tuple[int, int], Table] = {}
    items: list[Json] = []
    for event in events:
        if output := listed(table(event, "response"), "output"):
            items = output
        kind, place = text(event, "type"), (whole(event, "output_index") or 0, whole(event, "content_index") or 0)
        if kind == "response.output_text.delta":
            part = parts.setdefault(place, {"text": "", "annotations": []})
            part["text"] = raw_text(part) + raw_text(event, "delta")
        elif kind == "response.output_text.annotation.added":
            part = parts.setdefault(place, {"text": "", "annotations": []})
            part["annotations"] = [*listed(part, "annotations"), get(event, "annotation")]
    if items:
        return items
    made: dict[int, list[Json]] = {}
    for item, content in sorted(parts):
        made.setdefault(item, []).append(parts[item, content])
    return [{"type": "message", "content": content} for content in made.values()]


def joined(chunks: Iterable[Json]) -> list[Json]:
    """Put the chunks of a streamed chat completion together to its choices."""
    choices: dict[int, Table] = {}
    for chunk in chunks:
        for choice in tables(chunk, "choices"):
            delta = table(choice, "delta")
            message = choices.setdefault(whole(choice, "index") or 0, {"content": "", "annotations": []})
            message["content"] = raw_text(message, "content") + raw_text(delta, "content")
            message["annotations"] = [*listed(message, "annotations"), *listed(delta, "annotations")]
    return [{"message": choices[index]} for index in sorted(choices)]
