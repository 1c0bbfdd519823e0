"""Build a reference from the fields of one BibTeX or BibLaTeX entry."""

from __future__ import annotations

import re
from collections.abc import Mapping

from citeaudit import identifiers as ids
from citeaudit.extract.fields.text import is_acknowledged
from citeaudit.model.reference import Identifiers, Locus, Reference, WorkType
from citeaudit.text.latex import to_text
from citeaudit.text.names import parse_bibtex_people

#: Entry types of BibTeX (btxdoc) and BibLaTeX (manual, 2.1) by what they denote.
TYPES: dict[str, WorkType] = {
    "article": WorkType.ARTICLE_JOURNAL,
    "book": WorkType.BOOK,
    "mvbook": WorkType.BOOK,
    "booklet": WorkType.BOOK,
    "collection": WorkType.BOOK,
    "proceedings": WorkType.BOOK,
    "inproceedings": WorkType.PAPER_CONFERENCE,
    "conference": WorkType.PAPER_CONFERENCE,
    "incollection": WorkType.CHAPTER,
    "inbook": WorkType.CHAPTER,
    "bookinbook": WorkType.CHAPTER,
    "inreference": WorkType.REFERENCE_ENTRY,
    "phdthesis": WorkType.THESIS,
    "mastersthesis": WorkType.THESIS,
    "thesis": WorkType.THESIS,
    "techreport": WorkType.REPORT,
    "report": WorkType.REPORT,
    "manual": WorkType.REPORT,
    "standard": WorkType.STANDARD,
    "software": WorkType.SOFTWARE,
    "dataset": WorkType.DATASET,
    "data": WorkType.DATASET,
    "online": WorkType.WEBPAGE,
    "electronic": WorkType.WEBPAGE,
    "www": WorkType.WEBPAGE,
    "webpage": WorkType.WEBPAGE,
    "patent": WorkType.PATENT,
    "legal": WorkType.LEGAL_CASE,
    "jurisdiction": WorkType.LEGAL_CASE,
    "letter": WorkType.PERSONAL_COMMUNICATION,
    "preprint": WorkType.PREPRINT,
}
_PREPRINT = re.compile(r"\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|ssrn|preprints?)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[4-9]|20)\d\d(?!\d)")
#: Hosts whose pages are papers: an entry with such an address alone is no web page.
_PAPER_HOST = re.compile(
    r"https?://(?:[\w.-]+\.)?(?:arxiv\.org|openreview\.net|aclanthology\.org|aclweb\.org|neurips\.cc|nips\.cc|mlr\.press|thecvf\.com|ieee\.org|"
    r"acm\.org|springer\.com|sciencedirect\.com|wiley\.com|nature\.com|biorxiv\.org|medrxiv\.org|doi\.org|jstor\.org|semanticscholar\.org|jmlr\.org|"
    r"usenix\.org|aaai\.org|ijcai\.org|ncbi\.nlm\.nih\.gov|ssrn\.com|hal\.science)/",
    re.IGNORECASE,
)
_CODE_HOST = re.compile(
    r"https?://(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|pypi\.org|cran\.r-project\.org)/", re.IGNORECASE
)
_NO_BRACES = str.maketrans("", "", "{}")
_SHORTEST = 6  # "PMC123" is the shortest identifier
_ID_FIELDS = (
    "doi",
    "url",
    "eprint",
    "note",
    "howpublished",
    "journal",
    "journaltitle",
    "volume",
    "number",
    "pages",
    "annote",
    "addendum",
)


