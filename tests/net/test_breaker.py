"""A source that keeps failing is left alone for the rest of the run."""

from __future__ import annotations

import pytest

from citeaudit.errors import FailureKind, SourceUnavailableError
from citeaudit.net.breaker import LOST_S, Breaker


@pytest.mark.parametrize(
    ("events", "is_open"),
    [
        pytest.param("", False, id="nothing-yet"),
        pytest.param("ff", False, id="two-failures"),
        pytest.param("ffaff", False, id="an-answer-between-starts-again"),
        pytest.param("fff", True, id="three-in-a-row"),
        pytest.param("ffffff", True, id="more-than-three"),
        pytest.param("affaaffaff", False, id="never-three-in-a-row"),
        pytest.param("fffa", True, id="a-late-answer-does-not-resume"),
        pytest.param("fffaaaa", True, id="nor-do-many"),
    ],
)
def test_three_failures_in_a_row_pause_a_source(events: str, is_open: bool) -> None:
    breaker = Breaker()
    for event in events:
        (breaker.failed if event == "f" else breaker.answered)("arxiv")
    if not is_open:
        breaker.check("arxiv")
        return
    with pytest.raises(SourceUnavailableError, match="3 failures in a row") as caught:
        breaker.check("arxiv")
    assert (caught.value.kind, caught.value.source) == (FailureKind.CIRCUIT_OPEN, "arxiv")
    breaker.check("crossref")


@pytest.mark.parametrize(
    ("lost_s", "is_open"),
    [
        pytest.param([LOST_S - 1], False, id="less"),
        pytest.param([LOST_S], True, id="at-once"),
        pytest.param([LOST_S / 2, LOST_S / 2], True, id="in-sum"),
        pytest.param([LOST_S / 2, None, LOST_S / 2], False, id="an-answer-between-starts-again"),
    ],
)
def test_long_time_without_an_answer_pauses_a_source(lost_s: list[float | None], is_open: bool) -> None:
    breaker = Breaker()
    for each in lost_s:
        if each is None:
            breaker.answered("arxiv")
        else:
            breaker.failed("arxiv", each)
    assert breaker.is_failing("arxiv")
    if not is_open:
        breaker.check("arxiv")
        return
    with pytest.raises(SourceUnavailableError, match="25 s without an answer"):
        breaker.check("arxiv")
