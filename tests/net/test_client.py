"""The client over a real port: every answer is a value, everything else one of two errors."""

from __future__ import annotations

import inspect
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import formatdate
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceError, SourceUnavailableError
from citeaudit.net import content
from citeaudit.net.client import Client, Means, user_agent
from citeaudit.net.limits import Limit
from citeaudit.net.retry import AttemptError
from citeaudit.net.wire import Caps, address
from citeaudit.seams import Answer, Ask
from tests.services.catalogue import CATALOGUE
from tests.services.faults import BIG, faulty
from tests.services.moments import START, Clock
from tests.services.quick import skip
from tests.services.scripted import Reply, Script, scripted

EXCEPTIONS = [
    each
    for each in vars(httpx).values()
    if inspect.isclass(each) and issubclass(each, Exception) and each.__module__ == "httpx"
]
MALFORMED = {httpx.DecodingError, httpx.TooManyRedirects}
FINAL = {httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError}
SECRETS = {"params": (("api_key", "s3cret"),), "headers": (("x-api-key", "s3cret"),)}
FEED = b'<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"></feed>'
ATOM = {"Content-Type": "application/atom+xml; charset=utf-8"}
PLAIN = {"Content-Type": "text/plain"}
PAGE = {"Content-Type": "text/html"}


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with faulty(CATALOGUE) as url:
        yield url


def fetch(*asks: Ask, clock: Clock | None = None, **options: Any) -> Answer:
    """Ask one after the other through one client, and give the last answer."""
    caps = options.pop("caps", Caps())
    means = Means(caps, clock=clock, stopwatch=clock, sleep=clock.sleep) if clock else Means(caps, sleep=skip)
    origin = httpx.URL(asks[0].url) if "://[" not in asks[0].url and "9999999" not in asks[0].url else httpx.URL()
    options.setdefault("trusted", {asks[0].source: str(origin)})
    options.setdefault("limits", {})

    async def run() -> Answer:
        async with Client(means=means, **options) as client:
            answers = [await client.fetch(ask) for ask in asks]
            return answers[-1]

    return anyio.run(run)


def works(url: str, **fields: Any) -> Ask:
    return Ask(source="example", url=f"{url}/works", **fields)


@pytest.mark.parametrize("fault", ["text", "gzip"])
def test_json_is_an_answer(base_url: str, fault: str) -> None:
    answer = fetch(works(f"{base_url}/{fault}"))
    assert (answer.status, answer.value, answer.text) == (200, {"answers": []}, "")
    assert abs((datetime.now(UTC) - answer.retrieved_at).total_seconds()) < 60


@pytest.mark.parametrize(
    ("fault", "status", "value"),
    [
        pytest.param("missing", 404, {"error": "no such work"}, id="404-with-json"),
        pytest.param("missing_in_words", 404, None, id="404-in-words"),
        pytest.param("404", 404, None, id="404-with-a-page"),
        pytest.param("410", 410, None, id="gone"),
        pytest.param("400", 400, None, id="bad-request"),
        pytest.param("422", 422, None, id="unprocessable"),
    ],
)
def test_other_client_errors_are_for_the_source_to_read(base_url: str, fault: str, status: int, value: object) -> None:
    answer = fetch(*[works(f"{base_url}/{fault}")] * 4)  # and no failures: four in a row pause nothing
    assert (answer.status, answer.value) == (status, value)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        pytest.param("429", FailureKind.RATE_LIMITED, id="too-many"),
        pytest.param("401", FailureKind.REFUSED, id="no-key"),
        pytest.param("403", FailureKind.REFUSED, id="forbidden"),
        pytest.param("407", FailureKind.REFUSED, id="proxy"),
        pytest.param("451", FailureKind.REFUSED, id="legal"),
        pytest.param("408", FailureKind.TIMED_OUT, id="request-timeout"),
        pytest.param("500", FailureKind.NETWORK, id="server-error"),
        pytest.param("503", FailureKind.NETWORK, id="overloaded"),
        pytest.param("599", FailureKind.NETWORK, id="last-server-error"),
        pytest.param("reset", FailureKind.NETWORK, id="reset"),
        pytest.param("short", FailureKind.NETWORK, id="breaks-off"),
        pytest.param("garbage", FailureKind.NETWORK, id="not-http"),
        pytest.param("nowhere", FailureKind.NETWORK, id="redirect-to-no-url"),
    ],
)
def test_outage_is_unavailable(base_url: str, fault: str, kind: FailureKind) -> None:
    with pytest.raises(SourceUnavailableError) as caught:
        fetch(works(f"{base_url}/{fault}", **SECRETS))
    assert (caught.value.kind, caught.value.source) == (kind, "example")


