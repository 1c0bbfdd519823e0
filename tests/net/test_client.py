"""The client over a real port: every answer is a value, everything else one of two errors."""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Literal

import anyio
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceError, SourceUnavailableError
from citeaudit.net import content
from citeaudit.net.client import Client, Means, check_address
from citeaudit.net.guard import origin
from citeaudit.net.retry import AttemptError
from citeaudit.net.wire import Caps, _Hop, _next
from tests.services.catalogue import CATALOGUE
from tests.services.faults import BIG, faulty
from tests.services.fetching import fetch, works
from tests.services.moments import Clock
from tests.services.quick import skip
from tests.services.scripted import Reply, scripted

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
        pytest.param("nowhere", id="redirect-to-no-url"),
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
    assert time.monotonic() - begun < 5
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


NO_ADDRESSES = [
    pytest.param("http://xn--0/", id="a-label-that-is-none"),
    pytest.param("http://xn--a/x", id="a-label-of-a-control-character"),
    pytest.param("http://[::1", id="open-bracket"),
    pytest.param("http://127.0.0.1:99999999/", id="no-such-port"),
    pytest.param("http://127.0.0.1:65536/", id="port-after-the-last"),
    pytest.param("http://127.0.0.1:0/", id="port-0"),
    pytest.param("http://127.0.0.1:9x/", id="port-in-words"),
]


@pytest.mark.parametrize("follow", ["origin", "public"])
@pytest.mark.parametrize("location", NO_ADDRESSES)
def test_redirect_to_what_is_no_address_is_malformed(location: str, follow: Literal["origin", "public"]) -> None:
    moved = Reply(302, b"", {"Location": location})
    with scripted(moved) as script, pytest.raises(MalformedAnswerError):
        fetch(works(script.url, follow=follow))
    assert len(script.asked) == 1


@given(st.text(max_size=40))
def test_no_redirect_raises_anything_else(rest: str) -> None:
    for location in (rest, f"//{rest}", f"http://{rest}", f"http://xn--{rest}"):
        hop = _Hop(httpx.URL("http://example.org/a"), trusted=False)
        with suppress(MalformedAnswerError):
            origin(
                _next(
                    hop, httpx.Response(302, headers=[(b"location", location.encode())]), works("", follow="public")
                ).url
            )


@pytest.mark.parametrize(
    "url",
    [
        *NO_ADDRESSES,
        pytest.param("http://a..b", id="empty-label"),
        pytest.param(f"http://{'a' * 70_000}.org/", id="endless"),
    ],
)
def test_base_address_that_is_none_is_unavailable(url: str) -> None:
    with pytest.raises(SourceUnavailableError) as caught:
        fetch(works(url), trusted={"example": url})
    assert caught.value.kind is FailureKind.NETWORK
    with pytest.raises(ValueError, match="the address"):
        check_address(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.org/v1",
        "http://127.0.0.1:8000",
        "http://[::1]:65535/a",
        "http://user:s3cret@my_host:1/",
        "https://müller.example",
        "https://example.org.",
    ],
)
def test_address_that_can_be_asked_passes(url: str) -> None:
    check_address(url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        pytest.param("ftp://user:s3cret@a.org", "neither http:// nor https://", id="ftp"),
        pytest.param("api.example.org", "neither http:// nor https://", id="no-scheme"),
        pytest.param("", "neither http:// nor https://", id="empty"),
        pytest.param("https://", "names no host", id="no-host"),
        pytest.param("http://user:s3cret@x y/", "cannot exist", id="blank"),
        pytest.param(f"http://user:s3cret@{'a' * 64}.org", "cannot exist", id="long-label"),
        pytest.param("http://user:s3cret@a.org:70000", "not a valid URL", id="port"),
        pytest.param("http://user:s3cret\n@a.org", "not a valid URL", id="line-end"),
        pytest.param("http://user:s3cret@[::1", "not a valid URL", id="bracket"),
    ],
)
def test_address_is_refused_in_one_sentence_without_its_password(url: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        check_address(url)
    assert "s3cret" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize("fault", ["401", "403", "429", "500", "reset", "garbage", "nowhere", "page", "away", "loop"])
def test_password_of_an_address_is_in_no_message(base_url: str, fault: str) -> None:
    with pytest.raises(SourceError) as caught:
        fetch(works(f"{base_url.replace('://', '://user:s3cret@')}/{fault}"))
    assert "s3cret" not in f"{caught.value}{caught.value.__cause__}"


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


def test_host_that_no_resolver_takes_is_unavailable() -> None:
    async def fail(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content="a..b".encode("idna"))

    async def run() -> None:
        async with Client(limits={}, means=Means(sleep=skip)) as client:
            assert client._open is not None
            client._open[1]._guard._public = httpx.MockTransport(fail)  # type: ignore[assignment]
            await client.fetch(works("http://a..b"))

    with pytest.raises(SourceUnavailableError, match="not a valid URL"):
        anyio.run(run)


def test_there_are_exceptions_to_map() -> None:
    assert len(EXCEPTIONS) > 20
