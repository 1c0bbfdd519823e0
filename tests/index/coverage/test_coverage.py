"""What the silence of an index testifies: only where a table of contents proves that nothing is missing."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeaudit.index.asking.candidates import Held
from citeaudit.index.coverage import counting as statements
from citeaudit.index.coverage.contents import Span, is_full, is_whole, parse_pages
from citeaudit.index.coverage.counting import Counter, combine, members, tables
from citeaudit.index.manifest import COUNTED, Counts, Covered, Manifest, SourceInfo
from citeaudit.index.store.keys import venue_key
from citeaudit.index.store.record import Listing
from citeaudit.index.store.row import Row
from citeaudit.model import Coverage, Query, QueryKind, WorkType

MEETING = "Proceedings of the Third Conference on Lunar Farming"
JOURNAL = "Journal of Lunar Farming"
DUMP = date(2026, 11, 1)


class Table(NamedTuple):
    """A table of contents and the records of it that are held."""

    listing: Listing
    rows: tuple[Row, ...]


def row(number: int, *, pages: str | None, toc: str | None, venue: str = "LF", year: int = 2020, **more: object) -> Row:
    given: dict[str, object] = {"source": "farm", "own": number, "updated": "2026-10-01", **more}
    return Row(
        data=b"",
        keys=(),
        text="",
        venue=venue_key(venue),
        year=year,
        contents=toc,
        pages=pages,
        **given,  # type: ignore[arg-type]
    )


def table(name: str = MEETING, year: int = 2020, count: int = 8, **more: object) -> Table:
    """Give a table of papers of ten pages each, in one run."""
    toc = str(more.pop("toc", f"{name}/{year}"))
    listing = Listing(toc, (name, *more.pop("names", ())), year, more.pop("works", count))  # type: ignore[misc, arg-type]
    base = sum(map(ord, toc)) * 1_000
    rows = (row(base + n, pages=f"{10 * n + 1}-{10 * n + 10}", toc=toc, year=year, **more) for n in range(count))  # type: ignore[arg-type]
    return Table(listing, tuple(rows))


class Kept:
    """A back end that knows only what a counter wrote."""

    def __init__(self, db: sqlite3.Connection, manifest: Manifest) -> None:
        self.manifest = manifest
        rows = db.execute("SELECT venue, year, held, listed, complete FROM held")
        self._held = {(one[0], one[1]): Held(one[2], one[3], bool(one[4])) for one in rows}
        db.close()

    def held(self, venue: int, year: int) -> Held | None:
        return self._held.get((venue, year))

    def exact(self, asked: Sequence[Sequence[int]], limit: int = 200) -> NoReturn:
        raise NotImplementedError

    def search(self, asked: Sequence[Sequence[str]], k: int = 50, count: int = 8, *, mend: bool = False) -> NoReturn:
        raise NotImplementedError

    def notices(self, keys: Sequence[int]) -> NoReturn:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is open."""


def counted(
    *given: Table, dump: date | None = DUMP, min_year: int | None = None, coverage: tuple[Covered, ...] = ()
) -> Kept:
    """Count tables, and give what an index of them says."""
    db = sqlite3.connect(":memory:")
    counter = Counter(db, min_year=min_year, today=date(2026, 12, 1))
    for one in given:
        counter.take(one.rows)
        counter.take_listing(one.listing)
    return Kept(db, manifest(counter.write(dump_date=dump), coverage))


def manifest(counts: Counts, coverage: tuple[Covered, ...] = ()) -> Manifest:
    built = datetime(2026, 12, 1, tzinfo=UTC)
    return Manifest(
        name="farm", built_at=built, records=counts.counted, content="x", coverage=coverage, **counts.model_dump()
    )


def question(venue: str | None = MEETING, year: int | None = 2020, **more: object) -> Query:
    return Query.model_validate({"kind": "title", "text": "Sowing", "year": year, "container_title": venue, **more})


def is_complete(index: Kept, venue: str = MEETING, year: int = 2020) -> bool:
    key = venue_key(venue)
    assert key is not None
    found = index.held(key, year)
    return found is not None and found.complete


