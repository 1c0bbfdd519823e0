"""`citeaudit index`: the work behind its commands."""

from __future__ import annotations

import sys
from pathlib import Path

from citeaudit.index.builder import build
from citeaudit.index.engine import open_index
from citeaudit.index.manifest import Covered
from citeaudit.report.words import numbered
from citeaudit.text.visible import visible


def build_index(files: tuple[str, ...], out: str, form: str, name: str | None) -> int:
    """Build, with progress on standard error, and say what came out.

    Raises:
        IndexBuildError: Nothing usable came out; an old index is still there.
    """
    report = build([Path(file) for file in files], Path(out), format=form, name=name, progress=_progress)
    sys.stdout.write(f"{out}: {numbered(report.records, 'record')}, {numbered(report.malformed, 'line')} left out\n")
    for problem in report.problems:
        sys.stdout.write(f"  {visible(problem)}\n")
    return 0


def show(folder: str) -> int:
    """Print what an index holds.

    Raises:
        IndexBuildError: The folder is not an index.
    """
    index = open_index(Path(folder))
    lines = [f"{index.name}: built {index.built_at:%Y-%m-%d %H:%M} UTC"]
    if index.manifest is not None:
        lines.append(f"  {numbered(index.manifest.records, 'record')}")
        sources = index.manifest.sources.items()
        lines += [f"  {count} from {source or 'no named collection'}" for source, count in sources]
        lines += [f"  covers {_covered(line)}" for line in index.manifest.coverage]
        if not index.manifest.coverage:
            lines.append("  no coverage statement: what it lacks may exist all the same")
    sys.stdout.write("\n".join(visible(line) for line in lines) + "\n")
    return 0


def _covered(line: Covered) -> str:
    what = line.container_title or ", ".join(line.types) or "nothing"
    return f"{'every work of ' if line.complete and line.container_title else ''}{what}, {line.first} to {line.last}"


def _progress(records: int, rate: float) -> None:
    sys.stderr.write(f"{numbered(records, 'record')}, {rate:.0f} a second\n")
