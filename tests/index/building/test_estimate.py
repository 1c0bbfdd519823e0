"""An estimate reads a little, writes nothing, and is near what comes out."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index.building import estimate
from citeaudit.index.building.builder import build
from citeaudit.index.building.estimate import dry_run
from tests.index.work import quick_folder, raw, rows, write, write_files


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as place:
        yield place


def test_an_estimate_is_near_what_comes_out_and_writes_nothing(tmp_path: Path) -> None:
    dump = write_files(tmp_path / "dump", 20, 200)
    before = sorted(tmp_path.rglob("*"))
    told = dry_run([dump], out=tmp_path / "deep" / "index", jobs=1)
    assert sorted(tmp_path.rglob("*")) == before
    report = build([dump], tmp_path / "index", jobs=1)
    assert told.records == pytest.approx(report.records, rel=0.1)
    assert told.size_bytes == pytest.approx(report.size_bytes, rel=0.4)
    assert 0 < told.seconds < 60
    assert told.fits
    assert told.needed_bytes > told.size_bytes
    assert (told.files, told.sampled_files, told.malformed_share) == (20, 8, 0.0)
    assert told.input_bytes == sum(path.stat().st_size for path in dump.iterdir())


def test_only_the_beginning_of_a_large_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "SAMPLED_RECORDS", 500)
    lines = "".join(f"{json.dumps(row)}\n" for row in rows(12_000))
    (tmp_path / "rows.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    told = dry_run([tmp_path / "rows.jsonl.gz"], jobs=2)
    assert told.sampled_records < 8_000
    assert told.records == pytest.approx(12_000, rel=0.5)


def test_years_and_bad_records_are_allowed_for(tmp_path: Path) -> None:
    some = [raw(number) | {"year": 1990 + number % 20} for number in range(400)]
    told = dry_run([write(tmp_path / "rows.jsonl", [*some, *[{"title": ""}] * 100])], min_year=2000)
    assert told.records == pytest.approx(200, rel=0.05)
    assert told.malformed_share == pytest.approx(0.2)


def test_a_disk_too_small_is_seen(tmp_path: Path) -> None:
    told = dry_run([write(tmp_path / "rows.jsonl", rows(300))])
    assert not told.model_copy(update={"free_bytes": 1_000}).fits


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("<html><body>Not found</body></html>", "web page"), ('{"title": ""}\n', "no usable record"), ("", "is empty")],
)
def test_what_is_no_dump_says_so(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "rows.jsonl").write_text(content, encoding="utf-8")
    with pytest.raises(IndexBuildError, match=complaint):
        dry_run([tmp_path / "rows.jsonl"])


def test_what_is_missing_says_so(tmp_path: Path) -> None:
    with pytest.raises(IndexBuildError, match="no such file"):
        dry_run([tmp_path / "rows.jsonl"])
