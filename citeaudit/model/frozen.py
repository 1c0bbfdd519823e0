"""What every noun shares: frozen, closed, comparable by value."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Score = Annotated[float, Field(ge=0.0, le=1.0)]
"""A float in [0, 1]; 1 is full agreement, certainty or confidence."""


class Frozen(BaseModel):
    """A value: cannot change after it is built, refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")
