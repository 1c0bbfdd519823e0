"""The groups in which reports for people show references: to look at, not decided, decided by a person, verified."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from citeaudit.model import Alarm, Status, Verdict
from citeaudit.policy.decisions import is_settled

_FINDINGS = frozenset({Status.MISMATCHED, Status.NOT_FOUND})
_LOUDNESS = (Alarm.NONE, Alarm.REVIEW, Alarm.STRONG)


SETTLED = "decided by a person"
NAMES = ("to look at", "not decided", SETTLED, "verified")
"""Of the groups, in their order."""


class Groups(NamedTuple):
    """References of one document, each in exactly one group, in the order of the document."""

    attention: tuple[Verdict, ...]
    """A person should look: an alarm, a flag, or a status that counts."""
    undecided: tuple[Verdict, ...]
    """Nothing speaks against them, but they could not be decided, checked or read."""
    settled: tuple[Verdict, ...]
    """Not verified, but a person has decided, and nothing else is to be looked at."""
    verified: tuple[Verdict, ...]

    def named(self, name: str) -> tuple[Verdict, ...]:
        """Give the group under one of the `NAMES`."""
        return self[NAMES.index(name)]


def columns(groups: Iterable[Groups]) -> tuple[str, ...]:
    """Give the names of the groups for an overview; without that of decisions where there are none."""
    any_settled = any(one.settled for one in groups)
    return tuple(name for name in NAMES if any_settled or name != SETTLED)


def split(verdicts: Iterable[Verdict]) -> Groups:
    """Put each reference into its group."""
    attention: list[Verdict] = []
    undecided: list[Verdict] = []
    settled: list[Verdict] = []
    verified: list[Verdict] = []
    for one in verdicts:
        if needs_look(one):
            attention.append(one)
        elif one.status is Status.VERIFIED:
            verified.append(one)
        else:
            (settled if is_decided(one) else undecided).append(one)
    return Groups(tuple(attention), tuple(undecided), tuple(settled), tuple(verified))


def needs_look(verdict: Verdict) -> bool:
    """Tell whether a person should look at a reference."""
    accused = verdict.status in _FINDINGS and not is_decided(verdict)
    return verdict.alarm is not Alarm.NONE or bool(verdict.flags) or accused


def is_decided(verdict: Verdict) -> bool:
    """Tell whether a person's decision stands in place of the status; what is VERIFIED needs none."""
    return is_settled(verdict) and verdict.status is not Status.VERIFIED


def is_quiet(verdict: Verdict, least: Alarm) -> bool:
    """Tell whether an accusing status is shown but is no finding: its alarm is below the least that counts."""
    return (
        verdict.status in _FINDINGS
        and not is_decided(verdict)
        and _LOUDNESS.index(verdict.alarm) < _LOUDNESS.index(least)
    )
