"""Write corrections into the bytes of a .bib file, and show them as a diff."""

from __future__ import annotations

import codecs
import difflib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from citeaudit.extract.decode import decode
from citeaudit.fix.entry import Edit, apply, revise
from citeaudit.fix.plan import Correction, Plan
from citeaudit.model import Reference

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]|\n")
"""What `citeaudit.extract.decode` reads as line ends."""
_LEGACY = "latin-1"
"""Gives every byte a character of its own, so that what is not UTF-8 is written back as it was."""
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_WIDE_FILE = "The entry was not changed: the file is in UTF-16 or UTF-32; save it as UTF-8."
_NOT_THERE = "The entry was not found in the file as it was read, and was not changed."
_NO_END = b"\\ No newline at end of file\n"


class Task(NamedTuple):
    """One reference of a file, and what to do about it."""

    reference: Reference
    plan: Plan


class Done(NamedTuple):
    """What became of one reference."""

    reference: Reference
    changes: tuple[Correction, ...]
    left: tuple[str, ...]
    """What was not changed, and what a person must find out; one sentence each."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file with its corrections."""

    content: bytes
    """Equal to what was given where nothing changes."""
    done: tuple[Done, ...]
    """In the order of the file; references with nothing to do are left out."""

    @property
    def changes(self) -> int:
        """Give how many fields change."""
        return sum(len(one.changes) for one in self.done)


@dataclass(frozen=True, slots=True)
class _Source:
    """The text of a file, beside the same text with the line ends of the reader."""

    mark: bytes
    text: str
    encoding: str
    flat: str
    starts: tuple[int, ...]
    """Of each line, in `flat`."""
    origins: tuple[int, ...]
    """Of each line, in `text`."""

    def origin(self, place: int) -> int:
        """Give where a place of `flat` stands in `text`."""
        line = bisect_right(self.starts, place) - 1
        return self.origins[line] + place - self.starts[line]


def fix(content: bytes, tasks: Iterable[Task]) -> Fixed:
    """Write corrections into a file.

    Args:
        content: The bytes that the references were read from.
        tasks: References of the file in its order, with their plans.

    Returns:
        The file; bytes outside the values that change are as they were. An entry that is not found as it was read
        (the file has changed, or is in an encoding of two bytes a character) is left alone and told.
    """
    wanted = [task for task in tasks if task.plan.changes or task.plan.needed]
    source = _source(content) if any(task.plan.changes for task in wanted) else None
    edits: list[Edit] = []
    taken: set[int] = set()
    done: list[Done] = []
    for task in wanted:
        made, one = _one(task, source, taken)
        edits += made
        done.append(one)
    if source is None or not edits:
        return Fixed(content, tuple(done))
    text = apply(source.text, sorted(edits))
    return Fixed(source.mark + text.encode(source.encoding), tuple(done))


def diff(name: str, old: bytes, new: bytes) -> bytes:
    """Give what changes as a unified diff that `patch -p0` and `git apply -p0` take; nothing where nothing does.

    Args:
        name: Path of the file, as the reader will name it.
        old: Its bytes before.
        new: Its bytes after.
    """
    path = name.encode("utf-8", errors="surrogateescape")
    path = path + b"\t" if b" " in path else path
    lines = difflib.diff_bytes(difflib.unified_diff, _lines(old), _lines(new), path, path, lineterm=b"\n")
    return b"".join(line if line.endswith(b"\n") else line + b"\n" + _NO_END for line in lines)


def _lines(content: bytes) -> list[bytes]:
    """Give lines as `patch` counts them: a line feed ends one, a carriage return alone does not."""
    lines = [line + b"\n" for line in content.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _source(content: bytes) -> _Source | None:
    if content.startswith(_WIDE):
        return None
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    body = content.removeprefix(mark)
    read = decode(content)
    text, encoding = _exact(body, read.encoding)
    starts, origins = [0], [0]
    shift = 0
    for match in _LINE_ENDS.finditer(text):
        shift += len(match.group()) - 1
        origins.append(match.end())
        starts.append(match.end() - shift)
    flat = _LINE_ENDS.sub("\n", text)
    # Where nothing was dropped or mended, what the reader has read stands at the same places.
    same = len(read.text) == len(flat)
    return _Source(mark, text, encoding, read.text if same else flat, tuple(starts), tuple(origins))


def _exact(body: bytes, encoding: str) -> tuple[str, str]:
    """Give text that is written back as the very same bytes, with its encoding; that of the reader, if it can be."""
    for name in ("utf-8", encoding):
        try:
            text = body.decode(name)
            if text.encode(name) == body:
                return text, name
        except (UnicodeError, LookupError):
            continue
    return body.decode(_LEGACY), _LEGACY


def _one(task: Task, source: _Source | None, taken: set[int]) -> tuple[list[Edit], Done]:
    reference, plan = task
    start = _place(reference, source, taken) if source and plan.changes else None
    if source is None or start is None:
        why = _WIDE_FILE if source is None else _NOT_THERE
        lost = (why,) if plan.changes else ()
        return [], Done(reference, (), (*lost, *plan.needed))
    taken.add(start)
    revision = revise(reference.raw, plan.changes, is_ascii=source.encoding != "utf-8" or source.text.isascii())
    edits = [Edit(source.origin(start + one.start), source.origin(start + one.end), one.text) for one in revision.edits]
    return edits, Done(reference, revision.done, (*revision.left, *plan.needed))


def _place(reference: Reference, source: _Source, taken: set[int]) -> int | None:
    """Give where an entry begins in `flat`, from its line and its source."""
    line = reference.locus.line
    if line is None or line > len(source.starts):
        return None
    start = source.starts[line - 1]
    end = source.starts[line] if line < len(source.starts) else len(source.flat)
    places = (place for place in _marks(source.flat, start, end) if place not in taken)
    return next((place for place in places if source.flat.startswith(reference.raw, place)), None)


def _marks(text: str, start: int, end: int) -> Iterator[int]:
    place = text.find("@", start, end)
    while place >= 0:
        yield place
        place = text.find("@", place + 1, end)
