"""Read JSON dumps: objects a line, arrays, and the envelopes of web services, one slip never costing its neighbours.

A reader converts an object as documented, without looking twice, since millions are as documented. Where that fails
the object is first cut down to its documented shape, and only then is it a fault.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

from citeaudit.errors import UnreadableDumpError
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.looks import looks_like
from citeaudit.index.dumps.packed import PEEK, content, lines_of, members
from citeaudit.index.store.record import Malformed, Record
from citeaudit.index.store.tidy import tidy
from citeaudit.text.foreign import MAX_LIST, read_text

Row = dict[str, Any]
"""One object as it comes."""
Convert = Callable[[Row], Record | None]
"""Gives the record of an object, `None` for one that is no work at all; may fail in any of `SLIPS`."""
Unwrap = Callable[[Row], list[Any] | None]
"""Gives the objects inside an envelope, `None` for an object that is none."""

_PACKINGS = ("", ".gz", ".bz2", ".xz", ".zst")
SUFFIXES = (
    *(f".{form}{packing}" for form in ("json", "jsonl", "ndjson") for packing in _PACKINGS),
    *(".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.zst"),
)
"""Of files of JSON, as services and people name them."""

Cuts = tuple[tuple[bytes, bytes], ...]
"""Large fields that no record needs: what they begin with, and the end of the array or object with the quotation mark
of the next name, as in `(b'"reference":[{', b'}],"')`."""

SLIPS = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What reading an object of another shape ends in."""

_WHOLE = re.compile(rb'\[|\{\s*"(?:items|data|results)"\s*:\s*\[')
_NUMBER = re.compile(r"line (\d{1,12})$")
_FIRST = re.compile(r"(?:line|record) 1$")
UNMARKED, MANY_UNMARKED = 5, 1_000
"""Objects without any mark of the form from which a file is taken for another; at most so many are looked at."""

_MAX_DIGITS = 10**18
_NO_WORDS = "not in the documented shape"


def split(path: Path, suffixes: tuple[str, ...]) -> Iterator[Unit]:
    """Give the units of a file of JSON: lines, or the whole where one value spans them.

    Raises:
        UnreadableDumpError: As `packed.members`.
    """
    for member in members(path, suffixes):
        if _spans_lines(member.head):
            data = member.whole() if member.name else None
            yield Unit(path, f"member {member.name}: record 1" if member.name else "record 1", data)
        else:
            yield from lines_of(member)


