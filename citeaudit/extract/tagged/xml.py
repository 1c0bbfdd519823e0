"""Read XML without document types, entities of its own, or network: a light tree with places and source.

The document type is cut off before parsing (JATS files carry one; nothing is ever loaded for it) and the named
characters of HTML, which it would have defined, are replaced here. A document that defines entities itself is refused,
whatever they are: bombs are made of them. A file that breaks off is read up to there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat  # only ever fed text without a document type, see `_without_doctype`

from citeaudit.errors import UnreadableDocumentError
from citeaudit.extract.decode import read_document

MAX_BYTES = 40_000_000
"""Largest XML document that is read; its tree takes about fifteen times as much memory."""
MAX_DEPTH = 400
"""Nested elements; an article has about 20."""

_DECLARATION = re.compile(r"\s*<\?xml\b[^>]{0,300}\?>")
_DOCTYPE = re.compile(r"<!DOCTYPE\b")
_BEFORE = re.compile(r"(?:\s+|<!--(?:[^-]|-(?!->))*-->|<\?[^>]{0,1000}\?>)")
_TOP = re.compile(r"<(?:[A-Za-z_][\w.-]{0,40}:)?([A-Za-z_][\w.-]{0,60})")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9.]{0,40});")
_BARE = re.compile(r"&(?!(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9.]{0,40});)")
_KEPT = frozenset({"amp", "lt", "gt", "quot", "apos"})
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(slots=True)
class Element:
    """One element; names are without their namespace prefix."""

    tag: str
    attributes: dict[str, str]
    line: int
    parts: list[Element | str] = field(default_factory=list)
    cut: bool = False
    """The document breaks off inside it."""

    def get(self, *names: str) -> str | None:
        """Give the first of these attributes, by name without prefix."""
        return next((self.attributes[name] for name in names if self.attributes.get(name)), None)

    def children(self, *tags: str) -> Iterator[Element]:
        """Give the elements right inside, of these tags or all."""
        for part in self.parts:
            if isinstance(part, Element) and (not tags or part.tag in tags):
                yield part

    def child(self, *tags: str) -> Element | None:
        """Give the first element right inside, of the first of these tags that there is."""
        for tag in tags:
            for found in self.children(tag):
                return found
        return None

    def iter(self, *tags: str) -> Iterator[Element]:
        """Give all elements inside, in the order of the document, of these tags."""
        stack = list(self.children())[::-1]
        while stack:
            one = stack.pop()
            if one.tag in tags:
                yield one
            stack += list(one.children())[::-1]

    def text(self, between: str = "") -> str:
        """Give all text inside, in order; `between` stands between the pieces."""
        pieces: list[str] = []
        stack: list[Element | str] = [self]
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                pieces.append(part)
            else:
                stack += part.parts[::-1]
        if between:
            return between.join(" ".join(piece.split()) for piece in pieces if piece.strip())
        return "".join(pieces)


class Parsed(NamedTuple):
    """A document and what is to be said about it."""

    root: Element
    notes: tuple[str, ...]


class _Stop(Exception):  # noqa: N818 - leaves the parser
    pass


class _Builder:
    """Builds the tree while the parser runs."""

    def __init__(self) -> None:
        self.top = Element("", {}, 1)
        self._open = [self.top]
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.EntityDeclHandler = self._refuse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) > MAX_DEPTH:
            raise _Stop
        plain = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition(":")[2], plain, self.parser.CurrentLineNumber)
        self._open[-1].parts.append(element)
        self._open.append(element)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _text(self, data: str) -> None:
        self._open[-1].parts.append(data)

    def cut(self) -> None:
        """Mark the elements that are open where the document breaks off."""
        for element in self._open:
            element.cut = True

    def _refuse(self, *_: object) -> None:
        raise _Stop


def parse_xml(text: str, path: str) -> Parsed:
    """Parse text.

    Raises:
        UnreadableDocumentError: It is not XML, defines entities, or is nested too deeply.
    """
    source = _CONTROL.sub("", _without_doctype(text, path))
    source = _ENTITY.sub(_character, source) if "&" in source else source
    source = _BARE.sub("&amp;", source) if "&" in source else source
    builder = _Builder()
    notes: tuple[str, ...] = ()
    try:
        builder.parser.Parse(source.encode("utf-8", "replace"), True)
    except _Stop:
        raise UnreadableDocumentError(
            "is XML nested too deeply or with a document type inside; save it again without", path=path
        ) from None
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        if not any(True for _ in builder.top.children()):
            raise UnreadableDocumentError(
                f"is not XML, line {error.lineno}: {reason}; save it again", path=path
            ) from error
        builder.cut()
        notes = (f"the XML is broken at line {error.lineno} ({reason}); only what stands before it was read",)
    return Parsed(builder.top, notes)


def read_xml(path: Path) -> Parsed:
    """Read an XML document from disk; its top element is the only child of `root`.

    Raises:
        UnreadableDocumentError: Missing, empty, too large, not XML, or with entities of its own.
    """
    decoded = read_document(path, max_bytes=MAX_BYTES)
    parsed = parse_xml(decoded.text, str(path))
    return parsed._replace(notes=(*((decoded.note,) if decoded.note else ()), *parsed.notes))


def top_element(text: str) -> str:
    """Give the name of the top element of the beginning of an XML document, without prefix; empty where it is none."""
    place = declared.end() if (declared := _DECLARATION.match(text)) else 0
    for _ in range(20):  # comments and instructions before it
        before = _BEFORE.match(text, place)
        if before is not None:
            place = before.end()
        elif _DOCTYPE.match(text, place):
            place = _doctype_end(text, place)
        else:
            break
    found = _TOP.match(text, place)
    return found[1] if found else ""


def _without_doctype(text: str, path: str) -> str:
    """Cut declaration and document type; lines are kept, so that places stay right."""
    declared = _DECLARATION.match(text)
    start = declared.end() if declared else 0
    while (before := _BEFORE.match(text, start)) is not None:
        start = before.end()
    head = "\n" * text.count("\n", 0, start)
    if _DOCTYPE.match(text, start) is None:
        return head + text[start:]
    end = _doctype_end(text, start)
    kind = text[start:end]
    if "<!ENTITY" in kind.upper():
        raise UnreadableDocumentError(
            "is XML that defines entities, which are not resolved; save it without", path=path
        )
    return head + "\n" * kind.count("\n") + text[end:]


def _doctype_end(text: str, start: int) -> int:
    """Give where the document type ends: at `>` outside quotes and brackets."""
    depth, quote = 0, ""
    for match in re.compile(r"[\[\]<>\"']").finditer(text, start + 2):
        char = match.group()
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "[<":
            depth += 1
        elif char == ">" and depth <= 0:
            return match.end()
        elif char in "]>":
            depth -= 1
    return len(text)


def _character(match: re.Match[str]) -> str:
    name = match.group(1)
    if name in _KEPT:
        return match.group()
    char = html5.get(f"{name};")
    if char is None:
        return f"&amp;{name};"
    return char.replace("&", "&amp;").replace("<", "&lt;")
