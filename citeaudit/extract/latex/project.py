r"""Which LaTeX files are documents of their own, and which belong to another.

A document is a .tex file with `\documentclass` and `\begin{document}` that no other one includes. What it
includes, its .bib files, its .bbl and fragments beside it are read with it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from citeaudit.extract.latex.expand import Source, expand
from citeaudit.extract.latex.files import Below, Files, Folder

TEX = (".tex", ".ltx", ".latex")
"""Suffixes of LaTeX sources."""
MAX_HEAD = 2_000_000
"""Characters of a source in which its beginning is looked for."""

_CLASS = re.compile(r"^[^%\n\\]{0,200}\\document(?:class|style)\b", re.MULTILINE)
_BEGIN = re.compile(r"^[^%\n]{0,500}\\begin\s{0,3}\{document\}", re.MULTILINE)
_RESOURCE = re.compile(
    r"\\(?:no)?bibliography(?!style|unit)[A-Za-z]{0,12}\s{0,3}(?:\[[^\[\]]{0,200}\]\s{0,3})?\{([^{}]{1,4000})\}|"
    r"\\(?:addbibresource|addglobalbib|addsectionbib)\s{0,3}(?:\[[^\[\]]{0,300}\]\s{0,3})?\{([^{}]{1,400})\}|"
    r"\\putbib\s{0,3}\[([^\[\]]{1,400})\]"
)


def is_main(text: str) -> bool:
    r"""Whether a source is a document: `\documentclass` and `\begin{document}`, neither in a comment."""
    head = text[:MAX_HEAD]
    return bool(_CLASS.search(head)) and bool(_BEGIN.search(head))


def resources(source: Source) -> Iterator[str]:
    """Give the names of the bibliography files that a source uses, as it names them, each once."""
    seen: set[str] = set()
    for match in _RESOURCE.finditer(source.text):
        for name in (match[1] or match[2] or match[3]).split(","):
            name = name.strip().strip('"')  # noqa: PLW2901 - the same name, trimmed
            if name and "#" not in name and name not in seen:
                seen.add(name)
                yield name


def resolve(files: Files, name: str) -> str | None:
    """Give the file that a bibliography's name means, or `None`."""
    for candidate in (name, f"{name}.bib") if name.endswith(".bib") else (f"{name}.bib", name):
        if files.text(candidate) is not None:
            return posixpath.normpath(candidate.replace("\\", "/"))
    return None


def bbl_of(name: str) -> str:
    """Give the name of the .bbl beside a source."""
    return str(PurePosixPath(name).with_suffix(".bbl"))


def used(files: Files, main: str) -> set[str]:
    """Give the relative names of all files that a document uses, without itself."""
    source = expand(files, main)
    names = {name for name in source.used if name != main}
    names |= {found for name in resources(source) if (found := resolve(files, name)) is not None}
    return names | {bbl_of(name) for name in source.used}


def covered(paths: Sequence[Path]) -> set[Path]:
    """Give those of some files that belong to a LaTeX document among them and are no documents of their own.

    A folder's listing leaves them out: sources that another one includes, the .bib and .bbl files of a document, the
    PDF beside it that bears its name,
    fragments without a `documentclass` in the folder of a document or below it. Reads the .tex files; a file that
    cannot be read covers nothing.

    Args:
        paths: Files of any kind, as they would be listed.

    Returns:
        The paths to leave out, as they were given; empty where no LaTeX document is among them.
    """
    sources = {path: text for path in paths if path.suffix.lower() in TEX and (text := _text(path)) is not None}
    mains = [path for path, text in sources.items() if is_main(text)]
    if not mains:
        return set()
    by_real = {path.resolve(): path for path in paths}
    out: set[Path] = set()
    for main in mains:
        for name in used(Folder(main.parent), main.name):
            listed = by_real.get((main.parent / name).resolve())
            if listed is not None and listed != main:
                out.add(listed)
    out |= {path for path in paths if path.suffix.lower() == ".pdf" and _made_from(path, mains)}
    folders = {main.parent.resolve() for main in mains}
    for path in sources:
        if path not in mains and not folders.isdisjoint(path.resolve().parents):
            out.add(path)
    return _without_circle(out, mains)


def _made_from(pdf: Path, mains: Sequence[Path]) -> bool:
    """Whether a PDF lies beside a main source of the same name, which has made it."""
    return any(main.stem == pdf.stem and main.parent == pdf.parent for main in mains)


def _without_circle(out: set[Path], mains: Sequence[Path]) -> set[Path]:
    """Keep one document where all of them include one another."""
    return out if any(main not in out for main in mains) else out - {mains[0]}


def _text(path: Path) -> str | None:
    decoded = Folder(path.parent).text(path.name)
    return decoded.text if decoded is not None else None


def mains(files: Files, names: Sequence[str]) -> list[str]:
    """Give the main sources among some names: documents that no other one includes, the likeliest first.

    Names such as `main` and `ms`, then those nearest to the top, then the longest come first.
    """
    sources = {name: found.text for name in names if name.lower().endswith(TEX) and (found := files.text(name))}
    candidates = [name for name, text in sources.items() if is_main(text)]
    included: set[str] = set()
    for name in candidates:
        folder = posixpath.dirname(name)
        below = Below(files, folder)
        included |= {posixpath.join(folder, other) for other in used(below, posixpath.basename(name))}
    own = [name for name in candidates if name not in included] or candidates
    return sorted(own, key=lambda name: (_rank(name), name.count("/"), -len(sources[name]), name))


_USUAL = ("main", "ms", "paper", "article", "manuscript", "thesis", "root", "template")


def _rank(name: str) -> int:
    stem = PurePosixPath(name).stem.lower()
    return _USUAL.index(stem) if stem in _USUAL else len(_USUAL)
