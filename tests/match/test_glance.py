"""The quick way gives the rank and the anchor of the slow one, and the same verdict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeaudit.match.glance import glance
from citeaudit.match.rank import rank, settle, weigh
from citeaudit.model import Candidate, Evidence, FieldName, Lookup, Person, Policy, Rank, Reference, Version, Work
from citeaudit.policy import decide
from tests.match.build import cite, found, record

TITLE = "On the quiet growth of coastal dune grasses"
FAR = "A calculus of variations for elastic shells"
US, THEM = "Ada Roe; Bo Li", "Di Fox; Ed Gray; Flo Ash"
WORDS = ["quiet", "growth", "dune", "grasses", "data", "base", "database", "shells", "of", "the", "networks", "network"]
TITLES = st.one_of(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join),
    st.sampled_from([TITLE, FAR, f"Erratum to: {FAR}", f"{FAR}: {TITLE}", "深度学习与自然语言处理", ""]),
    st.text(max_size=30),
)
PEOPLE = st.lists(
    st.sampled_from([Person(family="Roe", given="Ada"), Person(family="Li", given="B."), Person(literal="Dunes")]),
    max_size=3,
).map(tuple)
YEARS = st.sampled_from([None, 2001, 2002, 2010])
REFERENCES = st.builds(
    Reference,
    raw=st.sampled_from(["as printed", f"Roe A. {FAR}. {TITLE}. 2001."]),
    title=st.one_of(st.none(), TITLES),
    authors=PEOPLE,
    year=YEARS,
    parse_score=st.sampled_from([0.5, 1.0]),
)
WORKS = st.builds(
    Work,
    source=st.just("local"),
    source_id=st.just("1"),
    title=TITLES,
    authors=PEOPLE,
    year=YEARS,
    versions=st.lists(st.builds(Version, title=TITLES), max_size=1).map(tuple),
)
QUICK = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])


@QUICK
@given(REFERENCES, WORKS)
def test_what_is_rejected_at_a_glance_is_rejected_in_full(reference: Reference, work: Work) -> None:
    quick = glance(reference, work)
    if quick is None:
        return
    slow = weigh(reference, work)
    assert (quick.rank, quick.anchor, quick.identifier_of) == (Rank.REJECTED, slow.anchor, ())
    assert slow.rank is Rank.REJECTED
    assert quick.fields[0].rule == slow.fields[0].rule == "title_differs"
    assert quick.score <= slow.score or quick.score <= 0.55


def _slow(reference: Reference, lookup: Lookup) -> tuple[Candidate, ...]:
    return tuple(weigh(reference, work, query=lookup.query) for work in lookup.candidates)


@QUICK
@given(REFERENCES, st.lists(WORKS, min_size=1, max_size=1).map(tuple))
def test_the_verdict_is_that_of_the_full_comparison(reference: Reference, works: tuple[Work, ...]) -> None:
    lookup = settle(reference, found(reference, *works))
    quick = Evidence(index=1, reference=reference, lookups=(lookup,), candidates=rank(reference, [lookup]))
    slow = quick.model_copy(update={"candidates": _slow(reference, lookup)})
    doubt = any(item.anchor == "several_works" for item in quick.candidates)
    one, two = decide(quick, Policy()), decide(slow, Policy())
    assert doubt or one.model_dump(exclude={"evidence"}) == two.model_dump(exclude={"evidence"})


@pytest.mark.parametrize(
    ("reference", "work", "quick"),
    [
        pytest.param(cite(TITLE, US, 2001), record(FAR, THEM, 1980), True, id="nothing-in-common"),
        pytest.param(cite(TITLE, US, 2001), record(TITLE, THEM, 1980), False, id="the-title"),
        pytest.param(cite(TITLE, US, 2001), record(FAR, US, 1980), False, id="the-authors"),
        pytest.param(cite(TITLE, US, 2001), record(FAR, "Al Roebuck; X Yz", 1980), False, id="a-name-like-theirs"),
        pytest.param(cite(TITLE, US, 2001), record(FAR, US + "; Cy Hu", 1980), True, id="one-author-more"),
        pytest.param(cite(TITLE, "", 2001), record(FAR, "", 1980), True, id="no-authors"),
        pytest.param(cite(None, US, 2001), record(FAR, THEM, 1980), False, id="no-title-cited"),
        pytest.param(
            cite(TITLE, US, 2001),
            record(FAR, THEM, 1980, versions=(Version(title=TITLE),)),
            False,
            id="of-a-version",
        ),
        pytest.param(cite("Database", US, 2001), record("Data base", THEM, 1980), False, id="joined"),
        pytest.param(cite("Networks", US, 2001), record("Network", THEM, 1980), False, id="plural"),
        pytest.param(cite("Widgets", US, 2001), record(f"{FAR}: superwidgets", THEM, 1980), True, id="within-a-word"),
    ],
)
def test_only_what_no_rule_could_anchor_is_left_out(reference: Reference, work: Work, quick: bool) -> None:
    candidate = glance(reference, work)
    assert (candidate is not None) is quick
    if candidate is not None:
        assert [item.field for item in candidate.fields] == [FieldName.TITLE]
        assert 0.0 <= candidate.score <= 0.55


def test_a_record_with_a_cited_identifier_is_compared_in_full() -> None:
    reference = cite(TITLE, US, 2001, doi="10.1/x")
    (candidate,) = rank(reference, [found(reference, record(FAR, THEM, 1980, doi="10.1/x"))])
    assert candidate.anchor == "identifier_other_work"
    assert candidate.match(FieldName.AUTHORS) is not None


def test_what_was_just_weighed_is_not_mixed_up() -> None:
    one, two = cite(TITLE, US, 2001), cite(FAR, US, 2001)
    work = record(TITLE, US, 2001)
    for _ in range(2):
        assert rank(one, [found(one, work)])[0].rank is Rank.EXACT
        assert rank(two, [found(two, work)])[0].rank is Rank.REJECTED


def _extra() -> list[Any]:
    return [record(f"{FAR} {number}", THEM, 1980, source_id=str(number)) for number in range(30)]


def test_memory_of_weighings_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    import citeaudit.match.rank as module

    monkeypatch.setattr(module, "_MOST_RECENT", 10)
    module._recent.clear()
    reference = cite(TITLE, US, 2001)
    assert len(rank(reference, [found(reference, *_extra())])) == 30
    assert 0 < len(module._recent) <= 10


@pytest.mark.parametrize(("cited", "recorded"), [(" ", ""), (" ", "-"), ("-", " "), ("Sand", "")])
def test_titles_without_a_letter_are_compared_in_full(cited: str, recorded: str) -> None:
    assert glance(cite(cited, "Ann Roe", 2001), record(recorded, "Bob Poe", 1990)) is None
