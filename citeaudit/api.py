"""The one way through: every front end calls `audit` or `audit_all` of this module.

`check` and `extract` are their doors for scripts without an event loop. `check_quotes` and `ground` look for words in
documents that are at hand.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

import anyio
from anyio import to_thread

from citeaudit import policy, registry
from citeaudit.agents.model import open_model, versions
from citeaudit.agents.toolbox import Event, Toolbox, ignore
from citeaudit.decisions.baseline import Baseline, Compared
from citeaudit.decisions.fingerprint import fingerprint, why_not
from citeaudit.decisions.store import Decisions, Store
from citeaudit.errors import ConfigError, ExtractionError, UnreadableDocumentError, UsageError
from citeaudit.extract import reader
from citeaudit.index.manifest import MANIFEST, installed, is_there
from citeaudit.index.memory import Memory
from citeaudit.index.starter import open_starter
from citeaudit.match.queries import queries
from citeaudit.match.rules import unknown_rules
from citeaudit.model import (
    Audit,
    Decision,
    Document,
    Extraction,
    Outcome,
    Query,
    QueryKind,
    Reference,
    Ruling,
    SourceHealth,
    Unreadable,
    Verdict,
)
from citeaudit.quotes import answers
from citeaudit.quotes import ground as grounding
from citeaudit.quotes.library import check_folder
from citeaudit.report.exits import findings
from citeaudit.settings import INSTALLED, STARTER, Settings, addresses, load, shipped_sources
from citeaudit.version import SCHEMA_VERSION, __version__

if TYPE_CHECKING:
    from citeaudit.seams import Index, Judge, Source

_T = TypeVar("_T")

Tell = Callable[[Event], None]
"""Hears about progress."""

check_quotes = answers.check_quotes
"""Check whether documents say what is quoted from them: rows by answers and documents."""
ground = grounding.ground
"""Find the words that a model's response cites: rows by response and documents."""

_ANSWERED = frozenset({Outcome.FOUND, Outcome.NO_MATCH, Outcome.AMBIGUOUS})


def check(path: str | Path, *, settings: Settings | None = None, tell: Tell = ignore, **flags: object) -> Audit:
    """Audit one document and wait for the result.

    Args:
        path: A document; `-` reads standard input.
        settings: All settings; `None` loads them as the command line does.
        tell: Called with each step of progress.
        flags: Single settings, as `Settings` names them (`offline=True`, `preset="strict"`); only without `settings`.

    Raises:
        ExtractionError: The document cannot be read.
        ConfigError: A setting is wrong.
        IndexBuildError: A folder given as an index is none.
        UsageError: Both `settings` and single settings were given.
    """
    chosen = _settings(settings, flags)
    return wait(partial(audit, path, settings=chosen, tell=tell))


def wait(work: Callable[[], Awaitable[_T]]) -> _T:
    """Run asynchronous work to its end and give its result.

    The result travels beside the event loop: asyncio formats a finished task with its whole result when it puts the
    signal handler back, which took a second for 5,000 references.
    """
    results: list[_T] = []

    async def run() -> None:
        results.append(await work())

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        anyio.run(run)
    else:  # a notebook has a loop of its own in this thread
        with ThreadPoolExecutor(1) as pool:
            pool.submit(anyio.run, run).result()
    return results[0]


async def audit(path: str | Path, *, settings: Settings | None = None, tell: Tell = ignore, **flags: object) -> Audit:
    """Audit one document; arguments and errors are those of `check`."""
    chosen = _settings(settings, flags)
    async with _toolbox(chosen, tell) as tools:
        return await _audit(str(path), tools)


