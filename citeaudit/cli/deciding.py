"""`citeaudit decide`: keep, show, take back and share what people have decided."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TextIO

from citeaudit import api
from citeaudit.cli.output import send
from citeaudit.decisions.saved import is_report, read_reports, rows
from citeaudit.decisions.store import Decisions, Store, dump
from citeaudit.errors import UsageError
from citeaudit.model import Decision, Flag, Reference, Ruling, Status
from citeaudit.settings import Settings, load
from citeaudit.text.visible import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A call of `decide` as the user wrote it."""

    source: str | None = None
    which: str | None = None
    ruling: str | None = None
    reason: str | None = None
    by: str | None = None
    record: str | None = None
    show: bool = False
    remove: str | None = None
    export: str | None = None
    take: str | None = None
    file: str | None = None
    config: str | None = None


class _Chosen(NamedTuple):
    """A reference that may be decided about."""

    names: tuple[str, ...]
    """Printed label, citation key."""
    number: int
    reference: Reference
    record: tuple[str, str] | None
    """Source and id of the record that a report shows beside it."""
    status: Status | None = None
    """As a report has it; `None` where no report was named."""
    flags: tuple[Flag, ...] = ()


def run(request: Request) -> int:
    """Do what the call asks for, and give the exit code.

    Raises:
        CiteauditError: The call or a setting is wrong, or the file cannot be read or written; nothing was changed.
    """
    flags = {"decisions": {"file": request.file}} if request.file else {}
    settings = load(config=Path(request.config) if request.config else None, flags=flags)
    asked = (request.source, request.show or None, request.remove, request.export, request.take)
    if sum(one is not None for one in asked) != 1:
        raise UsageError("name a file and a reference in it, or one of --list, --remove, --export and --import")
    if request.source is not None:
        return _decide(request.source, request, settings)
    held = api.decisions(settings)
    if request.show:
        _send(_shown(held), None)
    elif request.remove is not None:
        _remove(request.remove, request, held, settings)
    elif request.export is not None:
        _send((dump(held),), None if request.export == "-" else request.export)
    elif request.take is not None:
        _import(Path(request.take), held, settings)
    if held.damage:
        _say(held.damage)
    return 0


def parse_ruling(text: str | None) -> Ruling:
    """Read a ruling in either case, its words joined by blanks, hyphens or underscores.

    Raises:
        UsageError: It is none.
    """
    wanted = " ".join((text or "").replace("-", " ").replace("_", " ").lower().split())
    for ruling in Ruling:
        if ruling.value == wanted:
            return ruling
    raise UsageError(f"--ruling must be one of: {', '.join(ruling.value for ruling in Ruling)}")


def _decide(source: str, request: Request, settings: Settings) -> int:
    if not request.which:
        raise UsageError(f"say which reference of {source}: its label, citation key or number")
    ruling = parse_ruling(request.ruling)
    if not (request.reason or "").strip():
        raise UsageError("a decision needs a reason; give it with --reason")
    chosen = _choose(source, request.which)
    record = _record(request.record, chosen) if ruling is Ruling.WRONG_RECORD else None
    if request.record and record is None:
        raise UsageError("--record goes with the ruling 'wrong record' alone")
    kept = api.decide(chosen.reference, ruling, request.reason or "", by=request.by, record=record, settings=settings)
    sys.stdout.write(f"{kept.ruling.value}: {visible(kept.about)}\n")
    sys.stdout.write(f"kept as {kept.fingerprint} in {visible(str(settings.decisions_file))}\n")
    for sentence in _without_effect(chosen, ruling):
        _say(sentence)
    return 0


def _without_effect(chosen: _Chosen, ruling: Ruling) -> Iterator[str]:
    """Say what the ruling does not change of the verdict in the report; nothing where no verdict is known."""
    if ruling is Ruling.WRONG_RECORD:
        return
    if chosen.status is Status.VERIFIED:
        yield f"the reference is VERIFIED, so '{ruling.value}' has no effect while it is"
    if chosen.flags:
        named = ", ".join(sorted(flag.value for flag in chosen.flags))
        yield f"the reference is flagged {named}; a decision has no effect on that, and it is reported as before"


