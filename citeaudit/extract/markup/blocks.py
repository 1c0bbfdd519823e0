"""A document as blocks of text with marked stretches: what Markdown, HTML and .docx have in common."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum

_SPACE = re.compile(r"[ \t\n\r\f\v\u00a0\u2007\u202f\u3000]+")
_DROPPED = {ord(char): None for char in "\u00ad\u200b\ufeff"}


class BlockKind(StrEnum):
    """What a block is in its document."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    """An entry of a list, or of a list of definitions."""
    ROW = "row"
    """A row of a table, its cells separated by ` | `."""
    HEADER = "header"
    """The head of a table."""
    QUOTE = "quote"
    """A block quotation."""


class SpanKind(StrEnum):
    """What is said about a stretch of a block."""

    ITALIC = "italic"
    BOLD = "bold"
    RAISED = "raised"
    LINK = "link"
    """`value` is its target: an address, or `#name` inside the document."""
    CITE = "cite"
    """A pointer to references; `keys` as in `MarkKind.CITE`."""
    NOTE = "note"
    """The mark of a note; `value` is its label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One such stretch; `start` and `end` are half-open offsets into the text of its block."""

    start: int
    end: int
    kind: SpanKind
    value: str = ""
    title: str = ""
    """What a link carries as its title."""
    keys: tuple[str, ...] = ()
    locator: str | None = None

    def moved(self, by: int) -> Span:
        """Give the span for a text that has `by` more characters before it."""
        return replace(self, start=self.start + by, end=self.end + by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, heading, list item or table row."""

    kind: BlockKind
    text: str
    """White space is squeezed; a line break of the author is a line end."""
    line: int
    """1-based line, or paragraph, on which it starts."""
    spans: tuple[Span, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    """Offset and line of each further source line, ascending."""
    level: int = 0
    """Of a heading, 1 the highest; 0 for what only looks like one."""
    label: str | None = None
    """The number that the document's own list numbering prints before it."""
    names: tuple[str, ...] = ()
    """Anchors inside it or right before it, to which links may point."""
    listed: bool = False
    """The document itself marks it as an entry of its list of references."""
    follows: bool = False
    """It goes on with the list item before it."""
    cells: tuple[str, ...] = ()
    """Of a table row."""

    def slice(self, start: int, end: int) -> tuple[str, tuple[Span, ...]]:
        """Give a stretch of the text, without white space around it, with the spans that lie in it."""
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        inside = (
            replace(span, start=max(span.start, start) - start, end=min(span.end, end) - start)
            for span in self.spans
            if span.start < end and span.end > start
        )
        return self.text[start:end], tuple(inside)


@dataclass(slots=True, kw_only=True)
class Document:
    """What a parser found."""

    blocks: list[Block] = field(default_factory=list)
    notes: dict[str, list[Block]] = field(default_factory=dict)
    """Foot- and endnotes by their label, in order."""
    remarks: list[str] = field(default_factory=list)
    """Sentences for the self-check."""


class Text:
    """The text of a block while it is put together."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._last = "\n"
        self.size = 0
        self.spans: list[Span] = []
        self.lines: list[tuple[int, int]] = []
        self.names: list[str] = []

    def add(self, text: str) -> None:
        """Add text; white space is squeezed to one space."""
        squeezed = _SPACE.sub(" ", text.translate(_DROPPED))
        if self._last.isspace():
            squeezed = squeezed.lstrip(" ")
        if squeezed:
            self._put(squeezed)

    def newline(self, line: int | None = None) -> None:
        """Break the line as the author did; say on which source line the text goes on."""
        if not self._last.isspace():
            self._put("\n")
        elif self._last == " ":
            self._parts[-1] = self._parts[-1][:-1] + "\n"
            self._last = "\n"
        if line is not None:
            self.lines.append((self.size, line))

    def mark(self, start: int, kind: SpanKind, value: str = "", *, title: str = "") -> None:
        """Mark everything added since `start`."""
        if self.size > start:
            self.spans.append(Span(start=start, end=self.size, kind=kind, value=value, title=title))

    def block(self, kind: BlockKind, line: int, *, level: int = 0) -> Block:
        """Give the block made of what was added."""
        text = "".join(self._parts).rstrip()
        spans = sorted(
            (replace(span, end=min(span.end, len(text))) for span in self.spans if span.start <= len(text)),
            key=lambda span: (span.start, -span.end),
        )
        return Block(
            kind=kind,
            text=text,
            line=line,
            level=level,
            spans=tuple(spans),
            lines=tuple(self.lines),
            names=tuple(self.names),
        )

    @property
    def text(self) -> str:
        """What was added so far."""
        return "".join(self._parts)

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self.size += len(text)
        self._last = text[-1]