# --- tables of contents ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("12-34", (12, 34)),
        (" 12 – 34", (12, 34)),
        ("12--34", (12, 34)),
        ("101-9", (101, 109)),
        ("7:1-7:22", (7, 7)),
        ("42", (42, 42)),
        ("34-12", (0, 0)),
        ("S12-S19", (0, 0)),
        ("xi-xx", (0, 0)),
        ("1-2, 5", (0, 0)),
        ("1" * 40, (0, 0)),
        ("", (0, 0)),
        (None, (0, 0)),
    ],
)
def test_pages_are_plain_numbers(text: str | None, span: tuple[int, int]) -> None:
    assert (parse_pages(text) or (0, 0)) == span


RUN = [Span(10 * n + 1, 10 * n + 10) for n in range(10)]


@pytest.mark.parametrize(
    ("spans", "works", "whole"),
    [
        pytest.param(RUN, 10, True, id="run"),
        pytest.param(RUN[::-1], 10, True, id="any-order"),
        pytest.param(RUN[:5] + RUN[6:], 9, False, id="hole"),
        pytest.param(RUN[1:], 9, False, id="no-first-paper"),
        pytest.param([Span(3, 10), *RUN[1:]], 10, True, id="front-matter"),
        pytest.param(RUN[:4], 4, False, id="too-few"),
        pytest.param(RUN, 11, True, id="one-without-pages"),
        pytest.param(RUN, 12, False, id="two-without-pages"),
        pytest.param(RUN + RUN, 20, False, id="issues-each-from-1"),
        pytest.param([*RUN[:4], Span(41, 95), *RUN[5:]], 10, False, id="misread-last-page"),
        pytest.param([Span(n, n) for n in range(1, 8)], 7, True, id="numbered"),
        pytest.param([Span(n, n) for n in (1, 2, 3, 5, 6, 7)], 6, False, id="number-missing"),
        pytest.param([Span(n, n) for n in range(1, 10)], 10, False, id="one-without-number"),
        pytest.param([Span(n, n) for n in range(100, 110)], 10, False, id="numbers-go-on-from-before"),
        pytest.param([Span(8 * n + 1, 8 * n + 6) for n in range(10)], 10, True, id="blank-pages"),
    ],
)
@pytest.mark.parametrize("told", [True, False])
def test_a_table_shows_its_gaps(spans: list[Span], works: int, *, whole: bool, told: bool) -> None:
    assert is_whole(spans, works, told=told) is whole


def test_where_works_are_short_and_not_counted_a_short_hole_is_a_gap() -> None:
    spans = [Span(2 * n + 1, 2 * n + 2) for n in range(10) if n != 4]
    assert is_whole(spans, 9, told=True)
    assert not is_whole(spans, 9, told=False)


@given(st.lists(st.integers(2, 30), min_size=7, max_size=30), st.data())
def test_a_paper_taken_out_is_a_gap_unless_it_is_the_last(lengths: list[int], data: st.DataObject) -> None:
    starts = [1 + sum(lengths[:n]) for n in range(len(lengths))]
    spans = [Span(start, start + length - 1) for start, length in zip(starts, lengths, strict=True)]
    assert is_whole(spans, len(spans), told=False)
    lost = data.draw(st.integers(0, len(spans) - 2))
    length = lengths[lost]
    del spans[lost]
    if length >= min(span.last - span.first + 1 for span in spans):  # a work shorter than all others may hide
        assert not is_whole(spans, len(spans), told=False)


@pytest.mark.parametrize(
    ("name", "full"),
    [
        (MEETING, True),
        ("Computational Linguistics", True),
        ("Physical Review Letters", True),
        ("ACL", False),
        ("ACL 2020", False),
        ("Findings of EMNLP", False),
        ("NeurIPS Workshop", False),
        ("Nature", False),
        ("SIGIR '24: Proceedings", False),
        ("", False),
    ],
)
def test_acronyms_are_no_full_names(name: str, *, full: bool) -> None:
    assert is_full(name) is full


