"""Measure how quotations are attributed, on the manuscripts of `datasets/quotations`.

Usage: ``python benchmarks/quotes.py [--split tuned|held_out|all] [--misses]``

Each manuscript is read as a user's would be, by the reader of its kind. A quotation is right where the reference whose
text holds the work's title carries a quote of these words with the page of the gold (dashes and dots aside). A quote
that the gold does not hold, or holds for another work, is a false attribution. A Word document is packed from its
source first.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from citeaudit.errors import ExtractionError
from citeaudit.extract import reader
from citeaudit.extract.intext.body import Body
from citeaudit.extract.intext.link import link
from citeaudit.model import Reference
from citeaudit.text.normalize import fold

FOLDER = Path(__file__).parents[1] / "datasets" / "quotations"
START = 20
"""Folded characters, without spaces, by which a quotation is known."""
_LIST = re.compile(
    r"^(?:#+\s*)?(?:References|Literatur|Literatura|Referencias|Références|Bibliographie|Bibliografía)\s*$",
    re.MULTILINE,
)
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
    '<Override PartName="/word/styles.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?><Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_STYLE_RELATION = (
    '<?xml version="1.0" encoding="UTF-8"?><Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" '
    'Target="styles.xml"/></Relationships>'
)
_STYLES = (
    f'<?xml version="1.0" encoding="UTF-8"?><w:styles {_W}>'
    '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/></w:style></w:styles>'
)


class Score(NamedTuple):
    """What came of one manuscript."""

    name: str
    gold: int
    right: int
    false: int
    misses: tuple[str, ...]


def pack_docx(source: str, path: Path) -> None:
    """Write a Word document from paragraphs with `# ` headings, `> ` block quotations and `^raised^` runs."""
    paragraphs = "".join(map(_paragraph, filter(None, map(str.strip, source.split("\n")))))
    document = f'<?xml version="1.0" encoding="UTF-8"?><w:document {_W}><w:body>{paragraphs}</w:body></w:document>'
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("[Content_Types].xml", _TYPES)
        packed.writestr("_rels/.rels", _RELATIONS)
        packed.writestr("word/document.xml", document)
        packed.writestr("word/_rels/document.xml.rels", _STYLE_RELATION)
        packed.writestr("word/styles.xml", _STYLES)


def _paragraph(line: str) -> str:
    style = {"#": "Heading1", ">": "Quote"}.get(line[0], "")
    text = line[1:].strip() if style else line
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{''.join(_runs(text))}</w:p>"


def _runs(text: str) -> Iterator[str]:
    for place, piece in enumerate(text.split("^")):
        raised = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>' if place % 2 else ""
        if piece:
            yield f'<w:r>{raised}<w:t xml:space="preserve">{escape(piece)}</w:t></w:r>'


def references_of(name: str, folder: Path) -> Sequence[Reference]:
    """Read one manuscript of the set."""
    path = FOLDER / name
    if name.endswith(".docx.txt"):
        path = folder / name.removesuffix(".txt")
        pack_docx((FOLDER / name).read_text(encoding="utf-8"), path)
    read = reader.read(path)
    if path.suffix == ".txt" and not read.citations:
        # a reader that leaves the running text aside: it is linked here, as it stands before the list
        text = path.read_text(encoding="utf-8")
        headings = list(_LIST.finditer(text))
        return link(Body(text=text[: headings[-1].start()] if headings else text), read.references).references
    return read.references


def score(name: str, gold: Sequence[dict[str, str | None]], references: Sequence[Reference]) -> Score:
    """Weigh the quotes of the references against the gold."""
    found = [
        (_start(quote.text), reference.raw, _page(quote.claimed_page), quote.text)
        for reference in references
        for quote in reference.quotes
    ]
    misses, used = [], set()
    for row in gold:
        start, work, page = _start(row["quote"] or ""), fold(row["work"] or ""), _page(row["page"])
        hits = [at for at, one in enumerate(found) if one[0].startswith(start[:START]) and work in fold(one[1])]
        used.update(hits)
        if not any(found[at][2] == page for at in hits):
            told = [
                f"{one[3][:40]!r} -> {one[1][:40]!r} p. {one[2]}" for one in found if one[0].startswith(start[:START])
            ]
            misses.append(f"{row['quote']} -> {row['work']} p. {row['page']}; found {told}")
    false = [f"false: {one[3][:60]!r} -> {one[1][:60]!r}" for at, one in enumerate(found) if at not in used]
    return Score(name, len(gold), len(gold) - len(misses), len(false), (*misses, *false))


def _start(text: str) -> str:
    return fold(text).replace(" ", "")


def _page(page: str | None) -> str | None:
    return re.sub(r"[-–—]+", "-", page).replace(" ", "").rstrip(".") if page else None


def run(split: str = "all") -> list[Score]:
    """Score every manuscript of a split: `tuned`, `held_out` or `all`."""
    gold = json.loads((FOLDER / "gold.json").read_text(encoding="utf-8"))
    held = set(json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["held_out"])
    scores = []
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in gold.items():
            if split != "all" and (name in held) != (split == "held_out"):
                continue
            try:
                scores.append(score(name, rows, references_of(name, Path(folder))))
            except ExtractionError as error:
                scores.append(Score(name, len(rows), 0, 0, (str(error),)))
    return scores


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure how quotations are attributed.")
    parser.add_argument("--split", choices=("tuned", "held_out", "all"), default="all")
    parser.add_argument("--misses", action="store_true")
    arguments = parser.parse_args()
    scores = run(arguments.split)
    for one in scores:
        print(f"{one.name:28} {one.right:3} of {one.gold:3}   false {one.false}")
        if arguments.misses:
            print(*(f"    {miss}" for miss in one.misses), sep="\n")
    gold, right = sum(one.gold for one in scores), sum(one.right for one in scores)
    print(f"{'all':28} {right:3} of {gold:3}   false {sum(one.false for one in scores)}   {100 * right / gold:.1f} %")


if __name__ == "__main__":
    main()
