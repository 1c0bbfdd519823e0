"""The risk by a table of likelihood ratios: what is used where the fitted model cannot be read."""

from __future__ import annotations

from citeaudit.model import Coverage, Outcome, Rank
from citeaudit.policy.case import Case

# How much more often the answer comes for a reference without a work than for one with a work: orders of magnitude,
# not calibrated, and errors in fields do not enter.
LR_EXACT = 1 / 2_000
LR_ANCHORED = 1 / 200
LR_POSSIBLE = 1 / 4
LR_NO_MATCH = 8.0
LR_NO_MATCH_AUTHORITATIVE = 40.0
LR_IDENTIFIER = 15.0

_ANSWERED = (Outcome.FOUND, Outcome.NO_MATCH, Outcome.AMBIGUOUS)


def table_risk(case: Case, prior: float) -> float | None:
    """Give the risk by the table; `None` if nothing answered.

    Prior odds times likelihood ratios; independent answers multiply, fields do not enter.
    """
    answered = any(item.outcome in _ANSWERED for item in case.evidence.lookups)
    if not answered and not case.evidence.candidates:
        return None
    odds = prior / (1.0 - prior)
    if case.anchored:
        exact = any(item.rank is Rank.EXACT for item in case.anchored)
        odds *= LR_EXACT if exact else LR_ANCHORED
    else:
        odds *= LR_POSSIBLE if case.ambiguous else 1.0
        odds *= LR_IDENTIFIER if case.foreign or case.dead else 1.0
        for lineage in sorted(case.lineages):
            strong = any(item.lineage == lineage and item.coverage is Coverage.AUTHORITATIVE for item in case.silent)
            odds *= LR_NO_MATCH_AUTHORITATIVE if strong else LR_NO_MATCH
    return odds / (1.0 + odds)
