"""Read DataCite's records: the public and monthly data files, and answers of the REST API that were kept.

Form: https://support.datacite.org/docs/datacite-public-data-file; one `attributes` object a line, or `data` objects
around them, in `dois/updated_YYYY-MM/part_NNNN.jsonl.gz`, alone or in a tar.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citeaudit.index.dumps import objects
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.objects import Row, text
from citeaudit.index.dumps.values import distinct, doi, doi_arxiv, related, whole_name
from citeaudit.index.store.record import Malformed, Name, Record, Related
from citeaudit.text.normalize import fold

NAME = "datacite"

#: https://datacite-metadata-schema.readthedocs.io, `resourceTypeGeneral`
_TYPES = {
    "JournalArticle": "article-journal",
    "DataPaper": "article-journal",
    "ConferencePaper": "paper-conference",
    "Preprint": "preprint",
    "Book": "book",
    "BookChapter": "chapter",
    "Dissertation": "thesis",
    "Report": "report",
    "Standard": "standard",
    "Software": "software",
    "ComputationalNotebook": "software",
    "Dataset": "dataset",
    "PeerReview": "review",
}
#: The free text beside `Text` and `Other`, folded.
_FREE_TYPES = {
    "article": "article-journal",
    "journal article": "article-journal",
    "journalarticle": "article-journal",
    "conference paper": "paper-conference",
    "preprint": "preprint",
    "thesis": "thesis",
    "dissertation": "thesis",
    "doctoral thesis": "thesis",
    "report": "report",
    "book": "book",
    "book chapter": "chapter",
}
_RELATIONS = {
    "IsVersionOf": "version",
    "HasVersion": "version",
    "IsIdenticalTo": "version",
    "IsVariantFormOf": "version",
    "IsOriginalFormOf": "version",
    "IsNewVersionOf": "version",
    "IsPreviousVersionOf": "version",
    "IsPreprintOf": "published",
    "HasPreprint": "preprint",
}
_SCHEMES = {"DOI": "doi", "arXiv": "arxiv_id", "PMID": "pmid"}
_CONTAINERS = frozenset({"Series", "Journal", "Book", "Proceedings"})
_ARXIV_PUBLISHED = "IsVersionOf"
_OTHERS = frozenset({"et al", "others"})

_PERSON = dict.fromkeys(("name", "nameType", "givenName", "familyName", "contributorType"), str)
_ATTRIBUTES: Row = {
    **dict.fromkeys(("doi", "state", "updated", "publisher"), str),
    "titles": [{"title": str, "titleType": str}],
    "creators": [_PERSON],
    "contributors": [_PERSON],
    "publicationYear": int,
    "container": dict.fromkeys(("title", "volume", "issue", "firstPage", "lastPage", "type"), str),
    "types": {"resourceTypeGeneral": str, "resourceType": str},
    "relatedIdentifiers": [dict.fromkeys(("relationType", "relatedIdentifier", "relatedIdentifierType"), str)],
}
_SHAPE: Row = {"id": str, "attributes": _ATTRIBUTES, **_ATTRIBUTES}


class DataciteDump:
    """Reads DataCite's records; those that are not findable are none."""

    name = NAME
    suffixes: tuple[str, ...] = objects.SUFFIXES

    def split(self, path: Path) -> Iterator[Unit]:
        """Give the units of a file; see `objects.split`."""
        return objects.split(path, self.suffixes)

    def read(self, unit: Unit) -> Iterator[Record | Fault]:
        """Give the records of a unit; see `objects.read`."""
        return objects.read(unit, _convert, _SHAPE, _unwrap, (), frozenset({"attributes", "titles"}))


def _unwrap(row: Row) -> list[Any] | None:
    """Open an answer of the API, `{"data": [...]}` or `{"data": {...}}`."""
    data = row.get("data")
    if "attributes" in row or "doi" in row or not isinstance(data, list | dict):
        return None
    return data if type(data) is list else [data]


def _convert(row: Row) -> Record | None:
    attributes = row.get("attributes") or row
    get = attributes.get
    if get("state", "findable") != "findable":
        return None
    title, others = _titles(get("titles") or ())
    own = doi(get("doi") or row.get("id"))
    number = doi_arxiv(own)
    people, complete = _people(get("creators") or ())
    place, found = get("container") or {}, get("relatedIdentifiers")
    contributors, publisher = get("contributors"), get("publisher")
    return Record(
        title=title,
        authors=people,
        authors_complete=complete,
        year=objects.year(get("publicationYear")),
        venue=text(place.get("title")) if place.get("type") in _CONTAINERS else _server(number),
        volume=text(place.get("volume")),
        issue=text(place.get("issue")),
        pages=_pages(text(place.get("firstPage")), text(place.get("lastPage"))),
        publisher=text(publisher.get("name") if type(publisher) is dict else publisher),
        type=_type(get("types") or {}, number),
        doi=own,
        arxiv_id=number,
        src=NAME,
        titles=others,
        related=_related(found, own, number) if found else (),
        editors=_editors(contributors) if contributors else (),
        updated=objects.day(get("updated")),
    )


def _server(number: str | None) -> str | None:
    return "arXiv" if number else None


def _titles(listed: Any) -> tuple[str, tuple[str, ...]]:
    """Give the title with its subtitle, and the others: alternative and translated ones."""
    first = subtitle = None
    others: list[str] = []
    for one in listed:
        value, kind = text(one.get("title")), one.get("titleType")
        if value is None:
            continue
        if kind == "Subtitle" and subtitle is None:
            subtitle = value
        elif first is None and not kind:
            first = value
        else:
            others.append(value)
    if first is None:
        if not others:
            raise Malformed("no title")
        first = others.pop(0)
    if subtitle and fold(subtitle) not in fold(first):
        first = f"{first.rstrip(' :')}: {subtitle}"
    return first, tuple(dict.fromkeys(other for other in others if other != first))


def _people(listed: Any) -> tuple[tuple[Name, ...], bool | None]:
    people: list[Name] = []
    complete = None
    for one in listed:
        family, given, name = text(one.get("familyName")), text(one.get("givenName")), text(one.get("name"))
        if one.get("nameType") == "Organizational":
            whole = name or family or given
            people.extend([Name(literal=whole)] if whole else [])
        elif family:
            people.append(Name(family, given))
        elif name and fold(name) in _OTHERS:
            complete = False
        elif name or given:
            people.append(whole_name(name or given or ""))
    return tuple(people), complete


def _editors(listed: Any) -> tuple[Name, ...]:
    return _people(one for one in listed if one.get("contributorType") == "Editor")[0]


def _pages(first: str | None, last: str | None) -> str | None:
    return f"{first}-{last}" if first and last and first != last else first or last


def _type(types: Row, number: str | None) -> str | None:
    if number:
        return "preprint"  # arXiv registers its papers as `Text` or `Article`, depending on the year
    general = types.get("resourceTypeGeneral") or ""
    return _TYPES.get(general) or _FREE_TYPES.get(fold(text(types.get("resourceType")) or ""))


def _related(listed: Any, own: str | None, number: str | None) -> tuple[Related, ...]:
    """Give the other versions; of a paper of arXiv, `IsVersionOf` a DOI names the published one."""
    found = []
    for one in listed:
        relation = one.get("relationType")
        kind, scheme = _RELATIONS.get(relation or ""), _SCHEMES.get(one.get("relatedIdentifierType") or "")
        if kind and scheme:
            kind = "published" if number and relation == _ARXIV_PUBLISHED and scheme == "doi" else kind
            found.append(related(kind, scheme, one.get("relatedIdentifier")))
    return distinct(found, own, number)
