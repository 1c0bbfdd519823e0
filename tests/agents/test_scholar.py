"""The scholar: copies from the user's folder, quotations judged in them, and nothing said where none is there."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from citeaudit import api
from citeaudit.agents import pipeline
from citeaudit.agents.judge import RulesJudge
from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.errors import ConfigError
from citeaudit.index.asking.engine import LookupIndex
from citeaudit.model import Alarm, Extraction, Flag, Locus, Quote, QuoteStatus, Reference, SelfCheck, Verdict
from citeaudit.settings import Settings
from tests import samples
from tests.quotes.papers import MILLS, TIDES, paper

TITLE, OTHER = "Night tides at the old pier of Aldwick", "Mills of the upper stream in dry years"
RISE = "The tide at the old pier rose by 12 centimetres in the course of a single night"
GRAIN = "Grain was carried by cart to the windmills on the ridge"
ALTERED = "The keeper did see the wave that took the lower lamp away"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    folder.mkdir()
    paper(folder / "a.pdf", TITLE, "Nora Weir", *TIDES)
    paper(folder / "b.pdf", OTHER, "Alan Baker", *MILLS)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n" + b"garbage" * 9)
    return folder


def cited(title: str, name: str, *quotes: Quote) -> Reference:
    key = f"{name.rpartition(' ')[2].lower()}2001"
    return samples.reference(title, name, year=2001).model_copy(update={"quotes": quotes, "locus": Locus(citekey=key)})


def run(settings: Settings, *references: Reference, events: list[Event] | None = None) -> tuple[Verdict, ...]:
    works = [samples.work(one.title or "", *map(str, one.authors), year=2001) for one in references]
    index = LookupIndex.in_memory(map(samples.record, works), name="here", built_at=samples.NOON)
    tell = (events if events is not None else []).append
    tools = Toolbox(settings, (index,), (), None, None, RulesJudge(), lambda: samples.NOON, tell)
    check = SelfCheck(method="entries", read=len(references))
    extraction = Extraction(path="x.bib", format="bibtex", references=references, self_check=check)
    return anyio.run(pipeline.run, extraction, tools)


def test_quotations_are_judged_in_the_copies(library: Path, tmp_path: Path) -> None:
    events: list[Event] = []
    settings = Settings(library=library, cache_dir=tmp_path / "cache")
    tides = cited(TITLE, "Nora Weir", *(Quote(text=text, claimed_page="1") for text in (RISE, GRAIN, ALTERED)))
    mills = cited(OTHER, "Alan Baker", Quote(text=GRAIN, locus=Locus(line=9)))
    absent = cited("A work that nobody here has ever copied", "Carl Stone", Quote(text=RISE))
    first, second, third = run(settings, tides, mills, absent, events=events)
    told = [check.status for check in first.evidence.quote_checks]
    assert told == [QuoteStatus.VERIFIED, QuoteStatus.MISATTRIBUTED, QuoteStatus.CLOSE_MATCH]
    assert first.evidence.quote_checks[1].found_in == "baker2001"
    assert (first.flags, first.alarm) == ((Flag.QUOTE,), Alarm.REVIEW)
    assert [check.status for check in second.evidence.quote_checks] == [QuoteStatus.VERIFIED]
    [missing] = third.evidence.quote_checks
    assert (missing.status, missing.reason) == (QuoteStatus.MISSING_DOCUMENT, "no copy in the library")
    assert (second.flags, third.flags) == ((), ())
    steps = [(event.message, event.done, event.total) for event in events if event.agent == "scholar"]
    assert ("reading the library", 3, 3) in steps
    assert ("checking quotes", 5, 5) in steps
    assert (tmp_path / "cache" / "library").is_dir()


def test_nothing_is_kept_without_a_memory(library: Path, tmp_path: Path) -> None:
    settings = Settings(library=library, cache_dir=tmp_path / "cache", memory=False)
    [verdict] = run(settings, cited(TITLE, "Nora Weir", Quote(text=RISE)))
    assert verdict.evidence.quote_checks[0].status is QuoteStatus.VERIFIED
    assert not (tmp_path / "cache").exists()


def test_without_quotations_the_library_is_not_read(library: Path, tmp_path: Path) -> None:
    events: list[Event] = []
    run(Settings(library=library, cache_dir=tmp_path / "cache"), cited(TITLE, "Nora Weir"), events=events)
    assert not any("library" in event.message for event in events)


def test_a_repaired_reading_is_not_checked_twice(library: Path) -> None:
    from citeaudit.agents.scholar import ScholarAgent
    from citeaudit.model import Evidence

    one = cited(TITLE, "Nora Weir", Quote(text=RISE))
    readings = tuple(
        Evidence(index=1, reference=reading) for reading in (one, one.model_copy(update={"repaired": True}))
    )
    settings = Settings(library=library, memory=False)
    tools = Toolbox(settings, (), (), None, None, RulesJudge(), lambda: samples.NOON)
    first, second = anyio.run(ScholarAgent(tools).__call__, readings)
    assert (len(first.quote_checks), len(second.quote_checks)) == (1, 0)


def test_a_library_that_is_no_folder_is_said_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.bib").write_text("@article{a, title={T}}", "utf-8")
    with pytest.raises(ConfigError, match=r"library: .* is no folder"):
        api.check(tmp_path / "a.bib", settings=Settings(library=tmp_path / "none", memory=False))
