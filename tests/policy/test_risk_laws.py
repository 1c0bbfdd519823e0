"""The laws of the risk: they hold for the packaged weights and for any others that load."""

from __future__ import annotations

import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.errors import FailureKind
from citeaudit.match.rank import rank, settle
from citeaudit.model import (
    Candidate,
    Coverage,
    Evidence,
    Failure,
    FieldMatch,
    Lookup,
    Outcome,
    Policy,
    Reference,
    Relation,
)
from citeaudit.policy.calibrated import Model, packaged, side
from citeaudit.policy.case import Case
from citeaudit.policy.features import signs_of
from citeaudit.policy.risk import risk_under
from tests.match.build import found
from tests.test_laws import POLICIES, _agreeing, cases

LAW = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
EPSILON = 1e-9

Answers = tuple[Reference, tuple[Lookup, ...]]


def _packaged() -> Model:
    model = packaged()
    assert model is not None
    return model


def _other(seed: int) -> Model:
    """Give a model with every weight of the packaged one drawn anew on its side."""
    pick = random.Random(seed)  # noqa: S311 - weights of a test
    model = _packaged()
    weights = {name: round(side(name) * pick.uniform(0, 6), 3) for name in sorted(model.weights)}
    weights["record"] = -weights["record:weakly_tied"] - weights["record:generic_title"] - pick.uniform(0, 3)
    return Model(format=model.format, trained=model.trained, rules=model.rules, sets=(), weights=weights)


MODELS = st.one_of(st.builds(_packaged), st.integers(0, 10_000).map(_other))


def _evidence(answers: Answers) -> Evidence:
    reference, lookups = answers
    settled = tuple(settle(reference, lookup) for lookup in lookups)
    return Evidence(index=1, reference=reference, lookups=settled, candidates=rank(reference, settled))


def _risk(evidence: Evidence, model: Model, policy: Policy | None = None) -> float | None:
    return risk_under(Case(evidence, policy or Policy()), model)


def _unknown(evidence: Evidence, model: Model) -> float:
    """Give the risk at which nothing but the reference itself is known."""
    silence = tuple(
        item.model_copy(
            update={"outcome": Outcome.NO_MATCH, "coverage": Coverage.NONE, "candidates": (), "failure": None}
        )
        for item in evidence.lookups
    )
    return _risk(evidence.model_copy(update={"lookups": silence, "candidates": ()}), model) or 0.0


def _fails(lookup: Lookup) -> Lookup:
    failure = Failure(kind=FailureKind.TIMED_OUT, message="no answer")
    return lookup.model_copy(update={"outcome": Outcome.UNAVAILABLE, "candidates": (), "failure": failure})


def _some(lookups: tuple[Lookup, ...], data: st.DataObject) -> list[bool]:
    return data.draw(st.lists(st.booleans(), min_size=len(lookups), max_size=len(lookups)))


@LAW
@given(cases(), MODELS, st.data())
def test_an_outage_never_raises_it_above_nothing_known(answers: Answers, model: Model, data: st.DataObject) -> None:
    reference, lookups = answers
    down = _some(lookups, data)
    before = _evidence(answers)
    after = _evidence((reference, tuple(_fails(one) if out else one for one, out in zip(lookups, down, strict=True))))
    limit = max(_risk(before, model) or 0.0, _unknown(before, model))
    assert (_risk(after, model) or 0.0) <= limit + EPSILON


@LAW
@given(cases(), MODELS, st.data())
def test_a_gap_in_coverage_never_raises_it_above_nothing_known(
    answers: Answers, model: Model, data: st.DataObject
) -> None:
    reference, lookups = answers
    gaps = _some(lookups, data)
    blank = tuple(
        one.model_copy(update={"coverage": Coverage.NONE}) if gap else one
        for one, gap in zip(lookups, gaps, strict=True)
    )
    before, after = _evidence(answers), _evidence((reference, blank))
    limit = max(_risk(before, model) or 0.0, _unknown(before, model))
    assert (_risk(after, model) or 0.0) <= limit + EPSILON


