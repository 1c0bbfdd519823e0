"""The offline index: a whole list of questions asked at once, by identifier, by title, by place and by words.

The ladder, cheapest step first; each step is taken for all questions that are still open, and a question leaves it at
the first good answer: an identifier; the key of the whole title; the key of the part before a colon; the few rarest
words and surnames; more of them. A reference without a title is asked by volume and first page, then by its words.
Where the records lie, and how they are found, is the matter of a `CandidateIndex`.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Self, cast

from citeaudit import registry
from citeaudit.errors import FailureKind, IndexBuildError, IndexDamagedError
from citeaudit.identifiers import bare_arxiv_id, doi_arxiv_id
from citeaudit.index.asking import grouping, ranking
from citeaudit.index.asking.candidates import CandidateIndex, Found
from citeaudit.index.asking.grouping import Pair, own_pairs, related_pairs
from citeaudit.index.asking.local import LocalCandidates, Unusable
from citeaudit.index.asking.ranking import GOOD, Hit, is_notice, squeezed
from citeaudit.index.asking.small import SmallCandidates
from citeaudit.index.coverage.counting import testify, venue_held, whole_until
from citeaudit.index.manifest import DENIED, MANIFEST, PARTS, REBUILD, is_there
from citeaudit.index.store.keys import identifier_key, title_keys
from citeaudit.index.store.record import Record, RecordNotice
from citeaudit.index.store.terms import LEADING_SURNAMES, surname_terms
from citeaudit.model import IDENTIFIER_KINDS, OFFLINE_INDEX, Failure, Lookup, Outcome, Query, QueryKind, Work
from citeaudit.text.folding import folded

LINEAGE = OFFLINE_INDEX
"""Independence group of every offline index."""

TITLE_ROUNDS = ((16, 4, False), (50, 14, True))
"""Records that each round of words brings up, the rarest words it looks up, and whether words are mended first; the
second where the first found nothing good.

On 801,262 records and noisy titles of our own: recall as with the second round alone, at two fifths of the time. Of
500 titles with nearly every word damaged, on 5,000,000: 478 are found first with 8 words as they are, 488 with 8
mended ones; the 12 that were missed then all come up among the first four with 14, since those that are mended wrongly
are the rarest.
"""

RAW_ROUNDS = ((16, 8, False), (50, 30, False))
"""The same of a raw reference, which has its venue in: with 14 words in place of 30, five in a hundred more are missed.
"""

MAX_FURTHER = 60
"""Further records that are looked at to complete the works of one answer."""

MAX_WORDS = 400
"""Words of a question that are looked at."""

FAULTS = (IndexDamagedError, sqlite3.Error, OSError, ValueError, KeyError)
"""What a damaged index raises, whichever layer notices it."""

COMMAND = "citeaudit index"
"""What a message must name, so that the user knows what to run."""

_CAPITAL = re.compile(r"\b[^\W\d_a-z]\w{0,40}")
_BACKEND = re.compile(r"[a-z][a-z0-9_-]{1,40}")  # a single letter is a drive

Clock = Callable[[], datetime]
"""Gives the time, aware, UTC."""


def utc_now() -> datetime:
    """Give the time of this machine, aware, UTC."""
    return datetime.now(UTC)


class _Question:
    """A question on its way down the ladder."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.asked = ranking.ask(query)
        self.seen: Found = {}
        """Every record that came up; those of a work that is found become its versions."""
        self.hits: list[Hit] = []
        self.keys: set[int] = set()
        """Exact keys that were looked up for it."""

    @property
    def open(self) -> bool:
        """Whether no good answer was found yet."""
        return not self.hits or self.hits[0].score < GOOD

    @cached_property
    def terms(self) -> list[str]:
        """The words and surname terms it is looked up by."""
        raw = self.asked.raw
        words = folded(raw).split()[:MAX_WORDS]
        families = self.query.families
        if len(families) > LEADING_SURNAMES + 1:  # no record is found by others
            families = (*families[:LEADING_SURNAMES], families[-1])
        names = [term for family in families for term in surname_terms(family)]
        if self.query.kind is QueryKind.CITATION:
            # of all the words of a reference, volumes and pages are the rarest, and no title's; names have a capital
            words = [word for word in words if not word.isdigit()]
            names.extend(f"z{word}" for word in folded(" ".join(_CAPITAL.findall(raw))).split() if len(word) > 1)
        return list(dict.fromkeys((*words, *names[:MAX_WORDS])))

    def take(self, records: Mapping[int, Record]) -> None:
        """Weigh what came up and was not known yet."""
        fresh = {place: record for place, record in records.items() if place not in self.seen}
        self.seen.update(fresh)
        hits = ranking.order(self.asked, fresh)
        self.hits = ranking.best_first([*self.hits, *hits]) if self.hits else hits

    def identify(self, records: Mapping[int, Record], pairs: Sequence[Pair]) -> None:
        """Take the records that carry an identifier, those that name it as that of another version where none does.

        A key of 48 bits may, though rarely, bring up others.
        """
        self.seen.update(records)
        for carried in (_carried, related_pairs):
            mine = {place: one for place, one in records.items() if not set(pairs).isdisjoint(carried(one))}
            if mine:
                self.hits = [Hit(1.0, place, record) for place, record in mine.items()]
                return


