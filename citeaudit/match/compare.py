"""Compare a reference with a record, field by field, each by a named rule.

A work appears as preprint, in proceedings, in a journal: a claim that is right for any version is right.
"""

from __future__ import annotations

from typing import NamedTuple

from citeaudit.match.field import match_of
from citeaudit.match.identifiers import identifier_matches
from citeaudit.match.people import Alignment, compare_people
from citeaudit.match.places import number_matches, venue_match
from citeaudit.match.titles import title_match
from citeaudit.match.years import year_match
from citeaudit.model import FieldMatch, FieldName, Person, Reference, Relation, Work
from citeaudit.text.titles import TitleDiff

AGREE = (Relation.SAME, Relation.VARIANT)
"""Relations in which a field speaks for a record."""
_SHOWN = 6  # names printed of an author list


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
    title, diff = title_match(reference, work)
    people = compare_people(reference, work)
    year, gap = year_match(reference, work)
    authors, venue = _authors(reference, work, people), venue_match(reference, work)
    numbers = tuple(number_matches(reference, work))
    if title.relation in AGREE and authors.relation in AGREE and _elsewhere(year, venue, numbers):
        year = match_of(FieldName.YEAR, "year_of_other_version", (year.claimed, year.found), year.differences)
    fields = (title, authors, year, venue, *numbers, *identifier_matches(reference, work))
    known = (field for field in fields if field is not None)
    return Comparison(tuple(known), diff, people, gap)


def _elsewhere(year: FieldMatch, venue: FieldMatch | None, numbers: tuple[FieldMatch | None, ...]) -> bool:
    """Whether year, venue and volume or pages are all another publication's: a reprint, the journal version."""
    if year.rule != "year_differs" or venue is None or venue.rule not in ("venue_differs", "venue_unknown"):
        return False
    return any(number is not None and number.rule in ("volume_differs", "pages_differs") for number in numbers)


def _authors(reference: Reference, work: Work, people: Alignment) -> FieldMatch:
    claimed = _names(reference.authors or reference.editors, cut=reference.authors_truncated)
    found = _names(work.authors or work.editors, cut=not work.authors_complete)
    match = match_of(FieldName.AUTHORS, people.rule, (claimed, found), people.differences, people.score)
    return match.model_copy(update={"people": people.people})


def _names(people: tuple[Person, ...], *, cut: bool) -> str | None:
    if not people:
        return None
    shown = ", ".join(str(person) for person in people[:_SHOWN])
    more = len(people) - _SHOWN
    if more > 0:
        return f"{shown} and {more} more"
    return f"{shown} et al." if cut else shown
