"""The flags of a verdict, and how loudly a person should be called."""

from __future__ import annotations

from citeaudit.model import Alarm, Flag, NoticeType, QuoteStatus, Reason, Status
from citeaudit.policy.case import Case
from citeaudit.policy.grave import kinds_against
from citeaudit.policy.words import REASONS, listed, quoted, reason_of

STRONG_KINDS = 2
"""Independent kinds of evidence that a STRONG alarm needs."""
DOUBT = 0.5
"""Doubt of a judge about the reading from which a STRONG alarm is lowered to REVIEW."""

_FLAG_OF = {
    NoticeType.RETRACTION: Flag.RETRACTED,
    NoticeType.WITHDRAWAL: Flag.WITHDRAWN,
    NoticeType.CONCERN: Flag.CONCERN,
    NoticeType.CORRECTION: Flag.CORRECTED,
}
_GRAVE = (Flag.RETRACTED, Flag.WITHDRAWN)
_BAD_QUOTE = (QuoteStatus.NOT_FOUND, QuoteStatus.WRONG_PAGE, QuoteStatus.CLOSE_MATCH)


def flags_of(case: Case) -> tuple[tuple[Flag, ...], tuple[Reason, ...]]:
    """Give the flags in the order of `Flag`, and a reason for each."""
    flags: set[Flag] = set()
    reasons: list[Reason] = []
    for flag, names in _notices(case).items():
        if flag in _GRAVE and case.reference.acknowledged:
            text = f"{listed(names)} lists the work as {flag.value}, and the citation says so."
            reasons.append(reason_of("retraction_acknowledged", text, names))
        else:
            flags.add(flag)
            reasons.append(reason_of(flag.value, f"{listed(names)} records: {REASONS[flag.value].lower()}", names))
    if case.evidence.duplicate_of is not None:
        flags.add(Flag.DUPLICATE)
        reasons.append(reason_of("duplicate", f"Reference {case.evidence.duplicate_of} denotes the same work."))
    if case.reference.cited is False:
        flags.add(Flag.UNCITED)
        reasons.append(reason_of("uncited", "The text does not cite this reference."))
    bad = [check for check in case.evidence.quote_checks if check.status in _BAD_QUOTE]
    if bad:
        flags.add(Flag.QUOTE)
        reasons += [
            reason_of("quote_not_found", f"Quotation {quoted(check.text)}: {check.status.value}.") for check in bad
        ]
    return tuple(flag for flag in Flag if flag in flags), tuple(reasons)


def _notices(case: Case) -> dict[Flag, tuple[str, ...]]:
    seen: dict[Flag, set[str]] = {}
    for candidate in case.noticed:
        for notice in candidate.work.notices:
            seen.setdefault(_FLAG_OF[notice.type], set()).add(candidate.work.source)
    return {flag: tuple(sorted(seen[flag])) for flag in Flag if flag in seen}


def alarm_of(case: Case, status: Status, flags: tuple[Flag, ...]) -> tuple[Alarm, tuple[Reason, ...]]:
    """Say how loudly to call a person, and what kept the call quiet."""
    notices = any(flag in flags for flag in _GRAVE)
    accused = status in (Status.MISMATCHED, Status.NOT_FOUND)
    if not accused and not notices:
        unclear = status is Status.UNDECIDED and case.best is None and bool(case.foreign)
        calm = Flag.CONCERN not in flags and Flag.QUOTE not in flags and not unclear
        return (Alarm.NONE if calm else Alarm.REVIEW), _opinion(case)
    strong = notices or len(kinds_against(case)) >= STRONG_KINDS
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
