"""Split huge XML into units of whole elements and read them, with no document type, no entities and no network.

Splitting looks at bytes alone: a unit ends after an end tag of a record, and what stands in comments, CDATA
sections and processing instructions is no tag. A dump has one root whose children are the records, and no record
holds another.

No DTD is ever loaded and no entity expanded by the parser. A document type may name an external DTD, as dblp's and
PubMed's do; one with declarations of its own is refused, since nothing but an attack needs it. Characters that a
DTD names (`&uuml;`, dblp.dtd) are those of HTML, and are resolved from its table; an unknown name stays readable.
"""

from __future__ import annotations

import html.entities
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from citeaudit.errors import UnreadableDumpError
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.packed import UNIT_BYTES, Member, members

if TYPE_CHECKING:
    from lxml.etree import XMLParser

Element: TypeAlias = Any
"""An lxml element; lxml has no types of its own."""

MAX_ELEMENT = 16_000_000
"""Bytes of one record; PubMed's longest, with thousands of authors or references, have about 2 MB."""
MAX_PROLOG = 100_000
"""Bytes before the root element."""

_ENCODINGS = frozenset({"utf-8", "us-ascii", "ascii", "iso-8859-1", "latin-1", "latin1", "windows-1252"})
"""Those in which tags are the bytes of ASCII; in others a declaration could be hidden from the splitter."""
_MARKUP = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]{0,999}<")
_DECLARED = re.compile(rb"<\?xml\b[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}[\"']([A-Za-z0-9._-]{1,40})[\"']")
_NAME = re.compile(rb"<([A-Za-z_][\w.-]{0,60})(?=[\s/>])[^<>]{0,4000}>")
_QUOTED = re.compile(rb"<!DOCTYPE(?:[^\[<>\"']|\"[^\"]{0,1000}\"|'[^']{0,1000}'){0,2000}>")
_ENTITY = re.compile(rb"&([^\s;&<>\"'#][^\s;&<>\"']*);")
"""Every reference to an entity: what the parser sees of them it would keep as a node among the elements."""
_OWN = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})
_MISC = {b"<!--": b"-->", b"<?": b"?>"}
_CLOSERS = {**_MISC, b"<![CDATA[": b"]]>"}
_SPACE = re.compile(rb"\s*")
_OPENERS = re.compile(rb"<!--|<!\[CDATA\[|<\?")
_KEY = re.compile(rb"\b(?:key|id)\s?=\s?[\"']([^\"'<>]{1,120})[\"']|<PMID[^<>]{0,40}>(\d{1,9})<")
_NEAR = 2_000
"""Bytes of a broken record in which its key is looked for."""
_LINE = re.compile(r"line (\d{1,18})$")


class Dialect(NamedTuple):
    """What the splitter must know of a form of XML."""

    title: str
    """For messages: `dblp XML`."""
    root: str
    records: tuple[str, ...]
    """Names of the elements that a unit may end after; of those that cannot be read, each costs only itself."""
    flat: bool = True
    """Whether they are the children of the root; else what stands around them is kept where one is broken."""
    contents: str | None = None
    """Name of the element in which a record names its table of contents."""


def split_xml(path: Path, dialect: Dialect) -> Iterator[Unit]:
    """Give the units of a file, packed or not, or of the `.xml` members of a tar.

    A unit is a document by itself, and its place (`line 12`, `member NAME: line 12`) that of its first record.
    Memory is bounded by the longest record, time is linear.

    Raises:
        UnreadableDumpError: It is truncated, damaged or no such XML, declares entities, or holds a record over
            `MAX_ELEMENT`.
    """
    for member in members(path, (".xml", ".xml.gz", ".xml.xz", ".xml.zst", ".xml.bz2")):
        yield from split_member(member, dialect)


def split_member(member: Member, dialect: Dialect) -> Iterator[Unit]:
    """Give the units of one stream; see `split_xml`."""
    prolog, encoding, rest = _prolog(member, dialect)
    splitter = _Splitter(member, dialect, encoding)
    splitter.line += prolog.count(b"\n")
    yield from splitter.units(rest)


