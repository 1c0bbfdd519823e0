"""Citations in plain JSON, JSONL and CSV: document, page and quote, as PyMuPDF's published notebook takes them."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable

from citeaudit.quotes.providers.normal import Cite, Kind, Locator, Reading, Source, because, is_url, linked, located
from citeaudit.quotes.providers.values import Json, get, listed, text, whole

PROVIDER = "plain"
_DOC = ("doc", "document", "file", "filename", "source", "url")
_QUOTE = ("quote", "cited_text", "text")
_PAGES = re.compile(r"\s*(?:pp?\.?\s*)?([0-9]{1,6})\s*(?:[-–—]\s*([0-9]{1,6})\s*)?", re.IGNORECASE)
_DELIMITERS = ",;\t|"


def read(answers: Iterable[Json]) -> list[Reading]:
    """Read answers with their `citations`, or rows that are citations themselves; what is neither gives a reason.

    Pages are 1-based; `3-4` names both.
    """
    return [_answer(answer) for answer in answers]


def _answer(answer: Json) -> Reading:
    said, name = text(answer, "answer", "claim") or "", _name(answer)
    if get(answer, "citations") is None:
        return Reading(said, [cite(answer, said, name)])
    return Reading(said, [cite(one, said, name) for one in listed(answer, "citations")])


def _name(answer: Json) -> str:
    found = get(answer, "id")
    return "" if found is None or isinstance(found, list | dict) else str(found)


def cite(row: Json, claim: str = "", name: str = "") -> Cite:
    """Give the normal form of one citation. Never raises."""
    if not isinstance(row, dict):
        locator = Locator(Kind.UNSUPPORTED, type="row")
        return Cite(
            claim, None, None, Source(), locator, PROVIDER, row, id=name, reason="it holds no doc, page and quote"
        )
    doc, quote = text(row, *_DOC), text(row, *_QUOTE)
    url = doc if doc and is_url(doc) else None
    locator, wrong = _page(row, url)
    reason = because(None if doc else "names no document", wrong, None if quote else "no quote")
    source = Source(url=url, title=None if url else doc)
    return Cite(claim, None, quote, source, locator, PROVIDER, row, id=name, reason=reason)


def _page(row: Json, url: str | None) -> tuple[Locator, str | None]:
    told = get(row, "page")
    if told is None:
        told = get(row, "pages")
    if told is None or (isinstance(told, str) and not told.strip()):
        return linked(url, ""), None
    number = whole({"page": told}, "page")
    if number is not None:
        return located(Kind.PAGE, number, number + 1, name="page")
    found = _PAGES.fullmatch(told) if isinstance(told, str) else None
    if found is not None:
        return located(Kind.PAGE, int(found[1]), int(found[2] or found[1]) + 1, name="page")
    if isinstance(told, str):
        return Locator(Kind.NONE, label=told.strip()), f"page {told.strip()!r} is no number"
    return Locator(Kind.NONE), f"page {json.dumps(told)[:40]} is no number"


def columns(table: str) -> tuple[list[str], str] | None:
    """Give the names of the columns of a CSV and what parts them; none where the first line does not name a quote."""
    head = table.lstrip("\ufeff\r\n ").split("\n", 1)[0].strip()
    for delimiter in _DELIMITERS:
        names = [name.strip().strip('"').strip().lower() for name in head.split(delimiter)]
        if "quote" in names and len(names) > 1:
            return names, delimiter
    return None


def of_table(table: str) -> list[Reading]:
    """Read CSV with the columns id, doc, page and quote, and answer or claim where there is one."""
    found = columns(table)
    if found is None:
        return []
    names, delimiter = found
    rows = csv.reader(io.StringIO(table.lstrip("\ufeff\r\n "), newline=""), delimiter=delimiter)
    readings: list[Reading] = []
    try:
        for number, cells in enumerate(rows):
            if number and any(cell.strip() for cell in cells):
                readings += read([{name: cell for name, cell in zip(names, cells, strict=False) if name}])
    except csv.Error as error:
        locator = Locator(Kind.UNSUPPORTED, type="line")
        bad = Cite(
            "", None, None, Source(), locator, PROVIDER, None, reason=f"line {rows.line_num} is not CSV ({error})"
        )
        readings.append(Reading(cites=[bad]))
    return readings
