"""Recognise what citeaudit itself has written, so that a report is not audited as a manuscript."""

from __future__ import annotations

import re
from pathlib import Path

from citeaudit.extract.decode import peek

HEAD_BYTES = 4_096

_MARKS = (
    re.compile(r'\A\s*\[?\s*\{\s*"(?:schema_version|made_by)"\s*:\s*"'),  # JSON, and JSON of `extract`
    re.compile(r'\A\{"document":'),  # JSON lines
    re.compile(r'\A\ufeff?"document","index",'),  # CSV
    re.compile(r"\A# Report on references\n"),  # Markdown
    re.compile(r'<meta name="generator" content="citeaudit">'),  # HTML
    re.compile(r"\A[^\n]{1,1000}\n  \d+ references? read\b[^\n]{0,500} \(by "),  # tables of `check` and `extract`
)
SUFFIXES = frozenset({".csv", ".htm", ".html", ".json", ".jsonl", ".markdown", ".md", ".text", ".txt"})
"""Names under which reports are kept; no other file is looked into."""


OVERLAY = b"citeaudit overlay"
"""Mark in the metadata of a copy of a PDF on which citeaudit has drawn its verdicts."""


def piped(path: str) -> bool:
    """Whether a document came on standard input, which has no folder with other files of its own."""
    place = Path(path)
    return path == "-" or (place.name == "stdin" and place.parent.name.startswith("citeaudit-"))


def is_overlay(path: Path) -> bool:
    """Whether a PDF is a copy with the verdicts of an audit; false where it cannot be opened."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
            file.seek(max(0, path.stat().st_size - HEAD_BYTES))
            return OVERLAY in head or OVERLAY in file.read(HEAD_BYTES)
    except OSError:
        return False


def is_report(head: bytes, path: Path) -> bool:
    """Whether a document with this beginning is a report of `check` or `extract`.

    What `extract` writes as BibTeX or CSL-JSON is a list of references like any other.
    """
    if path.suffix.lower() not in SUFFIXES | {""}:
        return False
    text = peek(head)
    return any(mark.search(text) for mark in _MARKS)
