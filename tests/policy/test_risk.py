"""The risk of a reference: what is seen, what it weighs, and the table that stands in where the model is absent."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from citeaudit.model import Coverage, Evidence, Lookup, Outcome, Policy, QueryKind, Reference, WorkType
from citeaudit.policy import decide
from citeaudit.policy.calibrated import Model, evidence, packaged, probability, side, weight
from citeaudit.policy.case import Case
from citeaudit.policy.features import Sign, Signs, neutral, signs_of
from citeaudit.policy.grave import MIN_HELD
from citeaudit.policy.risk import risk_of, risk_under
from citeaudit.policy.table import LR_IDENTIFIER, LR_NO_MATCH, LR_NO_MATCH_AUTHORITATIVE, LR_POSSIBLE
from tests.match.build import ask, cite, found, judge, record, silent, weighed

TITLE = "Sand ripples beneath standing waves of finite depth"
FAR = "A calculus of variations for elastic shells"
US = "Ann Roe; Bob Poe; Cy Hu"
THEM = "Di Fox; Ed Gray"
CITED = cite(TITLE, US, 2001)
WORK = record(TITLE, US, 2001)
WITH_DOI = cite(TITLE, US, 2001, doi="10.1/x")
PRIOR = 0.01
FORM: dict[str, Any] = {"format": 1, "trained": "2026-01-02", "rules": "2", "sets": ("none",)}
WEIGHTS = {
    "record": -2.0,
    "record:weakly_tied": 0.5,
    "record:generic_title": 0.25,
    "title:SAME": -1.0,
    "title:DIFFERENT": 3.0,
    "title:far": 1.5,
    "authors:DIFFERENT": 4.0,
    "year:SAME": -0.5,
    "year:VARIANT": 0.5,
    "year:VARIANT:year_off_by_one": 1.25,
    "year:DIFFERENT": 2.5,
    "identifier:of_another": 2.0,
    "identifier:of_others": 5.0,
    "identifier:unknown": 2.75,
    "silence:general": 2.0,
    "silence:declared": 3.5,
    "silence:venue_collected": 1.5,
    "claim:year:DIFFERENT": 3.0,
}
MODEL = Model(weights=WEIGHTS, **FORM)


def _seen(reference: Reference, *lookups: Lookup, **fields: Any) -> float:
    """Give the evidence under the weights above."""
    signs = signs_of(Case(weighed(reference, *lookups, **fields), Policy()))
    assert signs is not None
    return evidence(signs, WEIGHTS)


def _names(reference: Reference, *lookups: Lookup) -> list[set[str]]:
    """Give the names of what is seen beside each record, choices taken together."""
    signs = signs_of(Case(weighed(reference, *lookups), Policy()))
    assert signs is not None
    return [{sign.name for choice in one for sign in choice} for one in signs.records]


def _registry(reference: Reference, *works: Any, **fields: Any) -> Lookup:
    outcome = Outcome.FOUND if works else Outcome.NO_MATCH
    return ask(reference, outcome, *works, kind=QueryKind.DOI, source="registry", **fields)


# --- Records -----------------------------------------------------------------------------------------------

FIRM = WEIGHTS["record"] + WEIGHTS["title:SAME"]
AGREES = FIRM + WEIGHTS["year:SAME"]


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        pytest.param(WORK, AGREES, id="all-agrees"),
        pytest.param(record(TITLE, US, 2002), FIRM + 1.25, id="a-rule-with-its-own-weight"),
        pytest.param(record(TITLE, US, 1980), FIRM + 2.5, id="a-rule-has-the-weight-of-its-kind"),
        pytest.param(record(TITLE, US), FIRM, id="what-the-record-lacks-weighs-nothing"),
        pytest.param(record(TITLE, THEM, 2001), AGREES + 0.5 + 4.0, id="weakly-tied"),
    ],
)
def test_each_field_weighs_by_its_rule(work: Any, expected: float) -> None:
    assert _seen(CITED, found(CITED, work, coverage=Coverage.DECLARED)) == pytest.approx(expected)


def test_the_record_that_speaks_most_for_the_reference_counts() -> None:
    both = found(CITED, record(TITLE, US, 1980), record(TITLE, THEM, 2001), WORK, coverage=Coverage.DECLARED)
    assert _seen(CITED, both) == pytest.approx(AGREES)


def test_versions_lend_years_but_no_authors() -> None:
    """The first record has the title and authors, the second only the year right: another version of the work."""
    year = record(TITLE, US, 1980)
    agreeing = record(TITLE, "Ann Roe; Bob Poe; Zoe Zed", 2001, source="b")
    first, second = _names(CITED, found(CITED, year), found(CITED, agreeing, source="b"))
    assert {"year:DIFFERENT:year_differs", "authors:SAME:authors_same"} <= first | second
    assert not any("year:SAME" in name and "year:DIFFERENT" in name for name in (*first, *second))
    sure = record(TITLE, "A. Roe; B. Poe; C. Hu", 2001, source="b")
    lent = _names(CITED, found(CITED, year), found(CITED, sure, source="b"))
    assert all({"year:DIFFERENT:year_differs", "year:SAME:year_same"} <= one for one in lent)
    assert all(len({name for name in one if name.startswith("authors:")}) == 1 for one in lent)


def test_a_generic_title_ties_less() -> None:
    reference = cite("Introduction", US, 2001)
    known = found(reference, record("Introduction", US, 2001))
    assert "record:generic_title" in _names(reference, known)[0]
    assert "record:generic_title" not in _names(CITED, found(CITED, WORK))[0]


def test_a_placeholder_for_authors_is_seen_though_nothing_is_cited() -> None:
    reference = cite(TITLE, "=Anonymous", 2001)
    (seen,) = _names(reference, found(reference, WORK))
    assert [name for name in seen if name.startswith("authors:")] in (
        ["authors:NOT_CITED:authors_placeholder"],
        ["authors:VARIANT:authors_placeholder"],
        ["authors:DIFFERENT:authors_placeholder"],
    )


# --- Identifiers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "sign"),
    [
        pytest.param(record(FAR, THEM, 1980, doi="10.1/x", source="r"), "identifier:of_others", id="of-others"),
        pytest.param(record(FAR, "", 1980, doi="10.1/x", source="r"), "identifier:of_another", id="of-no-one-named"),
    ],
)
def test_an_identifier_of_another_work_weighs_with_and_without_a_record(other: Any, sign: str) -> None:
    known = found(WITH_DOI, WORK), _registry(WITH_DOI, other)
    assert sign in _names(WITH_DOI, *known)[0]
    assert _seen(WITH_DOI, *known) == pytest.approx(AGREES + WEIGHTS[sign])
    assert _seen(WITH_DOI, _registry(WITH_DOI, other)) == pytest.approx(WEIGHTS[sign])


def test_an_identifier_that_a_record_of_the_work_has_names_no_other() -> None:
    other = record(FAR, THEM, 1980, doi="10.1/x", source="r")
    held = record(TITLE, US, 2001, doi="10.1/x")
    assert _seen(WITH_DOI, found(WITH_DOI, held), _registry(WITH_DOI, other)) == pytest.approx(AGREES)


def test_the_isbn_of_a_volume_is_nobody_elses() -> None:
    reference = cite(TITLE, US, 2001, isbn="9780000000002")
    volume = record(FAR, THEM, 2001, isbn="9780000000002", source="r")
    asked = ask(reference, Outcome.FOUND, volume, kind=QueryKind.ISBN, source="r")
    assert _seen(reference, asked) == 0.0


def test_a_far_title_behind_the_own_identifier_is_seen() -> None:
    """The identifier leads to other words by the same people: the work wrongly titled, or a neighbour's identifier."""
    other = record(FAR, US, 2001, doi="10.1/x", source="r")
    (alone,) = _names(WITH_DOI, _registry(WITH_DOI, other))
    assert "title:far" in alone
    assert not any(name.startswith("identifier:") for name in alone)
    seen = _names(WITH_DOI, found(WITH_DOI, WORK), _registry(WITH_DOI, other))
    assert sorted("title:far" in one for one in seen) == [False, True]
    assert [("identifier:of_another" in one) for one in sorted(seen, key=lambda one: "title:far" in one)] == [
        True,
        False,
    ]


