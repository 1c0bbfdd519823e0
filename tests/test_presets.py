"""What each preset makes of one kind of slip: the status, whether it is a finding, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from citeaudit.cli.main import main
from citeaudit.index.building.builder import build
from citeaudit.match.rules import RULES, unknown_rules
from citeaudit.model import (
    Alarm,
    Audit,
    Coverage,
    FieldName,
    Flag,
    Notice,
    NoticeType,
    Outcome,
    Policy,
    QueryKind,
    Relation,
    Status,
    Verdict,
)
from citeaudit.report.exits import exit_code, is_finding
from citeaudit.report.words import uncounted
from citeaudit.settings import load, presets
from tests import samples
from tests.match.build import ask, cite, found, judge, record, silent

TITLE = "Quiet dunes of the northern shore at winter dusk"
AUTHORS = "Ada Lovelace; Mary Somerville; Emmy Noether"
VENUE = {"container_title": "Journal of Physical Geography"}
WORK = record(TITLE, AUTHORS, 2015, arxiv_id="1501.00001", **VENUE)
OTHER = record("A census of moths in city parks", "Jane Goodall", 2015, source="registry", arxiv_id="1502.00002")
PULLED = WORK.model_copy(update={"notices": (Notice(type=NoticeType.RETRACTION),)})
COVERING = ("first", "second")


def _right() -> tuple[object, ...]:
    cited = cite(TITLE, AUTHORS, 2015, **VENUE)
    return cited, found(cited, WORK)


def _misspelt() -> tuple[object, ...]:
    cited = cite(TITLE, "Ada Lovelase; Mary Somerville; Emmy Noether", 2015, **VENUE)
    return cited, found(cited, WORK)


def _phantom() -> tuple[object, ...]:
    cited = cite(TITLE, f"{AUTHORS}; Viktor Quandt", 2015, **VENUE)
    return cited, found(cited, WORK)


def _strangers() -> tuple[object, ...]:
    cited = cite(TITLE, "Viktor Quandt; Ilse Brandauer", 2015, **VENUE)
    return cited, found(cited, WORK)


def _venue() -> tuple[object, ...]:
    cited = cite(TITLE, AUTHORS, 2015, container_title="Annals of Mathematics")
    return cited, found(cited, WORK)


def _year() -> tuple[object, ...]:
    cited = cite(TITLE, AUTHORS, 2009, **VENUE)
    return cited, found(cited, WORK)


def _word() -> tuple[object, ...]:
    cited = cite(TITLE.replace("dunes", "glaciers"), AUTHORS, 2015, **VENUE)
    return cited, found(cited, WORK)


def _arxiv_id() -> tuple[object, ...]:
    cited = cite(TITLE, AUTHORS, 2015, arxiv_id="1502.00002", **VENUE)
    named = ask(
        cited, Outcome.FOUND, OTHER, source="registry", kind=QueryKind.ARXIV_ID, coverage=Coverage.AUTHORITATIVE
    )
    return cited, found(cited, WORK), named


def _hijacked() -> tuple[object, ...]:
    cited = cite(
        "Dreaming tides and the memory of harbours", "Viktor Quandt; Ilse Brandauer", 2015, arxiv_id="1502.00002"
    )
    named = ask(
        cited, Outcome.FOUND, OTHER, source="registry", kind=QueryKind.ARXIV_ID, coverage=Coverage.AUTHORITATIVE
    )
    return cited, *(silent(cited, name) for name in COVERING), named


def _unfindable() -> tuple[object, ...]:
    cited = cite("Dreaming tides and the memory of harbours", "Viktor Quandt", 2015, **VENUE)
    return cited, *(silent(cited, name) for name in COVERING)


def _retracted() -> tuple[object, ...]:
    cited = cite(TITLE, AUTHORS, 2015, **VENUE)
    return cited, found(cited, PULLED)


CASES = {
    "right": _right,
    "one letter of an author": _misspelt,
    "phantom author": _phantom,
    "all authors wrong": _strangers,
    "wrong venue": _venue,
    "year six off": _year,
    "one word of the title": _word,
    "wrong arXiv id": _arxiv_id,
    "identifier of another work": _hijacked,
    "unfindable title": _unfindable,
    "retracted work": _retracted,
}
GOOD, BAD, GONE = Status.VERIFIED, Status.MISMATCHED, Status.NOT_FOUND
EXPECTED: dict[str, dict[str, tuple[Status, int]]] = {
    "right": dict.fromkeys(presets(), (GOOD, 0)),
    "one letter of an author": dict.fromkeys(presets(), (GOOD, 0)) | {"strict": (BAD, 1)},
    "phantom author": dict.fromkeys(presets(), (BAD, 1)) | {"editor": (BAD, 0)},
    "all authors wrong": dict.fromkeys(presets(), (BAD, 1)) | {"editor": (BAD, 0)},
    "wrong venue": dict.fromkeys(presets(), (GOOD, 0)) | {"strict": (BAD, 1)},
    "year six off": dict.fromkeys(presets(), (BAD, 1))
    | {"editor": (BAD, 0), "neurips-2026": (GOOD, 0), "arxiv": (GOOD, 0)},
    "one word of the title": dict.fromkeys(presets(), (BAD, 1)) | {"editor": (BAD, 0)},
    "wrong arXiv id": dict.fromkeys(presets(), (BAD, 1))
    | {"editor": (BAD, 0), "neurips-2026": (GOOD, 0), "arxiv": (GOOD, 0)},
    "identifier of another work": dict.fromkeys(presets(), (GONE, 1)),
    "unfindable title": dict.fromkeys(presets(), (GONE, 1)) | {"editor": (GONE, 0)},
    "retracted work": dict.fromkeys(presets(), (GOOD, 1)) | {"neurips-2026": (GOOD, 0), "arxiv": (GOOD, 0)},
}


def _verdict(case: str, preset: str) -> Verdict:
    reference, *lookups = CASES[case]()
    return judge(reference, *lookups, policy=load(preset=preset).policy)  # type: ignore[arg-type]


def _audit(verdict: Verdict, preset: str) -> Audit:
    policy = load(preset=preset).policy
    return samples.audit(verdict).model_copy(update={"preset": preset, "least_alarm": policy.least_alarm})


@pytest.mark.parametrize("preset", presets())
@pytest.mark.parametrize("case", CASES)
def test_a_preset_says_what_counts(case: str, preset: str) -> None:
    verdict = _verdict(case, preset)
    code = exit_code([_audit(verdict, preset)], load(preset=preset).policy.fail_on)
    assert (verdict.status, int(code)) == EXPECTED[case][preset]


def test_every_preset_is_in_every_row() -> None:
    assert set(EXPECTED) == set(CASES)
    assert all(set(row) == set(presets()) for row in EXPECTED.values())


def test_what_is_noted_stays_in_sight() -> None:
    (match,) = (one for one in _verdict("wrong arXiv id", "neurips-2026").fields if one.field is FieldName.ARXIV_ID)
    assert (match.rule, match.relation) == ("identifier_names_another", Relation.VARIANT)
    assert match.differences == ("1502.00002 -> A census of moths in city parks",)


def test_an_editor_is_told_what_is_shown_and_not_counted() -> None:
    quiet = _audit(_verdict("phantom author", "editor"), "editor")
    assert uncounted(quiet) == ("1 reference shown, not counted (preset editor counts STRONG alarms only): 1",)
    assert uncounted(_audit(_verdict("phantom author", "default"), "default")) == ()
    assert uncounted(_audit(_verdict("identifier of another work", "editor"), "editor")) == ()


@pytest.mark.parametrize(
    ("verdict", "least", "counted"),
    [
        pytest.param(samples.verdict(BAD, alarm=Alarm.REVIEW), Alarm.STRONG, False, id="review-below-strong"),
        pytest.param(samples.verdict(BAD, alarm=Alarm.REVIEW), Alarm.REVIEW, True, id="review-is-enough"),
        pytest.param(samples.verdict(GONE, alarm=Alarm.STRONG), Alarm.STRONG, True, id="strong"),
        pytest.param(samples.verdict(GONE), Alarm.REVIEW, False, id="none-below-review"),
        pytest.param(samples.verdict(GOOD, Flag.RETRACTED), Alarm.STRONG, True, id="a-flag-counts-at-any-alarm"),
        pytest.param(samples.verdict(Status.UNDECIDED), Alarm.STRONG, True, id="what-accuses-nobody-is-as-named"),
        pytest.param(samples.verdict(Status.UNPARSED), Alarm.NONE, False, id="not-named"),
    ],
)
def test_fail_on_and_the_least_alarm_rule_together(verdict: Verdict, least: Alarm, counted: bool) -> None:
    named: frozenset[Status | Flag] = frozenset({BAD, GONE, Status.UNDECIDED, Flag.RETRACTED})
    assert is_finding(verdict, named, least) is counted


def test_a_preset_that_notes_no_rule_is_refused() -> None:
    assert unknown_rules(Policy(counted=("title_plural",), noted=("year_difers",))) == ("year_difers",)


@pytest.mark.parametrize("preset", presets())
def test_every_preset_names_rules_that_exist_and_change_something(preset: str) -> None:
    policy = load(preset=preset).policy
    assert unknown_rules(policy) == ()
    assert all(RULES[name].relation is Relation.DIFFERENT for name in policy.noted)


@pytest.mark.parametrize("preset", sorted(set(presets()) - {"offline"}))
def test_check_takes_every_preset(preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = {
        "title": TITLE,
        "authors": [{"given": "Ada", "family": "Lovelace"}, {"given": "Mary", "family": "Somerville"}],
        "year": 2015,
    }
    (tmp_path / "records.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    build([tmp_path / "records.jsonl"], tmp_path / "index")
    entry = f"@article{{a, title={{{TITLE}}}, author={{Lovelace, Ada and Quandt, Viktor}}, year={{2015}}}}\n"
    (tmp_path / "list.bib").write_text(entry, encoding="utf-8")
    arguments = ["check", str(tmp_path / "list.bib"), "--offline", "--index", str(tmp_path / "index"), "--quiet"]
    assert main([*arguments, "--preset", preset]) == (0 if preset == "editor" else 1)
    assert ("shown, not counted" in " ".join(capsys.readouterr().out.split())) is (preset == "editor")
