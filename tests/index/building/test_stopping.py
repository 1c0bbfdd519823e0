"""Stopped by a signal, a build keeps all that it stored, and says truly whether there is anything to go on from."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index.building import filling
from citeaudit.index.building.builder import Progress, build
from citeaudit.index.building.checking import verify
from citeaudit.index.building.signals import Interrupted, Stops
from citeaudit.index.building.workshop import BUILDING, LOCK
from citeaudit.index.manifest import MANIFEST, PARTS
from tests.index.work import children, is_alive, manifest, quick_folder, rows, same, write, write_files


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as place:
        yield place


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_inside_a_build_costs_no_record(tmp_path: Path, number: signal.Signals, jobs: int) -> None:
    dump = write_files(tmp_path / "dump", 6, 100)
    seen: list[int] = []
    usual = signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)

    def stop(progress: Progress) -> None:
        seen.append(progress.records)
        if progress.records >= 300:
            os.kill(os.getpid(), number)

    try:
        with pytest.raises(Interrupted) as caught:
            build([dump], tmp_path / "index", progress=stop, jobs=jobs)
    finally:
        signal.signal(number, usual)
    assert not children()
    assert caught.value.kept == seen[-1] == 300
    report = build([dump], tmp_path / "index", jobs=jobs)
    assert (report.resumed, report.records) == (300, 600)
    build([dump], tmp_path / "plain" / "index")
    assert same(manifest(tmp_path / "index"), manifest(tmp_path / "plain" / "index"))
    assert verify(tmp_path / "index").sound


def test_a_signal_waits_for_the_end_of_what_must_not_be_broken_off() -> None:
    stops, done = Stops(), []
    usual = signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a measurement of coverage has its own
    try:
        with stops.heeded():
            with pytest.raises(KeyboardInterrupt), stops.held():  # noqa: PT012 - what follows the signal is the point
                os.kill(os.getpid(), signal.SIGTERM)
                done.append(True)
            with stops.held():  # it was heeded once
                done.append(True)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, usual)
    assert done == [True, True]


def test_what_a_caller_does_about_signals_stays() -> None:
    mine: list[int] = []
    usual = signal.signal(signal.SIGTERM, lambda number, _: mine.append(number))
    try:
        with Stops().heeded():
            os.kill(os.getpid(), signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, usual)
    assert mine == [signal.SIGTERM]


def test_inside_one_file_time_alone_makes_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "rows.jsonl", rows(9_000))
    monkeypatch.setattr(filling, "CHECKPOINT_SECONDS", 0.0)
    program = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom citeaudit.index.building import filling\n"
        "from citeaudit.index.building.builder import build\nfilling.CHECKPOINT_SECONDS = 0.0\n"
        "def end(now):\n    if now.records > 2_000: os.kill(os.getpid(), signal.SIGKILL)\n"
        "build([Path(sys.argv[1])], Path(sys.argv[2]), jobs=1, progress=end)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(file), str(tmp_path / "index")], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    report = build([file], tmp_path / "index")
    assert report.resumed > 2_000
    assert report.records == 9_000


def test_stopped_before_the_first_record_nothing_is_claimed_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_form: object, _paths: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("citeaudit.index.building.running.sample", stop)
    with pytest.raises(Interrupted) as caught:
        build([write(tmp_path / "rows.jsonl", rows(5))], tmp_path / "deep" / "index")
    assert caught.value.kept == 0
    assert not (tmp_path / "deep").exists()


@pytest.mark.parametrize("there", [False, True])
def test_a_first_build_that_fails_removes_what_it_made(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "index"
    if there:
        folder.mkdir()
    (tmp_path / "a.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(IndexBuildError, match="no usable record"):
        build([tmp_path / "a.jsonl"], folder)
    assert folder.exists() is there
    assert not there or list(folder.iterdir()) == []


def test_a_first_build_that_can_go_on_keeps_what_it_made(tmp_path: Path) -> None:
    def stop(progress: Progress) -> None:
        if progress.records >= 200:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        build([write_files(tmp_path / "dump", 4, 100)], tmp_path / "index", progress=stop)
    assert {path.name for path in (tmp_path / "index").iterdir()} == {BUILDING, LOCK, PARTS}
    assert not (tmp_path / "index" / MANIFEST).exists()


def test_a_lock_that_was_removed_meanwhile_is_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "index"
    take = fcntl.flock

    def late(stream: Any, what: int) -> None:
        (folder / LOCK).unlink(missing_ok=True)  # as the writer before does, which found nothing to keep
        take(stream, what)

    some = write(tmp_path / "rows.jsonl", rows(5))
    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", late)
        with pytest.raises(IndexBuildError, match="another process was writing this index; run the same command again"):
            build([some], folder)
    assert build([some], folder).records == 5


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


def test_workers_of_a_killed_build_say_nothing(tmp_path: Path) -> None:
    dump = write(tmp_path / "rows.jsonl", rows(12_000))  # several units, so that answers are under way
    errors = tmp_path / "errors.txt"
    with errors.open("wb") as stream:
        command = [sys.executable, "-c", SUICIDE, str(dump), str(tmp_path / "new")]
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=stream, timeout=60)
    workers = [int(word) for word in done.stdout.split()]
    deadline = time.monotonic() + 20
    while any(is_alive(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (done.returncode, len(workers)) == (-signal.SIGKILL, 2)
    assert errors.read_bytes() == b""
