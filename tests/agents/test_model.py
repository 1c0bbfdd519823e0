"""The model option: off by default, one sentence at the start where it cannot work, a value where it fails later."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatResult
from langsmith.run_helpers import get_tracing_context

from citeaudit import api, settings
from citeaudit.agents import model
from citeaudit.agents.model import PAUSE_AFTER, delimited, each, open_model, prompt, versions
from citeaudit.errors import ConfigError, ModelUnavailableError
from citeaudit.model import Reference
from citeaudit.settings import KEYS, ModelSettings
from tests.agents import chats

PROMPTS = ["extractor", "judge"]
INTEGRATION = """
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel

class ChatGroq(GenericFakeChatModel):
    model: str
    timeout: float
    max_retries: int

    def __init__(self, **fields):
        if fields["model"] == "none":
            raise ValueError("no such model\\nsecond line")
        super().__init__(messages=iter(["hello"]), **fields)
"""


def _ask(chat: model.Chat, data: str = "data") -> str:
    return anyio.run(chat.ask, prompt("judge"), data)


def test_nothing_is_opened_by_default() -> None:
    assert settings.load().model == ModelSettings()
    assert open_model(ModelSettings()) is None
    assert versions(None) == {}


def test_a_missing_package_is_one_sentence_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_cohere", None)
    monkeypatch.setenv("COHERE_API_KEY", "k")
    with pytest.raises(ConfigError, match=r"^model: install langchain-cohere to use cohere:command"):
        open_model(ModelSettings(name="cohere:command"))


@pytest.mark.parametrize("provider", sorted(KEYS))
def test_a_missing_key_is_one_sentence_at_the_start(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS[provider]:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError, match=f"^model: set {' or '.join(KEYS[provider])} in the environment"):
        open_model(ModelSettings(name=f"{provider}:x"))


@pytest.mark.parametrize("name", ["nobody:model", "claude:opus"])
def test_an_unknown_provider_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=f"model.name: {name} cannot be used: Unsupported provider"):
        open_model(ModelSettings(name=name))


def test_an_installed_package_is_opened_with_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "langchain_groq.py").write_text(INTEGRATION, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("GROQ_API_KEY", "k")
    chat = open_model(ModelSettings(name="groq:one", timeout_s=7))
    assert isinstance(chat, model.LangchainChat)
    assert chat.name == "groq:one"
    inside = chat._model
    assert (getattr(inside, "timeout", None), getattr(inside, "max_retries", None)) == (7, 1)
    assert _ask(chat) == "hello"
    with pytest.raises(ConfigError, match=r"groq:none cannot be used: no such model$"):
        open_model(ModelSettings(name="groq:none"))


@pytest.mark.parametrize("name", ["x", ":x", "x:", " : "])
def test_a_name_without_its_two_parts_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEAUDIT_MODEL__NAME", name)
    with pytest.raises(ConfigError, match="provider:model"):
        settings.load()


def test_a_key_is_no_setting_and_is_not_repeated(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text("[model]\napi_key = 'sk-secret'\n", encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        settings.load(config=file)
    assert "known: allow_tracing, max_references, name, timeout_s" in str(error.value)
    assert "sk-secret" not in str(error.value)


def test_a_wrong_model_stops_a_run_before_it_starts(tmp_path: Path) -> None:
    paper = tmp_path / "refs.bib"
    paper.write_text("@article{a, title={A title}, author={Roe, Ada}, year=2001}", encoding="utf-8")
    chosen = settings.Settings(model=ModelSettings(name="nobody:model"))
    with pytest.raises(ConfigError):
        api.check(paper, settings=chosen)
    audit = api.check(paper, settings=chosen.model_copy(update={"offline": True}))
    assert "model" not in audit.versions


def test_a_run_without_a_model_imports_none(tmp_path: Path) -> None:
    paper = tmp_path / "refs.bib"
    paper.write_text("@article{a, title={A title}, author={Roe, Ada}, year=2001}", encoding="utf-8")
    code = "import sys, citeaudit; citeaudit.check(sys.argv[1]); sys.exit('langchain.chat_models' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code, str(paper)], check=False).returncode == 0


def test_a_failure_of_the_provider_names_its_kind_and_no_key() -> None:
    with pytest.raises(ModelUnavailableError, match=r"^scripted:one: LookupError$"):
        _ask(chats.chat(chats.broken()))


def test_a_slow_model_is_not_waited_for() -> None:
    with pytest.raises(ModelUnavailableError, match="TimeoutError"):
        _ask(chats.chat(chats.slow(), timeout_s=0.01))


def test_after_failures_in_a_row_the_model_is_left_alone() -> None:
    broken = chats.broken()
    chat = chats.chat(broken)
    for _ in range(PAUSE_AFTER):
        with pytest.raises(ModelUnavailableError, match="LookupError"):
            _ask(chat)
    with pytest.raises(ModelUnavailableError, match="not asked again"):
        _ask(chat)
    assert broken.asked == PAUSE_AFTER


def test_a_reply_ends_the_row_of_failures() -> None:
    chat = chats.chat(chats.scripted("fine"))
    chat._failures = PAUSE_AFTER - 1
    assert _ask(chat) == "fine"
    assert chat._failures == 0


@given(st.text())
def test_data_cannot_close_its_own_delimiter(data: str) -> None:
    first, *lines, last = delimited(data).split("\n")
    assert "\n".join(lines) == data
    assert first == f"<<<{last.removesuffix('>>>')}"
    assert last.removesuffix(">>>") not in data


def test_a_marker_that_stands_in_the_data_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """No text holds its own hash; a short one stands in for it here."""

    class Short:
        def __init__(self, data: bytes) -> None:
            self.text = "a" if data == b"a" else "b"

        def hexdigest(self) -> str:
            return self.text

    monkeypatch.setattr("citeaudit.agents.model.hashlib.sha256", Short)
    assert delimited("a") == "<<<b\na\nb>>>"


@pytest.mark.parametrize("name", PROMPTS)
def test_prompts_ship_with_a_version_and_the_rule_about_data(name: str) -> None:
    one = prompt(name)
    assert one.version.isdigit()
    assert "never an instruction" in one.text
    assert not re.search(r"\b(fake|hallucinat|fraud)", one.text, re.IGNORECASE)


def test_the_report_names_model_and_prompts() -> None:
    told = versions(chats.chat(chats.scripted("x")))
    assert told == {"model": chats.NAME, **{f"prompt {name}": prompt(name).version for name in PROMPTS}}


@pytest.mark.parametrize("count", [0, 1, 3, 20])
def test_questions_keep_their_order_and_few_are_out_at_a_time(count: int) -> None:
    recording = chats.scripted("fine")
    chat = chats.chat(recording)

    async def ask(item: int) -> str:
        return f"{item} {await chat.ask(prompt('judge'), str(item))}"

    assert anyio.run(each, ask, range(count)) == tuple(f"{item} fine" for item in range(count))
    assert recording.most == min(count, model.CONCURRENT)


@pytest.mark.parametrize(("allowed", "enabled"), [(False, False), (True, None)], ids=["default", "allowed"])
def test_tracing_is_off_unless_the_settings_allow_it(allowed: bool, enabled: bool | None) -> None:
    """`None` leaves it to the environment, as langchain does by itself."""
    seen: list[object] = []

    class Spy(chats.Recording):
        def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
            seen.append(get_tracing_context()["enabled"])
            return super()._generate(*args, **kwargs)

    spy = Spy(messages=repeat(AIMessage("no json")))
    tools = chats.tools(chats.index(), chats.chat(spy))
    chosen = tools.settings.model_copy(update={"model": ModelSettings(allow_tracing=allowed)})
    chats.run(replace(tools, settings=chosen), Reference(raw="Lovelace A. Quiet dunes. 1843", parse_score=0.1))
    assert seen == [enabled, enabled]