class LookupIndex:
    """An index of works (`seams.Index`) over any back end; safe to share between threads.

    A damaged one answers every question UNAVAILABLE, with what to run.
    """

    lineage = LINEAGE

    def __init__(self, candidates: CandidateIndex, *, complete: bool = False, clock: Clock = utc_now) -> None:
        """Ask a back end.

        Args:
            candidates: Holds the records.
            complete: Whether the user declares it complete (`--assume-complete`).
            clock: Gives the time of each answer.
        """
        self.candidates = candidates
        """The back end."""
        self.name = candidates.manifest.name
        """As lookups and works name it; may be set where it is the name of something else, too."""
        self.built_at = candidates.manifest.built_at
        self._complete, self._clock = complete, clock

    @classmethod
    def in_memory(
        cls, records: Iterable[Record], *, name: str, built_at: datetime, complete: bool = False, clock: Clock = utc_now
    ) -> Self:
        """Make an index of a few thousand tidy records without a file."""
        return cls(SmallCandidates(records, name=name, built_at=built_at), complete=complete, clock=clock)

    def search(self, queries: Sequence[Query]) -> tuple[Lookup, ...]:
        """Answer each query with one lookup, in order; a damaged index answers UNAVAILABLE.

        All are asked together. Where that fails, each is asked by itself, so that one damaged record costs only the
        questions that need it.
        """
        if not queries:
            return ()
        try:
            return self._answer(queries)
        except FAULTS as error:
            if len(queries) > 1:
                return tuple(answer for query in queries for answer in self.search([query]))
            return (self._unavailable(queries[0], self._fault(error)),)

    def close(self) -> None:
        """Let go of the files; no question may follow."""
        self.candidates.close()

    def _fault(self, error: Exception) -> str:
        if not isinstance(error, IndexDamagedError):
            return f"index {self.name} is damaged ({error}); {REBUILD}"
        message = str(error)
        return message if COMMAND in message or DENIED in message else f"{message}; {REBUILD}"

    def _answer(self, queries: Sequence[Query]) -> tuple[Lookup, ...]:
        questions = [_Question(query) for query in queries]
        if all(one.query.kind not in IDENTIFIER_KINDS and not one.asked.text for one in questions):
            self.candidates.exact([()])  # nothing to ask with: but a damaged index must not say no
        self._identified([one for one in questions if one.query.kind in IDENTIFIER_KINDS])
        self._titled([one for one in questions if one.query.kind is QueryKind.TITLE and one.asked.text])
        self._cited([one for one in questions if one.query.kind is QueryKind.CITATION and one.asked.text])
        works = self._works(questions)
        self.built_at = self.candidates.manifest.built_at
        now = self._clock()
        until = whole_until(self.candidates.manifest) if self._complete else None
        return tuple(
            Lookup.built(
                source=self.name,
                lineage=LINEAGE,
                query=query,
                outcome=Outcome.FOUND if found else Outcome.NO_MATCH,
                candidates=found,
                coverage=testify(query, self.candidates, complete=self._complete),
                whole_until=until,
                venue_held=venue_held(query, self.candidates) if self._complete else None,
                failure=None,
                reason=None,
                retrieved_at=now,
                from_cache=False,
                url=None,
            )
            for query, found in zip(queries, works, strict=True)
        )

    def _unavailable(self, query: Query, message: str) -> Lookup:
        return Lookup(
            source=self.name,
            lineage=LINEAGE,
            query=query,
            outcome=Outcome.UNAVAILABLE,
            failure=Failure(kind=FailureKind.DAMAGED, message=message),
            retrieved_at=self._clock(),
        )

    # --- the ladder ----------------------------------------------------------------------------------------

    def _identified(self, questions: list[_Question]) -> None:
        pairs = [_pairs(one.query) for one in questions]
        keys = [[identifier_key(scheme, value) for scheme, value in some] for some in pairs]
        for one, some, records in zip(questions, pairs, self._exact(questions, keys), strict=True):
            one.identify(records, some)

    def _titled(self, questions: list[_Question]) -> None:
        keys = [title_keys(one.query.text) for one in questions]
        self._take(questions, [some[:1] for some in keys])
        rest = [(one, some[1:]) for one, some in zip(questions, keys, strict=True) if len(some) > 1 and one.open]
        if rest:
            self._take([one for one, _ in rest], [some for _, some in rest])
        self._worded(questions, TITLE_ROUNDS)

    def _cited(self, questions: list[_Question]) -> None:
        placed = [one for one in questions if one.asked.place]
        self._take(placed, [one.asked.place for one in placed])
        self._worded(questions, RAW_ROUNDS)

    def _exact(self, questions: Sequence[_Question], keys: Sequence[Sequence[int]], limit: int = 200) -> list[Found]:
        for one, some in zip(questions, keys, strict=True):
            one.keys.update(some)
        return self.candidates.exact(keys, limit) if questions else []

    def _take(self, questions: Sequence[_Question], keys: Sequence[Sequence[int]]) -> None:
        for one, records in zip(questions, self._exact(questions, keys), strict=True):
            one.take(records)

    def _worded(self, questions: Sequence[_Question], rounds: Sequence[tuple[int, int, bool]]) -> None:
        for k, count, mend in rounds:
            still = [one for one in questions if one.open]
            if not still:
                return
            found = self.candidates.search([one.terms for one in still], k, count, mend=mend)
            for one, records in zip(still, found, strict=True):
                one.take(records)

    # --- works ---------------------------------------------------------------------------------------------

    def _works(self, questions: Sequence[_Question]) -> list[tuple[Work, ...]]:
        """Merge the records of each work, with its versions and notices that the search did not bring up."""
        groups = [grouping.gather(ranking.leading(one.hits)) for one in questions]
        self._complete_groups([pair for pair in zip(questions, groups, strict=True) if pair[1]])
        notices = self._notices([group for some in groups for group in some])
        return [
            tuple(self._merged(one.query, group, notices) for group in some)
            for one, some in zip(questions, groups, strict=True)
        ]

    def _complete_groups(self, found: Sequence[tuple[_Question, list[list[Hit]]]]) -> None:
        """Add the records of each work that share its title or an identifier, as far as they were not looked up yet."""
        keys = [_further(one, groups) for one, groups in found]
        more: list[Found] = [{} for _ in found]
        asked = [place for place, some in enumerate(keys) if some]
        if asked:
            answers = self._exact([found[place][0] for place in asked], [keys[place] for place in asked], MAX_FURTHER)
            for place, records in zip(asked, answers, strict=True):
                more[place] = records
        for (one, groups), records in zip(found, more, strict=True):
            known = {**one.seen, **records}
            if len(known) > sum(map(len, groups)):
                taken: set[int] = {hit.place for group in groups for hit in group}
                for group in groups:
                    grouping.join(group, known, taken)

    def _notices(self, groups: Sequence[list[Hit]]) -> dict[int, tuple[RecordNotice, ...]]:
        keys = {number for group in groups for hit in group for number in _notice_keys(hit.record)}
        return self.candidates.notices(sorted(keys)) if keys else {}

    def _merged(self, query: Query, group: list[Hit], notices: Mapping[int, tuple[RecordNotice, ...]]) -> Work:
        said = (
            [one for hit in group for number in _notice_keys(hit.record) for one in notices.get(number, ())]
            if notices
            else ()
        )
        first = group[0] if query.kind in IDENTIFIER_KINDS else None
        return grouping.merge(group, source=self.name, notices=said, first=first)


