"""What can be said about a reference by itself: dates to come, identifiers that cannot exist or contradict each other.

Such a check needs no record, so it also speaks where nothing is found; a record that has the very same identifier
outweighs it. Identifiers that a reader could not clean are looked for in the text of the reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from citeaudit.identifiers import bare_arxiv_id, clean_doi, clean_isbn, doi_arxiv_id, find_doi
from citeaudit.match.arxiv_ids import arxiv_month, arxiv_rule
from citeaudit.match.field import match_of
from citeaudit.match.identifiers import ARXIV_DOI
from citeaudit.match.registrants import is_given_out, is_usual, registrant
from citeaudit.match.years import future, read_otherwise
from citeaudit.model import FieldMatch, FieldName, Reference
from citeaudit.text.lists import read_rows

LATER = 3
"""Years from which an arXiv id is later than the work that it is cited for; older papers are rarely posted."""
EARLY = 2
"""Most years by which PubMed has a work before its year of issue."""
PMID_A_YEAR, PMCID_A_YEAR = 2_500_000, 1_800_000
"""Ids that are let pass for each year after the last of the table."""
TYPED = 1.0
"""Parse score of references that came with named fields: only there is a misspelt identifier no slip of reading."""
_MAX_RAW = 4_000
_RAW_ARXIV = re.compile(
    r"(?:arxiv(?:\.org/(?:abs|pdf)/|[\s:.]{0,3})|eprint[\s=]{1,6}[{\"])(\d{4}\.\d{4,5})(?![\d.]\d)", re.IGNORECASE
)
_RAW_DOI = re.compile(
    r"\bdoi[\s=:]{1,6}[{\"]?\s?(?:https?://(?:dx\.)?doi\.org/)?(10\.?[^\s\"{},]{0,200})", re.IGNORECASE
)
_RAW_ISBN = re.compile(r"\bisbn(?:-?1[03])?[\s=:]{0,6}[{\"]?\s?([\dXx][\dXx -]{8,16}[\dXx])(?![\dXx])", re.IGNORECASE)
_ISBN_DIGITS = (10, 13)
_URL_ARXIV = re.compile(r"https?://(?:www\.|export\.)?arxiv\.org/(?:abs|pdf)/(\d{4}\.\d{4,5})", re.IGNORECASE)
_Found = tuple[FieldName, str, str]


def claims(reference: Reference, today: date) -> tuple[FieldMatch, ...]:
    """Give what is wrong with a reference whatever any record says: one match a doubtful field, in their order.

    Args:
        reference: What the manuscript claims.
        today: Day of the check, UTC: that of the newest answer.
    """
    found: dict[FieldName, FieldMatch] = {}
    checks = (
        _year(reference, today),
        _arxiv(reference, today),
        _pair(reference),
        _doi(reference),
        _pubmed(reference, today),
    )
    for check in (*checks, _isbn(reference)):
        for field, rule, claimed in check:
            found.setdefault(field, match_of(field, rule, (claimed, None)))
    return tuple(sorted(found.values(), key=lambda item: list(FieldName).index(item.field)))


def _year(reference: Reference, today: date) -> Iterator[_Found]:
    year = reference.year
    if year is not None and future(year, today.year):
        others = [other for other in read_otherwise(year) if not future(other, today.year)]
        yield FieldName.YEAR, "year_of_other_calendar" if others else "year_in_future", str(year)


def _arxiv(reference: Reference, today: date) -> Iterator[_Found]:
    cited = arxiv_text(reference)
    if cited is None:
        return
    rule, month = arxiv_rule(cited, today), arxiv_month(cited)
    if rule is not None:
        yield FieldName.ARXIV_ID, rule, cited
    elif month is not None and reference.year is not None and month[0] - reference.year >= LATER:
        yield FieldName.ARXIV_ID, "arxiv_id_later_than_year", cited


def arxiv_text(reference: Reference) -> str | None:
    """Give the cited arXiv id as printed, also where it is none; `None` where nothing like one is cited."""
    ids = reference.identifiers
    if ids.arxiv_id:
        return ids.arxiv_id
    if ids.doi and ids.doi.startswith(ARXIV_DOI):
        return ids.doi.removeprefix(ARXIV_DOI)
    hit = _RAW_ARXIV.search(reference.raw[:_MAX_RAW])
    return hit.group(1) if hit else None


def _pair(reference: Reference) -> Iterator[_Found]:
    """Hold the identifiers of a reference against each other: arXiv id, arXiv DOI, web address."""
    ids = reference.identifiers
    named = {bare_arxiv_id(value).lower() for value in (ids.arxiv_id, doi_arxiv_id(ids.doi)) if value}
    address = _URL_ARXIV.match(ids.url or "")
    if address:
        named.add(address.group(1))
    if len(named) > 1:
        field = FieldName.ARXIV_ID if ids.arxiv_id else FieldName.DOI
        yield field, "identifiers_disagree", ", ".join(sorted(named))
    doi = _resolved(ids.url)
    if doi and ids.doi and doi != ids.doi and not {doi[: len(ARXIV_DOI)], ids.doi[: len(ARXIV_DOI)]} & {ARXIV_DOI}:
        yield FieldName.DOI, "identifiers_disagree", f"{ids.doi}, {doi}"


def _resolved(url: str | None) -> str | None:
    return find_doi(url) if url and "doi.org/" in url.lower() else None


def _doi(reference: Reference) -> Iterator[_Found]:
    doi = reference.identifiers.doi
    if doi is None:
        hit = _RAW_DOI.search(reference.raw[:_MAX_RAW]) if reference.parse_score >= TYPED else None
        if hit and clean_doi(hit.group(1)) is None:
            yield FieldName.DOI, "doi_malformed", hit.group(1)
        return
    number = registrant(doi)
    if number is None:
        return
    if not is_given_out(number):
        yield FieldName.DOI, "doi_prefix_unknown", doi
    elif not is_usual(number, reference.container_title or ""):
        yield FieldName.DOI, "doi_registrant_unusual", doi


def _isbn(reference: Reference) -> Iterator[_Found]:
    if reference.identifiers.isbn or reference.parse_score < TYPED:
        return
    for hit in _RAW_ISBN.finditer(reference.raw[:_MAX_RAW]):
        digits = re.sub(r"[ -]", "", hit.group(1))
        if len(digits) in _ISBN_DIGITS and clean_isbn(digits) is None:
            yield FieldName.ISBN, "isbn_checksum", hit.group(1)


@cache
def _pubmed_years() -> tuple[tuple[int, int, int], ...]:
    rows = read_rows("citeaudit.match", "pubmed_years.tsv")
    return tuple((int(row[0]), int(row[1]), int(row[2])) for row in rows)


def _pubmed(reference: Reference, today: date) -> Iterator[_Found]:
    ids = reference.identifiers
    last, pmids, pmcids = _pubmed_years()[-1]
    since = max(1, today.year - last)
    if ids.pmid and ids.pmid.isdecimal():
        number = int(ids.pmid)
        given = next((year for year, highest, _ in _pubmed_years() if number <= highest), None)
        early = given is not None and reference.year is not None and reference.year > given + EARLY
        if early or number > pmids + PMID_A_YEAR * since:
            yield FieldName.PMID, "pmid_unlikely", ids.pmid
    digits = (ids.pmcid or "").upper().removeprefix("PMC")
    if digits.isdecimal() and int(digits) > pmcids + PMCID_A_YEAR * since:
        yield FieldName.PMCID, "pmcid_unlikely", ids.pmcid or ""
