"""Read .bib files: every entry a reference, every broken block kept with its line.

bibtexparser 2 splits the file; its middleware is not used, because it copies the library at every step and
drops what it cannot read. Strings, concatenation, `crossref` and `xdata` are resolved here.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from bibtexparser.exceptions import ParserStateException
from bibtexparser.model import Block, DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock, String
from bibtexparser.splitter import Splitter

from citeaudit.errors import NoReferencesError
from citeaudit.extract.decode import read_document
from citeaudit.extract.latex.bibtex_fields import reference_from_fields
from citeaudit.model.reference import Extraction, FailedBlock, Locus, Reference, SelfCheck

__all__ = ["BibtexExtractor", "read_bibtex", "reference_from_fields"]

MAX_RAW = 4_000
"""Characters of a failed block that are kept."""

_MONTHS = dict(zip("jan feb mar apr may jun jul aug sep oct nov dec".split(), range(1, 13), strict=True))  # noqa: SIM905
_NOT_REFERENCES = frozenset({"xdata", "set", "string", "preamble", "comment", "control"})
#: What a child takes from its `crossref` parent beside fields of the same name (BibLaTeX manual, appendix B).
_INHERITED = {"title": "booktitle", "subtitle": "booksubtitle"}
_NOT_INHERITED = frozenset(
    {"crossref", "xdata", "label", "key", "ids", "doi", "url", "pages", "abstract", "note", "keywords"}
)


class _Block(NamedTuple):
    """An entry as split, its values still raw."""

    type: str
    key: str
    line: int
    raw: str
    fields: dict[str, str]


def _pieces(value: str) -> Iterator[str]:
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


def _value(raw: str, strings: Mapping[str, str]) -> str:
    """Give the text of a raw value: enclosure off, names of strings and months replaced, parts joined."""
    parts: list[str] = []
    for piece in _pieces(raw) if "#" in raw else (raw.strip(),):
        if len(piece) > 1 and piece[0] + piece[-1] in {"{}", '""'}:
            parts.append(piece[1:-1])
        else:
            parts.append(strings.get(piece.lower(), piece))
    return "".join(parts)


def _strings(blocks: Iterable[Block]) -> dict[str, str]:
    known = {name: str(number) for name, number in _MONTHS.items()}
    for block in blocks:
        if isinstance(block, String):
            known[block.key.lower()] = _value(block.value, known)
    return known


def _entry(block: Block) -> Entry | None:
    """Give the entry in a block, also where it repeats a key or a field."""
    if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
        inner = block.ignore_error_block
        return _entry(inner) if inner is not None else None
    return block if isinstance(block, Entry) else None


_NAME = re.compile(r"[A-Za-z][^\s{}\",#=%'()]{0,200}")
_MAX_NOTES = 20
"""Sentences of each kind in the self-check."""


def _unknown(blocks: Iterable[Block]) -> list[str]:
    """Give a sentence for each name that no `@string` before it defines: it is missing, or stands in a circle."""
    known = set(_MONTHS)
    later = {block.key.lower() for block in blocks if isinstance(block, String)}
    notes: list[str] = []
    for block in blocks:
        entry = _entry(block)
        line = (block.start_line or 0) + 1
        if isinstance(block, String):
            values, owner = [block.value], f"the string {block.key}"
        elif entry is not None:
            values, owner = [str(field.value) for field in entry.fields], f"the entry {entry.key}"
        else:
            continue
        for name in dict.fromkeys(name for value in values for name in _names(value)):
            if name.lower() not in known:
                why = "is defined only later or by itself" if name.lower() in later else "is not defined"
                notes.append(f"the @string {name} used in {owner} (line {line}) {why}; its name was kept as text")
        if isinstance(block, String):
            known.add(block.key.lower())
    return notes


def _names(value: str) -> Iterator[str]:
    """Give the names of strings in a raw value."""
    for piece in _pieces(value) if "#" in value else (value.strip(),):
        if _NAME.fullmatch(piece):
            yield piece


def _parents(entries: Iterable[_Block], by_key: Mapping[str, _Block]) -> list[str]:
    """Give a sentence for each `crossref` or `xdata` that leads nowhere or in a circle."""
    notes: list[str] = []
    for entry in entries:
        for field in ("crossref", "xdata"):
            for key in filter(None, (part.strip() for part in entry.fields.get(field, "").split(","))):
                if key.lower() not in by_key:
                    notes.append(f"the {field} {key} of the entry {entry.key} (line {entry.line}) is not in the file")
                elif _circles(entry, key, field, by_key):
                    notes.append(f"the {field} {key} of the entry {entry.key} (line {entry.line}) leads in a circle")
    return notes


def _circles(entry: _Block, key: str, field: str, by_key: Mapping[str, _Block]) -> bool:
    """Whether parents lead back to the entry."""
    for _ in range(_LONGEST_CIRCLE):
        parent = by_key.get(key.strip().lower())
        if parent is None:
            return False
        if parent.key.lower() == entry.key.lower():
            return True
        key = parent.fields.get(field, "").split(",")[0]
    return False


_LONGEST_CIRCLE = 20


def _opened(block: Entry, strings: Mapping[str, str]) -> _Block:
    fields: dict[str, str] = {}
    for field in block.fields:
        fields.setdefault(field.key.lower(), _value(str(field.value), strings))
    return _Block(block.entry_type.lower(), block.key, (block.start_line or 0) + 1, block.raw or "", fields)


def _inherit(entry: _Block, by_key: Mapping[str, _Block]) -> dict[str, str]:
    """Add what `xdata` and `crossref` give; an entry's own fields win, and only one step is followed."""
    fields = dict(entry.fields)
    for key in (part.strip().lower() for part in fields.get("xdata", "").split(",")):
        for name, value in by_key[key].fields.items() if key in by_key else ():
            fields.setdefault(name, value)
    parent = by_key.get(fields.get("crossref", "").strip().lower())
    if parent is None or parent.key == entry.key:
        return fields
    for name, value in parent.fields.items():
        if name in _INHERITED:
            fields.setdefault(_INHERITED[name], value)
        elif name not in _NOT_INHERITED:
            fields.setdefault(name, value)
    return fields


