"""The embedded index: one SQLite file, asked by identifier, by title and by words.

The ladder, cheapest step first: an identifier; the key of the whole title; the key of the part before a colon;
the rarest words and surnames. It stops at the first step with a good answer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Self

from citeaudit.errors import FailureKind, IndexBuildError
from citeaudit.identifiers import bare_arxiv_id, doi_arxiv_id
from citeaudit.index import manifest as manifests
from citeaudit.index import ranking
from citeaudit.index.manifest import DATA, MANIFEST, REBUILD, Manifest
from citeaudit.index.ranking import GOOD, Asked, Hit
from citeaudit.index.reader import BUDGETS, Reader, open_file
from citeaudit.index.records import Record
from citeaudit.index.store import Writer, prepare, surname_terms, title_hash, title_hashes
from citeaudit.model import IDENTIFIER_KINDS, Failure, Lookup, Outcome, Query, QueryKind, Work
from citeaudit.text.normalize import fold, key

LINEAGE = "offline-index"
"""Independence group of every offline index: they are made from overlapping dumps and count as one witness."""

RAW_WORDS = 14
"""Rarest words of a raw reference that are looked up; a title needs eight, a reference has its venue and pages in."""

MAX_GROUP = 20
"""Records of one work that are gathered."""

Clock = Callable[[], datetime]
"""Gives the time, aware, UTC."""


def utc_now() -> datetime:
    """Give the time of this machine, aware, UTC."""
    return datetime.now(UTC)


class SqliteIndex:
    """An index in a folder (`seams.Index`); safe to share between threads, opened in a moment.

    A folder whose files are missing, damaged or of another version still gives an index: every question to it is
    answered UNAVAILABLE, with what to run.
    """

    lineage = LINEAGE

    def __init__(self, folder: Path, *, complete: bool = False, clock: Clock = utc_now) -> None:
        """Open the index in a folder.

        Args:
            folder: Holds `works.db` and `index.json`.
            complete: Whether the user declares it complete (`--assume-complete`).
            clock: Gives the time of each answer.
        """
        self.name = folder.resolve().name
        self.built_at = datetime.fromtimestamp(0, UTC)
        self._complete, self._clock = complete, clock
        self._fault: str | None = None
        self._reader = Reader(partial(open_file, folder / DATA))
        self.manifest: Manifest | None = None
        """What `index.json` says; `None` where it cannot be read."""
        try:
            self._trust(_sealed(folder, self._reader))
        except IndexBuildError as error:
            self._fault = str(error)

    @classmethod
    def in_memory(
        cls, records: Iterable[Record], *, name: str, built_at: datetime, complete: bool = False, clock: Clock = utc_now
    ) -> Self:
        """Make an index of a few thousand tidy records without a file."""
        db = sqlite3.connect(":memory:", check_same_thread=False)
        writer = Writer(db)
        count = writer.add(prepare(record) for record in records)
        writer.finish(name, name)
        self = cls.__new__(cls)
        self._complete, self._clock, self._fault = complete, clock, None
        self._reader = Reader(lambda: db, shared=True)
        self._trust(Manifest(name=name, built_at=built_at, records=count, content=name))
        return self

    def _trust(self, manifest: Manifest) -> None:
        self.manifest, self.name, self.built_at = manifest, manifest.name, manifest.built_at

    def search(self, queries: Sequence[Query]) -> tuple[Lookup, ...]:
        """Answer each query with one lookup, in order; a damaged index answers UNAVAILABLE."""
        return tuple(self._answer(query) for query in queries)

    def close(self) -> None:
        """Close the file; no question may follow."""
        self._reader.close()

    def _answer(self, query: Query) -> Lookup:
        manifest = self.manifest
        if manifest is None or self._fault is not None:
            return self._unavailable(query, self._fault or REBUILD)
        try:
            works = self._works(query)
        except (sqlite3.Error, ValueError, KeyError) as error:
            return self._unavailable(query, f"index {self.name} is damaged ({error}); {REBUILD}")
        return Lookup(
            source=self.name,
            lineage=LINEAGE,
            query=query,
            outcome=Outcome.FOUND if works else Outcome.NO_MATCH,
            candidates=works,
            coverage=manifest.testify(query, complete=self._complete),
            retrieved_at=self._clock(),
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

    def _works(self, query: Query) -> tuple[Work, ...]:
        if query.kind in IDENTIFIER_KINDS:
            hits = self._identified(query)
            return self._gathered(hits, identified=True)
        asked = ranking.ask(query)
        if not asked.text:
            return ()
        hits = self._titled(query, asked) if query.kind is QueryKind.TITLE else self._worded(query, asked, RAW_WORDS)
        return self._gathered(hits, identified=False)

    def _identified(self, query: Query) -> list[Hit]:
        pairs = [(query.kind.value, query.text)]
        if query.kind is QueryKind.ARXIV_ID:
            pairs = [("arxiv_id", bare_arxiv_id(query.text))]
        elif query.kind is QueryKind.DOI and (arxiv_id := doi_arxiv_id(query.text)):
            pairs.append(("arxiv_id", bare_arxiv_id(arxiv_id)))
        places = [place for scheme, value in pairs for place in self._reader.with_identifier(scheme, value)]
        return [Hit(1.0, place, record) for place, record in self._reader.records(places).items()]

    def _titled(self, query: Query, asked: Asked) -> list[Hit]:
        seen: dict[int, Record] = {}
        hits: list[Hit] = []
        whole, *shorter = title_hashes(query.text)
        for hashes in ([whole], shorter):
            seen |= self._reader.records(self._reader.with_title(hashes)) if hashes else {}
            hits = ranking.order(asked, seen)
            if hits and hits[0].score >= GOOD:
                return hits
        found = {hit.place: hit for hit in (*self._worded(query, asked), *hits)}
        return sorted(found.values(), key=lambda hit: (-hit.score, hit.place))

    def _worded(self, query: Query, asked: Asked, count: int | None = None) -> list[Hit]:
        words = fold(asked.raw).split()
        names = [term for family in query.families for term in surname_terms(family)]
        if query.kind is QueryKind.CITATION:
            names.extend(f"z{word}" for word in words)
        rarest = self._reader.rarest((*words[:400], *names[:400]), *(() if count is None else (count,)))
        hits: list[Hit] = []
        for budget in BUDGETS:
            hits = ranking.order(asked, self._reader.records(self._reader.search(rarest, budget)))
            if hits and hits[0].score >= GOOD:
                break
        return hits

    def _gathered(self, hits: list[Hit], *, identified: bool) -> tuple[Work, ...]:
        """Merge the records of one work, with further ones of the same title that the search did not bring up."""
        works = []
        for group in ranking.gather(hits):
            lead = group[0]
            known = {hit.place for hit in group}
            places = self._reader.with_title([title_hash(key(lead.record.title))])
            more = self._reader.records(place for place in places[:MAX_GROUP] if place not in known)
            group.extend(Hit(0.0, place, one) for place, one in more.items() if ranking.same_work(lead.record, one))
            works.append(ranking.merge(group, source=self.name, first=lead if identified else None))
        return tuple(works)


def open_index(folder: Path, *, complete: bool = False, clock: Clock = utc_now) -> SqliteIndex:
    """Open the index in a folder, as the user named it.

    Raises:
        IndexBuildError: The path is no index at all. One that is damaged opens, and answers UNAVAILABLE.
    """
    if not (folder / DATA).is_file() and not (folder / MANIFEST).is_file():
        raise IndexBuildError(f"{folder}: is no index (it holds neither {DATA} nor {MANIFEST}); {REBUILD}")
    return SqliteIndex(folder, complete=complete, clock=clock)


def _sealed(folder: Path, reader: Reader) -> Manifest:
    """Give the manifest that belongs to the data.

    A build puts `works.db` in place before `index.json`. If it was stopped in between, the new data speaks for
    itself: its own name and count, the time of its file, and no coverage.

    Raises:
        IndexBuildError: Missing, damaged or of another version; says what to run.
    """
    manifest = manifests.read(folder)
    data = folder / DATA
    try:
        changed = data.stat().st_mtime
        meta = reader.meta()
        manifests.check(folder, int(meta["schema_version"]), int(meta["normaliser_version"]))
        if meta["content"] == manifest.content:
            return manifest
        return Manifest(
            name=meta["name"],
            built_at=datetime.fromtimestamp(changed, UTC),
            records=int(meta["records"]),
            content=meta["content"],
        )
    except (OSError, sqlite3.Error, KeyError, ValueError) as error:
        raise IndexBuildError(f"{folder}: {DATA} is missing or damaged ({error}); {REBUILD}") from error
