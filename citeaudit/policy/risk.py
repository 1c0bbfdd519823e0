"""The probability that a reference is wrong as cited: no such work, or a field that is not its work's."""

from __future__ import annotations

from citeaudit.policy.calibrated import Model, evidence, packaged, probability
from citeaudit.policy.case import Case
from citeaudit.policy.features import neutral, signs_of
from citeaudit.policy.table import table_risk


def risk_of(case: Case) -> float | None:
    """Give the risk at the policy's prior by the packaged model, or by the table where there is none.

    Nothing but the prior is taken from the policy: every preset gives the same risk. `None` if nothing answered.
    """
    return risk_under(case, packaged())


def risk_under(case: Case, model: Model | None) -> float | None:
    """Give the risk under a model; `None` in its place means the table."""
    plain = neutral(case)
    if model is None:
        return table_risk(plain, case.policy.prior)
    signs = signs_of(plain)
    return None if signs is None else probability(evidence(signs, model.weights), case.policy.prior)
