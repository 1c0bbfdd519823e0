"""The whole pipeline with the real adapters against the town: planted faults, outages, resuming, requests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from datetime import UTC
from pathlib import Path

import anyio
import pytest

from citeaudit import api
from citeaudit.agents import pipeline
from citeaudit.agents.judge import RulesJudge
from citeaudit.agents.toolbox import Toolbox
from citeaudit.demo import expected
from citeaudit.index.asking.engine import LookupIndex
from citeaudit.index.memory import Memory
from citeaudit.model import Extraction, Identifiers, Outcome, Person, Reference, SelfCheck, Status, Verdict, WorkType
from citeaudit.seams import Index
from citeaudit.settings import Settings
from tests import samples
from tests.services.town.asking import NOW, SOURCES, client, make
from tests.services.town.facts import Fact, facts
from tests.services.town.server import FAULTS, Town, open_town

EXAMPLES = Path(__file__).parents[2] / "datasets" / "examples"
ACCUSATION = {Status.VERIFIED: 0, Status.MISMATCHED: 2, Status.NOT_FOUND: 3}
"""The three statuses that leave it open stand level at 1."""


@pytest.fixture
def town() -> Iterator[tuple[Town, str]]:
    made = Town(pace=0.0)
    with open_town(made) as base_url:
        yield made, base_url


def _audit(
    base_url: str,
    references: tuple[Reference, ...],
    memory: Memory | None = None,
    indexes: tuple[Index, ...] = (),
) -> tuple[Verdict, ...]:
    check = SelfCheck(method="entries", read=len(references))
    extraction = Extraction(path="x.bib", format="bibtex", references=references, self_check=check)

    async def run() -> tuple[Verdict, ...]:
        async with client(*SOURCES, base_url=base_url) as answers:
            sources = tuple(make(name, base_url) for name in sorted(SOURCES))
            tools = Toolbox(Settings(), indexes, sources, answers, memory, RulesJudge(), lambda: NOW)
            return await pipeline.run(extraction, tools)

    return anyio.run(run)


@pytest.fixture(scope="module")
def manuscript() -> tuple[Reference, ...]:
    return api.extract(EXAMPLES / "manuscript.bib").references


@pytest.fixture(scope="module")
def healthy(manuscript: tuple[Reference, ...]) -> tuple[Verdict, ...]:
    with open_town(Town(pace=0.0)) as base_url:
        return _audit(base_url, manuscript)


def _by_key(verdicts: tuple[Verdict, ...]) -> Mapping[str | None, Verdict]:
    return {verdict.evidence.reference.locus.citekey: verdict for verdict in verdicts}


def test_planted_faults_come_out_as_planted(healthy: tuple[Verdict, ...]) -> None:
    planted = expected.load(EXAMPLES / "planted.json")
    told = _by_key(healthy)
    for key, row in planted.items():
        assert told[key].status is row.full.status, (key, [reason.text for reason in told[key].reasons])
        differing = {match.field.value for match in told[key].fields if match.relation == "DIFFERENT"}
        assert differing == set(row.full.fields), key
        flags = set(row.full.flags) - {"uncited", "quote"}  # a .bib alone says not what is cited or quoted
        assert flags <= set(told[key].flags), key


#: Faults that are answers of their own kind are tested at the adapters; these cut the service off.
CUT = ("500", "429_long", "429_date", "page", "reset", "cut", "loop", "private", "403", "empty_feed", "error_feed")


@pytest.mark.parametrize("fault", CUT)
@pytest.mark.parametrize("service", sorted(SOURCES))
def test_no_fault_of_one_service_accuses(
    service: str, fault: str, town: tuple[Town, str], manuscript: tuple[Reference, ...], healthy: tuple[Verdict, ...]
) -> None:
    if fault.endswith("feed") and service != "arxiv":
        pytest.skip("an answer of arXiv")
    assert fault in FAULTS
    made, base_url = town
    made.break_down(service, fault)
    for before, after in zip(healthy, _audit(base_url, manuscript), strict=True):
        assert ACCUSATION.get(after.status, 1) <= max(1, ACCUSATION.get(before.status, 1)), after.reasons
        if after.status is Status.UNDECIDED is not before.status:
            assert after.outage
            assert any(service in reason.sources for reason in after.reasons)
        holders = {one.work.source for one in before.evidence.candidates if one.anchored}
        if before.status is Status.VERIFIED and holders - {service}:
            assert after.status is Status.VERIFIED, after.reasons


def test_with_all_down_everything_is_undecided_and_says_so(
    town: tuple[Town, str], manuscript: tuple[Reference, ...]
) -> None:
    made, base_url = town
    for service in SOURCES:
        made.break_down(service, "500")
    for verdict in _audit(base_url, manuscript):
        assert verdict.status in (Status.UNDECIDED, Status.NOT_CHECKABLE)
        assert verdict.outage is (verdict.status is Status.UNDECIDED)


def test_a_second_run_asks_nothing(town: tuple[Town, str], manuscript: tuple[Reference, ...], tmp_path: Path) -> None:
    made, base_url = town
    memory = Memory(tmp_path / "answers", clock=lambda: NOW)
    first = _audit(base_url, manuscript, memory)
    asked = len(made.watch.requests)
    second = _audit(base_url, manuscript, memory)
    assert len(made.watch.requests) == asked
    assert [(one.status, one.alarm, one.flags, one.risk) for one in second] == [
        (one.status, one.alarm, one.flags, one.risk) for one in first
    ]


def _cited(fact: Fact, scheme: str | None = None) -> Reference:
    ids = Identifiers(**{scheme: fact.get(scheme)}) if scheme else Identifiers()
    cited = samples.reference(fact.title, year=fact.year, identifiers=ids)
    return cited.model_copy(
        update={"authors": tuple(Person(**name) for name in fact.authors), "type": WorkType(fact.type)}
    )


def test_fifty_references_cost_thirty_requests_at_most(town: tuple[Town, str]) -> None:
    made, base_url = town
    held = [one for one in facts() if one.authors and "semantic_scholar" in one.held_by]
    by_arxiv = [one for one in held if one.get("arxiv_id") and "arxiv" in one.held_by][:20]
    by_doi = [one for one in held if one.get("doi") and one not in by_arxiv][:15]
    papers = ("article-journal", "paper-conference")
    by_title = [one for one in held if one.type in papers and one not in by_arxiv and one not in by_doi][:15]
    references = [_cited(one, "arxiv_id") for one in by_arxiv] + [_cited(one, "doi") for one in by_doi]
    references += [_cited(one) for one in by_title]
    verdicts = _audit(base_url, tuple(references))
    assert len(references) == 50
    assert {verdict.status for verdict in verdicts} == {Status.VERIFIED}
    assert len(made.watch.requests) <= 30


def test_killed_in_the_middle_only_what_was_cut_off_is_asked_again(tmp_path: Path) -> None:
    made = Town(pace=0.0)
    titles = [one for one in facts() if "crossref" in one.held_by and not one.get("notices")][:18]
    entries = (f"@article{{k{n}, title={{{one.title}}}, year={{{one.year}}}}}" for n, one in enumerate(titles))
    manuscript = tmp_path / "refs.bib"
    manuscript.write_text("\n".join(entries), encoding="utf-8")
    command = [sys.executable, "-m", "citeaudit", "check", str(manuscript), "--format", "json"]
    with open_town(made) as base_url:
        environment = os.environ | {
            "CITEAUDIT_SOURCES__CROSSREF__ENABLED": "true",
            "CITEAUDIT_SOURCES__CROSSREF__BASE_URL": base_url,
            "CITEAUDIT_CACHE_DIR": str(tmp_path / "cache"),
            "CITEAUDIT_INDEXES": "[]",
            "CITEAUDIT_CONTACT": "editor@example.org",
        }
        run = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + 30
        while len(made.watch.requests) < 8 and time.monotonic() < limit:
            time.sleep(0.05)
        run.send_signal(signal.SIGKILL)
        run.wait()
        before = {seen.line for seen in made.watch.requests}
        assert 8 <= len(before) < len(titles)
        done = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        lines = [seen.line for seen in made.watch.requests]
    assert len(set(lines)) == len(titles)
    assert len(lines) - len(set(lines)) <= 3, "at most the titles that were in flight are asked twice"


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_a_service_is_asked_although_an_index_has_its_name(
    name: str, town: tuple[Town, str], manuscript: tuple[Reference, ...], healthy: tuple[Verdict, ...]
) -> None:
    _, base_url = town
    other = samples.record(samples.work("A lexicon of marble penguins", "Ada Roe"))
    index = LookupIndex.in_memory([other], name=name, built_at=NOW)
    for before, after in zip(healthy, _audit(base_url, manuscript, indexes=(index,)), strict=True):
        asked = [[one.query for one in each.evidence.lookups if one.source == name] for each in (before, after)]
        assert len(asked[1]) >= 2 * len(asked[0])
        assert [one.query for one in after.evidence.lookups if one.source == name and not one.from_index] == asked[0]
        assert (after.status, after.alarm) == (before.status, before.alarm)


def test_every_outcome_is_in_the_evidence(healthy: tuple[Verdict, ...]) -> None:
    asked = [lookup for verdict in healthy for lookup in verdict.evidence.lookups]
    assert {lookup.source for lookup in asked} == set(SOURCES)
    assert all(lookup.retrieved_at.tzinfo is UTC for lookup in asked)
    assert {Outcome.FOUND, Outcome.NO_MATCH} <= {lookup.outcome for lookup in asked}
