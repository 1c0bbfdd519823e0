"""Read the `papers` data set of Semantic Scholar: one JSON object a line, in a few dozen packed files.

Form: https://api.semanticscholar.org/api-docs/datasets, data set `papers`; its names are those of the API in lower
case. Answers of the Graph API, one paper a line, are read too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citeaudit.index.dumps import objects
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.objects import Row, text
from citeaudit.index.dumps.values import arxiv_id, doi, doi_arxiv, whole_name
from citeaudit.index.store.record import Malformed, Name, Record
from citeaudit.text.marks import names_arxiv, names_server
from citeaudit.text.normalize import fold

NAME = "s2"
CUT = 500
"""Authors from which a list may have been cut."""

#: The first of these that a record lists decides; `Review` and `CaseReport` are kinds of article.
_TYPES = {
    "Conference": "paper-conference",
    "Book": "book",
    "BookSection": "chapter",
    "Dataset": "dataset",
    "JournalArticle": "article-journal",
    "Review": "article-journal",
}
_REVIEWS = "faculty opinions"
"""A venue of recommendations, each named after the paper that it is about."""

_IDS = dict.fromkeys(("DOI", "ArXiv", "PubMed", "PubMedCentral"), str)
_JOURNAL = dict.fromkeys(("name", "volume", "pages"), str)
_SHAPE: Row = {
    **dict.fromkeys(("corpusid", "corpusId", "paperId", "title", "venue", "updated"), str),
    "externalids": _IDS,
    "externalIds": _IDS,
    "publicationtypes": [str],
    "publicationTypes": [str],
    "year": int,
    "authors": [{"name": str}],
    "journal": _JOURNAL,
}


class S2Dump:
    """Reads Semantic Scholar's papers.

    One record often stands for a preprint and its publication: it carries both the arXiv id and the DOI, and the
    year and venue of one of them. Retractions are not recorded there.
    """

    name = NAME
    suffixes: tuple[str, ...] = (".gz", *objects.SUFFIXES)

    def split(self, path: Path) -> Iterator[Unit]:
        """Give the units of a file; see `objects.split`."""
        return objects.split(path, self.suffixes)

    def read(self, unit: Unit) -> Iterator[Record | Fault]:
        """Give the records of a unit; see `objects.read`."""
        return objects.read(
            unit, _convert, _SHAPE, _unwrap, (), frozenset({"corpusid", "paperId", "externalids", "externalIds"})
        )


def _unwrap(row: Row) -> list[Any] | None:
    """Open an answer of the Graph API, `{"total": ..., "data": [...]}`."""
    data = row.get("data")
    return data if type(data) is list and "title" not in row else None


def _convert(row: Row) -> Record | None:
    get = row.get
    title = text(get("title"))
    if title is None:
        raise Malformed("no title")
    ids = get("externalids") or get("externalIds") or {}
    journal = get("journal") or {}
    venue = text(get("venue")) or text(journal.get("name"))
    people = _people(get("authors") or ())
    number, own = arxiv_id(ids.get("ArXiv")), doi(ids.get("DOI"))
    named = doi_arxiv(own)
    preprint = names_arxiv(venue) or names_server(venue)
    posted = preprint or names_arxiv(text(journal.get("name")))
    return Record(
        title=title,
        authors=people,
        authors_complete=False if len(people) >= CUT else None,
        year=objects.year(get("year")),
        venue=venue,
        # of a server they are `abs/1706.03762`, or those of a journal that is not named; the venue may be a meeting's
        volume=None if posted else text(journal.get("volume")),
        pages=None if posted else text(journal.get("pages")),
        type=_type(
            get("publicationtypes") or get("publicationTypes") or (),
            venue,
            preprint or (bool(number or named) and venue is None),
        ),
        doi=own,
        arxiv_id=number or named,
        pmid=text(ids.get("PubMed")),
        pmcid=text(ids.get("PubMedCentral")),
        src=NAME,
        id=text(get("corpusid") or get("corpusId")) or text(get("paperId")),
        updated=objects.day(get("updated")),
    )


def _people(listed: Any) -> tuple[Name, ...]:
    return tuple(whole_name(name) for one in listed if (name := text(one["name"])))


def _type(kinds: Any, venue: str | None, preprint: bool) -> str | None:
    if preprint:
        return "preprint"
    if venue and fold(venue).startswith(_REVIEWS):
        return "review"
    return next((value for name, value in _TYPES.items() if name in kinds), None)