# --- counting ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "complete"),
    [
        pytest.param([table()], True, id="whole"),
        pytest.param([table(works=None)], True, id="counted"),
        pytest.param([table(works=9)], False, id="one-not-held"),
        pytest.param([table(count=4)], False, id="too-few"),
        pytest.param([table(), Table(Listing("other", (MEETING,), 2020, 3), ())], False, id="volume-not-held"),
        pytest.param([table(), table(MEETING, toc="two", works=9)], False, id="second-volume-not-whole"),
        pytest.param([table(), table(MEETING, toc="two")], True, id="two-volumes"),
        pytest.param([table(), table(f"{MEETING}: Student Workshop", works=99)], False, id="companion"),
        pytest.param([table(), table(f"Companion of the {MEETING}", works=99)], False, id="companion-before"),
        pytest.param([table(), table("Proceedings of Other Things", works=99)], True, id="another-meeting"),
        pytest.param([Table(table().listing, table().rows[:-1] + table().rows[:1])], False, id="one-twice"),
        pytest.param(
            [table(), Table(Listing("z", (), 2020), (row(1, pages="1", toc="x", venue=MEETING),))], False, id="untold"
        ),
        pytest.param([Table(table().listing, ())], False, id="nothing-held"),
        pytest.param([table(), Table(Listing(f"{MEETING}/2020", (), 0, broken=True), ())], False, id="one-not-read"),
        pytest.param([table(), Table(Listing("other", (), 0, broken=True), ())], True, id="one-not-read-elsewhere"),
        pytest.param([table(names=[f"The {n} Conference on Farms" for n in "abcdef"])], True, id="many-names"),
    ],
)
def test_complete_takes_every_volume_of_the_name(given: list[Table], *, complete: bool) -> None:
    assert is_complete(counted(*given)) is complete
    assert is_complete(counted(*reversed(given))) is complete


def test_a_series_that_many_proceedings_share_is_never_complete() -> None:
    series = "Lecture Notes in Lunar Science"
    volumes = [table(f"Proceedings of the Meeting about Number {'abcdefgh'[n]}", names=(series,)) for n in range(7)]
    index = counted(*volumes)
    assert is_complete(index, volumes[0].listing.names[0])
    assert not is_complete(index, series)
    assert is_complete(counted(*volumes[:6]), series)  # long, short, demonstrations, students, industry, tutorials


def test_acronyms_are_counted_but_never_complete() -> None:
    index = counted(table(names=("LF 2020", "LF")))
    key = venue_key("LF 2020")
    assert key is not None
    assert index.held(key, 2020) == Held(8, 8, complete=False)


@pytest.mark.parametrize(
    ("dump", "updated", "complete"),
    [
        pytest.param(date(2021, 7, 1), None, True, id="settled"),
        pytest.param(date(2021, 6, 1), None, False, id="half-a-year-not-over"),
        pytest.param(date(2020, 7, 1), None, False, id="same-year"),
        pytest.param(None, "2021-08-01", True, id="newest-change"),
        pytest.param(None, "2021-01-01", False, id="newest-change-too-early"),
        pytest.param(None, "9021-01-01", False, id="misdated-in-the-future"),
        pytest.param(None, "2021-13-01", False, id="no-date"),
        pytest.param(None, "later", False, id="no-date-at-all"),
        pytest.param(None, None, False, id="unknown"),
    ],
)
def test_a_collection_has_half_a_year_to_list_the_late_ones(
    dump: date | None, updated: str | None, *, complete: bool
) -> None:
    assert is_complete(counted(table(updated=updated), dump=dump)) is complete


def test_without_any_date_later_years_show_that_the_collection_went_on() -> None:
    later = Table(
        Listing("none", (), 2022), tuple(row(n, pages=None, toc=None, year=2022, updated=None) for n in range(9))
    )
    assert is_complete(counted(table(updated=None), later, dump=None))
    few = Table(later.listing, later.rows[:4])
    assert not is_complete(counted(table(updated=None), few, dump=None))
    sooner = Table(later.listing, tuple(one._replace(year=2021) for one in later.rows))
    assert not is_complete(counted(table(updated=None), sooner, dump=None))


@pytest.mark.parametrize(("min_year", "complete"), [(2019, True), (2020, False), (2021, False)])
def test_a_table_of_the_first_year_that_is_kept_may_be_cut(min_year: int, *, complete: bool) -> None:
    assert is_complete(counted(table(), min_year=min_year)) is complete


def test_without_a_table_works_are_counted_and_nothing_is_complete() -> None:
    rows = tuple(row(n, pages=None, toc=None, venue=JOURNAL) for n in range(6))
    index = counted(Table(Listing("none", (), 2020), rows))
    key = venue_key(JOURNAL)
    assert key is not None
    assert index.held(key, 2020) == Held(6, None, complete=False)