def _spans_lines(head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if _WHOLE.match(start):
        return True
    first, newline, second = start.partition(b"\n")
    return bool(newline) and first[:1] == b"{" and first.rstrip()[-1:] != b"}" and second[:1] != b"{"


def read(
    unit: Unit,
    convert: Convert,
    shape: Row,
    unwrap: Unwrap | None = None,
    cuts: Cuts = (),
    marks: frozenset[str] = frozenset(),
) -> Iterator[Record | Fault]:
    """Give the records of a unit, a fault in place of each bad one.

    Args:
        unit: As `split` gives it.
        convert: Makes a record of an object that has the documented shape.
        shape: The documented shape; see `fit`.
        unwrap: Opens envelopes, for services whose answers people keep as files.
        cuts: Fields to take out of lines before they are parsed.
        marks: Fields of which every record of this form has one; other forms may share the rest.

    Raises:
        UnreadableDumpError: The unit's file is truncated, damaged or no dump, or it is of another form.
    """
    rows = _rows(unit, unwrap, cuts)
    for where, row in _watched(rows, unit, marks) if marks and _FIRST.search(unit.place) else rows:
        try:
            record = _made(row, convert, shape)
            if record is not None:
                yield tidy(record)
        except Malformed as fault:
            yield Fault(where if type(where) is str else f"line {where}", str(fault))


def _watched(
    rows: Iterator[tuple[str | int, Any]], unit: Unit, marks: frozenset[str]
) -> Iterator[tuple[str | int, Any]]:
    """Give the rows at the beginning of a file, and refuse it where none of them has a mark of its form."""
    seen = 0
    for where, row in rows:
        if type(row) is dict:
            if not marks.isdisjoint(row):
                yield where, row
                yield from rows
                return
            seen += 1
        yield where, row
        if seen >= MANY_UNMARKED:
            break
    if seen >= UNMARKED:
        name, form = looks_like(content(unit)[:PEEK])
        what = f"it looks like {name}: --format {form}" if form else "check --format"
        raise UnreadableDumpError(f"{unit.path}: no record at its beginning has {' or '.join(sorted(marks))}; {what}.")


def _made(row: Any, convert: Convert, shape: Row) -> Record | None:
    if type(row) is not dict:
        raise row if isinstance(row, Malformed) else Malformed("not an object")
    try:
        return convert(row)
    except SLIPS:
        try:
            return convert(fit(row, shape))
        except SLIPS as error:
            raise Malformed(f"{_NO_WORDS} ({type(error).__name__})") from None


def _rows(unit: Unit, unwrap: Unwrap | None, cuts: Cuts) -> Iterator[tuple[str | int, Any]]:
    """Give each object with its place, a line number alone standing for `line N`."""
    data = content(unit)
    found = _NUMBER.search(unit.place)
    if found is not None:
        yield from _lines(data, (unit.place[: found.start()], int(found[1])), unwrap, cuts)
        return
    prefix = unit.place.removesuffix("record 1")
    try:
        value = loads(data)
    except Malformed as fault:  # one object a line after all, the first broken over several
        rows = list(_lines(data, (prefix, 1), unwrap, cuts))
        if data.rstrip()[-1:] not in (b"}", b"]") or not any(type(row) is dict and row for _, row in rows):
            raise UnreadableDumpError(
                f"{unit.path}: {prefix}breaks off or is damaged ({fault}); fetch it again."
            ) from None
        yield from rows
    else:
        for count, row in enumerate(_unwrapped(value, unwrap), 1):
            yield f"{prefix}record {count}", row


def _lines(data: bytes, start: tuple[str, int], unwrap: Unwrap | None, cuts: Cuts) -> Iterator[tuple[str | int, Any]]:
    prefix, number = start
    for line in data.split(b"\n"):
        if line and not line.isspace():
            row = _row(line, cuts)
            inner = unwrap(row) if unwrap is not None and type(row) is dict else None
            if inner is None:
                yield f"{prefix}line {number}" if prefix else number, row
            else:
                # fields are cut out of single records only: of several, a cut might join two
                value = _row(line, ())
                for count, one in enumerate(_unwrapped(value, unwrap), 1):
                    yield f"{prefix}line {number}, record {count}", one
        number += 1


def _row(line: bytes, cuts: Cuts) -> Any:
    """Give what a line holds, a `Malformed` where that is no JSON."""
    try:
        return orjson.loads(_without(line, cuts) if cuts else line)
    except orjson.JSONDecodeError:
        try:
            return loads(line)
        except Malformed as fault:
            return fault


def _without(line: bytes, cuts: Cuts) -> bytes:
    """Give the line without some fields, which are most of its bytes.

    A cut that ends inside a text leaves an odd quotation mark behind, one that ends too deep an odd bracket, so that
    the line is no JSON and is then read as it is.
    """
    for start, end in cuts:
        at = line.find(start)
        if at >= 0 and (stop := line.find(end, at)) >= 0:
            line = line[:at] + line[stop + len(end) - 1 :]
    return line


def _unwrapped(value: Any, unwrap: Unwrap | None) -> list[Any]:
    if type(value) is list:
        return value
    inner = unwrap(value) if unwrap is not None and type(value) is dict else None
    return [value] if inner is None else inner


def loads(data: bytes) -> Any:
    """Read JSON that may hold what the fast reader refuses: bytes that are no UTF-8, halves of characters, `NaN`.

    Raises:
        Malformed: It is no JSON.
    """
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        problem = str(error)
    try:
        value = json.loads(data.decode("utf-8-sig", "replace"))
        return orjson.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").replace(b"NaN", b"null"))
    except (ValueError, RecursionError):
        raise Malformed(f"no JSON: {problem}") from None


def fit(value: Any, shape: Any) -> Any:
    """Cut a value down to a shape: what does not fit is left out, so that a reader can take the rest as documented.

    Args:
        value: Any JSON.
        shape: `str` or `int` for one of these (each made of the other where possible), `bool`, `[shape]` for a list,
            of which one value may stand alone, `{name: shape}` for an object; its other names are dropped.

    Returns:
        The value; `None` where it does not fit at all, in lists left out, of objects the name.

    >>> fit({"a": "x", "b": [1, "y", None], "c": 5}, {"a": [str], "b": [str], "c": {"d": str}})
    {'a': ['x'], 'b': ['1', 'y']}
    """
    if type(shape) is dict:
        if type(value) is not dict:
            return None
        pairs = ((name, fit(value[name], part)) for name, part in shape.items() if name in value)
        return {name: part for name, part in pairs if part is not None}
    if type(shape) is list:
        items = value[:MAX_LIST] if type(value) is list else [value]
        return [part for item in items if (part := fit(item, shape[0])) is not None]
    if shape is str:
        return value if type(value) is str else str(value) if _is_count(value) else None
    if shape is int and type(value) is str:
        return int(value) if value.isdigit() and value.isascii() and len(value) < len(str(_MAX_DIGITS)) else None
    return value if type(value) is shape else None


def _is_count(value: Any) -> bool:
    return type(value) is int and -_MAX_DIGITS < value < _MAX_DIGITS


def text(value: Any) -> str | None:
    """Give readable text, numbers too; `None` for nothing. Clean text, as nearly all is, passes at a glance.

    >>> text(" On <i>Widgets</i> "), text(7), text(""), text(None)
    ('On Widgets', '7', None, None)
    """
    if type(value) is not str:
        return str(value) if _is_count(value) else None
    if value.isprintable() and "<" not in value and "&" not in value and "  " not in value:
        return value.strip() or None
    return read_text(value)


def listed(value: Any) -> list[Any]:
    """Give a list, empty for nothing.

    Raises:
        TypeError: It is anything else; a text would give its letters.
    """
    if not value:
        return []
    if type(value) is not list:
        raise TypeError
    return value


def year(value: Any) -> int | None:
    """Give the year that a number or a date of any length begins with; its range is for `tidy` to look at."""
    if type(value) is int:
        return value
    if type(value) is str and (head := value[:4]).isdigit() and head.isascii() and len(head) == len("2020"):
        return int(head)
    return None


def day(value: Any) -> str | None:
    """Give `YYYY-MM-DD` of a time stamp that begins with it.

    >>> day("2024-03-05T10:00:00Z"), day("5 March")
    ('2024-03-05', None)
    """
    if type(value) is not str:
        return None
    head = value[:10]
    return head if len(head) == len("2020-01-01") and head[4] == head[7] == "-" and head.isascii() else None