async def audit_all(
    paths: Iterable[str],
    *,
    settings: Settings | None = None,
    tell: Tell = ignore,
    done: Callable[[Audit | Unreadable], None] | None = None,
) -> tuple[Audit | Unreadable, ...]:
    """Audit documents one after the other; one that cannot be read costs only its own result.

    Args:
        paths: Files, folders (searched for documents) and `-`.
        settings: All settings; `None` loads them as the command line does.
        tell: Called with each step of progress.
        done: Called with each result as soon as it is there, so that an interrupted run loses none.

    Returns:
        One result a document, in the order in which `paths` names them.

    Raises:
        ConfigError: A setting is wrong.
        IndexBuildError: A folder given as an index is none.
        UsageError: Nothing to read was named.
    """
    chosen = settings or load()
    documents = reader.find(paths)
    results: list[Audit | Unreadable] = []
    async with _toolbox(chosen, tell) as tools:
        for document in documents:
            try:
                result: Audit | Unreadable = await _audit(document, tools)
            except ExtractionError as error:
                result = Unreadable(path=document, message=error.message)
            results.append(result)
            if done is not None:
                done(result)
    return tuple(results)


def extract(path: str | Path, *, ocr: str | None = None) -> Extraction:
    """Read the references of one document without looking anything up.

    Args:
        path: A document; `-` reads standard input.
        ocr: Languages in which pages without text are read from their images; see `Settings.ocr`.

    Raises:
        ExtractionError: The document cannot be read.
        DependencyError: Recognition was asked for and needed, but Tesseract's data is not installed.
    """
    with _file(str(path)) as file:
        return reader.read(file, ocr=ocr).model_copy(update={"path": str(path)})


def extract_all(
    paths: Iterable[str],
    *,
    ocr: str | None = None,
    tell: Tell = ignore,
    done: Callable[[Extraction | Unreadable], None] | None = None,
) -> tuple[Extraction | Unreadable, ...]:
    """Read the references of documents, one result each; see `audit_all`.

    Args:
        paths: Files, folders (searched for documents) and `-`.
        ocr: As `extract`.
        tell: Called before each document is read.
        done: Called with each result as soon as it is there, so that an interrupted run loses none.

    Raises:
        UsageError: Nothing to read was named.
        DependencyError: As `extract`.
    """
    results: list[Extraction | Unreadable] = []
    for document in reader.find(paths):
        tell(Event("extractor", "reading", document=document))
        try:
            result: Extraction | Unreadable = extract(document, ocr=ocr)
        except ExtractionError as error:
            result = Unreadable(path=document, message=error.message)
        results.append(result)
        if done is not None:
            done(result)
    return tuple(results)


class Outgoing(NamedTuple):
    """One question that would leave the machine."""

    source: str
    address: str
    query: Query


def explain(path: str | Path, *, settings: Settings | None = None) -> tuple[Outgoing, ...]:
    """List what would be sent about a document at most: to every service, if nothing were known here.

    Nothing is sent. What an index or the memory knows, and what an earlier service settles, is not asked in a run.

    Raises:
        ExtractionError: The document cannot be read.
        ConfigError: A setting is wrong.
    """
    chosen = settings or load()
    rows = shipped_sources()
    return tuple(
        Outgoing(source.name, chosen.sources[source.name].base_url or "", query)
        for reference in extract(path, ocr=chosen.ocr).references
        for source in (() if chosen.offline else make_sources(chosen))
        for query in queries(reference)
        if query.kind in rows[source.name]["asks"]
        and (query.kind is not QueryKind.DOI or query.text.startswith(rows[source.name].get("doi_prefix", "")))
    )


