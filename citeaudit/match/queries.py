"""Turn a reference into the questions that sources are asked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citeaudit.identifiers import doi_arxiv_id
from citeaudit.match.identifiers import cited_ids
from citeaudit.model import Query, QueryKind, Reference
from citeaudit.text.normalize import MAX_TITLE, fold, squash

MAX_CITATION = 500
"""Characters of a printed reference without a title that are sent as they stand."""
_TITLE_FIELD = re.compile(r"\btitle\s{0,9}=", re.IGNORECASE)
_NEXT_FIELD = re.compile(r",\s{0,99}[a-z_-]{1,40}\s{0,9}=\s{0,9}[{\"]", re.IGNORECASE)
_FORMULA = re.compile(r"(?<!\\)\$|\\\(|\\ensuremath\b")
_SCHEMES = (QueryKind.DOI, QueryKind.ARXIV_ID, QueryKind.PMID, QueryKind.PMCID, QueryKind.ISBN)


def queries(reference: Reference) -> tuple[Query, ...]:
    """Give the questions for one reference: its identifiers first, then its title, or its words where it has no title.

    Never empty. Of a reference that came typed (.bib) only bibliographic fields become words, never its source, which
    may hold paths, notes, keys and abstracts; where it has none of them the words are empty. arXiv ids are asked
    without their version, and an arXiv DOI also as the id that it names, because most registries do not know such DOIs.
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
        return _query(reference, QueryKind.TITLE, title, doi=reference.identifiers.doi)
    words = _fields(reference) if _typed(reference) else reference.raw
    return _query(reference, QueryKind.CITATION, squash(words[:MAX_CITATION]), doi=reference.identifiers.doi)


def _has_formula(reference: Reference) -> bool:
    """Whether the title of a typed entry is written with a formula, of which its text may have lost a part."""
    field = _TITLE_FIELD.search(reference.raw) if _typed(reference) else None
    if field is None:
        return False
    source = reference.raw[field.end() : field.end() + MAX_TITLE]
    following = _NEXT_FIELD.search(source)
    return _FORMULA.search(source[: following.start()] if following else source) is not None


def _typed(reference: Reference) -> bool:
    """Whether the raw text is the source of an entry, not something printed; in doubt it is."""
    return reference.parse_score == 1.0 or reference.raw.lstrip().startswith("@")


def _fields(reference: Reference) -> str:
    """Give the words of a reference that are there for everyone to read."""
    people = [name for person in reference.authors or reference.editors if (name := person.family or person.literal)]
    year = str(reference.year) if reference.year is not None else None
    rest = (reference.container_title, reference.volume, reference.pages, year, reference.publisher)
    return ", ".join((*people, *filter(None, rest)))


def _query(reference: Reference, kind: QueryKind, text: str, *, doi: str | None = None) -> Query:
    people = reference.authors or reference.editors
    return Query(
        kind=kind,
        text=text,
        families=tuple(name for person in people if (name := person.family or person.literal)),
        year=reference.year,
        container_title=reference.container_title,
        type=reference.type,
        doi=doi,
        formula=kind is QueryKind.TITLE and _has_formula(reference),
        # only where there is no title: a question by title keeps the form it was remembered in
        volume=reference.volume if kind is QueryKind.CITATION else None,
        page=reference.pages if kind is QueryKind.CITATION else None,
    )
