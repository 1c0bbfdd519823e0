"""The memory recalls answers to the very question asked, never an outage, and never fails a run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from citeaudit.errors import ConfigError, FailureKind
from citeaudit.index.memory import LONG, SHORT, Memory
from citeaudit.model import Failure, Identifiers, Lookup, Outcome, Person, Query, QueryKind, Work, WorkType
from citeaudit.net.cache import open_cache

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
QUERY = Query(kind=QueryKind.TITLE, text="On Widgets", families=("Müller", "Roe"), year=2020)
WORK = Work(
    source="example",
    source_id="1",
    title="On Widgets",
    authors=(Person(family="Müller", given="A."),),
    identifiers=Identifiers(doi="10.1234/w"),
)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(tmp_path: Path, clock: Clock) -> Iterator[Memory]:
    memory = Memory(tmp_path / "answers", clock=clock)
    yield memory
    memory.close()


def lookup(outcome: Outcome = Outcome.FOUND, query: Query = QUERY, at: datetime = NOW) -> Lookup:
    failure = Failure(kind=FailureKind.TIMED_OUT, message="slow") if outcome is Outcome.UNAVAILABLE else None
    candidates = (WORK,) if outcome in (Outcome.FOUND, Outcome.AMBIGUOUS) else ()
    return Lookup(
        source="example",
        lineage="example",
        query=query,
        outcome=outcome,
        candidates=candidates,
        failure=failure,
        retrieved_at=at,
    )


@pytest.mark.parametrize("outcome", [Outcome.FOUND, Outcome.AMBIGUOUS, Outcome.NO_MATCH])
def test_an_answer_comes_back_marked_as_recalled(memory: Memory, outcome: Outcome) -> None:
    memory.remember(lookup(outcome), "1")
    assert memory.recall("example", "1", QUERY) == lookup(outcome).model_copy(update={"from_cache": True})


@pytest.mark.parametrize("outcome", [Outcome.UNAVAILABLE, Outcome.SKIPPED])
def test_no_answer_is_never_kept(memory: Memory, outcome: Outcome) -> None:
    memory.remember(lookup(outcome), "1")
    assert memory.recall("example", "1", QUERY) is None


def test_a_recalled_answer_is_not_kept_anew(memory: Memory) -> None:
    memory.remember(lookup().model_copy(update={"from_cache": True}), "1")
    assert memory.recall("example", "1", QUERY) is None


@pytest.mark.parametrize(
    ("outcome", "lifetime"),
    [(Outcome.FOUND, LONG), (Outcome.AMBIGUOUS, LONG), (Outcome.NO_MATCH, SHORT)],
)
def test_answers_expire(memory: Memory, clock: Clock, outcome: Outcome, lifetime: timedelta) -> None:
    memory.remember(lookup(outcome), "1")
    clock.now = NOW + lifetime - timedelta(seconds=1)
    assert memory.recall("example", "1", QUERY) is not None
    clock.now = NOW + lifetime
    assert memory.recall("example", "1", QUERY) is None


def test_an_answer_from_the_future_is_not_believed(memory: Memory) -> None:
    memory.remember(lookup(at=NOW + timedelta(hours=2)), "1")
    assert memory.recall("example", "1", QUERY) is None


@pytest.mark.parametrize(
    ("source", "version", "change"),
    [
        pytest.param("other", "1", {}, id="source"),
        pytest.param("example", "2", {}, id="adapter-version"),
        pytest.param("example", "1", {"text": "On Gadgets"}, id="text"),
        pytest.param("example", "1", {"kind": QueryKind.CITATION}, id="kind"),
        pytest.param("example", "1", {"year": 2021}, id="year"),
        pytest.param("example", "1", {"families": ("Roe",)}, id="families"),
        pytest.param("example", "1", {"container_title": "Journal"}, id="venue"),
        pytest.param("example", "1", {"doi": "10.5555/a"}, id="cited-doi"),
        pytest.param("example", "1", {"formula": True}, id="formula"),
        pytest.param("example", "1", {"type": WorkType.BOOK}, id="type"),
    ],
)
def test_another_question_is_not_answered(memory: Memory, source: str, version: str, change: dict[str, object]) -> None:
    memory.remember(lookup(), "1")
    assert memory.recall(source, version, QUERY.model_copy(update=change)) is None


def test_spacing_case_and_marks_do_not_make_another_question(memory: Memory) -> None:
    memory.remember(lookup(), "1")
    same = QUERY.model_copy(update={"text": " on  WIDGETS", "families": ("Muller", "ROE")})
    recalled = memory.recall("example", "1", same)
    assert recalled is not None
    assert recalled.query == same


def _tamper(directory: Path, change: object) -> None:
    db = sqlite3.connect(directory / "cache.db")
    ((value,),) = db.execute("SELECT value FROM Cache").fetchall()
    db.execute("UPDATE Cache SET value = ?", (change(value),))  # type: ignore[operator]  # the rows below
    db.commit()
    db.close()


def _swap(*path: str, value: object) -> object:
    def change(text: str) -> str:
        stored = json.loads(text)
        inner = stored
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value
        return json.dumps(stored)

    return change


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda text: "5", id="other-json"),
        pytest.param(lambda text: text.replace("FOUND", "PERHAPS"), id="unknown-outcome"),
        pytest.param(lambda text: text.replace('"title"', '"name"'), id="unknown-field"),
        pytest.param(_swap("lookup", "query", "text", value="On Gadgets"), id="answer-to-another-question"),
        pytest.param(_swap("lookup", "source", value="other"), id="answer-of-another-source"),
        pytest.param(_swap("memory_version", value=0), id="older-form"),
        pytest.param(_swap("lookup", "outcome", value="SKIPPED"), id="no-answer"),
        pytest.param(_swap("lookup", "retrieved_at", value="2026-11-30T12:00:00"), id="time-without-zone"),
    ],
)
def test_a_tampered_answer_is_a_miss_and_gone(memory: Memory, tmp_path: Path, change: object) -> None:
    memory.remember(lookup(), "1")
    _tamper(tmp_path / "answers", change)
    assert memory.recall("example", "1", QUERY) is None
    cache = open_cache(tmp_path / "answers")
    assert list(cache) == []
    cache.close()


def test_it_outlives_the_run(tmp_path: Path, clock: Clock) -> None:
    first = Memory(tmp_path / "answers", clock=clock)
    first.remember(lookup(), "1")
    first.close()
    second = Memory(tmp_path / "answers", clock=clock)
    assert second.recall("example", "1", QUERY) is not None
    second.close()


def test_a_memory_that_breaks_in_use_goes_on_empty(
    memory: Memory, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    memory.remember(lookup(), "1")
    memory.close()
    (tmp_path / "answers" / "cache.db").write_bytes(b"no database" * 1_000)
    assert memory.recall("example", "1", QUERY) is None
    assert "going on without it" in caplog.text
    memory.remember(lookup(), "1")
    assert memory.recall("example", "1", QUERY) is not None


def test_a_memory_that_cannot_be_written_loses_answers_quietly(
    memory: Memory, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    db = sqlite3.connect(tmp_path / "answers" / "cache.db")
    db.execute("DROP TABLE Cache")
    db.commit()
    db.close()
    memory.remember(lookup(), "1")
    assert memory.recall("example", "1", QUERY) is None
    assert "going on without it" in caplog.text


def test_an_unsafe_directory_is_an_error_at_the_start(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers").chmod(0o777)
    with pytest.raises(ConfigError):
        Memory(tmp_path / "answers", clock=clock)
