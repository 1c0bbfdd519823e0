"""Documents of the kinds that users have reported, read to the right count with the first authors in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from citeaudit.extract.pdf.reader import PdfExtractor
from citeaudit.pdf.document import library

FAMILIES = ("Brodal", "Castermans", "Damaschke", "Eppstein", "Fluschnik", "Gottlob", "Hagerup")
TOPICS = ("interval colouring", "sparse covers", "tidal scheduling", "lattice walks", "bounded search trees")
PLACES = ("Proc. 12th Symposium on Rows", "Proc. 4th Meeting on Columns", "Proc. 31st Conference on Margins")


def entry(at: int) -> tuple[str, ...]:
    """One reference in the manner of LIPIcs, broken into its printed lines."""
    family, other = FAMILIES[at % 7], FAMILIES[(at + 3) % 7]
    return (
        f"{chr(65 + at % 26)}nna {family}, Jo {other}, and Li Weir. On {TOPICS[at % 5]} of kind {at} and its",
        f"uses. In {PLACES[at % 3]}, volume {20 + at} of Notes, pages {at + 1}:1-{at + 1}:{14 + at % 9},",
        f"{1990 + at % 30}. doi:10.4230/LIPIcs.ROW.{1990 + at % 30}.{at + 1}.",
    )


def paper(path: Path, count: int) -> Path:
    """Bare numbers in the margin, a running head and a page number on each page, the heading at the foot of a page."""
    pymupdf = library()
    made = pymupdf.open()
    page, y, number = made.new_page(), 90.0, 1
    for at in range(38):
        page.insert_text((90, y + 16 * at), f"Line {at} of what the paper says about its subject.")
    page.insert_text((90, 760), "References", fontsize=13, fontname="hebo")
    y = 1000.0
    for at in range(count):
        if y > 740:
            page, y, number = made.new_page(), 90.0, number + 1
            page.insert_text((90, 50), f"23:{number}   On Rows and Columns", fontsize=9)
        page.insert_text((72, y), str(at + 1), fontsize=8, fontname="hebo")
        for text in entry(at):
            page.insert_text((90, y), text, fontsize=9)
            y += 11.5
    path = path / "paper.pdf"
    made.save(path)
    return path


@pytest.mark.parametrize("count", [12, 49])
def test_bare_numbers_in_the_margin(tmp_path: Path, count: int) -> None:
    extraction = PdfExtractor().read(paper(tmp_path, count))
    assert len(extraction.references) == count
    families = [reference.authors[0].family for reference in extraction.references]
    assert families == [FAMILIES[at % 7] for at in range(count)]
    assert [reference.identifiers.doi for reference in extraction.references] == [
        f"10.4230/lipics.row.{1990 + at % 30}.{at + 1}" for at in range(count)
    ]
