"""Change the rules of comparison and verdict one small thing at a time, and count which changes the tests notice.

    python benchmarks/mutants.py [--only MODULE] [--keep DIR]

mutmut (https://mutmut.readthedocs.io) is needed beside the development tools: `pip install -e .[dev,mutation]`.
The tree is copied, so nothing here is touched. A change that makes the tests run too long counts as noticed, one that
no test runs does not. Laws with drawn examples are left out: they are slow, and what they notice by chance is not held.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("citeaudit/match", "citeaudit/policy")
TESTS = ("tests/match", "tests/policy", "tests/test_policy.py", "tests/test_readings.py")
SLOW = ("test_people_laws.py", "test_risk_laws.py")
COPIED = ("citeaudit", "configs", "datasets", "agents", "tests", "docs", "README.md")
NOTICED = frozenset({"killed", "timeout", "suspicious", "segfault", "caught by type check"})
_LINE = re.compile(r"\s*(citeaudit\.[\w.]+?)\.x\S*__mutmut_\d+: (.+)")


def main() -> int:
    """Run it, and print one Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="a module, such as policy/grave.py")
    parser.add_argument(
        "--keep", type=Path, help="leave the changed copy here, to look at survivors with `mutmut show`"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        copy = (arguments.keep or Path(temporary)) / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        ignored = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis", "dist", *SLOW)
        shutil.copytree(ROOT, copy, symlinks=True, ignore=ignored)
        _configure(copy, [f"citeaudit/{arguments.only}"] if arguments.only else list(ROOMS))
        mutmut = Path(sys.executable).with_name("mutmut")
        with (copy / "mutants.log").open("w") as log:
            done = subprocess.run([mutmut, "run"], cwd=copy, stdout=log, stderr=log, check=False)  # noqa: S603  # our own
        ask = [mutmut, "results", "--all", "true"]
        told = subprocess.run(ask, cwd=copy, capture_output=True, text=True, check=False)  # noqa: S603  # our own
        print(table(told.stdout))
    return done.returncode


def _configure(copy: Path, paths: list[str]) -> None:
    config = copy / "pyproject.toml"
    rows = {"paths_to_mutate": paths, "tests_dir": list(TESTS), "also_copy": list(COPIED)}
    lines = "".join(f"{name} = {value}\n" for name, value in rows.items()).replace("'", '"')
    config.write_text(f"{config.read_text('utf-8')}\n[tool.mutmut]\n{lines}", encoding="utf-8")


def table(results: str) -> str:
    """Give the Markdown table of what `mutmut results --all true` printed, one row a module."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for line in results.splitlines():
        if match := _LINE.match(line):
            counts[match.group(1).removeprefix("citeaudit.")][match.group(2).strip()] += 1
    rows = ["| module | changes | noticed | share | otherwise |", "| --- | --- | --- | --- | --- |"]
    rows += [_row(name, counts[name]) for name in sorted(counts)]
    for room in ("match", "policy", ""):
        total = sum((found for name, found in counts.items() if name.startswith(room)), Counter[str]())
        rows.append(_row(f"all of {room or 'both'}", total))
    return "\n".join(rows)


def _row(name: str, found: Counter[str]) -> str:
    every, noticed = found.total(), sum(count for kind, count in found.items() if kind in NOTICED)
    rest = ", ".join(f"{kind} {count}" for kind, count in sorted(found.items()) if kind not in NOTICED)
    return f"| {name} | {every} | {noticed} | {100 * noticed / max(1, every):.1f} % | {rest} |"


if __name__ == "__main__":
    sys.exit(main())
