"""Put status, flags, alarm and risk together into a verdict."""

from __future__ import annotations

from citeaudit.model import Evidence, Policy, Reason, Status, Verdict
from citeaudit.policy.alarm import alarm_of, flags_of
from citeaudit.policy.case import Case
from citeaudit.policy.decisions import apply, capped, narrowed, unruled
from citeaudit.policy.risk import risk_of
from citeaudit.policy.status import STATUS_RULES
from citeaudit.policy.words import reason_of

RULES_VERSION = "4"
"""Version of these rules and of those in `citeaudit.match`; raised whenever a verdict may change."""

ACCUSING = frozenset({Status.MISMATCHED, Status.NOT_FOUND})
"""Statuses that count against a reference."""


def decide(evidence: Evidence, policy: Policy) -> Verdict:
    """Conclude from everything known about one reference.

    Args:
        evidence: Candidates as weighed by `citeaudit.match.rank`, lookups as settled there.
        policy: The knobs of the preset in force.

    Returns:
        The verdict, the deciding reason first. Pure; never raises.
    """
    former = unruled(evidence)
    verdict = _drawn(narrowed(evidence), policy)
    return apply(verdict if former is None else capped(verdict, _drawn(former, policy)))


def _drawn(evidence: Evidence, policy: Policy) -> Verdict:
    """Conclude without regard to what a person decided."""
    case = Case(evidence, policy)
    status, reasons = next(result for rule in STATUS_RULES if (result := rule(case)) is not None)
    reference = evidence.reference
    if (reference.repaired or reference.recognised) and status in ACCUSING:
        status, reasons = Status.UNDECIDED, (_held(status, recognised=reference.recognised), *reasons)
    flags, remarks = flags_of(case)
    alarm, cautions = alarm_of(case, status, flags)
    shown = case.best or (case.named if _names_another(status, reasons) else None)
    return Verdict(
        status=status,
        alarm=alarm,
        flags=flags,
        reasons=(*reasons, *remarks, *cautions),
        risk=risk_of(case),
        best=shown.candidate if shown else None,
        fields=shown.fields if shown else (),
        outage=status is Status.UNDECIDED and bool(case.failed),
        evidence=evidence,
    )


def _names_another(status: Status, reasons: tuple[Reason, ...]) -> bool:
    """Whether the conclusion, nothing being anchored, rests on a record that a cited identifier names."""
    return status is Status.MISMATCHED or reasons[0].code == "second_opinion_missing"


def _held(status: Status, *, recognised: bool) -> Reason:
    outcome = "no record fits it" if status is Status.NOT_FOUND else "the record differs from it"
    if recognised:
        text = f"The characters were recognised from an image, and {outcome}; compare it with the page first."
        return reason_of("recognised_reading", text)
    text = f"The fields were read by a model, and {outcome}; a model's reading does not count against a reference."
    return reason_of("repaired_reading", text)
