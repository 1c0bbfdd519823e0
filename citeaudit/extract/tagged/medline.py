"""Read MEDLINE records as PubMed saves them (.nbib).

Tags: https://www.nlm.nih.gov/bsd/mms/medlineelements.html.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from citeaudit.extract.decode import Decoded, peek, read_document
from citeaudit.extract.tagged.lines import Dialect, Entry, entries
from citeaudit.extract.tagged.outcome import BREAKS_OFF, broken, outcome
from citeaudit.extract.tagged.record import Record, is_others, work_type
from citeaudit.model.reference import Extraction, FailedBlock, Locus, Person, Reference, WorkType
from citeaudit.text.names import is_initials

_TAG = re.compile(r"(?P<tag>[A-Z]{2,4})[ ]{0,3}-(?P<value>(?:[ \t].*)?)$")
_DIALECT = Dialect(tag=_TAG, opens=frozenset({"PMID", "OWN", "STAT", "TI", "FAU"}), surest="PMID")
_CLAIM = re.compile(r"(?:^|\n)PMID[ ]{0,2}- ?\d{1,9}\s*\n(?=[A-Z]{2,4}[ ]{0,3}- )")
_PAIRED = {"FAU": "AU", "FED": "ED"}
_LEAST = 2


class NbibExtractor:
    """Reads MEDLINE records."""

    name = "nbib"
    suffixes = (".nbib", ".medline")

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell MEDLINE by `PMID- ` and a number, with another tag on the next line."""
        del path
        return bool(_CLAIM.search(peek(head)))

    def read(self, path: Path) -> Extraction:
        """Read the records of a MEDLINE file; never raises for one bad record.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds no record.
        """
        return read_medline(read_document(path), str(path))


def read_medline(decoded: Decoded, path: str) -> Extraction:
    """Read MEDLINE records from text; errors are those of `NbibExtractor.read`."""
    references: list[Reference] = []
    failed: list[FailedBlock] = []
    found = list(entries(decoded.text, _DIALECT))
    cut = _cut(found, decoded.text)
    for entry in found:
        if cut and entry is found[-1]:
            failed.append(broken(entry.raw, BREAKS_OFF, path, entry.line))
        elif len(entry.tags) < _LEAST and entry.first("PMID") is None:
            failed.append(broken(entry.raw, "a tag outside any record", path, entry.line))
        else:
            references.append(_reference(entry, path))
    return outcome(path, NbibExtractor.name, references, failed=failed, notes=[decoded.note])


def _cut(found: Sequence[Entry], text: str) -> bool:
    """Whether the file breaks off: the last record alone is without its source (SO), and the last line without end."""
    without = [entry for entry in found if entry.first("SO") is None]
    return len(found) > 1 and without == [found[-1]] and not text.endswith("\n")


def _reference(entry: Entry, path: str) -> Reference:
    kind = _kind(entry)
    title = entry.first("TI", "CTI", "BTI", "TT")
    record = Record(
        type=kind,
        title=title.rstrip(".") if title and not title.endswith("...") else title,
        date=entry.first("DP", "DEP", "DA"),
        status="ahead of print" if entry.first("PST") == "aheadofprint" and not entry.first("DP") else None,
        container=entry.first("BTI", "CTI") if kind in {WorkType.CHAPTER, WorkType.BOOK} else entry.first("JT", "TA"),
        volume=entry.first("VI", "VID"),
        issue=entry.first("IP"),
        pages=entry.first("PG"),
        publisher=entry.first("PB"),
        notes=entry.all("GN"),
    )
    record.authors, record.truncated = _people(entry, "FAU", group="CN")
    record.editors, _ = _people(entry, "FED")
    record.ids = _identifiers(entry)
    return record.reference(entry.raw, Locus(path=path, line=entry.line))


def _kind(entry: Entry) -> WorkType:
    kinds = [work_type("medline", value) for value in entry.all("PT")]
    known = [kind for kind in kinds if kind is not WorkType.UNKNOWN]
    special = [kind for kind in known if kind is not WorkType.ARTICLE_JOURNAL]
    if entry.first("BTI") and entry.first("TI", "CTI"):
        return WorkType.CHAPTER
    if special and not (entry.first("VI") and special[0] is not WorkType.PREPRINT):
        return special[0]
    if known or entry.first("JT", "TA"):
        return WorkType.ARTICLE_JOURNAL
    return WorkType.BOOK if entry.first("BTI") else WorkType.UNKNOWN


def _people(entry: Entry, full: str, group: str = "") -> tuple[list[Person], bool]:
    """Give names in order; the full form wins over the short one that follows it."""
    short = _PAIRED[full]
    use_full = entry.first(full) is not None
    people: list[Person] = []
    truncated = False
    for tag, value in entry.tags:
        if not value:
            continue
        if tag == group:
            people.append(Person(literal=value))
        elif tag == (full if use_full else short):
            if is_others(value):
                truncated = True
                continue
            people.append(_person(value))
    return people, truncated


def _person(name: str) -> Person:
    """Read `Family, Given Names` or `Family AB`, with a suffix behind."""
    if "," in name:
        parts = [part.strip() for part in name.split(",")]
        suffix = parts[2] if len(parts) > 2 else None  # noqa: PLR2004 - Family, Given, Suffix
        return Person(family=parts[0] or name, given=parts[1] or None, suffix=suffix)
    words = name.split()
    if len(words) > 1 and is_initials(words[-1]):
        return Person(family=" ".join(words[:-1]), given=words[-1])
    if len(words) > 2 and is_initials(words[-2]):  # noqa: PLR2004 - `Smith JA 3rd`
        return Person(family=" ".join(words[:-2]), given=words[-2], suffix=words[-1])
    return Person(literal=name)


def _identifiers(entry: Entry) -> list[tuple[str, str]]:
    pairs = [("pmid", value) for value in entry.all("PMID")]
    pairs += [("pmcid", value) for value in entry.all("PMC", "PMCR") if value.upper().startswith("PMC")]
    for value in entry.all("LID", "AID", "DO", "SO"):
        body, _, kind = value.rpartition(" [")
        if kind.startswith("doi"):
            pairs.append(("doi", body))
        elif "doi:" in value.lower():
            pairs.append(("any", value))
    pairs += [("issn", value.partition(" ")[0]) for value in entry.all("IS")]
    return pairs + [("isbn", value.partition(" (")[0]) for value in entry.all("ISBN")]
