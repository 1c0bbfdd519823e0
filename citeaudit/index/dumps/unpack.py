"""Unpack gzip, bzip2, xz and Zstandard step by step: bounded memory, all members, truncation seen."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import Any, NoReturn

from citeaudit.errors import UnreadableDumpError

Source = Callable[[int], bytes]
"""Gives at most so many bytes, none at the end."""

MAX_RATIO = 250
"""Unpacked bytes for each packed one; metadata reaches 5 to 15."""
FREE_BYTES = 100_000_000
"""Unpacked bytes from which the ratio is looked at."""
MAX_WINDOW = 2**27
"""Bytes of a Zstandard window, the most its own tool takes without being told to."""

_STEP = 1_000_000
_PIECE = 131_072
_ZSTD_PIECE = 2_048
"""Packed bytes given to Zstandard at once: its output cannot be limited, and 2 KB make at most 64 MB."""
_GZIP_WINDOW = 31  # a gzip header is expected
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}


class _Stock:
    """The standard library's decompressors of bzip2 and xz: they keep what they have not used yet."""

    def __init__(self, made: Any) -> None:
        self._made = made

    def step(self, data: bytes) -> bytes:
        """Take more packed bytes (none while it is not hungry), give at most `_STEP` unpacked ones."""
        return bytes(self._made.decompress(data, _STEP))

    @property
    def hungry(self) -> bool:
        """Whether it can go on only with more packed bytes."""
        return bool(self._made.needs_input)

    @property
    def eof(self) -> bool:
        """Whether the member has come to its end."""
        return bool(self._made.eof)

    @property
    def unused(self) -> bytes:
        """What follows the member."""
        return bytes(self._made.unused_data)


class _Gzip(_Stock):
    """zlib hands back what it has not used yet."""

    def __init__(self) -> None:
        super().__init__(zlib.decompressobj(_GZIP_WINDOW))

    def step(self, data: bytes) -> bytes:
        return bytes(self._made.decompress(self._made.unconsumed_tail + data, _STEP))

    @property
    def hungry(self) -> bool:
        return not self._made.unconsumed_tail


class _Zstd(_Stock):
    """Zstandard uses all it is given, and cannot be kept to a size: the pieces given are small."""

    def __init__(self) -> None:
        import zstandard

        super().__init__(zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompressobj())

    def step(self, data: bytes) -> bytes:
        return bytes(self._made.decompress(data))

    @property
    def hungry(self) -> bool:
        return True


_MAKERS: dict[str, Callable[[], _Stock]] = {
    "gzip": _Gzip,
    "bzip2": lambda: _Stock(bz2.BZ2Decompressor()),
    "xz": lambda: _Stock(lzma.LZMADecompressor(memlimit=MAX_WINDOW)),
    "zstd": _Zstd,
}


def kind_of(start: bytes) -> str | None:
    """Give the kind of packing by the first six bytes, or `None` for plain bytes."""
    return next((kind for magic, kind in _MAGIC.items() if start.startswith(magic)), None)


class Packed:
    """Reads forward through a packed stream, over all its members.

    Args:
        kind: As `kind_of` gives it.
        source: Gives the packed bytes.
        name: What to call the stream in messages.
    """

    def __init__(self, kind: str, source: Source, name: str) -> None:
        self._kind = kind
        self._source = source
        self._name = name
        self._made = _MAKERS[kind]()
        self._ready = b""
        self._piece = _ZSTD_PIECE if kind == "zstd" else _PIECE
        self._taken = self._given = 0

    def read(self, size: int) -> bytes:
        """Give at most `size` unpacked bytes, none only at the end.

        Raises:
            UnreadableDumpError: The stream breaks off or is damaged, or unpacks to far more than any dump does.
        """
        while not self._ready:
            step = self._step()
            if step is None:
                return b""
            self._ready = step
        given, self._ready = self._ready[:size], self._ready[size:]
        return given

    def _step(self) -> bytes | None:
        """Give some unpacked bytes, perhaps none yet; `None` at the end."""
        packed = b""
        starved = False
        if self._made.eof:
            packed = self._made.unused or self._take()
            if not packed.strip(b"\0"):  # the end, perhaps padded with zeros
                if self._only_zeros():
                    return None
                self._refuse("has bytes after its end")
            self._made = _MAKERS[self._kind]()
        elif self._made.hungry:
            packed = self._take()
            starved = not packed
        try:
            given = self._made.step(packed)
        except _errors(self._kind):
            self._refuse("is damaged")
        if starved and not given and not self._made.eof:
            self._refuse("breaks off")
        self._given += len(given)
        if self._given > FREE_BYTES and self._given > MAX_RATIO * self._taken:
            self._refuse(f"unpacks to more than {MAX_RATIO} times its size, which no dump does,")
        return given

    def _take(self) -> bytes:
        data = self._source(self._piece)
        self._taken += len(data)
        return data

    def _only_zeros(self) -> bool:
        while data := self._take():
            if data.strip(b"\0"):
                return False
        return True

    def _refuse(self, what: str) -> NoReturn:
        raise UnreadableDumpError(
            f"{self._name}: {what} after {self._taken:,} packed bytes ({self._kind}, {self._given:,} unpacked);"
            " fetch it again."
        )


def _errors(kind: str) -> tuple[type[Exception], ...]:
    if kind == "zstd":
        import zstandard

        return (zstandard.ZstdError,)
    return {"gzip": (zlib.error,), "bzip2": (OSError, ValueError), "xz": (lzma.LZMAError,)}[kind]
