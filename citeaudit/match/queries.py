"""Turn a reference into the questions that sources are asked."""

from __future__ import annotations

from collections.abc import Iterator

from citeaudit.identifiers import doi_arxiv_id
from citeaudit.match.compare import cited_ids
from citeaudit.model import Query, QueryKind, Reference
from citeaudit.text.normalize import MAX_TITLE, fold, squash

MAX_CITATION = 2_000
"""Characters of an unread reference that are sent as they stand."""
_SCHEMES = (QueryKind.DOI, QueryKind.ARXIV_ID, QueryKind.PMID, QueryKind.PMCID, QueryKind.ISBN)


def queries(reference: Reference) -> tuple[Query, ...]:
    """Give the questions for one reference: its identifiers first, then its title, or its words where it has no title.

    Never empty. arXiv ids are asked without their version, and an arXiv DOI also as the id that it names,
    because most registries do not know such DOIs.
    """
    return (*_by_identifier(reference), _by_words(reference))


def _by_identifier(reference: Reference) -> Iterator[Query]:
    for kind in _SCHEMES:
        if kind is QueryKind.DOI:  # cited_ids also gives the DOI that an arXiv id implies, which nobody cited
            texts = [reference.identifiers.doi.lower()] if reference.identifiers.doi else []
            texts = [min(cited_ids(reference, kind)) if doi_arxiv_id(text) else text for text in texts]
        else:
            texts = sorted(cited_ids(reference, kind))
        for text in texts:
            yield _query(reference, kind, text)


def _by_words(reference: Reference) -> Query:
    title = squash((reference.title or "")[:MAX_TITLE])
    if fold(title):
        return _query(reference, QueryKind.TITLE, title)
    return _query(reference, QueryKind.CITATION, squash(reference.raw[:MAX_CITATION]))


def _query(reference: Reference, kind: QueryKind, text: str) -> Query:
    people = reference.authors or reference.editors
    return Query(
        kind=kind,
        text=text,
        families=tuple(name for person in people if (name := person.family or person.literal)),
        year=reference.year,
        container_title=reference.container_title,
        type=reference.type,
    )