def test_an_identifier_that_its_registry_denies_weighs() -> None:
    denied = _registry(WITH_DOI, coverage=Coverage.AUTHORITATIVE)
    assert _seen(WITH_DOI, denied) == WEIGHTS["identifier:unknown"]
    assert _seen(WITH_DOI, found(WITH_DOI, WORK), denied) == pytest.approx(AGREES + WEIGHTS["identifier:unknown"])
    assert _seen(WITH_DOI, _registry(WITH_DOI, coverage=Coverage.GENERAL)) == 0.0


# --- Silence -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param([("a", Coverage.NONE)], 0.0, id="not-covering"),
        pytest.param([("a", Coverage.GENERAL)], 2.0, id="one"),
        pytest.param([("a", Coverage.GENERAL), ("b", Coverage.GENERAL)], 4.0, id="two-independent"),
        pytest.param([("a", Coverage.GENERAL), ("b", Coverage.DECLARED)], 5.5, id="each-by-its-coverage"),
        pytest.param([("a", Coverage.AUTHORITATIVE)], 2.0, id="a-coverage-without-weight-counts-as-general"),
    ],
)
def test_silence_weighs_by_coverage(answers: list[tuple[str, Coverage]], expected: float) -> None:
    lookups = [silent(CITED, name, coverage=coverage) for name, coverage in answers]
    assert _seen(CITED, *lookups) == pytest.approx(expected)


