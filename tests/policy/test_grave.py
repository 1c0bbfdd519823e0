"""A STRONG alarm needs two kinds of evidence that are independent of each other."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.model import (
    Alarm,
    Coverage,
    Evidence,
    Flag,
    Lookup,
    Notice,
    NoticeType,
    Outcome,
    Policy,
    QueryKind,
    Reference,
    Status,
    Work,
)
from citeaudit.policy.case import Case
from citeaudit.policy.grave import FAR_YEARS, MIN_HELD, kinds_against
from tests.match.build import ask, cite, found, judge, record, silent, weighed

TITLE = "Sand ripples beneath standing waves of finite depth"
US = "Ann Roe; Bob Poe"
THEM = "Cyril Doe; Dora Loe"
THREE = f"{US}; Cyril Doe"
STRICT = Policy(quorum=1)
DECLARED: dict[str, Any] = {"coverage": Coverage.DECLARED, "lineage": "offline-index", "whole_until": 2024}


def _kinds(reference: Reference, *lookups: Lookup, policy: Policy = STRICT) -> frozenset[str]:
    return kinds_against(Case(weighed(reference, *lookups), policy))


@pytest.mark.parametrize(
    ("held", "coverage", "score", "alarm"),
    [
        pytest.param(MIN_HELD, Coverage.DECLARED, 1.0, Alarm.STRONG, id="the-venue-is-collected"),
        pytest.param(MIN_HELD - 1, Coverage.DECLARED, 1.0, Alarm.REVIEW, id="too-few-of-it"),
        pytest.param(None, Coverage.DECLARED, 1.0, Alarm.REVIEW, id="no-venue-cited"),
        pytest.param(MIN_HELD, Coverage.GENERAL, 1.0, Alarm.REVIEW, id="nothing-declared"),
        pytest.param(MIN_HELD, Coverage.DECLARED, 0.95, Alarm.REVIEW, id="printed-text-was-read"),
    ],
)
def test_silence_is_strong_where_an_index_declared_complete_collects_the_venue(
    held: int | None, coverage: Coverage, score: float, alarm: Alarm
) -> None:
    cited = cite(TITLE, US, 2001, container_title="Dunes", parse_score=score)
    lookup = silent(cited, "a", coverage=coverage, venue_held=held)
    verdict = judge(cited, lookup, policy=STRICT)
    assert (verdict.status, verdict.alarm) == (Status.NOT_FOUND, alarm)


def test_an_outage_takes_every_alarm_of_silence_away() -> None:
    cited = cite(TITLE, US, 2001, container_title="Dunes")
    lookup = silent(cited, "a", venue_held=MIN_HELD, **DECLARED)
    down = ask(cited, Outcome.UNAVAILABLE, source="b")
    assert _kinds(cited, lookup) == {"silence", "holdings"}
    assert _kinds(cited, lookup, down) == frozenset()


OTHERS = record(TITLE, THEM, 2001, container_title="Dunes")


@pytest.mark.parametrize(
    ("work", "fields", "kinds"),
    [
        pytest.param(OTHERS, {}, {"authors", "authors of others"}, id="wholly-others"),
        pytest.param(
            OTHERS.model_copy(update={"authors_complete": False}), {}, {"authors"}, id="the-record-lists-only-some"
        ),
        pytest.param(OTHERS, {"authors_truncated": True}, {"authors"}, id="the-citation-lists-only-some"),
        pytest.param(record(TITLE, "Cyril Doe", 2001), {}, {"authors"}, id="one-recorded-author"),
    ],
)
def test_wholly_other_authors_are_two_kinds_where_no_namesake_can_be(
    work: Work, fields: dict[str, Any], kinds: set[str]
) -> None:
    cited = cite(TITLE, US, 2001, container_title="Dunes", **fields)
    assert _kinds(cited, found(cited, work, **DECLARED)) == kinds
    assert _kinds(cited, found(cited, work)) == {"authors"}, "an index of unknown coverage may lack the namesake"


def test_a_second_source_rules_a_namesake_out() -> None:
    cited = cite(TITLE, US, 2001, container_title="Dunes")
    again = OTHERS.model_copy(update={"source": "registry"})
    assert _kinds(cited, found(cited, OTHERS), found(cited, again, source="registry")) == {
        "authors",
        "authors of others",
    }


def test_one_lone_cited_author_may_be_a_namesake() -> None:
    cited = cite(TITLE, "Ann Roe", 2001, container_title="Dunes")
    assert _kinds(cited, found(cited, OTHERS, **DECLARED)) == {"authors"}


def test_a_venue_beside_wholly_other_authors_tells_of_a_namesake() -> None:
    cited = cite(TITLE, US, 2001, container_title="Marine Technology Reports")
    phantom = cite(TITLE, "Cyril Doe; Eve Moe; Flo Zoe", 2001, container_title="Marine Technology Reports")
    more = cite(TITLE, f"{THEM}; Eve Moe", 2001, container_title="Marine Technology Reports")
    assert "venue" not in _kinds(cited, found(cited, OTHERS, **DECLARED))
    assert _kinds(phantom, found(phantom, OTHERS)) == {"version"}, "another version may have both"
    assert _kinds(more, found(more, OTHERS)) == {"authors"}, "another version may have one more and another venue"


def test_a_later_publication_has_another_year_and_another_venue() -> None:
    cited = cite(TITLE, THEM, 1995, container_title="Marine Technology Reports")
    assert _kinds(cited, found(cited, OTHERS)) == {"publication"}


@pytest.mark.parametrize(("until", "year", "strong"), [(2024, 2025, False), (2025, 2025, True), (None, 2025, True)])
def test_holdings_of_a_year_that_the_index_cannot_hold_in_full_say_nothing(
    until: int | None, year: int, *, strong: bool
) -> None:
    cited = cite(TITLE, US, year, container_title="Dunes")
    lookup = silent(cited, "a", venue_held=MIN_HELD, **{**DECLARED, "whole_until": until})
    assert ("holdings" in _kinds(cited, lookup)) is strong


def test_a_notice_on_a_namesake_or_neighbour_is_not_on_the_work() -> None:
    notice = (Notice(type=NoticeType.RETRACTION),)
    cited = cite(TITLE, US, 2001, container_title="Dunes")
    right = record(TITLE, US, 2001, container_title="Dunes")
    near = record(TITLE.replace("finite", "infinite"), US, 2001, source_id="near", notices=notice)
    other = record(TITLE, THEM, 2001, source_id="other", container_title="Dunes", notices=notice)
    assert judge(cited, found(cited, right, near, other)).flags == ()
    assert judge(cited, found(cited, right.model_copy(update={"notices": notice}))).flags == (Flag.RETRACTED,)


@pytest.mark.parametrize(
    ("claimed", "recorded"),
    [
        pytest.param("Taro Tanaka; Ken Sato", "田中, 太郎; 佐藤, 健", id="kanji"),
        pytest.param("田中, 太郎; 佐藤, 健", "Taro Tanaka; Ken Sato", id="kanji-cited"),
        pytest.param("Dana Levi; Noa Katz", "לוי, דנה; כץ, נועה", id="hebrew"),
    ],
)
def test_names_in_another_script_are_no_other_people(claimed: str, recorded: str) -> None:
    cited = cite(TITLE, claimed, 2001, container_title="Dunes")
    verdict = judge(cited, found(cited, record(TITLE, recorded, 2001, container_title="Dunes"), **DECLARED))
    assert verdict.status is not Status.MISMATCHED


@pytest.mark.parametrize(
    ("year", "kinds"),
    [
        pytest.param(2001 + FAR_YEARS, {"year"}, id="far"),
        pytest.param(2001 - FAR_YEARS, {"year"}, id="far-before"),
        pytest.param(2001 + FAR_YEARS - 1, set(), id="a-slip"),
    ],
)
def test_a_year_counts_from_three_years_on(year: int, kinds: set[str]) -> None:
    cited = cite(TITLE, THEM, year, container_title="Dunes")
    assert _kinds(cited, found(cited, OTHERS)) == kinds


def test_a_changed_title_and_a_far_year_are_two_kinds() -> None:
    cited = cite(TITLE.replace("ripples", "dunes"), THEM, 1990, doi="10.1/x")
    work = record(TITLE, THEM, 2001, doi="10.1/x")
    assert _kinds(cited, found(cited, work)) == {"title", "year"}
    verdict = judge(cited, found(cited, work))
    assert (verdict.status, verdict.alarm) == (Status.MISMATCHED, Alarm.STRONG)


def test_what_a_policy_only_notes_is_no_evidence_and_what_it_adds_is_none_either() -> None:
    cited = cite(TITLE, THEM, 2002, container_title="Dunes", volume="7")
    work = OTHERS.model_copy(update={"volume": "3"})
    harsh = Policy(quorum=1, counted=("year_off_by_one", "volume_differs"))
    verdict = judge(cited, found(cited, work), policy=harsh)
    assert (verdict.status, verdict.alarm) == (Status.MISMATCHED, Alarm.REVIEW)
    far = cite(TITLE, THEM, 1990)
    assert _kinds(far, found(far, OTHERS), policy=Policy(noted=("year_differs",))) == frozenset()
    assert judge(far, found(far, OTHERS), policy=Policy(noted=("year_differs",))).status is Status.VERIFIED


def test_a_given_name_that_differs_is_no_kind() -> None:
    cited = cite(TITLE, "Zoe Doe; Dora Loe", 2001, container_title="Dunes")
    assert _kinds(cited, found(cited, OTHERS)) == frozenset()


# --- An index declared complete ends somewhere ---------------------------------------------------------------

NEW = cite(TITLE, US, 2025, arxiv_id="2511.01234")


@pytest.mark.parametrize(
    ("cited", "fields", "status"),
    [
        pytest.param(NEW, {}, Status.UNDECIDED, id="newer-with-an-identifier"),
        pytest.param(cite(TITLE, US, 2025), {}, Status.NOT_FOUND, id="newer-without-one"),
        pytest.param(cite(TITLE, US, 2024, doi="10.1016/x"), {}, Status.NOT_FOUND, id="of-a-whole-year"),
        pytest.param(cite(TITLE, US, 2024, arxiv_id="2511.01234"), {}, Status.UNDECIDED, id="the-identifier-is-newer"),
        pytest.param(cite(TITLE, US, None, doi="10.1016/x"), {}, Status.NOT_FOUND, id="without-a-year"),
        pytest.param(NEW, {"whole_until": 2025}, Status.NOT_FOUND, id="the-index-is-newer"),
        pytest.param(NEW, {"whole_until": None}, Status.NOT_FOUND, id="its-end-is-unknown"),
        pytest.param(NEW, {"coverage": Coverage.GENERAL}, Status.NOT_FOUND, id="not-declared"),
    ],
)
def test_a_work_newer_than_the_declared_index_is_not_missing(
    cited: Reference, fields: dict[str, Any], status: Status
) -> None:
    verdict = judge(cited, silent(cited, "a", **{**DECLARED, **fields}), policy=STRICT)
    assert verdict.status is status
    codes = {reason.code for reason in verdict.reasons}
    assert ("newer_than_index" in codes) == (status is Status.UNDECIDED)


def test_an_identifier_that_names_another_work_gives_no_shelter() -> None:
    other = record("Feathers of the great northern diver", THEM, 2025, arxiv_id="2511.01234")
    by_id = found(NEW, other, kind=QueryKind.ARXIV_ID, source="arxiv")
    verdict = judge(NEW, silent(NEW, "a", **DECLARED), by_id, policy=STRICT)
    assert verdict.status in (Status.NOT_FOUND, Status.MISMATCHED)


@pytest.mark.parametrize(
    ("cited", "kinds"),
    [
        pytest.param(cite(TITLE, US, 2031), {"date"}, id="a-year-to-come"),
        pytest.param(cite(TITLE, US, 2025, arxiv_id="2513.01234"), {"identifier"}, id="no-such-month"),
        pytest.param(cite(TITLE, US, 2001, doi="10.99999/x"), {"identifier"}, id="no-such-registrant"),
        pytest.param(cite(TITLE, US, 2001, doi="10.1016/x"), set(), id="nothing-wrong"),
    ],
)
def test_what_cannot_be_is_a_kind_whatever_any_record_says(cited: Reference, kinds: set[str]) -> None:
    two = silent(cited, "a"), silent(cited, "b")
    assert _kinds(cited, silent(cited, "a", coverage=Coverage.NONE)) == kinds
    assert _kinds(cited, *two) == kinds | {"silence"}
    assert (judge(cited, *two, policy=STRICT).alarm is Alarm.STRONG) == bool(kinds)


@pytest.mark.parametrize(
    ("lookups", "said"),
    [
        pytest.param([{}], False, id="one-source-has-gaps"),
        pytest.param([{}, {}], True, id="two"),
        pytest.param([{}, {"lineage": "a"}], False, id="two-of-one-lineage"),
        pytest.param([{"coverage": Coverage.DECLARED}], True, id="declared-complete"),
        pytest.param([{"coverage": Coverage.AUTHORITATIVE}], True, id="authoritative"),
    ],
)
def test_silence_of_one_source_is_no_kind(lookups: list[dict[str, Any]], *, said: bool) -> None:
    cited = cite(TITLE, US, 2001)
    heard = [silent(cited, name, **fields) for name, fields in zip("ab", lookups, strict=False)]
    assert ("silence" in _kinds(cited, *heard)) is said


@pytest.mark.parametrize("year", [2029, 2091, 20199, 1919])
def test_one_mistyped_year_is_never_strong(year: int) -> None:
    place: dict[str, Any] = {"doi": "10.1016/x", "container_title": "Dunes", "volume": "7", "pages": "1-9"}
    cited = cite(TITLE, US, year, **place)
    lookup = found(cited, record(TITLE, US, 2019, **place), **DECLARED)
    assert len(_kinds(cited, lookup)) == 1
    assert (judge(cited, lookup).status, judge(cited, lookup).alarm) == (Status.MISMATCHED, Alarm.REVIEW)


def test_a_year_to_come_and_another_venue_are_one_kind_too() -> None:
    cited = cite(TITLE, THEM, 2031, container_title="Marine Technology Reports")
    assert _kinds(cited, found(cited, OTHERS)) == {"publication"}


@pytest.mark.parametrize(
    ("fields", "authors", "ids", "kinds"),
    [
        pytest.param({}, f"{THREE}; Eve Moe", {"arxiv_id": "1905.01234"}, {"version"}, id="retitled-with-one-more"),
        pytest.param({"year": 2003}, THREE, {"arxiv_id": "1905.01234"}, {"version"}, id="retitled-years-before"),
        pytest.param({}, THREE, {"arxiv_id": "1905.01234"}, {"title"}, id="retitled"),
        pytest.param({"year": 2003}, THREE, {"doi": "10.1016/x"}, {"version"}, id="translated"),
        pytest.param(
            {"title": TITLE.replace("finite", "infinite"), "year": 2003},
            THREE,
            {"doi": "10.1016/x"},
            {"title", "year"},
            id="a-word-of-the-title",
        ),
        pytest.param(
            {}, "Ann Roe; Bob Poe; Eve Moe", {"arxiv_id": "1905.01234"}, {"title", "authors"}, id="another-signed"
        ),
    ],
)
def test_a_version_under_another_title_is_one_kind(
    fields: dict[str, Any], authors: str, ids: dict[str, Any], kinds: set[str]
) -> None:
    claimed = {"title": "How dunes form at sea", "year": 2019, **fields}
    cited = cite(claimed["title"], authors, claimed["year"], **ids)
    lookup = found(cited, record(TITLE, THREE, 2019, **ids), **DECLARED)
    assert _kinds(cited, lookup) == kinds


@pytest.mark.parametrize("listed", ["Editor; Staff", "Unknown Unknown; Ann Author", "Roe1; Poe2", "Ann Roe1; Bob Poe2"])
def test_a_record_without_real_names_is_no_evidence_about_authors(listed: str) -> None:
    cited = cite(TITLE, US, 2001, container_title="Dunes")
    damaged = record(TITLE, listed, 2001, container_title="Dunes")
    assert _kinds(cited, found(cited, damaged, **DECLARED)) == frozenset()


def test_a_name_in_another_script_is_no_damage() -> None:
    cited = cite(TITLE, US, 2001, container_title="Dunes")
    assert "authors" in _kinds(cited, found(cited, OTHERS, **DECLARED))


@pytest.mark.parametrize(
    ("venue", "holds"),
    [("Dunes", True), ("Workshop on Wind at Dunes", False), ("Dunes (Extended Abstracts)", False)],
    ids=["meeting", "workshop", "abstracts"],
)
def test_what_an_index_holds_of_a_meeting_says_nothing_of_what_stands_beside_it(venue: str, *, holds: bool) -> None:
    cited = cite(TITLE, US, 2001, container_title=venue)
    lookup = silent(cited, "a", venue_held=MIN_HELD, **DECLARED)
    assert ("holdings" in _kinds(cited, lookup)) is holds


def test_parts_of_several_works_are_no_kind_where_the_identifier_is_only_noted() -> None:
    cited = cite(TITLE, THEM, 2001, container_title="Dunes", doi="10.1016/y")
    work = record(TITLE, US, 2001, container_title="Dunes")
    third = record("Notes on the upper reaches of tidal rivers", "Max Nye; Ida Fox", 2004, doi="10.1016/y")
    lookups = found(cited, work), found(cited, third, kind=QueryKind.DOI, source="registry")
    assert {"parts of several works", "identifier"} <= _kinds(cited, *lookups)
    noted = Policy(quorum=1, noted=("identifier_names_another",))
    assert not {"parts of several works", "identifier"} & _kinds(cited, *lookups, policy=noted)


def test_a_typed_reference_that_cannot_be_is_mismatched_though_nothing_was_found() -> None:
    cited = cite(TITLE, US, 2031)
    verdict = judge(cited, silent(cited, "a", coverage=Coverage.NONE))
    assert (verdict.status, verdict.reasons[0].code) == (Status.MISMATCHED, "cannot_be")
    printed = cited.model_copy(update={"parse_score": 0.95})
    assert judge(printed, silent(printed, "a", coverage=Coverage.NONE)).status is Status.UNDECIDED
    noted = Policy(noted=("year_in_future",))
    assert judge(cited, silent(cited, "a", coverage=Coverage.NONE), policy=noted).status is Status.UNDECIDED


def test_nothing_asked_speaks_against_nothing() -> None:
    assert kinds_against(Case(Evidence(index=1, reference=NEW), STRICT)) == frozenset()


TRIES = "Fast dune indexing with tries"
PLACES = {"container_title": "Physical Review E", "volume": "5", "pages": "120-131"}


@pytest.mark.parametrize(
    ("authors", "year", "fields", "recorded", "kinds"),
    [
        pytest.param(
            "Na Li; Bo Roe; Elif Demir",
            2014,
            {"container_title": "VLDB Journal"},
            "Na Li; Bo Roe",
            {"version"},
            id="one-more-and-later",
        ),
        pytest.param(
            "Na Li; Elif Demir",
            2011,
            {"container_title": "VLDB Journal"},
            "Na Li; Bo Roe",
            {"version"},
            id="one-exchanged-elsewhere",
        ),
        pytest.param(
            "Na Li; Elif Demir",
            2018,
            {"container_title": "SIGMOD"},
            "Na Li; Bo Roe",
            {"version"},
            id="one-exchanged-and-later",
        ),
        pytest.param(
            "Eva Maier", 2019, {"container_title": "SIGMOD"}, "Jo Smith", {"version"}, id="a-new-text-under-an-old-head"
        ),
        pytest.param("Na Li; Elif Demir", 2011, PLACES, "Na Li; Bo Roe", {"authors"}, id="the-same-pages"),
        pytest.param(
            "Na Li; Elif Demir", 2019, PLACES, "Na Li; Bo Roe", {"authors", "year"}, id="the-same-pages-another-year"
        ),
    ],
)
def test_authors_year_and_venue_are_those_of_a_version(
    authors: str, year: int, fields: dict[str, str], recorded: str, kinds: set[str]
) -> None:
    cited = cite(TRIES, authors, year, **fields)
    work = record(TRIES, recorded, 2011, **(fields if fields is PLACES else {"container_title": "SIGMOD"}))
    assert _kinds(cited, found(cited, work)) == kinds


def test_an_unknown_name_of_a_venue_is_no_evidence_on_the_same_pages() -> None:
    cited = cite(TRIES, "Na Li; Elif Demir", 2011, **{**PLACES, "container_title": "Ph. Rv. Quarterly"})
    assert _kinds(cited, found(cited, record(TRIES, "Na Li; Bo Roe", 2011, **PLACES))) == {"authors"}
