"""How strictly evidence is read: the knobs of a preset."""

from __future__ import annotations

from pydantic import Field

from citeaudit.model.frozen import Frozen, Score
from citeaudit.model.verdict import Alarm, Flag, Status


class Policy(Frozen):
    """Settings of the verdict rules; presets in `configs/` are sets of these."""

    quorum: int = Field(default=2, ge=1)
    """Independent covering answers of *no match* that NOT_FOUND needs."""
    counted: tuple[str, ...] = ()
    """Names of VARIANT rules that this policy counts as DIFFERENT (`year_off_by_one`); see `citeaudit.match.rules`."""
    noted: tuple[str, ...] = ()
    """Names of DIFFERENT rules that this policy only notes, as if VARIANT (`given_name_differs`)."""
    least_alarm: Alarm = Alarm.NONE
    """Alarm under which an accusing status is shown but is no finding: it does not make exit code 1."""
    parse_floor: Score = 0.35
    """A reference read with a lower score is UNPARSED unless an anchored work explains it."""
    prior: float = Field(default=0.01, gt=0.0, lt=1.0)
    """Share of references that are wrong as cited, before anything is asked; under 1 % in published surveys."""
    fail_on: tuple[Status | Flag, ...] = (Status.MISMATCHED, Status.NOT_FOUND, Flag.RETRACTED, Flag.WITHDRAWN)
    """What makes exit code 1."""
