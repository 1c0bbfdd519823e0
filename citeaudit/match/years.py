"""Compare the cited year with those of all versions of a work."""

from __future__ import annotations

from citeaudit.match.field import match_of
from citeaudit.match.identifiers import cited_ids, work_ids
from citeaudit.match.venues import is_preprint, is_preprint_doi
from citeaudit.model import FieldMatch, FieldName, Reference, Version, Work, WorkType

PREPRINT_YEARS = 3
"""Most years by which a preprint is cited before its recorded publication that are taken as usual."""
PUBLISHED_YEARS = 6
"""Most years by which a publication is cited after its recorded preprint that are taken as usual."""
EDITION_YEARS = 60
"""Most years between two editions of a book that are taken as usual."""
_BOOKS = frozenset({WorkType.BOOK, WorkType.CHAPTER, WorkType.REFERENCE_ENTRY})


def year_match(reference: Reference, work: Work) -> tuple[FieldMatch, int | None]:
    """Compare the year; the gap is to the nearest version, `None` where one side has no year."""
    years = sorted({year for year in (work.year, *(version.year for version in work.versions)) if year is not None})
    found = ", ".join(map(str, years)) or None
    claimed = reference.year
    if claimed is None:
        return match_of(FieldName.YEAR, "year_not_cited", (None, found)), None
    texts = (str(claimed), found)
    if not years:
        return match_of(FieldName.YEAR, "year_not_recorded", texts), None
    gap = min(abs(claimed - year) for year in years)
    rule = _year_rule(reference, work, years, gap)
    diff = () if gap == 0 else (f"{claimed} -> {found}",)
    return match_of(FieldName.YEAR, rule, texts, diff), gap


def _year_rule(reference: Reference, work: Work, years: list[int], gap: int) -> str:
    claimed = reference.year or 0
    if gap <= 1:
        return "year_off_by_one" if gap else "year_same"
    if years[0] < claimed < years[-1]:
        return "year_between_versions"
    later = claimed > years[-1]
    if gap <= (PUBLISHED_YEARS if later else PREPRINT_YEARS) and _preprint_gap(reference, work, later=later):
        return "year_preprint"
    if claimed > years[-1] and cited_ids(reference, "arxiv_id") & work_ids(work, "arxiv_id"):
        return "year_of_revision"  # arXiv exports the year of the last revision
    sides = {reference.type, work.type}
    books = bool(sides & _BOOKS) and sides <= _BOOKS | {WorkType.UNKNOWN}
    return "year_of_edition" if books and gap <= EDITION_YEARS else "year_differs"


def _preprint_gap(reference: Reference, work: Work, *, later: bool) -> bool:
    """Whether the earlier side is only a preprint and the later only a publication."""
    cited = reference.type is WorkType.PREPRINT or is_preprint(reference.container_title or "")
    every: list[Work | Version] = [work, *work.versions]
    forms = [form for form in every if form.year is not None]
    recorded = all(map(_posted, forms))
    return (recorded and not cited and bool(reference.container_title)) if later else (cited and not recorded)


def _posted(form: Work | Version) -> bool:
    """Whether a record is a preprint by its type, its venue or its DOI."""
    named = is_preprint(form.container_title or "") or is_preprint_doi(form.identifiers.doi or "")
    return form.type is WorkType.PREPRINT or named
