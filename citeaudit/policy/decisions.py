"""What a person's decision does to a verdict.

It never hides what was found: a reason says who decided what, why and when, and the evidence stays. Nor does it
silence notices about the work, quotations that are not there, or what the text does not cite.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from citeaudit.match.rank import rank, settle
from citeaudit.model import (
    IDENTIFIER_KINDS,
    Alarm,
    Candidate,
    Decision,
    Evidence,
    Flag,
    Lookup,
    Outcome,
    Rank,
    Reason,
    Ruling,
    Status,
    Verdict,
)
from citeaudit.policy.words import listed, quoted, reason_of

REJECTED = "person_rejected"
"""Anchor of a record that a person has ruled out."""
DECIDED = "decided_by_person"
"""Code of the reason that tells a decision."""

_NOTICES = frozenset({Flag.RETRACTED, Flag.WITHDRAWN})
_ACCUSING = (Status.MISMATCHED, Status.NOT_FOUND)
"""Statuses that count against a reference, the graver last."""
_ALARMS = (Alarm.NONE, Alarm.REVIEW, Alarm.STRONG)
_SPOKEN = frozenset({Flag.CONCERN, Flag.QUOTE})
_SETTLING = frozenset({Ruling.KNOWN_GOOD, Ruling.BAD_READING, Ruling.NOT_CHECKABLE})
_MEANS: Mapping[Ruling, str] = MappingProxyType(
    {
        Ruling.KNOWN_GOOD: "the reference is right as cited, so what differs is no finding",
        Ruling.WRONG_RECORD: "that record is another work, so it does not count",
        Ruling.BAD_READING: "the text was read wrongly, so what differs is not the author's",
        Ruling.NOT_CHECKABLE: "the source is known and in no index, so silence is no finding",
    }
)


def narrowed(evidence: Evidence) -> Evidence:
    """Give the evidence without the records that a person has ruled out: kept, but rejected.

    Answers by words that found nothing else have found no match, as where every record is another work by itself.
    Idempotent.
    """
    decision = evidence.decision
    if decision is None or decision.ruling is not Ruling.WRONG_RECORD or not evidence.candidates:
        return evidence
    weighed = tuple(_rejected(item) if _place(item) in decision.records else item for item in evidence.candidates)
    out = {_place(item) for item in weighed if item.rank is Rank.REJECTED}
    lookups = tuple(_without(lookup, out, decision) for lookup in evidence.lookups)
    return evidence.model_copy(update={"candidates": weighed, "lookups": lookups})


def unruled(evidence: Evidence) -> Evidence | None:
    """Give the evidence as it is without a ruling on records, also where `narrowed` has acted already.

    `None` where no record that was found has been ruled out.
    """
    decision = evidence.decision
    if decision is None or decision.ruling is not Ruling.WRONG_RECORD:
        return None
    if not any(_place(item) in decision.records for item in evidence.candidates):
        return None
    lookups = tuple(settle(evidence.reference, _reopened(lookup)) for lookup in evidence.lookups)
    weighed = rank(evidence.reference, lookups)
    return evidence.model_copy(update={"decision": None, "lookups": lookups, "candidates": weighed})


def _reopened(lookup: Lookup) -> Lookup:
    """Give an answer by words as it came, before its records were seen against the reference."""
    words = lookup.query.kind not in IDENTIFIER_KINDS and lookup.outcome is Outcome.NO_MATCH
    return lookup.model_copy(update={"outcome": Outcome.FOUND}) if words and lookup.candidates else lookup


def capped(verdict: Verdict, former: Verdict) -> Verdict:
    """Give the verdict without records that were ruled out, never graver than the one with them.

    Who rules a record out says that it is another work, and nothing against the reference: what then counts against it
    and did not before is left open, and the alarm is at most what it was.
    """
    alarm = min(verdict.alarm, former.alarm, key=_ALARMS.index)
    if _gravity(verdict.status) <= _gravity(former.status):
        return verdict.model_copy(update={"alarm": alarm})
    text = "Without the records that a person has ruled out, what else was found or not found would count against it."
    reasons = (reason_of("held_by_decision", text), *verdict.reasons)
    return verdict.model_copy(update={"status": Status.UNDECIDED, "alarm": alarm, "reasons": reasons})


def _gravity(status: Status) -> int:
    return _ACCUSING.index(status) if status in _ACCUSING else -1


def apply(verdict: Verdict) -> Verdict:
    """Give the verdict as a person's decision leaves it; one without a decision or remark comes back as it is.

    KNOWN_GOOD leaves the status as the rules gave it, quiet. BAD_READING makes what was not verified UNPARSED,
    NOT_CHECKABLE makes it NOT_CHECKABLE. WRONG_RECORD has acted before (`narrowed`, `capped`) and is only told. The
    author's own remark that no decision rests on is shown and does nothing. Never more accusing; idempotent.
    """
    decision = verdict.evidence.decision
    if decision is None or not decision.by_author:
        verdict = _remarked(verdict)
    if decision is None:
        return verdict
    told = remark(decision)
    others = tuple(reason for reason in verdict.reasons if reason.code != DECIDED)
    if decision.ruling is Ruling.WRONG_RECORD:
        return verdict.model_copy(update={"reasons": (*others, told)})
    changed: dict[str, object] = {"reasons": (told, *others), "alarm": _alarm(verdict)}
    if decision.ruling is not Ruling.KNOWN_GOOD and verdict.status is not Status.VERIFIED:
        reading = decision.ruling is Ruling.BAD_READING
        changed |= {"status": Status.UNPARSED if reading else Status.NOT_CHECKABLE, "outage": False}
        changed |= {"best": None, "fields": (), "risk": None} if reading else {}
    return verdict.model_copy(update=changed)


def is_settled(verdict: Verdict) -> bool:
    """Whether a person's decision makes the status of a verdict no finding; its flags still are."""
    decision = verdict.evidence.decision
    return decision is not None and decision.ruling in _SETTLING


