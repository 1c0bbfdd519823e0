"""What a Markdown document says about its bibliography: pandoc's front matter, and the files it names."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from citeaudit.errors import ExtractionError, NoReferencesError, UnreadableDocumentError
from citeaudit.extract.decode import Decoded
from citeaudit.extract.tagged.csl import read_csl
from citeaudit.model.reference import Reference

MAX_FRONT = 400_000
"""Characters of front matter that are read."""
MAX_FILES = 20
"""Bibliographies of one document that are read."""

_SUFFIXES = frozenset({".bib", ".bibtex", ".json", ".yaml", ".yml", ".ris", ".nbib"})
_NOCITE = re.compile(r"@(?:\{([^{}\s]{1,200})\}|(\*|\w(?:[\w:.#$%&+?<>~/-]{0,200}\w)?))")
# Every scalar stays text: dates and numbers are read where they are used. It builds nothing but texts, lists, tables.
_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """What front matter says."""

    files: tuple[str, ...] = ()
    items: tuple[object, ...] = ()
    """Items of CSL written in the front matter itself."""
    nocite: frozenset[str] = frozenset()
    """Keys listed without a citation in the text; `*` for all."""
    remarks: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Whether a bibliography is named at all."""
        return bool(self.files or self.items)


def read_front(text: str) -> Front:
    """Read front matter; what cannot be read is said, never raised."""
    if not re.search(r"^(?:bibliography|references|nocite)\s*:", text, re.MULTILINE):
        return Front()
    if len(text) > MAX_FRONT:
        return Front(remarks=("the front matter is too long to be read; name the bibliography itself",))
    try:
        loaded = yaml.load(text, Loader=_Loader)  # noqa: S506 - the base loader builds only texts, lists and tables
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        where = getattr(getattr(error, "problem_mark", None), "line", None)
        line = f" (line {where + 2})" if isinstance(where, int) else ""
        return Front(remarks=(f"the front matter is not valid YAML{line}; its bibliography was not read",))
    if not isinstance(loaded, dict):
        return Front()
    named = loaded.get("bibliography")
    listed = named if isinstance(named, list) else list(named.values()) if isinstance(named, dict) else [named]
    items = loaded.get("references")
    nocite = loaded.get("nocite")
    return Front(
        files=tuple(name for name in listed if isinstance(name, str) and name.strip())[:MAX_FILES],
        items=tuple(items) if isinstance(items, list) else (),
        nocite=frozenset(braced or bare for braced, bare in _NOCITE.findall(str(nocite or "")[:100_000])),
    )


def _plain(item: object) -> object:
    """Turn pandoc's dates (`year: 2019`) into those of CSL-JSON."""
    if not isinstance(item, dict):
        return item
    made = dict(item)
    for name in ("issued", "original-date", "accessed"):
        date = made.get(name)
        date = date[0] if isinstance(date, list) and date else date
        if isinstance(date, dict) and "year" in date:
            made[name] = {"date-parts": [[date["year"]]]}
        elif isinstance(date, str):
            made[name] = {"raw": date}
    return made


def csl_references(items: Sequence[object], *, path: str) -> tuple[Reference, ...]:
    """Give references for items of CSL; those that are none are left out."""
    try:
        text = json.dumps([_plain(item) for item in items], ensure_ascii=False, default=str)
        found = read_csl(Decoded(text, "utf-8", None), path)
    except (NoReferencesError, UnreadableDocumentError, RecursionError, ValueError):
        return ()
    return found.references


def read_bibliography(front: Front, document: Path) -> tuple[tuple[Reference, ...], tuple[str, ...]]:
    """Read the bibliographies that a document names, and sentences about those that were not read.

    Only files in the folder of the document and below are opened, and only by the registered readers: what a
    document says must not lead anywhere else.
    """
    found: list[Reference] = []
    remarks: list[str] = list(front.remarks)
    inline = csl_references(front.items, path=str(document))
    found += [item.model_copy(update={"locus": item.locus.model_copy(update={"line": None})}) for item in inline]
    if len(inline) < len(front.items):
        remarks.append(f"{len(front.items) - len(inline)} of the references in the front matter could not be read")
    for name in front.files:
        file = document.parent / name
        if not _allowed(file, document):
            remarks.append(
                f"the bibliography {name} lies outside the document's folder and was not read; check it itself"
            )
            continue
        try:
            found += _read(file)
        except ExtractionError as error:
            remarks.append(f"the bibliography {name} could not be read: {error.message}")
    return tuple(found), tuple(remarks)


def _allowed(file: Path, document: Path) -> bool:
    try:
        inside = file.resolve().is_relative_to(document.parent.resolve())
    except (OSError, ValueError):
        return False
    return inside and file.suffix.lower() in _SUFFIXES


def _read(file: Path) -> tuple[Reference, ...]:
    if file.suffix.lower() in {".yaml", ".yml"}:
        from citeaudit.extract.decode import read_document

        front = read_front(read_document(file).text.strip().strip("-."))
        return csl_references(front.items, path=str(file))
    from citeaudit.extract import reader  # the registry knows the readers, this one among them

    return reader.read(file).references


def cited_only(
    references: Sequence[Reference], keys: Collection[str], nocite: Collection[str]
) -> tuple[tuple[Reference, ...], int]:
    """Give the entries that a document prints: those it cites or lists; and how many others there are.

    A document that cites nothing prints nothing, so that all entries are given.
    """
    wanted = {*keys, *nocite}
    if not wanted or "*" in nocite:
        return tuple(references), 0
    kept = tuple(reference for reference in references if reference.locus.citekey in wanted)
    if not kept:
        return tuple(references), 0
    return kept, len(references) - len(kept)
