"""Build a reference from the fields of one BibTeX or BibLaTeX entry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files as package_files
from typing import NamedTuple

from citeaudit import identifiers as ids
from citeaudit.extract.fields.text import is_acknowledged
from citeaudit.model.reference import Identifiers, Locus, Reference, WorkType
from citeaudit.text.latex import to_text
from citeaudit.text.names import parse_bibtex_people


def _types() -> dict[str, WorkType]:
    text = package_files("citeaudit.extract.latex").joinpath("entry_types.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {name: WorkType(kind) for name, kind in rows}


#: Entry types by what they denote; the others are told by their fields.
TYPES: dict[str, WorkType] = _types()
#: Kinds whose `number` counts a series, a report or a patent, not an issue.
_NO_ISSUE = frozenset(
    {WorkType.REPORT, WorkType.BOOK, WorkType.CHAPTER, WorkType.THESIS, WorkType.STANDARD, WorkType.PATENT}
    | {WorkType.SOFTWARE, WorkType.DATASET, WorkType.REFERENCE_ENTRY}
)
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
_ID = re.compile(r"10\.\d{4}|arxiv|abs/|pm(?:c|id)|\d{4}\.\d{4}|/\d{7}", re.IGNORECASE)
"""What every identifier in a field of words shows; most fields show none of it."""
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


class _Dated(NamedTuple):
    year: int | None
    suffix: str | None
    original: int | None
    status: str | None


#: biblatex's keys for `pubstate` (manual, 4.9.2.11) and what people write instead of a year.
_STATUS = {
    "inpreparation": "in preparation", "submitted": "submitted", "forthcoming": "forthcoming", "inpress": "in press",
    "prepublished": "prepublished",
}  # fmt: skip
_NO_YEAR = re.compile(
    r"\W{0,3}(?P<words>in press|in preparation|in print|forthcoming|to appear|accepted|submitted|under review|"
    r"n\.\s?d\.?|no date|s\.\s?d\.?|o\.\s?J\.?|im Druck|im Erscheinen|sous presse|en prensa|no prelo)\W{0,3}",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?:1[4-9]|20)\d\d(?P<letter>[a-z])(?![a-z])")
#: `1987 [1922]`, `1922/1987`, `1987 (original 1922)`: the two years of a reprint, the slash after the first edition.
_TWO_YEARS = re.compile(
    r"(?P<one>(?:1[4-9]|20)\d\d)\s?(?:(?P<slash>/)|[\[(](?:orig\w{0,8}\.?|first\s\w{0,12}|\[|\s){0,4})\s?"
    r"(?P<two>(?:1[4-9]|20)\d\d)(?!\d)"
)


def _dated(entry: _Entry) -> _Dated:
    """Give year, letter, year of the first edition and status; a date that is no year leaves the year open."""
    year = suffix = original = None
    for name in ("year", "date", "issued", "eventdate"):
        text = entry.text(name) or ""
        match = _YEAR.search(text)
        if match is None:
            continue
        year = int(match.group())
        letter = _LETTER.search(text)
        suffix = letter["letter"] if letter else None
        two = _TWO_YEARS.search(text) if name == "year" else None
        if two is not None:
            year, original = _reprint(int(two["one"]), int(two["two"]), slash=two["slash"] is not None)
        break
    first = _YEAR.search(entry.text("origdate", "origyear") or "")
    original = int(first.group()) if first else original
    return _Dated(year, suffix, original, _status(entry))


def _reprint(one: int, two: int, *, slash: bool) -> tuple[int, int | None]:
    """Tell the two years of a reprint apart; neighbours with a slash are one span of time."""
    if abs(one - two) <= 1 and slash:
        return one, None
    return max(one, two), min(one, two)


def _status(entry: _Entry) -> str | None:
    state = entry.text("pubstate")
    if state:
        return _STATUS.get(state.lower().replace(" ", ""), state)
    for name in ("year", "date", "note"):
        match = _NO_YEAR.fullmatch(entry.text(name) or "")
        if match is not None:
            return match["words"]
    return None


def _with_subtitle(title: str | None, subtitle: str | None) -> str | None:
    if title and subtitle and subtitle.lower() not in title.lower():
        return f"{title} {subtitle}" if title[-1] in ":?!.–—" else f"{title}: {subtitle}"
    return title or subtitle


def _title(entry: _Entry) -> str | None:
    title = entry.text("title")
    if title is None:
        title = entry.text("booktitle", "maintitle", "issuetitle")
    return _with_subtitle(title, entry.text("subtitle"))


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
    kind = (entry.text("eprinttype", "archiveprefix") or "").lower().rstrip(": ")
    if kind in {"pubmed", "pmid"}:
        return None, ids.clean_pmid(eprint)
    if kind in {"", "arxiv"}:
        primary = entry.text("primaryclass", "eprintclass") or ""
        old = re.fullmatch(r"\d{7}(v\d+)?", eprint)
        return ids.clean_arxiv_id(f"{primary}/{eprint}" if old and primary else eprint), None
    return None, None


def _identifiers(entry: _Entry) -> Identifiers:
    """Collect identifiers from their own fields, then from addresses and notes."""
    loose = [text for name in _ID_FIELDS if len(text := _verbatim(entry.latex(name))) > _SHORTEST and _ID.search(text)]
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
        kind = WorkType.NEWS if (entry.text("entrysubtype") or "").lower() == "newspaper" else kind
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
    name = _with_subtitle(entry.text("journal", "journaltitle"), entry.text("journalsubtitle")) or _with_subtitle(
        entry.text("booktitle"), entry.text("booksubtitle")
    )
    name = name or _with_subtitle(entry.text("maintitle"), entry.text("mainsubtitle"))
    name = name or entry.text("shortjournal", "eventtitle", "conference", "encyclopedia")
    if name is None:
        published = entry.text("howpublished") or ""
        name = published if _PREPRINT.search(published) and "://" not in published else None
    return None if name == title else name


_EXTENDED = re.compile(r"(?:^|,)\s*(?P<part>family|given|prefix|suffix)\s*=\s*", re.IGNORECASE)
_BETWEEN = re.compile(r"\s+and\s+", re.IGNORECASE)


def _people(latex: str) -> str:
    """Give a list of names as BibTeX writes it, where it is in biblatex's extended format (`family=…, given=…`)."""
    if "family" not in latex or _EXTENDED.search(latex) is None:
        return latex
    return " and ".join(_person(name) for name in _BETWEEN.split(latex))


