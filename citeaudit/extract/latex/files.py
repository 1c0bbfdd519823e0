"""The files of one LaTeX document: a folder on disk or the members of an archive, by their relative names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from citeaudit.errors import ExtractionError
from citeaudit.extract.decode import Decoded, decode, read_document


class Files(Protocol):
    """Text files by their name relative to the folder of the main file, with `/` between its parts."""

    def text(self, name: str) -> Decoded | None:
        """Give a file's text; `None` where it is not there, lies outside or is no text."""
        ...

    def shown(self, name: str) -> str:
        """Give the name for the user and for a locus."""
        ...

    def names(self) -> Iterator[str]:
        """Give every name that may be looked into without having been named by a source."""
        ...


def inside(name: str) -> str | None:
    """Give a relative name in its normal form, or `None` where it leads outside or could not be a file.

    >>> inside("sections/../a.tex"), inside("../a.tex"), inside("/etc/passwd")
    ('a.tex', None, None)
    """
    name = name.strip().strip('"').replace("\\", "/")
    if not name or "\0" in name or ":" in name or name.startswith(("/", "~")):
        return None
    normal = posixpath.normpath(name)
    return None if normal in {".", ".."} or normal.startswith("../") else normal


class Folder:
    """A folder on disk; links that lead out of it are not followed.

    Args:
        root: The folder, as the user named it.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._real = root.resolve()
        self._known: dict[str, Decoded | None] = {}

    def text(self, name: str) -> Decoded | None:
        """Give a file's text; see `Files`."""
        normal = inside(name)
        if normal is None:
            return None
        if normal not in self._known:
            self._known[normal] = self._read(normal)
        return self._known[normal]

    def _read(self, name: str) -> Decoded | None:
        path = self._root / name
        try:
            if not path.is_file() or not path.resolve().is_relative_to(self._real):
                return None
            return read_document(path)
        except (OSError, ExtractionError):  # a name too long for the file system, an empty file, a binary one
            return None

    def shown(self, name: str) -> str:
        """Give the path on disk."""
        return str(self._root / name)

    def names(self) -> Iterator[str]:
        """Give nothing: what a source does not name may belong to another document."""
        return iter(())


class Members:
    """The members of an archive.

    Args:
        data: Bytes by safe relative name.
        prefix: What stands before a name for the user, `paper.zip`.
    """

    def __init__(self, data: Mapping[str, bytes], prefix: str) -> None:
        self._data = data
        self._prefix = prefix
        self._known: dict[str, Decoded] = {}

    def text(self, name: str) -> Decoded | None:
        """Give a member's text; see `Files`."""
        normal = inside(name)
        if normal is None or normal not in self._data:
            return None
        if normal not in self._known:
            self._known[normal] = decode(self._data[normal])
        return self._known[normal]

    def shown(self, name: str) -> str:
        """Give `archive/member`."""
        return f"{self._prefix}/{name}"

    def names(self) -> Iterator[str]:
        """Give the names of all members, in their order."""
        return iter(self._data)


class Below:
    """The files of a folder inside another set of files.

    Args:
        files: The whole.
        folder: The folder, in normal form; empty for the whole.
    """

    def __init__(self, files: Files, folder: str) -> None:
        self._files = files
        self._folder = f"{folder}/" if folder else ""

    def text(self, name: str) -> Decoded | None:
        """Give a file's text; see `Files`."""
        normal = inside(name)
        return self._files.text(self._folder + normal) if normal is not None else None

    def shown(self, name: str) -> str:
        """Give the name of the whole set."""
        return self._files.shown(self._folder + name)

    def names(self) -> Iterator[str]:
        """Give the names below the folder."""
        start = len(self._folder)
        return (name[start:] for name in self._files.names() if name.startswith(self._folder))
