"""What the silence of an index can testify: counted while it is built, asked when nothing was found.

Every record is counted by venue and year. A venue and year is *complete* only where a collection enumerates it
(`record.Listing`), every listed work is held, the table itself shows no gap (`contents.is_whole`), and the collection
had half a year after that year's end to list what was late. Names count as they are, folded: an acronym, or a series
that many proceedings share, is never complete; nor is a name with which that of an incomplete volume begins or ends
(the companion volume, the student workshop), since references leave such endings out.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from citeaudit.index.asking.candidates import CandidateIndex, Held
from citeaudit.index.coverage.contents import MIN_WORKS, Span, is_full, is_whole, parse_pages
from citeaudit.index.manifest import COUNTED, Counts, Manifest, SourceInfo
from citeaudit.index.store.keys import venue_key
from citeaudit.index.store.record import Listing
from citeaudit.index.store.row import Row
from citeaudit.model import Coverage, Query, QueryKind, WorkType
from citeaudit.text.normalize import MAX_TITLE, fold

HELD_TABLES = """
CREATE TABLE IF NOT EXISTS held (venue INTEGER, year INTEGER, held INTEGER NOT NULL, listed INTEGER,
    complete INTEGER NOT NULL, PRIMARY KEY (venue, year)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS member (venue INTEGER, year INTEGER, of_venue INTEGER, of_year INTEGER,
    PRIMARY KEY (venue, year, of_venue, of_year)) WITHOUT ROWID;
"""
"""What stays: one row a venue and year; and of the complete ones, under which venue and year their records stand."""

_STATE = """
CREATE TABLE IF NOT EXISTS counting_state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS counting_held (venue INTEGER, year INTEGER, n INTEGER NOT NULL,
    PRIMARY KEY (venue, year)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counting_work (toc INTEGER NOT NULL, own INTEGER, first INTEGER, last INTEGER);
CREATE TABLE IF NOT EXISTS counting_pair (toc INTEGER, venue INTEGER, year INTEGER,
    PRIMARY KEY (toc, venue, year)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counting_name (toc INTEGER, venue INTEGER, year INTEGER, works INTEGER, full INTEGER,
    folded TEXT NOT NULL, PRIMARY KEY (toc, venue, year)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counting_broken (toc INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS counting_sound (toc INTEGER PRIMARY KEY, held INTEGER NOT NULL, whole INTEGER NOT NULL);
"""
_TABLES = ("state", "held", "work", "pair", "name", "broken", "sound")

BATCH = 100_000
"""Venues and years kept in memory before they are written; about 20 MB."""

MAX_SOURCES = 200
"""Collections that are counted by name; further ones are counted together."""

MAX_VOLUMES = 6
"""Volumes that may share a name in a year; more are a series.

A large meeting has long and short papers, demonstrations, student and industry papers, tutorials: all under one name.
"""

SETTLED = (6, 30)
"""Month and day of the year after, up to which a collection may take to list the last works of a year."""

SOLID = 0.001
"""Share of a collection's records that a year must have to show that the collection reaches it; a few are misdated."""

_LAST = 9_000

FAIR_YEAR = 50
"""A year is reached by an index if it has at least this part of the works of the fullest one: a few are misdated."""
"""Year from which dates are beyond reckoning."""
_MEETING = frozenset({"conference", "symposium", "workshop", "meeting"})


class _Source:
    """Counts of one collection."""

    def __init__(
        self, updated: str = "", years: dict[str, int] | None = None, *, records: int = 0, lists: int = 0
    ) -> None:
        self.records, self.updated, self.lists = records, updated, lists
        self.years: Tally[int] = Tally({int(year): count for year, count in (years or {}).items()})

    def end(self, dump_date: date | None) -> date | None:
        """Give the last day it can know of; without any date the year before the last that it shows works of."""
        if dump_date is not None or self.updated:
            return dump_date or date.fromisoformat(self.updated)
        enough = max(MIN_WORKS, SOLID * self.records)
        last = max((year for year, count in self.years.items() if count >= enough), default=None)
        return None if last is None else date(last - 1, 12, 31)

    def info(self, dump_date: date | None) -> SourceInfo:
        return SourceInfo(
            records=self.records,
            updated=date.fromisoformat(self.updated) if self.updated else None,
            dump_date=dump_date,
            last_year=max(self.years, default=None),
        )


class Counter:
    """Counts the records of a part while it is built.

    Its state lies in tables (`counting_*`) of the part's database, so that it is where the part is after a kill, and
    does not grow with the records. It never commits: what it wrote by `save` becomes lasting with the checkpoint.
    """

    def __init__(self, db: sqlite3.Connection, *, min_year: int | None = None, today: date | None = None) -> None:
        """Go on from the state in the database, or begin.

        Args:
            db: Of the part (`PartWriter.db`).
            min_year: Records before it were left out of the build.
            today: Changes that records date later are misdated and not counted.
        """
        self._db, self._min_year = db, min_year
        self._today = (today or date.max).isoformat()
        for statement in (_STATE + HELD_TABLES).split(";"):
            db.execute(statement)
        state = {name: json.loads(value) for name, value in db.execute("SELECT name, value FROM counting_state")}
        self._sources = {name: _Source(**one) for name, one in state.get("sources", {}).items()}
        self._fields: Tally[int] = Tally({int(bits): count for bits, count in state.get("fields", {}).items()})
        self._held: Tally[tuple[int, int]] = Tally()
        self._works: list[tuple[int, int | None, int | None, int | None]] = []
        self._pairs: set[tuple[int, int, int]] = set()

    def take(self, rows: Iterable[Row]) -> None:
        """Count rows that are stored."""
        rows = list(rows)
        self._fields.update([row.fields for row in rows])
        for (name, year), count in Tally([(row.source, row.year) for row in rows]).items():
            source = self._source(name)
            source.records += count
            if year is not None:
                source.years[year] += count
        self._held.update([(row.venue, row.year) for row in rows if row.venue is not None and row.year is not None])
        for row in rows:
            if row.updated is not None or row.contents is not None:
                self._look(row)
        if len(self._held) + len(self._works) >= BATCH:
            self.save()

    def _look(self, row: Row) -> None:
        source = self._source(row.source)
        if row.updated is not None and row.updated > source.updated:
            self._date(source, row.updated)
        if row.contents is not None:
            self._list(row, source)

    def take_listing(self, listing: Listing) -> None:
        """Take a table of contents; it may come before its records, after them, or again."""
        toc = _hash(listing.key)
        if listing.broken:
            self._db.execute("INSERT OR IGNORE INTO counting_broken VALUES (?)", (toc,))
        rows = []
        for name in listing.names:
            venue = venue_key(name)
            if venue is not None:
                rows.append((toc, venue, listing.year, listing.works, is_full(name), fold(name[:MAX_TITLE])))
        self._db.executemany(
            "INSERT INTO counting_name VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "full = min(full, excluded.full), "
            "works = max(ifnull(works, excluded.works), ifnull(excluded.works, works))",
            rows,
        )

    def save(self) -> None:
        """Write what is in memory; to be called before each checkpoint of the part."""
        add = "INSERT INTO counting_held VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n"
        self._db.executemany(add, sorted((*place, count) for place, count in self._held.items()))
        self._db.executemany("INSERT INTO counting_work VALUES (?, ?, ?, ?)", self._works)
        self._db.executemany("INSERT OR IGNORE INTO counting_pair VALUES (?, ?, ?)", sorted(self._pairs))
        sources = {name: vars(source) for name, source in self._sources.items()}
        state = (("sources", json.dumps(sources)), ("fields", json.dumps(self._fields)))
        self._db.executemany("INSERT OR REPLACE INTO counting_state VALUES (?, ?)", state)
        self._held.clear()
        self._works.clear()
        self._pairs.clear()

    def write(self, *, dump_date: date | None = None, malformed: int = 0, adopted: Sequence[Path] = ()) -> Counts:
        """Write the table `held`, remove the state, and give what the manifest says.

        Best called before the keys of the part are put in order: they take the room of the state.

        Args:
            dump_date: Day of the dump, where it was told.
            malformed: Records left out.
            adopted: The `works.db` of parts whose records were read again (`merge`): what their tables of contents
                showed still holds, while their records no longer say to which table they belong.
        """
        self.save()
        db = self._db
        self._judge(dump_date)
        db.execute(
            "INSERT OR REPLACE INTO held SELECT venue, year, n, NULL, 0 FROM counting_held WHERE n >= ?", (MIN_WORKS,)
        )
        self._adopt(adopted)
        loose = self._loose()
        for year, rows in groupby(
            db.execute(
                "SELECT name.year, name.venue, name.toc, name.full, name.folded, name.works, sound.held, sound.whole "
                "FROM counting_name AS name LEFT JOIN counting_sound AS sound ON sound.toc = name.toc "
                "ORDER BY name.year, name.venue, name.toc"
            ),
            key=itemgetter(0),
        ):
            self._write_year(year, [_Named(*row[1:]) for row in rows], loose[year])
        counts = self._counts(dump_date, malformed)
        for name in _TABLES:
            db.execute(f"DROP TABLE counting_{name}")
        return counts

    def _source(self, name: str) -> _Source:
        found = self._sources.get(name)
        if found is None:
            name = name if len(self._sources) < MAX_SOURCES else "others"
            found = self._sources.setdefault(name, _Source())
        return found

    def _date(self, source: _Source, updated: str) -> None:
        if len(updated) == len("2026-01-01") and updated <= self._today:
            try:
                date.fromisoformat(updated)
            except ValueError:
                return
            source.updated = updated

    def _list(self, row: Row, source: _Source) -> None:
        source.lists = 1
        toc = _hash(row.contents or "")
        span = parse_pages(row.pages)
        self._works.append((toc, row.own, *(span or (None, None))))
        self._pairs.add((toc, row.venue or 0, row.year or 0))

    def _end(self, dump_date: date | None) -> date | None:
        """Give the earliest end of those collections that have tables of contents; `None` where one is not known."""
        ends = [source.end(dump_date) for source in self._sources.values() if source.lists]
        known = [end for end in ends if end is not None]
        return min(known) if known and len(known) == len(ends) else None

    def _judge(self, dump_date: date | None) -> None:
        """Note of each table how many of its works are held, and whether it shows no gap; unsettled ones show one."""
        end = self._end(dump_date)
        told = {
            toc: (works, first, last)
            for toc, works, first, last in self._db.execute(
                "SELECT toc, ifnull(max(works), 0), min(year), max(year) FROM counting_name GROUP BY toc"
            )
        }
        broken = {toc for (toc,) in self._db.execute("SELECT toc FROM counting_broken")}
        rows = self._db.execute("SELECT DISTINCT toc, own, first, last FROM counting_work ORDER BY toc")
        judged = []
        for toc, group in groupby(rows, key=itemgetter(0)):
            pages = [(one[2], one[3]) for one in group]
            spans = [Span(*one) for one in pages if one[0] is not None]
            works, first, last = told.get(toc, (0, None, None))
            listed = max(works, len(pages))
            settled = last is not None and end is not None and end >= date(min(last, _LAST) + 1, *SETTLED)
            uncut = self._min_year is None or (first is not None and first > self._min_year)
            all_held = len(pages) >= listed and is_whole(spans, listed, told=works > 0)
            judged.append((toc, len(pages), settled and uncut and all_held and toc not in broken))
        self._db.executemany("INSERT INTO counting_sound VALUES (?, ?, ?)", judged)

    def _loose(self) -> dict[int, set[int]]:
        """Give, by year, the venues of works whose table of contents is named but was never told of."""
        loose: dict[int, set[int]] = defaultdict(set)
        for venue, year in self._db.execute(
            "SELECT DISTINCT venue, year FROM counting_pair AS pair WHERE NOT EXISTS "
            "(SELECT 1 FROM counting_name AS name WHERE name.toc = pair.toc)"
        ):
            loose[year].add(venue)
        return loose

    def _write_year(self, year: int, names: list[_Named], loose: set[int]) -> None:
        """Write the rows of all tables of a year, one a name.

        Args:
            year: Of the tables.
            names: All their names, in the order of the venues.
            loose: Venues of which works stand in tables that are not known.
        """
        poor = _poor_names(names)
        for venue, group in groupby(names, key=lambda one: one.venue):
            tables = list(group)
            complete = all(one.full and one.whole for one in tables)
            complete = complete and venue not in loose and len(tables) <= MAX_VOLUMES
            complete = complete and not _is_shadowed(tables[0].folded, poor)
            held = sum(one.held or 0 for one in tables)
            listed = sum(max(one.works or 0, one.held or 0) for one in tables)
            self._put(venue, year, Held(held, listed, complete))
            if complete:
                self._db.executemany(
                    "INSERT OR IGNORE INTO member SELECT ?, ?, venue, year FROM counting_pair WHERE toc = ?",
                    [(venue, year, one.toc) for one in tables],
                )

    def _put(self, venue: int, year: int, row: Held) -> None:
        """Put a row with a table in place; one that was adopted stands for further tables of the same name."""
        earlier = self._db.execute(
            "SELECT held, listed, complete FROM held WHERE venue = ? AND year = ? AND listed IS NOT NULL", (venue, year)
        ).fetchone()
        joined = combine([row, *([Held(earlier[0], earlier[1], bool(earlier[2]))] if earlier else [])])
        if joined is not None:
            self._db.execute("INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?, ?)", (venue, year, *joined))

    def _adopt(self, paths: Sequence[Path]) -> None:
        seen: dict[tuple[int, int], list[Held]] = {}
        for path in paths:
            for venue, year, held in tables(path):
                seen.setdefault((venue, year), []).append(held)
            self._db.executemany("INSERT OR IGNORE INTO member VALUES (?, ?, ?, ?)", members(path))
        for (venue, year), rows in seen.items():
            joined = combine(rows)
            if joined is not None:
                self._db.execute("INSERT OR REPLACE INTO held VALUES (?, ?, ?, ?, ?)", (venue, year, *joined))

    def _counts(self, dump_date: date | None, malformed: int) -> Counts:
        years: Tally[int] = Tally()
        for source in self._sources.values():
            years.update(source.years)
        fields = {
            name: sum(count for bits, count in self._fields.items() if bits >> place & 1)
            for place, name in enumerate(COUNTED)
        }
        sources = {name: source.info(dump_date) for name, source in self._sources.items()}
        return Counts(counted=sum(self._fields.values()), malformed=malformed).plus(
            Counts(sources=sources, years=dict(years), fields=fields)
        )


class _Named(NamedTuple):
    """A name of a table of contents."""

    venue: int
    toc: int
    full: bool
    folded: str
    works: int | None
    held: int | None
    whole: bool | None


def combine(rows: Iterable[Held | None]) -> Held | None:
    """Give what several parts hold of a venue in a year together.

    Complete only if every one that knows a table of contents is: each may know one of several volumes.
    """
    known = [row for row in rows if row is not None]
    listed = [row for row in known if row.listed is not None]
    if not known:
        return None
    if not listed:
        return Held(sum(row.held for row in known), None, complete=False)
    return Held(
        sum(row.held for row in listed),
        sum(row.listed or 0 for row in listed),
        complete=all(row.complete for row in listed),
    )


def tables(path: Path) -> Iterator[tuple[int, int, Held]]:
    """Give venue, year and what is held, of all for which a part knows a table of contents.

    Args:
        path: The `works.db` of a sealed part.

    Raises:
        sqlite3.Error: It is damaged.
    """
    for venue, year, held, listed, complete in _rows(path, "SELECT * FROM held WHERE listed IS NOT NULL"):
        yield venue, year, Held(held, listed, bool(complete))


def members(path: Path) -> Iterator[tuple[int, int, int, int]]:
    """Give the rows of `member`: a complete venue and year, and a venue and year under which records of it stand.

    Raises:
        sqlite3.Error: The part is damaged.
    """
    for row in _rows(path, "SELECT venue, year, of_venue, of_year FROM member"):
        yield row[0], row[1], row[2], row[3]


def _rows(path: Path, query: str) -> list[tuple[int, ...]]:
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()


def _poor_names(names: Iterable[_Named]) -> tuple[list[str], list[str]]:
    """Give the full names of incomplete tables, sorted, and their words turned round, sorted, too."""
    poor = {one.folded for one in names if not one.whole}
    return sorted(poor), sorted(_turned(name) for name in poor)


def _is_shadowed(name: str, poor: tuple[list[str], list[str]]) -> bool:
    """Whether the name of an incomplete table begins or ends with this one."""
    for wanted, names in zip((name, _turned(name)), poor, strict=True):
        place = bisect_left(names, f"{wanted} ")
        if place < len(names) and names[place].startswith(f"{wanted} "):
            return True
    return False


def _turned(name: str) -> str:
    return " ".join(reversed(name.split()))


@lru_cache(maxsize=10_000)  # the works of a table mostly follow one another
def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


def testify(query: Query, candidates: CandidateIndex, *, complete: bool) -> Coverage:
    """Give what *no match* on this question is worth.

    An index is no registration agency: that it lacks an identifier never testifies anything. Nor does silence on the
    words of a reference whose title is not known: an index is searched by titles.

    AUTHORITATIVE takes a title, a cited year, and a venue by its full name of which the index holds every work that
    its table of contents lists (see the module), or which whoever knows the data wrote down as complete, in a year
    that ended before the index does. Of references off by a year (15 in 100 true ones, `docs/index.md`)
    the work stands in the next table, so neighbouring years must not be known in part; of anything but a meeting, the
    year after must be complete itself: it shows that the collection went on with the journal.

    What can still go wrong: a volume that no collection lists, under exactly the name of one that is listed; a
    reference that prints the meeting's full name for a paper of a workshop with another name, in an index that lacks
    the workshop, or for a talk that was never printed; a last paper that its collection left out without a count. In
    each of these the work is not in the volume that the reference names, or its record could not be found by anyone
    in that collection; the verdict says which index was silent about which volume, and a person looks.

    Args:
        query: The question.
        candidates: The back end that was asked, with its manifest.
        complete: Whether the user declared the index complete (`--assume-complete`); a declaration does not reach
            years that begin after the last day that the index can know of, or the day of its build where none is known.
    """
    if query.kind is not QueryKind.TITLE:
        return Coverage.NONE
    manifest = candidates.manifest
    end = manifest.end or manifest.built_at.date()
    lines = [line for line in manifest.coverage if line.covers(query)]
    if query.year is not None and query.container_title is not None and not query.formula:
        vouched = any(line.complete and line.container_title is not None for line in lines)
        if vouched and end >= date(min(query.year, _LAST), 12, 31):
            return Coverage.AUTHORITATIVE
        if _is_complete(query, query.container_title, query.year, candidates):
            return Coverage.AUTHORITATIVE
    if complete and (query.year is None or query.year <= end.year):
        return Coverage.DECLARED
    return Coverage.GENERAL if lines else Coverage.NONE


def whole_until(manifest: Manifest) -> int:
    """Give the last year that an index can hold in full: the one before it ends.

    Where no record says when its data end, they may end before it was built: then in the last year of which it holds
    a fair number of works, as against its fullest year. Works of that year and later may simply be newer.
    """
    if manifest.end is not None:
        ended = manifest.end >= date(manifest.end.year, 12, 31)
        return manifest.end.year if ended else manifest.end.year - 1
    built = manifest.built_at.date().year
    fair = max(manifest.years.values(), default=0) // FAIR_YEAR
    held = [year for year, count in manifest.years.items() if year <= built and count > fair]
    return max(held, default=built) - 1


def venue_held(query: Query, candidates: CandidateIndex) -> int | None:
    """Give how many works an index holds of the venue and year of a question; `None` where it names none."""
    venue = venue_key(query.container_title) if query.container_title else None
    if venue is None or query.year is None or query.kind is not QueryKind.TITLE:
        return None
    row = candidates.held(venue, query.year)
    return 0 if row is None else row.held


def _is_complete(query: Query, title: str, year: int, candidates: CandidateIndex) -> bool:
    venue = venue_key(title)
    if venue is None or not is_full(title):
        return False
    row = candidates.held(venue, year)
    if row is None or not row.complete:
        return False
    before, after = candidates.held(venue, year - 1), candidates.held(venue, year + 1)
    if _is_meeting(query, title):
        return all(near is None or _has_all(near) for near in (before, after))
    return (before is None or before.complete) and after is not None and after.complete


def _has_all(row: Held) -> bool:
    """Whether all is held that is listed so far; the year may go on."""
    return row.complete or (row.listed is not None and row.held >= row.listed)


def _is_meeting(query: Query, title: str) -> bool:
    if query.type is WorkType.PAPER_CONFERENCE:
        return True
    return query.type is not WorkType.ARTICLE_JOURNAL and not _MEETING.isdisjoint(fold(title).split())
