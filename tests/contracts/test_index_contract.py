"""What every registered index promises, whoever wrote it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from citeaudit import registry
from citeaudit.model import Coverage, Outcome, Query, QueryKind
from citeaudit.seams import Index
from tests.index.build import built

QUERIES = [
    Query(kind=QueryKind.TITLE, text="Dust and its Discontents"),
    Query(kind=QueryKind.TITLE, text="A title that nobody ever gave to anything"),
    Query(kind=QueryKind.CITATION, text="Elm, M., & Fir, J. (2018). Dust and its Discontents."),
    Query(kind=QueryKind.DOI, text="10.5555/none"),
    Query(kind=QueryKind.TITLE, text=""),
]


@pytest.mark.parametrize("name", registry.names("index"))
class TestIndex:
    """Opened on a folder that `citeaudit index build` made."""

    @pytest.fixture
    def index(self, name: str, tmp_path: Path) -> Index:
        return cast("Callable[[Path], Index]", registry.load("index", name))(built(tmp_path))

    def test_it_says_its_name_and_age(self, index: Index) -> None:
        assert index.name
        assert index.built_at.utcoffset() == timedelta(0)

    def test_one_answer_a_question_in_order(self, index: Index) -> None:
        answers = index.search(QUERIES)
        assert [answer.query for answer in answers] == QUERIES
        assert [answer.outcome for answer in answers] == [
            Outcome.FOUND,
            Outcome.NO_MATCH,
            Outcome.FOUND,
            Outcome.NO_MATCH,
            Outcome.NO_MATCH,
        ]
        assert index.search([]) == ()

    def test_an_answer_says_where_it_is_from(self, index: Index) -> None:
        for answer in index.search(QUERIES):
            assert answer.source == index.name
            assert answer.lineage == "offline-index"
            assert answer.retrieved_at.utcoffset() == timedelta(0)
            assert all(work.source == index.name and work.source_id for work in answer.candidates)
            assert bool(answer.candidates) == (answer.outcome is Outcome.FOUND)

    def test_silence_testifies_nothing_by_itself(self, index: Index) -> None:
        assert {answer.coverage for answer in index.search(QUERIES)} == {Coverage.NONE}

    def test_asking_again_gives_the_same(self, index: Index) -> None:
        first, second = index.search(QUERIES), index.search(QUERIES)
        assert [answer.candidates for answer in first] == [answer.candidates for answer in second]

    def test_damage_is_no_answer(self, name: str, tmp_path: Path) -> None:
        folder = built(tmp_path)
        for file in [file for file in folder.rglob("*") if file.is_file()]:
            file.write_bytes(b"\x00" * 64)
        index = cast("Callable[[Path], Index]", registry.load("index", name))(folder)
        assert {answer.outcome for answer in index.search(QUERIES)} == {Outcome.UNAVAILABLE}
