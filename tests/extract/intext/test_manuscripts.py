"""The manuscripts are what their manifest says, and their quotations are attributed as the gold has it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "datasets" / "quotations"
LEAST = 0.95
MOST_FALSE = 0.02


@cache
def measure() -> ModuleType:
    spec = importlib.util.spec_from_file_location("benchmark_quotes", ROOT / "benchmarks" / "quotes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_manifest_holds_the_sums() -> None:
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    names = sorted(path.name for path in FOLDER.iterdir() if path.name not in {"manifest.json", "README.md"})
    assert manifest["sha256"] == {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in names}
    gold = json.loads((FOLDER / "gold.json").read_text(encoding="utf-8"))
    assert sorted([*gold, "gold.json"]) == names
    assert set(manifest["held_out"]) < set(gold)
    assert all(len(rows) > 10 for rows in gold.values())


@pytest.mark.parametrize("split", ["tuned", "held_out"])
def test_quotations_carry_the_right_reference_and_page(split: str) -> None:
    scores = measure().run(split)
    gold, right = sum(one.gold for one in scores), sum(one.right for one in scores)
    misses = [miss for one in scores for miss in one.misses]
    assert right >= LEAST * gold, misses
    assert sum(one.false for one in scores) <= MOST_FALSE * gold, misses


def test_a_word_document_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "made.docx"
    measure().pack_docx("# One\n\nTwo ^3^ & more\n\n> Four", path)
    assert path.read_bytes().startswith(b"PK")
