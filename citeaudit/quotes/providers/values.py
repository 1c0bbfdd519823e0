"""Read what providers send, dictionaries and objects of their SDKs alike, whatever is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import TypeAlias
from uuid import UUID

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Table: TypeAlias = "dict[str, Json]"

_DEEPEST = 100
"""Levels of nesting that are read; providers use about ten."""
_UNDERSCORE = re.compile(r"_([a-z])")


def plain(value: object) -> Json:
    """Give a value as JSON knows it; objects by their public attributes, without importing or calling them.

    What JSON has no form for, stands too deep or holds itself becomes none. Never raises.

    >>> from types import SimpleNamespace
    >>> plain(SimpleNamespace(type="text", parts=("a", 1), _private=2))
    {'type': 'text', 'parts': ['a', 1]}
    """
    return _plain(value, ())


def _plain(value: object, inside: tuple[int, ...]) -> Json:
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, date | Decimal | UUID):
        return str(value)
    if isinstance(value, bytes | bytearray | memoryview | type) or len(inside) >= _DEEPEST or id(value) in inside:
        return None
    inside = (*inside, id(value))
    if isinstance(value, Mapping):
        return {str(key): _plain(item, inside) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item, inside) for item in value]
    found = {name: _plain(item, inside) for name, item in _attributes(value)}
    return found or None


def _attributes(value: object) -> Iterator[tuple[str, object]]:
    """Give the public attributes of an object that hold data: its own, those of slots, and pydantic's extra ones."""
    held: dict[str, object] = {}
    for kind in reversed(type(value).__mro__):
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots):
            if hasattr(value, name):
                held[name] = getattr(value, name)
    held.pop("__dict__", None)
    extra = held.pop("__pydantic_extra__", None)
    own = vars(value) if hasattr(value, "__dict__") else {}
    held = {**held, **own, **(extra if isinstance(extra, Mapping) else {})}
    for name, item in held.items():
        if isinstance(name, str) and not name.startswith("_") and not callable(item):
            yield name, item


def get(data: Json, name: str) -> Json:
    """Give a field under its name, or under that name in camel case; none where there is none.

    >>> get({"startIndex": 3}, "start_index")
    3
    """
    if not isinstance(data, dict):
        return None
    found = data.get(name)
    return data.get(camel(name)) if found is None else found


def camel(name: str) -> str:
    """Give a name in camel case."""
    return _UNDERSCORE.sub(lambda found: found[1].upper(), name)


def text(data: Json, *names: str) -> str | None:
    """Give the first of these fields that holds text with something in it."""
    for name in names:
        found = get(data, name)
        if isinstance(found, str) and found.strip():
            return found
    return None


def whole(data: Json, *names: str) -> int | None:
    """Give the first of these fields that holds a whole number, also as text or as `3.0`."""
    for name in names:
        found = get(data, name)
        if isinstance(found, bool):
            continue
        if isinstance(found, int):
            return found
        if isinstance(found, float) and found.is_integer():
            return int(found)
        if isinstance(found, str) and re.fullmatch(r"\s*[0-9]{1,18}\s*", found):
            return int(found)
    return None


def table(data: Json, name: str) -> Table:
    """Give a field that holds fields; empty where it does not."""
    found = get(data, name)
    return found if isinstance(found, dict) else {}


def listed(data: Json, name: str) -> list[Json]:
    """Give a field that holds a list; one value stands for a list of it, none for an empty one."""
    found = get(data, name)
    if isinstance(found, list):
        return found
    return [] if found is None else [found]


def tables(data: Json, name: str) -> list[Table]:
    """Give those elements of a list that hold fields."""
    return [item for item in listed(data, name) if isinstance(item, dict)]


def raw_text(data: Json, name: str = "text") -> str:
    """Give a text as it stands, blanks included; empty where it is none."""
    found = get(data, name)
    return found if isinstance(found, str) else ""
