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
    assert "Of 32 references 11 were planted" in text, text
    assert "Of 6 quotations each fared as planted" in text
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


def test_all_six_quotations_are_shown_as_they_are(shown: tuple[int, str]) -> None:
    text = " ".join(shown[1].split())
    for told in (
        "6 quotations looked for in the library: 1 verified, 1 wrong page, 2 close match, 1 not found, 1 misattributed",
        "1 verified on p. 1, 1 on another page (p. 3, cited p. 2)",
        "differs: 321 -> 312",
        "differs: [...] -> not, as far as we can see,",
        "1 not found, 1 in another source (reference 24)",
    ):
        assert text.count(told) == 2, told  # in either run


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


def test_without_its_library_every_quotation_deviates(changed: Path) -> None:
    for path in (changed / "library").iterdir():
        path.unlink()
    out = io.StringIO()
    assert demo.run(out) == 1
    told = "first run: tarnhollow2022: quotes missing document, missing document, expected not found, misattributed"
    assert told in out.getvalue()


def test_without_the_works_of_the_service_a_sound_work_stays_open(changed: Path) -> None:
    answers = json.loads((changed / "answers.json").read_text(encoding="utf-8"))
    answers["works"] = [work for work in answers["works"] if work["id"] != "sandve2013"]
    (changed / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    out = io.StringIO()
    assert demo.run(out) == 1
    assert "first run: sandve2013" in out.getvalue()
    assert "second run: " not in out.getvalue()


def test_table_of_the_example_is_sound() -> None:
    assert len(load(EXAMPLES / "planted.json")) == 32
