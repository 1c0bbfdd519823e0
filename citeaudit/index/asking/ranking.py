"""Weigh what an index found against a question. Lenient on purpose: the matcher decides."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rapidfuzz.fuzz import partial_ratio, ratio

from citeaudit.index.asking import venues
from citeaudit.index.store.keys import head_key, locator_keys, raw_title
from citeaudit.index.store.record import Record
from citeaudit.index.store.terms import surname_terms
from citeaudit.model import IDENTIFIER_KINDS, Query, QueryKind, WorkType
from citeaudit.text.folding import folded
from citeaudit.text.normalize import fold

TITLE_WEIGHT, SURNAME_WEIGHT, YEAR_WEIGHT = 0.75, 0.20, 0.05
"""Shares of the score, `docs/index.md`; what the question lacks is left out of the sum."""

PLACE_SHARE, VENUE_SHARE, PLACE_YEAR_SHARE, PLACE_SURNAME_SHARE = 0.40, 0.30, 0.15, 0.15
"""Shares of the score of a record on the cited volume and page: for that, its venue, its year, its surnames.

The same venue and one of year and surnames are `GOOD`; what the record or the question lacks is left out.
"""

FLOOR = 0.5
"""Score under which a record is no candidate. Two unrelated titles score about 0.4: this drops only the hopeless."""

GOOD = 0.85
"""Score from which the search stops: the whole title and half of the surnames."""

MARGIN = 0.30
"""How far under a good one a record may score and still be a candidate."""

NOTICE_LOSS = 0.10
"""What an editorial notice or a review loses against the work that it is about, whose title it bears."""

MIN_PREFIX, PREFIX_SHARE, PREFIX_SCORE = 12, 0.35, 0.97
"""A title cut short counts nearly as the whole from this many characters and this share of the longer one."""

OTHER_SCRIPT = 0.9
"""Share that is left of a likeness which exists only in Latin letters, both titles being in another script."""

MAX_RAW = 4_000
"""Characters of a raw reference that are looked at."""

LONG_TITLE = 25
"""Characters from which a title found inside a raw reference counts in full; shorter ones occur by chance."""

_REVIEW = WorkType.PEER_REVIEW.value
_NOTICE_WORD = re.compile(r"\b(?:correct|corrig|errat|retract|withdraw|comment|concern|addend|review)")


class Hit(NamedTuple):
    """A record weighed against a question; `score` is 0 to 1."""

    score: float
    place: int
    record: Record


@dataclass
class Asked:
    """A question, folded once for all the records it is held against."""

    kind: QueryKind
    raw: str
    text: str
    """The title key; of a raw reference, all its folded characters."""
    families: tuple[str, ...]
    """Cited surnames as printed."""
    year: int | None
    venue: str | None = None
    words: frozenset[str] = frozenset()
    """Of a raw reference: its words with `z` before, where surnames are looked for."""
    place: tuple[int, ...] = ()
    """Key of the volume and page in the journal, where they are cited (`keys.locator_keys`)."""
    script: str | None = None
    """Of a title in another script: its letters as they stand; folded, different words may become one."""

    @cached_property
    def surnames(self) -> tuple[frozenset[str], ...]:
        """Search terms of each cited surname."""
        return tuple(frozenset(terms) for family in self.families if (terms := surname_terms(family)))


def ask(query: Query) -> Asked:
    """Fold a question."""
    raw, kind, families = query.text[:MAX_RAW], query.kind, query.families
    if kind in IDENTIFIER_KINDS:
        return Asked(kind, raw, "", families, query.year)
    if kind is QueryKind.TITLE:
        script = None if raw.isascii() else raw_title(raw)
        return Asked(kind, raw, squeezed(raw), families, query.year, script=script)
    folded = fold(raw)
    return Asked(
        kind,
        raw,
        folded.replace(" ", ""),
        families,
        query.year,
        venue=query.container_title,
        words=frozenset(f"z{word}" for word in folded.split()),
        place=locator_keys(query.container_title, query.volume, query.page),
    )


def squeezed(title: str) -> str:
    """Give a title as titles are compared: folded, without spaces."""
    return folded(title).replace(" ", "")


def likeness(asked: str, found: str) -> float:
    """Give how alike two folded titles are, 0 to 1; one cut short is nearly the whole one."""
    if asked == found:
        return 1.0 if asked else 0.0
    whole = ratio(asked, found) / 100
    short, long = sorted((len(asked), len(found)))
    if short == long or short < MIN_PREFIX or short < PREFIX_SHARE * long:
        return whole
    return max(whole, PREFIX_SCORE * ratio(asked[:short], found[:short]) / 100)


def weigh(asked: Asked, record: Record) -> float:
    """Score a record against a question, 0 to 1."""
    if asked.kind is QueryKind.CITATION:
        score = max(_raw_score(asked, record), _place_score(asked, record))
    else:
        score = _title_score(asked, record)
    return score - NOTICE_LOSS if is_notice(record) and not _asks_for_notice(asked, record) else score


def _title_score(asked: Asked, record: Record) -> float:
    title = _likest(asked, record)
    if TITLE_WEIGHT * title + SURNAME_WEIGHT + YEAR_WEIGHT < FLOOR:
        return 0.0  # surnames and year cannot lift it: nine in ten of the records that words bring up
    total, weights = TITLE_WEIGHT * title, TITLE_WEIGHT
    if (shared := _shared(asked, record)) is not None:
        total, weights = total + SURNAME_WEIGHT * shared, weights + SURNAME_WEIGHT
    if asked.year is not None and record.year is not None:
        total, weights = total + YEAR_WEIGHT * _near(asked.year, record.year), weights + YEAR_WEIGHT
    return total / weights


def _likest(asked: Asked, record: Record) -> float:
    """How alike the title is to the one of the record's titles that it is most like."""
    if record.title == asked.raw:
        return 1.0
    title = likeness(asked.text, squeezed(record.title))
    for other in record.titles:
        title = max(title, likeness(asked.text, squeezed(other)))
    if title < PREFIX_SCORE and asked.text in {head_key(one) for one in (record.title, *record.titles)}:
        title = PREFIX_SCORE  # its subtitle may be of any length
    if asked.script is None or title <= OTHER_SCRIPT:
        return title
    written = [raw_title(one) for one in (record.title, *record.titles)]
    return title if None in written or asked.script in written else OTHER_SCRIPT * title


