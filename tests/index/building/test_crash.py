"""Whatever happens to a build, the old index answers; and what was begun can be gone on with."""

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index.building import filling
from citeaudit.index.building.builder import Progress, build, merge, update
from citeaudit.index.building.checking import verify
from citeaudit.index.building.signals import Interrupted
from citeaudit.index.building.workshop import BUILDING, LOCK
from citeaudit.index.manifest import DATA, MANIFEST, PARTS
from tests.index.work import (
    NOW,
    OLD,
    Builder,
    builders,
    children,
    find,
    is_alive,
    manifest,
    quick_folder,
    rows,
    same,
    search,
    write,
    write_files,
)

FILES, EACH = 12, 150


class Scene(NamedTuple):
    """An old index, and the dump of the next one."""

    folder: Path
    dump: Path
    plain: Path
    """What an undisturbed build of the dump makes."""

    def copy(self, place: Path) -> Path:
        """Give a fresh copy of the old index."""
        return Path(shutil.copytree(self.folder, place / "index"))


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as place:
        yield place


@pytest.fixture(scope="module")
def helper() -> Iterator[Builder]:
    with builders() as made:
        yield made


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    with quick_folder() as place:
        dump = write_files(place / "dump", FILES, EACH)
        build([write(place / "old.jsonl", rows(20))], place / "index", clock=lambda: NOW)
        build([dump], place / "plain" / "index", clock=lambda: NOW)
        yield Scene(place / "index", dump, place / "plain" / "index")


def is_old(folder: Path) -> None:
    """The old index answers, by its keys and by its words, and is whole."""
    assert manifest(folder).records == 20
    assert len(find(folder, OLD)) == 1
    assert [record.title for record in search(folder, OLD)][:1] == [OLD]
    assert verify(folder).problems == ()


def is_new(folder: Path, scene: Scene) -> None:
    """The new index is there, as if nothing had happened, and nothing else."""
    assert same(manifest(folder), manifest(scene.plain))
    assert verify(folder).problems == ()
    assert sorted(path.name for path in folder.iterdir()) == [MANIFEST, PARTS, LOCK]
    assert len(list((folder / PARTS).iterdir())) == 1


@pytest.mark.parametrize("point", range(10))
def test_a_build_killed_at_any_moment_leaves_the_old_index_and_goes_on(
    tmp_path: Path, scene: Scene, helper: Builder, point: int
) -> None:
    folder = scene.copy(tmp_path)
    chance = random.Random(point)  # noqa: S311 - repeatable, and no secret
    order = {"unit": chance.randrange(1, FILES + 1)} if point < 5 else {"after": chance.uniform(0.02, 0.4)}
    ended = helper.build(scene.dump, folder, **order)
    if ended["status"] == 0:  # the clock was slower than the build
        is_new(folder, scene)
        return
    assert ended["status"] in (-signal.SIGKILL, -signal.SIGALRM)
    if manifest(folder).records == 20:
        is_old(folder)
    again = helper.build(scene.dump, folder)
    assert again["status"] == 0
    if order.get("unit", 0) > 6:
        assert again["resumed"] > 0
    is_new(folder, scene)


def test_a_kill_between_any_two_writes_of_the_end_leaves_one_of_the_two_whole(
    tmp_path: Path, scene: Scene, helper: Builder
) -> None:
    total = helper.build(scene.dump, scene.copy(tmp_path / "all"), call=1_000_000)["calls"]
    chance = random.Random(1)  # noqa: S311 - repeatable, and no secret
    for call in [*range(total - 5, total + 1, 2), *chance.sample(range(1, total - 5), 3)]:
        folder = scene.copy(tmp_path / str(call))
        assert helper.build(scene.dump, folder, call=call)["status"] == -signal.SIGKILL
        if manifest(folder).records == 20:
            is_old(folder)
        assert len(find(folder, OLD)) == 1
        assert helper.build(scene.dump, folder)["status"] == 0
        is_new(folder, scene)


