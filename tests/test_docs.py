"""What exists is told: commands, options, settings, reasons, rules, exit codes."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from citeaudit import policy
from citeaudit.agents.extractor import MAX_SENT, REPAIRED_SCORE, UNCLEAR
from citeaudit.agents.judge import MAX_VALUE
from citeaudit.agents.model import CONCURRENT, PAUSE_AFTER, prompt
from citeaudit.errors import FailureKind, UsageError
from citeaudit.match.rules import ANCHORS, RULES
from citeaudit.model import Alarm, Flag, Outcome, Policy, Relation, Status
from citeaudit.report.exits import Exit
from citeaudit.report.rulebook import insert
from citeaudit.settings import KEYS, DecisionSettings, ModelSettings, Settings, SourceSettings

ROOT = Path(__file__).parents[1]


@cache
def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def _help(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "citeaudit", *command, "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={"COLUMNS": "200", "NO_COLOR": "1", "PATH": ""},
    )
    return done.stdout


COMMANDS = [
    ("check",),
    ("extract",),
    ("fix",),
    ("sources",),
    ("decide",),
    ("demo",),
    ("quotes",),
    ("ground",),
    ("index", "build"),
    ("index", "info"),
    ("bench", "extraction"),
    ("bench", "citeaudit"),
    ("bench", "hallmark"),
    ("bench", "citevqa"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_and_option_is_in_the_reference(command: tuple[str, ...]) -> None:
    reference = _text("docs/commands.md")
    assert f"citeaudit {' '.join(command)}" in reference
    for option in set(re.findall(r"--[a-z][a-z-]+", _help(*command))) - {"--help"}:
        assert f"`{option}" in reference, option


def test_no_command_is_missing_from_this_table() -> None:
    told = set(re.findall(r"^│ ([a-z]+) ", _help(), re.MULTILINE)) or set(
        re.findall(r"^  ([a-z]+) ", _help(), re.MULTILINE)
    )
    assert told == {command[0] for command in COMMANDS}


@pytest.mark.parametrize(
    "model", [Settings, SourceSettings, DecisionSettings, ModelSettings, Policy], ids=lambda model: model.__name__
)
def test_every_setting_is_in_the_reference(
    model: type[Settings | SourceSettings | DecisionSettings | ModelSettings | Policy],
) -> None:
    for name in model.model_fields:
        assert f"`{name}`" in _text("docs/settings.md"), name


@pytest.mark.parametrize("code", sorted(policy.REASONS))
def test_every_reason_is_explained(code: str) -> None:
    assert f"`{code}`" in _text("docs/how-a-verdict-is-reached.md")


@pytest.mark.parametrize("name", sorted({*RULES, *ANCHORS}))
def test_every_rule_is_explained(name: str) -> None:
    assert f"`{name}`" in _text("docs/how-a-verdict-is-reached.md")


def test_tables_of_the_rules_are_those_in_force() -> None:
    document = _text("docs/how-a-verdict-is-reached.md")
    assert insert(document) == document, "run: python -m citeaudit.report.rulebook docs/how-a-verdict-is-reached.md"
    with pytest.raises(UsageError, match="needs the lines"):
        insert("no markers")


@pytest.mark.parametrize("member", [*Status, *Alarm, *Flag, *Outcome, *Relation, *FailureKind], ids=str)
def test_every_word_of_a_report_is_explained(member: str) -> None:
    assert f"`{member}`" in _text("docs/how-a-verdict-is-reached.md")


def test_the_model_page_tells_keys_prompts_and_limits() -> None:
    page = _text("docs/model.md")
    for variable in (name for names in KEYS.values() for name in names):
        assert f"`{variable}`" in page, variable
    for name in ("extractor", "judge"):
        assert re.search(rf"`agents/prompts/{name}\.md` \| {prompt(name).version} \|", page), name
    for figure in (MAX_SENT, MAX_VALUE, CONCURRENT, PAUSE_AFTER, UNCLEAR, REPAIRED_SCORE):
        assert f"{figure:,}" in page, figure


def test_every_exit_code_is_in_the_readme() -> None:
    for code in Exit:
        assert re.search(rf"^\| {code.value} \|", _text("README.md"), re.MULTILINE), code
