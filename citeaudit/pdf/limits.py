"""How much of the machine one PDF may use."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one worker process and of what it reads.

    The largest honest document measured, a 51-page manual, needs 0.3 s and 120 MiB; the defaults
    leave two orders of magnitude and still stop a decompression bomb within seconds.
    """

    memory_bytes: int = 1536 * MIB
    """Address space of the process."""
    cpu_s: int = 30
    """Processor time for one request: a document, or `range_pages` of a long one."""
    wall_s: float = 60.0
    """Time to wait for one request, the start of the process included."""
    range_pages: int = 120
    """Pages of a long document that one process reads at a time; several processes read it at once."""
    page_wall_s: float = 0.1
    """Time a page of a long document adds to what may be waited for it, beyond `wall_s`."""
    file_bytes: int = 256 * MIB
    """Larger files are refused unread."""
    pages: int = 5_000
    """Documents with more pages are refused."""
    answer_bytes: int = 128 * MIB
    """Text and places of one document, as JSON."""
    open_files: int = 64
    """File descriptors of the process."""
    documents: int = 200
    """Documents after which a process is replaced, so that leaks in the library stay small."""


DEFAULT_LIMITS = Limits()
