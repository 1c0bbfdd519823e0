"""What people have decided about the references of a document, put beside the evidence before anything is asked."""

from __future__ import annotations

from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.decisions.fingerprint import closest
from citeaudit.model import Decision, Evidence, Locus, Reference, Ruling


def attach(evidences: tuple[Evidence, ...], tools: Toolbox) -> tuple[Evidence, ...]:
    """Give the evidence with the decision that holds for each reference.

    A decision is looked up by what the reader read, then by a model's reading of the same reference; both share it.
    Where nobody decided, the author's own remark in the manuscript counts as `known good` if the settings allow it
    (`decisions.from_manuscript`).
    """
    if tools.decisions.damage:
        tools.tell(Event("memory", tools.decisions.damage))
    decided = {one.index: found for one in reversed(evidences) if (found := _decision(one.reference, tools))}
    if not decided:
        return evidences
    tools.tell(Event("memory", f"{len(decided)} decided by a person"))
    return tuple(
        one.model_copy(update={"decision": decided[one.index]}) if one.index in decided else one for one in evidences
    )


def _decision(reference: Reference, tools: Toolbox) -> Decision | None:
    found = tools.decisions.find(reference)
    if found is not None or not reference.remark or reference.repaired or not tools.settings.decisions.from_manuscript:
        return found
    return Decision(
        fingerprint=closest(reference),
        ruling=Ruling.KNOWN_GOOD,
        reason=reference.remark,
        by=f"the author, {_where(reference.locus)}",
    )


def _where(locus: Locus) -> str:
    line = f" line {locus.line}" if locus.line else ""
    return f"{locus.path or 'in the manuscript'}{line}"
