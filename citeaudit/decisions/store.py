"""Keep what people decided: one JSON object a line, to which lines are only ever added.

Nothing in the file is changed or lost: a decision is taken back by a further line, and the last line about a
reference holds. So two processes may write at once (each line whole, under a lock), teams may keep the file in a
repository and let it merge by union, and a line that is damaged costs only itself.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from citeaudit.decisions.fingerprint import core_of, covers, fingerprint, is_fingerprint
from citeaudit.errors import ConfigError
from citeaudit.model import Decision, Reference, Ruling
from citeaudit.text.normalize import squash

FORM: Literal[1] = 1
"""Of a line; raised whenever an older program could misread one."""
MAX_BYTES = 64 * 2**20
"""Of the file; a decision takes about 300."""
MAX_REASON = 2_000
"""Characters of a reason."""

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_REASON)]


class _Line(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    form: Literal[1] = FORM
    fingerprint: str
    ruling: Ruling | Literal["removed"]
    reason: _Text
    by: str | None = None
    decided_at: datetime
    record: tuple[str, str] | None = None
    about: str = ""

    def decision(self) -> Decision | None:
        """Give the decision; `None` where the line takes earlier ones back."""
        if self.ruling == "removed":
            return None
        values = self.model_dump(exclude={"form", "ruling"})
        return Decision(**values, ruling=Ruling(self.ruling))


class Decisions:
    """The decisions in force, to look references up in.

    Args:
        decisions: In the order in which they were made; the last on a reference holds.
        damage: A sentence on lines that could not be read; `None` where all could.
    """

    def __init__(self, decisions: Iterable[Decision] = (), damage: str | None = None) -> None:
        self.damage = damage
        self._held: dict[str, Decision] = {}
        for decision in decisions:
            self._take(decision)
        self._by_core: dict[str, list[Decision]] = {}
        for decision in self._held.values():
            self._by_core.setdefault(core_of(decision.fingerprint), []).append(decision)

    def _take(self, decision: Decision) -> None:
        before = self._held.pop(decision.fingerprint, None)
        if before is not None and before.ruling is decision.ruling is Ruling.WRONG_RECORD:
            further = sorted((before.records | set(decision.further)) - {decision.record})
            decision = decision.model_copy(update={"further": tuple(further)})
        self._held[decision.fingerprint] = decision

    def __len__(self) -> int:
        """Give the number of references decided about."""
        return len(self._held)

    def __iter__(self) -> Iterator[Decision]:
        """Give the decisions in force, oldest first."""
        return iter(self._held.values())

    def named(self, start: str) -> tuple[Decision, ...]:
        """Give the decisions whose fingerprint is, or begins with, a text."""
        exact = self._held.get(start)
        return (exact,) if exact else tuple(one for one in self if start and one.fingerprint.startswith(start))

    def find(self, reference: Reference) -> Decision | None:
        """Give the decision on a reference, or `None`; one on the very same names before one on fuller names."""
        asked = fingerprint(reference) if self._held else None
        if asked is None:
            return None
        held = [one for one in reversed(self._by_core.get(core_of(asked), ())) if covers(one.fingerprint, asked)]
        return max(held, key=lambda one: one.fingerprint == asked, default=None)


class Store:
    """The file of decisions.

    Args:
        path: It need not exist; its folder is made by the first decision.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Decisions:
        """Give the decisions in force; damaged lines are passed over and told in `Decisions.damage`.

        Raises:
            ConfigError: The file is there and cannot be read.
        """
        try:
            with self.path.open("rb") as stream, _locked(stream, fcntl.LOCK_SH):
                data = stream.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return Decisions()
        except OSError as error:
            raise ConfigError(f"{self.path}: the decisions cannot be read: {error.strerror or error}") from error
        if len(data) > MAX_BYTES:
            raise ConfigError(f"{self.path}: holds more than {MAX_BYTES // 2**20} MB; it is no file of decisions")
        return parse(data, str(self.path))

    def add(self, decisions: Sequence[Decision]) -> None:
        """Add decisions, all of them or none.

        Args:
            decisions: Each with a reason and a time; one that rules out several records takes a line for each.

        Raises:
            ConfigError: The file cannot be written, or a decision is not whole.
        """
        self._append(_lines(decisions))

    def remove(self, decision: Decision, *, reason: str, at: datetime, by: str | None = None) -> None:
        """Take back what was decided under a fingerprint; the lines stay, with a further one that says so.

        Raises:
            ConfigError: As `add`.
        """
        line = _Line(fingerprint=decision.fingerprint, ruling="removed", reason=reason, by=by, decided_at=at)
        self._append([line.model_copy(update={"about": decision.about})])

    def _append(self, lines: Sequence[_Line]) -> None:
        data = b"".join(line.model_dump_json().encode() + b"\n" for line in lines)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab+", buffering=0) as stream, _locked(stream, fcntl.LOCK_EX):
                _write(stream, data)
        except OSError as error:
            raise ConfigError(f"{self.path}: the decision cannot be kept: {error.strerror or error}") from error


