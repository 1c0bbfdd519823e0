"""Build an index from the dumps of services: streamed, in bounded memory, resumable, swapped in only when whole."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NoReturn

from citeaudit.errors import IndexBuildError, IndexDamagedError, UnreadableDumpError
from citeaudit.index import manifest as manifests
from citeaudit.index.building.filling import Progress, Tell
from citeaudit.index.building.merging import STORED_FORM, StoredForm, check_sums, pieces_of
from citeaudit.index.building.running import BuildReport, Clock, Inherited, Order, Run, unwritten
from citeaudit.index.building.workers import find
from citeaudit.index.building.workshop import LOCK, Task, describe, writing
from citeaudit.index.dumps.form import DumpFormat
from citeaudit.index.manifest import MANIFEST, Manifest


def build(  # noqa: PLR0913 - the flags of a command
    paths: Sequence[Path],
    out: Path,
    *,
    format: str = "jsonl",  # noqa: A002 - the name of the flag
    name: str | None = None,
    jobs: int | None = None,
    min_year: int | None = None,
    dump_date: date | None = None,
    force: bool = False,
    progress: Tell | None = None,
    clock: Clock = lambda: datetime.now(UTC),
) -> BuildReport:
    """Build an index in the folder `out`, replacing one that is there.

    The old index answers until the new one is whole. A run that was killed, interrupted, or stopped by a full disk
    goes on when the same call is made again. The same records give the same content, whatever `jobs` is.

    Args:
        paths: Files, or folders of which every file with a suffix of the format is taken.
        out: Folder of the index; created where it is missing.
        format: Form of the dumps (entry point `citeaudit.dump`).
        name: Name in reports; the folder's name where it is not given.
        jobs: Processes that read; by default one for each core, or one for little data.
        min_year: Records older than this are left out; those of unknown year are kept.
        dump_date: Day of the dumps; the coverage statement ends there.
        force: Also replace an index by one with fewer than half its records.
        progress: Told after every unit.
        clock: Gives the time, aware, UTC.

    Raises:
        IndexBuildError: A file is missing, damaged or no such dump, nothing usable is in it, another writer is at
            work, the folder holds something else, or the disk is full. The old index is still there.
    """
    order = Order(name, jobs, min_year, dump_date, force, progress, clock)
    return _dumps("build", paths, out, format, order)


def update(  # noqa: PLR0913 - the flags of a command
    folder: Path,
    paths: Sequence[Path],
    *,
    format: str = "jsonl",  # noqa: A002 - the name of the flag
    jobs: int | None = None,
    min_year: int | None = None,
    dump_date: date | None = None,
    progress: Tell | None = None,
    clock: Clock = lambda: datetime.now(UTC),
) -> BuildReport:
    """Add the records of further dumps to an index; a record that it has in an older form replaces that one.

    The same record is one of the same collection with the same own id, or, without such an id, the same DOI, arXiv
    or PubMed id. Deletions that a dump announces are not followed: a withdrawn entry stays until the next `build`.

    Args:
        folder: The index.
        paths: As for `build`; so are the others.
        format: Form of the dumps, which need not be that of the index.
        jobs: Processes that read.
        min_year: Records older than this are left out.
        dump_date: Day of the dumps.
        progress: Told after every unit.
        clock: Gives the time, aware, UTC.

    Raises:
        IndexDamagedError: The index cannot be trusted; build it again.
        IndexBuildError: As `build`; the index is as it was.
    """
    order = Order(None, jobs, min_year, dump_date, False, progress, clock)
    return _dumps("update", paths, folder, format, order)


def _dumps(kind: str, paths: Sequence[Path], out: Path, format_name: str, order: Order) -> BuildReport:
    form = find(format_name)
    files = dump_files(paths, form)
    if kind == "update":
        manifests.read_whole(out)  # before anything is made there
    with errors(out), writing(out) as shop:
        old = old_manifest(out, strict=kind == "update")
        task = Task(
            kind=kind,
            format=format_name,
            inputs=tuple(describe(path) for path in files),
            min_year=order.min_year,
            dump_date=order.dump_date.isoformat() if order.dump_date else None,
            base=old.content if old is not None and kind == "update" else "",
        )
        return Run(out, shop, old, task, order, Inherited()).go(form, files)


def merge(  # noqa: PLR0913 - the flags of a command
    inputs: Sequence[Path],
    out: Path,
    *,
    name: str | None = None,
    jobs: int | None = None,
    force: bool = False,
    progress: Tell | None = None,
    clock: Clock = lambda: datetime.now(UTC),
) -> BuildReport:
    """Make one index of one part from the records of several; of one into itself, it is compaction.

    Of records that are the same (as for `update`) the one of the later input stays. What tables of contents showed is
    taken over, since stored records no longer say to which table they belong.

    Args:
        inputs: Folders of indexes; they stay as they are, unless `out` is one of them.
        out: Folder of the new index.
        name: Its name; that of the index in `out`, else of the folder, where it is not given.
        jobs: As for `build`; so are the others.
        force: Also replace an index in `out` that is not among the inputs.
        progress: Told after every unit.
        clock: Gives the time, aware, UTC.

    Raises:
        IndexDamagedError: An input cannot be trusted.
        IndexBuildError: As `build`; all indexes are as they were.
    """
    if not inputs:
        raise IndexBuildError("no index to merge was named")
    order = Order(name, jobs, force=True, progress=progress, clock=clock)
    read = [(folder, manifests.read_whole(folder)) for folder in dict.fromkeys(folder.resolve() for folder in inputs)]
    with errors(out), writing(out) as shop:
        old = old_manifest(out, strict=False)
        if old is not None and out.resolve() not in dict(read) and not force:
            raise IndexBuildError(f"{out}: holds an index that is not to be merged; name it too, or another folder")
        pieces = [piece for folder, manifest in read for piece in pieces_of(folder, manifest)]
        for folder, manifest in read:
            check_sums(folder, manifest)
        task = Task(kind="merge", format=STORED_FORM, inputs=tuple(describe(piece.data) for piece in pieces))
        form = StoredForm(pieces, shop.scratch(f"drops-{task.digest}.db"))
        inherited = Inherited(tuple(manifest for _, manifest in read), form)
        order = replace(order, name=name or (old.name if old is not None else None))
        return Run(out, shop, old, task, order, inherited).go(form, [piece.data for piece in pieces])


def dump_files(paths: Sequence[Path], form: DumpFormat) -> list[Path]:
    """Give the files that are meant, each once: as they are named, of folders all with a suffix of the format, sorted.

    Raises:
        IndexBuildError: A path is missing, nothing is named, or a folder holds no such file or cannot be read.
    """
    if not paths:
        raise IndexBuildError("no file of records was named")
    files: dict[Path, Path] = {}
    for path in paths:
        found = [path]
        if path.is_dir():
            found = sorted(_dumps_in(path, form))
            if not found:
                raise IndexBuildError(f"{path}: holds no file of the format {form.name} ({', '.join(form.suffixes)})")
        elif not path.is_file():
            what = "is no file that can be read twice; unpack into one" if path.exists() else "no such file"
            raise UnreadableDumpError(f"{path}: {what}")
        for each in found:
            files.setdefault(each.resolve(), each)
    return list(files.values())


def _dumps_in(folder: Path, form: DumpFormat) -> Iterator[Path]:
    """Give the dumps below a folder; not those in an index, whose own files are JSON, too."""
    for place, folders, names in os.walk(folder, onerror=_unreadable):
        inside = Path(place)
        if any((inside / one).exists() for one in (MANIFEST, LOCK)):
            folders.clear()
            continue
        for name in names:
            path = inside / name
            if name.lower().endswith(form.suffixes) and not name.startswith(".") and path.is_file():
                yield path


def _unreadable(error: OSError) -> NoReturn:
    raise UnreadableDumpError(f"{error.filename}: cannot be read ({error.strerror}); check the path") from error


def old_manifest(out: Path, *, strict: bool) -> Manifest | None:
    """Give the manifest of the index that is there; `None` if there is none, or none that can be trusted.

    Raises:
        IndexDamagedError: It cannot be trusted, and `strict` asks for one.
    """
    try:
        return manifests.read(out)
    except IndexDamagedError:
        if strict:
            raise
        return None


@contextlib.contextmanager
def errors(out: Path) -> Iterator[None]:
    """Turn what the disk and the libraries say into one sentence.

    Raises:
        IndexBuildError: With what happened and what to do.
    """
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise unwritten(out, error) from error


__all__ = ["BuildReport", "Progress", "Tell", "build", "merge", "update"]
