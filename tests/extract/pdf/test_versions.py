"""The references of the project's own PDF, line by line: `make test-pymupdf2` holds PyMuPDF 2 to the same file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from citeaudit.extract.pdf.reader import PdfExtractor
from citeaudit.pdf import close_pools

HERE = Path(__file__).parent
STORED = HERE / "data" / "manuscript.references.tsv"
"""Page, label and reference as read, of `datasets/examples/manuscript.pdf`."""


@pytest.fixture(scope="module", autouse=True)
def end_pools() -> Iterator[None]:
    yield
    close_pools()


def fingerprint(path: Path) -> list[str]:
    """Give what does not depend on how fields are read."""
    extraction = PdfExtractor().read(path)
    return [f"{item.locus.page}\t{item.locus.label or ''}\t{item.raw}" for item in extraction.references]


def test_every_version_of_the_library_reads_the_same_references(repository: Path) -> None:
    made = fingerprint(repository / "datasets" / "examples" / "manuscript.pdf")
    assert made == STORED.read_text("utf-8").splitlines()
