"""Split BibTeX into entries whose values are text: strings joined, every broken block kept with its line.

bibtexparser 2 splits; its middleware is not used, because it copies the library at every step and drops what it
cannot read. It is given a stretch at a time, so that its objects for a large file never stand together.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bibtexparser.exceptions import ParserStateException
from bibtexparser.model import Block, DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock, String
from bibtexparser.splitter import Splitter

from citeaudit.errors import NoReferencesError
from citeaudit.extract.latex.remarks import Remark, Span, assign, find_remarks, has_mark, value_lines
from citeaudit.model.reference import FailedBlock, Locus

MAX_RAW = 4_000
"""Characters of a failed block that are kept."""
STRETCH = 400_000
"""Characters given to the splitter at once, up to the next block that starts a line."""

_MONTHS = dict(zip("jan feb mar apr may jun jul aug sep oct nov dec".split(), range(1, 13), strict=True))  # noqa: SIM905
_NAME = re.compile(r"[A-Za-z][^\s{}\",#=%'()]{0,200}")
_START = re.compile(r"\n(?=[ \t]{0,20}@\w{1,40}[ \t]{0,20}[{(])")
_COMMENT_LINE = re.compile(r"^[ \t]*%[^\n]*", re.MULTILINE)
_LINE_END = re.compile(r"\n")
_MOST_STRINGS = 20
"""Strings that name one another."""


class BibBlock(NamedTuple):
    """An entry, its values still LaTeX but without enclosure."""

    type: str
    key: str
    line: int
    """1-based."""
    raw: str
    fields: dict[str, str]
    path: str = ""
    remark: str | None = None
    """What the author says of it; see `remarks`."""


class Loose(NamedTuple):
    """A name in a value that might be a string's, and where it is used."""

    name: str
    owner: str
    line: int


