"""The three groups in which reports for people show references: to look at, not decided, verified."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from citeaudit.model import Alarm, Status, Verdict

_FINDINGS = frozenset({Status.MISMATCHED, Status.NOT_FOUND})
_LOUDNESS = (Alarm.NONE, Alarm.REVIEW, Alarm.STRONG)


class Groups(NamedTuple):
    """References of one document, each in exactly one group, in the order of the document."""

    attention: tuple[Verdict, ...]
    """A person should look: an alarm, a flag, or a status that counts."""
    undecided: tuple[Verdict, ...]
    """Nothing speaks against them, but they could not be decided, checked or read."""
    verified: tuple[Verdict, ...]


def split(verdicts: Iterable[Verdict]) -> Groups:
    """Put each reference into its group."""
    attention: list[Verdict] = []
    undecided: list[Verdict] = []
    verified: list[Verdict] = []
    for one in verdicts:
        group = attention if needs_look(one) else verified if one.status is Status.VERIFIED else undecided
        group.append(one)
    return Groups(tuple(attention), tuple(undecided), tuple(verified))


def needs_look(verdict: Verdict) -> bool:
    """Tell whether a person should look at a reference."""
    return verdict.alarm is not Alarm.NONE or bool(verdict.flags) or verdict.status in _FINDINGS


def is_quiet(verdict: Verdict, least: Alarm) -> bool:
    """Tell whether an accusing status is shown but is no finding: its alarm is below the least that counts."""
    return verdict.status in _FINDINGS and _LOUDNESS.index(verdict.alarm) < _LOUDNESS.index(least)
