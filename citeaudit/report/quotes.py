"""Render checked quotes: table, JSON, the notebook's CSV, HTML and PDF."""

from __future__ import annotations

import base64
import csv
import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import TextIO

from citeaudit.pdf.story import lay_out
from citeaudit.quotes.rows import NOTEBOOK, UNDECIDED, UNSUPPORTED, Row, Status, summarize
from citeaudit.report.csv_report import guard
from citeaudit.text.visible import shorten, visible

FORMATS = ("table", "json", "csv", "html", "pdf")
COLUMNS = (
    "id",
    "doc",
    "page",
    "quote",
    "status",
    "found_page",
    "similarity",
    "closest_page",
    "closest",
    "differences",
)
"""Of the CSV, in the notebook's order."""
COLOURS = {
    Status.VERIFIED: "#1a7f37",
    Status.WRONG_PAGE: "#9a6700",
    Status.CLOSE_MATCH: "#bc4c00",
    Status.NOT_FOUND: "#cf222e",
    Status.MISSING_DOCUMENT: "#cf222e",
    Status.MISATTRIBUTED: "#cf222e",
    Status.HIDDEN: "#cf222e",
    Status.REFERENCES: "#bc4c00",
}
"""Of statuses; the others are grey."""
_GREY = "#57606a"
_CSS = (
    "body{font-family:sans-serif;font-size:10pt;color:#1f2328}h2{font-size:15pt}table{border-collapse:collapse;width:100%}"
    "th,td{border-bottom:1px solid #d0d7de;padding:3px 5px;text-align:left;vertical-align:top}.q{font-style:italic}"
    ".n{color:#57606a}img{max-width:100%;border:1px solid #d0d7de}"
)
_WIDTH = 68
"""Characters of a quote in the table."""


def table(rows: Sequence[Row], stream: TextIO) -> None:
    """Write a table for a terminal, and the summary."""
    for row in rows:
        where = f"{row.doc} p. {row.page}" if row.page is not None else row.doc
        stream.write(f"{row.status.value:<16}  {visible(row.id)}  {visible(where)}\n")
        stream.write(f"    “{shorten(visible(' '.join(row.quote.split())), _WIDTH)}”\n")
        stream.writelines(f"    {visible(line)}\n" for line in details(row))
    stream.write(f"\n{told(summarize(rows))}\n")


def told(summary: Mapping[str, int | float]) -> str:
    """Give the summary as one line."""
    counts = [
        f"{value} {name}" for name, value in summary.items() if name not in {"citations", "unsupported_rate"} and value
    ]
    noun = "quote" if summary["citations"] == 1 else "quotes"
    rate = summary["unsupported_rate"]
    return f"{summary['citations']} {noun}: {', '.join(counts) or 'none'}; unsupported rate {rate}"


def details(row: Row) -> list[str]:
    """Give what is to be said of a row beside its status."""
    lines: list[str] = []
    if row.status is Status.WRONG_PAGE:
        lines.append(f"found on page {row.found_page}")
    if row.status is Status.MISATTRIBUTED:
        page = f", page {row.found_page}" if row.found_page else ""
        lines.append(f"not in the cited document; it stands in {row.found_doc}{page}")
    if row.status is Status.CLOSE_MATCH:
        lines.append(f"closest, page {row.closest_page}: {row.closest}")
        lines += [f"differs: {one}" for one in row.differences]
    elif row.status is Status.NOT_FOUND and row.similarity is not None:
        lines.append(f"best match only {round(100 * row.similarity)}% similar")
    if row.reason:
        lines.append(row.reason)
    if row.notes:
        lines.append("; ".join(row.notes))
    return lines


def compare(runs: Sequence[tuple[str, Sequence[Row]]], stream: TextIO) -> None:
    """Write the counts of several runs side by side: two models, or two prompts."""
    summaries = [summarize(rows) for _, rows in runs]
    names = list(dict.fromkeys(name for summary in summaries for name in summary))
    width = max(len(name) for name in names)
    heads = [visible(name) for name, _ in runs]
    stream.write("\n" + " " * width + "".join(f"  {head:>12}" for head in heads) + "\n")
    for name in names:
        counts = [str(summary.get(name, 0)) for summary in summaries]
        cells = "".join(f"  {count:>{max(12, len(head))}}" for count, head in zip(counts, heads, strict=True))
        stream.write(f"{name:<{width}}{cells}\n")


