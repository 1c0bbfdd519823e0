"""The door by which parts come in."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from citeaudit import registry
from citeaudit.errors import ConfigError, DependencyError


def test_built_ins_come_in_by_the_same_door() -> None:
    assert registry.names("extractor") == (
        "archive",
        "bbl",
        "bibtex",
        "csl-json",
        "docx",
        "endnote",
        "endnote-xml",
        "html",
        "identifiers",
        "jats",
        "latex",
        "markdown",
        "nbib",
        "pdf",
        "plain",
        "ris",
        "tei",
    )
    assert registry.names("reporter") == ("csv", "html", "json", "jsonl", "markdown", "table")
    assert registry.names("judge") == ("rules",)
    assert "offline" in registry.names("index")
    assert "local" in registry.names("candidates")
    assert {"crossref", "dblp", "jsonl"} <= set(registry.names("dump"))
    assert registry.names("source") == ("arxiv", "crossref", "example", "semantic_scholar")


@pytest.mark.parametrize("seam", ["extractor", "source", "index", "judge", "reporter"])
def test_everything_registered_loads(seam: registry.Seam) -> None:
    for name in registry.names(seam):
        assert registry.load(seam, name) is not None


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="unknown reporter 'doc'; known: csv, html, json, jsonl, markdown, table"):
        registry.load("reporter", "doc")


def test_a_part_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("broken", "citeaudit.not_there:Thing", "citeaudit.judge")
    monkeypatch.setattr(registry, "_entries", lambda _seam: {"broken": broken})
    with pytest.raises(DependencyError, match="judge 'broken' cannot be imported"):
        registry.load("judge", "broken")


def test_a_bare_folder_is_told_apart_from_an_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_entries", lambda _seam: {})
    with pytest.raises(DependencyError, match="install citeaudit"):
        registry.load("judge", "rules")
