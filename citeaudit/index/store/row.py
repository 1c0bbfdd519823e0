"""A record made ready to be stored; needs no database, so that other processes can make it."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """What the writer of a part stores of one record."""

    data: bytes
    """The packed record (`codec.Codec.pack`)."""
    keys: tuple[int, ...]
    """Exact keys it is found by (`keys.record_keys`)."""
    text: str
    """Words and surname terms it is found by, with single spaces (`terms.text_of`)."""
    about: tuple[tuple[int, str, str | None, int | None], ...] = ()
    """Of a notice: key of the identifier it is about, type of notice, DOI and year of the notice."""
    source: str = ""
    """Its collection."""
    venue: int | None = None
    """`keys.venue_key` of its venue, for the counts."""
    year: int | None = None
    updated: str | None = None
    contents: str | None = None
    pages: str | None = None
    """First and last page as printed; tell gaps in a table of contents."""
    fields: int = 0
    """Bits of the fields that are there, in the order of `manifest.COUNTED`."""
    own: int | None = None
    """Key of what the collection calls it (`keys.replacing_key`); tells which older record a new one replaces."""
