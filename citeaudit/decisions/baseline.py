"""Tell new findings from those of an earlier report, so that a pipeline fails on new ones only.

A finding is old if the same reference (by fingerprint, `citeaudit.decisions.fingerprint.closest`) had the same or a
graver one in the earlier report. A louder alarm, a graver status, a further differing field, another value of a
differing field, or a further notice makes it new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from citeaudit.decisions.fingerprint import closest
from citeaudit.decisions.saved import SavedReport, SavedRow, SavedVerdict, read_reports, rows
from citeaudit.model import Alarm, Flag, Relation, Status, Verdict
from citeaudit.text.normalize import key
from citeaudit.text.visible import shorten, visible

DECIDED = "decided_by_person"
"""Reason code of a reference that a person had settled: it was no finding then."""

_LOUD: Mapping[Alarm, int] = MappingProxyType({Alarm.NONE: 0, Alarm.REVIEW: 1, Alarm.STRONG: 2})
_GRAVE: Mapping[Status, int] = MappingProxyType(
    {
        Status.VERIFIED: 0,
        Status.NOT_CHECKABLE: 1,
        Status.UNDECIDED: 1,
        Status.UNPARSED: 1,
        Status.MISMATCHED: 2,
        Status.NOT_FOUND: 3,
    }
)
_SHOWN = 10
_WIDTH = 80


class Finding(NamedTuple):
    """What speaks against one reference."""

    status: Status
    alarm: Alarm
    differing: frozenset[tuple[str, str]]
    """Fields that differ, each with what was claimed, folded."""
    flags: frozenset[Flag]
    """Those that count."""

    def covers(self, later: Finding) -> bool:
        """Whether a later finding is the same as this one, or less grave."""
        graver = _GRAVE[self.status] > _GRAVE[later.status]
        same = self.status is later.status and later.differing <= self.differing
        return (graver or same) and _LOUD[later.alarm] <= _LOUD[self.alarm] and later.flags <= self.flags


class Compared(NamedTuple):
    """The findings of a run beside those of a baseline."""

    old: tuple[Verdict, ...]
    """Findings that the baseline has."""
    new: tuple[Verdict, ...]
    gone: tuple[str, ...]
    """References of the baseline's findings of which no finding is left, a line for each."""

    def sentence(self, name: str) -> str:
        """Give what came of it, for people.

        Args:
            name: Of the baseline.
        """
        parts = [
            f"{_number(len(self.old), 'finding')} of the baseline {name} not counted",
            f"{_number(len(self.new), 'new finding')}",
        ]
        if self.gone:
            more = f" and {len(self.gone) - _SHOWN} more" if len(self.gone) > _SHOWN else ""
            parts.append(f"{len(self.gone)} went away: {', '.join(self.gone[:_SHOWN])}{more}")
        return "; ".join(parts)


class Baseline:
    """The findings of an earlier report.

    Args:
        reports: On one document or several.
        counted: Statuses and flags that count in this run.
        name: As it is told of.
    """

    def __init__(self, reports: Iterable[SavedReport], counted: Iterable[Status | Flag], name: str) -> None:
        self.name = name
        self.counted = frozenset(counted)
        self._held: dict[str, list[Finding]] = {}
        self._named: dict[str, str] = {}
        for report, row in rows(tuple(reports)):
            mark = closest(row.reference())
            finding = _saved(row, report.least_alarm or Alarm.NONE, self.counted)
            if finding is not None:
                self._held.setdefault(mark, []).append(finding)
                self._named.setdefault(mark, _line(row))

    def knows(self, verdict: Verdict) -> bool:
        """Whether the finding on a reference is an old one."""
        finding = found(verdict, self.counted)
        return any(one.covers(finding) for one in self._held.get(closest(verdict.evidence.reference), ()))

    def compare(self, findings: Sequence[Verdict]) -> Compared:
        """Put the findings of a run beside those of the baseline.

        Args:
            findings: Verdicts that would count for the exit code, of every document of the run.
        """
        old = tuple(verdict for verdict in findings if self.knows(verdict))
        known = {id(verdict) for verdict in old}
        left = {closest(verdict.evidence.reference) for verdict in findings}
        gone = tuple(named for mark, named in self._named.items() if mark not in left)
        return Compared(old, tuple(one for one in findings if id(one) not in known), gone)


def read_baseline(path: Path, counted: Iterable[Status | Flag]) -> Baseline:
    """Read a JSON report as a baseline.

    Raises:
        UsageError: It is missing, no JSON report, or of another version.
    """
    return Baseline(read_reports(path), counted, visible(path.name))


def found(verdict: Verdict, counted: frozenset[Status | Flag]) -> Finding:
    """Give what speaks against a reference; a status that a person has settled or that is not counted is none."""
    codes = [reason.code for reason in verdict.reasons]
    fields = ((item.field.value, item.claimed, item.relation) for item in verdict.fields)
    return _finding(verdict, codes, fields, counted)


def _saved(row: SavedRow, least: Alarm, counted: frozenset[Status | Flag]) -> Finding | None:
    """Give the finding of a saved verdict; `None` where it was none."""
    codes = [reason.code for reason in row.verdict.reasons]
    fields = ((item.field, item.claimed, item.relation) for item in row.fields)
    finding = _finding(row.verdict, codes, fields, counted)
    quiet = _GRAVE[finding.status] >= _GRAVE[Status.MISMATCHED] and _LOUD[finding.alarm] < _LOUD[least]
    if quiet or finding.status is Status.VERIFIED:
        finding = finding._replace(status=Status.VERIFIED, differing=frozenset())
        return finding if finding.flags or Status.VERIFIED in counted else None
    return finding


def _finding(
    verdict: Verdict | SavedVerdict,
    codes: Sequence[str],
    fields: Iterable[tuple[str, str | None, Relation]],
    counted: frozenset[Status | Flag],
) -> Finding:
    flags = frozenset(flag for flag in verdict.flags if flag in counted)
    if verdict.status not in counted or codes[:1] == [DECIDED]:
        return Finding(Status.VERIFIED, verdict.alarm, frozenset(), flags)
    differing = frozenset((name, key(claimed or "")) for name, claimed, how in fields if how is Relation.DIFFERENT)
    return Finding(verdict.status, verdict.alarm, differing, flags)


def _line(row: SavedRow) -> str:
    name = row.label or str(row.index)
    return shorten(visible(f"{name} ({row.title or row.raw})"), _WIDTH)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
