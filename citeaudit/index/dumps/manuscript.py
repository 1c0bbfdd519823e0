"""Read bibliographies (.bib, CSL-JSON, RIS, .nbib, EndNote) as dumps, by the readers that manuscripts have.

Those readers are found in the registry. They take a whole file; so a large one is cut at its entries into pieces of
about 1 MB, each written to a temporary file of its own. What one entry of BibTeX inherits from another by `crossref`
is found only within a piece; strings (`@string`) are known in all that follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast

import orjson

from citeaudit.errors import ExtractionError, NoReferencesError, UnreadableDumpError
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.looks import looks_like
from citeaudit.index.dumps.packed import UNIT_BYTES, Member, members
from citeaudit.index.store.record import Listing, Malformed, Name, Record
from citeaudit.index.store.tidy import tidy
from citeaudit.model import Person, Reference, WorkType
from citeaudit.registry import load
from citeaudit.seams import Extractor

MAX_WHOLE = 60_000_000
"""Bytes of a file that can only be read as one (CSL-JSON, EndNote's XML, UTF-16)."""
MAX_STRINGS = 200_000
"""Bytes of `@string` that are kept for the pieces that follow."""
LONG_ENTRY = 64_000
"""Bytes after which an entry is taken to lack a closing brace, and the next one to begin at its `@`."""

_BIBTEX_START = re.compile(rb"\s{0,8}@[A-Za-z]{2,40}\s{0,8}[{(]")
_STRING = re.compile(rb"\s{0,8}@(?:string|preamble)\b", re.IGNORECASE)
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_STRINGS_END = b"\n@comment{-- the strings of the whole file end here --}\n"
_LINE = re.compile(r"line (\d{1,18})$")


class _Kind(NamedTuple):
    """How a format is named here, who reads it, and where its entries begin."""

    extractor: str
    suffix: str
    """Of the temporary file."""
    start: re.Pattern[bytes] | None
    """At the beginning of a line; `None` where the file cannot be cut."""


_KINDS = {
    "bibtex": _Kind("bibtex", ".bib", _BIBTEX_START),
    "csl": _Kind("csl-json", ".json", None),
    "ris": _Kind("ris", ".ris", re.compile(rb"TY  ?- ")),
    "nbib": _Kind("nbib", ".nbib", re.compile(rb"PMID ?- ")),
    "endnote": _Kind("endnote", ".enw", re.compile(rb"%0 ")),
    "endnote-xml": _Kind("endnote-xml", ".xml", None),
}


class _ManuscriptDump:
    """What all bibliographies have in common."""

    name: str
    suffixes: tuple[str, ...]

    def split(self, path: Path) -> Iterator[Unit]:
        """Give units of about 1 MB of whole entries, or the whole file where its form has no places to cut.

        Raises:
            UnreadableDumpError: It is truncated, damaged, a web page, or too large to be read as one.
        """
        start = _KINDS[self.name].start
        for member in members(path, self.suffixes):
            if self.name == "csl":
                yield Unit(path, f"{member.place}line 1", _one_value(member))
            elif start is None or member.head.startswith(_WIDE):
                yield Unit(path, f"{member.place}line 1", member.whole(MAX_WHOLE))
            else:
                yield from _cut(member, start, braces=start is _BIBTEX_START)

    def read(self, unit: Unit) -> Iterator[Record | Listing | Fault]:
        """Give the references of a unit as records."""
        kind = _KINDS[self.name]
        extractor = cast("Extractor", load("extractor", kind.extractor))
        if isinstance(extractor, type):
            extractor = extractor()
        data = unit.data or b""
        strings, found, rest = data.partition(_STRINGS_END)
        ahead = strings.count(b"\n") + _STRINGS_END.count(b"\n") if found else 0
        with TemporaryDirectory(prefix="citeaudit-") as folder:
            file = Path(folder) / f"unit{kind.suffix}"
            file.write_bytes(data)
            try:
                extraction = extractor.read(file)
            except NoReferencesError:
                if (rest if found else data).strip():
                    yield Fault(unit.place, "holds no references")
                return
            except ExtractionError as error:
                yield Fault(unit.place, error.message)
                return
        for block in extraction.failed:
            yield Fault(_place(unit, block.locus.line, ahead, block.locus.citekey), block.message)
        for reference in extraction.references:
            try:
                yield tidy(_record(reference, self.name))
            except Malformed as error:
                locus = reference.locus
                yield Fault(_place(unit, locus.line, ahead, locus.citekey), str(error))


class BibtexDump(_ManuscriptDump):
    """Reads .bib files of any size."""

    name = "bibtex"
    suffixes = (".bib", ".bibtex", ".bib.gz", ".bib.xz", ".bib.zst")


class CslDump(_ManuscriptDump):
    """Reads CSL-JSON."""

    name = "csl"
    suffixes = (".json", ".csl", ".json.gz", ".json.xz", ".json.zst")


class RisDump(_ManuscriptDump):
    """Reads RIS."""

    name = "ris"
    suffixes = (".ris", ".ris.gz")


class NbibDump(_ManuscriptDump):
    """Reads PubMed's export of tagged lines."""

    name = "nbib"
    suffixes = (".nbib", ".medline", ".nbib.gz")


class EndnoteDump(_ManuscriptDump):
    """Reads EndNote's tagged export."""

    name = "endnote"
    suffixes = (".enw", ".refer", ".enw.gz")


class EndnoteXmlDump(_ManuscriptDump):
    """Reads EndNote's XML export."""

    name = "endnote-xml"
    suffixes = (".xml", ".xml.gz")


def _one_value(member: Member) -> bytes:
    """Give a file of CSL-JSON, which is one array; of several values after each other only the first would be read."""
    data = member.whole(MAX_WHOLE)
    first, _, more = data.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    if more.strip():
        with suppress(orjson.JSONDecodeError):
            orjson.loads(first)
            name, form = looks_like(first)
            known = form if form and form != "csl" else ""
            what = f"it looks like {name}: --format {known}" if known else "put them into one array"
            raise UnreadableDumpError(f"{member.path}: {member.place}is no CSL-JSON but one object a line; {what}.")
    return data


def _cut(member: Member, start: re.Pattern[bytes], *, braces: bool) -> Iterator[Unit]:
    """Cut a stream before the lines that begin an entry; of BibTeX only those outside braces."""
    strings: list[bytes] = []
    kept: list[bytes] = []
    size, first, number = 0, 1, 1
    for entry in _entries(member, start, braces=braces):
        if size + len(entry) > UNIT_BYTES and kept:
            yield _unit(member, first, kept, strings)
            strings = _known(strings, kept)
            kept, size, first = [], 0, number
        kept.append(entry)
        size += len(entry)
        number += entry.count(b"\n")
    if kept:
        yield _unit(member, first, kept, strings)


def _entries(member: Member, start: re.Pattern[bytes], *, braces: bool) -> Iterator[bytes]:
    """Give whole entries, each from the line that begins it; first what stands before them."""
    entry: list[bytes] = []
    length = depth = 0
    for line in _lines(member):
        if entry and start.match(line) and (not braces or depth <= 0 or length > LONG_ENTRY):
            yield b"".join(entry)
            entry, length, depth = [], 0, 0
        entry.append(line)
        length += len(line)
        if braces:
            depth += line.count(b"{") - line.count(b"}")
    if entry:
        yield b"".join(entry)


def _lines(member: Member) -> Iterator[bytes]:
    rest = b""
    while chunk := member.read():
        if b"\n" not in chunk:
            rest += chunk
            if len(rest) > MAX_WHOLE:
                raise UnreadableDumpError(f"{member.path}: {member.place}is one line of more than {MAX_WHOLE:,} bytes.")
            continue
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line + b"\n"
    if rest:
        yield rest


def _known(strings: list[bytes], entries: list[bytes]) -> list[bytes]:
    """Add the strings that a piece defines to those that the following ones are given."""
    found = [*strings, *(entry for entry in entries if _STRING.match(entry) and len(entry) <= LONG_ENTRY)]
    return found if sum(map(len, found)) <= MAX_STRINGS else strings


def _unit(member: Member, first: int, entries: list[bytes], strings: list[bytes]) -> Unit:
    before = [*strings, _STRINGS_END] if strings else []
    return Unit(member.path, f"{member.place}line {first}", b"".join((*before, *entries)))


def _place(unit: Unit, line: int | None, ahead: int, key: str | None) -> str:
    """Give the line in the whole file, and the key of the entry."""
    match = _LINE.search(unit.place)
    if line is None or match is None:
        return f"{unit.place} ({key})" if key else unit.place
    place = f"{unit.place[: match.start()]}line {int(match[1]) + line - 1 - ahead}"
    return f"{place} ({key})" if key else place


def _record(reference: Reference, source: str) -> Record:
    ids = reference.identifiers
    return Record(
        title=reference.title or "",
        authors=tuple(map(_name, reference.authors)),
        authors_complete=False if reference.authors_truncated else None,
        year=reference.year,
        venue=reference.container_title,
        volume=reference.volume,
        issue=reference.issue,
        pages=reference.pages,
        publisher=reference.publisher,
        type=None if reference.type is WorkType.UNKNOWN else reference.type.value,
        doi=ids.doi,
        arxiv_id=ids.arxiv_id,
        pmid=ids.pmid,
        pmcid=ids.pmcid,
        isbn=ids.isbn,
        url=ids.url,
        src=source,
        id=reference.locus.citekey,
        editors=tuple(map(_name, reference.editors)),
    )


def _name(person: Person) -> Name:
    return Name(person.family, person.given, person.literal)