def read_xml(unit: Unit, dialect: Dialect) -> Iterator[Element | Fault]:
    """Give the children of the root of a unit that `split_xml` made; a `Fault` for each broken record.

    Comments and processing instructions are left out. Never raises: a unit that is beyond reading is one fault.
    """
    root, faults = parse(unit.data or b"", unit, dialect)
    yield from faults
    if root is not None:
        yield from root


def parse(data: bytes, unit: Unit, dialect: Dialect) -> tuple[Element | None, list[Fault]]:
    """Parse a whole document without trusting it; broken records are cut out, and leave a `<broken/>`.

    Returns:
        The root, or `None` where nothing can be read, and a fault for each broken record.
    """
    from lxml import etree

    data = resolved(data)
    try:
        return etree.fromstring(data, _parser()), []
    except etree.XMLSyntaxError as error:
        first = error
    mended, faults = _mend(data, unit, dialect)
    try:
        return etree.fromstring(mended, _parser()), faults
    except etree.XMLSyntaxError as error:
        return None, [*faults, Fault(unit.place, _why(error if faults else first), _contents(data, dialect))]


def where(unit: Unit, element: Element, key: str | None) -> str:
    """Give the place of an element of a unit for people: `line 12 (journals/x/Y99)`."""
    return _place(unit.place, (element.sourceline or 1) - 1, key)


def text_of(element: Element | None) -> str | None:
    """Give all text inside an element, markup left out; `None` where there is none.

    No space stands for the markup: `H<sub>2</sub>O` is one word.
    """
    if element is None:
        return None
    text = "".join(element.itertext()) if len(element) else element.text
    return (text.strip() or None) if text else None


def resolved(data: bytes) -> bytes:
    """Give XML with the named characters of HTML as numbers; unknown names with their `&` as text.

    XML's own five stay. Inside a CDATA section the number is then read as text, and made a character by whoever
    unescapes the title.
    """
    return _ENTITY.sub(_number, data) if b"&" in data else data


def check_prolog(data: bytes, shown: str, dialect: Dialect) -> tuple[int, str]:
    """Look at what stands before the root element.

    Args:
        data: The start of the file; at most `MAX_PROLOG` of it are looked at.
        shown: Path, and member, for messages.
        dialect: Whose root is expected.

    Returns:
        The offset behind the start tag of the root, and the encoding.

    Raises:
        UnreadableDumpError: It declares entities, is in an encoding that hides tags, or is no such XML.
    """
    head = data[:MAX_PROLOG]
    place = 3 if head.startswith(b"\xef\xbb\xbf") else 0
    declared = _DECLARED.match(head, place)
    encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
    if not _MARKUP.match(head):
        raise UnreadableDumpError(f"{shown}: is no XML; check the file and --format.")
    if encoding not in _ENCODINGS or head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head[:200]:
        raise UnreadableDumpError(f"{shown}: is XML in an encoding that is not read; convert it to UTF-8.")
    place = _past_misc(head, place)
    if head.startswith(b"<!DOCTYPE", place):
        place = _past_misc(head, _after_doctype(head, place, shown))
    root = _NAME.match(head, place)
    if root is None or root[1].decode() != dialect.root or root[0].endswith(b"/>"):
        found = head[place : place + 60].decode("utf-8", "replace").split("\n")[0]
        raise UnreadableDumpError(
            f"{shown}: is no {dialect.title}: <{dialect.root}> was expected where it says {found!r}; check the file."
        )
    return root.end(), encoding


def _past_misc(data: bytes, place: int) -> int:
    """Give the offset behind white space, comments and processing instructions (XML 1.0, production 27)."""
    while True:
        place = _SPACE.match(data, place).end()  # type: ignore[union-attr]  # it matches nothing, too
        closer = next((end for start, end in _MISC.items() if data.startswith(start, place)), None)
        end = data.find(closer, place + 2) if closer else -1
        if closer is None or end < 0:
            return place
        place = end + len(closer)


def _after_doctype(head: bytes, place: int, shown: str) -> int:
    plain = _QUOTED.match(head, place)
    if plain is None:
        raise UnreadableDumpError(
            f"{shown}: its document type declares entities or elements of its own, which is refused; "
            "use the file as it was published."
        )
    return plain.end()


