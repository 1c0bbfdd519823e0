r"""Read LaTeX manuscripts: what they cite, from their .bib files, their .bbl or the list typed into them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path, PurePosixPath

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.decode import read_document
from citeaudit.extract.intext.link import link
from citeaudit.extract.latex.bbl import Listed, has_list, read_list
from citeaudit.extract.latex.bibtex import MAX_CHARS, Database
from citeaudit.extract.latex.bibtex_blocks import BibFile, split
from citeaudit.extract.latex.expand import Source, expand
from citeaudit.extract.latex.files import Files, Folder, inside
from citeaudit.extract.latex.project import bbl_of, resolve, resources
from citeaudit.extract.latex.running import Text, read_running
from citeaudit.extract.own import piped
from citeaudit.model.reference import Extraction, FailedBlock, Reference, SelfCheck

_MAX_NOTES = 20
_TOLD = frozenset({".tex", ".ltx", ".latex", ".bib", ".bbl", ".sty", ".cls", ".md", ".html", ".xml", ".json", ".pdf"})
_SHOWN = 10
"""Names that one sentence lists."""


class _Document:
    """A document while its bibliography is looked for."""

    def __init__(self, files: Files, main: str) -> None:
        self.files = files
        self.main = main
        self.source: Source = expand(files, main)
        self.text: Text = read_running(self.source, files)
        self.notes: list[str] = list(dict.fromkeys(self.source.notes))[:_MAX_NOTES]
        self.named: list[str] = list(resources(self.source))
        self.lost: list[str] = []
        self.repeated: tuple[str, ...] = ()
        if self.source.missing:
            self.notes.append(f"files that the source includes and that are not there: {_some(self.source.missing)}")

    # --- where references come from ----------------------------------------------------------------------

    def database(self) -> Database:
        """Read the .bib files that the source names, those it holds itself among them."""
        held: list[BibFile] = []
        room = MAX_CHARS
        for name in self.named:
            file = self._held(name) or self._found(name, room)
            if file is not None:
                held.append(file)
                room -= sum(len(entry.raw) for entry in file.entries)
            elif resolve(self.files, name) is None:
                self.lost.append(name)
        return Database(held)

    def _held(self, name: str) -> BibFile | None:
        """Give a .bib from a `filecontents` environment, unless a file of that name is there."""
        if resolve(self.files, name) is not None:
            return None
        for candidate in (name, f"{name}.bib"):
            contents = self.source.contents.get(candidate)
            if contents is not None:
                return split(contents.text, self.files.shown(contents.file), first_line=contents.line)
        return None

    def _found(self, name: str, room: int) -> BibFile | None:
        found = resolve(self.files, name)
        decoded = self.files.text(found) if found is not None else None
        if found is None or decoded is None:
            return None
        if len(decoded.text) > room:
            self.notes.append(f"{self.files.shown(found)} is larger than {MAX_CHARS // 1_000_000} MB and was not read")
            return None
        if decoded.note:
            self.notes.append(f"{self.files.shown(found)}: {decoded.note}")
        return split(decoded.text, self.files.shown(found))

    def compiled(self, names: Iterable[str]) -> Listed:
        """Read .bbl files, each once; empty where none is there."""
        references: list[Reference] = []
        failed: list[FailedBlock] = []
        for name in dict.fromkeys(names):
            if self.files.text(name) is None:
                continue
            listed = read_list(expand(self.files, name), self.files)
            references += listed.references
            failed += listed.failed
            self.notes += listed.notes
        return Listed(tuple(references), tuple(failed))


def read_source(files: Files, main: str, *, path: str, name: str) -> Extraction:
    r"""Read one LaTeX document.

    References are what it cites, in the order of citation; all entries with `\nocite{*}`; a list typed into the
    source as it stands. Never raises for one bad entry; see `Extraction.failed`.

    Args:
        files: Where its files are.
        main: Relative name of the main file.
        path: The document as the user named it.
        name: Of the format.

    Raises:
        NoReferencesError: It cites nothing and holds no list.
    """
    document = _Document(files, main)
    if has_list(document.source.text):
        listed = read_list(document.source, files)
        document.notes += listed.notes[:_MAX_NOTES]
        if listed.references:
            return _finish(document, listed.references, listed.failed, (path, name, "entries"))
    database = document.database()
    references, failed = _from_database(document, database)
    outside = [name for name in document.lost if inside(name) is None]
    lost = [name for name in document.lost if name not in outside]
    if lost:
        document.notes.append(f"bibliography files that are not there: {_some(lost)}")
    if outside:
        document.notes.append(f"bibliography files outside the folder, which were not opened: {_some(outside)}")
    if not references and not failed and not document.text.cited:
        raise NoReferencesError("cites nothing and holds no list of references", path=path)
    if not references and not failed:
        what = _some(document.lost) or "no bibliography is named"
        if document.lost and all(inside(name) is None for name in document.lost):
            raise NoReferencesError(
                f"cites {_keys(document.text.cited)}, but their bibliography ({what}) lies outside the folder of "
                "the document and was not opened; name that file itself, or copy it beside the document",
                path=path,
            )
        raise NoReferencesError(
            f"cites {_keys(document.text.cited)}, but their bibliography is not there ({what}); "
            + ("name the file instead of piping it" if piped(path) else "put the .bib or the .bbl beside it"),
            path=path,
        )
    return _finish(document, references, failed, (path, name, "entries"))


def _from_database(document: _Document, database: Database) -> tuple[list[Reference], list[FailedBlock]]:
    """Give what is cited, from the .bib files first, then from the .bbl beside the sources."""
    cited = list(document.text.cited)
    chosen: dict[tuple[str, int], Reference] = {}
    missing: list[str] = []
    for key in cited:
        entries = database.find(key)
        for entry in entries:
            if (entry.path, entry.line) not in chosen:
                chosen[entry.path, entry.line] = database.reference(entry)
        if not entries:
            missing.append(key)
    listed = database.listed()
    if document.text.everything:
        for entry in listed:
            if (entry.path, entry.line) not in chosen:
                chosen[entry.path, entry.line] = database.reference(entry)
    elif len(listed) > len(chosen):
        document.notes.append(_uncited(document, len(listed) - len(chosen)))
    document.notes += database.notes()[:_MAX_NOTES] if chosen else []
    keys = {key.lower() for key in cited}
    repeated, sentences = database.duplicates()
    of_interest = [place for place, key in enumerate(repeated) if document.text.everything or key.lower() in keys]
    document.repeated = tuple(repeated[place] for place in of_interest)
    document.notes += [sentences[place] for place in of_interest][:_MAX_NOTES]
    references = list(chosen.values())
    if missing or not listed:
        references += _from_compiled(document, missing, everything=not listed)
    failed = [
        block
        for block in database.failed
        if document.text.everything or (block.locus.citekey or "").lower() in keys or block.locus.citekey is None
    ]
    return references, failed


def _uncited(document: _Document, count: int) -> str:
    names = _some([PurePosixPath(name).name for name in document.named])
    names = names if names.endswith(".bib") or len(document.named) > 1 else f"{names}.bib"
    return f"{count} {'entry' if count == 1 else 'entries'} of {names} {'is' if count == 1 else 'are'} not cited"


def _from_compiled(document: _Document, missing: Sequence[str], *, everything: bool) -> list[Reference]:
    """Take from .bbl files, and in an archive from any .bib, what the named .bib files do not hold."""
    beside = [bbl_of(name) for name in document.source.used]
    listed = document.compiled(beside)
    if everything and listed.references:
        document.notes.append("the references were read from the .bbl, since no .bib could be")
        return _unique(listed.references)
    wanted = {key.lower(): None for key in missing}
    found = [ref for ref in _unique(listed.references) if _key(ref) in wanted]
    found += _elsewhere(document, [key for key in missing if key.lower() not in {_key(ref) for ref in found}], beside)
    order = {key: place for place, key in enumerate(wanted)}
    return sorted(found, key=lambda reference: order.get(_key(reference), len(order)))


def _elsewhere(document: _Document, missing: Sequence[str], read: Sequence[str]) -> list[Reference]:
    """Look for keys in all .bbl and .bib files of an archive: authors ship what they cite, whatever it is called."""
    names = list(document.files.names()) if missing else []
    listed = document.compiled(name for name in names if name.endswith(".bbl") and name not in read)
    wanted = {key.lower() for key in missing}
    found = [reference for reference in _unique(listed.references) if _key(reference) in wanted]
    known = {_key(reference) for reference in found}
    seen = {resolve(document.files, name) for name in document.named}
    others: list[BibFile] = []
    for name in names:
        decoded = document.files.text(name) if name.endswith(".bib") and name not in seen else None
        if decoded is not None and len(decoded.text) <= MAX_CHARS:
            others.append(split(decoded.text, document.files.shown(name)))
    database = Database(others)
    for key in missing:
        if key.lower() not in known:
            found += [database.reference(entry) for entry in database.find(key)]
    return found


def _key(reference: Reference) -> str:
    return (reference.locus.citekey or "").lower()


def _unique(references: Iterable[Reference]) -> list[Reference]:
    """Keep the first of each key, and all without one."""
    seen: set[str] = set()
    out: list[Reference] = []
    for reference in references:
        key = _key(reference)
        if key and key in seen:
            continue
        seen.add(key)
        out.append(reference)
    return out


def _finish(
    document: _Document, references: Sequence[Reference], failed: Sequence[FailedBlock], how: tuple[str, str, str]
) -> Extraction:
    path, name, method = how
    linked = link(document.text.body, references)
    known = {_key(reference) for reference in references} | {(block.locus.citekey or "").lower() for block in failed}
    dangling = [key for key in document.text.cited if key.lower() not in known and key not in linked.dangling]
    repeated = tuple(dict.fromkeys((*document.repeated, *_repeated(references))))
    return Extraction(
        path=path,
        format=name,
        references=tuple(_settled(reference, document.text) for reference in linked.references),
        citations=linked.citations,
        failed=tuple(failed),
        self_check=SelfCheck(
            method=method,
            read=len(references),
            expected=len(references) + len(failed),
            labels_duplicate=repeated,
            citations=len(linked.citations),
            dangling=(*linked.dangling, *dangling),
            notes=tuple(dict.fromkeys(document.notes)),
        ),
    )


def _settled(reference: Reference, text: Text) -> Reference:
    r"""Settle whether the text cites a reference; keys leave no doubt, but for what `\nocite` lists on purpose."""
    key = _key(reference)
    if reference.cited is not None or not key or text.everything or key in text.listed:
        return reference
    return reference.model_copy(update={"cited": key in text.marked})


def _repeated(references: Iterable[Reference]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for reference in references:
        if reference.locus.citekey:
            seen[reference.locus.citekey] = seen.get(reference.locus.citekey, 0) + 1
    return tuple(key for key, count in seen.items() if count > 1)


def _keys(cited: Collection[str]) -> str:
    return "one key" if len(cited) == 1 else f"{len(cited)} keys"


def _some(names: Sequence[str]) -> str:
    unique = list(dict.fromkeys(names))
    return ", ".join(unique[:_SHOWN]) + (", …" if len(unique) > _SHOWN else "")


class LatexExtractor:
    """Reads LaTeX manuscripts and follows them to their bibliography."""

    name = "latex"
    suffixes = (".tex", ".ltx", ".latex")

    @staticmethod
    def claims(head: bytes, path: Path) -> bool:
        r"""Whether a file whose name does not tell begins as a LaTeX document; arXiv's sources have no suffix."""
        return path.suffix.lower() not in _TOLD and b"\\documentclass" in head and b"\0" not in head

    def read(self, path: Path) -> Extraction:
        """Read the references that a .tex file cites; only files in its folder and below are followed.

        Never raises for one bad entry; see `Extraction.failed`.

        Raises:
            UnreadableDocumentError: Missing, empty, too large or not text.
            NoReferencesError: It cites nothing, or its bibliography is not there.
        """
        text = read_document(path).text
        if "\\" not in text:
            raise UnreadableDocumentError("is not LaTeX, whatever its name says", path=str(path))
        return read_source(Folder(path.parent), path.name, path=str(path), name=self.name)