def test_sources_of_one_lineage_count_once_by_the_strongest() -> None:
    pair = (
        silent(CITED, "a", lineage="one", coverage=Coverage.DECLARED),
        silent(CITED, "b", lineage="one", coverage=Coverage.GENERAL),
    )
    assert _seen(CITED, *pair) == _seen(CITED, *reversed(pair)) == 3.5


@pytest.mark.parametrize(("held", "expected"), [(MIN_HELD, 5.0), (MIN_HELD - 1, 3.5), (None, 3.5)])
def test_an_index_that_collects_the_venue_weighs_more(held: int | None, expected: float) -> None:
    assert _seen(CITED, silent(CITED, "a", coverage=Coverage.DECLARED, venue_held=held)) == expected


@pytest.mark.parametrize(
    "reference",
    [
        pytest.param(cite("Sand ripples", US, 2001), id="short-title"),
        pytest.param(cite("Introduction", US, 2001), id="generic-title"),
        pytest.param(cite(TITLE, US, 2001, parse_score=0.79), id="uncertain-reading"),
        pytest.param(cite(TITLE, US, 2001, repaired=True), id="read-by-a-model"),
        pytest.param(cite(TITLE, US, 2001, recognised=True), id="from-an-image"),
        pytest.param(cite(TITLE, US, 2001, type=WorkType.WEBPAGE), id="class-outside"),
        pytest.param(cite(None, US, 2001), id="nothing-to-go-by"),
    ],
)
def test_silence_about_such_a_reference_says_nothing(reference: Reference) -> None:
    assert _seen(reference, silent(reference, "a")) == 0.0


def test_silence_says_nothing_where_something_may_be_the_work() -> None:
    possible = record("Sand ripples beneath standing waves of finite depth", "", 1980, source="b")
    assert _seen(CITED, silent(CITED, "a"), found(CITED, possible, source="b")) == 0.0
    assert _seen(CITED, silent(CITED, "a"), ask(CITED, Outcome.AMBIGUOUS, source="b")) == 0.0


# --- What must not raise the risk --------------------------------------------------------------------------


def test_while_a_source_is_down_answers_do_not_count_against_the_reference() -> None:
    down = ask(CITED, Outcome.UNAVAILABLE, source="down")
    assert _seen(CITED, silent(CITED, "a"), down) == 0.0
    assert _seen(CITED, found(CITED, record(TITLE, US, 1980)), down) == pytest.approx(FIRM + 2.5)
    assert _seen(CITED, found(CITED, record(TITLE, THEM, 2001), coverage=Coverage.DECLARED), down) == 0.0
    assert _seen(CITED, found(CITED, WORK), down) == pytest.approx(AGREES)


def test_claims_of_the_reference_count_whatever_answers() -> None:
    future = cite(TITLE, US, 2190)
    down = ask(future, Outcome.UNAVAILABLE, source="down")
    assert _seen(future, silent(future, "a", coverage=Coverage.NONE), down) == WEIGHTS["claim:year:DIFFERENT"]


