"""Take Markdown apart: CommonMark's blocks with tables, notes, divisions and front matter, by source lines.

Rules are those of CommonMark 0.31, of GitHub's tables and of pandoc's notes; where authors and chat assistants
write otherwise, the reading that loses no source wins: a numbered item keeps the number that is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from citeaudit.extract.markup.blocks import BlockKind, Document, Text
from citeaudit.extract.markup.inline import Definition, label_key, read_inline
from citeaudit.extract.pdf.likeness import likeness

_FENCE = re.compile(r"^\s{0,3}(?P<run>`{3,30}|~{3,30})[^`]{0,200}$")
_HEADING = re.compile(r"^\s{0,3}(?P<marks>#{1,6})(?:\s+(?P<text>.*))?$")
_UNDERLINE = re.compile(r"^\s{0,3}(?:=+|-+)\s*$")
_RULE = re.compile(r"^\s{0,3}(?:(?:\*\s?){3,}|(?:-\s?){3,}|(?:_\s?){3,})$")
_ITEM = re.compile(r"^(?P<indent>\s{0,20})(?:[-*+•]|(?P<number>\d{1,4})[.)])\s{1,8}(?P<text>\S.*)$")
_NOTE = re.compile(r"^\s{0,3}\[\^(?P<label>[^\]\s]{1,100})\]:\s{0,8}(?P<text>.*)$")
_DEFINITION = re.compile(
    r"^\s{0,3}\[(?P<label>[^\[\]^][^\[\]]{0,300}|\d)\]:\s{1,8}<?(?P<url>(?:[a-z][a-z0-9+.-]{1,10}:|[#/.])[^\s<>]{1,2000})>?"
    r"(?:\s{1,8}(?:\"(?P<double>[^\n]{0,500})\"|'(?P<single>[^\n]{0,500})'|\((?P<round>[^\n]{0,500})\)))?\s*$",
    re.IGNORECASE,
)
_DELIMITERS = re.compile(r"^\s{0,3}\|?\s{0,20}:?-{1,200}:?\s{0,20}(?:\|\s{0,20}:?-{1,200}:?\s{0,20}){0,50}\|?\s*$")
_QUOTED = re.compile(r"^(?:\s{0,3}>){1,50}\s?")
_DIVISION = re.compile(r"^\s{0,3}:{3,}")
_RAW = re.compile(r"^\s{0,3}<(?P<name>script|style)\b", re.IGNORECASE)
_CELL = re.compile(r"(?:[^|\\]|\\.){1,4000}|\|", re.DOTALL)
_MAX_LINE = 200_000
"""Characters of a paragraph; a longer one is cut there."""


@dataclass(slots=True)
class _Open:
    """A paragraph or item whose lines are still being collected."""

    kind: BlockKind
    line: int
    lines: list[str] = field(default_factory=list)
    label: str | None = None
    follows: bool = False


def front_matter(text: str) -> tuple[str, str]:
    r"""Part the front matter (YAML between `---` lines) from the text, whose lines keep their numbers.

    >>> front_matter("---\ntitle: T\n---\nText")
    ('title: T\n', '\n\n\nText')
    """
    if not text.startswith("---"):
        return "", text
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return "", text
    for place, line in enumerate(lines[1:5_000], 1):
        if line.rstrip() in {"---", "..."}:
            return "\n".join([*lines[1:place], ""]), "\n".join([*[""] * (place + 1), *lines[place + 1 :]])
    return "", text


def _uncommented(text: str) -> str:
    """Take comments out; line ends in them stay."""
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join([*parts, text[at:]])


class _Parser:
    """One pass over the lines; `document` holds what was found."""

    def __init__(self, text: str, *, keys: bool) -> None:
        self.document = Document()
        self._lines = _uncommented(text).split("\n")
        self._keys = keys
        self._definitions: dict[str, Definition] = {}
        self._open: _Open | None = None
        self._names: list[str] = []
        self._number: int | None = None
        self._in_list = False
        self._blank = True
        self._note: str | None = None

    def run(self) -> Document:
        """Read all lines."""
        self._define()
        at = 0
        while at < len(self._lines):
            at = self._step(at)
        self._flush()
        return self.document

    def _define(self) -> None:
        """Take link definitions out, outside of code."""
        fence: str | None = None
        for place, line in enumerate(self._lines):
            opened = _FENCE.match(line) if "```" in line or "~~~" in line else None
            if opened is not None and (fence is None or opened["run"].startswith(fence)):
                fence = None if fence else opened["run"]
                continue
            match = _DEFINITION.match(line) if fence is None and "]:" in line else None
            if match is not None:
                title = match["double"] or match["single"] or match["round"] or ""
                key = label_key(match["label"])
                self._definitions.setdefault(key, Definition(match["url"], title, place + 1))
                self._lines[place] = ""

    def _step(self, at: int) -> int:
        """Read the block or the line at a place; give where to go on."""
        line = self._lines[at]
        if not line.strip():
            self._pause()
            return at + 1
        fence = _FENCE.match(line)
        if fence is not None:
            self._flush()
            return self._skip_code(at, fence["run"])
        raw = _RAW.match(line)
        if raw is not None:
            self._flush()
            return self._skip_raw(at, raw["name"].lower())
        if _DIVISION.match(line):
            self._flush()
            return at + 1
        if "|" in line and at + 1 < len(self._lines) and _DELIMITERS.match(self._lines[at + 1]):
            self._flush()
            return self._table(at)
        self._line(line, at + 1)
        return at + 1

    def _pause(self) -> None:
        """End what an empty line ends: a paragraph, and the first paragraph of an item or a note."""
        if self._open is not None:
            self._flush(keep_note=True)
        self._blank = True

    def _skip_code(self, at: int, run: str) -> int:
        for place in range(at + 1, len(self._lines)):
            if self._lines[place].strip().startswith(run) and not self._lines[place].strip().strip(run[0]):
                return place + 1
        return len(self._lines)

    def _skip_raw(self, at: int, name: str) -> int:
        for place in range(at, len(self._lines)):
            if f"</{name}" in self._lines[place].lower():
                return place + 1
        return len(self._lines)

    def _line(self, line: str, number: int) -> None:
        heading = _HEADING.match(line)
        if heading is not None:
            self._flush()
            text = re.sub(r"\s#+\s*$", "", heading["text"] or "")
            self._add(text, BlockKind.HEADING, number, level=len(heading["marks"]))
            self._in_list = False
        elif self._open is not None and self._open.kind is BlockKind.PARAGRAPH and _UNDERLINE.match(line):
            if self._open.label is None and not self._open.follows and len(self._open.lines) == 1:
                text, start = self._open.lines[0], self._open.line
                self._open = None
                self._add(text, BlockKind.HEADING, start, level=1 if "=" in line else 2)
            else:
                self._flush()
            self._in_list = False
        elif _RULE.match(line):
            self._flush()
            self._in_list = False
        elif not self._starts(line, number):
            self._go_on(line, number)
        self._blank = False

    def _starts(self, line: str, number: int) -> bool:
        """Open a note, a quotation or an item, if the line does."""
        note = _NOTE.match(line)
        if note is not None:
            self._flush()
            self._note = label_key(note["label"])
            self._open = _Open(BlockKind.PARAGRAPH, number, [note["text"]])
            return True
        quoted = _QUOTED.match(line)
        if quoted is not None:
            self._quote(line, number)
            return True
        item = _ITEM.match(line)
        if item is None or not self._is_item(item["number"]):
            return False
        self._flush()
        label = item["number"]
        if label is not None:
            count = int(label)
            count = self._number + 1 if self._in_list and self._number is not None and count <= self._number else count
            self._number, label = count, str(count)
        self._in_list = True
        self._open = _Open(BlockKind.ITEM, number, [item["text"]], label)
        return True

    def _is_item(self, number: str | None) -> bool:
        """Whether a marker opens an item: inside a paragraph only a bullet or a number that follows does."""
        if self._blank or self._open is None or number is None or self._in_list:
            return True
        return int(number) <= 1 or self._open.kind is not BlockKind.PARAGRAPH

    def _quote(self, line: str, number: int) -> None:
        line = _QUOTED.sub("", line, count=1)
        if self._open is not None and self._open.kind is not BlockKind.QUOTE:
            self._flush()
        if not line.strip():
            self._flush()
            return
        if self._open is None:
            self._open = _Open(BlockKind.QUOTE, number)
        self._open.lines.append(line)

    def _go_on(self, line: str, number: int) -> None:
        """Add a line to what is open, or open a paragraph."""
        if self._open is not None and self._open.kind is BlockKind.QUOTE:
            self._flush()
        if self._open is not None:
            self._open.lines.append(line)
            return
        indented = line[:1] == "\t" or line.startswith("  ")
        if not indented:
            self._in_list, self._note = False, None
        deep = line[:1] == "\t" or line.startswith("    ")
        if deep and self._blank and not self._in_list and self._note is None and likeness(line) < 0.3:  # noqa: PLR2004
            return  # code by indentation
        self._open = _Open(BlockKind.PARAGRAPH, number, [line], follows=indented and self._in_list)

    def _table(self, at: int) -> int:
        self._row(self._lines[at], BlockKind.HEADER, at + 1)
        place = at + 2
        while place < len(self._lines) and "|" in self._lines[place]:
            self._row(self._lines[place], BlockKind.ROW, place + 1)
            place += 1
        return place

    def _row(self, line: str, kind: BlockKind, number: int) -> None:
        cells: list[str] = [""]
        for match in _CELL.finditer(line.strip().removeprefix("|").removesuffix("|")):
            if match.group() == "|":
                cells.append("")
            else:
                cells[-1] += match.group()
        out = Text()
        texts: list[str] = []
        for cell in cells:
            if texts:
                out.add(" | ")
            start = out.size
            self._inline(cell.strip(), out, number)
            texts.append(out.text[start:].strip())
        self.document.blocks.append(replace(out.block(kind, number), cells=tuple(texts)))

    def _inline(self, text: str, out: Text, number: int) -> None:
        if len(text) > _MAX_LINE:
            self.document.remarks.append(f"the paragraph at line {number} was cut at {_MAX_LINE:,} characters")
        read_inline(text[:_MAX_LINE], out, line=number, definitions=self._definitions, keys=self._keys)

    def _add(
        self,
        text: str,
        kind: BlockKind,
        number: int,
        *,
        level: int = 0,
        label: str | None = None,
        follows: bool = False,
    ) -> None:
        out = Text()
        self._inline(text, out, number)
        self._names += out.names
        block = out.block(kind, number, level=level)
        if not block.text:
            return
        block = replace(block, names=tuple(self._names), label=label, follows=follows)
        self._names = []
        if self._note is not None and kind is not BlockKind.HEADING:
            self.document.notes.setdefault(self._note, []).append(block)
        else:
            self.document.blocks.append(block)

    def _flush(self, *, keep_note: bool = False) -> None:
        opened, self._open = self._open, None
        if opened is not None:
            lines = [_broken(line) for line in opened.lines]
            text = "\n".join(lines)
            self._add(text, opened.kind, opened.line, label=opened.label, follows=opened.follows)
        if not keep_note:
            self._note = None


def _broken(line: str) -> str:
    """Give a source line without its indentation and the marks of a hard break."""
    return line.strip().removesuffix("\\") if line.endswith("\\") else line.strip()


def parse_markdown(text: str, *, keys: bool = False) -> Document:
    r"""Take Markdown apart.

    Args:
        text: With `\n` line ends and without front matter.
        keys: Whether `@key` in running text is a citation: the document has a bibliography.
    """
    return _Parser(text, keys=keys).run()
