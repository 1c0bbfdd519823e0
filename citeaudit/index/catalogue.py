"""Where each dump lives, as `configs/dumps.toml` says, and which files it consists of today.

Nothing in that table has been tried against the services themselves: addresses, sizes and forms of lists were written
down from their documentation and announcements, and are tested against a local server that plays each kind. What is
taken for granted stands with each dump (`Dump.assumed`); a mirror or a new address can be given in its place.

What a list says is a stranger's word: names of files are matched whole against what they may be, addresses lead only
to public machines (`citeaudit.net.guard`), and sizes are bounded by the table.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from datetime import date
from functools import cache
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, TypeVar
from urllib.parse import unquote, urljoin, urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, TypeAdapter, ValidationError

from citeaudit.errors import ConfigError, MalformedAnswerError, UsageError
from citeaudit.net.client import Client
from citeaudit.net.download import Download, Wanted
from citeaudit.seams import Answer, Ask

SLACK = 4
"""How many times its size by the table a dump, and so any file of it, may have grown."""
MOST_FILES = 100_000
"""Most files of a dump; OpenAlex has a few thousand."""

_NAME = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9._=-]{0,200}$", re.ASCII)
_LINK = re.compile(r"""\bhref ?= ?["']([^"'<>\s]{1,300})["']""", re.IGNORECASE)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


T = TypeVar("T", bound=BaseModel)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OneFile(_Part):
    """A file at a fixed address."""

    path: str
    """Below the address of the dump."""
    name: str = Field(pattern=_NAME.pattern)
    holds: Literal["gzip", "text"] = "gzip"
    heading: str = ""
    checksum: str | None = None
    """Path of its published checksum."""


class Files(_Part):
    """Fixed addresses."""

    kind: Literal["files"]
    base_url: str
    files: tuple[OneFile, ...] = Field(min_length=1)


class Listing(_Part):
    """Folders on the web, shown as pages of links."""

    kind: Literal["listing"]
    base_url: str
    folders: tuple[str, ...] = Field(min_length=1)
    pattern: str
    """What the whole name of a file matches."""
    checksum: str
    """What is added to the address of a file for that of its checksum."""


class Listed(_Part):
    """A JSON list of files in a bucket."""

    kind: Literal["manifest"]
    base_url: str
    bucket: str
    manifest: str
    """Path of the list."""
    prefix: str
    """What the path of every file in it begins with."""


class Api(_Part):
    """A service that gives signed addresses to whoever has a key."""

    kind: Literal["api"]
    base_url: str
    source: str
    """Whose key and limits hold, as in `configs/sources.toml`."""
    dataset: str


class ByHand(_Part):
    """Nothing that a program may fetch."""

    kind: Literal["by_hand"]
    steps: tuple[str, ...] = Field(min_length=1)
    """What a person does, a line each."""


class Dump(_Part):
    """All records of a service at once."""

    name: str = Field("", exclude=True)
    format: str
    """As `citeaudit index build --format` takes it."""
    what: str
    licence: str
    terms: str
    """Page that tells them."""
    size_bytes: int = Field(gt=0)
    """About, packed."""
    as_of: date
    """When it was so large."""
    renewed: str
    assumed: str
    """What is taken for granted of the way."""
    way: Annotated[Files | Listing | Listed | Api | ByHand, Field(discriminator="kind")]

    @property
    def base_url(self) -> str | None:
        """Give the address it is fetched from; `None` where a person fetches it."""
        return None if isinstance(self.way, ByHand) else self.way.base_url

    @property
    def ceiling(self) -> int:
        """Give the most bytes that a file of it may have."""
        return SLACK * self.size_bytes


class Plan(BaseModel):
    """The files that a dump consists of today."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    wanted: tuple[Wanted, ...]
    day: date | None = None
    """Its date, where the list gives one."""
    records: int | None = None
    """Its records, likewise."""
    below: str = ""
    """Folder that all its files share, where each release has one of its own."""

    @property
    def size(self) -> int | None:
        """Give the bytes of all files, where all are told."""
        sizes = [each.size for each in self.wanted if each.size is not None]
        return sum(sizes) if len(sizes) == len(self.wanted) else None

    def place(self, folder: Path) -> Path:
        """Give what to build from where the files lie in `folder`: the only file, or the folder of all."""
        return folder / (self.wanted[0].name if len(self.wanted) == 1 else self.below)


