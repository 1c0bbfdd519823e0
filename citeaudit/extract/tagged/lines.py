"""Split formats of one tag a line (RIS, MEDLINE, EndNote) into entries, whatever is missing between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MAX_ENTRIES = 200_000
"""Entries that are read from one file."""


@dataclass(slots=True)
class Entry:
    """Tags with their values in the order of the file."""

    line: int
    """1-based line of its first tag."""
    tags: list[tuple[str, str]] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    closed: bool = False

    def all(self, *names: str) -> list[str]:
        """Give the values of these tags, in the order of the file."""
        return [value for tag, value in self.tags if tag in names and value]

    def first(self, *names: str) -> str | None:
        """Give the first value of the first of these tags that has one."""
        for name in names:
            for tag, value in self.tags:
                if tag == name and value:
                    return value
        return None

    @property
    def raw(self) -> str:
        """Give the lines of the entry as they stand in the file."""
        return "\n".join(self.source).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a format marks its lines."""

    tag: re.Pattern[str]
    """Matches at a line start; groups `tag` and `value`."""
    opens: frozenset[str]
    """Tags with which an entry begins."""
    closes: frozenset[str] = frozenset()
    surest: str | None = None
    """The opening tag that needs no empty line before it, as the others do then; `None`: none needs one."""


def entries(text: str, dialect: Dialect) -> Iterator[Entry]:
    """Give the entries; a line without a tag goes on with the one before, text before the first is left out.

    An entry ends with its closing tag or, where that is missing, where the next one opens.
    """
    current: Entry | None = None
    count = 0
    for number, line in enumerate(text.split("\n"), start=1):
        match = dialect.tag.match(line)
        if match is None:
            if current is not None and not current.closed:
                _go_on(current, line)
            continue
        tag, value = match["tag"], match["value"].strip()
        if tag in dialect.closes:
            if current is not None:
                current.closed = True
            continue
        if current is None or current.closed or _opens(tag, current, dialect):
            if current is not None:
                yield current
            count += 1
            if count > MAX_ENTRIES:
                return
            current = Entry(number)
        current.tags.append((tag, value))
        current.source.append(line)
    if current is not None:
        yield current


def _opens(tag: str, current: Entry, dialect: Dialect) -> bool:
    if tag not in dialect.opens:
        return False
    return dialect.surest in {None, tag} or not current.source[-1].strip()


def _go_on(entry: Entry, line: str) -> None:
    entry.source.append(line)
    if line.strip() and entry.tags:
        tag, value = entry.tags[-1]
        entry.tags[-1] = (tag, f"{value} {line.strip()}" if len(value) < 20_000 else value)  # noqa: PLR2004 - an abstract


def share(text: str, pattern: re.Pattern[str]) -> float:
    """Give the share of filled lines that a pattern matches at their start."""
    filled = [line for line in text.split("\n") if line.strip()]
    return sum(pattern.match(line) is not None for line in filled) / len(filled) if filled else 0.0


def unclosed(read: Iterable[Entry]) -> int:
    """Count entries without their closing tag."""
    return sum(not entry.closed for entry in read)
