"""The reports of `check` tell what the running text says about the list."""

from __future__ import annotations

import json

import pytest

from citeaudit.model import Audit, SelfCheck
from citeaudit.report.html import HtmlReporter
from citeaudit.report.json_report import JsonReporter
from citeaudit.report.markdown import MarkdownReporter
from citeaudit.report.table import TableReporter
from citeaudit.report.words import citing
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
