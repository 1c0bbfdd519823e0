r"""The text inside a block of Markdown: links, notes, citations, emphasis, raised text, embedded tags.

Follows CommonMark 0.31 for links, code and escapes, pandoc's manual for citations, notes and `^raised^` text, and
what chat assistants write: `【3†source】`, `[[1]](address)`. Every look ahead is bounded, so time is linear.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import NamedTuple

from citeaudit.extract.markup.blocks import Span, SpanKind, Text

MAX_DEPTH = 6
"""Brackets inside brackets that are read; deeper ones are text."""


class Definition(NamedTuple):
    """A link definition: `[label]: address "title"`."""

    url: str
    title: str
    line: int


_SPECIAL = re.compile(r"[\\`!\[*_<&^~@\n【\ue200{]|https?://|www\.", re.IGNORECASE)
_TICKS = re.compile(r"`{1,20}")
_TARGET = re.compile(
    r"\(\s{0,5}(?:<(?P<angled>[^<>\n]{0,2000})>|(?P<bare>[^\s<>()]{0,2000}(?:\([^\s()]{0,300}\)[^\s()]{0,500}){0,5}))"
    r"(?:\s{1,5}(?:\"(?P<double>[^\"\n]{0,500})\"|'(?P<single>[^'\n]{0,500})'))?\s{0,5}\)"
)
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"“”`|\\^{}\[\]]{2,2000}", re.IGNORECASE)
_AUTOLINK = re.compile(r"<((?:https?|ftp)://[^\s<>]{1,2000})>", re.IGNORECASE)
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]{0,15})(?P<rest>(?:\s[^<>]{0,2000}|/)?)>")
_ATTRIBUTE = re.compile(r"\b(href|id|name)\s{0,3}=\s{0,3}(?:\"([^\"]{0,2000})\"|'([^']{0,2000})')", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_RAISED = re.compile(r"\^([^\s^\[\]]{1,40})\^")
_LOWERED = re.compile(r"~([^\s~]{1,30})~")
_INDEX = "index"
"""Value of a pointer that may be an index of the assistant's own searches and not a label of the list."""
_SOURCE = re.compile(r"【(?P<n>\d{1,4})(?:†[^【】]{0,300})?】")
_PRIVATE = re.compile(r"\ue200[^\ue200\ue201]{0,500}\ue201")
_KEYS = re.compile(r"(?P<minus>-?)@(?:\{(?P<braced>[^{}\s]{1,200})\}|(?P<key>\w(?:[\w:.#$%&+?<>~/-]{0,200}\w)?))")
_LOCATOR = re.compile(
    r"^\s{0,5}[,{]?\s{0,5}(?:(?:pages?|pp?|S|Seiten?|pág|str)\b\.?\s{0,5})?(?P<page>[A-Za-z]?\d{1,6}(?:\s?[-–—]+\s?\d{1,6})?|[ivxlc]{1,8}\b)"
)
_LATEX = re.compile(
    r"\\(?:no)?[A-Za-z]{0,12}[cC]ite[A-Za-z]{0,12}\*?(?:\[(?P<first>[^\[\]]{0,200})\])?(?:\[(?P<second>[^\[\]]{0,200})\])?"
    r"\{(?P<keys>[^{}]{1,2000})\}"
)
_ATTRIBUTES = re.compile(r"\{[#.][^{}\n]{0,200}\}")
_CLOSERS = ".,;:!?'\"*_"
_STYLES = {"i": SpanKind.ITALIC, "em": SpanKind.ITALIC, "cite": SpanKind.ITALIC, "b": SpanKind.BOLD}
_STYLES |= {"strong": SpanKind.BOLD, "sup": SpanKind.RAISED}
_MAX_LABEL = 300
_MAX_COMMENT = 5_000


def label_key(label: str) -> str:
    """Fold the label of a link or note: case and white space do not count (CommonMark, 4.7)."""
    return " ".join(label.casefold().split())


def page_of(text: str) -> str | None:
    """Give the page a locator names: `14` for `, p. 14`; `None` where it names none.

    >>> page_of(", pp. 33-35, 38")
    '33-35'
    """
    match = _LOCATOR.match(text[:200])
    return match["page"] if match else None


