"""What every agent is given: settings, places to look, the clock, and somebody to tell about progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from citeaudit.agents.model import Chat
from citeaudit.decisions.store import Decisions
from citeaudit.index.memory import Memory
from citeaudit.seams import Answers, Index, Judge, Source
from citeaudit.settings import Settings


@dataclass(frozen=True, slots=True)
class Event:
    """One step of progress."""

    agent: str
    """`extractor`, `memory`, `searcher`, `scholar` or `judge`."""
    message: str
    """A few words for a person."""
    done: int = 0
    total: int = 0
    """Steps of this agent for this document; 0 where it cannot be told."""
    document: str = ""
    """Path as the user named it."""


def ignore(event: Event) -> None:
    """Take an event and do nothing."""
    del event


@dataclass(frozen=True, slots=True)
class Toolbox:
    """All that the agents may use; built once a run by `citeaudit.api`."""

    settings: Settings
    indexes: tuple[Index, ...]
    sources: tuple[Source, ...]
    """Empty where the run is offline."""
    client: Answers | None
    """Reaches the sources; `None` where there are none."""
    memory: Memory | None
    """Past answers; `None` where each run starts empty."""
    judge: Judge
    clock: Callable[[], datetime]
    """Gives the time, aware, UTC."""
    tell: Callable[[Event], None] = ignore
    """Called from the event loop's thread; must return quickly."""
    model: Chat | None = None
    """Helps to read and to comment; `None` where none is configured, which is the usual case."""
    decisions: Decisions = field(default_factory=Decisions)
    """What people have decided about references."""
