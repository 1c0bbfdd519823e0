r"""Turn the bytes of a text document into text with `\n` line ends, whatever wrote them."""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import NamedTuple

from citeaudit.errors import UnreadableDocumentError
from citeaudit.extract.encodings import guess_legacy, mend

MAX_BYTES = 64_000_000
"""Largest text document that is read; the bibliography of a whole library takes a third of it."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MANY_NULLS = 0.3
"""Share of null bytes at odd or even places that means UTF-16 without a mark; Western text has about 1."""
_DECLARED = re.compile(rb"\A\s{0,20}<\?xml\b[^>]{0,100}?\bencoding\s{0,3}=\s{0,3}[\"']([A-Za-z0-9._-]{1,30})[\"']")
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")

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
    r"""With `\n` line ends, without byte order mark and null characters."""
    encoding: str
    note: str | None
    """A sentence for the user where the encoding had to be guessed or characters were lost."""


def _wide(data: bytes) -> str | None:
    """Give the UTF-16 that null bytes betray where no mark does."""
    sample = data[:4_096]
    for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        places = sample[offset::2]
        if len(sample) > 3 and places.count(0) > _MANY_NULLS * len(places):  # noqa: PLR2004 - two characters
            return encoding
    return None


def _guess(data: bytes) -> tuple[str, str, str | None]:
    """Give text, encoding and note."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            note = "some bytes are not valid in the encoding the file declares" if _broken(data, encoding) else None
            return data.decode(encoding, errors="replace"), encoding, note
    wide = _wide(data)
    if wide is not None:
        return data.decode(wide, errors="replace"), wide, f"read as {wide}, which the file does not declare"
    try:
        return data.decode("utf-8"), "utf-8", None
    except UnicodeDecodeError:
        pass
    declared = _declared(data)
    if declared is not None:
        return data.decode(declared), declared, None
    return guess_legacy(data)


def _declared(data: bytes) -> str | None:
    """Give the encoding an XML declaration names, where the bytes are valid in it."""
    match = _DECLARED.match(data)
    if match is None:
        return None
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
        data.decode(name)
    except (LookupError, UnicodeDecodeError, AssertionError):
        return None
    # A text declared as Latin-1 is Windows-1252 wherever they differ (WHATWG Encoding, 4.2).
    return "cp1252" if name == "iso8859-1" and not _broken(data, "cp1252") else name


def _broken(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return True
    return False


def decode(data: bytes) -> Decoded:
    """Decode a text document; never raises.

    A byte order mark decides; then UTF-16 by its null bytes; then valid UTF-8; then what an XML declaration says;
    then a legacy encoding where the bytes leave no doubt, else Windows-1252, which accepts nearly everything. Text
    that had been read in the wrong encoding before it was saved (`MÃ¼ller`) is mended where that is certain.
    """
    text, encoding, note = _guess(data)
    text = _LINE_ENDS.sub("\n", text.removeprefix("\ufeff"))
    if "\x00" in text:
        text = text.replace("\x00", "")
        note = note or "null characters were dropped"
    mended = mend(text) if encoding.startswith("utf") else text  # in a guessed encoding anything may look wrong
    if mended != text:
        told = "characters saved in a wrong encoding (such as Ã¼ for ü) were mended; check accented letters"
        note = f"{note}; {told}" if note else told
    return Decoded(mended, encoding, note)


def peek(head: bytes) -> str:
    """Give the beginning of a document as text, to tell its format; a character cut at the end is left out.

    Bytes that are no text at all give whatever they give; callers look for words of their format.
    """
    text = head.decode(_wide(head) or "utf-8", errors="replace").replace("\x00", "")
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            text = head.decode(encoding, errors="ignore").removeprefix("\ufeff")
            break
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_text(head: bytes) -> bool:
    """Whether the beginning of a document can be that of a text: no null bytes but those of UTF-16 and UTF-32."""
    if head.startswith(_BINARY):
        return False
    return b"\0" not in head or _wide(head) is not None or any(head.startswith(mark) for mark, _ in _MARKS)


def read_document(path: Path, *, max_bytes: int | None = None) -> Decoded:
    """Read a text document from disk.

    Args:
        path: The file.
        max_bytes: The most that is read, where a format takes less than `MAX_BYTES`.

    Raises:
        UnreadableDocumentError: Missing, a directory, not readable, too large, empty, or not text.
    """
    name = str(path)
    limit = min(MAX_BYTES, max_bytes or MAX_BYTES)
    try:
        if path.is_dir():
            raise UnreadableDocumentError("is a directory, not a document", path=name)
        if path.stat().st_size > limit:
            raise UnreadableDocumentError(f"is larger than {limit // 1_000_000} MB; split it", path=name)
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableDocumentError(f"cannot be read ({error.strerror or error})", path=name) from error
    if data.startswith(_BINARY):
        raise UnreadableDocumentError("is not text, whatever its name says", path=name)
    decoded = decode(data)
    if not decoded.text.strip():
        raise UnreadableDocumentError("is empty; name another file", path=name)
    return decoded
