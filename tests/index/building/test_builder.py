"""A build streams, swaps in whole, repeats byte for byte, and refuses what is no list of records."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index.building import filling
from citeaudit.index.building.builder import Progress, build
from citeaudit.index.building.workshop import LOCK
from citeaudit.index.manifest import DATA, MANIFEST, PARTS
from tests.index.work import NOW, OLD, find, manifest, quick_folder, raw, rows, same, search, write, write_files


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as place:
        yield place


def data(folder: Path) -> bytes:
    """Give the `works.db` of an index of one part."""
    (part,) = (folder / PARTS).iterdir()
    return (part / DATA).read_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give an index of forty records."""
    build([write(tmp_path / "rows.jsonl", rows(40))], tmp_path / "index", clock=lambda: NOW)
    return tmp_path / "index"


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [("jsonl", bytes), ("jsonl.xz", lzma.compress), ("jsonl.gz", gzip.compress), ("jsonl.bz2", bz2.compress)],
)
def test_every_packing_gives_the_same_data(
    tmp_path: Path, folder: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / f"packed.{suffix}"
    file.write_bytes(pack((tmp_path / "rows.jsonl").read_bytes()))
    report = build([file], tmp_path / "other", clock=lambda: NOW)
    assert (report.records, report.malformed, report.problems) == (40, 0, ())
    assert data(tmp_path / "other") == data(folder)
    assert manifest(tmp_path / "other").content == manifest(folder).content


def test_processes_change_nothing_in_the_result(tmp_path: Path) -> None:
    dump = write_files(tmp_path / "dump", 9, 400)
    write(dump / "part-100.jsonl", [{"title": ""}, *rows(3, 9_000)])
    one = build([dump], tmp_path / "one", jobs=1)
    two = build([dump], tmp_path / "two", jobs=2)
    assert data(tmp_path / "one") == data(tmp_path / "two")
    assert same(manifest(tmp_path / "one"), manifest(tmp_path / "two"))
    assert (
        (one.records, one.malformed, one.problems)
        == (two.records, two.malformed, two.problems)
        == (3_603, 1, one.problems)
    )


def test_workers_do_not_run_the_script_that_builds(tmp_path: Path) -> None:
    dump = write_files(tmp_path / "dump", 2, 50)
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom citeaudit.index.building.builder import build\n"
        "print(build([Path(sys.argv[1])], Path(sys.argv[2]), jobs=2).records)\n",
        encoding="utf-8",
    )
    command = [sys.executable, str(script), str(dump), str(tmp_path / "index")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("100\n", "")


def test_records_are_found_by_title_and_by_words(folder: Path) -> None:
    (record,) = find(folder, OLD)
    assert (record.doi, record.src, record.year) == ("10.5555/farm.1", "farm", 1981)
    assert search(folder, OLD)[0] == record


def test_the_manifest_says_what_is_inside(tmp_path: Path) -> None:
    some = [*rows(5), *[raw(number, src="barn") for number in range(50, 53)]]
    build([write(tmp_path / "rows.jsonl", some)], tmp_path / "x", dump_date=date(2026, 10, 1), clock=lambda: NOW)
    content = json.loads((tmp_path / "x" / MANIFEST).read_text(encoding="utf-8"))
    assert (content["name"], content["records"], content["format"]) == ("x", 8, "jsonl")
    assert content["built_at"] == "2026-11-30T00:00:00Z"
    assert {name: info["records"] for name, info in content["sources"].items()} == {"farm": 5, "barn": 3}
    assert content["sources"]["farm"]["dump_date"] == "2026-10-01"
    assert content["fields"]["doi"] == 8
    assert sum(content["years"].values()) == 8
    (part,) = content["parts"]
    assert part["records"] == 8
    assert DATA in part["files"]


def test_folders_give_their_files_in_order(tmp_path: Path) -> None:
    dump = write_files(tmp_path / "dump", 3, 10)
    write(dump / "deeper" / "z.jsonl", rows(5, 100))
    write(dump / ".hidden.jsonl", rows(5, 200))
    write(dump / "notes.txt", rows(5, 300))
    report = build([dump, write(tmp_path / "one.jsonl", rows(1, 400))], tmp_path / "index", name="moon")
    assert (report.name, report.records, report.added) == ("moon", 36, 36)
    assert manifest(tmp_path / "index").name == "moon"
    assert report.size_bytes == sum(
        path.stat().st_size for path in (tmp_path / "index" / PARTS).rglob("*") if path.is_file()
    )


def test_progress_tells_records_bytes_rate_and_time_left(tmp_path: Path) -> None:
    dump = write_files(tmp_path / "dump", 4, 100)
    told: list[Progress] = []
    build([dump], tmp_path / "index", progress=told.append)
    reading = [one for one in told if one.phase == filling.READING]
    assert [one.records for one in reading] == [100, 200, 300, 400]
    total = sum(path.stat().st_size for path in dump.iterdir())
    assert {one.total for one in told} == {total}
    assert reading[-1].done == total
    assert [one.done for one in reading] == sorted(one.done for one in reading)
    assert all(one.rate > 0 for one in reading)
    assert reading[-1].seconds_left == pytest.approx(0)
    assert [one.phase for one in told[-2:]] == [filling.SORTING, filling.CHECKING]


def test_bad_records_are_counted_named_and_left_out(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    good = json.dumps(raw(7))
    file.write_text("\n".join(["", good, "{broken}", '{"title": ""}', good, *["5"] * 9]), encoding="utf-8")
    report = build([file], tmp_path / "index")
    assert (report.records, report.malformed) == (2, 11)
    assert len(report.problems) == filling.SHOWN_PROBLEMS
    assert report.problems[0].startswith(f"{file}: line 3: not JSON")
    assert report.problems[1].startswith(f"{file}: line 4: ")
    assert manifest(tmp_path / "index").told == report.problems
    assert manifest(tmp_path / "index").malformed == 11


def test_older_records_are_left_out_and_counted_those_without_year_stay(tmp_path: Path) -> None:
    some = [raw(1) | {"year": 1990}, raw(2) | {"year": 2005}, raw(3) | {"year": 2004}, raw(4) | {"year": None}]
    report = build([write(tmp_path / "rows.jsonl", some)], tmp_path / "index", min_year=2005)
    assert (report.records, report.older, report.malformed) == (2, 2, 0)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        pytest.param("a.jsonl", b"", "is empty", id="empty"),
        pytest.param("a.jsonl", b"\n\n{}\n", "no usable record in it .first: .*line 3", id="no-record"),
        pytest.param("a.jsonl", b"\n\n\n", "no usable record in it; check", id="blank"),
        pytest.param("a.jsonl", b"<!DOCTYPE html>\n<html>checking your browser", "is a web page", id="html"),
        pytest.param("a.jsonl.gz", gzip.compress(b"<html><body>One moment"), "is a web page", id="packed-html"),
        pytest.param("a.jsonl", b"@article{a, title = {b}}\n" * 2_000, "nothing in it can be read", id="bibtex"),
        pytest.param(
            "a.jsonl", b'{"title": "A title"}\n{"title": 5}\n{}\n' * 400, "800 of 1,200 records", id="mostly-bad"
        ),
        pytest.param("a.jsonl.xz", lzma.compress(b'{"title": "a"}\n' * 9)[:-20], "breaks off|damaged", id="cut-xz"),
        pytest.param("a.jsonl.gz", gzip.compress(b'{"title": "a"}\n' * 9)[:-9], "breaks off|damaged", id="cut-gzip"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_of_no_use_leaves_the_old_index(
    tmp_path: Path, folder: Path, name: str, content: bytes, complaint: str, jobs: int
) -> None:
    if jobs == 2 and complaint not in ("nothing in it can be read", "breaks off|damaged"):
        return
    before = data(folder)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(IndexBuildError, match=complaint) as caught:
        build([tmp_path / name], folder, jobs=jobs)
    assert "\n" not in str(caught.value)
    assert data(folder) == before
    assert sorted(path.name for path in folder.iterdir()) == [MANIFEST, PARTS, LOCK]


def test_a_file_cut_short_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filling, "CHECKPOINT_RECORDS", 150)
    dump = write_files(tmp_path / "dump", 6, 100)
    (dump / "part-005.jsonl").unlink()
    whole = gzip.compress(b"".join(json.dumps(row).encode() + b"\n" for row in rows(100, 501)))
    (dump / "part-005.jsonl.gz").write_bytes(whole[:-30])
    with pytest.raises(IndexBuildError, match=r"breaks off .* is kept for when the same command is run again"):
        build([dump], tmp_path / "index")
    (dump / "part-005.jsonl.gz").write_bytes(whole)
    report = build([dump], tmp_path / "index")
    assert (report.resumed, report.records) == (400, 600)
    assert find(tmp_path / "index", str(raw(550)["title"]))


@pytest.mark.parametrize("change", ["min_year", "file", "order", "newer"])
def test_a_changed_task_starts_afresh_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    monkeypatch.setattr(filling, "CHECKPOINT_RECORDS", 150)
    dump = write_files(tmp_path / "dump", 6, 100)

    def stop(progress: Progress) -> None:
        if progress.records >= 500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build([dump], tmp_path / "index", progress=stop)
    paths, min_year = sorted(dump.iterdir()), None
    match change:
        case "min_year":
            min_year = 1900
        case "file":
            write(dump / "part-001.jsonl", rows(101))
        case "order":
            paths.reverse()
        case _:
            os.utime(dump / "part-000.jsonl", (1, 1))
    report = build(paths, tmp_path / "index", min_year=min_year)
    assert (report.resumed, report.records) == (0, 601 if change == "file" else 600)
    assert report.notes == ("files or options changed since the interrupted run; starting afresh",)


@pytest.mark.parametrize(
    ("paths", "out", "complaint"),
    [
        pytest.param([], "index", "no file", id="nothing"),
        pytest.param(["missing.jsonl"], "index", "no such file", id="missing"),
        pytest.param(["notes"], "index", "holds no file of the format jsonl", id="folder-without"),
        pytest.param(["rows.jsonl"], "rows.jsonl", "is not a folder", id="out-is-file"),
        pytest.param(["rows.jsonl"], "notes", r"holds other files \(mine.txt\)", id="out-holds-files"),
        pytest.param(["rows.jsonl"], "rows.jsonl/below", "is not a folder", id="out-below-file"),
    ],
)
def test_a_call_that_cannot_work_says_why(tmp_path: Path, paths: list[str], out: str, complaint: str) -> None:
    write(tmp_path / "rows.jsonl", rows(3))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("x", encoding="utf-8")
    with pytest.raises(IndexBuildError, match=complaint):
        build([tmp_path / path for path in paths], tmp_path / out)
    assert (tmp_path / "notes" / "mine.txt").exists()


def test_an_unknown_format_lists_the_known(tmp_path: Path) -> None:
    with pytest.raises(IndexBuildError, match=r"unknown format 'papyrus'; known: .*jsonl"):
        build([write(tmp_path / "rows.jsonl", rows(3))], tmp_path / "index", format="papyrus")


def test_much_less_of_the_same_needs_a_word_more(tmp_path: Path, folder: Path) -> None:
    few = write(tmp_path / "few.jsonl", rows(19))
    with pytest.raises(IndexBuildError, match=r"only 19 records, while the index has 40; .* with --force"):
        build([few], folder)
    assert manifest(folder).records == 40
    report = build([few], folder, force=True)
    assert report.records == manifest(folder).records == 19


def test_an_index_of_another_name_or_half_the_size_is_replaced(tmp_path: Path, folder: Path) -> None:
    build([write(tmp_path / "half.jsonl", rows(20))], folder)
    build([write(tmp_path / "few.jsonl", rows(3))], folder, name="another")
    assert manifest(folder).records == 3


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    some = write(tmp_path / "rows.jsonl", rows(3))
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(IndexBuildError, match="could not be written"):
        build([some], tmp_path / "locked" / "index")


def test_an_index_of_the_first_schema_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    for name in (DATA, MANIFEST):
        (tmp_path / "index" / name).write_text("{}", encoding="utf-8")
    build([write(tmp_path / "rows.jsonl", rows(3))], tmp_path / "index")
    assert sorted(path.name for path in (tmp_path / "index").iterdir()) == [MANIFEST, PARTS, LOCK]
