"""Tell how firmly a record is the work that a reference denotes.

A wrong record is rejected so that the search goes on; a record is anchored only by a rule with a name
(`citeaudit.match.rules.ANCHORS`), and never by a similar title alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from citeaudit.match.compare import Comparison, examine
from citeaudit.match.identifiers import cited_ids, work_ids
from citeaudit.match.names import ready
from citeaudit.match.places import first_page
from citeaudit.match.venues import is_plain
from citeaudit.model import (
    IDENTIFIER_KINDS,
    Candidate,
    FieldName,
    Lookup,
    Outcome,
    Query,
    Rank,
    Reference,
    Relation,
    Work,
    WorkType,
)
from citeaudit.text.lists import read_words
from citeaudit.text.normalize import fold
from citeaudit.text.titles import Likeness, is_generic, undecorated

NEAR = 0.4
"""Most title distance at which a record found by a cited identifier is still taken for the work."""
NEAR_TITLE = 0.25
"""Most title distance at which authors and year carry a changed title; provisional, see tests/match/test_rank.py."""
NEAR_WORDS = 2
"""Most changed content words, with at most `NEAR_SHORT` distance, at which they also do."""
NEAR_SHORT = 1 / 3
"""Beyond it two changed words make another title of a short one. Words that are only added never profit: `Neural
machine translation` and `Context and copying in neural machine translation` are two works of one author and year."""
HOMONYM_YEARS = 4
"""Years apart beyond which a shared title and a minority of shared names are taken for two works
(fuzzycat's rule for the same title; common family names meet by chance)."""
LONG_TITLE = 6
"""Content words from which a title is not given twice in a year by chance."""

_FUNCTION = read_words("citeaudit.text", "function_words.txt")
_SCHEMES = frozenset({"doi", "arxiv_id", "pmid", "pmcid", "isbn"})
_AGREE = (Relation.SAME, Relation.VARIANT)
_ORDER = {Rank.EXACT: 0, Rank.ANCHORED: 1, Rank.POSSIBLE: 2, Rank.REJECTED: 3}
_PAPERS = frozenset({WorkType.ARTICLE_JOURNAL, WorkType.PAPER_CONFERENCE})
_LONG = frozenset({WorkType.BOOK, WorkType.CHAPTER, WorkType.THESIS})
_WEAK = frozenset({"title_year", "title_alone", "title_other_authors", "place_alone"})
_COMPANION = re.compile(
    r"(?:erratum|errata|corrigendum|(?:author |publisher )?correction|retraction(?: note)?|addendum|withdrawal"
    r"|(?:authors? )?(?:reply|response)|comments?|commentary|discussion|(?:book )?review|expression of concern)"
    r"(?: (?:to|on|of|for))?\b"
)


class _Facts(NamedTuple):
    """What the anchor rules look at."""

    reference: Reference
    work: Work
    seen: Comparison
    ids: tuple[str, ...]

    @property
    def title_agrees(self) -> bool:
        return self.seen.relation(FieldName.TITLE) in _AGREE

    @property
    def distinct(self) -> bool:
        """Whether the same, distinctive title: not merely a shared heading."""
        diff = self.seen.title
        return diff is not None and diff.likeness not in (Likeness.CUT, Likeness.OTHER) and not self.generic

    @property
    def generic(self) -> bool:
        return is_generic(self.reference.title or "")

    @property
    def year_near(self) -> bool:
        return self.seen.year_gap is not None and self.seen.relation(FieldName.YEAR) in _AGREE

    @property
    def year_apart(self) -> bool:
        return self.seen.relation(FieldName.YEAR) is Relation.DIFFERENT

    @property
    def venue_agrees(self) -> bool:
        match = next((item for item in self.seen.fields if item.field is FieldName.CONTAINER_TITLE), None)
        return match is not None and match.rule in ("venue_same", "venue_abbreviated")


def weigh(reference: Reference, work: Work, *, query: Query | None = None) -> Candidate:
    """Weigh one record against a reference.

    Args:
        reference: What the manuscript claims.
        work: The record.
        query: The question that returned it; a source that answered a cited identifier with a record
            vouches for the two belonging together even if the record omits the identifier.

    Returns:
        The candidate, with the anchor rule that decided. Never raises.
    """
    seen = examine(reference, work)
    facts = _Facts(reference, work, seen, _identifier_of(reference, work, query))
    rank, anchor = next(result for rule in _ANCHOR_RULES if (result := rule(facts)) is not None)
    if rank is not Rank.REJECTED and _other_form(facts):
        rank, anchor = Rank.POSSIBLE, "other_form"
    if rank is Rank.ANCHORED and _exact(seen):
        rank = Rank.EXACT
    return Candidate(
        work=work, fields=seen.fields, rank=rank, anchor=anchor, score=_score(facts), identifier_of=facts.ids
    )


def rank(reference: Reference, lookups: Iterable[Lookup]) -> tuple[Candidate, ...]:
    """Weigh every record of every lookup, best first; a record that came more than once appears once.

    The order of lookups and of their records does not matter. Where different works are held only by
    their title and fit equally, none of them is anchored.
    """
    best: dict[tuple[str, str], Candidate] = {}
    for lookup in lookups:
        for work in lookup.candidates:
            fresh = weigh(reference, work, query=lookup.query)
            known = best.get((work.source, work.source_id))
            best[work.source, work.source_id] = _merge(known, fresh) if known else fresh
    return tuple(sorted(_unsure(list(best.values())), key=_place))


def settle(reference: Reference, lookup: Lookup) -> Lookup:
    """Give the lookup with the outcome that its records deserve, seen against the reference.

    Words that found only other works found nothing: NO_MATCH, the records kept for the report. Several
    works that fit equally: AMBIGUOUS. An identifier that names another work was found all the same, so
    a lookup by identifier stays as it is; so does every outcome but FOUND.
    """
    if lookup.outcome is not Outcome.FOUND or lookup.query.kind in IDENTIFIER_KINDS:
        return lookup
    ranked = rank(reference, [lookup])
    if any(candidate.anchored for candidate in ranked):
        return lookup
    possible = [candidate for candidate in ranked if candidate.rank is Rank.POSSIBLE]
    if not possible:
        return lookup.model_copy(update={"outcome": Outcome.NO_MATCH})
    return lookup.model_copy(update={"outcome": Outcome.AMBIGUOUS}) if _several(possible) else lookup


def _identifier_of(reference: Reference, work: Work, query: Query | None) -> tuple[str, ...]:
    """Give the schemes whose cited identifier leads to this record."""
    schemes = []
    for scheme, _ in reference.identifiers.pairs():
        if scheme not in _SCHEMES:
            continue
        cited, recorded = cited_ids(reference, scheme), work_ids(work, scheme)
        asked = query is not None and query.kind == scheme and query.text.lower() in {value.lower() for value in cited}
        if cited & recorded or (asked and not recorded):
            schemes.append(scheme)
    return tuple(schemes)


def _other_form(facts: _Facts) -> bool:
    """Whether one side is a book and the other a paper, and they differ: people reuse their titles.

    A cited identifier that is the record's decides before the form does.
    """
    cited, held = facts.reference.type, facts.work.type
    apart = (cited in _LONG and held in _PAPERS) or (cited in _PAPERS and held in _LONG)
    fields = (FieldName.TITLE, FieldName.AUTHORS, FieldName.YEAR)
    differs = any(facts.seen.relation(field) is Relation.DIFFERENT for field in fields)
    differs = differs or 0 < facts.seen.people.matched < facts.seen.people.cited
    return apart and differs and not facts.ids


def _companion(facts: _Facts) -> tuple[Rank, str] | None:
    """Keep reviews, errata, replies and notices from standing for the work they are about."""
    diff = facts.seen.title
    if diff is None or diff.likeness is Likeness.EQUAL:
        wanted = facts.reference.type in (WorkType.PEER_REVIEW, WorkType.UNKNOWN)
        return (Rank.REJECTED, "companion") if facts.work.type is WorkType.PEER_REVIEW and not wanted else None
    found, claimed = _opening(facts.work.title), _opening(facts.reference.title or "")
    about = found is not None and found != claimed
    about = about or (claimed is not None and found is None and facts.title_agrees)
    return (Rank.REJECTED, "companion") if about or facts.work.type is WorkType.PEER_REVIEW else None


def _opening(title: str) -> str | None:
    """Give the words with which a title says that it is about another work: `Erratum to`."""
    head = _COMPANION.match(fold(undecorated(title)))
    return head.group() if head else None


def _identifier(facts: _Facts) -> tuple[Rank, str] | None:
    if not facts.ids:
        return None
    diff, people = facts.seen.title, facts.seen.people
    if facts.title_agrees or (diff is not None and diff.distance <= NEAR):
        return Rank.ANCHORED, "identifier"
    if people.agree:
        return Rank.ANCHORED, "identifier"
    if diff is None and people.cited == 0:
        return (Rank.POSSIBLE, "title_only") if facts.year_apart else (Rank.ANCHORED, "identifier_alone")
    if diff is None:
        return (
            (Rank.REJECTED, "identifier_other_work")
            if people.rule == "authors_differ"
            else (Rank.ANCHORED, "identifier_alone")
        )
    return Rank.REJECTED, "identifier_other_work"


def _title_authors(facts: _Facts) -> tuple[Rank, str] | None:
    people = facts.seen.people
    if not facts.title_agrees or not people.matched:
        return None
    if facts.generic:
        return (
            (Rank.ANCHORED, "title_authors")
            if people.agree and not facts.year_apart
            else (Rank.POSSIBLE, "generic_title")
        )
    gap = facts.seen.year_gap or 0
    if not people.agree and gap > HOMONYM_YEARS and not facts.venue_agrees:
        return Rank.REJECTED, "homonym"
    return Rank.ANCHORED, "title_authors"


def _title_alone(facts: _Facts) -> tuple[Rank, str] | None:
    authors = facts.seen.relation(FieldName.AUTHORS)
    if not facts.title_agrees or authors not in (Relation.NOT_CITED, Relation.UNKNOWN):
        return None
    if facts.generic:
        return Rank.POSSIBLE, "generic_title"
    if not facts.distinct or facts.year_apart:
        return Rank.POSSIBLE, "title_only"
    return Rank.ANCHORED, "title_year" if facts.year_near else "title_alone"


def _other_authors(facts: _Facts) -> tuple[Rank, str] | None:
    if not facts.title_agrees:
        return None
    if not facts.distinct:
        return Rank.REJECTED, "homonym"
    if facts.venue_agrees:
        return Rank.ANCHORED, "title_other_authors"
    if facts.year_near and (facts.seen.year_gap or 0) <= 1:
        return (Rank.POSSIBLE, "homonym") if _homonym(facts) else (Rank.ANCHORED, "title_other_authors")
    return (Rank.REJECTED, "homonym") if facts.seen.year_gap is not None else (Rank.POSSIBLE, "title_only")


def _homonym(facts: _Facts) -> bool:
    """Whether a title of other authors may be another work's: in another venue, or short and in none that is known."""
    rules = {item.rule for item in facts.seen.fields if item.field is FieldName.CONTAINER_TITLE}
    if rules & {"venue_differs", "venue_preprint"}:
        return "venue_differs" in rules
    words = [word for word in fold(facts.reference.title or "").split() if word not in _FUNCTION]
    return len(words) < LONG_TITLE


def _near_title(facts: _Facts) -> tuple[Rank, str] | None:
    diff, people = facts.seen.title, facts.seen.people
    if diff is None or facts.title_agrees or not (people.agree and people.first) or not facts.year_near:
        return None
    far = diff.distance > NEAR_TITLE
    if far and (diff.changed > NEAR_WORDS or diff.distance > NEAR_SHORT or _contained(facts)):
        return None
    return (Rank.POSSIBLE, "series") if diff.numbers_only else (Rank.ANCHORED, "near_title")


def _contained(facts: _Facts) -> bool:
    """Whether one title stands whole in the other: words were added, none was changed."""
    one, two = (f" {fold(title)} " for title in (facts.reference.title or "", facts.work.title))
    return one in two or two in one


def _title_less(facts: _Facts) -> tuple[Rank, str] | None:
    if facts.seen.title is not None:
        return None
    page = first_page(facts.reference.pages)
    pages = {first_page(text) for text in (facts.work.pages, *(version.pages for version in facts.work.versions))}
    placed = (
        facts.venue_agrees
        and facts.seen.relation(FieldName.VOLUME) is Relation.SAME
        and page is not None
        and page in pages
    )
    if placed and facts.seen.people.first:
        return Rank.ANCHORED, "title_less"
    if placed and facts.seen.year_gap == 0:
        return Rank.ANCHORED if _plain_venue(facts) else Rank.POSSIBLE, "place_alone"
    return Rank.REJECTED, "other_work"


def _plain_venue(facts: _Facts) -> bool:
    """Whether the cited venue can hardly be another: many journals have the same volume, page and year."""
    venues = (facts.work.container_title, *(version.container_title for version in facts.work.versions))
    claimed = facts.reference.container_title or ""
    return any(venue and is_plain(claimed, venue) for venue in venues)


def _other(_: _Facts) -> tuple[Rank, str]:
    return Rank.REJECTED, "other_work"


_Rule = Callable[[_Facts], tuple[Rank, str] | None]
_ANCHOR_RULES: tuple[_Rule, ...] = (
    _companion,
    _identifier,
    _title_authors,
    _title_alone,
    _other_authors,
    _near_title,
    _title_less,
    _other,
)


def _exact(seen: Comparison) -> bool:
    """Whether title, authors and year were all compared and nothing at all differs."""
    core = seen.relation(FieldName.TITLE) is Relation.SAME
    core = core and all(seen.relation(field) in _AGREE for field in (FieldName.AUTHORS, FieldName.YEAR))
    return core and all(item.relation is not Relation.DIFFERENT for item in seen.fields)


def _score(facts: _Facts) -> float:
    """Give overall agreement: title most, then authors, year and identifiers."""
    title = 0.0 if facts.seen.title is None else 1.0 - facts.seen.title.distance
    year = {0: 1.0, 1: 0.8}.get(
        facts.seen.year_gap if facts.seen.year_gap is not None else 9, 0.3 if facts.year_near else 0.0
    )
    total = 0.55 * title + 0.3 * facts.seen.people.score + 0.1 * year + (0.05 if facts.ids else 0.0)
    return round(min(1.0, max(0.0, total)), 4)


def _merge(known: Candidate, fresh: Candidate) -> Candidate:
    """Give the firmer of two weighings of one record, with the identifiers of both."""
    first = min(known, fresh, key=_place)
    schemes = tuple(sorted({*known.identifier_of, *fresh.identifier_of}))
    return (
        first if schemes == tuple(sorted(first.identifier_of)) else first.model_copy(update={"identifier_of": schemes})
    )


def _unsure(candidates: list[Candidate]) -> list[Candidate]:
    """Unanchor works held only by their title where different ones fit and nothing firmer decides."""
    weak = [candidate for candidate in candidates if candidate.anchored and candidate.anchor in _WEAK]
    firm = any(candidate.anchored and candidate.anchor not in _WEAK for candidate in candidates)
    if firm or not _several(weak):
        return candidates
    doubt = {"rank": Rank.POSSIBLE, "anchor": "several_works"}
    return [item.model_copy(update=doubt) if item in weak else item for item in candidates]


def _several(candidates: Sequence[Candidate]) -> bool:
    """Whether the records are not all of one work: some two have authors but no family name in common."""
    families = [_families(item.work) for item in candidates]
    known = [names for names in families if names]
    return any(not one & two for place, one in enumerate(known) for two in known[place + 1 :])


def _families(work: Work) -> frozenset[str]:
    return frozenset(name for person in work.authors[:50] for name in ready(person).families)


def _place(candidate: Candidate) -> tuple[int, float, str, str]:
    return _ORDER[candidate.rank], -candidate.score, candidate.work.source, candidate.work.source_id
