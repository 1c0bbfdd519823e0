"""What every test stands on: a clean environment, and no folder of the person who runs it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in list(os.environ):
        if name.upper().startswith(("CITEAUDIT_", "LANGSMITH_", "LANGCHAIN_")):
            monkeypatch.delenv(name)
    for name in ("CROSSREF", "ARXIV", "SEMANTIC_SCHOLAR"):  # no test reaches a public service
        monkeypatch.setenv(f"CITEAUDIT_SOURCES__{name}__ENABLED", "false")
    home = tmp_path_factory.getbasetemp() / "home"
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("shared")))  # the gates' state is shared there
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return Path(__file__).parents[1]
