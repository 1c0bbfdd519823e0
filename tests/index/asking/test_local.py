"""All parts of a folder answer as one, and as records in memory do; a swap or damage under a reader is no *no*."""

from __future__ import annotations

import shutil
import sqlite3
import string
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.errors import ConfigError, IndexDamagedError
from citeaudit.index.asking.engine import LookupIndex, open_index
from citeaudit.index.asking.local import LocalCandidates, Unusable
from citeaudit.index.manifest import DATA, PARTS
from citeaudit.index.store.keys import identifier_key
from citeaudit.model import NoticeType, Outcome, Query, QueryKind
from tests.index.build import NOW, ROWS, ask, memory_index, records, sealed

TOMATOES = "Growing Tomatoes on the Moon: A Feasibility Study"
NEWER: list[dict[str, object]] = [
    {"title": TOMATOES, "authors": [{"family": "Alder", "given": "Ruth"}], "year": 2012, "doi": "10.5555/moon.1"},
    {"title": "Watering plants by rover", "authors": [{"family": "Birch", "given": "Ola"}], "year": 2025},
]


def _index(folder: Path) -> LookupIndex:
    return LookupIndex(LocalCandidates(folder), clock=lambda: NOW)


# --- parts -------------------------------------------------------------------------------------------------


def test_all_parts_answer_and_a_newer_record_hides_the_older(tmp_path: Path) -> None:
    folder = sealed(tmp_path / "farm", {"a": ROWS, "b": NEWER}, {"b": {"a": [1]}})
    index = _index(folder)
    (work,) = ask(index, TOMATOES).candidates
    assert sorted({work.year, *(version.year for version in work.versions)}, key=str) == [2010, 2012]
    (work,) = ask(index, "10.5555/moon.1", QueryKind.DOI).candidates
    assert len(work.authors) >= 1
    assert 2011 not in {work.year, *(version.year for version in work.versions)}
    assert ask(index, "Dust and its Discontents").outcome is Outcome.FOUND
    assert ask(index, "Watering plants by r0ver").candidates[0].year == 2025
    assert ask(index, "Growing Tornatoes on the Mooii").candidates[0].title.startswith("Growing")
    index.close()


def test_places_are_unique_over_parts_and_limits_hold(tmp_path: Path) -> None:
    local = LocalCandidates(sealed(tmp_path / "farm", {"a": ROWS, "b": ROWS, "c": ROWS}))
    (found,) = local.search([["growing", "tomatoes", "zbirch", "introduction"]], k=7)
    assert len(found) == 7
    assert len({place >> 40 for place in found}) == 3
    key = identifier_key("doi", "10.5555/moon.1")
    assert [len(one) for one in local.exact([[key], [], [key]], limit=2)] == [2, 0, 2]
    assert local.exact([], 5) == []
    local.close()


def test_notices_of_all_parts_are_gathered(tmp_path: Path) -> None:
    notice: dict[str, object] = {
        "title": "Notice",
        "doi": "10.5555/n",
        "about": [("correction", "doi", "10.5555/moon.1")],
    }
    again = {**notice, "about": [("retraction", "doi", "10.5555/moon.1")]}
    index = _index(sealed(tmp_path / "farm", {"a": ROWS, "b": [notice], "c": [again, notice]}))
    (work,) = ask(index, TOMATOES).candidates
    assert {one.type for one in work.notices} == {NoticeType.CORRECTION, NoticeType.RETRACTION}
    index.close()


# --- the same answers as records in memory -----------------------------------------------------------------

