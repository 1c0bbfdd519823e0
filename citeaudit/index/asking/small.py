"""The back end for a few thousand records in memory: the starter index, and tests."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from heapq import nsmallest
from typing import NamedTuple

from citeaudit.index.asking.candidates import Found, Held
from citeaudit.index.manifest import Manifest
from citeaudit.index.store.keys import identifier_key, record_keys
from citeaudit.index.store.mending import mended
from citeaudit.index.store.record import Record, RecordNotice
from citeaudit.index.store.terms import text_of

ENOUGH_WORDS = 3
"""Words that must remain before words of a single record are left out: a misread word is rare, too."""

_LAST = "\U0010ffff"
"""Comes after every letter."""

_K1, _B = 1.2, 0.75
"""The usual constants of BM25, which tantivy has as well."""


class _Words(NamedTuple):
    held: dict[str, set[int]]
    """Places of the records that hold a word."""
    ordered: list[str]
    """The words in their order."""
    shares: dict[int, float]
    """How much a word counts in a record: less among many others (BM25)."""


class SmallCandidates:
    """Records in memory (`candidates.CandidateIndex`); never changed once made, so any thread may ask."""

    def __init__(self, records: Iterable[Record], *, name: str, built_at: datetime) -> None:
        """Take tidy records; their places count from 1 in their order.

        Args:
            records: A few thousand at most.
            name: Of the index, as reports call it.
            built_at: Aware, UTC.
        """
        self._records: Found = dict(enumerate(records, start=1))
        self._keys: dict[int, list[int]] = {}
        self._notices: dict[int, dict[RecordNotice, None]] = {}
        for place, record in self._records.items():
            for number in record_keys(record):
                self._keys.setdefault(number, []).append(place)
            for kind, scheme, value in record.about:
                notice = RecordNotice(kind, record.doi, record.year)
                self._notices.setdefault(identifier_key(scheme, value), {})[notice] = None
        content = blake2b(repr(self._records).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        self.manifest = Manifest(name=name, built_at=built_at, records=len(self._records), content=content)

    @cached_property
    def _words(self) -> _Words:
        """The words of all records: made when first asked for, since most questions end at an exact key."""
        held: dict[str, set[int]] = {}
        lengths: dict[int, int] = {}
        for place, record in self._records.items():
            words = text_of(record).split()
            lengths[place] = len(words)
            for word in words:
                held.setdefault(word, set()).add(place)
        mean = sum(lengths.values()) / max(1, len(lengths))
        shares = {place: (_K1 + 1) / (1 + _K1 * (1 - _B + _B * length / mean)) for place, length in lengths.items()}
        return _Words(held, sorted(held), shares)

    def exact(self, asked: Sequence[Sequence[int]], limit: int = 200) -> list[Found]:
        """Give, for each question, the records that have any of its keys, in their order."""
        return [self._exact(keys, limit) for keys in asked]

    def _exact(self, keys: Sequence[int], limit: int) -> Found:
        places = sorted({place for number in keys for place in self._keys.get(number, ())})
        return {place: self._records[place] for place in places[:limit]}

    def search(self, asked: Sequence[Sequence[str]], k: int = 50, count: int = 8, *, mend: bool = False) -> list[Found]:
        """Give, for each question, the `k` records that share most with its rarest words, best first."""
        return [self._search(self._mended(terms) if mend else terms, k, count) for terms in asked]

    def _mended(self, terms: Sequence[str]) -> Sequence[str]:
        held, ordered = self._words.held, self._words.ordered

        def begins(beginning: str) -> list[tuple[str, int]]:
            first, after = bisect_left(ordered, beginning), bisect_left(ordered, beginning + _LAST)
            return [(word, len(held[word])) for word in ordered[first:after]]

        return mended(terms, lambda word: len(held.get(word, ())), begins)

    def _search(self, terms: Sequence[str], k: int, count: int) -> Found:
        words = self._words
        known = sorted((len(held), term) for term in dict.fromkeys(terms) if (held := words.held.get(term)))
        repeated = [pair for pair in known if pair[0] > 1]
        scores: dict[int, float] = {}
        for records, term in (repeated if len(repeated) >= ENOUGH_WORDS else known)[:count]:
            weight = math.log(1 + (len(self._records) - records + 0.5) / (records + 0.5))
            for place in words.held[term]:
                scores[place] = scores.get(place, 0.0) + weight * words.shares[place]
        best = nsmallest(k, ((-score, place) for place, score in scores.items()))
        return {place: self._records[place] for _, place in best}

    def notices(self, keys: Sequence[int]) -> dict[int, tuple[RecordNotice, ...]]:
        """Give the notices about works by the keys of their identifiers."""
        return {number: tuple(self._notices[number]) for number in keys if number in self._notices}

    def held(self, venue: int, year: int) -> Held | None:
        """Give `None`: nothing is known of how much of a venue it holds."""
        del venue, year
        return None

    def close(self) -> None:
        """Do nothing: there are no files."""
