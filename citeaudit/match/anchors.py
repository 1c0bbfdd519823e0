"""The rules by which a record is anchored as the work of a reference, may be it, or is another.

Each rule looks at one comparison and gives a rank with the name of the rule (`citeaudit.match.rules.ANCHORS`), or
`None` where it has nothing to say; the first that speaks decides. A similar title alone never anchors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from citeaudit.match.compare import Comparison
from citeaudit.match.containers import contains
from citeaudit.match.frames import CROWD, exchanged, renumbered
from citeaudit.match.names import ready
from citeaudit.match.places import first_page
from citeaudit.match.rules import NO_ONE
from citeaudit.match.title_forms import akin, tongues
from citeaudit.match.venues import is_plain
from citeaudit.model import FieldName, Person, Rank, Reference, Relation, Work, WorkType
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
_ELSEWHERE = frozenset({"venue_differs", "venue_unknown", "volume_differs", "pages_differs"})
_AGREE = (Relation.SAME, Relation.VARIANT)
_PAPERS = frozenset({WorkType.ARTICLE_JOURNAL, WorkType.PAPER_CONFERENCE})
_LONG = frozenset({WorkType.BOOK, WorkType.CHAPTER, WorkType.THESIS})
_COMPANION = re.compile(
    r"(?:erratum|errata|corrigendum|(?:author |publisher )?correction|retraction(?: note)?|addendum|withdrawal"
    r"|(?:authors? )?(?:reply|response)|comments?|commentary|discussion|(?:book )?review|expression of concern)"
    r"(?: (?:to|on|of|for))?\b"
)


class Facts(NamedTuple):
    """What the anchor rules look at."""

    reference: Reference
    work: Work
    seen: Comparison
    ids: tuple[str, ...]

    @property
    def title_agrees(self) -> bool:
        """Whether the titles are the same or forms of one."""
        return self.seen.relation(FieldName.TITLE) in _AGREE

    @property
    def distinct(self) -> bool:
        """Whether the same, distinctive title: not merely a shared heading."""
        diff = self.seen.title
        return diff is not None and diff.likeness not in (Likeness.CUT, Likeness.OTHER) and not self.generic

    @property
    def generic(self) -> bool:
        """Whether many works bear the cited title."""
        return is_generic(self.reference.title or "")

    @property
    def year_near(self) -> bool:
        """Whether both sides give a year, and the two agree or are usual for one work."""
        return self.seen.year_gap is not None and self.seen.relation(FieldName.YEAR) in _AGREE

    @property
    def year_apart(self) -> bool:
        """Whether the years differ."""
        return self.seen.relation(FieldName.YEAR) is Relation.DIFFERENT

    @property
    def venue_agrees(self) -> bool:
        """Whether the venue is the same or a shorter form."""
        return self.rule(FieldName.CONTAINER_TITLE) in ("venue_same", "venue_abbreviated")

    @property
    def elsewhere(self) -> bool:
        """Whether the reference names a place of publication that is not the record's."""
        rules = {self.rule(field) for field in (FieldName.CONTAINER_TITLE, FieldName.VOLUME, FieldName.PAGES)}
        return not rules.isdisjoint(_ELSEWHERE)

    @property
    def whole(self) -> bool:
        """Whether all authors are cited and in order: two or more, or one by the full name."""
        rule, people = self.seen.people.rule, self.seen.people.cited
        if people > 1:
            return rule in ("authors_same", "authors_initials")
        return people == 1 and rule == "authors_same" and any(map(_spelt_out, self.reference.authors))

    def rule(self, field: FieldName) -> str:
        """Give the rule that decided on a field; empty where it was not compared."""
        return next((item.rule for item in self.seen.fields if item.field is field), "")


def _spelt_out(person: Person) -> bool:
    return any(len(word) > 1 for word in ready(person).given)


def _other_form(facts: Facts) -> bool:
    """Whether one side is a book and the other a paper, and they differ: people reuse their titles.

    A cited identifier that is the record's decides before the form does.
    """
    cited, held = facts.reference.type, facts.work.type
    apart = (cited in _LONG and held in _PAPERS) or (cited in _PAPERS and held in _LONG)
    printed = held is WorkType.UNKNOWN and facts.work.container_title is not None
    apart = apart or (cited is WorkType.THESIS and printed)  # a paper drawn from it, often with the same title
    fields = (FieldName.TITLE, FieldName.AUTHORS, FieldName.YEAR)
    differs = any(facts.seen.relation(field) is Relation.DIFFERENT for field in fields)
    differs = differs or 0 < facts.seen.people.matched < facts.seen.people.cited
    return apart and differs and not facts.ids