WORD = st.sampled_from(["dust", "gravel", "moon", "rover", "cheese", "study", "notes", "of", "the", "plants", "light"])
TITLE = st.lists(WORD, min_size=1, max_size=6).map(" ".join)
SLIP = st.sampled_from(["gra vel", "rnoon", "chccse", "stuyd", "ofthe", "p1ants", "roverlight", "ligth", "dus t"])
ASKED = st.lists(st.one_of(WORD, SLIP), min_size=1, max_size=6).map(" ".join)
FAMILY = st.sampled_from(["Alder", "Birch", "Cedar", "Van der Berg"])
ROW = st.fixed_dictionaries(
    {"title": TITLE, "authors": st.lists(FAMILY.map(lambda one: {"family": one}), max_size=3)},
    optional={
        "year": st.integers(1990, 1995),
        "doi": st.sampled_from(["10.5555/a", "10.5555/b"]),
        "venue": st.sampled_from(["Lunar Notes", "Lunar Letters"]),
        "volume": st.sampled_from(["1", "2"]),
        "pages": st.sampled_from(["1-5", "6"]),
    },
)
QUESTION = st.one_of(
    st.builds(
        lambda text, names: Query(kind=QueryKind.TITLE, text=text, families=tuple(names)), ASKED, st.lists(FAMILY)
    ),
    st.sampled_from(["10.5555/a", "10.5555/c"]).map(lambda text: Query(kind=QueryKind.DOI, text=text)),
    st.builds(
        lambda text, page: Query(
            kind=QueryKind.CITATION, text=text, container_title="Lun. Let.", volume="1", page=page, year=1991
        ),
        st.text(string.ascii_letters + " ", max_size=30),
        st.sampled_from(["1", "6"]),
    ),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ROW, min_size=1, max_size=12), st.lists(QUESTION, max_size=8))
def test_records_in_memory_answer_as_those_on_disk(
    tmp_path: Path, rows: list[dict[str, object]], questions: list[Query]
) -> None:
    shutil.rmtree(tmp_path / "farm", ignore_errors=True)
    index = _index(sealed(tmp_path / "farm", {"a": rows}))
    small = memory_index(rows)
    ours, theirs = index.search(questions), small.search(questions)
    assert [one.outcome for one in ours] == [one.outcome for one in theirs]
    assert [one.candidates for one in ours] == [one.candidates for one in theirs]
    assert [answer for query in questions for answer in small.search([query])] == list(theirs)
    index.close()


# --- damage and swaps --------------------------------------------------------------------------------------


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


@pytest.mark.parametrize("cut", [_cut, Path.unlink], ids=["cut", "gone"])
@pytest.mark.parametrize("pattern", ["works.db", "words/*.idx", "words/*.term", "words/meta.json"])
def test_a_file_cut_short_or_gone_is_seen_before_it_is_mapped(tmp_path: Path, pattern: str, cut: object) -> None:
    folder = sealed(tmp_path / "farm", {"a": ROWS})
    assert callable(cut)
    cut(next((folder / PARTS / "a").glob(pattern)))
    with pytest.raises(IndexDamagedError, match="citeaudit index build"):
        LocalCandidates(folder)
    index = open_index(folder)
    for kind in QueryKind:
        answer = ask(index, TOMATOES, kind)
        assert answer.outcome is Outcome.UNAVAILABLE
        assert answer.failure is not None
        assert "citeaudit index build" in answer.failure.message
    index.close()


def test_what_was_opened_goes_on_after_a_swap(tmp_path: Path) -> None:
    folder = sealed(tmp_path / "farm", {"a": ROWS})
    index = _index(folder)
    before = ask(index, TOMATOES)
    ask(index, "Growing Tornatoes on the Mooii")  # the words are opened at the first question that needs them
    sealed(folder, {"b": NEWER})
    shutil.rmtree(folder / PARTS / "a")
    assert ask(index, TOMATOES).candidates == before.candidates
    index.close()


@pytest.mark.parametrize("asked_before", [True, False], ids=["new-thread", "never-asked"])
def test_where_a_file_is_gone_the_new_index_is_opened(tmp_path: Path, asked_before: bool) -> None:
    folder = sealed(tmp_path / "farm", {"a": ROWS})
    index = _index(folder)
    if asked_before:
        assert ask(index, TOMATOES).candidates[0].year == 2011
    sealed(folder, {"b": NEWER})
    shutil.rmtree(folder / PARTS / "a")
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ask, index, TOMATOES).result()
    assert answer.candidates[0].year == 2012
    assert index.candidates.manifest.content == "b"
    index.close()


