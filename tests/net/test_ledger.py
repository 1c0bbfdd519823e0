"""The file that processes share: locked, whole at every moment, and never trusted further than it makes sense."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import anyio
import pytest

from citeaudit.net.ledger import LOCK_TRIES, MAX_BYTES, Ledger, Page, shared_dir
from tests.services.moments import Clock


def open_page(path: Path) -> Page:
    return anyio.run(Ledger(path, Clock().sleep).page)


def test_state_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "crossref.json"
    page = open_page(path)
    page.state.not_before = 7.5
    page.state.lane("list").next_at = 3.25
    page.write()
    page.close()
    again = open_page(path)
    assert (again.state.not_before, again.state.lane("list").next_at, again.damaged) == (7.5, 3.25, False)
    assert again.state.lane("single").next_at == 0
    again.close()
    assert path.stat().st_size == MAX_BYTES
    assert path.stat().st_mode & 0o777 == 0o600


def test_shorter_state_leaves_nothing_of_a_longer_one(tmp_path: Path) -> None:
    path = tmp_path / "crossref.json"
    page = open_page(path)
    for number in range(20):
        page.state.lane(f"lane{number}")
    page.write()
    page.state.lanes.clear()
    page.write()
    page.close()
    again = open_page(path)
    assert (again.state.lanes, again.damaged) == ({}, False)
    again.close()


@pytest.mark.parametrize(
    ("content", "damaged"),
    [
        pytest.param(b"", False, id="new"),
        pytest.param(b"   ", False, id="blank"),
        pytest.param(b'{"not_before": 1, "later": true}', False, id="of-a-later-version"),
        pytest.param(b'{"not_before"', True, id="cut"),
        pytest.param(b"\xff\xfe\x00", True, id="binary"),
        pytest.param(b'{"not_before": NaN}', True, id="nan"),
        pytest.param(b'{"lanes": {"list": {"interval_s": -1}}}', True, id="negative-interval"),
        pytest.param(b"[]", True, id="list"),
        pytest.param(b" " * 9000 + b"{}", False, id="only-the-first-part-is-read"),
    ],
)
def test_what_cannot_be_read_is_known_to_be_damaged(tmp_path: Path, content: bytes, damaged: bool) -> None:
    path = tmp_path / "crossref.json"
    path.write_bytes(content)
    page = open_page(path)
    assert page.damaged is damaged
    page.close()


def test_locked_page_is_waited_for_but_not_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "crossref.json"
    page = open_page(path)
    clock = Clock()
    with pytest.raises(TimeoutError, match=r"crossref\.json stays locked"):
        anyio.run(Ledger(path, clock.sleep).page)
    assert len(clock.slept) == LOCK_TRIES
    page.close()
    open_page(path).close()


def test_slots_are_as_many_as_asked_for(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "crossref.json", Clock().sleep)
    taken = [ledger.slot(2), ledger.slot(2)]
    assert None not in taken
    assert ledger.slot(2) is None
    assert ledger.slot(1) is None
    third = ledger.slot(3)
    assert third is not None
    for descriptor in (*taken, third):
        os.close(descriptor or 0)
    again = ledger.slot(1)
    assert again is not None
    os.close(again)


def test_planted_link_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("data", encoding="utf-8")
    (tmp_path / "crossref.json").symlink_to(precious)
    with pytest.raises(OSError, match="symbolic link"):
        open_page(tmp_path / "crossref.json")
    assert precious.read_text(encoding="utf-8") == "data"


def test_file_that_cannot_be_locked_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(OSError, match="No locks available"):
        open_page(tmp_path / "crossref.json")


def test_folder_of_the_machine_is_for_its_user_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = shared_dir()
    assert (folder, shared_dir()) == (tmp_path / f"citeaudit-gates-{os.getuid()}",) * 2
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("what", ["link", "file", "open", "of-somebody-else", "no-parent"])
def test_folder_of_the_machine_is_not_taken_from_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing" if what == "no-parent" else tmp_path))
    folder = tmp_path / f"citeaudit-gates-{os.getuid()}"
    if what == "link":
        (tmp_path / "mine").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "mine")
    elif what == "file":
        folder.touch(mode=0o600)
    elif what == "open":
        folder.mkdir()
        folder.chmod(0o770)
    elif what == "of-somebody-else":
        other = os.getuid() + 1
        (tmp_path / f"citeaudit-gates-{other}").mkdir(mode=0o700)
        monkeypatch.setattr(os, "getuid", lambda: other)
    with pytest.raises(OSError, match=r"citeaudit-gates-"):
        shared_dir()