class _Meta(BaseModel):
    content_length: int = Field(ge=0)
    record_count: int = Field(0, ge=0)


class _Entry(BaseModel):
    url: str
    meta: _Meta


class _Manifest(BaseModel):
    """OpenAlex's list of files; `entries` until June 2026, `files` since."""

    date: str | None = None
    files: list[_Entry] = Field(default_factory=list, max_length=MOST_FILES)
    entries: list[_Entry] = Field(default_factory=list, max_length=MOST_FILES)


class _Release(BaseModel):
    release_id: str = Field(pattern=_NAME.pattern)


class _Dataset(BaseModel):
    files: list[str] = Field(max_length=MOST_FILES)


@cache
def load() -> dict[str, Dump]:
    """Read the table that ships.

    Raises:
        ConfigError: It does not hold what it may.
    """
    rows = tomllib.loads((files("citeaudit") / "configs" / "dumps.toml").read_text(encoding="utf-8"))
    try:
        dumps = TypeAdapter(dict[str, Dump]).validate_python(rows)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"dumps.toml: {where}: {first['msg']}") from error
    return {name: dump.model_copy(update={"name": name}) for name, dump in dumps.items()}


def find(name: str) -> Dump:
    """Give a dump by its name.

    Raises:
        UsageError: There is none; names those that are.
    """
    dumps = load()
    if name not in dumps:
        raise UsageError(f"unknown dump {name!r}; known: {', '.join(dumps)}")
    return dumps[name]


async def plan(
    dump: Dump, client: Client, download: Download, *, base_url: str | None = None, key: SecretStr | None = None
) -> Plan:
    """Ask which files a dump consists of.

    Touches the network, but for fixed addresses.

    Args:
        dump: One that a program may fetch.
        client: Open.
        download: Of that client; for lists that are not JSON.
        base_url: Address in place of the one in the table.
        key: Where one is needed.

    Raises:
        SourceUnavailableError: No answer.
        MalformedAnswerError: The list is none, is empty, or names what no such file is called.
        UsageError: A key is missing.
    """
    base = (base_url or dump.base_url or "").rstrip("/")
    match dump.way:
        case Files():
            return Plan(wanted=tuple(_fixed(dump, dump.way, base)))
        case Listing():
            folders = [await _listed(dump, dump.way, f"{base}/{folder}/", download) for folder in dump.way.folders]
            return Plan(wanted=tuple(each for found in folders for each in found))
        case Listed():
            return await _manifest(dump, dump.way, base, download)
        case Api():
            return await _release(dump, dump.way, base, client, key)
        case ByHand():
            raise UsageError(f"{dump.name}: cannot be fetched by a program; see citeaudit index get {dump.name}")


def _fixed(dump: Dump, way: Files, base: str) -> Iterator[Wanted]:
    for each in way.files:
        yield Wanted(
            source=dump.name,
            url=f"{base}/{each.path}",
            name=each.name,
            holds=each.holds,
            heading=each.heading,
            ceiling=dump.ceiling,
            digest_url=f"{base}/{each.checksum}" if each.checksum else None,
        )


