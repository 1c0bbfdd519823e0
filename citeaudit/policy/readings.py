"""Two readings of one printed reference: what the reader made of it, and what a model made of it.

The verdict on the first is the one that would be given without a model. The second may settle what was open and
may soften what counted against the reference. It never accuses, never turns an accusation into a confirmation,
and never takes a notice about the work away.
"""

from __future__ import annotations

from citeaudit.model import Alarm, Evidence, Lookup, Policy, Reason, Status, Verdict
from citeaudit.policy.decide import ACCUSING, decide
from citeaudit.policy.decisions import apply
from citeaudit.policy.words import quoted, reason_of


def conclude(as_read: Evidence, repaired: Evidence | None, policy: Policy) -> Verdict:
    """Conclude from both readings of one reference.

    Args:
        as_read: Everything known about the reference as the reader read it.
        repaired: Everything known about the reading of a model; `None` where there is none.
        policy: The knobs of the preset in force.

    Returns:
        The verdict on the first reading unless the second is better for the reference; with a second reading, its
        evidence holds the lookups of both. Pure; never raises.
    """
    first = decide(as_read, policy)
    if repaired is None:
        return first
    verdict = apply(_weigh(first, decide(repaired, policy)))
    lookups = _joined(as_read.lookups, repaired.lookups)
    return verdict.model_copy(update={"evidence": verdict.evidence.model_copy(update={"lookups": lookups})})


def _weigh(first: Verdict, second: Verdict) -> Verdict:
    if first.status is Status.VERIFIED or second.best is None:
        return first
    if first.status in ACCUSING:
        return _softened(first, second)
    if second.status is Status.VERIFIED and set(first.flags) <= set(second.flags):
        return second.model_copy(update={"reasons": (*second.reasons, _note(second))})
    return first.model_copy(update={"reasons": (*first.reasons, _note(second))})


def _softened(first: Verdict, second: Verdict) -> Verdict:
    """Leave to a person what one reading holds against the reference and the other does not."""
    if first.status is Status.MISMATCHED and second.status is not Status.VERIFIED:
        return first
    risks = [risk for risk in (first.risk, second.risk) if risk is not None]
    softer = {
        "status": Status.UNDECIDED,
        "alarm": Alarm.REVIEW,  # accusations are never below it, so this is never louder
        "reasons": (_note(second), *first.reasons),
        "risk": min(risks, default=None),
    }
    return first.model_copy(update=softer)


def _note(second: Verdict) -> Reason:
    title = quoted(second.evidence.reference.title or "without a title")
    agrees = second.status is Status.VERIFIED
    how = "agrees" if agrees else "is of that work but differs, which does not count"
    source = second.best.work.source if second.best else ""
    text = f"A model read the title in the printed text as {title}; the record in {source} {how}."
    return reason_of("repaired_reading", text, (source,))


def _joined(first: tuple[Lookup, ...], second: tuple[Lookup, ...]) -> tuple[Lookup, ...]:
    """Give all lookups, each question to each source once."""
    asked = {(lookup.source, lookup.lineage, lookup.query) for lookup in first}
    return first + tuple(lookup for lookup in second if (lookup.source, lookup.lineage, lookup.query) not in asked)
