"""Choose the reader for a document; the same for files, folders and standard input.

Content decides before the name: PDF by its header, then every reader that tells its format by the first bytes
(`claims(head, path)`), then the suffix, then plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from glob import iglob
from pathlib import Path
from typing import TYPE_CHECKING, cast

from citeaudit import registry
from citeaudit.errors import UnreadableDocumentError, UsageError
from citeaudit.extract.decode import is_text, peek
from citeaudit.extract.latex.project import covered
from citeaudit.extract.own import HEAD_BYTES, is_overlay, is_report
from citeaudit.seams import Recognises

if TYPE_CHECKING:
    from citeaudit.model import Extraction
    from citeaudit.seams import Extractor

STDIN = "-"
"""Names standard input where a path is expected."""

_WILD = re.compile(r"[*?\[]")
"""What makes a name a pattern, where no file bears that very name."""

_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1_024
"""PDF readers accept the header within the first kilobyte (ISO 32000-1, implementation note 13)."""

_ANY_TEXT = frozenset({"", ".txt", ".text"})
"""Names under which LaTeX comes too; elsewhere its commands may be quoted."""

_SIGNS = {
    "bbl": re.compile(r"\A(?:\s|%[^\n]*\n)*\\begin\{thebibliography\}|^\\refsection\{|^% \$ biblatex", re.MULTILINE),
    "latex": re.compile(r"^[ \t]{0,20}\\(?:documentclass|documentstyle|begin\{document\})", re.MULTILINE),
}
"""What readers without `claims` are known by under such a name."""

_FIRST = {
    "bibtex": re.compile(
        r"\A(?:\s|%[^\n]*\n)*@[A-Za-z]{2,30}\s{0,9}[{(]\s{0,9}[^\s,{}()\"]{1,200}\s{0,9},\s{0,99}[\w-]{1,40}\s{0,9}="
    ),
    "latex": re.compile(r"\A(?:\s|%[^\n]*\n)*\\document(?:class|style)\s{0,9}[\[{]"),
}
"""What leaves no doubt under any name, where a text begins with it; Markdown reads such text itself."""

_SHARED = frozenset({".json", ".xml"})
"""Suffixes of all kinds of files: in a folder only those are documents that some reader knows by their content."""


@cache
def extractors() -> tuple[Extractor, ...]:
    """Give one instance of every registered reader, sorted by name."""
    made = (registry.load("extractor", name) for name in registry.names("extractor"))
    return tuple(cast("type[Extractor]", kind)() for kind in made)


def suffixes() -> tuple[str, ...]:
    """Give every suffix that some reader takes, sorted."""
    return tuple(sorted({suffix for extractor in extractors() for suffix in extractor.suffixes}))


def find(paths: Iterable[str]) -> tuple[str, ...]:
    """Resolve what the user named to documents: files as they are, folders and patterns to the files they stand for.

    A pattern is a name with `*`, `?` or `[` that the shell left as it is and that no file bears; `**` stands for any
    folders. Hidden files, files that no reader takes, reports of citeaudit, and files that belong to another document
    of the folder (the .bib beside its .tex) are left out of both; they come sorted; nothing is listed twice.

    Raises:
        UsageError: No path was given, or a folder or pattern holds nothing that can be read.
    """
    found: dict[str, None] = {}
    for name in paths:
        found.update(dict.fromkeys(_documents(name)))
    if not found:
        raise UsageError("name at least one file or folder, or - for standard input")
    return tuple(found)


def read(path: Path, *, ocr: str | None = None) -> Extraction:
    """Read the references of one document.

    The content decides before the name: a PDF is read as one whatever it is called, and so is each format whose
    reader knows its first bytes.

    Args:
        path: The document.
        ocr: Languages in which pages without text are read from their images (`eng+deu`); `None` leaves them.

    Raises:
        ExtractionError: The document as a whole cannot be read.
        DependencyError: Recognition was asked for and a page needs it, but what it needs is not installed.
    """
    chosen = _choose(path)
    if ocr and isinstance(chosen, Recognises):
        chosen = chosen.recognising(ocr)
    return chosen.read(path)


def _documents(name: str) -> list[str]:
    if name == STDIN:
        return [name]
    path = Path(name)
    if _stands(path, folder=True):
        inside = _inside(path)
        if not inside:
            raise UsageError(f"{name}: the folder holds no document that can be read ({', '.join(suffixes())})")
        return inside
    if not _WILD.search(name) or _stands(path):
        return [name]
    matching = _matching(name)
    if not matching:
        raise UsageError(f"{name}: the pattern matches no document that can be read ({', '.join(suffixes())})")
    return matching


def _stands(path: Path, *, folder: bool = False) -> bool:
    """Tell whether a file or folder is there; a name that no file system could hold is not."""
    try:
        return path.is_dir() if folder else path.exists()
    except OSError:
        return False


def _inside(folder: Path) -> list[str]:
    return _standing([file for file in sorted(folder.rglob("*")) if _is_document(file, folder)])


def _standing(files: list[Path]) -> list[str]:
    """Give the documents among files of a folder that stand for themselves."""
    belonging = covered(files)
    return [str(file) for file in files if file not in belonging and _is_known(file)]


def _is_known(file: Path) -> bool:
    """Whether a file found in a folder is worth reading: no report of ours, and no JSON or XML of another kind."""
    try:
        head = _head(file)
    except UnreadableDocumentError:
        return True  # it is told when it is read
    if file.suffix.lower() == ".pdf" and is_overlay(file):
        return False
    return not is_report(head, file) and (file.suffix.lower() not in _SHARED or bool(_claimants(head, file)))


def _matching(pattern: str) -> list[str]:
    """Give the documents that match, and those inside folders that match, as a shell would have named them."""
    found: list[str] = []
    for name in sorted(iglob(pattern, recursive=True)):  # noqa: PTH207  # Path.glob takes no absolute pattern
        path = Path(name)
        if path.is_dir():
            found += _inside(path)
        elif path.is_file() and path.suffix.lower() in suffixes() and _is_known(path):
            found.append(str(path))
    return found


def _is_document(file: Path, root: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(root).parts)
    return not hidden and file.suffix.lower() in suffixes() and file.is_file()


def _choose(path: Path) -> Extractor:
    head = _head(path)
    by_name = {extractor.name: extractor for extractor in extractors()}
    if _MAGIC in head[:_MAGIC_WITHIN] and "pdf" in by_name:
        return by_name["pdf"]
    if is_report(head, path):
        message = "is a report that citeaudit has written; name the manuscript it is about"
        raise UnreadableDocumentError(message, path=str(path))
    suffix = path.suffix.lower()
    claimants = _claimants(head, path)
    for extractor in (*(one for one in claimants if suffix in one.suffixes), *claimants):
        return extractor
    for extractor in extractors():
        if suffix in extractor.suffixes:
            return extractor
    if not suffix and head and is_text(head):
        return by_name["plain"]
    known = ", ".join(suffixes())
    raise UnreadableDocumentError(f"no reader takes {suffix or 'this kind of'} files; known: {known}", path=str(path))


def _claimants(head: bytes, path: Path) -> list[Extractor]:
    """Give the readers that know the document by its first bytes, sorted by name."""
    found: list[Extractor] = []
    for extractor in extractors():
        claims: Callable[[bytes, Path], bool] | None = getattr(extractor, "claims", None)
        if claims is not None and claims(head, path):
            found.append(extractor)
    suffixed = {one.name for one in extractors() if path.suffix.lower() in one.suffixes}
    if not found and suffixed and not suffixed & {"markdown", "bbl"} and is_text(head):
        text = peek(head)
        found = [one for one in extractors() if one.name in _FIRST and _FIRST[one.name].match(text)]
    if not found and path.suffix.lower() in _ANY_TEXT:
        text = peek(head)
        found = [one for one in extractors() if one.name in _SIGNS and _SIGNS[one.name].search(text)]
    return found


def _head(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise UnreadableDocumentError("is a folder, not a document", path=str(path))
        if path.exists() and not path.is_file():  # a pipe without a writer would be waited for, a device read for ever
            raise UnreadableDocumentError("is not a regular file; pipe it in and name -", path=str(path))
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except FileNotFoundError as error:
        raise UnreadableDocumentError("no such file; check the path", path=str(path)) from error
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UnreadableDocumentError(f"cannot be opened ({reason}); check its permissions", path=str(path)) from error
