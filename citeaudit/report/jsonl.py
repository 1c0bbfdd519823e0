"""The JSONL report: one line a reference, for programs that read references as they come."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TextIO

from citeaudit.model import Audit, Unreadable
from citeaudit.report.json_report import render


class JsonlReporter:
    """Writes each reference as the JSON report does, on a line of its own, with the path of its document.

    A document that cannot be read is one line with `document` and `error` alone; no other line has `error`.
    """

    format = "jsonl"
    suffix = ".jsonl"

    def write(self, results: Sequence[Audit | Unreadable], stream: TextIO) -> None:
        """Write ASCII JSON lines in the order of the documents and of their references."""
        for line in _lines(results):
            json.dump(line, stream, ensure_ascii=True)
            stream.write("\n")


def _lines(results: Sequence[Audit | Unreadable]) -> Iterator[dict[str, object]]:
    for result in results:
        if isinstance(result, Unreadable):
            yield {"document": result.path, "error": result.message}
            continue
        for row in render(result).references:
            yield {"document": result.document.path, **row.model_dump(mode="json")}
