"""Read the references of a PDF: what is certain before what is guessed.

Named destinations of citations and link annotations are facts about the document; printed labels, indents
and gaps are signs of its layout. Lists are found (`sections`), cut (`segments`), joined (`pdf_pieces`) and
read field by field (`fields`); every result says how complete it believes itself to be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.fields.reader import Hints, list_style, read_fields
from citeaudit.extract.pdf.anchors import Anchor, find_anchors, snap
from citeaudit.extract.pdf.labels import label_span
from citeaudit.extract.pdf.layout import Layout, lay_out, vocabulary
from citeaudit.extract.pdf.likeness import likeness
from citeaudit.extract.pdf.links import Linked, assign, own_dois
from citeaudit.extract.pdf.pieces import Piece, cut
from citeaudit.extract.pdf.sections import Section, find_sections
from citeaudit.extract.pdf.segmentation import Segmentation, Segmenter
from citeaudit.extract.pdf.segments import SEGMENTERS, segment
from citeaudit.model import Box, Extraction, FailedBlock, Locus, Reference, SelfCheck
from citeaudit.pdf import DEFAULT_LIMITS, Limits, PdfText, read_pages

FieldReader = Callable[..., Reference]
"""Called as `read_fields(raw, path=, locus=, hints=)`."""
MIN_LIKENESS = 0.35
"""Mean likeness below which a cut list is not believed to be one.

