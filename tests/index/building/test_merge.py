"""A merge holds what its inputs hold, each record once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError, IndexDamagedError
from citeaudit.index.building import filling
from citeaudit.index.building.builder import Progress, build, merge, update
from citeaudit.index.building.checking import verify
from citeaudit.index.building.workshop import BUILDING
from citeaudit.index.manifest import DATA, MANIFEST, PARTS
from tests.index.work import NOW, OLD, find, manifest, quick_folder, raw, rows, same, write


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as place:
        yield place


def index(place: Path, name: str, some: list[dict[str, object]], dump_date: date | None = None) -> Path:
    """Build an index."""
    build([write(place / f"{name}.jsonl", some)], place / name, dump_date=dump_date, clock=lambda: NOW)
    return place / name


def test_a_merge_holds_each_record_once_the_later_one(tmp_path: Path) -> None:
    one = index(tmp_path, "one", rows(40), date(2026, 1, 1))
    two = index(tmp_path, "two", [raw(number) | {"year": 1903} for number in range(31, 61)], date(2026, 5, 5))
    report = merge([one, two], tmp_path / "both", clock=lambda: NOW)
    assert (report.records, report.duplicates, report.added) == (60, 10, 60)
    (record,) = find(tmp_path / "both", str(raw(35)["title"]))
    assert record.year == 1903
    found = manifest(tmp_path / "both")
    assert (found.name, found.records, found.counted, found.format) == ("both", 60, 60, "jsonl")
    assert (found.sources["farm"].records, found.sources["farm"].dump_date) == (60, date(2026, 5, 5))
    assert found.years[1903] == 30
    assert len(found.parts) == 1
    assert verify(tmp_path / "both").problems == ()
    assert manifest(one).records == 40
    assert verify(two).problems == ()


def test_the_order_of_the_inputs_says_which_is_later(tmp_path: Path) -> None:
    one = index(tmp_path, "one", rows(5))
    two = index(tmp_path, "two", [raw(3) | {"year": 1903}])
    merge([two, one], tmp_path / "both")
    (record,) = find(tmp_path / "both", str(raw(3)["title"]))
    assert record.year == raw(3)["year"]


def test_records_without_a_name_of_their_own_all_stay(tmp_path: Path) -> None:
    nameless: list[dict[str, object]] = [{"title": "A Title of Its Own", "src": "farm"}]
    report = merge([index(tmp_path, "one", nameless * 2), index(tmp_path, "two", nameless)], tmp_path / "both")
    assert (report.records, report.duplicates) == (3, 0)


def test_compaction_makes_one_part_without_what_was_replaced(tmp_path: Path) -> None:
    folder = index(tmp_path, "index", rows(40))
    update(folder, [write(tmp_path / "new.jsonl", [raw(number) | {"year": 1903} for number in range(36, 46)])])
    report = merge([folder], folder)
    assert (report.records, report.duplicates, report.name) == (45, 0, "index")
    found = manifest(folder)
    assert [part.records for part in found.parts] == [45]
    assert len(list((folder / PARTS).iterdir())) == 1
    assert found.years[1903] == 10
    assert find(folder, OLD)
    assert verify(folder).problems == ()
    again = merge([folder, folder], folder)
    assert same(manifest(folder), found)
    assert again.records == 45


def test_processes_change_nothing_in_the_result(tmp_path: Path) -> None:
    inputs = [index(tmp_path, "one", rows(300)), index(tmp_path, "two", rows(300, 200))]
    merge(inputs, tmp_path / "plain", jobs=1)
    merge(inputs, tmp_path / "many", jobs=2)
    assert same(manifest(tmp_path / "plain"), manifest(tmp_path / "many"))


def test_counts_and_statements_of_the_inputs_are_taken_over(tmp_path: Path) -> None:
    one, two = index(tmp_path, "one", [*rows(5), {"title": ""}]), index(tmp_path, "two", [*rows(5, 50), {"title": 5}])
    content = json.loads((one / MANIFEST).read_text(encoding="utf-8"))
    content["coverage"] = [{"container_title": "Journal of Amber", "from": 1990, "to": 2000, "complete": True}]
    (one / MANIFEST).write_text(json.dumps(content), encoding="utf-8")
    merge([one, two], tmp_path / "both")
    found = manifest(tmp_path / "both")
    assert found.malformed == 2
    assert [line.container_title for line in found.coverage] == ["Journal of Amber"]


def test_a_merge_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "CHECKPOINT_RECORDS", 20)
    inputs = [index(tmp_path, name, rows(30, first)) for name, first in (("a", 1), ("b", 21), ("c", 41), ("d", 61))]

    def stop(progress: Progress) -> None:
        if progress.records >= 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        merge(inputs, tmp_path / "all", progress=stop)
    assert (tmp_path / "all" / BUILDING).exists()
    report = merge(inputs, tmp_path / "all")
    assert report.resumed >= 20
    assert (report.records, report.duplicates) == (90, 30)
    merge(inputs, tmp_path / "plain")
    assert same(manifest(tmp_path / "all"), manifest(tmp_path / "plain"))
    assert not (tmp_path / "all" / BUILDING).exists()


def test_an_index_that_is_no_input_is_not_replaced_unasked(tmp_path: Path) -> None:
    one, two, three = (index(tmp_path, name, rows(5, first)) for name, first in (("a", 1), ("b", 50), ("c", 90)))
    with pytest.raises(IndexBuildError, match="holds an index that is not to be merged"):
        merge([one, two], three)
    assert merge([one, two], three, force=True).records == 10


@pytest.mark.parametrize("harm", ["missing", "cut", "flipped", "manifest"])
def test_a_damaged_input_stops_the_merge(tmp_path: Path, harm: str) -> None:
    one, two = index(tmp_path, "one", rows(300)), index(tmp_path, "two", rows(5))
    (data,) = two.glob(f"{PARTS}/*/{DATA}")
    match harm:
        case "missing":
            data.unlink()
        case "cut":
            data.write_bytes(data.read_bytes()[:-100])
        case "flipped":
            content = data.read_bytes()
            data.write_bytes(content[:-10] + bytes(byte ^ 0x55 for byte in content[-10:]))
        case _:
            (two / MANIFEST).write_text("{}", encoding="utf-8")
    with pytest.raises(IndexDamagedError):
        merge([one, two], tmp_path / "both")
    assert not (tmp_path / "both" / MANIFEST).exists()
    shutil.rmtree(tmp_path / "both", ignore_errors=True)


def test_nothing_to_merge_says_so(tmp_path: Path) -> None:
    with pytest.raises(IndexBuildError, match="no index to merge"):
        merge([], tmp_path / "both")
