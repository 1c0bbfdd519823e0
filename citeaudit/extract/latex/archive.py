"""Read archives of LaTeX sources as arXiv and journals take them: .zip, .tar, .tar.gz, and one gzipped file.

Nothing is unpacked to disk. Names are never trusted: absolute ones, those that lead outside, links and devices are
passed over; counts, sizes and the growth of what is packed are limited.
"""

from __future__ import annotations

import gzip
import io
import lzma
import posixpath
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, cast

from citeaudit.errors import EncryptedDocumentError, NoReferencesError, UnreadableDocumentError
from citeaudit.extract.decode import decode
from citeaudit.extract.latex.bbl import extraction, read_list
from citeaudit.extract.latex.bibtex import read_bibtex
from citeaudit.extract.latex.expand import expand
from citeaudit.extract.latex.files import Below, Files, Members, inside
from citeaudit.extract.latex.project import TEX, mains
from citeaudit.extract.latex.tex import read_source
from citeaudit.model.reference import Extraction

MAX_PACKED = 500_000_000
"""Bytes of an archive; arXiv takes 50 MB."""
MAX_MEMBERS = 20_000
MAX_MEMBER = 60_000_000
"""Bytes of one text in it."""
MAX_TOTAL = 200_000_000
"""Bytes of all texts in it."""
MAX_STREAM = 4_000_000_000
"""Bytes of a whole tar, figures included."""
MAX_RATIO = 200
"""Times that a member may grow beyond a megabyte; LaTeX grows about four times."""
_FREE = 1_000_000
"""Bytes that may come out of any member, however well it packs."""

_WANTED = (*TEX, ".bib", ".bbl", ".bibtex", ".sty", ".cls")
_ANCILLARY = "anc/"
"""Folder of arXiv for what comes with a paper and is no part of it."""
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_TAR_MAGIC = slice(257, 262)
_OPEN_DOCUMENTS = (b"word/", b"[Content_Types].xml", b"mimetypeapplication", b"xl/", b"ppt/")
_CHUNK = 1 << 16
_DAMAGED = (
    OSError,
    EOFError,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    ValueError,
    NotImplementedError,  # a version of ZIP that no one has written yet: damage in the directory
)


class ArchiveExtractor:
    """Reads archives of LaTeX sources."""

    name = "archive"
    suffixes = (".zip", ".tar", ".tgz", ".gz")

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        """Whether a file is an archive by its first bytes, and no document of an office program."""
        if head.startswith(_ZIP):
            office = path.suffix.lower() in {".docx", ".odt", ".xlsx", ".pptx", ".epub"}
            return not office and not any(mark in head for mark in _OPEN_DOCUMENTS)
        return head.startswith(_GZIP) or head[_TAR_MAGIC] == b"ustar"

    def read(self, path: Path) -> Extraction:
        """Read the references of the main document inside, or of the .bib and .bbl files where there is no LaTeX.

        Never raises for one bad entry; see `Extraction.failed`.

        Raises:
            UnreadableDocumentError: Missing, damaged, beyond a limit, or no archive.
            EncryptedDocumentError: Its members need a password.
            NoReferencesError: It holds no LaTeX and no bibliography, or nothing is cited.
        """
        name = str(path)
        try:
            if path.stat().st_size > MAX_PACKED:
                raise UnreadableDocumentError(f"is larger than {MAX_PACKED // 1_000_000} MB; unpack it", path=name)
            with path.open("rb") as file:
                data = _members(file, path)
        except FileNotFoundError as error:
            raise UnreadableDocumentError("no such file; check the path", path=name) from error
        except _DAMAGED as error:
            raise UnreadableDocumentError("is damaged or no archive; pack it again", path=name) from error
        return _read(Members(data, name), list(data), name)


