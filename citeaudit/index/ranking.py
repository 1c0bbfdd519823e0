"""Order what an index found, and gather the records of one work. Lenient on purpose: the matcher decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rapidfuzz.fuzz import partial_ratio, ratio

from citeaudit.index.records import Record, as_work, is_complete
from citeaudit.index.store import surname_terms
from citeaudit.model import Identifiers, Query, QueryKind, Work
from citeaudit.text.normalize import fold, key

TITLE_WEIGHT, SURNAME_WEIGHT, YEAR_WEIGHT = 0.75, 0.20, 0.05
"""Shares of the score, `docs/index.md`; what the question lacks is left out of the sum."""

FLOOR = 0.5
"""Score under which a record is no candidate. Two unrelated titles score about 0.4: this drops only the hopeless."""

GOOD = 0.85
"""Score from which the search stops: the whole title and half of the surnames."""

MIN_PREFIX, PREFIX_SHARE, PREFIX_SCORE = 12, 0.35, 0.97
"""A title cut short counts nearly as the whole from this many characters and this share of the longer one."""

MAX_RAW = 4_000
"""Characters of a raw reference that are looked at."""

LONG_TITLE = 25
"""Characters from which a title found inside a raw reference counts in full; shorter ones occur by chance."""

SHORT_KEY = 15
"""Folded titles shorter than this (`introduction`) say too little to gather records by them in different years."""

MAX_CANDIDATES = 5
"""Works in one answer."""


class Hit(NamedTuple):
    """A record weighed against a question; `score` is 0 to 1."""

    score: float
    place: int
    record: Record


class Asked(NamedTuple):
    """A question, folded once for all the records it is held against."""

    kind: QueryKind
    text: str
    """The title key; of a raw reference, all its folded characters."""
    surnames: tuple[frozenset[str], ...]
    """Search terms of each cited surname."""
    words: frozenset[str]
    """Of a raw reference: its words with `z` before, where surnames are looked for."""
    year: int | None
    raw: str


def ask(query: Query) -> Asked:
    """Fold a question."""
    raw = query.text[:MAX_RAW]
    folded = fold(raw)
    surnames = tuple(frozenset(terms) for family in query.families if (terms := surname_terms(family)))
    words = frozenset(f"z{word}" for word in folded.split()) if query.kind is QueryKind.CITATION else frozenset()
    text = folded.replace(" ", "") if query.kind is QueryKind.CITATION else key(raw)
    return Asked(query.kind, text, surnames, words, query.year, raw)


def likeness(asked: str, found: str) -> float:
    """Give how alike two folded titles are, 0 to 1; one cut short is nearly the whole one."""
    whole = ratio(asked, found) / 100
    short, long = sorted((len(asked), len(found)))
    if short == long or short < MIN_PREFIX or short < PREFIX_SHARE * long:
        return whole
    return max(whole, PREFIX_SCORE * ratio(asked[:short], found[:short]) / 100)


def weigh(asked: Asked, record: Record) -> float:
    """Score a record against a question, 0 to 1."""
    found = key(record.title)
    if asked.kind is QueryKind.CITATION:
        title, shared = _within(asked, found), _named(asked, record)
        year = None if record.year is None else float(str(record.year) in asked.raw)
    else:
        title, shared = likeness(asked.text, found), _shared(asked, record)
        year = _near(asked.year, record.year)
    parts = ((TITLE_WEIGHT, title), (SURNAME_WEIGHT, shared), (YEAR_WEIGHT, year))
    known = [(weight, part) for weight, part in parts if part is not None]
    return sum(weight * part for weight, part in known) / sum(weight for weight, _ in known)


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
    """The share of the cited surnames that the record has."""
    if not asked.surnames or not record.authors:
        return None
    held = surnames(record)
    return sum(bool(terms & held) for terms in asked.surnames) / len(asked.surnames)


def _near(asked: int | None, found: int | None) -> float | None:
    if asked is None or found is None:
        return None
    return max(0.0, 1.0 - abs(asked - found) / 2)


def surnames(record: Record) -> frozenset[str]:
    """Give the search terms of all surnames of a record."""
    return frozenset(term for name in record.authors for term in surname_terms(name))


def order(asked: Asked, records: dict[int, Record]) -> list[Hit]:
    """Weigh records and give those above the floor, best first; ties in the order of their ids."""
    hits = [Hit(weigh(asked, record), place, record) for place, record in records.items()]
    return sorted((hit for hit in hits if hit.score >= FLOOR), key=lambda hit: (-hit.score, hit.place))


def same_work(one: Record, other: Record) -> bool:
    """Whether two records are of one work: the same folded title, and the first author of either is an author of both.

    Preprint, proceedings and journal forms of a paper are gathered, and editions of a book. Records whose names
    were run together are reached by the words of the names. Titles that say little must agree in the year, too.
    """
    if (title := key(one.title)) != key(other.title) or not one.authors or not other.authors:
        return False
    first, second = frozenset(surname_terms(one.authors[0])), frozenset(surname_terms(other.authors[0]))
    if len(title) < SHORT_KEY:
        close = one.year is not None and other.year is not None and abs(one.year - other.year) <= 1
        return close and bool(first & second)
    return bool(first & surnames(other) or second & surnames(one))


def gather(hits: Iterable[Hit]) -> list[list[Hit]]:
    """Gather the records of one work; at most `MAX_CANDIDATES` works, best first."""
    groups: list[list[Hit]] = []
    for hit in hits:
        mine = next((group for group in groups if any(same_work(hit.record, one.record) for one in group)), None)
        if mine is not None:
            mine.append(hit)
        elif len(groups) < MAX_CANDIDATES:
            groups.append([hit])
    return groups


def _worth(hit: Hit) -> tuple[bool, int, int, int]:
    """How well a record can stand for its work: a whole author list, the longest one, the most fields."""
    record = hit.record
    fields = (record.year, record.venue, record.doi, record.volume, record.pages)
    return (is_complete(record), len(record.authors), sum(field is not None for field in fields), -hit.place)


def merge(group: list[Hit], *, source: str, first: Hit | None = None) -> Work:
    """Give the records of one work as one `Work`: the fullest stands for it, the others are its versions.

    Args:
        group: Records of one work, not empty.
        source: Name of the index.
        first: The record whose identifiers come first: the one that carries the identifier asked for.
    """
    chosen = max(group, key=_worth)
    others = tuple(hit.record for hit in group if hit is not chosen)
    work = as_work(chosen.record, source=source, source_id=str(chosen.place), others=others)
    if not others:
        return work
    known = [version.identifiers for version in work.versions]
    lead = [as_work(first.record, source=source, source_id="").identifiers] if first is not None else []
    pairs = [pair for one in (*lead, work.identifiers, *known) for pair in one.pairs()]
    merged: dict[str, str] = {}
    for scheme, value in pairs:
        merged.setdefault(scheme, value)
    return work.model_copy(update={"identifiers": Identifiers(**merged)})
