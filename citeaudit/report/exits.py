"""The exit code of a run, from its results."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from citeaudit.model import Audit, Flag, Status, Unreadable


class Exit(IntEnum):
    """What the exit code of a run says; the documented contract with scripts and CI."""

    CLEAN = 0
    """Everything asked for was decided, and nothing that counts was found."""
    FINDINGS = 1
    """At least one reference has a status or flag named by `--fail-on`."""
    UNDECIDED = 2
    """A source failed, and at least one reference could not be decided for it; run again to resume."""
    USAGE = 3
    """The call or a setting is wrong; nothing was audited."""
    UNREADABLE = 4
    """A document, or a part of it that should be a reference, could not be read."""


_PRECEDENCE = (Exit.USAGE, Exit.UNDECIDED, Exit.FINDINGS, Exit.UNREADABLE, Exit.CLEAN)
"""Several at once: the first of these that occurs."""


def exit_code(results: Iterable[Audit | Unreadable], fail_on: Iterable[Status | Flag]) -> Exit:
    """Give the exit code over all documents of a run."""
    counted = frozenset(fail_on)
    seen = {_of(result, counted) for result in results}
    return next((code for code in _PRECEDENCE if code in seen), Exit.CLEAN)


def _of(result: Audit | Unreadable, counted: frozenset[Status | Flag]) -> Exit:
    if isinstance(result, Unreadable):
        return Exit.UNREADABLE
    if any(verdict.outage for verdict in result.verdicts):
        return Exit.UNDECIDED
    if any(verdict.status in counted or counted.intersection(verdict.flags) for verdict in result.verdicts):
        return Exit.FINDINGS
    if result.failed or (result.verdicts and all(one.status is Status.UNPARSED for one in result.verdicts)):
        return Exit.UNREADABLE
    return Exit.CLEAN
