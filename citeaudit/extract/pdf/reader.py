"""Read the references of a PDF: what is certain before what is guessed.

Named destinations of citations and link annotations are facts about the document; printed labels, indents
and gaps are signs of its layout. Lists are found (`sections`), cut (`segments`), joined (`pieces`) and read field by
field (`fields`); works that only notes cite are added (`footnotes`); the running text is linked to them (`body`).
Every result says how complete it believes itself to be (`check`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from citeaudit.errors import NoReferencesError, UnreadableDocumentError
from citeaudit.extract.ditto import expand
from citeaudit.extract.fields.reader import Hints, list_style, read_many
from citeaudit.extract.intext.link import Linked as LinkedText
from citeaudit.extract.intext.link import link
from citeaudit.extract.pdf.anchors import Anchor, find_anchors, snap
from citeaudit.extract.pdf.askew import straighten
from citeaudit.extract.pdf.body import Context, build_body
from citeaudit.extract.pdf.check import Seen, cover, open_headings, pictured, self_check
from citeaudit.extract.pdf.footnotes import (
    NoteCitation,
    are_notes,
    count,
    find_notes,
    merge,
    note_texts,
    read_citations,
)
from citeaudit.extract.pdf.labels import label_span
from citeaudit.extract.pdf.layout import FootNote, Layout, lay_out, vocabulary
from citeaudit.extract.pdf.likeness import likeness
from citeaudit.extract.pdf.links import Linked, assign, own_dois
from citeaudit.extract.pdf.pieces import Piece, cut
from citeaudit.extract.pdf.places import Shapes, boxes, turned
from citeaudit.extract.pdf.rows import Row
from citeaudit.extract.pdf.sections import Section, find_sections
from citeaudit.extract.pdf.segmentation import Segmentation, Segmenter
from citeaudit.extract.pdf.segments import SEGMENTERS, segment
from citeaudit.extract.pdf.turning import upright
from citeaudit.model import Extraction, FailedBlock, Locus, Reference
from citeaudit.pdf import DEFAULT_LIMITS, Area, Face, Limits, PdfPage, PdfText, read_images, read_pages, recognise_pages
from citeaudit.pdf import Link as PdfLink

FieldReader = Callable[..., Sequence[Reference]]
"""Called as `read_many(raws, path=, loci=, hints=)`, with one locus and one set of hints a reference."""
MIN_LIKENESS = 0.35
"""Mean likeness below which a cut list is not believed to be one.

