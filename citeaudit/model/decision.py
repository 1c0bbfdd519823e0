"""What a person has decided about a reference."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from citeaudit.model.frozen import Frozen


class Ruling(StrEnum):
    """What a person may decide."""

    KNOWN_GOOD = "known good"
    """The reference is right as cited."""
    WRONG_RECORD = "wrong record"
    """The record that was found is another work; it does not count."""
    BAD_READING = "bad reading"
    """The text was read wrongly; what differs is ours, not the author's."""
    NOT_CHECKABLE = "not checkable"
    """A person knows the source, and no index lists such works."""


class Decision(Frozen):
    """One decision, kept by what the reference says and never by its title alone."""

    fingerprint: str
    """Of title, authors, year and identifiers; see `citeaudit.decisions.fingerprint`."""
    ruling: Ruling
    reason: str
    """In the person's own words; never empty."""
    by: str | None = None
    """Who decided, as they wish to be named."""
    decided_at: datetime | None = None
    """Aware, UTC; `None` where it stands in the manuscript (`% citeaudit: ok REASON`)."""
    record: tuple[str, str] | None = None
    """With WRONG_RECORD: source and id of the record that does not count."""
    further: tuple[tuple[str, str], ...] = ()
    """Records that earlier decisions on the same reference have ruled out."""
    about: str = ""
    """The reference in one line, for people who read the list; nothing is compared with it."""

    @property
    def records(self) -> frozenset[tuple[str, str]]:
        """Give source and id of every record that does not count."""
        return frozenset(self.further if self.record is None else (*self.further, self.record))

    @property
    def by_author(self) -> bool:
        """Whether it is the author's own remark in the manuscript; nobody else's has no date."""
        return self.decided_at is None
