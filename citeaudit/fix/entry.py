"""Write corrections into the source of one BibTeX entry; all else stays as it is, character by character."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citeaudit.errors import NoReferencesError
from citeaudit.extract.latex.bibtex_blocks import split
from citeaudit.fix.latex import written
from citeaudit.fix.names import listed
from citeaudit.fix.plan import Correction
from citeaudit.fix.scan import Value, values
from citeaudit.fix.titles import retitled
from citeaudit.model import FieldName
from citeaudit.policy.words import label

_FIELDS: dict[FieldName, tuple[str, ...]] = {
    FieldName.TITLE: ("title",),
    FieldName.AUTHORS: ("author", "authors"),
    FieldName.YEAR: ("year", "date", "issued"),
    FieldName.CONTAINER_TITLE: ("journal", "journaltitle", "booktitle", "maintitle", "shortjournal", "eventtitle"),
    FieldName.VOLUME: ("volume",),
    FieldName.ISSUE: ("number", "issue"),
    FieldName.PAGES: ("pages", "page", "articleno", "eid"),
    FieldName.PUBLISHER: ("publisher", "school", "institution", "organization"),
    FieldName.DOI: ("doi", "url", "note", "howpublished"),
    FieldName.ARXIV_ID: (
        "eprint",
        "arxiv",
        "arxivid",
        "journal",
        "journaltitle",
        "url",
        "note",
        "howpublished",
        "volume",
        "doi",
    ),
    FieldName.PMID: ("pmid", "eprint", "url", "note"),
    FieldName.PMCID: ("pmcid", "url", "note"),
    FieldName.ISBN: ("isbn",),
}
"""Where a claim may stand, as the reader of BibTeX looks for it."""
_SCHEMES = frozenset({FieldName.DOI, FieldName.ARXIV_ID, FieldName.PMID, FieldName.PMCID})
_OWN: dict[FieldName, tuple[str, ...]] = {
    FieldName.DOI: ("doi",),
    FieldName.ARXIV_ID: ("eprint", "arxiv", "arxivid"),
    FieldName.PMID: ("pmid",),
    FieldName.PMCID: ("pmcid",),
}
"""Fields that hold an identifier alone, whatever it looks like."""
_ARCHIVES = ("eprinttype", "archiveprefix")
_PARENTS = ("crossref", "xdata", "xref")
_SUBTITLES = {
    "title": "subtitle", "journal": "journalsubtitle", "journaltitle": "journalsubtitle", "booktitle": "booksubtitle",
    "maintitle": "mainsubtitle",
}  # fmt: skip
_YEAR = re.compile(r"\s*\{*\s*((?:1[4-9]|20)\d\d)[a-z]?\s*\}*\s*")
_DATE = re.compile(r"\s*\{*\s*((?:1[4-9]|20)\d\d)(?:-\d\d){0,2}\s*\}*\s*")
_TOKEN = re.compile(r"\s*(\S{1,200})\s*")
_UNDERSCORE = r"(?:\{\\_\}|\\_|_|%5F)"


class Edit(NamedTuple):
    """One stretch of the source to replace."""

    start: int
    """Half-open, code points."""
    end: int
    text: str


class Revision(NamedTuple):
    """An entry with its corrections."""

    edits: tuple[Edit, ...]
    """In order, none overlapping."""
    done: tuple[Correction, ...]
    left: tuple[str, ...]
    """Why a correction was not written, one sentence each."""


def apply(source: str, edits: Sequence[Edit]) -> str:
    """Give the source with stretches replaced."""
    parts: list[str] = []
    last = 0
    for edit in edits:
        parts += [source[last : edit.start], edit.text]
        last = edit.end
    return "".join([*parts, source[last:]])


def revise(source: str, changes: Sequence[Correction], *, is_ascii: bool) -> Revision:
    """Give what to replace in an entry.

    A correction is written only if the reader of BibTeX then reads this field otherwise and every other one as before.

    Args:
        source: The entry, from its `@` to its last brace.
        changes: What to put right.
        is_ascii: Whether letters with marks are written as macros.
    """
    found = values(source)
    edits: list[Edit] = []
    done: list[Correction] = []
    left: list[str] = []
    for change in changes:
        made = [
            edit
            for edit in _edits(source, found, change, is_ascii=is_ascii)
            if source[edit.start : edit.end] != edit.text
        ]
        free = not any(one.start < other.end and other.start < one.end for one in made for other in edits)
        if made and free and _is_sound(source, made, found):
            edits += made
            done.append(change)
        else:
            left.append(_left(source, found, change))
    return Revision(tuple(sorted(edits)), tuple(done), tuple(left))


def _left(source: str, found: dict[str, Value], change: Correction) -> str:
    """Say why a correction was not written, and what it would have been."""
    name = label(change.field)
    parent = next((field for field in _PARENTS if field in found), None)
    if parent and not any(field in found for field in _FIELDS[change.field]):
        named = _inner(source, found[parent]) or "another entry"
        return f"The {name} was not changed: it comes from {named} by {parent}; {change.value} is recorded."
    return f"The {name} was not changed: the entry has it in a form that is not written; {change.value} is recorded."


def _is_sound(source: str, edits: Sequence[Edit], found: dict[str, Value]) -> bool:
    """Whether the reader of BibTeX finds the same entry afterwards, but for the fields that were edited."""
    old, new = _read(source), _read(apply(source, sorted(edits)))
    if old is None or new is None:
        return False
    touched = {name for name, value in found.items() if any(value.start <= edit.start < value.end for edit in edits)}
    changed = {name for name in {*old, *new} if old.get(name) != new.get(name)}
    return changed == touched


def _read(source: str) -> dict[str, str] | None:
    try:
        file = split(source, "")
    except NoReferencesError:
        return None
    if len(file.entries) != 1 or file.failed:
        return None
    entry = file.entries[0]
    return {**entry.fields, "@": entry.type, "@key": entry.key}


def _edits(source: str, found: dict[str, Value], change: Correction, *, is_ascii: bool) -> Iterator[Edit]:
    names = [name for name in _FIELDS[change.field] if name in found]
    if change.field in _SCHEMES:
        yield from _identifier(source, found, change)
        return
    for name in names:
        value = found[name]
        if _SUBTITLES.get(name) in found or (change.field is FieldName.YEAR and not _is_year(source, value)):
            continue
        told = _told(change, _inner(source, value), is_ascii=is_ascii)
        if told is not None:
            yield _trimmed(source, _put(source, value, told))
        return


def _is_year(source: str, value: Value) -> bool:
    inner = _inner(source, value)
    composed = not inner and (len(value.pieces) > 1 or not value.pieces[0].delimiter)
    return composed or bool(_YEAR.fullmatch(inner) or _DATE.fullmatch(inner))


def _told(change: Correction, inner: str, *, is_ascii: bool) -> str | None:
    """Give the new value of a field as LaTeX, or `None` where it cannot be written."""
    match change.field:
        case FieldName.TITLE:
            return retitled(inner, change.value, is_ascii=is_ascii)
        case FieldName.AUTHORS:
            return listed(change, inner, is_ascii=is_ascii)
        case FieldName.YEAR:
            year = _YEAR.fullmatch(inner) or _DATE.fullmatch(inner)
            return inner.replace(year[1], change.value, 1) if year else change.value
        case FieldName.PAGES:
            return written(change.value, is_ascii=True).replace("---", "-").replace("--", "-").replace("-", "--")
        case _:
            return written(change.value, is_ascii=is_ascii)


def _identifier(source: str, found: dict[str, Value], change: Correction) -> Iterator[Edit]:
    """Replace an identifier wherever it stands, whatever stands around it; else the field that holds it alone."""
    if not change.claimed:
        return
    spelt = _spelt(change)
    some = False
    for name in _FIELDS[change.field]:
        value = found.get(name)
        match = spelt.search(source, value.start, value.end) if value else None
        if match:
            some = True
            yield Edit(match.start(), match.end(), _respelt(change, match.group()))
    archive = next((_inner(source, found[name]) for name in _ARCHIVES if name in found), "arxiv")
    for name in _OWN[change.field] if not some and "arxiv" in archive.lower() else ():
        value = found.get(name)
        token = _TOKEN.fullmatch(_inner(source, value)) if value else None
        if value and token:
            start = value.start + (value.pieces[0].delimiter != "")
            yield Edit(start + token.start(1), start + token.end(1), change.value)
            return


def _spelt(change: Correction) -> re.Pattern[str]:
    """Give the ways in which people write an identifier: with its version, its subject class, escaped."""
    told = re.escape(change.claimed or "").replace("_", _UNDERSCORE)
    match change.field:
        case FieldName.ARXIV_ID:
            told = told.replace("/", r"(?:\.[a-z]{2})?/", 1)
            return re.compile(rf"(?<!\w)(?<!\d\.){told}(?:v\d{{1,3}})?(?!\w)", re.IGNORECASE)
        case FieldName.PMCID:
            told = rf"(?:PMC)?{told.removeprefix('PMC')}"
        case _:
            pass
    return re.compile(rf"(?<![\w.]){told}(?!\w)", re.IGNORECASE)


def _respelt(change: Correction, old: str) -> str:
    """Write an identifier as the one was written in whose place it comes."""
    told = change.value
    if change.field is FieldName.PMCID and not old.upper().startswith("PMC"):
        told = told.removeprefix("PMC")
    return told.replace("_", r"\_") if r"\_" in old else told


def _inner(source: str, value: Value) -> str:
    """Give a value without its delimiters; nothing where it is joined of several parts or the name of a string."""
    piece = value.pieces[0]
    text = source[piece.start : piece.end]
    if len(value.pieces) > 1 or not (piece.delimiter or text.isdigit()):
        return ""
    return text[1:-1] if piece.delimiter else text


def _trimmed(source: str, edit: Edit) -> Edit:
    """Give the edit without the words at both ends that do not change."""
    old = source[edit.start : edit.end]
    most = min(len(old), len(edit.text))
    head = next((at for at in range(most) if old[at] != edit.text[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != edit.text[-1 - at]), most - head)
    return Edit(edit.start + head, edit.end - tail, edit.text[head : len(edit.text) - tail])


def _put(source: str, value: Value, told: str) -> Edit:
    """Replace a value: within its own delimiters where it has one part, as a whole where it is joined or a string's."""
    if len(value.pieces) == 1 and value.pieces[0].delimiter:
        return Edit(value.start + 1, value.end - 1, told)
    if len(value.pieces) == 1 and told.isdigit() and source[value.start : value.end].isdigit():
        return Edit(value.start, value.end, told)
    quoted = any(piece.delimiter == '"' for piece in value.pieces)
    return Edit(value.start, value.end, f'"{told}"' if quoted else f"{{{told}}}")