def test_where_the_new_index_is_no_better_the_answer_is_none(tmp_path: Path) -> None:
    folder = sealed(tmp_path / "farm", {"a": ROWS})
    index = _index(folder)
    shutil.rmtree(folder / PARTS / "a")
    assert ask(index, TOMATOES).outcome is Outcome.UNAVAILABLE
    sealed(folder, {"b": NEWER})
    shutil.rmtree(folder / PARTS / "b")
    assert ask(index, TOMATOES).outcome is Outcome.UNAVAILABLE
    sealed(folder, {"c": NEWER})
    assert ask(index, TOMATOES).candidates[0].year == 2012
    index.close()


def test_many_threads_meet_a_swap(tmp_path: Path) -> None:
    folder = sealed(tmp_path / "farm", {"a": ROWS})
    index = _index(folder)
    sealed(folder, {"b": NEWER})
    shutil.rmtree(folder / PARTS / "a")
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: ask(index, TOMATOES), range(32)))
    assert {answer.candidates[0].year for answer in answers} == {2012}
    index.close()


def _child(index: LookupIndex, pipe: object) -> None:
    answers = [ask(index, text).candidates[0].title for text in (TOMATOES, "Growing Tornatoes on the Mooii")]
    pipe.send(answers)  # type: ignore[attr-defined]  # a Connection


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("asked_before", [True, False], ids=["asked-before", "never-asked"])
def test_a_forked_process_may_go_on(tmp_path: Path, asked_before: bool) -> None:
    index = _index(sealed(tmp_path / "farm", {"a": ROWS}))
    if asked_before:
        ask(index, "Growing Tornatoes on the Mooii")
    fork = get_context("fork")
    ours, theirs = fork.Pipe()
    process = fork.Process(target=_child, args=(index, theirs))
    process.start()
    assert ours.poll(30)
    assert ours.recv() == [TOMATOES, TOMATOES]
    process.join(30)
    index.close()


def test_one_damaged_record_costs_only_the_questions_that_need_it(tmp_path: Path) -> None:
    folder = sealed(tmp_path / "farm", {"a": ROWS})
    db = sqlite3.connect(folder / PARTS / "a" / DATA)
    db.execute("UPDATE work SET data = x'ffffffff' WHERE id = 1")
    db.commit()
    db.close()
    index = _index(folder)
    answers = index.search([Query(kind=QueryKind.TITLE, text=text) for text in ("Introduction", TOMATOES, "zzqx")])
    assert [answer.outcome for answer in answers] == [Outcome.FOUND, Outcome.UNAVAILABLE, Outcome.NO_MATCH]
    index.close()


# --- opening by name ---------------------------------------------------------------------------------------


def test_a_back_end_is_opened_by_name(tmp_path: Path) -> None:
    folder = sealed(tmp_path / "farm", {"a": ROWS})
    for name in (folder, str(folder), f"local:{folder}"):
        index = open_index(name)
        assert ask(index, TOMATOES).outcome is Outcome.FOUND
        index.close()


def test_a_back_end_that_is_damaged_answers_unavailable(tmp_path: Path) -> None:
    index = open_index(f"local:{tmp_path / 'nowhere'}")
    assert (index.name, ask(index, TOMATOES).outcome) == ("nowhere", Outcome.UNAVAILABLE)


def test_an_unknown_back_end_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="local"):
        open_index("elsewhere:9200/works")


def test_a_folder_with_a_colon_in_its_name_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed(tmp_path / "local:farm", {"a": ROWS})
    monkeypatch.chdir(tmp_path)
    index = open_index("local:farm")
    assert ask(index, TOMATOES).outcome is Outcome.FOUND
    index.close()


def test_a_stand_in_says_what_is_wrong_to_every_call() -> None:
    stand_in = Unusable("farm", "the fault")
    calls: list[Callable[[], object]] = [
        lambda: stand_in.exact([]),
        lambda: stand_in.search([]),
        lambda: stand_in.notices([]),
        lambda: stand_in.held(1, 1),
    ]
    for call in calls:
        with pytest.raises(IndexDamagedError, match="the fault"):
            call()
    stand_in.close()
    assert len(records()) == len(ROWS)
