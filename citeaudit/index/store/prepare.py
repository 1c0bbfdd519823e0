"""Make a tidy record ready to be stored; needs no database, so that other processes can do it."""

from __future__ import annotations

from functools import lru_cache

from citeaudit.index.manifest import COUNTED
from citeaudit.index.store.codec import Codec
from citeaudit.index.store.keys import identifier_key, keys_of, venue_key
from citeaudit.index.store.record import Record
from citeaudit.index.store.row import Row
from citeaudit.index.store.terms import text_of
from citeaudit.index.store.works import is_complete
from citeaudit.text.folding import folded

_FIELDS = Record._fields
_UP_TO = 1 + max(_FIELDS.index(name) for name in COUNTED)
_COMPLETE = 1 << COUNTED.index("authors_complete")


def prepare(record: Record, codec: Codec) -> Row:
    """Make a tidy record ready to be stored.

    Args:
        record: Tidied (`tidy.tidy`).
        codec: That of the part it is for.
    """
    words = folded(record.title)
    keys, own = keys_of(record, words)
    return Row(
        codec.pack(record),
        keys,
        text_of(record, words),
        _about(record) if record.about else (),
        record.src or "",
        venue_key(record.venue) if record.venue else None,
        record.year,
        record.updated,
        record.contents,
        record.pages,
        fields_of(record),
        own,
    )


def fields_of(record: Record) -> int:
    """Give the bits of the fields that a record has, in the order of `manifest.COUNTED`."""
    bits = _bits(tuple(map(bool, record[:_UP_TO])))
    return bits | _COMPLETE if record.authors and is_complete(record) else bits


@lru_cache(maxsize=10_000)
def _bits(there: tuple[bool, ...]) -> int:
    """Give a bit for each field that is there; collections have few patterns, and setting bits took a microsecond."""
    named = dict(zip(_FIELDS, there, strict=False))
    return sum(1 << place for place, name in enumerate(COUNTED[:-1]) if named[name])


def _about(record: Record) -> tuple[tuple[int, str, str | None, int | None], ...]:
    """Give, for each work that a notice is about, the key of its identifier and what the notice says."""
    return tuple(
        (identifier_key(one.scheme, one.value), one.type.value, record.doi, record.year) for one in record.about
    )
