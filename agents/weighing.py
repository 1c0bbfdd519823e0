"""How agents add answers to evidence: settle each against the reference, and rank what has been found so far."""

from __future__ import annotations

from collections.abc import Iterable

from citeaudit.match.queries import queries
from citeaudit.match.rank import rank, settle
from citeaudit.model import IDENTIFIER_KINDS, Evidence, Lookup, Query, Rank
from citeaudit.policy.decisions import narrowed
from citeaudit.seams import Source


def add(evidence: Evidence, lookups: Iterable[Lookup]) -> Evidence:
    """Append answers to the evidence and weigh all its candidates again; what a person has ruled out stays out."""
    settled = tuple(settle(evidence.reference, lookup) for lookup in lookups)
    if not settled:
        return evidence
    every = evidence.lookups + settled
    return narrowed(evidence.model_copy(update={"lookups": every, "candidates": rank(evidence.reference, every)}))


def answered(evidence: Evidence, source: Source) -> set[Query]:
    """Give the questions that a source has answered; what an index of its name said is no answer of its own."""
    return {one.query for one in evidence.lookups if (one.source, one.lineage) == (source.name, source.lineage)}


def open_queries(evidence: Evidence) -> tuple[Query, ...]:
    """Give the questions that are still worth asking a source about a reference.

    An exact candidate ends the search for existence. Cited identifiers are asked all the same: they go out in bulk,
    confirm that they name this work, and bring notices (a retraction) that an offline index may not know yet.
    """
    every = queries(evidence.reference)
    if any(candidate.rank is Rank.EXACT for candidate in evidence.candidates):
        return tuple(query for query in every if query.kind in IDENTIFIER_KINDS)
    return every
