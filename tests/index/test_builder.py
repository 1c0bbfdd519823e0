"""A build streams, swaps in whole, repeats byte for byte, and refuses what is no list of records."""

from __future__ import annotations

import fcntl
import gzip
import json
import lzma
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index import builder, starter
from citeaudit.index.builder import build
from citeaudit.index.engine import open_index
from citeaudit.index.manifest import DATA, MANIFEST
from citeaudit.index.starter import open_starter, starter_records
from citeaudit.model import Outcome
from tests.index.build import NOW, ROWS, ask, built, write_rows

TITLE = "Dust and its Discontents"


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.xz", "jsonl.gz"])
def test_every_packing_gives_the_same_data(tmp_path: Path, suffix: str) -> None:
    reference = built(tmp_path) / DATA
    raw = (tmp_path / "rows.jsonl").read_bytes()
    file = tmp_path / f"packed.{suffix}"
    packed = {"jsonl": raw, "jsonl.xz": lzma.compress(raw), "jsonl.gz": gzip.compress(raw)}[suffix]
    file.write_bytes(packed)
    report = build([file], tmp_path / "other" / "index", clock=lambda: NOW)
    assert (report.records, report.malformed, report.problems) == (len(ROWS), 0, ())
    assert (tmp_path / "other" / "index" / DATA).read_bytes() == reference.read_bytes()
    assert report.size_bytes == reference.stat().st_size


def test_the_manifest_says_what_is_inside(tmp_path: Path) -> None:
    content = json.loads((built(tmp_path) / MANIFEST).read_text(encoding="utf-8"))
    assert (content["name"], content["records"], content["built_at"]) == ("index", len(ROWS), "2026-11-30T00:00:00Z")
    assert content["sources"] == {"farm": 5, "arxiv": 2, "dirt": 1}
    assert content["coverage"] == []


def test_several_files_and_a_name(tmp_path: Path) -> None:
    one, two = write_rows(tmp_path / "a.jsonl", ROWS[:3]), write_rows(tmp_path / "b.jsonl", ROWS[3:])
    told: list[tuple[int, float]] = []
    report = build([one, two], tmp_path / "x", name="moon", progress=lambda count, rate: told.append((count, rate)))
    index = open_index(tmp_path / "x")
    assert (report.name, index.name) == ("moon", "moon")
    assert told[-1][0] == len(ROWS)
    assert all(rate > 0 for _, rate in told)
    assert index.built_at.tzinfo is not None
    index.close()


def test_bad_lines_are_counted_named_and_left_out(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    good = json.dumps(ROWS[5])
    file.write_text("\n".join(["", good, "{broken", '{"title": ""}', good, *["5"] * 9]), encoding="utf-8")
    report = build([file], tmp_path / "index")
    assert (report.records, report.malformed) == (2, 11)
    assert len(report.problems) == builder.SHOWN_PROBLEMS
    assert report.problems[0].startswith(f"{file}:3: ")
    assert report.problems[1].startswith(f"{file}:4: ")


def test_a_line_without_end_is_one_bad_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "MAX_LINE", 1_000)
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(ROWS[5]) + "\n" + "x" * 5_000 + "\n" + json.dumps(ROWS[6]) + "\n", encoding="utf-8")
    report = build([file], tmp_path / "index")
    assert (report.records, report.malformed) == (2, 1)
    assert "longer than 1,000 bytes" in report.problems[0]


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        pytest.param("a.jsonl", b"", "no usable record", id="empty"),
        pytest.param("a.jsonl", b"\n\n{}\n", "no usable record", id="no-record"),
        pytest.param("a.jsonl", b"<!DOCTYPE html>\n<html>checking your browser", "not JSON lines", id="html"),
        pytest.param("a.jsonl", b"@article{a, title = {b}}\n" * 2_000, "not JSON lines", id="bibtex"),
        pytest.param("a.jsonl.xz", b"not xz", "truncated or damaged", id="not-xz"),
        pytest.param("a.jsonl.gz", b"not gzip", "truncated or damaged", id="not-gzip"),
        pytest.param("a.jsonl.xz", lzma.compress(b'{"title": "a"}\n' * 9)[:-20], "truncated or damaged", id="cut-xz"),
        pytest.param("a.jsonl.gz", gzip.compress(b'{"title": "a"}\n' * 9)[:-9], "truncated or damaged", id="cut-gzip"),
    ],
)
def test_a_file_of_no_use_leaves_the_old_index(tmp_path: Path, name: str, data: bytes, complaint: str) -> None:
    folder = built(tmp_path)
    before = (folder / DATA).read_bytes()
    (tmp_path / name).write_bytes(data)
    with pytest.raises(IndexBuildError, match=complaint):
        build([tmp_path / name], folder)
    assert (folder / DATA).read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == [MANIFEST, DATA]
    assert not list(tmp_path.glob(".index.building-*"))


