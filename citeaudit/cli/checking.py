"""`citeaudit check`: from the words of a call to a report and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from citeaudit import api, registry
from citeaudit.cli.output import choose_format, lament, send
from citeaudit.cli.progress import interrupted, progress
from citeaudit.decisions.baseline import read_baseline
from citeaudit.errors import FailureKind, UsageError
from citeaudit.extract.reader import find
from citeaudit.model import Audit, Flag, Status, Unreadable
from citeaudit.report.exits import Exit, exit_code
from citeaudit.report.words import numbered
from citeaudit.report.writing import check_target
from citeaudit.settings import Settings, load
from citeaudit.text.visible import visible

if TYPE_CHECKING:
    from citeaudit.seams import Reporter


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A call of `check` as the user wrote it."""

    paths: tuple[str, ...]
    flags: Mapping[str, object]
    """Settings by name; `None` where the user said nothing."""
    indexes: tuple[str, ...] = ()
    preset: str | None = None
    config: str | None = None
    form: str | None = None
    output: str | None = None
    fail_on: str | None = None
    baseline: str | None = None
    quiet: bool = False


def run(request: Request) -> int:
    """Audit, report, and give the exit code.

    Raises:
        CiteauditError: The call or a setting is wrong; nothing was audited.
    """
    settings = _settings(request)
    counted = settings.policy.fail_on if request.fail_on is None else parse_fail_on(request.fail_on)
    baseline = read_baseline(Path(request.baseline), counted) if request.baseline is not None else None
    documents = find(request.paths)
    if request.output is not None:
        check_target(Path(request.output), documents)
    form = choose_format(request.form, request.output, registry.names("reporter"), lambda name: _reporter(name).suffix)
    results: list[Audit | Unreadable] = []
    stopped = False
    try:
        with progress(quiet=request.quiet, documents=documents) as tell:
            api.wait(partial(api.audit_all, documents, settings=settings, tell=tell, done=results.append))
    except KeyboardInterrupt:
        if not results:
            raise
        stopped = True
    sentences = [api.decisions(settings).damage]
    if baseline is not None:
        results[:], compared = api.compare(results, baseline)
        sentences.append(compared.sentence(baseline.name))
    send(partial(_reporter(form)().write, results), request.output)
    lament(results)
    _say(sentences)
    if stopped:
        return interrupted(len(results), documents)
    code = exit_code(results, counted, baseline.knows) if baseline else exit_code(results, counted)
    if code is Exit.UNDECIDED:
        sys.stderr.write(f"citeaudit: {visible(_outage(results))}\n")
    return code


def _say(sentences: Iterable[str | None]) -> None:
    for sentence in filter(None, sentences):
        sys.stderr.write(f"citeaudit: {visible(sentence)}\n")


def _outage(results: Iterable[Audit | Unreadable]) -> str:
    """Say who failed, and what to do."""
    audits = [result for result in results if isinstance(result, Audit)]
    left = sum(verdict.outage for audit in audits for verdict in audit.verdicts)
    failed = {health.source: health.failures for audit in audits for health in audit.health if health.failures}
    lookups = (lookup for audit in audits for verdict in audit.verdicts for lookup in verdict.evidence.lookups)
    damaged = {one.source: one.failure.message for one in lookups if one.failure and one.damaged}
    away = any(set(kinds) != {FailureKind.DAMAGED} for kinds in failed.values())
    advice = [message for _, message in sorted(damaged.items())]
    if away:
        advice.append(
            "check the connection and run again (what was answered is not asked twice), or ask nobody with --offline"
        )
    stay = "stays" if left == 1 else "stay"
    return (
        f"{numbered(left, 'reference')} {stay} undecided because {', '.join(sorted(failed))} failed; "
        f"{'; '.join(advice)}"
    )


def parse_fail_on(text: str) -> tuple[Status | Flag, ...]:
    """Read `MISMATCHED,retracted`; letters in either case, `none` for nothing.

    Raises:
        UsageError: A word is neither a status nor a flag.
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if [word.lower() for word in words] == ["none"]:
        return ()
    known: dict[str, Status | Flag] = {item.value.lower(): item for kind in (Status, Flag) for item in kind}
    unknown = [word for word in words if word.lower() not in known]
    if unknown or not words:
        allowed = ", ".join(item.value for item in known.values())
        raise UsageError(f"--fail-on does not know {', '.join(unknown) or 'an empty list'}; allowed: {allowed}, none")
    return tuple(known[word.lower()] for word in words)


def _reporter(name: str) -> type[Reporter]:
    return cast("type[Reporter]", registry.load("reporter", name))


def _settings(request: Request) -> Settings:
    config = Path(request.config) if request.config else None
    settings = load(preset=request.preset, config=config, flags=request.flags)
    if not request.indexes:
        return settings
    named = tuple(dict.fromkeys((*settings.indexes, *request.indexes)))
    return settings.model_copy(update={"indexes": named})
