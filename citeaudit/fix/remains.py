"""What a person must find out about a reference, whatever is changed in it."""

from __future__ import annotations

from collections.abc import Iterator

from citeaudit.model import Flag, Status, Verdict
from citeaudit.policy.decisions import is_settled

_NOTICES = {
    Flag.RETRACTED: "The work has been retracted: read the notice, then say so in the entry or cite another work.",
    Flag.WITHDRAWN: "The work has been withdrawn: read the notice, then say so in the entry or cite another work.",
    Flag.CONCERN: "An expression of concern has been published about the work: read it before you rely on the work.",
}
_ACKNOWLEDGED = "retraction_acknowledged"
_MAX_REASON = 300


def remains(verdict: Verdict) -> tuple[str, ...]:
    """Give what no record can settle about a reference, one neutral sentence each; empty where nothing is open.

    Notices are told even where a person has decided about the rest, unless the entry names them itself.
    """
    return (*_notices(verdict), *(() if is_settled(verdict) else _open(verdict)))


def _notices(verdict: Verdict) -> Iterator[str]:
    if any(reason.code == _ACKNOWLEDGED for reason in verdict.reasons):
        return
    for flag, sentence in _NOTICES.items():
        if flag in verdict.flags:
            yield sentence


def _open(verdict: Verdict) -> Iterator[str]:
    match verdict.status:
        case Status.UNDECIDED:
            why = next((reason.text for reason in verdict.reasons), "")[:_MAX_REASON]
            yield f"Undecided, look it up: {why}" if why else "Undecided: look it up."
        case Status.UNPARSED:
            yield "The entry says too little to be looked up: complete it."
        case Status.NOT_CHECKABLE:
            yield "A work of a kind that no source here lists: look it up."
        case _:
            return
