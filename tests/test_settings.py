"""Layers of settings, and what a wrong one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit import settings
from citeaudit.errors import ConfigError
from citeaudit.model import Status


def test_defaults_need_nothing() -> None:
    loaded = settings.load()
    assert loaded.preset == "default"
    assert loaded.policy.quorum == 2
    assert loaded.indexes == ("installed", "starter")
    assert not loaded.offline


@pytest.mark.parametrize("name", settings.presets())
def test_every_preset_loads_and_differs(name: str) -> None:
    assert settings.load(preset=name).preset == name


def test_presets_are_those_the_documents_name() -> None:
    assert settings.presets() == ("arxiv", "default", "editor", "neurips-2026", "offline", "strict")
    assert settings.load(preset="strict").policy.quorum == 1
    assert settings.load(preset="offline").offline


def test_each_layer_wins_over_the_one_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "my.toml"
    file.write_text('preset = "strict"\ncontact = "file@example.org"\n[policy]\nprior = 0.02\n', encoding="utf-8")
    assert settings.load(config=file).policy.quorum == 1
    monkeypatch.setenv("CITEAUDIT_CONTACT", "environment@example.org")
    monkeypatch.setenv("CITEAUDIT_POLICY__QUORUM", "3")
    loaded = settings.load(config=file)
    assert (loaded.contact, loaded.policy.quorum, loaded.policy.prior) == ("environment@example.org", 3, 0.02)
    flagged = settings.load(config=file, preset="default", flags={"contact": "https://flag.example", "offline": None})
    assert (flagged.contact, flagged.preset, flagged.offline) == ("https://flag.example", "default", False)


def test_user_file_in_its_place_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "citeaudit"
    folder.mkdir()
    (folder / "config.toml").write_text("offline = true\n", encoding="utf-8")
    assert settings.load().offline


def test_public_addresses_are_known_and_can_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings.load().sources["crossref"].base_url == "https://api.crossref.org"
    monkeypatch.setenv("CITEAUDIT_SOURCES__CROSSREF__BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("CITEAUDIT_SOURCES__SEMANTIC_SCHOLAR__API_KEY", "a-key")
    loaded = settings.load()
    assert loaded.sources["crossref"].base_url == "http://127.0.0.1:9"
    assert "a-key" not in repr(loaded) + loaded.model_dump_json()


def test_a_source_is_set_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEAUDIT_SOURCES__EXAMPLE__BASE_URL", "http://127.0.0.1:9/")
    assert settings.load().sources["example"].base_url == "http://127.0.0.1:9/"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("nonsense = 1", "unknown key 'nonsense'; known: assume_complete", id="unknown-key"),
        pytest.param("[policy]\nquorums = 1", "unknown key 'policy.quorums'; known: counted", id="unknown-policy-key"),
        pytest.param("[sources.x]\nurl = 1", "unknown key 'sources.x.url'; known: api_key", id="unknown-source-key"),
        pytest.param("[policy]\nquorum = 0", "policy.quorum", id="out-of-range"),
        pytest.param("[policy]\nfail_on = ['WRONG']", "policy.fail_on", id="unknown-status"),
        pytest.param("[sources.x]\nbase_url = 'ftp://h'", "must start with http", id="not-http"),
        pytest.param("contact = 'Ünal <u@b.org>'", "contact: must be plain ASCII", id="contact-not-ascii"),
        pytest.param("[sources.x]\nbase_url = 'http://u:p@h'", "must not hold a user name", id="userinfo"),
        pytest.param("contact = 'nobody'", "contact: must be an e-mail address", id="contact"),
        pytest.param("= broken", "not valid TOML", id="broken"),
        pytest.param(
            "preset = 'nope'",
            "unknown preset 'nope'; known: arxiv, default, editor, neurips-2026, offline, strict",
            id="unknown-preset",
        ),
    ],
)
def test_a_wrong_file_names_itself_key_and_allowed(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        settings.load(config=file)
    assert said in str(error.value)
    assert "my.toml" in str(error.value) or "preset" in said


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.toml: cannot be read"):
        settings.load(config=tmp_path / "gone.toml")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        pytest.param("CITEAUDIT_QUORUM", "1", "unknown variable CITEAUDIT_QUORUM", id="unknown"),
        pytest.param("CITEAUDIT_SOURCES", "{", "environment", id="not-json"),
        pytest.param("CITEAUDIT_OFFLINE", "perhaps", "environment: offline", id="not-a-boolean"),
    ],
)
def test_a_wrong_variable_is_named(name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError) as error:
        settings.load()
    assert said in str(error.value)


def test_fingerprint_changes_with_what_can_change_a_verdict() -> None:
    plain = settings.load()
    assert plain.fingerprint == settings.load(flags={"contact": "a@example.org"}).fingerprint
    assert plain.fingerprint != settings.load(preset="strict").fingerprint
    assert len(plain.fingerprint) == 16


def test_fail_on_of_every_preset_counts_findings() -> None:
    for name in settings.presets():
        assert Status.NOT_FOUND in settings.load(preset=name).policy.fail_on


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[sources.semantic_scholar]\napi_key = 471147114711", id="number"),
        pytest.param("[sources.semantic_scholar]\napi_key = ['471147114711']", id="list"),
        pytest.param("[sources.semantic_scholar.api_key]\nvalue = '471147114711'", id="table"),
        pytest.param("[sources]\nsemantic_scholar = '471147114711'", id="in-place-of-the-table"),
    ],
)
def test_a_key_in_the_wrong_form_is_not_repeated(text: str, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        settings.load(config=file)
    assert "471147114711" not in str(error.value)
    assert error.value.__cause__ is None
