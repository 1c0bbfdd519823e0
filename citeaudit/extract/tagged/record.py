"""One entry whose fields come named, on its way to a `Reference`: the same rules for every dialect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from importlib.resources import files

from citeaudit import identifiers as ids
from citeaudit.extract.fields.text import is_acknowledged
from citeaudit.model.reference import Identifiers, Locus, Person, Reference, WorkType
from citeaudit.text.names import is_group, parse_person
from citeaudit.text.normalize import squash

MAX_FIELD = 4_000
"""Characters of one field that are read; an abstract in the wrong tag is cut."""
MAX_RAW = 4_000
"""Characters of an entry that are kept as printed."""
NOTHING_READ = 0.3
"""Score of an entry that names neither title nor identifier, and people at most."""

_YEAR = re.compile(r"(?<!\d)((?:1[4-9]|20)\d\d)([a-z]?)(?![\da-z])")
_STATUS = re.compile(
    r"\b(in press|forthcoming|to appear|submitted|accepted|in preparation|aheadofprint|n\.\s?d\.|im druck|sous presse)",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?(?:i|b|em|strong|sup|sub|sc|span|scp|italic|bold|u|jats:\w{1,12})\b[^<>]{0,100}>", re.IGNORECASE)
_OTHERS = re.compile(r"(?:et\.?\s?al|and\s+others|others|u\.\s?a|et\s+coll)\b\.?\s*$", re.IGNORECASE)
_PREPRINT = re.compile(r"\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|psyarxiv|ssrn|preprints?)\b", re.IGNORECASE)
_DASHES = re.compile(r"\s*[-–—‐−]+\s*")

_CLEAN: dict[str, Callable[[str | None], str | None]] = {
    "doi": ids.clean_doi,
    "arxiv_id": ids.clean_arxiv_id,
    "pmid": ids.clean_pmid,
    "pmcid": ids.clean_pmcid,
    "isbn": ids.clean_isbn,
    "issn": ids.clean_issn,
    "url": ids.clean_url,
}


@cache
def _types() -> dict[tuple[str, str], WorkType]:
    text = (files("citeaudit.extract.tagged") / "types.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {(dialect, name.lower()): WorkType(kind) for dialect, name, kind in rows}


def work_type(dialect: str, name: str | None) -> WorkType:
    """Give the kind of a work that a dialect calls by this name; `UNKNOWN` where the table has no such name.

    >>> work_type("ris", "CPAPER")
    <WorkType.PAPER_CONFERENCE: 'paper-conference'>
    """
    return _types().get((dialect, (name or "").strip().lower()), WorkType.UNKNOWN)


def tidy(text: str | None) -> str | None:
    """Give a field as readable text on one line: tags of typesetting off; `None` where nothing is left.

    >>> tidy("On <i>E. coli</i> &amp; others ")
    'On E. coli & others'
    """
    if not text:
        return None
    value = text[:MAX_FIELD]
    if "&" in value:
        value = unescape(value)
    if "<" in value:
        value = _TAG.sub("", value)
    return squash(value) or None


def is_others(name: str) -> bool:
    """Whether a name only says that more follow: `et al.`, `others`."""
    return bool(_OTHERS.fullmatch(name.strip(" ,.[]()")) or _OTHERS.fullmatch(name.strip(" ,[]()")))


def split_person(text: str) -> Person | None:
    """Read a name as reference managers write it: `Family, Given, Suffix`; without a comma a group, or a plain name.

    >>> str(split_person("Lovelace, A. K., Jr")), str(split_person("World Health Organization,"))
    ('A. K. Lovelace Jr', 'World Health Organization')
    """
    name = squash(text[:MAX_FIELD])
    if not re.search(r"\w", name):
        return None
    if name.endswith(","):
        return Person(literal=name.rstrip(" ,"))
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 1:
        return Person(literal=name) if is_group(name) or " " not in name else parse_person(name)
    if is_group(name) and len(parts) > 1 and " " in parts[0] and is_group(parts[0]):
        return Person(literal=name)
    suffix = parts[2] if len(parts) > 2 else None  # noqa: PLR2004 - Family, Given, Suffix
    return Person(family=parts[0] or None, given=parts[1] or None, suffix=suffix or None)


def pages(first: str | None, last: str | None = None) -> str | None:
    """Give the cited range with a plain hyphen; a short last page (`379-93`) is kept as printed.

    >>> pages("379", "393"), pages("e12 – e15"), pages("7", "7")
    ('379-393', 'e12-e15', '7')
    """
    start, end = tidy(first), tidy(last)
    if start and end and start != end and not _DASHES.search(start.strip(" -–")):
        start = f"{start}-{end}"
    start = start or end
    return (_DASHES.sub("-", start).strip(" -") or None) if start else None


@dataclass(slots=True, kw_only=True)
class Record:
    """The fields of one entry as its format names them; text may still carry markup."""

    type: WorkType = WorkType.UNKNOWN
    title: str | None = None
    subtitle: str | None = None
    authors: list[Person] = field(default_factory=list)
    truncated: bool = False
    editors: list[Person] = field(default_factory=list)
    date: str | None = None
    """Whatever holds the year."""
    original_date: str | None = None
    status: str | None = None
    container: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    ids: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of a field of `Identifiers` (or `any`) and the value as written; the first that cleans wins."""
    notes: list[str] = field(default_factory=list)

    def add_person(self, name: str, *, editor: bool = False) -> None:
        """Add a name written in one string; `et al.` marks the list as cut short."""
        if is_others(name):
            self.truncated = self.truncated or not editor
            return
        person = split_person(name)
        if person is not None:
            (self.editors if editor else self.authors).append(person)

    def reference(self, raw: str, locus: Locus, *, score: float = 1.0) -> Reference:
        """Build the reference; `raw` must not be empty."""
        title = _whole(tidy(self.title), tidy(self.subtitle))
        container = tidy(self.container)
        found = collect(self.ids)
        year, suffix, status = _when(self.date, self.status)
        original, _, _ = _when(self.original_date, None)
        known = bool(title or found.pairs() or (self.authors and (container or year or status or self.publisher)))
        return Reference(
            raw=raw.strip()[:MAX_RAW] or "(empty entry)",
            type=_kind(self.type, container, found),
            title=title,
            authors=tuple(self.authors),
            authors_truncated=self.truncated,
            editors=tuple(self.editors),
            year=year,
            year_suffix=suffix,
            original_year=original,
            status=status,
            container_title=None if container == title else container,
            volume=tidy(self.volume),
            issue=tidy(self.issue),
            pages=pages(self.pages),
            publisher=tidy(self.publisher),
            identifiers=found,
            locus=locus,
            acknowledged=is_acknowledged(title or "", " ".join(self.notes)[:MAX_FIELD]),
            parse_score=score if known else min(score, NOTHING_READ),
        )


