"""What the user may set: defaults < preset < user TOML < `CITEAUDIT_*` < flags.

The only module that reads the environment. A preset is a TOML file in `configs/`; the user's TOML is the file
given with `--config`, else `config.toml` in the user's configuration folder, if it is there.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from platformdirs import user_cache_path, user_config_path, user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings.exceptions import SettingsError

from citeaudit.errors import ConfigError
from citeaudit.model import Frozen, Policy

PREFIX = "CITEAUDIT_"
"""Of environment variables; nested keys are joined by two underscores: `CITEAUDIT_POLICY__QUORUM=1`."""

STARTER = "starter"
"""Name of the index that ships with the package, where a folder is expected otherwise."""

INSTALLED = "installed"
"""Stands for every index in the data directory, where a folder is expected otherwise."""


class SourceSettings(Frozen):
    """Settings of one service."""

    enabled: bool = True
    base_url: str | None = None
    """Where the service is reached; a source without one is not asked."""
    api_key: SecretStr | None = None
    """Key of the service, where it gives one; sent to it alone, never written to a report or cache."""

    @field_validator("base_url")
    @classmethod
    def _is_http(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            message = "must start with http:// or https://"
            raise ValueError(message)
        if value is not None and "@" in value.removeprefix("http://").removeprefix("https://").partition("/")[0]:
            message = "must not hold a user name or password; a key goes in api_key"
            raise ValueError(message)
        return value


KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "anthropic": ("ANTHROPIC_API_KEY",),
        "cohere": ("COHERE_API_KEY",),
        "deepseek": ("DEEPSEEK_API_KEY",),
        "fireworks": ("FIREWORKS_API_KEY",),
        "google_genai": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        "groq": ("GROQ_API_KEY",),
        "mistralai": ("MISTRAL_API_KEY",),
        "openai": ("OPENAI_API_KEY",),
        "openrouter": ("OPENROUTER_API_KEY",),
        "together": ("TOGETHER_API_KEY",),
        "xai": ("XAI_API_KEY",),
    }
)
"""Environment variables from which the langchain package of each provider takes its key; any one of them is enough.

Providers that are not here (a model on this machine, a cloud account) have ways of their own.
"""


class ModelSettings(Frozen):
    """Settings of the chat model; none is used unless it is named. There is no key here: see `KEYS`."""

    name: str | None = None
    """`provider:model`, as langchain's `init_chat_model` takes it: `anthropic:claude-...`."""
    timeout_s: float = Field(default=30.0, gt=0.0, le=600.0)
    """Longest wait for one reply."""
    max_references: int = Field(default=50, ge=0)
    """Most references of a document that are sent to be read, and most about which a remark is asked."""
    allow_tracing: bool = False
    """Let langchain post every step, with the texts, to the tracing service that the environment names."""

    @field_validator("name")
    @classmethod
    def _names_both(cls, value: str | None) -> str | None:
        if value is not None and not all(part.strip() for part in (value.partition(":")[0], value.partition(":")[2])):
            message = "must be provider:model"
            raise ValueError(message)
        return value


class DecisionSettings(Frozen):
    """Settings of what people decide about references."""

    file: Path | None = None
    """File that keeps the decisions, such as one that a team commits; `None` is the one in the data directory."""
    from_manuscript: bool = True
    """Let the author's own remark (`% citeaudit: ok REASON`) settle a reference; it is shown in any case."""


