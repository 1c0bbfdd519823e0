"""What exists: a work as a source records it."""

from __future__ import annotations

from enum import StrEnum

from citeaudit.model.frozen import Frozen
from citeaudit.model.reference import Identifiers, Person, WorkType


class NoticeType(StrEnum):
    """What a publisher, archive or registry has declared about a work."""

    RETRACTION = "retraction"
    WITHDRAWAL = "withdrawal"
    CONCERN = "expression_of_concern"
    CORRECTION = "correction"


class Notice(Frozen):
    """An editorial notice about a work."""

    type: NoticeType
    doi: str | None = None
    """DOI of the notice itself."""
    year: int | None = None
    url: str | None = None


class Version(Frozen):
    """Another form in which the work appeared: preprint, proceedings, journal, reprint."""

    type: WorkType = WorkType.UNKNOWN
    title: str | None = None
    year: int | None = None
    container_title: str | None = None
    volume: str | None = None
    pages: str | None = None
    identifiers: Identifiers = Identifiers()


class Work(Frozen):
    """A record of one work as one source gives it, in the words of CSL-JSON."""

    source: str
    """Name of the source or index that holds the record."""
    source_id: str
    """The source's own key for it."""
    type: WorkType = WorkType.UNKNOWN
    title: str
    authors: tuple[Person, ...] = ()
    authors_complete: bool = True
    """False where the record is known to list only some authors."""
    editors: tuple[Person, ...] = ()
    year: int | None = None
    container_title: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    identifiers: Identifiers = Identifiers()
    versions: tuple[Version, ...] = ()
    notices: tuple[Notice, ...] = ()
    fulltext_urls: tuple[str, ...] = ()