def _person(name: str) -> str:
    pieces = list(_EXTENDED.finditer(name))
    if not pieces:
        return name
    ends = [*(match.start() for match in pieces[1:]), len(name)]
    parts = {
        match["part"].lower(): name[match.end() : end].strip(' ,"') for match, end in zip(pieces, ends, strict=True)
    }
    family = " ".join(filter(None, (parts.get("prefix"), parts.get("family"))))
    rest = ", ".join(filter(None, (parts.get("suffix"), parts.get("given"))))
    return f"{family}, {rest}" if rest else f"{{{family}}}"


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
    dated = _dated(entry)
    authors, truncated = parse_bibtex_people(_people(entry.latex("author", "authors")))
    editors, _ = parse_bibtex_people(_people(entry.latex("editor", "editors")))
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
        year=dated.year,
        year_suffix=dated.suffix,
        original_year=dated.original,
        status=dated.status,
        container_title=container,
        volume=entry.text("volume"),
        issue=entry.text("number", "issue") if kind not in _NO_ISSUE else None,
        pages=_pages(entry),
        publisher=entry.text("publisher", "school", "institution", "organization", "holder"),
        identifiers=found,
        locus=locus or Locus(),
        acknowledged=is_acknowledged(title or "", notes),
        parse_score=1.0 if known else 0.3,
    )
