"""Renderings of what was read from a document, before anything is looked up: the table and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from citeaudit.model import Extraction, Reference, Unreadable
from citeaudit.report.table import width_of
from citeaudit.report.words import citing, completeness
from citeaudit.text.visible import shorten, visible

_RAW_WIDTH = 200
_QUOTE_WIDTH = 90
_COLUMNS: tuple[tuple[str, int | None, int | None], ...] = (
    ("#", 6, None),
    ("type", 11, None),
    ("first author", None, 3),
    ("year", 5, None),
    ("title", None, 7),
    ("in", None, 4),
    ("identifiers", None, 4),
    ("read", 4, None),
    ("quotes", 6, None),
)
"""Name, width, and share of what is left."""


def write_json(results: Sequence[Extraction | Unreadable], stream: TextIO) -> None:
    """Write one object for one document, a list for any other number; an unreadable one has `error`.

    It holds all that was read: references with their quotations, citations, broken blocks, the self-check.
    """
    told = [_as_json(result) for result in results]
    json.dump(told[0] if len(told) == 1 else told, stream, indent=2, ensure_ascii=True)
    stream.write("\n")


def write_table(results: Sequence[Extraction | Unreadable], stream: TextIO) -> None:
    """Write for each document how completely it was read, a table of its references, and what the text says of them."""
    console = Console(file=stream, width=width_of(stream), highlight=False, emoji=False)
    for result in results:
        console.print(escape(visible(result.path)), style="bold")
        if isinstance(result, Unreadable):
            console.print(escape(f"  {visible(result.message)}"), style="red")
            continue
        console.print(escape(f"  {visible(completeness(result.self_check))}"))
        console.print(_table(result.references))
        for line in (*_quotations(result.references), *_lines(result)):
            console.print(escape(f"  {visible(line)}"))


def _as_json(result: Extraction | Unreadable) -> dict[str, object]:
    if isinstance(result, Unreadable):
        return {"made_by": "citeaudit", "path": result.path, "error": result.message, "references": []}
    return {"made_by": "citeaudit", **result.model_dump(mode="json"), "error": None}


def _quotations(references: Sequence[Reference]) -> list[str]:
    """Give the quotations that were tied to references, one line each."""
    lines = []
    for place, reference in enumerate(references, start=1):
        for quote in reference.quotes:
            page = f", p. {quote.claimed_page}" if quote.claimed_page else ""
            lines.append(f'quotation of {_number(place, reference)}{page}: "{shorten(quote.text, _QUOTE_WIDTH)}"')
    return lines


def _number(place: int, reference: Reference) -> str:
    return reference.locus.label or reference.locus.citekey or str(place)


def _lines(extraction: Extraction) -> list[str]:
    """Give the self-check in words."""
    check = extraction.self_check
    lines = [*citing(check, sum(one.cited is False for one in extraction.references)), *check.notes]
    lines += [
        f"could not be read, {_where(block.locus.line, block.locus.page)}: {block.message}"
        for block in extraction.failed
    ]
    return lines


def _where(line: int | None, page: int | None) -> str:
    if line:
        return f"line {line}"
    return f"page {page}" if page else "place unknown"


def _table(references: Sequence[Reference]) -> Table:
    table = Table(box=SIMPLE_HEAD, expand=True, padding=(0, 1, 0, 0))
    for name, width, ratio in _COLUMNS:
        table.add_column(name, width=width, ratio=ratio)
    for place, reference in enumerate(references, start=1):
        cells = (
            _number(place, reference),
            reference.type.value.replace("_", " "),
            _first(reference),
            f"{reference.year}{reference.year_suffix or ''}" if reference.year else reference.status or "",
            reference.title or shorten(reference.raw, _RAW_WIDTH),
            reference.container_title or reference.publisher or "",
            "\n".join(f"{scheme}:{value}" for scheme, value in reference.identifiers.pairs()),
            f"{reference.parse_score:.2f}",
            str(len(reference.quotes) or ""),
        )
        table.add_row(*("\n".join(escape(visible(part)) for part in cell.split("\n")) for cell in cells))
    return table


def _first(reference: Reference) -> str:
    """Give the first author, and whether there are more."""
    if not reference.authors:
        return ""
    more = len(reference.authors) > 1 or reference.authors_truncated
    return f"{reference.authors[0]}{' et al.' if more else ''}"
