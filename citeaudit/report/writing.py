"""Write a report to a file at once or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TextIO

from citeaudit.errors import UsageError


def check_target(path: Path, inputs: Iterable[str] = ()) -> None:
    """Make sure a report can be written, before the work begins.

    Args:
        path: Where the report goes.
        inputs: The documents of the run, none of which a report may replace.

    Raises:
        UsageError: The folder is missing, or the target is a folder, a symbolic link, a device or an input.
    """
    if any(name != "-" and _same(path, Path(name)) for name in inputs):
        raise UsageError(f"{path}: is one of the documents to read; name another file for the report")
    if path.is_symlink():
        raise UsageError(f"{path}: is a symbolic link; name the file itself")
    if path.is_dir():
        raise UsageError(f"{path}: is a folder; name a file")
    if path.exists() and not path.is_file():
        raise UsageError(f"{path}: is not a regular file; leave -o out to write to standard output")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist; make it first")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of the two does not exist
        return False


def write_atomic(path: Path, write: Callable[[TextIO], None]) -> None:
    """Write a UTF-8 file beside the target, then put it in its place; a failure leaves the old one as it was.

    Line ends are kept as they are written. What UTF-8 cannot hold (a file name in no encoding) is written out.

    Raises:
        UsageError: The file cannot be written.
    """

    def fill(descriptor: int) -> None:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())

    check_target(path)
    _replace(path, fill)


def write_bytes(path: Path, content: bytes, inputs: Iterable[str] = ()) -> None:
    """Write a file of bytes in the same way; see `write_atomic`.

    Raises:
        UsageError: The file cannot be written, or is one of the inputs.
    """

    def fill(descriptor: int) -> None:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())

    check_target(path, inputs)
    _replace(path, fill)


def _replace(path: Path, fill: Callable[[int], None]) -> None:
    kept: str | None = None
    try:
        descriptor, kept = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        fill(descriptor)
        Path(kept).chmod(stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644)
        Path(kept).replace(path)
        kept = None
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        if kept is not None:
            Path(kept).unlink(missing_ok=True)
