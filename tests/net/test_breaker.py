"""A source that keeps failing is left alone for the rest of the run."""

from __future__ import annotations

import pytest

from citeaudit.errors import FailureKind, SourceUnavailableError
from citeaudit.net.breaker import Breaker


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
