"""Decisions reach the evidence before anything is asked, and a record that is ruled out never ends the search."""

from __future__ import annotations

import anyio

from citeaudit.agents import pipeline, weighing
from citeaudit.agents.deciding import attach
from citeaudit.agents.judge import RulesJudge
from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.decisions.fingerprint import closest
from citeaudit.decisions.store import Decisions
from citeaudit.index.asking.engine import LookupIndex
from citeaudit.model import (
    Decision,
    Evidence,
    Extraction,
    Locus,
    Outcome,
    Rank,
    Reference,
    Ruling,
    SelfCheck,
    Status,
    Verdict,
    Work,
)
from citeaudit.settings import DecisionSettings, Settings
from tests import samples

CITED = samples.reference("On the reading of references", "Ada Roe", "Bo Li", year=1999)
INVENTED = samples.reference("On the reading of references", "Nora Nobody", year=1999)
REMARKED = CITED.model_copy(update={"remark": "my own", "locus": Locus(path="x.bib", line=7)})
LATE = samples.work("On the reading of references", "Ada Roe", "Bo Li", year=2009)
SILENT = DecisionSettings(from_manuscript=False)


def decided(ruling: Ruling = Ruling.KNOWN_GOOD, record: tuple[str, str] | None = None) -> Decision:
    return Decision(
        fingerprint=closest(CITED), ruling=ruling, reason="read in print", decided_at=samples.NOON, record=record
    )


def tools(
    *decisions: Decision,
    index: tuple[Work, ...] = (),
    settings: DecisionSettings | None = None,
    damage: str | None = None,
    events: list[Event] | None = None,
) -> Toolbox:
    made = LookupIndex.in_memory(map(samples.record, index), name="here", built_at=samples.NOON)
    return Toolbox(
        settings=Settings(decisions=settings or DecisionSettings()),
        indexes=(made,) if index else (),
        sources=(),
        client=None,
        memory=None,
        judge=RulesJudge(),
        clock=lambda: samples.NOON,
        tell=(events if events is not None else []).append,
        decisions=Decisions(decisions, damage),
    )


def attached(reference: Reference, box: Toolbox) -> Decision | None:
    (evidence,) = attach((Evidence(index=1, reference=reference),), box)
    return evidence.decision


def run(reference: Reference, box: Toolbox) -> Verdict:
    check = SelfCheck(method="entries", read=1)
    extraction = Extraction(path="x.bib", format="bibtex", references=(reference,), self_check=check)
    (verdict,) = anyio.run(pipeline.run, extraction, box)
    return verdict


def test_a_decision_reaches_its_reference_alone() -> None:
    box = tools(decided())
    assert attached(CITED, box) == decided()
    assert attached(INVENTED, box) is None
    assert attached(CITED, tools()) is None


def test_the_authors_remark_counts_where_the_settings_allow_it() -> None:
    own = attached(REMARKED, tools())
    assert own is not None
    assert (own.ruling, own.reason, own.by, own.by_author) == (
        Ruling.KNOWN_GOOD,
        "my own",
        "the author, x.bib line 7",
        True,
    )
    assert attached(REMARKED, tools(settings=SILENT)) is None
    assert attached(REMARKED, tools(decided(), settings=SILENT)) == decided()
    assert attached(REMARKED, tools(decided())) == decided()
    nowhere = attached(REMARKED.model_copy(update={"locus": Locus()}), tools())
    assert nowhere is not None
    assert nowhere.by == "the author, in the manuscript"


def test_a_remark_settles_what_has_too_little_for_a_fingerprint() -> None:
    bare = samples.reference("On the reading of references", year=None).model_copy(update={"remark": "a leaflet"})
    own = attached(bare, tools())
    assert own is not None
    assert own.fingerprint.startswith("raw-")


def test_both_readings_share_a_decision() -> None:
    first = Evidence(index=1, reference=CITED)
    other = INVENTED.model_copy(update={"repaired": True, "remark": "my own"})
    second = Evidence(index=1, reference=other)
    alone = Evidence(index=2, reference=INVENTED)
    kept = attach((first, alone, second), tools(decided()))
    assert [one.decision for one in kept] == [decided(), None, decided()]
    swapped = (
        first.model_copy(update={"reference": INVENTED}),
        second.model_copy(update={"reference": CITED.model_copy(update={"repaired": True})}),
    )
    assert [one.decision for one in attach(swapped, tools(decided()))] == [decided(), decided()]
    assert attach((second,), tools())[0].decision is None


def test_what_is_decided_and_damaged_is_told() -> None:
    events: list[Event] = []
    attach((Evidence(index=1, reference=CITED),), tools(decided(), damage="line 3 is damaged", events=events))
    assert [event.message for event in events] == ["line 3 is damaged", "1 decided by a person"]


def test_the_pipeline_applies_decisions() -> None:
    plain = run(CITED, tools(index=(LATE,)))
    assert plain.status is Status.MISMATCHED
    assert plain.best is not None
    good = run(CITED, tools(decided(), index=(LATE,)))
    assert (good.status, good.reasons[0].code) == (Status.MISMATCHED, "decided_by_person")
    assert good.evidence.decision == decided()
    wrong = decided(Ruling.WRONG_RECORD, (plain.best.work.source, plain.best.work.source_id))
    assert run(CITED, tools(wrong, index=(LATE,))).status is Status.UNDECIDED
    other = run(INVENTED, tools(decided(), index=(LATE,)))
    assert "decided_by_person" not in [reason.code for reason in other.reasons]


def test_a_record_that_is_out_does_not_end_the_search() -> None:
    exact = samples.work("On the reading of references", "Ada Roe", "Bo Li", year=1999)

    answer = samples.lookup(Outcome.FOUND, exact)
    found = weighing.add(Evidence(index=1, reference=CITED), [answer])
    assert found.candidates[0].rank is Rank.EXACT
    wrong = decided(Ruling.WRONG_RECORD, (exact.source, exact.source_id))
    out = weighing.add(Evidence(index=1, reference=CITED, decision=wrong), [answer])
    assert out.candidates[0].rank is Rank.REJECTED
    again = weighing.add(out, [samples.lookup(Outcome.NO_MATCH, source="b")])
    assert again.candidates[0].rank is Rank.REJECTED
