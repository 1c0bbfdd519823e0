"""Run `citeaudit index build` as a user does, and tell what it took: time, processor time, memory of all processes."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

SAMPLE_S = 0.25
"""Seconds between two looks at the memory of the processes."""


class Memory(NamedTuple):
    """Memory of a process and all below it, in bytes."""

    rss: int
    """Resident sets added up: pages that two processes map are counted twice, mapped files count."""
    pss: int
    """The same with each page shared out among those that map it."""
    own: int
    """Anonymous pages: what no file backs, and what the system cannot take back."""


class Cost(NamedTuple):
    """What a build took."""

    records: int
    size: int
    """Bytes of the folder afterwards."""
    seconds: float
    cpu_s: float
    """Processor time of all processes."""
    memory: Memory
    """The highest of each figure."""


def build(source: Path, out: Path, *, jobs: int, core: int | None = None) -> Cost:
    """Build an index and measure it.

    Args:
        source: JSON lines.
        out: Folder of the index.
        jobs: Processes, as `--jobs`.
        core: Number of the one core, among those allowed, that all is kept on; `None` leaves it free.
    """
    command = [sys.executable, "-m", "citeaudit", "index", "build", "--format", "jsonl", str(source)]
    command += ["--out", str(out), "--jobs", str(jobs)]
    before, started = _cpu(), perf_counter()
    with (out.parent / f"{out.name}.log").open("wb") as log, _kept_on(core):
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)  # noqa: S603 - our own command
    watch = Watch(process.pid)
    code = process.wait()
    seconds, peak = perf_counter() - started, watch.stop()
    if code:
        last = (out.parent / f"{out.name}.log").read_text("utf-8", "replace")[-1_000:]
        raise SystemExit(f"{' '.join(command)} ended with {code}: {last}")
    return Cost(count(out), size(out), seconds, _cpu() - before, peak)


def count(index: Path) -> int:
    """Give the records that an index says it holds."""
    from citeaudit.index.manifest import read

    return read(index).records


def size(folder: Path) -> int:
    """Give the bytes of all files of a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextlib.contextmanager
def _kept_on(core: int | None) -> Iterator[None]:
    """Keep this thread, and so what it starts, on one core for a moment."""
    if core is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(allowed)[core % len(allowed)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


class Watch:
    """Looks at the memory of a process and all below it until told to stop (Linux; elsewhere it sees nothing)."""

    def __init__(self, pid: int) -> None:
        """Begin to look."""
        self._pid, self._peak, self._over = pid, Memory(0, 0, 0), threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> Memory:
        """Give the highest of each figure."""
        self._over.set()
        self._thread.join()
        return self._peak

    def _look(self) -> None:
        while not self._over.wait(SAMPLE_S):
            now = memory(family(self._pid))
            self._peak = Memory(*map(max, self._peak, now))


def family(pid: int) -> list[int]:
    """Give a process and all below it."""
    below: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            parent = int(entry.read_text(errors="replace").rpartition(")")[2].split()[1])
            below.setdefault(parent, []).append(int(entry.parent.name))
    found = [pid]
    for one in found:  # grows while it is read
        found += below.get(one, ())
    return found


def memory(pids: list[int]) -> Memory:
    """Add up what processes hold; one that has ended counts nothing."""
    sums = {"Rss": 0, "Pss": 0, "Anonymous": 0}
    for pid in pids:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                name, _, rest = line.partition(":")
                if name in sums:
                    sums[name] += int(rest.split()[0]) * 1024
    return Memory(sums["Rss"], sums["Pss"], sums["Anonymous"])
