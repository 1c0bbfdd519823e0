"""Change the rules of comparison and verdict one small thing at a time, and count which changes the tests notice.

    python benchmarks/mutants.py [--only MODULE] [--every N] [--keep DIR]

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
from hashlib import blake2b
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("citeaudit/match", "citeaudit/policy")
TESTS = (
    "tests/match",
    "tests/policy",
    "tests/test_policy.py",
    "tests/test_readings.py",
    "tests/report/test_rulebook.py",
)
SLOW = ("test_people_laws.py", "test_risk_laws.py")
COLD = """

def pytest_sessionstart() -> None:
    import functools
    import gc

    from hypothesis import settings

    settings.register_profile("same", derandomize=True, database=None)
    settings.load_profile("same")
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()
"""
"""For the copy's tests/conftest.py: what was remembered before a change must not answer after it."""
READING = ("tests/test_policy.py::test_every_reason_code_in_the_code_is_documented_and_used",)
"""Tests that read the code itself, which a change makes another text."""
COPIED = ("citeaudit", "configs", "datasets", "agents", "tests", "docs", "README.md")
NOTICED = frozenset({"killed", "timeout", "suspicious", "segfault", "caught by type check"})
_LINE = re.compile(r"\s*(citeaudit\.[\w.]+?)\.x\S*__mutmut_\d+: (.+)")


def main() -> int:
    """Run it, and print one Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="a module, such as policy/grave.py")
    parser.add_argument("--every", type=int, default=1, help="only every N-th change, chosen by its name")
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
        _mutmut(copy, "run", "none")  # makes the changes and learns which tests run what, and tries none
        chosen = [name for name in _names(_mutmut(copy, "results", "--all", "true")) if _drawn(name, arguments.every)]
        _mutmut(copy, "run", *chosen)
        print(table(_mutmut(copy, "results", "--all", "true")))
    return 0


def _mutmut(copy: Path, *arguments: str) -> str:
    command = [Path(sys.executable).with_name("mutmut"), *arguments]
    return subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False).stdout  # noqa: S603  # our own


def _names(results: str) -> list[str]:
    return [line.strip().partition(": ")[0] for line in results.splitlines() if _LINE.match(line)]


def _drawn(name: str, every: int) -> bool:
    return int.from_bytes(blake2b(name.encode(), digest_size=4).digest()) % every == 0


def _configure(copy: Path, paths: list[str]) -> None:
    with (copy / "tests/conftest.py").open("a", encoding="utf-8") as tests:
        tests.write(COLD)
    config = copy / "pyproject.toml"
    chosen = [*TESTS, *(argument for test in READING for argument in ("--deselect", test))]
    rows = {"source_paths": paths, "pytest_add_cli_args_test_selection": chosen, "also_copy": list(COPIED)}
    lines = "".join(f"{name} = {value}\n" for name, value in rows.items()).replace("'", '"')
    config.write_text(f"{config.read_text('utf-8')}\n[tool.mutmut]\n{lines}", encoding="utf-8")


def table(results: str) -> str:
    """Give the Markdown table of what `mutmut results --all true` printed, one row a module."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for line in results.splitlines():
        match = _LINE.match(line)
        if match and match.group(2).strip() != "not checked":
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
