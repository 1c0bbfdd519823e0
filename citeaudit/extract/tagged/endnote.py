"""Read EndNote's two exports: the tagged one of `%0` to `%Z` (.enw, also called refer) and the XML one.

Tags: EndNote 20, "EndNote Import"; the XML has no published schema, its elements are those EndNote 8 to 21 write.
"""

from __future__ import annotations

import re
from pathlib import Path

from citeaudit.extract.decode import Decoded, peek, read_document
from citeaudit.extract.tagged.lines import Dialect, Entry, entries
from citeaudit.extract.tagged.outcome import broken, lost, outcome
from citeaudit.extract.tagged.record import Record, work_type
from citeaudit.extract.tagged.xml import Element, read_xml
from citeaudit.model.reference import Extraction, FailedBlock, Locus, Reference, WorkType

_TAG = re.compile(r"[ \t\ufeff]{0,2}%(?P<tag>[0-9A-Z!@#$&*+^><()~?|\[\]=])[ \t]+(?P<value>.*)$")
_DIALECT = Dialect(tag=_TAG, opens=frozenset({"0", "A", "T"}), surest="0")
_CLAIM = re.compile(r"\A\s*%(?:0[ \t]+[A-Z][A-Za-z]+|[AT][ \t]+\S[^\n]*\n%[0-9A-Z!@][ \t])")
_XML = re.compile(r"<records>\s*<record>|<record>\s*<(?:database|source-app|rec-number|ref-type)\b")
_CHAPTERS = frozenset({WorkType.CHAPTER, WorkType.PAPER_CONFERENCE, WorkType.REFERENCE_ENTRY})
_ALONE = frozenset({WorkType.BOOK, WorkType.THESIS, WorkType.REPORT, WorkType.WEBPAGE, WorkType.SOFTWARE})


class EndnoteExtractor:
    """Reads EndNote's tagged export."""

    name = "endnote"
    suffixes = (".enw", ".refer")

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell it by its first line, `%0 Journal Article`."""
        del path
        return bool(_CLAIM.match(peek(head)))

    def read(self, path: Path) -> Extraction:
        """Read the entries; never raises for one bad entry.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds no entry.
        """
        return read_endnote(read_document(path), str(path))


def read_endnote(decoded: Decoded, path: str) -> Extraction:
    """Read tagged entries from text; errors are those of `EndnoteExtractor.read`."""
    references: list[Reference] = []
    failed: list[FailedBlock] = []
    for entry in entries(decoded.text, _DIALECT):
        if len(entry.tags) == 1 and entry.tags[0][0] == "0":
            failed.append(broken(entry.raw, "the entry holds nothing but its type", path, entry.line))
        else:
            references.append(_reference(entry, path))
    return outcome(path, EndnoteExtractor.name, references, failed=failed, notes=[decoded.note])


def _reference(entry: Entry, path: str) -> Reference:
    kind = work_type("endnote", entry.first("0"))
    title = entry.first("T", "!")
    container = entry.first("J") or entry.first("B")
    if kind in _ALONE:
        title, container = title or container, None
    record = Record(
        type=kind,
        title=title,
        date=entry.first("D", "8"),
        container=container,
        volume=entry.first("V"),
        issue=entry.first("N"),
        pages=entry.first("P"),
        publisher=entry.first("I"),
        notes=entry.all("Z", "O"),
    )
    for name in entry.all("A"):
        record.add_person(name)
    for name in entry.all("E", *(("Y",) if kind in _CHAPTERS else ())):
        record.add_person(name, editor=True)
    record.ids = [("doi", value) for value in entry.all("R")] + [("any", value) for value in entry.all("R")]
    record.ids += [pair for value in entry.all("@") for pair in (("issn", value), ("isbn", value))]
    record.ids += [("any", value) for value in entry.all("M") if not value.isdigit()]
    record.ids += [("url", value) for value in entry.all("U")]
    record.ids += [("pmcid", value) for value in entry.all("2") if value.upper().startswith("PMC")]
    return record.reference(entry.raw, Locus(path=path, line=entry.line, citekey=entry.first("F")))


class EndnoteXmlExtractor:
    """Reads EndNote's XML export, with the runs of styled text in its fields."""

    name = "endnote-xml"
    suffixes: tuple[str, ...] = ()

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell it by `<records><record>` with EndNote's elements."""
        del path
        return bool(_XML.search(peek(head)))

    def read(self, path: Path) -> Extraction:
        """Read the records; a file cut short is read up to there, and says so.

        Raises:
            UnreadableDocumentError: Missing, empty, too large, not XML, or with entities of its own.
            NoReferencesError: It holds no record.
        """
        parsed = read_xml(path)
        references: list[Reference] = []
        records = list(parsed.root.iter("record"))
        failed = lost(parsed.root, records, frozenset({"records"}), str(path))
        for record in records:
            if record.cut:
                continue
            if not record.text().strip():
                failed.append(broken("", "the record is empty", str(path), record.line))
                continue
            references.append(endnote_reference(record, str(path)))
        return outcome(str(path), self.name, references, failed=failed, notes=parsed.notes)


def _texts(record: Element, *steps: str) -> list[str]:
    found = [record]
    for step in steps:
        found = [child for one in found for child in one.children(step)]
    return [value for one in found if (value := one.text().strip())]


def _first(record: Element, *paths: str) -> str | None:
    for path in paths:
        found = _texts(record, *path.split("/"))
        if found:
            return found[0]
    return None


def endnote_reference(record: Element, path: str) -> Reference:
    """Read a `record` of EndNote's XML: of its export, or inside a citation of a Word document."""
    types = list(record.children("ref-type"))
    kind = work_type("endnote", types[0].get("name")) if types else WorkType.UNKNOWN
    title = _first(record, "titles/title")
    container = _first(record, "periodical/full-title", "titles/secondary-title", "titles/alt-title")
    if kind in _ALONE:
        title, container = title or container, None
    elif kind in _CHAPTERS:
        container = _first(record, "titles/secondary-title", "periodical/full-title", "titles/alt-title")
    one = Record(
        type=kind,
        title=title,
        date=_first(record, "dates/year", "dates/pub-dates/date"),
        container=container,
        volume=_first(record, "volume"),
        issue=_first(record, "number", "issue"),
        pages=_first(record, "pages", "electronic-article-number"),
        publisher=_first(record, "publisher"),
        notes=_texts(record, "notes"),
    )
    for name in _texts(record, "contributors", "authors", "author"):
        one.add_person(name)
    if kind in _CHAPTERS | {WorkType.BOOK}:
        for name in _texts(record, "contributors", "secondary-authors", "author"):
            one.add_person(name, editor=True)
    numbers = _texts(record, "electronic-resource-num")
    one.ids = [(scheme, value) for value in numbers for scheme in ("doi", "any")]
    one.ids += [pair for value in _texts(record, "isbn") for pair in (("issn", value), ("isbn", value))]
    provider = " ".join(_texts(record, "remote-database-name") + _texts(record, "remote-database-provider")).lower()
    if "medline" in provider or "pubmed" in provider or "nlm" in provider:
        one.ids += [("pmid", value) for value in _texts(record, "accession-num")]
    one.ids += [("pmcid", value) for value in _texts(record, "custom2") if value.upper().startswith("PMC")]
    one.ids += [
        ("url", value) for kind_ in ("related-urls", "web-urls") for value in _texts(record, "urls", kind_, "url")
    ]
    key = _first(record, "label")
    return one.reference(record.text(" "), Locus(path=path, line=record.line, citekey=key))
