"""Read .bib files: every entry a reference, every broken block kept with its line.

Strings, concatenation, `crossref` and `xdata` are resolved over all files of a document, as BibTeX and biber do.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.decode import read_document
from citeaudit.extract.latex.bibtex_blocks import (
    MAX_RAW,
    BibBlock,
    BibFile,
    Strings,
    loose_names,
    opened,
    split,
    strings_of,
)
from citeaudit.extract.latex.bibtex_fields import reference_from_fields
from citeaudit.extract.latex.inherit import inherit, parents_lost
from citeaudit.model.reference import Extraction, FailedBlock, Locus, Reference, SelfCheck

__all__ = ["MAX_RAW", "BibtexExtractor", "Database", "read_bibtex", "reference_from_fields"]

MAX_CHARS = 50_000_000
"""Characters of BibTeX that are read at once, about 100,000 entries; more would take minutes and gigabytes."""

_NOT_REFERENCES = frozenset({"xdata", "set", "string", "preamble", "comment", "control"})
_MAX_NOTES = 20
"""Sentences of each kind in the self-check."""
_MAX_SIBLINGS = 20
_MAX_SIBLING = 2_000_000
"""Bytes of a file of strings beside a .bib; IEEE's has 60 kB."""


@contextmanager
def _rarely_collected() -> Iterator[None]:
    """Let the collector of circles look less often; it would walk over all entries for every few hundred new ones."""
    before = gc.get_threshold()
    gc.set_threshold(_YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


_YOUNG = 50_000
"""New objects between two looks; Python's own 700 are meant for programs that keep little."""


class Database:
    """The entries of the .bib files of one document.

    Args:
        files: Split files, in their order.
        borrowed: Files that only lend their strings.
    """

    def __init__(self, files: Sequence[BibFile], borrowed: Sequence[BibFile] = ()) -> None:
        self.files = tuple(files)
        self.strings: Strings = strings_of([*borrowed, *files])
        self.entries: list[BibBlock] = [opened(entry, self.strings) for file in files for entry in file.entries]
        self._by_key: dict[str, BibBlock] = {}
        self._exact: dict[str, BibBlock] = {}
        for entry in self.entries:
            self._exact.setdefault(entry.key, entry)
            self._by_key.setdefault(entry.key.lower(), entry)
        for entry in self.entries:
            for other in filter(None, (part.strip() for part in entry.fields.get("ids", "").split(","))):
                self._by_key.setdefault(other.lower(), entry)

    @property
    def failed(self) -> tuple[FailedBlock, ...]:
        """Every broken block, in order."""
        return tuple(block for file in self.files for block in file.failed)

    def listed(self) -> list[BibBlock]:
        """Give the entries that are references, in order."""
        return [entry for entry in self.entries if entry.type not in _NOT_REFERENCES]

    def find(self, key: str) -> list[BibBlock]:
        """Give the entries that a citation of a key means: one, those of its `@set`, or none.

        BibTeX ignores case; an entry of the very same key goes first.
        """
        entry = self._exact.get(key) or self._by_key.get(key.lower())
        if entry is None:
            return []
        if entry.type != "set":
            return [entry] if entry.type not in _NOT_REFERENCES else []
        members = (part.strip() for part in entry.fields.get("entryset", "").split(","))
        found = [self._exact.get(member) for member in members]
        return [member for member in found if member is not None and member.type not in _NOT_REFERENCES]

    def reference(self, entry: BibBlock) -> Reference:
        """Give an entry as a reference, with what it inherits."""
        reference = reference_from_fields(
            entry.type,
            inherit(entry, self._by_key),
            raw=entry.raw,
            locus=Locus(path=entry.path, line=entry.line, citekey=entry.key or None),
        )
        return reference.model_copy(update={"remark": entry.remark}) if entry.remark else reference

    def duplicates(self) -> tuple[tuple[str, ...], list[str]]:
        """Give the keys that occur more than once, and a sentence for each."""
        return _duplicates(self.listed(), several=len(self.files) > 1)

    def notes(self) -> list[str]:
        """Give sentences on comments without effect, strings that nothing defines, and parents that are not there."""
        several = len(self.files) > 1
        remarks = [f"{Path(file.path).name}: {note}" if several else note for file in self.files for note in file.notes]
        return (
            remarks[:_MAX_NOTES] + self._unknown()[:_MAX_NOTES] + parents_lost(self.entries, self._by_key)[:_MAX_NOTES]
        )

    def undefined(self) -> set[str]:
        """Give the names of strings, in lower case, that no file defines."""
        return {loose.name.lower() for file in self.files for loose in loose_names(file)} - self.strings.values.keys()

    def _unknown(self) -> list[str]:
        notes: list[str] = []
        for file in self.files:
            for loose in loose_names(file):
                name = loose.name.lower()
                circular = name in self.strings.circular and loose.owner.startswith("the string ")
                if circular or name not in self.strings.values:
                    why = "is defined only later or by itself" if circular else "is not defined"
                    notes.append(
                        f"the @string {loose.name} used in {loose.owner} (line {loose.line}) {why}; "
                        "its name was kept as text"
                    )
        return notes


def _duplicates(entries: Iterable[BibBlock], *, several: bool) -> tuple[tuple[str, ...], list[str]]:
    where: dict[str, list[BibBlock]] = defaultdict(list)
    for entry in entries:
        where[entry.key].append(entry)
    repeated = {key: found for key, found in where.items() if len(found) > 1 and key}
    return tuple(repeated), [_repeated(key, found, several=several) for key, found in repeated.items()]


def _repeated(key: str, found: Sequence[BibBlock], *, several: bool) -> str:
    places = [f"{Path(entry.path).name} {entry.line}" if several else str(entry.line) for entry in found[:10]]
    return f"the key {key} occurs {len(found)} times (lines {', '.join(places)})"


def read_bibtex(
    text: str, *, path: str, notes: tuple[str, ...] = (), borrowed: Mapping[str, str] | None = None
) -> Extraction:
    r"""Read the references of BibTeX source.

    Never raises for one bad entry; see `Extraction.failed`. Comments are no failures.

    Args:
        text: Source with `\n` line ends.
        path: The document as the user named it.
        notes: Sentences to put before those of the self-check.
        borrowed: Text by name of files whose strings may be used where the source does not define one.

    Raises:
        NoReferencesError: There is no entry, not even a broken one.
        UnreadableDocumentError: It is larger than `MAX_CHARS`.
    """
    if len(text) > MAX_CHARS:
        raise UnreadableDocumentError(f"holds more than {MAX_CHARS // 1_000_000} MB of BibTeX; split it", path=path)
    with _rarely_collected():
        database = Database([split(text, path)])
        if borrowed and database.undefined():
            database, lent = _with_strings(database, borrowed)
            notes = (*notes, *lent)
        entries = database.listed()
        if not entries and not database.failed:
            raise NoReferencesError(
                "holds no BibTeX entry; where it is a text of another kind, give it the suffix of that kind", path=path
            )
        references = tuple(map(database.reference, entries))
        repeated, sentences = database.duplicates()
        return Extraction(
            path=path,
            format=BibtexExtractor.name,
            references=references,
            failed=database.failed,
            self_check=SelfCheck(
                method="entries",
                read=len(references),
                expected=len(references) + len(database.failed),
                labels_duplicate=repeated,
                notes=(*notes, *sentences[:_MAX_NOTES], *database.notes()),
            ),
        )


def _with_strings(database: Database, borrowed: Mapping[str, str]) -> tuple[Database, list[str]]:
    """Let files beside the source define the strings that it lacks; give a sentence for each that did."""
    missing = database.undefined()
    lenders: list[BibFile] = []
    notes: list[str] = []
    for name, text in borrowed.items():
        lender = split(text, name)
        lent = sorted(missing.intersection(string for string, _, _ in lender.strings))
        if lent:
            lenders.append(lender)
            notes.append(f"the @string {', '.join(lent[:10])} was taken from {name} beside it")
    return Database(database.files, lenders), notes


def _siblings(path: Path) -> dict[str, str]:
    """Give the texts of the .bib files beside one that hold strings."""
    out: dict[str, str] = {}
    for other in sorted(path.parent.glob("*.bib"))[:_MAX_SIBLINGS]:
        try:
            if other.name == path.name or other.stat().st_size > _MAX_SIBLING:
                continue
            text = read_document(other).text
        except (OSError, UnreadableDocumentError):
            continue
        if "@string" in text.lower():
            out[other.name] = text
    return out


class BibtexExtractor:
    """Reads BibTeX and BibLaTeX files."""

    name = "bibtex"
    suffixes = (".bib", ".bibtex")

    def read(self, path: Path) -> Extraction:
        """Read the references of a .bib file; strings it lacks are looked for in the .bib files beside it.

        Never raises for one bad entry; see `Extraction.failed`.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It holds no entry.
        """
        decoded = read_document(path)
        notes = (decoded.note,) if decoded.note else ()
        return read_bibtex(decoded.text, path=str(path), notes=notes, borrowed=_siblings(path))
