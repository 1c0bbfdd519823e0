"""The words of the reports people read: one neutral phrase a status, and short forms of references and fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from citeaudit.errors import FailureKind
from citeaudit.model import (
    BAD_QUOTES,
    Alarm,
    Audit,
    FieldMatch,
    Flag,
    Locus,
    Outcome,
    Person,
    QueryKind,
    QuoteStatus,
    Reference,
    Relation,
    SelfCheck,
    SourceHealth,
    Status,
    Verdict,
    Work,
)
from citeaudit.policy.words import label as field_label
from citeaudit.report import differences
from citeaudit.report.groups import is_quiet
from citeaudit.text.visible import shorten, visible

STATUS_WORDS = {
    Status.VERIFIED: "verified",
    Status.MISMATCHED: "differs from the record",
    Status.NOT_FOUND: "not found",
    Status.UNDECIDED: "undecided",
    Status.NOT_CHECKABLE: "not checkable here",
    Status.UNPARSED: "could not be read",
}
"""As the summary and the table name them."""

ALARM_WORDS = {
    Alarm.NONE: "",
    Alarm.REVIEW: "please review",
    Alarm.STRONG: "strong evidence, look here first",
}
"""Beside the status, where a page has room for a sentence."""

OUTCOME_WORDS = {
    Outcome.FOUND: "found",
    Outcome.AMBIGUOUS: "several",
    Outcome.NO_MATCH: "no match",
    Outcome.UNAVAILABLE: "failed",
    Outcome.SKIPPED: "skipped",
}
"""Best first."""

FAILURE_WORDS = {
    FailureKind.RATE_LIMITED: "too many questions for it",
    FailureKind.TIMED_OUT: "no answer in time",
    FailureKind.REFUSED: "it declined",
    FailureKind.CIRCUIT_OPEN: "stopped asking after failures",
    FailureKind.NETWORK: "no connection",
    FailureKind.MALFORMED: "an answer that could not be read",
    FailureKind.DAMAGED: "the index is damaged or missing",
}
"""Why a source gave no answer, as people read it; the JSON report has the names."""

RELATION_WORDS = {
    Relation.SAME: "same",
    Relation.VARIANT: "another form, not counted",
    Relation.DIFFERENT: "differs",
    Relation.NOT_CITED: "not cited",
    Relation.UNKNOWN: "not in the record",
}

INDEX_VERSION = "index "
"""What the names of indexes begin with in `Audit.versions`."""

_UNCHECKED = frozenset(
    {
        QuoteStatus.SKIPPED,
        QuoteStatus.MISSING_DOCUMENT,
        QuoteStatus.WRONG_DOCUMENT,
        QuoteStatus.UNREADABLE,
        QuoteStatus.NO_TEXT,
        QuoteStatus.NOT_CHECKABLE,
    }
)

_RULE = re.compile(r" \(rule [a-z_]{1,60}\)")
_LABELS = 20
"""Labels that are named before the rest is counted."""
_RAW_WIDTH = 160
_MANY_AUTHORS = 6
"""Of a record, before the rest is counted."""
_DIFFERENCES = 4
"""How many differing parts of one field are named before the rest is counted."""


def counted(status: Status, number: int) -> str:
    """Give a number of references of one status in words.

    >>> counted(Status.MISMATCHED, 1), counted(Status.MISMATCHED, 6)
    ('1 differs from the record', '6 differ from the record')
    """
    told = STATUS_WORDS[status]
    return f"{number} {told if number == 1 else told.replace('differs', 'differ')}"


def label(verdict: Verdict) -> str:
    """Give the printed label, the citation key, or the place of a reference."""
    locus = verdict.evidence.reference.locus
    return visible(locus.label or locus.citekey or str(verdict.evidence.index))


def repeated(verdict: Verdict) -> str:
    """Give the label, key or place of the reference that one repeats, as `label` gives it for that one."""
    return visible(verdict.evidence.repeats or "")


def short(reference: Reference) -> str:
    """Give a reference in one line: first author, year, title; or the beginning of what is printed."""
    if not reference.title:
        return shorten(visible(reference.raw), _RAW_WIDTH)
    return _line(reference.authors, reference.year, reference.title, more=reference.authors_truncated)


def _line(authors: tuple[Person, ...], year: int | None, title: str, *, more: bool) -> str:
    first = authors[0] if authors else None
    name = (first.family or first.literal or first.given or "") if first else ""
    others = " et al." if len(authors) > 1 or (more and authors) else ""
    head = " ".join(part for part in (f"{name}{others}", str(year or "")) if part)
    return visible(f"{head}. {title}" if head else title)


def named(verdict: Verdict) -> str:
    """Give a reference in one line; what has no title of its own (a bare DOI) with the work that was found."""
    reference = verdict.evidence.reference
    if reference.title or verdict.best is None or not verdict.best.work.title:
        return short(reference)
    work = verdict.best.work
    return f"{short(reference)}: {_line(work.authors, work.year, work.title, more=not work.authors_complete)}"


def disagreements(verdict: Verdict, *, apart: str = "; ") -> tuple[str, ...]:
    """Give what to say of each field that counts against the reference, claimed -> found.

    Args:
        verdict: The conclusion about the reference.
        apart: What stands between authors where several differ; with a line end, before the first as well.
    """
    lines = []
    for match in verdict.fields:
        if match.relation is not Relation.DIFFERENT:
            continue
        close = differences.lines(match)
        if close:
            first = apart if len(close) > 1 and apart.startswith("\n") else " "
            lines.append(f"{visible(field_label(match.field))}:{first}{apart.join(close)}")
            continue
        parts = match.differences[:_DIFFERENCES]
        rest = len(match.differences) - len(parts)
        told = "; ".join(parts) + (f"; {rest} more" if rest else "")
        ahead = f" ({differences.AHEAD})" if differences.is_ahead(match) else ""
        if ahead or not told:
            told = f"{match.claimed or 'nothing'}{ahead} -> {match.found or 'nothing'}"
        lines.append(visible(f"{field_label(match.field)}: {told}"))
    return tuple(lines)


def notes(verdict: Verdict) -> tuple[str, ...]:
    """Give what else is to be said: flags, and the reasons of a reference that is not verified."""
    lines = [_flag(flag, verdict) for flag in verdict.flags]
    if verdict.status is not Status.VERIFIED:
        told = {"anchored", *(flag.value for flag in verdict.flags)}
        shown = {match.field for match in verdict.fields if match.relation is Relation.DIFFERENT}
        lines += [
            plain(reason.text) for reason in verdict.reasons if reason.field not in shown and reason.code not in told
        ]
    elif deviation := differences.noted(verdict):
        lines.append(f"noted: {deviation}")
    return tuple(dict.fromkeys(lines))


def answered(verdict: Verdict, *, only_best: bool = False) -> str:
    """Give the sources asked about a reference and how each ended, best outcome of each first.

    With `only_best` only those that hold the work are named, where there are any.
    """
    best = _best(verdict)
    found = [source for (source, _), outcome in best.items() if outcome is Outcome.FOUND]
    if only_best and found:
        return visible(", ".join(found))
    named, silent = _answers(best)
    return "; ".join(part for part in (", ".join(named), silent) if part) or "nobody asked"


def answers(verdict: Verdict) -> tuple[str, ...]:
    """Give the same, one line each."""
    named, silent = _answers(_best(verdict))
    return tuple(line for line in (*named, silent) if line) or ("nobody asked",)


def _best(verdict: Verdict) -> dict[tuple[str, bool], Outcome]:
    """Give the best outcome of each source, by its name and whether it is an index."""
    order = tuple(OUTCOME_WORDS)
    best: dict[tuple[str, bool], Outcome] = {}
    for lookup in verdict.evidence.lookups:
        key = (lookup.source, lookup.from_index)
        old = best.get(key)
        if old is None or order.index(lookup.outcome) < order.index(old):
            best[key] = lookup.outcome
    return best


def _answers(best: Mapping[tuple[str, bool], Outcome]) -> tuple[list[str], str]:
    """Give how each source ended; several indexes without a match are told together: `no match: starter, mine`."""
    silent = [source for (source, index), outcome in best.items() if index and outcome is Outcome.NO_MATCH]
    folded = silent if len(silent) > 1 else []
    named = [
        visible(f"{source}: {OUTCOME_WORDS[outcome]}")
        for (source, index), outcome in best.items()
        if not (index and source in folded)
    ]
    return named, visible(f"{OUTCOME_WORDS[Outcome.NO_MATCH]}: {', '.join(folded)}") if folded else ""


def reading(audit: Audit) -> str:
    """Give one line on how completely the document was read."""
    line = completeness(audit.self_check)
    if audit.failed:
        line += f"; {len(audit.failed)} could not be read as references"
    return visible(line)


def completeness(check: SelfCheck) -> str:
    """Give how many references were read, beside the number the document itself announces.

    A list of compound references announces fewer labels than it holds references; both numbers are told as they are.
    """
    line = f"{numbered(check.read, 'reference')} read"
    if check.expected is not None:
        line += f" of {check.expected} announced" if check.read <= check.expected else f", {check.expected} announced"
    line += f" (by {check.method})"
    for said, labels in (("missing", check.labels_missing), ("more than once", check.labels_duplicate)):
        if labels:
            more = f" and {len(labels) - _LABELS} more" if len(labels) > _LABELS else ""
            line += f"; {said}: {', '.join(labels[:_LABELS])}{more}"
    return line


def citing(check: SelfCheck, uncited: int) -> tuple[str, ...]:
    """Give what the running text says about the list, one line each; empty where there is none to look at.

    Args:
        check: The self-check of the reader.
        uncited: References that the text does not cite.
    """
    lines: list[str] = []
    if check.citations is not None:
        lines.append(f"{numbered(check.citations, 'citation')} found in the text")
    if check.dangling:
        more = f" and {len(check.dangling) - _LABELS} more" if len(check.dangling) > _LABELS else ""
        lines.append(f"cited but not in the list: {', '.join(check.dangling[:_LABELS])}{more}")
    if uncited:
        lines.append(f"in the list but not cited in the text: {numbered(uncited, 'reference')}")
    return tuple(visible(line) for line in lines)


def quoted(audit: Audit) -> tuple[str, ...]:
    """Give one line on the quotations that were not held against a text; empty where there is none."""
    left = sum(len(verdict.evidence.reference.quotes) for verdict in audit.verdicts) - sum(
        check.status not in _UNCHECKED for verdict in audit.verdicts for check in verdict.evidence.quote_checks
    )
    if left <= 0:
        return ()
    whose = "a reference" if left == 1 else "references"
    return (f"{numbered(left, 'quotation')} tied to {whose}, not checked against the source yet",)


def uncounted(audit: Audit) -> tuple[str, ...]:
    """Give one line naming the references that are shown but are no finding under the policy; empty without any."""
    quiet = [label(verdict) for verdict in audit.verdicts if is_quiet(verdict, audit.least_alarm)]
    if not quiet:
        return ()
    more = f" and {len(quiet) - _LABELS} more" if len(quiet) > _LABELS else ""
    what = f"preset {audit.preset} counts {audit.least_alarm} alarms only"
    return (
        visible(f"{numbered(len(quiet), 'reference')} shown, not counted ({what}): {', '.join(quiet[:_LABELS])}{more}"),
    )


def uncited(audit: Audit) -> int:
    """Give how many references of an audit the text does not cite."""
    return sum(verdict.evidence.reference.cited is False for verdict in audit.verdicts)


def numbered(number: int, noun: str) -> str:
    """Give a number with its noun: `1 reference`, `2 references`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def field(match: FieldMatch) -> str:
    """Give the name of a compared field as people write it."""
    return field_label(match.field)