async def _listed(dump: Dump, way: Listing, address: str, download: Download) -> list[Wanted]:
    """Give the files of one folder, in the order of their names."""
    folder = address.split("/")[-2]
    page = await download.text(address, source=dump.name)
    names = {name for name in _links(page, address) if re.fullmatch(way.pattern, name, re.ASCII)}
    if not names or len(names) > MOST_FILES:
        raise MalformedAnswerError(f"the page of {folder} lists {len(names)} files of the dump", source=dump.name)
    return [
        Wanted(
            source=dump.name,
            url=f"{address}{name}",
            name=f"{folder}/{name}",
            ceiling=dump.ceiling,
            digest_url=f"{address}{name}{way.checksum}",
            is_fixed=True,
        )
        for name in sorted(names)
    ]


async def _manifest(dump: Dump, way: Listed, base: str, download: Download) -> Plan:
    text = await download.text(f"{base}/{way.manifest}", source=dump.name)
    try:
        listed = _Manifest.model_validate(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise MalformedAnswerError("the list of files is not in the documented form", source=dump.name) from error
    start = f"s3://{way.bucket}/"
    wanted = []
    for entry in listed.files or listed.entries:
        path = entry.url.removeprefix(start)
        name = path.removeprefix(way.prefix)
        parts = name.split("/")
        if path in {entry.url, name} or not all(_NAME.fullmatch(part) for part in parts):
            raise MalformedAnswerError("the list names a file at a place where none is expected", source=dump.name)
        size = entry.meta.content_length
        wanted.append(Wanted(source=dump.name, url=f"{base}/{path}", name=name, ceiling=dump.ceiling, size=size))
    if not wanted:
        raise MalformedAnswerError("the list of files is empty", source=dump.name)
    records = sum(entry.meta.record_count for entry in listed.files or listed.entries)
    wanted.sort(key=lambda each: each.name)
    return Plan(wanted=tuple(wanted), day=_day(listed.date), records=records or None)


async def _release(dump: Dump, way: Api, base: str, client: Client, key: SecretStr | None) -> Plan:
    if key is None or not key.get_secret_value():
        variable = f"CITEAUDIT_SOURCES__{way.source.upper()}__API_KEY"
        message = f"{dump.name}: needs a key, which the service gives for free; set sources.{way.source}.api_key"
        raise UsageError(f"{message} in your settings, or {variable}")
    headers = (("x-api-key", key.get_secret_value()),)
    latest = await client.fetch(Ask(source=way.source, url=f"{base}/release/latest", headers=headers))
    release = _read(_Release, latest, way)
    address = f"{base}/release/{release.release_id}/dataset/{way.dataset}"
    dataset = _read(_Dataset, await client.fetch(Ask(source=way.source, url=address, headers=headers)), way)
    wanted = {}
    for url in dataset.files:
        try:
            base_name = unquote(urlsplit(url).path).rpartition("/")[2]
        except ValueError:
            base_name = ""
        if not _NAME.fullmatch(base_name):
            raise MalformedAnswerError("the list names a file in a way that none is named", source=dump.name)
        name = f"{release.release_id}/{base_name}"
        wanted[name] = Wanted(source=dump.name, url=url, name=name, ceiling=dump.ceiling, is_fixed=True)
    if not wanted:
        raise MalformedAnswerError("the list of files is empty", source=dump.name)
    return Plan(
        wanted=tuple(wanted[name] for name in sorted(wanted)), day=_day(release.release_id), below=release.release_id
    )


def _read(form: type[T], answer: Answer, way: Api) -> T:
    """Give an answer of the service in the form that it should have."""
    try:
        return form.model_validate(answer.value)
    except ValidationError:
        told = f"what it says of its files is not in the documented form (status {answer.status})"
        raise MalformedAnswerError(told, source=way.source) from None


def _links(page: str, address: str) -> Iterator[str]:
    """Give the names of what a page links to right below its own address."""
    for link in _LINK.findall(page):
        try:
            whole = urljoin(address, unescape(link))
        except ValueError:
            continue
        name = whole.removeprefix(address)
        if name != whole:
            yield name


def _day(text: str | None) -> date | None:
    match = _DAY.match(text or "")
    try:
        return date.fromisoformat(match[0]) if match else None
    except ValueError:
        return None
