"""`index.json`: read, written at once, and refused where it cannot be trusted."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import IndexBuildError, IndexDamagedError
from citeaudit.index.manifest import (
    COUNTED,
    DATA,
    MANIFEST,
    PARTS,
    Counts,
    Covered,
    FileSum,
    Manifest,
    Part,
    SourceInfo,
    check_files,
    read,
    write,
)
from citeaudit.index.store.record import Record
from citeaudit.model import Query, QueryKind, WorkType

FARM = Manifest(
    name="farm",
    built_at=datetime(2026, 1, 2, tzinfo=UTC),
    records=3,
    content="c0ffee",
    counted=4,
    sources={"farm": SourceInfo(records=4, updated=date(2025, 6, 1), last_year=2025)},
    years={2024: 1, 2025: 3},
    fields={"doi": 4},
    parts=(Part(name="000001", records=4, files={DATA: FileSum(size=5, blake2b="00")}),),
    coverage=(
        Covered.model_validate({"container_title": "Lunar Letters", "from": 2000, "to": 2020, "complete": True}),
    ),
    told=("rows.jsonl: line 3: no letters or digits in the title",),
)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write(tmp_path, FARM)
    assert read(tmp_path) == FARM
    assert sorted(path.name for path in tmp_path.iterdir()) == [MANIFEST]


def test_a_time_without_zone_is_utc(tmp_path: Path) -> None:
    write(tmp_path, FARM.model_copy(update={"built_at": datetime(2026, 1, 2)}))  # noqa: DTZ001 - as a person may write
    assert read(tmp_path).built_at == FARM.built_at


@pytest.mark.parametrize(
    ("change", "said"),
    [
        pytest.param({"schema_version": 1}, "another version of citeaudit; build it again with", id="schema-1"),
        pytest.param({"normaliser_version": 99}, "another version of citeaudit", id="normaliser"),
        pytest.param({"schema_version": None}, "another version", id="no-number"),
        pytest.param({"records": "many"}, "is damaged \\(records: ", id="field"),
        pytest.param({"parts": [{"name": "../other", "records": 1}]}, "parts.0.name: is no plain name", id="part"),
        pytest.param(
            {"parts": [{"name": "1", "records": 1, "files": {"../x": {"size": 1, "blake2b": ""}}}]},
            "must be files in the folder of the part",
            id="file",
        ),
    ],
)
def test_what_cannot_be_trusted_is_refused(change: dict[str, object], said: str, tmp_path: Path) -> None:
    raw = FARM.model_dump(mode="json", by_alias=True) | change
    (tmp_path / MANIFEST).write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(IndexDamagedError, match=said):
        read(tmp_path)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '"x"', "\xff", "[" * 100_000],
    ids=["empty", "cut", "list", "null", "bare", "text", "no-utf8", "deep"],
)
def test_a_damaged_manifest_says_what_to_run(text: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_bytes(text.encode("latin-1"))
    with pytest.raises(IndexDamagedError, match=r"is damaged .*build it again with"):
        read(tmp_path)


def test_a_missing_manifest_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(IndexDamagedError, match=r"index\.json cannot be read \(No such file.*build it again"):
        read(tmp_path)


def test_a_manifest_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    write(tmp_path, FARM)
    (tmp_path / f"{MANIFEST}.new").mkdir()
    with pytest.raises(IndexBuildError, match="the index is as it was"):
        write(tmp_path, FARM.model_copy(update={"records": 9}))
    assert read(tmp_path) == FARM


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"12345", ""), (b"1234", "has 4 bytes instead of 5"), (None, "is missing")],
    ids=["sound", "cut", "missing"],
)
def test_files_are_there_with_their_size(content: bytes | None, said: str, tmp_path: Path) -> None:
    folder = tmp_path / PARTS / "000001"
    folder.mkdir(parents=True)
    if content is not None:
        (folder / DATA).write_bytes(content)
    if said:
        with pytest.raises(IndexDamagedError, match=said):
            check_files(tmp_path, FARM)
    else:
        check_files(tmp_path, FARM)


def test_counted_fields_are_fields_of_records() -> None:
    assert set(COUNTED) <= set(Record._fields)
    assert COUNTED[-1] == "authors_complete"


def test_the_end_is_known_only_if_that_of_every_collection_is() -> None:
    dated = SourceInfo(records=1, updated=date(2025, 6, 1))
    dumped = SourceInfo(records=1, updated=date(2025, 6, 1), dump_date=date(2025, 3, 1))
    assert Counts().end is None
    assert Counts(sources={"a": dated, "b": dumped}).end == date(2025, 6, 1)
    assert Counts(sources={"b": dumped}).end == date(2025, 3, 1)
    assert Counts(sources={"a": dated, "b": SourceInfo(records=1)}).end is None


_counts = st.builds(
    Counts,
    counted=st.integers(0, 99),
    malformed=st.integers(0, 9),
    sources=st.dictionaries(
        st.sampled_from("ab"),
        st.builds(
            SourceInfo, records=st.integers(0, 9), updated=st.none() | st.dates(), last_year=st.none() | st.just(1)
        ),
    ),
    years=st.dictionaries(st.integers(1990, 1992), st.integers(1, 9)),
    fields=st.dictionaries(st.sampled_from(COUNTED), st.integers(1, 9)),
)


@given(_counts, _counts)
def test_counts_add_up_in_any_order(one: Counts, other: Counts) -> None:
    both = one.plus(other)
    assert both == other.plus(one)
    assert both.counted == one.counted + other.counted
    assert sum(both.years.values()) == sum(one.years.values()) + sum(other.years.values())
    assert list(both.years) == sorted(both.years)
    records = [info.records for info in both.sources.values()]
    assert records == sorted(records, reverse=True)


@pytest.mark.parametrize(
    ("line", "covers"),
    [
        pytest.param({"container_title": "The LUNAR letters"}, False, id="other-name"),
        pytest.param({"container_title": "lunar-letters"}, True, id="folded"),
        pytest.param({"types": ["article-journal"]}, True, id="type"),
        pytest.param({"types": ["book"]}, False, id="other-type"),
        pytest.param({}, False, id="nothing"),
    ],
)
def test_a_line_covers_what_it_names(line: dict[str, object], *, covers: bool) -> None:
    covered = Covered.model_validate({"from": 2000, "to": 2020, **line})
    query = Query(
        kind=QueryKind.TITLE, text="x", year=2010, container_title="Lunar Letters", type=WorkType.ARTICLE_JOURNAL
    )
    assert covered.covers(query) is covers
    assert not covered.covers(query.model_copy(update={"year": 1999}))
    assert not covered.covers(query.model_copy(update={"year": None}))
