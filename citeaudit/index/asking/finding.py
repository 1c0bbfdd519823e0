"""Look into an index as a person does: what comes up, how well it fits, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from citeaudit.index.asking import grouping, ranking
from citeaudit.index.asking.candidates import CandidateIndex, Found
from citeaudit.index.asking.grouping import own_pairs
from citeaudit.index.asking.ranking import GOOD, Hit
from citeaudit.index.store.keys import identifier_key, title_keys
from citeaudit.index.store.record import About
from citeaudit.index.store.terms import title_terms
from citeaudit.model import IDENTIFIER_KINDS, Query, QueryKind, Work
from citeaudit.text.normalize import fold

FLOOR = 0.3
"""Score under which a record is not shown; lower than that of an audit, so that near misses can be looked at."""


COUNT = {QueryKind.TITLE: 8, QueryKind.CITATION: 14}
"""Rarest words that are looked up; a reference has its venue and pages in, so it needs more."""

MAX_WORDS = 200
"""Words of a reference that are looked at."""


class Seen(NamedTuple):
    """A work that came up."""

    score: float
    """0 to 1, as candidates are weighed; 1 for an identifier."""
    work: Work
    """With its other versions and the notices about any of them."""
    about: tuple[About, ...]
    """Of a record that is itself a notice: about which works."""


def find(candidates: CandidateIndex, query: Query) -> list[Seen]:
    """Give what an index has for a title, a raw reference or an identifier, best first.

    Args:
        candidates: The back end.
        query: A text that is asked for as a title may also be a whole reference.

    Raises:
        IndexDamagedError: The files are damaged or gone.
    """
    hits = _identified(candidates, query) if query.kind in IDENTIFIER_KINDS else _worded(candidates, query)
    groups = grouping.gather(hits)
    notices = candidates.notices(sorted({number for group in groups for number in _keys(group)}))
    return [
        Seen(
            group[0].score,
            grouping.merge(
                group,
                source=candidates.manifest.name,
                notices=[notice for number in _keys(group) for notice in notices.get(number, ())],
            ),
            tuple(dict.fromkeys(about for hit in group for about in hit.record.about)),
        )
        for group in groups
    ]


def _identified(candidates: CandidateIndex, query: Query) -> list[Hit]:
    (found,) = candidates.exact([[identifier_key(query.kind.value, query.text)]])
    return [Hit(1.0, place, record) for place, record in found.items()]


def _worded(candidates: CandidateIndex, query: Query) -> list[Hit]:
    """Weigh what comes up for a text as a title and, where that is nothing good, as a whole reference."""
    hits = _weighed(candidates, query)
    if query.kind is QueryKind.TITLE and (not hits or hits[0].score < GOOD):
        hits += _weighed(candidates, query.model_copy(update={"kind": QueryKind.CITATION}))
    best: dict[int, Hit] = {}
    for hit in ranking.best_first(hits):
        best.setdefault(hit.place, hit)
    return ranking.leading(list(best.values()))


def _weighed(candidates: CandidateIndex, query: Query) -> list[Hit]:
    asked = ranking.ask(query)
    words = title_terms(query.text)
    if query.kind is QueryKind.CITATION:
        words = fold(query.text).split()[:MAX_WORDS]
        words += [f"z{word}" for word in words]
    exact: Found = {}
    if keys := title_keys(query.text):
        (exact,) = candidates.exact([keys])
    (found,) = candidates.search([words], count=COUNT[query.kind]) if words else [{}]
    hits = [Hit(ranking.weigh(asked, record), place, record) for place, record in {**exact, **found}.items()]
    return [hit for hit in hits if hit.score >= FLOOR]


def _keys(group: Iterable[Hit]) -> list[int]:
    pairs = dict.fromkeys(pair for hit in group for pair in own_pairs(hit.record))
    return [identifier_key(scheme, value) for scheme, value in pairs]
