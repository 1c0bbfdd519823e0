"""Which addresses may be reached: public ones, checked at the moment of connecting; and those the user set.

A name can resolve to one address when it is checked and to another when it is dialled. So the check stands where the
connection is made: the name is resolved once, all its addresses must be public, and one of these is dialled, while
certificates and the `Host` header go on naming the name. httpx offers no door for this; `Guard` puts a connection
pool of its own into its transport, in an attribute that is private (hence `httpx<0.29`).
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import anyio
import httpcore
import httpx

from citeaudit.net import links

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a host name, for a port; raises `OSError` where there are none."""

PORTS = frozenset({80, 443})
"""Ports that may be dialled at addresses nobody set."""
TRUSTED = "trusted"
"""Key of the request extension that says an address is one the user set."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_EMBEDDING = (  # blocks whose addresses carry an IPv4 address in their last four bytes
    IPv6Network("::/96"),  # IPv4-compatible, RFC 4291 section 2.5.5.1
    IPv6Network("::ffff:0:0/96"),  # IPv4-mapped, section 2.5.5.2
    IPv6Network("::ffff:0:0:0/96"),  # IPv4-translated, RFC 2765 section 2.1
    IPv6Network("64:ff9b::/96"),  # NAT64, RFC 6052 section 2.1
)
_ASSIGNMENTS = IPv4Network("192.0.0.0/24")  # RFC 6890 section 2.2.2; Python 3.11 knows only its first eight
_6TO4 = IPv6Network("2002::/16")  # RFC 3056 section 2: the IPv4 address is bytes 2 to 5
_GLOBAL_UNICAST = IPv6Network("2000::/3")  # all that is assigned for the public, RFC 4291 section 2.4


class BlockedAddressError(Exception):
    """The address is not one that may be reached; the text says why and names only the host or port."""


UNRESOLVED = "the name cannot be resolved"
"""What a connection fails with where no address is known for a host: no network here, or a wrong name."""


class Guard(httpx.AsyncBaseTransport):
    """Makes the connections.

    Args:
        trusted: Addresses the user set, by source; a request of that source to that origin (scheme, host and port)
            is not checked, so that a service may stand on this machine.
        resolve: Gives the addresses of a name.
    """

    def __init__(self, trusted: Mapping[str, str] | None = None, resolve: Resolve | None = None) -> None:
        self._trusted = _origins(trusted or {})
        context = _certificates()
        self._set = httpx.AsyncHTTPTransport(verify=context, trust_env=False)
        self._public = httpx.AsyncHTTPTransport(verify=context, trust_env=False)
        self._public._pool = httpcore.AsyncConnectionPool(  # noqa: SLF001 - see the module's docstring
            ssl_context=context, network_backend=_Pinned(resolve or _resolve), keepalive_expiry=5.0
        )

    def trusts(self, source: str, url: httpx.URL) -> bool:
        """Say whether `url` is at the address the user set for `source`."""
        return self._trusted.get(source) == origin(url)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, over a checked connection unless its extension `trusted` is true.

        Raises:
            BlockedAddressError: The address may not be reached; nothing was sent.
            httpx.TransportError: As httpx's transport does.
        """
        transport = self._set if request.extensions.get(TRUSTED) else self._public
        return await transport.handle_async_request(request)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._set.aclose()
        await self._public.aclose()


class _Pinned(httpcore.AsyncNetworkBackend):
    """Resolves, checks and dials in one step."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._dialler = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Dial the first address that takes the connection."""
        if port not in PORTS:
            raise BlockedAddressError(f"port {port} is not one of the web's")
        failure: Exception = httpcore.ConnectError("the name has no address")
        for address in await self._check(host, port, timeout):
            try:
                return await self._dialler.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    async def _check(self, host: str, port: int, limit_s: float | None) -> Sequence[str]:
        """Give the addresses of a host, all of them public."""
        literal = _literal(host)
        try:
            with anyio.fail_after(limit_s):
                addresses = [literal] if literal else await self._resolve(host, port)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout("name resolution took too long") from error
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(UNRESOLVED) from error
        if not all(is_public(address) for address in addresses):
            raise BlockedAddressError(f"{host} is not at a public address")
        return addresses


def origin(url: httpx.URL) -> tuple[str, str, int | None]:
    """Give scheme, host and port.

    >>> origin(httpx.URL("https://Example.org:443/a")) == origin(httpx.URL("https://example.org/b"))
    True
    """
    return url.scheme, url.host, url.port or _DEFAULT_PORTS.get(url.scheme)


def _origins(addresses: Mapping[str, str]) -> dict[str, tuple[str, str, int | None]]:
    """Give the origins of addresses; one that is no address can be neither asked nor trusted."""
    origins = {}
    for source, url in addresses.items():
        with suppress(httpx.InvalidURL):
            origins[source] = origin(links.read(url))
    return origins


def is_public(address: str) -> bool:
    """Say whether an IP address is one of the public internet's, also by the IPv4 address it may carry.

    `ipaddress` alone calls multicast, NAT64 and 6to4 addresses global (Python 3.11).

    >>> is_public("8.8.8.8"), is_public("::ffff:10.0.0.1"), is_public("64:ff9b::7f00:1")
    (True, False, False)
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, IPv4Address):
        return parsed.is_global and not (parsed.is_multicast or parsed.is_reserved or parsed in _ASSIGNMENTS)
    embedded = _embedded(parsed)
    if embedded is not None:
        return is_public(str(embedded))
    return parsed in _GLOBAL_UNICAST and parsed.is_global


def _embedded(address: IPv6Address) -> IPv4Address | None:
    if any(address in block for block in _EMBEDDING):
        return IPv4Address(address.packed[12:])
    return IPv4Address(address.packed[2:6]) if address in _6TO4 else None


def _literal(host: str) -> str | None:
    """Give the IP address that a host is written as, in any way the C library reads: `127.1`, `0x7f000001`."""
    with suppress(ValueError):
        return str(ip_address(host.strip("[]")))
    with suppress(OSError):
        return socket.inet_ntoa(socket.inet_aton(host))
    return None


@cache
def _certificates() -> ssl.SSLContext:
    """Load the certificates of authorities, once a process: that takes longer than many a request."""
    return httpx.create_ssl_context(trust_env=False)


async def _resolve(host: str, port: int) -> Sequence[str]:
    found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(where[0]) for *_, where in found]
