"""The flags of a verdict, and how loudly a person should be called."""

from __future__ import annotations

from citeaudit.model import BAD_QUOTES, Alarm, Flag, Reason, Status
from citeaudit.policy.case import Case
from citeaudit.policy.grave import kinds_against
from citeaudit.policy.notices import acknowledged, beside, notices, told
from citeaudit.policy.words import REASONS, listed, quoted, reason_of, verb

STRONG_KINDS = 2
"""Independent kinds of evidence that a STRONG alarm needs."""
DOUBT = 0.5
"""Doubt of a judge about the reading from which a STRONG alarm is lowered to REVIEW."""

_GRAVE = (Flag.RETRACTED, Flag.WITHDRAWN)


def flags_of(case: Case) -> tuple[tuple[Flag, ...], tuple[Reason, ...]]:
    """Give the flags in the order of `Flag`, and a reason for each."""
    flags: set[Flag] = set()
    reasons: list[Reason] = []
    for flag, names in notices(case).items():
        if flag in _GRAVE and case.reference.acknowledged:
            reasons.append(acknowledged(flag, names))
        else:
            flags.add(flag)
            said = f"{listed(names)} {verb(names, 'records', 'record')}: {REASONS[flag.value].lower()}"
            reasons.append(reason_of(flag.value, said, names))
    reasons += map(told, beside(case))
    if case.evidence.duplicate_of is not None:
        flags.add(Flag.DUPLICATE)
        reasons.append(reason_of("duplicate", f"Reference {case.evidence.repeats} denotes the same work."))
    if case.reference.cited is False:
        flags.add(Flag.UNCITED)
        reasons.append(reason_of("uncited", "The text does not cite this reference."))
    bad = [check for check in case.evidence.quote_checks if check.status in BAD_QUOTES]
    if bad:
        flags.add(Flag.QUOTE)
        reasons += [
            reason_of("quote_not_found", f"Quotation {quoted(check.text)}: {check.status.value}.") for check in bad
        ]
    return tuple(flag for flag in Flag if flag in flags), tuple(reasons)


def alarm_of(case: Case, status: Status, flags: tuple[Flag, ...]) -> tuple[Alarm, tuple[Reason, ...]]:
    """Say how loudly to call a person, and what kept the call quiet."""
    grave = any(flag in flags for flag in _GRAVE)
    accused = status in (Status.MISMATCHED, Status.NOT_FOUND)
    if not accused and not grave:
        unclear = status is Status.UNDECIDED and case.best is None and bool(case.foreign)
        unclear = unclear or not all(item.usual for item in beside(case))
        calm = Flag.CONCERN not in flags and Flag.QUOTE not in flags and not unclear
        return (Alarm.NONE if calm else Alarm.REVIEW), _opinion(case)
    strong = grave or len(kinds_against(case)) >= STRONG_KINDS
    if not strong or not case.paper or status is Status.UNDECIDED:
        return Alarm.REVIEW, _opinion(case)
    if not case.sound:
        score = f"parse score {case.reference.parse_score:.2f}"
        text = f"The reading is uncertain ({score}); a person should compare it with the document first."
        return Alarm.REVIEW, (reason_of("low_parse", text), *_opinion(case))
    doubtful = case.evidence.opinion is not None and case.evidence.opinion.parse_doubt >= DOUBT
    return (Alarm.REVIEW if doubtful else Alarm.STRONG), _opinion(case)


def _opinion(case: Case) -> tuple[Reason, ...]:
    opinion = case.evidence.opinion
    return () if opinion is None else (reason_of("opinion", f"{opinion.judge}: {opinion.text}"),)
