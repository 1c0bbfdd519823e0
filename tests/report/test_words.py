"""Who answered, what failed, and what a report was made with: the words that all reports for people share."""

from __future__ import annotations

import html
from collections.abc import Callable

import pytest

from citeaudit.errors import FailureKind
from citeaudit.model import (
    OFFLINE_INDEX,
    Audit,
    Coverage,
    Failure,
    FieldName,
    Flag,
    Lookup,
    Outcome,
    Policy,
    Reason,
    SourceHealth,
    Status,
)
from citeaudit.policy import decide
from citeaudit.report import letters, words
from citeaudit.report.html import HtmlReporter
from citeaudit.report.json_report import render
from citeaudit.report.markdown import MarkdownReporter
from citeaudit.report.table import TableReporter
from citeaudit.seams import Reporter
from tests import samples
from tests.report.material import written

PEOPLE = [TableReporter, MarkdownReporter, HtmlReporter]
WHAT_TO_RUN = "/data/dam: index.json is damaged (no name); build it again with: citeaudit index build FILE --out DIR"


def _said(source: str, outcome: Outcome = Outcome.NO_MATCH, *, index: bool = True) -> Lookup:
    return samples.lookup(outcome, source=source, lineage=OFFLINE_INDEX if index else source)


@pytest.mark.parametrize(
    ("lookups", "lines"),
    [
        pytest.param([_said("starter")], ("starter: no match",), id="one"),
        pytest.param(
            [_said("starter"), _said("dblp"), _said("mine"), _said("mine")],
            ("no match: starter, dblp, mine",),
            id="several",
        ),
        pytest.param(
            [_said("starter"), _said("mine", Outcome.FOUND), _said("dblp"), _said("crossref", index=False)],
            ("mine: found", "crossref: no match", "no match: starter, dblp"),
            id="with-others",
        ),
        pytest.param(
            [_said("a"), _said("b"), _said("a", Outcome.FOUND)], ("a: found", "b: no match"), id="by-another-question"
        ),
        pytest.param(
            [_said("crossref"), _said("dblp"), _said("crossref", Outcome.FOUND, index=False)],
            ("crossref: found", "no match: crossref, dblp"),
            id="of-one-name",
        ),
        pytest.param([_said("a", index=False), _said("b", index=False)], ("a: no match", "b: no match"), id="services"),
        pytest.param(
            [_said("a", Outcome.AMBIGUOUS), _said("b"), _said("c")], ("a: several", "no match: b, c"), id="ambiguous"
        ),
    ],
)
def test_indexes_without_a_match_are_told_together(lookups: list[Lookup], lines: tuple[str, ...]) -> None:
    verdict = samples.verdict(Status.UNDECIDED, lookups=tuple(lookups))
    assert words.answers(verdict) == lines
    folded = [line for line in lines if line.startswith("no match: ")]
    parts = [", ".join(line for line in lines if line not in folded), *folded]
    assert words.answered(verdict) == "; ".join(filter(None, parts))
    (row,) = render(samples.audit(verdict)).references
    assert [one.source for one in row.lookups] == [one.source for one in lookups]


def test_nobody_was_asked() -> None:
    verdict = samples.verdict(Status.UNDECIDED)
    nobody = verdict.model_copy(update={"evidence": verdict.evidence.model_copy(update={"lookups": ()})})
    assert (words.answers(nobody), words.answered(nobody)) == (("nobody asked",), "nobody asked")


def _failed(source: str, kind: FailureKind, message: str) -> Lookup:
    lineage = OFFLINE_INDEX if kind is FailureKind.DAMAGED else source
    one = samples.lookup(Outcome.UNAVAILABLE, source=source, lineage=lineage, failure=kind)
    return one.model_copy(update={"failure": Failure(kind=kind, message=message)})


def _audit(*lookups: Lookup) -> Audit:
    verdict = samples.verdict(Status.UNDECIDED, lookups=lookups)
    return samples.audit(decide(verdict.evidence, Policy()))


@pytest.mark.parametrize("reporter", PEOPLE)
def test_of_a_damaged_index_its_own_sentence_is_told(reporter: Callable[[], Reporter]) -> None:
    lost = _failed("dam", FailureKind.DAMAGED, WHAT_TO_RUN)
    away = _failed("crossref", FailureKind.TIMED_OUT, "no answer in 20 seconds")
    text = html.unescape(written(reporter(), [_audit(lost, away)])).replace("\\", "")
    squeezed = "".join(text.split())
    table = reporter is TableReporter
    said = "dam could not answer: " if table else f"dam could not answer: {WHAT_TO_RUN}."
    assert "".join(said.split()) in squeezed
    assert "crossrefcouldnotanswer(TIMED_OUT)." in squeezed
    assert "check the connection" not in text