def _brackets(text: str) -> dict[int, int]:
    """Give for each `[` where it closes; escapes count as text."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(r"\\.|[\[\]]", text, re.DOTALL):
        if match.group() == "[":
            opened.append(match.start())
        elif match.group() == "]" and opened:
            pairs[opened.pop()] = match.start()
    return pairs


def read_inline(text: str, out: Text, *, line: int, definitions: Mapping[str, Definition], keys: bool = False) -> None:
    """Read the text of one block into `out`.

    Args:
        text: Its source, lines separated by line ends.
        out: Where text and marks are added.
        line: Source line on which it starts.
        definitions: The link definitions of the document, by folded label.
        keys: Whether `@key` outside brackets is a citation.
    """
    if _SPECIAL.search(text) is None:
        out.add(text)
    else:
        _Inline(text, out, line=line, definitions=definitions, keys=keys).run()


class _Inline:
    """Reads the text of one block into a `Text`."""

    def __init__(
        self, text: str, out: Text, *, line: int, definitions: Mapping[str, Definition], keys: bool = False
    ) -> None:
        self._text = text
        self._out = out
        self._line = line
        self._definitions = definitions
        self._keys = keys
        self._pairs = _brackets(text)
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._last = {char: text.rfind(char) for char in "*_"}
        self._open: dict[str, int] = {}
        self._tags: list[tuple[str, int, str]] = []
        self._handlers: dict[str, Callable[[int, int, int], int]] = {
            "\\": self._escape,
            "`": self._code,
            "!": self._image,
            "[": self._bracket,
            "*": self._emphasis,
            "_": self._emphasis,
            "<": self._angle,
            "&": self._entity,
            "^": self._caret,
            "~": self._tilde,
            "@": self._key,
            "\n": self._newline,
            "【": self._source,
            "\ue200": self._private,
            "{": self._attributes,
        }

    def run(self) -> None:
        """Read the whole text."""
        self._read(0, len(self._text), 0)

    def _read(self, at: int, end: int, depth: int) -> None:
        while at < end:
            match = _SPECIAL.search(self._text, at, end)
            if match is None:
                self._out.add(self._text[at:end])
                return
            self._out.add(self._text[at : match.start()])
            at = self._handlers.get(match.group(), self._address)(match.start(), end, depth)

    def _plain(self, at: int, size: int = 1) -> int:
        self._out.add(self._text[at : at + size])
        return at + size

    def _escape(self, at: int, end: int, _depth: int) -> int:
        cite = _LATEX.match(self._text, at, end)
        if cite is not None:
            start = self._out.size
            self._out.add(cite.group())
            keys = tuple(key.strip() for key in cite["keys"].split(",") if key.strip())
            locator = page_of(cite["second"] or cite["first"] or "")
            self._out.spans.append(
                Span(start=start, end=self._out.size, kind=SpanKind.CITE, keys=keys, locator=locator)
            )
            return cite.end()
        following = self._text[at + 1 : at + 2]
        if following == "\n":
            return at + 1
        if following and not following.isalnum() and not following.isspace():
            return self._plain(at + 1)
        return self._plain(at)

    def _code(self, at: int, end: int, _depth: int) -> int:
        ticks = _TICKS.match(self._text, at, end)
        if ticks is None:
            return self._plain(at)
        run = ticks.group()
        close = self._text.find(run, ticks.end(), min(end, ticks.end() + 2_000))
        if close < 0:
            return self._plain(at, len(run))
        self._out.add(self._text[ticks.end() : close])
        return close + len(run)

    def _image(self, at: int, end: int, _depth: int) -> int:
        close = self._pairs.get(at + 1)
        if close is None or close >= end:
            return self._plain(at)
        target = _TARGET.match(self._text, close + 1, end)
        return target.end() if target else self._plain(at)

    def _bracket(self, at: int, end: int, depth: int) -> int:
        close = self._pairs.get(at)
        if close is None or close >= end or depth >= MAX_DEPTH:
            return self._plain(at)
        inner = self._text[at + 1 : min(close, at + 1 + _MAX_LABEL)]
        if inner[:1] == "^" and len(inner) > 1 and not any(map(str.isspace, inner)):
            start, label = self._out.size, inner[1:].rstrip("^")
            self._out.add(label)
            self._out.mark(start, SpanKind.NOTE, label_key(label))
            return close + 1
        target = _TARGET.match(self._text, close + 1, end)
        if target is not None:
            url = target["angled"] if target["angled"] is not None else target["bare"]
            self._link(at, close, depth, Definition(url, target["double"] or target["single"] or "", 0))
            return target.end()
        after = self._reference(at, close, end)
        if after is not None:
            definition, at_end = after
            self._link(at, close, depth, definition)
            return at_end
        if "@" in inner and _KEYS.search(self._text, at, close):
            self._citation(at, close)
            return close + 1
        return self._plain(at)

    def _reference(self, at: int, close: int, end: int) -> tuple[Definition, int] | None:
        """Resolve `[text][label]`, `[label][]` and `[label]`."""
        if self._text[close + 1 : close + 2] == "[":
            second = self._pairs.get(close + 1)
            if second is not None and second < end:
                label = self._text[close + 2 : second] or self._text[at + 1 : close]
                found = self._definitions.get(label_key(label[:_MAX_LABEL]))
                if found is not None:
                    return found, second + 1
        if close - at > _MAX_LABEL:
            return None
        found = self._definitions.get(label_key(self._text[at + 1 : close]))
        return (found, close + 1) if found is not None else None

    def _link(self, at: int, close: int, depth: int, target: Definition) -> None:
        start = self._out.size
        inner = self._text[at + 1 : close]
        if inner.strip().isdigit():  # a numbered link is a marker, and reads as one
            self._out.add(f"[{inner.strip()}]")
        else:
            self._read(at + 1, close, depth + 1)
        self._out.mark(start, SpanKind.LINK, html.unescape(target.url.strip()), title=target.title)

    def _citation(self, at: int, close: int) -> None:
        """Read pandoc's `[see @key, p. 14; -@other]`; one mark for all, or one a key where pages are named."""
        self._out.add("[")
        spans: list[Span] = []
        place = at + 1
        whole = self._out.size - 1
        for part in self._text[at + 1 : close].split(";"):
            if place > at + 1:
                self._out.add(";")
            key = _KEYS.search(part)
            self._out.add(part[: len(part) - len(part.lstrip())])
            start = self._out.size
            self._out.add(part.strip().replace("\n", " "))
            if key is not None:
                page = page_of(part[key.end() :])
                one = (key["braced"] or key["key"],)
                spans.append(Span(start=start, end=self._out.size, kind=SpanKind.CITE, keys=one, locator=page))
            place += len(part) + 1
        self._out.add("]")
        if len(spans) == 1 or not any(span.locator for span in spans):
            keys = tuple(key for span in spans for key in span.keys)
            spans = [Span(start=whole, end=self._out.size, kind=SpanKind.CITE, keys=keys, locator=spans[0].locator)]
        self._out.spans.extend(spans)

    def _key(self, at: int, end: int, _depth: int) -> int:
        """Read pandoc's `@key` and `@key [p. 3]` in running text; only where the document has a bibliography."""
        before = self._text[at - 1 : at]
        match = _KEYS.match(self._text, at, end) if self._keys and not (before.isalnum() or before in "._/") else None
        if match is None and self._keys and not before:
            match = _KEYS.match(self._text, at, end)
        if match is None:
            return self._plain(at)
        start = self._out.size
        self._out.add(match.group())
        after, locator = match.end(), None
        more = re.compile(r"\s?\[([^\[\]@\n]{1,100})\]").match(self._text, after, end)
        if more is not None and page_of(more.group(1)):
            locator, after = page_of(more.group(1)), more.end()
            self._out.add(more.group())
        keys = (match["braced"] or match["key"],)
        self._out.spans.append(Span(start=start, end=self._out.size, kind=SpanKind.CITE, keys=keys, locator=locator))
        return after

    def _emphasis(self, at: int, end: int, _depth: int) -> int:
        char = self._text[at]
        stop = at
        while stop < end and self._text[stop] == char:
            stop += 1
        run = self._text[at:stop]
        before, after = self._text[at - 1 : at], self._text[stop : stop + 1]
        opens, closes = bool(after) and not after.isspace(), bool(before) and not before.isspace()
        inside = char == "_" and before.isalnum() and after.isalnum()
        if inside or len(run) > 3 or not (opens or closes):  # noqa: PLR2004 - ***bold italic*** is the longest
            return self._plain(at, len(run))
        for size in (2, 1) if len(run) == 3 else (len(run),):  # noqa: PLR2004
            name = char * size
            kind = SpanKind.BOLD if size > 1 else SpanKind.ITALIC
            if closes and name in self._open:
                self._out.mark(self._open.pop(name), kind)
            elif opens and self._last[char] >= stop:
                self._open[name] = self._out.size
            else:
                self._out.add(name)
        return stop

    def _angle(self, at: int, end: int, _depth: int) -> int:
        link = _AUTOLINK.match(self._text, at, end)
        if link is not None:
            start = self._out.size
            self._out.add(link.group(1))
            self._out.mark(start, SpanKind.LINK, link.group(1))
            return link.end()
        if self._text.startswith("<!--", at):
            close = self._text.find("-->", at, min(end, at + _MAX_COMMENT))
            return close + 3 if close >= 0 else self._plain(at, 4)
        tag = _TAG.match(self._text, at, end)
        if tag is None:
            return self._plain(at)
        self._tag(tag["name"].lower(), tag["rest"], closing=bool(tag["close"]))
        return tag.end()

    def _tag(self, name: str, rest: str, *, closing: bool) -> None:
        if name == "br":
            self._out.newline()
        elif closing:
            for place in range(len(self._tags) - 1, max(-1, len(self._tags) - 20), -1):
                if self._tags[place][0] == name:
                    _, start, value = self._tags.pop(place)
                    if name in _STYLES:
                        self._out.mark(start, _STYLES[name])
                    elif name == "a" and value:
                        self._out.mark(start, SpanKind.LINK, value)
                    break
        else:
            found = {match[1].lower(): html.unescape(match[2] or match[3] or "") for match in _ATTRIBUTE.finditer(rest)}
            self._out.names.extend(found[key] for key in ("id", "name") if found.get(key))
            if name in _STYLES or name == "a":
                self._tags.append((name, self._out.size, found.get("href", "")))

    def _entity(self, at: int, end: int, _depth: int) -> int:
        match = _ENTITY.match(self._text, at, end)
        if match is None:
            return self._plain(at)
        self._out.add(html.unescape(match.group()))
        return match.end()

    def _caret(self, at: int, end: int, depth: int) -> int:
        close = self._pairs.get(at + 1) if self._text[at + 1 : at + 2] == "[" else None
        if close is not None and close < end and depth < MAX_DEPTH:  # pandoc's inline note
            self._out.add(" (")
            self._read(at + 2, close, depth + 1)
            self._out.add(")")
            return close + 1
        match = _RAISED.match(self._text, at, end)
        if match is None:
            return self._plain(at)
        start = self._out.size
        self._out.add(match.group(1))
        self._out.mark(start, SpanKind.RAISED)
        return match.end()

    def _tilde(self, at: int, end: int, _depth: int) -> int:
        if self._text[at : at + 2] == "~~":
            return at + 2
        match = _LOWERED.match(self._text, at, end)
        if match is None:
            return self._plain(at)
        self._out.add(match.group(1))
        return match.end()

    def _newline(self, at: int, _end: int, _depth: int) -> int:
        self._out.newline(self._line + bisect_right(self._breaks, at))
        return at + 1

    def _source(self, at: int, end: int, _depth: int) -> int:
        match = _SOURCE.match(self._text, at, end)
        if match is None:
            return self._plain(at)
        start = self._out.size
        self._out.add(match.group())
        span = Span(start=start, end=self._out.size, kind=SpanKind.CITE, value=_INDEX, keys=(match["n"],))
        self._out.spans.append(span)
        return match.end()

    def _private(self, at: int, end: int, _depth: int) -> int:
        match = _PRIVATE.match(self._text, at, end)
        return match.end() if match else at + 1

    def _attributes(self, at: int, end: int, _depth: int) -> int:
        match = _ATTRIBUTES.match(self._text, at, end)
        if match is None:
            return self._plain(at)
        self._out.names.extend(re.findall(r"#([\w:.-]{1,100})", match.group()))
        return match.end()

    def _address(self, at: int, end: int, _depth: int) -> int:
        match = _ADDRESS.match(self._text, at, end)
        if match is None:
            return self._plain(at)
        url = match.group().rstrip(_CLOSERS)
        while url.endswith(")") and url.count("(") < url.count(")"):
            url = url[:-1].rstrip(_CLOSERS)
        if not url:
            return self._plain(at)
        start = self._out.size
        self._out.add(url)
        self._out.mark(start, SpanKind.LINK, url if "//" in url else f"https://{url}")
        return at + len(url)
