"""The benchmark of the index: its damage, its records, its questions, and that it runs."""

from __future__ import annotations

# ruff: noqa: S311 - damage on purpose, no secret
import gzip
import importlib
import itertools
import json
import lzma
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as some

FOLDER = Path(__file__).parents[2] / "benchmarks"
NAMES = (
    "made_words",
    "index_noise",
    "index_records",
    "index_queries",
    "index_peer",
    "index_build",
    "index_ask",
    "index_growth",
    "index_table",
    "index_bench",
)
TITLE = "On the Efficient Calibration of Müller Sensors: A Field Study with rn Filters"


@pytest.fixture(scope="module")
def parts() -> Iterator[dict[str, ModuleType]]:
    """The scripts import one another by name, as scripts do."""
    before = {name: sys.modules.pop(name) for name in NAMES if name in sys.modules}
    sys.path.insert(0, str(FOLDER))
    yield {name: importlib.import_module(name) for name in NAMES}
    sys.path.remove(str(FOLDER))
    for name in NAMES:
        sys.modules.pop(name, None)
    sys.modules.update(before)


@pytest.fixture(scope="module")
def invented(parts: dict[str, ModuleType], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "invented.jsonl"
    path.write_bytes(b"".join(parts["index_records"].invented(2_000)))
    return path


# --- damage


@pytest.mark.parametrize("kind", ["ocr", "hyphen", "typo", "truncation", "joined", "word", "heavy"])
def test_same_seed_gives_same_damage(parts: dict[str, ModuleType], kind: str) -> None:
    damage = parts["index_noise"].KINDS[kind]
    made = [[damage(TITLE, random.Random(seed), ["other", "words"]) for seed in range(30)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > (2 if kind in ("truncation", "joined") else 10)
    assert all(title and title != TITLE for title in made[0] if kind != "word")


@given(title=some.text(max_size=60), seed=some.integers(0, 99))
def test_any_title_can_be_tried(parts: dict[str, ModuleType], title: str, seed: int) -> None:
    for damage in parts["index_noise"].KINDS.values():
        made = damage(title, random.Random(seed), ["other"])
        assert made is None or isinstance(made, str)


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        pytest.param("truncation", "Four words are few", id="too-short-to-cut"),
        pytest.param("joined", "Single", id="no-space"),
        pytest.param("word", "Just three words", id="too-few-words"),
        pytest.param("hyphen", "A bad day", id="no-long-word"),
        pytest.param("typo", "123", id="no-letter"),
        pytest.param("ocr", "345", id="nothing-alike"),
    ],
)
def test_damage_that_makes_no_sense_is_not_done(parts: dict[str, ModuleType], kind: str, title: str) -> None:
    assert parts["index_noise"].KINDS[kind](title, random.Random(1), ["other"]) is None


def test_broken_and_joined_words_keep_their_letters(parts: dict[str, ModuleType]) -> None:
    key = importlib.import_module("citeaudit.text.normalize").key
    for kind in ("hyphen", "joined"):
        for seed in range(20):
            assert key(parts["index_noise"].KINDS[kind](TITLE, random.Random(seed), ())) == key(TITLE)


def test_accents_and_ligatures_are_misread(parts: dict[str, ModuleType]) -> None:
    ocr = parts["index_noise"].ocr
    made = {ocr("über", random.Random(seed)) for seed in range(60)}
    assert {"uber", "ber", "´uber"} <= made
    assert "ner" in {ocr("finer", random.Random(seed)) for seed in range(60)}


def test_names_are_damaged_at_the_rate_of_their_kind(parts: dict[str, ModuleType]) -> None:
    families, names = ["Lehmann", "Böhm", "Taylor"] * 300, parts["index_noise"].names
    changed = {
        kind: sum(a != b for a, b in zip(families, names(families, kind, random.Random(2)), strict=True))
        for kind in ("hyphen", "typo", "ocr", "heavy")
    }
    assert 15 < changed["hyphen"] < 90 < changed["typo"] < changed["ocr"] < changed["heavy"] < 600


# --- records


def test_collections_hold_every_real_record_once(parts: dict[str, ModuleType]) -> None:
    records = parts["index_records"]
    real = list(records.invented(300))
    made = list(records.spread(real, 1_000))
    assert len(made) == 1_000
    assert [line for line in made if line in set(real)] == real
    assert made == list(records.spread(real, 1_000))
    places = [place for place, line in enumerate(made) if line in set(real)]
    assert max(b - a for a, b in itertools.pairwise(places)) <= 5


def test_recombined_records_name_nothing_that_is_there(parts: dict[str, ModuleType]) -> None:
    records = parts["index_records"]
    rows = [json.loads(line) for line in records.invented(300)]
    for row in rows[::3]:
        row |= {"arxiv_id": "2401.01234", "url": "https://example.org/2401.01234"}
    stream = records.recombined([json.dumps(row).encode() for row in rows])
    made = [json.loads(next(stream)) for _ in range(1_000)]
    dois = [row["doi"] for row in made if "doi" in row]
    arxiv_ids = [row["arxiv_id"] for row in made if "arxiv_id" in row]
    assert len(set(dois)) == len(dois) > 300
    assert len(set(arxiv_ids)) == len(arxiv_ids) > 200
    assert not {*dois, *arxiv_ids} & {value for row in rows for value in (row.get("doi"), row.get("arxiv_id"))}
    assert all(row["url"].endswith(row["arxiv_id"]) for row in made if "url" in row)
    assert {row["src"] for row in made} == {"recombined"}


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".jsonl.xz"])
def test_records_are_read_plain_and_packed(parts: dict[str, ModuleType], tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"works{suffix}"
    data = b'{"title":"One"}\n{"title":"Two"}\n'
    packed = {".jsonl": data, ".jsonl.gz": gzip.compress(data), ".jsonl.xz": lzma.compress(data)}
    path.write_bytes(packed[suffix])
    assert len(list(parts["index_records"].lines(path))) == 2


# --- questions


def test_halves_share_no_work_and_no_seed(parts: dict[str, ModuleType], invented: Path) -> None:
    queries = parts["index_queries"]
    drawn = queries.draw(invented)
    titles = {half: {one.title for one in sources} for half, sources in drawn.halves.items()}
    assert titles["dev"]
    assert titles["held"]
    assert not titles["dev"] & titles["held"]
    assert all(parts["index_records"].in_core(title) for title in titles["dev"] | titles["held"])
    asked = queries.noisy(drawn, "held", 20)
    assert Counter(one.kind for one in asked) == dict.fromkeys(parts["index_noise"].KINDS, 20)
    assert [one.query for one in asked] == [one.query for one in queries.noisy(drawn, "held", 20)]
    assert all(one.query.families == () and one.query.year is None for one in queries.alone(asked))


def test_records_without_a_surname_are_counted_and_left_out(parts: dict[str, ModuleType], tmp_path: Path) -> None:
    rows = [{"title": f"A title of its own {number}", "authors": [{"family": "X"}]} for number in range(40)]
    path = tmp_path / "few.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    drawn = parts["index_queries"].draw(path)
    assert drawn.hopeless == drawn.seen > 0
    assert drawn.halves == {"dev": [], "held": []}


@pytest.mark.parametrize(
    ("title", "family", "hit"),
    [
        pytest.param("On glass wheels", "Roe", True, id="same"),
        pytest.param("ON GLASS-WHEELS", "Roe, Jane", True, id="same-key"),
        pytest.param("On glass", "Roe", False, id="other-title"),
        pytest.param("On glass wheels", "Doe", False, id="no-surname-shared"),
    ],
)
def test_hit_needs_title_and_surname(parts: dict[str, ModuleType], title: str, family: str, hit: bool) -> None:
    from citeaudit.index.store.record import Name, Record

    source = parts["index_queries"].Source("On Glass Wheels", ("Roe", "Poe"), 1999, None, None, None)
    assert parts["index_queries"].is_same(source, Record(title=title, authors=(Name(literal=family),))) is hit
    assert not parts["index_queries"].is_same(source, None)


def test_reference_lists_have_the_stated_shares(parts: dict[str, ModuleType], invented: Path) -> None:
    drawn = parts["index_queries"].draw(invented)
    made = parts["index_queries"].lists(drawn, "held", 4)
    assert [len(one) for one in made] == [50] * 4
    assert [sum(each.kind == "title" for each in one) for one in made] == [30] * 4


def test_references_without_a_title_say_where_the_work_is(parts: dict[str, ModuleType], tmp_path: Path) -> None:
    row = {"authors": [{"family": "Roe"}], "venue": "J. Made Up", "volume": 7, "pages": "12-19", "year": 1999}
    rows = [row | {"title": f"A title of its own {number}"} for number in range(40)]
    path = tmp_path / "few.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    asked = parts["index_queries"].untitled(parts["index_queries"].draw(path), "dev", 1)
    assert [one.query.text for one in asked] == ["Roe, J. Made Up 7, 12 (1999)"]
    assert [(one.query.volume, one.query.page) for one in asked] == [("7", "12")]


# --- figures


def test_lines_are_fitted_and_never_start_below_zero(parts: dict[str, ModuleType]) -> None:
    growth = parts["index_growth"]
    line = growth.fit([(1, 3.0), (2, 5.0), (4, 9.0)])
    assert (line.base, line.slope) == pytest.approx((1, 2))
    assert growth.fit([(1, 1.0), (2, 4.0), (3, 9.0)]).base == 0
    assert growth.fit([(1, 2.0), (10, 20.0)]).power == pytest.approx(1)


def test_memory_counts_the_process_and_all_below_it(parts: dict[str, ModuleType]) -> None:
    build = parts["index_build"]
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
    try:
        for _ in range(200):
            if len(build.family(process.pid)) == 2:
                break
            time.sleep(0.02)
        pids = build.family(process.pid)
        assert len(pids) == 2
        both, alone = build.memory(pids), build.memory([process.pid])
        assert both.rss > alone.rss >= alone.pss >= alone.own > 0
    finally:
        process.communicate(b"\n")
    assert build.memory([process.pid]) == (0, 0, 0)


def test_quick_run_measures_every_promise(tmp_path: Path) -> None:
    out = tmp_path / "table.md"
    command = [sys.executable, str(FOLDER / "index_bench.py"), "--quick", "--work", str(tmp_path), "--table", str(out)]
    command += ["--quick-records", "2000", "--each", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    table = out.read_text("utf-8")
    for row in ("build,", "bytes a record", "memory", "exact by title", "recall@1", "whole lists", "FTS5", "growth"):
        assert row in table, row
    assert "160 M" in table
    assert str(tmp_path) not in table
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "records/s" not in again.stderr
