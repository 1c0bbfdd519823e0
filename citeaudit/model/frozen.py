"""What every noun shares: frozen, closed, comparable by value."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

Score = Annotated[float, Field(ge=0.0, le=1.0)]
"""A float in [0, 1]; 1 is full agreement, certainty or confidence."""


class Frozen(BaseModel):
    """A value: cannot change after it is built, refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def built(cls, **values: object) -> Self:
        """Build a value without validation, faster than `model_construct`.

        For thousands of small values of our own making; every field must be named, since nothing fills in defaults.
        """
        made = cls.__new__(cls)
        put = object.__setattr__
        put(made, "__dict__", values)
        put(made, "__pydantic_fields_set__", set(values))
        put(made, "__pydantic_extra__", None)
        put(made, "__pydantic_private__", None)
        return made