def _companion(facts: Facts) -> tuple[Rank, str] | None:
    """Keep reviews, errata, replies and notices from standing for the work they are about."""
    diff = facts.seen.title
    if diff is None or diff.likeness is Likeness.EQUAL:
        wanted = facts.reference.type in (WorkType.PEER_REVIEW, WorkType.UNKNOWN)
        return (Rank.REJECTED, "companion") if facts.work.type is WorkType.PEER_REVIEW and not wanted else None
    about = _speaks_of(facts.reference.title or "", facts.work.title, agree=facts.title_agrees)
    return (Rank.REJECTED, "companion") if about or facts.work.type is WorkType.PEER_REVIEW else None


def _speaks_of(title: str, recorded: str, *, agree: bool) -> bool:
    """Whether one of two titles says by its opening that it is about another work, and the other does not."""
    found, claimed = _opening(recorded), _opening(title)
    if found is None and claimed is None:
        return False
    about = found is not None and found != claimed
    return about or (claimed is not None and found is None and agree) or is_about(title, recorded)


def is_about(title: str, subject: str) -> bool:
    """Whether a title is that of another work behind words that say so.

    >>> is_about("Reply to: Quiet dunes of the shore", "Quiet dunes of the shore")
    True
    >>> is_about("Response of quiet dunes to the sea", "Answer of quiet dunes to the sea")
    False
    """
    opening = _opening(title)
    if opening is None:
        return False
    about = fold(undecorated(title)).removeprefix(opening).strip()
    return bool(about) and about == fold(undecorated(subject))


@lru_cache(maxsize=16_384)
def _opening(title: str) -> str | None:
    """Give the words with which a title says that it is about another work: `Erratum to`."""
    head = _COMPANION.match(fold(undecorated(title)))
    return head.group() if head else None


def _identifier(facts: Facts) -> tuple[Rank, str] | None:
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
            (Rank.REJECTED, "identifier_other_work") if people.rule in NO_ONE else (Rank.ANCHORED, "identifier_alone")
        )
    volume = contains(facts.work, facts.reference)
    return Rank.REJECTED, "identifier_of_volume" if volume else "identifier_other_work"


def _title_authors(facts: Facts) -> tuple[Rank, str] | None:
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


def _title_alone(facts: Facts) -> tuple[Rank, str] | None:
    authors = facts.seen.relation(FieldName.AUTHORS)
    if not facts.title_agrees or authors not in (Relation.NOT_CITED, Relation.UNKNOWN):
        return None
    if facts.generic:
        return Rank.POSSIBLE, "generic_title"
    if not facts.distinct or facts.year_apart:
        return Rank.POSSIBLE, "title_only"
    return Rank.ANCHORED, "title_year" if facts.year_near else "title_alone"


def _other_authors(facts: Facts) -> tuple[Rank, str] | None:
    if not facts.title_agrees:
        return None
    if not facts.distinct:
        return Rank.REJECTED, "homonym"
    if facts.venue_agrees:
        return Rank.ANCHORED, "title_other_authors"
    if facts.year_near and (facts.seen.year_gap or 0) <= 1:
        return (Rank.POSSIBLE, "homonym") if _homonym(facts) else (Rank.ANCHORED, "title_other_authors")
    return (Rank.REJECTED, "homonym") if facts.seen.year_gap is not None else (Rank.POSSIBLE, "title_only")


def _homonym(facts: Facts) -> bool:
    """Whether a title of other authors may be another work's: in another venue, or short and in none that is known."""
    rule = facts.rule(FieldName.CONTAINER_TITLE)
    if rule in ("venue_differs", "venue_unknown", "venue_preprint"):
        return rule != "venue_preprint"
    words = [word for word in fold(facts.reference.title or "").split() if word not in _FUNCTION]
    return len(words) < LONG_TITLE