def collect(pairs: Iterable[tuple[str, str]]) -> Identifiers:
    """Clean identifiers; the first of each kind that is one wins, typed ones before those found in `any` text."""
    found: dict[str, str] = {}
    loose: list[str] = []
    for scheme, value in pairs:
        text = value.strip()[:MAX_FIELD]
        clean = _CLEAN.get(scheme)
        if clean is None:
            loose.append(text)
            continue
        for part in (text, *re.split(r"[;,\s]+", text)) if scheme in {"isbn", "issn"} else (text,):
            good = clean(part)
            if good and scheme not in found:
                found[scheme] = good
        if scheme == "url":
            loose.append(text)
    for text in loose:
        _search(text, found)
    arxiv = ids.doi_arxiv_id(found.get("doi"))
    if arxiv:
        found.setdefault("arxiv_id", arxiv)
    return Identifiers(**found)


def _search(text: str, found: dict[str, str]) -> None:
    for scheme, find in (("doi", ids.find_doi), ("arxiv_id", ids.find_arxiv_id)):
        if scheme not in found and (value := find(text)):
            found[scheme] = value
    for scheme, locate in (("pmid", ids.locate_pmid), ("pmcid", ids.locate_pmcid), ("isbn", ids.locate_isbn)):
        if scheme not in found and (place := locate(text)):
            found[scheme] = place.value
    if "url" not in found and (url := ids.locate_url(text)):
        found["url"] = url.value


def _whole(title: str | None, subtitle: str | None) -> str | None:
    if not title or not subtitle or subtitle.lower() in title.lower():
        return title or subtitle
    return f"{title} {subtitle}" if title[-1] in ":?!.–—" else f"{title}: {subtitle}"


def _when(date: str | None, status: str | None) -> tuple[int | None, str | None, str | None]:
    text = tidy(date) or ""
    said = _STATUS.search(f"{text} {status or ''}")
    match = _YEAR.search(text)
    told = said.group() if said else tidy(status)
    return (int(match[1]), match[2] or None, told) if match else (None, None, told)


def _kind(kind: WorkType, container: str | None, found: Identifiers) -> WorkType:
    """Tell preprints by their server, where the format files them under articles or nothing."""
    if kind not in {WorkType.UNKNOWN, WorkType.ARTICLE_JOURNAL, WorkType.WEBPAGE}:
        return kind
    if container and _PREPRINT.search(container):
        return WorkType.PREPRINT
    if container is None and found.arxiv_id:
        return WorkType.PREPRINT
    return kind