The plainest kinds of lists measure 0.55 (German social science) to 0.95, 600 references each.
"""
MOST_CITED = 0.5
"""Share of destinations that links must reach before the absence of a link says that a reference is not cited."""


class PdfExtractor:
    """Reads the reference lists of a PDF.

    Args:
        limits: What reading a document may cost.
        segmenters: Ways to cut a list, the surest first.
        field_reader: Turns one printed reference into its fields.
    """

    name = "pdf"
    suffixes = (".pdf",)

    def __init__(
        self,
        limits: Limits = DEFAULT_LIMITS,
        segmenters: Iterable[Segmenter] = SEGMENTERS,
        field_reader: FieldReader = read_fields,
    ) -> None:
        """Keep the parts; nothing is started."""
        self._limits = limits
        self._segmenters = tuple(segmenters)
        self._read_fields = field_reader

    def read(self, path: Path) -> Extraction:
        """Read the references of a PDF.

        Never raises for one bad reference; see `Extraction.failed`.

        Raises:
            UnreadableDocumentError: It cannot be read, or is a scan without a text layer.
            EncryptedDocumentError: It needs a password.
            NoReferencesError: Nothing in it looks like a reference list.
        """
        pdf = read_pages(path, limits=self._limits)
        if not pdf.has_text:
            raise UnreadableDocumentError("holds no text layer, only images; run OCR on it first", path=str(path))
        return self.extract(pdf, str(path))

    def extract(self, pdf: PdfText, path: str) -> Extraction:
        """Find the references in the text of a PDF.

        Raises:
            NoReferencesError: Nothing in it looks like a reference list.
        """
        layout = lay_out(pdf)
        anchors = find_anchors(pdf)
        lists = self._lists(layout, anchors)
        if not lists:
            message = "nothing in it looks like a list of references; name another file or the .bib it was made from"
            raise NoReferencesError(message, path=path)
        words = vocabulary(layout.rows)
        own = own_dois(pdf)
        references: list[Reference] = []
        cited: list[Anchor | None] = []
        failed: list[FailedBlock] = []
        for section, reading in lists:
            pieces = cut(section, reading, words)
            failed += [_failed(piece, path) for piece in pieces if not _has_words(piece)]
            pieces = [piece for piece in pieces if _has_words(piece)]
            references += self._fields(pieces, assign(pdf, pieces, own), path)
            cited += [piece.anchor for piece in pieces]
        references = _mark_cited(references, cited)
        return Extraction(
            path=path,
            format=self.name,
            references=tuple(references),
            failed=tuple(failed),
            self_check=_check(pdf, layout, anchors, lists, len(references)),
        )

    def _lists(self, layout: Layout, anchors: Sequence[Anchor]) -> list[tuple[Section, Segmentation]]:
        rows = layout.rows
        # Bare targets of links may also be sections and equations; only names tell where a list goes on.
        named = [anchor for anchor in anchors if anchor.name]
        placed = sorted(index for index in snap(named, rows) if index is not None)
        sections = find_sections(rows, placed, label_span(rows))
        found: list[tuple[Section, Segmentation]] = []
        for section in sections:
            reading = segment(section, anchors, self._segmenters)
            if reading is not None and _believable(section, reading):
                found.append((section, reading))
        return found

    def _fields(self, pieces: Sequence[Piece], linked: Sequence[Linked], path: str) -> list[Reference]:
        style = list_style([piece.raw for piece in pieces])
        return [
            self._read_fields(piece.raw, path=path, locus=_locus(piece, path), hints=_hints(style, links))
            for piece, links in zip(pieces, linked, strict=True)
        ]


def _hints(style: str | None, links: Linked) -> Hints:
    return Hints(
        doi=links.doi,
        arxiv_id=links.arxiv_id,
        pmid=links.pmid,
        pmcid=links.pmcid,
        url=links.url,
        style=style,
    )


def _has_words(piece: Piece) -> bool:
    return any(char.isalpha() for char in piece.raw)


def _failed(piece: Piece, path: str) -> FailedBlock:
    return FailedBlock(raw=piece.raw, message="holds no words", locus=_locus(piece, path))


def _believable(section: Section, reading: Segmentation) -> bool:
    """Whether the pieces of a list look like references; prose under a heading does not."""
    bounds = [*reading.starts, len(section.rows)]
    texts = [" ".join(row.text for row in section.rows[first:last]) for first, last in pairwise(bounds)]
    return sum(likeness(text) for text in texts) >= MIN_LIKENESS * len(texts)


def _locus(piece: Piece, path: str) -> Locus:
    boxes: list[Box] = []
    for row in piece.rows:
        last = boxes[-1] if boxes else None
        if last and last.page == row.page and row.y0 >= last.y0 and abs(row.x0 - last.x0) < last.x1 - last.x0:
            boxes[-1] = Box(
                page=row.page, x0=min(last.x0, row.x0), y0=last.y0, x1=max(last.x1, row.x1), y1=max(last.y1, row.y1)
            )
        else:
            boxes.append(Box(page=row.page, x0=row.x0, y0=row.y0, x1=row.x1, y1=row.y1))
    citekey = piece.anchor.citekey if piece.anchor else None
    return Locus(path=path, page=piece.rows[0].page, boxes=tuple(boxes), label=piece.label, citekey=citekey)


def _mark_cited(references: Sequence[Reference], anchors: Sequence[Anchor | None]) -> list[Reference]:
    """Say which references the text links to, where it links to most of them."""
    known = [anchor for anchor in anchors if anchor]
    if not known or sum(anchor.linked for anchor in known) < MOST_CITED * len(known):
        return list(references)
    return [
        reference.model_copy(update={"cited": anchor.linked}) if anchor else reference
        for reference, anchor in zip(references, anchors, strict=True)
    ]


def _check(
    pdf: PdfText,
    layout: Layout,
    anchors: Sequence[Anchor],
    lists: Sequence[tuple[Section, Segmentation]],
    read: int,
) -> SelfCheck:
    readings = [reading for _, reading in lists]
    labels = [reading.labels for reading in readings if reading.labels]
    destinations = len(anchors) if anchors and anchors[0].name else None
    announced = sum(max((int(label) for label in each if label.isdigit()), default=0) for each in labels)
    notes = []
    if pdf.repaired:
        notes.append("The file is damaged and was mended while it was opened; parts may be missing.")
    if pdf.broken_pages:
        notes.append(f"Pages that could not be read: {', '.join(map(str, pdf.broken_pages))}.")
    if layout.line_numbers:
        notes.append("Numbers of lines were left out.")
    if len(lists) > 1:
        notes.append(f"{len(lists)} lists of references were read.")
    if all(section.heading is None for section, _ in lists):
        notes.append("No heading of a reference list was found; the list was recognised by its looks.")
    return SelfCheck(
        method="+".join(dict.fromkeys(part for reading in readings for part in reading.method.split("+"))),
        read=read,
        expected=destinations or announced or None,
        labels_missing=tuple(label for reading in readings for label in reading.missing),
        labels_duplicate=tuple(label for reading in readings for label in reading.duplicate),
        destinations=destinations,
        notes=tuple(notes),
    )
