"""What an entry takes from others: `xdata` and `crossref`, by BibTeX's rule and by biblatex's (manual, appendix B)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from citeaudit.extract.latex.bibtex_blocks import BibBlock

_MOST_STEPS = 20
"""Parents of parents that are followed; biber itself allows any number."""

#: Parents' fields by what a child of another type takes them as (biblatex manual, appendix B, table 14).
_BOOK = {"title": "booktitle", "subtitle": "booksubtitle", "titleaddon": "booktitleaddon"}
_MAIN = {"title": "maintitle", "subtitle": "mainsubtitle", "titleaddon": "maintitleaddon"}
_JOURNAL = {"title": "journaltitle", "subtitle": "journalsubtitle"}
_IN_BOOK = frozenset({"inbook", "bookinbook", "suppbook"})
_MULTIVOLUME = frozenset({"mvbook", "mvcollection", "mvproceedings", "mvreference"})
_WHOLE = frozenset({"book", "collection", "proceedings", "reference"})
_NOT_INHERITED = frozenset(
    {"crossref", "xref", "xdata", "label", "key", "ids", "doi", "url", "pages", "abstract", "note", "keywords"}
    | {"entryset", "entrysubtype", "execute", "options", "presort", "related", "shorttitle", "sortkey", "file"}
    | {"indextitle", "shorthand", "introduction", "eprint", "eprinttype", "pagetotal"}
)


def _renamed(parent: str, child: str) -> Mapping[str, str]:
    if parent in _MULTIVOLUME:
        return _MAIN
    if parent == "periodical":
        return _JOURNAL
    return {} if child in _WHOLE and parent in _WHOLE else _BOOK


def inherit(entry: BibBlock, by_key: Mapping[str, BibBlock]) -> dict[str, str]:
    """Give an entry's fields with what `xdata` and `crossref` add; its own fields win, then the nearer parent's.

    Args:
        entry: The child.
        by_key: All entries by their key in lower case.
    """
    if "crossref" not in entry.fields and "xdata" not in entry.fields:
        return entry.fields
    fields = _with_data(entry.fields, by_key)
    child = entry
    seen = {entry.key.lower()}
    for _ in range(_MOST_STEPS):
        parent = by_key.get(child.fields.get("crossref", "").strip().lower())
        if parent is None or parent.key.lower() in seen:
            break
        seen.add(parent.key.lower())
        renamed = _renamed(parent.type, child.type)
        own = _with_data(parent.fields, by_key)
        for name, value in own.items():
            if name in renamed:
                fields.setdefault(renamed[name], value)
            elif name == "author" and parent.type in {"book", "mvbook"} and entry.type in _IN_BOOK:
                fields.setdefault("author", value)
                fields.setdefault("bookauthor", value)
            elif name not in _NOT_INHERITED and not (name == "author" and parent.type in _MULTIVOLUME):
                fields.setdefault(name, value)
        child = parent
    return fields


def _with_data(own: Mapping[str, str], by_key: Mapping[str, BibBlock]) -> dict[str, str]:
    """Add the fields of the `xdata` entries, through their own `xdata`, each once."""
    fields = dict(own)
    waiting = _listed(own.get("xdata", ""))
    seen: set[str] = set()
    while waiting and len(seen) <= _MOST_STEPS:
        key = waiting.pop(0).lower()
        found = by_key.get(key)
        if found is None or key in seen:
            continue
        seen.add(key)
        for name, value in found.fields.items():
            if name != "xdata":
                fields.setdefault(name, value)
        waiting += _listed(found.fields.get("xdata", ""))
    return fields


def _listed(value: str) -> list[str]:
    return [key for part in value.split(",") if (key := part.strip())]


def parents_lost(entries: Iterable[BibBlock], by_key: Mapping[str, BibBlock]) -> list[str]:
    """Give a sentence for each `crossref` or `xdata` that leads nowhere or in a circle."""
    notes: list[str] = []
    for entry in entries:
        for name in ("crossref", "xdata"):
            for key in _listed(entry.fields.get(name, "")):
                if key.lower() not in by_key:
                    notes.append(f"the {name} {key} of the entry {entry.key} (line {entry.line}) is not in the file")
                elif _circles(entry, key, name, by_key):
                    notes.append(f"the {name} {key} of the entry {entry.key} (line {entry.line}) leads in a circle")
    return notes


def _circles(entry: BibBlock, key: str, name: str, by_key: Mapping[str, BibBlock]) -> bool:
    """Whether parents lead back to the entry."""
    for _ in range(_MOST_STEPS):
        parent = by_key.get(key.strip().lower())
        if parent is None:
            return False
        if parent.key.lower() == entry.key.lower():
            return True
        key = parent.fields.get(name, "").split(",")[0]
    return False
