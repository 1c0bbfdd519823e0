"""Read foreign JSON: what is of the expected kind is kept, all else is left out.

Services send `null` for a list, a string for a list of strings, a number for a string. A record is worth
keeping without the field that is odd, so these types never fail; they give nothing instead.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

from citeaudit.text.normalize import plain, squash

MAX_TEXT = 4_000
"""Characters of one field that are read; real titles stay under 1,000."""
MAX_LIST = 10_000
"""Items of one list that are read; the longest author lists have about 5,200."""
EARLIEST, LATEST = 1400, 2100
"""Years outside are slips of the keyboard or placeholders (`0000`, `9999`)."""

_T = TypeVar("_T")


class Foreign(BaseModel):
    """A record of a service; unknown fields are ignored, and every field has a default."""

    model_config = ConfigDict(extra="ignore", frozen=True)


def read_text(value: object) -> str | None:
    r"""Give readable text without markup or control characters, or `None` for anything but text and whole numbers.

    >>> read_text("The <i>de novo</i>\x1b &amp; rest"), read_text(12), read_text({}), read_text(" ")
    ('The de novo & rest', '12', None, None)
    """
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)[:MAX_TEXT] if isinstance(value, str) else _digits(value)
    text = plain(text.encode("utf-8", "replace").decode("utf-8"))
    if not text.isprintable():  # private-use and unassigned characters of broken fonts
        text = squash("".join(char if char.isprintable() else " " for char in text))
    return text or None


def read_texts(value: object) -> tuple[str, ...]:
    """Give the readable ones of a list of texts, or of one text.

    >>> read_texts(["a", None, "", 3]), read_texts("a"), read_texts(None)
    (('a', '3'), ('a',), ())
    """
    items = value[:MAX_LIST] if isinstance(value, list | tuple) else [value]
    return tuple(text for item in items if (text := read_text(item)))


def read_year(value: object) -> int | None:
    """Give a plausible year, also from text that begins with one.

    >>> read_year(2019), read_year("2019-05-01"), read_year(0), read_year(None)
    (2019, 2019, None, None)
    """
    head = value[:4] if isinstance(value, str) else value
    if isinstance(head, str):
        head = int(head) if head.isascii() and head.isdigit() else None
    if isinstance(head, bool) or not isinstance(head, int):
        return None
    return head if EARLIEST <= head <= LATEST else None


def read_object(value: object) -> dict[str, object] | None:
    """Give an object of JSON, or `None`."""
    return value if isinstance(value, dict) else None


def read_objects(value: object) -> tuple[dict[str, object], ...]:
    """Give the objects of a list; nothing for anything else."""
    items = value[:MAX_LIST] if isinstance(value, list | tuple) else ()
    return tuple(item for item in items if isinstance(item, dict))


def _digits(value: int) -> str:
    return str(value) if abs(value) < 10**18 else ""  # a number of a million digits takes minutes to print


Text = Annotated[str | None, BeforeValidator(read_text)]
"""Readable text, or `None`."""
Texts = Annotated[tuple[str, ...], BeforeValidator(read_texts)]
"""Readable texts; may be empty."""
Year = Annotated[int | None, BeforeValidator(read_year)]
"""A plausible year, or `None`."""
One = Annotated[_T | None, BeforeValidator(read_object)]
"""`One[Record]`: an object, or `None`."""
Many = Annotated[tuple[_T, ...], BeforeValidator(read_objects)]
"""`Many[Record]`: the objects of a list; may be empty."""
