"""Compare a reference with a record, field by field, each by a named rule.

A work appears as preprint, in proceedings, in a journal: a claim that is right for any version is right.
"""

from __future__ import annotations

import re
from operator import ne
from typing import NamedTuple

from citeaudit.match.field import match_of
from citeaudit.match.identifiers import identifier_matches
from citeaudit.match.people import Alignment, compare_people
from citeaudit.match.places import number_matches, venue_match
from citeaudit.match.titles import title_match
from citeaudit.match.venue_names import parse
from citeaudit.match.years import year_match
from citeaudit.model import FieldMatch, FieldName, Person, Reference, Relation, Version, Work, WorkType
from citeaudit.text.titles import TitleDiff

AGREE = (Relation.SAME, Relation.VARIANT)
"""Relations in which a field speaks for a record."""
PAPER_YEAR = 2000
"""Last year of volumes that were put online, and given DOIs, years after they were printed."""
DEPOSIT_YEARS, DEPOSIT_GAP = 2002, 8
"""First year in which publishers put their old volumes online, and fewest years after print: a volume was deposited
late or, in the first years of the Web, at once."""
WEB_YEAR = 1995
"""First year in which a journal may have had a paper online before the volume that prints it."""
ONLINE_YEARS = 3
"""Most years by which a paper was online before the volume that prints it."""
JOURNAL_YEARS = 6
"""Most years between the paper of a meeting and its journal version that are taken as usual."""
REPRINT_YEARS = 10
"""Years after every recorded version from which a publication in another venue may be a reprint."""
_KINDS = {WorkType.ARTICLE_JOURNAL: "journal", WorkType.PAPER_CONFERENCE: "meeting"}
_HERE = frozenset({"volume_same", "pages_same"})
_SAME_VENUE = frozenset({"venue_same", "venue_abbreviated"})
_SAME_PLACE = frozenset({"doi_same", "pages_same", "pmid_same"})
"""Rules by which the reference is of this very publication, whatever it calls the venue."""
_OTHER_NUMBERS = frozenset({"volume_differs", "pages_differs"})
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
    identifiers = tuple(identifier_matches(reference, work))
    if year.rule == "year_differs" and title.relation in AGREE and authors.relation in AGREE:
        places = [match.rule for match in (venue, *numbers, *identifiers) if match is not None]
        rule = _year_of_place(reference, work, set(places))
        year = match_of(FieldName.YEAR, rule, (year.claimed, year.found), year.differences)
    fields = (title, authors, year, venue, *numbers, *identifiers)
    known = (field for field in fields if field is not None)
    return Comparison(tuple(known), diff, people, gap)


def _year_of_place(reference: Reference, work: Work, rules: set[str]) -> str:
    """Name the rule for a year that differs, by what is said of the place.

    A work that appears again, in a journal after a meeting or reprinted, has another year and venue together: one
    fact. In the very pages of a volume it appears once, and then the record may have the year of its deposit.
    """
    if rules >= _HERE and rules & _SAME_VENUE and reference.year is not None and work.year is not None:
        return "year_of_record" if _deposited(reference.year, work.year, work.identifiers.doi) else "year_differs"
    if rules & _SAME_PLACE:
        return "year_differs"
    elsewhere = bool(rules & {"venue_differs", "venue_unknown"})
    if elsewhere and rules & _OTHER_NUMBERS:
        return "year_of_other_version"
    return "year_of_other_version" if "venue_differs" in rules and _appears_later(reference, work) else "year_differs"


def _deposited(claimed: int, found: int, doi: str | None) -> bool:
    """Whether a record may have the year of its deposit, or of issue online, instead of the printed one.

    Not where a single digit or the century differs, which rather is mistyped, nor where the DOI names the year of the
    record: one that was given to an old volume names the year of print, if any.
    """
    if (found - claimed) % 100 == 0 or sum(map(ne, str(found), str(claimed))) == 1:
        return False
    if claimed > found:
        return found >= WEB_YEAR and claimed - found <= ONLINE_YEARS
    named = re.search(rf"(?<!\d){found}(?!\d)", doi or "") is not None
    return claimed <= PAPER_YEAR and found >= DEPOSIT_YEARS and found - claimed >= DEPOSIT_GAP and not named


def _appears_later(reference: Reference, work: Work) -> bool:
    """Whether one side is a meeting and the other a journal some years later, or the reference may be of a reprint."""
    forms: tuple[Work | Version, ...] = (work, *work.versions)
    years = [form.year for form in forms if form.year is not None]
    if reference.year is None or not years:
        return False
    cited, recorded = _kind(reference.container_title, reference.type), _kind(work.container_title, work.type)
    if (cited, recorded) == ("journal", "meeting"):
        return 0 < reference.year - max(years) <= JOURNAL_YEARS
    if (cited, recorded) == ("meeting", "journal"):
        return 0 < min(years) - reference.year <= JOURNAL_YEARS
    return reference.year - max(years) >= REPRINT_YEARS


def _kind(venue: str | None, type_: WorkType) -> str:
    """Give `journal` or `meeting`, by the name of the venue, else by the class of the work; empty where none tells."""
    return (parse(venue).kind if venue else "") or _KINDS.get(type_, "")


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