def parse(data: bytes, name: str) -> Decisions:
    """Read decisions from lines.

    Args:
        data: UTF-8, one JSON object a line.
        name: Of the file, for what is told of damage.
    """
    held: list[Decision] = []
    damaged: list[int] = []
    for number, text in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not text.strip():
            continue
        try:
            line = _Line.model_validate_json(text)
        except ValidationError:
            damaged.append(number)
            continue
        if not _is_whole(line):
            damaged.append(number)
        elif (decision := line.decision()) is None:
            held = [one for one in held if one.fingerprint != line.fingerprint]
        else:
            held.append(decision)
    return Decisions(held, _damage(damaged, name) if damaged else None)


def dump(decisions: Iterable[Decision]) -> str:
    """Give decisions as the lines that `parse` reads.

    Raises:
        ConfigError: A decision is not whole.
    """
    return "".join(f"{line.model_dump_json()}\n" for line in _lines(decisions))


def _lines(decisions: Iterable[Decision]) -> list[_Line]:
    return [
        _line(decision.model_copy(update={"record": record}))
        for decision in decisions
        for record in (*decision.further, decision.record)
    ]


def _is_whole(line: _Line) -> bool:
    named = (line.record is not None) == (line.ruling is Ruling.WRONG_RECORD)
    return is_fingerprint(line.fingerprint) and line.decided_at.tzinfo is not None and named


def _line(decision: Decision) -> _Line:
    values = decision.model_dump(exclude={"further", "reason", "about"})
    try:
        line = _Line(**values, reason=squash(decision.reason), about=squash(decision.about))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"])) or "decision"
        raise ConfigError(f"the decision cannot be kept: {field}: {first['msg']}") from None
    if not _is_whole(line):
        raise ConfigError(
            "the decision cannot be kept: it needs a fingerprint of this version, a time with its zone, and a record"
            " if and only if the ruling is wrong record"
        )
    return line


def _damage(lines: Sequence[int], name: str) -> str:
    shown = ", ".join(map(str, lines[:5]))
    more = f" and {len(lines) - 5} more" if len(lines) > 5 else ""  # noqa: PLR2004 - as many as are shown
    one = len(lines) == 1
    which, they, stay = ("line", "it is", "stays") if one else ("lines", "they are", "stay")
    told = f"{name}: {which} {shown}{more} cannot be read as a decision"
    return f"{told}; {they} passed over and {stay} in the file, mend it by hand"


@contextmanager
def _locked(stream: BinaryIO, how: int) -> Iterator[None]:
    """Hold the file; the lock ends with the process, however that ends."""
    fcntl.flock(stream, how)
    try:
        yield
    finally:
        fcntl.flock(stream, fcntl.LOCK_UN)


def _write(stream: BinaryIO, data: bytes) -> None:
    """Add whole lines, or leave the file as it was (a full disk); a last line cut off by a crash gets its end."""
    size = stream.seek(0, os.SEEK_END)
    if size:
        stream.seek(size - 1)
        data = data if stream.read(1) == b"\n" else b"\n" + data
    try:
        left = memoryview(data)
        while left:
            left = left[stream.write(left) or 0 :]
        os.fsync(stream.fileno())
    except OSError:
        stream.truncate(size)
        raise
