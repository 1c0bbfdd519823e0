"""A folder of fetched files: what is there is not fetched again, one run at a time, and no crash loses anything."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from citeaudit.errors import MalformedAnswerError, UsageError
from citeaudit.net.client import Client
from citeaudit.net.download import Fetched, Wanted
from citeaudit.net.part import Version
from citeaudit.net.shelf import LEDGER, Progress, Tally, fetch_all, opened
from tests.services.depot import Depot, Mishap, depot
from tests.services.quick import QUICK

FETCHING = Path(__file__).with_name("fetching.py")


def body(number: int, size: int = 20_000) -> bytes:
    return b"\x1f\x8b" + random.Random(number).randbytes(size)  # noqa: S311 - no secret


@pytest.fixture
def shop() -> Iterator[Depot]:
    with depot() as kept:
        yield kept


def stock(shop: Depot, count: int, **options: Any) -> list[Wanted]:
    for number in range(count):
        shop.put(f"/{number}.gz", body(number))
    return [wanted(shop, number, **options) for number in range(count)]


def wanted(shop: Depot, number: int, **options: Any) -> Wanted:
    return Wanted(source="dump", url=f"{shop.url}/{number}.gz", name=f"{number}.gz", ceiling=10**9, **options)


def fetch(shop: Depot, folder: Path, files: list[Wanted], heard: list[Progress] | None = None) -> Tally:
    async def run() -> Tally:
        async with Client(trusted={"dump": shop.url}, limits={}, means=QUICK) as client:
            with opened(folder) as shelf:
                return await fetch_all(
                    files, shelf, client, means=QUICK, heard=heard.append if heard is not None else None
                )

    return anyio.run(run)


def test_all_files_arrive_two_at_a_time(shop: Depot, tmp_path: Path) -> None:
    shop.slow_s = 0.01
    files = stock(shop, 7, size=20_002)
    heard: list[Progress] = []
    tally = fetch(shop, tmp_path, files, heard)
    assert (tally.fetched, tally.kept) == (7, 0)
    assert [path.read_bytes() for path in tally.paths] == [body(number) for number in range(7)]
    assert shop.most_at_once == 2
    last = heard[-1]
    assert (last.files, last.of_files, last.arrived, last.of_bytes) == (7, 7, 7 * 20_002, 7 * 20_002)
    assert last.rate > 0
    assert last.left_s == 0.0


@pytest.mark.parametrize(
    "options", [pytest.param({"size": 20_002}, id="by-size"), pytest.param({"is_fixed": True}, id="by-name")]
)
def test_what_is_there_is_not_asked_for(shop: Depot, tmp_path: Path, options: dict[str, Any]) -> None:
    files = stock(shop, 3, **options)
    fetch(shop, tmp_path, files)
    shop.asked.clear()
    heard: list[Progress] = []
    tally = fetch(shop, tmp_path, files, heard)
    assert (tally.fetched, tally.kept) == (0, 3)
    assert not shop.asked
    assert heard[-1].arrived == 3 * 20_002


def test_what_may_have_changed_is_asked_for_but_not_sent_again(shop: Depot, tmp_path: Path) -> None:
    files = stock(shop, 2)
    fetch(shop, tmp_path, files)
    shop.asked.clear()
    shop.put("/1.gz", body(9))
    heard: list[Progress] = []
    tally = fetch(shop, tmp_path, files, heard)
    assert (tally.fetched, tally.kept) == (1, 1)
    assert sorted(shop.paths()) == ["/0.gz", "/1.gz"]
    assert (tmp_path / "1.gz").read_bytes() == body(9)
    assert (heard[-1].of_bytes, heard[-1].left_s, heard[-1].arrived) == (None, None, 2 * 20_002)


def test_file_that_was_changed_or_removed_here_is_fetched_again(shop: Depot, tmp_path: Path) -> None:
    files = stock(shop, 3, is_fixed=True)
    fetch(shop, tmp_path, files)
    (tmp_path / "0.gz").write_bytes(b"edited")
    (tmp_path / "1.gz").unlink()
    assert fetch(shop, tmp_path, files).fetched == 2
    assert [(tmp_path / f"{number}.gz").read_bytes() for number in range(3)] == [body(number) for number in range(3)]


def test_file_that_was_put_there_by_hand_is_not_counted_as_fetched(shop: Depot, tmp_path: Path) -> None:
    files = stock(shop, 1, digest_url=f"{shop.url}/0.gz.md5")
    shop.put_digest("/0.gz", body(0))
    (tmp_path / "0.gz").write_bytes(body(0))
    tally = fetch(shop, tmp_path, files)
    assert (tally.fetched, tally.kept) == (0, 1)
    assert shop.paths() == ["/0.gz.md5"]


def test_first_failure_stops_the_others_and_the_next_run_goes_on(shop: Depot, tmp_path: Path) -> None:
    shop.slow_s = 0.01
    files = stock(shop, 6, is_fixed=True)
    shop.mishaps["/2.gz"] = [Mishap(404)]
    with pytest.raises(MalformedAnswerError, match=r"2\.gz: is not there"):
        fetch(shop, tmp_path, files)
    assert "/5.gz" not in shop.paths()
    done = len(list(tmp_path.glob("*.gz")))
    assert 1 <= done < 6
    assert fetch(shop, tmp_path, files).kept == done


def test_files_that_do_not_fit_together_are_not_begun(shop: Depot, tmp_path: Path) -> None:
    files = [replace(each, size=4 * 10**17) for each in stock(shop, 3)]
    with pytest.raises(UsageError, match="3 files need 1,200,000,000,000,000,000 bytes more and"):
        fetch(shop, tmp_path, files)
    assert not shop.asked


def test_one_run_at_a_time(shop: Depot, tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(UsageError, match="another run is fetching"):
        fetch(shop, tmp_path, stock(shop, 1))
    assert fetch(shop, tmp_path, stock(shop, 1)).fetched == 1


def test_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UsageError, match="cannot be written"), opened(tmp_path / "file" / "deeper"):
        pass


@pytest.mark.parametrize("torn", [b'{"name": "1.gz", "si', b"\xff\xfe", b"[]\n", b"null"])
def test_damaged_line_of_the_ledger_costs_only_itself(shop: Depot, tmp_path: Path, torn: bytes) -> None:
    files = stock(shop, 2, is_fixed=True)
    fetch(shop, tmp_path, files)
    with (tmp_path / LEDGER).open("ab") as stream:
        stream.write(torn)
    with opened(tmp_path) as shelf:
        assert shelf.names == {"0.gz", "1.gz"}
        (tmp_path / "2.gz").write_bytes(b"x")
        shelf.add("2.gz", Fetched(1, Version()))
    with opened(tmp_path) as shelf:
        assert shelf.names == {"0.gz", "1.gz", "2.gz"}


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_run_that_ends_in_the_middle_is_gone_on_with(shop: Depot, tmp_path: Path, how: signal.Signals) -> None:
    shop.put("/0.gz", body(0, 2_000_000))
    shop.slow_s = 0.01
    process = subprocess.Popen([sys.executable, str(FETCHING), str(tmp_path), shop.url], stderr=subprocess.PIPE)
    part = tmp_path / "0.gz.part"
    deadline = time.monotonic() + 20
    while not (part.is_file() and part.stat().st_size > 200_000) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(how)
    process.communicate(timeout=20)
    assert process.returncode != 0
    arrived = part.stat().st_size
    assert 200_000 < arrived < 2_000_002
    assert not (tmp_path / "0.gz").exists()
    shop.slow_s = 0.0
    fetch(shop, tmp_path, [wanted(shop, 0)])
    assert (tmp_path / "0.gz").read_bytes() == body(0, 2_000_000)
    assert shop.ranges("/0.gz")[-1] == f"bytes={arrived}-"
    assert sorted(path.name for path in tmp_path.iterdir()) == [LEDGER, "0.gz"]
