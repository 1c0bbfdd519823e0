"""What every registered source promises, whatever service it asks."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import cast

import anyio
import pytest

from citeaudit import registry
from citeaudit.errors import SourceError
from citeaudit.model import Lookup, Outcome, Query, QueryKind
from citeaudit.seams import Source
from tests.services.quick import quick
from tests.services.registered import SERVICES

NOW = datetime(2020, 1, 2, tzinfo=UTC)
NAMES = registry.names("source")
FAULTS = ("429", "500", "401", "403", "page", "cut", "empty", "nan", "deep", "reset", "short", "garbage", "away")
CITATION = Query(kind=QueryKind.CITATION, text="A. Person. Something that has no title. 2001.")


def make(name: str, base_url: str) -> Source:
    build = cast("Callable[..., Source]", registry.load("source", name))
    return build(base_url=base_url, clock=lambda: NOW)


def look(name: str, base_url: str, queries: Sequence[Query]) -> tuple[Lookup, ...]:
    async def run() -> tuple[Lookup, ...]:
        async with quick(name, base_url) as client:
            return await make(name, base_url).lookup(queries, client)

    return anyio.run(run)


def test_there_is_a_source_and_a_service_for_each() -> None:
    assert NAMES
    assert sorted(SERVICES) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
class TestSourceContract:
    """One Lookup a query, in order; anything that is not an answer raises."""

    def test_says_who_it_is(self, name: str) -> None:
        source = make(name, "http://127.0.0.1")
        assert source.name == name
        assert source.lineage
        assert source.version
        assert source.batch_size >= 1

    def test_has_its_row(self, name: str) -> None:
        source = make(name, "http://127.0.0.1")
        rows = tomllib.loads((files("citeaudit") / "configs" / "sources.toml").read_text(encoding="utf-8"))
        row = rows[name]
        assert (row["lineage"], row["batch_size"]) == (source.lineage, source.batch_size)
        assert set(row["asks"]) <= set(QueryKind)
        assert row["sends"]
        assert row["scope"]

    def test_answers_each_query_in_order(self, name: str) -> None:
        service = SERVICES[name]
        queries = [service.unknown, service.known, CITATION, service.unknown, service.known]
        with service.run() as base_url:
            lookups = look(name, base_url, queries)
        assert [lookup.query for lookup in lookups] == queries
        assert [lookup.outcome for lookup in lookups[:2]] == [Outcome.NO_MATCH, Outcome.FOUND]
        assert lookups[3:] == lookups[:2]

    def test_lookups_are_sound(self, name: str) -> None:
        service = SERVICES[name]
        with service.run() as base_url:
            source = make(name, base_url)
            lookups = look(name, base_url, [service.known, service.unknown, CITATION])
        for lookup in lookups:
            assert (lookup.source, lookup.lineage) == (source.name, source.lineage)
            assert lookup.retrieved_at.utcoffset() == timedelta(0)
            assert lookup.outcome is not Outcome.UNAVAILABLE
            assert lookup.failure is None
            assert bool(lookup.candidates) or lookup.outcome in {Outcome.NO_MATCH, Outcome.SKIPPED}
            assert all(work.source == source.name and work.source_id for work in lookup.candidates)
            assert Lookup.model_validate_json(lookup.model_dump_json()) == lookup

    def test_takes_a_full_batch(self, name: str) -> None:
        service = SERVICES[name]
        with service.run() as base_url:
            source = make(name, base_url)
            lookups = look(name, base_url, [service.known] * source.batch_size)
        assert {lookup.outcome for lookup in lookups} == {Outcome.FOUND}

    def test_asked_nothing_it_answers_nothing(self, name: str) -> None:
        assert look(name, "http://127.0.0.1:1", []) == ()

    def test_outage_raises(self, name: str) -> None:
        with pytest.raises(SourceError):
            look(name, "http://127.0.0.1:1", [SERVICES[name].known])

    @pytest.mark.parametrize("fault", FAULTS)
    def test_fault_raises(self, name: str, fault: str) -> None:
        service = SERVICES[name]
        with service.break_down() as base_url:
            for query in (service.known, service.unknown):
                with pytest.raises(SourceError) as caught:
                    look(name, f"{base_url}/{fault}", [query])
                assert caught.value.source == name
