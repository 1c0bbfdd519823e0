"""Records of one work lend each other what the best one lacks; what a reference says of itself stands beside them."""

from __future__ import annotations

from typing import Any

import pytest

from citeaudit.model import Coverage, FieldMatch, FieldName, Policy, Relation, Status, Verdict, WorkType
from tests.match.build import cite, found, judge, record

TITLE = "Sand ripples beneath standing waves of finite depth"
US = "Ann Roe; Bob Poe"
STRICT = Policy(quorum=1, counted=("year_off_by_one", "venue_differs", "venue_unknown", "doi_prefix_unknown"))
DECLARED: dict[str, Any] = {"coverage": Coverage.DECLARED, "lineage": "offline-index", "whole_until": 2025}


def _field(verdict: Verdict, name: FieldName) -> FieldMatch:
    return next(match for match in verdict.fields if match.field is name)


@pytest.mark.parametrize(
    ("second", "status", "rule"),
    [
        pytest.param({"year": 2009}, Status.VERIFIED, "year_same", id="agrees"),
        pytest.param({"year": 2010}, Status.MISMATCHED, "year_off_by_one", id="off-by-one-is-counted"),
        pytest.param({"year": 2001}, Status.MISMATCHED, "year_differs", id="agrees-no-better"),
        pytest.param({"year": None}, Status.MISMATCHED, "year_differs", id="has-none"),
        pytest.param({"year": 2009, "authors": "Cyril Doe; Dora Loe"}, Status.MISMATCHED, "year_differs", id="others"),
    ],
)
def test_a_second_record_lends_the_year(second: dict[str, Any], status: Status, rule: str) -> None:
    cited = cite(TITLE, US, 2009)
    fields = {"source": "remote", **second}
    authors, year = fields.pop("authors", US), fields.pop("year")
    other = record(TITLE, authors, year, **fields)
    verdict = judge(cited, found(cited, record(TITLE, US, 2001)), found(cited, other, source="remote"), policy=STRICT)
    assert (verdict.status, _field(verdict, FieldName.YEAR).rule) == (status, rule)


def test_the_closest_of_several_lends() -> None:
    cited = cite(TITLE, US, 2009, container_title="Dunes")
    venues = ("Dunes", "Dunes and Shores", "Marine Technology")
    works = [record(TITLE, US, 2009, container_title=venue, source=venue) for venue in venues]
    for order in (works, works[::-1]):
        verdict = judge(cited, *(found(cited, work, source=work.source) for work in order), policy=STRICT)
        assert _field(verdict, FieldName.CONTAINER_TITLE).rule == "venue_same"


def test_authors_and_title_are_never_lent() -> None:
    cited = cite(TITLE, US + "; Eve Moe", 2001)
    more = record(TITLE, US + "; Eve Moe; Flo Zoe", 2001, source="remote", authors_complete=False)
    verdict = judge(cited, found(cited, record(TITLE, US, 2001)), found(cited, more, source="remote"), policy=STRICT)
    assert verdict.best is not None
    assert all(match.rule for match in verdict.fields)


@pytest.mark.parametrize(
    ("year", "doi", "recorded", "field", "rule", "claimed_found"),
    [
        pytest.param(2031, None, {}, FieldName.YEAR, "year_in_future", "2001", id="a-date-to-come"),
        pytest.param(2001, "10.99999/x", {}, FieldName.DOI, "doi_prefix_unknown", None, id="no-such-registrant"),
        pytest.param(
            2001, "10.99999/x", {"doi": "10.99999/x"}, FieldName.DOI, "doi_same", "10.99999/x", id="the-record-has-it"
        ),
    ],
)
def test_what_is_wrong_by_itself_stands_beside_the_record(
    year: int, doi: str | None, recorded: dict[str, Any], field: FieldName, rule: str, claimed_found: str | None
) -> None:
    cited = cite(TITLE, US, year, doi=doi)
    match = _field(judge(cited, found(cited, record(TITLE, US, 2001, **recorded))), field)
    assert (match.rule, match.found) == (rule, claimed_found)


def test_an_identifier_that_nobody_has_is_told() -> None:
    cited = cite(TITLE, US, 2001, doi="10.99999/x")
    verdict = judge(cited, found(cited, record(TITLE, US, 2001)), policy=STRICT)
    assert verdict.status is Status.MISMATCHED
    assert _field(verdict, FieldName.DOI).relation is Relation.DIFFERENT


# --- A venue that is nowhere -----------------------------------------------------------------------------------

NOWHERE = "Symposium on Quiet Dune Kinetics"


@pytest.mark.parametrize(
    ("venue", "recorded", "fields", "score", "strong"),
    [
        pytest.param(NOWHERE, "Dunes", {"venue_held": 0}, 1.0, True, id="nowhere"),
        pytest.param(NOWHERE, "Dunes", {"venue_held": 7}, 1.0, False, id="the-index-has-some"),
        pytest.param(NOWHERE, "Dunes", {"venue_held": None}, 1.0, False, id="the-index-does-not-tell"),
        pytest.param(NOWHERE, "Dunes", {"venue_held": 0, "coverage": Coverage.GENERAL}, 1.0, False, id="not-declared"),
        pytest.param(NOWHERE, "Dunes", {"venue_held": 0}, 0.95, False, id="printed"),
        pytest.param(NOWHERE, None, {"venue_held": 0}, 1.0, False, id="no-venue-recorded"),
        pytest.param("Workshop on Quiet Dune Kinetics", "Dunes", {"venue_held": 0}, 1.0, False, id="workshop"),
        pytest.param("Nature", "Physical Review Letters", {"venue_held": 0}, 1.0, False, id="a-known-venue"),
    ],
)
def test_a_venue_of_no_list_and_no_index_is_a_second_kind(
    venue: str, recorded: str | None, fields: dict[str, Any], score: float, *, strong: bool
) -> None:
    cited = cite(TITLE, US, 2001, container_title=venue, parse_score=score, type=WorkType.PAPER_CONFERENCE)
    work = record(TITLE, US, 2001, container_title=recorded)
    verdict = judge(cited, found(cited, work, **{**DECLARED, **fields}), policy=STRICT)
    assert (verdict.alarm.value == "STRONG") is strong
