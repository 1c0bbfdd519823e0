"""One hash over the packed records of a part in their order, which can be gone on with after a kill."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

BLOCK = 1_000
"""Records hashed together: one by one took 0.6 microseconds each, against 0.1."""

_SIZE = 16


class ContentHash:
    """The same records give the same hash, however many are taken at a time.

    Packed records end by themselves (zstd, RFC 8878, 3.1.1), so a block of them can be read in one way only.

    Attributes:
        chain: Hash of the whole blocks; with the records after them (`loose`) all that must be kept to go on.
        loose: Number of records after the last whole block.
    """

    def __init__(self, chain: bytes = b"") -> None:
        """Begin, or go on after the whole blocks of a chain; the records after them are to be taken again."""
        self.chain, self.loose = chain, 0
        self._open = blake2b(digest_size=_SIZE)

    def take(self, records: Sequence[bytes]) -> None:
        """Take further packed records."""
        at = 0
        while at < len(records):
            some = records[at : at + BLOCK - self.loose]
            self._open.update(b"".join(some))
            at += len(some)
            self.loose += len(some)
            if self.loose == BLOCK:
                self.chain, self.loose = self._closed(), 0
                self._open = blake2b(digest_size=_SIZE)

    def _closed(self) -> bytes:
        return blake2b(self.chain + self._open.digest(), digest_size=_SIZE).digest()

    def hex(self) -> str:
        """Give the hash of all records so far; empty where there are none."""
        return (self._closed() if self.loose else self.chain).hex()
