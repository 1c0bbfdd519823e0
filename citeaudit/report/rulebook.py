"""The tables of `docs/how-a-verdict-is-reached.md`, from the tables that the rules themselves are named in.

`python -m citeaudit.report.rulebook FILE` writes them into a document, between its two marker lines.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import UsageError
from citeaudit.match.examples import examples
from citeaudit.match.rules import ANCHORS, RULES
from citeaudit.model import Relation
from citeaudit.policy import REASONS, RULES_VERSION
from citeaudit.settings import load, presets

START, END = "<!-- tables: begin -->", "<!-- tables: end -->"
ENOUGH_REAL, ENOUGH_SEEN = 300, 5
"""Real references compared, and references with the rule in all, from which a rate is given."""


class Rate(NamedTuple):
    """How often a rule was seen on one labelled set: a row of `rates.tsv`, from `benchmarks/verdicts.py rates`."""

    rule: str
    set: str
    real: int
    """Real references for which a record was compared."""
    real_with: int
    """Of them with this rule: the false alarms of a preset that counts it."""
    unreal: int
    unreal_with: int
    date: str


def rates() -> tuple[Rate, ...]:
    """Give the measured rates, in the order of the file."""
    lines = (files("citeaudit.report") / "rates.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return tuple(map(_rate, lines))


def _rate(line: str) -> Rate:
    rule, name, real, real_with, unreal, unreal_with, date = line.split("\t")
    return Rate(rule, name, int(real), int(real_with), int(unreal), int(unreal_with), date)


def tables() -> str:
    """Give the Markdown of all tables: reasons, anchors, rules with presets and examples, measured rates."""
    return "\n\n".join(
        (
            f"Version {RULES_VERSION} of the rules; every report states the version it was made with.",
            "## Reasons\n\n" + _table(("reason", "meaning"), ((f"`{code}`", text) for code, text in REASONS.items())),
            "## How a record is tied to a reference\n\n"
            + _table(("anchor", "meaning"), ((f"`{name}`", text) for name, text in ANCHORS.items())),
            "## How two fields compare\n\n" + _RULES + "\n\n" + _rules(),
            "## How often a rule is wrong\n\n" + _measured(),
        )
    )


_RULES = (
    "A `DIFFERENT` rule counts unless a preset notes it, a `VARIANT` rule counts only where a preset says so. Examples"
    " are invented: what a reference claims -> what the record has."
)
_RATES = (
    "Measured on public labelled sets, under `strict` with the index declared complete: of the real references for"
    " which a record was compared, the share with this rule is the error rate of a preset that counts it. The labels of"
    " the sets are not all right, so a rate is an upper bound. A rule without enough cases"
    f" (fewer than {ENOUGH_REAL} real references compared, or seen on fewer than {ENOUGH_SEEN} references) has none."
)


def _rules() -> str:
    policies = {name: load(preset=name).policy for name in presets()}
    rows = []
    for name, rule in RULES.items():
        counted = ", ".join(preset for preset, policy in policies.items() if name in policy.counted)
        noted = ", ".join(preset for preset, policy in policies.items() if name in policy.noted)
        told = "; ".join(filter(None, (counted and f"counted: {counted}", noted and f"noted: {noted}"))) or "-"
        rows.append((f"`{name}`", rule.relation, rule.description, _example(name), told))
    return _table(("rule", "relation", "meaning", "example", "presets"), rows)


def _example(name: str) -> str:
    one = examples().get(name)
    return f"{_cell(one.claimed)} -> {_cell(one.found)}" if one else "-"


def _measured() -> str:
    rows = [
        (f"`{one.rule}`", one.set, *_shares(one), one.date)
        for one in rates()
        if one.rule in RULES and RULES[one.rule].relation in _TOLD
    ]
    head = ("rule", "set", "of real references", "of altered ones", "error rate", "measured")
    return f"{_RATES}\n\n{_table(head, rows)}"


_TOLD = (Relation.VARIANT, Relation.DIFFERENT)


def _shares(one: Rate) -> tuple[str, str, str]:
    enough = one.real >= ENOUGH_REAL and one.real_with + one.unreal_with >= ENOUGH_SEEN
    rate = f"{one.real_with / one.real:.2%}" if enough else "too few cases"
    return f"{one.real_with} of {one.real}", f"{one.unreal_with} of {one.unreal}", rate


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("$", "\\$")


def insert(document: str) -> str:
    """Give the document with the tables between its markers.

    Raises:
        UsageError: A marker is missing.
    """
    before, begin, rest = document.partition(START)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise UsageError(f"the document needs the lines {START} and {END}")
    return f"{before}{START}\n\n{tables()}\n\n{END}{after}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_text(insert(target.read_text(encoding="utf-8")), encoding="utf-8")