def write_json(rows: Sequence[Row], stream: TextIO) -> None:
    """Write a list of rows (`Row.to_dict`)."""
    json.dump([row.to_dict() for row in rows], stream, ensure_ascii=False, indent=1)
    stream.write("\n")


def write_csv(rows: Sequence[Row], stream: TextIO) -> None:
    """Write the notebook's columns; differences are joined by `; `."""
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    for row in rows:
        cells = row.to_dict() | {"differences": "; ".join(row.differences), "status": row.status.value}
        writer.writerow(["" if cells[name] is None else _cell(cells[name]) for name in COLUMNS])


def _cell(value: object) -> object:
    return guard(value) if isinstance(value, str) else value


def page(rows: Sequence[Row], title: str, images: Mapping[int, bytes] | None = None) -> str:
    """Give the report as an HTML fragment.

    Args:
        rows: The checked quotes.
        title: Its heading.
        images: PNG by index of the row, shown as evidence.
    """
    summary = summarize(rows)
    counts = ", ".join(
        f"{name}: {value}"
        for name, value in summary.items()
        if name in {one.value for one in Status} and (value or name in {one.value for one in NOTEBOOK})
    )
    parts = [
        f"<h2>{escape(title)}</h2>",
        f"<p>{escape(found_of(rows))}</p>",
        f"<p>{escape(counts)}</p>",
        "<table><tr><th>ID</th><th>Cited</th><th>Quote</th><th>Result</th></tr>",
    ]
    parts += [_line(row, (images or {}).get(index)) for index, row in enumerate(rows)]
    parts.append("</table>")
    return "".join(parts)


def found_of(rows: Sequence[Row]) -> str:
    """Say how many quotes were not found; what could not be judged is none of them.

    >>> found_of([])
    '0 citations checked. 0 (0%) were not found in the cited documents.'
    """
    lost = [row for row in rows if row.status in UNSUPPORTED]
    absent = sum(row.status is Status.MISSING_DOCUMENT for row in lost)
    unjudged = sum(row.status in UNDECIDED for row in rows)
    share = round(100 * len(lost) / len(rows)) if rows else 0
    told = f"{len(rows)} citations checked. {len(lost)} ({share}%) were not found in the cited documents"
    told += f", {absent} of them because the document is not there." if absent else "."
    return told + (f" {unjudged} could not be judged." if unjudged else "")


def _line(row: Row, image: bytes | None) -> str:
    colour = COLOURS.get(row.status, _GREY)
    where = f"{row.doc}, p. {row.page}" if row.page is not None else row.doc
    more = "".join(f'<div class="n">{escape(visible(line))}</div>' for line in details(row))
    if image:
        more += f'<div><img alt="evidence" src="data:image/png;base64,{base64.b64encode(image).decode("ascii")}"></div>'
    return (
        f"<tr><td>{escape(visible(row.id))}</td><td>{escape(visible(where))}</td>"
        f'<td class="q">{escape(visible(row.quote))}</td>'
        f'<td><b style="color:{colour}">{escape(row.status.value)}</b>{more}</td></tr>'
    )


def write_html(rows: Sequence[Row], stream: TextIO, title: str, images: Mapping[int, bytes] | None = None) -> None:
    """Write a page that needs nothing else: no script, no other file."""
    stream.write(
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_CSS}</style></head><body>{page(rows, title, images)}</body></html>\n"
    )


def pdf(rows: Sequence[Row], title: str = "Citation check") -> bytes:
    """Give the report as a PDF, A4.

    Raises:
        UnreadableDocumentError: It could not be laid out within the limits of a worker process.
    """
    return lay_out(page(rows, title), _CSS)
