"""The first law: evidence that becomes weaker never makes a verdict more accusing.

A source fails, a silence loses its coverage, an index ends earlier, a policy only notes a rule: the status becomes no
graver and the alarm not STRONG. What was settled may become an open question, and a person may be asked to look at it.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.errors import FailureKind
from citeaudit.match.rules import RULES
from citeaudit.model import (
    Alarm,
    Coverage,
    Failure,
    Lookup,
    Notice,
    NoticeType,
    Outcome,
    Policy,
    QueryKind,
    Reference,
    Relation,
    Status,
    Verdict,
    Work,
    WorkType,
)
from tests.match.build import ask, cite, judge, record

LAW = settings(
    deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
GRAVITY = {Status.MISMATCHED: 1, Status.NOT_FOUND: 2}
STRENGTH = (Coverage.NONE, Coverage.GENERAL, Coverage.DECLARED, Coverage.AUTHORITATIVE)
NOTEABLE = sorted(name for name, rule in RULES.items() if rule.relation in (Relation.DIFFERENT, Relation.VARIANT))

TITLES = [
    "Sand ripples beneath standing waves of finite depth",
    "Sand ripples beneath standing waves of infinite depth",
    "Reply to: Sand ripples beneath standing waves of finite depth",
    "Feathers of the great northern diver in winter",
]
LISTS = ["Ann Roe; Bob Poe", "Ann Roe; Bob Poe; Eve Moe", "Cyril Doe; Dora Loe", "Cyril Doe", "Editor; Staff", ""]
YEARS = [2001, 2002, 2012, 2025, 2031]
VENUES = [None, "Dunes", "Marine Technology Reports", "arXiv"]
DOIS = [None, None, "10.1016/x", "10.1016/y", "10.99999999/z"]
ARXIV = [None, None, "2511.01234", "2413.01234"]
NOTICES = [(), (), (Notice(type=NoticeType.RETRACTION),), (Notice(type=NoticeType.WITHDRAWAL),)]
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "container_title": st.sampled_from(VENUES),
    "volume": st.sampled_from([None, "7"]),
    "doi": st.sampled_from(DOIS),
    "arxiv_id": st.sampled_from(ARXIV),
}


def _built(make: Any, years: list[int], **more: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    parts = (st.sampled_from(TITLES), st.sampled_from(LISTS), st.sampled_from(years))
    return st.builds(
        lambda title, authors, year, fields: make(title, authors, year, **fields),
        *parts,
        st.fixed_dictionaries({**FIELDS, **more}),
    )


REFERENCES: st.SearchStrategy[Reference] = _built(
    cite,
    YEARS,
    type=st.sampled_from([WorkType.ARTICLE_JOURNAL, WorkType.PAPER_CONFERENCE, WorkType.BOOK]),
    parse_score=st.sampled_from([1.0, 1.0, 0.7]),
)
WORKS: st.SearchStrategy[Work] = _built(
    record,
    YEARS,
    source=st.sampled_from(["local", "remote"]),
    source_id=st.uuids(version=4).map(str),
    notices=st.sampled_from(NOTICES),
)
POLICIES = st.builds(
    Policy,
    quorum=st.sampled_from([1, 2]),
    counted=st.lists(st.sampled_from(NOTEABLE), max_size=6, unique=True).map(tuple),
)


@st.composite
def answered(draw: st.DrawFn) -> tuple[Reference, tuple[Lookup, ...]]:
    """A reference and what one to four sources answered to its questions."""
    reference = draw(REFERENCES)
    kinds = [QueryKind.TITLE, *(QueryKind(scheme) for scheme, _ in reference.identifiers.pairs())]
    lookups = []
    for source in draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True)):
        for kind in kinds:
            works = draw(st.lists(WORKS, max_size=2).map(tuple))
            silent = draw(st.sampled_from([Outcome.NO_MATCH, Outcome.NO_MATCH, Outcome.SKIPPED]))
            fields = {
                "coverage": draw(st.sampled_from(STRENGTH)),
                "whole_until": draw(st.sampled_from([None, 2020, 2025])),
                "venue_held": draw(st.sampled_from([None, 0, 60])),
            }
            outcome = Outcome.FOUND if works else silent
            lookups.append(ask(reference, outcome, *works, source=source, kind=kind, **fields))
    return reference, tuple(lookups)


Answered = tuple[Reference, tuple[Lookup, ...]]


def _no_graver(before: Verdict, after: Verdict) -> None:
    assert GRAVITY.get(after.status, 0) <= GRAVITY.get(before.status, 0)
    assert after.alarm is not Alarm.STRONG or before.alarm is Alarm.STRONG
    if before.alarm is Alarm.NONE and after.alarm is Alarm.REVIEW:
        assert after.status not in GRAVITY


@LAW
@given(answered(), POLICIES, st.data())
def test_a_source_that_fails_never_accuses(case: Answered, policy: Policy, data: st.DataObject) -> None:
    reference, lookups = case
    place = data.draw(st.integers(0, len(lookups) - 1))
    failed = lookups[place].model_copy(
        update={
            "outcome": Outcome.UNAVAILABLE,
            "candidates": (),
            "failure": Failure(kind=FailureKind.TIMED_OUT, message="no answer"),
        }
    )
    after = (*lookups[:place], failed, *lookups[place + 1 :])
    _no_graver(judge(reference, *lookups, policy=policy), judge(reference, *after, policy=policy))


@LAW
@given(answered(), POLICIES, st.data())
def test_a_silence_that_loses_its_coverage_never_accuses(case: Answered, policy: Policy, data: st.DataObject) -> None:
    reference, lookups = case
    place = data.draw(st.integers(0, len(lookups) - 1))
    lower = data.draw(st.sampled_from(STRENGTH[: STRENGTH.index(lookups[place].coverage) + 1]))
    weaker = lookups[place].model_copy(update={"coverage": lower})
    after = (*lookups[:place], weaker, *lookups[place + 1 :])
    _no_graver(judge(reference, *lookups, policy=policy), judge(reference, *after, policy=policy))


@LAW
@given(answered(), POLICIES, st.data())
def test_an_index_that_ends_earlier_never_accuses(case: Answered, policy: Policy, data: st.DataObject) -> None:
    reference, lookups = case
    until = data.draw(st.sampled_from([1999, 2005, 2019]))
    after = [lookup.model_copy(update={"whole_until": until}) for lookup in lookups]
    _no_graver(judge(reference, *lookups, policy=policy), judge(reference, *after, policy=policy))


@LAW
@given(answered(), POLICIES, st.lists(st.sampled_from(NOTEABLE), min_size=1, max_size=4, unique=True))
def test_a_rule_that_is_only_noted_never_accuses(case: Answered, policy: Policy, noted: list[str]) -> None:
    reference, lookups = case
    lenient = policy.model_copy(update={"noted": tuple(noted)})
    _no_graver(judge(reference, *lookups, policy=policy), judge(reference, *lookups, policy=lenient))
