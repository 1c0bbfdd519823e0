"""What a model may reply: two shapes, read strictly."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from citeaudit.agents.model import Chat, Prompt
from citeaudit.errors import InvalidReplyError
from citeaudit.model import Score, WorkType
from citeaudit.text.normalize import plain, squash, words

MAX_REPLY = 50_000
"""Characters of a reply; a longer one is no reply to what was asked."""
TRIES = 2
"""Times that a model is asked where its reply has the wrong shape."""

_FENCED = re.compile(r"```(?:json)?\s*\n(?P<body>.*)\n\s*```", re.DOTALL | re.IGNORECASE)

Text = Annotated[str | None, Field(max_length=2_000), AfterValidator(lambda text: plain(text or "") or None)]
"""Readable text; nothing where it is empty."""


class _Reply(BaseModel):
    """A reply of a model: closed and strict, so that nothing else comes in with it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Name(_Reply):
    """One printed author."""

    family: Text = None
    given: Text = None
    literal: Text = None

    @model_validator(mode="after")
    def _is_named(self) -> Name:
        if bool(self.family) is bool(self.literal) or (self.given and not self.family):
            message = "either family (with given) or literal"
            raise ValueError(message)
        return self


class Reading(_Reply):
    """The fields of one printed reference as a model reads them."""

    title: Text = None
    authors: tuple[Name, ...] = Field(default=(), max_length=1_000)
    year: int | None = Field(default=None, ge=1000, le=2100)
    container_title: Text = None
    volume: Text = None
    issue: Text = None
    pages: Text = None
    doi: Text = None
    arxiv_id: Text = None
    type: WorkType = WorkType.UNKNOWN


class Remark(_Reply):
    """What a model adds to a comparison."""

    text: str = Field(max_length=300)
    parse_doubt: Score


_Shape = TypeVar("_Shape", bound=_Reply)


async def ask(chat: Chat, prompt: Prompt, data: str, shape: type[_Shape]) -> _Shape:
    """Ask a model for a reply of one shape, a second time where the first has another.

    Raises:
        ModelUnavailableError: No reply.
        InvalidReplyError: Neither reply is of that shape.
    """
    for _ in range(TRIES - 1):
        try:
            return parse(await chat.ask(prompt, data), shape)
        except InvalidReplyError:
            continue
    return parse(await chat.ask(prompt, data), shape)


def parse(reply: str, shape: type[_Shape]) -> _Shape:
    """Read a reply: one JSON object, alone or as the one fenced block.

    Raises:
        InvalidReplyError: It is anything else, or has keys or values that were not asked for.
    """
    text = reply.strip()
    if len(text) > MAX_REPLY:
        raise InvalidReplyError(f"the reply has {len(text)} characters")
    fenced = _FENCED.fullmatch(text)
    try:
        return shape.model_validate_json(fenced.group("body") if fenced else text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "reply"
        raise InvalidReplyError(f"{where}: {first['type']}") from error


def printable(text: str) -> str:
    """Give a text without control, invisible and unpaired characters, white space squashed."""
    spaced = "".join(" " if unicodedata.category(char) in {"Cc", "Zl", "Zp"} else char for char in text)
    return squash("".join(char for char in spaced if unicodedata.category(char)[0] != "C"))


def remark_text(remark: Remark) -> str | None:
    """Give the text of a remark on one line without invisible characters, or `None` where it is not neutral."""
    text = plain(printable(remark.text))
    stems = _stems()
    return None if not text or any(word.startswith(stems) for word in words(text)) else text


@cache
def _stems() -> tuple[str, ...]:
    text = (files("citeaudit") / "agents" / "prompts" / "stems.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))
