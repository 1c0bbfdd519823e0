"""The agents: what each asks, what it must not ask, and that no failure is lost or becomes a no."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from citeaudit.agents import pipeline, weighing
from citeaudit.agents.judge import RulesJudge
from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.errors import FailureKind, MalformedAnswerError, SourceError, SourceUnavailableError
from citeaudit.index.asking.engine import LookupIndex
from citeaudit.index.memory import Memory
from citeaudit.model import (
    Coverage,
    Evidence,
    Extraction,
    Flag,
    Identifiers,
    Lookup,
    Notice,
    NoticeType,
    Opinion,
    Outcome,
    Query,
    QueryKind,
    Quote,
    Reference,
    SelfCheck,
    Status,
    Verdict,
    Work,
)
from citeaudit.seams import Answer, Answers, Ask, Judge, Source
from citeaudit.settings import Settings
from tests import samples

KNOWN = samples.work("On the reading of long references", "Ada Lovelace", "Mary Somerville", year=1843)
CITED = samples.reference("On the reading of long references", "Ada Lovelace", "Mary Somerville", year=1843)
UNKNOWN = samples.reference("A title that nobody has ever printed", "Nora Nobody", year=2001)


class Recorder:
    """A source of this test: answers from a table, or fails, and keeps what it was asked."""

    name = "recorder"
    lineage = "recorder"
    version = "1"
    batch_size = 2
    wave = 1

    def __init__(self, *works: Work, error: SourceError | None = None) -> None:
        self.works, self.error = works, error
        self.asked: list[tuple[Query, ...]] = []

    async def lookup(self, queries: Sequence[Query], client: Answers) -> tuple[Lookup, ...]:
        del client
        self.asked.append(tuple(queries))
        if self.error:
            raise self.error
        return tuple(self._answer(query) for query in queries)

    def _answer(self, query: Query) -> Lookup:
        found = [one for one in self.works if query.text in (one.title, one.identifiers.doi)]
        outcome = Outcome.FOUND if found else Outcome.NO_MATCH
        return samples.lookup(outcome, *found, source=self.name, query=query)


class Silent:
    """A client that is never used."""

    async def fetch(self, ask: Ask) -> Answer:
        raise AssertionError(ask)


class Lenient:
    """A judge with an opinion."""

    name = "lenient"

    async def judge(self, evidence: Evidence) -> Opinion | None:
        del evidence
        return Opinion(judge=self.name, text="It may have been misread.", parse_doubt=0.9)


def _tools(
    *sources: Source,
    index: tuple[Work, ...] = (),
    memory: Memory | None = None,
    judge: Judge | None = None,
    events: list[Event] | None = None,
) -> Toolbox:
    return Toolbox(
        settings=Settings(),
        indexes=(LookupIndex.in_memory(map(samples.record, index), name="here", built_at=samples.NOON),)
        if index
        else (),
        sources=sources,
        client=Silent() if sources else None,
        memory=memory,
        judge=judge or RulesJudge(),
        clock=lambda: samples.NOON,
        tell=(events if events is not None else []).append,
    )


def _run(tools: Toolbox, *references: Reference) -> tuple[Verdict, ...]:
    check = SelfCheck(method="entries", read=len(references))
    extraction = Extraction(path="x.bib", format="bibtex", references=references, self_check=check)
    return anyio.run(pipeline.run, extraction, tools)


def test_what_the_index_knows_exactly_is_not_asked_outside() -> None:
    source = Recorder()
    (verdict,) = _run(_tools(source, index=(KNOWN,)), CITED)
    assert verdict.status is Status.VERIFIED
    assert source.asked == []


def test_identifiers_are_asked_all_the_same_since_they_bring_notices() -> None:
    notice = Notice(type=NoticeType.RETRACTION)
    ids = Identifiers(doi="10.1234/known")
    source = Recorder(KNOWN.model_copy(update={"identifiers": ids, "notices": (notice,), "source": "recorder"}))
    (verdict,) = _run(_tools(source, index=(KNOWN,)), CITED.model_copy(update={"identifiers": ids}))
    assert [query.kind for batch in source.asked for query in batch] == [QueryKind.DOI]
    assert verdict.flags == (Flag.RETRACTED,)


def test_questions_go_out_in_batches_of_the_source() -> None:
    source = Recorder()
    cited = [samples.reference(f"A title of a work number {n}", "Nora Nobody") for n in range(5)]
    verdicts = _run(_tools(source), *cited)
    assert [len(batch) for batch in source.asked] == [2, 2, 1]
    assert [one.evidence.reference.title for one in verdicts] == [one.title for one in cited]


def test_a_second_opinion_is_asked_only_where_it_can_help() -> None:
    first, second = Recorder(KNOWN), Recorder()
    second.name = second.lineage = "second"
    second.wave = 2
    wrong = KNOWN.model_copy(update={"source_id": "2", "title": "On the reading of short references", "year": 1850})
    first.works = (KNOWN, wrong)
    differing = samples.reference(wrong.title, "Ada Lovelace", "Mary Somerville", year=1870)
    verdicts = _run(_tools(first, second), CITED, UNKNOWN, differing)
    assert [query.text for batch in second.asked for query in batch] == [UNKNOWN.title, differing.title]
    assert [verdict.status for verdict in verdicts] == [Status.VERIFIED, Status.NOT_FOUND, Status.MISMATCHED]


def test_identifiers_go_out_before_titles() -> None:
    source = Recorder(KNOWN.model_copy(update={"identifiers": Identifiers(doi="10.1234/known")}))
    cited = CITED.model_copy(update={"identifiers": Identifiers(doi="10.1234/known")})
    (verdict,) = _run(_tools(source), cited)
    assert [query.kind for batch in source.asked for query in batch] == [QueryKind.DOI]
    assert verdict.status is Status.VERIFIED


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        pytest.param(
            SourceUnavailableError("slow down", source="recorder", kind=FailureKind.RATE_LIMITED),
            FailureKind.RATE_LIMITED,
            id="limit",
        ),
        pytest.param(MalformedAnswerError("not JSON", source="recorder"), FailureKind.MALFORMED, id="malformed"),
        pytest.param(SourceError("odd", source="recorder"), FailureKind.NETWORK, id="anything-else"),
    ],
)
def test_an_outage_never_accuses_and_is_named(error: SourceError, kind: FailureKind) -> None:
    (verdict,) = _run(_tools(Recorder(error=error)), UNKNOWN)
    assert verdict.status is Status.UNDECIDED
    assert verdict.outage
    assert any("recorder" in reason.sources for reason in verdict.reasons)
    assert {lookup.failure.kind for lookup in verdict.evidence.lookups if lookup.failure} == {kind}


def test_one_source_down_leaves_what_the_other_found() -> None:
    down = Recorder(error=SourceUnavailableError("down", source="other", kind=FailureKind.NETWORK))
    down.name = down.lineage = "other"
    (verdict,) = _run(_tools(Recorder(KNOWN), down), CITED)
    assert verdict.status is Status.VERIFIED
    assert {lookup.outcome for lookup in verdict.evidence.lookups} == {Outcome.FOUND, Outcome.UNAVAILABLE}


def test_answers_are_remembered_and_failures_are_not(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "answers", clock=lambda: samples.NOON)
    failing = Recorder(error=SourceUnavailableError("down", source="recorder", kind=FailureKind.NETWORK))
    _run(_tools(failing, memory=memory), CITED)
    answering = Recorder(KNOWN)
    _run(_tools(answering, memory=memory), CITED)
    assert answering.asked
    again = Recorder()
    (verdict,) = _run(_tools(again, memory=memory), CITED)
    assert again.asked == []
    assert verdict.status is Status.VERIFIED
    assert all(lookup.from_cache for lookup in verdict.evidence.lookups)


def test_a_newer_adapter_asks_again(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "answers", clock=lambda: samples.NOON)
    _run(_tools(Recorder(KNOWN), memory=memory), CITED)
    newer = Recorder(KNOWN)
    newer.version = "2"
    _run(_tools(newer, memory=memory), CITED)
    assert newer.asked


def test_duplicates_are_noted_by_the_first_agent() -> None:
    verdicts = _run(_tools(index=(KNOWN,)), CITED, UNKNOWN, CITED)
    assert [verdict.evidence.duplicate_of for verdict in verdicts] == [None, None, 1]


def test_every_agent_tells_what_it_did() -> None:
    events: list[Event] = []
    _run(_tools(index=(KNOWN,), events=events), CITED)
    assert [event.agent for event in events] == ["extractor", "memory", "memory", "scholar", "judge"]
    assert any(event.message == "no quotes: skipped" for event in events)


def test_quotes_are_skipped_and_say_so() -> None:
    cited = CITED.model_copy(update={"quotes": (Quote(text="a passage from the work"),)})
    (verdict,) = _run(_tools(index=(KNOWN,)), cited)
    (checked,) = verdict.evidence.quote_checks
    assert checked.status == "skipped"
    assert checked.reason


def test_an_opinion_is_kept_and_accuses_nobody() -> None:
    (verdict,) = _run(_tools(index=(KNOWN,), judge=Lenient()), CITED)
    assert verdict.evidence.opinion is not None
    assert verdict.status is Status.VERIFIED


def test_tracing_stays_off_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trace would be posted to a host that is not the loopback; sockets to it raise here."""
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.setenv(name, "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "none")
    from langsmith.run_helpers import get_current_run_tree

    seen: list[object] = []

    class Spy(Lenient):
        async def judge(self, evidence: Evidence) -> Opinion | None:
            seen.append(get_current_run_tree())
            return await super().judge(evidence)

    _run(_tools(index=(KNOWN,), judge=Spy()), CITED)
    assert seen == [None]


def test_a_source_without_a_client_is_a_mistake_of_ours() -> None:
    tools = _tools(Recorder())
    broken = Toolbox(tools.settings, (), tools.sources, None, None, RulesJudge(), tools.clock)
    with pytest.raises(ExceptionGroup) as error:
        _run(broken, UNKNOWN)
    assert "without a client" in str(error.value.exceptions[0])


def test_nothing_is_added_where_nothing_was_answered() -> None:
    evidence = Evidence(index=1, reference=UNKNOWN)
    assert weighing.add(evidence, ()) is evidence
    assert weighing.open_queries(evidence)


def test_a_silent_index_without_coverage_decides_nothing() -> None:
    (verdict,) = _run(_tools(index=(KNOWN,)), UNKNOWN)
    assert verdict.status is Status.UNDECIDED
    assert not verdict.outage
    assert all(lookup.coverage is Coverage.NONE for lookup in verdict.evidence.lookups)
