"""Renderings of what was read from a document, before anything is looked up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from citeaudit.model import Extraction, Unreadable
from citeaudit.report.table import width_of
from citeaudit.report.words import completeness
from citeaudit.text.visible import shorten, visible

_MANY_AUTHORS = 3
_RAW_WIDTH = 200


def write_json(results: Sequence[Extraction | Unreadable], stream: TextIO) -> None:
    """Write one object for one document, a list for any other number; an unreadable one has `error`."""
    told = [_as_json(result) for result in results]
    json.dump(told[0] if len(told) == 1 else told, stream, indent=2, ensure_ascii=True)
    stream.write("\n")


def write_table(results: Sequence[Extraction | Unreadable], stream: TextIO) -> None:
    """Write one table a document: label, fields as read, identifiers, confidence."""
    console = Console(file=stream, width=width_of(stream), highlight=False, emoji=False)
    for result in results:
        console.print(escape(visible(result.path)), style="bold")
        if isinstance(result, Unreadable):
            console.print(escape(f"  {visible(result.message)}"), style="red")
            continue
        for line in _lines(result):
            console.print(escape(f"  {visible(line)}"))
        console.print(_table(result))


def _as_json(result: Extraction | Unreadable) -> dict[str, object]:
    if isinstance(result, Unreadable):
        return {"path": result.path, "error": result.message, "references": []}
    return {**result.model_dump(mode="json"), "error": None}


def _lines(extraction: Extraction) -> list[str]:
    check = extraction.self_check
    lines = [completeness(check), *check.notes]
    lines += [
        f"could not be read, {_where(block.locus.line, block.locus.page)}: {block.message}"
        for block in extraction.failed
    ]
    return lines


def _where(line: int | None, page: int | None) -> str:
    if line:
        return f"line {line}"
    return f"page {page}" if page else "place unknown"


def _table(extraction: Extraction) -> Table:
    table = Table(box=SIMPLE_HEAD, expand=True)
    for name, ratio in (
        ("#", 1),
        ("authors", 3),
        ("year", 1),
        ("title", 5),
        ("in", 3),
        ("identifiers", 3),
        ("read", 1),
    ):
        table.add_column(name, ratio=ratio)
    for place, reference in enumerate(extraction.references, start=1):
        people = [str(person) for person in reference.authors[:_MANY_AUTHORS]]
        more = len(reference.authors) > _MANY_AUTHORS or reference.authors_truncated
        cells = (
            reference.locus.label or reference.locus.citekey or str(place),
            ", ".join(people) + (" et al." if more else ""),
            str(reference.year or ""),
            reference.title or shorten(reference.raw, _RAW_WIDTH),
            reference.container_title or reference.publisher or "",
            "\n".join(f"{scheme}:{value}" for scheme, value in reference.identifiers.pairs()),
            f"{reference.parse_score:.2f}",
        )
        table.add_row(*("\n".join(escape(visible(part)) for part in cell.split("\n")) for cell in cells))
    return table