The plainest kinds of lists measure 0.55 (German social science) to 0.95, 600 references each.
"""
MOST_CITED = 0.5
"""Share of destinations that links must reach before the absence of a link says that a reference is not cited."""
_LOOKED_AT = 8
"""Lines of a page from which its kind is told."""
SCANNED = 0.5
"""Share of a page without text that an image covers at least for the page to be a scan."""
RECOGNISED = 0.6
"""Score that a reference read by OCR reaches at most: its letters are guesses."""
Look = Callable[[Iterable[int]], Mapping[int, tuple[Area, ...]]]
"""Gives the images of some pages."""


@dataclass(slots=True)
class _Found:
    """What has been read of a document."""

    references: list[Reference]
    cited: list[Anchor | None]
    failed: list[FailedBlock]
    from_notes: int = 0


class PdfExtractor:
    """Reads the reference lists of a PDF.

    Args:
        limits: What reading a document may cost.
        segmenters: Ways to cut a list, the surest first.
        field_reader: Turns the printed references of one list into fields.
        ocr: Whether pages without text are read by optical character recognition.
        languages: Of those pages, as Tesseract names them, joined by `+`.
        tessdata: Folder with Tesseract's language data, where it is not at a usual place.
    """

    name = "pdf"
    suffixes = (".pdf",)

    def __init__(  # parts, each with its default
        self,
        limits: Limits = DEFAULT_LIMITS,
        segmenters: Iterable[Segmenter] = SEGMENTERS,
        field_reader: FieldReader = read_many,
        *,
        ocr: bool = False,
        languages: str = "eng",
        tessdata: Path | None = None,
    ) -> None:
        """Keep the parts; nothing is started."""
        self._limits = limits
        self._segmenters = tuple(segmenters)
        self._read_many = field_reader
        self._ocr = ocr
        self._languages = languages
        self._tessdata = tessdata

    def recognising(self, languages: str) -> PdfExtractor:
        """Give the extractor that reads pages without text from their images; see `languages`."""
        return PdfExtractor(
            self._limits, self._segmenters, self._read_many, ocr=True, languages=languages, tessdata=self._tessdata
        )

    def read(self, path: Path) -> Extraction:
        """Read the references of a PDF.

        Never raises for one bad reference; see `Extraction.failed`.

        Raises:
            UnreadableDocumentError: It cannot be read, or is a scan without a text layer.
            EncryptedDocumentError: It needs a password.
            NoReferencesError: Nothing in it looks like a reference list.
            DependencyError: OCR was asked for, a page needs it, and Tesseract's language data is not there.
        """
        pdf = read_pages(path, limits=self._limits)
        look = partial(read_images, path, limits=self._limits)
        textless = tuple(page.number for page in pdf.pages if not page.lines)
        if len(textless) == len(pdf.pages) and not self._ocr:
            message = "holds no text layer, only images; let it be read from them with --ocr eng (or another language)"
            raise UnreadableDocumentError(message, path=str(path))
        images = look(textless) if textless else {}
        scanned = tuple(page.number for page in pdf.pages if _is_scan(page, images.get(page.number, ())))
        if not self._ocr or not scanned:
            return self.extract(pdf, str(path), look=look, seen=Seen(scanned=scanned, ocr=self._ocr, images=images))
        pages = recognise_pages(path, scanned, languages=self._languages, tessdata=self._tessdata, limits=self._limits)
        read = {page.number: page for page in pages if page.lines}
        if len(textless) == len(pdf.pages) and not read:
            raise UnreadableDocumentError("holds only images in which OCR found no text", path=str(path))
        merged = replace(pdf, pages=tuple(read.get(page.number, page) for page in pdf.pages))
        left = tuple(number for number in scanned if number not in read)
        return self.extract(
            merged,
            str(path),
            look=look,
            seen=Seen(scanned=left, ocr=True, recognised=tuple(sorted(read)), images=images),
        )

    def extract(self, pdf: PdfText, path: str, *, look: Look | None = None, seen: Seen | None = None) -> Extraction:
        """Find the references in the text of a PDF.

        Args:
            pdf: The text.
            path: As the user named the file.
            look: Gives the images of pages on which a list seems to be missing.
            seen: What was noticed while it was read.

        Raises:
            NoReferencesError: Nothing in it looks like a reference list.
        """
        seen = replace(seen or Seen(), layered=_layered(pdf))
        guessed = frozenset((*seen.recognised, *seen.layered))
        pdf, slopes = straighten(upright(pdf))
        layout = lay_out(pdf)
        anchors = find_anchors(pdf)
        layout, lists = _part_notes(layout, self._lists(layout, anchors))
        seen = replace(seen, pictured=_pictured(pdf, layout, lists, look, seen))
        words = vocabulary([*layout.rows, *(row for note in layout.notes for row in note.rows)])
        document = _Document(pdf, layout, path, words, turned(pdf, slopes), own_dois(pdf))
        found = self._listed(document, lists)
        self._noted(document, found)
        if not found.references and not found.failed:
            raise NoReferencesError(_nothing(seen), path=path)
        references = _mark_cited(found.references, found.cited)
        if guessed:
            references = [_doubted(reference, guessed) for reference in references]
        body = build_body(
            pdf,
            _running(layout, lists),
            layout.notes,
            _Targets(found),
            context=Context(path, words, document.shapes),
        )
        only_notes = found.from_notes > 0 and not lists
        linked = link(body, references, notes_hold_references=only_notes)
        if guessed:
            linked = _opened(linked)
        seen = replace(
            seen, from_notes=found.from_notes, citations=len(linked.citations), dangling=tuple(linked.dangling)
        )
        return Extraction(
            path=path,
            format=self.name,
            references=linked.references,
            citations=linked.citations,
            failed=tuple(found.failed),
            self_check=self_check(pdf, layout, anchors, lists, read=len(references), seen=seen),
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
            if reading is not None and _believable(section, reading) and not _is_notes(section, reading, layout):
                found.append((section, reading))
        return found

    def _listed(self, document: _Document, lists: Sequence[tuple[Section, Segmentation]]) -> _Found:
        found = _Found([], [], [])
        for section, reading in lists:
            pieces = cut(section, reading, document.words)
            found.failed += [_failed(piece, document) for piece in pieces if not _has_words(piece)]
            pieces = [piece for piece in pieces if _has_words(piece)]
            found.references += self._fields(pieces, document)
            found.cited += [piece.anchor for piece in pieces]
        return found

    def _fields(self, pieces: Sequence[Piece], document: _Document) -> tuple[Reference, ...]:
        linked = assign(document.pdf, pieces, document.own)
        made = self._read_many(
            [piece.raw for piece in pieces],
            path=document.path,
            loci=[_locus(piece, document) for piece in pieces],
            hints=[_hints(None, links, piece, document.words) for piece, links in zip(pieces, linked, strict=True)],
        )

        def again(reference: Reference, text: str) -> Reference:
            return self._read_one(text, reference.locus, Hints(), document)

        return expand(made, again)

    def _read_one(self, raw: str, locus: Locus, hints: Hints, document: _Document) -> Reference:
        return self._read_many([raw], path=document.path, loci=[locus], hints=[hints])[0]

    def _noted(self, document: _Document, found: _Found) -> None:
        """Add the works that the notes cite and no list holds."""
        listed = bool(found.references)
        citations = find_notes(document.layout, document.words)
        if not count(citations, beside_list=listed):
            return
        style = list_style([citation.raw for citation in citations])

        def read(citation: NoteCitation, text: str) -> Reference:
            piece = Piece(text, citation.rows, citation.label or None, None)
            hints = Hints(style=style)
            if piece.rows and citation.alone:  # a link beside another citation may be that one's
                hints = _hints(style, assign(document.pdf, [piece], document.own)[0], piece, document.words)
            return self._read_one(piece.raw, _locus(piece, document), hints, document)

        merged = merge(found.references, read_citations(citations, read))
        found.from_notes = len(merged) - len(found.references)
        found.cited += [None] * found.from_notes
        found.references = list(merged)


@dataclass(frozen=True, slots=True)
class _Document:
    """What is known about a document as a whole."""

    pdf: PdfText
    layout: Layout
    path: str
    words: Mapping[str, int]
    shapes: Shapes
    own: frozenset[str]
    """DOIs of the article itself."""


class _Targets:
    """Tells to which reference a link leads; called with a link, gives the reference's key."""

    def __init__(self, found: _Found) -> None:
        self._names: dict[str, str] = {}
        self._places: dict[tuple[int, int, int], str] = {}
        for reference, anchor in zip(found.references, found.cited, strict=True):
            key = reference.locus.citekey or reference.locus.label
            if anchor is None or key is None:
                continue
            if anchor.name:
                self._names.setdefault(anchor.name, key)
            self._places.setdefault((anchor.page, round(anchor.x), round(anchor.y)), key)

    def __call__(self, leading: PdfLink) -> str | None:
        if leading.name:
            return self._names.get(leading.name)
        if leading.target_page is None:
            return None
        return self._places.get((leading.target_page, round(leading.target_x), round(leading.target_y)))


