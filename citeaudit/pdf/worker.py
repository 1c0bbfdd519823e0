"""Worker processes for PDFs: a crash, a hang or a bomb costs one document and one clear error.

PyMuPDF forbids threads, and hostile files crash or exhaust it; so every PDF is read in a spawned
process with limits (`citeaudit.pdf.limits`). A process serves many documents; after any failure
that is not the document's own plain fault a new one takes its place.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from citeaudit.errors import CiteauditError, DependencyError, EncryptedDocumentError, UnreadableDocumentError
from citeaudit.pdf.content import Area, PdfPage, PdfText, decode, decode_areas, decode_pages, joined
from citeaudit.pdf.limits import DEFAULT_LIMITS, MIB, Limits

PROGRAM = "import sys; from citeaudit.pdf.child import main; main(sys.argv[1:])"
"""What a worker process runs; tests start one that also crashes or hangs on request."""

OCR_PAGES = 3
"""Pages that one process recognises at a time: one takes up to 5 s, and `Limits.cpu_s` holds for all."""
HEADER_BYTES = 1024
"""A PDF says `%PDF-` within its first kilobyte (ISO 32000-1, annex H, implementation note 13)."""

MESSAGES = {
    "missing": "there is no such file; check the path",
    "directory": "is a directory, not a PDF; name the files in it",
    "special": "is not a regular file; copy the PDF to a file first",
    "unreadable": "cannot be opened ({detail}); check its permissions",
    "empty": "the file is empty; get a complete copy",
    "size": "is larger than {detail} MiB, the most that is read; split it",
    "not-pdf": "is not a PDF, whatever its name says: `%PDF-` is not at its start; get the PDF itself",
    "damaged": "is damaged beyond repair or cut short; get a complete copy",
    "encrypted": "needs a password; save a copy without one",
    "pages": "has {detail} pages, more than are read; split it",
    "answer": "holds more text than is read from one document; split it",
    "memory": "needed more memory than is allowed for one document; it may be damaged or built to do harm",
    "time": "was not read within {detail} seconds; it may be damaged or built to do harm",
    "ocr": "holds scanned pages, and the data of Tesseract for {detail} is not here; install tesseract-ocr with it",
    "crashed": "made the PDF reader stop ({detail}); it may be damaged or built to do harm",
}
"""What went wrong and what to do, by kind; the path stands before it."""

PLAIN_FAULTS = frozenset({"empty", "not-pdf", "encrypted", "pages", "ocr"})
"""Kinds after which the process is as good as new."""


def fault(kind: str, path: Path, detail: str = "") -> CiteauditError:
    """Build the one error for a kind of failure."""
    if kind == "ocr":
        return DependencyError(f"{path}: {MESSAGES[kind].format(detail=detail)}")
    error = EncryptedDocumentError if kind == "encrypted" else UnreadableDocumentError
    return error(MESSAGES[kind].format(detail=detail), path=str(path))


def look(path: Path, limits: Limits) -> None:
    """Refuse what needs no reader to be refused.

    Raises:
        UnreadableDocumentError: Missing, a directory, empty, too large, unreadable, or not a PDF.
    """
    if path.is_dir():
        raise fault("directory", path)
    if not path.exists():
        raise fault("missing", path)
    if not path.is_file():
        raise fault("special", path)
    try:
        with path.open("rb") as file:
            size, head = os.fstat(file.fileno()).st_size, file.read(HEADER_BYTES)
    except OSError as error:
        raise fault("unreadable", path, error.strerror or type(error).__name__) from error
    if size == 0:
        raise fault("empty", path)
    if size > limits.file_bytes:
        raise fault("size", path, str(limits.file_bytes // MIB))
    if b"%PDF-" not in head:
        raise fault("not-pdf", path)


class WorkerError(Exception):
    """A worker gave no answer; the kind is a key of `MESSAGES`."""

    def __init__(self, kind: str, detail: str = "") -> None:
        """Keep kind and detail."""
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail


@contextlib.contextmanager
def _faults(path: Path) -> Iterator[None]:
    """Turn what a worker could not do into the error of the document."""
    try:
        yield
    except WorkerError as error:
        raise fault(error.kind if error.kind in MESSAGES else "crashed", path, error.detail) from error
    except (KeyError, TypeError, ValueError) as error:
        raise fault("crashed", path, "its answer made no sense") from error


class Worker:
    """One worker process; not for use by two threads at once.

    Args:
        limits: What the process may use.
        program: Python source that it runs.
    """

    def __init__(self, limits: Limits = DEFAULT_LIMITS, program: str = PROGRAM) -> None:
        """Start the process; it loads PyMuPDF while the caller goes on."""
        self._limits = limits
        self.served = 0
        hold, self._leash = os.pipe()
        arguments = [str(limits.memory_bytes), str(limits.open_files), str(hold)]
        try:
            self._process = subprocess.Popen(  # noqa: S603  # our own interpreter and program
                [sys.executable, "-P", "-B", "-c", program, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                pass_fds=(hold,),
                env={"PYTHONPATH": os.pathsep.join(entry or os.curdir for entry in sys.path)},
                start_new_session=True,
            )
        finally:
            os.close(hold)

    @property
    def pid(self) -> int:
        """Give the process id, which is also that of its group."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def ask(self, job: str, **arguments: object) -> dict[str, object]:
        """Have a job done.

        Raises:
            WorkerError: The document's fault, a limit, or the end of the process.
        """
        self.served += 1
        limits = self._limits
        request = {"job": job, "cpu_s": limits.cpu_s, "answer_bytes": limits.answer_bytes, **arguments}
        line = self._exchange(json.dumps(request).encode("ascii") + b"\n", time.monotonic() + limits.wall_s)
        reply = json.loads(line)
        if "ok" in reply and isinstance(reply["ok"], dict):
            return reply["ok"]
        raise WorkerError(str(reply.get("error")), str(reply.get("detail", "")))

    def _exchange(self, request: bytes, until: float) -> bytes:
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:  # pragma: no cover  # both were asked for as pipes
            raise WorkerError("crashed", "no pipe")
        try:
            requests.write(request)
        except OSError:
            raise WorkerError("crashed", self._ending()) from None
        received = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(answers, selectors.EVENT_READ)
            while not received.endswith(b"\n"):
                if not selector.select(max(0.0, until - time.monotonic())):
                    raise WorkerError("time", f"{self._limits.wall_s:g}")
                part = os.read(answers.fileno(), MIB)
                if not part:
                    raise WorkerError("crashed", self._ending())
                received += part
                if len(received) > self._limits.answer_bytes + MIB:
                    raise WorkerError("answer")
        return bytes(received)

    def _ending(self) -> str:
        """Say how the process ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
        code = self._process.poll()
        if code is None or code >= 0:
            return f"exit {code}"
        return {-signal.SIGXCPU: "too much processor time"}.get(code, f"signal {-code}")

    def kill(self) -> None:
        """End the process and its group at once; may be called while another thread waits for its answer."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process and its group at once, and wait for it."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        if self._leash >= 0:
            os.close(self._leash)
            self._leash = -1


