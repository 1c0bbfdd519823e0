"""Kinds of evidence against a reference as cited: a STRONG alarm needs two that are independent of each other.

A kind is counted by what the rule of comparison says by itself, so that a stricter preset never makes an alarm louder;
what a policy only notes is no evidence under it. The year of a reference that is off by a few, a given name, a list
that leaves authors out: each may be a slip, and is no kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from citeaudit.match.rules import NO_ONE, RULES
from citeaudit.model import AuthorRelation, Coverage, FieldMatch, FieldName, Lookup, Relation
from citeaudit.policy.case import Case, Judged

MIN_HELD = 50
"""Works of the cited venue and year in an index declared complete, from which it plainly collects that venue.

Of 785 references of real manuscripts that an index of 800,000 records does not hold, three name such a venue and year.
"""
FAR_YEARS = 3
"""Years between the cited and every recorded year from which the year is no slip."""
MIN_AUTHORS = 2
"""Authors that both lists must have for a list of others to be no homonym or cut record."""

_OTHERS = NO_ONE | {"authors_mostly_differ"}
_SLIPS = frozenset({"given_name_differs"})
_VENUES = frozenset({"venue_differs", "venue_unknown", "venue_unsupported"})
_CORROBORATES = frozenset({"doi_prefix_unknown"})
_CERTAIN = frozenset({"title_same", "title_version", "title_subtitle"})


def kinds_against(case: Case) -> frozenset[str]:
    """Give the kinds of evidence against a reference, by name: `silence`, `holdings`, `authors`, `title`, ..."""
    kinds = {*_silence(case), *_by_itself(case), *_by_record(case)}
    if {"year", "venue"} <= kinds:  # a later publication of the work has both: one kind
        kinds = kinds - {"year", "venue"} | {"publication"}
    return frozenset(kinds)


def _silence(case: Case) -> Iterator[str]:
    if case.best is not None or case.failed or not case.silent:
        return
    yield "silence"
    if any(item.coverage is Coverage.AUTHORITATIVE for item in case.silent):
        yield "table of contents"
    if any(_collects(item, case) for item in case.silent) and case.reference.parse_score >= 1.0:
        yield "holdings"


def _collects(lookup: Lookup, case: Case) -> bool:
    """Whether an index declared complete plainly collects the cited venue, in a year that it can hold in full."""
    whole = lookup.whole_until is None or lookup.whole_until >= (case.newest or 0)
    return lookup.coverage is Coverage.DECLARED and whole and (lookup.venue_held or 0) >= MIN_HELD


def _by_itself(case: Case) -> Iterator[str]:
    """Give what speaks against the reference whatever any record says."""
    noted = case.policy.noted
    if case.dead and "identifier_unknown" not in noted:
        yield "identifier"
    if "identifier_names_another" not in noted and any(map(_names_others, case.foreign_fields)):
        yield "identifier"
    if case.chimera is not None:
        yield "parts of several works"
    for item in case.claims:
        if _counts(item, case) or item.rule in _CORROBORATES:
            yield "date" if item.field is FieldName.YEAR else "identifier"


def _names_others(authors: FieldMatch | None) -> bool:
    """Whether an identifier names a work by other people, so that it is no neighbour's."""
    return authors is not None and authors.rule in _OTHERS


def _by_record(case: Case) -> Iterator[str]:
    judged = case.best
    if judged is None:
        return
    if judged.candidate.anchor == "near_title" and any(item.field is FieldName.AUTHORS for item in judged.differing):
        yield "record"  # title and authors differ both: it may rather be a neighbour, so all that differs is one kind
        return
    rules = {item.rule for item in judged.fields}
    for item in judged.fields:
        if not _counts(item, case) or item.rule in _SLIPS:
            continue
        if item.field is FieldName.AUTHORS:
            yield "authors"
            if item.rule in _OTHERS and _no_homonym(case, judged):
                yield "authors of others"
        elif item.field is FieldName.TITLE:
            yield "title"
        elif item.field is FieldName.YEAR and _far(item, case):
            yield "year"
    if any(_nowhere(item, case) for item in judged.fields):
        yield "no such venue"
    if rules & _VENUES and not rules & _OTHERS and not _one_more(judged):
        yield "venue"  # beside wholly other authors it rather tells of a second work of that title


def _one_more(judged: Judged) -> bool:
    """Whether all recorded authors are cited and one more: another version may have one, and another venue."""
    authors = judged.candidate.match(FieldName.AUTHORS)
    relations = [person.relation for person in authors.people] if authors is not None else []
    return relations.count(AuthorRelation.PHANTOM) == 1 and AuthorRelation.MISSING not in relations


def _nowhere(item: FieldMatch, case: Case) -> bool:
    """Whether a venue that is none of the record's is on no list, and an index declared complete holds nothing of it.

    A workshop often is on no list; and what was read from print may be misread.
    """
    if item.rule != "venue_unknown" or item.found is None or case.reference.parse_score < 1.0:
        return False
    declared = [held for coverage, held in case.venue_held if coverage is Coverage.DECLARED]
    return bool(declared) and not any(declared) and "workshop" not in (item.claimed or "").lower()


def _counts(item: FieldMatch, case: Case) -> bool:
    rule = RULES.get(item.rule)
    return rule is not None and rule.relation is Relation.DIFFERENT and item.rule not in case.policy.noted


def _far(item: FieldMatch, case: Case) -> bool:
    cited = case.reference.year
    years = [int(text) for text in (item.found or "").split(", ") if text.isdigit()]
    return cited is not None and bool(years) and min(abs(cited - year) for year in years) >= FAR_YEARS


def _no_homonym(case: Case, judged: Judged) -> bool:
    """Whether a title of wholly other authors is hardly another work's.

    Both lists are long enough, and an index that would hold the other work, or a second record of this one, was heard.
    """
    work, reference = judged.candidate.work, case.reference
    if min(len(reference.authors), len(work.authors)) < MIN_AUTHORS or not work.authors_complete:
        return False
    if not judged.candidate.anchored or reference.authors_truncated:
        return False  # of a collaboration of hundreds each side may print others
    title = judged.candidate.match(FieldName.TITLE)
    sources = {item.work.source for item in case.anchored}
    heard = case.covered or len(sources) > 1
    return title is not None and title.rule in _CERTAIN and heard
