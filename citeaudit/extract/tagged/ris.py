"""Read RIS, in the dialects of Reference Manager, EndNote, Zotero, Mendeley and the databases.

Tags: RIS Format Specifications (Reference Manager 11) and the exports of EndNote 20 and Zotero 6; where they disagree,
the kind of work decides (`T2` is the journal of an article and the book of a chapter).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from citeaudit.extract.decode import Decoded, peek, read_document
from citeaudit.extract.tagged.lines import Dialect, Entry, entries, share, unclosed
from citeaudit.extract.tagged.outcome import BREAKS_OFF, broken, outcome
from citeaudit.extract.tagged.record import Record, pages, work_type
from citeaudit.model.reference import Extraction, FailedBlock, Locus, Reference, WorkType

_TAG = re.compile(r"[ \t\ufeff]{0,4}(?P<tag>[A-Z][A-Z0-9])[ \t]{0,4}-(?P<value>(?:[ \t].*)?)$")
_DIALECT = Dialect(tag=_TAG, opens=frozenset({"TY"}), closes=frozenset({"ER"}))
_CLAIM = re.compile(r"^[ \t\ufeff]{0,4}TY[ \t]{1,4}-[ \t]{0,3}[A-Z]{3,8}[ \t]*$", re.MULTILINE)
_CHAPTERS = frozenset({WorkType.CHAPTER, WorkType.PAPER_CONFERENCE, WorkType.REFERENCE_ENTRY})
_OWN_CONTAINER = frozenset({WorkType.BOOK, WorkType.THESIS, WorkType.REPORT, WorkType.WEBPAGE, WorkType.SOFTWARE})
"""Works that stand for themselves: their `T2` is a series, a department or a site."""
_TAGGED = 0.4
"""Share of lines with a tag from which a text is RIS; long abstracts and notes have lines without."""
_SHORT_NOTE = 200
"""Characters up to which a note may hold an identifier; abstracts name those of other works."""
MAX_PEOPLE = 10_000
"""Names in one tag that are read."""
_LEAST = 2
"""Tags that make an entry without `TY` one."""


_WOS = re.compile(r"\A\s*FN [^\n]{0,200}\nVR [^\n]{0,20}\n", re.IGNORECASE)
_WOS_TAG = re.compile(r"(?P<tag>[A-Z][A-Z0-9])(?: (?P<value>.*))?$")
_WOS_TAGS = {
    "AF": "AU", "BF": "ED", "BE": "ED", "TI": "TI", "SO": "T2", "PY": "PY", "VL": "VL", "IS": "IS", "BP": "SP",
    "EP": "EP", "AR": "C7", "DI": "DO", "PU": "PB", "SN": "SN", "BN": "SN", "UT": "ID",
}  # fmt: skip
"""Tags of Web of Science ("Web of Science Core Collection Field Tags") by those of RIS."""
_WOS_TYPES = {"J": "JOUR", "B": "BOOK", "S": "CHAP", "C": "CONF", "P": "PAT"}
_WOS_LISTS = frozenset({"AF", "AU", "BE", "BF"})
"""Tags that hold one name a line."""


class RisExtractor:
    """Reads RIS files, and the plain text of Web of Science, which is a close kin."""

    name = "ris"
    suffixes = (".ris",)

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell RIS by its first tag, `TY  - `, on a line of its own."""
        del path
        text = peek(head)
        return bool(_WOS.match(text)) or (bool(_CLAIM.search(text)) and share(text, _TAG) >= _TAGGED)

    def read(self, path: Path) -> Extraction:
        """Read the entries of a RIS file.

        Never raises for one bad entry; see `Extraction.failed`.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds no entry.
        """
        return read_ris(read_document(path), str(path))


def read_ris(decoded: Decoded, path: str) -> Extraction:
    """Read RIS from text; errors are those of `RisExtractor.read`."""
    references: list[Reference] = []
    failed: list[FailedBlock] = []
    science = _WOS.match(decoded.text) is not None
    found = list(_of_science(decoded.text) if science else entries(decoded.text, _DIALECT))
    cut = _cut(found, decoded.text)
    for entry in found:
        if cut and entry is found[-1]:
            failed.append(broken(entry.raw, BREAKS_OFF, path, entry.line))
            continue
        if entry.first("TY") is None and len(entry.tags) < _LEAST:
            failed.append(broken(entry.raw, "a tag outside any entry (no TY before it)", path, entry.line))
            continue
        if len(entry.tags) == 1:
            failed.append(broken(entry.raw, "the entry holds nothing but its type", path, entry.line))
            continue
        references.append(_reference(entry, path))
    open_ends = unclosed(found) - cut
    notes = [decoded.note]
    if open_ends:
        notes.append(f"entries without their end (ER), read up to the next: {open_ends}; the last may be cut short")
    if found and not science and share(decoded.text, _TAG) < _TAGGED:
        notes.append("most lines carry no tag; check that the whole list was read")
    return outcome(path, RisExtractor.name, references, failed=failed, notes=notes)


def _cut(found: Sequence[Entry], text: str) -> bool:
    """Whether the file breaks off inside its last entry: it alone has no end, nor has its last line."""
    return len(found) > 1 and not found[-1].closed and unclosed(found) == 1 and not text.endswith("\n")


