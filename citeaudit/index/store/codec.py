"""Pack a record into about a hundred bytes, and give it back.

A list of the stored fields as JSON, in the order of `record.STORED`, packed with zstd and a dictionary trained on the
first records of the same build: it lives in the index and is never shipped. Magic number and dictionary number are
left out of the frames, eight bytes a record.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from itertools import islice
from typing import Any

import orjson

from citeaudit.index.store.record import STORED, About, Malformed, Name, Record, RecordNotice, Related
from citeaudit.model import NoticeType

TRAINED_ON = 10_000
"""Records a dictionary is trained on at most."""

DICTIONARY_BYTES = 65_536
"""Size of a dictionary: 103 bytes a record at level 3, against 114 with 16 KB."""

FEWEST = 200
"""Records under which no dictionary is trained: it would outweigh what it saves."""

MAX_PACKED = 16_000_000
"""Bytes of an unpacked record at most; more is damage. Three thousand authors take 100,000."""

_LEVEL = 3
_SEGMENT, _DMER = 200, 8
"""Of zstd's `fastCover`; finding them anew for each build took 0.2 s and nothing from the size."""
_FIELDS = len(STORED)
_LARGE = 2  # frames whose size field has four bytes or more: over 65,791 unpacked
_AUTHORS, _NOTICES, _TITLES = STORED.index("authors"), STORED.index("notices"), STORED.index("titles")
_RELATED, _ABOUT, _EDITORS = STORED.index("related"), STORED.index("about"), STORED.index("editors")
_YEARS = STORED.index("years")
_NESTED = (_NOTICES, _RELATED, _ABOUT)
_NOTHING: tuple[object, ...] = ([], ())
_TAIL = STORED.index("id")
_NO_TAIL = Record("")[_TAIL:_FIELDS]


class Codec:
    """Packs and unpacks; safe to share between threads."""

    def __init__(self, dictionary: bytes | None = None) -> None:
        """Take the dictionary that the records are packed with, `None` for none."""
        self.dictionary = dictionary
        self._tools = _Tools(dictionary)

    def pack(self, record: Record) -> bytes:
        """Give the stored fields of a record as compressed JSON.

        Raises:
            Malformed: It is larger than any record that `unpack` gives back.
        """
        plain = orjson.dumps(_row(record))
        if len(plain) > MAX_PACKED:
            raise Malformed(f"larger than {MAX_PACKED:,} bytes")
        return self._tools.compress(plain)

    def unpack(self, data: bytes) -> Record:
        """Give the record back; what is not stored is empty.

        Raises:
            ValueError: Damaged.
        """
        if data and data[0] >> 6 >= _LARGE:
            _refuse_huge(data)
        try:
            return _record(orjson.loads(self._tools.decompress(data)))
        except (TypeError, IndexError, self._tools.error) as error:
            raise ValueError(f"damaged record: {error}") from error


class _Tools(threading.local):
    """The compressor and decompressor of one thread: neither may be used by two at once."""

    def __init__(self, dictionary: bytes | None) -> None:
        import zstandard

        options: dict[str, Any] = {"format": zstandard.FORMAT_ZSTD1_MAGICLESS}
        words = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        frames = zstandard.ZstdCompressionParameters.from_level(
            _LEVEL, dict_size=len(dictionary or b""), write_dict_id=0, write_content_size=1, **options
        )
        self.compress = zstandard.ZstdCompressor(dict_data=words, compression_params=frames).compress
        self.decompress = zstandard.ZstdDecompressor(dict_data=words, **options).decompress
        self.error = zstandard.ZstdError


def train(records: Iterable[Record]) -> Codec:
    """Make a codec with a dictionary trained on the first records; the same records give the same dictionary."""
    import zstandard

    samples: list[bytes | bytearray | memoryview] = [
        orjson.dumps(_row(record)) for record in islice(records, TRAINED_ON)
    ]
    if len(samples) < FEWEST:
        return Codec()
    try:
        words = zstandard.train_dictionary(DICTIONARY_BYTES, samples, level=_LEVEL, k=_SEGMENT, d=_DMER)
    except zstandard.ZstdError:  # samples with nothing in common, or all the same
        return Codec()
    return Codec(words.as_bytes())


def _row(record: Record) -> list[Any]:
    if record[_TAIL:_FIELDS] == _NO_TAIL:  # nearly all records: seeing it at once takes 0.9 of 1.7 microseconds
        row: list[Any] = [*record[:_TAIL]]
        row[_AUTHORS] = _names(record.authors)
        while (last := row[-1]) is None or last in _NOTHING:
            row.pop()
        return row
    row = [*record[:_FIELDS]]
    row[_AUTHORS] = _names(record.authors)
    for place in _NESTED:
        if row[place]:
            row[place] = [tuple(one) for one in row[place]]
    if record.editors:
        row[_EDITORS] = _names(record.editors)
    while (last := row[-1]) is None or last in _NOTHING:  # the title is neither
        row.pop()
    return row


def _names(names: tuple[Name, ...]) -> list[tuple[str | None, ...]]:
    return [(family, given) if literal is None else (family, given, literal) for family, given, literal in names]


def _record(row: list[Any]) -> Record:
    size = len(row)
    if type(row) is not list or size > _FIELDS or not isinstance(row[0], str):
        raise TypeError("not a record")
    if size > _AUTHORS:
        row[_AUTHORS] = tuple([Name(*name) for name in row[_AUTHORS] or ()])
    if size > _NOTICES:
        _restore(row)
    return Record(*row)


def _restore(row: list[Any]) -> None:
    """Give the fields behind the plain ones their kinds again; nearly all records end before them."""
    size = len(row)
    row[_NOTICES] = tuple(RecordNotice(NoticeType(kind), doi, year) for kind, doi, year in row[_NOTICES])
    if size > _TITLES:
        row[_TITLES] = tuple(row[_TITLES])
    if size > _RELATED:
        row[_RELATED] = tuple(Related(*one) for one in row[_RELATED])
    if size > _ABOUT:
        row[_ABOUT] = tuple(About(NoticeType(kind), scheme, value) for kind, scheme, value in row[_ABOUT])
    if size > _EDITORS:
        row[_EDITORS] = tuple(Name(*name) for name in row[_EDITORS])
    if size > _YEARS:
        row[_YEARS] = tuple(row[_YEARS])


def _refuse_huge(data: bytes) -> None:
    import zstandard

    try:
        size = zstandard.get_frame_parameters(data, format=zstandard.FORMAT_ZSTD1_MAGICLESS).content_size
    except zstandard.ZstdError as error:
        raise ValueError(f"damaged record: {error}") from error
    if size > MAX_PACKED:
        raise ValueError(f"damaged record: it would unpack to {size} bytes")
