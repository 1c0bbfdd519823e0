"""What may explain a difference without any fault of the reference leaves it to a person."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.model import Coverage, Status, WorkType
from tests.match.build import cite, found, judge, record

TITLE = "Sand ripples beneath standing waves of finite depth"
US = "Ann Roe; Bob Poe; Cyril Doe"
MORE = "Ann Roe; Bob Poe; Eve Moe; Cyril Doe"
MEETING = {"container_title": "Dunes", "type": WorkType.PAPER_CONFERENCE}
POSTED = {"container_title": "arXiv preprint", "type": WorkType.PREPRINT}
WORK = record(TITLE, US, 2020, **MEETING)


@pytest.mark.parametrize(
    ("authors", "year", "fields", "status"),
    [
        pytest.param(MORE, 2019, POSTED, Status.UNDECIDED, id="preprint-of-a-publication"),
        pytest.param(MORE, 2020, POSTED, Status.UNDECIDED, id="preprint-of-that-year"),
        pytest.param(MORE, 2019, MEETING, Status.UNDECIDED, id="the-year-before"),
        pytest.param("A. Roe; B. Poe; C. Doe; Eve Moe", 2021, MEETING, Status.UNDECIDED, id="initials"),
        pytest.param(MORE, 2020, MEETING, Status.MISMATCHED, id="the-version-recorded"),
        pytest.param(MORE, None, {}, Status.MISMATCHED, id="nothing-tells-of-another-version"),
        pytest.param(MORE + "; Flo Zoe", 2019, POSTED, Status.MISMATCHED, id="two-more"),
        pytest.param("Ann Roe; Bob Poe; Eve Moe", 2019, POSTED, Status.MISMATCHED, id="one-exchanged"),
        pytest.param("Ann Roe; Zoe Poe; Eve Moe; Cyril Doe", 2019, POSTED, Status.MISMATCHED, id="a-given-name"),
        pytest.param("Ann Roe; Bob Paul; Eve Moe; Cyril Doe", 2019, POSTED, Status.MISMATCHED, id="others"),
        pytest.param(MORE, 2010, MEETING, Status.MISMATCHED, id="the-year-differs-too"),
    ],
)
def test_one_author_more_in_another_version(
    authors: str, year: int | None, fields: dict[str, Any], status: Status
) -> None:
    cited = cite(TITLE, authors, year, **fields)
    verdict = judge(cited, found(cited, WORK))
    assert verdict.status is status
    assert ("another_version" in {reason.code for reason in verdict.reasons}) == (status is Status.UNDECIDED)


def test_an_index_that_would_hold_the_version_tells() -> None:
    cited = cite(TITLE, MORE, 2019, **POSTED)
    assert judge(cited, found(cited, WORK, coverage=Coverage.DECLARED)).status is Status.MISMATCHED


def test_a_known_preprint_is_that_version() -> None:
    cited = cite(TITLE, MORE, 2019, **POSTED)
    preprint = record(TITLE, US, 2019, source="arxiv", arxiv_id="1901.01234", **POSTED)
    assert judge(cited, found(cited, WORK), found(cited, preprint, source="arxiv")).status is Status.MISMATCHED


def test_a_record_of_one_author_is_no_ground_for_it() -> None:
    cited = cite(TITLE, "Ann Roe; Eve Moe", 2019, **POSTED)
    alone = record(TITLE, "Ann Roe", 2020, **MEETING)
    assert "another_version" not in {reason.code for reason in judge(cited, found(cited, alone)).reasons}
