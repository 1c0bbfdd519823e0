"""Read the Retraction Watch data: a CSV file of one row a notice.

Form: https://gitlab.com/crossref/retraction-watch-data and its user guide,
https://retractionwatch.com/retraction-watch-database-user-guide/.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from citeaudit.errors import UnreadableDumpError
from citeaudit.index.dumps.form import Fault, Unit
from citeaudit.index.dumps.objects import text
from citeaudit.index.dumps.packed import MAX_LINE, Member, content, members
from citeaudit.index.dumps.values import doi, doi_arxiv, whole_name
from citeaudit.index.store.record import Malformed, Name, Record, RecordNotice
from citeaudit.index.store.tidy import tidy
from citeaudit.model import NoticeType
from citeaudit.text.normalize import fold

NAME = "retraction-watch"

_REINSTATED = "reinstatement"
#: A reinstated work is retracted no more, so its row is a work without a notice.
_NATURES = {
    "retraction": NoticeType.RETRACTION,
    "expression of concern": NoticeType.CONCERN,
    "correction": NoticeType.CORRECTION,
    _REINSTATED: None,
}
_TYPES = (
    ("conference abstract/paper", "paper-conference"),
    ("preprint", "preprint"),
    ("book chapter/reference work", "chapter"),
    ("dissertation/thesis", "thesis"),
    ("government publication", "report"),
)
_NEEDED = ("Record ID", "Title", "RetractionNature", "OriginalPaperDOI")
_NOTHING = frozenset({"unavailable", "unknown", "0", "n/a", "none", ""})
_FIRST_YEAR = 1_400
"""`1/1/1753` and the like stand for an unknown date in some exports; older than any journal is no year at all."""


class RetractionWatchDump:
    """Reads the Retraction Watch data: each row gives the work that the notice is about, with the notice.

    The row of a retraction stays when the work is reinstated by a later row. So a file is read twice, and each unit
    begins with a line that names the works reinstated and when.
    """

    name = NAME
    suffixes: tuple[str, ...] = (".csv", ".csv.gz", ".csv.xz", ".csv.zst", ".csv.bz2")

    def split(self, path: Path) -> Iterator[Unit]:
        """Give the units of a file, each headed by the works reinstated and by the names of the columns.

        Raises:
            UnreadableDumpError: As `packed.members`; or the columns are others, or the last row breaks off.
        """
        back = {
            found for member in members(path, self.suffixes) for unit in _units(member, b"\n") for found in _back(unit)
        }
        first_line = "\t".join(sorted(back)).encode() + b"\n"
        for member in members(path, self.suffixes):
            yield from _units(member, first_line)

    def read(self, unit: Unit) -> Iterator[Record | Fault]:
        """Give the records of a unit, a fault in place of each bad one.

        Raises:
            UnreadableDumpError: As `packed.content`.
        """
        back, _, _ = content(unit).partition(b"\n")
        reinstated = {key: day for key, _, day in (one.rpartition(" ") for one in back.decode().split("\t"))}
        for where, row in _rows(unit):
            try:
                if isinstance(row, Malformed):
                    raise row
                yield tidy(_convert(row, reinstated))
            except Malformed as fault:
                yield Fault(where, str(fault))


_Cells = dict[str, str]


def _rows(unit: Unit) -> Iterator[tuple[str, _Cells | Malformed]]:
    """Give each row by the names of its columns, with its place."""
    before, _, number = unit.place.rpartition(" ")
    offset = int(number) - 2
    reader = csv.reader(io.StringIO(_decoded(content(unit).partition(b"\n")[2]), newline=""))
    names = _even([cell.strip() for cell in next(reader)], 0)
    while True:
        where = f"{before} {reader.line_num + 1 + offset}"
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield where, Malformed(f"no row of CSV ({error})")
            continue
        _even(cells, len(names))
        if len(cells) == len(names):
            yield where, dict(zip(names, cells, strict=True))
        elif cells:
            yield where, Malformed(f"{len(cells)} cells instead of {len(names)}")


def _even(cells: list[str], least: int) -> list[str]:
    """Take empty cells from the end of a row that is longer: some exports end lines with a comma, not all of them."""
    while len(cells) > least and not cells[-1]:
        cells.pop()
    return cells


def _back(unit: Unit) -> Iterator[str]:
    """Give the works that rows of the unit reinstate, with the day."""
    if unit.data is not None and b"einstate" in unit.data:
        for _, row in _rows(unit):
            if not isinstance(row, Malformed) and row["RetractionNature"].strip().lower() == _REINSTATED:
                yield f"{_key(row)} {_day(row.get('RetractionDate', ''))}"


def _key(row: _Cells) -> str:
    """Give what tells rows of one work: its DOI, else its title."""
    return doi(_given(row, "OriginalPaperDOI")) or fold(row["Title"])


def _is_reinstated(row: _Cells, reinstated: dict[str, str]) -> bool:
    """Whether the work of a retraction was reinstated on that day or later."""
    day = reinstated.get(_key(row))
    return day is not None and day >= (_day(row.get("RetractionDate", "")) or "")


def _units(member: Member, first_line: bytes) -> Iterator[Unit]:
    """Cut at line ends before which the quotation marks are even: those of a cell, and inside it, stand in pairs."""
    header, rest, number = b"", b"", 1
    while chunk := member.read():
        data = rest + chunk
        if not header:
            header, data, number = _header(member, data)
            header = first_line + header
        cut = _row_end(data)
        rest = data[cut:]
        if len(rest) > MAX_LINE:
            raise UnreadableDumpError(f"{member.path}: {member.place}line {number}: no end of the row; fetch it again.")
        if cut:
            yield Unit(member.path, f"{member.place}line {number}", header + data[:cut])
            number += data.count(b"\n", 0, cut)
    if rest.count(b'"') % 2:
        raise UnreadableDumpError(f"{member.path}: {member.place}breaks off inside a cell; fetch it again.")
    if rest.strip():
        yield Unit(member.path, f"{member.place}line {number}", header + rest)


def _header(member: Member, data: bytes) -> tuple[bytes, bytes, int]:
    """Give the line of the columns, what follows, and the number of the line after."""
    head, newline, rest = data.removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    try:
        names = {name.strip() for name in next(csv.reader([_decoded(head)]), [])}
    except csv.Error:
        names = set()
    missing = [name for name in _NEEDED if name not in names]
    if missing:
        raise UnreadableDumpError(
            f"{member.path}: {member.place}is no Retraction Watch data (no column {missing[0]!r}); check the file."
        )
    return head + newline, rest, 2


def _row_end(data: bytes) -> int:
    """Give the place after the last line end that ends a row, 0 where there is none."""
    end, quotes = len(data), data.count(b'"')
    while (newline := data.rfind(b"\n", 0, end)) >= 0:
        quotes -= data.count(b'"', newline, end)
        if quotes % 2 == 0:
            return newline + 1
        end = newline
    return 0


def _decoded(data: bytes) -> str:
    """Give text: UTF-8; in a part that is not, Windows-1252, as the exports mix both."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(_line(line) for line in data.splitlines(keepends=True))


