"""One reference as HTML: a card where a person should look, a line where all is well."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter

from citeaudit.match.rules import RULES
from citeaudit.model import Alarm, FieldMatch, FieldName, Identifiers, Lookup, Relation, Status, Verdict
from citeaudit.report import differences, letters, quotations, trail, words
from citeaudit.report.links import resolvers
from citeaudit.report.markup import Markup, element, join
from citeaudit.report.suggestion import suggest
from citeaudit.text.visible import shorten, visible

_CLASSES = {
    Status.VERIFIED: "good",
    Status.MISMATCHED: "differs",
    Status.NOT_FOUND: "absent",
    Status.UNDECIDED: "open",
    Status.NOT_CHECKABLE: "open",
    Status.UNPARSED: "open",
}
"""Colours of `templates/report.css`; the words beside them say the same."""

_RAW_WIDTH = 4_000
_QUOTE_WIDTH = 600
_QUERY_WIDTH = 300
_WORD = re.compile(r"\w+|\W")
_LINE_END = re.compile(r"\r\n|\r|\n")
_MAX_WORDS = 300
"""Of one value, before two values are shown without marking what differs: comparing takes their product."""


def badge(status: Status, number: int = 1) -> Markup:
    """Give the verdict on so many references in words, in its colour."""
    told = words.counted(status, number).removeprefix(f"{number} ")
    return element("span", told, class_=f"badge {_CLASSES[status]}")


def card(verdict: Verdict, *, new: bool = False) -> Markup:
    """Give everything about a reference that is not simply verified.

    Args:
        verdict: The conclusion about it.
        new: Whether it has a finding that the baseline of the run has not.
    """
    best, moment = verdict.best, trail.seen(verdict)
    reference = verdict.evidence.reference
    return element(
        "article",
        element("h4", element("bdi", words.label(verdict)), badge(verdict.status), _badges(verdict, new=new)),
        element("p", element("bdi", words.short(reference)), class_="cited"),
        _fields(verdict),
        (_authors(match) for match in verdict.fields if match.relation is Relation.DIFFERENT),
        element("ul", (element("li", words.plain(reason.text)) for reason in verdict.reasons), class_="why"),
        _quotes(verdict),
        element(
            "p",
            f"Record in {best.work.source}{f', retrieved {words.when(moment)}' if moment else ''}: ",
            element("bdi", words.recorded(best.work)),
            links(best.work.identifiers),
        )
        if best
        else "",
        _actions(verdict),
        element("p", "Judge: ", verdict.evidence.opinion.text) if verdict.evidence.opinion else "",
        _printed(verdict),
        _answers(verdict),
        class_="card urgent" if verdict.alarm is Alarm.STRONG else "card",
    )


def line(verdict: Verdict) -> Markup:
    """Give a verified reference in one line, with who holds it."""
    record = verdict.best.work.identifiers if verdict.best else Identifiers()
    deviation, quotes = differences.noted(verdict), quotations.summary(verdict)
    return element(
        "li",
        element("strong", element("bdi", words.label(verdict))),
        " ",
        element("bdi", words.named(verdict)),
        " ",
        element("span", f"({words.answered(verdict, only_best=True)})", links(record), class_="quiet"),
        element("p", "Noted: ", element("bdi", deviation), class_="quiet") if deviation else "",
        element("p", element("bdi", quotes), class_="quiet") if quotes else "",
    )


def links(identifiers: Identifiers) -> Markup:
    """Give the identifiers of a record, linked to their registries where these resolve them."""
    return join(*(join(" ", anchor(text, url) if url else text) for text, url in resolvers(identifiers)))


def anchor(text: str, url: str) -> Markup:
    """Give a link that leaves the report and tells nobody where it came from."""
    return element("a", text, href=url, rel="noopener noreferrer", target="_blank")


def compare(claimed: str, found: str) -> tuple[Markup, Markup]:
    """Give two values with the words marked that the other does not have in that place.

    >>> compare("a new tale", "a tale")[0]
    'a <mark class="claimed">new </mark>tale'
    """
    old, new = _WORD.findall(claimed), _WORD.findall(found)
    if max(len(old), len(new)) > _MAX_WORDS:
        return join(claimed), join(found)
    left: list[str] = []
    right: list[str] = []
    for same, before, after in _runs(old, new):
        left.append(before if same or not before else element("mark", before, class_="claimed"))
        right.append(after if same or not after else element("mark", after, class_="found"))
    return join(left), join(right)


def _runs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[bool, str, str]]:
    """Give runs of words that both have, and runs that differ; a mere space between two that differ joins them."""
    codes = SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes()
    spans = [(tag == "equal", old[start:end], new[first:last]) for tag, start, end, first, last in codes]
    inner = range(1, len(spans) - 1)
    thin = {place for place in inner if spans[place][0] and not any(word[0].isalnum() for word in spans[place][1])}
    named = [(same and place not in thin, before, after) for place, (same, before, after) in enumerate(spans)]
    for same, group in groupby(named, key=itemgetter(0)):
        pairs = [("".join(before), "".join(after)) for _, before, after in group]
        yield same, "".join(before for before, _ in pairs), "".join(after for _, after in pairs)


def _badges(verdict: Verdict, *, new: bool) -> Iterator[Markup]:
    if new:
        yield element("span", "new", class_="badge review")
    if verdict.alarm is not Alarm.NONE:
        kind = "strong" if verdict.alarm is Alarm.STRONG else "review"
        yield element("span", words.ALARM_WORDS[verdict.alarm], class_=f"badge {kind}")
    for flag in verdict.flags:
        yield element("span", flag.value, class_="badge flag")


def _fields(verdict: Verdict) -> Markup:
    rows = [_field(match) for match in verdict.fields if match.relation is Relation.DIFFERENT]
    if not rows and not differences.noted(verdict):
        return join()
    rows += [_field(match) for match in verdict.fields if match.relation is Relation.VARIANT]
    head = element("tr", (element("th", name, scope="col") for name in ("field", "claimed", "found", "what differs")))
    return element("table", element("thead", head), element("tbody", rows), class_="fields")


def _field(match: FieldMatch) -> Markup:
    different = match.relation is Relation.DIFFERENT
    comparable = (
        different and match.claimed is not None and match.rule not in ("identifier_names_another", "identifier_unknown")
    )
    pair = (words.claimed(match), words.found(match))
    claimed, found = compare(*pair) if comparable else map(join, pair)
    rule = RULES.get(match.rule)
    close = differences.lines(match) if match.field is FieldName.TITLE else ()
    told = "; ".join(close or words.parts(match)) if different else words.RELATION_WORDS[match.relation]
    if differences.is_ahead(match):
        told = f"the year {differences.AHEAD}"
    how = told or (rule.description if rule else words.RELATION_WORDS[match.relation])
    return element(
        "tr",
        element("th", words.field(match), scope="row", data_label="field"),
        element("td", element("bdi", claimed), data_label="claimed"),
        element("td", element("bdi", found), data_label="found"),
        element("td", how, data_label="what differs"),
        class_=None if different else "variant",
    )


def _authors(match: FieldMatch) -> Markup:
    """Give the authors who differ as a table of their own; what differs is told in words."""
    rows = differences.author_rows(match)
    if not rows:
        return join()
    names = ("author", "claimed", "found", "what differs")
    head = element("tr", (element("th", name, scope="col") for name in names))
    told = (
        element(
            "tr",
            element("th", row.place, scope="row", data_label=names[0]),
            element("td", element("bdi", row.claimed), data_label=names[1]),
            element("td", element("bdi", row.found), data_label=names[2]),
            element("td", row.says, data_label=names[3]),
        )
        for row in rows[: differences.MAX_LINES]
    )
    rest = len(rows) - differences.MAX_LINES
    more = element("p", f"and {rest} more", class_="quiet") if rest > 0 else ""
    return join(element("table", element("thead", head), element("tbody", told), class_="fields authors"), more)


def _actions(verdict: Verdict) -> Markup:
    """Give what can be copied: a sentence for a letter, and the reference as it would agree with the record."""
    letter, told = letters.sentence(verdict), suggest(verdict)
    parts: list[Markup] = []
    if letter:
        parts.append(element("p", element("strong", "For a letter: "), element("bdi", letter), class_="letter"))
    if told and told.plain and told.bibtex:
        # Line by line, since hidden characters, line ends among them, are written out in foreign text.
        lines = (join(line, Markup("\n")) for line in _LINE_END.split(told.bibtex.rstrip("\r\n")))
        parts.append(
            element(
                "details",
                element("summary", "As it would agree with the record"),
                element("p", element("bdi", told.plain), class_="printed"),
                element("pre", lines, class_="printed"),
            )
        )
    parts += [element("p", "Needed: ", one) for one in (told.needed if told else ())]
    return join(parts)


def _quotes(verdict: Verdict) -> Markup:
    told = quotations.summary(verdict)
    return join(
        element("p", "Quotations: ", element("bdi", told)) if told else "",
        *(
            element(
                "p",
                f"Quotation, {check.status}: ",
                element("q", shorten(visible(check.text), _QUOTE_WIDTH)),
                element("bdi", f" ({found})") if found else "",
            )
            for check, found in quotations.problems(verdict)
        ),
    )


def _printed(verdict: Verdict) -> Markup:
    raw = shorten(visible(verdict.evidence.reference.raw), _RAW_WIDTH)
    place = words.where(verdict.evidence.reference.locus)
    return element(
        "details",
        element("summary", f"As it stands in the document{f', {place}' if place else ''}"),
        element("p", element("bdi", raw), class_="printed"),
    )


def _answers(verdict: Verdict) -> Markup:
    lookups = verdict.evidence.lookups
    asked = f"; {words.when(max(one.retrieved_at for one in lookups))}" if lookups else ""
    again = any(map(trail.repeat, lookups))
    names = ("source", "asked by", "answer", "when", *(("again",) if again else ()))
    head = element("tr", (element("th", name, scope="col") for name in names))
    rows = [_answer(one, again=again) for one in lookups]
    return element(
        "details",
        element("summary", f"Answers ({words.answered(verdict)}{asked})"),
        element("table", element("thead", head), element("tbody", rows)) if lookups else "",
    )


def _answer(lookup: Lookup, *, again: bool) -> Markup:
    told = words.OUTCOME_WORDS[lookup.outcome]
    why = lookup.failure.message if lookup.failure else lookup.reason
    again_by = trail.repeat(lookup)
    way: Markup = join()
    if again_by is not None:
        way = anchor("ask again", again_by.url) if again_by.url else element("code", again_by.text)
    remembered = ", remembered" if lookup.from_cache else ""
    return element(
        "tr",
        element("th", lookup.source, scope="row", data_label="source"),
        element(
            "td",
            f"{words.kind(lookup.query.kind)}: ",
            element("bdi", shorten(visible(lookup.query.text), _QUERY_WIDTH)),
            data_label="asked by",
        ),
        element("td", f"{told}: {why}" if why else told, data_label="answer"),
        element("td", f"{words.when(lookup.retrieved_at)}{remembered}", data_label="when"),
        element("td", way, data_label="again") if again else "",
    )
