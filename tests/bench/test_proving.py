"""The proving ground: what it prints, and how it is scored."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks" / "proving"
NAMES = ("make", "score", "typed", "works", "notes", "latex", "office", "prose")


@pytest.fixture(scope="module")
def parts() -> Iterator[dict[str, ModuleType]]:
    """The scripts import one another by name, as scripts do."""
    before = {name: sys.modules.pop(name) for name in NAMES if name in sys.modules}
    sys.path.insert(0, str(FOLDER))
    yield {name: importlib.import_module(name) for name in NAMES}
    sys.path.remove(str(FOLDER))
    for name in NAMES:
        sys.modules.pop(name, None)
    sys.modules.update(before)


def test_every_recipe_can_be_written(parts: dict[str, ModuleType]) -> None:
    recipes = parts["make"].recipes()
    assert len({recipe.name for recipe in recipes}) == len(recipes) > 80
    for recipe in recipes:
        rng = random.Random(1)  # noqa: S311
        works = parts["works"].sample(min(recipe.n, 20), rng, recipe.lang)
        build = parts["office"].build if recipe.kind.startswith("office") else parts["latex"].build
        source = build(recipe, works, rng)
        assert {work.key for work, _ in source.printed} == {work.key for work in works}
        assert any(len(text) > 500 for text in source.files.values())


def test_halves_are_halves_and_never_move(parts: dict[str, ModuleType]) -> None:
    make = parts["make"]
    halves = [make.half(recipe.name) for recipe in make.recipes()]
    assert 0.35 < halves.count("dev") / len(halves) < 0.65
    assert make.half("plain_article") == "dev"


def test_notes_name_each_work_in_full_once(parts: dict[str, ModuleType]) -> None:
    rng = random.Random(3)  # noqa: S311
    works = parts["works"].sample(30, rng, "de")
    planned = parts["notes"].plan(works, "denote", rng, frozenset({"archive"}))
    text = " ".join(parts["typed"].text(runs) for runs in planned.notes)
    assert all(work.title in text for work in works)
    assert "Ebd" in text
    assert "Anm." in text


def gold(title: str, family: str, year: str, **more: object) -> dict[str, object]:
    row: dict[str, object] = {"raw": None, "title": title, "authors": [family], "year": year, "title_in_pdf": True}
    return row | {"uncertain": False, "doi": None, "venue": None} | more


LONG = "A Rather Long Title of a Work on Rows"


@pytest.mark.parametrize(
    ("golds", "reads", "wanted"),
    [
        pytest.param(
            [gold(LONG, "Roe", "1999")],
            [{"title": LONG, "authors": ["Roe"], "year": "1999", "raw": f"Roe. {LONG}. 1999."}],
            {"gold": 1, "found": 1, "title": 1, "author": 1, "year": 1, "read_effective": 1},
            id="right",
        ),
        pytest.param(
            [gold(LONG, "Roe", "1999")],
            [{"title": "Roe", "authors": [], "year": None, "raw": f"Roe. {LONG}. 1999."}],
            {"found": 1, "title": 0, "author": 0, "year": 0},
            id="found-in-its-words",
        ),
        pytest.param(
            [gold(LONG, "Roe", "1999", uncertain=True)],
            [{"title": LONG, "authors": ["Roe"], "year": "1999", "raw": LONG}],
            {"gold": 0, "found": 0, "read_effective": 0},
            id="uncertain-counts-neither-way",
        ),
        pytest.param(
            [gold(LONG, "Roe", "1999", title_in_pdf=False, venue="Journal of Rows")],
            [{"title": None, "authors": ["Roe"], "year": "1999", "raw": "J. Roe, Journal of Rows 4, 12 (1999)"}],
            {"gold": 1, "found": 1, "title_n": 0},
            id="no-title-printed",
        ),
        pytest.param(
            [gold(LONG, "Roe", "1999", doi="10.1/a", doi_in_pdf="text"), gold(f"{LONG} Again", "Poe", "2001")],
            [{"title": LONG, "authors": [], "year": None, "doi": "10.5555/b", "raw": f"{LONG} {LONG} Again 1999 2001"}],
            {"merged": 1, "found": 1, "doi": 0},
            id="merged",
        ),
        pytest.param([gold(LONG, "Roe", "1999")], [], {"gold": 1, "found": 0}, id="nothing-read"),
    ],
)
def test_scoring_counts_what_is_right(
    parts: dict[str, ModuleType], golds: list[dict[str, object]], reads: list[dict[str, object]], wanted: dict[str, int]
) -> None:
    counts = parts["score"].score("x", "typed", golds, reads).counts
    assert {name: counts[name] for name in wanted} == wanted
