from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from citeaudit.errors import EncryptedDocumentError, UnreadableDocumentError
from citeaudit.pdf import DEFAULT_LIMITS, Limits, close_pools, read_pages, warm
from citeaudit.pdf.worker import MESSAGES, Pool, Worker, WorkerError, fault, look, pool

Maker = Callable[..., Path]
AES_256 = 5  # PDF_ENCRYPT_AES_256

ROGUE = """
import os, signal, sys, time
from citeaudit.pdf import child

def crash(request):
    os.kill(os.getpid(), signal.SIGSEGV)

def leave(request):
    os._exit(3)

def spin(request):
    while True:
        pass

def eat(request):
    hoard = bytearray(4 << 30)
    return {"eaten": len(hoard)}

def babble(request):
    return {"text": "x" * 10_000_000}

def rave(request):
    return {"pages": "none"}

def fork(request):
    if os.fork() == 0:
        time.sleep(600)
    time.sleep(600)

def scribble(request):
    with open(request["path"], "w") as file:
        file.write("x" * 100_000)
    return {}

def look(request):
    print("noise on the standard output", flush=True)
    os.write(2, b"noise on the error stream")
    return {"pid": os.getpid(), "environment": sorted(os.environ)}

jobs = dict(crash=crash, leave=leave, spin=spin, eat=eat, babble=babble, rave=rave, fork=fork,
            scribble=scribble, look=look)
child.main(sys.argv[1:], child.JOBS | jobs)
"""
"""A worker that also misbehaves on request."""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def gone(pid: int, within_s: float = 5.0) -> bool:
    until = time.monotonic() + within_s
    while alive(pid):
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture(scope="module")
def rogue() -> Iterator[Pool]:
    made = Pool(replace(DEFAULT_LIMITS, wall_s=20, cpu_s=1, answer_bytes=1_000_000), program=ROGUE)
    yield made
    made.close()


@pytest.fixture(scope="module")
def hasty() -> Iterator[Pool]:
    made = Pool(replace(DEFAULT_LIMITS, wall_s=4.0), program=ROGUE)
    yield made
    made.close()


@pytest.fixture(scope="module", autouse=True)
def end_pools() -> Iterator[None]:
    yield
    close_pools()


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocumentError, match="no such file"):
        read_pages(tmp_path / "absent.pdf")


def test_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableDocumentError, match="is a directory"):
        read_pages(tmp_path)


def test_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.pdf")
    with pytest.raises(UnreadableDocumentError, match="not a regular file"):
        read_pages(tmp_path / "pipe.pdf")


def test_unreadable_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "locked.pdf"
    path.write_bytes(b"%PDF-1.7")

    def denied(*args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)  # root may read everything, so permissions cannot be used here
    with pytest.raises(UnreadableDocumentError, match=r"cannot be opened \(Permission denied\)"):
        look(path, DEFAULT_LIMITS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "the file is empty", id="empty"),
        pytest.param(b"<!DOCTYPE html><title>Sign in</title>", "is not a PDF", id="html-named-pdf"),
        pytest.param(b"PK\x03\x04" + b"\0" * 40, "is not a PDF", id="zip"),
        pytest.param(b" " * 2000 + b"%PDF-1.7", "is not a PDF", id="header-too-late"),
        pytest.param(b"%PDF-1.7\n%%EOF", "damaged beyond repair", id="header-only"),
        pytest.param(b"%PDF-1.7\n" + bytes(range(256)) * 40, "damaged beyond repair", id="noise"),
    ],
)
def test_what_is_no_pdf_costs_one_sentence(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.pdf"
    path.write_bytes(content)
    with pytest.raises(UnreadableDocumentError, match=message) as caught:
        read_pages(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_large_file_is_refused_unread(make_pdf: Maker) -> None:
    path = make_pdf([["One"]])
    with pytest.raises(UnreadableDocumentError, match="is larger than 0 MiB"):
        look(path, replace(DEFAULT_LIMITS, file_bytes=100))


def test_header_may_follow_other_bytes(make_pdf: Maker) -> None:
    path = make_pdf([["One line"]])
    path.write_bytes(b"\xef\xbb\xbf\n" + path.read_bytes())
    assert read_pages(path).pages[0].lines[0].text == "One line"


def test_encrypted_file_is_named_as_such(make_pdf: Maker) -> None:
    path = make_pdf([["Secret"]], encryption=AES_256, user_pw="open", owner_pw="own")
    with pytest.raises(EncryptedDocumentError, match="needs a password"):
        read_pages(path)


def test_file_with_an_owner_password_alone_is_read(make_pdf: Maker) -> None:
    path = make_pdf([["Open"]], encryption=AES_256, user_pw="", owner_pw="own")
    assert read_pages(path).pages[0].lines[0].text == "Open"


def test_file_cut_short_is_mended_and_says_so(make_pdf: Maker) -> None:
    path = make_pdf([["One line"], ["Two"]])
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * 0.8)])
    assert read_pages(path).repaired