class Settings(BaseSettings):
    """All settings in force for one run; frozen, and unknown keys are refused."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid", env_prefix=PREFIX, env_nested_delimiter="__")

    preset: str = "default"
    """Name of the preset these settings started from."""
    offline: bool = False
    """Ask nothing over a network; by itself never a reason for exit code 2."""
    indexes: tuple[str, ...] = (INSTALLED, STARTER)
    """Folders of offline indexes or names of such in the data directory; `installed` for all of those, `starter` for
    the one that ships; `BACKEND:ADDRESS` for one that is not files on this machine."""
    assume_complete: bool = False
    """Take the silence of every index as a covering answer; printed in the report."""
    sources: dict[str, SourceSettings] = Field(default_factory=dict)
    """Services by name."""
    contact: str | None = None
    """E-mail address or page told to services, as their etiquette asks; never written to a cache or report."""
    ocr: str | None = None
    """Languages in which pages without text are read from their images, as Tesseract names them: `eng+deu`."""
    library: Path | None = None
    """Folder of documents, the user's own, in which quotations are looked for; `None` checks none."""
    memory: bool = True
    """Keep answers of services, and what is known of the documents of the library, between runs."""
    cache_dir: Path = Field(default_factory=lambda: user_cache_path("citeaudit"))
    """Folder of the memory; made with access for its owner only."""
    data_dir: Path = Field(default_factory=lambda: user_data_path("citeaudit"))
    """Folder of what is kept: the offline indexes in `indexes/`."""
    policy: Policy = Policy()
    model: ModelSettings = ModelSettings()
    decisions: DecisionSettings = DecisionSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Build from the given values alone: `load` has merged the layers, and checked each by itself."""
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)

    @field_validator("contact")
    @classmethod
    def _is_reachable(cls, value: str | None) -> str | None:
        if value is not None and not (value.isascii() and value.isprintable()):
            message = "must be plain ASCII without control characters"
            raise ValueError(message)
        if value is not None and "@" not in value and not value.startswith(("http://", "https://")):
            message = "must be an e-mail address or a page (https://...)"
            raise ValueError(message)
        return value

    @property
    def index_folder(self) -> Path:
        """Give the folder that holds the indexes found without being named, one folder each."""
        return self.data_dir / "indexes"

    @property
    def decisions_file(self) -> Path:
        """Give the file that keeps what people decided; it need not exist."""
        return self.decisions.file or self.data_dir / "decisions.jsonl"

    @property
    def fingerprint(self) -> str:
        """Give 16 hexadecimal digits that change with any setting that can change a verdict."""
        places = dict.fromkeys(("contact", "memory", "cache_dir", "data_dir"), True)
        deciding = self.model_dump_json(exclude={**places, "decisions": {"file"}})
        return hashlib.sha256(deciding.encode()).hexdigest()[:16]


def presets() -> tuple[str, ...]:
    """Give the names of the presets that ship, sorted."""
    folder = files("citeaudit") / "configs"
    names = (entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(sorted(name.removesuffix(".toml") for name in names if name not in {"sources.toml", "dumps.toml"}))


@cache
def shipped_sources() -> Mapping[str, Mapping[str, Any]]:
    """Give the rows of `configs/sources.toml`: what the program knows of each service."""
    rows = tomllib.loads((files("citeaudit") / "configs" / "sources.toml").read_text(encoding="utf-8"))
    return MappingProxyType(rows)


def addresses() -> dict[str, str]:
    """Give the public address of each service that ships with one, by name."""
    return {name: str(row["base_url"]) for name, row in shipped_sources().items() if "base_url" in row}


def load(
    *, preset: str | None = None, config: Path | None = None, flags: Mapping[str, object] | None = None
) -> Settings:
    """Merge all layers into the settings of a run.

    Args:
        preset: Name of a preset; wins over the one named in the user's file or environment.
        config: The user's TOML; `None` takes `config.toml` of the user's configuration folder if there is one.
        flags: Values given on the command line or in a call; those that are `None` are left out.

    Raises:
        ConfigError: A layer does not hold what it may; names the file or variable, the key, and what is allowed.
    """
    user_file = config or user_config_path("citeaudit") / "config.toml"
    user = _read_toml(user_file, str(user_file)) if config or user_file.is_file() else {}
    environment = _environment()
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    chosen = str(preset or given.get("preset") or environment.get("preset") or user.get("preset") or "default")
    layers = [
        ("sources.toml", {"sources": {name: {"base_url": url} for name, url in addresses().items()}}),
        (f"preset {chosen}", _preset(chosen)),
        (str(user_file), user),
        ("environment", environment),
        ("command line", given),
        ("command line", {"preset": chosen}),
    ]
    merged: dict[str, Any] = {}
    for origin, layer in layers:
        _validate(layer, origin)
        merged = _merge(merged, layer)
    return _validate(merged, "settings")


def missing_keys(provider: str) -> tuple[str, ...]:
    """Give the variables of which a provider of `KEYS` needs one, if the environment has none of them."""
    known = KEYS.get(provider, ())
    return () if any(os.environ.get(name) for name in known) else known


def _preset(name: str) -> dict[str, Any]:
    if name not in presets():
        raise ConfigError(f"unknown preset {name!r}; known: {', '.join(presets())}")
    return _parse_toml((files("citeaudit") / "configs" / f"{name}.toml").read_text(encoding="utf-8"), f"preset {name}")


def _read_toml(path: Path, origin: str) -> dict[str, Any]:
    try:
        return _parse_toml(path.read_text(encoding="utf-8-sig"), origin)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ConfigError(f"{origin}: cannot be read as settings: {reason}") from error


def _parse_toml(text: str, origin: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{origin}: not valid TOML: {error}") from error


def _environment() -> dict[str, Any]:
    known = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
    for name in os.environ:
        if name.upper().startswith(PREFIX) and name.upper().split("__")[0] not in known:
            allowed = ", ".join(sorted(known))
            raise ConfigError(f"environment: unknown variable {name}; known: {allowed}")
    try:
        return EnvSettingsSource(Settings)()
    except SettingsError as error:
        raise ConfigError(f"environment: {error}; lists and tables are written as JSON") from error


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Lay one layer over another; tables are merged key by key, all else is replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged


def _validate(layer: Mapping[str, Any], origin: str) -> Settings:
    try:
        return Settings(**layer)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            known = ", ".join(_known(first["loc"][:-1]))
            raise ConfigError(f"{origin}: unknown key {key!r}; known: {known}") from error
        message = first["msg"].removeprefix("Value error, ")
        got = "" if first["loc"][0] == "sources" else f" (got {first['input']!r})"  # a key may stand anywhere in there
        raise ConfigError(f"{origin}: {key}: {message}{got}") from None


def _known(parents: tuple[str | int, ...]) -> list[str]:
    match parents:
        case ("policy",):
            return sorted(Policy.model_fields)
        case ("sources", _):
            return sorted(SourceSettings.model_fields)
        case ("model",):
            return sorted(ModelSettings.model_fields)
        case ("decisions",):
            return sorted(DecisionSettings.model_fields)
        case _:
            return sorted(Settings.model_fields)
