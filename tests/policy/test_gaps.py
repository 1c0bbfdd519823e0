"""What nobody covers, a source that failed, a rule that is only noted: none of these counts against a reference."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.errors import FailureKind
from citeaudit.model import (
    Alarm,
    Coverage,
    Failure,
    Lookup,
    Outcome,
    Policy,
    QueryKind,
    Status,
    WorkType,
)
from tests.match.build import ask, cite, found, judge, record, silent

TITLE = "Sand ripples beneath standing waves of finite depth"
US, THEM = "Ann Roe; Bob Poe", "Cyril Doe; Dora Loe"
CITED = cite(TITLE, US, 2001, doi="10.1016/x", container_title="Dunes")
OTHER = record("Feathers of the great northern diver in winter", THEM, 1995, doi="10.1016/x", source="registry")
BY_DOI = found(CITED, OTHER, kind=QueryKind.DOI, source="registry")
NOTING = Policy(noted=("identifier_names_another", "identifier_unknown"))
WHOLE: dict[str, Any] = {"coverage": Coverage.DECLARED, "lineage": "offline-index", "whole_until": 2024}


@pytest.mark.parametrize("policy", [Policy(), Policy(quorum=1), NOTING], ids=["default", "one-answer", "noted"])
@pytest.mark.parametrize(
    "lookups",
    [
        pytest.param((), id="the-title-was-never-asked-for"),
        pytest.param((silent(CITED, "a", coverage=Coverage.NONE),), id="not-covered"),
        pytest.param((ask(CITED, Outcome.SKIPPED, source="a"),), id="skipped"),
        pytest.param((ask(CITED, Outcome.UNAVAILABLE, source="a"),), id="failed"),
        pytest.param((silent(CITED, "a"), ask(CITED, Outcome.UNAVAILABLE, source="b")), id="one-failed"),
    ],
)
def test_a_mistyped_identifier_beside_a_gap_is_left_to_a_person(lookups: tuple[Lookup, ...], policy: Policy) -> None:
    verdict = judge(CITED, BY_DOI, *lookups, policy=policy)
    assert (verdict.status, verdict.alarm) == (Status.UNDECIDED, Alarm.REVIEW)
    assert "identifier_names_another" in [reason.code for reason in verdict.reasons]


@pytest.mark.parametrize(
    ("lookup", "policy", "status", "alarm"),
    [
        pytest.param(silent(CITED, "a"), Policy(), Status.MISMATCHED, Alarm.REVIEW, id="one-source-is-silent"),
        pytest.param(silent(CITED, "a", **WHOLE), Policy(), Status.MISMATCHED, Alarm.STRONG, id="an-index-is"),
        pytest.param(silent(CITED, "a"), NOTING, Status.UNDECIDED, Alarm.REVIEW, id="noted"),
        pytest.param(silent(CITED, "a", **WHOLE), NOTING, Status.UNDECIDED, Alarm.REVIEW, id="an-index-is-and-noted"),
    ],
)
def test_an_identifier_of_others_counts_where_the_title_is_not_held(
    lookup: Lookup, policy: Policy, status: Status, alarm: Alarm
) -> None:
    verdict = judge(CITED, BY_DOI, lookup, policy=policy)
    assert (verdict.status, verdict.alarm) == (status, alarm)


def test_a_noted_identifier_beside_silence_is_no_second_kind() -> None:
    two = silent(CITED, "a"), silent(CITED, "b")
    dead = silent(CITED, "registry", kind=QueryKind.DOI, coverage=Coverage.AUTHORITATIVE)
    for known in (BY_DOI, dead):
        assert judge(CITED, known, *two).alarm is Alarm.STRONG
        verdict = judge(CITED, known, *two, policy=NOTING)
        assert (verdict.status, verdict.alarm) == (Status.NOT_FOUND, Alarm.REVIEW)


def test_what_cannot_be_waits_for_a_source_that_failed() -> None:
    cited = cite(TITLE, US, 2031)
    gap = silent(cited, "a", coverage=Coverage.NONE)
    assert judge(cited, gap).status is Status.MISMATCHED
    verdict = judge(cited, gap, ask(cited, Outcome.UNAVAILABLE, source="b"))
    assert (verdict.status, verdict.outage) == (Status.UNDECIDED, True)
    assert [reason.code for reason in verdict.reasons] == ["source_failed", "not_covering", "cannot_be"]


@pytest.mark.parametrize(
    ("claimed", "recorded"),
    [
        (f"Reply to: {TITLE}", TITLE),
        (f"Comment on “{TITLE}”", TITLE),
        (f"Erratum: {TITLE}", TITLE),
        (TITLE, f"Erratum to: {TITLE}"),
    ],
    ids=["reply", "comment", "erratum", "its-erratum-is-held"],
)
def test_a_text_and_its_reply_are_often_not_both_held(claimed: str, recorded: str) -> None:
    cited = cite(claimed, US, 2001, container_title="Dunes")
    work = record(recorded, US, 2001, container_title="Dunes")
    verdict = judge(cited, found(cited, work, **WHOLE), silent(cited, "b"), policy=Policy(quorum=1))
    assert (verdict.status, verdict.alarm, verdict.best) == (Status.UNDECIDED, Alarm.NONE, None)
    (told,) = [reason for reason in verdict.reasons if reason.code == "companion_held"]
    assert told.text == (f"local has “{recorded}”: a text and its reply, notice or review are often not both held.")
    assert told.sources == ("local",)


def test_silence_beside_the_erratum_of_another_text_says_what_it_says() -> None:
    work = record("Erratum to: Feathers of the great northern diver in winter", US, 2001)
    verdict = judge(CITED, found(CITED, work, **WHOLE), policy=Policy(quorum=1))
    assert verdict.status is Status.NOT_FOUND


# --- An index declared complete ends somewhere, for records of other people as for silence ---------------------------

NAMESAKE = record(TITLE, THEM, 2025, container_title="Dunes")


@pytest.mark.parametrize(
    ("until", "loud"),
    [
        pytest.param(2025, False, id="before"),
        pytest.param(2026, True, id="in-full"),
        pytest.param(None, False, id="unknown-so-it-is-the-year-before-the-answer"),
    ],
)
def test_a_namesake_newer_than_the_index_is_no_evidence(until: int | None, *, loud: bool) -> None:
    cited = cite(TITLE, US, 2026, arxiv_id="2601.01234", container_title="Dunes")
    lookup = found(cited, NAMESAKE, **{**WHOLE, "whole_until": until})
    assert (judge(cited, lookup).alarm is Alarm.STRONG) is loud


@pytest.mark.parametrize(("until", "status"), [(2024, Status.UNDECIDED), (2025, Status.MISMATCHED)])
def test_a_homonym_is_the_work_only_where_the_index_would_hold_the_other(until: int, status: Status) -> None:
    cited = cite(TITLE, US, 2025, container_title="Marine Technology Reports")
    lookup = found(cited, NAMESAKE, **{**WHOLE, "whole_until": until})
    assert judge(cited, lookup).status is status


@pytest.mark.parametrize("year", [2012, 2030])
def test_a_title_of_others_in_another_year_is_another_work(year: int) -> None:
    cited = cite(TITLE, US, 2001, container_title="Marine Technology Reports")
    verdict = judge(cited, found(cited, record(TITLE, THEM, year, container_title="Dunes"), **WHOLE))
    assert (verdict.status, verdict.alarm, verdict.best) == (Status.UNDECIDED, Alarm.NONE, None)


def test_a_failure_beside_a_difference_is_never_a_reason_to_accuse() -> None:
    cited = cite(TITLE, US, 2010, type=WorkType.ARTICLE_JOURNAL)
    down = ask(cited, Outcome.UNAVAILABLE, source="b").model_copy(
        update={"failure": Failure(kind=FailureKind.RATE_LIMITED, message="too many")}
    )
    assert judge(cited, found(cited, record(TITLE, US, 2001))).status is Status.MISMATCHED
    assert judge(cited, found(cited, record(TITLE, US, 2001)), down).status is Status.UNDECIDED


@pytest.mark.parametrize(
    ("recorded", "rule"),
    [
        pytest.param("2511.01234", "arxiv_id_impossible", id="another-id-does-not-outweigh-it"),
        pytest.param("2413.01234", "arxiv_id_same", id="the-very-same-does"),
    ],
)
def test_an_impossible_identifier_is_outweighed_only_by_a_record_that_has_it(recorded: str, rule: str) -> None:
    cited = cite(TITLE, US, 2001, arxiv_id="2413.01234")
    verdict = judge(cited, found(cited, record(TITLE, US, 2001, arxiv_id=recorded)))
    assert rule in {match.rule for match in verdict.fields}
    assert (verdict.status is Status.VERIFIED) is (rule == "arxiv_id_same")
