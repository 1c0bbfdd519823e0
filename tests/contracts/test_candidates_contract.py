"""What every registered back end of the index promises, wherever its records lie."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from citeaudit import registry
from citeaudit.errors import IndexDamagedError
from citeaudit.index.asking.candidates import CandidateIndex
from citeaudit.index.asking.small import SmallCandidates
from citeaudit.index.store.keys import identifier_key, locator_keys, title_keys
from tests.index.build import NOW, ROWS, built, records

NOTICE: dict[str, object] = {
    "title": "Notice on tomatoes",
    "authors": [{"family": "Alder", "given": "Ruth"}],
    "doi": "10.5555/notice",
    "year": 2013,
}
DOI, ARXIV = identifier_key("doi", "10.5555/moon.1"), identifier_key("arxiv_id", "1001.0001")
(TITLE, *_) = title_keys("Growing Tomatoes on the Moon: A Feasibility Study")


def _registered(name: str, folder: Path) -> CandidateIndex:
    make = cast("Callable[[Path], CandidateIndex]", registry.load("candidates", name))
    return make(built(folder, [*ROWS, NOTICE]))


def _in_memory(folder: Path) -> CandidateIndex:
    del folder
    return SmallCandidates(records([*ROWS, NOTICE]), name="farm", built_at=NOW)


@pytest.mark.parametrize("name", [*registry.names("candidates"), "in memory"])
class TestCandidates:
    """Over the rows of `tests.index.build`."""

    @pytest.fixture
    def back_end(self, name: str, tmp_path: Path) -> CandidateIndex:
        return _in_memory(tmp_path) if name == "in memory" else _registered(name, tmp_path)

    def test_it_says_what_it_holds(self, back_end: CandidateIndex) -> None:
        assert back_end.manifest.records == len(ROWS) + 1
        assert back_end.manifest.name
        assert back_end.manifest.built_at.tzinfo is not None

    def test_exact_keys_give_whole_records_one_answer_a_question(self, back_end: CandidateIndex) -> None:
        answers = back_end.exact([[DOI], [], [identifier_key("doi", "10.5555/none")], [ARXIV, DOI], [TITLE]])
        assert [sorted(str(one.year) for one in found.values()) for found in answers] == [
            ["2011"],
            [],
            [],
            ["2010", "2011"],
            ["2010", "2011"],
        ]
        (record,) = answers[0].values()
        assert (record.doi, record.volume, [name.family for name in record.authors]) == (
            "10.5555/moon.1",
            "4",
            ["Alder", "Van der Berg"],
        )

    def test_a_place_in_a_journal_is_a_key(self, back_end: CandidateIndex) -> None:
        (found,) = back_end.exact([locator_keys("J. Lunar Farm.", "4", "11")])
        assert [record.doi for record in found.values()] == ["10.5555/moon.1"]

    def test_the_same_record_has_the_same_place_in_every_answer(self, back_end: CandidateIndex) -> None:
        (by_key,) = back_end.exact([[DOI]])
        (by_words,) = back_end.search([["growing", "tomatoes", "moon"]])
        assert set(by_key) <= set(by_words)

    def test_limits_hold(self, back_end: CandidateIndex) -> None:
        (introductions,) = back_end.exact([title_keys("Introduction")], 2)
        assert len(introductions) == 2
        (found,) = back_end.search([["the", "moon", "introduction", "zbirch"]], 3)
        assert len(found) == 3

    def test_words_give_the_likest_first(self, back_end: CandidateIndex) -> None:
        answers = back_end.search(
            [["tomatoes", "moon", "feasibility", "zalder"], ["zzqx"], [], ["zcedar", "introduction"]]
        )
        assert [bool(found) for found in answers] == [True, False, False, True]
        assert next(iter(answers[0].values())).title.lower().startswith("growing")
        assert next(iter(answers[3].values())).authors[0].family == "Cedar"

    def test_a_misread_word_does_not_crowd_out_the_others(self, back_end: CandidateIndex) -> None:
        (found,) = back_end.search([["building", "growing", "tomatoes", "moon", "feasibility"]], 50, 4)
        assert all("Cheese" not in record.title for record in found.values())

    def test_unknown_words_are_mended_where_that_is_asked(self, back_end: CandidateIndex) -> None:
        asked = [["gro", "wing", "tornatoes", "zalbcr"], ["zzz"], []]
        assert back_end.search(asked) == [{}, {}, {}]
        found, *others = back_end.search(asked, mend=True)
        first = next(iter(found.values()))
        assert first.title.lower() == "growing tomatoes on the moon: a feasibility study"
        assert others == [{}, {}]

    def test_what_it_knows_nothing_of_is_left_out(self, back_end: CandidateIndex) -> None:
        assert back_end.notices([DOI, ARXIV]) == {}
        assert back_end.notices([]) == {}
        assert back_end.held(1, 2011) is None

    def test_no_questions_no_answers(self, back_end: CandidateIndex) -> None:
        assert back_end.exact([]) == []
        assert back_end.search([]) == []


@pytest.mark.parametrize("name", registry.names("candidates"))
def test_damage_is_an_error_and_no_answer(name: str, tmp_path: Path) -> None:
    folder = built(tmp_path)
    for file in [file for file in folder.rglob("*") if file.is_file()]:
        file.write_bytes(b"\x00" * 64)
    make = cast("Callable[[Path], CandidateIndex]", registry.load("candidates", name))
    with pytest.raises(IndexDamagedError, match="citeaudit index build"):
        make(folder).exact([[DOI]])
