"""Two readings of one reference: which verdict stands, and that a model's reading accuses nobody."""

from __future__ import annotations

import pytest

from citeaudit.model import Alarm, Flag, Notice, NoticeType, Outcome, Policy, Reference, Status, Verdict, Work
from citeaudit.policy import conclude
from tests.match.build import ask, cite, found, judge, record, silent, weighed

TITLE = "On the quiet growth of coastal dune grasses"
US = "Ada Roe; Bo Li; Cy Hu"
WORK = record(TITLE, US, 2001)
LOW = 0.4
AS_READ = {
    Status.VERIFIED: cite(TITLE, US, 2001, parse_score=LOW),
    Status.MISMATCHED: cite(TITLE, US, 2020, parse_score=LOW),
    Status.NOT_FOUND: cite("Roe, Ada, Li, Bo, Fox, Di", "Hu, Cy", 2001, parse_score=0.95),
    Status.UNPARSED: cite(None, "", None, parse_score=0.1),
    Status.NOT_CHECKABLE: cite("Dune grasses", "", None, parse_score=LOW, type="webpage"),
    Status.UNDECIDED: cite(None, US, 2001, parse_score=LOW),
}
REPAIRED = {
    Status.VERIFIED: cite(TITLE, US, 2001, repaired=True, parse_score=0.5),
    Status.MISMATCHED: cite(TITLE, US, 2020, repaired=True, parse_score=0.5),
    Status.NOT_FOUND: cite("Another title that nobody holds", US, 2001, repaired=True, parse_score=0.95),
}
ONE = Policy(quorum=1)


def _lookups(reference: Reference, *works: Work) -> tuple[object, ...]:
    return (found(reference, *works) if works else silent(reference, "local"),)


def _both(first: Status, second: Status) -> tuple[Verdict, Verdict]:
    """The verdict without a model, and with one, for readings that alone would get these verdicts."""
    as_read, repaired = AS_READ[first], REPAIRED[second]
    holds = {Status.VERIFIED, Status.MISMATCHED}
    one = weighed(as_read, found(as_read, WORK) if first in holds else silent(as_read, "local"))
    two = weighed(repaired, found(repaired, WORK) if second in holds else silent(repaired, "local"))
    return conclude(one, None, ONE), conclude(one, two, ONE)


@pytest.mark.parametrize("status", AS_READ)
def test_one_reading_is_judged_as_ever(status: Status) -> None:
    assert _both(status, Status.VERIFIED)[0].status is status


@pytest.mark.parametrize("status", [Status.MISMATCHED, Status.NOT_FOUND])
def test_a_models_reading_alone_accuses_nobody(status: Status) -> None:
    reference = REPAIRED[status]
    lookup = found(reference, WORK) if status is Status.MISMATCHED else silent(reference, "local")
    assert judge(reference.model_copy(update={"repaired": False}), lookup, policy=ONE).status is status
    verdict = judge(reference, lookup, policy=ONE)
    assert (verdict.status, verdict.alarm, verdict.outage) == (Status.UNDECIDED, Alarm.NONE, False)
    assert verdict.reasons[0].code == "repaired_reading"
    assert len(verdict.reasons) > 1


@pytest.mark.parametrize("status", [Status.MISMATCHED, Status.NOT_FOUND])
def test_what_was_recognised_from_an_image_accuses_nobody(status: Status) -> None:
    reference = REPAIRED[status].model_copy(update={"repaired": False, "recognised": True})
    lookup = found(reference, WORK) if status is Status.MISMATCHED else silent(reference, "local")
    verdict = judge(reference, lookup, policy=ONE)
    assert (verdict.status, verdict.alarm, verdict.outage) == (Status.UNDECIDED, Alarm.NONE, False)
    assert verdict.reasons[0].code == "recognised_reading"


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        pytest.param(Status.VERIFIED, Status.VERIFIED, Status.VERIFIED, id="verified-stays"),
        pytest.param(Status.VERIFIED, Status.MISMATCHED, Status.VERIFIED, id="verified-stays-against-a-difference"),
        pytest.param(Status.VERIFIED, Status.NOT_FOUND, Status.VERIFIED, id="verified-stays-against-silence"),
        pytest.param(Status.MISMATCHED, Status.VERIFIED, Status.UNDECIDED, id="a-difference-is-left-to-a-person"),
        pytest.param(Status.MISMATCHED, Status.MISMATCHED, Status.MISMATCHED, id="both-differ"),
        pytest.param(Status.MISMATCHED, Status.NOT_FOUND, Status.MISMATCHED, id="difference-against-silence"),
        pytest.param(Status.NOT_FOUND, Status.VERIFIED, Status.UNDECIDED, id="silence-is-left-to-a-person"),
        pytest.param(Status.NOT_FOUND, Status.MISMATCHED, Status.UNDECIDED, id="silence-against-a-difference"),
        pytest.param(Status.NOT_FOUND, Status.NOT_FOUND, Status.NOT_FOUND, id="both-silent"),
        pytest.param(Status.UNPARSED, Status.VERIFIED, Status.VERIFIED, id="unread-is-settled"),
        pytest.param(Status.UNPARSED, Status.MISMATCHED, Status.UNPARSED, id="unread-is-not-accused"),
        pytest.param(Status.UNPARSED, Status.NOT_FOUND, Status.UNPARSED, id="unread-stays"),
        pytest.param(Status.NOT_CHECKABLE, Status.VERIFIED, Status.VERIFIED, id="class-is-settled"),
        pytest.param(Status.NOT_CHECKABLE, Status.NOT_FOUND, Status.NOT_CHECKABLE, id="class-stays"),
        pytest.param(Status.UNDECIDED, Status.VERIFIED, Status.VERIFIED, id="open-is-settled"),
        pytest.param(Status.UNDECIDED, Status.MISMATCHED, Status.UNDECIDED, id="open-is-not-accused"),
        pytest.param(Status.UNDECIDED, Status.NOT_FOUND, Status.UNDECIDED, id="open-stays"),
    ],
)
def test_which_verdict_stands(first: Status, second: Status, status: Status) -> None:
    without, both = _both(first, second)
    assert both.status is status
    assert list(Alarm).index(both.alarm) <= list(Alarm).index(without.alarm)
    assert (both.risk or 0.0) <= (without.risk or 0.0) or both.status is without.status
    told = "repaired_reading" in [reason.code for reason in both.reasons]
    held = second is not Status.NOT_FOUND and first is not Status.VERIFIED
    assert told is (held and not first is second is Status.MISMATCHED)


