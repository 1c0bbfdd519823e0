"""Reading the units of a dump in several processes, in order, with a bounded number of them in flight."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import marshal
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, NamedTuple, cast

from citeaudit import registry
from citeaudit.errors import ConfigError, IndexBuildError, IndexDamagedError, UnreadableDumpError
from citeaudit.index.building.merging import STORED_FORM, StoredForm
from citeaudit.index.dumps.form import DumpFormat, Fault, Listing, Unit
from citeaudit.index.dumps.packed import UNIT_BYTES
from citeaudit.index.store.codec import Codec
from citeaudit.index.store.prepare import prepare
from citeaudit.index.store.record import Malformed, Record
from citeaudit.index.store.row import Row

AHEAD = 2
"""Units in flight beyond one a worker: enough that none waits, and memory stays flat."""

KEPT_FAULTS = 5
"""Faults of a unit that are named; the others are counted."""

PROGRAM = "from citeaudit.index.building.workers import main; main()"
"""What a worker process runs."""

_DIED = (
    "a process that reads records died (out of memory, or killed); run the same command again to go on,"
    " with a smaller --jobs if it happens again"
)
_LAST_WORDS = 5.0
"""Seconds in which a worker that failed may say why on standard error."""

_HEAD = 8
_SWEEP = 64
"""Units after which a worker looks for cycles once (errors make some, records none)."""


class Recipe(NamedTuple):
    """All that is needed to turn a unit into rows; the same in every process."""

    format: str
    dictionary: bytes | None
    """Of the codec."""
    min_year: int | None = None


class Batch(NamedTuple):
    """What a unit gave."""

    rows: list[Row]
    listings: list[Listing]
    older: int
    """Records left out because they are older than the first year asked for."""
    faults: int
    named: list[Fault]
    """The first few faults."""


class Step(NamedTuple):
    """A unit and where it stands."""

    file: int
    """Index of its file, from 0."""
    number: int
    """Of the unit in its file, from 0."""
    unit: Unit


def find(name: str) -> DumpFormat:
    """Give the reader of a format.

    Raises:
        IndexBuildError: No such format; the message lists the known ones.
    """
    if name == STORED_FORM:
        return StoredForm()
    try:
        return cast("type[DumpFormat]", registry.load("dump", name))()  # entry points are untyped
    except ConfigError as error:
        known = ", ".join(registry.names("dump"))
        raise IndexBuildError(f"unknown format {name!r}; known: {known}") from error


def cores() -> int:
    """Give the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Reader:
    """Turns units into rows; one in each process."""

    def __init__(self, recipe: Recipe, form: DumpFormat | None = None) -> None:
        """Make the reader of the format, and the codec."""
        self._form = form or find(recipe.format)
        self._codec = Codec(recipe.dictionary)
        self._min_year = recipe.min_year

    def read(self, unit: Unit) -> Batch:
        """Read one unit.

        Raises:
            IndexBuildError: Its file is truncated, damaged or no such dump.
        """
        rows: list[Row] = []
        listings: list[Listing] = []
        named: list[Fault] = []
        older = faults = 0
        codec, oldest, add = self._codec, self._min_year, rows.append
        for item in self._form.read(unit):
            if type(item) is Record:  # the usual case first: this loop turns for every record
                if oldest is not None and item.year is not None and item.year < oldest:
                    older += 1
                    continue
                try:
                    add(prepare(item, codec))
                except Malformed as error:
                    faults += 1
                    if len(named) < KEPT_FAULTS:
                        named.append(Fault(f"{unit.place} or later", str(error)))
            elif isinstance(item, Listing):
                listings.append(item)
            elif isinstance(item, Fault):
                faults += 1
                if len(named) < KEPT_FAULTS:
                    named.append(item)
        return Batch(rows, listings, older, faults, named)


def read_all(
    steps: Iterable[Step], recipe: Recipe, team: int | Team, form: DumpFormat | None = None
) -> Generator[tuple[Step, Batch], None, None]:
    """Read units in their order.

    Args:
        steps: The units; drawn as they are needed.
        recipe: How they are read.
        team: Processes, or how many; with 1 everything happens in this one. They end with the last unit.
        form: Reader of the format for this process; by its name where it is `None`.

    Raises:
        IndexBuildError: A file is damaged, or a worker process died (out of memory, killed).
    """
    if isinstance(team, int) and team <= 1:
        reader = Reader(recipe, form)
        for step in steps:
            yield step, reader.read(step.unit)
        return
    with closing(Team(team) if isinstance(team, int) else team) as ready:
        ready.recipe = recipe
        yield from _ordered(ready, iter(steps), ready.jobs + AHEAD)


def _ordered(team: Team, steps: Iterator[Step], ahead: int) -> Iterator[tuple[Step, Batch]]:
    waiting = deque((_bare(step), team.submit(step.unit)) for step in islice(steps, ahead))
    while waiting:
        step, future = waiting.popleft()
        batch = future.result()
        waiting.extend((_bare(following), team.submit(following.unit)) for following in islice(steps, 1))
        yield step, batch


def _bare(step: Step) -> Step:
    return step._replace(unit=step.unit._replace(data=None))


