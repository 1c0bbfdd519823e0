"""Read the ACL Anthology's XML (https://github.com/acl-org/acl-anthology, `data/xml`; form: its `schema.rnc`).

A collection (`2020.acl.xml`, `P18.xml`) holds volumes, a volume its papers. Taken from single files, a folder of
them, or the archive of the whole repository as GitHub packs it (tar or ZIP). The Anthology is the publisher, so
a volume of proceedings there is a whole table of contents; a year of a journal is spread over several volumes and
gets none.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import UnreadableDumpError
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.packed import content, members
from citeaudit.index.dumps.proceedings import is_long, names_of
from citeaudit.index.dumps.xml import Dialect, Element, check_prolog, parse, text_of, where
from citeaudit.index.store.record import Listing, Malformed, Name, Record, RecordNotice
from citeaudit.index.store.tidy import tidy
from citeaudit.model import NoticeType
from citeaudit.text.latex import to_text

MAX_COLLECTION = 64_000_000
"""Bytes of a collection; the largest, with abstracts, have about 10 MB."""

_DIALECT = Dialect("ACL Anthology XML", "collection", ("paper", "meta"), flat=False)
_ZIP = b"PK\x03\x04"
_ID = re.compile(r"[A-Z]\d{2}-\d{4}|\d{4}\.[a-z0-9]{1,30}-[a-z0-9]{1,30}\.\d{1,5}")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_OLD_YEAR = re.compile(r"[A-Z](\d\d)$")
_ISSUE = re.compile(r",? (?:Volume|Vol\.) \d.{0,60}$|,? Number \d.{0,60}$")
_JOURNALS = re.compile(r"[JQ]\d\d|\d{4}\.(?:cl|tacl|lilt|tal|ijclclp|nejlt)")
"""Collections of journals; before 2023 the XML did not say so (`type="journal"`)."""
_FIRST_YEAR = 60
"""The Anthology begins in 1952, its two-digit years in 1965: `C65` is 1965, `P18` 2018."""
_NO_ACRONYM = frozenset({"ws", "findings", "earlymt"})
_NOTICES = {
    "retracted": NoticeType.RETRACTION,
    "removed": NoticeType.WITHDRAWAL,
    "erratum": NoticeType.CORRECTION,
}


class _Volume(NamedTuple):
    """What a volume says for all its papers."""

    id: str
    title: str | None
    year: int | None
    publisher: str | None
    journal: str | None
    volume: str | None
    issue: str | None
    isbn: str | None
    doi: str | None
    updated: str | None
    editors: tuple[Name, ...]
    names: tuple[str, ...]


class AclDump:
    """Reads `data/xml` of the ACL Anthology."""

    name = "acl"
    suffixes = (".xml", ".xml.gz")

    def split(self, path: Path) -> Iterator[Unit]:
        """Give each collection as a unit.

        Raises:
            UnreadableDumpError: The file is truncated, damaged or no such XML, or an archive holds no collection.
        """
        if _is_zip(path):
            yield from _found(path, _zipped(path))
            return
        archived = False
        for member in members(path, (".xml", ".xml.gz")):
            if not member.name:
                yield Unit(path, "line 1", None)
                return
            if _is_collection(member.name, member.head):
                archived = True
                yield Unit(path, f"{member.place}line 1", member.whole(MAX_COLLECTION))
        if not archived:
            raise _nothing(path)

    def read(self, unit: Unit) -> Iterator[Record | Listing | Fault]:
        """Give the papers and volumes of a collection, and a table of contents for each volume of proceedings.

        Raises:
            UnreadableDumpError: It is truncated, damaged, no such XML, or declares entities.
        """
        data = content(unit, MAX_COLLECTION)
        shown = f"{unit.path}: {unit.place.removesuffix('line 1')}".rstrip(": ")
        check_prolog(data, shown, _DIALECT)
        if b"</collection" not in data[-1_000:]:
            raise UnreadableDumpError(f"{shown}: breaks off before its end; fetch it again.")
        root, faults = parse(data, unit, _DIALECT)
        yield from faults
        if root is not None:
            collection = root.get("id") or ""
            for volume in root.iterchildren("volume"):
                yield from _read_volume(unit, collection, volume)


def _is_zip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) == _ZIP
    except OSError as error:
        raise UnreadableDumpError(f"{path}: cannot be read ({error.strerror or error}); check the path.") from error


def _zipped(path: Path) -> Iterator[Unit]:
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if not info.filename.endswith(".xml"):
                    continue
                with archive.open(info) as file:
                    data = file.read(MAX_COLLECTION + 1)  # whatever size the archive claims
                if len(data) > MAX_COLLECTION:
                    raise UnreadableDumpError(
                        f"{path}: member {info.filename} unpacks to more than {MAX_COLLECTION:,} bytes."
                    )
                if _is_collection(info.filename, data[:4_096]):
                    yield Unit(path, f"member {info.filename}: line 1", data)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        raise UnreadableDumpError(f"{path}: is a ZIP that cannot be read ({error}); fetch it again.") from error


def _found(path: Path, units: Iterator[Unit]) -> Iterator[Unit]:
    first = next(units, None)
    if first is None:
        raise _nothing(path)
    yield first
    yield from units


def _nothing(path: Path) -> UnreadableDumpError:
    return UnreadableDumpError(
        f"{path}: holds no XML of the ACL Anthology (data/xml/*.xml); name the repository's archive."
    )


def _is_collection(name: str, head: bytes) -> bool:
    """The repository also holds XML for its own tests."""
    return "/tests/" not in f"/{name}" and b"<collection" in head


def _read_volume(unit: Unit, collection: str, element: Element) -> Iterator[Record | Listing | Fault]:
    volume = _volume(collection, element)
    has_contents = volume.title is not None and volume.year is not None and volume.journal is None
    works = 0
    for paper in element.iterchildren("paper", "broken"):
        works += 1
        if paper.tag == "broken":  # already told
            continue
        number = paper.get("id") or ""
        try:
            yield tidy(_paper(paper, paper_id(collection, element.get("id") or "", number), volume, has_contents))
        except Malformed as error:
            yield Fault(where(unit, paper, f"{volume.id}.{number}"), str(error))
    if volume.title is None:
        return
    try:
        yield tidy(_whole(volume))
    except Malformed as error:
        yield Fault(where(unit, element, volume.id), str(error))
    if has_contents and works and volume.year is not None:
        yield Listing(volume.id, volume.names, volume.year, works)


def paper_id(collection: str, volume: str, paper: str) -> str:
    """Give the Anthology id: `2020.acl-main.1`, `P18-1001`, `W18-0102` (workshops have two digits for the volume).

    Source: https://aclanthology.org/info/ids/.

    >>> paper_id("2020.acl", "main", "1"), paper_id("P18", "1", "1"), paper_id("W18", "1", "2")
    ('2020.acl-main.1', 'P18-1001', 'W18-0102')
    """
    if not (volume.isdecimal() and paper.isdecimal()) or "." in collection:
        return f"{collection}-{volume}.{paper}"
    if collection.startswith("W") or collection == "C69" or (collection == "D19" and int(volume) >= 5):  # noqa: PLR2004
        return f"{collection}-{int(volume):02d}{int(paper):02d}"
    return f"{collection}-{int(volume)}{int(paper):03d}"


def _volume(collection: str, element: Element) -> _Volume:
    meta = element.find("meta")
    number = element.get("id") or ""
    title, year = _text(meta, "booktitle"), _year(_text(meta, "year"), collection)
    journal = _text(meta, "journal-title")
    is_journal = element.get("type") == "journal" or _JOURNALS.fullmatch(collection) is not None
    if journal is None and is_journal and title:
        journal = _ISSUE.sub("", title)
    short = _text(meta, "shortbooktitle")
    names: tuple[str, ...] = ()
    if title and year and journal is None:
        acronyms = () if meta is None else tuple(found.text for found in meta.iterchildren("venue") if found.text)
        series = (f"{one} {year}" for one in acronyms if one not in _NO_ACRONYM)
        names = tuple(dict.fromkeys((*names_of(title, None, year), *((short,) if is_long(short) else ()), *series)))
    return _Volume(
        id=f"{collection}-{number}",
        title=title,
        year=year,
        publisher=_text(meta, "publisher"),
        journal=journal,
        volume=_text(meta, "journal-volume") or _text(meta, "volume"),
        issue=_text(meta, "journal-issue"),
        isbn=_text(meta, "isbn") or _text(meta, "ISBN"),
        doi=_text(meta, "doi"),
        updated=element.get("ingest-date"),
        editors=_people(meta, "editor"),
        names=names,
    )


def _year(text: str | None, collection: str) -> int | None:
    """Give the year of a volume; a collection's name has it too, `2020.acl` and `P18`."""
    found = _YEAR.search(text or "") or _YEAR.match(collection)
    if found:
        return int(found[0])
    old = _OLD_YEAR.match(collection)
    return None if old is None else int(old[1]) + (1900 if int(old[1]) >= _FIRST_YEAR else 2000)


