"""Being told to stop: Ctrl-C and SIGTERM, heeded at once, or after what must not be broken off."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_HEEDED = ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL))
"""Signals, and what Python does about each of its own: what a caller set up, or had ignored, stays."""


class Interrupted(KeyboardInterrupt):
    """A build was told to stop.

    Attributes:
        kept: Records with which the same command goes on; 0 if there is nothing to go on from.
    """

    def __init__(self, kept: int) -> None:
        """Say how much is kept."""
        super().__init__(kept)
        self.kept = kept


class Stops:
    """Turns both signals into `KeyboardInterrupt`, in the main thread of a process; elsewhere none arrives."""

    def __init__(self) -> None:
        """Heed nothing yet."""
        self._held = self._waiting = False

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """Heed the signals inside the block."""
        before = []
        if threading.current_thread() is threading.main_thread():
            before = [(number, usual) for number, usual in _HEEDED if signal.getsignal(number) is usual]
        for number, _ in before:
            signal.signal(number, self._stop)
        try:
            yield
        finally:
            for number, usual in before:
                signal.signal(number, usual)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Have signals wait until the end of the block.

        Raises:
            KeyboardInterrupt: At the end, if one came.
        """
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self._waiting:
            self._waiting = False
            raise KeyboardInterrupt

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        if not self._held:
            raise KeyboardInterrupt
        self._waiting = True