@pytest.mark.parametrize(
    ("paths", "out", "complaint"),
    [
        pytest.param([], "index", "no file", id="nothing"),
        pytest.param(["missing.jsonl"], "index", "no such file", id="missing"),
        pytest.param(["."], "index", "no such file", id="folder"),
        pytest.param(["rows.jsonl"], "rows.jsonl", "is not a folder", id="out-is-file"),
        pytest.param(["rows.jsonl"], "notes", "holds other files", id="out-holds-files"),
        pytest.param(["rows.jsonl"], "rows.jsonl/below", "not a folder|could not be written", id="out-below-file"),
    ],
)
def test_a_call_that_cannot_work_says_why(tmp_path: Path, paths: list[str], out: str, complaint: str) -> None:
    write_rows(tmp_path / "rows.jsonl")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("x", encoding="utf-8")
    with pytest.raises(IndexBuildError, match=complaint):
        build([tmp_path / path for path in paths], tmp_path / out)
    assert (tmp_path / "notes" / "mine.txt").exists()


def test_an_unknown_format_lists_the_known(tmp_path: Path) -> None:
    with pytest.raises(IndexBuildError, match="known: jsonl"):
        build([write_rows(tmp_path / "rows.jsonl")], tmp_path / "index", format="papyrus")


def test_a_rebuild_replaces_the_index_under_an_open_reader(tmp_path: Path) -> None:
    folder = built(tmp_path)
    reader = open_index(folder)
    assert ask(reader, TITLE).outcome is Outcome.FOUND
    build([write_rows(tmp_path / "new.jsonl", ROWS[:2])], folder)
    assert ask(reader, TITLE).outcome is Outcome.FOUND
    fresh = open_index(folder)
    assert ask(fresh, TITLE).outcome is Outcome.NO_MATCH
    reader.close()
    fresh.close()


KILLED = """
import os, sys
from pathlib import Path
from citeaudit.index import builder, manifest
point = sys.argv[3]
class Stop:
    def __call__(self, *args):
        os.kill(os.getpid(), 9)
if point == "filling":
    builder.build([Path(sys.argv[1])], Path(sys.argv[2]), progress=Stop())
elif point == "before-swap":
    builder._swap = Stop()
    builder.build([Path(sys.argv[1])], Path(sys.argv[2]))
else:
    replace = Path.replace
    def once(self, target):
        replace(self, target)
        if self.name == manifest.DATA:
            os.kill(os.getpid(), 9)
    Path.replace = once
    builder.build([Path(sys.argv[1])], Path(sys.argv[2]))
"""


@pytest.mark.parametrize("point", ["filling", "before-swap", "between-the-files"])
def test_a_killed_build_leaves_an_index_that_answers(tmp_path: Path, point: str) -> None:
    folder = built(tmp_path)
    rows = write_rows(tmp_path / "new.jsonl", ROWS[:6])
    done = subprocess.run([sys.executable, "-c", KILLED, rows, folder, point], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    index = open_index(folder)
    assert ask(index, TITLE).outcome is Outcome.FOUND
    assert index.manifest is not None
    assert index.manifest.records == (6 if point == "between-the-files" else len(ROWS))
    index.close()
    build([rows], folder)
    assert not list(tmp_path.glob(".index.building-*"))
    repaired = open_index(folder)
    assert ask(repaired, TITLE).outcome is Outcome.FOUND
    repaired.close()


def test_the_folder_of_a_running_build_is_left_alone(tmp_path: Path) -> None:
    running = tmp_path / ".index.building-other"
    running.mkdir()
    with (running / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built(tmp_path)
        assert running.exists()
    build([tmp_path / "rows.jsonl"], tmp_path / "index")
    assert not running.exists()


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_place_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    rows = write_rows(tmp_path / "rows.jsonl")
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(IndexBuildError, match="could not be written"):
        build([rows], tmp_path / "locked" / "index")


def test_a_full_disk_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = built(tmp_path)
    before = (folder / DATA).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(builder, "_swap", full)
    with pytest.raises(IndexBuildError, match="No space left"):
        build([tmp_path / "rows.jsonl"], folder)
    assert (folder / DATA).read_bytes() == before


def test_the_starter_index_opens_at_once_and_answers() -> None:
    started = time.perf_counter()
    index = open_starter(clock=lambda: NOW)
    assert time.perf_counter() - started < 10
    assert index.name == "starter"
    assert len(starter_records()) >= 150
    answer = ask(index, "Attention is all you need", hints={"families": ("Vaswani",), "year": 2017})
    assert answer.candidates[0].source_id == "vaswani-2017-attention"
    assert answer.retrieved_at == NOW
    index.close()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("works.jsonl", None, id="no-records"),
        pytest.param("works.jsonl", "{", id="damaged-records"),
        pytest.param("manifest.json", None, id="no-manifest"),
        pytest.param("manifest.json", "{}", id="other-manifest"),
    ],
)
def test_a_damaged_installation_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, data: str | None
) -> None:
    folder = tmp_path / "datasets" / "starter"
    folder.mkdir(parents=True)
    (folder / "works.jsonl").write_text('{"title": "a"}', encoding="utf-8")
    (folder / "manifest.json").write_text('{"compiled": "2026-11-30"}', encoding="utf-8")
    if data is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(data, encoding="utf-8")
    monkeypatch.setattr(starter, "files", lambda _: tmp_path)
    with pytest.raises(IndexBuildError, match="install citeaudit again"):
        open_starter()
