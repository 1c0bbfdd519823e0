"""The chat model, where one is configured: what it is asked through, and how its absence or failure shows.

langchain's model classes are imported by `open_model` alone, so that a run without a model does not pay for them.
Nothing here is a tool: a model is given a prompt of this package and delimited data, and gives text back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import anyio

from citeaudit.errors import ConfigError, ModelUnavailableError
from citeaudit.settings import KEYS, ModelSettings, missing_keys

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

CONCURRENT = 4
"""Questions that are with the model at the same time; providers' lowest tiers allow few."""
PAUSE_AFTER = 3
"""Failures in a row after which the model is not asked again in this run."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Prompt:
    """An instruction that ships with the package, `agents/prompts/NAME.md`."""

    name: str
    version: str
    """Raised with every change of the text; stands in each report that a model had part in."""
    text: str


class Chat(Protocol):
    """A model that can be asked."""

    name: str
    """`provider:model`, as in the settings."""

    async def ask(self, prompt: Prompt, data: str) -> str:
        """Give the reply to a prompt about some data, which is no instruction.

        Raises:
            ModelUnavailableError: No reply.
        """
        ...


class LangchainChat:
    """A langchain chat model behind a time-out; after three failures in a row it is left alone for the run."""

    def __init__(self, model: BaseChatModel, *, name: str, timeout_s: float) -> None:
        """Keep the model; nothing is sent."""
        self.name = name
        self._model = model
        self._timeout_s = timeout_s
        self._failures = 0

    async def ask(self, prompt: Prompt, data: str) -> str:
        """Send one question, and give the text of the reply.

        Raises:
            ModelUnavailableError: No reply in time, any failure of the provider, or paused after earlier ones.
        """
        if self._failures >= PAUSE_AFTER:
            raise ModelUnavailableError(f"{self.name}: not asked again after {PAUSE_AFTER} failures in a row")
        reply = await self._reply(prompt, data)
        if isinstance(reply, str):
            self._failures = 0
            return reply
        self._failures += 1
        # The message of a provider may repeat a key or what was sent; its kind says enough.
        raise ModelUnavailableError(f"{self.name}: {type(reply).__name__}") from reply

    async def _reply(self, prompt: Prompt, data: str) -> str | Exception:
        """Give the reply or what went wrong: each provider has exceptions of its own, which `abatch` gives back."""
        from langchain_core.messages import HumanMessage, SystemMessage

        messages = [SystemMessage(prompt.text), HumanMessage(delimited(data))]
        try:
            with anyio.fail_after(self._timeout_s):
                (reply,) = await self._model.abatch([messages], return_exceptions=True)
        except TimeoutError as error:
            return error
        return reply if isinstance(reply, Exception) else str(reply.text)


def open_model(chosen: ModelSettings) -> Chat | None:
    """Open the model that the settings name; `None` where they name none. Sends nothing.

    Raises:
        ConfigError: The provider is unknown, its package or its key is missing, or it refuses the settings.
    """
    if chosen.name is None:
        return None
    given, _, model_name = chosen.name.partition(":")
    provider = given.replace("-", "_").lower()
    if missing := missing_keys(provider):
        raise ConfigError(f"model: set {' or '.join(missing)} in the environment to use {chosen.name}")
    from langchain.chat_models import init_chat_model

    # Providers outside the table may not know these two; the time-out of `LangchainChat` holds for all.
    limits: dict[str, Any] = {"timeout": chosen.timeout_s, "max_retries": 1} if provider in KEYS else {}
    try:
        model = init_chat_model(model_name, model_provider=provider, **limits)
    except ImportError as error:
        missed = getattr(error.__cause__, "name", None) or f"langchain_{provider}"
        package = missed.partition(".")[0].replace("_", "-")
        raise ConfigError(f"model: install {package} to use {chosen.name} ({error})") from error
    except (ValueError, TypeError) as error:
        raise ConfigError(f"model.name: {chosen.name} cannot be used: {str(error).splitlines()[0]}") from error
    return LangchainChat(model, name=chosen.name, timeout_s=chosen.timeout_s)


@cache
def prompt(name: str) -> Prompt:
    """Give a prompt that ships: its first line is `version: N`."""
    text = (files("citeaudit") / "agents" / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    head, _, body = text.partition("\n")
    return Prompt(name, head.removeprefix("version:").strip(), body.strip())


def versions(chat: Chat | None) -> dict[str, str]:
    """Give the model and the versions of its prompts for the report; empty without a model."""
    if chat is None:
        return {}
    return {"model": chat.name, **{f"prompt {name}": prompt(name).version for name in ("extractor", "judge")}}


def delimited(data: str) -> str:
    """Put data between two marker lines whose marker does not occur in it.

    >>> delimited("[1] A. Roe").splitlines()[1]
    '[1] A. Roe'
    """
    marker = ""
    while not marker or marker in data:
        marker = hashlib.sha256(f"{marker}{data}".encode(errors="replace")).hexdigest()[:24]
    return f"<<<{marker}\n{data}\n{marker}>>>"


async def each(ask: Callable[[_Item], Awaitable[_Result]], items: Sequence[_Item]) -> tuple[_Result, ...]:
    """Give the results for all items in their order, `CONCURRENT` of them being worked out at a time."""
    results: dict[int, _Result] = {}
    waiting = iter(enumerate(items))

    async def work() -> None:
        for place, item in waiting:
            results[place] = await ask(item)

    async with anyio.create_task_group() as group:
        for _ in range(min(CONCURRENT, len(items))):
            group.start_soon(work)
    return tuple(results[place] for place in range(len(items)))
