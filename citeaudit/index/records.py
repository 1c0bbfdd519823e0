"""Read one line of a JSON-lines file of bibliographic records, and give it as a `Work`.

The form is described in `docs/index.md`. Foreign dumps are dirty, so everything but the title may be missing
and unknown keys are left alone; what cannot be used at all is named by line and left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from citeaudit.identifiers import (
    bare_arxiv_id,
    clean_arxiv_id,
    clean_doi,
    clean_isbn,
    clean_pmcid,
    clean_pmid,
    clean_url,
    doi_arxiv_id,
)
from citeaudit.model import Identifiers, Notice, NoticeType, Person, Version, Work, WorkType
from citeaudit.text.names import parse_person
from citeaudit.text.normalize import MAX_TITLE, fold

FIRST_YEAR, LAST_YEAR = 1000, 2100
"""Years outside are misread digits and are dropped."""

RUN_TOGETHER = 4
"""Words of one name, initials aside, from which it is taken for two names."""

_NORMAL = re.compile(
    r"10\.\d{4,9}/[a-z0-9]+(?:[._-][a-z0-9]+)*(?<!pdf)(?<!full)|(?:1[5-9]|2\d)(?:0[1-9]|1[0-2])\.\d{5}"
)
"""Nearly all DOIs and arXiv ids of a dump are in their normal form; seeing that at a glance halves the cleaning."""

_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_MARKED = re.compile(
    r"^[\[(]?(RETRACTED|Retracted|WITHDRAWN|Withdrawn)(?: (?:ARTICLE|Article|PAPER|Paper))?[\])]?\s?[:.\])]\s*"
)
_OTHERS = frozenset({"others", "et al", "al", "and others", "..."})
_MARKS = {"retracted": NoticeType.RETRACTION, "withdrawn": NoticeType.WITHDRAWAL}
_CLEANERS = (
    ("doi", clean_doi),
    ("arxiv_id", clean_arxiv_id),
    ("pmid", clean_pmid),
    ("pmcid", clean_pmcid),
    ("isbn", clean_isbn),
)
_TYPES = {member.value: member for member in WorkType}


def _as_text(value: object) -> object:
    """Dumps give volumes, pages and ids as numbers, and empty strings for nothing."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return value.strip() or None
    return value


def _as_year(value: object) -> object:
    """Take the year from `2003`, `"2003"`, `"2003-05"` or `"c1999"`; anything else is no year."""
    if isinstance(value, str):
        found = _YEAR.search(value[:40])
        value = int(found.group(1)) if found else None
    if isinstance(value, int) and not FIRST_YEAR <= value <= LAST_YEAR:
        return None
    return value


Text = Annotated[str | None, BeforeValidator(_as_text)]
Year = Annotated[int | None, BeforeValidator(_as_year)]


class _Foreign(BaseModel):
    """A part of a record: unknown keys are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True)


@dataclass(frozen=True, slots=True)
class Name:
    """One author as the record has it; `literal` for groups and names that must not be split."""

    family: str | None = None
    given: str | None = None
    literal: str | None = None


class RecordNotice(_Foreign):
    """An editorial notice about the work."""

    type: NoticeType
    doi: Text = None
    year: Year = None


class Record(_Foreign):
    """One line: a work as a collection knows it. Identifiers are in any common spelling."""

    title: str
    authors: tuple[Name, ...] = ()
    authors_complete: bool | None = None
    """False where the list is known to be cut; `None` leaves it to `is_complete`."""
    year: Year = None
    venue: Text = None
    volume: Text = None
    issue: Text = None
    pages: Text = None
    publisher: Text = None
    type: Text = None
    """A value of `WorkType`; others count as unknown."""
    doi: Text = None
    arxiv_id: Text = None
    pmid: Text = None
    pmcid: Text = None
    isbn: Text = None
    url: Text = None
    src: Text = None
    """The collection it comes from; several joined by `+`."""
    id: Text = None
    """The collection's own key, kept as `Work.source_id`."""
    notices: tuple[RecordNotice, ...] = ()


