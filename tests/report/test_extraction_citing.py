"""The reports of `check` tell what the running text says about the list."""

from __future__ import annotations

import json

import pytest

from citeaudit.model import Audit, Identifiers, Quote, QuoteCheck, QuoteStatus, SelfCheck
from citeaudit.report.html import HtmlReporter
from citeaudit.report.json_report import JsonReporter
from citeaudit.report.markdown import MarkdownReporter
from citeaudit.report.table import TableReporter
from citeaudit.report.words import citing, named, quoted
from citeaudit.seams import Reporter
from tests import samples
from tests.report.material import written


def _audit(check: SelfCheck) -> Audit:
    cited = [samples.reference(label=str(number)).model_copy(update={"cited": number > 1}) for number in (1, 2, 3)]
    verdicts = [samples.verdict(of=one, index=place) for place, one in enumerate(cited, start=1)]
    return samples.audit(*verdicts).model_copy(update={"self_check": check})


CHECK = SelfCheck(method="labels", read=3, citations=48, dangling=("12", "Smith 2020"))


@pytest.mark.parametrize("reporter", [TableReporter(), MarkdownReporter(), HtmlReporter()], ids=lambda one: one.format)
def test_people_are_told(reporter: Reporter) -> None:
    text = written(reporter, [_audit(CHECK)])
    assert "48 citations found in the text" in text
    assert "cited but not in the list: 12, Smith 2020" in text
    assert "in the list but not cited in the text: 1 reference" in text


def test_programs_are_told() -> None:
    told = json.loads(written(JsonReporter(), [_audit(CHECK)]))
    assert told["summary"]["uncited"] == 1
    assert (told["self_check"]["citations"], told["self_check"]["dangling"]) == (48, ["12", "Smith 2020"])


@pytest.mark.parametrize(
    ("check", "uncited", "lines"),
    [
        pytest.param(SelfCheck(method="entries", read=3), 0, (), id="no-text"),
        pytest.param(SelfCheck(method="x", read=3, citations=0), 0, ("0 citations found in the text",), id="none"),
        pytest.param(
            SelfCheck(method="x", read=3, citations=1, dangling=tuple(map(str, range(30)))),
            2,
            (
                "1 citation found in the text",
                f"cited but not in the list: {', '.join(map(str, range(20)))} and 10 more",
                "in the list but not cited in the text: 2 references",
            ),
            id="many",
        ),
    ],
)
def test_lines_are_told_only_where_there_is_something(check: SelfCheck, uncited: int, lines: tuple[str, ...]) -> None:
    assert citing(check, uncited) == lines


def _quoting(quotes: int, *checks: QuoteStatus) -> Audit:
    reference = samples.reference().model_copy(
        update={"quotes": tuple(Quote(text=f"words {place}") for place in range(quotes))}
    )
    verdict = samples.verdict(of=reference)
    checked = tuple(QuoteCheck(text=f"words {place}", status=status) for place, status in enumerate(checks))
    evidence = verdict.evidence.model_copy(update={"quote_checks": checked})
    return samples.audit(verdict.model_copy(update={"evidence": evidence}))


@pytest.mark.parametrize(
    ("audit", "lines"),
    [
        pytest.param(_quoting(0), (), id="none"),
        pytest.param(_quoting(1), ("1 quotation tied to a reference, not checked against the source yet",), id="one"),
        pytest.param(
            _quoting(3, QuoteStatus.SKIPPED, QuoteStatus.VERIFIED),
            ("2 quotations tied to references, not checked against the source yet",),
            id="some-checked",
        ),
        pytest.param(_quoting(1, QuoteStatus.VERIFIED), (), id="all-checked"),
    ],
)
def test_quotations_that_nobody_checked_are_counted(audit: Audit, lines: tuple[str, ...]) -> None:
    assert quoted(audit) == lines


@pytest.mark.parametrize("reporter", [TableReporter(), MarkdownReporter(), HtmlReporter()], ids=lambda one: one.format)
def test_people_are_told_of_quotations_and_of_the_work_behind_an_identifier(reporter: Reporter) -> None:
    assert "2 quotations tied to references, not checked against the source yet" in written(reporter, [_quoting(2)])
    bare = samples.reference(
        None, year=None, raw="10.1038/nature14539", identifiers=Identifiers(doi="10.1038/nature14539")
    )
    verdict = samples.verdict(of=bare)
    assert verdict.best is not None
    text = written(reporter, [samples.audit(verdict)])
    assert "10.1038/nature14539: " in text
    assert verdict.best.work.title in text
    assert named(verdict).startswith("10.1038/nature14539: ")