def _raw_score(asked: Asked, record: Record) -> float:
    title = max(_within(asked, squeezed(one)) for one in (record.title, *record.titles))
    year = None if record.year is None else float(str(record.year) in asked.raw)
    parts = ((TITLE_WEIGHT, title), (SURNAME_WEIGHT, _named(asked, record)), (YEAR_WEIGHT, year))
    known = [(weight, part) for weight, part in parts if part is not None]
    return sum(weight * part for weight, part in known) / sum(weight for weight, _ in known)


def _place_score(asked: Asked, record: Record) -> float:
    """How well a record fits that stands on the cited volume and first page; 0 where it does not."""
    if not asked.place or locator_keys(record.venue, record.volume, record.pages) != asked.place:
        return 0.0
    total = weights = PLACE_SHARE
    if asked.venue and record.venue:
        total, weights = total + VENUE_SHARE * venues.alike(asked.venue, record.venue), weights + VENUE_SHARE
    if asked.year is not None and record.year is not None:
        total, weights = total + PLACE_YEAR_SHARE * _near(asked.year, record.year), weights + PLACE_YEAR_SHARE
    if (shared := _shared(asked, record)) is not None:
        total, weights = total + PLACE_SURNAME_SHARE * shared, weights + PLACE_SURNAME_SHARE
    return total / weights


def _within(asked: Asked, found: str) -> float:
    """How well a title stands somewhere in a raw reference."""
    if len(found) > len(asked.text):
        return ratio(asked.text, found) / 100
    return partial_ratio(found, asked.text) / 100 * min(1.0, len(found) / LONG_TITLE)


def _named(asked: Asked, record: Record) -> float | None:
    """The share of a record's first three surnames that occur in a raw reference."""
    names = [terms for name in record.authors[:3] if (terms := surname_terms(name))]
    return sum(terms[-1] in asked.words for terms in names) / len(names) if names else None


def _shared(asked: Asked, record: Record) -> float | None:
    """The share of the cited surnames that the record has; `None` where either names nobody."""
    if not asked.families or not record.authors:
        return None
    printed = {name.family for name in record.authors}
    if printed.issuperset(asked.families):
        return 1.0  # letter by letter, so that nothing need be folded
    if not asked.surnames:
        return None
    held = surnames(record)
    return sum(not terms.isdisjoint(held) for terms in asked.surnames) / len(asked.surnames)


def _near(asked: int, found: int) -> float:
    return max(0.0, 1.0 - abs(asked - found) / 2)


def surnames(record: Record) -> frozenset[str]:
    """Give the search terms of all surnames of a record."""
    return frozenset(term for name in record.authors for term in surname_terms(name))


def is_notice(record: Record) -> bool:
    """Whether a record is an editorial notice or a review about a work, and not the work."""
    return bool(record.about) or record.type == _REVIEW


def _asks_for_notice(asked: Asked, record: Record) -> bool:
    """Whether the question itself cites the notice: in the words of its title, and with a word for what it is."""
    return asked.text == squeezed(record.title) and _NOTICE_WORD.search(fold(asked.raw)) is not None


def order(asked: Asked, records: Mapping[int, Record]) -> list[Hit]:
    """Weigh records and give those above the floor, best first; ties in the order of their places."""
    hits = [Hit(score, place, one) for place, one in records.items() if (score := weigh(asked, one)) >= FLOOR]
    return best_first(hits)


def best_first(hits: list[Hit]) -> list[Hit]:
    """Sort by score; of equal ones a work comes before a notice, then the order of their places."""
    if len(hits) > 1:
        hits.sort(key=lambda hit: (-hit.score, is_notice(hit.record), hit.place))
    return hits


def leading(hits: list[Hit]) -> list[Hit]:
    """Give the hits that are worth showing: where the first is good, those far behind it are left out."""
    if not hits or hits[0].score < GOOD:
        return hits
    least = hits[0].score - MARGIN
    return [hit for hit in hits if hit.score >= least]
