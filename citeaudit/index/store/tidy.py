"""Put a record in order before it is stored: identifiers in their normal form, marks in the title made notices.

On the path of every record of a dump, so it looks before it cleans: nearly all records pass unchanged.
"""

from __future__ import annotations

import re

from citeaudit.identifiers import clean_arxiv_id, clean_doi, clean_isbn, clean_pmcid, clean_pmid
from citeaudit.index.store.record import Malformed, Name, Record, RecordNotice
from citeaudit.model import NoticeType
from citeaudit.text.normalize import MAX_TITLE, plain, squash

FIRST_YEAR, LAST_YEAR = 1000, 2100
"""Years outside are misread digits and are dropped."""

_DOI = re.compile(r"10\.\d{4,9}/[a-z0-9]+(?:[._-][a-z0-9]+)*(?<!pdf)(?<!full)", re.ASCII)
_ARXIV = re.compile(r"(?:1[5-9]|2\d)(?:0[1-9]|1[0-2])\.(?!00000)\d{5}", re.ASCII)
_PMID = re.compile(r"[1-9]\d{0,7}", re.ASCII)
_PMCID = re.compile(r"PMC[1-9]\d{2,8}", re.ASCII)
# Nearly all identifiers of a dump are in their normal form; seeing that at a glance halves the cleaning.

_MARKED = re.compile(
    r"^[\[(]?(RETRACTED|Retracted|WITHDRAWN|Withdrawn)(?: (?:ARTICLE|Article|PAPER|Paper|CHAPTER|Chapter))?[\])]?"
    r"\s?[:.\])]\s*|^(REMOVED): "
)
_MARKED_BEHIND = re.compile(
    r"\.?\s[\[(](RETRACTED|Retracted|WITHDRAWN|Withdrawn)(?: (?:ARTICLE|Article|article|PAPER|Paper|paper))?"
    r"(?:[.,;:]? [Ss]ee [^()\[\]]{1,60})?[\])]\.?$"
)
_MARKS = {
    "retracted": NoticeType.RETRACTION,
    "withdrawn": NoticeType.WITHDRAWAL,
    "removed": NoticeType.WITHDRAWAL,
}
_MAY_BE_MARKED = frozenset("[(RW")
_BRACKETS = (")", "]", ").", "].")
_LAST_MARK = 100
"""Characters of the end of a title in which a mark stands."""
_OTHERS = frozenset({"others", "et al", "al", "and others", ""})
_OTHERS_STARTS = frozenset({"", ".", " ", *(letter for word in _OTHERS for letter in (word[:1], word[:1].upper()))})
_HOMONYM = re.compile(r" 0\d{3}$")
"""DBLP tells persons of one name apart by a number, `Wei Wang 0003` (dblp.org/faq, homonyms); it is not printed."""

_DIGITS = frozenset("0123456789")
_PLACES = {field: place for place, field in enumerate(Record._fields)}


def tidy(record: Record) -> Record:
    """Give the record with clean identifiers, a cut and unmarked title, and a notice for a mark in the title.

    A last author `others` or `et al.` is dropped, and the list is then known to be cut. Numbers that DBLP adds to
    names are dropped, and an address that only says the identifier again. Publishers mark retracted articles in the
    title itself (Elsevier `RETRACTED:` and `REMOVED:`, Springer `RETRACTED ARTICLE:` and `RETRACTED CHAPTER:`), and
    indexes behind it (`(Retracted article. See vol. 12, pg. 3, 2014)`).

    Idempotent, but for a second mark in a title.

    Raises:
        Malformed: The title has no letters or digits, of whatever script.
    """
    changed: dict[str, object] = {}
    title = record.title
    if len(title) > MAX_TITLE or title != title.strip() or "  " in title or not title.isprintable():
        title = changed["title"] = squash(title[: 2 * MAX_TITLE])[:MAX_TITLE].rstrip()
    if title[:1] in _MAY_BE_MARKED:
        _unmark(record, title, changed)
        title = str(changed.get("title", title))
    if title.endswith(_BRACKETS):
        _unmark(record, title, changed)
        title = str(changed.get("title", title))
    if not title[:1].isalnum() and not any(letter.isalnum() for letter in plain(title)):
        raise Malformed("title: no letters or digits")
    _clean_identifiers(record, changed)
    if record.authors:
        _clean_authors(record, changed)
    year = record.year
    if year is not None and not FIRST_YEAR <= year <= LAST_YEAR:
        changed["year"] = None
    if record.years:
        others = (other for other in record.years if other != year and FIRST_YEAR <= other <= LAST_YEAR)
        changed["years"] = tuple(dict.fromkeys(others))
    if record.titles:
        changed["titles"] = _other_titles(record.titles, title)
    if not changed:
        return record
    values: list[object] = [*record]  # a third of records change (their address), and `_replace` takes a microsecond
    for field, value in changed.items():
        values[_PLACES[field]] = value
    return tuple.__new__(Record, values)


def _unmark(record: Record, title: str, changed: dict[str, object]) -> None:
    mark = _MARKED.match(title)
    if mark is None:
        mark = _MARKED_BEHIND.search(title, max(0, len(title) - _LAST_MARK))
        if mark is None:
            return
    changed["title"] = title[: mark.start()] + title[mark.end() :]
    kind = _MARKS[next(filter(None, mark.groups())).lower()]
    notices = changed.get("notices", record.notices)
    if all(notice.type is not kind for notice in notices):  # type: ignore[attr-defined]  # as it comes, or as set here
        changed["notices"] = (*notices, RecordNotice(type=kind))  # type: ignore[misc]


def _clean_identifiers(record: Record, changed: dict[str, object]) -> None:
    doi, arxiv_id = record.doi, record.arxiv_id
    if doi and not _DOI.fullmatch(doi):
        doi = changed["doi"] = clean_doi(doi)
    if arxiv_id and not _ARXIV.fullmatch(arxiv_id):
        arxiv_id = changed["arxiv_id"] = clean_arxiv_id(arxiv_id)
    if record.pmid and not _PMID.fullmatch(record.pmid):
        changed["pmid"] = clean_pmid(record.pmid)
    if record.pmcid and not _PMCID.fullmatch(record.pmcid):
        changed["pmcid"] = clean_pmcid(record.pmcid)
    if record.isbn:
        changed["isbn"] = clean_isbn(record.isbn)
    if record.url:
        url = record.url.lower()
        if (doi and doi in url) or (arxiv_id and arxiv_id.lower() in url):
            changed["url"] = None  # it says the identifier again


def _clean_authors(record: Record, changed: dict[str, object]) -> None:
    authors = record.authors
    if is_others(authors[-1]):
        authors = changed["authors"] = authors[:-1]
        changed["authors_complete"] = False
    for family, given, literal in authors:
        text = family or literal or given
        if text and text[-1] in _DIGITS and _HOMONYM.search(text):
            changed["authors"] = tuple(_without_number(name) for name in authors)
            return


def _without_number(name: Name) -> Name:
    return Name(*(part and _HOMONYM.sub("", part) for part in name))


def is_others(name: Name) -> bool:
    """Whether a last author only says that there are more: `others`, `et al.`, `...`."""
    text = name.family or name.literal
    return text is not None and text[:1] in _OTHERS_STARTS and text.strip(". ").lower() in _OTHERS


def _other_titles(titles: tuple[str, ...], title: str) -> tuple[str, ...]:
    clean = (squash(other[: 2 * MAX_TITLE])[:MAX_TITLE].rstrip() for other in titles)
    return tuple(dict.fromkeys(other for other in clean if other != title and any(map(str.isalnum, other))))
