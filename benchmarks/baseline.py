"""Measure all that an issue asks for, with the project's own commands, and print one Markdown table.

    python benchmarks/baseline.py --shared DIR [--work DIR] [--limit N]

DIR holds `data/` (PDFs, labelled sets, records) and `tools/` (the scorers). Nothing of it is copied.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

COMMAND = [sys.executable, "-m", "citeaudit"]

EXTRACTION = (
    "pdfs",
    "gold",
    "macro_f1",
    "seg_recall",
    "seg_f1",
    "title_recall",
    "first_author_acc",
    "year_acc",
    "doi_recall",
    "arxiv_recall",
    "doi_wrong",
    "merged",
    "zero_pdfs",
    "sec_median",
)
"""Figures of the shared scorer that are shown."""


def main() -> int:
    """Build the indexes, run the three benchmarks, time the commands, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("/tmp/citeaudit-bench"))  # noqa: S108  # the user's own machine
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    data, tools, work = arguments.shared / "data", arguments.shared / "tools", arguments.work
    print(f"Measured {datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python {sys.version.split()[0]}.\n")
    _timings()
    _indexes(data, work)
    _extraction(data, tools, work)
    _own(data)
    _verdicts(data, tools, work, arguments.limit)
    return 0


def _timings() -> None:
    example = Path(__file__).parents[1] / "datasets" / "examples" / "manuscript.pdf"
    for name, command in (
        ("citeaudit --help", [*COMMAND, "--help"]),
        ("check of the example PDF, offline", [*COMMAND, "check", str(example), "--offline", "--quiet"]),
    ):
        seconds = [_seconds(command) for _ in range(5)]
        print(f"- {name}: median of five {statistics.median(seconds):.2f} s")


def _indexes(data: Path, work: Path) -> None:
    for name, source in (("works", "works.jsonl.xz"), ("twins", "citeaudit_twins.jsonl")):
        if not (work / name).is_dir():
            out = ["--out", str(work / name)]
            seconds = _seconds([*COMMAND, "index", "build", "--format", "jsonl", str(data / source), *out])
            size = sum(file.stat().st_size for file in (work / name).rglob("*") if file.is_file())
            print(f"- index {name}: {seconds:.0f} s, {size / 1e6:.0f} MB")


def _extraction(data: Path, tools: Path, work: Path) -> None:
    out = work / "extraction.json"
    _call([*COMMAND, "bench", "extraction", "--pdfs", str(data / "pdfs"), "--out", str(out)])
    public = [row for row in json.loads((data / "manifest.json").read_text("utf-8")) if row["split"] == "public"]
    print("\n| extraction | " + " | ".join(EXTRACTION) + " |\n" + "|---" * (len(EXTRACTION) + 1) + "|")
    for name in ("all", "real", "compiled"):
        chosen = work / f"manifest-{name}.json"
        chosen.write_text(json.dumps([row for row in public if name in ("all", row["origin"])]), encoding="utf-8")
        score = [sys.executable, str(tools / "score_extraction.py"), str(out), "--manifest", str(chosen)]
        told = json.loads(_call([*score, "--gold", str(data / "gold")], "{", "}"))
        print(f"| public, {name} | " + " | ".join(str(told[key]) for key in EXTRACTION) + " |")


def _own(data: Path) -> None:
    """Print what our own benchmarks say: printed strings, quotations."""
    here = Path(__file__).parent
    for script, arguments in (("fields.py", [str(data / "refstrings.jsonl"), "--half", "odd"]), ("quotes.py", [])):
        print(f"\n{script}\n\n" + _call([sys.executable, str(here / script), *arguments]))


def _verdicts(data: Path, tools: Path, work: Path, limit: int | None) -> None:
    runs = (
        ("hallmark", "hallmark_dev", ("works",), "strict", True, None),
        ("hallmark", "hallmark_dev", ("works",), "default", False, None),
        ("citeaudit", "citeaudit_dev", ("works", "twins"), "strict", True, "any"),
        ("citeaudit", "citeaudit_dev", ("works",), "default", False, "independent"),
    )
    kept = (
        "rows",
        "detection_rate",
        "false_positive_rate",
        "f1",
        "coverage",
        "strong_on_real",
        "strong_recall",
        "auroc",
    )
    print("\n| verdicts | " + " | ".join(kept) + " | seconds_median |\n" + "|---" * (len(kept) + 2) + "|")
    for kind, name, indexes, preset, complete, subset in runs:
        out = work / f"{name}-{preset}.jsonl"
        command = [
            *COMMAND,
            "bench",
            kind,
            "--data",
            str(data / f"{name}.jsonl"),
            "--out",
            str(out),
            "--preset",
            preset,
        ]
        for index in indexes:
            command += ["--index", str(work / index)]
        command += ["--assume-complete"] if complete else []
        command += ["--limit", str(limit)] if limit else []
        _call(command)
        score = [sys.executable, str(tools / "score_verdicts.py"), str(data / f"{name}_gold.jsonl"), str(out)]
        told = json.loads(_call([*score, *(["--in-index", subset] if subset else [])], "{", "}"))
        label = f"{name} {preset}{' assume-complete' if complete else ''}{f', {subset}' if subset else ''}"
        print(f"| {label} | " + " | ".join(str(told.get(key)) for key in (*kept, "seconds_median")) + " |")


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    _call(command)
    return time.perf_counter() - start


def _call(command: list[str], first: str = "", last: str = "") -> str:
    """Run a command and give its output, or the part from `first` to the line that is `last`."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own commands
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    if not first:
        return done.stdout
    lines = done.stdout.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith(first))
    end = next(place for place, line in enumerate(lines) if place > start and line == last)
    return "\n".join(lines[start : end + 1])


if __name__ == "__main__":
    sys.exit(main())
