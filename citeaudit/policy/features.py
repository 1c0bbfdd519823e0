"""What the risk of a reference is worked out from: signs seen in the evidence, independent of any preset.

A sign is a name; what it weighs is the model's business (`citeaudit.policy.calibrated`). How the signs are put together
keeps the laws whatever the weights: a source that failed, a silence without coverage and a record that lacks a field
give no sign at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from citeaudit.model import Candidate, Coverage, FieldMatch, FieldName, Outcome, Policy, Rank, Relation
from citeaudit.policy.case import FAR_TITLE, OUTSIDE, SOUND_PARSE, Case
from citeaudit.policy.grave import MIN_HELD
from citeaudit.text.titles import is_generic

_AGREE = (Relation.SAME, Relation.VARIANT)
_TOLD = (Relation.SAME, Relation.VARIANT, Relation.DIFFERENT)
_ANSWERED = (Outcome.FOUND, Outcome.NO_MATCH, Outcome.AMBIGUOUS)
_FIRM = frozenset({"identifier", "identifier_alone", "title_authors", "title_less"})
_PLACEHOLDER = "authors_placeholder"
_BY_VERSION = frozenset(FieldName) - {FieldName.TITLE, FieldName.AUTHORS, FieldName.PUBLISHER}
_STRENGTH = {
    Coverage.NONE: 0,
    Coverage.GENERAL: 1,
    Coverage.DECLARED: 2,
    Coverage.AUTHORITATIVE: 3,
}


class Sign(NamedTuple):
    """One thing that was seen."""

    name: str
    """What it is weighed by: `title:DIFFERENT:title_differs`, `silence:declared`."""
    kind: str
    """What it is weighed by where the model does not know the name: `title:DIFFERENT`."""


Choice = tuple[Sign, ...]
"""Signs of which the least accusing counts: what several versions of a work say about one field."""


class Signs(NamedTuple):
    """Everything the risk rests on."""

    claims: tuple[Sign, ...]
    """What is wrong with the reference by itself, whatever any source says."""
    records: tuple[tuple[Choice, ...], ...]
    """For each record of the work what was seen beside it; the record that speaks most for the reference counts."""
    silence: tuple[Sign, ...]
    """What counts where there is no such record."""
    sound: float
    """From 0 to 1, how far what speaks against the reference may be trusted to be its own and not the reader's."""
    heard: bool
    """Whether every source that was asked answered; if not, no record and no silence counts against the reference."""


def neutral(case: Case) -> Case:
    """Give the case as no preset reads it."""
    plain = Policy()
    return case if case.policy == plain else Case(case.evidence, plain)


def signs_of(case: Case) -> Signs | None:
    """Give the signs of a case read without a preset; `None` if nothing answered. Pure; never raises."""
    evidence = case.evidence
    if not evidence.candidates and not any(item.outcome in _ANSWERED for item in evidence.lookups):
        return None
    held = _held(case)
    foreign = _foreign(case, held)
    return Signs(
        claims=tuple(_of(item, "claim:") for item in case.claims if item.relation is not Relation.SAME),
        records=tuple(_record(item, held, case, foreign) for item in held),
        silence=(*_silence(case), *_identifiers(case, foreign, ())),
        sound=_soundness(case),
        heard=not case.failed,
    )


def _held(case: Case) -> tuple[Candidate, ...]:
    """Give the records of the work, those whose title is far from it among them."""
    strays = [item for item in case.strays if item not in case.anchored]
    return (*case.anchored, *strays)


def _soundness(case: Case) -> float:
    """Give how far a difference may be taken for the reference's: a model's or a scanner's reading never accuses."""
    reference = case.reference
    if reference.repaired or reference.recognised:
        return 0.0
    return min(1.0, reference.parse_score / SOUND_PARSE)


def _of(match: FieldMatch, prefix: str = "") -> Sign:
    kind = f"{prefix}{match.field.value}:{match.relation.value}"
    return Sign(f"{kind}:{match.rule}", kind)


def _plain(name: str) -> Sign:
    return Sign(name, name)


# --- Records -----------------------------------------------------------------------------------------------


