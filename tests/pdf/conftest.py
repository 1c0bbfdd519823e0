"""Small PDFs written by the tests themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from citeaudit.pdf.document import library

Maker = Callable[..., Path]


@pytest.fixture
def make_pdf(tmp_path: Path) -> Maker:
    """Give a function that writes a PDF of plain lines and returns its path."""
    pymupdf = library()

    def make(pages: list[list[str]], name: str = "made.pdf", **save: object) -> Path:
        document = pymupdf.open()
        for lines in pages:
            page = document.new_page()
            for number, line in enumerate(lines):
                page.insert_text((72, 72 + 14 * number), line, fontsize=10)
        path = tmp_path / name
        document.save(path, **save)
        document.close()
        return path

    return make
