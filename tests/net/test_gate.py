"""No service is asked more often, or more at a time, than it allows."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import anyio
import httpx
import pytest

from citeaudit.errors import FailureKind, SourceUnavailableError
from citeaudit.net import gate
from citeaudit.net.gate import (
    LONGEST_PAUSE_S,
    LONGEST_QUEUE_S,
    MARGIN_S,
    MARGIN_SHARE,
    PAUSE_S,
    STRETCHED_S,
    Gates,
    Turn,
)
from citeaudit.net.ledger import Ledger
from citeaudit.net.limits import Limit
from tests.services.moments import START, Clock

URL = httpx.URL("https://api.example.org/works")
SLOW = {"arxiv": {"default": Limit(interval_s=3, concurrent=1)}}
GAP = 3 * (1 + MARGIN_SHARE) + MARGIN_S


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def gates(tmp_path: Path, clock: Clock) -> Gates:
    return Gates(SLOW, tmp_path, clock=clock, sleep=clock.sleep)


async def ask(
    gates: Gates, *, url: httpx.URL = URL, lane: str = "api", then: Callable[[Turn], Awaitable[None]] | None = None
) -> None:
    """Use one turn as the wire does."""
    async with gates.turn("arxiv", lane, url) as turn:
        await turn.begin()
        turn.sent()
        if then:
            await then(turn)


def starts(gates: Gates, clock: Clock, count: int, **options: object) -> list[float]:
    """Ask some times in a row; gives the seconds from the first start to each."""
    seen: list[float] = []

    async def note(turn: Turn) -> None:
        seen.append(clock.now)

    async def run() -> None:
        for _ in range(count):
            await ask(gates, then=note, **options)  # type: ignore[arg-type]  # rows of cases

    anyio.run(run)
    return [at - seen[0] for at in seen]


def test_starts_are_an_interval_apart(gates: Gates, clock: Clock) -> None:
    assert starts(gates, clock, 4) == pytest.approx([0, GAP, 2 * GAP, 3 * GAP])


def test_every_request_of_a_turn_takes_a_token(gates: Gates, clock: Clock) -> None:
    async def redirected(turn: Turn) -> None:
        await turn.begin()
        turn.sent()

    anyio.run(partial(ask, gates, then=redirected))
    assert clock.now - START == pytest.approx(GAP)


@pytest.mark.parametrize(("counted_from", "second"), [("start", GAP), ("answer", GAP + 5)])
def test_interval_counts_from_where_it_is_told(tmp_path: Path, clock: Clock, counted_from: str, second: float) -> None:
    limit = Limit.model_validate({"interval_s": 3, "concurrent": 1, "counted_from": counted_from})
    gates = Gates({"arxiv": {"default": limit}}, tmp_path, clock=clock, sleep=clock.sleep)
    seen: list[float] = []

    async def answer(turn: Turn) -> None:
        seen.append(clock.now - START)
        clock.now += 5 if counted_from == "answer" else 0

    async def run() -> None:
        await ask(gates, then=answer)
        await ask(gates, then=answer)

    anyio.run(run)
    assert seen == pytest.approx([0, second])


def test_turn_without_a_request_costs_nothing(tmp_path: Path, clock: Clock) -> None:
    limit = Limit(interval_s=3, concurrent=1, counted_from="answer")
    gates = Gates({"arxiv": {"default": limit}}, tmp_path, clock=clock, sleep=clock.sleep)

    async def run() -> None:
        for _ in range(3):
            async with gates.turn("arxiv", "api", URL):
                pass

    anyio.run(run)
    assert clock.now == START


def test_token_counts_from_the_moment_of_sending(gates: Gates, clock: Clock) -> None:
    async def run() -> None:
        async with gates.turn("arxiv", "api", URL) as turn:
            await turn.begin()
            clock.now += 2  # the loop was busy
            turn.sent()
        await ask(gates)

    anyio.run(run)
    assert clock.now - START == pytest.approx(2 + GAP)


def test_broken_request_lets_go_of_the_lock(gates: Gates, clock: Clock) -> None:
    async def run() -> None:
        with suppress(ValueError):
            async with gates.turn("arxiv", "api", URL) as turn:
                await turn.begin()
                raise ValueError
        await ask(gates)

    anyio.run(run)
    assert clock.now - START == pytest.approx(GAP)


def test_source_without_limits_is_let_through(gates: Gates, clock: Clock) -> None:
    async def run() -> None:
        for _ in range(5):
            async with gates.turn("example", "api", URL) as turn:
                await turn.begin()
                turn.sent()
                await turn.adapt({"x-rate-limit-limit": "1", "x-rate-limit-interval": "9s"})
                await turn.slow(9)

    anyio.run(run)
    assert clock.slept == []


@pytest.mark.parametrize("concurrent", [1, 2, 3])
def test_no_more_than_allowed_at_a_time(tmp_path: Path, concurrent: int) -> None:
    limit = {"arxiv": {"default": Limit(interval_s=0.001, concurrent=concurrent)}}
    now, most = 0, 0

    async def answer(turn: Turn) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await anyio.sleep(0.15)
        now -= 1

    async def run() -> None:
        both = [Gates(limit, tmp_path, clock=time.time, sleep=anyio.sleep) for _ in range(2)]  # as in two processes
        async with anyio.create_task_group() as group:
            for number in range(6):
                group.start_soon(partial(ask, both[number % 2], then=answer))

    anyio.run(run)
    assert most == concurrent


@pytest.mark.parametrize(
    ("headers", "interval_s"),
    [
        pytest.param({"x-rate-limit-limit": "1", "x-rate-limit-interval": "5s"}, 5, id="slower"),
        pytest.param({"x-rate-limit-limit": "2", "x-rate-limit-interval": "20s"}, 10, id="two-in-twenty"),
        pytest.param({"x-rate-limit-limit": "150", "x-rate-limit-interval": "1s"}, 3, id="faster-is-not-believed"),
        pytest.param({"x-rate-limit-limit": "0", "x-rate-limit-interval": "1s"}, 3, id="none-at-all"),
        pytest.param({"x-rate-limit-limit": "1", "x-rate-limit-interval": "9999s"}, 3, id="absurd"),
        pytest.param({"x-rate-limit-limit": "many", "x-rate-limit-interval": "1s"}, 3, id="words"),
        pytest.param({"x-rate-limit-limit": "1", "x-rate-limit-interval": "soon"}, 3, id="no-interval"),
        pytest.param({"x-rate-limit-limit": "1"}, 3, id="half"),
        pytest.param({}, 3, id="nothing"),
    ],
)
def test_service_may_ask_to_be_asked_less(
    gates: Gates, clock: Clock, headers: dict[str, str], interval_s: float
) -> None:
    anyio.run(partial(ask, gates, then=lambda turn: turn.adapt(headers)))
    starts(gates, clock, 1)
    begun = clock.now
    starts(gates, clock, 1)
    assert clock.now - begun == pytest.approx(interval_s * (1 + MARGIN_SHARE) + MARGIN_S)


def test_fewer_at_a_time_are_believed_and_more_are_not(tmp_path: Path, clock: Clock) -> None:
    limit = {"arxiv": {"default": Limit(interval_s=3, concurrent=2)}}
    gates = Gates(limit, tmp_path, clock=clock, sleep=clock.sleep)
    ledger = Ledger(tmp_path / "arxiv.json", clock.sleep)

    async def others_find_free(concurrent: str) -> bool:
        await ask(gates, then=lambda turn: turn.adapt({"x-concurrency-limit": concurrent}))
        await ask(gates)  # learns of it
        slot = ledger.slot(1)
        assert slot is not None
        try:
            await ask(gates)
        except SourceUnavailableError:
            return False
        else:
            return True
        finally:
            os.close(slot)

    assert anyio.run(others_find_free, "5")
    assert not anyio.run(others_find_free, "1")
    assert anyio.run(others_find_free, "2")


def test_whoever_holds_every_slot_is_not_waited_for_for_ever(gates: Gates, clock: Clock, tmp_path: Path) -> None:
    slot = Ledger(tmp_path / "arxiv.json", clock.sleep).slot(1)
    assert slot is not None
    with pytest.raises(SourceUnavailableError, match="another run on this machine") as caught:
        anyio.run(ask, gates)
    assert caught.value.kind is FailureKind.TIMED_OUT
    assert clock.now - START >= LONGEST_QUEUE_S
    os.close(slot)
    anyio.run(ask, gates)


@pytest.mark.parametrize(("wait_s", "pause_s"), [(None, PAUSE_S), (0.0, 0.0), (20.0, 20.0), (30.0, 30.0)])
def test_pause_holds_for_all(tmp_path: Path, clock: Clock, wait_s: float | None, pause_s: float) -> None:
    fast = {"arxiv": {lane: Limit(interval_s=0.1, concurrent=3) for lane in ("list", "single")}}
    one, other = (Gates(fast, tmp_path, clock=clock, sleep=clock.sleep) for _ in range(2))
    anyio.run(partial(ask, one, lane="list", then=lambda turn: turn.slow(wait_s)))
    begun = clock.now
    anyio.run(partial(ask, other, lane="single"))
    assert clock.now - begun == pytest.approx(pause_s)


def test_shorter_pause_does_not_end_a_longer_one(gates: Gates, clock: Clock) -> None:
    async def twice(turn: Turn) -> None:
        await turn.slow(25)
        await turn.slow(1)

    anyio.run(partial(ask, gates, then=twice))
    anyio.run(ask, gates)
    assert clock.now - START == pytest.approx(25)


@pytest.mark.parametrize(
    ("asked_s", "kept"),
    [pytest.param(31.0, "31", id="31"), pytest.param(1e9, f"{LONGEST_PAUSE_S:,.0f}", id="for-ever")],
)
def test_long_pause_is_not_waited_for(gates: Gates, clock: Clock, asked_s: float, kept: str) -> None:
    anyio.run(partial(ask, gates, then=lambda turn: turn.slow(asked_s)))
    with pytest.raises(SourceUnavailableError, match=f"another {kept} s") as caught:
        anyio.run(ask, gates)
    assert caught.value.kind is FailureKind.RATE_LIMITED
    clock.now += min(asked_s, LONGEST_PAUSE_S)
    anyio.run(ask, gates)


def test_pause_begun_while_waiting_for_the_token_holds(gates: Gates, clock: Clock) -> None:
    async def run() -> None:
        async with gates.turn("arxiv", "api", URL) as turn:
            await turn.slow(60)
            with pytest.raises(SourceUnavailableError, match="another 60 s"):
                await turn.begin()

    anyio.run(run)


def test_interval_grows_with_each_refusal_and_shrinks_with_answers(gates: Gates, clock: Clock) -> None:
    async def gap() -> float:
        await ask(gates)
        begun = clock.now
        await ask(gates)
        return clock.now - begun

    async def run() -> tuple[float, float, float]:
        for _ in range(9):
            await ask(gates, then=lambda turn: turn.slow(None))
        stretched = await gap()
        await ask(gates, then=lambda turn: turn.adapt({}))
        eased = await gap()
        for _ in range(20):
            await ask(gates, then=lambda turn: turn.adapt({}))
        return stretched, eased, await gap()

    stretched, eased, normal = anyio.run(run)
    assert stretched == pytest.approx(STRETCHED_S * (1 + MARGIN_SHARE) + MARGIN_S)
    assert normal == pytest.approx(GAP)
    assert normal < eased <= stretched


@pytest.mark.parametrize("step_s", [-86_400.0, -31.0, 86_400.0, 1e10])
def test_clock_that_is_set_costs_one_interval_at_most(gates: Gates, clock: Clock, step_s: float) -> None:
    anyio.run(partial(ask, gates, then=lambda turn: turn.slow(2)))
    clock.now += step_s
    begun = clock.now
    if step_s == -31:
        with pytest.raises(SourceUnavailableError):  # a pause of 33 s is believed
            anyio.run(ask, gates)
        return
    anyio.run(ask, gates)
    assert clock.now - begun <= GAP + 0.001


def test_lost_ledger_counts_as_just_used(gates: Gates, clock: Clock, tmp_path: Path) -> None:
    (tmp_path / "arxiv.json").write_bytes(b"{")
    anyio.run(ask, gates)
    assert clock.now - START == pytest.approx(GAP)


def test_failing_ledger_is_no_answer(gates: Gates, tmp_path: Path) -> None:
    (tmp_path / "arxiv.json").mkdir()
    with pytest.raises(SourceUnavailableError, match="cannot be kept") as caught:
        anyio.run(ask, gates)
    assert caught.value.kind is FailureKind.NETWORK


@pytest.mark.parametrize(
    ("source", "url", "place"),
    [
        pytest.param("arxiv", "https://export.arxiv.org/api/query", "arxiv", id="public"),
        pytest.param("arxiv", "https://arxiv.org/pdf/1", "arxiv", id="other-host-of-the-same-service"),
        pytest.param("arxiv", "http://127.0.0.1:8000/api", "arxiv-8000", id="on-this-machine"),
        pytest.param("arxiv", "http://localhost/api", "arxiv-80", id="on-this-machine-by-name"),
    ],
)
def test_limits_are_shared_by_service(source: str, url: str, place: str) -> None:
    assert gate._place(source, httpx.URL(url)) == place


def test_name_of_a_source_never_leads_out_of_the_folder() -> None:
    assert "/" not in gate._place("../../etc/passwd", URL)
