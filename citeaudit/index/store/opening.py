"""Open the files of sealed parts for reading: also where nothing can be written, and while others meddle with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

from citeaudit.errors import IndexDamagedError
from citeaudit.index.manifest import REBUILD

if TYPE_CHECKING:
    import tantivy

LOOK_EVERY_S = 0.2
"""Seconds between two looks at the sizes of mapped files; a look takes a microsecond a file."""

_LOCK = "Lockfile"
"""In what tantivy says where it cannot make or open its lock."""


@contextmanager
def words_index(folder: Path) -> Iterator[tantivy.Index]:
    """Open a folder of words; what is taken from the index inside the block can be used after it.

    To read, tantivy makes a lock beside the files. Of an index on a read-only disk, or one that another user
    installed, it is given links in a folder of our own; they may go as soon as the files are mapped.

    Args:
        folder: With the files of tantivy.

    Raises:
        IndexDamagedError: Nothing can be written there, nor in the folder for temporary files.
        ValueError: The files are damaged, as tantivy says it (it may also panic, see `words.said_by_tantivy`).
    """
    import tantivy

    try:
        index = tantivy.Index.open(str(folder))
    except ValueError as error:
        if _LOCK not in str(error):
            raise
    else:
        yield index
        return
    try:
        with TemporaryDirectory(prefix="citeaudit-") as place:
            for path in folder.iterdir():
                if not path.name.endswith(".lock"):
                    (Path(place) / path.name).symlink_to(path.resolve())
            yield tantivy.Index.open(place)
    except OSError as error:
        raise IndexDamagedError(
            f"{folder}: cannot be opened ({error.strerror}); make room in the folder for temporary files"
        ) from error


class Mapped:
    """Files that are mapped into memory. One that another program cuts short would end the process where it is read."""

    def __init__(self, paths: Iterable[Path]) -> None:
        """Note what the files are now; those that are missing are left to whoever opens them."""
        self._seen = [(path, found) for path in paths if (found := _seen(path)) is not None]
        self._next = monotonic() + LOOK_EVERY_S

    def check(self) -> None:
        """Look again, now and then. A file that was replaced or removed stays whole for whoever has it mapped.

        Raises:
            IndexDamagedError: A file was cut short.
        """
        now = monotonic()
        if now < self._next:
            return
        for path, (number, size) in self._seen:
            found = _seen(path)
            if found is not None and found[0] == number and found[1] < size:
                raise IndexDamagedError(f"{path}: was cut short by another program while it was in use; {REBUILD}")
        self._next = now + LOOK_EVERY_S


def _seen(path: Path) -> tuple[int, int] | None:
    """Give number and size of a file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size