def test_the_note_names_title_and_source() -> None:
    _, both = _both(Status.NOT_FOUND, Status.MISMATCHED)
    assert TITLE in both.reasons[0].text
    assert "local" in both.reasons[0].text
    assert both.reasons[1].code == "no_match"
    _, settled = _both(Status.UNPARSED, Status.VERIFIED)
    assert settled.reasons[-1].sources == ("local",)


def test_the_evidence_holds_the_lookups_of_both_once() -> None:
    as_read, repaired = AS_READ[Status.UNPARSED], REPAIRED[Status.VERIFIED]
    shared = silent(repaired, "shared")
    one, two = weighed(as_read, silent(as_read, "local"), shared), weighed(repaired, found(repaired, WORK), shared)
    asked = [(lookup.source, lookup.outcome) for lookup in conclude(one, two, ONE).evidence.lookups]
    assert asked == [("local", Outcome.NO_MATCH), ("shared", Outcome.NO_MATCH), ("local", Outcome.FOUND)]


def test_a_notice_is_not_taken_away_by_another_reading() -> None:
    notice = (Notice(type=NoticeType.RETRACTION),)
    as_read = cite(TITLE, US, 2020, parse_score=LOW)
    retracted = record(TITLE, US, 2001, notices=notice)
    one = weighed(as_read, found(as_read, retracted), ask(as_read, Outcome.UNAVAILABLE, source="down"))
    repaired = REPAIRED[Status.VERIFIED]
    verdict = conclude(one, weighed(repaired, found(repaired, WORK)), ONE)
    assert verdict.flags == (Flag.RETRACTED,)
    assert verdict.status is Status.UNDECIDED


def test_a_notice_found_by_a_models_reading_calls_softly() -> None:
    repaired = REPAIRED[Status.VERIFIED]
    retracted = record(TITLE, US, 2001, notices=(Notice(type=NoticeType.RETRACTION),))
    as_read = AS_READ[Status.UNPARSED]
    verdict = conclude(weighed(as_read), weighed(repaired, found(repaired, retracted)), ONE)
    assert (verdict.status, verdict.flags, verdict.alarm) == (Status.VERIFIED, (Flag.RETRACTED,), Alarm.REVIEW)
    sure = repaired.model_copy(update={"parse_score": 1.0})
    assert judge(sure, found(sure, retracted)).alarm is Alarm.REVIEW


@pytest.mark.parametrize(
    ("raw", "score", "status"),
    [
        pytest.param(f"Roe/Li/Hu, JDG: {TITLE} (2001)", 0.63, Status.UNDECIDED, id="printed-but-read-otherwise"),
        pytest.param(f"Roe/Li/Hu, JDG: {TITLE} (2001)", 0.9, Status.MISMATCHED, id="a-sound-reading-stands"),
        pytest.param(f"Stranger/Li/Hu: {TITLE} (2001)", 0.63, Status.MISMATCHED, id="not-printed"),
    ],
)
def test_a_slip_in_an_uncertain_reading_is_no_difference(raw: str, score: float, status: Status) -> None:
    reference = cite(TITLE, "Ada Stranger; Bo Li; Cy Hu", 2001, parse_score=score).model_copy(update={"raw": raw})
    assert judge(reference, found(reference, WORK), policy=ONE).status is status
