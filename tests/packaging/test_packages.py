"""Wheel and sdist as users get them: one top-level name, real files, a command that runs."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging

DATA = ("citeaudit/configs/default.toml", "citeaudit/datasets/starter/works.jsonl", "citeaudit/agents/pipeline.py")


def _run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from that sdist."""
    out = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "build", "--outdir", out, repository)
    return out


def _wheel(folder: Path) -> Path:
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_citeaudit_alone(built: Path) -> None:
    with zipfile.ZipFile(_wheel(built)) as wheel:
        names = wheel.namelist()
    tops = {name.split("/")[0] for name in names}
    assert sorted(top for top in tops if not top.endswith(".dist-info")) == ["citeaudit"]
    assert set(DATA) <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".lock")]


def test_the_sdist_holds_real_files_and_the_tests(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = {name.split("/", 1)[-1] for name in sdist.getnames()}
    assert {"pyproject.toml", "LICENSE", "README.md", "constraints.txt", "tests/test_house.py", *DATA} <= names


def test_the_wheel_installs_apart_and_runs(built: Path, repository: Path, tmp_path: Path) -> None:
    _run(sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    pinned = repository / "constraints.txt"
    _run(python, "-m", "pip", "install", "--quiet", "--constraint", pinned, _wheel(built))
    command = tmp_path / "venv" / "bin" / "citeaudit"
    assert "citeaudit" in _run(command, "--version", cwd=tmp_path)
    _run(command, "demo", cwd=tmp_path)
    tops = _run(python, "-c", "import importlib.metadata as m; print(*{f.parts[0] for f in m.files('citeaudit')})")
    allowed = {"citeaudit", "..", *[part for part in tops.split() if part.endswith(".dist-info")]}
    assert set(tops.split()) <= allowed


def test_the_sdist_installs_apart_and_runs(built: Path, tmp_path: Path) -> None:
    """Its dependencies are those of the environment of this test; only the package itself is installed."""
    target = tmp_path / "site"
    sdist = next(built.glob("*.tar.gz"))
    _run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", target, sdist)
    code = (
        "import sys, citeaudit as c; from citeaudit.cli.main import main; print(c.__file__); sys.exit(main(['demo']))"
    )
    out = _run(sys.executable, "-c", code, cwd=tmp_path, env={"PYTHONPATH": str(target), "HOME": str(tmp_path)})
    assert out.startswith(str(target))
    assert sorted(path.name for path in target.iterdir() if path.suffix != ".dist-info") == ["bin", "citeaudit"]
