"""Chat models for tests: scripted, broken, slow. None of them has a key or a network."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import chain, repeat
from typing import Any

import anyio
import anyio.lowlevel
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatResult

from citeaudit.agents import pipeline
from citeaudit.agents.judge import RulesJudge
from citeaudit.agents.model import Chat, LangchainChat
from citeaudit.agents.toolbox import Event, Toolbox
from citeaudit.index.asking.engine import LookupIndex
from citeaudit.model import Extraction, Policy, Reference, SelfCheck, Verdict, Work
from citeaudit.settings import ModelSettings, Settings
from tests import samples

NAME = "scripted:one"


class Recording(GenericFakeChatModel):
    """Replies as scripted, and keeps what it was sent and how many questions it had at a time."""

    sent: list[str] = []  # noqa: RUF012 - pydantic copies it
    systems: list[str] = []  # noqa: RUF012 - pydantic copies it
    most: int = 0
    now: int = 0

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.systems.append(str(messages[0].text))
        self.sent.append(str(messages[1].text))
        self.now += 1
        self.most = max(self.most, self.now)
        await anyio.lowlevel.checkpoint()
        self.now -= 1
        return self._generate(messages, stop)


class Broken(GenericFakeChatModel):
    """Raises what a provider's library may raise, with a key in its message."""

    asked: int = 0

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        self.asked += 1
        raise LookupError("401: key sk-secret is not known")


class Slow(GenericFakeChatModel):
    """Never replies."""

    async def _agenerate(self, *args: Any, **kwargs: Any) -> ChatResult:
        await anyio.sleep_forever()
        raise AssertionError


def scripted(*replies: str) -> Recording:
    """A model with these replies, the last of them again and again."""
    return Recording(messages=chain(map(AIMessage, replies), repeat(AIMessage(replies[-1]))))


def broken() -> Broken:
    return Broken(messages=iter(()))


def slow() -> Slow:
    return Slow(messages=iter(()))


def chat(model: BaseChatModel, timeout_s: float = 5.0) -> LangchainChat:
    return LangchainChat(model, name=NAME, timeout_s=timeout_s)


def reading(**fields: object) -> str:
    """A reply of the extractor's shape."""
    return json.dumps(fields)


def remark(text: str, doubt: float = 0.5) -> str:
    """A reply of the judge's shape."""
    return json.dumps({"text": text, "parse_doubt": doubt})


def index(*works: Work, complete: bool = True) -> LookupIndex:
    records = map(samples.record, works)
    return LookupIndex.in_memory(
        records, name="here", built_at=samples.NOON, complete=complete, clock=lambda: samples.NOON
    )


def tools(
    known: LookupIndex,
    model: Chat | None = None,
    *,
    policy: Policy | None = None,
    limit: int = 50,
    tell: Callable[[Event], None] | None = None,
) -> Toolbox:
    chosen = Settings(policy=policy or Policy(quorum=1), model=ModelSettings(max_references=limit))
    events: list[Event] = []
    return Toolbox(
        settings=chosen,
        indexes=(known,),
        sources=(),
        client=None,
        memory=None,
        judge=RulesJudge(),
        clock=lambda: samples.NOON,
        tell=tell or events.append,
        model=model,
    )


def run(toolbox: Toolbox, *references: Reference) -> tuple[Verdict, ...]:
    """Send references through the whole pipeline."""
    check = SelfCheck(method="entries", read=len(references))
    extraction = Extraction(path="x.txt", format="plain", references=references, self_check=check)
    return anyio.run(pipeline.run, extraction, toolbox)
