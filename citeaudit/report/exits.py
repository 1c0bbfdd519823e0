"""The exit code of a run, from its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import IntEnum

from citeaudit.model import Alarm, Audit, Flag, Status, Unreadable, Verdict
from citeaudit.policy.decisions import is_settled
from citeaudit.report.groups import is_quiet


class Exit(IntEnum):
    """What the exit code of a run says; the documented contract with scripts and CI."""

    CLEAN = 0
    """Everything asked for was decided, and nothing that counts was found."""
    FINDINGS = 1
    """A reference has a status or flag named by `--fail-on`; an accusing status below `least_alarm` is none."""
    UNDECIDED = 2
    """A source failed, and at least one reference could not be decided for it; run again to resume."""
    USAGE = 3
    """The call or a setting is wrong; nothing was audited."""
    UNREADABLE = 4
    """A document, or a part of it that should be a reference, could not be read."""


_PRECEDENCE = (Exit.USAGE, Exit.UNDECIDED, Exit.FINDINGS, Exit.UNREADABLE, Exit.CLEAN)
"""Several at once: the first of these that occurs."""


def _never(verdict: Verdict) -> bool:
    del verdict
    return False


def exit_code(
    results: Iterable[Audit | Unreadable],
    fail_on: Iterable[Status | Flag],
    is_old: Callable[[Verdict], bool] = _never,
) -> Exit:
    """Give the exit code over all documents of a run, each under the least alarm of its own audit.

    Args:
        results: One a document.
        fail_on: Statuses and flags that count.
        is_old: Whether a finding is in the baseline, and so does not count.
    """
    counted = frozenset(fail_on)
    seen = {_of(result, counted, is_old) for result in results}
    return next((code for code in _PRECEDENCE if code in seen), Exit.CLEAN)


def is_finding(verdict: Verdict, counted: frozenset[Status | Flag], least: Alarm) -> bool:
    """Tell whether a verdict counts for the exit code.

    Args:
        verdict: The conclusion about one reference.
        counted: Statuses and flags that count (`fail_on`).
        least: Alarm under which an accusing status is shown but does not count; flags count at any alarm.
    """
    named = verdict.status in counted and not is_quiet(verdict, least) and not is_settled(verdict)
    return named or bool(counted.intersection(verdict.flags))


def findings(audit: Audit, counted: frozenset[Status | Flag]) -> tuple[Verdict, ...]:
    """Give the verdicts of a document that count for the exit code, in its order."""
    return tuple(verdict for verdict in audit.verdicts if is_finding(verdict, counted, audit.least_alarm))


def _of(result: Audit | Unreadable, counted: frozenset[Status | Flag], is_old: Callable[[Verdict], bool]) -> Exit:
    if isinstance(result, Unreadable):
        return Exit.UNREADABLE
    if any(verdict.outage for verdict in result.verdicts):
        return Exit.UNDECIDED
    if not all(map(is_old, findings(result, counted))):
        return Exit.FINDINGS
    if result.failed or (result.verdicts and all(map(_is_unread, result.verdicts))):
        return Exit.UNREADABLE
    return Exit.CLEAN


def _is_unread(verdict: Verdict) -> bool:
    return verdict.status is Status.UNPARSED and not is_settled(verdict)