@pytest.mark.parametrize(
    ("fields", "share"),
    [
        pytest.param({"parse_score": 1.0}, 1.0, id="sound"),
        pytest.param({"parse_score": 0.8}, 1.0, id="just-sound"),
        pytest.param({"parse_score": 0.4}, 0.5, id="uncertain"),
        pytest.param({"repaired": True}, 0.0, id="read-by-a-model"),
        pytest.param({"recognised": True}, 0.0, id="from-an-image"),
    ],
)
def test_differences_count_as_far_as_the_reading_is_sound(fields: dict[str, Any], share: float) -> None:
    reference = cite(TITLE, US, 2001, **fields)
    assert _seen(reference, found(reference, record(TITLE, US, 1980))) == pytest.approx(FIRM + 2.5 * share)


def test_the_risk_does_not_depend_on_the_preset() -> None:
    strict = Policy(quorum=1, counted=("year_off_by_one", "venue_differs"), noted=("year_differs",), parse_floor=0.9)
    seen = weighed(CITED, found(CITED, record(TITLE, US, 2002), record(TITLE, US, 1980, source="b")))
    assert decide(seen, strict).risk == decide(seen, Policy()).risk
    assert neutral(Case(seen, Policy())).policy == neutral(Case(seen, strict)).policy == Policy()


def test_the_prior_alone_moves_the_risk() -> None:
    seen = weighed(CITED, silent(CITED, "a", coverage=Coverage.NONE))
    assert decide(seen, Policy()).risk == pytest.approx(PRIOR)
    assert decide(seen, Policy(prior=0.2)).risk == pytest.approx(0.2)


def test_nothing_answered_gives_none() -> None:
    assert judge(CITED).risk is None
    assert judge(CITED, ask(CITED, Outcome.UNAVAILABLE)).risk is None
    assert judge(CITED, ask(CITED, Outcome.SKIPPED)).risk is None
    alone = Evidence(index=1, reference=CITED, candidates=weighed(CITED, found(CITED, WORK)).candidates)
    assert (decide(alone, Policy()).risk or 1.0) < PRIOR


# --- The model ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("logarithm", "risk"), [(0.0, 0.01), (math.log(99), 0.5), (-900.0, 0.0), (900.0, 1.0)])
def test_evidence_is_added_to_the_odds_of_the_prior(logarithm: float, risk: float) -> None:
    assert probability(logarithm, PRIOR) == pytest.approx(risk, abs=1e-12)


def test_a_sign_without_a_weight_has_that_of_its_kind_or_none() -> None:
    assert weight(Sign("year:VARIANT:year_off_by_one", "year:VARIANT"), WEIGHTS) == 1.25
    assert weight(Sign("year:VARIANT:of_tomorrow", "year:VARIANT"), WEIGHTS) == 0.5
    assert weight(Sign("colour:DIFFERENT:of_tomorrow", "colour:DIFFERENT"), WEIGHTS) == 0.0


def test_of_a_choice_the_least_counts() -> None:
    choice = Sign("year:DIFFERENT:a", "year:DIFFERENT"), Sign("year:VARIANT:b", "year:VARIANT")
    signs = Signs(claims=(), records=((choice,),), silence=(), sound=0.5, heard=True)
    assert evidence(signs, WEIGHTS) == 0.25


