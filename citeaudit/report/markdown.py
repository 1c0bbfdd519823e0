"""The Markdown report: what an editor can forward, paste into a letter or an issue.

Foreign text is escaped so that it reads the same in CommonMark and GitHub's dialect and is never markup. It always
stands after text of ours on its line, never at the beginning, where `#`, `-`, `+` or `1.` would mean something; for the
same reason parentheses stay as they are (a link needs an unescaped bracket before them, and a backslash before a
parenthesis is mathematics in some dialects).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from citeaudit.model import Audit, Identifiers, Relation, Status, Unreadable, Verdict
from citeaudit.report import differences, letters, quotations, tally, trail, words
from citeaudit.report.groups import columns, split
from citeaudit.report.links import resolvers
from citeaudit.report.suggestion import suggest
from citeaudit.text.visible import shorten, visible

_ACTIVE = re.compile(r"[\\`*_{}\[\]<>|~&!#$^@=]|(?<=www)\.|:(?=//)|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
"""Characters that can begin markup, an entity, a table cell, or an address that GitHub links by itself."""

_RAW_WIDTH = 600
_TICKS = re.compile(r"`+")
_MANY = 6
"""Questions that are told with a finding."""


class MarkdownReporter:
    """Writes one section a document; the summary first, then what needs a person, then the rest."""

    format = "markdown"
    suffix = ".md"

    def write(self, results: Sequence[Audit | Unreadable], stream: TextIO) -> None:
        """Write the report, an overview of the documents first where there is more than one."""
        blocks = ["# Report on references", *_overview(results)]
        for result in results:
            blocks += _unreadable(result) if isinstance(result, Unreadable) else _audit(result)
        stream.write("\n\n".join(blocks) + "\n")


def escape(text: str) -> str:
    r"""Give foreign text as Markdown that shows it on one line and does nothing else.

    >>> escape("[x](javascript:1) a|b")
    '\\[x\\](javascript:1) a\\|b'
    """
    return _ACTIVE.sub(r"\\\g<0>", " ".join(visible(text).split()))


def _overview(results: Sequence[Audit | Unreadable]) -> Iterator[str]:
    if not results:
        yield "No documents."
    if len(results) < 2:  # noqa: PLR2004  # one document needs no overview
        return
    split_up = [None if isinstance(result, Unreadable) else split(result.verdicts) for result in results]
    names = columns(filter(None, split_up))
    rows: list[tuple[str, ...]] = []
    for result, groups in zip(results, split_up, strict=True):
        if groups is None or isinstance(result, Unreadable):
            lost = result.path if isinstance(result, Unreadable) else result.document.path
            rows.append((escape(lost), "could not be read", *[""] * (len(names) - 1)))
            continue
        rows.append((escape(result.document.path), *(str(len(groups.named(name))) for name in names)))
    yield _table(("document", *names), rows)


def _unreadable(result: Unreadable) -> Iterator[str]:
    yield f"## Document {escape(result.path)}"
    yield f"Could not be read: {escape(result.message)}"


def _audit(audit: Audit) -> Iterator[str]:
    groups = split(audit.verdicts)
    yield f"## Document {escape(audit.document.path)}"
    yield _list(_summary(audit))
    if groups.attention:
        yield f"### To look at ({len(groups.attention)})"
        for one in groups.attention:
            yield from _finding(one, new=tally.is_new(one, audit))
    if groups.undecided:
        yield f"### Not decided ({len(groups.undecided)})"
        yield _list(_undecided(one, new=tally.is_new(one, audit)) for one in groups.undecided)
    if groups.settled:
        yield f"### Decided by a person ({len(groups.settled)})"
        yield _list(map(_settled, groups.settled))
    if groups.verified:
        yield f"### Verified ({len(groups.verified)})"
        yield _list(map(_verified, groups.verified))
    yield _made(audit)


def _summary(audit: Audit) -> Iterator[str]:
    yield f"Read: {escape(words.reading(audit))}"
    yield from (f"Text: {escape(line)}" for line in words.citing(audit.self_check, words.uncited(audit)))
    yield from (f"Quotations: {line}" for line in (*quotations.checked(audit), *words.quoted(audit)))
    counts = [words.counted(status, number) for status, number in tally.by_status(audit)]
    counts += tally.decided_words(audit)
    flags = [f"{number} {flag}" for flag, number in audit.flags.items()]
    yield f"Result: {', '.join((*counts, *flags)) or 'no references'}"
    yield from (f"Counting: {escape(line)}" for line in words.uncounted(audit))
    yield f"Asked: {escape(words.asked(audit))}"
    yield from (f"Assumed: {escape(one)}" for one in audit.assumptions)
    yield from (f"Noticed: {escape(note)}" for note in audit.notes)
    for block in audit.failed:
        place = words.where(block.locus)
        told = f"Could not be read{f', {place}' if place else ''}: {escape(block.message)}"
        yield f"{told} (printed: {escape(shorten(visible(block.raw), _RAW_WIDTH))})"


def _head(verdict: Verdict) -> str:
    return f"**{escape(words.label(verdict))}**: {escape(words.named(verdict))}"


def _finding(verdict: Verdict, *, new: bool) -> Iterator[str]:
    alarm = words.ALARM_WORDS[verdict.alarm]
    marked = " (new)" if new else ""
    yield f"#### Reference {escape(words.label(verdict))}: {words.STATUS_WORDS[verdict.status]}{marked}"
    yield f"Cited: {escape(words.short(verdict.evidence.reference))}"
    different = [match for match in verdict.fields if match.relation is Relation.DIFFERENT]
    if different:
        rows = [(words.field(one), escape(words.claimed(one)), escape(words.found(one))) for one in different]
        yield _table(("field", "claimed", "found"), rows)
    lines = [f"Attention: {alarm}"] if alarm else []
    lines += [f"Differs: {escape(part)}" for one in different for part in differences.lines(one) or words.parts(one)]
    lines += [f"Note: {escape(line)}" for line in words.notes(verdict)]
    if verdict.best:
        record = verdict.best.work
        lines.append(f"Record in {escape(record.source)}: {escape(words.recorded(record))}{_links(record.identifiers)}")
    lines += _quotes(verdict)
    lines.append(f"Answers: {escape(words.answered(verdict))}")
    lines += _trail(verdict)
    if verdict.status is Status.UNPARSED or not verdict.evidence.reference.title:
        lines.append(f"Printed: {escape(shorten(visible(verdict.evidence.reference.raw), _RAW_WIDTH))}")
    yield _list(lines)
    yield from _actions(verdict)


def _trail(verdict: Verdict) -> Iterator[str]:
    """Say when the record was read, and how the questions can be asked again."""
    moment = trail.seen(verdict)
    if verdict.best and moment:
        yield f"Retrieved: {words.when(moment)}"
    repeats = trail.repeats(verdict)
    for one in repeats[:_MANY]:
        told = f"[{escape(one.source)}]({one.url})" if one.url else f"{escape(one.source)}: {_code(one.text)}"
        yield f"Ask again: {told} (asked {words.when(one.at)})"
    if len(repeats) > _MANY:
        yield f"Ask again: and {len(repeats) - _MANY} more"


def _actions(verdict: Verdict) -> Iterator[str]:
    """Give the blocks that can be copied: a sentence for a letter, and the entry as it would agree with the record."""
    letter = letters.sentence(verdict)
    if letter:
        yield f"For a letter:\n\n> {escape(letter)}"
    told = suggest(verdict)
    if told is None:
        return
    if told.bibtex and told.plain:
        yield f"As it would agree with the record:\n\n> Suggested: {escape(told.plain)}"
        yield _fenced(told.bibtex)
    if told.needed:
        yield _list(f"Needed: {escape(one)}" for one in told.needed)


def _code(text: str) -> str:
    """Give text as a span of code that shows it as it stands; more backticks around than within."""
    shown = " ".join(visible(text).split())
    ticks = "`" * (max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    return f"{ticks} {shown} {ticks}" if "`" in shown else f"`{shown}`"


def _fenced(text: str) -> str:
    """Give a block of code that nothing within can end."""
    shown = "\n".join(visible(line) for line in re.split(r"\r\n|\r|\n", text.rstrip("\r\n")))
    ticks = "`" * max(3, max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    return f"{ticks}bibtex\n{shown}\n{ticks}"


def _quotes(verdict: Verdict) -> Iterator[str]:
    told = quotations.summary(verdict)
    if told:
        yield f"Quotations: {escape(told)}"
    for check, found in quotations.problems(verdict):
        more = f" ({escape(found)})" if found else ""
        yield f"Quotation, {check.status}: {escape(shorten(visible(check.text), _RAW_WIDTH))}{more}"


def _settled(verdict: Verdict) -> str:
    told = (*words.disagreements(verdict), *words.notes(verdict))
    lines = [f"{words.STATUS_WORDS[verdict.status]}: {escape('; '.join(told))}", *_trail(verdict)]
    return "\n  - ".join((_head(verdict), *lines))


def _verified(verdict: Verdict) -> str:
    deviation = differences.noted(verdict)
    told = f"; noted: {escape(deviation)}" if deviation else ""
    quotes = quotations.summary(verdict)
    told += f"; {escape(quotes)}" if quotes else ""
    return f"{_head(verdict)} ({escape(words.answered(verdict, only_best=True))}{told})"


def _undecided(verdict: Verdict, *, new: bool) -> str:
    told = "; ".join((*words.disagreements(verdict), *words.notes(verdict)))
    marked = " (new)" if new else ""
    lines = [f"{words.STATUS_WORDS[verdict.status]}{marked}: {escape(told)}", *_trail(verdict)]
    letter = letters.sentence(verdict)
    lines += [f"For a letter: {escape(letter)}"] if letter else []
    return "\n  - ".join((_head(verdict), *lines))


def _links(identifiers: Identifiers) -> str:
    told = [f"[{escape(text)}]({url})" if url else escape(text) for text, url in resolvers(identifiers)]
    return "".join(f" {one}" for one in told)


def _made(audit: Audit) -> str:
    indexes = words.indexes(audit)
    return (
        f"Made {words.when(audit.finished_at)} with {escape(words.made_with(audit))}; "
        f"preset {escape(words.preset(audit))}; "
        f"settings {escape(audit.settings_hash)}. "
        f"{f'Indexes: {escape(indexes)}. ' if indexes else ''}"
        "This report says what was asked and what came back; people judge."
    )


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *rows))