@pytest.mark.parametrize("size", [30_000, 100_000, 150_000])
def test_a_full_disk_says_so_leaves_the_old_index_and_goes_on(
    tmp_path: Path, scene: Scene, helper: Builder, size: int
) -> None:
    folder = scene.copy(tmp_path)
    ended = helper.build(scene.dump, folder, file_size=size)
    assert ended["error"].count("\n") == 0
    assert re.search(r"disk|room|File too large", ended["error"])
    assert "run the same command again" in ended["error"]
    is_old(folder)
    helper.build(scene.dump, folder)
    is_new(folder, scene)


def test_a_second_writer_is_told_who_the_first_is(tmp_path: Path, scene: Scene, helper: Builder) -> None:
    folder = scene.copy(tmp_path)
    told: list[str] = []

    def ask(_: Progress) -> None:
        if not told:
            told.append(helper.build(scene.dump, folder)["error"])
            with pytest.raises(IndexBuildError, match="is writing this index"):
                build([scene.dump], folder)

    build([scene.dump], folder, progress=ask, clock=lambda: NOW)
    assert f"process {os.getpid()} since " in told[0]
    assert told[0].endswith("is writing this index; wait until it is done")
    is_new(folder, scene)


def test_the_lock_of_a_killed_writer_is_no_lock(tmp_path: Path, scene: Scene, helper: Builder) -> None:
    folder = scene.copy(tmp_path)
    helper.build(scene.dump, folder, unit=2)
    assert (folder / LOCK).read_text(encoding="utf-8")
    helper.build(scene.dump, folder)
    is_new(folder, scene)


def test_ctrl_c_keeps_what_was_stored_for_the_same_command(
    tmp_path: Path, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "CHECKPOINT_RECORDS", 400)
    folder = scene.copy(tmp_path)

    def stop(progress: Progress) -> None:
        if progress.records >= 1_000:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        build([scene.dump], folder, progress=stop, jobs=1)
    is_old(folder)
    assert caught.value.kept == 1_050  # all, not only what the last checkpoint held
    told: list[Progress] = []
    report = build([scene.dump], folder, jobs=1, progress=told.append)
    assert (report.resumed, report.notes) == (1_050, ())
    assert (told[0].phase, told[0].records) == (filling.GOING_ON, 1_050)
    is_new(folder, scene)


def test_a_worker_that_dies_is_one_clear_error_and_costs_no_record(
    tmp_path: Path, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "CHECKPOINT_RECORDS", 400)
    folder = scene.copy(tmp_path)

    def shoot(progress: Progress) -> None:
        if progress.records >= 600:
            for child in children():
                os.kill(child, signal.SIGKILL)

    with pytest.raises(IndexBuildError, match=r"a process that reads records died .* run the same command again"):
        build([scene.dump], folder, jobs=2, progress=shoot)
    assert not children()
    is_old(folder)
    assert build([scene.dump], folder, jobs=2).resumed >= 400
    is_new(folder, scene)


SUICIDE = """
import os, signal, sys
from pathlib import Path
from citeaudit.index.building.builder import build
from tests.index.work import children
def end(_):
    print(*children(), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
build([Path(sys.argv[1])], Path(sys.argv[2]), jobs=2, progress=end)
"""