class _Entry:
    """Fields by lower-case name, read as text."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._fields = {name.strip().lower(): value for name, value in fields.items() if value and value.strip()}

    def latex(self, *names: str) -> str:
        """Give the source of the first of these fields that is there, or nothing."""
        return next((self._fields[name] for name in names if name in self._fields), "")

    def text(self, *names: str) -> str | None:
        """Give the readable text of the first of these fields that is there and not empty."""
        for name in names:
            value = to_text(self._fields.get(name, ""))
            if value:
                return value
        return None


def _year(entry: _Entry) -> int | None:
    for name in ("year", "date", "issued", "eventdate"):
        match = _YEAR.search(entry.text(name) or "")
        if match is not None:
            return int(match.group())
    return None


def _title(entry: _Entry) -> str | None:
    title, subtitle = entry.text("title"), entry.text("subtitle")
    if title and subtitle and subtitle.lower() not in title.lower():
        return f"{title} {subtitle}" if title[-1] in ":?!.–—" else f"{title}: {subtitle}"
    return title or entry.text("booktitle", "maintitle") or subtitle


def _verbatim(latex: str) -> str:
    """Give a field that holds an identifier or address, with LaTeX escapes undone but dashes and tildes kept."""
    if "\\" not in latex:
        return latex[:4_000].translate(_NO_BRACES).strip()
    text = re.sub(r"\\url\s*\{([^{}]*)\}", r" \1 ", latex[:4_000])
    text = re.sub(r"\\href\s*\{([^{}]*)\}\s*\{[^{}]*\}", r" \1 ", text)
    text = re.sub(r"\{?\\(?:textasciitilde|~|sim)\b\s*(?:\{\s*\})?\}?", "~", text)
    text = re.sub(r"\\([_%#&$~{}])", r"\1", text)
    return re.sub(r"[{}]", "", re.sub(r"\\[A-Za-z]+\s?", " ", text)).strip()


def _eprint(entry: _Entry) -> tuple[str | None, str | None]:
    """Give the arXiv id and the PubMed id that `eprint` and its type name."""
    eprint = _verbatim(entry.latex("eprint", "arxiv", "arxivid"))
    kind = (entry.text("archiveprefix", "eprinttype") or "").lower()
    if kind in {"pubmed", "pmid"}:
        return None, ids.clean_pmid(eprint)
    if kind in {"", "arxiv"}:
        primary = entry.text("primaryclass") or ""
        old = re.fullmatch(r"\d{7}(v\d+)?", eprint)
        return ids.clean_arxiv_id(f"{primary}/{eprint}" if old and primary else eprint), None
    return None, None


def _identifiers(entry: _Entry) -> Identifiers:
    """Collect identifiers from their own fields, then from addresses and notes."""
    loose = [text for name in _ID_FIELDS if len(text := _verbatim(entry.latex(name))) > _SHORTEST]
    arxiv_id, pmid = _eprint(entry)
    doi = ids.clean_doi(_verbatim(entry.latex("doi"))) or next(filter(None, map(ids.find_doi, loose)), None)
    if arxiv_id is None:
        arxiv_id = ids.doi_arxiv_id(doi) or next(filter(None, map(ids.find_arxiv_id, loose)), None)
    url = ids.clean_url(_verbatim(entry.latex("url", "link")))
    if url is None:
        found = next(
            filter(None, (ids.locate_url(_verbatim(entry.latex(name))) for name in ("url", "howpublished", "note"))),
            None,
        )
        url = found.value if found else None
    pmcid = ids.clean_pmcid(_verbatim(entry.latex("pmcid"))) or next(
        (f.value for text in loose if (f := ids.locate_pmcid(text))), None
    )
    pmid = (
        pmid
        or ids.clean_pmid(_verbatim(entry.latex("pmid")))
        or next((f.value for text in loose if (f := ids.locate_pmid(text))), None)
    )
    return Identifiers(
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=pmid,
        pmcid=pmcid,
        isbn=next(filter(None, map(ids.clean_isbn, re.split(r"[,;/]|\s(?=97[89])", entry.text("isbn") or ""))), None),
        issn=next(filter(None, map(ids.clean_issn, re.split(r"[,;/\s]+", entry.text("issn") or ""))), None),
        url=url,
    )


def _type(entry_type: str, entry: _Entry, container: str | None, found: Identifiers) -> WorkType:
    """Give what the entry denotes; @misc, @unpublished and preprints in @article go by their fields."""
    kind = TYPES.get(entry_type.strip().lstrip("@").lower(), WorkType.UNKNOWN)
    preprint = bool(container and _PREPRINT.search(container))
    if kind is WorkType.ARTICLE_JOURNAL:
        return WorkType.PREPRINT if preprint or (container is None and found.arxiv_id) else kind
    if kind is WorkType.WEBPAGE and (found.arxiv_id or found.doi):
        return WorkType.PREPRINT if found.arxiv_id else WorkType.UNKNOWN
    if kind is not WorkType.UNKNOWN:
        return kind
    if preprint or found.arxiv_id or _PREPRINT.search(entry.text("publisher", "howpublished") or ""):
        return WorkType.PREPRINT
    if container or found.doi or found.pmid or found.isbn:
        return WorkType.UNKNOWN
    if found.url is None:
        return WorkType.UNKNOWN
    if _CODE_HOST.match(found.url):
        return WorkType.SOFTWARE
    return WorkType.UNKNOWN if _PAPER_HOST.match(found.url) else WorkType.WEBPAGE


def _container(entry: _Entry, title: str | None) -> str | None:
    name = entry.text("journal", "journaltitle", "booktitle", "maintitle")
    if name is None:
        published = entry.text("howpublished") or ""
        name = published if _PREPRINT.search(published) and "://" not in published else None
    return None if name == title else name


def _pages(entry: _Entry) -> str | None:
    pages = entry.text("pages", "page", "articleno", "eid")
    return re.sub(r"\s*[-–—‐−]+\s*", "-", pages).strip(" -") or None if pages else None


def _source(entry_type: str, fields: Mapping[str, str]) -> str:
    """Write the fields as an entry, for want of its source."""
    body = "".join(f",\n  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{entry_type or 'misc'}{{{body.lstrip(',')}\n}}"


def reference_from_fields(
    entry_type: str, fields: Mapping[str, str], *, raw: str = "", locus: Locus | None = None
) -> Reference:
    """Build a reference from typed fields; never raises for their content.

    Args:
        entry_type: `article`, `inproceedings`, …, any case, with or without `@`.
        fields: LaTeX source by field name, without the enclosing braces or quotes; names in any case.
        raw: Source of the entry; written from the fields where it is empty.
        locus: Where it stands.

    Returns:
        The reference with `parse_score` 1, or 0.3 where neither title nor authors nor an identifier is there.
    """
    entry = _Entry(fields)
    title = _title(entry)
    container = _container(entry, title)
    found = _identifiers(entry)
    authors, truncated = parse_bibtex_people(entry.latex("author", "authors"))
    editors, _ = parse_bibtex_people(entry.latex("editor", "editors"))
    kind = _type(entry_type, entry, container, found)
    notes = " ".join(entry.text(name) or "" for name in ("note", "howpublished", "pubstate", "addendum", "annote"))
    known = bool(title or authors or found.pairs())
    return Reference(
        raw=raw.strip() or _source(entry_type, fields),
        type=kind,
        title=title,
        authors=authors,
        authors_truncated=truncated,
        editors=editors,
        year=_year(entry),
        container_title=container,
        volume=entry.text("volume"),
        issue=entry.text("number", "issue") if kind is not WorkType.REPORT else None,
        pages=_pages(entry),
        publisher=entry.text("publisher", "school", "institution", "organization"),
        identifiers=found,
        locus=locus or Locus(),
        acknowledged=is_acknowledged(title or "", notes),
        parse_score=1.0 if known else 0.3,
    )
