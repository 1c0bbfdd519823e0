"""Kinds of evidence against a reference as cited: a STRONG alarm needs two that are independent of each other.

A kind is counted by what the rule of comparison says by itself, so that a stricter preset never makes an alarm louder;
what a policy only notes is no evidence under it. The year of a reference that is off by a few, a given name, a list
that leaves authors out: each may be a slip, and is no kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz.distance import OSA

from citeaudit.match.rules import NO_ONE, RULES
from citeaudit.model import AuthorRelation, Coverage, FieldMatch, FieldName, Lookup, Person, Relation
from citeaudit.policy.case import FAR_TITLE, Case, Judged
from citeaudit.text.normalize import fold

MIN_HELD = 50
"""Works of the cited venue and year in an index declared complete, from which it plainly collects that venue.

Of 785 references of real manuscripts that an index of 800,000 records does not hold, three name such a venue and year.
"""
WITNESSES = 2
"""Independent sources whose silence is a kind of evidence; one that holds every such work is enough alone."""
FAR_YEARS = 3
"""Years between the cited and every recorded year from which the year is no slip."""
MIN_AUTHORS = 2
"""Authors that both lists must have for a list of others to be no homonym or cut record."""

_OTHERS = NO_ONE | {"authors_mostly_differ"}
_SLIPS = frozenset({"given_name_differs"})
_VENUES = frozenset({"venue_differs", "venue_unknown", "venue_unsupported"})
_CORROBORATES = frozenset({"doi_prefix_unknown"})
_CERTAIN = frozenset({"title_same", "title_version", "title_subtitle"})
_WHOLE = (Coverage.DECLARED, Coverage.AUTHORITATIVE)
_BY_VERSION = frozenset({"title", "year", "date", "venue"})
"""Kinds that a version of the work under another title has together."""
_OF_VERSION = frozenset({"authors", "year", "venue", "publication"})
"""Kinds that another version, edition or part of a series has together."""
_PART = frozenset(
    {"abstracts", "adjunct", "companion", "demo", "demos", "doctoral", "poster", "posters", "tutorial"}
    | {"workshop", "workshops"}
)
"""Words of venues that are held beside a meeting, and of which an index of the meeting may hold nothing."""
_NOT_A_NAME = frozenset(
    {"anonymous", "author", "authors", "editor", "editorial", "editors", "publisher", "staff", "team", "unknown"}
)
"""Words that stand in records where names belong."""


def kinds_against(case: Case) -> frozenset[str]:
    """Give the kinds of evidence against a reference, by name: `silence`, `holdings`, `authors`, `title`, ..."""
    kinds = {*_silence(case), *_by_itself(case), *_by_record(case)}
    if case.best is not None and _retitled(case.best):
        together = _BY_VERSION | ({"authors"} if _one_more(case.best) else set())
        kinds = kinds - together | {"version"} if len(kinds & together) > 1 else kinds
    if "date" in kinds and not _mistyped_twice(case):
        kinds -= {"year"}  # one field, and one slip of a finger
    if "venue" in kinds and kinds & {"year", "date"}:  # a later publication of the work has both: one kind
        kinds = kinds - {"year", "date", "venue"} | {"publication"}
    if case.best is not None and len(kinds & _OF_VERSION) > 1 and not _this_version(case.best):
        kinds = kinds - _OF_VERSION | {"version"}
    return frozenset(kinds)


def _this_version(judged: Judged) -> bool:
    """Whether a record is of just the version cited: by an identifier, or by volume and pages.

    Otherwise authors, year and venue may all be those of another version, edition or part of a series, which has
    some or all of them together.
    """
    return bool(judged.candidate.identifier_of) or judged.placed


def _retitled(judged: Judged) -> bool:
    """Whether a cited identifier is the record's, which may know one title of several of the work.

    A preprint may change its title, authors and year under one arXiv id; any other identifier may be that of a work
    whose title was translated: quite another one, and beside the same authors.
    """
    schemes, title = judged.candidate.identifier_of, judged.candidate.match(FieldName.TITLE)
    authors = judged.candidate.match(FieldName.AUTHORS)
    if not schemes or title is None or title.relation is not Relation.DIFFERENT:
        return False
    if authors is None or authors.rule in _OTHERS:
        return False
    return FieldName.ARXIV_ID.value in schemes or title.score < FAR_TITLE


def _silence(case: Case) -> Iterator[str]:
    if case.best is not None or case.failed or not case.silent:
        return
    if len(case.lineages) >= WITNESSES or any(item.coverage in _WHOLE for item in case.silent):
        yield "silence"
    if any(item.coverage is Coverage.AUTHORITATIVE for item in case.silent):
        yield "table of contents"
    if any(_collects(item, case) for item in case.silent) and case.reference.parse_score >= 1.0:
        yield "holdings"


def _collects(lookup: Lookup, case: Case) -> bool:
    """Whether an index declared complete plainly collects the cited venue, in a year that it can hold in full."""
    if lookup.coverage is not Coverage.DECLARED or not case.whole(lookup):
        return False
    beside = _PART & set(fold(case.reference.container_title or "").split())
    return not beside and (lookup.venue_held or 0) >= MIN_HELD


def _by_itself(case: Case) -> Iterator[str]:
    """Give what speaks against the reference whatever any record says."""
    noted = case.policy.noted
    if case.dead and "identifier_unknown" not in noted:
        yield "identifier"
    if "identifier_names_another" not in noted and any(map(_names_others, case.foreign_fields)):
        yield "identifier"
    chimera = case.chimera
    if chimera is not None and (chimera.authors is not None or "identifier_names_another" not in noted):
        yield "parts of several works"
    held = {match.field for match in case.best.fields if match.relation is Relation.SAME} if case.best else set()
    for item in case.claims:
        counts = _counts(item, case) or (item.rule in _CORROBORATES and item.rule not in noted)
        if counts and item.field not in held:
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
    rules = {item.rule for item in judged.fields} - set(case.policy.noted)
    for item in judged.fields:
        if not _counts(item, case) or item.rule in _SLIPS:
            continue
        if item.field is FieldName.AUTHORS:
            if any(map(_is_damaged, judged.candidate.work.authors)):
                continue
            yield "authors"
            if item.rule in _OTHERS and _no_homonym(case, judged):
                yield "authors of others"
        elif item.field is FieldName.TITLE:
            yield "title"
        elif item.field is FieldName.YEAR and _far(item, case):
            yield "year"
    if any(_nowhere(item, case) for item in judged.fields):
        yield "no such venue"
    others = any(item.rule in _OTHERS for item in judged.fields)
    if rules & _VENUES and not others and not _one_more(judged) and not judged.placed:
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
    heard = bool(declared) and not any(declared) and item.rule not in case.policy.noted
    return heard and not _PART & set(fold(item.claimed or "").split())


def _is_damaged(person: Person) -> bool:
    """Whether a recorded name is hardly one: a word that stands for no one, a lone word, one with digits in it.

    What such a record says of authors is no evidence, a list of whole names beside it included.
    """
    text = str(person)
    words = fold(text).split()
    lone = len(words) < 2 and text.isascii()  # noqa: PLR2004 - a name has two words, but in other scripts
    return lone or len(set(words)) < len(words) or bool(_NOT_A_NAME & set(words)) or any(map(str.isdigit, text))


def _counts(item: FieldMatch, case: Case) -> bool:
    rule = RULES.get(item.rule)
    return rule is not None and rule.relation is Relation.DIFFERENT and item.rule not in case.policy.noted


def _far(item: FieldMatch, case: Case) -> bool:
    cited = case.reference.year
    years = [int(text) for text in (item.found or "").split(", ") if text.isdigit()]
    return cited is not None and bool(years) and min(abs(cited - year) for year in years) >= FAR_YEARS


def _mistyped_twice(case: Case) -> bool:
    """Whether more than one slip of a finger parts a year to come from every recorded one: 2030 for 2019, not 2091.

    No version of a work is of a year to come, so that two slips are left to explain it.
    """
    found = case.best.candidate.match(FieldName.YEAR) if case.best else None
    years = [text for text in (found.found or "").split(", ") if text.isdigit()] if found else []
    cited = str(case.reference.year)
    return bool(years) and min(OSA.distance(cited, year) for year in years) > 1


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