def _of_science(text: str) -> Iterator[Entry]:
    """Give the entries of a Web of Science export with the tags of RIS."""
    entry, last = Entry(0), ""
    for number, line in enumerate(text.split("\n"), start=1):
        match = _WOS_TAG.match(line)
        tag = match["tag"] if match else ""
        if tag in {"PT", "ER", "EF"}:
            entry.closed = tag == "ER"
            if entry.line:
                yield _chosen_names(entry)
            entry, last = Entry(number if tag == "PT" else 0), tag
        if not entry.line:
            continue
        entry.source.append(line)
        if match is not None:
            last, value = tag, (match["value"] or "").strip()
            entry.tags.append(("TY", _WOS_TYPES.get(value, "GEN")) if tag == "PT" else (_WOS_TAGS.get(tag, tag), value))
        elif line.startswith("   ") and entry.tags:
            name, value = entry.tags[-1]
            if last in _WOS_LISTS:
                entry.tags.append((name, line.strip()))
            else:
                entry.tags[-1] = (name, f"{value} {line.strip()}"[:20_000])
    if entry.line:
        yield _chosen_names(entry)


def _chosen_names(entry: Entry) -> Entry:
    """Keep the full names where an entry gives its authors both in short (AU) and in full (AF)."""
    places = [place for place, line in enumerate(entry.source) if line.startswith("AF ")]
    if places:
        short = next((place for place, line in enumerate(entry.source) if line.startswith("AU ")), None)
        count = 0
        if short is not None:
            count = 1
            while short + count < len(entry.source) and entry.source[short + count].startswith("   "):
                count += 1
        names = [tag for tag in entry.tags if tag[0] == "AU"]
        kept = names[count:] if short is not None and short < places[0] else names[: len(names) - count]
        entry.tags = [tag for tag in entry.tags if tag[0] != "AU"] + kept
    return entry


def _reference(entry: Entry, path: str) -> Reference:
    kind = work_type("ris", entry.first("TY"))
    record = Record(
        type=kind,
        date=_date(entry),
        status="in press" if entry.first("TY") == "INPR" else None,
        original_date=entry.first("OP"),
        volume=entry.first("VL"),
        issue=entry.first("IS", "CP") if kind is not WorkType.REPORT else None,
        pages=pages(entry.first("SP"), entry.first("EP")) or entry.first("C7", "AR"),
        publisher=entry.first("PB"),
        notes=entry.all("N1", "RN", "NO", "C1"),
    )
    _titles(entry, kind, record)
    for name in entry.all("AU", "A1"):
        _add(record, name)
    for name in entry.all("ED", *(("A2",) if kind in _CHAPTERS | {WorkType.BOOK} else ()), "A3"):
        _add(record, name, editor=True)
    record.ids = _identifiers(entry)
    key = entry.first("ID", "LB")
    label = entry.first("RF")
    return record.reference(
        entry.raw, Locus(path=path, line=entry.line, citekey=key if key and " " not in key else None, label=label)
    )


def _add(record: Record, names: str, *, editor: bool = False) -> None:
    for name in names.split(";", MAX_PEOPLE)[:MAX_PEOPLE]:
        record.add_person(name, editor=editor)


def _date(entry: Entry) -> str | None:
    """Give the year's tag; `2010/05//` and `2010///spring` are dates of RIS."""
    for name in ("PY", "Y1", "DA", "Y2"):
        value = entry.first(name)
        if value and name != "Y2":
            return value
    return None


def _titles(entry: Entry, kind: WorkType, record: Record) -> None:
    record.title = entry.first("TI", "T1", "CT")
    if kind in _OWN_CONTAINER:
        record.title = record.title or entry.first("BT", "T2")
        return
    journal = (
        ("JO", "JF", "T2", "JA", "J2", "J1", "BT") if kind not in _CHAPTERS else ("BT", "T2", "C3", "JO", "JF", "T3")
    )
    full = entry.first("JF")
    record.container = full if full and kind not in _CHAPTERS else entry.first(*journal)
    if record.title is None and kind in _CHAPTERS:
        record.title, record.container = record.container, None


def _identifiers(entry: Entry) -> list[tuple[str, str]]:
    pairs = [("doi", value) for value in entry.all("DO", "DI")]
    pairs += [("any", value) for value in entry.all("M3", "L3") if "10." in value]
    for value in entry.all("SN"):
        pairs += [("issn", value), ("isbn", value)]
    for value in entry.all("AN", "C2", "C6"):
        if value.upper().startswith("PMC"):
            pairs.append(("pmcid", value))
        elif value.upper().startswith("PMID") or (value.isdigit() and _is_pubmed(entry)):
            pairs.append(("pmid", value))
    pairs += [
        ("url", value) for value in entry.all("UR", "LK", "L2", "L1") if "://" in value or value.startswith("www.")
    ]
    return pairs + [("any", value) for value in entry.all("N1", "M1") if len(value) < _SHORT_NOTE]


def _is_pubmed(entry: Entry) -> bool:
    """Whether the accession number is PubMed's, as its database tag or address says."""
    told = " ".join(entry.all("DB", "DP", "UR", "L2")).lower()
    return "pubmed" in told or "medline" in told or "nlm" in told.split()
