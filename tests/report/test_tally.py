"""What a person has decided is counted as that, and what is new against a baseline is marked, in every report."""

from __future__ import annotations

import csv
import io
import json

import pytest

from citeaudit.model import Alarm, Audit, Decision, Flag, Relation, Ruling, Status, Verdict
from citeaudit.report import tally, words
from citeaudit.report.csv_report import CsvReporter
from citeaudit.report.groups import columns, is_decided, is_quiet, needs_look, split
from citeaudit.report.html import HtmlReporter
from citeaudit.report.json_report import JsonReporter
from citeaudit.report.jsonl import JsonlReporter
from citeaudit.report.markdown import MarkdownReporter
from citeaudit.report.table import TableReporter
from citeaudit.seams import Reporter
from tests import samples
from tests.report.material import written

PEOPLE = [TableReporter, MarkdownReporter, HtmlReporter]


def decided(ruling: Ruling, verdict: Verdict, *, by_author: bool = False) -> Verdict:
    at = None if by_author else samples.NOON
    decision = Decision(fingerprint="1-x", ruling=ruling, reason="seen in print", decided_at=at)
    return verdict.model_copy(update={"evidence": verdict.evidence.model_copy(update={"decision": decision})})


M = samples.verdict(Status.MISMATCHED, found="On the writing of references")
GOOD, READING, UNCHECKED = Ruling.KNOWN_GOOD, Ruling.BAD_READING, Ruling.NOT_CHECKABLE
CASES = [
    pytest.param(decided(GOOD, M), True, False, id="known-good"),
    pytest.param(decided(GOOD, M, by_author=True), True, False, id="remark"),
    pytest.param(decided(GOOD, samples.verdict(Status.NOT_FOUND)), True, False, id="not-found"),
    pytest.param(decided(READING, samples.verdict(Status.UNPARSED)), True, False, id="bad-reading"),
    pytest.param(decided(UNCHECKED, samples.verdict(Status.NOT_CHECKABLE)), True, False, id="not-checkable"),
    pytest.param(decided(Ruling.WRONG_RECORD, M), False, True, id="wrong-record"),
    pytest.param(decided(GOOD, samples.verdict()), False, False, id="verified-needs-none"),
    pytest.param(
        decided(GOOD, samples.verdict(Status.MISMATCHED, Flag.RETRACTED, found="x", alarm=Alarm.STRONG)),
        True,
        True,
        id="retracted",
    ),
    pytest.param(M, False, True, id="nobody-decided"),
]


@pytest.mark.parametrize(("verdict", "out", "look"), CASES)
def test_a_decision_stands_in_place_of_the_status(verdict: Verdict, out: bool, look: bool) -> None:
    audit = samples.audit(verdict)
    assert (is_decided(verdict), needs_look(verdict)) == (out, look)
    assert tally.decided(audit) == int(out)
    assert tally.by_status(audit) == (() if out else ((verdict.status, 1),))
    groups = split([verdict])
    assert len(groups.settled) == int(out and not look)
    assert sum(map(len, groups)) == 1
    assert not (out and is_quiet(verdict, Alarm.STRONG))


def _mixed() -> Audit:
    own = decided(GOOD, samples.verdict(Status.NOT_FOUND, index=3), by_author=True)
    return samples.audit(M, decided(GOOD, M.model_copy(update={"evidence": M.evidence.model_copy()})), own)


@pytest.mark.parametrize("reporter", [TableReporter, MarkdownReporter])
def test_the_summary_counts_them_apart(reporter: type[Reporter]) -> None:
    text = written(reporter(), [_mixed()])
    assert "1 differs from the record, 1 decided by a person, 1 by the author's remark\n" in text
    assert "Decided by a person" in text
    assert "not found" not in text.partition("To look at")[0]


def test_the_page_and_the_data_count_them_apart() -> None:
    text = written(HtmlReporter(), [_mixed()])
    assert "to look at, 0 not decided, 2 decided by a person, 0 verified." in text
    assert "Decided by a person (2)" in text
    assert '<span class="badge good">1 decided by a person</span>' in text
    summary = json.loads(written(JsonReporter(), [_mixed()]))["summary"]
    assert (summary["decided"], summary["counts"]["MISMATCHED"], summary["references"]) == (2, 2, 3)
    assert "decided by a person" not in written(HtmlReporter(), [samples.audit(M)])
    assert words.uncounted(_mixed().model_copy(update={"least_alarm": Alarm.STRONG})) == (
        "1 reference shown, not counted (preset default counts STRONG alarms only): 1",
    )