def _record(given: str | None, chosen: _Chosen) -> tuple[str, str]:
    source, _, name = (given or "").partition(":")
    if given and not (source and name):
        raise UsageError(f"--record must be SOURCE:ID, not {given!r}")
    if given:
        return source, name
    if chosen.record is None:
        raise UsageError("no record is reported for this reference; name the wrong one with --record SOURCE:ID")
    return chosen.record


def _choose(source: str, which: str) -> _Chosen:
    """Give the reference that a label, a key or else a number names.

    Raises:
        UsageError: None, or several.
        ExtractionError: The document cannot be read.
    """
    every = list(_of_report(source) if is_report(Path(source)) else _of_document(source))
    found = [one for one in every if which in one.names] or [one for one in every if which == str(one.number)]
    if not found:
        raise UsageError(f"{source}: has no reference {which!r} among {len(every)}; name its label, key or number")
    if len({one.reference for one in found}) > 1:
        raise UsageError(
            f"{source}: {which!r} names {len(found)} references; use a report on one document, or the number"
        )
    return found[0]


def _of_report(source: str) -> Iterator[_Chosen]:
    for _, row in rows(read_reports(Path(source))):
        names = (row.label,) if row.label else ()
        best = (row.best.source, row.best.source_id) if row.best else None
        yield _Chosen(names, row.index, row.reference(), best, row.verdict.status, row.verdict.flags)


def _of_document(source: str) -> Iterator[_Chosen]:
    for number, reference in enumerate(api.extract(source).references, 1):
        names = tuple(filter(None, (reference.locus.label, reference.locus.citekey)))
        yield _Chosen(names, number, reference, None)


def _shown(held: Decisions) -> Iterable[str]:
    for one in held:
        when = f"{one.decided_at:%Y-%m-%d}" if one.decided_at else ""
        records = ", ".join(f"{source}:{name}" for source, name in sorted(one.records))
        yield f"{visible('  '.join(filter(None, (one.fingerprint, one.ruling.value, records, when, one.by))))}\n"
        yield f"    {visible(one.about)}\n    {visible(one.reason)}\n"
    if not len(held):
        yield "nothing has been decided\n"


def _remove(start: str, request: Request, held: Decisions, settings: Settings) -> None:
    found = held.named(start)
    if len(found) != 1:
        many = "no decision" if not found else f"{len(found)} decisions"
        raise UsageError(f"{many} with the fingerprint {start!r}; citeaudit decide --list shows them")
    api.undecide(found[0], reason=request.reason, by=request.by, settings=settings)
    sys.stdout.write(f"taken back: {found[0].ruling.value}: {visible(found[0].about)}\n")


def _import(path: Path, held: Decisions, settings: Settings) -> None:
    if not path.is_file():
        raise UsageError(f"{path}: no such file of decisions; name one that --export has written")
    incoming = Store(path).read()
    new = [one for one in incoming if _is_news(one, held)]
    Store(settings.decisions_file).add(new)
    sys.stdout.write(f"{len(new)} of {len(incoming)} decisions taken over\n")
    if incoming.damage:
        _say(incoming.damage)


def _is_news(one: Decision, held: Decisions) -> bool:
    """Whether a decision is not among those held, nor older than the one held on its reference."""
    own = next(iter(held.named(one.fingerprint)), None)
    if own is None or own.decided_at is None or one.decided_at is None:
        return own is None
    return one.decided_at > own.decided_at or not one.records <= own.records


def _send(texts: Iterable[str], output: str | None) -> None:
    def write(stream: TextIO) -> None:
        stream.writelines(texts)

    send(write, output)


def _say(sentence: str) -> None:
    sys.stderr.write(f"citeaudit: {visible(sentence)}\n")
