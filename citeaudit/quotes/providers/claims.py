"""Find what an answer claims where a citation points: a span, a sentence before a mark, bytes of UTF-8."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citeaudit.extract.intext.sentences import boundaries, sentence_at

Span = tuple[int, int]
"""Half-open, in code points."""

_WINDOW, _AHEAD = 1_500, 500
"""Characters before and behind a mark that are searched for its sentence; keeps long answers with many marks linear."""
_MARK = re.compile(
    r"【[^【】\n]{0,200}】"
    r"|\(\s*\[[^\[\]\n]{0,500}\]\([^\s()]{1,2000}\)(?:\s*[,;]\s*\[[^\[\]\n]{0,500}\]\([^\s()]{1,2000}\))*\s*\)"
    r"|\[[^\[\]\n]{0,500}\]\([^\s()]{1,2000}\)"
    r"|\[\^?\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]"
    r"|\ue200[^\ue200\ue201]{0,500}\ue201"
    r"|\(?https?://[^\s()<>]{0,2000}[^\s()<>.,;:!?]\)?"
)
"""Marks that stand for a citation in an answer: `【4:0†source】`, `([site](https://…))`, `[3]`, an address."""
_SPACED = re.compile(r"[ \t]+(?=[.,;:!?](?:\s|$))")
"""Blanks that a mark leaves before a stop."""
_LINKED = re.compile(r"\[([^\[\]\n]*)\]\([^()]*\)")
_ITEM = re.compile(r"\n[ \t]*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>|\|)[ \t]+|\n[ \t]*\n")
"""Where an item of a list, a heading or a paragraph begins."""
_LEAD = re.compile(r"(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)[ \t]+")
_PAIRS = {"(": ")", "[": "]", "【": "】", "{": "}"}


def sentence_before(text: str, place: int) -> Span:
    """Give the sentence that ends at a place or holds it; marks of citations before the place are passed over."""
    place = max(0, min(place, len(text)))
    low = max(0, place - _WINDOW)
    part = text[low : place + _AHEAD]
    marks = [found.span() for found in _MARK.finditer(part)]
    at = _before_marks(part, place - low, marks)
    ends = boundaries(part, markers=marks)
    start, end = sentence_at(ends, max(0, at - 1), at)
    for item in _ITEM.finditer(part, start, end + 2):  # the stop of `2. ` looks like the end of a sentence
        if item.end() <= at:
            start = item.end()
        elif item.start() >= at:
            end = min(end, item.start())
            break
    start, end = _bared(part, start, end, marks)
    return start + low, end + low


def _before_marks(part: str, at: int, marks: list[Span]) -> int:
    """Step back over blanks and marks."""
    for start, end in reversed(marks):
        if start < at and end >= len(part[:at].rstrip()):
            at = start
    return len(part[:at].rstrip())


def _bared(part: str, start: int, end: int, marks: list[Span]) -> Span:
    """Leave out blanks, the sign of a list's item, and marks at the ends."""
    moved = True
    while moved:
        moved = False
        start += len(part[start:end]) - len(part[start:end].lstrip())
        end = start + len(part[start:end].rstrip())
        lead = _LEAD.match(part, start, end) if start == 0 or part[start - 1] in "\n \t" else None
        if lead is not None and lead.end() < end:
            start, moved = lead.end(), True
        for first, last in marks:
            if last == end and first > start:
                end, moved = first, True
            elif first == start and last < end:
                start, moved = last, True
    return start, end


def cited_span(text: str, start: int | None, end: int | None, mark: str | None = None) -> Span | None:
    """Give the code points that a provider's offsets mean; none where they mean none.

    OpenAI's SDK calls the end "the index of the last character" while slices show it exclusive, and says nothing of
    what is counted: the reading under which the mark stands there is taken, else the exclusive one, widened by one
    where it would cut a bracket or a word short.

    Args:
        text: The text that the offsets count.
        start: First character.
        end: Behind the last one, or the last one.
        mark: What must stand there, where the provider says so.
    """
    if start is None or end is None or not 0 <= start <= end or start >= len(text):
        return None
    for span in _readings(text, start, end):
        if mark and text[slice(*span)] == mark:
            return span
    if mark and (found := text.find(mark)) >= 0:
        return found, found + len(mark)
    if end > len(text):
        return (start, end - 1) if end - 1 == len(text) else None
    cut = text[start:end]
    closing = _PAIRS.get(cut[:1])
    if closing and text[end : end + 1] == closing and cut.count(cut[0]) > cut.count(closing):
        return start, end + 1
    if not closing and cut[-1:].isalnum() and text[end : end + 1].isalnum() and not text[end + 1 : end + 2].isalnum():
        return start, end + 1
    return start, end


def _readings(text: str, start: int, end: int) -> Iterator[Span]:
    yield start, end
    yield start, end + 1
    if (wide := utf16_span(text, start, end)) is not None:
        yield wide


def claimed(text: str, span: Span) -> Span:
    """Give the claim that a span stands for: itself, or, where it holds only a mark, the sentence before it."""
    inner = text[slice(*span)].strip()
    if not inner or _MARK.fullmatch(inner) or inner.startswith("【"):
        return sentence_before(text, span[0])
    return span


def unmarked(claim: str) -> str:
    """Give a claim without the marks of citations in it; of a link its words stay.

    >>> unmarked("It is high【4:0†source】, says [the office](https://o.example).")
    'It is high, says the office.'
    """
    return _SPACED.sub("", _MARK.sub(_words, claim)).strip()


def _words(mark: re.Match[str]) -> str:
    found = _LINKED.fullmatch(mark[0])
    return found[1] if found is not None else ""


def byte_span(text: str, start: int, end: int) -> Span | None:
    """Give the code points of a half-open range of UTF-8 bytes; none where it cuts a character or leaves the text.

    >>> byte_span("Größe 5 €", 0, 7), byte_span("Größe", 0, 3)
    ((0, 5), None)
    """
    return _encoded_span(text, start, end, "utf-8", 1)


def utf16_span(text: str, start: int, end: int) -> Span | None:
    """Give the code points of a half-open range of UTF-16 units; none where it cuts a character or leaves the text.

    >>> utf16_span("😀 yes", 3, 6)
    (2, 5)
    """
    return _encoded_span(text, start, end, "utf-16-le", 2)


def _encoded_span(text: str, start: int, end: int, encoding: str, width: int) -> Span | None:
    data = text.encode(encoding, "surrogatepass")
    if not 0 <= start <= end <= len(data) // width:
        return None
    try:
        head = data[: start * width].decode(encoding, "surrogatepass")
        body = data[start * width : end * width].decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return None
    if head + body != text[: len(head) + len(body)]:
        return None  # a pair of surrogates was cut
    return len(head), len(head) + len(body)
