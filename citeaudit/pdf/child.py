"""The worker process: answers requests about PDFs in JSON, one line a request.

Everything hostile happens here. The process limits itself before it imports PyMuPDF, writes no file,
and dies with its parent. Nothing but the standard library and PyMuPDF is imported; `document` does the reading.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import BinaryIO

from citeaudit.pdf.document import DocumentError, images, library, read, recognise

Job = Callable[[dict[str, object]], dict[str, object]]


def answer(line: bytes, jobs: dict[str, Job]) -> bytes:
    """Carry out one request and give one line: `{"ok": value}` or `{"error": kind, "detail": text}`."""
    reply: dict[str, object]
    try:
        request = json.loads(line)
        value = jobs[request["job"]](request)
        text = json.dumps({"ok": value}, separators=(",", ":"))
        if len(text) <= request["answer_bytes"]:
            return text.encode("ascii") + b"\n"
        reply = {"error": "answer", "detail": ""}
    except DocumentError as error:
        reply = {"error": error.kind, "detail": error.detail}
    except MemoryError:
        reply = {"error": "memory", "detail": ""}
    except (RuntimeError, ValueError, TypeError, KeyError, IndexError, AttributeError, OSError) as error:
        # Whatever the library throws at a hostile file costs that file alone; the parent replaces the process.
        reply = {"error": "crashed", "detail": type(error).__name__}
    return json.dumps(reply).encode("ascii") + b"\n"


def confine(memory_bytes: int, open_files: int) -> None:
    """Limit this process for good: memory, files written, descriptors, core dumps."""
    for kind, value in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, open_files),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))


def allow_cpu(seconds: int) -> None:
    """Give this process so much more processor time; the kernel ends it afterwards, whatever it is doing."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    until = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until if hard == resource.RLIM_INFINITY else min(until, hard), hard))


def leash(descriptor: int) -> None:
    """Have the kernel end this process when the other end of a pipe closes, that is, when the parent is gone.

    A thread that waits for the end of the pipe would not run while the library hangs; a signal does.
    `PR_SET_PDEATHSIG` would follow the parent's thread instead of the parent.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_ASYNC)


def silence() -> BinaryIO:
    """Keep the standard output for answers alone: all else that is written to it or to the error stream is dropped."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return answers


JOBS: dict[str, Job] = {"read": read, "images": images, "recognise": recognise}


def serve(requests: BinaryIO, answers: BinaryIO, jobs: dict[str, Job]) -> None:
    """Answer requests, one line each, until there are no more.

    Garbage is collected between requests, not during one: a page makes tens of thousands of objects, none of them
    garbage yet, and looking through them again and again took a tenth of the time.
    """
    gc.freeze()
    gc.disable()
    try:
        for line in requests:
            allow_cpu(int(json.loads(line)["cpu_s"]))
            reply = answer(line, jobs)
            view = memoryview(reply)
            while view:
                view = view[answers.write(view) :]
            gc.collect()
    finally:
        gc.enable()
        gc.unfreeze()


def main(arguments: list[str], jobs: dict[str, Job] | None = None) -> None:
    """Confine this process, load PyMuPDF and serve; arguments are memory in bytes, descriptors, the leash."""
    memory_bytes, open_files, descriptor = (int(argument) for argument in arguments)
    confine(memory_bytes, open_files)
    answers = silence()
    leash(descriptor)
    pymupdf = library()
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    serve(sys.stdin.buffer, answers, JOBS if jobs is None else jobs)
