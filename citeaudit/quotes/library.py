"""The user's own folder of documents: what each says of itself, read once and kept by the hash of its content."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from citeaudit.errors import ConfigError
from citeaudit.net.cache import FAULTS, JsonCache, open_cache
from citeaudit.quotes.cards import CARD_VERSION, Card, read_card
from citeaudit.quotes.shelf import SUFFIXES
from citeaudit.text.normalize import fold

MAX_FILES = 20_000
"""Documents of a folder that are looked at, in the order of their names."""
FAILED = "failed"
"""Stands for the digest of a file that cannot be read."""
_BLOCK = 2**20
_log = logging.getLogger(__name__)


class Held(NamedTuple):
    """A document of the library."""

    path: Path
    digest: str
    """SHA-256 of its content: copies of one file are one document."""
    card: Card
    words: frozenset[str]
    """Folded words of its first pages and of what may be its title."""


class Library:
    """The documents of a folder and of the folders in it; hidden ones and links to folders are passed over.

    Args:
        folder: The folder; nothing in it is ever written.
        cache_dir: Folder in which the cards are kept; `None` keeps none.

    Raises:
        ConfigError: It is no folder, or the folder of the cache cannot be used.
    """

    def __init__(self, folder: Path, cache_dir: Path | None = None) -> None:
        """List the files; none is read yet."""
        check_folder(folder)
        self.files: tuple[Path, ...] = tuple(_walk(folder))[:MAX_FILES]
        self.held: dict[Path, Held] = {}
        """What was read so far."""
        self.fresh = 0
        """Documents that had to be opened; the others were known."""
        self._cache: JsonCache | None = open_cache(cache_dir / "library") if cache_dir else None

    def read(self, path: Path) -> Held:
        """Take in a document of the folder. May be called from several threads; never raises for a bad document."""
        try:
            digest = self._digest(path)
        except OSError as error:
            why = f"cannot be opened ({error.strerror or type(error).__name__})"
            return self._take(path, f"{FAILED} {path}", Card(failure=why))
        card = _validated(self._get(f"card|{CARD_VERSION}|{digest}"))
        if card is None:
            self.fresh += 1
            card = read_card(path)
            if card.failure is None:  # a failure may be that of a busy machine
                self._set(f"card|{CARD_VERSION}|{digest}", card.model_dump(mode="json"))
        return self._take(path, digest, card)

    def close(self) -> None:
        """Close the cache."""
        if self._cache is not None:
            self._cache.close()

    def _take(self, path: Path, digest: str, card: Card) -> Held:
        words = frozenset(word for text in (card.head, *map(fold, card.titles)) for word in text.split())
        self.held[path] = Held(path, digest, card, words)
        return self.held[path]

    def _digest(self, path: Path) -> str:
        """Give the hash of a file; one that was not touched since is not read again."""
        found = path.stat()
        place = f"file|{path.absolute()}|{found.st_size}|{found.st_mtime_ns}|{found.st_ino}"
        known = self._get(place)
        if isinstance(known, str):
            return known
        total = sha256()
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                total.update(block)
        self._set(place, total.hexdigest())
        return total.hexdigest()

    def _get(self, key: str) -> object:
        try:
            return self._cache.get(key) if self._cache is not None else None
        except FAULTS as error:
            _log.warning("what is known of the library cannot be read (%s): reading it again", error)
            return None

    def _set(self, key: str, value: object) -> None:
        try:
            if self._cache is not None:
                self._cache.set(key, value)
        except FAULTS as error:
            _log.warning("what is known of the library cannot be kept (%s)", error)


def check_folder(folder: Path) -> None:
    """Make sure that a library can be read.

    Raises:
        ConfigError: It is no folder.
    """
    if not folder.is_dir():
        raise ConfigError(f"library: {folder} is no folder; name the folder that holds your PDFs")


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place) / name
            if path.suffix.lower() in SUFFIXES and not name.startswith(".") and path.is_file():
                yield path


def _validated(stored: object) -> Card | None:
    try:
        return Card.model_validate_json(json.dumps(stored)) if stored is not None else None
    except ValidationError:
        return None