def kind(query: QueryKind) -> str:
    """Give what a source was asked by, as people write it."""
    return field_label(query)


def claimed(match: FieldMatch) -> str:
    """Give what the reference claims."""
    return visible(match.claimed or "nothing")


def found(match: FieldMatch) -> str:
    """Give what stands against the claim: the recorded value, or what the identifier turned out to be."""
    match match.rule:
        case "identifier_names_another":
            return visible(f"names another work: {match.found or 'without a title'}")
        case "identifier_unknown":
            return "not known to its registry"
        case _:
            return visible(match.found or "nothing")


def parts(match: FieldMatch) -> tuple[str, ...]:
    """Give the differing parts of a field where they say more than its two values beside each other."""
    whole = f"{match.claimed} -> {match.found}"
    return tuple(visible(part) for part in match.differences if part != whole)


def plain(text: str) -> str:
    """Give the text of a reason without the names of rules, which the JSON report has.

    >>> plain("The year differs from the record in mine (rule year_differs): 2001 -> 2019.")
    'The year differs from the record in mine: 2001 -> 2019.'
    """
    return visible(_RULE.sub("", text))


def failures(one: SourceHealth) -> str:
    """Give why a source did not answer; empty where it always did."""
    return ", ".join(FAILURE_WORDS[kind] for kind in one.failures)


