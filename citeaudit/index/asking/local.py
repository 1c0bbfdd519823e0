"""The back end on this disk: all parts of an index folder, asked as one."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, count, zip_longest
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeVar

from citeaudit.errors import IndexDamagedError
from citeaudit.index import manifest as manifests
from citeaudit.index.asking.candidates import Found, Held
from citeaudit.index.coverage.counting import combine
from citeaudit.index.coverage.covering import Compared
from citeaudit.index.manifest import PARTS, Manifest
from citeaudit.index.store.mending import mended
from citeaudit.index.store.opening import Mapped
from citeaudit.index.store.part_reader import PartReader
from citeaudit.index.store.record import Record, RecordNotice

PLACE_BITS = 40
"""A place is the number of the part, and in this many bits the id in it."""

MAX_FRESH = 5_000
"""Unpacked records of a part kept at hand, about 8 MB: a list of references asks for many again.

With twice as many, Python's collector of garbage now and then stops a question for 70 ms.
"""

Answer = TypeVar("Answer")


class _Part:
    """A part that is open."""

    __slots__ = ("fresh", "hidden", "number", "reader")

    def __init__(self, number: int, reader: PartReader, hidden: tuple[Container[int], ...]) -> None:
        self.number, self.reader = number, reader
        self.hidden = hidden
        """Ids that newer parts replace."""
        self.fresh: dict[int, Record] = {}

    def shown(self, ids: Sequence[int]) -> Sequence[int]:
        if not self.hidden:
            return ids
        return [one for one in ids if not any(one in some for some in self.hidden)]

    def placed(self, ids: Sequence[int]) -> Found:
        """Give records by their places, in the order of the ids; those unpacked a moment ago are at hand."""
        base, fresh = self.number << PLACE_BITS, self.fresh
        missing = [one for one in ids if one not in fresh]
        if not missing:
            return {base + one: fresh[one] for one in ids}
        read = self.reader.records(missing)
        found = {base + one: fresh[one] if one in fresh else read[one] for one in ids}
        if len(fresh) + len(read) > MAX_FRESH:
            self.fresh = {}  # another thread may still look into the old one
        self.fresh.update(read)
        return found


class _View(NamedTuple):
    """What one state of the folder holds."""

    manifest: Manifest
    parts: tuple[_Part, ...]
    """Newest first."""
    compared: Compared
    """What it holds of tables of contents that another index lists."""
    mapped: Mapped


class LocalCandidates:
    """The records of an index folder (`candidates.CandidateIndex`); safe across threads and forked processes.

    It goes on with the parts that it opened when another process puts a newer index in place. Where a file is gone
    before it could be opened, it opens the new index and asks again.
    """

    def __init__(self, folder: Path | str) -> None:
        """Read the manifest; the parts are opened at the first question.

        Args:
            folder: Holds `index.json`.

        Raises:
            IndexDamagedError: The manifest is missing, damaged or of another version, or a file that it names is
                missing or cut short: mapped into memory, that would end the process.
        """
        self._folder = Path(folder)
        self.manifest: Manifest = manifests.read_whole(self._folder)
        self._lock, self._pid = threading.RLock(), os.getpid()
        self._numbers = count()
        self._view: _View | None = None

    # --- the seam ------------------------------------------------------------------------------------------

    def exact(self, asked: Sequence[Sequence[int]], limit: int = 200) -> list[Found]:
        """Give, for each question, the records that have any of its keys; newest part first."""
        return self._ask(lambda view: [_exact(view, keys, limit) for keys in asked])

    def search(self, asked: Sequence[Sequence[str]], k: int = 50, count: int = 8, *, mend: bool = False) -> list[Found]:
        """Give, for each question, the `k` records that share most with its rarest words.

        The parts take turns, since the weights of their words cannot be compared.
        """
        return self._ask(
            lambda view: [_search(view, _mended(view, terms) if mend else terms, k, count) for terms in asked]
        )

    def notices(self, keys: Sequence[int]) -> dict[int, tuple[RecordNotice, ...]]:
        """Give the notices about works by the keys of their identifiers, from all parts."""
        if self.manifest.counted and not self.manifest.fields.get("about"):
            return {}  # most indexes hold none, and every answer asks
        return self._ask(lambda view: _notices(view, keys))

    def held(self, venue: int, year: int) -> Held | None:
        """Give how much of a venue in a year is held, all parts taken together, with what `cover` found.

        Nothing is complete where the manifest leaves that in doubt (`Manifest.doubted`).
        """
        row = self._ask(
            lambda view: combine(
                (*(part.reader.held(venue, year) for part in view.parts), view.compared.held(venue, year))
            )
        )
        if row is not None and self.manifest.doubted:
            return row._replace(complete=False)
        return row

    def close(self) -> None:
        """Let go of the files; no question may follow."""
        with self._alone():
            view, self._view = self._view, None
        for part in view.parts if view else ():
            part.reader.close()
        if view is not None:
            view.compared.close()

    # --- opening -------------------------------------------------------------------------------------------

    def _ask(self, question: Callable[[_View], Answer]) -> Answer:
        view: _View | None = None
        try:
            view = self._opened()
            view.mapped.check()
            return question(view)
        except IndexDamagedError:
            renewed = self._renewed(view)
            if renewed is None:
                raise
        return question(renewed)

    def _alone(self) -> threading.RLock:
        """Give the lock; in a forked process a new one, since a thread that held the old one is not there to let go."""
        if self._pid != os.getpid():
            self._lock, self._pid = threading.RLock(), os.getpid()
        return self._lock

    def _opened(self) -> _View:
        view = self._view
        if view is None:
            with self._alone():
                if self._view is None:
                    self._view = self._open(self.manifest)
                view = self._view
        return view

    def _open(self, manifest: Manifest) -> _View:
        manifests.check_files(self._folder, manifest)
        mapped = Mapped(self._folder / PARTS / part.name / name for part in manifest.parts for name in part.files)
        parts: list[_Part] = []
        replaced: list[Mapping[str, Container[int]]] = []
        for part in reversed(manifest.parts):
            reader = PartReader(self._folder / PARTS / part.name)
            hidden = tuple(ids for newer in replaced if (ids := newer.get(part.name)))
            parts.append(_Part(next(self._numbers), reader, hidden))
            replaced.append(reader.replaced())
        return _View(manifest, tuple(parts), Compared(self._folder, manifest), mapped)

    def _renewed(self, failed: _View | None) -> _View | None:
        """Open what is in the folder now, if that is another index than the one that failed; else `None`.

        The old parts are not closed: another thread may be asking them.
        """
        with self._alone():
            if self._view is not None and self._view is not failed:
                return self._view
            try:
                manifest = manifests.read_whole(self._folder)
                if manifest == self.manifest:
                    return None
                self._view = self._open(manifest)
            except IndexDamagedError:
                return None
            self.manifest = manifest
            return self._view


class Unusable:
    """Stands for an index that cannot be opened (`candidates.CandidateIndex`): every question says what to run."""

    def __init__(self, name: str, fault: str) -> None:
        """Take the name of the index, and one sentence on what is wrong and what to do."""
        self.manifest = Manifest(name=name, built_at=datetime.fromtimestamp(0, UTC), records=0, content="")
        self.fault = fault
        """What is wrong, and what to run."""

    def exact(self, asked: Sequence[Sequence[int]], limit: int = 200) -> NoReturn:
        """Raise `IndexDamagedError`."""
        del asked, limit
        raise IndexDamagedError(self.fault)

    def search(self, asked: Sequence[Sequence[str]], k: int = 50, count: int = 8, *, mend: bool = False) -> NoReturn:
        """Raise `IndexDamagedError`."""
        del asked, k, count, mend
        raise IndexDamagedError(self.fault)

    def notices(self, keys: Sequence[int]) -> NoReturn:
        """Raise `IndexDamagedError`."""
        del keys
        raise IndexDamagedError(self.fault)

    def held(self, venue: int, year: int) -> NoReturn:
        """Raise `IndexDamagedError`."""
        del venue, year
        raise IndexDamagedError(self.fault)

    def close(self) -> None:
        """Do nothing."""


def _exact(view: _View, keys: Sequence[int], limit: int) -> Found:
    found: Found = {}
    for part in view.parts if keys else ():
        ids = part.shown(part.reader.exact(keys, limit))
        if ids:
            found.update(part.placed(ids[: limit - len(found)]))
        if len(found) >= limit:
            break
    return found


def _mended(view: _View, terms: Sequence[str]) -> Sequence[str]:
    readers = [part.reader for part in view.parts]
    if len(readers) == 1:
        return readers[0].mended(terms)

    def begins(beginning: str) -> list[tuple[str, int]]:
        counts: Counter[str] = Counter()
        for reader in readers:
            counts.update(dict(reader.begins(beginning)))
        return list(counts.items())

    return mended(terms, lambda word: sum(reader.known(word) for reader in readers), begins)


def _search(view: _View, terms: Sequence[str], k: int, count: int) -> Found:
    ranked = [(part, part.shown(part.reader.search(terms, k, count))) for part in view.parts]
    if len(ranked) == 1:
        ((part, ids),) = ranked
        return part.placed(ids)
    turns = zip_longest(*([(part.number, one) for one in ids] for part, ids in ranked))
    chosen = [pair for pair in chain.from_iterable(turns) if pair is not None][:k]
    records: Found = {}
    for part, _ in ranked:
        records |= part.placed([one for number, one in chosen if number == part.number])
    places = ((number << PLACE_BITS) + one for number, one in chosen)
    return {place: records[place] for place in places if place in records}


def _notices(view: _View, keys: Sequence[int]) -> dict[int, tuple[RecordNotice, ...]]:
    found: dict[int, tuple[RecordNotice, ...]] = {}
    for part in view.parts:
        for number, notices in part.reader.notices(keys).items():
            found[number] = tuple(dict.fromkeys((*found.get(number, ()), *notices)))
    return found
