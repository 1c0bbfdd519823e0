"""What the town's services allow, and who asked for more."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import NamedTuple

from tests.services.town.reply import Question


class Rule(NamedTuple):
    """One documented limit."""

    gap_s: float
    """Least seconds between the beginnings of two requests; 0 where only a window counts."""
    window: int
    """Most requests within one second; 0 where only the gap counts."""
    concurrent: int


#: By service and lane; for those with a contact where the lane ends in `+`.
RULES = {
    "arxiv/default": Rule(3.0, 0, 1),
    "arxiv/default+": Rule(3.0, 0, 1),
    "crossref/list": Rule(0, 1, 1),
    "crossref/list+": Rule(0, 3, 3),
    "crossref/single": Rule(0, 5, 1),
    "crossref/single+": Rule(0, 10, 3),
    "semantic_scholar/default": Rule(1.0, 0, 1),
    "semantic_scholar/default+": Rule(1.0, 0, 1),
}


class Seen(NamedTuple):
    """One request, as the town remembers it."""

    service: str
    lane: str
    question: Question
    at_s: float
    contact: bool

    @property
    def line(self) -> str:
        """Give it as one line for people."""
        return f"{self.service} {self.lane} {self.question.method} {self.question.path} {dict(self.question.params)}"


class Watch:
    """Remembers requests and violations; `pace` scales all times, so that a test need not wait.

    Safe to use from several threads.
    """

    def __init__(self, *, pace: float = 1.0) -> None:
        self.requests: list[Seen] = []
        self.violations: list[str] = []
        self._pace = pace
        self._open: dict[str, int] = {}
        self._lock = Lock()

    def begin(self, service: str, lane: str, question: Question, now_s: float) -> None:
        """Take note of a request that begins."""
        contact = has_contact(question)
        with self._lock:
            self._open[service] = self._open.get(service, 0) + 1
            seen = Seen(service, lane, question, now_s, contact)
            self._check(seen)
            self.requests.append(seen)

    def end(self, service: str) -> None:
        """Take note of an answer that has ended."""
        with self._lock:
            self._open[service] -= 1

    def _check(self, seen: Seen) -> None:
        name = f"{seen.service}/{seen.lane}"
        rule = RULES[f"{name}+" if seen.contact else name]
        before = [one.at_s for one in self.requests if (one.service, one.lane) == (seen.service, seen.lane)]
        if not seen.contact:
            self.violations.append(f"{name}: no contact")
        if before and seen.at_s - before[-1] < rule.gap_s * self._pace:
            self.violations.append(f"{name}: {seen.at_s - before[-1]:.3f} s after the one before")
        recent = sum(1 for at_s in before if seen.at_s - at_s < self._pace)
        if rule.window and recent >= rule.window:
            self.violations.append(f"{name}: {recent + 1} within a second")
        if self._open[seen.service] > rule.concurrent:
            self.violations.append(f"{name}: {self._open[seen.service]} at a time")


def has_contact(question: Question) -> bool:
    """Whether a request says whom to write to."""
    agent: Mapping[str, str] = question.headers
    return "mailto:" in agent.get("user-agent", "") or "@" in question.params.get("mailto", "")
