"""Read the records of Crossref: lists where one expects texts, several dates, noise among the works."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError

from citeaudit.identifiers import clean_doi, clean_isbn, clean_url, doi_arxiv_id
from citeaudit.model import Identifiers, Notice, NoticeType, Person, Version, Work, WorkType
from citeaudit.text.foreign import Foreign, Many, One, Text, Texts, read_objects, read_year
from citeaudit.text.marks import title_mark
from citeaudit.text.names import is_group, parse_people, parse_person
from citeaudit.text.normalize import fold

SOURCE = "crossref"
"""Name of the source, as in `configs/sources.toml`."""

_TYPES = {
    "journal-article": WorkType.ARTICLE_JOURNAL,
    "proceedings-article": WorkType.PAPER_CONFERENCE,
    "posted-content": WorkType.PREPRINT,
    "book": WorkType.BOOK,
    "monograph": WorkType.BOOK,
    "edited-book": WorkType.BOOK,
    "reference-book": WorkType.BOOK,
    "book-chapter": WorkType.CHAPTER,
    "book-part": WorkType.CHAPTER,
    "book-section": WorkType.CHAPTER,
    "book-track": WorkType.CHAPTER,
    "reference-entry": WorkType.REFERENCE_ENTRY,
    "dissertation": WorkType.THESIS,
    "report": WorkType.REPORT,
    "report-component": WorkType.REPORT,
    "standard": WorkType.STANDARD,
    "dataset": WorkType.DATASET,
    "database": WorkType.DATASET,
    "peer-review": WorkType.PEER_REVIEW,
}
#: Records of parts and containers: figures, issues, whole journals. They share titles with works and are none.
NO_WORKS = frozenset(
    {"component", "journal", "journal-issue", "journal-volume", "book-series", "book-set", "proceedings"}
    | {"proceedings-series", "report-series", "standard-series", "grant"}
)
_NOTICES = {
    "retraction": NoticeType.RETRACTION,
    "partial_retraction": NoticeType.RETRACTION,
    "withdrawal": NoticeType.WITHDRAWAL,
    "removal": NoticeType.WITHDRAWAL,
    "expression_of_concern": NoticeType.CONCERN,
    "concern": NoticeType.CONCERN,
    "correction": NoticeType.CORRECTION,
    "erratum": NoticeType.CORRECTION,
    "corrigendum": NoticeType.CORRECTION,
}
_RELATIONS = ("is-preprint-of", "has-preprint", "is-version-of", "has-version", "is-same-as")


def _relations(value: object) -> dict[str, tuple[dict[str, object], ...]]:
    return {str(name): read_objects(items) for name, items in value.items()} if isinstance(value, dict) else {}


class _PersonRecord(Foreign):
    given: Text = None
    family: Text = None
    name: Text = None
    literal: Text = None
    suffix: Text = None


class _DateRecord(Foreign):
    parts: object = Field(default=None, alias="date-parts")

    @property
    def year(self) -> int | None:
        """Give the year of `[[2019, 5]]`; `[[null]]` and everything odd has none."""
        try:
            return read_year(self.parts[0][0])  # type: ignore[index]  # whatever it is, it has a first item or fails
        except (TypeError, IndexError, KeyError):
            return None


class _UpdateRecord(Foreign):
    doi: Text = Field(default=None, alias="DOI")
    type: Text = None
    updated: One[_DateRecord] = None


class _LinkRecord(Foreign):
    url: Text = Field(default=None, alias="URL")
    content_type: Text = Field(default=None, alias="content-type")


class Record(Foreign):
    """One record as it comes."""

    doi: Text = Field(default=None, alias="DOI")
    type: Text = None
    title: Texts = ()
    subtitle: Texts = ()
    original_title: Texts = Field(default=(), alias="original-title")
    author: Many[_PersonRecord] = ()
    editor: Many[_PersonRecord] = ()
    issued: One[_DateRecord] = None
    published: One[_DateRecord] = None
    published_print: One[_DateRecord] = Field(default=None, alias="published-print")
    published_online: One[_DateRecord] = Field(default=None, alias="published-online")
    container_title: Texts = Field(default=(), alias="container-title")
    short_container_title: Texts = Field(default=(), alias="short-container-title")
    publisher: Text = None
    volume: Text = None
    issue: Text = None
    page: Text = None
    article_number: Text = Field(default=None, alias="article-number")
    isbn: Texts = Field(default=(), alias="ISBN")
    link: Many[_LinkRecord] = ()
    updated_by: Many[_UpdateRecord] = Field(default=(), alias="updated-by")
    update_to: Many[_UpdateRecord] = Field(default=(), alias="update-to")
    relation: Annotated[dict[str, tuple[dict[str, object], ...]], BeforeValidator(_relations)] = {}  # noqa: RUF012 - pydantic copies it

    @property
    def years(self) -> tuple[int, ...]:
        """Give the years of print, online and issue, earliest first."""
        dates = (self.issued, self.published, self.published_print, self.published_online)
        return tuple(sorted({date.year for date in dates if date is not None and date.year is not None}))


def readable(items: Iterable[object]) -> Iterator[Record]:
    """Give the items that are records at all; their fields cannot fail."""
    for item in items:
        try:
            yield Record.model_validate(item)
        except ValidationError:
            continue


def noticed(records: Sequence[Record]) -> tuple[Work, ...]:
    """Give the works; a notice that came in the same answer is put to the work it is about."""
    about: dict[str, list[Notice]] = {}
    for record in records:
        for update in record.update_to:
            target, kind = clean_doi(update.doi), _notice_type(update)
            if target and kind:
                notice = Notice(type=kind, doi=clean_doi(record.doi), year=update.updated and update.updated.year)
                about.setdefault(target, []).append(notice)
    works = (work for record in records if (work := parse_work(record)) is not None)
    return tuple(_with(work, about.get(work.source_id, ())) for work in works)


def _with(work: Work, notices: Iterable[Notice]) -> Work:
    merged = _merged((*work.notices, *notices))
    return work if merged == work.notices else work.model_copy(update={"notices": merged})


def parse_work(record: Record) -> Work | None:
    """Give a record in our words; `None` for one without a title or a DOI."""
    doi = clean_doi(record.doi)
    title = _title(record)
    if doi is None or title is None:
        return None
    authors, complete = _people(record.author)
    years = record.years
    return Work(
        source=SOURCE,
        source_id=doi,
        type=_TYPES.get(record.type or "", WorkType.UNKNOWN),
        title=title,
        authors=authors,
        authors_complete=complete,
        editors=_people(record.editor)[0],
        year=years[0] if years else None,
        container_title=next(iter(record.container_title or record.short_container_title), None),
        volume=record.volume,
        issue=record.issue,
        pages=record.page or record.article_number,
        publisher=record.publisher,
        identifiers=Identifiers(doi=doi, arxiv_id=doi_arxiv_id(doi), isbn=_isbn(record.isbn)),
        versions=_versions(record, title),
        notices=_merged(_notices(record, title)),
        fulltext_urls=tuple(dict.fromkeys(_pdfs(record.link))),
    )


def _isbn(values: Sequence[str]) -> str | None:
    """Give the first that is one; old records hold addresses that end in it."""
    return next(filter(None, (clean_isbn(value.rpartition("/")[2]) for value in values)), None)


def _title(record: Record) -> str | None:
    """Give the first title with its subtitle; further ones are translations."""
    if not record.title:
        return None
    title, subtitle = record.title[0], next(iter(record.subtitle), None)
    if subtitle is None or fold(subtitle) in fold(title):
        return title
    return f"{title.rstrip(' :')}: {subtitle}"


def _versions(record: Record, title: str) -> tuple[Version, ...]:
    """Give what else is right to cite: other titles, other years, other venue names, linked preprints."""
    kind = _TYPES.get(record.type or "", WorkType.UNKNOWN)
    titles = dict.fromkeys((*record.title, *record.original_title))
    venues = (*record.container_title[1:3], *record.short_container_title[:1])
    versions = [Version(type=kind, title=other) for other in titles if other != title]
    versions += [Version(type=kind, year=year) for year in record.years[1:]]
    versions += [Version(type=kind, container_title=venue) for venue in dict.fromkeys(venues)]
    return (*versions, *_related(record))


def _related(record: Record) -> list[Version]:
    found: dict[Identifiers, Version] = {}
    for name in _RELATIONS:
        for item in record.relation.get(name, ()):
            raw = item.get("id")
            doi = clean_doi(raw) if isinstance(raw, str) else None
            if doi and doi != clean_doi(record.doi):
                kind = WorkType.PREPRINT if name == "has-preprint" else WorkType.UNKNOWN
                ids = Identifiers(doi=doi, arxiv_id=doi_arxiv_id(doi))
                found.setdefault(ids, Version(type=kind, identifiers=ids))
    return list(found.values())


def alias(work: Work, doi: str) -> Work:
    """Note the DOI asked for where the record has come under another: Crossref redirects old ones."""
    if work.source_id == doi:
        return work
    return work.model_copy(
        update={"versions": (*work.versions, Version(type=work.type, identifiers=Identifiers(doi=doi)))}
    )


def _people(records: Sequence[_PersonRecord]) -> tuple[tuple[Person, ...], bool]:
    """Give the people and whether the list is whole: some publishers deposit `et al.` as a name."""
    people: list[Person] = []
    complete = True
    for record in records:
        if fold(record.name or record.family or "") in ("et al", "others", "and others"):
            complete = False
        else:
            people += _person(record)
    return tuple(people), complete


def _person(record: _PersonRecord) -> tuple[Person, ...]:
    """Give one name; `name` may hold a body or several people, `family` a whole name."""
    whole = record.literal or record.name
    if record.family and record.given:
        return (Person(family=record.family, given=record.given, suffix=record.suffix),)
    if whole and not record.family:
        return (Person(literal=whole),) if is_group(whole) or " " not in whole else parse_people(whole)[0]
    family = record.family or record.given
    if family is None:
        return ()
    if " " not in family or family.split()[0].islower():  # `van der Berg`
        return (Person(family=family, suffix=record.suffix),)
    return (Person(literal=family) if is_group(family) else parse_person(family),)


def _notices(record: Record, title: str) -> Iterable[Notice]:
    for update in record.updated_by:
        if kind := _notice_type(update):
            yield Notice(type=kind, doi=clean_doi(update.doi), year=update.updated and update.updated.year)
    if mark := title_mark(title):
        yield Notice(type=mark)


def _notice_type(update: _UpdateRecord) -> NoticeType | None:
    return _NOTICES.get(re.sub(r"[\s-]+", "_", (update.type or "").lower()))


def _merged(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Give each notice once: publisher and Retraction Watch report the same, and a title mark says no more."""
    kept: dict[tuple[NoticeType, str | None], Notice] = {}
    for notice in notices:
        kept.setdefault((notice.type, notice.doi), notice)
    named = {kind for kind, doi in kept if doi}
    return tuple(notice for (kind, doi), notice in kept.items() if doi or kind not in named)


def _pdfs(links: Iterable[_LinkRecord]) -> Iterable[str]:
    for link in links:
        if link.content_type == "application/pdf" and (url := clean_url(link.url)):
            yield url
