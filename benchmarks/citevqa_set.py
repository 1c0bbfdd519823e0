"""Write datasets/citevqa: two small PDFs, questions about them with the regions they rest on, and answers by hand.

    python benchmarks/citevqa_set.py            # writes the set anew
    citeaudit bench citevqa datasets/citevqa/items.jsonl --docs datasets/citevqa

The wanted regions are taken from where this script sets the paragraphs; the predictions come from locating the passages
that the answers cite, which knows nothing of that.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from citeaudit.pdf.document import library

FOLDER = Path(__file__).parents[1] / "datasets" / "citevqa"
SIZE, PITCH = 10.0, 12.5
"""Of the letters and from line to line, in points."""


class Block(NamedTuple):
    """A paragraph."""

    name: str
    x: float
    """Left edge, on the page as displayed."""
    y: float
    """Base line of the first line."""
    width: float
    text: str


class Sheet(NamedTuple):
    """A page."""

    blocks: tuple[Block, ...]
    rotation: int = 0
    crop: tuple[float, float, float, float] | None = None
    """Left, top, right, bottom of what is shown; blocks are placed within it."""


HARBOUR = (
    Sheet(
        (
            Block("heading", 72, 80, 450, "Report on the harbour of Lower Wendle"),
            Block(
                "ferry",
                72,
                120,
                450,
                "The ferry to the island carried 18,450 passengers in the first summer, three in four of them between"
                " the first of June and the end of August. It did not sail on eleven days because of fog.",
            ),
            Block(
                "crane",
                72,
                190,
                450,
                "The old crane on the eastern quay was taken down in the spring. Its boom measured 31.5 metres and had"
                " not moved since the last coal ship left. The iron was sold to a foundry in the next valley, and the"
                " money paid for the new lamps along the quay. Two of the gears were kept; they stand in the hall of"
                " the harbour office, where children are allowed to turn them.",
            ),
            Block(
                "lamps",
                72,
                300,
                450,
                "Along the quay there are now 64 lamps, all of them lit by the small wind wheel behind the boathouse.",
            ),
        )
    ),
    Sheet(
        (
            Block(
                "mud",
                60,
                120,
                220,
                "Every fourth year the channel is cleared of mud. The last clearing took nine weeks, two more than"
                " planned, since the dredger had to wait for a part of its pump.",
            ),
            Block(
                "seals",
                60,
                230,
                220,
                "Seals rest on the sandbank at low water. Their number was counted from the tower at dawn.",
            ),
            Block(
                "depth",
                320,
                120,
                220,
                "At low water the channel is 4.2 metres deep at the mouth and 2.8 metres at the inner bend, where"
                " ships of the larger kind must wait for the tide.",
            ),
            Block(
                "fees",
                320,
                230,
                220,
                "The fee for a night at the guest jetty rose from 12 to 15 crowns. Boats under six metres pay half.",
            ),
        )
    ),
)
ORCHARD = (
    Sheet(
        (
            Block("title", 90, 90, 600, "Apples of the Wendle valley, drawn across the page"),
            Block(
                "storage",
                90,
                150,
                600,
                "Of the 37 sorts that were stored in the cellar, nine kept until May. The loss by weight was smallest"
                " in the boxes lined with moss, where it came to 6% in five months.",
            ),
            Block(
                "moss",
                90,
                220,
                600,
                "Moss was gathered from the northern wall alone, because that of the roof held too much dust.",
            ),
        ),
        rotation=90,
    ),
    Sheet(
        (
            Block(
                "bees",
                40,
                80,
                300,
                "Two hives stand at the upper gate. In the cold spring the bees flew on only seventeen days, and the"
                " late sorts set almost no fruit.",
            ),
            Block(
                "pruning",
                40,
                180,
                300,
                "Trees that were pruned in February bore 212 kilograms each, those left alone 148 kilograms.",
            ),
        ),
        crop=(110, 90, 510, 690),
    ),
)
DOCUMENTS = {"harbour.pdf": HARBOUR, "orchard.pdf": ORCHARD}

Place = tuple[str, int, float, float, float, float]
"""Document, 1-based page, and the sides of a region, 0 to 1000."""


def wrapped(block: Block) -> list[str]:
    """Break a paragraph into lines."""
    font = library().Font("helv")
    lines = [""]
    for word in block.text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.text_length(longer, SIZE) > block.width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def write(name: str, sheets: tuple[Sheet, ...]) -> tuple[bytes, dict[str, Place]]:
    """Give a PDF and where its paragraphs stand."""
    document = library().open()
    found: dict[str, Place] = {}
    for number, sheet in enumerate(sheets, start=1):
        page = document.new_page(width=595, height=842)
        left, top, right, bottom = sheet.crop or (0.0, 0.0, 595.0, 842.0)
        width, height = (842.0, 595.0) if sheet.rotation else (right - left, bottom - top)
        for block in sheet.blocks:
            lines = wrapped(block)
            for row, line in enumerate(lines):
                x, y = block.x, block.y + row * PITCH
                at = (y, width - x) if sheet.rotation else (left + x, top + y)
                page.insert_text(at, line, fontsize=SIZE, fontname="helv", rotate=sheet.rotation)
            reach = max(library().Font("helv").text_length(line, SIZE) for line in lines)
            box = (block.x, block.y - 0.8 * SIZE, block.x + reach, block.y + (len(lines) - 1) * PITCH + 0.25 * SIZE)
            sides = [round(1000 * side / whole, 1) for side, whole in zip(box, (width, height) * 2, strict=True)]
            found[block.name] = (name, number, *sides)
        if sheet.crop:
            page.set_cropbox(sheet.crop)
        page.set_rotation(sheet.rotation)
    document.set_metadata({})
    return document.tobytes(garbage=3, deflate=True, no_new_id=True), found


def tag(place: Place) -> str:
    """Give a region as CiteVQA writes it."""
    doc, page, *sides = place
    told = " ".join(f'{name}="{side:g}"' for name, side in zip(("x1", "y1", "x2", "y2"), sides, strict=True))
    return f'<bbox doc="{doc}" page="{page}" {told} />'


def text_of(name: str) -> str:
    """Give a paragraph."""
    return next(
        block.text for sheets in DOCUMENTS.values() for sheet in sheets for block in sheet.blocks if block.name == name
    )


Question = tuple[str, str, str, str, tuple[str, ...], tuple[tuple[str, str], ...]]
"""Id, question, wanted answer, answer given, paragraphs it rests on, and passages cited: document and quote."""


_HARBOUR, _ORCHARD = DOCUMENTS
QUESTIONS: tuple[Question, ...] = (
    (
        "whole-paragraph",
        "How many passengers did the ferry carry in its first summer?",
        "18,450",
        "The ferry carried 18450 passengers.",
        ("ferry",),
        ((_HARBOUR, text_of("ferry")),),
    ),
    (
        "one-sentence",
        "How long was the boom of the old crane, in metres?",
        "31.5 metres",
        "31.5",
        ("crane",),
        ((_HARBOUR, "Its boom measured 31.5 metres and had not moved since the last coal ship left."),),
    ),
    (
        "second-column",
        "How deep is the channel at the inner bend?",
        "2.8 metres",
        "2.8 metres",
        ("depth",),
        (
            (
                _HARBOUR,
                "At low water the channel is 4.2 metres deep at the mouth and 2.8 metres at the inner bend",
            ),
        ),
    ),
    (
        "wrong-answer",
        "How many lamps stand along the quay?",
        "64",
        "46 lamps",
        ("lamps",),
        ((_HARBOUR, "Along the quay there are now 64 lamps"),),
    ),
    (
        "wrong-region",
        "How many weeks did the last clearing of the channel take?",
        "nine weeks",
        "Nine weeks",
        ("mud",),
        ((_HARBOUR, "Seals rest on the sandbank at low water."),),
    ),
    (
        "altered-quote",
        "What does a night at the guest jetty cost?",
        "15 crowns",
        "15 crowns",
        ("fees",),
        ((_HARBOUR, "The fee for a night at the guest jetty rose from 12 to 25 crowns."),),
    ),
    (
        "turned-page",
        "What percentage of weight was lost in boxes lined with moss?",
        "6%",
        "6 percent",
        ("storage",),
        ((_ORCHARD, text_of("storage")),),
    ),
    (
        "cropped-page",
        "What did a tree pruned in February bear?",
        "212 kilograms",
        "212 kilograms",
        ("pruning",),
        ((_ORCHARD, "Trees that were pruned in February bore 212 kilograms each"),),
    ),
    (
        "two-documents",
        "On how many days did the ferry not sail, and on how many did the bees fly?",
        "eleven and seventeen",
        "Eleven and seventeen.",
        ("ferry", "bees"),
        (
            (_HARBOUR, "It did not sail on eleven days because of fog."),
            (_ORCHARD, "In the cold spring the bees flew on only seventeen days"),
        ),
    ),
    ("no-region", "Who wrote the report?", "It does not say", "It does not say.", (), ()),
)
"""The ids say what each is there for."""


def main() -> None:
    """Write the set."""
    FOLDER.mkdir(exist_ok=True)
    where: dict[str, Place] = {}
    for name, sheets in DOCUMENTS.items():
        content, found = write(name, sheets)
        (FOLDER / name).write_bytes(content)
        where |= found
    rows: list[dict[str, Any]] = [
        {
            "id": name,
            "question": question,
            "gold_answer": gold,
            "gold_boxes": [tag(where[block]) for block in blocks],
            "predicted_answer": given,
            "citations": [{"doc": doc, "quote": quote} for doc, quote in cited],
        }
        for name, question, gold, given, blocks, cited in QUESTIONS
    ]
    (FOLDER / "items.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    files = sorted(path for path in FOLDER.iterdir() if path.suffix in {".pdf", ".jsonl"})
    manifest = {
        "name": "citevqa",
        "description": "Ten questions over two small PDFs with the regions their answers rest on, and answers by hand.",
        "origin": "Written for this project by benchmarks/citevqa_set.py; places and figures are invented.",
        "licence": "CC0-1.0",
        "sha256": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files},
    }
    (FOLDER / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(rows)} questions in {FOLDER}\n")


if __name__ == "__main__":
    main()
