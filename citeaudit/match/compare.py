"""Compare a reference with a record, field by field, each by a named rule.

A work appears as preprint, in proceedings, in a journal: a claim that is right for any version is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from citeaudit.identifiers import bare_arxiv_id, doi_arxiv_id
from citeaudit.match.people import Alignment, compare_people
from citeaudit.match.rules import RULES
from citeaudit.match.slips import printed
from citeaudit.match.venues import is_preprint, is_preprint_doi, venue_rule
from citeaudit.model import FieldMatch, FieldName, Identifiers, Person, Reference, Relation, Version, Work, WorkType
from citeaudit.text.normalize import fold, key
from citeaudit.text.titles import Likeness, TitleDiff, compare_titles, undecorated

PREPRINT_YEARS = 3
"""Most years by which a preprint is cited before its recorded publication that are taken as usual."""
PUBLISHED_YEARS = 6
"""Most years by which a publication is cited after its recorded preprint that are taken as usual."""
EDITION_YEARS = 60
"""Most years between two editions of a book that are taken as usual."""
ARXIV_DOI = "10.48550/arxiv."
"""What the DOIs of arXiv begin with (DataCite, since 2022)."""
_SHOWN = 6  # names printed of an author list
_MAX_FIELD = 200

_RULE_OF = {
    Likeness.EQUAL: "title_same",
    Likeness.CUT: "title_subtitle",
    Likeness.ARTICLES: "title_article",
    Likeness.PLURAL: "title_plural",
    Likeness.DAMAGED: "title_damaged",
    Likeness.OTHER: "title_differs",
}
_SCORE = {Relation.SAME: 1.0, Relation.VARIANT: 0.8}
_LEADING = re.compile(r"[a-z]*\d+[a-z]?")
_SCHEMES = (FieldName.DOI, FieldName.ARXIV_ID, FieldName.PMID, FieldName.PMCID, FieldName.ISBN)
_PART = re.compile(r"(?:part )?(?:[ivx]{1,5}|\d{1,2})")
_BOOKS = frozenset({WorkType.BOOK, WorkType.CHAPTER, WorkType.REFERENCE_ENTRY})


class Comparison(NamedTuple):
    """Everything that a comparison found; `fields` is what travels on."""

    fields: tuple[FieldMatch, ...]
    title: TitleDiff | None
    """`None` where the reference gives no title."""
    people: Alignment
    year_gap: int | None
    """Years between the cited year and the nearest version; `None` where one side has none."""

    def relation(self, field: FieldName) -> Relation:
        """Give the relation of one field; UNKNOWN where it was not compared."""
        return next((item.relation for item in self.fields if item.field is field), Relation.UNKNOWN)


def compare(reference: Reference, work: Work) -> tuple[FieldMatch, ...]:
    """Give the comparison of each field, in the order of `FieldName`.

    Title, authors and year are always there; the others where the reference or the record has them.
    """
    return examine(reference, work).fields


def examine(reference: Reference, work: Work) -> Comparison:
    """Compare every field, and keep the details that tell how firmly the two belong together."""
    title, diff = _title(reference, work)
    people = compare_people(reference, work)
    year, gap = _year(reference, work)
    fields = (title, _authors(reference, work, people), year, _venue(reference, work), *_numbers(reference, work))
    known = (field for field in (*fields, *_identifiers(reference, work)) if field is not None)
    return Comparison(tuple(known), diff, people, gap)


def work_ids(work: Work, scheme: str) -> frozenset[str]:
    """Give every identifier of one scheme that any version of a work has; arXiv ids without their version.

    An arXiv id stands for its DOI, and such a DOI for its id.
    """
    sets = (work.identifiers, *(version.identifiers for version in work.versions))
    return frozenset(value for ids in sets for value in _ids(ids, scheme))


def cited_ids(reference: Reference, scheme: str) -> frozenset[str]:
    """Give the cited identifier of one scheme in the form of `work_ids`; empty where none is cited."""
    return frozenset(_ids(reference.identifiers, scheme))


def _field(
    field: FieldName,
    rule: str,
    texts: tuple[str | None, str | None],
    diff: tuple[str, ...] = (),
    score: float | None = None,
) -> FieldMatch:
    relation = RULES[rule].relation
    return FieldMatch(
        field=field,
        claimed=texts[0],
        found=texts[1],
        relation=relation,
        score=_SCORE.get(relation, 0.0) if score is None else score,
        rule=rule,
        differences=diff,
    )


def _title(reference: Reference, work: Work) -> tuple[FieldMatch, TitleDiff | None]:
    if not reference.title:
        return _field(FieldName.TITLE, "title_not_cited", (None, work.title)), None
    best, found = _unlike(reference.title, work.title), work.title
    rule = _title_rule(best, reference.title, found)
    for version in work.versions:
        if version.title and best.likeness is not Likeness.EQUAL:
            diff = _unlike(reference.title, version.title)
            if _worth(diff) < _worth(best):
                best, found = diff, version.title
                rule = "title_version" if diff.likeness is Likeness.EQUAL else _title_rule(diff, reference.title, found)
    if rule in ("title_differs", "title_longer") and printed(reference, work):
        rule, found = "title_printed", work.title
    score = max(_SCORE.get(RULES[rule].relation, 0.0), 1.0 - best.distance)
    return _field(FieldName.TITLE, rule, (reference.title, found), best.differences, score), best


def _unlike(claimed: str, found: str) -> TitleDiff:
    """Compare two titles; a number that the claimed one adds makes it another part of a series, not a subtitle."""
    diff = compare_titles(claimed, found)
    if diff.likeness is not Likeness.CUT or len(key(claimed)) <= len(key(found)):
        return diff
    rest = fold(undecorated(claimed)).removeprefix(fold(undecorated(found))).strip()
    if not _PART.fullmatch(rest):
        return diff
    return TitleDiff(Likeness.OTHER, diff.distance, (f"not in the record: {rest}",), 1, numbers_only=True)


def _title_rule(diff: TitleDiff, claimed: str, found: str) -> str:
    longer = diff.likeness is Likeness.CUT and len(key(undecorated(claimed))) > len(key(undecorated(found)))
    return "title_longer" if longer else _RULE_OF[diff.likeness]


def _worth(diff: TitleDiff) -> tuple[int, float]:
    return list(Likeness).index(diff.likeness), diff.distance


def _authors(reference: Reference, work: Work, people: Alignment) -> FieldMatch:
    claimed = _names(reference.authors or reference.editors, cut=reference.authors_truncated)
    found = _names(work.authors or work.editors, cut=not work.authors_complete)
    return _field(FieldName.AUTHORS, people.rule, (claimed, found), people.differences, people.score)


def _names(people: tuple[Person, ...], *, cut: bool) -> str | None:
    if not people:
        return None
    shown = ", ".join(str(person) for person in people[:_SHOWN])
    more = len(people) - _SHOWN
    if more > 0:
        return f"{shown} and {more} more"
    return f"{shown} et al." if cut else shown


def _year(reference: Reference, work: Work) -> tuple[FieldMatch, int | None]:
    years = sorted({year for year in (work.year, *(version.year for version in work.versions)) if year is not None})
    found = ", ".join(map(str, years)) or None
    claimed = reference.year
    if claimed is None:
        return _field(FieldName.YEAR, "year_not_cited", (None, found)), None
    texts = (str(claimed), found)
    if not years:
        return _field(FieldName.YEAR, "year_not_recorded", texts), None
    gap = min(abs(claimed - year) for year in years)
    rule = _year_rule(reference, work, years, gap)
    diff = () if gap == 0 else (f"{claimed} -> {found}",)
    return _field(FieldName.YEAR, rule, texts, diff), gap


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


def _venue(reference: Reference, work: Work) -> FieldMatch | None:
    names = [name for name in (work.container_title, *(version.container_title for version in work.versions)) if name]
    claimed = reference.container_title
    if not claimed:
        return _field(FieldName.CONTAINER_TITLE, "venue_not_cited", (None, names[0])) if names else None
    if not names:
        return _field(FieldName.CONTAINER_TITLE, "venue_not_recorded", (claimed, None))
    order = ("venue_same", "venue_abbreviated", "venue_preprint", "venue_differs")
    rule, found = min(((venue_rule(claimed, name), name) for name in names), key=lambda pair: order.index(pair[0]))
    diff = (f"{claimed} -> {found}",) if rule == "venue_differs" else ()
    return _field(FieldName.CONTAINER_TITLE, rule, (claimed, found), diff)


def _numbers(reference: Reference, work: Work) -> Iterable[FieldMatch | None]:
    volumes = (work.volume, *(version.volume for version in work.versions))
    pages = (work.pages, *(version.pages for version in work.versions))
    yield _number(FieldName.VOLUME, reference.volume, volumes)
    yield _number(FieldName.ISSUE, reference.issue, (work.issue,))
    yield _number(FieldName.PAGES, reference.pages, pages)


def _number(field: FieldName, claimed: str | None, values: tuple[str | None, ...]) -> FieldMatch | None:
    known = [value for value in values if value]
    if not claimed:
        return _field(field, f"{field}_not_cited", (None, known[0])) if known else None
    if not known:
        return _field(field, f"{field}_not_recorded", (claimed, None))
    equal = next((value for value in known if _same_number(claimed, value)), None)
    if equal is not None:
        return _field(field, f"{field}_same", (claimed, equal))
    return _field(field, f"{field}_differs", (claimed, known[0]), (f"{claimed} -> {known[0]}",))


def _same_number(claimed: str, found: str) -> bool:
    """Whether two volumes, issues or page ranges agree: the same text, or the same first number and no other last one.

    `123-45` is `123-145`; a lone first page is its range.
    """
    one, two = fold(claimed[:_MAX_FIELD]), fold(found[:_MAX_FIELD])
    if one == two:
        return True
    left, right = _LEADING.findall(one), _LEADING.findall(two)
    if not left or not right or left[0] != right[0]:
        return False
    return min(len(left), len(right)) == 1 or left[1].endswith(right[1]) or right[1].endswith(left[1])


def first_page(pages: str | None) -> str | None:
    """Give the first page of a range, folded; `None` where there is no number.

    >>> first_page("S123--S145"), first_page("in press")
    ('s123', None)
    """
    hit = _LEADING.search(fold((pages or "")[:_MAX_FIELD]))
    return hit.group() if hit else None


def _identifiers(reference: Reference, work: Work) -> Iterable[FieldMatch | None]:
    for field in _SCHEMES:
        claimed = getattr(reference.identifiers, field)
        if claimed:
            yield _identifier(field, claimed, work_ids(work, field), cited_ids(reference, field))
        elif value := getattr(work.identifiers, field):
            yield _field(field, f"{field}_not_cited", (None, value))


def _identifier(field: FieldName, claimed: str, recorded: frozenset[str], cited: frozenset[str]) -> FieldMatch:
    """Compare one identifier; a preprint's DOI says nothing about the DOI of its publication."""
    if cited & recorded:
        return _field(field, f"{field}_same", (claimed, min(cited & recorded)))
    if field is FieldName.DOI:
        archived = all(value.startswith(ARXIV_DOI) for value in cited)
        recorded = frozenset(value for value in recorded if value.startswith(ARXIV_DOI) == archived)
    if not recorded:
        return _field(field, f"{field}_not_recorded", (claimed, None))
    found = min(recorded)
    return _field(field, f"{field}_other_than_recorded", (claimed, found), (f"{claimed} -> {found}",))


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
        yield ids.doi.lower()