def test_counts_are_those_of_the_records() -> None:
    bits = (1 << COUNTED.index("doi")) | (1 << COUNTED.index("authors"))
    rows = [row(n, pages=None, toc=None, fields=bits, year=2000 + n) for n in range(3)]
    rows.append(row(9, pages=None, toc=None, source="mine", updated=None)._replace(year=None, venue=None))
    db = sqlite3.connect(":memory:")
    counter = Counter(db)
    counter.take(rows)
    counts = counter.write(dump_date=date(2026, 1, 1), malformed=2)
    assert (counts.counted, counts.malformed) == (4, 2)
    assert counts.years == {2000: 1, 2001: 1, 2002: 1}
    assert (counts.fields["doi"], counts.fields["authors"], counts.fields["isbn"]) == (3, 3, 0)
    assert counts.sources["farm"] == SourceInfo(
        records=3, updated=date(2026, 10, 1), dump_date=date(2026, 1, 1), last_year=2002
    )
    assert counts.sources["mine"] == SourceInfo(records=1, dump_date=date(2026, 1, 1))
    left = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert left == {"held", "member"}
    db.close()


def test_collections_without_end_are_counted_together() -> None:
    db = sqlite3.connect(":memory:")
    counter = Counter(db)
    counter.take(row(n, pages=None, toc=None, source=f"s{n}") for n in range(300))
    sources = counter.write().sources
    db.close()
    assert len(sources) == 201
    assert sources["others"].records == 100


def test_it_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    given = [table(), table(JOURNAL, 2021), table(JOURNAL, 2020)]
    whole = sqlite3.connect(tmp_path / "whole.db")
    counter = Counter(whole)
    for one in given:
        counter.take(one.rows)
        counter.take_listing(one.listing)
    expected = counter.write(dump_date=DUMP)

    for place, one in enumerate(given):
        db = sqlite3.connect(tmp_path / "part.db")
        counter = Counter(db)
        counter.take(one.rows)
        counter.take_listing(one.listing)
        counter.save()
        db.commit()
        counter.take(given[place - 1].rows)  # lost: the process was killed before the next checkpoint
        counter.save()
        db.close()
    db = sqlite3.connect(tmp_path / "part.db")
    assert Counter(db).write(dump_date=DUMP) == expected
    for name in ("held", "member"):
        query = f"SELECT * FROM {name}"  # noqa: S608
        assert db.execute(query).fetchall() == whole.execute(query).fetchall()
    db.close()
    whole.close()


def test_merging_keeps_what_the_tables_of_the_parts_showed(tmp_path: Path) -> None:
    path = tmp_path / "works.db"
    with sqlite3.connect(path) as db:
        counter = Counter(db)
        for one in (table(), table(JOURNAL, works=9)):
            counter.take(one.rows)
            counter.take_listing(one.listing)
        counter.write(dump_date=DUMP)
    db.close()
    assert [held.complete for _, _, held in sorted(tables(path))].count(True) == 1
    assert [(of, year) for _, _, of, year in members(path)] == [(venue_key("LF"), 2020)]

    db = sqlite3.connect(":memory:")
    counter = Counter(db)
    counter.take(one._replace(contents=None) for one in (*table().rows, *table(JOURNAL).rows))
    index = Kept(db, manifest(counter.write(dump_date=DUMP, adopted=[path])))
    assert is_complete(index)
    assert not is_complete(index, JOURNAL)


@pytest.mark.parametrize(
    ("rows", "together"),
    [
        ([], None),
        ([None, None], None),
        ([Held(3, None, complete=False), Held(4, None, complete=False)], Held(7, None, complete=False)),
        ([Held(3, None, complete=False), Held(8, 8, complete=True)], Held(8, 8, complete=True)),
        ([Held(7, 8, complete=False), Held(8, 8, complete=True)], Held(15, 16, complete=False)),
        ([Held(9, 9, complete=True), None, Held(8, 8, complete=True)], Held(17, 17, complete=True)),
    ],
)
def test_parts_together_are_complete_if_every_table_is(rows: list[Held | None], together: Held | None) -> None:
    assert combine(rows) == together


# --- testifying --------------------------------------------------------------------------------------------