def test_an_overview_has_a_column_for_them_where_there_are_any() -> None:
    plain, mixed = split([M]), split(_mixed().verdicts)
    assert columns([plain]) == ("to look at", "not decided", "verified")
    assert columns([plain, mixed]) == ("to look at", "not decided", "decided by a person", "verified")
    text = written(MarkdownReporter(), [_mixed(), samples.audit(M)])
    assert "| paper.pdf | 1 | 0 | 2 | 0 |" in text
    page = written(HtmlReporter(), [_mixed(), samples.audit(M)])
    assert '<td data-label="decided by a person">2</td>' in page


def _numbered(index: int) -> Verdict:
    evidence = M.evidence.model_copy(update={"index": index})
    return M.model_copy(update={"evidence": evidence})


def test_what_is_new_is_marked_in_every_report() -> None:
    open_ = samples.verdict(Status.UNDECIDED, index=3)
    audit = samples.audit(_numbered(1), _numbered(2), open_).model_copy(update={"new": (2, 3)})
    rows = json.loads(written(JsonReporter(), [audit]))["references"]
    assert [row["new"] for row in rows] == [False, True, True]
    assert [json.loads(line)["new"] for line in written(JsonlReporter(), [audit]).splitlines()] == [False, True, True]
    assert [row["new"] for row in csv.DictReader(io.StringIO(written(CsvReporter(), [audit])))] == ["no", "yes", "yes"]
    assert written(HtmlReporter(), [audit]).count('<span class="badge review">new</span>') == 2
    table = written(TableReporter(), [audit]).partition("Evidence")[0]
    assert sum(line.split()[:1] == ["new"] or " new " in line for line in table.splitlines()) == 2
    text = written(MarkdownReporter(), [audit])
    assert "#### Reference 1: differs from the record\n" in text
    assert "#### Reference 2: differs from the record (new)\n" in text
    assert "undecided (new): " in text


def test_without_a_baseline_nothing_is_new_or_old() -> None:
    audit = samples.audit(_numbered(1))
    assert json.loads(written(JsonReporter(), [audit]))["references"][0]["new"] is None
    (row,) = csv.DictReader(io.StringIO(written(CsvReporter(), [audit])))
    assert row["new"] == ""
    assert "new" not in written(TableReporter(), [audit]).split()


def test_the_ruling_is_in_the_table_of_data() -> None:
    (row,) = csv.DictReader(io.StringIO(written(CsvReporter(), [samples.audit(decided(READING, M))])))
    assert row["decided"] == "bad reading"


def _noting(rule: str, relation: Relation = Relation.VARIANT) -> Verdict:
    one = samples.verdict()
    year = one.fields[0].model_copy(
        update={"field": "year", "claimed": "1999", "found": "2000", "relation": relation, "rule": rule}
    )
    return one.model_copy(update={"fields": (*one.fields, year)})


@pytest.mark.parametrize("reporter", PEOPLE)
def test_what_is_only_noted_stands_beside_what_is_verified(reporter: type[Reporter]) -> None:
    said = written(reporter(), [samples.audit(_noting("year_off_by_one"))]).replace("\\", "").replace("&gt;", ">")
    assert "year: 1999 -> 2000" in said
    assert "noted: " in said.lower()
    forms = written(reporter(), [samples.audit(_noting("year_of_preprint"))])
    assert "1999 -> 2000" not in forms.replace("\\", "").replace("&gt;", ">")
    assert "noted" not in forms.lower()


def test_what_is_noted_of_a_flagged_reference_is_told_too() -> None:
    flagged = _noting("year_off_by_one").model_copy(update={"flags": (Flag.UNCITED,)})
    assert words.notes(flagged) == ("not cited in the text", "noted: year: 1999 -> 2000")
    (row,) = csv.DictReader(io.StringIO(written(CsvReporter(), [samples.audit(flagged)])))
    assert row["noted"] == "year: 1999 -> 2000"
