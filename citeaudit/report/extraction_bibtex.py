"""What was read, as BibTeX: every field that a reference has, under BibLaTeX's names, LaTeX escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from citeaudit.model import Extraction, Person, Reference, Unreadable, WorkType
from citeaudit.report.citekeys import keyed
from citeaudit.text.normalize import squash
from citeaudit.text.visible import visible

_TYPES = {
    WorkType.ARTICLE_JOURNAL: "article",
    WorkType.NEWS: "article",
    WorkType.PEER_REVIEW: "article",
    WorkType.PAPER_CONFERENCE: "inproceedings",
    WorkType.PREPRINT: "preprint",
    WorkType.BOOK: "book",
    WorkType.CHAPTER: "incollection",
    WorkType.REFERENCE_ENTRY: "inreference",
    WorkType.THESIS: "thesis",
    WorkType.REPORT: "report",
    WorkType.STANDARD: "standard",
    WorkType.SOFTWARE: "software",
    WorkType.DATASET: "dataset",
    WorkType.WEBPAGE: "online",
    WorkType.PATENT: "patent",
    WorkType.LEGAL_CASE: "jurisdiction",
    WorkType.PERSONAL_COMMUNICATION: "letter",
    WorkType.UNKNOWN: "misc",
}
_JOURNALS = frozenset({"article", "preprint", "misc", "online", "software", "dataset", "standard", "patent", "letter"})
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_ESCAPED = re.compile(r"[\\{}$&#%_~^]")
_URL_UNSAFE = re.compile(r"[\s{}\\]")
_SPLIT = re.compile(r"\s(?:and|with)\s|,|^(?:and|others)\b", re.IGNORECASE)


def write_bibtex(results: Sequence[Extraction | Unreadable], stream: TextIO) -> None:
    """Write one list over all documents, its keys unique; each document is named in a comment before its entries."""
    counts = [0 if isinstance(result, Unreadable) else len(result.references) for result in results]
    entries = keyed(one for result in results if isinstance(result, Extraction) for one in result.references)
    for result, count in zip(results, counts, strict=True):
        stream.write(f"% {_comment(result.path)}\n")
        if isinstance(result, Unreadable):
            stream.write(f"% could not be read: {_comment(result.message)}\n")
        stream.writelines("\n" + entry(*next(entries)) for _ in range(count))
        stream.write("\n")


def entry(key: str, reference: Reference) -> str:
    """Give one entry, its fields sorted by name, with a line end."""
    kind = _TYPES[reference.type]
    fields = dict(_fields(kind, reference))
    lines = "".join(f",\n  {name} = {{{fields[name]}}}" for name in sorted(fields))
    return f"@{kind}{{{key}{lines}\n}}\n"


def _comment(text: str) -> str:
    return squash(visible(text)).replace("@", "(at)")


def _fields(kind: str, reference: Reference) -> Iterator[tuple[str, str]]:
    container = "journal" if kind in _JOURNALS else "booktitle"
    named = (
        ("title", reference.title),
        (container, reference.container_title),
        ("volume", reference.volume),
        ("number" if kind != "report" else "issue", reference.issue),
        ("publisher", reference.publisher),
        ("pubstate", reference.status),
    )
    for name, value in named:
        if value and (told := _escape(value)):
            yield name, told
    if reference.authors or reference.authors_truncated:
        people = [_person(one) for one in reference.authors] + ["others"] * reference.authors_truncated
        yield "author", " and ".join(people)
    if reference.editors:
        yield "editor", " and ".join(map(_person, reference.editors))
    if reference.year is not None:
        yield "year", f"{reference.year}{reference.year_suffix or ''}"
    if reference.original_year is not None:
        yield "origdate", str(reference.original_year)
    if reference.pages:
        yield "pages", _escape(reference.pages).replace("-", "--")
    if reference.acknowledged:
        yield "note", "Retracted"
    yield from _identifiers(reference)


def _identifiers(reference: Reference) -> Iterator[tuple[str, str]]:
    for scheme, value in reference.identifiers.pairs():
        if scheme == "arxiv_id":
            yield "eprint", value
            yield "eprinttype", "arxiv"
        else:
            yield scheme, _URL_UNSAFE.sub("", value)


def _escape(text: str) -> str:
    """Give text as LaTeX source that prints it, on one line."""
    return _ESCAPED.sub(lambda match: _SPECIAL[match.group()], squash(visible(text)))


def _person(person: Person) -> str:
    """Give a name as BibTeX splits it: `Family, Suffix, Given`; a group in braces, so that it is not split."""
    if person.family is None:
        return f"{{{_escape(person.literal or person.given or str(person))}}}"
    parts = [person.family, person.suffix, person.given] if person.suffix else [person.family, person.given]
    return ", ".join(_part(part) for part in parts if part is not None) + ("," if person.given is None else "")


def _part(text: str) -> str:
    told = _escape(text)
    return f"{{{told}}}" if _SPLIT.search(text) else told
