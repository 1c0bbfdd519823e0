"""The index answers by identifier, title and words; it gathers versions, and damage is never a *no*."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import FailureKind, IndexBuildError
from citeaudit.index.asking.engine import LINEAGE, LookupIndex, open_index
from citeaudit.index.asking.grouping import MAX_CANDIDATES
from citeaudit.index.manifest import DATA, MANIFEST, PARTS
from citeaudit.model import Coverage, NoticeType, Outcome, Query, QueryKind, WorkType
from tests.index.build import NOW, ROWS, ask, built, memory_index

TOMATOES = "Growing Tomatoes on the Moon: A Feasibility Study"


@pytest.fixture(scope="module")
def farm() -> LookupIndex:
    return memory_index()


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        pytest.param(TOMATOES, {}, id="exact"),
        pytest.param("GROWING TOMATOES on the moon — a feasibility study.", {}, id="case-and-marks"),
        pytest.param("Growing toma- toes onthe Moon: A Feasi-bility Study", {}, id="hyphens-and-joins"),
        pytest.param("Growing Tomatoes on the Moon", {}, id="without-subtitle"),
        pytest.param("Growing Tomatoes on the Moon: an account", {"families": ("Alder",)}, id="other-subtitle"),
        pytest.param("Growing Tornatoes on the Mooii: A Feasibility Studv", {}, id="misread"),
        pytest.param("Growing Potatoes on the Moon: A Feasibility Study", {}, id="word-changed"),
        pytest.param("Growing Tomatoes on", {"families": ("Alder", "van der Berg")}, id="cut"),
        pytest.param(TOMATOES, {"families": ("Nobody",), "year": 1950}, id="other-authors"),
        pytest.param("Growing tomatoes on the moon a feasibility study zzqx", {}, id="unknown-word"),
    ],
)
def test_a_title_is_found_however_it_is_printed(farm: LookupIndex, text: str, hints: dict[str, object]) -> None:
    answer = ask(farm, text, hints=hints)
    assert answer.outcome is Outcome.FOUND
    assert answer.candidates[0].title == ROWS[0]["title"]
    assert (answer.source, answer.lineage, answer.retrieved_at) == ("farm", LINEAGE, NOW)
    assert not answer.from_cache


@pytest.mark.parametrize(
    "text",
    [
        "Quantum chromodynamics of unrelated particles",
        "zzqx",
        "…",
        "Moon",
        "x" * 100_000,
        "(" * 100_000,
        "the moon " * 5_000,
        '" OR words MATCH "a*',
    ],
    ids=["unrelated", "unknown", "marks", "one-word", "long-word", "brackets", "long", "syntax"],
)
def test_what_is_not_held_is_a_plain_no(farm: LookupIndex, text: str) -> None:
    started = time.perf_counter()
    for kind in (QueryKind.TITLE, QueryKind.CITATION):
        answer = ask(farm, text, kind)
        assert answer.outcome is Outcome.NO_MATCH
        assert answer.candidates == ()
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize(
    "text",
    [
        "Alder, R., & Van der Berg, P. (2011). Growing tomatoes on the moon: A feasibility study. J. Lunar Farm., 4.",
        "[12] R. Alder and P. van der Berg, “Growing Tornatoes on the Moon,” J. Lunar Farming, vol. 4, 2011.",
    ],
    ids=["apa", "ieee"],
)
def test_a_raw_reference_is_found_by_its_words(farm: LookupIndex, text: str) -> None:
    assert ask(farm, text, QueryKind.CITATION).candidates[0].identifiers.doi == "10.5555/moon.1"


@pytest.mark.parametrize(
    ("kind", "text", "title"),
    [
        pytest.param(QueryKind.DOI, "10.5555/moon.1", TOMATOES, id="doi"),
        pytest.param(QueryKind.ARXIV_ID, "1001.0001", TOMATOES, id="arxiv"),
        pytest.param(QueryKind.ARXIV_ID, "1001.0001v4", TOMATOES, id="arxiv-version"),
        pytest.param(QueryKind.DOI, "10.48550/arxiv.1001.0001", TOMATOES, id="doi-of-arxiv-id"),
        pytest.param(QueryKind.ARXIV_ID, "1801.00002", "Dust and its Discontents", id="arxiv-id-of-doi"),
        pytest.param(QueryKind.DOI, "10.48550/arxiv.1801.00002", "Dust and its Discontents", id="arxiv-doi"),
    ],
)
def test_an_identifier_is_found(farm: LookupIndex, kind: QueryKind, text: str, title: str) -> None:
    answer = ask(farm, text, kind)
    assert [work.title for work in answer.candidates] == [title]


@pytest.mark.parametrize("kind", [QueryKind.DOI, QueryKind.ARXIV_ID, QueryKind.PMID, QueryKind.PMCID, QueryKind.ISBN])
def test_silence_on_an_identifier_testifies_nothing(kind: QueryKind) -> None:
    answer = ask(memory_index(complete=True), "10.5555/none", kind)
    assert (answer.outcome, answer.coverage) == (Outcome.NO_MATCH, Coverage.NONE)


def test_versions_of_a_work_are_one_candidate(farm: LookupIndex) -> None:
    (work,) = ask(farm, TOMATOES).candidates
    assert (work.year, work.container_title) == (2011, "Journal of Lunar Farming")
    assert [(version.year, version.type) for version in work.versions] == [(2010, WorkType.PREPRINT)]
    assert dict(work.identifiers.pairs()) == {"doi": "10.5555/moon.1", "arxiv_id": "1001.0001"}


def test_versions_are_known_however_the_work_was_found(farm: LookupIndex) -> None:
    for answer in (
        ask(farm, "10.5555/moon.1", QueryKind.DOI),
        ask(farm, "1001.0001", QueryKind.ARXIV_ID),
        ask(farm, "Growing Tomatoes on the Mars: A Feasibility Study"),
    ):
        assert {work.year for work in answer.candidates[0].versions} == {2010}


def test_an_identifier_asked_for_comes_first() -> None:
    rows: list[dict[str, object]] = [
        {"title": "A Long Enough Title", "authors": ["A. Roe"], "year": 2000, "doi": "10.5555/one", "venue": "J"},
        {"title": "A Long Enough Title", "authors": ["A. Roe"], "year": 2001, "doi": "10.5555/two"},
    ]
    index = memory_index(rows)
    for doi in ("10.5555/one", "10.5555/two"):
        (work,) = ask(index, doi, QueryKind.DOI).candidates
        assert work.identifiers.doi == doi


def test_generic_titles_are_kept_apart(farm: LookupIndex) -> None:
    works = ask(farm, "Introduction").candidates
    assert sorted((work.year, str(work.authors[0])) for work in works) == [
        (1999, "Ola Birch"),
        (2015, "Ivo Cedar"),
        (2015, "Ola Birch"),
    ]
    assert str(ask(farm, "Introduction", hints={"families": ("Cedar",)}).candidates[0].authors[0]) == "Ivo Cedar"


def test_names_run_together_are_found_by_each(farm: LookupIndex) -> None:
    for family in ("Alder", "Birch"):
        assert ask(farm, "A Rover that Waters", hints={"families": (family,)}).candidates[0].year == 2020


def test_a_mark_in_the_title_is_a_notice(farm: LookupIndex) -> None:
    (work,) = ask(farm, "Cheese as a Building Material").candidates
    assert [notice.type for notice in work.notices] == [NoticeType.RETRACTION]


def test_at_most_five_works_best_first() -> None:
    rows: list[dict[str, object]] = [
        {"title": f"Notes on the weather of planet {name}", "authors": [f"A. {name}"], "year": 2000}
        for name in ("Abel", "Bora", "Cato", "Dora", "Ezra", "Fido", "Gaia")
    ]
    works = ask(memory_index(rows), "Notes on the weather of planet Dora", hints={"families": ("Nobody",)}).candidates
    assert len(works) == MAX_CANDIDATES
    assert works[0].title.endswith("Dora")


def test_answers_come_in_the_order_of_the_questions(farm: LookupIndex) -> None:
    queries = [Query(kind=QueryKind.TITLE, text=text) for text in ("Introduction", "zzqx", TOMATOES)]
    answers = farm.search(queries)
    assert [answer.query for answer in answers] == queries
    assert [answer.outcome for answer in answers] == [Outcome.FOUND, Outcome.NO_MATCH, Outcome.FOUND]
    assert farm.search([]) == ()


# --- what silence can testify ------------------------------------------------------------------------------


def with_coverage(folder: Path, *lines: dict[str, object], complete: bool = False) -> LookupIndex:
    file = folder / MANIFEST
    content = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**content, "coverage": lines}), encoding="utf-8")
    return open_index(folder, complete=complete, clock=lambda: NOW)


VENUE = {"container_title": "Journal of Lunar Farming", "from": 2000, "to": 2020, "complete": True}
NAMED = {"container_title": "Journal of Lunar Farming"}
SCOPE = {"types": ["article-journal"], "from": 2000, "to": 2020}
HINTS = {"container_title": "J. of lunar farming", "year": 2010, "type": "article-journal"}


@pytest.mark.parametrize(
    ("lines", "complete", "hints", "expected"),
    [
        pytest.param([], False, HINTS, Coverage.NONE, id="no-statement"),
        pytest.param([], True, HINTS, Coverage.DECLARED, id="declared"),
        pytest.param([VENUE], False, {**HINTS, **NAMED}, "AUTHORITATIVE", id="venue"),
        pytest.param([VENUE], True, {**HINTS, **NAMED}, "AUTHORITATIVE", id="both"),
        pytest.param([VENUE], False, HINTS, Coverage.NONE, id="venue-abbreviated"),
        pytest.param([VENUE], False, NAMED, Coverage.NONE, id="no-year"),
        pytest.param([VENUE], False, {**NAMED, "year": 2021}, Coverage.NONE, id="too-late"),
        pytest.param([{**VENUE, "complete": False}], False, {**HINTS, **NAMED}, Coverage.GENERAL, id="venue-in-part"),
        pytest.param([SCOPE], False, HINTS, Coverage.GENERAL, id="types"),
        pytest.param([SCOPE], False, {**HINTS, "type": "book"}, Coverage.NONE, id="other-type"),
        pytest.param([{"from": 2000, "to": 2020, "complete": True}], False, HINTS, Coverage.NONE, id="no-scope"),
    ],
)
def test_coverage(
    tmp_path: Path, lines: list[dict[str, object]], complete: bool, hints: dict[str, object], expected: Coverage
) -> None:
    index = with_coverage(built(tmp_path), *lines, complete=complete)
    known = {name: value for name, value in hints.items() if name in ("container_title", "year", "type")}
    answer = ask(index, "Quantum chromodynamics", hints=known)
    assert (answer.outcome, answer.coverage) == (Outcome.NO_MATCH, expected)
    index.close()


# --- damage ------------------------------------------------------------------------------------------------


def data_of(folder: Path) -> Path:
    (part,) = (folder / PARTS).iterdir()
    return part / DATA


def _write(name: str, data: bytes) -> Callable[[Path], object]:
    return lambda folder: (data_of(folder) if name == DATA else folder / name).write_bytes(data)


def _manifest(**change: object) -> Callable[[Path], object]:
    def apply(folder: Path) -> None:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        (folder / MANIFEST).write_text(json.dumps({**content, **change}), encoding="utf-8")

    return apply


def _sql(*statements: str) -> Callable[[Path], object]:
    """Change the data, and let the manifest name its new size, so that the change itself must be seen."""

    def apply(folder: Path) -> None:
        db = sqlite3.connect(data_of(folder))
        for statement in statements:
            db.execute(statement)
        db.commit()
        db.close()
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        content["parts"][0]["files"][DATA]["size"] = data_of(folder).stat().st_size
        (folder / MANIFEST).write_text(json.dumps(content), encoding="utf-8")

    return apply


DAMAGE = [
    pytest.param(lambda folder: data_of(folder).unlink(), id="no-data"),
    pytest.param(lambda folder: (folder / MANIFEST).unlink(), id="no-manifest"),
    pytest.param(_write(DATA, b""), id="empty-data"),
    pytest.param(_write(DATA, b"<html>" * 900), id="html-data"),
    pytest.param(_write(MANIFEST, b"{"), id="cut-manifest"),
    pytest.param(_write(MANIFEST, b"[]"), id="other-manifest"),
    pytest.param(_manifest(schema_version=99), id="other-schema"),
    pytest.param(_manifest(normaliser_version=0), id="other-normaliser"),
    pytest.param(_sql("UPDATE meta SET value = '99' WHERE name = 'schema_version'"), id="other-schema-in-data"),
    pytest.param(_sql("UPDATE meta SET value = 'x' WHERE name = 'normaliser_version'"), id="no-version-in-data"),
    pytest.param(_sql("DELETE FROM meta"), id="no-meta"),
    pytest.param(_sql("UPDATE work SET data = x'ffff'"), id="damaged-records"),
    pytest.param(_sql("DROP TABLE key"), id="table-missing"),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_answers_unavailable_and_says_what_to_run(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    folder = built(tmp_path)
    damage(folder)
    index = open_index(folder, complete=True)
    for kind in (QueryKind.TITLE, QueryKind.DOI):
        answer = ask(index, TOMATOES if kind is QueryKind.TITLE else "10.5555/moon.1", kind)
        if kind is QueryKind.DOI and answer.outcome is Outcome.FOUND:
            continue
        assert answer.outcome is Outcome.UNAVAILABLE
        assert answer.failure is not None
        assert answer.failure.kind is FailureKind.DAMAGED
        assert "citeaudit index build" in answer.failure.message
        assert answer.coverage is Coverage.NONE
    index.close()


def test_a_file_cut_short_never_says_no(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"title": f"Report number {number} on lunar dust", "authors": ["A. Roe"]} for number in range(3_000)
    ]
    folder = built(tmp_path, rows)
    data = data_of(folder).read_bytes()
    data_of(folder).write_bytes(data[: len(data) // 3])
    index = open_index(folder)
    for number in range(0, 3_000, 300):
        answer = ask(index, f"Report number {number} on lunar dust")
        assert answer.outcome is not Outcome.NO_MATCH
    index.close()


@pytest.mark.parametrize("name", ["missing", "empty", "other", "file"])
def test_a_path_that_is_no_index_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("x", encoding="utf-8")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(IndexBuildError, match=r"is no index|no such folder, and no index of that name"):
        open_index(tmp_path / name)


def test_a_time_without_zone_is_taken_as_utc(tmp_path: Path) -> None:
    folder = built(tmp_path)
    _manifest(built_at="2026-01-02T03:04:05")(folder)
    index = open_index(folder)
    assert index.built_at.isoformat() == "2026-01-02T03:04:05+00:00"
    index.close()


# --- many readers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["file", "memory"])
def test_threads_share_it(tmp_path: Path, kind: str) -> None:
    index = open_index(built(tmp_path)) if kind == "file" else memory_index()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: ask(index, TOMATOES).candidates[0].year, range(64)))
    assert answers == [2011] * 64
    index.close()


def _child(index: LookupIndex, pipe: object) -> None:
    pipe.send(ask(index, TOMATOES).candidates[0].year)  # type: ignore[attr-defined]  # a Connection


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_may_go_on_with_it(tmp_path: Path) -> None:
    index = open_index(built(tmp_path))
    ask(index, TOMATOES)
    fork = get_context("fork")
    ours, theirs = fork.Pipe()
    process = fork.Process(target=_child, args=(index, theirs))
    process.start()
    assert ours.poll(30)
    assert ours.recv() == 2011
    process.join(30)
    index.close()


def test_readers_leave_nothing_behind_and_need_no_write_access(tmp_path: Path) -> None:
    folder = built(tmp_path)
    before = sorted(path.name for path in folder.iterdir())
    folder.chmod(0o500)
    index = open_index(folder)
    assert ask(index, TOMATOES).outcome is Outcome.FOUND
    index.close()
    folder.chmod(0o700)
    assert sorted(path.name for path in folder.iterdir()) == before


# --- laws ---------------------------------------------------------------------------------------------------


@given(st.permutations(list(range(len(ROWS)))))
def test_the_order_of_records_changes_no_answer(places: list[int]) -> None:
    index = memory_index([ROWS[place] for place in places])
    answer = ask(index, "Growing Tomatoes on the Moon", hints={"families": ("Alder",), "year": 2011})
    assert [work.title for work in answer.candidates][:1] == [TOMATOES]
    assert answer.candidates[0].identifiers.doi == "10.5555/moon.1"
    assert [version.year for version in answer.candidates[0].versions] == [2010]
    index.close()


def test_a_longer_list_stands_for_the_work() -> None:
    rows: list[dict[str, object]] = [
        {"title": "A Long Enough Title", "authors": [{"family": "Roe"}], "year": 2000, "doi": "10.5555/one"},
        {"title": "A Long Enough Title", "authors": ["Jane Roe", "John Poe"], "year": 2000},
    ]
    (work,) = ask(memory_index(rows), "A Long Enough Title").candidates
    assert len(work.authors) == 2
    assert work.authors_complete
    assert work.identifiers.doi == "10.5555/one"
