"""The result of auditing one document: what every report renders."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

from citeaudit.errors import FailureKind
from citeaudit.model.frozen import Frozen, Score
from citeaudit.model.reference import FailedBlock, SelfCheck
from citeaudit.model.verdict import Alarm, Flag, Status, Verdict


class Document(Frozen):
    """The manuscript that was read."""

    path: str
    """As the user named it; `-` for standard input."""
    format: str
    """Name of the reader."""


class Unreadable(Frozen):
    """A document of which nothing could be audited."""

    path: str
    """As the user named it."""
    message: str
    """One sentence: what happened and what to do."""


class SourceHealth(Frozen):
    """How one source fared during the audit."""

    source: str
    asked: int
    answered: int
    """Questions that ended in FOUND, NO_MATCH or AMBIGUOUS."""
    from_cache: int
    failures: tuple[FailureKind, ...] = ()
    """Kinds of failure seen, each once, sorted."""


class Audit(Frozen):
    """Verdicts on every reference of one document, and what they rest on."""

    shown_by: ClassVar[Callable[[Audit], str] | None] = None
    """How a notebook shows an audit, as HTML; `citeaudit.api` hangs it in, so that the nouns know no report."""
    document: Document
    verdicts: tuple[Verdict, ...]
    """In the order of the document."""
    failed: tuple[FailedBlock, ...] = ()
    self_check: SelfCheck
    health: tuple[SourceHealth, ...] = ()
    """Sorted by source."""
    preset: str
    offline: bool
    """Whether nothing was asked over a network."""
    assumptions: tuple[str, ...] = ()
    """What the user declared: `index starter is complete (--assume-complete)`."""
    least_alarm: Alarm = Alarm.NONE
    """Alarm of the policy in force under which an accusing status is shown but is no finding."""
    compared: str | None = None
    """What came of comparing the findings with those of a baseline; `None` where none was given."""
    new: tuple[int, ...] | None = None
    """Places of the references with a finding that the baseline has not, in order; `None` where none was given."""
    settings_hash: str
    """First 16 hexadecimal digits of the SHA-256 of the settings in force."""
    versions: dict[str, str]
    """`citeaudit`, `rules` (verdict rules), `schema` (JSON report)."""
    started_at: datetime
    """Aware, UTC."""
    finished_at: datetime

    @property
    def counts(self) -> dict[Status, int]:
        """Give the number of references by status; every status is there."""
        totals = dict.fromkeys(Status, 0)
        for verdict in self.verdicts:
            totals[verdict.status] += 1
        return totals

    @property
    def notes(self) -> tuple[str, ...]:
        """Give the sentences beside the verdicts: on the baseline, then the reader's."""
        return self.self_check.notes if self.compared is None else (self.compared, *self.self_check.notes)

    @property
    def coverage(self) -> Score:
        """Give the share of references that were decided: VERIFIED, MISMATCHED or NOT_FOUND."""
        if not self.verdicts:
            return 1.0
        decided = (Status.VERIFIED, Status.MISMATCHED, Status.NOT_FOUND)
        return sum(verdict.status in decided for verdict in self.verdicts) / len(self.verdicts)

    @property
    def flags(self) -> dict[Flag, int]:
        """Give the number of references by flag; only flags that occur."""
        seen: dict[Flag, int] = {}
        for verdict in self.verdicts:
            for flag in verdict.flags:
                seen[flag] = seen.get(flag, 0) + 1
        return seen

    def _repr_html_(self) -> str | None:
        """Give what a notebook shows; `None`, which means plain text, where nothing hangs in `shown_by`."""
        show = type(self).shown_by
        return None if show is None else show(self)
