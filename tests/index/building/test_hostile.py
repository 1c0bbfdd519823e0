"""What an editor's disk and hands do to an index and its dumps: told in one sentence, and never a wrong answer."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from citeaudit.errors import IndexBuildError
from citeaudit.index import manifest as manifests
from citeaudit.index.asking.local import LocalCandidates
from citeaudit.index.building.builder import Progress, build, merge, update
from citeaudit.index.building.checking import verify
from citeaudit.index.building.workshop import BUILDING, writing
from citeaudit.index.manifest import MANIFEST, PARTS, Manifest, installed
from citeaudit.index.store import opening
from citeaudit.index.store.codec import MAX_PACKED, Codec
from citeaudit.index.store.keys import title_keys
from citeaudit.index.store.record import Malformed, Name, Record
from tests.index.work import OLD, find, manifest, quick_folder, raw, rows, search, write


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    with quick_folder() as place:
        yield place


# --- what is named as a dump ------------------------------------------------------------------------------


def test_an_index_below_the_named_folder_is_no_dump(tmp_path: Path) -> None:
    dump = write(tmp_path / "in" / "a.jsonl", rows(20)).parent
    for out in (dump / "index", dump / "index", dump / "deep" / "other"):
        report = build([dump], out)
        assert (report.records, report.malformed) == (20, 0)
    assert update(dump / "index", [dump]).malformed == 0


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    file = write(tmp_path / "in" / "a.jsonl", rows(20))
    (tmp_path / "link.jsonl").symlink_to(file)
    assert build([file, file.parent, tmp_path / "link.jsonl"], tmp_path / "index").records == 20


@pytest.mark.parametrize(
    ("make", "said"),
    [
        pytest.param(os.mkfifo, "is no file that can be read twice; unpack into one", id="pipe"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), "is no file that can be read twice", id="device"),
        pytest.param(lambda path: path.symlink_to(path), "no such file", id="loop"),
        pytest.param(lambda path: path.touch(), "is empty", id="empty"),
    ],
)
def test_what_is_no_dump_is_said(tmp_path: Path, make: Callable[[Path], object], said: str) -> None:
    make(tmp_path / "odd")
    with pytest.raises(IndexBuildError, match=said):
        build([tmp_path / "odd"], tmp_path / "index")


def test_a_folder_that_cannot_be_read_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "in" / "a.jsonl", rows(2))
    write(tmp_path / "in" / "sub" / "b.jsonl", rows(2))
    scan = os.scandir

    def refused(path: str) -> object:
        if str(path).endswith("sub"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refused)
    with pytest.raises(IndexBuildError, match=r"sub: cannot be read \(Permission denied\); check the path"):
        build([tmp_path / "in"], tmp_path / "index")


ODD = os.fsdecode(b"caf\xe9")
"""A name that is not UTF-8."""


def test_names_of_dumps_need_not_be_utf_8_but_that_of_the_index(tmp_path: Path) -> None:
    file = write(tmp_path / f"{ODD}.jsonl", rows(3))
    file.write_text(f"{file.read_text(encoding='utf-8')}broken\n", encoding="utf-8")
    report = build([file], tmp_path / "index")
    assert (report.records, report.malformed) == (3, 1)
    assert "caf\\udce9.jsonl: line 4" in manifest(tmp_path / "index").told[0]
    with pytest.raises(IndexBuildError, match="the name of the folder is not UTF-8; name another place"):
        build([file], tmp_path / ODD)


def test_a_dump_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", rows(20))
    build([file], tmp_path / "index")

    def grow(progress: Progress) -> None:
        if progress.phase == "reading records" and len(file.read_bytes()) < 20_000:
            with file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(raw(77)) + "\n" * 20_000)

    with pytest.raises(IndexBuildError, match=r"a\.jsonl: was changed while it was read; run the same command once"):
        build([file], tmp_path / "index", progress=grow)
    assert manifest(tmp_path / "index").records == 20
    assert build([file], tmp_path / "index").records == 21


def test_a_record_larger_than_any_that_can_be_read_back_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    names = ",".join(['"A"'] * (MAX_PACKED // 15))
    file.write_text(f'{{"title": "Crowd", "authors": [{names}]}}\n{{"title": "Dust"}}\n', encoding="utf-8")
    report = build([file], tmp_path / "index")
    assert (report.records, report.malformed) == (1, 1)
    assert "line 1 or later: larger than 16,000,000 bytes" in report.problems[0]
    assert verify(tmp_path / "index").sound


MEASURED = """
import sys
from pathlib import Path
from citeaudit.index.building.builder import build
print(build([Path(sys.argv[1])], Path(sys.argv[2]), jobs=1).records)
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2]  # getrusage counts that of the parent, too
print(int(peak.split()[0]) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak of one program")
def test_many_lines_as_long_as_may_be_fit_into_memory(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl.gz"
    with gzip.open(file, "wb", compresslevel=1) as stream:
        for number in range(8):
            stream.write(b'{"title": "Dust %d", "venue": "%s"}\n' % (number, b"v" * 15_000_000))
    command = [sys.executable, "-c", MEASURED, str(file), str(tmp_path / "index")]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    records, peak = map(int, done.stdout.split())
    assert records == 8
    assert peak < 350


def test_a_codec_packs_only_what_it_unpacks() -> None:
    record = Record("Dust", authors=(Name(literal="a" * MAX_PACKED),))
    with pytest.raises(Malformed, match="larger than"):
        Codec().pack(record)


def test_records_that_are_all_too_old_are_no_matter_of_format(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", rows(9))
    with pytest.raises(IndexBuildError, match="all 9 records are older than --min-year; take an earlier one"):
        build([file], tmp_path / "index", min_year=2099)


def test_a_module_in_the_folder_of_the_user_is_not_run(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", rows(9))
    for name in ("queue", "marshal", "orjson", "citeaudit"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not mine')", encoding="utf-8")
    program = (
        "import sys; sys.path.pop(0); from pathlib import Path; from citeaudit.index.building.builder import build;"
        "print(build([Path('a.jsonl')], Path('index'), jobs=2).records)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("9\n", "")


# --- the folder of the index --------------------------------------------------------------------------------


def test_a_part_that_was_whole_gets_the_name_that_is_asked_for_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = write(tmp_path / "a.jsonl", rows(9)), tmp_path / "index"
    replace = Path.replace

    def stopped(path: Path, target: Path) -> Path:
        if path == out / BUILDING / "part":
            raise KeyboardInterrupt
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stopped)
        with pytest.raises(KeyboardInterrupt):
            build([file], out, name="old")
    assert build([file], out, name="new").name == manifest(out).name == "new"


@pytest.mark.parametrize("text", ["{}", '{"parts": []}', "null"])
def test_a_note_of_a_whole_part_that_names_none_is_no_note(tmp_path: Path, text: str) -> None:
    file, out = write(tmp_path / "a.jsonl", rows(9)), tmp_path / "index"
    build([file], out)
    whole = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
    (out / BUILDING).mkdir()
    sealed = json.dumps({**whole, "parts": []}) if text == '{"parts": []}' else text
    (out / BUILDING / "sealed.json").write_text(sealed, encoding="utf-8")
    (out / BUILDING / "task.json").write_text("{}", encoding="utf-8")
    assert build([file], out).records == 9


def test_a_disk_without_locks_is_not_taken_for_a_second_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> NoReturn:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("citeaudit.index.building.workshop.fcntl.flock", refused)
    with pytest.raises(IndexBuildError, match=r"cannot be locked .*\(No locks available\); name a place on a local"):
        build([write(tmp_path / "a.jsonl", rows(2))], tmp_path / "index")


def test_a_process_that_was_forked_meanwhile_does_not_keep_the_lock(tmp_path: Path) -> None:
    begin, end = os.pipe()
    with writing(tmp_path):
        child = os.fork()
        if child == 0:
            os.close(end)
            os.read(begin, 1)
            os._exit(0)
    try:
        with writing(tmp_path):
            pass
    finally:
        os.close(end)
        os.close(begin)
        os.waitpid(child, 0)


def test_an_index_without_its_manifest_is_still_installed(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", rows(2))
    for name in ("whole", "headless"):
        build([file], tmp_path / "all" / name)
    (tmp_path / "all" / "headless" / MANIFEST).unlink()
    (tmp_path / "all" / "begun" / PARTS).mkdir(parents=True)
    assert [folder.name for folder in installed(tmp_path / "all")] == ["headless", "whole"]
    assert installed(tmp_path / "nowhere") == []


def test_an_index_that_is_replaced_between_its_manifest_and_its_files_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, files = tmp_path / "index", manifests.check_files
    build([write(tmp_path / "a.jsonl", rows(5))], folder)
    first = manifest(folder)

    def late(place: Path, named: Manifest) -> None:
        if named == first:
            monkeypatch.setattr(manifests, "check_files", files)
            build([write(tmp_path / "b.jsonl", rows(7))], folder)
        files(place, named)

    monkeypatch.setattr(manifests, "check_files", late)
    with closing(LocalCandidates(folder)) as index:
        assert index.manifest.records == 7
        assert len(index.exact([title_keys(OLD)])[0]) == 1


# --- reading ------------------------------------------------------------------------------------------------


READ = """
import os, sys
from pathlib import Path
import tantivy
from citeaudit.index.building.checking import verify
from tests.index.work import OLD, find, search
os.setgid(65534), os.setuid(65534)
folder = Path(sys.argv[1])
print(len(find(folder, OLD)), search(folder, OLD)[0].title == OLD, verify(folder).problems)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_an_index_that_another_user_installed_is_read(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    folder = tmp_path / "index"
    build([write(tmp_path / "a.jsonl", rows(30))], folder)
    done = subprocess.run(
        [sys.executable, "-c", READ, str(folder)], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "1 True ()\n", done.stderr


def test_a_lock_that_cannot_be_made_hinders_no_reader(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    build([write(tmp_path / "a.jsonl", rows(30))], folder)
    for lock in folder.rglob(".tantivy-*.lock"):
        lock.unlink()
    (folder / PARTS / "000001" / "words" / ".tantivy-meta.lock").mkdir()  # as good as no permission
    assert [record.title for record in search(folder, OLD)][:1] == [OLD]
    assert verify(folder).sound
    merge([folder], tmp_path / "other")
    assert len(find(tmp_path / "other", OLD)) == 1


CUT = """
import os, sys, time
from pathlib import Path
from citeaudit.index.asking.engine import open_index
from citeaudit.model import Query
index, asked = open_index(sys.argv[1]), [Query(kind="title", text=text) for text in sys.argv[3:]]
for query in asked:
    index.search([query])
os.truncate(sys.argv[2], 4096)
time.sleep(float(os.environ["PAUSE"]))
print({(str(one.outcome), "cut short by another program" in one.failure.message) for one in index.search(asked)})
"""


@pytest.mark.parametrize("name", ["works.db", "words/*.idx", "words/*.term"])
def test_a_file_that_is_cut_while_it_is_in_use_ends_no_process(tmp_path: Path, name: str) -> None:
    some = rows(2_000)
    build([write(tmp_path / "a.jsonl", some)], tmp_path / "index")
    (file,) = (tmp_path / "index" / PARTS / "000001").glob(name)
    titles = [str(row["title"]) for row in some[1_000::100]]
    command = [sys.executable, "-c", CUT, str(tmp_path / "index"), str(file), *titles]
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PAUSE": str(2 * opening.LOOK_EVERY_S)},
    )
    assert (done.returncode, done.stdout) == (0, "{('UNAVAILABLE', True)}\n"), done.stderr
