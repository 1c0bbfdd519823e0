"""`citeaudit demo` finds what was planted and only that, and says so when it does not."""

from __future__ import annotations

import io
import json
import shutil
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from citeaudit import registry
from citeaudit.demo import run as demo
from citeaudit.demo.expected import load
from citeaudit.settings import load as load_settings

EXAMPLES = Path(__file__).parents[2] / "datasets" / "examples"


@pytest.fixture(scope="module")
def shown() -> tuple[int, str]:
    out = io.StringIO()
    return demo.run(out), out.getvalue()


def test_planted_faults_and_only_those_are_found(shown: tuple[int, str]) -> None:
    code, text = shown
    assert "Of 30 references 11 were planted" in text, text
    assert code == 0


def test_both_runs_say_what_they_assume(shown: tuple[int, str]) -> None:
    _, text = shown
    first, _, second = text.partition("2. Offline")
    assert "--assume-complete" in first
    assert "example (" in first
    assert "--assume-complete" not in second
    assert "example (" not in second
    assert "Fernwhistle" in first
    assert "Fernwhistle" in second


def test_no_path_of_this_machine_is_shown(shown: tuple[int, str]) -> None:
    _, text = shown
    assert "datasets/examples/manuscript.pdf" in text
    assert str(EXAMPLES.parent.parent) not in text


def test_settings_are_those_of_the_presets() -> None:
    for base_url, preset in (("http://127.0.0.1:1", "default"), (None, "offline")):
        chosen, shipped = demo.settings(base_url), load_settings(preset=preset)
        assert (chosen.policy, chosen.offline) == (shipped.policy, shipped.offline)
        assert chosen.indexes == ("starter",)  # indexes that a user has installed play no part
        assert chosen.preset == preset
        assert not chosen.memory
    assert set(demo.settings("http://127.0.0.1:1").sources) <= set(registry.names("source"))


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a copy of the example that the demo then uses."""
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)

    def example() -> AbstractContextManager[Path]:
        return nullcontext(folder)

    monkeypatch.setattr(demo, "_example", example)
    return folder


def test_each_deviation_is_named(changed: Path) -> None:
    table = json.loads((changed / "planted.json").read_text(encoding="utf-8"))
    table["hardin1968"]["full"] = {"status": "NOT_FOUND"}
    del table["kuhn2012"]
    (changed / "planted.json").write_text(json.dumps(table), encoding="utf-8")
    out = io.StringIO()
    assert demo.run(out) == 1
    text = out.getvalue()
    assert "first run: hardin1968: status VERIFIED, expected NOT_FOUND" in text
    assert "second run: hardin1968" not in text
    assert "(key kuhn2012)" in text
    assert "were planted" not in text


def test_without_the_works_of_the_service_a_sound_work_stays_open(changed: Path) -> None:
    answers = json.loads((changed / "answers.json").read_text(encoding="utf-8"))
    answers["works"] = [work for work in answers["works"] if work["id"] != "sandve2013"]
    (changed / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    out = io.StringIO()
    assert demo.run(out) == 1
    assert "first run: sandve2013" in out.getvalue()
    assert "second run: " not in out.getvalue()


def test_table_of_the_example_is_sound() -> None:
    assert len(load(EXAMPLES / "planted.json")) == 30
