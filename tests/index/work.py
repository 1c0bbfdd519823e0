"""Records, dumps and helper processes for the tests of building; no test of its own."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from citeaudit.index import manifest as manifests
from citeaudit.index.asking.local import LocalCandidates
from citeaudit.index.manifest import Manifest
from citeaudit.index.store.keys import title_keys
from citeaudit.index.store.record import Record

NOW = datetime(2026, 11, 30, tzinfo=UTC)
Raw = dict[str, Any]

_WORDS = [
    "amber",
    "basalt",
    "cobalt",
    "dahlia",
    "ember",
    "fjord",
    "granite",
    "harbour",
    "island",
    "juniper",
    "kelp",
    "lagoon",
    "meadow",
    "nectar",
    "orchard",
]
_WORDS += [
    "pebble",
    "quartz",
    "river",
    "saffron",
    "timber",
    "umbra",
    "valley",
    "willow",
    "xenon",
    "yarrow",
    "zephyr",
    "bridge",
    "copper",
    "dune",
    "eagle",
    "fern",
]
_NAMES = "Alder Birch Cedar Dogwood Elm Fir Gum Hazel Ivy Larch Maple Oak Pine Rowan Spruce Teak Yew".split()  # noqa: SIM905

OLD = "The Old Bridge of Amber Island"
"""Title of a record that the old index of a test holds, and the new one, too."""


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Give a folder in memory where there is one: a build waits for the disk a dozen times, which is 0.3 s on some.

    What a power cut leaves is not tested here, and a killed process loses nothing that was written either way.
    """
    memory = Path("/dev/shm")  # noqa: S108 - a folder of its own in it
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None, prefix="citeaudit-") as name:
        yield Path(name)


def raw(number: int, *, src: str = "farm", title: str | None = None) -> Raw:
    """Give the record of a number; the same number gives the same record."""
    chance = random.Random(number)  # noqa: S311 - repeatable, and no secret
    words = chance.sample(_WORDS, 5)
    return {
        "title": title or f"{' '.join(words).title()} {number}",
        "authors": [{"family": name, "given": chance.choice("ABCDE")} for name in chance.sample(_NAMES, 3)],
        "year": 1980 + number % 45,
        "venue": f"Journal of {words[0].title()}",
        "volume": str(number % 30 + 1),
        "pages": f"{number}-{number + 9}",
        "doi": f"10.5555/{src}.{number}",
        "id": f"{src}/{number}",
        "src": src,
    }


def rows(count: int, first: int = 1) -> list[Raw]:
    """Give records; the first one is `OLD` where they begin with number 1."""
    return [raw(number, title=OLD if number == 1 else None) for number in range(first, first + count)]


def write(path: Path, some: list[Raw]) -> Path:
    """Write records as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in some), encoding="utf-8")
    return path


def write_files(folder: Path, count: int, each: int, first: int = 1) -> Path:
    """Write several files of records into a folder."""
    for number in range(count):
        write(folder / f"part-{number:03d}.jsonl", rows(each, first + number * each))
    return folder


def find(folder: Path, title: str) -> list[Record]:
    """Give the records of an index with a title, as any reader would find them."""
    with closing(LocalCandidates(folder)) as index:
        (found,) = index.exact([title_keys(title)])
        return list(found.values())


def search(folder: Path, text: str) -> list[Record]:
    """Give the records of an index by words."""
    with closing(LocalCandidates(folder)) as index:
        (found,) = index.search([text.lower().split()])
        return list(found.values())


def manifest(folder: Path) -> Manifest:
    """Give the manifest of an index."""
    return manifests.read(folder)


def same(one: Manifest, other: Manifest) -> bool:
    """Whether two indexes hold the same."""
    fields = {"content", "records", "counted", "sources", "years", "fields", "malformed", "told"}
    return one.model_dump(include=fields) == other.model_dump(include=fields)


def children() -> list[int]:
    """Give the processes that this one started and that still run programs."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdecimal() and int(place.name) != os.getpid():
            state = _state(int(place.name))
            if state is not None and state[0] != "Z" and int(state[1]) == os.getpid() and _is_reader(place):
                found.append(int(place.name))
    return found


def is_alive(process: int) -> bool:
    """Whether a process still runs."""
    state = _state(process)
    return state is not None and state[0] != "Z"


def _state(process: int) -> list[str] | None:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None


def _is_reader(place: Path) -> bool:
    try:
        return b"citeaudit.index.building.workers" in (place / "cmdline").read_bytes()
    except OSError:
        return False


_PROGRAM = """
import json, os, resource, signal, sys, traceback
from pathlib import Path
from citeaudit.index.building import builder, filling
import citeaudit.index.building.workshop as workshop
filling.CHECKPOINT_RECORDS = 400
calls = 0
def counted(function, last):
    def call(*args, **more):
        global calls
        calls += 1
        if calls == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **more)
    return call
def run(order):
    options = {}
    if order.get("after"):
        signal.setitimer(signal.ITIMER_REAL, order["after"])
    if order.get("unit"):
        options["progress"] = counted(lambda _: None, order["unit"])
    if order.get("file_size"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["file_size"],) * 2)
    if order.get("call"):
        os.fsync = counted(os.fsync, order["call"])
        Path.replace = counted(Path.replace, order["call"])
        workshop.shutil.rmtree = counted(workshop.shutil.rmtree, order["call"])
    try:
        report = builder.build([Path(p) for p in order["paths"]], Path(order["out"]), jobs=1, **options)
        return {"calls": calls, "resumed": report.resumed, "notes": report.notes}
    except builder.IndexBuildError as error:
        return {"error": str(error)}
    except BaseException:
        return {"crash": traceback.format_exc()}
for line in sys.stdin:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, json.dumps(run(json.loads(line))).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    answer = json.loads(text) if text else {}
    print(json.dumps({**answer, "status": os.waitstatus_to_exitcode(status)}), flush=True)
"""


class Builder:
    """Builds in processes of their own, which may be killed; each costs a fork."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def build(self, path: Path, out: Path, **order: object) -> Raw:
        """Build, and say how it ended.

        Args:
            path: File or folder of records.
            out: The index.
            order: `after` seconds, at the `unit` with that number or the disk `call` with that number the process is
                killed; `file_size` is the most that a file may have.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"paths": [str(path)], "out": str(out), **order}) + "\n")
        self._process.stdin.flush()
        answer: Raw = json.loads(self._process.stdout.readline())
        assert "crash" not in answer, answer["crash"]
        return answer


@contextmanager
def builders() -> Iterator[Builder]:
    """Give a builder, ended afterwards."""
    command = [sys.executable, "-c", _PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Builder(process)
        assert process.stdin is not None
        process.stdin.close()