def _near_title(facts: Facts) -> tuple[Rank, str] | None:
    diff, people = facts.seen.title, facts.seen.people
    if diff is None or facts.title_agrees or not (people.agree and people.first) or not facts.year_near:
        return None
    far = diff.distance > NEAR_TITLE
    longer = _contained(facts) and (far or diff.changed > 1)
    if longer or (far and (diff.changed > NEAR_WORDS or diff.distance > NEAR_SHORT)):
        return (Rank.ANCHORED, "title_exchanged") if _exchanged(facts) else None
    if facts.elsewhere:
        return Rank.POSSIBLE, "neighbour"
    return (Rank.POSSIBLE, "series") if diff.numbers_only and not _renumbered(facts) else (Rank.ANCHORED, "near_title")


def _renumbered(facts: Facts) -> bool:
    """Whether a number of the title that counts no parts is another, and all else that is cited is the record's."""
    if not facts.whole or facts.seen.year_gap != 0:
        return False
    return any(renumbered(facts.reference.title or "", title) for title in _titles(facts.work))


def _titles(work: Work) -> Iterator[str]:
    yield from filter(None, (work.title, *(version.title for version in work.versions)))


def _exchanged(facts: Facts) -> bool:
    """Whether words of the title were exchanged in their places, and all else that is cited is the record's.

    Of pairs of works by the same people in one year, 4 in 8,196 passed for each other so, 11 where no venue was cited,
    and 4 in 4,299 of those by one person; of 246 references with an altered title, 103 that `near_title` leaves open.
    """
    people, gap = facts.seen.people.cited, facts.seen.year_gap
    slip = people >= CROWD and facts.seen.people.rule == "authors_misspelt"
    if gap is None or facts.elsewhere or not (facts.whole or slip):
        return False
    return any(exchanged(facts.reference.title or "", title, people, gap) for title in _titles(facts.work))


def _title_form(facts: Facts) -> tuple[Rank, str] | None:
    """Leave open whether a title is a form of the recorded one that words do not show, where all else agrees."""
    people = facts.seen.people
    if facts.seen.title is None or facts.title_agrees or not (people.agree and people.first):
        return None
    if not facts.year_near or facts.elsewhere:
        return None
    claimed = facts.reference.title or ""
    may = any(akin(claimed, title) for title in _titles(facts.work)) or (_same_list(facts) and _tongues(facts))
    return (Rank.POSSIBLE, "title_form") if may else None


def _same_list(facts: Facts) -> bool:
    """Whether the record lists as many authors, from the same name on."""
    cited, found = facts.reference.authors, facts.work.authors
    names = {fold(person.family or person.literal or "") for person in (*cited[:1], *found[:1])}
    return len(cited) == len(found) and len(names) == 1


def _tongues(facts: Facts) -> bool:
    same = facts.whole and facts.venue_agrees and facts.seen.year_gap == 0
    return same and any(tongues(facts.reference.title or "", title) for title in _titles(facts.work))


def _contained(facts: Facts) -> bool:
    """Whether one title stands whole in the other: words were added, none was changed."""
    one, two = (f" {fold(title)} " for title in (facts.reference.title or "", facts.work.title))
    return one in two or two in one


def _title_less(facts: Facts) -> tuple[Rank, str] | None:
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


def _plain_venue(facts: Facts) -> bool:
    """Whether the cited venue can hardly be another: many journals have the same volume, page and year."""
    venues = (facts.work.container_title, *(version.container_title for version in facts.work.versions))
    claimed = facts.reference.container_title or ""
    return any(venue and is_plain(claimed, venue) for venue in venues)


def _other(_: Facts) -> tuple[Rank, str]:
    return Rank.REJECTED, "other_work"


_Rule = Callable[[Facts], tuple[Rank, str] | None]
_ANCHOR_RULES: tuple[_Rule, ...] = (
    _companion,
    _identifier,
    _title_authors,
    _title_alone,
    _other_authors,
    _near_title,
    _title_form,
    _title_less,
    _other,
)


def stranger(reference: Reference, work: Work) -> tuple[Rank, str]:
    """Give what `anchor` gives for a record without a cited identifier and an author, whose title is another."""
    about = _speaks_of(reference.title or "", work.title, agree=False)
    return Rank.REJECTED, "companion" if about or work.type is WorkType.PEER_REVIEW else "other_work"


def anchor(facts: Facts) -> tuple[Rank, str]:
    """Give the rank of a record and the name of the rule that decided, a key of `ANCHORS`. Never raises."""
    rank, name = next(result for rule in _ANCHOR_RULES if (result := rule(facts)) is not None)
    if rank is not Rank.REJECTED and _other_form(facts):
        return Rank.POSSIBLE, "other_form"
    return rank, name
