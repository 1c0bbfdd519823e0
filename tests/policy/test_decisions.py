"""What a person's decision does to a verdict, and what it never does."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.match.rules import ANCHORS
from citeaudit.model import (
    Alarm,
    Coverage,
    Decision,
    Flag,
    Lookup,
    Notice,
    NoticeType,
    Outcome,
    Policy,
    QueryKind,
    QuoteCheck,
    QuoteStatus,
    Rank,
    Reference,
    Ruling,
    Status,
    Verdict,
)
from citeaudit.policy import REASONS, conclude, decide
from citeaudit.policy.decisions import apply, is_settled, narrowed, remark
from tests.match.build import ask, cite, found, judge, record, silent, weighed
from tests.test_laws import ACCUSATION, LAW, LOUDNESS, POLICIES, cases

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
TITLE = "On the quiet growth of coastal dune grasses"
US = "Ada Roe; Bo Li; Cy Hu"
CITED = cite(TITLE, US, 2001)
WORK = record(TITLE, US, 2001)
LATE = record(TITLE, US, 2009)
STRICT = Policy(quorum=1)


def decided(ruling: Ruling, **fields: Any) -> Decision:
    values = {"fingerprint": "1-x", "reason": "read in print", "by": "Ed", "decided_at": NOON, **fields}
    return Decision(ruling=ruling, **values)


GOOD = decided(Ruling.KNOWN_GOOD)
BAD = decided(Ruling.BAD_READING)
UNCHECKED = decided(Ruling.NOT_CHECKABLE)
NOT_IT = decided(Ruling.WRONG_RECORD, record=("local", LATE.source_id))


def codes(verdict: Verdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


def mismatched(decision: Decision | None, **fields: Any) -> Verdict:
    return judge(CITED, found(CITED, LATE), decision=decision, **fields)


def not_found(decision: Decision | None) -> Verdict:
    return judge(CITED, silent(CITED, "a"), policy=STRICT, decision=decision)


def test_known_good_keeps_the_status_and_quiets_the_alarm() -> None:
    before, after = mismatched(None), mismatched(GOOD)
    assert (before.status, before.alarm) == (Status.MISMATCHED, Alarm.REVIEW)
    assert (after.status, after.alarm, after.fields, after.best, after.risk) == (
        Status.MISMATCHED,
        Alarm.NONE,
        before.fields,
        before.best,
        before.risk,
    )
    assert codes(after) == ["decided_by_person", *codes(before)]
    assert is_settled(after)
    assert not is_settled(before)


def test_the_sentence_says_who_what_when_and_why() -> None:
    assert remark(GOOD).text == (
        "Ed decided on 2026-01-02: known good, “read in print”; the reference is right as cited, so what differs is no"
        " finding."
    )
    assert remark(decided(Ruling.BAD_READING, by=None)).text.startswith("A person decided on 2026-01-02: bad reading, ")
    both = decided(Ruling.WRONG_RECORD, record=("dblp", "b"), further=(("dblp", "a"),))
    assert "wrong record (dblp a and dblp b), " in remark(both).text
    own = decided(Ruling.KNOWN_GOOD, decided_at=None)
    assert remark(own).text == (
        "The author remarks in the manuscript: “read in print”; taken as known good: the reference is right as cited,"
        " so what differs is no finding."
    )
    assert {remark(decided(ruling)).code for ruling in Ruling} == {"decided_by_person"} <= set(REASONS)


@pytest.mark.parametrize(
    ("decision", "status"),
    [
        pytest.param(BAD, Status.UNPARSED, id="bad-reading"),
        pytest.param(UNCHECKED, Status.NOT_CHECKABLE, id="not-checkable"),
        pytest.param(GOOD, Status.NOT_FOUND, id="known-good"),
    ],
)
def test_rulings_settle_what_was_not_found(decision: Decision, status: Status) -> None:
    assert not_found(None).status is Status.NOT_FOUND
    after = not_found(decision)
    assert (after.status, after.alarm) == (status, Alarm.NONE)
    assert codes(after)[:2] == ["decided_by_person", "no_match"]
    assert is_settled(after)


def test_a_bad_reading_shows_no_comparison() -> None:
    after = mismatched(BAD)
    assert (after.best, after.fields, after.risk) == (None, (), None)
    kept = mismatched(UNCHECKED)
    assert kept.best is not None
    assert kept.fields
    assert kept.risk is not None


@pytest.mark.parametrize("decision", [GOOD, BAD, UNCHECKED], ids=lambda one: one.ruling.value)
def test_what_is_verified_stays_so(decision: Decision) -> None:
    after = judge(CITED, found(CITED, WORK), decision=decision)
    assert (after.status, after.alarm, codes(after)[0]) == (Status.VERIFIED, Alarm.NONE, "decided_by_person")
    assert after.best is not None


@pytest.mark.parametrize("decision", [BAD, UNCHECKED], ids=lambda one: one.ruling.value)
def test_an_outage_no_longer_keeps_it_open(decision: Decision) -> None:
    lookups = (silent(CITED, "a"), ask(CITED, Outcome.UNAVAILABLE, source="b"))
    assert judge(CITED, *lookups).outage
    assert not judge(CITED, *lookups, decision=decision).outage
    assert judge(CITED, *lookups, decision=GOOD).outage


@pytest.mark.parametrize("decision", [GOOD, BAD, UNCHECKED], ids=lambda one: one.ruling.value)
@pytest.mark.parametrize("notice", [NoticeType.RETRACTION, NoticeType.WITHDRAWAL])
def test_notices_are_never_silenced(decision: Decision, notice: NoticeType) -> None:
    work = record(TITLE, US, 2009, notices=(Notice(type=notice),))
    before, after = judge(CITED, found(CITED, work)), judge(CITED, found(CITED, work), decision=decision)
    assert before.alarm is Alarm.STRONG
    assert (after.flags, after.alarm) == (before.flags, Alarm.STRONG)
    assert set(codes(before)) <= set(codes(after))


def test_concerns_and_quotations_still_ask_for_a_look() -> None:
    work = record(TITLE, US, 2009, notices=(Notice(type=NoticeType.CONCERN),))
    concern = judge(CITED, found(CITED, work), decision=GOOD)
    assert (concern.flags, concern.alarm) == ((Flag.CONCERN,), Alarm.REVIEW)
    check = QuoteCheck(text="As if it were", status=QuoteStatus.NOT_FOUND)
    assert mismatched(GOOD, quote_checks=(check,)).alarm is Alarm.REVIEW
    corrected = record(TITLE, US, 2009, notices=(Notice(type=NoticeType.CORRECTION),))
    assert judge(CITED, found(CITED, corrected), decision=GOOD).alarm is Alarm.NONE
    loud = mismatched(GOOD, quote_checks=(check,)).model_copy(update={"alarm": Alarm.STRONG})
    assert apply(loud).alarm is Alarm.REVIEW
    assert apply(loud.model_copy(update={"alarm": Alarm.NONE})).alarm is Alarm.NONE


def test_a_wrong_record_is_rejected_and_the_rest_decides() -> None:
    both = found(CITED, WORK, LATE)
    assert judge(CITED, found(CITED, LATE)).status is Status.MISMATCHED
    other = judge(CITED, both, decision=NOT_IT)
    assert other.status is Status.VERIFIED
    assert codes(other)[-1] == "decided_by_person"
    assert not is_settled(other)
    (rejected,) = [one for one in other.evidence.candidates if one.work == LATE]
    assert (rejected.rank, rejected.anchor, rejected.identifier_of) == (Rank.REJECTED, "person_rejected", ())
    assert "person_rejected" in ANCHORS


def test_without_another_record_the_answer_is_no_match() -> None:
    alone = judge(CITED, found(CITED, LATE), policy=STRICT, decision=NOT_IT)
    assert (alone.status, alone.alarm) == (Status.UNDECIDED, Alarm.REVIEW), "no graver than it was"
    assert codes(alone) == ["held_by_decision", "no_match", "decided_by_person"]
    assert alone.evidence.lookups[0].outcome is Outcome.NO_MATCH
    assert judge(CITED, found(CITED, LATE), decision=NOT_IT).status is Status.UNDECIDED
    weak = found(CITED, LATE, coverage=Coverage.NONE)
    assert judge(CITED, weak, policy=STRICT, decision=NOT_IT).status is Status.UNDECIDED


@pytest.mark.parametrize("year", [2001, 2009], ids=["verified", "mismatched"])
@pytest.mark.parametrize("policy", [Policy(), STRICT], ids=["default", "strict"])
def test_a_ruling_never_makes_a_verdict_graver(year: int, policy: Policy) -> None:
    cited = cite(TITLE, US, 2001, container_title="Dunes")
    work = record(TITLE, US, year)
    whole = found(cited, work, coverage=Coverage.DECLARED, venue_held=80, whole_until=2024)
    further = found(cited, work.model_copy(update={"source": "b"}), source="b")
    out = decided(Ruling.WRONG_RECORD, record=("local", work.source_id), further=(("b", work.source_id),))
    before = judge(cited, whole, further, policy=policy)
    after = judge(cited, whole, further, policy=policy, decision=out)
    assert (after.status, after.alarm) == (Status.UNDECIDED, before.alarm)
    assert decide(after.evidence, policy) == after


def test_a_ruling_leaves_what_counted_before() -> None:
    cited = cite(TITLE, US, 2001)
    worse = record(TITLE, US, 1993, source="b")
    lookups = found(cited, LATE), found(cited, worse, source="b")
    before = judge(cited, *lookups)
    after = judge(cited, *lookups, decision=decided(Ruling.WRONG_RECORD, record=("local", LATE.source_id)))
    assert (before.status, after.status, after.alarm) == (Status.MISMATCHED, Status.MISMATCHED, Alarm.REVIEW)
    assert "held_by_decision" not in codes(after)


def test_a_notice_on_what_is_left_is_flagged_and_no_louder() -> None:
    left = WORK.model_copy(update={"source": "b", "year": 2008, "notices": (Notice(type=NoticeType.RETRACTION),)})
    lookups = found(CITED, WORK), found(CITED, left, source="b")
    out = decided(Ruling.WRONG_RECORD, record=("b", left.source_id))
    assert judge(CITED, *lookups).flags == (Flag.RETRACTED,)
    assert judge(CITED, *lookups, decision=out).flags == ()


def test_an_ambiguous_answer_is_settled_by_ruling_its_records_out() -> None:
    generic = cite("Introduction", "", None)
    one, two = record("Introduction", US, 2001), record("Introduction", "Di Fox", 1980)
    evidence = weighed(generic, ask(generic, Outcome.AMBIGUOUS, one, two))
    both = decided(Ruling.WRONG_RECORD, record=("local", one.source_id), further=(("local", two.source_id),))
    only = decided(Ruling.WRONG_RECORD, record=("local", one.source_id))
    outcomes = [
        narrowed(evidence.model_copy(update={"decision": decision})).lookups[0].outcome for decision in (both, only)
    ]
    assert outcomes == [Outcome.NO_MATCH, Outcome.AMBIGUOUS]


def test_answers_that_rest_on_nothing_ruled_out_stay() -> None:
    with_doi = cite(TITLE, US, 2001, doi="10.1/x")
    late = record(TITLE, US, 2009, doi="10.1/x")
    decision = decided(Ruling.WRONG_RECORD, record=("local", late.source_id))
    lookups = (
        ask(with_doi, Outcome.FOUND, late, kind=QueryKind.DOI),
        found(with_doi, WORK, source="b"),
        ask(with_doi, Outcome.UNAVAILABLE, source="c"),
    )
    evidence = narrowed(weighed(with_doi, *lookups, decision=decision))
    assert [one.outcome for one in evidence.lookups] == [Outcome.FOUND, Outcome.FOUND, Outcome.UNAVAILABLE]
    elsewhere = decided(Ruling.WRONG_RECORD, record=("b", late.source_id))
    untouched = weighed(with_doi, *lookups, decision=elsewhere)
    assert narrowed(untouched) == untouched


def test_an_identifier_of_a_record_that_is_out_accuses_nobody() -> None:
    with_doi = cite(TITLE, US, 2001, doi="10.1/x")
    other = record("A calculus of variations for elastic shells", "Di Fox", 1980, doi="10.1/x")
    lookups = (found(with_doi, WORK, source="b"), ask(with_doi, Outcome.FOUND, other, kind=QueryKind.DOI))
    assert "identifier_names_another" in codes(judge(with_doi, *lookups))
    decision = decided(Ruling.WRONG_RECORD, record=("local", other.source_id))
    after = judge(with_doi, *lookups, decision=decision)
    assert not {"identifier_names_another", "identifier_unknown"} & set(codes(after))
    assert after.status is Status.VERIFIED
    (rejected,) = [one for one in after.evidence.candidates if one.work == other]
    assert rejected.identifier_of == ()


def test_the_authors_remark_alone_changes_nothing() -> None:
    remarked = CITED.model_copy(update={"remark": "my own preprint"})
    plain = judge(CITED, found(CITED, LATE))
    shown = judge(remarked, found(remarked, LATE))
    assert (shown.status, shown.alarm, shown.risk) == (plain.status, plain.alarm, plain.risk)
    assert codes(shown) == [*codes(plain), "author_remark"]
    assert shown.reasons[-1].text == (
        "The author remarks in the manuscript: “my own preprint”; it is shown and changes nothing."
    )
    assert not is_settled(shown)


def test_the_authors_remark_is_shown_beside_a_persons_decision_and_not_beside_itself() -> None:
    remarked = CITED.model_copy(update={"remark": "my own preprint"})
    beside = judge(remarked, found(remarked, LATE), decision=GOOD)
    assert codes(beside)[0] == "decided_by_person"
    assert codes(beside).count("author_remark") == 1
    own = judge(remarked, found(remarked, LATE), decision=decided(Ruling.KNOWN_GOOD, decided_at=None))
    assert "author_remark" not in codes(own)
    assert own.alarm is Alarm.NONE


@pytest.mark.parametrize("ruling", list(Ruling))
@pytest.mark.parametrize(
    "lookups",
    [
        pytest.param((found(CITED, WORK),), id="verified"),
        pytest.param((found(CITED, LATE),), id="mismatched"),
        pytest.param((silent(CITED, "a"), silent(CITED, "b")), id="not-found"),
        pytest.param((), id="nothing-asked"),
    ],
)
def test_decisions_apply_once(ruling: Ruling, lookups: tuple[Lookup, ...]) -> None:
    remarked = CITED.model_copy(update={"remark": "mine"})
    record_ = ("local", LATE.source_id) if ruling is Ruling.WRONG_RECORD else None
    verdict = judge(remarked, *lookups, decision=decided(ruling, record=record_))
    assert apply(verdict) == verdict
    assert narrowed(verdict.evidence) == verdict.evidence
    assert decide(verdict.evidence, Policy()) == verdict


def test_a_second_reading_does_not_raise_what_a_person_settled() -> None:
    cited = cite(TITLE, US, 2001, parse_score=0.5)
    read_anew = cited.model_copy(update={"year": 2009, "repaired": True})

    def both(decision: Decision | None) -> Verdict:
        first = weighed(cited, found(cited, LATE), decision=decision)
        return conclude(first, weighed(read_anew, found(read_anew, LATE), decision=decision), Policy())

    assert (both(None).status, both(None).alarm) == (Status.UNDECIDED, Alarm.REVIEW)
    after = both(GOOD)
    assert after.alarm is Alarm.NONE
    assert codes(after)[0] == "decided_by_person"
    assert codes(after).count("decided_by_person") == 1


def _same(reference: Reference) -> Verdict:
    return judge(reference, found(reference, WORK))


def test_without_decision_or_remark_nothing_is_touched() -> None:
    verdict = _same(CITED)
    assert apply(verdict) is verdict
    assert narrowed(verdict.evidence) is verdict.evidence
    good = verdict.evidence.model_copy(update={"decision": GOOD})
    assert narrowed(good) is good


@LAW
@given(cases(), POLICIES, st.sampled_from([GOOD, BAD, UNCHECKED]))
def test_settling_never_accuses_and_never_hides_a_notice(
    case: tuple[Reference, tuple[Lookup, ...]], policy: Policy, decision: Decision
) -> None:
    reference, lookups = case
    before = judge(reference, *lookups, policy=policy)
    after = judge(reference, *lookups, policy=policy, decision=decision)
    assert ACCUSATION[after.status] <= ACCUSATION[before.status]
    assert LOUDNESS[after.alarm] <= LOUDNESS[before.alarm]
    assert after.flags == before.flags
    assert {reason.text for reason in before.reasons} < {reason.text for reason in after.reasons}
    assert is_settled(after)


@LAW
@given(cases(), POLICIES)
def test_ruling_out_a_record_that_is_not_there_changes_nothing(
    case: tuple[Reference, tuple[Lookup, ...]], policy: Policy
) -> None:
    reference, lookups = case
    nowhere = decided(Ruling.WRONG_RECORD, record=("nowhere", "0"))
    before = judge(reference, *lookups, policy=policy)
    after = judge(reference, *lookups, policy=policy, decision=nowhere)
    assert after.reasons[:-1] == before.reasons
    same = ("status", "alarm", "flags", "risk", "best", "fields", "outage")
    assert [getattr(after, name) for name in same] == [getattr(before, name) for name in same]


@LAW
@given(cases(), POLICIES, st.data())
def test_ruling_records_out_never_accuses(
    case: tuple[Reference, tuple[Lookup, ...]], policy: Policy, data: st.DataObject
) -> None:
    reference, lookups = case
    places = sorted({(work.source, work.source_id) for lookup in lookups for work in lookup.candidates})
    if not places:
        return
    chosen = data.draw(st.lists(st.sampled_from(places), min_size=1, unique=True))
    out = decided(Ruling.WRONG_RECORD, record=chosen[0], further=tuple(chosen[1:]))
    before = judge(reference, *lookups, policy=policy)
    after = judge(reference, *lookups, policy=policy, decision=out)
    assert ACCUSATION[after.status] <= max(ACCUSATION[before.status], ACCUSATION[Status.UNDECIDED])
    assert LOUDNESS[after.alarm] <= LOUDNESS[before.alarm]
    assert decide(after.evidence, policy) == after