def decide(
    reference: Reference,
    ruling: Ruling,
    reason: str,
    *,
    by: str | None = None,
    record: tuple[str, str] | None = None,
    settings: Settings | None = None,
) -> Decision:
    """Keep what a person has decided about a reference, for every later run that meets it.

    Args:
        reference: As it was read: `verdict.evidence.reference`.
        ruling: What was decided; see `Ruling` and docs/decisions-by-people.md.
        reason: Why, in the person's own words; never empty.
        by: Who decided, as they wish to be named.
        record: With WRONG_RECORD: source and id of the record that is another work (`verdict.best.work`).
        settings: Which file (`decisions.file`); `None` loads them as the command line does.

    Returns:
        The decision, as it is now in the file.

    Raises:
        UsageError: No reason, a reference that says too little to be told from others, or a record without
            WRONG_RECORD and the other way round.
        ConfigError: A setting is wrong, or the file cannot be written.
    """
    lacking = why_not(reference)
    mark = fingerprint(reference)
    if lacking or mark is None:
        raise UsageError(f"nothing can be decided about this reference: {lacking}")
    if not reason.strip():
        raise UsageError("a decision needs a reason; say in a few words why")
    if (record is not None) != (ruling is Ruling.WRONG_RECORD):
        raise UsageError("a record is named if and only if the ruling is 'wrong record'; name it by source and id")
    decision = Decision(
        fingerprint=mark,
        ruling=ruling,
        reason=reason.strip(),
        by=by,
        decided_at=now(),
        record=record,
        about=_about(reference),
    )
    Store((settings or load()).decisions_file).add([decision])
    return decision


def decisions(settings: Settings | None = None) -> Decisions:
    """Give what people have decided, oldest first; `damage` is a sentence where lines of the file cannot be read.

    Raises:
        ConfigError: A setting is wrong, or the file is there and cannot be read.
    """
    return Store((settings or load()).decisions_file).read()


def undecide(
    decision: Decision, *, reason: str | None = None, by: str | None = None, settings: Settings | None = None
) -> None:
    """Take a decision back; that it was made stays in the file.

    Raises:
        ConfigError: A setting is wrong, or the file cannot be written.
    """
    why = (reason or "").strip() or "taken back"
    Store((settings or load()).decisions_file).remove(decision, reason=why, at=now(), by=by)


def compare(
    results: Iterable[Audit | Unreadable], baseline: Baseline
) -> tuple[tuple[Audit | Unreadable, ...], Compared]:
    """Put the findings of a run beside those of an earlier report; `decisions.baseline.read_baseline` reads one.

    Returns:
        The results, each audit with a sentence on what came of it and which references have a new finding
        (`Audit.compared`, `Audit.new`), and the findings of all of them.
    """
    held = tuple(results)
    audits = [result for result in held if isinstance(result, Audit)]
    whole = baseline.compare([one for audit in audits for one in findings(audit, baseline.counted)], held)

    def told(audit: Audit) -> Audit:
        own = whole
        if len(audits) > 1:  # what is left of a finding is known of all documents together alone
            own = baseline.compare(findings(audit, baseline.counted))._replace(gone=(), unjudged=())
        new = tuple(one.evidence.index for one in own.new)
        return audit.model_copy(update={"compared": own.sentence(baseline.name), "new": new})

    return tuple(told(one) if isinstance(one, Audit) else one for one in held), whole


def _about(reference: Reference) -> str:
    """Give a reference in a line that a person recognises."""
    names = [person.literal or person.family or "" for person in reference.authors or reference.editors]
    head = ", ".join(filter(None, names[:3])) + (" et al" if len(names) > 3 else "")  # noqa: PLR2004 - as shown
    return ". ".join(filter(None, (head, str(reference.year or ""), reference.title or reference.raw)))[:300]


async def judge_extraction(extraction: Extraction, tools: Toolbox) -> tuple[Verdict, ...]:
    """Send references that have been read already through the pipeline; the way of `audit` from there on."""
    from citeaudit.agents import pipeline  # langchain costs start-up time that `--help` must not pay

    return await pipeline.run(extraction, tools)


def open_indexes(settings: Settings) -> tuple[Index, ...]:
    """Open the offline indexes that the settings name; `installed` stands for all that lie in the data directory.

    Raises:
        IndexBuildError: A folder is not an index.
        ConfigError: No such back end.
    """
    from citeaudit.index.asking.engine import open_index

    complete = settings.assume_complete
    names = index_names(settings)
    indexes = tuple(
        open_starter(complete=complete) if name == STARTER else open_index(name, complete=complete) for name in names
    )
    _tell_apart(index for name, index in zip(names, indexes, strict=True) if name != STARTER)
    return indexes


