"""The table on the terminal: the summary first, then what needs a person, then the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from citeaudit.model import Alarm, Audit, Status, Unreadable, Verdict
from citeaudit.report import differences, letters, quotations, tally, trail, words
from citeaudit.report.groups import needs_look, split
from citeaudit.report.suggestion import suggest
from citeaudit.text.visible import shorten, visible

NARROWEST = 72
"""Fewer columns are not used, even if the terminal then wraps lines."""
WIDE = 110
"""Columns from which the table also says who answered; the JSON report says it always."""
PIPED_WIDTH = 120
"""Columns where the output is not a terminal."""

_LABEL_WIDTH = 18
"""Most columns that a label or citation key takes in the tables; longer ones, such as addresses, are folded."""
_ANSWERED_WIDTH = 40
_NAME_WIDTH = 13
_QUOTE_WIDTH = 160
_REPEATS = 2
"""Questions that are told with a reference; the other reports tell more."""

_COLOURS = {
    Status.VERIFIED: "green",
    Status.MISMATCHED: "yellow",
    Status.NOT_FOUND: "red",
    Status.UNDECIDED: "cyan",
    Status.NOT_CHECKABLE: "blue",
    Status.UNPARSED: "magenta",
}


class TableReporter:
    """Writes what a person reads on a terminal; without colours where the stream is none."""

    format = "table"
    suffix = ".txt"

    def write(self, results: Sequence[Audit | Unreadable], stream: TextIO) -> None:
        """Write one block a document, and a line over all where there are several."""
        width = width_of(stream)
        console = Console(file=stream, width=width, highlight=False, soft_wrap=False, emoji=False)
        for result in results:
            told = _unreadable(result) if isinstance(result, Unreadable) else _audit(result, wide=width >= WIDE)
            console.print(told)
        if len(results) > 1:
            console.print(_total(results))


def width_of(stream: TextIO) -> int:
    """Give the columns to fill: those of the terminal, though never too few to read by; a fixed number elsewhere."""
    return max(Console(file=stream).width, NARROWEST) if stream.isatty() else PIPED_WIDTH


def _audit(audit: Audit, *, wide: bool) -> Group:
    groups = split(audit.verdicts)
    parts: list[Table | Text] = [_summary(audit)]
    titled = (
        ("To look at", groups.attention),
        ("Not decided", groups.undecided),
        ("Decided by a person", groups.settled),
    )
    for title, group in titled:
        parts += [Text(), _table(title, group, audit, wide=wide)] if group else []
    parts += list(_evidence((*groups.attention, *groups.undecided)))
    if groups.verified:
        parts += [Text(), _verified(groups.verified)]
    return Group(*parts)


def _summary(audit: Audit) -> Text:
    text = Text()
    text.append(visible(audit.document.path), style="bold")
    text.append(f"\n  {words.reading(audit)}\n  ")
    counts = [(words.counted(status, number), _COLOURS[status]) for status, number in tally.by_status(audit)]
    counts += [(told, "green") for told in tally.decided_words(audit)]
    for place, (told, colour) in enumerate(counts):
        text.append(", " if place else "")
        text.append(told, style=colour)
    for flag, number in audit.flags.items():
        text.append(f", {number} {flag}", style="bold yellow")
    text.append(f"\n  asked: {words.asked(audit)}; preset {words.preset(audit)}")
    cited = words.citing(audit.self_check, words.uncited(audit))
    text_side = (*words.uncounted(audit), *cited, *quotations.checked(audit), *words.quoted(audit))
    for line in (*text_side, *(f"assumed: {one}" for one in audit.assumptions), *audit.notes):
        text.append(f"\n  {visible(line)}", style="dim")
    for block in audit.failed:
        line = words.where(block.locus)
        text.append(f"\n  could not be read{f', {line}' if line else ''}: {visible(block.message)}", style="magenta")
    return text


def _table(title: str, verdicts: Iterable[Verdict], audit: Audit, *, wide: bool) -> Table:
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left", title_style="bold", expand=True, padding=(0, 1))
    table.add_column("#", max_width=_LABEL_WIDTH, overflow="fold")
    table.add_column("verdict", width=14)
    table.add_column("reference", ratio=4)
    table.add_column("what disagrees (claimed -> found)", ratio=5)
    if wide:
        table.add_column("who answered", ratio=3)
    for verdict in verdicts:
        told = "\n".join((*words.disagreements(verdict, apart="\n  "), *words.notes(verdict))) or "nothing"
        answered = "\n".join(words.answers(verdict))
        cells = (words.short(verdict.evidence.reference), told, *((answered,) if wide else ()))
        table.add_row(escape(words.label(verdict)), _status(verdict, audit), *map(escape, cells))
    return table


def _evidence(verdicts: Sequence[Verdict]) -> Iterator[Text | Table]:
    """Give, for each reference, where its record is, when it was read, how to ask again, and what can be done."""
    told = [(verdict, rows) for verdict in verdicts if (rows := list(_told(verdict)))]
    if told:
        yield Text("\nEvidence", style="bold")
    for verdict, rows in told:
        yield Text(f" {words.label(verdict)}", style="bold")
        table = Table.grid(padding=(0, 1), pad_edge=True, expand=True)
        table.add_column("what", width=_NAME_WIDTH, style="dim")
        table.add_column("told", ratio=1, overflow="fold")
        for name, value in rows:
            table.add_row(name, escape(value))
        yield table


def _told(verdict: Verdict) -> Iterator[tuple[str, str]]:
    moment, link = trail.seen(verdict), trail.address(verdict)
    if verdict.best:
        yield "record", words.recorded(verdict.best.work)
        yield "held by", visible(verdict.best.work.source)
    if link:
        yield "link", link
    if moment:
        yield "retrieved" if verdict.best else "asked", words.when(moment)
    repeats = trail.repeats(verdict)
    yield from (("ask again", one.text) for one in repeats[:_REPEATS])
    if len(repeats) > _REPEATS:
        yield "", f"and {len(repeats) - _REPEATS} more"
    if quotes := quotations.summary(verdict):
        yield "quotes", quotes
    for check, found in quotations.problems(verdict):
        said = f'{check.status}: "{shorten(visible(check.text), _QUOTE_WIDTH)}"'
        yield "quotation", f"{said}; {found}" if found else said
    told = suggest(verdict)
    if told and told.plain:
        yield "suggested", visible(told.plain)
    for needed in told.needed if told else ():
        yield "needed", visible(needed)
    letter = letters.sentence(verdict) if needs_look(verdict) else ""
    if letter:
        yield "for a letter", letter


def _status(verdict: Verdict, audit: Audit) -> Text:
    text = Text(verdict.status.value, style=_COLOURS[verdict.status])
    if verdict.alarm is Alarm.STRONG:
        text.append("\nSTRONG", style="bold red")
    if tally.is_new(verdict, audit):
        text.append("\nnew", style="bold")
    return text


def _verified(verdicts: Sequence[Verdict]) -> Table:
    rows = [(words.label(one), words.named(one), words.answered(one, only_best=True)) for one in verdicts]
    table = Table(box=None, title="Verified", title_justify="left", title_style="bold", show_header=False, expand=True)
    table.add_column("#", width=min(_LABEL_WIDTH, max(len(row[0]) for row in rows)), no_wrap=True)
    table.add_column("reference", overflow="ellipsis", no_wrap=True, ratio=1)
    table.add_column("who answered", width=min(_ANSWERED_WIDTH, max(len(row[2]) for row in rows)), no_wrap=True)
    for one, row in zip(verdicts, rows, strict=True):
        table.add_row(*(escape(cell) for cell in row))
        if deviation := differences.noted(one):
            table.add_row("", escape(f"  noted: {deviation}"), "", style="dim")
        if quotes := quotations.summary(one):
            table.add_row("", escape(f"  {quotes}"), "", style="dim")
    return table


def _unreadable(result: Unreadable) -> Text:
    text = Text(visible(result.path), style="bold")
    text.append(f"\n  {visible(result.message)}\n", style="red")
    return text


def _total(results: Sequence[Audit | Unreadable]) -> Text:
    audits = [result for result in results if isinstance(result, Audit)]
    read = sum(len(audit.verdicts) for audit in audits)
    look = sum(needs_look(verdict) for audit in audits for verdict in audit.verdicts)
    lost = len(results) - len(audits)
    text = Text(f"{len(results)} documents, {words.numbered(read, 'reference')}, {look} to look at", style="bold")
    if lost:
        text.append(f"; {words.numbered(lost, 'document')} could not be read", style="red")
    return text
