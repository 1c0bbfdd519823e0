"""Addresses as they are written: read in one place, because httpx accepts some that it cannot take apart.

`http://xn--0/` and a port of 99999 become a `httpx.URL`, and raise errors of other libraries, or none, when its host or
port is used. Whoever reads an address here gets one that can be asked, or `httpx.InvalidURL`.
"""

from __future__ import annotations

import re

import httpx

LAST_PORT = 65_535

_NAME = re.compile(r"[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63}){0,126}\.?", re.ASCII)


def read(text: str) -> httpx.URL:
    """Read an address.

    Raises:
        httpx.InvalidURL: It is none; the text never quotes it, since it may hold a password.
    """
    return _whole(None, text)


def follow(url: httpx.URL, location: str) -> httpx.URL:
    """Read where a redirect from `url` leads.

    Raises:
        httpx.InvalidURL: As in `read`.
    """
    return _whole(url, location)


def check(text: str) -> None:
    """Say what hinders a service from being asked at this address.

    Raises:
        ValueError: One sentence, which never quotes the address, since it may hold a password.
    """
    try:
        url = read(text)
    except httpx.InvalidURL:
        raise ValueError("the address is not a valid URL") from None
    if url.scheme not in {"http", "https"}:
        raise ValueError("the address begins with neither http:// nor https://")
    host = url.raw_host.decode("ascii", "replace")
    if not host:
        raise ValueError("the address names no host")
    if ":" not in host and not _NAME.fullmatch(host):
        raise ValueError("the address names a host that cannot exist")


def _whole(base: httpx.URL | None, text: str) -> httpx.URL:
    try:
        url = httpx.URL(text) if base is None else base.join(text)
        host = url.host  # decodes what begins with xn--
        port = url.port
    except (ValueError, httpx.InvalidURL):  # those of `idna` are ValueErrors
        raise httpx.InvalidURL("not an address") from None
    if host and port is not None and not 0 < port <= LAST_PORT:
        raise httpx.InvalidURL("no such port")
    return url