def preset(audit: Audit) -> str:
    """Give the preset, and whether nothing was asked over a network where its name does not say so."""
    offline = ", offline" if audit.offline and audit.preset != "offline" else ""
    return f"{visible(audit.preset)}{offline}"


def health(one: SourceHealth) -> str:
    """Give how a source fared: `starter (50 of 50 questions answered)`."""
    failed = f", failed: {failures(one)}" if one.failures else ""
    return visible(f"{one.source} ({one.answered} of {one.asked} questions answered{failed})")


def asked(audit: Audit) -> str:
    """Give who was asked and how each fared, in one line."""
    return "; ".join(health(one) for one in audit.health) or "nobody"


def made_with(audit: Audit) -> str:
    """Give the versions of the programs that made a report: `citeaudit 1.0, rules 2`."""
    programs = {name: version for name, version in audit.versions.items() if not name.startswith(INDEX_VERSION)}
    return visible(", ".join(f"{name} {version}" for name, version in sorted(programs.items())))


def indexes(audit: Audit) -> str:
    """Give the indexes that were asked, and when each was built: `mine, built 2026-05-01 12:00 UTC; starter, ...`."""
    told = [
        f"{name.removeprefix(INDEX_VERSION)}, built {_moment(built)}"
        for name, built in sorted(audit.versions.items())
        if name.startswith(INDEX_VERSION)
    ]
    return visible("; ".join(told))