@LAW
@given(cases(), MODELS)
def test_all_gaps_and_no_record_is_the_prior(answers: Answers, model: Model) -> None:
    reference, lookups = answers
    blank = tuple(
        one.model_copy(
            update={"coverage": Coverage.NONE, "candidates": (), "outcome": Outcome.NO_MATCH, "failure": None}
        )
        for one in lookups
    )
    seen = _evidence((reference, blank))
    signs = signs_of(Case(seen, Policy()))
    assert signs is not None
    assert (signs.records, signs.silence) == ((), ())
    if not signs.claims:
        assert abs((_risk(seen, model) or 0.0) - Policy().prior) < EPSILON


def _turned(evidence: Evidence, data: st.DataObject) -> Evidence | None:
    """Let a field of one record that is the same differ, everything else as it was."""
    places = [
        (place, match)
        for place, one in enumerate(evidence.candidates)
        for match in one.fields
        if match.relation is Relation.SAME
    ]
    if not places:
        return None
    place, same = data.draw(st.sampled_from(places))
    score = data.draw(st.sampled_from([0.0, 0.7]))
    rule = data.draw(st.sampled_from([f"{same.field.value}_differs", "authors_differ", "of_tomorrow"]))
    other = same.model_copy(update={"relation": Relation.DIFFERENT, "rule": rule, "score": score})
    return evidence.model_copy(update={"candidates": _with(evidence.candidates, place, same, other)})


def _with(candidates: tuple[Candidate, ...], place: int, same: FieldMatch, other: FieldMatch) -> tuple[Candidate, ...]:
    fields = tuple(other if match is same else match for match in candidates[place].fields)
    changed = candidates[place].model_copy(update={"fields": fields})
    return (*candidates[:place], changed, *candidates[place + 1 :])


@LAW
@given(cases(), MODELS, st.data())
def test_a_field_that_comes_to_differ_never_lowers_it(answers: Answers, model: Model, data: st.DataObject) -> None:
    before = _evidence(answers)
    after = _turned(before, data)
    if after is not None:
        assert (_risk(after, model) or 0.0) >= (_risk(before, model) or 0.0) - EPSILON


@LAW
@given(cases(), MODELS)
def test_an_agreeing_record_never_raises_it(answers: Answers, model: Model) -> None:
    reference, lookups = answers
    before = _risk(_evidence(answers), model)
    more = _evidence((reference, (*lookups, found(reference, _agreeing(reference), source="sure"))))
    if any(one.anchored and one.work.source == "sure" for one in more.candidates):
        assert (_risk(more, model) or 0.0) <= (Policy().prior if before is None else before) + EPSILON


@LAW
@given(cases(), MODELS, st.floats(0.0, 1.0))
def test_a_worse_reading_never_raises_it(answers: Answers, model: Model, score: float) -> None:
    before = _evidence(answers)
    worse = before.reference.model_copy(update={"parse_score": min(score, before.reference.parse_score)})
    after = before.model_copy(update={"reference": worse})
    assert (_risk(after, model) or 0.0) <= (_risk(before, model) or 0.0) + EPSILON


@LAW
@given(cases(), MODELS, POLICIES)
def test_a_preset_changes_nothing(answers: Answers, model: Model, policy: Policy) -> None:
    seen = _evidence(answers)
    assert _risk(seen, model, policy) == _risk(seen, model)


@LAW
@given(cases(), MODELS)
def test_it_is_a_probability_and_rises_with_the_prior(answers: Answers, model: Model) -> None:
    seen = _evidence(answers)
    low, high = (_risk(seen, model, Policy(prior=prior)) for prior in (0.01, 0.3))
    if low is None or high is None:
        assert low is high is None
    else:
        assert 0.0 <= low <= high <= 1.0