@pytest.mark.parametrize("form", ["json", "xml"])
@pytest.mark.parametrize(
    "fault",
    [
        pytest.param("page", id="html-with-200"),
        pytest.param("page_of_json", id="html-that-would-parse"),
        pytest.param("empty", id="empty"),
        pytest.param("cut", id="cut-json"),
        pytest.param("latin", id="not-utf8"),
        pytest.param("nan", id="nan"),
        pytest.param("deep", id="deep-nesting"),
        pytest.param("digits", id="endless-integer"),
        pytest.param("bad_gzip", id="not-gzip"),
        pytest.param("cut_gzip", id="cut-gzip"),
        pytest.param("brotli", id="not-asked-encoding"),
        pytest.param("away", id="other-host"),
        pytest.param("loop", id="redirect-loop"),
        pytest.param("304", id="unasked-not-modified"),
    ],
)
def test_other_shapes_are_malformed(base_url: str, fault: str, form: str) -> None:
    with pytest.raises(MalformedAnswerError):
        fetch(works(f"{base_url}/{fault}", form=form, **SECRETS))


@pytest.mark.parametrize(
    "fault",
    [
        "401",
        "403",
        "429",
        "500",
        "reset",
        "short",
        "garbage",
        "nowhere",
        "page",
        "empty",
        "cut",
        "bad_gzip",
        "away",
        "loop",
    ],
)
@pytest.mark.parametrize("secret", ["s3cret", "s3cret\n", "s3cr\x00et", "s3crét", " s3cret"])
def test_keys_are_in_no_message(base_url: str, fault: str, secret: str) -> None:
    for fields in ({"params": (("api_key", secret),)}, {"headers": (("x-api-key", secret),)}):
        with pytest.raises(SourceError) as caught:
            fetch(works(f"{base_url}/{fault}", **fields))
        chain: list[BaseException] = [caught.value]
        while chain[-1].__cause__ or (chain[-1].__context__ and not chain[-1].__suppress_context__):
            chain.append(chain[-1].__cause__ or chain[-1].__context__ or chain[-1])
        assert not any("s3cr" in str(error) or "api_key" in str(error) for error in chain)


def test_key_that_no_header_can_carry_is_not_sent(base_url: str) -> None:
    with pytest.raises(SourceUnavailableError, match="the value for x-api-key holds characters") as caught:
        fetch(works(f"{base_url}/echo", headers=(("x-api-key", "s3cret\n"),)))
    assert caught.value.kind is FailureKind.REFUSED


@pytest.mark.parametrize("fault", ["big", "bomb"])
def test_body_is_capped_after_decompression(base_url: str, fault: str) -> None:
    with pytest.raises(MalformedAnswerError, match="larger than 200,000 bytes"):
        fetch(works(f"{base_url}/{fault}"), caps=Caps(max_bytes=200_000))
    assert fetch(works(f"{base_url}/{fault}"), caps=Caps(max_bytes=BIG + 2)).value == "a" * BIG
    naive = httpx.get(f"{base_url}/{fault}/works", trust_env=False)
    assert len(naive.content) > 200_000


def test_body_of_no_length_is_capped_as_it_comes() -> None:
    endless = Reply(body=b"a" * 300_000, headers={"Content-Length": "bogus"})
    with scripted(Reply(body=b"a" * 300_000)) as script, pytest.raises(MalformedAnswerError, match="larger"):
        fetch(works(script.url), caps=Caps(max_bytes=200_000))
    with scripted(endless) as script, pytest.raises(SourceError):
        fetch(works(script.url), caps=Caps(max_bytes=200_000))


