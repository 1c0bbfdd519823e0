"""The rules that give the status, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from citeaudit.match.rules import NO_ONE, RULES
from citeaudit.model import (
    Coverage,
    FieldMatch,
    FieldName,
    Outcome,
    Reason,
    Relation,
    Status,
    WorkType,
)
from citeaudit.policy.case import OTHERS, OUTSIDE, SOUND_PARSE, WORDS, Case, Judged, last_year
from citeaudit.policy.doubts import doubts
from citeaudit.policy.words import holders, label, listed, quoted, reason_of, sources, verb

_Conclusion = tuple[Status, tuple[Reason, ...]]


def _found(case: Case) -> _Conclusion | None:
    if case.best is None:
        return None
    anchored = reason_of("anchored", _anchored(case.best), holders(case.anchored))
    differing = tuple(_difference(match, case) for match in case.best.differing)
    if differing and case.failed:
        return Status.UNDECIDED, (*_unheard(case), *_open_failed(case), *differing, anchored)
    if differing:
        beside = tuple(doubts(case, case.best))
        status = Status.UNDECIDED if beside else Status.MISMATCHED
        return status, (*beside, *differing, *_put_together(case), anchored)
    return Status.VERIFIED, (anchored,)


def _anchored(best: Judged) -> str:
    """Say which record the reference was compared with, and no more than is known of it."""
    work, authors = best.candidate.work, best.candidate.match(FieldName.AUTHORS)
    others = authors is not None and authors.rule in NO_ONE
    what = "a work of this title by other authors" if others and best.candidate.anchor in OTHERS else "this work"
    return f"{work.source} holds {what}: {quoted(work.title)} (rule {best.candidate.anchor})."


def _put_together(case: Case) -> Iterator[Reason]:
    """Name the works from which a reference is put together."""
    found = case.chimera
    if found is None:
        return
    others = [("authors", found.authors), (label(found.scheme or ""), found.identifier)]
    told = " and ".join(f"the {part} of {quoted(work.title)}" for part, work in others if work is not None)
    text = f"The reference has the title of {quoted(found.title.title)} in {found.title.source}, and {told}."
    names = {found.title.source, *(work.source for _, work in others if work is not None)}
    yield reason_of("put_together", text, tuple(sorted(names)))


def _unheard(case: Case) -> Iterator[Reason]:
    """Say that a source that may hold an agreeing record was not heard: its outage must not decide."""
    names = sources(case.failed)
    text = f"A record differs from the reference, but {listed(names)} may hold one that agrees and could not be asked."
    yield reason_of("second_opinion_missing", text, names)


def _unparsed(case: Case) -> _Conclusion | None:
    if case.reference.parse_score >= case.policy.parse_floor:
        return None
    text = f"The text could not be read as a reference (parse score {case.reference.parse_score:.2f})."
    return Status.UNPARSED, (reason_of("unparsed", text), *_open(case))


def _not_checkable(case: Case) -> _Conclusion | None:
    reference = case.reference
    if reference.type in OUTSIDE:
        text = f"No source here lists works of the class {reference.type.value}, and none of those asked has it."
        return Status.NOT_CHECKABLE, (reason_of("class_not_covered", text),)
    ids = reference.identifiers
    indexed = (
        reference.container_title or reference.volume or ids.doi or ids.arxiv_id or ids.pmid or ids.pmcid or ids.isbn
    )
    if reference.type is WorkType.UNKNOWN and ids.url and not indexed:
        text = f"The reference names the web address {ids.url} and nothing that an index lists."
        return Status.NOT_CHECKABLE, (reason_of("web_address_only", text),)
    return None


def _not_found(case: Case) -> _Conclusion | None:
    if len(case.lineages) < case.policy.quorum or case.failed or case.ambiguous or not case.telling:
        return None
    if case.brief or case.companions or case.reference.parse_score < SOUND_PARSE:
        return None
    return Status.NOT_FOUND, (_silence(case), *identifier_reasons(case))


def _misdirected(case: Case) -> _Conclusion | None:
    """Judge a reference that nothing confirms and whose identifier is that of others."""
    if case.named is None:
        return None
    conflicts = tuple(identifier_reasons(case))
    named = tuple(_difference(match, case) for match in case.named.differing if match.field.value not in case.foreign)
    differing = (*conflicts, *named)
    if case.failed:
        return Status.UNDECIDED, (*_unheard(case), *_open_failed(case), *differing)
    if not case.silent:  # the title may be known to sources that were not asked, or do not cover such works
        return None
    return Status.MISMATCHED, differing


def _impossible(case: Case) -> _Conclusion | None:
    """Judge a typed reference that says what cannot be, nothing being known of its work."""
    if case.reference.parse_score < 1.0 or case.reference.type in OUTSIDE:
        return None
    found = [item for item in case.counted_claims if item.relation is Relation.DIFFERENT]
    if not found:
        return None
    told = tuple(reason_of("cannot_be", _cannot_be(item), (), item.field) for item in found)
    if case.failed:  # a record that has the very same value outweighs the doubt
        return Status.UNDECIDED, (*_open(case), *told)
    return Status.MISMATCHED, (*told, *_open(case))


def _cannot_be(match: FieldMatch) -> str:
    said = RULES[match.rule].description
    return f"The {label(match.field)} {match.claimed}: {said[:1].lower()}{said[1:]}"


def _undecided(case: Case) -> _Conclusion:
    reasons = _open(case)
    if not reasons:
        text = f"{len(case.lineages)} of {case.policy.quorum} independent answers needed were given."
        reasons = (reason_of("too_few_answers", text, sources(case.silent)),)
    return Status.UNDECIDED, reasons


STATUS_RULES: tuple[Callable[[Case], _Conclusion | None], ...] = (
    _found,
    _unparsed,
    _not_checkable,
    _not_found,
    _misdirected,
    _impossible,
    _undecided,
)
"""Asked in order; the first that answers decides. The last always does."""


def _open(case: Case) -> tuple[Reason, ...]:
    """Name everything that keeps a reference without an anchored work from being decided."""
    return tuple(reason for part in _OPEN for reason in part(case))


def _open_ambiguous(case: Case) -> Iterator[Reason]:
    if case.possible:
        work = case.possible[0].work
        text = f"{work.source} has {quoted(work.title)}, which may be the work, but too little agrees to tell."
        yield reason_of("ambiguous", text, holders(case.possible))
    elif names := sources(item for item in case.evidence.lookups if item.outcome is Outcome.AMBIGUOUS):
        text = f"{listed(names)} answered with several works between which nothing decides."
        yield reason_of("ambiguous", text, names)


def _open_failed(case: Case) -> Iterator[Reason]:
    told = {(item.source, item.failure.message) for item in case.failed if item.failure and item.damaged}
    for name, message in sorted(dict(sorted(told, reverse=True)).items()):
        yield reason_of("source_failed", f"{name} could not answer: {message.removesuffix('.')}.", (name,))
    away = [item for item in case.failed if not item.damaged]
    if names := sources(away):
        kinds = sorted({item.failure.kind.value for item in away if item.failure})
        detail = f" ({', '.join(kinds)})" if kinds else ""
        yield reason_of("source_failed", f"{listed(names)} could not answer{detail}.", names)


def _open_vague(case: Case) -> Iterator[Reason]:
    if not case.telling:
        yield reason_of("too_little_cited", "The reference gives neither title, identifier nor volume and page.")


def _open_doubtful(case: Case) -> Iterator[Reason]:
    if case.silent and case.brief:
        text = f"The title {quoted(case.reference.title or '')} is too short or common for silence to say anything."
        yield reason_of("short_title", text)
    if case.silent and case.reference.parse_score < SOUND_PARSE:
        score = f"parse score {case.reference.parse_score:.2f}"
        text = f"The reading is uncertain ({score}), so silence says nothing; compare it with the document first."
        yield reason_of("uncertain_reading", text)


def _open_companion(case: Case) -> Iterator[Reason]:
    if case.silent and case.companions:
        work = case.companions[0].work
        text = (
            f"{work.source} has {quoted(work.title)}: a text and its reply, notice or review are often not both held."
        )
        yield reason_of("companion_held", text, holders(case.companions))


def _open_short(case: Case) -> Iterator[Reason]:
    if case.silent and len(case.lineages) < case.policy.quorum:
        text = (
            f"{listed(sources(case.silent))} found no match, but {case.policy.quorum} independent answers are needed."
        )
        yield reason_of("too_few_answers", text, sources(case.silent))
    elif case.silent:
        yield _silence(case)


def _open_outrun(case: Case) -> Iterator[Reason]:
    if names := sources(case.outrun):
        until = max(map(last_year, case.outrun))
        holds = verb(names, "holds", "hold")
        text = f"{listed(names)} found no match, but {holds} no year after {until} in full: the work may be newer."
        yield reason_of("newer_than_index", text, names)


def _open_uncovered(case: Case) -> Iterator[Reason]:
    silent = (item for item in case.evidence.lookups if item.outcome is Outcome.NO_MATCH)
    uncovered = [item for item in silent if item.coverage is Coverage.NONE and item.query.kind in WORDS]
    if names := sources(item for item in uncovered if not item.from_index):
        text = f"{listed(names)} found no match, which says nothing: such works are outside the stated coverage."
        yield reason_of("not_covering", text, names)
    if names := sources(item for item in uncovered if item.from_index):
        states = verb(names, "it states", "they state")
        text = f"{listed(names)} found no match, which says nothing: {states} no coverage of such works."
        yield reason_of("not_covering", text, names)


def _open_skipped(case: Case) -> Iterator[Reason]:
    skipped = [item for item in case.evidence.lookups if item.outcome is Outcome.SKIPPED]
    if names := sources(skipped):
        why = "; ".join(sorted({item.reason for item in skipped if item.reason}))
        yield reason_of(
            "source_skipped",
            f"{listed(names)} {verb(names, 'was', 'were')} not asked{why and ': '}{why}.",
            names,
        )
    if not case.evidence.lookups:
        yield reason_of("nothing_asked", "No source or index was asked about this reference.")


def identifier_reasons(case: Case) -> Iterator[Reason]:
    """Give a reason for each cited identifier that names another work or none."""
    for scheme, other in sorted(case.foreign.items()):
        source = other.work.source
        text = f"{source} resolves the cited {label(scheme)} to another work: {quoted(other.work.title)}."
        yield reason_of("identifier_names_another", text, (source,), FieldName(scheme))
    for scheme, names in case.dead.items():
        text = f"{listed(names)} {verb(names, 'does', 'do')} not know the cited {label(scheme)}."
        yield reason_of("identifier_unknown", text, names, FieldName(scheme))


_OPEN: tuple[Callable[[Case], Iterator[Reason]], ...] = (
    _open_ambiguous,
    _open_failed,
    _open_vague,
    _open_doubtful,
    _open_companion,
    _open_short,
    _open_outrun,
    _open_uncovered,
    _open_skipped,
    identifier_reasons,
)


def _silence(case: Case) -> Reason:
    names = sources(case.silent)
    other = " and gave other works only" if any(item.candidates for item in case.silent) else ""
    return reason_of("no_match", f"{listed(names)} found no match{other}.", names)


def _difference(match: FieldMatch, case: Case) -> Reason:
    if match.rule in ("identifier_names_another", "identifier_unknown"):
        return next(reason for reason in identifier_reasons(case) if reason.field is match.field)
    judged = case.best or case.named
    source = judged.candidate.work.source if judged else ""
    differ, that = ("differ", "those") if match.field in (FieldName.AUTHORS, FieldName.PAGES) else ("differs", "that")
    detail = "; ".join(match.differences) or " -> ".join(filter(None, (match.claimed, match.found)))
    whose = f"the record in {source}" if case.best else f"{that} of the other work in {source}"
    text = f"The {label(match.field)} {differ} from {whose} (rule {match.rule}): {detail}."
    if match.rule in {item.rule for item in case.claims}:
        text = f"{_cannot_be(match).removesuffix('.')} (rule {match.rule}){_recorded(match, source)}."
    return reason_of("field_differs", text, (source,), match.field)


def _recorded(match: FieldMatch, source: str) -> str:
    return f"; {source} has {match.found}" if match.found else ""
