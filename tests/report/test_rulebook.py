"""The tables of the rules: each with an example that gives it, and a rate only where enough was compared."""

from __future__ import annotations

import pytest

from citeaudit.match.examples import examples
from citeaudit.match.rules import RULES
from citeaudit.report import rulebook
from citeaudit.report.rulebook import ENOUGH_REAL, ENOUGH_SEEN, Rate, rates, tables
from citeaudit.settings import presets

FAR = {"identifier_names_another", "identifier_unknown", "identifiers_disagree", "year_in_future"}
"""Given by the policy, which sees all answers and the day."""


def test_every_rule_has_an_example_and_no_other() -> None:
    assert set(examples()) == set(RULES)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_an_example_gives_its_rule(rule: str) -> None:
    one = examples()[rule]
    assert one.claimed
    assert one.found
    if one.match is not None:
        assert (one.match.rule, one.match.relation) == (rule, RULES[rule].relation)
    else:
        assert rule in FAR or rule.startswith(("arxiv_id_", "doi_", "isbn_", "pmid_", "pmcid_"))


def test_rates_are_counts_of_rules() -> None:
    assert rates()
    for one in rates():
        assert 0 <= one.real_with <= one.real
        assert 0 <= one.unreal_with <= one.unreal
        assert one.set
        assert len(one.date) == len("2026-01-01")


@pytest.mark.parametrize(
    ("real", "real_with", "unreal_with", "told"),
    [
        pytest.param(ENOUGH_REAL, 3, ENOUGH_SEEN - 3, "1.00%", id="enough"),
        pytest.param(ENOUGH_REAL - 1, 3, ENOUGH_SEEN, "too few cases", id="too-few-compared"),
        pytest.param(ENOUGH_REAL, 1, ENOUGH_SEEN - 2, "too few cases", id="too-seldom-seen"),
        pytest.param(ENOUGH_REAL, 0, ENOUGH_SEEN, "0.00%", id="never-wrong"),
    ],
)
def test_a_rate_needs_enough_cases(real: int, real_with: int, unreal_with: int, told: str) -> None:
    one = Rate("title_differs", "set", real, real_with, 50, unreal_with, "2026-01-01")
    assert rulebook._shares(one) == (f"{real_with} of {real}", f"{unreal_with} of 50", told)


def test_the_tables_say_which_presets_count_or_note_a_rule() -> None:
    row = next(line for line in tables().splitlines() if line.startswith("| `year_differs` | DIFFERENT"))
    assert "noted: arxiv, neurips-2026" in row
    assert "2009 -> 2015" in row
    row = next(line for line in tables().splitlines() if line.startswith("| `title_plural` | VARIANT"))
    assert row.endswith("| counted: strict |")
    assert "strict" in presets()
