"""The folder in which an index is made, the lock that keeps a second writer out, and the one moment of change.

::

    DIR/index.json      what the index is (`manifest.write` replaces it at once)
    DIR/parts/NAME/     sealed parts; those that `index.json` does not name are leftovers
    DIR/writer.lock     held by a running writer
    DIR/building/       what is being made: task.json, part/, and sealed.json once the part is whole
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import TextIO

from pydantic import BaseModel, ConfigDict, ValidationError

from citeaudit.errors import IndexBuildError
from citeaudit.index.manifest import DATA, MANIFEST, PARTS, SCHEMA_VERSION, FileSum, Manifest, is_there, write
from citeaudit.text.normalize import NORMALISER_VERSION
from citeaudit.version import __version__

LOCK, BUILDING = "writer.lock", "building"
"""Names in the folder of an index."""

_TASK, _SEALED, _PART = "task.json", "sealed.json", "part"
_OWN = {MANIFEST, f"{MANIFEST}.new", PARTS, LOCK, BUILDING, DATA}
"""What may stand in the folder of an index; `works.db` is that of schema 1."""

_BLOCK = 1 << 20
_SIGNS = ("no space left", "file too large", "quota")
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Input(BaseModel):
    """A file that is read, as it was when the work began."""

    model_config = ConfigDict(frozen=True)

    path: str
    """Absolute."""
    size: int
    """Bytes."""
    changed: int
    """Time of the last change, nanoseconds."""


class Task(BaseModel):
    """What a writer was asked to do; the same task goes on where an interrupted one stopped."""

    model_config = ConfigDict(frozen=True)

    kind: str
    """`build`, `update` or `merge`."""
    format: str
    inputs: tuple[Input, ...]
    min_year: int | None = None
    dump_date: str | None = None
    base: str = ""
    """Content of the index that an update adds to."""
    versions: tuple[str, ...] = (str(SCHEMA_VERSION), str(NORMALISER_VERSION), __version__)
    part: str = ""
    """Name that the part will get; chosen when the work begins."""

    @property
    def digest(self) -> str:
        """Give a short hash of the inputs, for the names of files that belong to them."""
        return blake2b("\n".join(file.model_dump_json() for file in self.inputs).encode(), digest_size=8).hexdigest()

    def goes_on(self, earlier: Task, read: int) -> bool:
        """Whether this is the earlier task; of its inputs only those it has `read` must be unchanged."""
        if self.model_copy(update={"inputs": (), "part": ""}) != earlier.model_copy(update={"inputs": (), "part": ""}):
            return False
        paths = [file.path for file in self.inputs] == [file.path for file in earlier.inputs]
        return paths and self.inputs[:read] == earlier.inputs[:read]


def describe(path: Path) -> Input:
    """Give a file as it is now.

    Raises:
        IndexBuildError: It cannot be looked at.
    """
    try:
        seen = path.stat()
    except OSError as error:
        raise IndexBuildError(f"{path}: cannot be read ({error.strerror})") from error
    return Input(path=printable(path.absolute()), size=seen.st_size, changed=seen.st_mtime_ns)


def printable(path: object) -> str:
    r"""Give a path, or a text with one, as it can be kept: names on disk need not be UTF-8.

    >>> printable(Path("caf\udce9.jsonl"))
    'caf\\udce9.jsonl'
    """
    return str(path).encode("utf-8", "backslashreplace").decode()


class Workshop:
    """The folder `building` of an index, while the lock is held."""

    def __init__(self, out: Path) -> None:
        """Name the folder; creates nothing."""
        self._out = out
        self._folder = out / BUILDING
        self.part = self._folder / _PART
        """Where the part is made."""

    def earlier(self) -> Task | None:
        """Give the task that was interrupted here, or `None`."""
        try:
            return Task.model_validate_json((self._folder / _TASK).read_bytes())
        except (OSError, ValidationError):
            return None

    def begin(self, task: Task) -> None:
        """Take up a task; what stands here from an interrupted one stays."""
        self._folder.mkdir(exist_ok=True)
        (self._out / PARTS).mkdir(exist_ok=True)
        _put(self._folder / _TASK, task.model_dump_json())

    def scratch(self, name: str) -> Path:
        """Give the place of a further file that belongs to the task."""
        return self._folder / name

    def clear(self) -> None:
        """Remove all that stands here."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def sealed(self) -> Manifest | None:
        """Give the manifest of a task whose part is whole, and only was not put in place; else `None`."""
        try:
            manifest = Manifest.model_validate_json((self._folder / _SEALED).read_bytes())
        except (OSError, ValidationError):
            return None
        if not manifest.parts:
            return None
        newest = manifest.parts[-1]
        places = (self.part, self._out / PARTS / newest.name)
        return manifest if any(_has(place, newest.files) for place in places) else None

    def seal(self, manifest: Manifest) -> None:
        """Note the manifest to be; from here on only `commit` is missing.

        tantivy makes some of its files for the user alone; whoever may read the records may read all.
        """
        mode = stat.S_IMODE((self.part / DATA).stat().st_mode)
        for path in sorted(self.part.rglob("*")):
            if path.is_file():
                path.chmod(mode)
            _sync(path)
        _sync(self.part)
        _put(self._folder / _SEALED, manifest.model_dump_json(by_alias=True))

    def commit(self, manifest: Manifest) -> None:
        """Put the part in place, then the manifest; what it no longer names is removed."""
        place = self._out / PARTS / manifest.parts[-1].name
        if self.part.exists():
            shutil.rmtree(place, ignore_errors=True)
            self.part.replace(place)
        _sync(self._out / PARTS)
        write(self._out, manifest)
        self.clear()
        self.sweep(manifest)

    def sweep(self, manifest: Manifest | None) -> None:
        """Remove parts that no manifest names, and the data of schema 1; readers that hold them go on reading."""
        if manifest is None:
            return
        named = {part.name for part in manifest.parts}
        with contextlib.suppress(OSError):
            for folder in (self._out / PARTS).iterdir():
                if folder.name not in named:
                    shutil.rmtree(folder, ignore_errors=True)
            (self._out / DATA).unlink(missing_ok=True)