def _line(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _convert(row: _Cells, reinstated: dict[str, str]) -> Record:
    nature = row["RetractionNature"].strip().lower()
    if nature not in _NATURES:
        raise Malformed(f"RetractionNature: unknown value {nature[:40]!r}")
    kind = _NATURES[nature]
    if kind is NoticeType.RETRACTION and _is_reinstated(row, reinstated):
        kind = None
    title = text(row["Title"])
    if title is None:
        raise Malformed("no title")
    own = doi(_given(row, "OriginalPaperDOI"))
    notice = doi(_given(row, "RetractionDOI"))
    if notice == own:  # the publisher replaced the article by its notice
        notice = None
    return Record(
        title=title,
        authors=_people(row.get("Author", "")),
        year=_year(row.get("OriginalPaperDate", "")),
        venue=text(row.get("Journal")),
        publisher=text(row.get("Publisher")),
        type=_type(row.get("ArticleType", "").lower()),
        doi=own,
        arxiv_id=doi_arxiv(own),
        pmid=_given(row, "OriginalPaperPubMedID"),
        src=NAME,
        id=text(row["Record ID"]),
        notices=() if kind is None else (RecordNotice(kind, notice, _year(row.get("RetractionDate", ""))),),
        updated=_day(row.get("RetractionDate", "")),
    )


def _given(row: _Cells, column: str) -> str | None:
    value = row.get(column, "").strip()
    return None if value.lower() in _NOTHING else value


def _people(listed: str) -> tuple[Name, ...]:
    found = (text(name) for name in listed.split(";"))
    return tuple(whole_name(name) for name in found if name and name.lower() not in _NOTHING)


def _parts(date: str) -> tuple[int, int, int] | None:
    """Give year, month and day of `11/23/2019 0:00` or `2019-11-23`."""
    day = date.strip().partition(" ")[0]
    parts = day.split("/") if "/" in day else day.split("-")
    if len(parts) != len(("m", "d", "Y")) or not all(part.isdigit() and part.isascii() for part in parts):
        return None
    first, second, third = (int(part[:4]) for part in parts)
    return (third, first, second) if "/" in day else (first, second, third)


def _year(date: str) -> int | None:
    parts = _parts(date)
    return parts[0] if parts and parts[0] >= _FIRST_YEAR else None


def _day(date: str) -> str | None:
    parts = _parts(date)
    return f"{parts[0]:04}-{parts[1]:02}-{parts[2]:02}" if parts and parts[0] >= _FIRST_YEAR else None


def _type(kinds: str) -> str:
    return next((value for name, value in _TYPES if name in kinds), "article-journal")
