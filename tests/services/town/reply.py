"""What a service of the town sends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple


class Question(NamedTuple):
    """One request as it came."""

    method: str
    path: str
    """Decoded, but for escaped slashes, which stay `%2F`."""
    params: Mapping[str, str]
    body: object
    headers: Mapping[str, str]
    """Names in lower case."""


class Reply(NamedTuple):
    """One response."""

    status: int
    body: bytes
    media_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


def send_json(value: object, status: int = 200) -> Reply:
    return Reply(status, json.dumps(value).encode())
