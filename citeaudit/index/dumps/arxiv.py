"""Read the arXiv snapshot: one JSON object a line, as published with each month's state of the archive.

Form: the fields of https://info.arxiv.org/help/oa/index.html (`arXivRaw`), with the names split as arXiv does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citeaudit.index.dumps import objects
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.objects import Row, text
from citeaudit.index.dumps.values import arxiv_id, distinct, names, related
from citeaudit.index.store.record import Malformed, Name, Record, RecordNotice, Related
from citeaudit.model import NoticeType
from citeaudit.text.foreign import read_text
from citeaudit.text.latex import to_text

NAME = "arxiv"
VENUE = "arXiv"

#: Said of the paper, by those who can say it; `Withdrawn from ICLR` is said of a conference, and a version may be
#: withdrawn while the others stay.
_WITHDRAWN = re.compile(
    r"^\W*(?:(?:this|the|our|paper|article|manuscript|submission|preprint|work|entry)\s+){0,2}"
    r"(?:(?:is|was|has\s+been|had\s+been)\s+)?(?:temporarily\s+)?withdrawn"
    r"(?:\s+(?:by|due|because|as|since|for|from\s+(?:the\s+)?arxiv)\b|\W*$|\s*[.:;,(])"
    r"|\b(?:paper|article|manuscript|submission|preprint|work|entry)\s+(?:is|was|has\s+been)\s+withdrawn"
    r"(?!\s+from\s+(?!(?:the\s+)?arxiv))"
    r"|\bwithdrawn\s+by\s+(?:the\s+)?(?:authors?|arxiv)\b",
    re.IGNORECASE,
)
_VERSION = re.compile(r"\b(?:version|v)\s?\d", re.IGNORECASE)
_HEAD = 300  # characters of a comment in which it stands
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SPECIAL = re.compile(r"[\\$\n{}~]")
_NOTICE = (RecordNotice(NoticeType.WITHDRAWAL),)
_PARTS = 2
_CENTURY_TURN = 91
"""arXiv began in 1991, and old ids have two digits of the year."""

_SHAPE: Row = {
    **dict.fromkeys(("id", "title", "comments", "doi", "journal-ref", "authors", "update_date"), str),
    "authors_parsed": [[str]],
    "versions": [{"created": str}],
}


class ArxivDump:
    """Reads the arXiv snapshot.

    The year is that of the first version. The DOI of the published paper is kept as its other version and not as the
    record's own: the DOI denotes what the publisher printed, with another year and venue.
    """

    name = NAME
    suffixes: tuple[str, ...] = objects.SUFFIXES

    def split(self, path: Path) -> Iterator[Unit]:
        """Give the units of a file; see `objects.split`."""
        return objects.split(path, self.suffixes)

    def read(self, unit: Unit) -> Iterator[Record | Fault]:
        """Give the records of a unit; see `objects.read`."""
        return objects.read(unit, _convert, _SHAPE)


def _convert(row: Row) -> Record | None:
    get = row.get
    number = arxiv_id(get("id"))
    if number is None:
        raise Malformed("no arXiv id")
    title = _words(get("title"))
    if title is None:
        raise Malformed("no title")
    people, complete = _people(row)
    published = get("doi")
    comments = get("comments")
    return Record(
        title=title,
        authors=people,
        authors_complete=complete,
        year=_year(get("versions")) or _year_of_id(number),
        venue=VENUE,
        type="preprint",
        arxiv_id=number,
        src=NAME,
        notices=_NOTICE if comments and _is_withdrawn(comments) else (),
        related=_published(published) if published else (),
        updated=objects.day(get("update_date")),
    )


def _words(value: Any) -> str | None:
    """Give readable text; titles are wrapped to lines and keep their LaTeX."""
    if type(value) is str and _SPECIAL.search(value):
        value = " ".join(value.split())
        return read_text(to_text(value) if _SPECIAL.search(value) else value)
    return text(value)


def _people(row: Row) -> tuple[tuple[Name, ...], bool | None]:
    listed = row.get("authors_parsed")
    if not listed:
        whole = _words(row.get("authors"))
        return names(whole) if whole else ((), None)
    people = []
    for parts in map(objects.listed, listed):
        if not parts:
            continue
        family, given = _words(parts[0]), _words(parts[1]) if len(parts) >= _PARTS else None
        if family and given:
            people.append(Name(family, given))
        elif whole := family or given:
            people.append(Name(whole) if " " not in whole else Name(literal=whole))
    return tuple(people), None


def _year(versions: Any) -> int | None:
    """Give the year of the first version, `Mon, 2 Apr 2007 19:18:42 GMT`."""
    found = _YEAR.search(versions[0]["created"]) if versions else None
    return int(found[0]) if found else None


def _year_of_id(number: str) -> int:
    short = int(number.rpartition("/")[2][:2])
    return (1900 if short >= _CENTURY_TURN else 2000) + short


def _published(raw: str) -> tuple[Related, ...]:
    """Give the published versions; a few records name several DOIs, with spaces between."""
    return distinct(related("published", "doi", one) for one in raw.split()[:4])


def _is_withdrawn(comments: str) -> bool:
    head = comments[:_HEAD]
    if "ithdrawn" not in head and "ITHDRAWN" not in head:
        return False
    found = _WITHDRAWN.search(" ".join(head.split()))
    return found is not None and not _VERSION.search(head)