def _moment(text: str) -> str:
    try:
        return when(datetime.fromisoformat(text))
    except ValueError:
        return text


def where(locus: Locus) -> str:
    """Give the place in a document: `line 7`, `page 3`; empty where it is not known."""
    if locus.line:
        return f"line {locus.line}"
    return f"page {locus.page}" if locus.page else ""


def when(moment: datetime) -> str:
    """Give a UTC time to the minute, in the order that sorts."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def number(count: int, noun: str) -> str:
    """Give a count with its noun.

    >>> number(1, "reference"), number(2, "reference")
    ('1 reference', '2 references')
    """
    return f"{count} {noun}{'' if count == 1 else 's'}"


def people(persons: tuple[Person, ...], *, complete: bool = True) -> str:
    """Give names as a reader expects them; a long list is cut, and the rest counted."""
    names = [str(person) for person in persons[:_MANY_AUTHORS]]
    rest = len(persons) - len(names)
    if rest:
        names.append(f"and {rest} more")
    elif names and not complete:
        names.append("et al.")
    return visible(", ".join(names))


def recorded(work: Work) -> str:
    """Give a record in one line: authors, year, title, venue, volume, pages."""
    volume = (work.volume or "") + (f"({work.issue})" if work.issue else "")
    venue = " ".join(part for part in (work.container_title, volume) if part)
    parts = (
        people(work.authors, complete=work.authors_complete),
        str(work.year or ""),
        work.title,
        ": ".join(part for part in (venue, work.pages) if part),
        work.publisher or "",
    )
    return visible(". ".join(part.rstrip(".") for part in parts if part) + ".")


def _flag(flag: Flag, verdict: Verdict) -> str:
    match flag:
        case Flag.DUPLICATE:
            return f"repeats reference {repeated(verdict)}"
        case Flag.UNCITED:
            return "not cited in the text"
        case Flag.QUOTE:
            bad = {check.status for check in verdict.evidence.quote_checks if check.status in BAD_QUOTES}
            moved = bad == {QuoteStatus.WRONG_PAGE}
            return "a quotation is on another page than cited" if moved else "a quotation was not found as quoted"
        case Flag.RETRACTED:
            return "the work has been retracted, which the citation does not say"
        case Flag.WITHDRAWN:
            return "the work has been withdrawn, which the citation does not say"
        case Flag.CONCERN:
            return "an expression of concern has been published about the work"
        case Flag.CORRECTED:
            return "a correction to the work has been published"
