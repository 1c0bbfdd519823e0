"""Fourth agent: quotations against the text of their sources."""

from __future__ import annotations

from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.model import Evidence, QuoteCheck, QuoteStatus


class ScholarAgent:
    """Says which quotations wait to be checked; reading full texts is not part of this version."""

    def __init__(self, toolbox: Toolbox) -> None:
        """Keep the toolbox."""
        self._tools = toolbox

    async def __call__(self, evidences: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
        """Give the evidence with one check a quotation, each skipped and saying why."""
        total = sum(len(evidence.reference.quotes) for evidence in evidences)
        told = "1 quote" if total == 1 else f"{total or 'no'} quotes"
        message = f"{told}: skipped, no full text is read" if total else f"{told}: skipped"
        self._tools.tell(Event("scholar", message, total, max(total, 1)))  # without quotes only a listener hears it
        return tuple(_skip(evidence) for evidence in evidences)


def _skip(evidence: Evidence) -> Evidence:
    checks = tuple(
        QuoteCheck(text=quote.text, status=QuoteStatus.SKIPPED, reason="full texts are not read by this version")
        for quote in evidence.reference.quotes
    )
    return evidence.model_copy(update={"quote_checks": evidence.quote_checks + checks}) if checks else evidence
