"""Open a .docx: a ZIP of XML parts, of which only known ones are read, each up to a limit, and never to disk."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from citeaudit.errors import EncryptedDocumentError, UnreadableDocumentError
from citeaudit.extract.decode import decode
from citeaudit.extract.tagged.xml import Element, parse_xml

MAX_FILE = 500_000_000
"""Bytes of the file itself; pictures may make it large, and they are not read."""
MAX_PART = 40_000_000
"""Bytes of one part, unpacked; the text of a book of 1,000 pages takes about half."""
MAX_TOTAL = 100_000_000
"""Bytes of all parts together, unpacked."""
MAX_ENTRIES = 20_000

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PROTECTED = "EncryptedPackage".encode("utf-16-le")
_HEAD = 4_096
_OLE_LOOK = 1_000_000


@dataclass(slots=True)
class Package:
    """An open .docx; use it in a `with` statement."""

    path: str
    archive: zipfile.ZipFile
    sizes: dict[str, zipfile.ZipInfo]
    main: str = "word/document.xml"
    """Name of the part that holds the text."""
    notes: list[str] = field(default_factory=list)
    """Sentences about parts that were read only in part."""
    _read: int = 0

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the archive."""
        self.archive.close()

    def part(self, name: str) -> Element | None:
        """Parse a part; `None` where there is none of that name.

        Raises:
            EncryptedDocumentError: It is locked with a password.
            UnreadableDocumentError: It is too large, broken, no XML, or defines entities.
        """
        data = self._bytes(name)
        if data is None:
            return None
        parsed = parse_xml(decode(data).text, self.path)
        self.notes += parsed.notes
        return next(parsed.root.children(), None)

    def relations(self, name: str) -> dict[str, tuple[str, str]]:
        """Give the targets that a part refers to, by id: kind (last word of its type) and target."""
        folder, file = posixpath.split(name)
        root = self.part(f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels")
        found: dict[str, tuple[str, str]] = {}
        for relation in root.children("Relationship") if root is not None else ():
            kind = (relation.get("Type") or "").rpartition("/")[2]
            target = relation.get("Target") or ""
            if relation.get("TargetMode") != "External" and kind != "hyperlink":
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[relation.get("Id") or ""] = (kind, target)
        return found

    def names(self, prefix: str) -> list[str]:
        """Give the names of the parts that begin so, sorted."""
        return sorted(name for name in self.sizes if name.startswith(prefix))

    def _bytes(self, name: str) -> bytes | None:
        info = self.sizes.get(name)
        if info is None:
            return None
        if info.flag_bits & 1:
            raise EncryptedDocumentError("is locked with a password; save it without one", path=self.path)
        limit = min(MAX_PART, MAX_TOTAL - self._read)
        try:
            with self.archive.open(info) as file:
                data = file.read(limit + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            message = f"is damaged: its part {name} cannot be unpacked; open it in a word processor and save it again"
            raise UnreadableDocumentError(message, path=self.path) from error
        if len(data) > limit:
            message = f"its part {name} unpacks to more than {limit // 1_000_000} MB; split the document"
            raise UnreadableDocumentError(message, path=self.path)
        self._read += len(data)
        return data


def open_package(path: Path) -> Package:
    """Open a .docx.

    Raises:
        UnreadableDocumentError: Missing, empty, too large, damaged, or something else under that name.
        EncryptedDocumentError: It is protected with a password.
    """
    name = str(path)
    try:
        if path.is_dir():
            raise UnreadableDocumentError("is a folder, not a document", path=name)
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEAD)
            if head.startswith(_OLE):
                _refuse_ole(head + file.read(_OLE_LOOK), name)
    except OSError as error:
        raise UnreadableDocumentError(f"cannot be read ({error.strerror or error})", path=name) from error
    if not size:
        raise UnreadableDocumentError("is empty; name another file", path=name)
    if size > MAX_FILE:
        raise UnreadableDocumentError(f"is larger than {MAX_FILE // 1_000_000} MB; take the pictures out", path=name)
    if not head.startswith(b"PK"):
        raise UnreadableDocumentError(f"is not a .docx file: {_kind(head)}; give it its right name", path=name)
    return _opened(path, name)


def _opened(path: Path, name: str) -> Package:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        message = "is a damaged or cut .docx file; open it in a word processor and save it again"
        raise UnreadableDocumentError(message, path=name) from error
    infos = archive.infolist()
    package = Package(name, archive, {info.filename: info for info in infos[:MAX_ENTRIES]})
    try:
        _limit(infos, name)
        for kind, target in package.relations("").values():
            if kind == "officeDocument":
                package.main = target
        if package.main not in package.sizes:
            _refuse_other(package)
    except (UnreadableDocumentError, EncryptedDocumentError):
        archive.close()
        raise
    return package


def _limit(infos: list[zipfile.ZipInfo], name: str) -> None:
    if len(infos) > MAX_ENTRIES:
        raise UnreadableDocumentError(f"holds more than {MAX_ENTRIES:,} parts; save it again", path=name)


def _refuse_other(package: Package) -> None:
    if "content.xml" in package.sizes:
        raise UnreadableDocumentError("is an OpenDocument file; save it as .docx", path=package.path)
    message = "is a ZIP file, but no Word document: it has no part with the text; save it as .docx"
    raise UnreadableDocumentError(message, path=package.path)


def _refuse_ole(data: bytes, name: str) -> None:
    if _PROTECTED in data:
        raise EncryptedDocumentError("is protected with a password; save it without one", path=name)
    raise UnreadableDocumentError("is a binary Word document (.doc); save it as .docx", path=name)


def _kind(head: bytes) -> str:
    for mark, words in ((b"%PDF-", "it is a PDF"), (b"{\\rtf", "it is RTF"), (b"<", "it is a page of HTML or XML")):
        if mark in head[:1_024] if mark == b"%PDF-" else head.lstrip().startswith(mark):
            return words
    return "it is plain text" if head and b"\0" not in head else "it is something else"
