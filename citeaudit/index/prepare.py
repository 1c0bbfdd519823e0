"""Make a tidy record ready to be stored; needs no database, so that other processes can do it."""

from __future__ import annotations

from operator import itemgetter

from citeaudit.index.codec import Codec
from citeaudit.index.folding import folded
from citeaudit.index.keys import identifier_key, record_keys, replacing_key, venue_key
from citeaudit.index.manifest import COUNTED
from citeaudit.index.record import Record
from citeaudit.index.row import Row
from citeaudit.index.terms import text_of
from citeaudit.index.works import is_complete

_PLAIN = COUNTED[:-1]
_values_of = itemgetter(*(Record._fields.index(name) for name in _PLAIN))
_BITS = tuple(1 << place for place in range(len(_PLAIN)))
_COMPLETE = 1 << COUNTED.index("authors_complete")


def prepare(record: Record, codec: Codec) -> Row:
    """Make a tidy record ready to be stored.

    Args:
        record: Tidied (`tidy.tidy`).
        codec: That of the part it is for.
    """
    words = folded(record.title)
    return Row(
        codec.pack(record),
        record_keys(record, words),
        text_of(record, words),
        _about(record) if record.about else (),
        record.src or "",
        venue_key(record.venue) if record.venue else None,
        record.year,
        record.updated,
        record.contents,
        record.pages,
        fields_of(record),
        replacing_key(record),
    )


def fields_of(record: Record) -> int:
    """Give the bits of the fields that a record has, in the order of `manifest.COUNTED`."""
    bits = 0
    for value, bit in zip(_values_of(record), _BITS, strict=True):
        if value:
            bits |= bit
    return bits | _COMPLETE if record.authors and is_complete(record) else bits


def _about(record: Record) -> tuple[tuple[int, str, str | None, int | None], ...]:
    """Give, for each work that a notice is about, the key of its identifier and what the notice says."""
    return tuple(
        (identifier_key(one.scheme, one.value), one.type.value, record.doi, record.year) for one in record.about
    )
