"""What an editor can write to an author about a reference: neutral, with source and date, one question at its end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from citeaudit.match.rules import RULES
from citeaudit.model import Alarm, FieldMatch, FieldName, Flag, Lookup, Outcome, Relation, Status, Verdict
from citeaudit.policy.decisions import is_settled
from citeaudit.policy.words import label as field_label
from citeaudit.policy.words import listed
from citeaudit.report import differences, quotations, trail, words
from citeaudit.text.visible import shorten, visible

_WIDTH = 300
"""Characters of one value."""
_SEVERAL = re.compile(r", | et al\.| and \d+ more$")
"""What stands in a list of several authors."""
_TO_ANOTHER, _UNKNOWN = "identifier_names_another", "identifier_unknown"

_FLAGS = {
    Flag.RETRACTED: "has been retracted",
    Flag.WITHDRAWN: "has been withdrawn",
    Flag.CONCERN: "is the subject of an expression of concern",
    Flag.CORRECTED: "has a published correction",
}


def sentence(verdict: Verdict) -> str:
    """Give what to write about a reference; empty where there is nothing to ask an author.

    It says what is cited, what a record has, in which source and when that was read, and never whose doing it is.
    """
    parts = ("" if is_settled(verdict) else _status(verdict), *_flags(verdict))
    return " ".join(part for part in parts if part)


def _status(verdict: Verdict) -> str:
    match verdict.status:
        case Status.MISMATCHED:
            return _mismatched(verdict)
        case Status.NOT_FOUND:
            return _not_found(verdict)
        case Status.UNDECIDED:
            return _undecided(verdict)
        case Status.UNPARSED:
            return f"{_name(verdict)} could not be read as it is printed. Please check how it is written."
        case Status.NOT_CHECKABLE if verdict.alarm is not Alarm.NONE:
            told = f"{_name(verdict)} cites a work of a kind that none of the sources asked lists."
            return f"{told} Please say where it can be seen."
        case _:
            return ""


def _mismatched(verdict: Verdict) -> str:
    different = [match for match in verdict.fields if match.relation is Relation.DIFFERENT]
    rest = [match for match in different if match.rule not in (_TO_ANOTHER, _UNKNOWN)]
    plain = [match for match in rest if match.found]
    told = [_compared(verdict, plain)] if plain else []
    told += [_by_itself(verdict, match) for match in rest if not match.found]
    told += [_identifier(verdict, match) for match in different if match.rule in (_TO_ANOTHER, _UNKNOWN)]
    if not told and verdict.best is None:
        said = (words.plain(reason.text) for reason in verdict.reasons if reason.field is not None)
        return " ".join((f"{_name(verdict)} calls for a look.", *said, "Please check."))
    if not told:
        return f"{_name(verdict)} differs from the record that was found{_dated(verdict)}. Please check."
    return " ".join((*told, "Please check."))


def _compared(verdict: Verdict, different: Sequence[FieldMatch]) -> str:
    cites = listed(tuple(_value(match, match.claimed) for match in different))
    has = listed(tuple(_value(match, match.found) for match in different))
    return f"{_name(verdict)} cites {cites}; {_record(verdict)} has {has}."


def _by_itself(verdict: Verdict, match: FieldMatch) -> str:
    """Tell what does not fit without a record: an identifier that cannot be, a year to come."""
    rule = RULES.get(match.rule)
    cites = f"{_name(verdict)} cites {_value(match, match.claimed)}."
    return f"{cites} {rule.description}" if rule else cites


def _identifier(verdict: Verdict, match: FieldMatch) -> str:
    name = field_label(match.field)
    cites = f"{_name(verdict)} cites the {name} {_short(match.claimed)}"
    if match.rule == _UNKNOWN:
        named, asked = _asked_by(verdict, match, Outcome.NO_MATCH)
        return f"{cites}; {named or 'its registry'} did not know this {name}{asked or _dated(verdict, asked=True)}."
    named, asked = _asked_by(verdict, match, Outcome.FOUND)
    leads = f"{f'in {named}, ' if named else ''}this {name} leads to"
    return f"{cites}; {leads} {_quoted(match.found) if match.found else 'another work'}{asked or _dated(verdict)}."


def _asked_by(verdict: Verdict, match: FieldMatch, outcome: Outcome) -> tuple[str, str]:
    """Give who answered so when asked by an identifier, and when; both empty where nobody is known to have."""
    heard = [
        one for one in verdict.evidence.lookups if str(one.query.kind) == str(match.field) and one.outcome is outcome
    ]
    if not heard:
        return "", ""
    verb = "asked" if outcome is Outcome.NO_MATCH else "retrieved"
    return listed(_sources(heard)), f" ({verb} {max(one.retrieved_at for one in heard):%Y-%m-%d})"


def _not_found(verdict: Verdict) -> str:
    title = verdict.evidence.reference.title
    silent = [lookup for lookup in verdict.evidence.lookups if lookup.outcome is Outcome.NO_MATCH]
    named = _sources(silent)
    where = f" in {listed(named)}" if named else ""
    found = (one for one in verdict.reasons if one.code in (_TO_ANOTHER, _UNKNOWN))
    besides = (f" Besides, {words.plain(one.text)}" for one in found)
    what = "a link" if verdict.evidence.reference.identifiers.doi else "a DOI or a link"
    return (
        f"For {_name(verdict, first=False)}{f', {_quoted(title)},' if title else ''} no record was found{where}"
        f"{_dated(verdict, asked=True)}.{''.join(besides)}"
        f" Please send {what} under which the work can be seen."
    )


def _undecided(verdict: Verdict) -> str:
    """Ask for an identifier where there is none; an outage, or a record to compare, asks nothing of an author."""
    ids = verdict.evidence.reference.identifiers
    failed = any(lookup.outcome is Outcome.UNAVAILABLE for lookup in verdict.evidence.lookups)
    if failed or verdict.best or ids.doi or ids.url or ids.arxiv_id:
        return ""
    told = f"{_name(verdict)} could not be compared with a record; nothing follows from this for the reference."
    return f"{told} A DOI or a link under which the work can be seen would help."


def _flags(verdict: Verdict) -> Iterator[str]:
    for flag in verdict.flags:
        match flag:
            case Flag.DUPLICATE:
                repeated = words.repeated(verdict)
                yield f"{_name(verdict)} repeats reference {repeated} of the list. Please keep one of the two."
            case Flag.UNCITED:
                yield f"{_name(verdict)} was not seen to be cited in the text. Please check."
            case Flag.QUOTE:
                name = _name(verdict, first=False)
                told = quotations.sentences(verdict, name)
                yield from told or (f"A quotation tied to {name} was not found in its source as quoted.",)
                yield "Please check."
            case _:
                silent = ", which the citation does not say" if flag in (Flag.RETRACTED, Flag.WITHDRAWN) else ""
                work = f"the work cited as {_name(verdict, first=False)} {_FLAGS[flag]}"
                yield (
                    f"By the record{_from(verdict)}, {work}{silent}. Please check whether it should be cited as it is."
                )


def _name(verdict: Verdict, *, first: bool = True) -> str:
    return f"{'Reference' if first else 'reference'} {words.label(verdict)}"


def _record(verdict: Verdict) -> str:
    best = verdict.best
    if best is None:
        return f"the record{_dated(verdict)}"
    which = "this DOI" if "doi" in best.identifier_of else "this arXiv id" if "arxiv_id" in best.identifier_of else ""
    kind = f"the record of {which}" if which else "the record that was found"
    return f"{kind}{_from(verdict)}"


def _from(verdict: Verdict) -> str:
    if verdict.best is None:
        return _dated(verdict)
    source = verdict.best.work.source
    return f" in {trail.source_name(source, is_index=trail.is_index(verdict, source))}{_dated(verdict)}"


def _dated(verdict: Verdict, *, asked: bool = False) -> str:
    moment = trail.seen(verdict)
    return f" ({'asked' if asked else 'retrieved'} {moment:%Y-%m-%d})" if moment else ""


def _sources(lookups: Sequence[Lookup]) -> tuple[str, ...]:
    named = (trail.source_name(lookup.source, is_index=lookup.from_index) for lookup in lookups)
    return tuple(dict.fromkeys(named))


def _value(match: FieldMatch, value: str | None) -> str:
    name = field_label(match.field)
    if not value:
        return f"no {name}"
    if match.field is FieldName.AUTHORS and not _SEVERAL.search(value):
        name = name.removesuffix("s")
    quotes = match.field in (FieldName.TITLE, FieldName.CONTAINER_TITLE, FieldName.PUBLISHER)
    ahead = (
        f" (which {differences.AHEAD})"
        if differences.is_ahead(match) and match.found and value == match.claimed
        else ""
    )
    return f"the {name} {_quoted(value) if quotes else _short(value)}{ahead}"


def _quoted(text: str) -> str:
    return f"“{_short(text)}”"


def _short(text: str | None) -> str:
    return shorten(" ".join(visible(text or "").split()), _WIDTH)