class Malformed(Exception):  # noqa: N818 - an outcome of reading a line, caught by the builder and never shown as an error
    """A line that is not a usable record; the text says why."""


def parse_record(line: str | bytes) -> Record:
    """Read one line, with its identifiers in their normal form and marks such as `RETRACTED:` made a notice.

    Raises:
        Malformed: Not a JSON object, a field of a wrong kind, or no letters or digits in the title.
    """
    try:
        return tidy(Record.model_validate_json(line))
    except ValidationError as error:
        return tidy(_with_plain_names(line, error))


def _with_plain_names(line: str | bytes, error: ValidationError) -> Record:
    """Read a line once more, a plain string standing for a name that must not be split.

    Tried only where reading failed: a check of every name would cost more than all the rest.

    Raises:
        Malformed: There is another fault.
    """
    if error.errors(include_url=False)[0]["loc"][:1] != ("authors",):
        raise Malformed(_complaint(error)) from None
    row = json.loads(line)
    if isinstance(row["authors"], list):
        row["authors"] = [{"literal": one} if isinstance(one, str) else one for one in row["authors"]]
    try:
        return Record.model_validate(row)
    except ValidationError as again:
        raise Malformed(_complaint(again)) from None


def tidy(record: Record) -> Record:
    """Give the record with clean identifiers, a cut and unmarked title, and a notice for a mark in the title.

    A last author `others` or `et al.` is dropped, and the list is then known to be cut.
    Publishers mark retracted articles in the title itself (Elsevier `RETRACTED:`, Springer `RETRACTED ARTICLE:`).

    Raises:
        Malformed: The title has no letters or digits.
    """
    title, notices = record.title[:MAX_TITLE].strip(), record.notices
    mark = _MARKED.match(title)
    if mark is not None:
        title = title[mark.end() :]
        kind = _MARKS[mark.group(1).lower()]
        if all(notice.type is not kind for notice in notices):
            notices = (*notices, RecordNotice(type=kind))
    if not fold(title):
        raise Malformed("no letters or digits in the title")
    changed: dict[str, object] = {} if title == record.title else {"title": title, "notices": notices}
    for scheme, clean in _CLEANERS:
        raw = getattr(record, scheme)
        if raw and not _NORMAL.fullmatch(raw) and (value := clean(raw)) != raw:
            changed[scheme] = value
    url = (record.url or "").lower()
    if any(value and value.lower() in url for value in (record.doi, record.arxiv_id)):
        changed["url"] = None  # it says the identifier again
    if record.authors and _is_others(record.authors[-1]):
        changed |= {"authors": record.authors[:-1], "authors_complete": False}
    return record.model_copy(update=changed) if changed else record


def _is_others(name: Name) -> bool:
    return (name.family or name.literal or "").strip(". ").lower() in _OTHERS


def _complaint(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]


def keys(record: Record) -> tuple[tuple[str, str], ...]:
    """Give the `(scheme, value)` pairs a tidy record is found by; arXiv ids without version, also from an arXiv DOI."""
    pairs = [(scheme, value) for scheme in ("doi", "pmid", "pmcid", "isbn") if (value := getattr(record, scheme))]
    arxiv_id = record.arxiv_id or _arxiv_doi(record.doi)
    if arxiv_id:
        pairs.append(("arxiv_id", bare_arxiv_id(arxiv_id)))
    return tuple(pairs)


def _arxiv_doi(doi: str | None) -> str | None:
    return doi_arxiv_id(doi) if doi and doi.startswith("10.48550/") else None