def _read(files: Files, names: list[str], path: str) -> Extraction:
    found = mains(files, [name for name in names if not name.startswith(_ANCILLARY)]) or mains(files, names)
    if found:
        return _documents(files, found, path)
    bibliographies = [name for name in names if name.lower().endswith((".bib", ".bibtex"))]
    lists = [name for name in names if name.lower().endswith(".bbl")]
    if bibliographies:
        return _joined([_bib(files, name) for name in bibliographies if _filled(files, name)], path)
    if lists:
        return _joined([_bbl(files, name, path) for name in lists if _filled(files, name)], path)
    fragments = [name for name in names if name.lower().endswith(TEX)]
    if fragments:
        return _documents(files, fragments, path)
    raise NoReferencesError("holds no LaTeX source, no .bib and no .bbl", path=path)


def _filled(files: Files, name: str) -> bool:
    decoded = files.text(name)
    return decoded is not None and bool(decoded.text.strip())


def _documents(files: Files, found: list[str], path: str) -> Extraction:
    """Read the main document; where it cites nothing, the next one; others are told of."""
    error: NoReferencesError | None = None
    for name in found[:20]:
        folder = posixpath.dirname(name)
        try:
            read = read_source(Below(files, folder), posixpath.basename(name), path=path, name=ArchiveExtractor.name)
        except NoReferencesError as failure:
            error = error or failure
            continue
        others = [other for other in found if other != name]
        if not others:
            return read
        note = f"{name} was read as the main file; other documents in the archive: {', '.join(others[:10])}"
        check = read.self_check.model_copy(update={"notes": (note, *read.self_check.notes)})
        return read.model_copy(update={"self_check": check})
    raise error or NoReferencesError("holds no document that cites", path=path)


def _bib(files: Files, name: str) -> Extraction:
    decoded = files.text(name)
    text = decoded.text if decoded is not None else ""
    return read_bibtex(text, path=files.shown(name), notes=(decoded.note,) if decoded and decoded.note else ())


def _bbl(files: Files, name: str, path: str) -> Extraction:
    source = expand(files, name)
    return extraction(read_list(source, files), path=path, name=ArchiveExtractor.name, notes=source.notes)


def _joined(read: list[Extraction], path: str) -> Extraction:
    """Put the readings of several lists together."""
    if not read:
        raise NoReferencesError("its bibliography files are empty", path=path)
    first = read[0].self_check
    references = tuple(reference for one in read for reference in one.references)
    failed = tuple(block for one in read for block in one.failed)
    check = first.model_copy(
        update={
            "read": len(references),
            "expected": len(references) + len(failed),
            "labels_duplicate": tuple(label for one in read for label in one.self_check.labels_duplicate),
            "notes": tuple(note for one in read for note in one.self_check.notes),
        }
    )
    return Extraction(path=path, format=ArchiveExtractor.name, references=references, failed=failed, self_check=check)


# --- unpacking -------------------------------------------------------------------------------------------


def _members(file: IO[bytes], path: Path) -> dict[str, bytes]:
    """Give the bytes of the texts inside, by safe name."""
    head = file.read(512)
    file.seek(0)
    if head.startswith(b"PK"):
        return _collect(_zipped(file, str(path)), str(path))
    if head.startswith(_GZIP):
        return _gzipped(file, path)
    if head[_TAR_MAGIC] == b"ustar":
        with tarfile.open(fileobj=file, mode="r:") as archive:
            return _collect(_tarred(archive, str(path)), str(path))
    if not head:
        raise UnreadableDocumentError("is empty; name another file, or pack the source again", path=str(path))
    raise UnreadableDocumentError("is no archive, whatever its name says; name the file itself", path=str(path))


def _collect(members: Iterator[tuple[str, bytes]], path: str) -> dict[str, bytes]:
    out: dict[str, bytes] = {}
    total = 0
    for name, data in members:
        total += len(data)
        if total > MAX_TOTAL:
            raise UnreadableDocumentError(f"holds more than {MAX_TOTAL // 1_000_000} MB of text; unpack it", path=path)
        out.setdefault(name, data)
    return out