@dataclass(slots=True)
class BibFile:
    """One file, split; values keep the names of strings until `opened`."""

    path: str
    entries: list[BibBlock] = field(default_factory=list)
    strings: list[tuple[str, str, int]] = field(default_factory=list)
    """Name in lower case, raw value, line."""
    failed: list[FailedBlock] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Sentences on comments without effect."""


def pieces(value: str) -> Iterator[str]:
    """Split a raw value at `#` outside braces and quotes."""
    depth, quoted, last = 0, False, 0
    for place, char in enumerate(value):
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == '"' and depth <= 0:
            quoted = not quoted
        elif char == "#" and depth <= 0 and not quoted:
            yield value[last:place].strip()
            last = place + 1
    yield value[last:].strip()


def _parts(value: str) -> Iterable[str]:
    if "#" not in value or (value[:1] == "{" and value.find("}") == len(value) - 1):
        return (value.strip(),)
    return pieces(value)


def value_of(raw: str, strings: Mapping[str, str]) -> str:
    """Give the text of a raw value: enclosure off, names of strings and months replaced, parts joined."""
    parts: list[str] = []
    for piece in _parts(raw):
        if len(piece) > 1 and piece[0] + piece[-1] in {"{}", '""'}:
            parts.append(piece[1:-1])
        else:
            parts.append(strings.get(piece.lower(), piece))
    return "".join(parts)


def names_in(raw: str) -> Iterator[str]:
    """Give the names of strings in a raw value."""
    for piece in _parts(raw):
        if _NAME.fullmatch(piece):
            yield piece


def split(text: str, path: str, *, first_line: int = 1) -> BibFile:
    """Split a file; a broken block is kept in `failed`, and its neighbours survive.

    Args:
        text: Source.
        path: For the loci.
        first_line: Line of its first line, where it stands inside another file.

    Raises:
        NoReferencesError: The splitter contradicts itself.
    """
    # It logs each broken block, which the result already carries.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    out = BibFile(path)
    line = first_line
    source, remarks = find_remarks(text, first_line)
    for stretch in _stretches(source):
        for block in _read(stretch, path):
            _take(block, out, line)
        line += stretch.count("\n")
    if has_mark(text):
        _remark(out, remarks, (text, source), first_line)
    return out


def _remark(out: BibFile, remarks: list[Remark], texts: tuple[str, str], first_line: int) -> None:
    """Give the entries what their author says of them, and the source as it was before the comments were blanked."""
    text, source = texts
    blanked = {remark.line for remark in remarks}
    spans = [_span(entry, blanked) for entry in out.entries]
    reasons, notes = assign(remarks, spans, text, first_line)
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    for place, (entry, span) in enumerate(zip(out.entries, spans, strict=True)):
        if not blanked.isdisjoint(range(span.first, span.last + 1)):
            start = source.find(entry.raw, starts[entry.line - first_line])
            entry = entry._replace(raw=text[start : start + len(entry.raw)])  # noqa: PLW2901 - the same entry
        out.entries[place] = entry._replace(remark=reasons.get(place))
    out.notes = notes


def _span(entry: BibBlock, blanked: set[int]) -> Span:
    """Give the lines of an entry; which of them stand inside a value is seen where a comment was blanked."""
    lines = range(entry.line, entry.line + entry.raw.count("\n") + 1)
    values = frozenset() if blanked.isdisjoint(lines) else value_lines(entry.raw, entry.line)
    return Span(lines[0], lines[-1], values)


def _stretches(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > STRETCH:
        cut = _START.search(text, start + STRETCH)
        if cut is None:
            break
        yield text[start : cut.end()]
        start = cut.end()
    yield text[start:]


def _read(stretch: str, path: str) -> list[Block]:
    """Split a stretch; where blocks are broken, again without the lines of comment that biber allows inside entries."""
    blocks = _blocks(stretch, path)
    broken = sum(type(block) is ParsingFailedBlock for block in blocks)
    if not broken or "%" not in stretch:
        return blocks
    plain = _COMMENT_LINE.sub(lambda match: " " * len(match.group()), stretch)
    again = _blocks(plain, path)
    if sum(type(block) is ParsingFailedBlock for block in again) >= broken:
        return blocks
    starts = [0, *(match.end() for match in _LINE_END.finditer(stretch))]
    for block in again:  # the comments belong to the source of an entry, and were only blanked out
        start = plain.find("@", starts[block.start_line or 0])
        block._raw = stretch[start : start + len(block.raw or "")]  # noqa: SLF001 - read-only in its public face
    return again


def _blocks(text: str, path: str) -> list[Block]:
    try:
        return list(Splitter(text).split().blocks)
    except ParserStateException as error:  # an inner contradiction of the splitter, for which it asks for reports
        raise NoReferencesError(f"the BibTeX could not be split into entries ({error.message})", path=path) from error


def _take(block: Block, out: BibFile, first_line: int) -> None:
    line = (block.start_line or 0) + first_line
    if isinstance(block, String):
        out.strings.append((block.key.lower(), block.value, line))
    elif type(block) is ParsingFailedBlock:
        out.failed.append(_failed(block, out.path, line))
    elif (entry := _inner(block)) is not None:
        out.entries.append(_entry(entry, line, entry.raw or "", out.path))


def _inner(block: Block) -> Entry | None:
    """Give the entry in a block, also where it repeats a key or a field."""
    if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
        inner = block.ignore_error_block
        return _inner(inner) if inner is not None else None
    return block if isinstance(block, Entry) else None


def _entry(entry: Entry, line: int, raw: str, path: str) -> BibBlock:
    fields: dict[str, str] = {}
    for item in entry.fields:
        name = item.key.rpartition("\n")[2].strip() if "\n" in item.key else item.key
        fields.setdefault(name.lower(), str(item.value))
    return BibBlock(entry.entry_type.lower(), entry.key, line, raw, fields, path)


def _failed(block: ParsingFailedBlock, path: str, line: int) -> FailedBlock:
    reason = str(getattr(block.error, "abort_reason", None) or block.error)
    reason = "the entry is not closed" if "end of file" in reason else reason
    return FailedBlock(
        raw=(block.raw or "")[:MAX_RAW],
        message=f"the entry could not be read: {' '.join(reason.split()).rstrip('.')}",
        locus=Locus(path=path, line=line, citekey=_failed_key(block.raw or "")),
    )


def _failed_key(raw: str) -> str | None:
    match = re.match(r"@\w{1,40}\s*[{(]\s*([^\s,{}()=\"]{1,200})\s*,", raw)
    return match.group(1) if match else None


class Strings(NamedTuple):
    """The strings of some files, those of months among them."""

    values: dict[str, str]
    circular: frozenset[str]
    """Names that stand in a circle, so that no value can be given."""


def strings_of(files: Iterable[BibFile]) -> Strings:
    """Give the text of every string of all files, also of those defined after their use."""
    raw = {name: value for file in files for name, value, _ in file.strings}
    values = {name: str(number) for name, number in _MONTHS.items() if name not in raw}
    circular: set[str] = set()
    for name in raw:
        _define(name, raw, values, circular)
    return Strings(values, frozenset(circular))


def _define(name: str, raw: Mapping[str, str], values: dict[str, str], circular: set[str]) -> None:
    """Give a string its value, after those that it uses; without recursion, since chains may be long."""
    stack = [name]
    while stack:
        top = stack[-1]
        if top in values:
            stack.pop()
            continue
        open_names = [used for part in names_in(raw[top]) if (used := part.lower()) in raw and used not in values]
        back = min((stack.index(used) for used in open_names if used in stack), default=None)
        if back is not None or len(stack) > _MOST_STRINGS:
            circular.update(stack[back or 0 :])
            values[top] = value_of(raw[top], values)
            stack.pop()
        elif open_names:
            stack.append(open_names[0])
        else:
            values[top] = value_of(raw[top], values)
            stack.pop()


def opened(entry: BibBlock, strings: Strings) -> BibBlock:
    """Give an entry with its values as text."""
    return entry._replace(fields={name: value_of(raw, strings.values) for name, raw in entry.fields.items()})


def loose_names(file: BibFile) -> Iterator[Loose]:
    """Give the names of strings that values use, in the order of the file, strings first."""
    for name, value, line in file.strings:
        for used in dict.fromkeys(names_in(value)):
            yield Loose(used, f"the string {name}", line)
    for entry in file.entries:
        for used in dict.fromkeys(part for raw in entry.fields.values() for part in names_in(raw)):
            yield Loose(used, f"the entry {entry.key}", entry.line)
