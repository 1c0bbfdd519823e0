"""Asking again: for what may pass, three times, within 75 seconds, and never against a longer wait."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceError, SourceUnavailableError
from citeaudit.net.retry import AttemptError, Stopwatch, retry, retry_after
from tests.services.moments import Clock


def failure(
    kind: FailureKind = FailureKind.NETWORK, wait_s: float | None = None, *, final: bool = False
) -> AttemptError:
    return AttemptError("went wrong", source="arxiv", kind=kind, wait_s=wait_s, final=final)


def run(outcomes: Iterable[SourceError | str], *, each_s: float = 0.0, random: float = 0.5) -> tuple[str, Clock, int]:
    """Retry over attempts that take `each_s` seconds; gives the result, the clock and the number of attempts."""
    clock = Clock()
    left = iter(outcomes)
    made = 0

    async def attempt() -> str:
        nonlocal made
        made += 1
        clock.now += each_s
        outcome = next(left)
        if isinstance(outcome, SourceError):
            raise outcome
        return outcome

    watch = Stopwatch(clock)
    try:
        result = anyio.run(partial(retry, attempt, watch=watch, sleep=clock.sleep, random=lambda: random))
    except SourceError as error:
        result = f"{type(error).__name__}: {error.message}"
    return result, clock, made


def test_first_answer_ends_it() -> None:
    assert run(["yes"])[::2] == ("yes", 1)


@pytest.mark.parametrize("kind", [FailureKind.RATE_LIMITED, FailureKind.NETWORK])
def test_what_may_pass_is_asked_three_times(kind: FailureKind) -> None:
    assert run([failure(kind), failure(kind), "yes"])[::2] == ("yes", 3)
    assert run([failure(kind)] * 9)[::2] == ("AttemptError: went wrong", 3)


def test_time_out_is_asked_once_more() -> None:
    late = failure(FailureKind.TIMED_OUT)
    assert run([late, "yes"])[::2] == ("yes", 2)
    assert run([late] * 9)[::2] == ("AttemptError: went wrong", 2)


def test_waits_asked_for_are_bounded_in_sum() -> None:
    _, clock, made = run([failure(FailureKind.RATE_LIMITED, 16.0)] * 3)
    assert (made, clock.slept) == (2, [16.0])


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(failure(FailureKind.REFUSED), id="refused"),
        pytest.param(failure(final=True), id="final"),
        pytest.param(MalformedAnswerError("went wrong", source="arxiv"), id="malformed"),
        pytest.param(
            SourceUnavailableError("went wrong", source="arxiv", kind=FailureKind.CIRCUIT_OPEN), id="paused-meanwhile"
        ),
    ],
)
def test_what_stays_is_asked_once(error: SourceError) -> None:
    result, clock, made = run([error, "yes"])
    assert (result, clock.slept, made) == (f"{type(error).__name__}: went wrong", [], 1)


@pytest.mark.parametrize(
    ("random", "slept"), [pytest.param(0.0, [0.5, 1.0]), pytest.param(0.5, [1.0, 2.0]), pytest.param(1.0, [1.5, 3.0])]
)
def test_waits_double_and_are_spread(random: float, slept: list[float]) -> None:
    assert run([failure()] * 3, random=random)[1].slept == slept


@pytest.mark.parametrize(
    ("asked_s", "slept"),
    [
        pytest.param(0.0, 1.0, id="at-once-is-not-at-once"),
        pytest.param(7.0, 7.0, id="seven"),
        pytest.param(30.0, 30.0, id="thirty"),
    ],
)
def test_wait_asked_for_is_kept(asked_s: float, slept: float) -> None:
    result, clock, made = run([failure(FailureKind.RATE_LIMITED, asked_s), "yes"])
    assert (result, clock.slept, made) == ("yes", [slept], 2)


def test_longer_wait_ends_it_at_once_and_is_told() -> None:
    result, clock, made = run([failure(FailureKind.RATE_LIMITED, 31.0), "yes"])
    assert (clock.slept, made) == ([], 1)
    assert result == "SourceUnavailableError: went wrong, and to wait for 31 s"


@pytest.mark.parametrize(
    ("each_s", "made"),
    [
        pytest.param(30.0, 3, id="third-starts-in-time"),
        pytest.param(37.0, 2, id="third-would-start-too-late"),
        pytest.param(75.0, 1, id="second-would-start-too-late"),
    ],
)
def test_no_attempt_begins_after_75_seconds(each_s: float, made: int) -> None:
    assert run([failure()] * 3, each_s=each_s)[2] == made


def test_long_waits_in_sum_end_it_too() -> None:
    _, clock, made = run([failure(FailureKind.RATE_LIMITED, 30.0)] * 3, each_s=10.0)
    assert (made, clock.slept) == (2, [30.0])


def test_stopped_watch_leaves_out_the_time() -> None:
    clock = Clock()
    watch = Stopwatch(clock)
    clock.now += 2
    with watch.stopped():
        clock.now += 100
    clock.now += 3
    assert watch.elapsed_s == 5


DATE = "Fri, 31 Dec 1999 23:59:30 GMT"
NOW = 946_684_770.0  # of that date


@pytest.mark.parametrize(
    ("value", "date", "seconds"),
    [
        pytest.param("120", None, 120, id="seconds"),
        pytest.param(" 0 ", None, 0, id="zero"),
        pytest.param("Fri, 31 Dec 1999 23:59:59 GMT", None, 29, id="date-by-our-clock"),
        pytest.param("Fri, 31 Dec 1999 23:59:59 GMT", "Fri, 31 Dec 1999 23:59:50 GMT", 9, id="date-by-their-clock"),
        pytest.param("Fri, 31 Dec 1999 23:59:59 GMT", "yesterday", 29, id="their-clock-unreadable"),
        pytest.param("Friday, 31-Dec-99 23:59:59 GMT", None, 29, id="rfc-850-date"),
        pytest.param("Fri Dec 31 23:59:59 1999", None, 29, id="asctime-date"),
        pytest.param("Fri, 31 Dec 1999 23:59:00 GMT", None, 0, id="past"),
        pytest.param("Sat, 01 Jan 2000 00:59:59 +0100", None, 29, id="other-zone"),
        *[
            pytest.param(text, None, None, id=text or "empty")
            for text in ("", "soon", "-5", "1.5", "1e3", "٣", "9999999999", "Fri, 99 Dec 1999 25:61:61 GMT", "0x10")
        ],
        pytest.param(None, DATE, None, id="absent"),
    ],
)
def test_retry_after_is_read_in_both_forms(value: str | None, date: str | None, seconds: float | None) -> None:
    assert retry_after(value, date=date, now=NOW) == seconds


@given(st.text(max_size=60), st.none() | st.text(max_size=60))
def test_no_retry_after_breaks_it(value: str, date: str | None) -> None:
    read = retry_after(value, date=date, now=NOW)
    assert read is None or read >= 0
