"""`citeaudit sources`: who is asked, what is sent, and how it went."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from citeaudit import api
from citeaudit.index.memory import Memory
from citeaudit.net import limits
from citeaudit.report.words import numbered
from citeaudit.settings import Settings, load, shipped_sources
from citeaudit.text.visible import visible


def run(*, explain: str | None, config: str | None, preset: str | None) -> int:
    """Print the services, or what would be sent about a document.

    Raises:
        CiteauditError: A setting is wrong, or the document cannot be read.
    """
    settings = load(preset=preset, config=Path(config) if config else None)
    lines = _services(settings) if explain is None else _outgoing(explain, settings)
    sys.stdout.write("".join(f"{visible(line)}\n" for line in lines))
    return 0


def _services(settings: Settings) -> Iterator[str]:
    memory = Memory(settings.cache_dir / "answers", clock=api.now) if settings.memory else None
    allowed = limits.load(polite=bool(settings.contact and "@" in settings.contact))
    asked = () if settings.offline else {source.name for source in api.make_sources(settings)}
    for name, row in shipped_sources().items():
        chosen = settings.sources.get(name)
        yield f"{name}: {'asked' if name in asked else 'not asked'}"
        yield f"  address: {chosen.base_url if chosen and chosen.base_url else 'none set'}"
        yield f"  knows: {row['scope']}"
        yield f"  is sent: {row['sends']}"
        for lane, limit in allowed.get(name, {}).items():
            yield f"  limit ({lane}): one request every {limit.interval_s:g} s, {limit.concurrent} at a time"
        yield f"  last: {_fared(name, memory)}"
    if settings.offline:
        yield "The settings are offline: nothing leaves this machine."
    if not settings.contact:
        yield "No contact is set: with an e-mail address (CITEAUDIT_CONTACT) services can reach you,"
        yield "and some allow more."


def _these(count: int) -> str:
    return "this question" if count == 1 else f"these {count} questions"


def _fared(name: str, memory: Memory | None) -> str:
    known = memory.recall_health(name) if memory else None
    if known is None:
        return "nothing known"
    health, at = known
    failed = f", failed: {', '.join(health.failures)}" if health.failures else ""
    return f"{health.answered} of {health.asked} questions answered{failed} ({at:%Y-%m-%d %H:%M} UTC)"


def _outgoing(path: str, settings: Settings) -> Iterator[str]:
    outgoing = api.explain(path, settings=settings)
    if not outgoing:
        yield f"{path}: nothing would be sent."
        return
    yield f"{path}: at most {_these(len(outgoing))} would be sent, never the manuscript;"
    yield "fewer, where an index or an earlier service settles a reference. What goes with a title: citeaudit sources."
    for source in dict.fromkeys(one.source for one in outgoing):
        asked = [one for one in outgoing if one.source == source]
        yield f"{source} ({asked[0].address}): {numbered(len(asked), 'question')}"
        for one in asked:
            yield f"  {one.query.kind} {one.query.text}"
