"""Gather the records of one work, and give them as one `Work` with its versions and notices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from citeaudit.identifiers import bare_arxiv_id, doi_arxiv_id
from citeaudit.index.asking.ranking import Hit, is_notice, squeezed, surnames
from citeaudit.index.store.record import Record, RecordNotice
from citeaudit.index.store.terms import surname_terms
from citeaudit.index.store.works import as_work, identifiers, is_complete
from citeaudit.model import Identifiers, Work

SHORT_KEY = 15
"""Folded titles shorter than this (`introduction`) say too little to gather records by them in different years."""

MAX_CANDIDATES = 5
"""Works in one answer."""

MAX_GROUP = 20
"""Records of one work that are gathered."""

Pair = tuple[str, str]
"""Scheme and value of an identifier."""

_PLAIN = ("doi", "pmid", "pmcid")


def own_pairs(record: Record) -> list[Pair]:
    """Give the identifiers that name this work and no other; arXiv ids without version, also from an arXiv DOI.

    An ISBN is not among them: all chapters of a book share it.
    """
    pairs: list[Pair] = [(scheme, value) for scheme in _PLAIN if (value := getattr(record, scheme))]
    arxiv_id = record.arxiv_id
    if arxiv_id is None and record.doi and record.doi.startswith("10.48550/"):
        arxiv_id = doi_arxiv_id(record.doi)
    if arxiv_id:
        pairs.append(("arxiv_id", bare_arxiv_id(arxiv_id)))
    return pairs


def related_pairs(record: Record) -> list[Pair]:
    """Give the identifiers of its other versions, as far as the record names them."""
    return [
        (one.scheme, bare_arxiv_id(one.value) if one.scheme == "arxiv_id" else one.value)
        for one in record.related
        if one.scheme != "isbn"
    ]


def same_work(one: Record, other: Record) -> bool:
    """Whether two records are of one work. Each must know an author of the other, and neither may be a notice.

    Either they have the same folded title, and the first author of one is an author of the other: preprint,
    proceedings and journal forms of a paper are gathered, and editions of a book. Records whose names were run
    together are reached by the words of the names. Titles that say little must agree in the year, too.
    Or they share an identifier, or one names the other's as that of another version: the work was renamed in between.
    """
    if not one.authors or not other.authors or is_notice(one) or is_notice(other):
        return False
    title = squeezed(one.title)
    return _same_title(title, one, other) if title == squeezed(other.title) else _renamed(one, other)


def _same_title(title: str, one: Record, other: Record) -> bool:
    first, second = frozenset(surname_terms(one.authors[0])), frozenset(surname_terms(other.authors[0]))
    if len(title) < SHORT_KEY:
        close = one.year is not None and other.year is not None and abs(one.year - other.year) <= 1
        return (close or _linked(one, other)) and not first.isdisjoint(second)
    if not first.isdisjoint(second):
        return True
    return not first.isdisjoint(surnames(other)) or not second.isdisjoint(surnames(one))


def _renamed(one: Record, other: Record) -> bool:
    """Whether two records of other titles are versions: linked, and the first author of each is an author of the other.

    A surname in common is not enough: of 814 such pairs in 801,262 real records 23 had other first authors, being
    papers under the DOI of their whole proceedings or under a wrong one.
    """
    if not _linked(one, other):
        return False
    first, second = frozenset(surname_terms(one.authors[0])), frozenset(surname_terms(other.authors[0]))
    return not first.isdisjoint(surnames(other)) and not second.isdisjoint(surnames(one))


def _linked(one: Record, other: Record) -> bool:
    mine, others = set(own_pairs(one)), set(own_pairs(other))
    return not (
        mine.isdisjoint(others) and mine.isdisjoint(related_pairs(other)) and others.isdisjoint(related_pairs(one))
    )


def gather(hits: Iterable[Hit]) -> list[list[Hit]]:
    """Gather the records of one work; at most `MAX_CANDIDATES` works, best first."""
    groups: list[list[Hit]] = []
    for hit in hits:
        mine = next((group for group in groups if any(same_work(hit.record, one.record) for one in group)), None)
        if mine is not None:
            if len(mine) <= MAX_GROUP:
                mine.append(hit)
        elif len(groups) < MAX_CANDIDATES:
            groups.append([hit])
    return groups


def join(group: list[Hit], records: Mapping[int, Record], taken: set[int]) -> None:
    """Add to the records of a work those of its further versions among others, up to `MAX_GROUP`.

    Args:
        group: Records of one work, not empty; the first is the one that the others are held against.
        records: By their place.
        taken: Places that belong to a work already; those added are put in.
    """
    lead = group[0].record
    for place, record in records.items():
        if len(group) > MAX_GROUP:
            return
        if place not in taken and same_work(lead, record):
            group.append(Hit(0.0, place, record))
            taken.add(place)


def _worth(hit: Hit) -> tuple[bool, int, int, int]:
    """How well a record can stand for its work: a whole author list, the longest one, the most fields."""
    record = hit.record
    fields = (record.year, record.venue, record.doi, record.volume, record.pages)
    return (is_complete(record), len(record.authors), sum(field is not None for field in fields), -hit.place)


def merge(group: Sequence[Hit], *, source: str, notices: Iterable[RecordNotice] = (), first: Hit | None = None) -> Work:
    """Give the records of one work as one `Work`: the fullest stands for it, the others are its versions.

    One with another title than the first never stands for it: what was asked for must be seen at a glance.

    Args:
        group: Records of one work, not empty; the first fits the question best.
        source: Name of the index.
        notices: About any of them, from elsewhere in the index.
        first: The record whose identifiers come first: the one that carries the identifier asked for.
    """
    notices = tuple(notices)
    if len(group) == 1:
        (chosen,) = group
        lead = chosen.record
        if notices:
            lead = lead._replace(notices=_distinct((*lead.notices, *notices)))
        return as_work(lead, source=source, source_id=str(chosen.place))
    title = squeezed(group[0].record.title)
    chosen = max((hit for hit in group if squeezed(hit.record.title) == title), key=_worth)
    lead, others = chosen.record, tuple(hit.record for hit in group if hit is not chosen)
    said = _distinct((*lead.notices, *(notice for other in others for notice in other.notices), *notices))
    lead = lead._replace(notices=said)
    others = tuple(other._replace(notices=()) if other.notices else other for other in others)
    work = as_work(lead, source=source, source_id=str(chosen.place), others=others)
    asked = (first.record,) if first is not None else ()
    merged: dict[str, str] = {}
    for scheme, value in (pair for one in (*asked, lead, *others) for pair in identifiers(one).pairs()):
        merged.setdefault(scheme, value)
    return work.model_copy(update={"identifiers": Identifiers(**merged)})


def _distinct(notices: Iterable[RecordNotice]) -> tuple[RecordNotice, ...]:
    """Give each notice once; one that only says what kind it is yields to one of that kind that says more."""
    said = dict.fromkeys(notices)
    if len(said) < 2:  # noqa: PLR2004 - nothing to choose
        return tuple(said)
    known = {one.type for one in said if one.doi or one.year}
    return tuple(one for one in said if one.doi or one.year or one.type not in known)
