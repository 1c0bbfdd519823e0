"""Write a report to a file at once or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from citeaudit.errors import UsageError


def check_target(path: Path) -> None:
    """Make sure a report can be written, before the work begins.

    Raises:
        UsageError: The folder is missing, or the target is a folder or a symbolic link.
    """
    if path.is_symlink():
        raise UsageError(f"{path}: is a symbolic link; name the file itself")
    if path.is_dir():
        raise UsageError(f"{path}: is a folder; name a file")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist; make it first")


def write_atomic(path: Path, write: Callable[[TextIO], None]) -> None:
    """Write a UTF-8 file beside the target, then put it in its place; a failure leaves the old one as it was.

    Line ends are kept as they are written. What UTF-8 cannot hold (a file name in no encoding) is written out.

    Raises:
        UsageError: The file cannot be written.
    """
    check_target(path)
    kept: str | None = None
    try:
        descriptor, kept = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        Path(kept).chmod(0o644)
        Path(kept).replace(path)
        kept = None
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        if kept is not None:
            Path(kept).unlink(missing_ok=True)
