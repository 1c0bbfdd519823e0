"""How often and how many at a time each service may be asked, as `configs/sources.toml` says.

A source's limits stand under `[NAME.limits.LANE]`. A lane without a row of its own falls under the row `default`,
together with all other such lanes; a source without rows is not limited.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

DEFAULT_LANE = "default"

Limits = Mapping[str, Mapping[str, "Limit"]]
"""Limits by source and lane."""


class Limit(BaseModel):
    """What one lane of a source allows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    interval_s: float = Field(gt=0, le=60)
    """Least seconds between two requests."""
    concurrent: int = Field(ge=1, le=16)
    """Most requests at a time."""
    counted_from: Literal["start", "answer"] = "start"
    """Where the interval begins: at the start of a request, or at the end of its answer, safe from any jitter."""


class _Polite(BaseModel):
    model_config = ConfigDict(extra="forbid")

    interval_s: float
    concurrent: int


class _Row(Limit):
    polite: _Polite | None = None
    """What is allowed to those who give an e-mail address."""

    def pick(self, *, polite: bool) -> Limit:
        chosen = self.polite if polite and self.polite else self
        return Limit(interval_s=chosen.interval_s, concurrent=chosen.concurrent, counted_from=self.counted_from)


class _Source(BaseModel):
    model_config = ConfigDict(extra="ignore")  # the other keys are for people and the contract test

    limits: dict[str, _Row] = Field(default_factory=dict)


def load(*, polite: bool) -> dict[str, dict[str, Limit]]:
    """Read the limits that ship.

    Args:
        polite: Requests carry an e-mail address, for which some services allow more.
    """
    rows = tomllib.loads((files("citeaudit") / "configs" / "sources.toml").read_text(encoding="utf-8"))
    sources = {name: _Source.model_validate(row) for name, row in rows.items()}
    return {
        name: {lane: row.pick(polite=polite) for lane, row in source.limits.items()} for name, source in sources.items()
    }


def find(limits: Limits, source: str, lane: str) -> tuple[str, Limit] | None:
    """Give the lane that a request falls under and its limit, or `None` where there is none.

    >>> slow = Limit(interval_s=3, concurrent=1)
    >>> find({"arxiv": {"default": slow}}, "arxiv", "pdf") == ("default", slow)
    True
    """
    lanes = limits.get(source, {})
    name = lane if lane in lanes else DEFAULT_LANE
    return (name, lanes[name]) if name in lanes else None
