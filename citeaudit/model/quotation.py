"""How checking one quotation of a manuscript ended."""

from __future__ import annotations

from enum import StrEnum

from citeaudit.model.frozen import Frozen, Score
from citeaudit.model.reference import Box


class QuoteStatus(StrEnum):
    """How checking one quotation ended; all but the last are the statuses of `citeaudit quotes`."""

    VERIFIED = "verified"
    WRONG_PAGE = "wrong page"
    """It stands in the source, on none of the pages that the cited one can mean."""
    CLOSE_MATCH = "close match"
    """The source has it in other words; `differences` says which."""
    NOT_FOUND = "not found"
    MISSING_DOCUMENT = "missing document"
    MISATTRIBUTED = "misattributed"
    """It stands in another source that the manuscript cites, which `found_in` names."""
    TOO_SHORT = "too short"
    TOO_LONG = "too long"
    NO_TEXT = "no text layer"
    UNREADABLE = "unreadable"
    WRONG_DOCUMENT = "wrong document"
    """What was taken for a copy is another work."""
    HIDDEN = "found only in hidden text"
    REFERENCES = "found only in its reference list"
    OTHER_VERSION = "not found in the available version"
    """The copy at hand is another version than the cited one, such as its preprint."""
    NOT_CHECKABLE = "not checkable"
    """The copy, the reading of the manuscript, or a work cited with it leave it open; `reason` says which."""
    SKIPPED = "skipped"
    """Nobody looked: no library was named."""


BAD_QUOTES = frozenset(
    {
        QuoteStatus.WRONG_PAGE,
        QuoteStatus.CLOSE_MATCH,
        QuoteStatus.NOT_FOUND,
        QuoteStatus.MISATTRIBUTED,
        QuoteStatus.HIDDEN,
        QuoteStatus.REFERENCES,
    }
)
"""Statuses that say something about the quotation itself; a missing or unreadable document says nothing about it."""


class QuoteCheck(Frozen):
    """One quotation held against the text of its source."""

    text: str
    status: QuoteStatus
    reason: str | None = None
    """Why it could not be judged, in words for the user."""
    pages: tuple[int, ...] = ()
    """1-based PDF pages on which it was found."""
    similarity: Score | None = None
    """Word ratio of the nearest passage."""
    closest: str | None = None
    """That passage, where the quotation itself was not found."""
    differences: tuple[str, ...] = ()
    """`quotation -> source`; numbers, signs and negations first."""
    doc: str | None = None
    """The reference whose words they are said to be: its label or key, else its place in the list."""
    claimed_page: str | None = None
    """As printed."""
    found_page: int | None = None
    """1-based page of the PDF: the cited one where it is among several; of `found_in` where that is set."""
    closest_page: int | None = None
    """1-based page of the PDF on which the closest passage stands."""
    tier: str | None = None
    """How the quotation had to be read to be found (`citeaudit.quotes.locate.Tier`)."""
    boxes: tuple[Box, ...] = ()
    """Where the words stand in `source`, one box a line; where they were not found, the closest passage."""
    notes: tuple[str, ...] = ()
    """What differs, or was left out, without changing what is said."""
    found_in: str | None = None
    """Another reference of the manuscript in whose copy it stands: its label or key, else its place in the list."""
    source: str | None = None
    """Name of the file in which it was looked for."""
