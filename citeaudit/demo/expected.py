"""What the example manuscript holds, and where an audit of it says something else."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import TypeAdapter

from citeaudit.model import Audit, FieldName, Flag, Frozen, QuoteStatus, Relation, Status, Verdict


class Expectation(Frozen):
    """The right verdict on one reference in one run."""

    status: Status
    flags: frozenset[Flag] = frozenset()
    fields: frozenset[FieldName] = frozenset()
    """Fields that are DIFFERENT."""
    quotes: tuple[QuoteStatus, ...] = ()
    """How each quotation from the work fares in the library, in the order of the text."""


class Planted(Frozen):
    """One reference of the example."""

    kind: str
    """`sound`, or what was done to it, in a few words."""
    quotes: tuple[str, ...] = ()
    """What was done to each quotation from the work, in the order of the text."""
    full: Expectation
    """With the starter index taken as complete and the example service asked."""
    offline: Expectation
    """With the starter index alone, and nothing assumed about it."""


_TABLE = TypeAdapter(dict[str, Planted])


def load(path: Path | Traversable) -> dict[str, Planted]:
    """Read `planted.json`: what is right for each reference, by citation key.

    Raises:
        OSError: It cannot be read.
        ValueError: It is not in this shape.
    """
    return _TABLE.validate_json(path.read_text(encoding="utf-8"))


def deviations(audit: Audit, expected: Mapping[str, Expectation]) -> tuple[str, ...]:
    """Give one sentence for each way in which an audit differs from what is expected, in the order of the document.

    Args:
        audit: Of the example; its references carry citation keys.
        expected: What is right, by citation key.

    Returns:
        Empty where the planted faults and only those are found, each in the expected way.
    """
    found: list[str] = []
    seen: set[str] = set()
    for verdict in audit.verdicts:
        key = verdict.evidence.reference.locus.citekey
        if key is None or key not in expected:
            found.append(f"reference {verdict.evidence.index} is not one of the example (key {key or 'missing'})")
        elif key in seen:
            found.append(f"{key} was read twice")
        else:
            found.extend(_differences(key, verdict, expected[key]))
            seen.add(key)
    found.extend(f"a block could not be read: {block.message}" for block in audit.failed)
    found.extend(f"{key} was not read" for key in expected if key not in seen)
    return tuple(found)


def _differences(key: str, verdict: Verdict, expected: Expectation) -> list[str]:
    fields = {match.field for match in verdict.fields if match.relation is Relation.DIFFERENT}
    pairs = (
        ("status", {verdict.status}, {expected.status}),
        ("flags", set(verdict.flags), expected.flags),
        ("differing fields", fields, expected.fields),
    )
    told = [f"{key}: {what} {_list(got)}, expected {_list(wanted)}" for what, got, wanted in pairs if got != wanted]
    quotes = tuple(check.status for check in verdict.evidence.quote_checks)
    if quotes != expected.quotes:
        told.append(f"{key}: quotes {', '.join(quotes) or 'none'}, expected {', '.join(expected.quotes) or 'none'}")
    return told


def _list(names: set[Status] | set[Flag] | set[FieldName] | frozenset[Flag] | frozenset[FieldName]) -> str:
    return ", ".join(sorted(names)) or "none"