def _is_scan(page: PdfPage, images: Sequence[Area]) -> bool:
    return any(cover(area) >= SCANNED * page.width * page.height for area in images)


def _pictured(
    pdf: PdfText, layout: Layout, lists: Sequence[tuple[Section, Segmentation]], look: Look | None, seen: Seen
) -> tuple[int, ...]:
    """Give the pages on which a list is an image; images are looked for only where a heading has no list."""
    headings = open_headings(layout, lists)
    if not headings or look is None:
        return ()
    textless = frozenset(page.number for page in pdf.pages if not page.lines)
    wanted = {heading.page for heading in headings}
    known = {number: seen.images[number] for number in seen.images}
    return pictured(headings, {**known, **look(sorted(wanted))}, pdf, textless)


def _nothing(seen: Seen) -> str:
    if seen.pictured:
        return _in_image(seen.pictured[0], seen)
    if seen.scanned and not seen.ocr:
        return (
            "nothing in its text looks like a list of references, and it holds scanned pages; "
            "have them read with --ocr eng (or another language)"
        )
    return "nothing in it looks like a list of references; name another file or the .bib it was made from"


def _in_image(page: int, seen: Seen) -> str:
    where = f"its list of references, on page {page}, is an image"
    bib = "name the .bib it was made from"
    if page + 1 in seen.scanned and not seen.ocr:
        return f"{where}; have it read with --ocr eng (or another language), or {bib}"
    if page + 1 in seen.scanned:
        return f"{where} in which recognition found no text; {bib}"
    # Recognition reads pages without text alone.
    return f"{where} on a page with text, which --ocr does not read; run OCR on the file with another program, or {bib}"


def _running(layout: Layout, lists: Sequence[tuple[Section, Segmentation]]) -> list[Row]:
    listed = {id(row) for section, _ in lists for row in section.rows}
    return [row for row in layout.rows if id(row) not in listed]


