"""Verdicts on labelled rows: one line of prediction a row, each row alone and with an empty memory.

With `Task.evidence` the whole verdict of each row is written too; see `citeaudit.bench.witness`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from citeaudit import api
from citeaudit.agents.judge import RulesJudge
from citeaudit.agents.model import Chat, open_model
from citeaudit.agents.toolbox import Toolbox
from citeaudit.bench.witness import Recorder, Witness
from citeaudit.errors import ExtractionError, UsageError
from citeaudit.extract.latex.bibtex import reference_from_fields
from citeaudit.extract.plain import read_text
from citeaudit.model import Alarm, Extraction, Locus, SelfCheck, Status
from citeaudit.report.writing import write_atomic
from citeaudit.settings import Settings, load
from citeaudit.text.normalize import squash

_TELL_EVERY = 200


class Task(NamedTuple):
    """What to run."""

    data: str
    indexes: tuple[str, ...]
    out: str
    preset: str | None = None
    assume_complete: bool = False
    limit: int | None = None
    evidence: str | None = None
    """File for the whole verdicts, one `Witness` a line; packed where its name ends in .gz."""
    model: str | None = None
    """`provider:model` that helps as in `check`; the place of its key is the provider's environment variable."""


class Row(BaseModel):
    """One row of a set; whatever else it holds is not read."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    citation: str | None = None
    bibtex_type: str | None = None
    fields: dict[str, str] = {}


class Prediction(BaseModel):
    """What the scorer reads."""

    model_config = ConfigDict(frozen=True)

    id: str
    status: Status
    alarm: Alarm
    risk: float | None
    seconds: float


def run(task: Task) -> int:
    """Judge every row and write the predictions, and the evidence where a file is named for it.

    Raises:
        CiteauditError: The data cannot be read, a folder is no index, or a setting is wrong.
    """
    recorder = Recorder(Path(task.evidence)) if task.evidence else None
    predictions = api.wait(partial(_predict, task, recorder))
    write_atomic(Path(task.out), lambda stream: stream.writelines(f"{one.model_dump_json()}\n" for one in predictions))
    if recorder is not None:
        recorder.write()
    return 0


def predicted(witness: Witness) -> Prediction:
    """Give what the scorer reads of a row."""
    verdict = witness.verdict
    return Prediction(
        id=witness.id,
        status=verdict.status if verdict else Status.UNPARSED,
        alarm=verdict.alarm if verdict else Alarm.NONE,
        risk=verdict.risk if verdict else None,
        seconds=witness.seconds,
    )


async def _predict(task: Task, recorder: Recorder | None) -> list[Prediction]:
    flags = {"offline": True, "indexes": task.indexes, "assume_complete": task.assume_complete, "memory": False}
    settings = load(preset=task.preset, flags={**flags, "model": {"name": task.model} if task.model else None})
    tools = Toolbox(
        settings=settings,
        indexes=api.open_indexes(settings),
        sources=(),
        client=None,
        memory=None,
        judge=RulesJudge(),
        clock=lambda: datetime.now(UTC),
        model=_model(task, settings),
    )
    predictions = []
    for number, row in enumerate(_rows(task), start=1):
        witness = await _judge(row, tools)
        predictions.append(predicted(witness))
        if recorder is not None:
            recorder.add(witness)
        if number % _TELL_EVERY == 0:
            sys.stderr.write(f"{number} rows\n")
    return predictions


def _model(task: Task, settings: Settings) -> Chat | None:
    """Open the model named for this run; one of the user's own settings is not used, as in every offline run."""
    return open_model(settings.model) if task.model else None


async def _judge(row: Row, tools: Toolbox) -> Witness:
    start = perf_counter()
    verdict = None
    with suppress(ExtractionError):
        (verdict, *_) = await api.judge_extraction(_extraction(row), tools)
    return Witness(id=row.id, seconds=round(perf_counter() - start, 6), verdict=verdict)


def _extraction(row: Row) -> Extraction:
    """Read a row as `check` would read a one-entry .bib file or one pasted reference."""
    if row.bibtex_type is not None:
        raw = "\n".join(f"{name} = {{{value}}}" for name, value in row.fields.items())
        reference = reference_from_fields(row.bibtex_type, row.fields, raw=raw or row.bibtex_type, locus=Locus())
        check = SelfCheck(method="entries", read=1)
        return Extraction(path=row.id, format="bibtex", references=(reference,), self_check=check)
    return read_text(squash(row.citation or ""), path=row.id)


def _rows(task: Task) -> Iterator[Row]:
    number = 0
    try:
        with Path(task.data).open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if task.limit is not None and number > task.limit:
                    return
                yield Row.model_validate_json(line)
    except OSError as error:
        raise UsageError(f"{task.data}: cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, ValidationError) as error:
        raise UsageError(f"{task.data}, line {number}: cannot be read as rows of a set: not JSON with an id") from error
