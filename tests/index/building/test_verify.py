"""`verify` names what is wrong with an index, never raises, and never calls a damaged one sound."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from citeaudit.errors import IndexDamagedError
from citeaudit.index.building.builder import build
from citeaudit.index.building.checking import VerifyReport, verify
from citeaudit.index.building.filling import CHECKING, Progress
from citeaudit.index.building.workshop import file_sum
from citeaudit.index.manifest import DATA, MANIFEST, PARTS, WORDS
from tests.index.work import NOW, OLD, find, quick_folder, rows, search, write


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as place:
        yield place


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    with quick_folder() as place:
        build([write(place / "rows.jsonl", rows(300))], place / "index", clock=lambda: NOW)
        yield place / "index"


@pytest.fixture
def folder(tmp_path: Path, made: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "index"))


def part(folder: Path) -> Path:
    """Give the folder of the only part."""
    (found,) = (folder / PARTS).iterdir()
    return found


def flip(path: Path, place: int, count: int = 64) -> None:
    """Change some bytes of a file."""
    content = bytearray(path.read_bytes())
    for position in range(place, min(place + count, len(content))):
        content[position] ^= 0x5A
    path.write_bytes(content)


def largest(folder: Path, suffix: str) -> Path:
    """Give the largest file of the words with a suffix."""
    return max((part(folder) / WORDS).glob(f"*.{suffix}"), key=lambda path: path.stat().st_size)


def test_a_sound_index_is_called_sound(folder: Path) -> None:
    told: list[Progress] = []
    report = verify(folder, progress=told.append)
    assert report.sound
    assert (report.name, report.records, report.sampled, report.advice) == ("index", 300, 200, "")
    assert report.files == len(told)
    assert report.size_bytes == told[-1].total == told[-1].done
    assert {one.phase for one in told} == {CHECKING}


@pytest.mark.parametrize(
    ("harm", "named"),
    [
        pytest.param(
            lambda folder: flip(part(folder) / DATA, 9_000), "works.db: its content was changed", id="records"
        ),
        pytest.param(lambda folder: flip(part(folder) / DATA, 0), "works.db: its content was changed", id="header"),
        pytest.param(lambda folder: flip(largest(folder, "idx"), 50), "idx: its content was changed", id="words"),
        pytest.param(lambda folder: largest(folder, "term").unlink(), "term: cannot be read", id="words-missing"),
        pytest.param(lambda folder: (part(folder) / DATA).unlink(), "db: cannot be read", id="data-missing"),
        pytest.param(lambda folder: shutil.rmtree(part(folder)), "works.db: cannot be read", id="part-missing"),
        pytest.param(
            lambda folder: (part(folder) / DATA).write_bytes((part(folder) / DATA).read_bytes()[:-5_000]),
            "bytes instead of",
            id="cut",
        ),
        pytest.param(lambda folder: (folder / MANIFEST).unlink(), "cannot be read", id="no-manifest"),
        pytest.param(lambda folder: (folder / MANIFEST).write_text("{]"), "is damaged", id="broken-manifest"),
        pytest.param(shutil.rmtree, "cannot be read", id="no-folder"),
    ],
)
def test_damage_is_named_with_what_to_run_and_never_answers_no(
    folder: Path, harm: Callable[[Path], object], named: str
) -> None:
    harm(folder)
    report = verify(folder)
    assert not report.sound
    assert any(named in problem for problem in report.problems)
    assert "citeaudit index build" in report.advice
    for ask in (find, search):
        try:
            found = ask(folder, OLD)
        except IndexDamagedError:
            continue
        assert found


def rewrite(folder: Path, change: Callable[[dict[str, object]], object], statement: str = "") -> VerifyReport:
    """Change the tables and the manifest alike, so that sizes and checksums still agree."""
    data = part(folder) / DATA
    if statement:
        with closing(sqlite3.connect(data)) as db:
            db.execute(statement)
            db.commit()
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    content["parts"][0]["files"][DATA] = file_sum(data).model_dump()
    change(content)
    (folder / MANIFEST).write_text(json.dumps(content), encoding="utf-8")
    return verify(folder)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        pytest.param("DELETE FROM work WHERE id > 290", "works.db: holds 290 records instead of 300", id="fewer"),
        pytest.param("DELETE FROM work WHERE id = 1", "record 1 is missing|cannot be used", id="one-missing"),
        pytest.param("DELETE FROM key", "record 1 is not found by one of its keys", id="no-keys"),
        pytest.param("UPDATE work SET data = x'00112233'", "cannot be used .*damaged record", id="no-records"),
        pytest.param("DROP TABLE key", "cannot be used .*no such table", id="no-table"),
        pytest.param("DELETE FROM meta WHERE name = 'sealed'", "never finished", id="unfinished"),
    ],
)
def test_tables_that_do_not_fit_are_named(folder: Path, statement: str, named: str) -> None:
    report = rewrite(folder, lambda _: None, statement)
    assert any(re.search(named, problem) for problem in report.problems), report.problems


def test_a_manifest_that_claims_other_counts_is_named(folder: Path) -> None:
    def claim(content: dict[str, object]) -> None:
        content["parts"][0]["records"] = 250  # type: ignore[index]  # plain JSON

    problems = rewrite(folder, claim).problems
    assert any("holds 300 records instead of 250" in problem for problem in problems)
    assert any("holds the words of 300 records instead of 250" in problem for problem in problems)


def test_a_manifest_without_parts_is_named(folder: Path) -> None:
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).write_text(json.dumps(content | {"parts": []}), encoding="utf-8")
    assert verify(folder).problems == (f"{folder}: {MANIFEST} names no part",)


def test_files_that_the_manifest_does_not_list_are_named(folder: Path) -> None:
    content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    content["parts"][0]["files"] = {}
    (folder / MANIFEST).write_text(json.dumps(content), encoding="utf-8")
    assert any("is not listed" in problem for problem in verify(folder).problems)