@pytest.mark.parametrize(
    ("fault", "caps"),
    [
        pytest.param("slow", Caps(silence_s=0.05), id="silence"),
        pytest.param("drip", Caps(total_s=0.15), id="drip-beats-silence-limit-but-not-the-total"),
    ],
)
def test_waiting_ends(base_url: str, fault: str, caps: Caps) -> None:
    begun = time.monotonic()
    with pytest.raises(SourceUnavailableError) as caught:
        fetch(works(f"{base_url}/{fault}"), caps=caps)
    assert caught.value.kind is FailureKind.TIMED_OUT
    assert time.monotonic() - begun < 3 * 0.5
    if fault == "drip":
        begun = time.monotonic()
        with pytest.raises(httpx.RemoteProtocolError):  # when the service has had enough
            httpx.get(f"{base_url}/{fault}/works", timeout=0.15, trust_env=False)
        assert time.monotonic() - begun > 3 * 0.15


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("http://127.0.0.1:1", id="nobody-listens"),
        pytest.param("ftp://127.0.0.1", id="not-http"),
        pytest.param("http://[::1", id="not-a-url"),
        pytest.param("", id="relative"),
        pytest.param("http://127.0.0.1:99999999", id="no-such-port"),
    ],
)
def test_bad_address_is_unavailable(url: str) -> None:
    with pytest.raises(SourceUnavailableError) as caught:
        fetch(works(url))
    assert caught.value.kind is FailureKind.NETWORK


def test_redirect_to_a_port_that_cannot_be_is_unavailable() -> None:
    with (
        scripted(Reply(302, b"", {"Location": "http://127.0.0.1:99999999/"})) as script,
        pytest.raises(SourceUnavailableError, match="not a valid URL"),
    ):
        fetch(works(script.url, follow="public"))
    assert len(script.asked) == 1


def test_redirect_within_the_origin_is_followed(base_url: str) -> None:
    answer = fetch(works(f"{base_url}/home", params=(("doi", "x"),)))
    assert answer.status == 200
    assert isinstance(answer.value, dict)
    assert answer.value["query"] == "moved=yes"


def test_five_redirects_are_followed_and_no_more() -> None:
    moved = Reply(302, b"", {"Location": "/next"})
    with scripted(*[moved] * 5, Reply()) as script:
        assert fetch(works(script.url)).status == 200
    with scripted(moved) as script, pytest.raises(MalformedAnswerError, match="more than 5 times"):
        fetch(works(script.url))
    assert len(script.asked) == 6


def test_redirect_without_a_target_is_malformed() -> None:
    with scripted(Reply(302, b"")) as script, pytest.raises(MalformedAnswerError, match="unexpected status 302"):
        fetch(works(script.url))


@pytest.mark.parametrize(("status", "method"), [(302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
def test_post_sends_json_and_goes_on_as_the_redirect_says(status: int, method: str) -> None:
    body = {"ids": ["DOI:10.5555/1", "half a pair: \ud800"]}
    with scripted(Reply(status, b"", {"Location": "/there"}), Reply(body=b"[null]")) as script:
        answer = fetch(works(script.url, method="POST", body=body, params=(("fields", "title,year"),)))
    first, second = script.asked
    assert answer.value == [None]
    assert (first.method, first.query) == ("POST", "fields=title%2Cyear")
    assert first.headers["content-type"] == "application/json"
    assert first.body == b'{"ids": ["DOI:10.5555/1", "half a pair: \\ud800"]}'
    assert (second.method, second.path, bool(second.body)) == (method, "/there", method == "POST")


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        pytest.param(Reply(200, FEED, ATOM), FEED.decode(), id="atom"),
        pytest.param(Reply(200, b"\xef\xbb\xbf\n" + FEED, {"Content-Type": "text/xml"}), FEED.decode(), id="bom"),
        pytest.param(Reply(200, FEED, PLAIN), FEED.decode(), id="by-its-start"),
        pytest.param(Reply(200, b"<feed/>", {}), "<feed/>", id="no-type"),
        pytest.param(Reply(200, b"<r/>", {"Content-Type": "application/xml"}), "<r/>", id="xml"),
        pytest.param(Reply(400, FEED, ATOM), FEED.decode(), id="400-with-a-feed"),
        pytest.param(Reply(404, b"nothing here", PLAIN), "", id="404-in-words"),
        pytest.param(Reply(404, b"<html>", PAGE), "", id="404-with-a-page"),
    ],
)
def test_xml_is_an_answer(reply: Reply, text: str) -> None:
    with scripted(reply) as script:
        answer = fetch(works(script.url, form="xml"))
    assert (answer.status, answer.value, answer.text) == (reply.status, None, text)
    assert "xml" in script.asked[0].headers["accept"]


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(200, b"<!DOCTYPE html><title>x</title>", ATOM), id="page-that-says-atom"),
        pytest.param(Reply(200, FEED, PAGE), id="feed-that-says-page"),
        pytest.param(Reply(200, b'{"a": 1}'), id="json"),
        pytest.param(Reply(200, b"", ATOM), id="empty"),
        pytest.param(Reply(200, b"<feed>\xff</feed>", ATOM), id="not-utf8"),
        pytest.param(Reply(200, b"all is well", PLAIN), id="words"),
        pytest.param(Reply(200, b"<feed>" + b"a" * 3000, ATOM), id="too-large"),
    ],
)
def test_other_xml_is_malformed(reply: Reply) -> None:
    with scripted(reply) as script, pytest.raises(MalformedAnswerError):
        fetch(works(script.url, form="xml"), caps=Caps(max_bytes=2000))
    assert len(script.asked) == 1  # asking again gives the same