@pytest.mark.parametrize(
    ("name", "way"),
    [("record", -1), ("title:SAME:title_same", -1), ("title:SAME", -1), ("record:weakly_tied", 1), ("year:VARIANT", 1)],
)
def test_the_side_of_a_weight(name: str, way: int) -> None:
    assert side(name) == way


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        pytest.param({"weights": {"title:SAME": 0.1}}, "title:SAME: the weight 0.1", id="same-accuses"),
        pytest.param({"weights": {"title:DIFFERENT": -0.1}}, "title:DIFFERENT", id="different-clears"),
        pytest.param({"weights": {"title:DIFFERENT": math.inf}}, "title:DIFFERENT", id="infinite"),
        pytest.param({"weights": {"record": -1.0, "record:weakly_tied": 1.1}}, "must not raise", id="agreeing-accuses"),
        pytest.param({"format": 2, "weights": {}}, "format", id="newer-form"),
        pytest.param({"format": 0, "weights": {}}, "format", id="older-form"),
        pytest.param({"weights": {}, "more": 1}, "more", id="unknown-field"),
    ],
)
def test_a_model_that_breaks_its_promises_does_not_load(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        Model(**{**FORM, **fields})


def test_a_record_that_agrees_may_weigh_nothing() -> None:
    assert Model(weights={"record": -1.0, "record:weakly_tied": 1.0, "title:SAME": 0.0}, **FORM).format == 1


def test_the_packaged_model_is_there_and_fitted() -> None:
    model = packaged()
    assert model is not None
    assert {"record", "silence:declared", "title:DIFFERENT", "authors:DIFFERENT"} <= model.weights.keys()
    assert any("HALLMARK" in name for name in model.sets)
    assert not any("CiteAudit" in name for name in model.sets)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(None, id="absent"),
        pytest.param(b"{", id="cut"),
        pytest.param(b"\xff\xfe", id="no-text"),
        pytest.param(MODEL.model_copy(update={"format": 2}).model_dump_json().encode(), id="of-another-form"),
    ],
)
def test_a_model_that_cannot_be_read_is_none(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = tmp_path / "room_of_risk"
    room.mkdir()
    (room / "__init__.py").touch()
    if content is not None:
        (room / "risk.json").write_bytes(content)
    (room / "good.json").write_text(MODEL.model_dump_json(), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    packaged.cache_clear()
    assert packaged("room_of_risk") is None
    assert packaged("room_of_risk", "good.json") == MODEL
    packaged.cache_clear()
    monkeypatch.delitem(__import__("sys").modules, "room_of_risk", raising=False)


# --- The table ---------------------------------------------------------------------------------------------


def _table(reference: Reference, *lookups: Lookup, prior: float = PRIOR) -> float | None:
    return risk_under(Case(weighed(reference, *lookups), Policy(prior=prior)), None)


def _odds(ratio: float, prior: float = PRIOR) -> float:
    odds = ratio * prior / (1 - prior)
    return odds / (1 + odds)


@pytest.mark.parametrize(
    ("reference", "lookups", "ratio"),
    [
        pytest.param(CITED, [silent(CITED, "a", coverage=Coverage.NONE)], 1.0, id="not-covering"),
        pytest.param(CITED, [silent(CITED, "a")], LR_NO_MATCH, id="one"),
        pytest.param(CITED, [silent(CITED, "a"), silent(CITED, "b")], LR_NO_MATCH**2, id="two"),
        pytest.param(
            CITED, [silent(CITED, "a", coverage=Coverage.AUTHORITATIVE)], LR_NO_MATCH_AUTHORITATIVE, id="authoritative"
        ),
        pytest.param(CITED, [found(CITED, WORK)], 1 / 2_000, id="exact"),
        pytest.param(CITED, [found(CITED, record(TITLE, US, 2009))], 1 / 200, id="anchored"),
        pytest.param(CITED, [ask(CITED, Outcome.AMBIGUOUS)], LR_POSSIBLE, id="possible"),
        pytest.param(WITH_DOI, [_registry(WITH_DOI, coverage=Coverage.AUTHORITATIVE)], LR_IDENTIFIER, id="unknown"),
        pytest.param(
            WITH_DOI, [_registry(WITH_DOI, record(FAR, THEM, 1980, doi="10.1/x"))], LR_IDENTIFIER, id="others"
        ),
    ],
)
def test_without_a_model_the_table_answers(reference: Reference, lookups: list[Lookup], ratio: float) -> None:
    assert _table(reference, *lookups) == pytest.approx(_odds(ratio))
    assert _table(reference, *lookups, prior=0.2) == pytest.approx(_odds(ratio, 0.2))


def test_the_table_gives_none_where_nothing_answered() -> None:
    assert _table(CITED) is None
    assert _table(CITED, ask(CITED, Outcome.UNAVAILABLE)) is None


def test_risk_of_is_the_packaged_model() -> None:
    case = Case(weighed(CITED, silent(CITED, "a")), Policy())
    assert risk_of(case) == risk_under(case, packaged())
    assert risk_under(case, MODEL) == pytest.approx(probability(2.0, PRIOR))
    assert risk_under(Case(weighed(CITED), Policy()), MODEL) is None
