"""Records in memory: the starter index opens at once, and an index without records says no."""

from __future__ import annotations

import time
from datetime import UTC
from pathlib import Path

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index import starter
from citeaudit.index.asking import local
from citeaudit.index.asking.engine import LookupIndex
from citeaudit.index.asking.grouping import MAX_GROUP
from citeaudit.index.asking.local import LocalCandidates
from citeaudit.index.asking.small import SmallCandidates
from citeaudit.index.starter import open_starter, starter_records
from citeaudit.model import NoticeType, Outcome, Query, QueryKind
from tests.index.build import NOW, ROWS, ask, memory_index, records, sealed

OPENING = 0.015


def test_the_starter_opens_at_once() -> None:
    open_starter()  # what is imported and cached is not its own time
    taken = []
    for _ in range(5):
        started = time.process_time()
        index = open_starter()
        taken.append(time.process_time() - started)
    assert min(taken) <= OPENING
    assert (index.name, index.built_at.tzinfo) == ("starter", UTC)


def test_the_starter_finds_all_its_works_and_knows_what_is_retracted() -> None:
    known = starter_records()
    index = open_starter()
    answers = index.search([Query(kind=QueryKind.TITLE, text=one.title, year=one.year) for one in known])
    assert [answer.outcome for answer in answers] == [Outcome.FOUND] * len(known)
    for record, answer in zip(known, answers, strict=True):
        work = answer.candidates[0]
        assert record.id in {work.source_id for work in answer.candidates}
        said = {notice.type for work in answer.candidates for notice in work.notices}
        assert (NoticeType.RETRACTION in said) >= any(one.type is NoticeType.RETRACTION for one in record.notices)
        assert work.title


def test_a_damaged_installation_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starter, "files", lambda _: tmp_path)
    with pytest.raises(IndexBuildError, match="install citeaudit again"):
        starter_records()
    with pytest.raises(IndexBuildError, match="install citeaudit again"):
        open_starter()
    folder = tmp_path / "datasets" / "starter"
    folder.mkdir(parents=True)
    (folder / "works.jsonl").write_text('{"title": "A"}\n{"authors": 1}\n', encoding="utf-8")
    with pytest.raises(IndexBuildError, match="install citeaudit again"):
        starter_records()


def test_an_index_without_records_says_no() -> None:
    index = LookupIndex.in_memory([], name="empty", built_at=NOW)
    for kind in QueryKind:
        assert ask(index, "Growing tomatoes", kind).outcome is Outcome.NO_MATCH
    index.close()


def test_the_same_records_have_the_same_content() -> None:
    def content(rows: list[dict[str, object]]) -> str:
        return SmallCandidates(records(rows), name="farm", built_at=NOW).manifest.content

    assert content(ROWS) == content(ROWS) != content(ROWS[1:])


def test_the_versions_of_one_work_are_limited() -> None:
    rows: list[dict[str, object]] = [
        {"title": "A Long Enough Title", "authors": ["A. Roe"], "year": 1900 + number} for number in range(60)
    ]
    for hints in ({}, {"year": 1950}):
        works = ask(memory_index(rows), "A Long Enough Title", hints=hints).candidates
        assert len(works) == 1
        assert len(works[0].versions) == MAX_GROUP


def test_records_at_hand_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "MAX_FRESH", 2)
    index = LookupIndex(LocalCandidates(sealed(tmp_path / "farm", {"a": ROWS})), clock=lambda: NOW)
    small = memory_index()
    questions = [Query(kind=QueryKind.TITLE, text=str(row["title"])) for row in (*ROWS, *ROWS)]
    assert [one.candidates for one in index.search(questions)] == [one.candidates for one in small.search(questions)]
    index.close()