def _hints(style: str | None, links: Linked, piece: Piece, words: Mapping[str, int]) -> Hints:
    return Hints(
        doi=links.doi,
        arxiv_id=links.arxiv_id,
        pmid=links.pmid,
        pmcid=links.pmcid,
        url=links.url,
        style=style,
        italic=piece.runs(Face.ITALIC, words),
        bold=piece.runs(Face.BOLD, words),
    )


def _has_words(piece: Piece) -> bool:
    return any(char.isalpha() for char in piece.raw)


def _failed(piece: Piece, document: _Document) -> FailedBlock:
    return FailedBlock(raw=piece.raw, message="holds no words", locus=_locus(piece, document))


def _texts(section: Section, reading: Segmentation) -> list[str]:
    bounds = [*reading.starts, len(section.rows)]
    return [" ".join(row.text for row in section.rows[first:last]) for first, last in pairwise(bounds)]


def _is_notes(section: Section, reading: Segmentation, layout: Layout) -> bool:
    """Whether a list holds notes that are read as such: `Ibid.` and short forms are no references."""
    if not are_notes(_texts(section, reading)):
        return False
    rows = {id(row) for note in note_texts(layout) for row in note.rows}
    return any(id(row) in rows for row in section.rows)


def _part_notes(
    layout: Layout, lists: Sequence[tuple[Section, Segmentation]]
) -> tuple[Layout, list[tuple[Section, Segmentation]]]:
    """Take lists without a heading whose entries point back for what they are: notes behind the text."""
    kept: list[tuple[Section, Segmentation]] = []
    for section, reading in lists:
        notes = _entries(section, reading)
        if section.heading is None and reading.labels and are_notes([note.text for note in notes]):
            rows = {id(row) for note in notes for row in note.rows}
            parted = replace(
                layout,
                rows=tuple(row for row in layout.rows if id(row) not in rows),
                notes=(*layout.notes, *notes),
            )
            if count(find_notes(parted), beside_list=False):
                layout = parted
                continue
        kept.append((section, reading))
    return layout, kept


def _entries(section: Section, reading: Segmentation) -> list[FootNote]:
    bounds = pairwise([*reading.starts, len(section.rows)])
    return [
        FootNote(section.rows[first].page, label, section.rows[first:last])
        for label, (first, last) in zip(reading.labels, bounds, strict=False)
    ]


def _believable(section: Section, reading: Segmentation) -> bool:
    """Whether the pieces of a list look like references; prose under a heading does not."""
    texts = _texts(section, reading)
    return sum(likeness(text) for text in texts) >= MIN_LIKENESS * len(texts)


def _locus(piece: Piece, document: _Document) -> Locus:
    anchor = piece.anchor
    citekey = anchor.citekey if anchor else None
    if citekey is None and anchor and not piece.label:
        citekey = anchor.name  # `CR12` says nothing about the work, but links in the text lead to it
    page = piece.rows[0].page if piece.rows else None
    return Locus(
        path=document.path, page=page, boxes=boxes(piece.rows, document.shapes), label=piece.label, citekey=citekey
    )


def _mark_cited(references: Sequence[Reference], anchors: Sequence[Anchor | None]) -> list[Reference]:
    """Say which references the text links to, where it links to most of them."""
    known = [anchor for anchor in anchors if anchor]
    if not known or sum(anchor.linked for anchor in known) < MOST_CITED * len(known):
        return list(references)
    return [
        reference.model_copy(update={"cited": anchor.linked}) if anchor else reference
        for reference, anchor in zip(references, anchors, strict=True)
    ]


def _layered(pdf: PdfText) -> tuple[int, ...]:
    """Give the pages whose text lies over an image of them."""
    return tuple(
        page.number
        for page in pdf.pages
        if any(span.face & Face.LAYER for line in page.lines[:_LOOKED_AT] for span in line.spans)
    )


def _opened(linked: LinkedText) -> LinkedText:
    """Leave open what citations would say against a reference, where their characters may be misread."""
    references = (each if each.cited else each.model_copy(update={"cited": None}) for each in linked.references)
    return replace(linked, references=tuple(references), dangling=())


def _doubted(reference: Reference, recognised: frozenset[int]) -> Reference:
    """Mark what was recognised from an image, and lower its score."""
    if not {box.page for box in reference.locus.boxes} & recognised:
        return reference
    return reference.model_copy(update={"recognised": True, "parse_score": min(reference.parse_score, RECOGNISED)})
