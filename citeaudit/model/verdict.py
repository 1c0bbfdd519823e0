"""What is concluded about one reference, and why."""

from __future__ import annotations

from enum import StrEnum

from citeaudit.model.evidence import Candidate, Evidence, FieldMatch, FieldName
from citeaudit.model.frozen import Frozen, Score


class Status(StrEnum):
    """The verdict on one reference."""

    VERIFIED = "VERIFIED"
    """A work is anchored and no field is DIFFERENT under the policy in force."""
    MISMATCHED = "MISMATCHED"
    """A work is anchored, but at least one field is DIFFERENT under the policy."""
    NOT_FOUND = "NOT_FOUND"
    """Enough independent covering sources answered no, and none of those planned failed."""
    UNDECIDED = "UNDECIDED"
    """Not enough sources could answer; the reasons name which."""
    NOT_CHECKABLE = "NOT_CHECKABLE"
    """A class of work that no source here covers; checked as far as its class allows."""
    UNPARSED = "UNPARSED"
    """The reference string made no sense; it is shown raw."""


class Alarm(StrEnum):
    """How loudly a person should be called."""

    NONE = "NONE"
    REVIEW = "REVIEW"
    """A person should look."""
    STRONG = "STRONG"
    """Two independent kinds of evidence against the reference as cited, or a notice about the work."""


class Flag(StrEnum):
    """What is worth saying beside the status."""

    RETRACTED = "retracted"
    WITHDRAWN = "withdrawn"
    CONCERN = "concern"
    CORRECTED = "corrected"
    DUPLICATE = "duplicate"
    UNCITED = "uncited"
    QUOTE = "quote"
    """A quotation was not found as quoted."""


class Reason(Frozen):
    """One step of the conclusion, in words a reader can check."""

    code: str
    """Stable key: one of `citeaudit.policy.REASONS`."""
    text: str
    """One neutral sentence: what was asked or compared, and what came back."""
    field: FieldName | None = None
    sources: tuple[str, ...] = ()
    """Sources whose answers this rests on, or that failed."""


class Verdict(Frozen):
    """The conclusion about one reference, with everything it rests on."""

    status: Status
    alarm: Alarm
    flags: tuple[Flag, ...] = ()
    reasons: tuple[Reason, ...]
    """Never empty; the deciding one first."""
    risk: Score | None
    """Probability that the reference is wrong as cited (no such work, or a field that is not its work's), at the
    policy's prior; `None` if nothing answered."""
    best: Candidate | None = None
    """The anchored work, or `None`."""
    fields: tuple[FieldMatch, ...] = ()
    """The comparison with `best` as judged under the policy in force."""
    outage: bool = False
    """Whether a planned source failed in a way that kept this from being decided."""
    evidence: Evidence
