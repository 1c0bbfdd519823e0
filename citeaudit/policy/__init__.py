"""Turn evidence into a verdict: a pure function over small rules, each with a name.

What the statuses promise stands in `citeaudit.model.verdict.Status`. The order of lookups and candidates
does not matter; a source that failed never accuses; a judge's opinion only annotates or lowers the alarm; a
model's reading of a reference settles what was open, and never accuses.
"""

from citeaudit.policy.decide import RULES_VERSION, decide
from citeaudit.policy.readings import conclude
from citeaudit.policy.words import REASONS

__all__ = ["REASONS", "RULES_VERSION", "conclude", "decide"]
