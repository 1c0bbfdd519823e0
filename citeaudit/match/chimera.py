"""Recognise a reference put together from several works: the title of one, the authors of another.

Each part alone has an innocent reading: a title may be given twice, people write further papers, a DOI is easily
mistyped. A distinctive title that one work bears, under a full list of people who wrote another, has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from citeaudit.match.anchors import LONG_TITLE
from citeaudit.match.names import ready
from citeaudit.match.rules import NO_ONE
from citeaudit.model import Candidate, FieldName, Person, Reference, Relation, Work
from citeaudit.text.lists import read_words
from citeaudit.text.normalize import MAX_TITLE, words
from citeaudit.text.titles import is_generic

LEAST_TITLE = 4
"""Content words that a title needs to be one work's, where year or venue are also that work's; else `LONG_TITLE`."""
LEAST_PEOPLE = 2
"""Authors, written out, that one must share, all and in order, for the list to be taken from a work."""
LEAST_INITIALS = 3
"""Authors it takes where some are cited by initials, which others share."""
_TITLE = frozenset({"title_same", "title_version"})
_PLACE = frozenset({"year_same", "venue_same", "venue_abbreviated"})
_LISTS = frozenset({"authors_same", "authors_initials"})
_AGREE = (Relation.SAME, Relation.VARIANT)
_FUNCTION = read_words("citeaudit.text", "function_words.txt")


class Chimera(NamedTuple):
    """The works from which a reference is put together."""

    title: Work
    """The work that bears the cited title; none of the cited authors wrote it."""
    authors: Work | None
    """The work that just the cited authors wrote, under another title."""
    identifier: Work | None
    """The work that the cited identifier names; it may be the one of the authors, never the one of the title."""
    scheme: str | None
    """Which identifier that is."""


def parts(reference: Reference, candidates: Iterable[Candidate]) -> Chimera | None:
    """Name the works from which a reference is put together; `None` where it is not certain that it is.

    Two records must say so: one bears the title, a distinctive one, and lists other authors in full; another has
    the cited authors, all and in order, or the cited identifier, and another title. A record with this title and
    any of these authors speaks against it, as does a cut list of authors. The order of the candidates does not matter.

    Args:
        reference: What the manuscript claims.
        candidates: Records weighed against it.
    """
    every = sorted(candidates, key=_place)
    if reference.authors_truncated or any(map(_speaks_for, every)):
        return None
    titled = next((item.work for item in every if _bears_title(reference, item)), None)
    if titled is None:
        return None
    others = [item for item in every if _rule(item, FieldName.TITLE) == "title_differs"]
    authored = next((item.work for item in others if _bears_authors(reference, item)), None)
    named = next(_named(others, titled), None)
    if authored is None and named is None:
        return None
    return Chimera(titled, authored, named[0] if named else None, named[1] if named else None)


def _place(candidate: Candidate) -> tuple[float, str, str]:
    return -candidate.score, candidate.work.source, candidate.work.source_id


def _rule(candidate: Candidate, field: FieldName) -> str:
    match = candidate.match(field)
    return match.rule if match is not None else ""


def _speaks_for(candidate: Candidate) -> bool:
    """Whether a record has the title, or a form of it, and authors that are not all others."""
    title = candidate.match(FieldName.TITLE)
    agrees = title is not None and title.relation in _AGREE
    return agrees and _rule(candidate, FieldName.AUTHORS) not in NO_ONE


def _bears_title(reference: Reference, candidate: Candidate) -> bool:
    """Whether a record bears the cited title, one that hardly a second work has, and lists other authors in full."""
    title = reference.title or ""
    if _rule(candidate, FieldName.TITLE) not in _TITLE or is_generic(title) or not candidate.work.authors_complete:
        return False
    count = sum(word not in _FUNCTION for word in words(title[:MAX_TITLE]))
    rules = {match.rule for match in candidate.fields}
    return count >= (LONG_TITLE if rules.isdisjoint(_PLACE) else LEAST_TITLE)


def _bears_authors(reference: Reference, candidate: Candidate) -> bool:
    """Whether just the cited authors wrote a work, in this order."""
    cited, work = reference.authors, candidate.work
    if (
        _rule(candidate, FieldName.AUTHORS) not in _LISTS
        or not work.authors_complete
        or len(cited) != len(work.authors)
    ):
        return False
    return len(cited) >= (LEAST_PEOPLE if all(map(_spelt_out, cited)) else LEAST_INITIALS)


def _spelt_out(person: Person) -> bool:
    return any(len(word) > 1 for word in ready(person).given)


def _named(others: Iterable[Candidate], titled: Work) -> Iterator[tuple[Work, str]]:
    """Give the works of another title that the cited identifier names, with its scheme; not an ISBN, nor the work."""
    for item in others:
        schemes = sorted(set(item.identifier_of) - {"isbn"})
        if schemes and (item.work.source, item.work.source_id) != (titled.source, titled.source_id):
            yield item.work, schemes[0]
