"""The laws of the verdict: order is nothing, outages never accuse, more evidence for a work never does.

Evidence is built as the pipeline builds it: references and records in the usual relations to one another
go through weighing, ranking and settling; nothing is put together by hand that could not come about.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.errors import FailureKind
from citeaudit.match.queries import queries
from citeaudit.match.rank import rank, settle
from citeaudit.match.rules import ANCHORS, RULES
from citeaudit.model import (
    Alarm,
    Candidate,
    Coverage,
    Evidence,
    Failure,
    Identifiers,
    Lookup,
    Notice,
    NoticeType,
    Opinion,
    Outcome,
    Person,
    Policy,
    Query,
    Rank,
    Reference,
    Relation,
    Status,
    Verdict,
    Version,
    Work,
    WorkType,
)
from citeaudit.policy import REASONS, decide
from tests.match.build import NOON

#: Building evidence takes time on a busy machine; that says nothing about the law.
LAW = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
#: From least to most accusing; the three that leave it open stand level.
ACCUSATION = {
    Status.VERIFIED: 0,
    Status.NOT_CHECKABLE: 1,
    Status.UNPARSED: 1,
    Status.UNDECIDED: 1,
    Status.MISMATCHED: 2,
    Status.NOT_FOUND: 3,
}
LOUDNESS = {Alarm.NONE: 0, Alarm.REVIEW: 1, Alarm.STRONG: 2}

TITLES = [
    "On the quiet growth of coastal dune grasses",
    "On the quiet growth of alpine dune grasses",
    "On the quiet growth of coastal dune grasses: a survey",
    "Erratum to: On the quiet growth of coastal dune grasses",
    "A calculus of variations for elastic shells",
    "Editorial",
]
PEOPLE = [
    Person(family="Roe", given="Ada"),
    Person(family="Roe", given="A."),
    Person(family="Li", given="Bo"),
    Person(family="Hu", given="Cy"),
    Person(family="Fox", given="Di"),
    Person(literal="The Dune Collaboration"),
]
LISTS = st.lists(st.sampled_from(PEOPLE), max_size=4).map(tuple)
YEARS = st.sampled_from([None, 2001, 2002, 2009])
DOIS = st.sampled_from([None, "10.1/x", "10.1/y", "10.48550/arxiv.2001.00001"])
ARXIV = st.sampled_from([None, "2001.00001", "2001.00002v2"])
VENUES = st.sampled_from([None, "arXiv", "Dunes", "Physical Review Letters", "Phys. Rev. Lett."])
IDS = st.builds(Identifiers, doi=DOIS, arxiv_id=ARXIV, url=st.sampled_from([None, "https://example.org"]))
TYPES = st.sampled_from(
    [WorkType.ARTICLE_JOURNAL, WorkType.ARTICLE_JOURNAL, WorkType.UNKNOWN, WorkType.BOOK, WorkType.WEBPAGE]
)
REFERENCES = st.builds(
    Reference,
    raw=st.just("as printed"),
    type=TYPES,
    title=st.sampled_from([*TITLES, None]),
    authors=LISTS,
    authors_truncated=st.booleans(),
    year=YEARS,
    container_title=VENUES,
    volume=st.sampled_from([None, "7"]),
    pages=st.sampled_from([None, "1-9"]),
    identifiers=IDS,
    acknowledged=st.booleans(),
    cited=st.sampled_from([None, True, False]),
    parse_score=st.sampled_from([0.1, 0.5, 1.0, 1.0]),
)
WORKS = st.builds(
    Work,
    source=st.sampled_from(["local", "remote"]),
    source_id=st.uuids(version=4).map(str),
    type=st.sampled_from([WorkType.ARTICLE_JOURNAL, WorkType.UNKNOWN, WorkType.PEER_REVIEW]),
    title=st.sampled_from(TITLES),
    authors=LISTS,
    authors_complete=st.booleans(),
    year=YEARS,
    container_title=VENUES,
    volume=st.sampled_from([None, "7"]),
    pages=st.sampled_from([None, "1-9"]),
    identifiers=IDS,
    versions=st.lists(st.builds(Version, year=YEARS, container_title=VENUES, identifiers=IDS), max_size=1).map(tuple),
    notices=st.lists(st.builds(Notice, type=st.sampled_from(list(NoticeType))), max_size=1).map(tuple),
)
POLICIES = st.builds(
    Policy,
    quorum=st.sampled_from([1, 2]),
    counted=st.sampled_from(
        [(), ("year_off_by_one", "authors_incomplete", "venue_differs", "doi_other_than_recorded")]
    ),
)
OPINIONS = st.builds(Opinion, judge=st.just("judge"), text=st.just("a remark"), parse_doubt=st.floats(0, 1))


def _answer(query: Query, source: str, outcome: Outcome, works: tuple[Work, ...], coverage: Coverage) -> Lookup:
    failed = Failure(kind=FailureKind.TIMED_OUT, message="no answer") if outcome is Outcome.UNAVAILABLE else None
    return Lookup(
        source=source,
        lineage=source,
        query=query,
        outcome=outcome,
        candidates=works if outcome is Outcome.FOUND else (),
        coverage=coverage,
        failure=failed,
        retrieved_at=NOON,
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[Reference, tuple[Lookup, ...]]:
    """A reference and what up to five sources answered to its questions."""
    reference = draw(REFERENCES)
    lookups = []
    for source in draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=5, unique=True)):
        for query in queries(reference):
            works = draw(st.lists(WORKS, max_size=2).map(tuple))
            silent = st.sampled_from([Outcome.NO_MATCH, Outcome.NO_MATCH, Outcome.UNAVAILABLE, Outcome.SKIPPED])
            outcome = Outcome.FOUND if works else draw(silent)
            lookups.append(_answer(query, source, outcome, works, draw(st.sampled_from(list(Coverage)))))
    return reference, tuple(lookups)


def _evidence(reference: Reference, lookups: tuple[Lookup, ...], **fields: Any) -> Evidence:
    settled = tuple(settle(reference, lookup) for lookup in lookups)
    return Evidence(index=1, reference=reference, lookups=settled, candidates=rank(reference, settled), **fields)


def _verdict(reference: Reference, lookups: tuple[Lookup, ...], policy: Policy) -> Verdict:
    return decide(_evidence(reference, lookups), policy)


def _conclusion(verdict: Verdict) -> dict[str, object]:
    return verdict.model_dump(exclude={"evidence"})


def _no_worse(before: Verdict, after: Verdict) -> None:
    assert ACCUSATION[after.status] <= ACCUSATION[before.status]


def _fails(lookup: Lookup) -> Lookup:
    return _answer(lookup.query, lookup.source, Outcome.UNAVAILABLE, (), lookup.coverage)


def _agreeing(reference: Reference) -> Work:
    """A record of exactly what the reference claims."""
    return Work(
        source="sure",
        source_id="1",
        type=reference.type,
        title=reference.title or "",
        authors=reference.authors,
        year=reference.year,
        container_title=reference.container_title,
        volume=reference.volume,
        pages=reference.pages,
        identifiers=reference.identifiers,
    )


@LAW
@given(cases(), POLICIES, st.randoms(use_true_random=False))
def test_order_of_lookups_and_candidates_is_nothing(
    case: tuple[Reference, tuple[Lookup, ...]], policy: Policy, shuffler: random.Random
) -> None:
    reference, lookups = case
    evidence = _evidence(reference, lookups)
    mixed, candidates = list(lookups), list(evidence.candidates)
    shuffler.shuffle(mixed)
    shuffler.shuffle(candidates)
    expected = _conclusion(decide(evidence, policy))
    assert _conclusion(_verdict(reference, tuple(mixed), policy)) == expected
    assert _conclusion(decide(evidence.model_copy(update={"candidates": tuple(candidates)}), policy)) == expected


@LAW
@given(cases(), POLICIES, st.data())
def test_an_outage_in_place_of_no_never_accuses(
    case: tuple[Reference, tuple[Lookup, ...]], policy: Policy, data: st.DataObject
) -> None:
    reference, lookups = case
    settled = tuple(settle(reference, lookup) for lookup in lookups)
    before = _verdict(reference, settled, policy)
    down = {
        place for place, item in enumerate(settled) if item.outcome is Outcome.NO_MATCH and data.draw(st.booleans())
    }
    after = _verdict(
        reference, tuple(_fails(item) if place in down else item for place, item in enumerate(settled)), policy
    )
    _no_worse(before, after)
    assert LOUDNESS[after.alarm] <= LOUDNESS[before.alarm]
    assert (after.risk or 0.0) <= (before.risk or 0.0)


@LAW
@given(cases(), POLICIES, st.data())
def test_an_outage_in_place_of_a_find_never_accuses(
    case: tuple[Reference, tuple[Lookup, ...]], policy: Policy, data: st.DataObject
) -> None:
    reference, lookups = case
    hits = [place for place, item in enumerate(lookups) if item.outcome is Outcome.FOUND]
    if not hits:
        return
    lost = data.draw(st.sampled_from(hits))
    after = _verdict(
        reference, tuple(_fails(item) if place == lost else item for place, item in enumerate(lookups)), policy
    )
    assert after.status is not Status.NOT_FOUND
    if after.status is Status.MISMATCHED:
        assert _verdict(reference, lookups, policy).status in (Status.MISMATCHED, Status.NOT_FOUND)


@LAW
@given(cases(), POLICIES)
def test_an_agreeing_record_never_accuses(case: tuple[Reference, tuple[Lookup, ...]], policy: Policy) -> None:
    reference, lookups = case
    sure = _answer(queries(reference)[-1], "sure", Outcome.FOUND, (_agreeing(reference),), Coverage.GENERAL)
    before, after = _verdict(reference, lookups, policy), _verdict(reference, (*lookups, sure), policy)
    _no_worse(before, after)


@LAW
@given(cases(), POLICIES, OPINIONS)
def test_an_opinion_changes_no_status_and_raises_no_alarm(
    case: tuple[Reference, tuple[Lookup, ...]], policy: Policy, opinion: Opinion
) -> None:
    evidence = _evidence(*case)
    before, after = decide(evidence, policy), decide(evidence.model_copy(update={"opinion": opinion}), policy)
    assert after.status is before.status
    assert after.fields == before.fields
    assert after.risk == before.risk
    assert LOUDNESS[after.alarm] <= LOUDNESS[before.alarm]


@LAW
@given(cases(), POLICIES)
def test_every_verdict_keeps_its_promises(case: tuple[Reference, tuple[Lookup, ...]], policy: Policy) -> None:
    verdict = _verdict(*case, policy)
    assert verdict.reasons
    assert {reason.code for reason in verdict.reasons} <= set(REASONS)
    assert verdict.risk is None or 0.0 <= verdict.risk <= 1.0
    codes = {reason.code for reason in verdict.reasons}
    waits = bool({"second_opinion_missing", "another_identifier", "another_version"} & codes)
    waits = waits or {"uncertain_reading", "anchored"} <= codes
    assert waits is (verdict.status is Status.UNDECIDED and verdict.best is not None)
    assert (verdict.best is not None) is (waits or verdict.status in (Status.VERIFIED, Status.MISMATCHED))
    different = any(match.relation is Relation.DIFFERENT for match in verdict.fields)
    assert different is (waits or verdict.status is Status.MISMATCHED)
    assert verdict.alarm is not Alarm.STRONG or verdict.status in (Status.VERIFIED, Status.MISMATCHED, Status.NOT_FOUND)
    assert all(match.rule in RULES for match in verdict.fields)
    for candidate in verdict.evidence.candidates:
        assert candidate.anchor in ANCHORS
        assert candidate.rank is not Rank.EXACT or not _differs(candidate)


def _differs(candidate: Candidate) -> bool:
    return any(match.relation is Relation.DIFFERENT for match in candidate.fields)


@LAW
@given(cases(), POLICIES)
def test_an_unrelated_record_changes_no_conclusion(case: tuple[Reference, tuple[Lookup, ...]], policy: Policy) -> None:
    reference, lookups = case
    stranger = Work(source="z", source_id="z", title="Sediment cores of the northern shelf", year=1950)
    extra = _answer(queries(reference)[-1], "z", Outcome.FOUND, (stranger,), Coverage.NONE)
    before, after = _verdict(reference, lookups, policy), _verdict(reference, (*lookups, extra), policy)
    assert (after.status, after.alarm, after.best, after.fields) == (
        before.status,
        before.alarm,
        before.best,
        before.fields,
    )
