"""Tell new findings from those of an earlier report, so that a pipeline fails on new ones only.

A finding is old if the same reference (by fingerprint, `citeaudit.decisions.fingerprint.closest`) had the same or a
graver one in the earlier report. A louder alarm, a graver status, a further differing field, another value of a
differing field, or a further notice makes it new. A finding of the earlier report has gone away only if its reference
was judged this time, or is no longer in a document that was read to its end: an outage mends nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from citeaudit.decisions.fingerprint import closest
from citeaudit.decisions.saved import SavedReport, SavedRow, SavedVerdict, read_reports, rows
from citeaudit.model import Alarm, Audit, Flag, Outcome, Relation, Status, Unreadable, Verdict
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
    unjudged: tuple[str, ...] = ()
    """Those that were not judged this time, so that nothing is known of their findings, a line for each."""

    def sentence(self, name: str) -> str:
        """Give what came of it, for people.

        Args:
            name: Of the baseline.
        """
        parts = [
            f"{_number(len(self.old), 'finding')} of the baseline {name} not counted",
            f"{_number(len(self.new), 'new finding')}",
        ]
        parts += [_told(self.gone, "went away")] if self.gone else []
        parts += [_told(self.unjudged, "not judged this time, and kept")] if self.unjudged else []
        return "; ".join(parts)


class _Kept(NamedTuple):
    """A reference with findings in the baseline."""

    line: str
    document: str
    flagged: bool
    """Whether a notice, or another flag that counts, was among them."""


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
        self._kept: dict[str, _Kept] = {}
        held = tuple(reports)
        self._several = len(held) > 1
        for report, row in rows(held):
            mark = closest(row.reference())
            finding = _saved(row, report.least_alarm or Alarm.NONE, self.counted)
            if finding is not None:
                self._held.setdefault(mark, []).append(finding)
                self._kept.setdefault(mark, _Kept(_line(row), report.document.path, bool(finding.flags)))

    def knows(self, verdict: Verdict) -> bool:
        """Whether the finding on a reference is an old one."""
        finding = found(verdict, self.counted)
        return any(one.covers(finding) for one in self._held.get(closest(verdict.evidence.reference), ()))

    def compare(self, findings: Sequence[Verdict], results: Iterable[Audit | Unreadable] = ()) -> Compared:
        """Put the findings of a run beside those of the baseline.

        Args:
            findings: Verdicts that would count for the exit code, of every document of the run.
            results: Every document of the run; they tell what went away from what was not judged.
        """
        old = tuple(verdict for verdict in findings if self.knows(verdict))
        known = {id(verdict) for verdict in old}
        left = {closest(verdict.evidence.reference) for verdict in findings}
        run = _Run(results)
        gone: list[str] = []
        unjudged: list[str] = []
        for mark, kept in self._kept.items():
            if mark not in left:
                (gone if run.judged(mark, kept, several=self._several) else unjudged).append(kept.line)
        new = tuple(one for one in findings if id(one) not in known)
        return Compared(old, new, tuple(gone), tuple(unjudged))


class _Run:
    """What a run has judged."""

    def __init__(self, results: Iterable[Audit | Unreadable]) -> None:
        self._verdicts: dict[str, list[Verdict]] = {}
        self._whole: dict[str, bool] = {}
        for result in results:
            path = result.path if isinstance(result, Unreadable) else result.document.path
            whole = isinstance(result, Audit) and _is_whole(result)
            self._whole[_name(path)] = self._whole.get(_name(path), True) and whole
            for verdict in result.verdicts if isinstance(result, Audit) else ():
                self._verdicts.setdefault(closest(verdict.evidence.reference), []).append(verdict)

    def judged(self, mark: str, kept: _Kept, *, several: bool) -> bool:
        """Whether it is known that nothing is left of a finding.

        Args:
            mark: Of its reference.
            kept: What the baseline has of it.
            several: Whether the baseline is on several documents; one that is not in the run was not judged.
        """
        if verdicts := self._verdicts.get(mark):
            return all(_is_judged(verdict, flagged=kept.flagged) for verdict in verdicts)
        own = self._whole.get(_name(kept.document))
        return own if own is not None else not several and all(self._whole.values())


def _is_whole(audit: Audit) -> bool:
    """Whether a document was read to its end, as far as its reader can tell."""
    check = audit.self_check
    return not (audit.failed or check.labels_missing or check.read < (check.expected or 0))


def _is_judged(verdict: Verdict, *, flagged: bool) -> bool:
    if any(reason.code == DECIDED for reason in verdict.reasons[:1]):
        return True
    if flagged and any(lookup.outcome is Outcome.UNAVAILABLE for lookup in verdict.evidence.lookups):
        return False
    return verdict.status not in (Status.UNDECIDED, Status.UNPARSED)


def _name(path: str) -> str:
    """Give the name of a document, by which it is known again in another folder."""
    return path.replace("\\", "/").rpartition("/")[2]


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


def _told(lines: Sequence[str], what: str) -> str:
    more = f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
    return f"{len(lines)} {what}: {', '.join(lines[:_SHOWN])}{more}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