@contextlib.contextmanager
def writing(out: Path) -> Iterator[Workshop]:
    """Hold the lock of an index; the folder is created where it is missing.

    Raises:
        IndexBuildError: Another process is writing this index, or the folder is none or holds other files.
    """
    if printable(out.absolute()) != str(out.absolute()):
        raise IndexBuildError(f"{printable(out)}: the name of the folder is not UTF-8; name another place")
    new = [place for place in (out, *out.parents) if not is_there(place)]
    try:
        out.mkdir(parents=True, exist_ok=True)
        strangers = sorted(path.name for path in out.iterdir() if path.name not in _OWN and path.name[0] != ".")
    except (FileExistsError, NotADirectoryError) as error:
        raise IndexBuildError(f"{out}: is not a folder; name another place") from error
    except OSError as error:
        raise IndexBuildError(
            f"{out}: the index could not be written ({error.strerror}); name another place"
        ) from error
    if strangers:
        raise IndexBuildError(f"{out}: the folder holds other files ({strangers[0]}); name an empty or a new one")
    with _lock(out):
        try:
            yield Workshop(out)
        finally:
            _tidy_away(out, new)


def _tidy_away(out: Path, new: Sequence[Path]) -> None:
    """Remove what was made for an index that did not come about, if nothing is kept in it; the lock is still held."""
    if any((out / name).exists() for name in (MANIFEST, BUILDING, DATA)):
        return
    with contextlib.suppress(OSError):  # what holds anything stays
        if (out / PARTS).exists():
            (out / PARTS).rmdir()
        (out / LOCK).unlink()
        for place in new:
            place.rmdir()


@contextlib.contextmanager
def _lock(out: Path) -> Iterator[None]:
    try:
        stream = (out / LOCK).open("a+", encoding="utf-8")
    except OSError as error:
        raise IndexBuildError(
            f"{out}: the index could not be written ({error.strerror}); name another place"
        ) from error
    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise IndexBuildError(f"{out}: {_holder(stream)} is writing this index; wait until it is done") from error
        except OSError as error:  # some network disks have no locks
            raise IndexBuildError(
                f"{out}: cannot be locked against a second writer ({error.strerror}); name a place on a local disk"
            ) from error
        if not _is_at(stream, out / LOCK):  # the writer before us found nothing to keep, and removed it
            raise IndexBuildError(f"{out}: another process was writing this index; run the same command again")
        stream.truncate(0)
        stream.write(f"{os.getpid()} since {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC")
        stream.flush()
        try:
            yield
        finally:  # an empty lock says nothing of a process that is gone
            stream.truncate(0)
            fcntl.flock(stream, fcntl.LOCK_UN)  # a process that was forked meanwhile has the file open, too


def _is_at(stream: TextIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except OSError:
        return False


def _holder(stream: TextIO) -> str:
    stream.seek(0)
    who = stream.read(100)
    return f"process {who}" if who else "another process"


def sums(folder: Path) -> dict[str, FileSum]:
    """Give size and checksum of every file of a part, by path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".lock"))
    return {path.relative_to(folder).as_posix(): file_sum(path) for path in files}


def file_sum(path: Path) -> FileSum:
    """Give size and checksum of a file.

    Raises:
        OSError: It cannot be read.
    """
    digest, size = blake2b(digest_size=16), 0
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return FileSum(size=size, blake2b=digest.hexdigest())


def is_full(error: BaseException) -> bool:
    """Whether an error says that the disk, or what may be used of it, is full."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    text = str(error).lower()
    return (isinstance(error, sqlite3.OperationalError) and "disk" in text) or any(sign in text for sign in _SIGNS)


def _unwritable(out: Path, error: OSError) -> IndexBuildError:
    return IndexBuildError(f"{out}: the index could not be written ({error.strerror}); name another place")


def _has(folder: Path, files: Mapping[str, FileSum]) -> bool:
    try:
        return all((folder / name).stat().st_size == each.size for name, each in files.items())
    except OSError:
        return False


def _put(path: Path, text: str) -> None:
    new = path.with_name(f"{path.name}.new")
    with new.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    new.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
