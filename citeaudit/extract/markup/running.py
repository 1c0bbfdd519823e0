"""Give the running text of a document of blocks: marks, notes and places, as the in-text room expects them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from citeaudit.extract.intext.body import Body, Mark, MarkKind, Note, Place
from citeaudit.extract.markup.blocks import Block, BlockKind, Document, Span, SpanKind
from citeaudit.extract.markup.references import address, is_source
from citeaudit.model.reference import Locus


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What the pointers of a document lead to: keys (labels or citekeys) of its references."""

    names: Mapping[str, str] = field(default_factory=dict)
    """By anchor."""
    addresses: Mapping[str, str] = field(default_factory=dict)
    """By address, as `address` gives it."""
    notes: Collection[str] = ()
    """Labels of the notes that are references themselves."""
    labels: Collection[str] = ()
    """Labels and keys of the references."""


class _Writer:
    """The text while it is put together."""

    def __init__(self, path: str, targets: Targets) -> None:
        self._path = path
        self._targets = targets
        self._parts: list[str] = []
        self._size = 0
        self.marks: list[Mark] = []
        self.notes: list[Note] = []
        self.places: list[Place] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def add(self, block: Block) -> None:
        if self._parts:
            self._put("\n\n")
        start = self._size
        for offset, line in ((0, block.line), *block.lines):
            self.places.append(Place(start=start + offset, locus=Locus(path=self._path, line=line)))
        if block.kind is BlockKind.QUOTE:
            self.marks.append(Mark(start=start, end=start + len(block.text), kind=MarkKind.QUOTATION))
        pointers = [mark for span in block.spans if (mark := self._mark(span, start)) is not None]
        self.marks += pointers
        self.marks += [
            Mark(start=start + span.start, end=start + span.end, kind=MarkKind.RAISED)
            for span in block.spans
            if span.kind is SpanKind.RAISED and not any(_touch(mark, span, start) for mark in pointers)
        ]
        self._put(block.text.replace("\n", " "))

    def note(self, label: str, blocks: Sequence[Block]) -> None:
        start = self._size + 2 * bool(self._parts)
        for block in blocks:
            self.add(block)
        self.notes.append(Note(label=label, start=start, end=self._size))

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)

    def _mark(self, span: Span, offset: int) -> Mark | None:
        keys, kind = span.keys, MarkKind.CITE
        if span.kind is SpanKind.NOTE:
            kind = MarkKind.CITE if span.value in self._targets.notes else MarkKind.NOTE
            keys = (span.value,)
        elif span.kind is SpanKind.LINK:
            if span.value.startswith("#"):
                key = self._targets.names.get(span.value[1:])
            else:
                key = self._targets.addresses.get(address(span)) if is_source(span) else None
            keys = (key,) if key is not None else ()
        elif span.kind is not SpanKind.CITE or (span.value and span.keys[0] not in self._targets.labels):
            return None
        if not keys:
            return None
        return Mark(start=offset + span.start, end=offset + span.end, kind=kind, keys=keys, locator=span.locator)


def _touch(mark: Mark, span: Span, offset: int) -> bool:
    return mark.start < offset + span.end and mark.end > offset + span.start


def running_text(document: Document, *, path: str, without: Collection[int], targets: Targets) -> Body:
    """Give the running text.

    Args:
        document: The whole document.
        path: As the user named it.
        without: Places of the blocks that are references or head them.
        targets: What links and notes lead to.
    """
    writer = _Writer(path, targets)
    for place, block in enumerate(document.blocks):
        if place not in without and block.text:
            writer.add(block)
    for label, blocks in document.notes.items():
        if label not in targets.notes:
            writer.note(label, blocks)
    marks = tuple(sorted(writer.marks, key=lambda mark: (mark.start, -mark.end)))
    return Body(text=writer.text, marks=marks, notes=tuple(writer.notes), places=tuple(writer.places))