class Pool:
    """Warm workers for several threads.

    Args:
        limits: Of each worker.
        size: Most workers at once; a caller beyond waits for a free one.
        program: What a worker runs.
    """

    def __init__(self, limits: Limits = DEFAULT_LIMITS, *, size: int = 2, program: str = PROGRAM) -> None:
        """Start nothing yet."""
        self.limits = limits
        self.size = size
        self._program = program
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(size)

    def warm(self) -> None:
        """Start one worker, if none is idle, without waiting for it."""
        with self._lock:
            if not self._idle:
                self._idle.append(Worker(self.limits, self._program))

    def _take(self) -> Worker:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.alive:
                    return worker
                worker.close()
        return Worker(self.limits, self._program)

    def run(self, job: str, **arguments: object) -> dict[str, object]:
        """Have a job done by some worker.

        Raises:
            WorkerError: It failed; the worker was replaced if it may be harmed.
        """
        with self._free:
            worker = self._take()
            fit = False
            with self._lock:
                self._busy.add(worker)
            try:
                answer = worker.ask(job, **arguments)
                fit = worker.served < self.limits.documents
            except WorkerError as error:
                fit = error.kind in PLAIN_FAULTS
                raise
            else:
                return answer
            finally:
                with self._lock:
                    self._busy.discard(worker)
                    if fit:
                        self._idle.append(worker)
                if not fit:
                    worker.close()

    def read(self, path: Path) -> PdfText:
        """Read one PDF; see `read_pages`."""
        look(path, self.limits)
        with _faults(path):
            return self._read(path)

    def opening(self, path: Path, pages: int) -> PdfText:
        """Read the first pages of a PDF; see `read_opening`."""
        look(path, self.limits)
        place = os.fspath(path.absolute())
        with _faults(path):
            return decode(self.run("read", path=place, pages=self.limits.pages, first=1, last=pages))

    def _read(self, path: Path) -> PdfText:
        """Read the first pages, then the others of a long document in several processes at once."""
        step, until = self.limits.range_pages, time.monotonic() + self.limits.wall_s
        head = self._range(path, 1, until)
        count = int(str(head["count"]))
        if count <= step:
            return decode(head)
        until += self.limits.page_wall_s * count
        with self._threads("pdf-range") as threads:
            ranges = [threads.submit(self._range, path, first, until) for first in range(step + 1, count + 1, step)]
            parts = [part.result() for part in ranges]
        return joined([decode(head), *map(decode, parts)])

    def _range(self, path: Path, first: int, until: float) -> dict[str, object]:
        if time.monotonic() > until:
            raise WorkerError("time", f"{self.limits.wall_s:g}")
        place = os.fspath(path.absolute())
        return self.run(
            "read", path=place, pages=self.limits.pages, first=first, last=first + self.limits.range_pages - 1
        )

    def images(self, path: Path, numbers: Iterable[int]) -> dict[int, tuple[Area, ...]]:
        """Give the images of some pages; see `read_images`."""
        with _faults(path):
            answer = self.run(
                "images", path=os.fspath(path.absolute()), pages=self.limits.pages, numbers=sorted(numbers)
            )
            return decode_areas(answer)

    def recognise(
        self, path: Path, numbers: Sequence[int], languages: str, tessdata: Path | None
    ) -> tuple[PdfPage, ...]:
        """Read pages by OCR; see `recognise_pages`."""
        pages: list[PdfPage] = []
        with _faults(path), self._threads("pdf-ocr") as threads:
            tasks = [
                threads.submit(
                    self.run,
                    "recognise",
                    path=os.fspath(path.absolute()),
                    pages=self.limits.pages,
                    numbers=list(numbers[start : start + OCR_PAGES]),
                    languages=languages,
                    tessdata=os.fspath(tessdata) if tessdata else "",
                )
                for start in range(0, len(numbers), OCR_PAGES)
            ]
            for task in tasks:
                pages += decode_pages(task.result()["pages"])
        return tuple(pages)

    @contextlib.contextmanager
    def _threads(self, name: str) -> Iterator[ThreadPoolExecutor]:
        """Give threads for the parts of one document; after a fault or an interrupt the parts that wait are dropped.

        An interrupt also ends the workers at work, whose answers nobody will read: the user waits for them otherwise.
        """
        threads = ThreadPoolExecutor(self.size, thread_name_prefix=name)
        try:
            yield threads
        except KeyboardInterrupt:
            threads.shutdown(wait=False, cancel_futures=True)
            self.interrupt()
            raise
        finally:
            threads.shutdown(cancel_futures=True)

    def interrupt(self) -> None:
        """End the workers at work at once; who waits for them gets a `WorkerError`."""
        with self._lock:
            busy = list(self._busy)
        for worker in busy:
            worker.kill()

    def close(self) -> None:
        """End all idle workers."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()


_pools: dict[Limits, Pool] = {}
_pools_lock = threading.Lock()


def pool(limits: Limits = DEFAULT_LIMITS) -> Pool:
    """Give the pool of this process for these limits; its workers end with the process."""
    with _pools_lock:
        if limits not in _pools:
            if not _pools:
                atexit.register(close_pools)
            _pools[limits] = Pool(limits, size=max(1, os.cpu_count() or 1))
        return _pools[limits]


def close_pools() -> None:
    """End the idle workers of all pools of this process."""
    with _pools_lock:
        pools = list(_pools.values())
    for each in pools:
        each.close()


def warm() -> None:
    """Start a worker in the background, so that the first PDF need not wait for PyMuPDF to load."""
    pool().warm()


def read_pages(path: Path, *, limits: Limits = DEFAULT_LIMITS) -> PdfText:
    """Read the text and the places of a PDF in a worker process.

    Blocks; may be called from several threads at once.

    Args:
        path: The file.
        limits: What reading it may cost.

    Returns:
        Pages, links, destinations, metadata and outline. A scan without a text layer has pages without
        lines: see `PdfText.has_text`.

    Raises:
        UnreadableDocumentError: Missing, empty, not a PDF, damaged, too large, or more than the limits allow.
        EncryptedDocumentError: It needs a password.
    """
    return pool(limits).read(path)


def read_opening(path: Path, pages: int, *, limits: Limits = DEFAULT_LIMITS) -> PdfText:
    """Read the first pages of a PDF as `read_pages` does, with what concerns it as a whole.

    Raises:
        UnreadableDocumentError, EncryptedDocumentError: As `read_pages`.
    """
    return pool(limits).opening(path, pages)


def read_images(path: Path, numbers: Iterable[int], *, limits: Limits = DEFAULT_LIMITS) -> dict[int, tuple[Area, ...]]:
    """Give where images stand on some pages of a PDF, by 1-based page.

    Raises:
        UnreadableDocumentError, EncryptedDocumentError: As `read_pages`.
    """
    return pool(limits).images(path, numbers)


def recognise_pages(
    path: Path,
    numbers: Sequence[int],
    *,
    languages: str = "eng",
    tessdata: Path | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[PdfPage, ...]:
    """Read pages of a PDF by optical character recognition, with the Tesseract inside PyMuPDF.

    Args:
        path: The file.
        numbers: 1-based pages.
        languages: As Tesseract names them, joined by `+`.
        tessdata: Folder with their `.traineddata`; the folders of the usual systems without it.
        limits: What each process may cost.

    Returns:
        The pages without their links; those that could not be read are left out.

    Raises:
        DependencyError: The language data is not there.
        UnreadableDocumentError, EncryptedDocumentError: As `read_pages`.
    """
    return pool(limits).recognise(path, numbers, languages, tessdata)
