"""Read JSON lines in the record form of `docs/index.md`.

Everything but the title may be missing and unknown keys are left alone; a field of a wrong kind is a fault that names
it. Written for speed: one look at each value, no models.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

from citeaudit.identifiers import clean_arxiv_id, clean_doi, clean_isbn, clean_pmcid, clean_pmid
from citeaudit.index.dumps.form import Fault, Listing, Unit
from citeaudit.index.dumps.objects import SUFFIXES
from citeaudit.index.dumps.packed import content, lines
from citeaudit.index.store.record import About, Malformed, Name, Record, RecordNotice, Related
from citeaudit.index.store.tidy import tidy
from citeaudit.model import NoticeType

_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)", re.ASCII)
_NUMBER = re.compile(r"line (\d{1,12})$")
_MAX_YEAR_TEXT = 40
_new = tuple.__new__
"""Makes a named tuple in half the time."""
_DEFAULTS = tuple(Record("", *tuple(Record._field_defaults.values())))


class JsonlDump:
    """Our own form, for collections that no other reader reads."""

    name = "jsonl"
    suffixes = SUFFIXES

    def split(self, path: Path) -> Iterator[Unit]:
        """Give the units of a file in their order, about 1 MB of lines each.

        Raises:
            IndexBuildError: The file is truncated, damaged, or no list of records at all (a web page).
        """
        return lines(path)

    def read(self, unit: Unit) -> Iterator[Record | Listing | Fault]:
        """Give the records of one unit, tidied, a `Fault` in place of each bad one; empty lines are passed over.

        Raises:
            IndexBuildError: The unit's file (where `data` is `None`) is truncated or damaged.
        """
        found = _NUMBER.search(unit.place)
        number, prefix = (int(found[1]), unit.place[: found.start()]) if found else (1, f"{unit.place}: ")
        for place, line in enumerate(content(unit).split(b"\n"), number):
            if not line or line.isspace():
                continue
            try:
                yield parse(line)
            except Malformed as fault:
                yield Fault(f"{prefix}line {place}", str(fault))


def parse(line: bytes | str) -> Record:
    """Read one line, with its identifiers in their normal form and marks such as `RETRACTED:` made a notice.

    Raises:
        Malformed: Not a JSON object, a field of a wrong kind, or no letters or digits in the title.
    """
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise Malformed(f"not JSON: {error}") from None
    if type(row) is not dict:
        raise Malformed("not an object")
    return tidy(_record(row))


def _record(row: dict[str, Any]) -> Record:
    values: list[Any] = [*_DEFAULTS]
    for field, value in row.items():
        if value is None:
            continue
        place = _TEXTS.get(field)
        if place is not None:
            kind = type(value)
            if kind is str:
                values[place] = value.strip() or None
            elif kind is int:
                values[place] = str(value)
            else:
                raise Malformed(f"{field}: neither text nor a number")
        elif field in _READERS:
            place, read = _READERS[field]
            values[place] = read(value, field)
    if not values[0]:
        raise Malformed("title: missing or empty")
    return _new(Record, values)


def _text(value: Any, field: str) -> str | None:
    """Dumps give volumes, pages and ids as numbers, and empty strings for nothing."""
    if type(value) is str:
        return value.strip() or None
    if type(value) is int:
        return str(value)
    if value is None:
        return None
    raise Malformed(f"{field}: neither text nor a number")


def _title(value: Any, field: str) -> str:
    if type(value) is not str:
        raise Malformed(f"{field}: not text")
    return value


def _year(value: Any, field: str) -> int | None:
    """Take the year from `2003`, `"2003"`, `"2003-05"` or `"c1999"`; of a text without one there is no year."""
    if type(value) is int:
        return value
    if type(value) is str:
        found = _YEAR.search(value[:_MAX_YEAR_TEXT])
        return int(found[1]) if found else None
    if type(value) is float and value.is_integer():
        return int(value)
    raise Malformed(f"{field}: neither a number nor text")


def _flag(value: Any, field: str) -> bool:
    if type(value) is not bool:
        raise Malformed(f"{field}: neither true nor false")
    return value


def _items(value: Any, field: str) -> list[Any]:
    if type(value) is not list:
        raise Malformed(f"{field}: not a list")
    return value


def _is_text(value: Any) -> bool:
    return value is None or type(value) is str


def _names(value: Any, field: str) -> tuple[Name, ...]:
    names = []
    for place, one in enumerate(_items(value, field)):
        if type(one) is dict:
            family, given, literal = one.get("family"), one.get("given"), one.get("literal")
            if type(family) is not str or type(given) is not str or literal is not None:
                if not (_is_text(family) and _is_text(given) and _is_text(literal)):
                    raise Malformed(f"{field}.{place}: a part of the name is not text")
                literal = literal or None
            names.append(_new(Name, (family or None, given or None, literal)))
        elif type(one) is str:
            names.append(Name(literal=one))  # a plain string stands for a name that must not be split
        else:
            raise Malformed(f"{field}.{place}: neither an object nor text")
    return tuple(names)


def _titles(value: Any, field: str) -> tuple[str, ...]:
    return tuple(_title(one, f"{field}.{place}") for place, one in enumerate(_items(value, field)))


def _years(value: Any, field: str) -> tuple[int, ...]:
    years = [_year(one, f"{field}.{place}") for place, one in enumerate(_items(value, field))]
    return tuple(year for year in years if year is not None)


def _object(value: Any, field: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise Malformed(f"{field}: not an object")
    return value


def _notice_type(value: Any, field: str) -> NoticeType:
    try:
        return NoticeType(value)
    except ValueError:
        raise Malformed(f"{field}.type: none of {', '.join(NoticeType)}") from None


def _notices(value: Any, field: str) -> tuple[RecordNotice, ...]:
    found = []
    for place, one in enumerate(_items(value, field)):
        at = f"{field}.{place}"
        row = _object(one, at)
        year = None if row.get("year") is None else _year(row["year"], f"{at}.year")
        found.append(
            RecordNotice(_notice_type(row.get("type"), at), clean_doi(_text(row.get("doi"), f"{at}.doi")), year)
        )
    return tuple(found)


def _pair(row: dict[str, Any], at: str) -> tuple[str, str]:
    scheme, raw = (_text(row.get(name), f"{at}.{name}") for name in ("scheme", "value"))
    value = _CLEANERS[scheme](raw) if scheme in _CLEANERS else None
    if scheme is None or value is None:
        raise Malformed(f"{at}: no scheme of {', '.join(_CLEANERS)}, or no such identifier")
    return scheme, value


def _related(value: Any, field: str) -> tuple[Related, ...]:
    found = []
    for place, one in enumerate(_items(value, field)):
        at = f"{field}.{place}"
        row = _object(one, at)
        found.append(Related(_text(row.get("kind"), f"{at}.kind") or "version", *_pair(row, at)))
    return tuple(found)


def _about(value: Any, field: str) -> tuple[About, ...]:
    found = []
    for place, one in enumerate(_items(value, field)):
        at = f"{field}.{place}"
        row = _object(one, at)
        found.append(About(_notice_type(row.get("type"), at), *_pair(row, at)))
    return tuple(found)


_CLEANERS = {
    "doi": clean_doi,
    "arxiv_id": clean_arxiv_id,
    "pmid": clean_pmid,
    "pmcid": clean_pmcid,
    "isbn": clean_isbn,
}
_Read = Callable[[Any, str], Any]
_OTHER: dict[str, _Read] = {
    "title": _title,
    "authors": _names,
    "authors_complete": _flag,
    "year": _year,
    "notices": _notices,
    "titles": _titles,
    "related": _related,
    "about": _about,
    "editors": _names,
    "years": _years,
}
_READERS = {field: (Record._fields.index(field), read) for field, read in _OTHER.items()}
_TEXTS = {field: place for place, field in enumerate(Record._fields) if field not in _OTHER}
