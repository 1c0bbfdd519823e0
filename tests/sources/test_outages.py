"""Whatever goes wrong on the way to one of the three services: no answer, and never `no match`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from citeaudit.errors import FailureKind, SourceUnavailableError
from citeaudit.model import Coverage, Lookup, Outcome, Query, QueryKind, WorkType
from citeaudit.sources.arxiv import ArxivSource
from tests.services.town.asking import NOW, SOURCES, arxiv_id, ask, ask_all, doi, make, title
from tests.services.town.server import Town, open_town

HELD = {
    "crossref": (doi("10.1038/nature14539"), title("Deep Learning", "LeCun")),
    "arxiv": (arxiv_id("1706.03762"), title("Attention Is All You Need", kind=WorkType.PREPRINT, venue="arXiv")),
    "semantic_scholar": (doi("10.1038/nature14539"), title("Deep Learning", "LeCun")),
}
"""Questions that each service answers with a work when it works."""

MALFORMED = frozenset({FailureKind.MALFORMED})
LIMITED = frozenset({FailureKind.RATE_LIMITED})
NETWORK = frozenset({FailureKind.NETWORK})
EVERYWHERE = {
    "500": NETWORK,
    "503": NETWORK,
    "403": frozenset({FailureKind.REFUSED}),
    "429": LIMITED,
    "429_seconds": LIMITED,
    "429_date": LIMITED,
    "429_long": LIMITED,
    "page": MALFORMED,
    "null": MALFORMED,
    "shape": MALFORMED,
    "empty": MALFORMED,
    "cut": MALFORMED,
    "short": NETWORK,
    "reset": NETWORK,
    "drip": frozenset({FailureKind.TIMED_OUT}),
    "loop": MALFORMED,
    "private": MALFORMED,
    "elsewhere": MALFORMED,
    "downgrade": MALFORMED,
}
OF_ARXIV = {
    "words": LIMITED,
    "entities": MALFORMED,
    "announced_feed": MALFORMED,
    "error_feed": MALFORMED,
    "error_feed_400": MALFORMED,
}


@pytest.fixture
def town() -> Iterator[tuple[Town, str]]:
    made = Town(pace=0.0)
    with open_town(made) as base_url:
        yield made, base_url


def unavailable(name: str, base_url: str, *queries: Query, total_s: float = 5.0) -> set[FailureKind]:
    """Ask each question on its own, and give why there was no answer."""
    kinds = set()
    for query in queries:
        with pytest.raises(SourceUnavailableError) as caught:
            ask(make(name, base_url), base_url, query, total_s=total_s)
        assert caught.value.source == name
        kinds.add(caught.value.kind)
    return kinds


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("fault", EVERYWHERE)
def test_a_fault_is_no_answer(town: tuple[Town, str], name: str, fault: str) -> None:
    made, base_url = town
    made.break_down(name, fault)
    total_s = 0.2 if fault == "drip" else 5.0
    assert unavailable(name, base_url, *HELD[name], total_s=total_s) <= EVERYWHERE[fault]


@pytest.mark.parametrize("fault", OF_ARXIV)
def test_a_fault_of_arxiv_is_no_answer(town: tuple[Town, str], fault: str) -> None:
    made, base_url = town
    made.break_down("arxiv", fault)
    assert unavailable("arxiv", base_url, *HELD["arxiv"]) == OF_ARXIV[fault]


def test_empty_feeds_of_arxiv_testify_nothing(town: tuple[Town, str]) -> None:
    made, base_url = town
    made.break_down("arxiv", "empty_feed")
    by_id, by_title = HELD["arxiv"]
    assert unavailable("arxiv", base_url, by_id) == MALFORMED
    [lookup] = ask(make("arxiv", base_url), base_url, by_title)
    assert (lookup.outcome, lookup.coverage) == (Outcome.NO_MATCH, Coverage.NONE)


@pytest.mark.parametrize("name", SOURCES)
def test_nobody_listens(name: str) -> None:
    assert unavailable(name, "http://127.0.0.1:1", *HELD[name]) == NETWORK


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("fault", ["500", "429_seconds", "429_date", "short", "reset"])
def test_a_passing_fault_costs_nothing(town: tuple[Town, str], name: str, fault: str) -> None:
    made, base_url = town
    for query in HELD[name]:
        made.break_down(name, fault, times=1)
        [lookup] = ask(make(name, base_url), base_url, query)
        assert lookup.outcome is Outcome.FOUND


@pytest.mark.parametrize("name", SOURCES)
def test_others_are_asked_while_one_is_down(town: tuple[Town, str], name: str) -> None:
    made, base_url = town
    made.break_down(name, "500")
    others = [other for other in SOURCES if other != name]
    lookups = ask_all([make(other, base_url) for other in others], base_url, HELD["arxiv"] + HELD["crossref"])
    assert all(lookup.outcome is not Outcome.UNAVAILABLE for lookup in lookups)


def test_empty_feed_that_passes_is_asked_again(town: tuple[Town, str]) -> None:
    made, base_url = town
    made.break_down("arxiv", "empty_feed", times=1)
    [lookup] = ask(make("arxiv", base_url), base_url, arxiv_id("1706.03762"))
    assert lookup.outcome is Outcome.FOUND


@pytest.mark.parametrize("name", ["crossref", "semantic_scholar"])
def test_a_question_that_fails_costs_no_other_one_its_answer(town: tuple[Town, str], name: str) -> None:
    made, base_url = town
    queries = (*HELD[name], title("The Protein Data Bank", "Berman"))
    made.break_down(name, "page", times=1)
    lookups = ask(make(name, base_url), base_url, *queries)
    assert sorted(lookup.outcome for lookup in lookups) == [Outcome.FOUND, Outcome.FOUND, Outcome.UNAVAILABLE]
    [lost] = [lookup for lookup in lookups if lookup.outcome is Outcome.UNAVAILABLE]
    assert lost.failure is not None
    assert lost.failure.kind is FailureKind.MALFORMED


def test_what_is_skipped_stays_skipped_in_an_outage() -> None:
    query = Query(kind=QueryKind.ISBN, text="9780306406157")
    lookups: tuple[Lookup, ...] = ask(
        make("semantic_scholar", "http://127.0.0.1:1"), "http://127.0.0.1:1", query, doi("10.1038/nature14539")
    )
    assert [lookup.outcome for lookup in lookups] == [Outcome.SKIPPED, Outcome.UNAVAILABLE]


def test_no_fault_reaches_a_message_with_key_or_contact(town: tuple[Town, str]) -> None:
    made, base_url = town
    for name in SOURCES:
        for fault in ("403", "page", "private"):
            made.break_down(name, fault)
            with pytest.raises(SourceUnavailableError) as caught:
                ask(make(name, base_url, api_key="s3cret"), base_url, HELD[name][0])
            assert "s3cret" not in str(caught.value)
            assert "town@example.org" not in str(caught.value)


def test_time_is_that_of_the_clock(town: tuple[Town, str]) -> None:
    _, base_url = town
    source = ArxivSource(base_url, clock=lambda: NOW)
    assert {lookup.retrieved_at for lookup in ask(source, base_url, *HELD["arxiv"])} == {NOW}
