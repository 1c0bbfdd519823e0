"""Read the records of Semantic Scholar: one record stands for a preprint and its publication."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field, ValidationError

from citeaudit.identifiers import clean_arxiv_id, clean_doi, clean_pmcid, clean_pmid, clean_url, doi_arxiv_id
from citeaudit.model import Identifiers, Notice, Query, QueryKind, Version, Work, WorkType
from citeaudit.text.foreign import Foreign, Many, One, Text, Texts, Year, read_year
from citeaudit.text.marks import names_arxiv, names_server, title_mark
from citeaudit.text.names import parse_person
from citeaudit.text.normalize import fold

SOURCE = "semantic_scholar"
"""Name of the source, as in `configs/sources.toml`."""
MANY_AUTHORS = 500
"""Authors from which a list may have been cut."""

_REVIEWS = "faculty opinions"  # a venue of recommendations, each named after the paper that it is about
_FIRST_YEAR_OF_CENTURY, _CENTURY = 91, 100
#: The first that a record lists decides; `Review` and `CaseReport` are kinds of article.
_TYPES = {
    "Conference": WorkType.PAPER_CONFERENCE,
    "Book": WorkType.BOOK,
    "BookSection": WorkType.CHAPTER,
    "Dataset": WorkType.DATASET,
    "JournalArticle": WorkType.ARTICLE_JOURNAL,
    "Review": WorkType.ARTICLE_JOURNAL,
}


class _AuthorRecord(Foreign):
    name: Text = None


class _JournalRecord(Foreign):
    name: Text = None
    volume: Text = None
    pages: Text = None


class _VenueRecord(Foreign):
    name: Text = None


class _IdsRecord(Foreign):
    doi: Text = Field(default=None, alias="DOI")
    arxiv: Text = Field(default=None, alias="ArXiv")
    pubmed: Text = Field(default=None, alias="PubMed")
    pmc: Text = Field(default=None, alias="PubMedCentral")


class _PdfRecord(Foreign):
    url: Text = None


class _Record(Foreign):
    paper_id: Text = Field(default=None, alias="paperId")
    title: Text = None
    authors: Many[_AuthorRecord] = ()
    year: Year = None
    venue: Text = None
    publication_venue: One[_VenueRecord] = Field(default=None, alias="publicationVenue")
    journal: One[_JournalRecord] = None
    external_ids: One[_IdsRecord] = Field(default=None, alias="externalIds")
    open_access_pdf: One[_PdfRecord] = Field(default=None, alias="openAccessPdf")
    publication_types: Texts = Field(default=(), alias="publicationTypes")
    publication_date: Text = Field(default=None, alias="publicationDate")


def parse_work(item: object) -> Work | None:
    """Give a record in our words; `None` for one without a key or a title."""
    try:
        record = _Record.model_validate(item)
    except ValidationError:  # not an object: its fields cannot fail
        return None
    if record.paper_id is None or record.title is None:
        return None
    journal = record.journal or _JournalRecord()
    venue = record.venue or (record.publication_venue and record.publication_venue.name) or journal.name
    people = tuple(parse_person(author.name) for author in record.authors if author.name)
    mark = title_mark(record.title)
    pdf = clean_url(record.open_access_pdf.url) if record.open_access_pdf else None
    return Work(
        source=SOURCE,
        source_id=record.paper_id,
        type=_type(record, venue),
        title=record.title,
        authors=people,
        authors_complete=len(people) < MANY_AUTHORS,
        year=record.year,
        container_title=venue,
        volume=None if names_arxiv(journal.name) else journal.volume,
        pages=journal.pages,
        identifiers=_identifiers(record),
        versions=tuple(_versions(record, journal, venue)),
        notices=(Notice(type=mark),) if mark else (),
        fulltext_urls=(pdf,) if pdf else (),
    )


def _type(record: _Record, venue: str | None) -> WorkType:
    if fold(venue or "").startswith(_REVIEWS):
        return WorkType.PEER_REVIEW
    archived = record.external_ids is not None and record.external_ids.arxiv is not None
    if names_arxiv(venue) or names_server(venue) or (archived and venue is None):
        return WorkType.PREPRINT
    return next((kind for name, kind in _TYPES.items() if name in record.publication_types), WorkType.UNKNOWN)


def _identifiers(record: _Record) -> Identifiers:
    ids = record.external_ids or _IdsRecord()
    pmc = ids.pmc if ids.pmc is None or ids.pmc.upper().startswith("PMC") else f"PMC{ids.pmc}"
    return Identifiers(
        doi=clean_doi(ids.doi),
        arxiv_id=clean_arxiv_id(ids.arxiv),
        pmid=clean_pmid(ids.pubmed),
        pmcid=clean_pmcid(pmc),
    )


def _versions(record: _Record, journal: _JournalRecord, venue: str | None) -> Iterable[Version]:
    """Give what else is right to cite: one record stands for the preprint and the publication."""
    kind = _type(record, venue)
    arxiv_id = _identifiers(record).arxiv_id
    if arxiv_id:
        ids = Identifiers(arxiv_id=arxiv_id)
        yield Version(type=WorkType.PREPRINT, year=_submitted(arxiv_id), container_title="arXiv", identifiers=ids)
    printed = read_year(record.publication_date)
    if printed and record.year and printed != record.year:
        yield Version(type=kind, year=printed, container_title=venue)
    named = record.publication_venue.name if record.publication_venue else None
    for name in dict.fromkeys(filter(None, (journal.name, named))):
        if name != venue and not names_arxiv(name):
            yield Version(type=kind, year=record.year, container_title=name)


def _submitted(arxiv_id: str) -> int | None:
    """Give the year in which a paper came to arXiv, which its identifier tells: `1706.03762`, `hep-th/9901001`.

    >>> _submitted("1706.03762"), _submitted("hep-th/9901001")
    (2017, 1999)
    """
    year = int(arxiv_id.rpartition("/")[2][:2])
    return (1900 if year >= _FIRST_YEAR_OF_CENTURY else 2000) + year % _CENTURY


def vouched(work: Work, query: Query) -> Work:
    """Note the identifier asked for where the record has another: the service merges the forms of a work."""
    ids = work.identifiers
    text = query.text
    match query.kind:
        case QueryKind.DOI if ids.doi not in (text, None) and doi_arxiv_id(text) is None:
            extra = Identifiers(doi=clean_doi(text))
        case QueryKind.ARXIV_ID if ids.arxiv_id is None:
            extra = Identifiers(arxiv_id=clean_arxiv_id(text))
        case _:
            return work
    return work.model_copy(update={"versions": (*work.versions, Version(type=work.type, identifiers=extra))})