def _tell_apart(indexes: Iterable[Index]) -> None:
    """Name an index that is called like a service, the starter or another index `NAME (index)`, `NAME (index 2)`."""
    taken = {STARTER, *(name.casefold() for name in registry.names("source"))}
    for index in indexes:
        own = index.name
        others = (f"{own} (index {number})" for number in count(2))
        index.name = next(name for name in chain((own, f"{own} (index)"), others) if name.casefold() not in taken)
        taken.add(index.name.casefold())


def index_names(settings: Settings) -> tuple[str, ...]:
    """Give what the settings name as indexes, each once: folders, `starter`, addresses of back ends.

    A bare name that is no folder here is one in the data directory; what is being built there for the first time is
    no index yet.
    """
    names: list[str] = []
    for name in settings.indexes:
        if name == INSTALLED:
            names.extend(map(str, installed(settings.index_folder)))
        elif name != STARTER and not is_there(Path(name)) and is_there(settings.index_folder / name / MANIFEST):
            names.append(str(settings.index_folder / name))
        else:
            names.append(name)
    return tuple(dict.fromkeys(names))


async def _audit(path: str, tools: Toolbox) -> Audit:
    started = tools.clock()
    heard = replace(tools, tell=lambda event: tools.tell(replace(event, document=path)))
    heard.tell(Event("extractor", "reading"))
    extraction = await to_thread.run_sync(partial(extract, path, ocr=tools.settings.ocr))
    verdicts = await judge_extraction(extraction, heard)
    settings, health = tools.settings, _health(verdicts)
    _note(health, tools)
    return Audit(
        document=Document(path=path, format=extraction.format),
        verdicts=verdicts,
        failed=extraction.failed,
        self_check=extraction.self_check,
        health=health,
        preset=settings.preset,
        offline=settings.offline,
        assumptions=_assumptions(tools),
        least_alarm=settings.policy.least_alarm,
        settings_hash=settings.fingerprint,
        versions={
            "citeaudit": __version__,
            "rules": str(policy.RULES_VERSION),
            "schema": SCHEMA_VERSION,
            **versions(tools.model),
            **{f"index {index.name}": _built(index) for index in tools.indexes},
        },
        started_at=started,
        finished_at=tools.clock(),
    )


def _built(index: Index) -> str:
    """Give when an index was built; one that could not be opened says the first moment of 1970."""
    return f"{index.built_at:%Y-%m-%dT%H:%M:%SZ}" if index.built_at.timestamp() else "at an unknown time"


def _settings(settings: Settings | None, flags: dict[str, object]) -> Settings:
    if settings is None:
        return load(flags=flags)
    if flags:
        raise UsageError(f"give either settings or single settings, not both: {', '.join(sorted(flags))}")
    return settings


@asynccontextmanager
async def _toolbox(settings: Settings, tell: Tell) -> AsyncIterator[Toolbox]:
    """Open everything the agents need, and close it after the run.

    Raises:
        ConfigError: The policy counts or notes a rule that does not exist, a source is unknown, or the library is no
            folder.
        IndexBuildError: A folder given as an index is none.
    """
    if unknown := unknown_rules(settings.policy):
        told = "docs/how-a-verdict-is-reached.md lists the rules"
        raise ConfigError(f"policy: unknown rule {', '.join(unknown)}; {told}")
    if settings.library is not None:
        check_folder(settings.library)
    sources = () if settings.offline else make_sources(settings)
    tools = Toolbox(
        settings=settings,
        indexes=open_indexes(settings),
        sources=sources,
        client=None,
        memory=_memory(settings, tell) if sources and settings.memory else None,
        judge=cast("type[Judge]", registry.load("judge", "rules"))(),
        clock=now,
        tell=tell,
        model=None if settings.offline else open_model(settings.model),
        decisions=Store(settings.decisions_file).read(),
    )
    if not sources:
        yield tools
        return
    from citeaudit.net.client import Client, check_address

    public = addresses()
    given = {name: each.base_url for name, each in settings.sources.items() if each.base_url}
    trusted = {name: url for name, url in given.items() if url != public.get(name)}  # only what the user wrote
    for name, url in given.items():
        try:
            check_address(url)
        except ValueError as error:
            raise ConfigError(f"sources.{name}.base_url: {error}") from None
    async with Client(version=__version__, contact=settings.contact, trusted=trusted) as client:
        yield replace(tools, client=client)


