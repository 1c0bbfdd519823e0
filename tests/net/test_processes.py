"""Several runs on one machine keep the limits together, and none that is killed leaves anything locked."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.services.scripted import Reply, Script, scripted

ASKING = Path(__file__).with_name("asking.py")


def start(folder: Path, script: Script, *options: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(ASKING), str(folder), script.url, *map(str, options)]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def end(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors.decode()


@pytest.mark.parametrize(
    ("interval_s", "concurrent", "hold_s"),
    [
        pytest.param(0.15, 1, 0.0, id="one-at-a-time"),
        pytest.param(0.1, 3, 0.25, id="three-at-a-time"),
    ],
)
def test_processes_keep_the_limit_together(tmp_path: Path, interval_s: float, concurrent: int, hold_s: float) -> None:
    with scripted(Reply(hold_s=hold_s)) as script:
        processes = [start(tmp_path, script, 4, interval_s, concurrent) for _ in range(2)]
        for process in processes:
            end(process)
    assert len(script.asked) == 8
    assert min(script.gaps) >= interval_s
    assert script.most_at_once <= concurrent


def test_killed_process_leaves_its_slot_to_others(tmp_path: Path) -> None:
    with scripted(Reply(hold_s=3.0), Reply()) as script:
        holder = start(tmp_path, script, 1, 0.1, 1)
        deadline = time.monotonic() + 10
        while not script.asked and time.monotonic() < deadline:
            time.sleep(0.02)
        waiting = start(tmp_path, script, 1, 0.1, 1)
        time.sleep(0.2)
        assert len(script.asked) == 1
        killed = time.monotonic()
        holder.kill()
        holder.communicate(timeout=10)
        end(waiting)
        assert len(script.asked) == 2
        assert script.asked[1].at - killed < 2.5
