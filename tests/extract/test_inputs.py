"""Every reader is registered under its own name and told in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from citeaudit import registry
from citeaudit.extract.reader import extractors
from citeaudit.seams import Extractor


def test_readers_are_called_as_they_are_registered() -> None:
    assert tuple(one.name for one in extractors()) == registry.names("extractor")


@pytest.mark.parametrize("extractor", extractors(), ids=lambda one: one.name)
def test_every_reader_is_told(extractor: Extractor, repository: Path) -> None:
    table = (repository / "docs" / "inputs.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `{re.escape(extractor.name)}` \|.*$", table, re.MULTILINE)
    assert row is not None
    assert all(re.fullmatch(r"\.[a-z]+", suffix) for suffix in extractor.suffixes)
    told = [suffix for suffix in extractor.suffixes if f"{suffix}," in row[0] or f"{suffix} " in row[0]]
    assert told or not extractor.suffixes
