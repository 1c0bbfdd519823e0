"""How many references ended how: what a person has decided is counted as that, not under the status it leaves."""

from __future__ import annotations

from citeaudit.model import Audit, Status, Verdict
from citeaudit.report.groups import is_decided


def by_status(audit: Audit) -> tuple[tuple[Status, int], ...]:
    """Give how many references have each status that occurs, those left out that a person has decided about."""
    counts = dict.fromkeys(Status, 0)
    for verdict in audit.verdicts:
        counts[verdict.status] += not is_decided(verdict)
    return tuple((status, number) for status, number in counts.items() if number)


def decided(audit: Audit) -> int:
    """Give how many references a person has decided about, so that their status is no finding."""
    return sum(map(is_decided, audit.verdicts))


def decided_words(audit: Audit) -> tuple[str, ...]:
    """Give the same in words, the authors' own remarks apart; empty where there is none."""
    own = sum(map(_by_author, audit.verdicts))
    others = decided(audit) - own
    told = (f"{others} decided by a person" if others else "", f"{own} by the author's remark" if own else "")
    return tuple(filter(None, told))


def is_new(verdict: Verdict, audit: Audit) -> bool:
    """Tell whether a reference has a finding that the baseline of the run has not."""
    return verdict.evidence.index in (audit.new or ())


def _by_author(verdict: Verdict) -> bool:
    decision = verdict.evidence.decision
    return decision is not None and decision.by_author and is_decided(verdict)
