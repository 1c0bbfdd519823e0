"""What all processes of this machine know of one service's limits: a small locked file, and slots.

Both rest on `flock`, which the kernel releases when a process ends in whatever way, so that nothing stays locked.
The file is one JSON object, written with one call and never shortened: a process killed in between leaves either the
old or the new one. Times are seconds since 1970, the only clock processes share; whoever reads them must not trust
them further than a wait that makes sense, because that clock can be set.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

POLL_S = 0.004
"""Seconds between two tries at a lock that is held for as long as a request takes to write."""
LOCK_TRIES = 15_000
"""Tries, about a minute, after which whoever holds the lock is taken to be suspended."""
SLOT_POLL_S = 0.03
"""Seconds between two tries at a slot, which is held for as long as an answer takes."""
MAX_BYTES = 8192
"""Most bytes of a ledger."""

Sleep = Callable[[float], Awaitable[None]]


def shared_dir() -> Path:
    """Give the one folder through which all processes of this user on this machine share limits; makes it.

    It lies among the temporary files, whichever cache a run uses, because a service counts by machine.

    Raises:
        OSError: It cannot be made, or what is there is a link, somebody else's, or open to others.
    """
    folder = Path(tempfile.gettempdir()) / f"citeaudit-gates-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()  # a link would lead where others may write
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(errno.EACCES, "is not a folder for this user alone", folder.name)
    return folder


class Lane(BaseModel):
    """What is known of one lane."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    next_at: float = 0.0
    """When the next request may start."""
    interval_s: float | None = Field(None, gt=0, le=60)
    """Least seconds between requests, as the service last said."""
    concurrent: int | None = Field(None, ge=1, le=1000)
    """Most requests at a time, likewise."""
    stretch: float = Field(1.0, ge=1, le=64)
    """Factor on the interval; grows when the service asks to be asked less often without saying how."""


class State(BaseModel):
    """What is known of one service."""

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    not_before: float = 0.0
    """When the service may be asked again at all."""
    lanes: dict[str, Lane] = Field(default_factory=dict)

    def lane(self, name: str) -> Lane:
        """Give what is known of a lane."""
        return self.lanes.setdefault(name, Lane())


class Page:
    """An open, locked ledger."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        raw = os.pread(descriptor, MAX_BYTES, 0)
        self.damaged = False
        self.state = State()
        if raw.strip():
            try:
                self.state = State.model_validate_json(raw)
            except ValidationError:
                self.damaged = True

    def write(self) -> None:
        """Keep the state; padded, so that what stood there before never shows."""
        os.pwrite(self._descriptor, self.state.model_dump_json().encode().ljust(MAX_BYTES), 0)

    def close(self) -> None:
        """Let others in."""
        os.close(self._descriptor)


class Ledger:
    """Opens the file and slots of one service.

    Args:
        path: The file, in a folder that exists; slots are files beside it.
        sleep: Waits for a number of seconds.
    """

    def __init__(self, path: Path, sleep: Sleep) -> None:
        self._path = path
        self._sleep = sleep

    async def page(self) -> Page:
        """Wait for the file's lock; never blocks the event loop. The caller closes the page.

        Raises:
            OSError: The file cannot be opened or locked.
        """
        for _ in range(LOCK_TRIES):
            descriptor = _lock(self._path)
            if descriptor is not None:
                return Page(descriptor)
            await self._sleep(POLL_S)
        raise TimeoutError(f"{self._path.name} stays locked")

    def slot(self, count: int) -> int | None:
        """Take one of the first `count` slots, if one is free; the caller closes the descriptor.

        All lanes share the slots: whether a service counts them apart is not always told.

        Raises:
            OSError: A slot cannot be opened or locked.
        """
        for number in range(count):
            descriptor = _lock(self._path.with_name(f"{self._path.stem}.{number}.slot"))
            if descriptor is not None:
                return descriptor
        return None


def _lock(path: Path) -> int | None:
    """Open a file under an exclusive lock; `None` where somebody else holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
