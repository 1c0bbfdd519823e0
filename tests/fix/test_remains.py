"""What is open about a reference is told in one sentence, and notices are told whatever was decided."""

from __future__ import annotations

import pytest

from citeaudit.fix.remains import remains
from citeaudit.model import Decision, Flag, Reason, Ruling, Status, Verdict
from tests import samples


def _with(status: Status, *flags: Flag, reason: str | None = None, ruling: Ruling | None = None) -> Verdict:
    one = samples.verdict(status)
    evidence = one.evidence
    if ruling:
        decision = Decision(fingerprint="f", ruling=ruling, reason="seen")
        evidence = evidence.model_copy(update={"decision": decision})
    reasons = (Reason(code=reason, text="As it is."),) if reason else one.reasons
    return one.model_copy(update={"flags": flags, "reasons": reasons, "evidence": evidence})


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        pytest.param(_with(Status.VERIFIED), (), id="verified"),
        pytest.param(_with(Status.MISMATCHED), (), id="mismatched-has-its-plan"),
        pytest.param(_with(Status.NOT_FOUND), (), id="not-found-has-its-plan"),
        pytest.param(
            _with(Status.UNDECIDED), ("Undecided, look it up: The sample says UNDECIDED.",), id="undecided-says-why"
        ),
        pytest.param(
            _with(Status.UNPARSED), ("The entry says too little to be looked up: complete it.",), id="unparsed"
        ),
        pytest.param(
            _with(Status.NOT_CHECKABLE), ("A work of a kind that no source here lists: look it up.",), id="kind"
        ),
        pytest.param(_with(Status.UNDECIDED, ruling=Ruling.KNOWN_GOOD), (), id="a-person-decided"),
        pytest.param(_with(Status.VERIFIED, Flag.CORRECTED, Flag.UNCITED), (), id="nothing-to-find-out"),
        pytest.param(
            _with(Status.VERIFIED, Flag.CONCERN),
            ("An expression of concern has been published about the work: read it before you rely on the work.",),
            id="concern",
        ),
        pytest.param(_with(Status.VERIFIED, Flag.RETRACTED, reason="retraction_acknowledged"), (), id="acknowledged"),
    ],
)
def test_what_is_open_is_told(verdict: Verdict, told: tuple[str, ...]) -> None:
    assert remains(verdict) == told


@pytest.mark.parametrize("ruling", [None, Ruling.KNOWN_GOOD])
@pytest.mark.parametrize("flag", [Flag.RETRACTED, Flag.WITHDRAWN])
def test_a_notice_is_told_whatever_was_decided(flag: Flag, ruling: Ruling | None) -> None:
    (told,) = remains(_with(Status.VERIFIED, flag, ruling=ruling))
    assert told == f"The work has been {flag.value}: read the notice, then say so in the entry or cite another work."


def test_without_a_reason_it_is_undecided_all_the_same() -> None:
    one = samples.verdict(Status.UNDECIDED).model_copy(update={"reasons": ()})
    assert remains(one) == ("Undecided: look it up.",)


def test_a_long_reason_is_cut() -> None:
    one = samples.verdict(Status.UNDECIDED)
    long = one.model_copy(update={"reasons": (Reason(code="sample", text="a" * 1000),)})
    assert len(remains(long)[0]) < 400
