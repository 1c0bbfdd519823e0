"""Papers for the tests of the library: a title set large, names, and pages of text with or without printed numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.quotes import prints


def paper(
    path: Path,
    title: str,
    names: str,
    *pages: list[str],
    first: int | None = None,
    note: str = "",
    stamp: str = "",
    metadata: dict[str, str] | None = None,
    **saving: Any,
) -> Path:
    """Write a paper.

    Args:
        path: Where to.
        title: Of the first page, set large.
        names: Below it.
        pages: Lines of each page.
        first: Number printed at the foot of the first page.
        note: A line at the foot of the first page.
        stamp: What is printed along the margin of the first page.
        metadata: Of the file.
        saving: Options of PyMuPDF's `save`.
    """
    document = prints.empty()
    for number, texts in enumerate(pages):
        page = document.new_page()
        if number == 0:
            prints.line(page, title, y=90, fontsize=18)
            prints.line(page, names, y=120, fontsize=12)
            if note:
                prints.line(page, note, y=700, fontsize=9)
            if stamp:
                page.insert_text((30, 600), stamp, fontsize=14, rotate=90)
        prints.lines(page, texts, y=160)
        if first is not None:
            prints.line(page, str(first + number), x=300, y=800, fontsize=9)
    if metadata:
        document.set_metadata(metadata)
    return prints.saved(document, path, **saving)


TIDES = [
    [
        "The tide at the old pier rose by 12 centimetres in the course of a single night.",
        "Nobody at the harbour office had kept a record of such a rise before.",
    ],
    [
        "The keeper did not see the wave that took the lower lamp away.",
        "Repairs were finished in the spring of the following year.",
    ],
    ["A second survey of the sea wall found no damage below the line of low water."],
]
"""Text of a paper of three pages."""
MILLS = [
    [
        "The mills along the upper stream stood still for weeks in that dry summer.",
        "Grain was carried by cart to the windmills on the ridge.",
    ],
    ["In autumn the water returned and the wheels were turning before the feast."],
]
"""Text of another, of two."""