def _prolog(member: Member, dialect: Dialect) -> tuple[bytes, str, bytes]:
    data = member.read(UNIT_BYTES)
    end, encoding = check_prolog(data, f"{member.path}: {member.place}".rstrip(": "), dialect)
    return data[:end], encoding, data[end:]


class _Splitter:
    """Cuts a stream behind the end tags of records; `line` is the first of what was not yet given."""

    def __init__(self, member: Member, dialect: Dialect, encoding: str) -> None:
        self.member, self.dialect, self.line = member, dialect, 1
        root = dialect.root.encode()
        self._head = f'<?xml version="1.0" encoding="{encoding}"?><{dialect.root}>'.encode()
        self._tail = b"</" + root + b">"
        self._end = _ends(dialect.records)
        self._token = _tokens(dialect.records)

    def units(self, rest: bytes) -> Iterator[Unit]:
        while chunk := self.member.read(max(UNIT_BYTES, len(rest))):  # growing, so that long records stay linear
            rest = rest + chunk
            if len(rest) < UNIT_BYTES:
                continue
            cut = self._cut(rest)
            if cut:
                yield self._unit(rest[:cut])
                rest = rest[cut:]
            elif len(rest) > MAX_ELEMENT:
                raise self._damage(f"holds a record of more than {MAX_ELEMENT:,} bytes")
        yield from self._last(rest)

    def _cut(self, data: bytes) -> int:
        """Give the end of the last whole record, 0 where there is none."""
        if b"<!" in data or b"<?" in data:
            return self._careful_cut(data)
        span = 1 << 16
        while True:
            start = max(0, len(data) - span)
            last = 0
            for match in self._end.finditer(data, start):
                last = match.end()
            if last or start == 0:
                return last
            span *= 4

    def _careful_cut(self, data: bytes) -> int:
        place = last = 0
        while token := self._token.search(data, place):
            place = token.end()
            closer = _CLOSERS.get(token[0])
            if closer:
                end = data.find(closer, place)
                if end < 0:
                    break
                place = end + len(closer)
            elif token[0].startswith(b"</"):
                last = place
        return last

    def _last(self, rest: bytes) -> Iterator[Unit]:
        end = rest.rfind(self._tail[:-1])
        close = rest.find(b">", end)
        after = end + len(self._tail) - 1
        if end < 0 or close < 0 or rest[after:close].strip() or _past_misc(rest, close + 1) < len(rest):
            raise self._damage("breaks off before its end")
        if _is_within(rest, end):
            raise self._damage("breaks off in a comment")
        if rest[:end].strip():
            yield self._unit(rest[:end])

    def _unit(self, data: bytes) -> Unit:
        blank = len(data) - len(data.lstrip())
        first = self.line + data.count(b"\n", 0, blank)
        self.line += data.count(b"\n")
        whole = b"".join((self._head, data[blank:], self._tail))
        return Unit(self.member.path, f"{self.member.place}line {first}", whole)

    def _damage(self, what: str) -> UnreadableDumpError:
        return UnreadableDumpError(
            f"{self.member.path}: {self.member.place}line {self.line} or later: {what}; fetch it again."
        )


def _is_within(data: bytes, place: int) -> bool:
    """Whether a place is inside a comment, a CDATA section or a processing instruction."""
    at = 0
    while token := _OPENERS.search(data, at, place):
        close = data.find(_CLOSERS[token[0]], token.end())
        if close < 0 or close >= place:
            return True
        at = close
    return False


@cache
def _ends(records: tuple[str, ...]) -> re.Pattern[bytes]:
    return re.compile(rb"</(?:%s)\s*>" % "|".join(map(re.escape, records)).encode())


@cache
def _tokens(records: tuple[str, ...]) -> re.Pattern[bytes]:
    names = "|".join(map(re.escape, records)).encode()
    return re.compile(rb"<!--|<!\[CDATA\[|<\?|<(?:%s)(?=[\s/>])|</(?:%s)\s*>" % (names, names))


