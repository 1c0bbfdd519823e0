"""An update adds what is new and puts newer records in the place of older ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError, IndexDamagedError
from citeaudit.index.building import filling
from citeaudit.index.building.builder import Progress, build, update
from citeaudit.index.building.checking import verify
from citeaudit.index.manifest import DATA, MANIFEST, PARTS
from tests.index.work import NOW, OLD, Raw, find, manifest, quick_folder, raw, rows, search, write, write_files


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as place:
        yield place


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give an index of forty records."""
    build([write(tmp_path / "rows.jsonl", rows(40))], tmp_path / "index", clock=lambda: NOW)
    return tmp_path / "index"


def without(row: Raw, *keys: str) -> Raw:
    """Give a record without some fields."""
    return {name: value for name, value in row.items() if name not in keys}


def test_new_records_are_added_and_the_old_ones_stay(tmp_path: Path, folder: Path) -> None:
    report = update(folder, [write(tmp_path / "more.jsonl", rows(10, 101))], clock=lambda: NOW)
    assert (report.records, report.added, report.replaced) == (50, 10, 0)
    assert find(folder, OLD)
    assert search(folder, str(raw(105)["title"]))[0].doi == "10.5555/farm.105"
    found = manifest(folder)
    assert (found.records, found.counted, found.name) == (50, 50, "index")
    assert [part.records for part in found.parts] == [40, 10]
    assert found.sources["farm"].records == 50
    assert verify(folder).problems == ()


@pytest.mark.parametrize(
    ("old", "new", "replaced"),
    [
        pytest.param({}, {"year": 2024}, 1, id="own-id"),
        pytest.param({}, {"year": 2024, "doi": "10.5555/moved"}, 1, id="own-id-other-doi"),
        pytest.param({"id": None}, {"id": None, "year": 2024}, 1, id="doi"),
        pytest.param({"id": None, "doi": None, "pmid": "77"}, {"id": None, "doi": None, "pmid": "77"}, 1, id="pmid"),
        pytest.param({"id": None, "doi": None, "arxiv_id": "1001.0001v1"}, None, 1, id="arxiv"),
        pytest.param({}, {"src": "barn"}, 0, id="other-collection"),
        pytest.param({}, {"id": "farm/other", "doi": "10.5555/other"}, 0, id="other-id"),
        pytest.param({"id": None, "doi": None}, {"id": None, "doi": None}, 0, id="nameless"),
    ],
)
def test_a_record_is_replaced_by_its_newer_form_and_by_nothing_else(
    tmp_path: Path, old: Raw, new: Raw | None, replaced: int
) -> None:
    folder = tmp_path / "index"
    build([write(tmp_path / "old.jsonl", [raw(7) | old, *rows(20, 100)])], folder)
    report = update(folder, [write(tmp_path / "new.jsonl", [raw(7) | (old if new is None else new)])])
    assert (report.replaced, report.records) == (replaced, 22 - replaced)
    assert len(find(folder, str(raw(7)["title"]))) == 2 - replaced
    assert manifest(folder).records == 22 - replaced


def test_a_record_replaced_twice_is_counted_once(tmp_path: Path, folder: Path) -> None:
    for year in (2001, 2002):
        report = update(folder, [write(tmp_path / "new.jsonl", [raw(7) | {"year": year}])])
        assert (report.replaced, report.records) == (1, 40)
    (record,) = find(folder, str(raw(7)["title"]))
    assert record.year == 2002


def test_another_format_joins_the_name_of_the_format(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "one.bib").write_text(
        "@article{a, title = {A Bridge over Basalt}, author = {Alder, Ruth}, year = 2001}\n", encoding="utf-8"
    )
    update(folder, [tmp_path / "one.bib"], format="bibtex")
    assert manifest(folder).format == "jsonl+bibtex"
    assert find(folder, "A Bridge over Basalt")


def test_what_was_written_into_the_manifest_by_hand_stays(tmp_path: Path, folder: Path) -> None:
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    content["coverage"] = [{"container_title": "Journal of Amber", "from": 1990, "to": 2000, "complete": True}]
    (folder / MANIFEST).write_text(json.dumps(content), encoding="utf-8")
    update(folder, [write(tmp_path / "more.jsonl", rows(1, 900))])
    assert [line.container_title for line in manifest(folder).coverage] == ["Journal of Amber"]


def test_an_update_goes_on_where_it_stopped(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "CHECKPOINT_RECORDS", 100)
    dump = write_files(tmp_path / "dump", 4, 80, first=31)

    def stop(progress: Progress) -> None:
        if progress.records >= 240:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        update(folder, [dump], progress=stop)
    assert manifest(folder).records == 40
    report = update(folder, [dump])
    assert report.resumed >= 160
    assert (report.records, report.replaced) == (350, 10)
    assert verify(folder).problems == ()


def test_a_bad_file_leaves_the_index_as_it_was(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "page.jsonl").write_text("<html><body>Not found</body></html>", encoding="utf-8")
    before = manifest(folder)
    with pytest.raises(IndexBuildError, match="is a web page"):
        update(folder, [tmp_path / "page.jsonl"])
    assert manifest(folder) == before


def test_nothing_is_added_to_an_index_that_cannot_be_trusted(tmp_path: Path, folder: Path) -> None:
    (folder / MANIFEST).write_text("{", encoding="utf-8")
    more = write(tmp_path / "more.jsonl", rows(1))
    with pytest.raises(IndexDamagedError, match="is damaged"):
        update(folder, [more])
    with pytest.raises(IndexDamagedError, match="cannot be read"):
        update(tmp_path / "none", [more])
    build([more], tmp_path / "other")
    next((tmp_path / "other" / PARTS).rglob(DATA)).unlink()
    with pytest.raises(IndexDamagedError, match="is missing"):
        update(tmp_path / "other", [more])
    assert not (tmp_path / "none").exists()