def test_workers_end_with_a_killed_build(tmp_path: Path, scene: Scene) -> None:
    command = [sys.executable, "-c", SUICIDE, str(scene.dump), str(tmp_path / "new")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == -signal.SIGKILL
    workers = [int(word) for word in done.stdout.split()]
    assert len(workers) == 2
    deadline = time.monotonic() + 20
    while any(is_alive(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_alive(worker) for worker in workers)


READER = """
import sys
from pathlib import Path
from tests.index.work import OLD, find
from citeaudit.index.store.keys import title_keys
from citeaudit.index.asking.local import LocalCandidates
folder, stop = Path(sys.argv[1]), Path(sys.argv[2])
held, asked, missed = LocalCandidates(folder), 0, 0
print("ready", flush=True)
while not stop.exists():
    asked += 1
    missed += not held.exact([title_keys(OLD)])[0]
    missed += not held.search([OLD.lower().split()])[0]
    missed += not find(folder, OLD)  # opened anew: it may be swapped between the manifest and the files it names
print(asked, missed)
"""


def test_a_reader_never_misses_a_record_that_both_have(tmp_path: Path, scene: Scene) -> None:
    folder = scene.copy(tmp_path)
    command = [sys.executable, "-c", READER, str(folder), str(tmp_path / "stop")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
        small = write(tmp_path / "small.jsonl", rows(300))
        for _ in range(3):
            build([scene.dump], folder, jobs=1)
            build([small], folder, jobs=1, force=True)
            update(folder, [small], jobs=1)
            merge([folder], folder, jobs=1)
        (tmp_path / "stop").touch()
        told, complaint = reader.communicate(timeout=60)
    assert complaint == ""
    asked, missed = map(int, told.split())
    assert asked > 10
    assert missed == 0


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda place: (place / "part" / DATA).write_bytes(b"x" * 5_000), id="no-database"),
        pytest.param(lambda place: shutil.rmtree(place / "part"), id="no-part"),
        pytest.param(lambda place: (place / "task.json").write_text("{"), id="no-task"),
        pytest.param(lambda place: (place / "part" / "words" / "meta.json").write_text("{"), id="no-words"),
        pytest.param(lambda place: shutil.rmtree(place / "part" / "words"), id="words-gone"),
        pytest.param(lambda place: (place / "sealed.json").write_text("{}"), id="sealed-nonsense"),
    ],
)
def test_a_damaged_workshop_is_begun_afresh_or_mended(
    tmp_path: Path, scene: Scene, helper: Builder, harm: Callable[[Path], object]
) -> None:
    folder = scene.copy(tmp_path)
    helper.build(scene.dump, folder, unit=9)
    harm(folder / BUILDING)
    is_old(folder)
    build([scene.dump], folder)
    is_new(folder, scene)


@pytest.mark.parametrize("phase", [filling.SORTING, filling.CHECKING])
def test_a_build_stopped_after_the_last_record_reads_nothing_again(tmp_path: Path, scene: Scene, phase: str) -> None:
    folder = scene.copy(tmp_path)

    def stop(progress: Progress) -> None:
        if progress.phase == phase:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build([scene.dump], folder, progress=stop)
    is_old(folder)
    told: list[Progress] = []
    assert build([scene.dump], folder, progress=told.append).resumed == FILES * EACH
    assert filling.READING not in {one.phase for one in told}
    is_new(folder, scene)


@pytest.mark.parametrize(("kind", "name"), [("before", f"{MANIFEST}.new"), ("after", BUILDING)])
def test_a_whole_part_is_only_put_in_place(
    tmp_path: Path, scene: Scene, monkeypatch: pytest.MonkeyPatch, kind: str, name: str
) -> None:
    folder = scene.copy(tmp_path)
    replace, remove = Path.replace, shutil.rmtree

    def replaced(path: Path, target: Path) -> Path:
        if path == folder / name:
            raise KeyboardInterrupt
        return replace(path, target)

    def removed(path: Path, *, ignore_errors: bool = False) -> None:
        if path == folder / name and (path / "sealed.json").exists():
            raise KeyboardInterrupt
        remove(path, ignore_errors=ignore_errors)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replaced)
        patch.setattr(shutil, "rmtree", removed)
        with pytest.raises(KeyboardInterrupt):
            build([scene.dump], folder)
    if kind == "before":
        is_old(folder)
    report = build([scene.dump], folder)
    assert report.notes == ("the part was whole already; it only had to be put in place",)
    assert report.records == FILES * EACH
    is_new(folder, scene)


@pytest.mark.parametrize("call", [1, 4, 9, 14, 20])
@pytest.mark.parametrize(
    ("number", "said"),
    [
        pytest.param(
            errno.ENOSPC, r"the disk is full or fails \(.*No space left.*\); make room and run the same", id="full"
        ),
        pytest.param(errno.EACCES, "could not be written .*Permission denied.*; run the same|as it was", id="denied"),
    ],
)
def test_whatever_the_disk_refuses_is_one_sentence(
    tmp_path: Path, scene: Scene, monkeypatch: pytest.MonkeyPatch, call: int, number: int, said: str
) -> None:
    folder = scene.copy(tmp_path)
    sync, calls = os.fsync, 0

    def refused(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls >= call:
            raise OSError(number, os.strerror(number))
        sync(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refused)
        with pytest.raises(IndexBuildError, match=said) as caught:
            build([scene.dump], folder)
    assert "\n" not in str(caught.value)
    is_old(folder)
    build([scene.dump], folder)
    is_new(folder, scene)