def open_index(name: str | Path, *, complete: bool = False, clock: Clock = utc_now) -> LookupIndex:
    """Open an index as the user named it: a folder, or `name:address` for another back end.

    A folder whose files are missing, damaged, of another version or not to be read still gives an index: every
    question to it is answered UNAVAILABLE, with what to run.

    Args:
        name: A folder that `citeaudit index build` made, or the name of a registered back end and its address.
        complete: Whether the user declares it complete (`--assume-complete`).
        clock: Gives the time of each answer.

    Raises:
        IndexBuildError: The path is no index at all. One that is damaged opens, and answers UNAVAILABLE.
        ConfigError: No such back end; the message names the known ones.
    """
    folder = Path(name)
    backend, colon, address = str(name).partition(":")
    elsewhere = isinstance(name, str) and colon and _BACKEND.fullmatch(backend) and not is_there(folder)
    if not elsewhere and not is_there(folder):
        raise IndexBuildError(
            f"{name}: no such folder, and no index of that name in the data directory; see citeaudit index list"
        )
    if not elsewhere and not any(is_there(folder / one) for one in (MANIFEST, PARTS)):
        raise IndexBuildError(f"{name}: is no index (it holds neither {MANIFEST} nor {PARTS}); {REBUILD}")
    candidates: CandidateIndex
    try:
        if elsewhere:
            candidates = cast("Callable[[str], CandidateIndex]", registry.load("candidates", backend))(address)
        else:
            candidates = LocalCandidates(folder)
    except IndexDamagedError as error:
        candidates = Unusable(Path(address if elsewhere else folder.resolve()).name or str(name), str(error))
    return LookupIndex(candidates, complete=complete, clock=clock)