def person(name: Name) -> Person:
    """Give a name as a `Person`, with two kinds of dirt put right.

    A whole name in the family field (`Maximilian L. Ach`) becomes a literal, since where to split it is a guess;
    an initial in the family field beside a longer given name (`G`, `Hardin`) means that the two were swapped.
    """
    family, given, literal = (
        part.strip() or None if part else None for part in (name.family, name.given, name.literal)
    )
    if literal and literal.count(",") == 1:
        return parse_person(literal)  # a plain string in the bibliography's order: `Doe, Jane`
    if literal or not (family or given):
        return Person(literal=literal or "?")
    if family and given and _is_initials(family) and not _is_initials(given):
        family, given = given, family
    if family is None or (given is None and " " in family):
        return Person(literal=family or given)
    return Person(family=family, given=given)


def surnames_of(record: Record) -> frozenset[str]:
    """Give the folded words of all surnames of a record, initials left out."""
    names = (name.family or name.literal or "" for name in record.authors)
    return frozenset(word for name in names for word in fold(name).split() if len(word) > 1)


def _is_initials(text: str) -> bool:
    letters = text.replace(".", "").replace(" ", "")
    return len(letters) <= 1 or (len(letters) == 2 and letters.isupper())  # noqa: PLR2004 - `JR`, against `Li`


def is_complete(record: Record) -> bool:
    """Whether the author list may be taken as whole.

    Where the record does not say, a single author is taken as one of several in two cases: without given names,
    as collections made from reference lists record a work of many (`Hanahan 2000`), and with so many words that
    names were run together (`Junzi Zhang Xin Guo`: the last and the first author).
    """
    if record.authors_complete is not None:
        return record.authors_complete
    if len(record.authors) != 1 or record.authors[0].literal:
        return True
    (only,) = record.authors
    words = [word for word in f"{only.given or ''} {only.family or ''}".split() if len(word.strip(".")) > 1]
    return bool(only.given) and len(words) < RUN_TOGETHER


def work_type(record: Record) -> WorkType:
    """Give the type the record names; an arXiv id without a venue, or with arXiv as its venue, makes it a preprint."""
    if record.type in _TYPES:
        return _TYPES[record.type]
    venue = fold(record.venue or "")
    if (record.arxiv_id or _arxiv_doi(record.doi)) and (not venue or venue.startswith(("arxiv", "corr"))):
        return WorkType.PREPRINT
    return WorkType.UNKNOWN


def identifiers(record: Record) -> Identifiers:
    """Give the identifiers of a tidy record; its address is cleaned here, since few records are ever shown."""
    schemes = {scheme: getattr(record, scheme) for scheme, _ in _CLEANERS}
    return Identifiers(**schemes, url=clean_url(record.url))


def as_version(record: Record) -> Version:
    """Give a tidy record as another version of the work that stands for it."""
    return Version(
        type=work_type(record),
        title=record.title,
        year=record.year,
        container_title=record.venue,
        volume=record.volume,
        pages=record.pages,
        identifiers=identifiers(record),
    )


def as_work(record: Record, *, source: str, source_id: str, others: tuple[Record, ...] = ()) -> Work:
    """Give a tidy record as a `Work`.

    Args:
        record: The one that stands for the work.
        source: Name of the index.
        source_id: Key of the record in it, where the record has none of its own.
        others: Further records of the same work; they become versions, and their notices are kept.
    """
    notices = dict.fromkeys(notice for one in (record, *others) for notice in one.notices)
    return Work(
        source=source,
        source_id=record.id or source_id,
        type=work_type(record),
        title=record.title,
        authors=tuple(person(name) for name in record.authors),
        authors_complete=is_complete(record),
        year=record.year,
        container_title=record.venue,
        volume=record.volume,
        issue=record.issue,
        pages=record.pages,
        publisher=record.publisher,
        identifiers=identifiers(record),
        versions=tuple(dict.fromkeys(as_version(other) for other in others)),
        notices=tuple(Notice(type=one.type, doi=clean_doi(one.doi), year=one.year) for one in notices),
    )
