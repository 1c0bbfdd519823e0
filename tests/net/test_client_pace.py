"""The client over time: what waits, what pauses, and who is told to have asked."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from email.utils import formatdate
from functools import partial
from pathlib import Path

import anyio
import httpx
import pytest

from citeaudit.errors import FailureKind, SourceUnavailableError
from citeaudit.net.client import Client, Means, user_agent
from citeaudit.net.gate import STRETCHED_S
from citeaudit.net.ledger import shared_dir
from citeaudit.net.limits import Limit
from citeaudit.net.wire import Caps, address
from citeaudit.seams import Ask
from tests.services.catalogue import CATALOGUE
from tests.services.faults import faulty
from tests.services.fetching import fetch, works
from tests.services.moments import START, Clock
from tests.services.quick import skip
from tests.services.scripted import Reply, Script, scripted

SECRETS = {"params": (("api_key", "s3cret"),), "headers": (("x-api-key", "s3cret"),)}
FEED = b'<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"></feed>'
ATOM = {"Content-Type": "application/atom+xml; charset=utf-8"}
PLAIN = {"Content-Type": "text/plain"}
PAGE = {"Content-Type": "text/html"}


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with faulty(CATALOGUE) as url:
        yield url


def test_outage_that_passes_is_not_seen() -> None:
    with scripted(Reply(500, b""), Reply(429, b""), Reply(200, b"[1]")) as script:
        assert fetch(works(script.url)).value == [1]
    assert len(script.asked) == 3


@pytest.mark.parametrize(
    ("wait", "asked"),
    [
        pytest.param("7", 2, id="seconds"),
        pytest.param(formatdate(START + 7, usegmt=True), 2, id="date"),
        pytest.param("whenever", 2, id="garbage"),
        pytest.param("31", 1, id="too-long"),
        pytest.param(formatdate(START + 31, usegmt=True), 1, id="too-late"),
    ],
)
def test_service_is_asked_again_when_it_says(wait: str, asked: int) -> None:
    clock = Clock()
    busy = Reply(429, b"", {"Retry-After": wait, "Date": formatdate(START, usegmt=True)})
    with scripted(busy, Reply()) as script:
        if asked == 1:
            with pytest.raises(SourceUnavailableError, match="and to wait for 31 s"):
                fetch(works(script.url), clock=clock)
            assert clock.slept == []
        else:
            fetch(works(script.url), clock=clock)
            assert clock.slept == [7.0] or wait == "whenever"
    assert len(script.asked) == asked


def test_limit_of_one_lane_keeps_all_back(tmp_path: Path) -> None:
    clock = Clock()
    limits = {"example": {lane: Limit(interval_s=0.1, concurrent=1) for lane in ("list", "single")}}
    with scripted(Reply(429, b"", {"Retry-After": "60"}), Reply()) as script:
        for lane, message in (("list", "to wait for 60 s"), ("single", "another 60 s")):
            with pytest.raises(SourceUnavailableError, match=message) as caught:
                fetch(works(script.url, lane=lane), clock=clock, limits=limits, gates_dir=tmp_path)
            assert caught.value.kind is FailureKind.RATE_LIMITED
    assert len(script.asked) == 1


def test_attempts_wait_their_turn_and_the_wait_does_not_count(tmp_path: Path) -> None:
    clock = Clock()
    limits = {"example": {"default": Limit(interval_s=60, concurrent=1)}}
    with scripted(Reply(500, b""), Reply(500, b""), Reply(200, b"[1]")) as script:
        assert fetch(works(script.url), clock=clock, limits=limits, gates_dir=tmp_path).value == [1]
    assert clock.now - START > 120


def test_every_hop_takes_a_token(tmp_path: Path) -> None:
    clock = Clock()
    limits = {"example": {"default": Limit(interval_s=3, concurrent=1)}}
    with scripted(Reply(302, b"", {"Location": "/next"}), Reply()) as script:
        fetch(works(script.url), clock=clock, limits=limits, gates_dir=tmp_path)
    assert clock.now - START > 3


def test_limit_told_while_connecting_reaches_the_caller(tmp_path: Path) -> None:
    clock = Clock()
    limits = {"example": {"default": Limit(interval_s=1, concurrent=2)}}

    async def run(url: str) -> None:
        means = Means(clock=clock, stopwatch=clock, sleep=clock.sleep)
        async with Client(trusted={"example": url}, limits=limits, gates_dir=tmp_path, means=means) as client:
            assert client._open is not None
            gates, wire = client._open
            async with gates.turn("example", "default", httpx.URL(url)) as turn:
                await turn.slow(60)
                await wire.send(works(url), turn, within_s=5)

    with scripted() as script, pytest.raises(SourceUnavailableError, match="another 60 s"):
        anyio.run(run, script.url)
    assert script.asked == []


def test_limit_that_names_no_time_ends_soon(tmp_path: Path) -> None:
    clock = Clock()
    limits = {"example": {"default": Limit(interval_s=3, concurrent=1)}}
    took = []

    async def run(url: str) -> None:
        means = Means(clock=clock, stopwatch=clock, sleep=clock.sleep, random=lambda: 0.5)
        async with Client(trusted={"example": url}, limits=limits, gates_dir=tmp_path, means=means) as client:
            for _ in range(4):
                begun = clock.now
                with pytest.raises(SourceUnavailableError) as caught:
                    await client.fetch(works(url))
                took.append(clock.now - begun)
            assert caught.value.kind is FailureKind.CIRCUIT_OPEN

    with scripted(Reply(429, b"", {"Retry-After": "soonish"})) as script:
        anyio.run(run, script.url)
    assert len(script.asked) <= 7
    assert max(took) < 4 * STRETCHED_S
    assert sum(took) < 50


def test_body_that_drips_is_asked_for_once_more_and_for_less_time() -> None:
    async def run(url: str) -> list[FailureKind]:
        kinds = []
        means = Means(Caps(total_s=0.3), sleep=skip)
        async with Client(trusted={"example": url}, limits={}, means=means) as client:
            for _ in range(2):
                with pytest.raises(SourceUnavailableError) as caught:
                    await client.fetch(works(url))
                kinds.append(caught.value.kind)
        return kinds

    with scripted(Reply(hold_s=1.0)) as script:
        begun = time.monotonic()
        anyio.run(run, script.url)
        assert time.monotonic() - begun < 3  # waited out, the bodies take four seconds
        assert len(script.asked) == 4


def test_third_failure_in_a_row_pauses_the_source() -> None:
    async def run(script: Script) -> list[FailureKind]:
        kinds = []
        async with Client(trusted={"example": script.url}, limits={}, means=Means(sleep=skip)) as client:
            for _ in range(5):
                try:
                    await client.fetch(works(script.url))
                except SourceUnavailableError as error:
                    kinds.append(error.kind)
        return kinds

    with scripted(Reply(500, b"")) as script:
        assert anyio.run(run, script) == [FailureKind.NETWORK] * 3 + [FailureKind.CIRCUIT_OPEN] * 2
    assert len(script.asked) == 3 + 2 + 2  # fewer attempts once it has failed


def test_paused_source_ends_what_waits_for_its_turn(tmp_path: Path) -> None:
    limits = {"example": {"default": Limit(interval_s=0.001, concurrent=1)}}
    kinds: list[FailureKind] = []

    async def one(client: Client, url: str) -> None:
        try:
            await client.fetch(works(url))
        except SourceUnavailableError as error:
            kinds.append(error.kind)

    async def run(url: str) -> None:
        async with (
            Client(trusted={"example": url}, limits=limits, gates_dir=tmp_path) as client,
            anyio.create_task_group() as group,
        ):
            for _ in range(6):
                group.start_soon(one, client, url)

    with scripted(Reply(403, b"")) as script:
        anyio.run(run, script.url)
    assert len(script.asked) == 3
    assert sorted(kinds) == [FailureKind.CIRCUIT_OPEN] * 3 + [FailureKind.REFUSED] * 3


def test_services_learn_who_asks_and_nothing_else(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    ask = works(f"{base_url}/echo", params=(("title", "a&b ü \ud800"), ("x", "1"), ("x", "2")))
    answer = fetch(ask, ask, version="1.2", contact="a@example.org")
    assert answer.status == 200
    assert isinstance(answer.value, dict)
    assert answer.value["query"] == "title=a%26b+%C3%BC+%3F&x=1&x=2"
    assert answer.value["headers"]["user-agent"] == "citeaudit/1.2 (mailto:a@example.org)"
    assert set(answer.value["headers"]) == {"host", "user-agent", "accept", "accept-encoding"}  # and no cookie


@pytest.mark.parametrize(
    ("contact", "shown"),
    [
        pytest.param(None, "citeaudit/1", id="nobody"),
        pytest.param(" \n", "citeaudit/1", id="blank"),
        pytest.param("a@example.org", "citeaudit/1 (mailto:a@example.org)", id="address"),
        pytest.param("mailto:a@example.org", "citeaudit/1 (mailto:a@example.org)", id="mailto"),
        pytest.param("https://example.org/@a", "citeaudit/1 (+https://example.org/@a)", id="page"),
        pytest.param(" a@example.org ", "citeaudit/1 (mailto:a@example.org)", id="blanks-around"),
    ],
)
def test_user_agent(contact: str | None, shown: str) -> None:
    assert user_agent("1", contact) == shown


@pytest.mark.parametrize(
    "contact", ["Zoë <z@example.org>", "z@example.org\r\nX: y", "z@example.org\n", "a\x00@example.org", "\x7f", "é"]
)
def test_contact_that_no_header_can_carry_is_refused(contact: str) -> None:
    with pytest.raises(ValueError, match="the contact holds"):
        user_agent("1", contact)
    with pytest.raises(ValueError, match="the contact holds"):
        Client(contact=contact)


def test_contact_decides_which_limits_hold() -> None:
    assert Client(contact="a@example.org")._limits["crossref"]["list"].concurrent == 3
    assert Client(contact="https://example.org/@a")._limits["crossref"]["list"].concurrent == 1
    assert Client()._limits["crossref"]["list"].concurrent == 1


def test_gates_are_for_the_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "gates"
    limits = {"example": {"default": Limit(interval_s=0.001, concurrent=1)}}
    with scripted() as script:
        fetch(works(script.url), limits=limits, gates_dir=folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert sorted(path.suffix for path in folder.iterdir()) == [".json", ".slot"]


def test_clients_without_a_folder_share_that_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    clock = Clock()
    limits = {"example": {"default": Limit(interval_s=3, concurrent=1)}}
    with scripted() as script:
        for _ in range(2):
            fetch(works(script.url), clock=clock, limits=limits)
    assert clock.now - START > 3
    assert list(tmp_path.iterdir()) == [shared_dir()]


@pytest.mark.parametrize("is_given", [False, True], ids=["link-is-in-the-way", "a-file-is-in-the-way"])
def test_without_a_folder_the_limits_hold_for_the_client(
    tmp_path: Path, is_given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "file").touch()
    (tmp_path / f"citeaudit-gates-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    clock = Clock()
    limits = {"example": {"default": Limit(interval_s=3, concurrent=1)}}
    with scripted() as script:
        fetch(*[works(script.url)] * 2, clock=clock, limits=limits, gates_dir=tmp_path / "file" if is_given else None)
    assert clock.now - START > 3
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"citeaudit-gates-{os.getuid()}", "file"]


def test_client_is_used_inside_its_context() -> None:
    client = Client()
    with pytest.raises(RuntimeError, match="async with"):
        anyio.run(partial(client.fetch, works("http://127.0.0.1:1")))


def test_client_closes_once() -> None:
    async def leave_twice() -> None:
        client = Client()
        async with client:
            pass
        await client.__aexit__(None, None, None)

    anyio.run(leave_twice)


def test_address_keeps_its_own_query_where_none_is_given() -> None:
    assert str(address(Ask(source="example", url="http://a.org/w?x=1"))) == "http://a.org/w?x=1"


def test_service_that_cannot_be_found_is_asked_once() -> None:
    """A machine without a network must not wait: no second attempt, and nothing more is sent in the run."""
    asked = []

    async def nowhere(host: str, port: int) -> list[str]:
        asked.append((host, port))
        raise OSError("no address")

    async def run() -> list[FailureKind]:
        kinds = []
        async with Client(limits={}, means=Means(resolve=nowhere, sleep=skip)) as client:
            for _ in range(3):
                with pytest.raises(SourceUnavailableError) as caught:
                    await client.fetch(works("https://service.example"))
                kinds.append(caught.value.kind)
        return kinds

    assert anyio.run(run) == [FailureKind.NETWORK, FailureKind.CIRCUIT_OPEN, FailureKind.CIRCUIT_OPEN]
    assert asked == [("service.example", 443)]
