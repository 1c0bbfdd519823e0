"""Write datasets/examples/library: the two papers that the example manuscript quotes, and the sums of the manifest.

    python benchmarks/example_library.py

Title, names and text are set in one column, with the number of the page at its foot; the same PyMuPDF gives the same
bytes. What the manuscript makes of these texts stands in planted.json.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import NamedTuple

from citeaudit.pdf.document import library

FOLDER = Path(__file__).parents[1] / "datasets" / "examples"
LEFT, WIDTH, PITCH = 72.0, 82, 15.0
"""Points, characters, points."""


class Paper(NamedTuple):
    """One source."""

    name: str
    title: str
    authors: str
    pages: tuple[tuple[str, ...], ...]
    """Paragraphs of each page."""


PAPERS = (
    Paper(
        "quillmere2021.pdf",
        "Lamps and ledgers: how a harbour office kept its records",
        "Linnet Quillmere and Osric Tannerby",
        (
            (
                (
                    "The harbour office of Lower Wendle opened a new ledger on the first day of every year. Each lamp"
                    " that was lit on the mole was entered with the hour, and the keeper signed for it in the morning."
                ),
                (
                    "A ledger is trusted because somebody signed it, not because somebody read it. In forty years no"
                    " entry was ever compared with the lamp it spoke of, and nobody thought this strange."
                ),
            ),
            (
                (
                    "When the ledgers were read at last, 312 of the 4,380 entries named a lamp that had been taken down"
                    " before the night in question. Most of them had been copied from the page before."
                ),
                (
                    "The keepers did not, as far as we can see, rely on the ledger when they trimmed the lamps. They"
                    " went out and looked."
                ),
            ),
            (
                (
                    "We draw one lesson from the lamps. Copying is not checking, however neat the hand in which the"
                    " copy is written, and a record that nobody reads will say in the end what is easiest to write."
                ),
            ),
        ),
    ),
    Paper(
        "tarnhollow2022.pdf",
        "Counting carts on the ridge road: a study of tally sheets",
        "Edda Tarnhollow",
        (
            (
                (
                    "The carts that went over the ridge to the windmills were counted at two gates. At the upper gate a"
                    " stroke was made for every cart, at the lower gate a knot was tied for every tenth."
                ),
                (
                    "The two counts agree to within three carts a week from spring to autumn. In winter they do not,"
                    " because the cord froze and knots were left for the next day."
                ),
            ),
            (
                (
                    "A tally that is kept twice, by people who do not meet, is worth more than one that is kept well."
                    " The gates were far enough apart for that."
                ),
            ),
        ),
    ),
)


def main() -> None:
    """Write papers and manifest."""
    folder = FOLDER / "library"
    folder.mkdir(exist_ok=True)
    for paper in PAPERS:
        write(paper, folder / paper.name)
    files = sorted(
        path for path in FOLDER.rglob("*") if path.is_file() and path.name not in {"manifest.json", "README.md"}
    )
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    manifest["sha256"] = {
        path.relative_to(FOLDER).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    (FOLDER / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(PAPERS)} papers in {folder}\n")


def write(paper: Paper, path: Path) -> None:
    """Set a paper."""
    document = library().open()
    for number, paragraphs in enumerate(paper.pages, 1):
        page = document.new_page(width=595, height=842)
        y = 90.0
        if number == 1:
            page.insert_text((LEFT, y), paper.title, fontsize=16, fontname="helv")
            page.insert_text((LEFT, y + 26), paper.authors, fontsize=12, fontname="helv")
            page.insert_text((LEFT, y + 44), "Notes of the Citeaudit Example", fontsize=9, fontname="helv")
            y += 80
        for paragraph in paragraphs:
            for line in lines(paragraph):
                page.insert_text((LEFT, y), line, fontsize=11, fontname="tiro")
                y += PITCH
            y += PITCH / 2
        page.insert_text((294, 800), str(number), fontsize=9, fontname="tiro")
    document.set_metadata({})
    document.save(path, garbage=4, deflate=True, no_new_id=True)
    document.close()


def lines(paragraph: str) -> list[str]:
    """Break a paragraph."""
    made = [""]
    for word in paragraph.split():
        if made[-1] and len(made[-1]) + 1 + len(word) > WIDTH:
            made.append("")
        made[-1] = f"{made[-1]} {word}".strip()
    return made


if __name__ == "__main__":
    main()
