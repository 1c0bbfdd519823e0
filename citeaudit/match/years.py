"""Compare the cited year with those of all versions of a work."""

from __future__ import annotations

import math

from citeaudit.match.arxiv_ids import arxiv_month
from citeaudit.match.field import match_of
from citeaudit.match.identifiers import cited_ids, work_ids
from citeaudit.match.posted import is_posted
from citeaudit.match.venue_names import known_forms
from citeaudit.match.venues import is_preprint
from citeaudit.model import FieldMatch, FieldName, Reference, Version, Work, WorkType

PREPRINT_YEARS = 3
"""Most years by which a preprint is cited before its recorded publication that are taken as usual."""
PUBLISHED_YEARS = 6
"""Most years by which a publication is cited after its recorded preprint that are taken as usual."""
EDITION_YEARS, REPRINT_YEARS = 60, 300
"""Most years by which a book is cited before and after its recorded edition that are taken as usual; old ones are
printed again."""
FIRST_IDS = 2_000
"""Ids that arXiv gives out in the first two or three working days of a month, as counted in 2026."""
BUDDHIST, PERSIAN = range(2400, 2700), range(1250, 1500)
"""Years that printed works name in the Buddhist (1857 to 2156) and in the Persian and Islamic calendars (from 1871)."""
_WINTER = frozenset({"neurips"})
"""Meetings of December, whose volume is printed in the next year."""
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
    diff = () if gap == 0 else (f"{claimed} -> {found}",)
    if gap and any(year in years for year in read_otherwise(claimed)):
        return match_of(FieldName.YEAR, "year_of_other_calendar", texts, diff), 0
    return match_of(FieldName.YEAR, _year_rule(reference, work, years, gap), texts, diff), gap


def read_otherwise(year: int) -> tuple[int, ...]:
    """Give the years that a year of another calendar may be in: Buddhist, Persian, Islamic; most years are in none.

    A Persian year begins in March, one of the Islamic moon calendar in any month, so both fall into two of ours.

    >>> read_otherwise(2562), read_otherwise(1398), read_otherwise(2019)
    ((2019,), (2019, 2020, 1977, 1978), ())
    """
    if year in BUDDHIST:
        return (year - 543,)
    if year not in PERSIAN:
        return ()
    moon = math.floor(621.57 + year * 0.970224)  # a moon year has 354.37 days
    return year + 621, year + 622, moon, moon + 1


def future(year: int, today: int) -> bool:
    """Whether a year is none in which a work known today can have appeared: next year's volume is often online.

    >>> future(2027, 2026), future(2028, 2026)
    (False, True)
    """
    return year > today + 1


def _year_rule(reference: Reference, work: Work, years: list[int], gap: int) -> str:
    claimed = reference.year or 0
    if not gap:
        return "year_same"
    if _of_preprint(reference, work, years):
        return "year_of_preprint"
    if gap == 1 and claimed == years[-1] + 1 and known_forms(reference.container_title or "") & _WINTER:
        return "year_of_volume"
    if gap == 1:
        return _beside(reference, work, years)
    if years[0] < claimed < years[-1]:
        return "year_between_versions"
    later = claimed > years[-1]
    if gap <= (PUBLISHED_YEARS if later else PREPRINT_YEARS) and _preprint_gap(reference, work, later=later):
        return "year_preprint"
    if claimed > years[-1] and cited_ids(reference, "arxiv_id") & work_ids(work, "arxiv_id"):
        return "year_of_revision"  # arXiv exports the year of the last revision
    sides = {reference.type, work.type}
    books = bool(sides & _BOOKS) and sides <= _BOOKS | {WorkType.UNKNOWN}
    return "year_of_edition" if books and gap <= (REPRINT_YEARS if later else EDITION_YEARS) else "year_differs"


def _beside(reference: Reference, work: Work, years: list[int]) -> str:
    """Name the rule for a year beside a recorded one: that of a version which no record knows, else one that is off."""
    venue, claimed = reference.container_title, reference.year
    if claimed == years[0] - 1 and any(map(_turned, work_ids(work, "arxiv_id"))):
        return "year_turned"
    forms: list[Work | Version] = [work, *work.versions]
    published = any(form.container_title for form in forms) and not any(map(is_posted, forms))
    unposted = published and not work_ids(work, "arxiv_id")
    nowhere = (not venue or is_preprint(venue)) and not reference.volume and not reference.identifiers.doi
    return "year_of_posting" if nowhere and unposted and claimed == years[-1] + 1 else "year_off_by_one"


def _turned(arxiv_id: str) -> bool:
    """Whether an arXiv id is among the first of a January, as those of the last submissions of December are."""
    month = arxiv_month(arxiv_id)
    number = arxiv_id.rpartition(".")[2]
    return month is not None and month[1] == 1 and number.isdecimal() and int(number) <= FIRST_IDS


def _of_preprint(reference: Reference, work: Work, years: list[int]) -> bool:
    """Whether the cited year is that of an arXiv id, and the record knows a later publication only.

    The id bears the month of its first version. That of the record counts where the reference names no other venue; a
    record that has another id than the cited one is of another preprint.
    """
    cited, recorded = cited_ids(reference, "arxiv_id"), work_ids(work, "arxiv_id")
    if cited and recorded and not cited & recorded:
        return False
    venue = reference.container_title
    ids = cited or (recorded if not venue or is_preprint(venue) else ())
    months = filter(None, map(arxiv_month, ids))
    return reference.year is not None and any(month[0] == reference.year < years[-1] for month in months)


def _preprint_gap(reference: Reference, work: Work, *, later: bool) -> bool:
    """Whether the earlier side is only a preprint and the later only a publication."""
    cited = reference.type is WorkType.PREPRINT or is_preprint(reference.container_title or "")
    every: list[Work | Version] = [work, *work.versions]
    forms = [form for form in every if form.year is not None]
    recorded = all(map(is_posted, forms))
    return (recorded and not cited and bool(reference.container_title)) if later else (cited and not recorded)
