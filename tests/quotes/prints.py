"""PDFs for the tests of quotes, drawn with PyMuPDF: lines of text at places, each set as asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from citeaudit.pdf.document import library

CJK = "china-s"


def empty() -> Any:
    """Give a PDF without pages; PyMuPDF has no types."""
    return library().open()


def line(page: Any, text: str, x: float = 72, y: float = 100, **told: Any) -> None:
    """Draw one line, its base line at y; `told` are options of `insert_text`."""
    page.insert_text((x, y), text, **({"fontsize": 11} | told))


def picture(page: Any) -> None:
    """Cover a page with a grey image, as a scan is."""
    pixels = library().Pixmap(library().csGRAY, library().IRect(0, 0, 60, 80))
    pixels.clear_with(230)
    page.insert_image(page.rect, pixmap=pixels)


def lines(page: Any, texts: list[str], x: float = 72, y: float = 100, step: float = 14, **told: Any) -> None:
    """Draw lines below one another."""
    for number, text in enumerate(texts):
        line(page, text, x, y + number * step, **told)


def saved(document: Any, path: Path, **told: Any) -> Path:
    """Write the PDF."""
    document.save(path, **told)
    document.close()
    return path


def printed(path: Path, *pages: list[str], **told: Any) -> Path:
    """Write a PDF of pages with one column of lines each."""
    document = library().open()
    for texts in pages:
        lines(document.new_page(), texts, **told)
    return saved(document, path)


def boxed(path: Path, html: str, css: str = "") -> Path:
    """Write a PDF of one page of HTML; fonts for every script come with PyMuPDF."""
    document = library().open()
    page = document.new_page()
    page.insert_htmlbox(library().Rect(60, 60, 535, 780), html, css=css)
    return saved(document, path)