@pytest.mark.parametrize("form", ["json", "xml"])
@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(200, b"Rate exceeded.", PLAIN), id="in-words-with-200"),
        pytest.param(Reply(200, b"\nRate exceeded.", ATOM), id="in-words-as-atom"),
        pytest.param(Reply(503, b"Rate exceeded.", PLAIN), id="in-words-with-503"),
        pytest.param(Reply(429, b"Rate exceeded.", PLAIN), id="in-words-with-429"),
        pytest.param(Reply(503, b"", {"Retry-After": "1"}), id="503-that-names-a-time"),
        pytest.param(Reply(429, b"<html>Slow down", PAGE), id="429-with-a-page"),
    ],
)
def test_limit_in_any_words_is_a_limit(reply: Reply, form: str) -> None:
    with scripted(reply) as script, pytest.raises(SourceUnavailableError, match="less often") as caught:
        fetch(works(script.url, form=form), clock=Clock())
    assert caught.value.kind is FailureKind.RATE_LIMITED
    assert len(script.asked) == 3


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
    assert len(script.asked) == 9


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
        pytest.param(
            "Zoë\r\nX: y <z@example.org>", "citeaudit/1 (mailto:ZoX: y <z@example.org>)", id="no-header-breaks"
        ),
    ],
)
def test_user_agent(contact: str | None, shown: str) -> None:
    assert user_agent("1", contact) == shown


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


@pytest.mark.parametrize("given", [False, True], ids=["none-given", "a-file-is-in-the-way"])
def test_without_a_folder_the_limits_hold_for_the_client(
    tmp_path: Path, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "file").touch()
    clock = Clock()
    limits = {"example": {"default": Limit(interval_s=3, concurrent=1)}}
    with scripted() as script:
        fetch(*[works(script.url)] * 2, clock=clock, limits=limits, gates_dir=tmp_path / "file" if given else None)
    assert clock.now - START > 3
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


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


def raised(each: type[Exception], message: str) -> Exception:
    values = {"message": message, "request": None, "response": None}
    return each(**{name: values[name] for name in inspect.signature(each).parameters})


@pytest.mark.parametrize("each", EXCEPTIONS, ids=lambda each: each.__name__)
def test_every_httpx_exception_becomes_ours(each: type[Exception]) -> None:
    error = content.translate(raised(each, "https://example.org/?api_key=s3cret"), source="example")
    assert isinstance(error, MalformedAnswerError if each in MALFORMED else SourceUnavailableError)
    assert each.__name__ in error.message
    assert "s3cret" not in str(error)
    if isinstance(error, AttemptError):
        assert error.transient is (each not in FINAL)


@pytest.mark.parametrize("each", EXCEPTIONS, ids=lambda each: each.__name__)
def test_no_httpx_exception_escapes(each: type[Exception]) -> None:
    async def fail(request: httpx.Request) -> httpx.Response:
        raise raised(each, "s3cret")

    async def run() -> None:
        async with Client(limits={}, means=Means(sleep=skip)) as client:
            assert client._open is not None
            client._open[1]._guard._public = httpx.MockTransport(fail)  # type: ignore[assignment]
            await client.fetch(works("http://example.org"))

    with pytest.raises((MalformedAnswerError, SourceUnavailableError)) as caught:
        anyio.run(run)
    assert "s3cret" not in str(caught.value)


def test_there_are_exceptions_to_map() -> None:
    assert len(EXCEPTIONS) > 20