YEARS = [table(year=year) for year in (2019, 2020, 2021)] + [table(JOURNAL, year) for year in (2019, 2020, 2021)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(question(), Coverage.AUTHORITATIVE, id="meeting"),
        pytest.param(question(MEETING.upper().title()), Coverage.AUTHORITATIVE, id="case"),
        pytest.param(question(JOURNAL, type=WorkType.ARTICLE_JOURNAL), Coverage.AUTHORITATIVE, id="journal"),
        pytest.param(question(JOURNAL), Coverage.AUTHORITATIVE, id="type-unknown"),
        pytest.param(question(JOURNAL, 2021), Coverage.NONE, id="journal-last-year"),
        pytest.param(question(MEETING, 2021), Coverage.AUTHORITATIVE, id="meeting-last-year"),
        pytest.param(question(MEETING, 2021, type=WorkType.ARTICLE_JOURNAL), Coverage.NONE, id="meeting-as-journal"),
        pytest.param(question(MEETING, 2022), Coverage.NONE, id="no-table"),
        pytest.param(question(year=None), Coverage.NONE, id="no-year"),
        pytest.param(question(None), Coverage.NONE, id="no-venue"),
        pytest.param(question("LF"), Coverage.NONE, id="acronym"),
        pytest.param(question(f"{MEETING}: Student Workshop"), Coverage.NONE, id="longer-name"),
        pytest.param(question("Lunar Farming"), Coverage.NONE, id="shorter-name"),
        pytest.param(question("???"), Coverage.NONE, id="no-letters"),
        pytest.param(question(formula=True), Coverage.NONE, id="formula"),
        pytest.param(question(kind="citation"), Coverage.NONE, id="unread"),
        pytest.param(question(kind="doi"), Coverage.NONE, id="identifier"),
    ],
)
def test_silence_testifies_only_where_a_table_proves_it(query: Query, expected: Coverage) -> None:
    assert statements.testify(query, counted(*YEARS), complete=False) is expected


@pytest.mark.parametrize("year", [2019, 2021])
@pytest.mark.parametrize("venue", [MEETING, JOURNAL])
def test_a_neighbouring_year_known_in_part_keeps_it_silent(venue: str, year: int) -> None:
    given = [one for one in YEARS if one.listing.year != year or one.listing.names != (venue,)]
    index = counted(*given, table(venue, year, works=9))
    assert statements.testify(question(venue), index, complete=False) is Coverage.NONE


def test_a_meeting_that_goes_on_this_year_is_no_gap_in_the_last() -> None:
    index = counted(table(year=2024), table(year=2025, works=None), dump=date(2025, 12, 1))
    assert statements.testify(question(year=2024), index, complete=False) is Coverage.AUTHORITATIVE
    assert statements.testify(question(year=2025), index, complete=False) is Coverage.NONE


LINE = Covered.model_validate({"container_title": JOURNAL, "from": 2000, "to": 2026, "complete": True})
SPAN = Covered.model_validate({"container_title": JOURNAL, "from": 2000, "to": 2026})


@pytest.mark.parametrize(
    ("kind", "complete", "year", "line", "expected"),
    [
        pytest.param(QueryKind.TITLE, False, 2010, LINE, Coverage.AUTHORITATIVE, id="written"),
        pytest.param(QueryKind.TITLE, False, 2026, LINE, Coverage.GENERAL, id="written-year-not-over"),
        pytest.param(QueryKind.TITLE, False, 1990, LINE, Coverage.NONE, id="outside"),
        pytest.param(QueryKind.TITLE, False, 2010, SPAN, Coverage.GENERAL, id="general"),
        pytest.param(QueryKind.TITLE, True, 1990, SPAN, Coverage.DECLARED, id="declared"),
        pytest.param(QueryKind.TITLE, True, None, SPAN, Coverage.DECLARED, id="declared-no-year"),
        pytest.param(QueryKind.TITLE, True, 2026, SPAN, Coverage.DECLARED, id="declared-last-year"),
        pytest.param(QueryKind.TITLE, True, 2027, SPAN, Coverage.NONE, id="declared-too-late"),
        pytest.param(QueryKind.CITATION, True, 2010, LINE, Coverage.NONE, id="unread-declared"),
        pytest.param(QueryKind.DOI, True, 2010, LINE, Coverage.NONE, id="identifier"),
    ],
)
def test_what_people_say_reaches_to_the_end_of_the_index(
    kind: QueryKind, complete: bool, year: int | None, line: Covered, expected: Coverage
) -> None:
    index = counted(table(), coverage=(line,))
    assert statements.testify(question(JOURNAL, year, kind=kind), index, complete=complete) is expected


