"""What a collection knows of one work: the form between the dump readers and the store.

Tuples, not validated models: an index is built from millions of them, and each costs microseconds.
"""

from __future__ import annotations

from typing import NamedTuple

from citeaudit.model import NoticeType


class Name(NamedTuple):
    """One author as the record has it; `literal` for groups and names that must not be split."""

    family: str | None = None
    given: str | None = None
    literal: str | None = None


class RecordNotice(NamedTuple):
    """An editorial notice about the work of the record that carries it."""

    type: NoticeType
    doi: str | None = None
    """Of the notice itself."""
    year: int | None = None


class About(NamedTuple):
    """What a record that *is* an editorial notice says, and about which work."""

    type: NoticeType
    scheme: str
    """`doi` or `pmid`."""
    value: str
    """Identifier, in its normal form, of the work that the notice is about."""


class Related(NamedTuple):
    """Another version of the same work, by its identifier."""

    kind: str
    """What the other one is: `preprint`, `published`, `version` (it does not say which)."""
    scheme: str
    """`doi`, `arxiv_id`, `pmid`, `pmcid` or `isbn`."""
    value: str
    """In its normal form."""


class Record(NamedTuple):
    """A work as one collection records it; everything but the title may be missing."""

    title: str
    authors: tuple[Name, ...] = ()
    authors_complete: bool | None = None
    """False where the list is known to be cut; `None` leaves it to `works.is_complete`."""
    year: int | None = None
    venue: str | None = None
    """Journal, proceedings, book: CSL `container-title`; of a book its publisher where there is nothing else."""
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    """As printed; the article number where there are no pages."""
    publisher: str | None = None
    type: str | None = None
    """A value of `WorkType`; others count as unknown."""
    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    isbn: str | None = None
    url: str | None = None
    src: str | None = None
    """The collection it comes from; several joined by `+`."""
    id: str | None = None
    """The collection's own key, kept as `Work.source_id`."""
    notices: tuple[RecordNotice, ...] = ()
    titles: tuple[str, ...] = ()
    """Its other titles: original language, translated, before a revision."""
    related: tuple[Related, ...] = ()
    """Its other versions."""
    about: tuple[About, ...] = ()
    """Not empty where the record is itself a notice about other works."""
    editors: tuple[Name, ...] = ()
    years: tuple[int, ...] = ()
    """Other years in which it appeared: online before print."""

    updated: str | None = None
    """`YYYY-MM-DD` of the last change in the collection; bounds what the index can know. Not stored with the record."""
    contents: str | None = None
    """Key of the table of contents that lists it (`Listing.key`). Not stored with the record."""


STORED = Record._fields[: Record._fields.index("updated")]
"""Fields that are kept with a record; those after them only inform the manifest and the coverage."""


class Listing(NamedTuple):
    """A table of contents that a collection enumerates: proceedings, or a volume of a journal."""

    key: str
    """As `Record.contents` names it."""
    names: tuple[str, ...]
    """Of the venue, all that are known: full title, series with year, acronym."""
    year: int
    works: int | None = None
    """How many works it lists, where the collection says so; else they are counted."""
    broken: bool = False
    """Whether one of its works could not be read and was left out; nothing but the key need then be known."""


class Malformed(Exception):  # noqa: N818 - an outcome of reading a unit, counted by the builder, never shown as an error
    """Something that is not a usable record; the text says why."""
