"""The worker process: reads PDFs with PyMuPDF and answers in JSON, one line a request.

Everything hostile happens here. The process limits itself before it imports PyMuPDF, writes no file,
and dies with its parent. Nothing but the standard library and PyMuPDF is imported.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

Job = Callable[[dict[str, object]], dict[str, object]]

MAX_SPANS_A_PAGE = 60_000
"""Spans kept of one page; a page of a telephone book has about 5,000."""
MAX_LINKS_A_PAGE = 5_000
MAX_DESTINATIONS = 50_000
MAX_OUTLINE = 5_000
SAME_SIZE = 0.2
"""Points by which the size may differ inside one span; some PDFs scale every word."""
UPRIGHT = 0.02
"""Sine of the angle up to which a line counts as level."""
MAX_URI = 2_000
"""Characters of a link; longer ones are dropped."""
_SUPERSCRIPT, _ITALIC, _BOLD = 1, 2, 16
"""Bits of a PyMuPDF span (TEXT_FONT_SUPERSCRIPT, TEXT_FONT_ITALIC, TEXT_FONT_BOLD)."""
_GOTO, _URI, _NAMED = 1, 2, 4
"""Kinds of PyMuPDF links (LINK_GOTO, LINK_URI, LINK_NAMED)."""


def _library() -> Any:
    """Load PyMuPDF, which has no types, when it is first needed: this process limits itself before."""
    import pymupdf

    return pymupdf


_OUT_OF_MEMORY = re.compile(r"\b(?:m|c|re)alloc\b|out of memory")
"""MuPDF raises the same error for a lack of memory as for a fault of the file; its text alone tells them apart."""


class DocumentError(Exception):
    """A document that cannot be read; the kind is a key of `citeaudit.pdf.worker.MESSAGES`."""

    def __init__(self, kind: str, detail: str = "") -> None:
        """Keep kind and detail."""
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail


def _face(flags: int) -> int:
    """Turn PyMuPDF's span flags into bits of `citeaudit.pdf.content.Face`."""
    return (flags & _SUPERSCRIPT) | (2 if flags & _ITALIC else 0) | (4 if flags & _BOLD else 0)


def merge(spans: list[dict[str, Any]]) -> list[list[Any]]:
    """Join neighbouring spans of one face and size; many PDFs make a span of every word and every space.

    Args:
        spans: As PyMuPDF gives them, in drawing order.

    Returns:
        Rows of text, x0, y0, x1, y1, size and face: the fields of `citeaudit.pdf.content.Span`.
    """
    merged: list[list[Any]] = []
    for span in spans:
        text, size, face = span["text"], round(span["size"], 1), _face(span["flags"])
        x0, y0, x1, y1 = (round(value, 1) for value in span["bbox"])
        last = merged[-1] if merged else None
        if last and (text.isspace() or (last[6] == face and abs(last[5] - size) < SAME_SIZE)):
            last[0] += text
            last[2], last[3], last[4] = min(last[2], y0), max(last[3], x1), max(last[4], y1)
        elif text:
            merged.append([text, x0, y0, x1, y1, size, face])
    return merged


def _lines(page: Any, flags: int) -> Iterator[list[object]]:
    content = page.get_textpage(flags=flags).extractDICT()
    budget = MAX_SPANS_A_PAGE
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            spans = merge(line["spans"])
            budget -= len(spans)
            if budget < 0:
                return
            if any(str(span[0]).strip() for span in spans):
                across, down = line["dir"]
                yield [across > 0 and abs(down) < UPRIGHT, spans]


def _links(page: Any) -> list[list[object]]:
    rows: list[list[object]] = []
    for link in page.get_links()[:MAX_LINKS_A_PAGE]:
        box = [round(value, 1) for value in link["from"]]
        match link["kind"]:
            case kind if kind == _URI and len(link.get("uri") or "") <= MAX_URI:
                rows.append([*box, link.get("uri") or None])
            case kind if kind == _NAMED and link.get("nameddest"):
                rows.append([*box, None, str(link["nameddest"])])
            case kind if kind == _GOTO and link.get("page", -1) >= 0 and link.get("to"):
                rows.append([*box, None, None, link["page"] + 1, round(link["to"].x, 1), round(link["to"].y, 1)])
            case _:
                continue
    return rows


