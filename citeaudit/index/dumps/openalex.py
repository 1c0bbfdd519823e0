"""Read OpenAlex's snapshot of works: part files of one JSON object a line.

Form: https://docs.openalex.org/api-entities/works/work-object and, for the files,
https://docs.openalex.org/download-all-data/snapshot-data-format.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citeaudit.index.dumps import objects
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.objects import Row, text
from citeaudit.index.dumps.values import distinct, doi, doi_arxiv, linked, whole_name
from citeaudit.index.store.record import Malformed, Name, Record, RecordNotice, Related
from citeaudit.model import NoticeType
from citeaudit.text.normalize import fold

NAME = "openalex"
CUT = 100
"""Authors at which the service cuts lists; a list of exactly so many may be short."""

_MOST_INITIALS = 3
#: The type that Crossref knows says more than OpenAlex's own (`article` is everything).
_RAW_TYPES = {
    "journal-article": "article-journal",
    "proceedings-article": "paper-conference",
    "posted-content": "preprint",
    "book-chapter": "chapter",
    "monograph": "book",
    "edited-book": "book",
    "reference-entry": "entry-encyclopedia",
    "peer-review": "review",
}
_TYPES = {
    "article": "article-journal",
    "review": "article-journal",  # a review of the literature, not of a manuscript
    "letter": "article-journal",
    "editorial": "article-journal",
    "erratum": "article-journal",
    "retraction": "article-journal",
    "conference-paper": "paper-conference",
    "preprint": "preprint",
    "book": "book",
    "book-chapter": "chapter",
    "dissertation": "thesis",
    "report": "report",
    "standard": "standard",
    "dataset": "dataset",
    "software": "software",
    "reference-entry": "entry-encyclopedia",
    "peer-review": "review",
}
_NO_WORKS = frozenset({"paratext", "grant", "supplementary-materials"})
_KINDS = {"submittedVersion": "preprint", "publishedVersion": "published"}
_RETRACTED = (RecordNotice(NoticeType.RETRACTION),)
_NOTICES = frozenset({"retraction", "erratum"})
"""Types of notices; that of a retraction is often marked as retracted itself."""

_LISTS = ("topics", "keywords", "concepts", "mesh", "sustainable_development_goals", "counts_by_year")
_CUTS: objects.Cuts = (
    (b'"abstract_inverted_index":{"', b']},"'),
    (b'"referenced_works":["', b'"],"'),
    (b'"related_works":["', b'"],"'),
    *((b'"%b":[{' % name.encode(), b'}],"') for name in _LISTS),
)
_SOURCE = {"display_name": str, "type": str}
_LOCATION = {"landing_page_url": str, "version": str, "source": _SOURCE, "raw_type": str, "raw_source_name": str}
_SHAPE: Row = {
    **dict.fromkeys(("id", "doi", "title", "display_name", "type", "type_crossref", "updated_date"), str),
    **dict.fromkeys(("is_retracted", "is_paratext", "is_authors_truncated"), bool),
    "publication_year": int,
    "ids": {"pmid": str, "pmcid": str},
    "authorships": [{"author": {"display_name": str}, "raw_author_name": str}],
    "primary_location": _LOCATION,
    "locations": [_LOCATION],
    "biblio": dict.fromkeys(("volume", "issue", "first_page", "last_page"), str),
}


class OpenalexDump:
    """Reads OpenAlex's works.

    Names are `raw_author_name`, as the work prints them: `author.display_name` is that of the person the service
    took the author for, who is now and then another. Only where both differ by nothing but capitals and accents is
    the latter taken, since raw names come in capitals (`HANS-GEORG MULLER`).
    """

    name = NAME
    suffixes: tuple[str, ...] = (".gz", *objects.SUFFIXES)

    def split(self, path: Path) -> Iterator[Unit]:
        """Give the units of a file; see `objects.split`. Lists of merged ids beside the works give none."""
        return iter(()) if path.name.endswith(".csv.gz") else objects.split(path, self.suffixes)

    def read(self, unit: Unit) -> Iterator[Record | Fault]:
        """Give the records of a unit; see `objects.read`."""
        return objects.read(unit, _convert, _SHAPE, _unwrap, _CUTS, frozenset({"ids", "display_name", "authorships"}))


def _unwrap(row: Row) -> list[Any] | None:
    """Open an answer of the API, `{"meta": ..., "results": [...]}`."""
    results = row.get("results")
    return results if type(results) is list else None


def _convert(row: Row) -> Record | None:
    get = row.get
    if get("is_paratext") or get("type") in _NO_WORKS:
        return None
    number = _last(get("id"))
    if number is not None and number[:1] not in "Ww":
        raise Malformed(f"id: {number[:20]} is no work")  # an author or a journal, from the folder beside
    title = text(get("title")) or text(get("display_name"))
    if title is None:
        raise Malformed("no title")
    own = doi(get("doi"))
    people = _people(get("authorships") or ())
    ids, biblio, first = get("ids") or {}, get("biblio") or {}, get("primary_location") or {}
    source = first.get("source") or {}
    return Record(
        title=title,
        authors=people,
        authors_complete=False if len(people) == CUT or get("is_authors_truncated") else None,
        year=objects.year(get("publication_year")),
        venue=text(source.get("display_name")) or text(first.get("raw_source_name")),
        volume=text(biblio.get("volume")),
        issue=text(biblio.get("issue")),
        pages=_pages(text(biblio.get("first_page")), text(biblio.get("last_page"))),
        type=_type(row, first, source),
        doi=own,
        arxiv_id=doi_arxiv(own),
        pmid=_last(ids.get("pmid")),
        pmcid=_last(ids.get("pmcid")),
        src=NAME,
        id=number,
        notices=_RETRACTED if get("is_retracted") is True and get("type") not in _NOTICES else (),
        related=_related(get("locations") or (), own),
        updated=objects.day(get("updated_date")),
    )


def _people(listed: Any) -> tuple[Name, ...]:
    people = []
    for one in listed:
        shown = text((one.get("author") or {}).get("display_name"))
        name = text(one.get("raw_author_name")) or shown
        if name is None:
            continue
        if name.isupper():
            name = shown if shown and fold(name) == fold(shown) else _in_small_letters(name, shown or "")
        people.append(whole_name(name))
    return tuple(people)


def _in_small_letters(name: str, shown: str) -> str:
    """Give a name in capitals as it is spoken; short words may be initials (`ROE JA`), but not those of the name shown.

    >>> _in_small_letters("VAN DER ROE, JAN", "Jan van der Roe"), _in_small_letters("ROE JA", "Jane A. Roe")
    ('van der Roe, Jan', 'Roe JA')
    """
    known = {fold(word): word for word in shown.split()}
    words = []
    for word in name.split():
        bare = word.rstrip(",")
        small = known.get(fold(bare)) or (bare.title() if len(bare) > _MOST_INITIALS else bare)
        words.append(small + word[len(bare) :])
    return " ".join(words)


def _pages(first: str | None, last: str | None) -> str | None:
    return f"{first}-{last}" if first and last and first != last else first or last


def _type(row: Row, first: Row, source: Row) -> str | None:
    raw = first.get("raw_type") or row.get("type_crossref")
    if raw in _RAW_TYPES:
        return _RAW_TYPES[raw]
    kind = _TYPES.get(row.get("type") or "")
    if kind == "article-journal" and (place := source.get("type")) in ("conference", "repository"):
        return "paper-conference" if place == "conference" else "preprint"
    return kind


def _last(url: Any) -> str | None:
    """Give the last part of an address: the id itself."""
    return url.rpartition("/")[2] or None if type(url) is str else None


def _related(locations: Any, own: str | None) -> tuple[Related, ...]:
    if len(locations) < 2 and own:  # noqa: PLR2004 - nearly always its own page
        return ()
    found = (linked(_KINDS.get(one.get("version") or "", "version"), one.get("landing_page_url")) for one in locations)
    return distinct(found, own, doi_arxiv(own))
