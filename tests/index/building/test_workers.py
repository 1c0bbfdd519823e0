"""Units are read in order, in any number of processes, and what a worker meets arrives as it is."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from citeaudit.errors import IndexBuildError, IndexDamagedError, UnreadableDumpError
from citeaudit.index.asking.local import LocalCandidates
from citeaudit.index.building import workers
from citeaudit.index.building.builder import build, merge
from citeaudit.index.building.merging import STORED_FORM
from citeaudit.index.building.workers import Batch, Recipe, Step, find, read_all, serve
from citeaudit.index.dumps.form import Unit
from citeaudit.index.store.keys import venue_key
from citeaudit.index.store.row import Row
from tests.index.work import manifest, quick_folder, same, write_files

VENUE = "Proceedings of the First Conference on Lunar Farming"

TABLE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE dblp SYSTEM "dblp.dtd">
<dblp>
{
    "".join(
        f'<inproceedings key="conf/moon/W{number}" mdate="2024-01-0{number % 9 + 1}"><author>Ann Alder</author>'
        f"<author>Bo Birch</author><title>Growing Crop {number} on the Moon.</title><year>2011</year>"
        f"<pages>{number * 10}-{number * 10 + 9}</pages><booktitle>Moon</booktitle><crossref>conf/moon/2011</crossref>"
        f"</inproceedings>"
        for number in range(1, 31)
    )
}
<proceedings key="conf/moon/2011" mdate="2024-01-01"><title>{VENUE}</title><year>2011</year>
<booktitle>Moon</booktitle></proceedings>
<inproceedings key="conf/moon/bad"><author>Cy Cedar</author><title></title><year>2011</year></inproceedings>
</dblp>
"""


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as place:
        yield place


def steps(folder: Path) -> Iterator[Step]:
    """Give the units of some files."""
    for file, path in enumerate(sorted(folder.iterdir())):
        for number, unit in enumerate(find("jsonl").split(path)):
            yield Step(file, number, unit)


def read(folder: Path, jobs: int) -> list[tuple[int, Batch]]:
    with closing(read_all(steps(folder), Recipe("jsonl", None, 2000), jobs)) as found:
        return [(step.file, batch) for step, batch in found]


def test_processes_give_the_same_batches_in_the_same_order(tmp_path: Path) -> None:
    dump = write_files(tmp_path / "dump", 12, 40)
    (dump / "z.jsonl").write_text('{"title": ""}\n' * 7, encoding="utf-8")
    one = read(dump, 1)
    assert read(dump, 2) == one
    assert [file for file, _ in one] == list(range(13))
    assert sum(batch.older for _, batch in one) > 0
    assert (one[-1][1].faults, len(one[-1][1].named)) == (7, workers.KEPT_FAULTS)


def test_tables_of_contents_travel_along(tmp_path: Path) -> None:
    (tmp_path / "dblp.xml").write_text(TABLE, encoding="utf-8")
    for jobs in (1, 2):
        report = build([tmp_path / "dblp.xml"], tmp_path / str(jobs), format="dblp", jobs=jobs)
        assert report.records >= 30
        assert report.malformed == 1
    assert same(manifest(tmp_path / "1"), manifest(tmp_path / "2"))
    merge([tmp_path / "1"], tmp_path / "merged")
    number = venue_key(VENUE)
    assert number is not None
    held = []
    for name in ("1", "2", "merged"):
        with closing(LocalCandidates(tmp_path / name)) as index:
            held.append(index.held(number, 2011))
    assert held[0] is not None
    assert held[0].listed == 30
    assert held[0] == held[1] == held[2]


def asked(*units: Unit, recipe: Recipe | None = None) -> list[Any]:
    """Give what a worker answers."""
    questions, answers = io.BytesIO(), io.BytesIO()
    for unit in units:
        workers._send(questions, (tuple(recipe or Recipe("jsonl", None)), (str(unit.path), unit.place, unit.data)))
    questions.seek(0)
    serve(questions, answers)
    answers.seek(0)
    return list(iter(lambda: workers._receive(answers), None))


def test_a_worker_answers_each_unit_and_ends_with_its_input() -> None:
    unit = Unit(Path("a.jsonl"), "line 1", b'{"title": "Dust and Stones"}\n{"title": 5}\n')
    answers = asked(*[unit] * (workers._SWEEP + 1))
    assert len(answers) == workers._SWEEP + 1
    columns, tables, older, faults, named = answers[0]
    (kept,) = map(Row._make, zip(*columns, strict=True))
    assert len(kept.keys) >= 1
    assert (tables, older, faults) == ([], 0, 1)
    assert named[0][0] == "line 2"
    assert answers[-1] == answers[0]


def test_a_worker_passes_on_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    assert asked(Unit(tmp_path / "none.jsonl", "line 1", None)) == [
        ("unreadable", f"{tmp_path / 'none.jsonl'}: cannot be read (No such file or directory); check the path.")
    ]
    unit = Unit(tmp_path / "none" / "works.db", "record 1", bytes(16))
    ((kind, told),) = asked(unit, recipe=Recipe(STORED_FORM, None))
    assert kind == "damaged"
    assert "none" in told


@pytest.mark.parametrize(
    ("recipe", "kind"), [(Recipe("jsonl", None), UnreadableDumpError), (Recipe(STORED_FORM, None), IndexDamagedError)]
)
def test_what_a_worker_refuses_is_raised_here(tmp_path: Path, recipe: Recipe, kind: type[IndexBuildError]) -> None:
    unit = Unit(tmp_path / "none" / "works.db", "record 1", None if kind is UnreadableDumpError else bytes(16))
    with pytest.raises(kind, match="none") as caught, closing(read_all([Step(0, 0, unit)], recipe, 2)) as found:
        list(found)
    assert type(caught.value) is kind


def test_a_worker_that_cannot_start_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PROGRAM", "raise SystemExit(3)")
    dump = write_files(tmp_path / "dump", 1, 5)
    with pytest.raises(IndexBuildError, match="a process that reads records died"):
        read(dump, 2)


def test_the_form_of_stored_records_is_no_dump_of_users() -> None:
    assert find(STORED_FORM).name == STORED_FORM
    with pytest.raises(IndexBuildError, match="unknown format 'none'"):
        find("none")
