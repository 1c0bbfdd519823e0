"""What a citation marker says, before and after its reference is known."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

_DENSE = 40
_SOME = 1_000


def most(text: str) -> int:
    """Give how many signs of one kind are looked at: prose has fewer than one in forty characters."""
    return _SOME + len(text) // _DENSE


class Style(StrEnum):
    """How a document cites."""

    KEYED = "keyed"
    """The document's own pointers: cite commands, fields, links."""
    SQUARE = "square"
    """`[3, 5-7]`"""
    ROUND = "round"
    """`(3, 5-7)`"""
    RAISED = "raised"
    """Superscript numbers."""
    ALPHA = "alpha"
    """`[Knu84]`"""
    AUTHORS = "authors"
    """`(Smith, 2020)`, `Smith (2020)`"""
    PAGED = "paged"
    """Author and page, `(Smith 14)`."""
    TITLED = "titled"
    """Author, word of the title, and page, `(Smith, Tides 14)`."""
    NOTE = "note"
    """The mark of a note that names works."""
    BACK = "back"
    """`(ibid., p. 3)` or `(p. 3)`: the work cited last."""


class Cite(NamedTuple):
    """One of the things a marker names."""

    start: int
    end: int
    name: str
    """As it is told to the user: `12`, `Smith 2020`, `key`."""
    refs: tuple[int, ...] = ()
    """0-based places in the list of references; empty where nothing answers or several may."""
    page: str | None = None
    aside: bool = False
    """Named in passing: `see also`, `cf.`"""
    pointed: bool = False
    """Pointed at rather than quoted: a note that starts with `See`, `Vgl.`, `Voir`."""
    known: bool = True
    """Whether the list may hold it: false only where nothing in it comes near."""


class Marker(NamedTuple):
    """One marker; `start` and `end` are half-open offsets into the running text."""

    start: int
    end: int
    style: Style
    cites: tuple[Cite, ...]
    spoken: bool = False
    """Part of the sentence, as in `Smith (2020) holds`."""

    @property
    def refs(self) -> tuple[int, ...]:
        """Give all places it leads to, each once."""
        return tuple(dict.fromkeys(ref for cite in self.cites for ref in cite.refs))

    @property
    def page(self) -> str | None:
        """Give the first page it names."""
        return next((cite.page for cite in self.cites if cite.page), None)
