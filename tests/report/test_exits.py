"""Exit codes: the contract with scripts."""

from __future__ import annotations

import pytest

from citeaudit.model import Audit, Flag, Policy, Status, Unreadable
from citeaudit.report.exits import Exit, exit_code
from tests import samples

CLEAN = samples.audit(samples.verdict())
FINDING = samples.audit(samples.verdict(Status.NOT_FOUND))
FLAGGED = samples.audit(samples.verdict(Status.VERIFIED, Flag.RETRACTED))
OUTAGE = samples.audit(samples.verdict(Status.UNDECIDED, outage=True), samples.verdict(Status.NOT_FOUND))
SILENT = samples.audit(samples.verdict(Status.UNDECIDED))
LOST = Unreadable(path="x", message="is empty")


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        pytest.param([CLEAN], Exit.CLEAN, id="clean"),
        pytest.param([], Exit.CLEAN, id="nothing"),
        pytest.param([FINDING], Exit.FINDINGS, id="finding"),
        pytest.param([FLAGGED], Exit.FINDINGS, id="flag"),
        pytest.param([SILENT], Exit.CLEAN, id="undecided-without-outage"),
        pytest.param([OUTAGE], Exit.UNDECIDED, id="outage-outranks-finding"),
        pytest.param([LOST], Exit.UNREADABLE, id="unreadable"),
        pytest.param([LOST, CLEAN], Exit.UNREADABLE, id="unreadable-beside-clean"),
        pytest.param([LOST, FINDING], Exit.FINDINGS, id="finding-outranks-unreadable"),
        pytest.param([LOST, FINDING, OUTAGE], Exit.UNDECIDED, id="all"),
    ],
)
def test_the_gravest_that_occurs_wins(results: list[Audit | Unreadable], expected: Exit) -> None:
    assert exit_code(results, Policy().fail_on) is expected
    assert exit_code(results[::-1], Policy().fail_on) is expected


def test_the_user_says_what_counts() -> None:
    assert exit_code([SILENT], [Status.UNDECIDED]) is Exit.FINDINGS
    assert exit_code([FINDING, FLAGGED], []) is Exit.CLEAN