def test_without_a_known_end_what_people_say_reaches_to_the_day_of_the_build() -> None:
    index = counted(table(updated=None), dump=None, coverage=(LINE,))
    assert statements.testify(question(JOURNAL, 2025), index, complete=False) is Coverage.AUTHORITATIVE
    assert statements.testify(question(JOURNAL, 2026), index, complete=False) is Coverage.GENERAL
    assert statements.testify(question(JOURNAL, 2026), index, complete=True) is Coverage.DECLARED
    assert statements.testify(question(JOURNAL, 2027), index, complete=True) is Coverage.NONE
    assert statements.testify(question(JOURNAL, 9999), index, complete=True) is Coverage.NONE


@pytest.mark.parametrize(
    ("end", "years", "until"),
    [
        pytest.param(date(2025, 12, 31), {2026: 50}, 2025, id="ends-with-the-year"),
        pytest.param(date(2025, 12, 30), {2026: 50}, 2024, id="ends-in-the-year"),
        pytest.param(None, {2024: 90, 2025: 100, 2026: 60}, 2025, id="no-date-known"),
        pytest.param(None, {2024: 100, 2025: 99, 2026: 1, 2094: 1}, 2024, id="a-few-are-misdated"),
        pytest.param(None, {2024: 100, 2026: 3}, 2025, id="a-fair-number-is-enough"),
        pytest.param(None, {2024: 100, 2025: 90, 2030: 50}, 2024, id="later-than-the-build-is-misdated"),
        pytest.param(None, {}, 2025, id="nothing-counted"),
    ],
)
def test_the_last_whole_year_is_the_one_before_an_index_ends(
    end: date | None, years: dict[int, int], until: int
) -> None:
    told = SourceInfo(records=1, updated=None, dump_date=end, last_year=2026)
    made = manifest(Counts(counted=1, sources={"farm": told}, years=years))
    assert statements.whole_until(made) == until


@pytest.mark.parametrize(
    ("query", "held"),
    [
        pytest.param(question(), 8, id="all-of-it"),
        pytest.param(question(year=1900), 0, id="none"),
        pytest.param(question(year=None), None, id="no-year"),
        pytest.param(question(None), None, id="no-venue"),
        pytest.param(question("???"), None, id="no-letters"),
        pytest.param(question(kind="citation"), None, id="words-of-a-reference"),
    ],
)
def test_what_is_held_of_the_venue_and_year_of_a_question(query: Query, held: int | None) -> None:
    assert statements.venue_held(query, counted(*YEARS)) == held


# --- laws --------------------------------------------------------------------------------------------------

ORDER = [Coverage.NONE, Coverage.GENERAL, Coverage.DECLARED, Coverage.AUTHORITATIVE]
QUERIES = st.builds(
    question,
    st.sampled_from([MEETING, JOURNAL, "LF"]),
    st.integers(2018, 2027),
    type=st.sampled_from([WorkType.UNKNOWN, WorkType.PAPER_CONFERENCE, WorkType.ARTICLE_JOURNAL]),
)


@settings(max_examples=60, deadline=None)
@given(QUERIES, st.booleans(), st.data())
def test_fewer_records_never_testify_more(query: Query, complete: bool, data: st.DataObject) -> None:
    whole = statements.testify(query, counted(*YEARS), complete=complete)
    lost = data.draw(st.sets(st.tuples(st.integers(0, len(YEARS) - 1), st.integers(0, 7)), min_size=1, max_size=8))
    fewer = [
        Table(one.listing, tuple(row for m, row in enumerate(one.rows) if (n, m) not in lost))
        for n, one in enumerate(YEARS)
    ]
    assert ORDER.index(statements.testify(query, counted(*fewer), complete=complete)) <= ORDER.index(whole)


@settings(max_examples=60, deadline=None)
@given(
    QUERIES, st.booleans(), st.dates(date(2018, 1, 1), date(2026, 11, 1)), st.dates(date(2018, 1, 1), date(2026, 11, 1))
)
def test_an_earlier_end_never_testifies_more(query: Query, complete: bool, one: date, other: date) -> None:
    early, late = (
        statements.testify(query, counted(*YEARS, dump=end), complete=complete) for end in sorted((one, other))
    )
    assert ORDER.index(early) <= ORDER.index(late)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([MEETING, JOURNAL]), st.text(alphabet="abc XYZ:-", min_size=1, max_size=12), st.booleans())
def test_another_name_is_never_complete(name: str, more: str, before: bool) -> None:
    other = f"{more} {name}" if before else f"{name} {more}"
    if venue_key(other) == venue_key(name):
        return
    assert statements.testify(question(other), counted(*YEARS), complete=False) is Coverage.NONE