def _memory(settings: Settings, tell: Tell) -> Memory | None:
    """Open the memory, or say why this run goes without one."""
    try:
        return Memory(settings.cache_dir / "answers", clock=now)
    except ConfigError as error:
        tell(Event("memory", f"going on without a memory: {error}"))
        return None


def make_sources(settings: Settings) -> tuple[Source, ...]:
    """Give the services that the settings name, sorted by name.

    Raises:
        ConfigError: No such service.
    """
    made = []
    for name in sorted(settings.sources):
        chosen = settings.sources[name]
        if name not in registry.names("source"):
            raise ConfigError(f"sources.{name}: unknown source; known: {', '.join(registry.names('source'))}")
        if chosen.enabled and chosen.base_url:
            make = cast("Callable[..., Source]", registry.load("source", name))
            key = chosen.api_key.get_secret_value() if chosen.api_key else None
            source = make(base_url=chosen.base_url, clock=now, contact=settings.contact, api_key=key)
            if chosen.base_url != addresses().get(name):  # what a mirror or a test server said is remembered apart
                source.version = f"{source.version} at {chosen.base_url}"
            made.append(source)
    return tuple(made)


def _assumptions(tools: Toolbox) -> tuple[str, ...]:
    if not tools.settings.assume_complete:
        return ()
    return tuple(f"index {index.name} is complete (--assume-complete)" for index in tools.indexes)


def _health(verdicts: Iterable[Verdict]) -> tuple[SourceHealth, ...]:
    lookups = [lookup for verdict in verdicts for lookup in verdict.evidence.lookups]
    health = []
    for name in sorted({lookup.source for lookup in lookups}):
        of_source = [one for one in lookups if one.source == name and one.outcome is not Outcome.SKIPPED]
        health.append(
            SourceHealth(
                source=name,
                asked=len(of_source),
                answered=sum(one.outcome in _ANSWERED for one in of_source),
                from_cache=sum(one.from_cache for one in of_source),
                failures=tuple(sorted({one.failure.kind for one in of_source if one.failure})),
            )
        )
    return tuple(health)


def _note(health: Iterable[SourceHealth], tools: Toolbox) -> None:
    """Keep how the services fared, for `citeaudit sources`; answers from the memory say nothing about them."""
    names = {source.name for source in tools.sources}
    for one in health:
        if tools.memory is not None and one.source in names and one.asked > one.from_cache:
            tools.memory.remember_health(one)


@contextmanager
def _file(name: str) -> Iterator[Path]:
    """Give the path of a document; standard input is kept in a file for as long as it is read."""
    if name != reader.STDIN:
        yield Path(name)
        return
    with tempfile.TemporaryDirectory(prefix="citeaudit-") as folder:
        kept = Path(folder) / "stdin"
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        if not data.strip():
            raise UnreadableDocumentError("is empty; nothing came in", path=name)
        kept.write_bytes(data)
        yield kept


def now() -> datetime:
    """Give the time, aware, UTC."""
    return datetime.now(UTC)


def _shown(audit: Audit) -> str:
    from citeaudit.report.notebook import show  # only notebooks ask

    return show(audit)


Audit.shown_by = _shown