def _whole(volume: _Volume) -> Record:
    """Give the record of a volume itself."""
    return Record(
        title=volume.title or "",
        year=volume.year,
        venue=volume.journal or volume.publisher,
        volume=volume.volume,
        issue=volume.issue,
        publisher=volume.publisher,
        type="book",
        doi=volume.doi,
        isbn=volume.isbn,
        url=f"https://aclanthology.org/volumes/{volume.id}",
        src="acl",
        id=volume.id,
        titles=volume.names[1:3],
        editors=volume.editors,
        updated=volume.updated,
    )


def _paper(paper: Element, computed_id: str, volume: _Volume, has_contents: bool) -> Record:
    link = _text(paper, "url")
    known = link if link and _ID.fullmatch(link) else computed_id
    dates = [paper.get("ingest-date"), volume.updated, *(mark.get("date") for mark in paper if mark.get("date"))]
    return Record(
        title=_title(paper.find("title")) or "",
        authors=_people(paper, "author"),
        year=_year(_text(paper, "year"), "") or volume.year,
        venue=volume.journal or _text(paper, "journal") or volume.title,
        volume=_text(paper, "volume") or volume.volume,
        issue=_text(paper, "issue") or volume.issue,
        pages=_text(paper, "pages"),
        publisher=volume.publisher,
        type="article-journal" if volume.journal else "paper-conference",
        doi=_text(paper, "doi"),
        url=f"https://aclanthology.org/{known}",
        src="acl",
        id=known,
        notices=tuple(_notices(paper)),
        editors=_people(paper, "editor"),
        updated=max((date for date in dates if date), default=None),
        contents=volume.id if has_contents else None,
    )


def _notices(paper: Element) -> Iterator[RecordNotice]:
    """Give what happened to a paper; a `<revision>` is a new file of the same work, and no notice."""
    for tag, kind in _NOTICES.items():
        for mark in paper.iterchildren(tag):
            date = _YEAR.match(mark.get("date") or "")
            yield RecordNotice(kind, year=int(date[0]) if date else None)


def _people(element: Element | None, role: str) -> tuple[Name, ...]:
    """Give names; those in a second script (`<variant>`) and affiliations are left out."""
    if element is None:
        return ()
    names = ((_text(one, "last"), _text(one, "first")) for one in element.iterchildren(role))
    return tuple(Name(family.partition(", ")[0], given) for family, given in names if family)


def _text(element: Element | None, tag: str) -> str | None:
    found = None if element is None else text_of(element.find(tag))
    return " ".join(found.split()) if found else None


def _title(element: Element | None) -> str | None:
    """Give a title as text; formulas (`<tex-math>`) are LaTeX."""
    if element is None:
        return None
    for formula in element.iter("tex-math"):
        formula.text = to_text(f"${formula.text or ''}$")
    text = text_of(element)
    return " ".join(text.split()) if text else None
