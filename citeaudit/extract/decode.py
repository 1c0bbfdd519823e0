r"""Turn the bytes of a text document into text with `\n` line ends, whatever wrote them."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import UnreadableDocumentError

MAX_BYTES = 200_000_000
"""Largest text document that is read; the bibliography of a whole library takes about a tenth."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MANY_NULLS = 0.3
"""Share of null bytes at odd or even places that means UTF-16 without a mark; Western text has about 1."""

_BINARY = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\x89PNG",
    b"\x1f\x8b",
    b"\xd0\xcf\x11\xe0",
    b"\xff\xd8\xff",
    b"\xfd7zXZ",
    b"SQLite format 3",
)


class Decoded(NamedTuple):
    """Text of a document."""

    text: str
    """With `\n` line ends, without byte order mark and null characters."""
    encoding: str
    note: str | None
    """A sentence for the user where the encoding had to be guessed or characters were lost."""


def _guess(data: bytes) -> tuple[str, str, str | None]:
    """Give text, encoding and note."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            note = "some bytes are not valid in the encoding the file declares" if _broken(data, encoding) else None
            return data.decode(encoding, errors="replace"), encoding, note
    sample = data[:4_096]
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        places = sample[offset::2]
        if len(sample) > 3 and places.count(0) > _MANY_NULLS * len(places):  # noqa: PLR2004 - two characters
            return (
                data.decode(encoding, errors="replace"),
                encoding,
                f"read as {encoding}, which the file does not declare",
            )
    try:
        return data.decode("utf-8"), "utf-8", None
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
        return text, "cp1252", "not valid UTF-8: read as Windows-1252; check accented letters"


def _broken(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return True
    return False


def decode(data: bytes) -> Decoded:
    """Decode a text document; never raises.

    A byte order mark decides; then valid UTF-8; then Windows-1252, which accepts nearly everything.
    """
    text, encoding, note = _guess(data)
    text = (
        text.removeprefix("\ufeff")
        .replace("\r\n", "\n")
        .replace("\r", "\n")
        .replace("\u2028", "\n")
        .replace("\x0c", "\n")
    )
    if "\x00" in text:
        text = text.replace("\x00", "")
        note = note or "null characters were dropped"
    return Decoded(text, encoding, note)


def read_document(path: Path) -> Decoded:
    """Read a text document from disk.

    Raises:
        UnreadableDocumentError: Missing, a directory, not readable, too large, empty, or not text.
    """
    name = str(path)
    try:
        if path.is_dir():
            raise UnreadableDocumentError("is a directory, not a document", path=name)
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableDocumentError(f"is larger than {MAX_BYTES // 1_000_000} MB; split it", path=name)
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableDocumentError(f"cannot be read ({error.strerror or error})", path=name) from error
    if data.startswith(_BINARY):
        raise UnreadableDocumentError("is not text, whatever its name says", path=name)
    decoded = decode(data)
    if not decoded.text.strip():
        raise UnreadableDocumentError("is empty", path=name)
    return decoded
