"""The rules of the house that a linter does not know."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_MODULE, MAX_FUNCTION = 600, 60
PRODUCT = [*sorted((ROOT / "citeaudit").glob("**/*.py")), *sorted((ROOT / "agents").glob("**/*.py"))]
EVERYWHERE = [*PRODUCT, *sorted((ROOT / "tests").glob("**/*.py")), *sorted((ROOT / "benchmarks").glob("**/*.py"))]


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("path", EVERYWHERE, ids=_name)
def test_module_and_functions_keep_their_size(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_MODULE
    long = [
        node.name for node in _functions(path) if node.end_lineno and node.end_lineno - node.lineno + 1 > MAX_FUNCTION
    ]
    assert not long


def test_broad_excepts_stand_only_at_the_top_of_a_front_end() -> None:
    broad = [_name(path) for path in PRODUCT if re.search(r"except Exception\b", path.read_text(encoding="utf-8"))]
    assert broad == ["citeaudit/cli/main.py"]


@pytest.mark.parametrize("path", PRODUCT, ids=_name)
def test_nothing_judges_a_person_or_prints(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\b(fake|hallucinat|fraud)", text, re.IGNORECASE)
    assert not re.search(r"^\s*print\(", text, re.MULTILINE)


@pytest.mark.parametrize("path", PRODUCT, ids=_name)
def test_only_settings_reads_the_environment(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.name != "settings.py":
        assert "os.environ" not in text
        assert "getenv" not in text


@pytest.mark.parametrize("folder", ["tests", "datasets", "configs"])
def test_no_folder_shadows_another_library(folder: str) -> None:
    assert not list((ROOT / folder).glob("**/__init__.py"))


@pytest.mark.parametrize("name", ["utils", "helpers", "common", "misc"])
def test_modules_name_their_subject(name: str) -> None:
    assert not list((ROOT / "citeaudit").glob(f"**/{name}.py"))


@pytest.mark.parametrize("name", ["agents", "configs", "datasets"])
def test_top_level_folders_are_linked_into_the_package(name: str) -> None:
    link = ROOT / "citeaudit" / name
    assert link.is_symlink()
    assert link.readlink() == Path("..") / name


def test_help_is_light() -> None:
    code = (
        "import sys\n"
        "from citeaudit.cli.main import main\n"
        "assert main(['--help']) == 0\n"
        "heavy = {'pymupdf', 'langchain', 'langchain_core', 'httpx', 'pydantic_settings', 'bibtexparser'}\n"
        "sys.exit(sorted(heavy & set(sys.modules)) and f'imported: {heavy & set(sys.modules)}' or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "check" in done.stdout


def _ruff_order(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest, as ruff sorts `__all__`."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_public_names_are_sorted_and_complete() -> None:
    import citeaudit
    import citeaudit.model

    for module in (citeaudit, citeaudit.model):
        assert list(module.__all__) == sorted(module.__all__, key=_ruff_order)
        assert all(getattr(module, name) is not None for name in module.__all__)
    assert set(citeaudit._HOMES) == set(citeaudit.__all__) - {"__version__"}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = citeaudit.nothing


def test_constraints_carry_no_address() -> None:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert all("==" in line for line in text.splitlines() if line and not line.startswith("#"))


def test_make_names_what_is_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "-C", str(ROOT), "test", "PYTHON=python-that-is-not-there", f"VENV={tmp_path}/venv"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "python3 is missing" in done.stderr