class Team:
    """Worker processes, each served by a thread of this one; a thread waits for its worker without holding others up.

    They are started like any program, not by `multiprocessing`: that would run the caller's script again in each.
    What goes between them is `marshal`led, which is quicker than pickling and cannot run anything.

    Attributes:
        jobs: Number of processes.
        recipe: To be set before anything is submitted.
    """

    recipe: Recipe

    def __init__(self, jobs: int) -> None:
        """Start the processes; they need half a second, in which a recipe can be made."""
        self.jobs = jobs
        self._idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
        self._all = [self._start() for _ in range(jobs)]
        self._threads = ThreadPoolExecutor(jobs)

    def _start(self) -> subprocess.Popen[bytes]:
        worker = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", "-c", PROGRAM],  # -P: a queue.py in the folder of the user is no module of ours
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the main process; workers end when it closes their input
        )
        _widen(worker)
        self._idle.put(worker)
        return worker

    def submit(self, unit: Unit) -> Future[Batch]:
        """Have a unit read by the next process that is free."""
        return self._threads.submit(self._ask, unit)

    def _ask(self, unit: Unit) -> Batch:
        worker = self._idle.get()
        try:
            answer = _exchange(worker, (tuple(self.recipe), (str(unit.path), unit.place, unit.data)))
        finally:
            self._idle.put(worker)
        match answer:
            case ("damaged", str(told)):
                raise IndexDamagedError(told)
            case ("unreadable", str(told)):
                raise UnreadableDumpError(told)
            case ("refused", str(told)):
                raise IndexBuildError(told)
        columns, listings, older, faults, named = cast("_Sent", answer)
        return Batch(
            [_new(Row, row) for row in zip(*columns, strict=True)],
            [Listing(*one) for one in listings],
            older,
            faults,
            [Fault(*one) for one in named],
        )

    def close(self) -> None:
        """End the workers, at once; to be called again does nothing."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._all:
            worker.kill()
        self._threads.shutdown(wait=True)
        for worker in self._all:
            worker.wait()
            for pipe in (worker.stdin, worker.stdout):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()


_new = tuple.__new__
"""Makes a named tuple in a third of the time."""
_Sent = tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], int, int, list[tuple[str, str]]]


def _widen(worker: subprocess.Popen[bytes]) -> None:
    """Have the pipes take a unit at once instead of a sixteenth, where the system lets us: fewer changes of process."""
    for pipe in (worker.stdin, worker.stdout):
        with contextlib.suppress(OSError, AttributeError):  # Linux alone knows the order, and may refuse it
            if pipe is not None:
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, UNIT_BYTES)


def _exchange(worker: subprocess.Popen[bytes], question: object) -> object:
    """Send a worker a question and wait for its answer.

    Raises:
        IndexBuildError: It died.
    """
    answer = None
    with contextlib.suppress(OSError):
        if worker.stdin is not None and worker.stdout is not None:
            _send(worker.stdin, question)
            answer = _receive(worker.stdout)
    if answer is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            worker.wait(_LAST_WORDS)
        raise IndexBuildError(_DIED)
    return answer


def _send(pipe: IO[bytes], message: Any) -> None:
    data = marshal.dumps(message, 2)  # later versions look for equal objects: slower, and nothing is gained
    pipe.write(len(data).to_bytes(_HEAD, "big"))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> object:
    """Give the next message, or `None` at the end."""
    head = pipe.read(_HEAD)
    size = int.from_bytes(head, "big")
    data = pipe.read(size) if len(head) == _HEAD else b""
    return marshal.loads(data) if data and len(data) == size else None  # noqa: S302 - from our own process


def main() -> None:
    """Be a worker process: answer on standard output what comes on standard input.

    Where the main process is gone, so is the pipe to it: the worker ends without a word.
    """
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    with contextlib.suppress(BrokenPipeError), os.fdopen(os.dup(1), "wb") as answers, no_sweeps():
        os.dup2(2, 1)  # what a library prints must not get between the answers
        serve(sys.stdin.buffer, answers)


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer each unit with its rows, until there are no more."""
    reader: Reader | None = None
    done = 0
    while (question := _receive(questions)) is not None:
        recipe, (path, place, data) = cast("tuple[tuple[Any, ...], tuple[str, str, bytes | None]]", question)
        reader = reader or Reader(Recipe(*recipe))
        _send(answers, _answer(reader, Unit(Path(path), place, data)))
        done += 1
        if done % _SWEEP == 0:
            gc.collect()


def _answer(reader: Reader, unit: Unit) -> object:
    try:
        batch = reader.read(unit)
    except IndexDamagedError as error:
        return ("damaged", str(error))
    except UnreadableDumpError as error:
        return ("unreadable", str(error))
    except IndexBuildError as error:
        return ("refused", str(error))
    columns = list(zip(*batch.rows, strict=True))  # named tuples cannot be marshalled; columns are quicker than rows
    return (columns, list(map(tuple, batch.listings)), batch.older, batch.faults, list(map(tuple, batch.named)))


@contextlib.contextmanager
def no_sweeps() -> Iterator[None]:
    """Hold the garbage collector's sweeps: records have no cycles, and sweeping millions of names took a third."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
