"""`citeaudit demo`: audit the example manuscript twice, and hold both audits against what was planted in it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from typing import TextIO

from citeaudit import api
from citeaudit.demo import expected, server
from citeaudit.demo.expected import Planted
from citeaudit.model import Audit, Status
from citeaudit.report.table import TableReporter
from citeaudit.settings import STARTER, Settings, SourceSettings

FOLDER = "datasets/examples"
MANUSCRIPT = "manuscript.pdf"
LIBRARY = "library"
"""Holds the papers that the example quotes."""


def run(stream: TextIO | None = None) -> int:
    """Audit the example with and without its service, and report both.

    Listens on a port of this machine while it runs; nothing leaves the machine.

    Args:
        stream: Where the report goes; standard output by default.

    Returns:
        0 when the planted faults and only those were found in both runs, else 1.
    """
    out = stream or sys.stdout
    with _example() as folder:
        planted = expected.load(folder / "planted.json")
        with server.serve(server.load(folder / "answers.json")) as base_url:
            _say(out, "1. With the starter index, taken as complete, and the example service on this machine:")
            full = audit(folder / MANUSCRIPT, settings(base_url, folder / LIBRARY), out)
        _say(out, "2. Offline, the starter index alone, nothing assumed about it:")
        offline = audit(folder / MANUSCRIPT, settings(None, folder / LIBRARY), out)
    first = expected.deviations(full, {key: row.full for key, row in planted.items()})
    second = expected.deviations(offline, {key: row.offline for key, row in planted.items()})
    _conclude(out, planted, {"first run": first, "second run": second})
    return 1 if first or second else 0


def settings(base_url: str | None, library: Path | None = None) -> Settings:
    """Give the settings of the first run, or of the second (without a service); the user's own play no part."""
    if base_url is None:
        return Settings(preset="offline", offline=True, memory=False, indexes=(STARTER,), library=library)
    sources = {"example": SourceSettings(base_url=base_url)}
    return Settings(assume_complete=True, memory=False, indexes=(STARTER,), sources=sources, library=library)


def audit(path: Path, chosen: Settings, out: TextIO) -> Audit:
    """Audit one document and write the table; the report names it by its place in the project.

    Raises:
        CiteauditError: The installation lacks a part that the audit needs.
    """
    result = api.check(path, settings=chosen)
    named = result.document.model_copy(update={"path": f"{FOLDER}/{path.name}"})
    result = result.model_copy(update={"document": named})
    TableReporter().write([result], out)
    return result


@contextmanager
def _example() -> Iterator[Path]:
    """Give the folder of the example as it was installed."""
    with as_file(files("citeaudit").joinpath(FOLDER)) as folder:
        yield folder


def _say(out: TextIO, line: str) -> None:
    out.write(f"\n{line}\n\n")


def _conclude(out: TextIO, planted: Mapping[str, Planted], found: Mapping[str, tuple[str, ...]]) -> None:
    """Say whether the audits found what was planted, or each way in which they did not."""
    faults = sum(row.kind != "sound" for row in planted.values())
    sentences = [f"{name}: {sentence}" for name, each in found.items() for sentence in each]
    if sentences:
        out.write("\n".join(("", "The audits differ from what was planted:", *(f"  {one}" for one in sentences), "")))
        return
    open_ = sum(row.offline.status is Status.UNDECIDED for row in planted.values())
    out.write(
        f"\nOf {len(planted)} references {faults} were planted, one of a kind; all were found, and only those.\n"
        f"Without the service and the assumption {open_} stay undecided: an index that lacks a work cannot say "
        "that there is none.\n"
        f"Of {sum(len(row.quotes) for row in planted.values())} quotations each fared as planted: "
        f"{', '.join(told for row in planted.values() for told in row.quotes)}.\n"
    )
