"""The running text of a document, as every reader hands it to the in-text room: text, marks, notes, places."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum

from citeaudit.model import Locus


class MarkKind(StrEnum):
    """What the document itself says about a stretch of its text."""

    CITE = "cite"
    """A pointer to references: a cite command, a pandoc citation, a field of a reference manager, a link into the list.

    `keys` are citekeys or printed labels, in order."""
    NOTE = "note"
    """The mark of a note; `keys` holds the note's label."""
    RAISED = "raised"
    """Set above the line, and not known to be one of the others."""
    QUOTATION = "quotation"
    """A block quotation, without its citation where that stands outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One such stretch; `start` and `end` are 0-based, half-open offsets into `Body.text`."""

    start: int
    end: int
    kind: MarkKind
    keys: tuple[str, ...] = ()
    locator: str | None = None
    """The page the pointer itself gives: `14` for `\\cite[p.~14]{key}` or `[@key, p. 14]`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A foot- or endnote; its text stands in `Body.text` from `start` to `end`, behind the running text."""

    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """From this offset on, the text stands at this locus, until the next place."""

    start: int
    locus: Locus


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Running text in reading order, without the reference lists, headers and footers.

    Paragraphs are separated by an empty line; line breaks inside a paragraph are spaces and hyphenation is resolved.
    """

    text: str
    marks: tuple[Mark, ...] = ()
    """Sorted by start; a mark may lie inside another."""
    notes: tuple[Note, ...] = ()
    places: tuple[Place, ...] = ()
    """Sorted by start."""

    def locus(self, offset: int) -> Locus:
        """Give where the character at an offset stands; an empty locus where no place is known."""
        at = bisect_right(self.places, offset, key=lambda place: place.start)
        return self.places[at - 1].locus if at else Locus()