def _pairs(query: Query) -> list[Pair]:
    """Give the identifiers a question asks for: an arXiv DOI is an arXiv id, too."""
    if query.kind is QueryKind.ARXIV_ID:
        return [("arxiv_id", bare_arxiv_id(query.text))]
    pairs = [(query.kind.value, query.text)]
    if query.kind is QueryKind.DOI and (arxiv_id := doi_arxiv_id(query.text)):
        pairs.append(("arxiv_id", bare_arxiv_id(arxiv_id)))
    return pairs


def _carried(record: Record) -> list[Pair]:
    return [*own_pairs(record), ("isbn", record.isbn)] if record.isbn else own_pairs(record)


def _further(question: _Question, groups: list[list[Hit]]) -> list[int]:
    """Give the keys by which more records of the works may be found, those left out that were asked already."""
    keys: dict[int, None] = {}
    for group in groups:
        for record in (hit.record for hit in group):
            if is_notice(record):
                continue
            title = record.title  # that of the question was asked first of all
            if title != question.asked.raw and squeezed(title) != question.asked.text:
                keys.update(dict.fromkeys(title_keys(record.title)[:1]))
            for scheme, value in own_pairs(record):
                keys[identifier_key(scheme, value)] = None
            for scheme, value in related_pairs(record) if record.related else ():
                keys[identifier_key(scheme, value)] = None
    return [number for number in keys if number not in question.keys]


def _notice_keys(record: Record) -> list[int]:
    """Give the keys of the identifiers by which notices name a work, those of its other versions included."""
    pairs = [("doi", record.doi), ("pmid", record.pmid)]
    if record.arxiv_id and not record.doi:
        pairs.append(("doi", f"10.48550/arxiv.{bare_arxiv_id(record.arxiv_id)}"))
    if record.related:
        pairs.extend((scheme, value) for scheme, value in related_pairs(record) if scheme in ("doi", "pmid"))
    return [identifier_key(scheme, value) for scheme, value in pairs if value]
