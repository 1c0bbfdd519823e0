"""What is read from a folder of PDFs, in the form the extraction scorer takes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter

from citeaudit import api
from citeaudit.errors import ExtractionError, UsageError
from citeaudit.model import Person, Reference
from citeaudit.report.writing import write_atomic


def run(pdfs: str, out: str) -> int:
    """Read every PDF of a folder, warm worker, one after the other, and write what was read.

    Raises:
        UsageError: The folder holds no PDF, or the result cannot be written.
    """
    files = sorted(Path(pdfs).glob("*.pdf"))
    if not files:
        raise UsageError(f"{pdfs}: the folder holds no PDF")
    told: dict[str, object] = {}
    for file in files:
        start = perf_counter()
        try:
            references = api.extract(file).references
        except ExtractionError as error:
            sys.stderr.write(f"{error}\n")
            references = ()
        told[file.stem] = {"seconds": round(perf_counter() - start, 4), "refs": [_row(one) for one in references]}
    write_atomic(Path(out), lambda stream: json.dump({"name": "citeaudit", "pdfs": told}, stream, indent=1))
    return 0


def _row(reference: Reference) -> dict[str, object]:
    ids = reference.identifiers
    return {
        "title": reference.title,
        "authors": [_name(person) for person in reference.authors],
        "year": str(reference.year) if reference.year else None,
        "doi": ids.doi,
        "arxiv": ids.arxiv_id,
        "raw": reference.raw,
    }


def _name(person: Person) -> str:
    return person.family or person.literal or person.given or ""