def _record(
    candidate: Candidate, held: tuple[Candidate, ...], case: Case, foreign: dict[str, Candidate]
) -> tuple[Choice, ...]:
    lenders = [item for item in held if _certain(item)] if _certain(candidate) else []
    told = [
        _choice(match, lenders) for match in candidate.fields if match.relation in _TOLD or match.rule == _PLACEHOLDER
    ]
    single = (*_standing(candidate, case), *_identifiers(case, foreign, candidate.identifier_of))
    return (*told, *((sign,) for sign in single))


def _choice(match: FieldMatch, lenders: list[Candidate]) -> Choice:
    """Give a field with what further records of the same work say about it, where versions differ in it."""
    if match.field not in _BY_VERSION:
        return (_of(match),)
    others = (item.match(match.field) for item in lenders)
    return tuple(sorted({_of(match), *(_of(item) for item in others if item is not None and item.relation in _TOLD)}))


def _standing(candidate: Candidate, case: Case) -> Iterator[Sign]:
    yield _plain("record")
    if candidate.anchor not in _FIRM:
        yield _plain("record:weakly_tied")
    if is_generic(case.reference.title or ""):
        yield _plain("record:generic_title")
    if _far(candidate):
        yield _plain("title:far")


def _certain(candidate: Candidate) -> bool:
    """Whether title and authors both say that a record is of the work, so that its versions may lend fields."""
    matches = (candidate.match(FieldName.TITLE), candidate.match(FieldName.AUTHORS))
    return all(match is not None and match.relation in _AGREE for match in matches)


def _far(candidate: Candidate) -> bool:
    if candidate.anchor != "identifier":
        return False
    title = candidate.match(FieldName.TITLE)
    return title is not None and title.relation is Relation.DIFFERENT and title.score < FAR_TITLE


# --- Identifiers -------------------------------------------------------------------------------------------


def _foreign(case: Case, held: tuple[Candidate, ...]) -> dict[str, Candidate]:
    """Give the schemes whose cited identifier leads to another work, whatever other records are there.

    An ISBN may be the volume's in which a chapter stands, and does not count.
    """
    near = [*(item for item in held if not _far(item)), *case.possible]
    mine = {scheme for item in near for scheme in item.identifier_of}
    mine |= {match.field.value for item in near for match in item.fields if match.relation is Relation.SAME}
    others = [item for item in case.evidence.candidates if item.anchor == "identifier_other_work" or _far(item)]
    named = {scheme: item for item in sorted(others, key=_order, reverse=True) for scheme in item.identifier_of}
    return {scheme: item for scheme, item in named.items() if scheme not in mine and scheme != FieldName.ISBN.value}


def _order(candidate: Candidate) -> tuple[int, float, str, str]:
    return list(Rank).index(candidate.rank), -candidate.score, candidate.work.source, candidate.work.source_id


def _identifiers(case: Case, foreign: dict[str, Candidate], own: tuple[str, ...]) -> Iterator[Sign]:
    """Give what cited identifiers say against the reference beside a record that has those of `own`."""
    others = [item for scheme, item in foreign.items() if scheme not in own]
    authors = [match for item in others if (match := item.match(FieldName.AUTHORS)) is not None]
    if any(match.relation is Relation.DIFFERENT for match in authors):
        yield Sign("identifier:of_others", "identifier:of_another")
    elif others:
        yield _plain("identifier:of_another")
    if any(scheme not in own for scheme in case.dead):
        yield _plain("identifier:unknown")


# --- Silence -----------------------------------------------------------------------------------------------


def _silence(case: Case) -> Iterator[Sign]:
    """Give the answers of *no match* that testify, one for each independent group of sources.

    None where something came back that may be the work, or where the reading or the title is too poor for it.
    """
    reference = case.reference
    doubtful = case.brief or reference.parse_score < SOUND_PARSE or reference.repaired or reference.recognised
    if doubtful or case.ambiguous or not case.telling or reference.type in OUTSIDE:
        return
    for lineage in sorted(case.lineages):
        answers = [item for item in case.silent if item.lineage == lineage]
        strongest = max((item.coverage for item in answers), key=_STRENGTH.__getitem__)
        yield Sign(f"silence:{strongest.value.lower()}", "silence:general")
        if any((item.venue_held or 0) >= MIN_HELD for item in answers):
            yield _plain("silence:venue_collected")
