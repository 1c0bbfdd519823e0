"""Give a stored record as a `Work`, with the dirt of dumps put right: names, types, author lists that were cut."""

from __future__ import annotations

from citeaudit.identifiers import clean_doi, clean_url, doi_arxiv_id
from citeaudit.index.store.record import Name, Record, Related
from citeaudit.model import Identifiers, Notice, Person, Version, Work, WorkType
from citeaudit.text.names import parse_person
from citeaudit.text.normalize import fold

RUN_TOGETHER = 4
"""Words of one name, initials aside, from which it is taken for two names."""

SCHEMES = ("doi", "arxiv_id", "pmid", "pmcid", "isbn")
"""Identifiers of a record, by the names of its fields."""

_TYPES = {member.value: member for member in WorkType}


def _arxiv_doi(doi: str | None) -> str | None:
    return doi_arxiv_id(doi) if doi and doi.startswith("10.48550/") else None


def person(name: Name) -> Person:
    """Give a name as a `Person`, with two kinds of dirt put right.

    A whole name in the family field (`Maximilian L. Ach`) becomes a literal, since where to split it is a guess;
    an initial in the family field beside a longer given name (`G`, `Hardin`) means that the two were swapped.
    """
    family, given, literal = name
    family = family.strip() or None if family else None
    given = given.strip() or None if given else None
    literal = literal.strip() or None if literal else None
    if literal and literal.count(",") == 1:
        return parse_person(literal)  # a plain string in the bibliography's order: `Doe, Jane`
    if literal or not (family or given):
        return _person(literal=literal or "?")
    if family and given and _is_initials(family) and not _is_initials(given):
        family, given = given, family
    if family is None or (given is None and " " in family):
        return _person(literal=family or given)
    return _person(family, given)


def _person(family: str | None = None, given: str | None = None, literal: str | None = None) -> Person:
    return Person.built(family=family, given=given, literal=literal, suffix=None, orcid=None)


def surnames_of(record: Record) -> frozenset[str]:
    """Give the folded words of all surnames of a record, initials left out."""
    names = (name.family or name.literal or "" for name in record.authors)
    return frozenset(word for name in names for word in fold(name).split() if len(word) > 1)


def _is_initials(text: str) -> bool:
    if len(text) > 2 and text.isalpha():  # noqa: PLR2004 - nearly all surnames
        return False
    letters = text.replace(".", "").replace(" ", "")
    return len(letters) <= 1 or (len(letters) == 2 and letters.isupper())  # noqa: PLR2004 - `JR`, against `Li`


def is_complete(record: Record) -> bool:
    """Whether the author list may be taken as whole.

    Where the record does not say, a single author is taken as one of several in two cases: without given names,
    as collections made from reference lists record a work of many (`Hanahan 2000`), and with so many words that
    names were run together (`Junzi Zhang Xin Guo`: the last and the first author).
    """
    if record.authors_complete is not None:
        return record.authors_complete
    if len(record.authors) != 1 or record.authors[0].literal:
        return True
    (only,) = record.authors
    words = [word for word in f"{only.given or ''} {only.family or ''}".split() if len(word.strip(".")) > 1]
    return bool(only.given) and len(words) < RUN_TOGETHER


def work_type(record: Record) -> WorkType:
    """Give the type the record names; an arXiv id without a venue, or with arXiv as its venue, makes it a preprint."""
    if record.type in _TYPES:
        return _TYPES[record.type]
    venue = fold(record.venue or "")
    if (record.arxiv_id or _arxiv_doi(record.doi)) and (not venue or venue.startswith(("arxiv", "corr"))):
        return WorkType.PREPRINT
    return WorkType.UNKNOWN


def identifiers(record: Record) -> Identifiers:
    """Give the identifiers of a tidy record; its address is cleaned here, since few records are ever shown."""
    schemes = {scheme: getattr(record, scheme) for scheme in SCHEMES}
    return Identifiers(**schemes, url=clean_url(record.url))


def as_version(record: Record, title: str | None = None) -> Version:
    """Give a tidy record as another version of the work that stands for it.

    Args:
        record: The record.
        title: One of its other titles, to stand in place of its own.
    """
    return Version(
        type=work_type(record),
        title=title or record.title,
        year=record.year,
        container_title=record.venue,
        volume=record.volume,
        pages=record.pages,
        identifiers=identifiers(record),
    )


def _related_version(related: Related) -> Version | None:
    """Give a version of which only the identifier is known; `None` where that is of no use."""
    if related.scheme not in SCHEMES:
        return None
    kind = WorkType.PREPRINT if related.kind == "preprint" else WorkType.UNKNOWN
    return Version(type=kind, identifiers=Identifiers.model_validate({related.scheme: related.value}))


def _versions(record: Record, others: tuple[Record, ...]) -> tuple[Version, ...]:
    """Give all other forms: the other records, other titles of any record, and versions known by identifier alone.

    A version that is known by its identifier alone adds nothing where a record carries the identifier.
    """
    whole = [as_version(other) for other in others]
    whole += [as_version(one, title) for one in (record, *others) for title in one.titles]
    whole += [as_version(one._replace(year=year)) for one in (record, *others) for year in one.years]
    if not any(one.related for one in (record, *others)):
        return tuple(dict.fromkeys(whole))
    known = {pair for one in (record, *others) for pair in identifiers(one).pairs()}
    bare = [_related_version(related) for one in (record, *others) for related in one.related]
    whole += [version for version in bare if version is not None and not known.issuperset(version.identifiers.pairs())]
    return tuple(dict.fromkeys(whole))


def as_work(record: Record, *, source: str, source_id: str, others: tuple[Record, ...] = ()) -> Work:
    """Give a tidy record as a `Work`.

    Args:
        record: The one that stands for the work.
        source: Name of the index.
        source_id: Key of the record in it, where the record has none of its own.
        others: Further records of the same work; they become versions, and their notices are kept.
    """
    notices = dict.fromkeys(notice for one in (record, *others) for notice in one.notices)
    return Work(
        source=source,
        source_id=record.id or source_id,
        type=work_type(record),
        title=record.title,
        authors=tuple(person(name) for name in record.authors),
        authors_complete=is_complete(record),
        editors=tuple(person(name) for name in record.editors),
        year=record.year,
        container_title=record.venue,
        volume=record.volume,
        issue=record.issue,
        pages=record.pages,
        publisher=record.publisher,
        identifiers=identifiers(record),
        versions=_versions(record, others),
        notices=tuple(Notice(type=one.type, doi=clean_doi(one.doi), year=one.year) for one in notices),
    )