@pytest.mark.parametrize(
    ("lookups", "said"),
    [
        pytest.param(["mine"], "mine found no match, which says nothing: it states no coverage of such works.", id="1"),
        pytest.param(
            ["mine", "dblp"],
            "dblp and mine found no match, which says nothing: they state no coverage of such works.",
            id="2",
        ),
    ],
)
def test_an_index_that_states_no_coverage_says_so(lookups: list[str], said: str) -> None:
    silent = [_said(name).model_copy(update={"coverage": Coverage.NONE}) for name in lookups]
    service = samples.lookup(source="crossref").model_copy(update={"coverage": Coverage.NONE})
    texts = [one.text for one in decide(samples.verdict(lookups=(*silent, service)).evidence, Policy()).reasons]
    assert said in texts
    assert "crossref found no match, which says nothing: such works are outside the stated coverage." in texts


@pytest.mark.parametrize("reporter", [MarkdownReporter, HtmlReporter])
def test_the_age_of_each_index_is_told_beside_the_versions(reporter: Callable[[], Reporter]) -> None:
    versions = {
        "citeaudit": "1.0",
        "index starter": "2026-05-01T00:00:00Z",
        "index crossref (index)": "2026-06-02T03:04:05Z",
        "index dam": "at an unknown time",
        "rules": "2",
    }
    one = samples.audit(samples.verdict()).model_copy(update={"versions": versions})
    text = written(reporter(), [one])
    assert "citeaudit 1.0, rules 2" in text
    told = "crossref (index), built 2026-06-02 03:04 UTC; dam, built at an unknown time; starter, built 2026-05-01"
    assert told in text
    without = samples.audit(samples.verdict())
    assert "Indexes" not in written(reporter(), [without])


@pytest.mark.parametrize(
    ("named", "own", "told"),
    [
        pytest.param("roe1999", "roe1999a", "roe1999", id="key"),
        pytest.param("roe1999", "roe1999", "2", id="the-same-key-twice"),
        pytest.param(None, "x", "2", id="place"),
    ],
)
def test_a_repeated_reference_is_named_as_everywhere(named: str | None, own: str, told: str) -> None:
    one = samples.verdict(Status.VERIFIED, Flag.DUPLICATE, of=samples.reference(label=own), index=9)
    update = {"duplicate_of": 2, "duplicate_label": named}
    one = one.model_copy(update={"evidence": one.evidence.model_copy(update=update)})
    assert words.notes(one) == (f"repeats reference {told}",)
    assert f"Reference {told} denotes the same work." in [r.text for r in decide(one.evidence, Policy()).reasons]
    assert letters.sentence(one).startswith(f"Reference {own} repeats reference {told} of the list.")


def test_fields_have_one_name_and_a_year_to_come_is_said_to_be_one() -> None:
    one = samples.verdict(Status.MISMATCHED, found="On the writing of references")
    year = one.fields[0].model_copy(
        update={"field": FieldName.YEAR, "claimed": "2099", "found": "1999", "rule": "year_in_future"}
    )
    venue = one.fields[0].model_copy(
        update={"field": FieldName.CONTAINER_TITLE, "claimed": "A", "differences": ("A -> B",)}
    )
    told = words.disagreements(one.model_copy(update={"fields": (year, venue)}))
    assert told == ("year: 2099 (lies ahead) -> 1999", "venue: A -> B")
    page = written(HtmlReporter(), [samples.audit(one.model_copy(update={"fields": (year,)}))])
    assert "the year lies ahead" in page


def test_what_cannot_be_is_told_where_there_is_no_record() -> None:
    one = samples.verdict(Status.MISMATCHED).model_copy(
        update={
            "fields": (),
            "reasons": (
                Reason(code="cannot_be", text="The year lies ahead.", field=FieldName.YEAR),
                Reason(code="anchored", text="Never told."),
            ),
        }
    )
    assert words.notes(one) == ("The year lies ahead.",)


def test_every_failure_is_told_in_words() -> None:
    assert set(words.FAILURE_WORDS) == set(FailureKind)
    paused = SourceHealth(
        source="slow", asked=3, answered=1, from_cache=0, failures=(FailureKind.CIRCUIT_OPEN, FailureKind.NETWORK)
    )
    told = "slow (1 of 3 questions answered, failed: stopped asking after failures, no connection)"
    assert words.health(paused) == told