def test_too_many_pages_are_refused(make_pdf: Maker) -> None:
    small = Pool(replace(DEFAULT_LIMITS, pages=2))
    with pytest.raises(UnreadableDocumentError, match="has 3 pages"):
        small.read(make_pdf([["a"], ["b"], ["c"]]))
    small.close()


def test_decompression_bomb_costs_one_error(tmp_path: Path) -> None:
    packer = zlib.compressobj(9)
    block = b"BT /F1 9 Tf 10 10 Td (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj ET\n" * 10_000
    body = b"".join(packer.compress(block) for _ in range(150)) + packer.flush()
    path = tmp_path / "bomb.pdf"
    head = (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R"
        b"/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n"
    )
    stream = b"4 0 obj<</Length %d/Filter/FlateDecode>>stream\n" % len(body)
    path.write_bytes(head + stream + body + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF")
    assert path.stat().st_size < 2_000_000
    tight = Pool(replace(DEFAULT_LIMITS, memory_bytes=800 * 1024 * 1024, cpu_s=1, wall_s=8))
    with pytest.raises(UnreadableDocumentError, match=r"more memory|processor time|within 8 seconds"):
        tight.read(path)
    tight.close()


@pytest.mark.parametrize(
    ("job", "kind", "detail"),
    [
        pytest.param("crash", "crashed", "signal 11", id="segmentation-fault"),
        pytest.param("leave", "crashed", "exit 3", id="exit"),
        pytest.param("spin", "crashed", "too much processor time", id="endless-loop"),
        pytest.param("eat", "memory", "", id="memory"),
        pytest.param("babble", "answer", "", id="answer-too-large"),
        pytest.param("unheard-of", "crashed", "KeyError", id="unknown-job"),
    ],
)
def test_failure_costs_one_document_and_one_process(rogue: Pool, job: str, kind: str, detail: str) -> None:
    before = rogue.run("look")["pid"]
    with pytest.raises(WorkerError) as caught:
        rogue.run(job)
    assert (caught.value.kind, caught.value.detail) == (kind, detail)
    assert rogue.run("look")["pid"] != before
    assert isinstance(before, int)
    assert gone(before)


def test_time_out_ends_the_whole_group(hasty: Pool) -> None:
    group = hasty.run("look")["pid"]
    assert isinstance(group, int)
    with pytest.raises(WorkerError) as caught:
        hasty.run("fork")
    assert (caught.value.kind, caught.value.detail) == ("time", "4")
    time.sleep(0.1)
    members = [
        entry.name
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and alive(int(entry.name)) and os.getpgid(int(entry.name)) == group
    ]
    assert members == []


def test_worker_can_write_no_file(rogue: Pool, tmp_path: Path) -> None:
    with pytest.raises(WorkerError) as caught:
        rogue.run("scribble", path=str(tmp_path / "out"))
    assert caught.value.kind == "crashed"
    assert (tmp_path / "out").stat().st_size == 0


def test_noise_does_not_reach_the_answers_and_the_environment_is_empty(
    rogue: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEAUDIT_SECRET", "x")
    rogue.close()
    seen = rogue.run("look")["environment"]
    assert isinstance(seen, list)
    assert set(seen) <= {"PYTHONPATH", "LC_CTYPE"}


def test_answer_in_another_shape_is_an_error(make_pdf: Maker) -> None:
    odd = Pool(program=ROGUE.replace("child.JOBS | jobs", "{'read': rave}"))
    with pytest.raises(UnreadableDocumentError, match="made no sense"):
        odd.read(make_pdf([["a"]]))
    odd.close()


def test_unknown_failure_is_reported_as_a_crash(make_pdf: Maker) -> None:
    odd = Pool(program=ROGUE.replace("child.JOBS | jobs", "{'read': crash}"))
    with pytest.raises(UnreadableDocumentError, match=r"made the PDF reader stop \(signal 11\)"):
        odd.read(make_pdf([["a"]]))
    odd.close()


def test_worker_that_cannot_start_is_an_error(make_pdf: Maker) -> None:
    dead = Pool(program="raise SystemExit(7)")
    with pytest.raises(UnreadableDocumentError, match="exit 7"):
        dead.read(make_pdf([["a"]]))
    dead.close()


def test_dead_idle_worker_costs_no_document() -> None:
    calm = Pool(program=ROGUE)
    pid = calm.run("look")["pid"]
    assert isinstance(pid, int)
    os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    (idle,) = calm._idle
    until = time.monotonic() + 5
    while idle.alive and time.monotonic() < until:  # a process counts as ended when its last thread has
        time.sleep(0.02)
    assert calm.run("look")["pid"] != pid
    calm.close()


def test_warm_worker_serves_several_documents_and_survives_plain_faults(make_pdf: Maker, tmp_path: Path) -> None:
    calm = Pool(program=ROGUE)
    first = calm.run("look")["pid"]
    assert calm.read(make_pdf([["A line"]])).pages[0].lines[0].text == "A line"
    with pytest.raises(EncryptedDocumentError):
        calm.read(make_pdf([["x"]], encryption=AES_256, user_pw="u", owner_pw="o"))
    assert calm.run("look")["pid"] == first
    calm.close()
    assert isinstance(first, int)
    assert gone(first)


def test_worker_is_replaced_after_so_many_documents() -> None:
    short = Pool(replace(DEFAULT_LIMITS, documents=2), program=ROGUE)
    pids = [short.run("look")["pid"] for _ in range(3)]
    assert pids[0] == pids[1] != pids[2]
    short.close()


def test_threads_share_a_pool(make_pdf: Maker) -> None:
    path = make_pdf([["Same for all"]])
    shared = Pool(size=2)
    results: list[str] = []

    def work() -> None:
        results.append(shared.read(path).pages[0].lines[0].text)

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["Same for all"] * 5
    shared.close()


def test_interrupt_ends_the_workers_at_work_at_once(tmp_path: Path) -> None:
    slow = Pool(program=ROGUE.replace("child.JOBS | jobs", "{'recognise': fork}"))
    main = threading.main_thread().ident
    assert main is not None
    ring = threading.Timer(1.0, signal.pthread_kill, (main, signal.SIGINT))
    before = time.monotonic()
    held = signal.signal(signal.SIGINT, signal.default_int_handler)  # the suite may run where it is ignored
    try:
        ring.start()
        with pytest.raises(KeyboardInterrupt):
            slow.recognise(tmp_path / "scan.pdf", range(1, 20), "eng", None)
    finally:
        signal.signal(signal.SIGINT, held)
    assert time.monotonic() - before < 6
    slow.close()


def test_pools_are_kept_by_limits_and_warmed_once() -> None:
    warm()
    warm()
    assert pool() is pool(Limits())
    assert pool() is not pool(Limits(pages=3))
    assert len(pool()._idle) == 1


def test_worker_dies_with_its_parent(tmp_path: Path) -> None:
    source = f"""
import sys, threading, time
from citeaudit.pdf.worker import Worker
worker = Worker(program={ROGUE!r})
worker.ask("look")
threading.Thread(target=worker.ask, args=("spin",), daemon=True).start()
time.sleep(0.3)
print(worker.pid, flush=True)
time.sleep(600)
"""
    parent = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert alive(pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert gone(pid, within_s=3)


def test_closing_twice_does_no_harm() -> None:
    worker = Worker()
    worker.close()
    worker.close()


@pytest.mark.parametrize("kind", sorted(MESSAGES))
def test_every_message_is_one_sentence_about_what_to_do(kind: str) -> None:
    text = str(fault(kind, Path("x.pdf"), "7")).removeprefix("x.pdf: ")
    assert "{" not in text
    assert ";" in text or "," in text
    assert text[0].islower()
