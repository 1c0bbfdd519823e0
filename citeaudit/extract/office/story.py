"""Take the text of a .docx apart: paragraphs, tables, notes, text boxes, as blocks of marked text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from citeaudit.extract.markup.blocks import Block, BlockKind, Document, Span, SpanKind, Text
from citeaudit.extract.office.fields import Fields, Open
from citeaudit.extract.office.managers import Cited, Library, is_list_tag
from citeaudit.extract.office.styles import Look, Numbering, Style, indents, numbered, outline
from citeaudit.extract.tagged.xml import Element

MAX_DEPTH = 120
"""Elements inside one another that are followed; documents have about 20."""
BLOCK_INDENT = 400
"""Twips from which indents on both sides make a block quotation; a quarter of an inch is 360."""

_INSIDE = frozenset(
    {"ins", "moveTo", "smartTag", "customXml", "dir", "bdo", "oMath", "oMathPara", "sdtContent", "rubyBase"}
)
_STYLED = ((SpanKind.ITALIC, 0), (SpanKind.BOLD, 1), (SpanKind.RAISED, 2))
_SHORT_CELL = 40


@dataclass(slots=True, kw_only=True)
class Parts:
    """What the parts beside the text say."""

    styles: Mapping[str, Style] = field(default_factory=dict)
    numbering: Numbering = field(default_factory=Numbering)
    links: Mapping[str, str] = field(default_factory=dict)
    """Targets of the text's hyperlinks by id."""
    notes: Mapping[str, Element] = field(default_factory=dict)
    """Notes by kind and id, `footnote 2`."""
    note_links: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Hyperlinks of the notes, by kind."""
    marked: Mapping[str, str] = field(default_factory=dict)
    """Codes of fields that Zotero keeps as bookmarks, by the name of the bookmark."""


class Story:
    """Reads the text part, and the notes in the order in which it points to them."""

    def __init__(self, parts: Parts, library: Library, path: str) -> None:
        self.document = Document()
        self._parts = parts
        self._library = library
        self._path = path
        self._fields = Fields(library, path)
        self._links = parts.links
        self._into = self.document.blocks
        self._paragraph = 0
        self._listed = 0
        self._notes: list[tuple[str, str, str]] = []
        self._names: list[str] = []
        self._hidden = 0
        self._boxes: list[Element] = []
        self._marked: dict[str, Open] = {}

    def read(self, body: Element) -> Document:
        """Read the body, then its notes."""
        self._blocks(body, 0)
        for kind, label, name in self._notes:
            self._fields = Fields(self._library, self._path)
            self._links = self._parts.note_links.get(kind, {})
            self._into = self.document.notes.setdefault(label, [])
            self._blocks(self._parts.notes[name], 0)
            if not self._into:
                del self.document.notes[label]
        if self._hidden:
            self.document.remarks.append(f"{self._hidden} characters of hidden text were left out")
        return self.document

    def _blocks(self, parent: Element, depth: int) -> None:
        for element in parent.children():
            if depth > MAX_DEPTH:
                return
            if element.tag == "p":
                self._paragraph += 1
                self._add_paragraph(element)
            elif element.tag == "tbl":
                self._table(element, depth)
            elif element.tag == "sdt":
                self._control(element, depth)
            elif element.tag in {"bookmarkStart", "bookmarkEnd"}:
                self._between(element)
            elif element.tag in _INSIDE:
                self._blocks(element, depth + 1)

    def _between(self, element: Element) -> None:
        """Read a bookmark that stands between paragraphs."""
        if element.get("name") in self._parts.marked or element.get("id") in self._marked:
            self._bookmark(element, Text())
        elif element.tag == "bookmarkStart":
            self._name(element)

    def _control(self, element: Element, depth: int) -> None:
        """Read a content control that holds paragraphs."""
        lists = _is_list(element)
        content = element.child("sdtContent")
        if content is not None:
            self._listed += lists
            self._blocks(content, depth + 1)
            self._listed -= lists

    def _table(self, table: Element, depth: int) -> None:
        rows = list(table.iter("tr")) if depth < MAX_DEPTH else []
        for place, row in enumerate(rows):
            cells = [[*cell.iter("p")] for cell in row.children("tc")]
            if len(cells) < 2 or any(len(cell) > 3 for cell in cells):  # noqa: PLR2004 - layout, no table of data
                for cell in row.children("tc"):
                    self._blocks(cell, depth + 1)
                continue
            self._row(cells, first=place == 0 and len(rows) > 1)

    def _row(self, cells: list[list[Element]], *, first: bool) -> None:
        text = Text()
        texts: list[str] = []
        line = self._paragraph + 1
        for cell in cells:
            if texts:
                text.add(" | ")
            start = text.size
            for paragraph in cell:
                self._paragraph += 1
                text.add(" ")
                self._runs(paragraph, text, Look(), 0)
            texts.append(text.text[start:].strip())
        head = first and all(len(each) < _SHORT_CELL and not any(map(str.isdigit, each)) for each in texts)
        block = text.block(BlockKind.HEADER if head else BlockKind.ROW, line)
        if block.text.strip(" |"):
            self._put(replace(block, cells=tuple(texts)))

    def _put(self, block: Block) -> None:
        block = replace(
            block,
            names=(*self._names, *block.names),
            spans=tuple(_merged(block.spans)),
            listed=block.listed or ((self._listed > 0 or self._fields.lists) and block.kind is not BlockKind.HEADING),
        )
        self._names = []
        self._into.append(block)

    def _add_paragraph(self, paragraph: Element) -> None:
        properties = paragraph.child("pPr")
        style = self._style(properties)
        line, text = self._paragraph, Text()
        lists, contents = self._fields.lists, self._fields.contents or style.left_out
        for one in self._fields.open:
            one.start = 0
        self._runs(paragraph, text, style.look, 0)
        for one in self._fields.open:  # the result goes on in the next paragraph
            self._close(replace_start(one), text)
        for one in self._marked.values():  # a citation ends with its paragraph, even where its bookmark's end is lost
            if one.works and one in self._fields.open:
                self._fields.open.remove(one)
        boxes, self._boxes = self._boxes, []
        kind, level = self._kind(properties, style)
        label = self._label(properties, style) if kind is not BlockKind.HEADING and text.text.strip() else None
        if label is not None or (numbered(properties) or style.numbering) is not None:
            kind = BlockKind.ITEM if kind is BlockKind.PARAGRAPH else kind
        block = replace(text.block(kind, line, level=level), label=label)
        listed = style.listed or lists or self._fields.lists
        if block.text and not contents:
            self._put(replace(block, listed=listed and kind is not BlockKind.HEADING))
        for box in boxes:
            self._blocks(box, 0)

    def _style(self, properties: Element | None) -> Style:
        named = properties.child("pStyle") if properties is not None else None
        return self._parts.styles.get((named.get("val") if named is not None else None) or "", Style())

    def _kind(self, properties: Element | None, style: Style) -> tuple[BlockKind, int]:
        level = outline(properties) or style.heading
        if level:
            return BlockKind.HEADING, level
        left, right = indents(properties)
        left, right = (style.left if left is None else left), (style.right if right is None else right)
        if style.quotes or (left >= BLOCK_INDENT and right >= BLOCK_INDENT):
            return BlockKind.QUOTE, 0
        return BlockKind.PARAGRAPH, 0

    def _label(self, properties: Element | None, style: Style) -> str | None:
        found = numbered(properties) or style.numbering
        if found is None or found[0] == "0":
            return None
        return self._parts.numbering.next(*found)

    def _runs(self, parent: Element, text: Text, look: Look, depth: int) -> None:
        if depth > MAX_DEPTH:
            return
        for element in parent.children():
            tag = element.tag
            if tag == "r":
                self._run(element, text, look)
            elif tag == "hyperlink":
                start = text.size
                self._runs(element, text, look, depth + 1)
                target = self._links.get(element.get("id") or "") or (
                    f"#{element.get('anchor')}" if element.get("anchor") else ""
                )
                if target:
                    text.mark(start, SpanKind.LINK, target)
            elif tag == "fldSimple":
                self._fields.simple(element.get("instr") or "", text.size)
                self._runs(element, text, look, depth + 1)
                self._close(self._fields.end(), text)
            elif tag == "sdt":
                self._inline_control(element, text, look, depth)
            elif tag in {"bookmarkStart", "bookmarkEnd"}:
                self._bookmark(element, text)
            elif tag in _INSIDE:
                self._runs(element, text, look, depth + 1)

    def _bookmark(self, element: Element, text: Text) -> None:
        """Note a name to which links point; or open and close a field that Zotero keeps as a bookmark."""
        number, name = element.get("id") or "", element.get("name") or ""
        if element.tag == "bookmarkStart" and name in self._parts.marked:
            self._fields.simple(self._parts.marked[name], text.size)
            self._marked[number] = self._fields.open[-1]
        elif element.tag == "bookmarkStart":
            text.names.append(name[:200])
        elif (opened := self._marked.pop(number, None)) is not None:
            if self._fields.open and self._fields.open[-1] is opened:
                self._close(self._fields.end(), text)
            elif opened in self._fields.open:  # it crosses another field, so that where it ends is not certain
                self._fields.open.remove(opened)

    def _inline_control(self, element: Element, text: Text, look: Look, depth: int) -> None:
        content = element.child("sdtContent")
        if content is None:
            return
        start, lists = text.size, _is_list(element)
        self._listed += lists
        self._runs(content, text, look, depth + 1)
        self._listed -= lists
        works = self._library.tagged(_tag(element), path=self._path)
        if works:
            text.spans.extend(cite_spans(text.text, start, text.size, works))

    def _run(self, run: Element, text: Text, look: Look) -> None:
        properties = run.child("rPr")
        named = properties.child("rStyle") if properties is not None else None
        if named is not None:
            style = self._parts.styles.get(named.get("val") or "")
            if style is not None:
                look = Look(*(own or styled for own, styled in zip(look, style.look, strict=True)))
        look = look.changed(properties)
        start = text.size
        for element in run.children():
            self._piece(element, text, look)
        for kind, place in _STYLED:
            if look[place]:
                text.mark(start, kind)

    def _piece(self, element: Element, text: Text, look: Look) -> None:
        tag = element.tag
        if tag == "fldChar":
            self._field(element, text)
        elif tag == "instrText":
            self._fields.code(element.text())
        elif tag in {"drawing", "pict", "AlternateContent", "object"}:
            self._boxes += _boxes(element)
        elif self._fields.shown:
            self._shown(element, text, look)

    def _shown(self, element: Element, text: Text, look: Look) -> None:
        """Add what a run shows."""
        tag = element.tag
        if tag == "t":
            words = element.text()
            if look.hidden:
                self._hidden += len(words.strip())
            else:
                text.add(words)
        elif tag in {"tab", "ptab"}:
            text.add(" ")
        elif tag == "noBreakHyphen":
            text.add("-")
        elif tag in {"br", "cr"}:
            text.newline() if element.get("type") in {None, "textWrapping"} else text.add(" ")
        elif tag in {"footnoteReference", "endnoteReference"}:
            self._note(tag.removesuffix("Reference"), element.get("id") or "", text)
        elif tag == "ruby":
            for base in element.iter("rubyBase"):
                self._runs(base, text, look, 0)

    def _field(self, element: Element, text: Text) -> None:
        kind = element.get("fldCharType")
        if kind == "begin":
            data = element.child("fldData")
            self._fields.begin(data.text() if data is not None else "")
        elif kind == "separate":
            self._fields.separate(text.size)
        elif kind == "end":
            self._close(self._fields.end(), text)

    def _close(self, closed: Open | None, text: Text) -> None:
        """Mark what a field shows in this paragraph."""
        if closed is None or not closed.result or closed.start < 0:
            return
        if closed.target:
            text.mark(closed.start, SpanKind.LINK, closed.target)
        elif closed.works:
            text.spans.extend(cite_spans(text.text, closed.start, text.size, closed.works))

    def _note(self, kind: str, name: str, text: Text) -> None:
        whole = f"{kind} {name}"
        if whole not in self._parts.notes:
            return
        same = sum(each == kind for each, _, _ in self._notes) + 1
        mixed = kind == "endnote" and any(one.startswith("footnote") for one in self._parts.notes)
        label = f"e{same}" if mixed else str(same)
        self._notes.append((kind, label, whole))
        start = text.size
        text.add(label)
        text.mark(start, SpanKind.NOTE, label)

    def _name(self, element: Element) -> None:
        if element.get("name"):
            self._names.append((element.get("name") or "")[:200])


def replace_start(one: Open) -> Open:
    """Give a field as it stands at the end of a paragraph that it goes beyond: its works are marked once."""
    if not one.result:
        return Open()
    shown = Open(result=True, start=one.start, works=one.works, target=one.target)
    one.works = ()
    return shown


def cite_spans(text: str, start: int, end: int, works: tuple[Cited, ...]) -> Iterator[Span]:
    """Mark a citation: as a whole, or work by work where it prints as many parts as it names works with pages."""
    while start < end and text[start].isspace():
        start += 1
    if start >= end:
        return
    parts = text[start:end].split(";")
    if len(works) > 1 and len(parts) == len(works) and any(work.page for work in works):
        at = start
        for part, work in zip(parts, works, strict=True):
            lead = len(part) - len(part.lstrip())
            yield Span(start=at + lead, end=at + len(part), kind=SpanKind.CITE, keys=(work.key,), locator=work.page)
            at += len(part) + 1
        return
    page = works[0].page if len(works) == 1 else None
    yield Span(start=start, end=end, kind=SpanKind.CITE, keys=tuple(work.key for work in works), locator=page)


def _merged(spans: tuple[Span, ...]) -> Iterator[Span]:
    """Join italic, bold and raised stretches that runs have cut."""
    last: dict[SpanKind, Span] = {}
    joined: list[Span] = []
    for span in spans:
        before = last.get(span.kind)
        if span.kind in {kind for kind, _ in _STYLED}:
            if before is not None and span.start <= before.end:
                last[span.kind] = replace(before, end=max(before.end, span.end))
                continue
            if before is not None:
                joined.append(before)
            last[span.kind] = span
        else:
            joined.append(span)
    joined += last.values()
    yield from sorted(joined, key=lambda span: (span.start, -span.end))


def _boxes(element: Element) -> list[Element]:
    """Give the text boxes of a drawing; of two versions of one drawing the first."""
    if element.tag == "AlternateContent":
        chosen = element.child("Choice", "Fallback")
        return _boxes_in(chosen) if chosen is not None else []
    return _boxes_in(element)


def _boxes_in(element: Element) -> list[Element]:
    return list(element.iter("txbxContent"))


def _tag(control: Element) -> str:
    properties = control.child("sdtPr")
    tag = properties.child("tag") if properties is not None else None
    return (tag.get("val") if tag is not None else None) or ""


def _is_list(control: Element) -> bool:
    """Whether a content control holds the list of references."""
    properties = control.child("sdtPr")
    if properties is None:
        return False
    gallery = next((one.get("val") or "" for one in properties.iter("docPartGallery")), "")
    return properties.child("bibliography") is not None or is_list_tag(gallery) or is_list_tag(_tag(control))