def _wanted(raw: str) -> str | None:
    """Give a member's name in normal form where it is a text of interest at a safe place."""
    name = inside(raw)
    if name is None or not name.lower().endswith(_WANTED):
        return None
    parts = PurePosixPath(name).parts
    return None if any(part.startswith(".") or part == "__MACOSX" for part in parts) else name


def _zipped(file: IO[bytes], path: str) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(file) as archive:
        infos = archive.infolist()
        if len(infos) > MAX_MEMBERS:
            raise UnreadableDocumentError(f"holds more than {MAX_MEMBERS:,} files; unpack it", path=path)
        for info in infos:
            name = _wanted(info.filename)
            if name is None or info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
                continue
            if info.flag_bits & 1:
                raise EncryptedDocumentError("needs a password; unpack it first", path=path)
            try:
                with archive.open(info) as member:
                    yield name, _limited(member, info.compress_size, f"{path}/{name}")
            except (NotImplementedError, RuntimeError) as error:  # an unknown way of packing
                raise UnreadableDocumentError(f"cannot unpack {name} ({error})", path=path) from error


def _tarred(archive: tarfile.TarFile, path: str) -> Iterator[tuple[str, bytes]]:
    for count, info in enumerate(archive):
        if count > MAX_MEMBERS:
            raise UnreadableDocumentError(f"holds more than {MAX_MEMBERS:,} files; unpack it", path=path)
        name = _wanted(info.name)
        if name is None or not info.isreg():
            continue
        member = archive.extractfile(info)
        if member is not None:
            yield name, _limited(member, info.size, f"{path}/{name}")


def _limited(member: IO[bytes], packed: int, path: str) -> bytes:
    """Read a member up to its limits; the sizes that an archive states are not trusted."""
    limit = min(MAX_MEMBER, max(_FREE, packed * MAX_RATIO))
    parts: list[bytes] = []
    size = 0
    while chunk := member.read(_CHUNK):
        size += len(chunk)
        if size > limit:
            raise UnreadableDocumentError("grows beyond every measure when unpacked; it was not read", path=path)
        parts.append(chunk)
    return b"".join(parts)


class _Counted:
    """A stream of unpacked bytes that ends in an error where it grows beyond its limit."""

    def __init__(self, stream: IO[bytes], packed: int, path: str) -> None:
        self._stream = stream
        self._left = min(MAX_STREAM, max(_FREE, packed * MAX_RATIO))
        self._path = path

    def read(self, size: int = _CHUNK) -> bytes:
        """Give at most so many bytes."""
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise UnreadableDocumentError("grows beyond every measure when unpacked; it was not read", path=self._path)
        return data


def _gzipped(file: IO[bytes], path: Path) -> dict[str, bytes]:
    """Read a gzipped tar, or one gzipped source, which arXiv gives where there is only one file."""
    with gzip.GzipFile(fileobj=file) as packed, io.BufferedReader(packed) as stream:
        head = stream.peek(_TAR_MAGIC.stop)
        counted = _Counted(stream, path.stat().st_size, str(path))
        if head[_TAR_MAGIC] == b"ustar":
            with tarfile.open(fileobj=cast("IO[bytes]", counted), mode="r|") as archive:  # a stream: nothing is kept
                return _collect(_tarred(archive, str(path)), str(path))
        parts: list[bytes] = []
        while chunk := counted.read():
            parts.append(chunk)
            if len(parts) * _CHUNK > MAX_MEMBER:
                raise UnreadableDocumentError("holds a file that is too large for a source", path=str(path))
    data = b"".join(parts)
    if not data or b"\0" in data[:1_000]:
        raise UnreadableDocumentError("holds neither an archive nor a text", path=str(path))
    return {_single(path.name, decode(data[:200_000]).text): data}


def _single(name: str, text: str) -> str:
    """Give a name to the one file in a .gz: its own, or one that its content suggests."""
    stem = name.removesuffix(".gz")
    if PurePosixPath(stem).suffix.lower() in _WANTED:
        return stem
    return f"{stem}.tex" if "\\document" in text or "\\cite" in text or "\\bibitem" in text else f"{stem}.bib"