@cache
def _parser() -> XMLParser:
    from lxml import etree

    return etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )


def _number(match: re.Match[bytes]) -> bytes:
    name = match[1]
    if name in _OWN:
        return match[0]
    characters = html.entities.html5.get(f"{name.decode('ascii', 'replace')};")
    if characters is None:
        return b"&amp;%s;" % name
    return "".join(f"&#{ord(character)};" for character in characters).encode()


class _Piece(NamedTuple):
    """A stretch of a document: a record, or what stands between two."""

    start: int
    end: int
    is_record: bool


def _pieces(data: bytes, dialect: Dialect, start: int, end: int) -> Iterator[_Piece]:
    """Cut what stands inside the root at its records; one without an end tag reaches to the next."""
    token = _tokens(dialect.records)
    place, done, opened = start, start, -1
    while match := token.search(data, place, end):
        place = match.end()
        closer = _CLOSERS.get(match[0])
        if closer:
            close = data.find(closer, place, end)
            place = close + len(closer) if close >= 0 else end
            continue
        if opened >= 0:
            done = place if match[0].startswith(b"</") else match.start()
            yield _Piece(opened, done, is_record=True)
        elif not (match[0].startswith(b"</") and dialect.flat):
            yield _Piece(done, match.start(), is_record=False)
            done = match.start()
        if match[0].startswith(b"</"):
            if done < place:  # it has no start tag
                yield _Piece(done, place, is_record=True)
            done, opened = place, -1
        else:
            opened = match.start()
    yield _Piece(done, end, is_record=opened >= 0)


def _mend(data: bytes, unit: Unit, dialect: Dialect) -> tuple[bytes, list[Fault]]:
    """Cut out the records that cannot be parsed by themselves, and of flat XML what stands between records."""
    root = re.search(rb"<%s(?=[\s>])[^<>]{0,4000}>" % dialect.root.encode(), data)
    end = data.rfind(b"</" + dialect.root.encode())
    if root is None or end < root.end():
        return data, []
    kept = [data[: root.end()]]
    faults: list[Fault] = []
    line = kept[0].count(b"\n")
    for piece in _pieces(data, dialect, root.end(), end):
        part = data[piece.start : piece.end]
        why = _trouble(data[: root.start()], part, piece, dialect)
        if why:
            blank = part[: len(part) - len(part.lstrip())].count(b"\n")
            key = _KEY.search(part[:_NEAR]) if piece.is_record else None
            name = (key[1] or key[2]).decode("utf-8", "replace") if key else None
            faults.append(Fault(_place(unit.place, line + blank, name), why, _contents(part, dialect)))
            part = (b"<broken/>" if piece.is_record else b"") + b"\n" * part.count(b"\n")
        line += part.count(b"\n")
        kept.append(part)
    return b"".join((*kept, data[end:])), faults


def _contents(data: bytes, dialect: Dialect) -> tuple[str, ...]:
    """Give the tables of contents that are named in what cannot be parsed: it leaves a gap in each of them."""
    if dialect.contents is None:
        return ()
    found = re.findall(rb"<%s>([^<>]{1,200})</" % dialect.contents.encode(), data)
    return tuple(dict.fromkeys(html.unescape(one.decode("utf-8", "replace")).strip() for one in found))


def _trouble(head: bytes, part: bytes, piece: _Piece, dialect: Dialect) -> str | None:
    """Say what is wrong with a piece, `None` where nothing is."""
    from lxml import etree

    bare = part.strip()
    try:
        if piece.is_record:
            etree.fromstring(head + bare, _parser())
        elif dialect.flat and bare:
            etree.fromstring(head + b"<a>" + bare + b"</a>", _parser())
    except etree.XMLSyntaxError as error:
        return _why(error)
    return None


def _place(start: str, more: int, key: str | None) -> str:
    match = _LINE.search(start)
    place = f"{start[: match.start()]}line {int(match[1]) + more}" if match else start
    return f"{place} ({key})" if key else place


def _why(error: Exception) -> str:
    told = (str(error).split("\n")[0].rpartition(", line")[0] or str(error))[:200]
    return f"is no well-formed XML: {told}"