def _destinations(document: Any) -> dict[str, list[float]]:
    """Give named destinations as page, x, y in displayed page space.

    `resolve_names` answers in PDF space (origin bottom-left of the media box), unlike `get_links`.
    """
    found: dict[str, list[float]] = {}
    matrices: dict[int, object] = {}
    for name, target in list(document.resolve_names().items())[:MAX_DESTINATIONS]:
        number, to = target.get("page", -1), target.get("to")
        if not isinstance(number, int) or not 0 <= number < len(document) or to is None:
            continue
        if number not in matrices:
            page = document[number]
            matrices[number] = page.transformation_matrix * page.rotation_matrix
        point = _library().Point(to) * matrices[number]
        found[str(name)] = [number + 1, round(point.x, 1), round(point.y, 1)]
    return found


def _outline(document: Any) -> list[list[object]]:
    rows = document.get_toc(simple=True)
    return [[level, title, page] for level, title, page in rows[:MAX_OUTLINE] if page >= 1]


def _open(path: str, pages: int) -> Any:
    """Open a PDF.

    Raises:
        DocumentError: It cannot be opened.
    """
    pymupdf = _library()
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise DocumentError("unreadable", error.strerror or type(error).__name__) from error
    try:
        document = pymupdf.open(stream=content, filetype="pdf")
    except pymupdf.EmptyFileError as error:
        raise DocumentError("empty") from error
    except (pymupdf.FileDataError, pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError) as error:
        raise DocumentError("memory" if _OUT_OF_MEMORY.search(str(error)) else "damaged") from error
    if not document.is_pdf:
        raise DocumentError("not-pdf")
    if document.needs_pass and not document.authenticate(""):
        raise DocumentError("encrypted")
    if len(document) == 0:
        raise DocumentError("damaged")
    if len(document) > pages:
        raise DocumentError("pages", str(len(document)))
    return document


def _or_nothing(reader: Callable[[], object], nothing: object) -> object:
    """Read a part that a document may do without: a broken outline must not cost its text."""
    try:
        return reader()
    except (_library().mupdf.FzErrorBase, RuntimeError, ValueError, TypeError, AttributeError, KeyError, IndexError):
        return nothing


def read(request: dict[str, object]) -> dict[str, object]:
    """Read text, links, destinations, metadata and outline of one PDF.

    Args:
        request: `path`, and `pages`, the most pages allowed.

    Returns:
        The shape that `citeaudit.pdf.content.decode` takes.

    Raises:
        DocumentError: The document as a whole cannot be read.
    """
    pymupdf = _library()
    document = _open(str(request["path"]), int(str(request["pages"])))
    # No ligatures ("ﬁ" comes as "fi"), nothing outside the page, and no dehyphenation, which differs by version.
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
    pages: list[list[object]] = []
    broken: list[int] = []
    for number in range(len(document)):
        try:
            page = document[number]
            shape = [number + 1, round(page.rect.width, 1), round(page.rect.height, 1), page.rotation]
            lines: object = list(_lines(page, flags))
        except (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError) as error:
            if _OUT_OF_MEMORY.search(str(error)):
                raise DocumentError("memory") from error
            broken.append(number + 1)
            continue
        links = _or_nothing(partial(_links, page), [])
        pages.append([*shape, lines, links])
    if not pages:
        raise DocumentError("damaged")
    metadata = document.metadata or {}
    kept = ("title", "author", "subject", "keywords", "creator", "producer")
    answer: dict[str, object] = {
        "pages": pages,
        "destinations": _or_nothing(lambda: _destinations(document), {}),
        "metadata": {key: str(metadata[key])[:MAX_URI] for key in kept if metadata.get(key)},
        "toc": _or_nothing(lambda: _outline(document), []),
        "repaired": bool(document.is_repaired),
        "broken_pages": broken,
    }
    document.close()
    return answer


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


JOBS: dict[str, Job] = {"read": read}


def serve(requests: BinaryIO, answers: BinaryIO, jobs: dict[str, Job]) -> None:
    """Answer requests, one line each, until there are no more."""
    for line in requests:
        allow_cpu(int(json.loads(line)["cpu_s"]))
        reply = answer(line, jobs)
        view = memoryview(reply)
        while view:
            view = view[answers.write(view) :]


def main(arguments: list[str], jobs: dict[str, Job] | None = None) -> None:
    """Confine this process, load PyMuPDF and serve; arguments are memory in bytes, descriptors, the leash."""
    memory_bytes, open_files, descriptor = (int(argument) for argument in arguments)
    confine(memory_bytes, open_files)
    answers = silence()
    leash(descriptor)
    pymupdf = _library()
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    serve(sys.stdin.buffer, answers, JOBS if jobs is None else jobs)
