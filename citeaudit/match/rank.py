"""Tell how firmly a record is the work that a reference denotes.

A wrong record is rejected so that the search goes on; a record is anchored only by a rule with a name
(`citeaudit.match.rules.ANCHORS`), and never by a similar title alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from citeaudit.match.anchors import Facts, anchor
from citeaudit.match.compare import Comparison, examine
from citeaudit.match.glance import TITLE_SHARE, glance
from citeaudit.match.identifiers import cited_ids, work_ids
from citeaudit.match.names import ready
from citeaudit.model import (
    IDENTIFIER_KINDS,
    Candidate,
    FieldName,
    Lookup,
    Outcome,
    Query,
    QueryKind,
    Rank,
    Reference,
    Relation,
    Work,
)

_SCHEMES = ("doi", "arxiv_id", "pmid", "pmcid", "isbn")
_AGREE = (Relation.SAME, Relation.VARIANT)
_ORDER = {Rank.EXACT: 0, Rank.ANCHORED: 1, Rank.POSSIBLE: 2, Rank.REJECTED: 3}
_WEAK = frozenset({"title_year", "title_alone", "title_other_authors", "place_alone"})

_MOST_RECENT = 4_096
_recent: dict[tuple[int, int, QueryKind, str], tuple[Reference, Work, Candidate]] = {}
"""Candidates by the identity of what they were made from, which is kept so that no other object can take it."""


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
    facts = Facts(reference, work, seen, _identifier_of(reference, work, query))
    rank, name = anchor(facts)
    if rank is Rank.ANCHORED and _exact(seen):
        rank = Rank.EXACT
    return Candidate(
        work=work, fields=seen.fields, rank=rank, anchor=name, score=_score(facts), identifier_of=facts.ids
    )


def rank(reference: Reference, lookups: Iterable[Lookup]) -> tuple[Candidate, ...]:
    """Weigh every record of every lookup, best first; a record that came more than once appears once.

    The order of lookups and of their records does not matter. Where different works are held only by
    their title and fit equally, none of them is anchored.
    """
    best: dict[tuple[str, str], Candidate] = {}
    for lookup in lookups:
        for work in lookup.candidates:
            fresh = _weighed(reference, work, lookup.query)
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


def _weighed(reference: Reference, work: Work, query: Query) -> Candidate:
    """Weigh a record, at a glance where that is enough; what was just weighed is not weighed again.

    An answer is settled first and ranked with others afterwards, and each time all of its records are weighed.
    """
    key = id(reference), id(work), query.kind, query.text
    known = _recent.get(key)
    if known is not None and known[0] is reference and known[1] is work:
        return known[2]
    ids = _identifier_of(reference, work, query)
    quick = None if ids else glance(reference, work)
    fresh = quick or weigh(reference, work, query=query)
    if len(_recent) >= _MOST_RECENT:
        _recent.clear()
    _recent[key] = reference, work, fresh
    return fresh


def _identifier_of(reference: Reference, work: Work, query: Query | None) -> tuple[str, ...]:
    """Give the schemes whose cited identifier leads to this record."""
    schemes, claimed = [], reference.identifiers
    for scheme in _SCHEMES:
        if not getattr(claimed, scheme):
            continue
        cited, recorded = cited_ids(reference, scheme), work_ids(work, scheme)
        asked = query is not None and query.kind == scheme and query.text.lower() in {value.lower() for value in cited}
        if cited & recorded or (asked and not recorded):
            schemes.append(scheme)
    return tuple(schemes)


def _exact(seen: Comparison) -> bool:
    """Whether title, authors and year were all compared and nothing at all differs."""
    core = seen.relation(FieldName.TITLE) is Relation.SAME
    core = core and all(seen.relation(field) in _AGREE for field in (FieldName.AUTHORS, FieldName.YEAR))
    return core and all(item.relation is not Relation.DIFFERENT for item in seen.fields)


def _score(facts: Facts) -> float:
    """Give overall agreement: title most, then authors, year and identifiers."""
    title = 0.0 if facts.seen.title is None else 1.0 - facts.seen.title.distance
    year = {0: 1.0, 1: 0.8}.get(
        facts.seen.year_gap if facts.seen.year_gap is not None else 9, 0.3 if facts.year_near else 0.0
    )
    total = TITLE_SHARE * title + 0.3 * facts.seen.people.score + 0.1 * year + (0.05 if facts.ids else 0.0)
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
