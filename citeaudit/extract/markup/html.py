"""Take HTML apart: saved articles, exported reports, encyclopedia pages; nothing is ever fetched.

What a page is around its text (navigation, scripts, forms, hidden parts, footers) is left out. Lists of references
are known by the classes and roles that publishers, pandoc, LaTeXML and MediaWiki give them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from citeaudit.extract.markup.blocks import Block, BlockKind, Document, Span, SpanKind, Text

MAX_DEPTH = 2_000
"""Elements inside one another; deeper ones are left out."""

_SKIPPED = frozenset(
    {
        "script",
        "style",
        "nav",
        "noscript",
        "template",
        "svg",
        "math",
        "head",
        "form",
        "button",
        "select",
        "textarea",
        "iframe",
        "object",
        "embed",
        "audio",
        "video",
        "canvas",
        "footer",
        "menu",
        "dialog",
    }
)
_BLOCKS = frozenset(
    {
        "p",
        "div",
        "section",
        "article",
        "main",
        "body",
        "html",
        "ul",
        "ol",
        "dl",
        "table",
        "thead",
        "tbody",
        "tfoot",
        "caption",
        "pre",
        "figure",
        "figcaption",
        "address",
        "center",
        "details",
        "summary",
        "header",
        "aside",
        "hgroup",
        "fieldset",
        "hr",
    }
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_ITEMS = frozenset({"li", "dd", "dt"})
_INLINE = {
    "i": SpanKind.ITALIC,
    "em": SpanKind.ITALIC,
    "b": SpanKind.BOLD,
    "strong": SpanKind.BOLD,
    "sup": SpanKind.RAISED,
}
_LISTED = re.compile(
    r"(?:(?:mw-)?references?(?:-?list|-?wrap|__list)?|ref-?list|refs|bibliography(?:-list)?|csl-bib-body|refbegin|reflist"
    r"|ltx_bib(?:list|liography)|c-article-references(?:__container)?|citation-?list|works-?cited|literatur(?:verzeichnis)?"
    r"|doc-bibliography|bibliograf\w{1,4}|bibliographie)",
    re.IGNORECASE,
)
_PARTS = frozenset({"csl-left-margin", "csl-right-inline", "csl-block", "csl-indent"})
"""Parts of one entry of a list as CSL processors set it: its label, its text, its annotation."""
_NOTES = re.compile(r"(?:footnotes?|endnotes?|doc-endnotes|doc-footnotes|footnote-list)", re.IGNORECASE)
_BACK = re.compile(
    r"(?:mw-cite-backlink|footnote-back(?:ref)?|doc-backlink|backlink|mw-editsection|ltx_bib_cited)", re.IGNORECASE
)
_AWAY = re.compile(
    r"(?:navigation|navbox|navbar|sidebar|breadcrumbs?|toc|table-of-contents|doc-toc|contentinfo|banner|search|cookie-\w{1,20}"
    r"|share-\w{1,20}|social-\w{1,20}|comments?|catlinks|printfooter|noprint|visually-hidden|sr-only|Z3988)"
)
_HIDDEN = re.compile(r"display\s?:\s?none|visibility\s?:\s?hidden", re.IGNORECASE)
_ARROWS = frozenset("↩↑^⏎↵")
_HOST = re.compile(r"^(?:https?:)?//(?:www\.)?([^/?#\s]{3,253})", re.IGNORECASE)
_MAX_LIST = 100_000
_MAX_START = 100_000


@dataclass(slots=True)
class _Frame:
    """An element that is open."""

    tag: str
    start: int
    href: str = ""
    raised: bool = False
    block: bool = False
    """It stands for itself: what is before and after it are other blocks."""
    listed: bool = False
    noted: bool = False


@dataclass(slots=True)
class _Item:
    """A list item that is open."""

    label: str | None
    names: list[str]
    first: bool = True


@dataclass(slots=True, kw_only=True)
class Page:
    """A parsed page."""

    document: Document
    cited: tuple[str, ...] = ()
    """The contents of its `citation_reference` entries: what the publisher says the article cites."""
    own: frozenset[str] = field(default_factory=frozenset)
    """Hosts of the page itself."""


def parse_html(text: str) -> Page:
    """Take a page apart; never raises for its text."""
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, recover=True, huge_tree=True
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        return Page(document=Document())
    walker = _Walker()
    walker.walk(root)
    own = frozenset(_hosts(root))
    document = _resolved(walker, own)
    cited = tuple(
        meta.get("content", "")[:4_000]
        for meta in root.iter("meta")
        if (meta.get("name") or "").lower() == "citation_reference" and meta.get("content")
    )
    return Page(document=document, cited=cited[:_MAX_LIST], own=own)


def _hosts(root: Any) -> Iterator[str]:
    """Give the hosts a page names as its own: what it links to there is no source."""
    for link in root.iter("link", "base"):
        if link.tag == "base" or "canonical" in (link.get("rel") or "").lower():
            yield from _HOST.findall(link.get("href") or "")
    for meta in root.iter("meta"):
        if (meta.get("property") or meta.get("name") or "").lower() in {"og:url", "citation_public_url"}:
            yield from _HOST.findall(meta.get("content") or "")


def _resolved(walker: _Walker, own: frozenset[str]) -> Document:
    """Turn links to notes into their marks, links into the page into `#name`, and drop links to its own host."""
    noted = walker.note_names
    names = {name for block in walker.document.blocks for name in block.names}

    def settle(span: Span) -> Span | None:
        if span.kind is not SpanKind.LINK:
            return span
        _, _, fragment = span.value.partition("#")
        if fragment in noted:
            return replace(span, kind=SpanKind.NOTE, value=noted[fragment])
        if fragment and fragment in names:
            return replace(span, value=f"#{fragment}")
        host = _HOST.match(span.value)
        return None if host is not None and host.group(1).lower() in own else span

    def settled(block: Block) -> Block:
        return replace(block, spans=tuple(kept for span in block.spans if (kept := settle(span)) is not None))

    document = walker.document
    document.blocks = [settled(block) for block in document.blocks]
    document.notes = {label: [settled(block) for block in blocks] for label, blocks in document.notes.items()}
    return document


class _Walker:
    """Walks the tree and writes blocks."""

    def __init__(self) -> None:
        self.document = Document()
        self.note_names: dict[str, str] = {}
        self._text = Text()
        self._line = 1
        self._frames: list[_Frame] = []
        self._items: list[_Item] = []
        self._counts: list[int | None] = []
        self._cells: list[str] | None = None
        self._head = False
        self._quotes = 0
        self._listed = 0
        self._noted = 0
        self._note: str | None = None
        self._names: list[str] = []
        self._hidden = False

    def walk(self, root: Any) -> None:
        skipped: Any = None
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if skipped is not None:
                if event == "end" and element is skipped:
                    skipped = None
                    self._text.add(element.tail or "")
                continue
            if event == "start":
                if self._is_away(element) or len(self._frames) > MAX_DEPTH:
                    skipped = element
                    continue
                self._enter(element)
                self._text.add(element.text or "")
            else:
                self._leave(element.tag)
                self._text.add(element.tail or "")
        self._flush()
        if self._hidden:
            self.document.remarks.append("hidden parts of the page were left out")

    def _is_away(self, element: Any) -> bool:
        tag = element.tag if isinstance(element.tag, str) else "script"
        words = _words(element)
        if tag in _SKIPPED and not any(_LISTED.fullmatch(word) or _NOTES.fullmatch(word) for word in words):
            return True
        if element.get("hidden") is not None or _HIDDEN.search(element.get("style") or ""):
            self._hidden = self._hidden or bool("".join(element.itertext()).strip()[:1])
            return True
        if tag == "pre" and element.find(".//code") is not None:
            return True
        if any(_BACK.fullmatch(word) for word in words) or element.get("data-footnote-backref") is not None:
            return True
        if "ltx_tag_bibitem" in words and not any(map(str.isdigit, _tag_label(element))):
            return True
        if tag == "a" and (element.text or "").strip() and set((element.text or "").strip()) <= _ARROWS:
            return True
        return tag not in {"html", "body"} and any(_AWAY.fullmatch(word) for word in words)

    def _enter(self, element: Any) -> None:
        tag = element.tag
        if tag == "br":
            self._text.newline(element.sourceline)
            self._frames.append(_Frame(tag, 0))
            return
        words = _words(element)
        frame = _Frame(tag, self._text.size, element.get("href") or "")
        frame.block = self._is_block(tag) and not any(word in _PARTS for word in words)
        if frame.block:
            self._flush()
            self._open(element, frame, words)
        elif "super" in (element.get("style") or "").lower() and tag != "sup":
            frame.raised = True
        self._line = self._line if self._text.size else element.sourceline or self._line
        frame.start = self._text.size
        if tag in {"td", "th"} and self._cells is not None and self._text.size:
            self._text.add(" | ")
            frame.start = self._text.size
        if tag == "q":
            self._text.add("“")
        elif "ltx_bibblock" in words or (tag == "div" and not frame.block):
            self._text.add(" ")
            frame.start = self._text.size
        for name in (element.get("id"), element.get("name") if tag == "a" else None):
            if name:
                self._names.append(name[:200])
        self._frames.append(frame)

    def _is_block(self, tag: str) -> bool:
        if self._cells is not None and tag not in {"tr", "table"}:
            return False
        return tag in _BLOCKS or tag in _ITEMS or tag in _HEADINGS or tag in {"tr", "blockquote"}

    def _open(self, element: Any, frame: _Frame, words: list[str]) -> None:
        """Note what a block opens: a list, an item, a quotation, a row, a list of references, notes."""
        tag = element.tag
        frame.listed = tag not in _HEADINGS and any(_LISTED.fullmatch(word) for word in words)
        frame.noted = tag not in _HEADINGS and tag != "li" and any(_NOTES.fullmatch(word) for word in words)
        self._listed += frame.listed
        self._noted += frame.noted
        if tag in {"ol", "ul", "dl"}:
            start = (element.get("start") or "1").strip()
            number = int(start) if start.isdecimal() and int(start) < _MAX_START else 1
            self._counts.append(number - 1 if tag == "ol" else None)
        elif tag in _ITEMS:
            self._item(element)
        elif tag == "blockquote":
            self._quotes += 1
        elif tag == "tr":
            self._cells = []
            self._head = element.find("td") is None and element.find("th") is not None

    def _item(self, element: Any) -> None:
        label: str | None = None
        if element.tag == "li" and self._counts and self._counts[-1] is not None:
            value = (element.get("value") or "").strip()
            number = int(value) if value.isdecimal() and int(value) < _MAX_START else self._counts[-1] + 1
            self._counts[-1], label = number, str(number)
        self._items.append(_Item(label, []))
        if self._noted and element.tag == "li":
            self._note = label or str(len(self.document.notes) + 1)
            for named in (element, *element.iter("p", "a", "div", "span")):
                if named.get("id"):
                    self.note_names[named.get("id")[:200]] = self._note

    def _leave(self, tag: str) -> None:
        if self._frames[-1].block:
            self._flush()
        frame = self._frames.pop()
        if tag == "br":
            return
        if tag == "q":
            self._text.add("”")
        if tag in {"td", "th"} and self._cells is not None:
            self._cells.append(self._text.text[frame.start :].strip())
        if frame.block:
            self._close(tag, frame)
        elif tag in _INLINE or frame.raised:
            self._text.mark(frame.start, SpanKind.RAISED if frame.raised else _INLINE[tag])
        elif tag == "a" and frame.href:
            self._text.mark(frame.start, SpanKind.LINK, frame.href.strip()[:4_000])

    def _close(self, tag: str, frame: _Frame) -> None:
        self._listed -= frame.listed
        self._noted -= frame.noted
        if tag in {"ol", "ul", "dl"} and self._counts:
            self._counts.pop()
        elif tag in _ITEMS and self._items:
            self._items.pop()
            self._note = None if not self._items else self._note
        elif tag == "blockquote":
            self._quotes -= 1
        elif tag == "tr":
            self._cells = None

    def _kind(self) -> tuple[BlockKind, int]:
        tag = next((frame.tag for frame in reversed(self._frames) if self._is_block(frame.tag)), "p")
        if tag in _HEADINGS:
            return BlockKind.HEADING, _HEADINGS[tag]
        if self._cells is not None:
            return BlockKind.HEADER if self._head else BlockKind.ROW, 0
        if self._items:
            return BlockKind.ITEM, 0
        return BlockKind.QUOTE if self._quotes else BlockKind.PARAGRAPH, 0

    def _flush(self) -> None:
        text, self._text = self._text, Text()
        if not text.text.strip():
            return
        kind, level = self._kind()
        block = text.block(kind, self._line, level=level)
        item = self._items[-1] if self._items and kind is BlockKind.ITEM else None
        block = replace(
            block,
            names=tuple(dict.fromkeys((*(item.names if item else ()), *self._names))),
            label=item.label if item is not None and item.first else None,
            follows=item is not None and not item.first,
            listed=self._listed > 0 and kind is not BlockKind.HEADING,
            cells=tuple(self._cells or ()),
        )
        self._names = []
        if item is not None:
            item.first = False
        for frame in self._frames:
            frame.start = 0
        if self._note is not None:
            self.document.notes.setdefault(self._note, []).append(block)
        elif not self._noted:
            self.document.blocks.append(block)


def _tag_label(element: Any) -> str:
    """Give the label that LaTeXML sets before an entry, where it is a number in brackets; else nothing.

    Author-year styles repeat names and year there, which must not be read as part of the entry.
    """
    text = "".join(element.itertext()).strip()[:50]
    return text if text.strip("[]().").isdigit() else ""


def _words(element: Any) -> list[str]:
    """Give the class names, the id and the role of an element."""
    words = (element.get("class") or "")[:1_000].split()
    return [*words, *filter(None, ((element.get("id") or "")[:100], element.get("role")))]
