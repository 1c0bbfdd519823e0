"""Read bare lists of identifiers: a DOI, arXiv id, PubMed id, ISBN or address a line, as people paste them."""

from __future__ import annotations

import re
from pathlib import Path

from citeaudit import identifiers as ids
from citeaudit.errors import NoReferencesError
from citeaudit.extract.decode import Decoded, peek, read_document
from citeaudit.extract.tagged.outcome import MAX_BROKEN, broken, outcome
from citeaudit.model.reference import Extraction, FailedBlock, Identifiers, Locus, Reference, WorkType

_LEAD = re.compile(r"\s{0,12}(?:[-*+•]\s{1,4}|\[?\d{1,4}[\].)]\s{1,4})?")
_NAMED = re.compile(
    r"(?:pmid|pubmed(?:\s?id)?)\s{0,3}[:#]?\s{0,3}(?P<pmid>\d{1,8})|"
    r"(?P<pmcid>PMC\s?\d{3,9})|isbn[\s:-]{0,4}(?P<isbn>[\dXx -]{10,17})",
    re.IGNORECASE,
)
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi\s?:?\s?)?10\.\d", re.IGNORECASE)
_PMID = re.compile(r"[1-9]\d{5,7}")
"""Bare numbers of six to eight digits; shorter ones may be anything."""
_LONGEST = 2_100
_SEPARATED = re.compile(r"[\s;]+|,\s+")
_COMMENT = re.compile(r"\s*(?:#|//|%)")
_STRAY = 0.1
"""Share of other lines up to which a list is still one of identifiers."""


class IdentifierExtractor:
    """Reads lists of identifiers, which any text file or standard input may hold."""

    name = "identifiers"
    suffixes = (".ids", ".doi")

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Tell them by every line being an identifier, the last one aside, which may be cut."""
        del path
        if b"\0" in head:
            return False
        lines = [line for line in peek(head).split("\n") if line.strip() and not _COMMENT.match(line)]
        whole = lines[:-1] if len(head) >= 4_000 else lines  # noqa: PLR2004 - the head may cut the last line
        read = [_line(line) for line in whole]
        return bool(read) and sum(not found for found in read) <= _STRAY * len(read)

    def read(self, path: Path) -> Extraction:
        """Read the list; lines that are no identifier come as failed.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds no identifier.
        """
        return read_identifiers(read_document(path), str(path))


def read_identifiers(decoded: Decoded, path: str) -> Extraction:
    """Read a list from text; errors are those of `IdentifierExtractor.read`."""
    references: list[Reference] = []
    failed: list[FailedBlock] = []
    notes = [decoded.note]
    for number, line in enumerate(decoded.text.split("\n"), start=1):
        if len(failed) >= MAX_BROKEN:
            notes.append(f"{MAX_BROKEN:,} lines are no identifiers; what follows was not read")
            break
        if not line.strip() or _COMMENT.match(line):
            continue
        found = _line(line)
        if not found:
            failed.append(broken(line, "the line is no identifier", path, number))
        for raw, one in found:
            kind = WorkType.PREPRINT if one.arxiv_id and not one.pmid else WorkType.UNKNOWN
            references.append(Reference(raw=raw, type=kind, identifiers=one, locus=Locus(path=path, line=number)))
    if not references:
        raise NoReferencesError("holds no identifier; paste one DOI, arXiv id, PubMed id or address a line", path=path)
    return outcome(path, IdentifierExtractor.name, references, failed=failed, notes=notes)


def _line(line: str) -> list[tuple[str, Identifiers]]:
    """Give the identifiers of a line, each with its text; empty where anything else stands there."""
    lead = _LEAD.match(line)
    text = line[lead.end() if lead else 0 :].strip().strip(",;")
    if not text or len(text) > _LONGEST:
        return []
    one = _identifier(text)
    if one is not None:
        return [(text, one)]
    parts = [part for part in _SEPARATED.split(text) if part]
    several = [(part, found) for part in parts if (found := _identifier(part)) is not None]
    return several if len(parts) > 1 and len(several) == len(parts) else []


def _identifier(text: str) -> Identifiers | None:
    """Read one identifier that fills its text."""
    named = _NAMED.fullmatch(text)
    if named is not None:
        found = {
            "pmid": ids.clean_pmid(named["pmid"]),
            "pmcid": ids.clean_pmcid(named["pmcid"]),
            "isbn": ids.clean_isbn(named["isbn"]),
        }
        return Identifiers(**found) if any(found.values()) else None
    if _PMID.fullmatch(text):
        return Identifiers(pmid=text)
    if " " in re.sub(r"^(?:doi|arxiv)\s?:?\s?", "", text, flags=re.IGNORECASE):
        return None
    doi = ids.clean_doi(text) if _DOI.match(text) else None
    arxiv = ids.doi_arxiv_id(doi) or ids.clean_arxiv_id(text)
    if doi or arxiv:
        return Identifiers(doi=doi, arxiv_id=arxiv)
    url = ids.clean_url(text)
    if url is None:
        return _isbn(text)
    return Identifiers(url=url, pmid=ids.clean_pmid(url), pmcid=ids.clean_pmcid(url), doi=ids.find_doi(url))


def _isbn(text: str) -> Identifiers | None:
    """Read an ISBN without its name; the check digit must be right."""
    isbn = ids.clean_isbn(text) if len(text) >= 10 else None  # noqa: PLR2004 - the shorter form
    return Identifiers(isbn=isbn) if isbn else None
