"""What a verdict on a labelled row rests on, kept so that it can be read and decided again without asking anything."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from pydantic import BaseModel, ConfigDict, ValidationError

from citeaudit.errors import UsageError
from citeaudit.match.rank import rank, settle
from citeaudit.model import Coverage, Evidence, Lookup, Outcome, Policy, QueryKind, Verdict
from citeaudit.policy import conclude
from citeaudit.report.writing import write_bytes

PACKED = ".gz"
_WORDS = (QueryKind.TITLE, QueryKind.CITATION)
_SETTLED = (Outcome.NO_MATCH, Outcome.AMBIGUOUS)


class Witness(BaseModel):
    """A row with everything that its verdict rests on, but for the candidates: these follow from the lookups."""

    model_config = ConfigDict(frozen=True)

    id: str
    seconds: float
    verdict: Verdict | None
    """`None` where the row could not be read."""


class Recorder:
    """Collects witnesses, packed as they come, and writes them in one go."""

    def __init__(self, path: Path) -> None:
        """Keep the target; a name that ends in .gz is packed."""
        self._path = path
        self._kept = io.BytesIO()
        packed = path.suffix == PACKED
        self._stream = gzip.GzipFile(fileobj=self._kept, mode="wb", compresslevel=4, mtime=0) if packed else self._kept

    def add(self, witness: Witness) -> None:
        """Take one row."""
        self._stream.write(f"{_bare(witness).model_dump_json()}\n".encode(errors="backslashreplace"))

    def write(self) -> None:
        """Write the file.

        Raises:
            UsageError: It cannot be written.
        """
        if self._stream is not self._kept:
            self._stream.close()
        write_bytes(self._path, self._kept.getvalue())


def read(path: str | Path) -> Iterator[Witness]:
    """Give the rows of an evidence file.

    Raises:
        UsageError: The file cannot be read, or is none of these.
    """
    number = 0
    try:
        with _open(Path(path)) as lines:
            for line in lines:
                number += 1
                yield Witness.model_validate_json(line)
    except (OSError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"{path}: cannot be read as evidence: {reason}") from error
    except (UnicodeDecodeError, ValidationError) as error:
        raise UsageError(f"{path}, line {number}: cannot be read as evidence; write it anew with --evidence") from error


def again(verdict: Verdict, policy: Policy, *, assume_complete: bool) -> Verdict:
    """Weigh every recorded answer anew and conclude under another policy: the matching and the rules of today.

    Args:
        verdict: As recorded; its reference and the records that came back are taken as they are.
        policy: The knobs of the preset.
        assume_complete: Whether the silence of the indexes counts; where the rows were recorded with it, `False` takes
            it back, and an index that would have answered by its own coverage statement then says nothing.
    """
    reference = verdict.evidence.reference
    lookups = tuple(settle(reference, _unsettled(one, assume_complete)) for one in verdict.evidence.lookups)
    evidence = Evidence(
        index=verdict.evidence.index, reference=reference, lookups=lookups, candidates=rank(reference, lookups)
    )
    return conclude(evidence, None, policy)


def _unsettled(lookup: Lookup, complete: bool) -> Lookup:
    """Give an answer as it came: what the words of a reference found is open again."""
    update: dict[str, object] = {}
    if lookup.coverage is Coverage.DECLARED and not complete:
        update["coverage"] = Coverage.NONE
    if lookup.outcome in _SETTLED and lookup.candidates and lookup.query.kind in _WORDS:
        update["outcome"] = Outcome.FOUND
    return lookup.model_copy(update=update) if update else lookup


def _bare(witness: Witness) -> Witness:
    if witness.verdict is None:
        return witness
    evidence = witness.verdict.evidence.model_copy(update={"candidates": ()})
    return witness.model_copy(update={"verdict": witness.verdict.model_copy(update={"evidence": evidence})})


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return io.TextIOWrapper(gzip.open(path), encoding="utf-8")
    return path.open(encoding="utf-8")