def _failed(block: ParsingFailedBlock, path: str) -> FailedBlock:
    reason = getattr(block.error, "abort_reason", None) or str(block.error)
    return FailedBlock(
        raw=(block.raw or "")[:MAX_RAW],
        message=f"the entry could not be read: {' '.join(str(reason).split()).rstrip('.')}",
        locus=Locus(path=path, line=(block.start_line or 0) + 1, citekey=_failed_key(block.raw or "")),
    )


def _failed_key(raw: str) -> str | None:
    match = re.match(r"@\w{1,40}\s*[{(]\s*([^\s,{}()=\"]{1,200})\s*,", raw)
    return match.group(1) if match else None


def _duplicates(entries: Iterable[_Block]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the keys that occur more than once, and a sentence for each."""
    lines: dict[str, list[int]] = defaultdict(list)
    for entry in entries:
        lines[entry.key].append(entry.line)
    repeated = {key: where for key, where in lines.items() if len(where) > 1 and key}
    notes = [
        f"the key {key} occurs {len(where)} times (lines {', '.join(map(str, where[:10]))})"
        for key, where in repeated.items()
    ]
    return tuple(repeated), tuple(notes)


def _split(text: str, path: str) -> list[Block]:
    # It logs each broken block, which the result already carries.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    try:
        return list(Splitter(text).split().blocks)
    except ParserStateException as error:  # an inner contradiction of the splitter, for which it asks for reports
        raise NoReferencesError(f"the BibTeX could not be split into entries ({error.message})", path=path) from error


def read_bibtex(text: str, *, path: str, notes: tuple[str, ...] = ()) -> Extraction:
    r"""Read the references of BibTeX source.

    Never raises for one bad entry; see `Extraction.failed`. Comments are no failures.

    Args:
        text: Source with `\n` line ends.
        path: The document as the user named it.
        notes: Sentences to put before those of the self-check.

    Raises:
        NoReferencesError: There is no entry, not even a broken one.
    """
    blocks = _split(text, path)
    strings = _strings(blocks)
    entries = [_opened(entry, strings) for block in blocks if (entry := _entry(block)) is not None]
    by_key: dict[str, _Block] = {}
    for opened in entries:
        by_key.setdefault(opened.key.lower(), opened)
    cited = [entry for entry in entries if entry.type not in _NOT_REFERENCES]
    failed = tuple(_failed(block, path) for block in blocks if type(block) is ParsingFailedBlock)
    if not cited and not failed:
        raise NoReferencesError("holds no BibTeX entry", path=path)
    references = tuple(_reference(entry, by_key, path) for entry in cited)
    repeated, sentences = _duplicates(cited)
    loose = (_unknown(blocks)[:_MAX_NOTES], _parents(entries, by_key)[:_MAX_NOTES])
    return Extraction(
        path=path,
        format=BibtexExtractor.name,
        references=references,
        failed=failed,
        self_check=SelfCheck(
            method="entries",
            read=len(references),
            expected=len(references) + len(failed),
            labels_duplicate=repeated,
            notes=(*notes, *sentences[:_MAX_NOTES], *loose[0], *loose[1]),
        ),
    )


def _reference(entry: _Block, by_key: Mapping[str, _Block], path: str) -> Reference:
    return reference_from_fields(
        entry.type,
        _inherit(entry, by_key),
        raw=entry.raw,
        locus=Locus(path=path, line=entry.line, citekey=entry.key or None),
    )


class BibtexExtractor:
    """Reads BibTeX and BibLaTeX files."""

    name = "bibtex"
    suffixes = (".bib", ".bibtex")

    def read(self, path: Path) -> Extraction:
        """Read the references of a .bib file.

        Never raises for one bad entry; see `Extraction.failed`.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds no entry.
        """
        decoded = read_document(path)
        return read_bibtex(decoded.text, path=str(path), notes=(decoded.note,) if decoded.note else ())
