"""Compare cited identifiers with those of all versions of a work."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from citeaudit.identifiers import bare_arxiv_id, doi_arxiv_id
from citeaudit.match.field import match_of
from citeaudit.model import FieldMatch, FieldName, Identifiers, Reference, Work

ARXIV_DOI = "10.48550/arxiv."
"""What the DOIs of arXiv begin with (DataCite, since 2022)."""
_ZENODO = "10.5281/zenodo."
"""Zenodo gives every version of a deposit a DOI, and all of them together another one."""
_VERSIONED = re.compile(
    r"(10\.(?:1101|64898)/\d{4}\.\d\d\.\d\d\.\d{4,10}|10\.1101/\d{4,8}|10\.20944/preprints[\d.]{8,20}"
    r"|10\.21203/rs\.\d\.rs-\d{1,9}|10\.26434/chemrxiv[-.][\w-]{4,30}?|10\.6084/m9\.figshare\.\d{1,9}"
    r"|10\.31(?:219|234)/osf\.io/\w{4,8}?)[./_-]?v\d{1,3}"
)  # bioRxiv and medRxiv, Preprints.org, Research Square, ChemRxiv, figshare, OSF
_SCHEMES = (FieldName.DOI, FieldName.ARXIV_ID, FieldName.PMID, FieldName.PMCID, FieldName.ISBN)


def work_ids(work: Work, scheme: str) -> frozenset[str]:
    """Give every identifier of one scheme that any version of a work has; arXiv ids without their version.

    An arXiv id stands for its DOI, and such a DOI for its id.
    """
    sets = (work.identifiers, *(version.identifiers for version in work.versions))
    return frozenset(value for ids in sets for value in _ids(ids, scheme))


def cited_ids(reference: Reference, scheme: str) -> frozenset[str]:
    """Give the cited identifier of one scheme in the form of `work_ids`; empty where none is cited."""
    return frozenset(_ids(reference.identifiers, scheme))


def identifier_matches(reference: Reference, work: Work) -> Iterable[FieldMatch | None]:
    """Compare every identifier that either side has."""
    for scheme in _SCHEMES:
        claimed = getattr(reference.identifiers, scheme)
        if claimed:
            own = Identifiers(**{scheme.value: claimed})  # a right arXiv id makes no wrong DOI beside it right
            yield _identifier(scheme, claimed, work_ids(work, scheme), frozenset(_ids(own, scheme)))
        elif value := getattr(work.identifiers, scheme):
            yield match_of(scheme, f"{scheme}_not_cited", (None, value))


def _identifier(scheme: FieldName, claimed: str, recorded: frozenset[str], cited: frozenset[str]) -> FieldMatch:
    """Compare one identifier; a preprint's DOI says nothing about the DOI of its publication."""
    if cited & recorded:
        return match_of(scheme, f"{scheme}_same", (claimed, min(cited & recorded)))
    if scheme is FieldName.DOI:
        archived = all(value.startswith(ARXIV_DOI) for value in cited)
        recorded = frozenset(value for value in recorded if value.startswith(ARXIV_DOI) == archived)
    if not recorded:
        return match_of(scheme, f"{scheme}_not_recorded", (claimed, None))
    found = min(recorded)
    if scheme is FieldName.DOI and all(value.startswith(_ZENODO) for value in (*cited, found)):
        return match_of(scheme, "doi_of_version", (claimed, found), (f"{claimed} -> {found}",))
    return match_of(scheme, f"{scheme}_other_than_recorded", (claimed, found), (f"{claimed} -> {found}",))


def _ids(ids: Identifiers, scheme: str) -> Iterable[str]:
    if scheme not in ("doi", "arxiv_id"):
        if value := getattr(ids, scheme):
            yield value
        return
    registered = doi_arxiv_id(ids.doi) if ids.doi and ids.doi.lower().startswith(ARXIV_DOI) else None
    given = [value for value in (ids.arxiv_id, registered) if value]
    bare = {bare_arxiv_id(value).lower() for value in given} if given else set()
    if scheme == "arxiv_id":
        yield from bare
        return
    yield from (f"{ARXIV_DOI}{value}" for value in bare)
    if ids.doi and not registered:
        yield (doi := ids.doi.lower())
        if (text := one_doi(doi)) != doi:
            yield text


@lru_cache(maxsize=16_384)
def one_doi(doi: str) -> str:
    """Give one DOI for those that name the same text: versions of a preprint, both editions of Angewandte Chemie.

    >>> one_doi("10.1101/2020.01.01.123456v2"), one_doi("10.1002/ange.201200001")
    ('10.1101/2020.01.01.123456', '10.1002/anie.201200001')
    """
    doi = doi.lower()
    if doi.startswith("10.1002/ange."):
        return doi.replace("ange.", "anie.", 1)
    hit = _VERSIONED.fullmatch(doi)
    return hit.group(1) if hit else doi