def remark(decision: Decision) -> Reason:
    """Give a decision in one sentence: who ruled what, when, why, and what follows."""
    means, said = _MEANS[decision.ruling], quoted(decision.reason)
    if decision.decided_at is None:
        text = f"The author remarks in the manuscript: {said}; taken as {decision.ruling.value}: {means}."
        return reason_of("decided_by_person", text)
    named = listed(tuple(f"{source} {name}" for source, name in sorted(decision.records)))
    which = f" ({named})" if named else ""
    who = f"{decision.by or 'A person'} decided on {decision.decided_at:%Y-%m-%d}"
    return reason_of("decided_by_person", f"{who}: {decision.ruling.value}{which}, {said}; {means}.")


def _remarked(verdict: Verdict) -> Verdict:
    said = verdict.evidence.reference.remark
    if not said or any(reason.code == "author_remark" for reason in verdict.reasons):
        return verdict
    text = f"The author remarks in the manuscript: {quoted(said)}; it is shown and changes nothing."
    return verdict.model_copy(update={"reasons": (*verdict.reasons, reason_of("author_remark", text))})


def _alarm(verdict: Verdict) -> Alarm:
    """Give the alarm that notices and quotations alone would raise, never more than there was."""
    flags = frozenset(verdict.flags)
    if flags & _NOTICES:
        return verdict.alarm
    return Alarm.REVIEW if flags & _SPOKEN and verdict.alarm is not Alarm.NONE else Alarm.NONE


def _place(candidate: Candidate) -> tuple[str, str]:
    return candidate.work.source, candidate.work.source_id


def _rejected(candidate: Candidate) -> Candidate:
    return candidate.model_copy(update={"rank": Rank.REJECTED, "anchor": REJECTED, "identifier_of": ()})


def _without(lookup: Lookup, out: set[tuple[str, str]], decision: Decision) -> Lookup:
    """Give an answer its outcome without the records that are out; one by an identifier stays as it is."""
    heard = lookup.outcome in (Outcome.FOUND, Outcome.AMBIGUOUS) and lookup.query.kind not in IDENTIFIER_KINDS
    places = {(work.source, work.source_id) for work in lookup.candidates}
    if not heard or not places & decision.records or places - out:
        return lookup
    return lookup.model_copy(update={"outcome": Outcome.NO_MATCH})
