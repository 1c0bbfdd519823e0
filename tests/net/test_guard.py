"""What no document and no answer can make us connect to; and that a client without the guard can be made to."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import anyio
import httpcore
import httpx
import pytest

from citeaudit.errors import FailureKind, MalformedAnswerError, SourceError, SourceUnavailableError
from citeaudit.net.gate import Turn
from citeaudit.net.guard import BlockedAddressError, Guard, is_public, origin
from citeaudit.net.wire import Caps, Wire
from citeaudit.seams import Answer, Ask
from tests.services.scripted import Reply, Script, scripted

PUBLIC = "93.184.216.34"


class Dialler(httpcore.AsyncNetworkBackend):
    """Keeps which addresses are dialled, and dials a port of this machine instead."""

    def __init__(self, port: int | None = None, *, dead: Iterable[str] = ()) -> None:
        self.port = port
        self.dead = frozenset(dead)
        self.dialled: list[tuple[str, int]] = []
        self.names: list[str | None] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.dialled.append((host, port))
        if host in self.dead:
            raise httpcore.ConnectError("nobody listens")
        if self.port is None:
            return Secure(self.names)
        return await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", self.port, timeout)


class Secure(httpcore.AsyncNetworkStream):
    """A connection that only says for which name a certificate was wanted."""

    def __init__(self, names: list[str | None]) -> None:
        self.names = names

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        assert ssl_context.verify_mode is ssl.CERT_REQUIRED
        assert ssl_context.check_hostname
        self.names.append(server_hostname)
        raise httpcore.ConnectError("far enough")


class Names:
    """Resolves names as told; a list of lists changes from one question to the next."""

    def __init__(self, **names: list[Sequence[str]]) -> None:
        self.names = names
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        answers = self.names[host.partition(".")[0]]
        return answers.pop(0) if len(answers) > 1 else answers[0]


def send(ask: Ask, *, names: Names | None = None, dialler: Dialler | None = None, **trusted: str) -> Answer:
    async def run() -> Answer:
        guard = Guard(trusted, names)
        if dialler:
            guard._public._pool._network_backend._dialler = dialler  # type: ignore[attr-defined]  # ours
        try:
            return await Wire(guard, "citeaudit/1", Caps(), time.time).send(ask, Turn(None), within_s=5)
        finally:
            await guard.aclose()

    return anyio.run(run)


def naive(url: str) -> int:
    """Ask as a client without a guard does."""
    with httpx.Client(follow_redirects=True, trust_env=False) as client:
        return client.get(url).status_code


@pytest.fixture
def secret() -> Iterator[Script]:
    """A service on this machine that nobody outside is meant to reach."""
    with scripted(Reply(body=b'{"secret": 1}')) as script:
        yield script


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1",
        "169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
        "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
        "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1",
        "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::ffff:0:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:1::", "2001::1", "100::1",
        "4000::1", "not an address", "",
    ],
)  # fmt: skip
def test_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", PUBLIC, "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "172.32.0.1"],
)
def test_address_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://169.254.169.254/latest/meta-data",
        "http://0.0.0.0/", "http://0/", "http://2130706433/", "http://0x7f.1/", "http://0x7f000001/", "http://017700000001/",
        "http://127.1/", "http://[::ffff:10.0.0.1]/", "http://100.64.0.1/", "http://224.0.0.1/", "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/", "https://127.0.0.1/", "http://user@127.0.0.1/",
        "http://8.8.8.8:22/", "http://8.8.8.8:8080/", "https://8.8.8.8:6379/",
    ],
)  # fmt: skip
@pytest.mark.parametrize("follow", ["origin", "public"])
def test_private_address_is_not_asked(url: str, follow: str) -> None:
    dialler = Dialler(1)
    with pytest.raises(SourceUnavailableError, match="not one that may be asked") as caught:
        send(Ask(source="web", url=url, follow=follow), dialler=dialler)  # type: ignore[arg-type]  # rows of cases
    assert caught.value.kind is FailureKind.REFUSED
    assert dialler.dialled == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://8.8.8.8/", "gopher://8.8.8.8/", "//8.8.8.8/", "data:,x"])
def test_only_the_web_is_asked(url: str) -> None:
    dialler = Dialler(1)
    with pytest.raises(SourceUnavailableError, match="neither http nor https"):
        send(Ask(source="web", url=url), dialler=dialler)
    assert dialler.dialled == []


def test_naive_client_reaches_this_machine_in_any_spelling(secret: Script) -> None:
    port = httpx.URL(secret.url).port
    assert [naive(f"http://{host}:{port}/") for host in ("127.0.0.1", "localhost", "2130706433", "0x7f.1")] == [200] * 4


def test_address_the_user_set_is_asked_wherever_it_is(secret: Script) -> None:
    assert send(Ask(source="crossref", url=f"{secret.url}/works"), crossref=secret.url).value == {"secret": 1}


@pytest.mark.parametrize(
    ("source", "change"),
    [
        pytest.param("web", ("", ""), id="for-another-source"),
        pytest.param("crossref", ("127.0.0.1", "localhost"), id="by-another-name"),
        pytest.param("crossref", ("http:", "https:"), id="by-another-scheme"),
    ],
)
def test_that_trust_reaches_no_further(secret: Script, source: str, change: tuple[str, str]) -> None:
    with pytest.raises(SourceUnavailableError) as caught:
        send(Ask(source=source, url=secret.url.replace(*change)), crossref=secret.url)
    assert caught.value.kind is FailureKind.REFUSED
    assert secret.asked == []


@pytest.mark.parametrize("follow", ["origin", "public"])
@pytest.mark.parametrize("trusted_too", [False, True], ids=["unknown", "set-for-another-source"])
def test_redirect_to_a_private_address_is_refused(secret: Script, follow: str, trusted_too: bool) -> None:
    moved = Reply(302, b"", {"Location": f"{secret.url}/admin"})
    trusted = {"example": secret.url} if trusted_too else {}
    with scripted(moved) as script:
        ask = Ask(source="crossref", url=f"{script.url}/works", follow=follow)  # type: ignore[arg-type]  # rows
        with pytest.raises(MalformedAnswerError, match="not followed"):
            send(ask, crossref=script.url, **trusted)  # type: ignore[arg-type]  # all of it is trusted addresses
        assert len(script.asked) == 1
        assert secret.asked == []
        assert naive(f"{script.url}/works") == 200
    assert [one.path for one in secret.asked] == ["/admin"]


def test_redirect_to_a_private_address_on_a_port_of_the_web_is_refused() -> None:
    with (
        scripted(Reply(302, b"", {"Location": "http://169.254.169.254/latest/"})) as script,
        pytest.raises(MalformedAnswerError, match="is not at a public address"),
    ):
        send(Ask(source="doi", url=script.url, follow="public"), doi=script.url)


def test_redirect_back_to_the_address_the_user_set_is_not_trusted() -> None:
    names = Names(far=[[PUBLIC]])
    with scripted(Reply(302, b"", {"Location": "http://far.example.org/"})) as script:
        with scripted(Reply(302, b"", {"Location": f"{script.url}/admin"})) as far:
            ask = Ask(source="doi", url=f"{script.url}/10.5555/1", follow="public")
            with pytest.raises(MalformedAnswerError, match="not followed"):
                send(ask, names=names, dialler=Dialler(httpx.URL(far.url).port), doi=script.url)
        assert [one.path for one in script.asked] == ["/10.5555/1"]


def test_redirect_to_a_public_address_is_followed_where_that_is_allowed_but_takes_no_keys() -> None:
    names = Names(far=[[PUBLIC]])
    with (
        scripted(Reply(200, b'{"is": "far"}')) as far,
        scripted(Reply(302, b"", {"Location": "http://far.example.org/a"})) as script,
    ):
        dialler = Dialler(httpx.URL(far.url).port)
        ask = Ask(source="doi", url=script.url, follow="public", headers=(("x-api-key", "s3cret"),))
        assert send(ask, names=names, dialler=dialler, doi=script.url).value == {"is": "far"}
        with pytest.raises(MalformedAnswerError, match="another address"):
            send(Ask(source="doi", url=script.url), names=names, dialler=dialler, doi=script.url)
    assert dialler.dialled == [(PUBLIC, 80)]
    assert script.asked[0].headers["x-api-key"] == "s3cret"
    assert "x-api-key" not in far.asked[0].headers
    assert far.asked[0].headers["host"] == "far.example.org"


def test_name_is_resolved_once_and_that_address_dialled() -> None:
    names = Names(rebinding=[[PUBLIC], ["127.0.0.1"]])
    with scripted() as script:
        dialler = Dialler(httpx.URL(script.url).port)
        send(Ask(source="web", url="http://rebinding.example.org/"), names=names, dialler=dialler)
        assert (names.asked, dialler.dialled) == (["rebinding.example.org"], [(PUBLIC, 80)])
        with pytest.raises(SourceUnavailableError, match="not at a public address"):
            send(Ask(source="web", url="http://rebinding.example.org/"), names=names, dialler=dialler)
        assert len(script.asked) == 1


@pytest.mark.parametrize("addresses", [["127.0.0.1"], [PUBLIC, "127.0.0.1"], ["::1", PUBLIC], [PUBLIC, "fe80::1%lo"]])
def test_one_private_address_of_a_name_is_enough(addresses: Sequence[str]) -> None:
    dialler = Dialler(1)
    with pytest.raises(SourceUnavailableError, match=r"mixed\.example\.org is not at a public address"):
        send(Ask(source="web", url="http://mixed.example.org/"), names=Names(mixed=[addresses]), dialler=dialler)
    assert dialler.dialled == []


def test_next_address_is_tried_where_one_is_dead() -> None:
    with scripted() as script:
        dialler = Dialler(httpx.URL(script.url).port, dead=["8.8.8.8"])
        names = Names(two=[["8.8.8.8", PUBLIC]])
        assert send(Ask(source="web", url="http://two.example.org/"), names=names, dialler=dialler).status == 200
    assert dialler.dialled == [("8.8.8.8", 80), (PUBLIC, 80)]


@pytest.mark.parametrize("addresses", [["8.8.8.8"], []], ids=["all-dead", "none"])
def test_name_that_cannot_be_reached_is_an_outage(addresses: Sequence[str]) -> None:
    with pytest.raises(SourceUnavailableError, match="could not connect") as caught:
        send(Ask(source="web", url="http://x.org/"), names=Names(x=[addresses]), dialler=Dialler(dead=["8.8.8.8"]))
    assert caught.value.kind is FailureKind.NETWORK


def test_certificate_is_asked_for_by_name() -> None:
    dialler = Dialler()
    with pytest.raises(SourceUnavailableError, match="could not connect"):
        send(Ask(source="web", url="https://secure.example.org/"), names=Names(secure=[[PUBLIC]]), dialler=dialler)
    assert (dialler.dialled, dialler.names) == ([(PUBLIC, 443)], ["secure.example.org"])


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        pytest.param(OSError("no such name"), FailureKind.NETWORK, id="unknown"),
        pytest.param(UnicodeError("label too long"), FailureKind.NETWORK, id="not-a-name"),
        pytest.param(None, FailureKind.TIMED_OUT, id="slow"),
    ],
)
def test_name_that_cannot_be_resolved_is_an_outage(error: Exception | None, kind: FailureKind) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        if error:
            raise error
        await anyio.sleep(5)
        return [PUBLIC]

    async def run() -> None:
        guard = Guard(resolve=resolve)
        wire = Wire(guard, "citeaudit/1", Caps(connect_s=0.05), time.time)
        await wire.send(Ask(source="web", url="http://x.example.org/"), Turn(None), within_s=5)

    with pytest.raises(SourceUnavailableError) as caught:
        anyio.run(run)
    assert caught.value.kind is kind


def test_downgrade_is_refused() -> None:
    async def moved(request: httpx.Request) -> httpx.Response:
        return httpx.Response(301, headers={"Location": "http://example.org/"})

    async def run() -> None:
        guard = Guard()
        guard._public = httpx.MockTransport(moved)  # type: ignore[assignment]
        wire = Wire(guard, "citeaudit/1", Caps(), time.time)
        await wire.send(Ask(source="doi", url="https://example.org/", follow="public"), Turn(None), within_s=5)

    with pytest.raises(MalformedAnswerError, match="another address"):
        anyio.run(run)


def test_environment_is_not_trusted(secret: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"):
        monkeypatch.setenv(name, secret.url)
    with pytest.raises(SourceError):
        send(Ask(source="web", url="http://x.org/"), names=Names(x=[["8.8.8.8"]]), dialler=Dialler(dead=["8.8.8.8"]))
    assert secret.asked == []
    with httpx.Client() as client:
        assert client.get("http://x.org/").status_code == 200
    assert len(secret.asked) == 1


def test_system_resolves_names_where_nobody_else_does() -> None:
    with pytest.raises(BlockedAddressError, match="localhost is not at a public address"):
        anyio.run(partial(Guard().handle_async_request, httpx.Request("GET", "http://localhost/")))


def test_origin_knows_the_ports_of_the_web() -> None:
    assert origin(httpx.URL("http://a.org")) == origin(httpx.URL("http://A.org:80/x"))
    assert origin(httpx.URL("http://a.org")) != origin(httpx.URL("https://a.org"))
