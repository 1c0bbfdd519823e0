"""What reading a PDF can tell about its own completeness: numbers, and sentences for the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from citeaudit.extract.pdf.anchors import Anchor
from citeaudit.extract.pdf.headings import is_heading
from citeaudit.extract.pdf.layout import Layout
from citeaudit.extract.pdf.rows import Row
from citeaudit.extract.pdf.sections import Section
from citeaudit.extract.pdf.segmentation import Segmentation
from citeaudit.model import SelfCheck
from citeaudit.pdf import Area, PdfText

UNREADABLE = 0.03
"""Share of the characters of a list that stand for nothing, from which it is worth a word."""
LIST_IMAGE = 0.2
"""Share of the page that an image below a heading covers at least to be the list."""
UNDER = 4
"""Rows below a heading within which its list begins."""
MAX_SPACES = 16
"""Spaces of a heading; its letters may be spaced."""
MAX_PAGES = 20
"""Pages that a sentence names."""
_UNKNOWN = "\ufffd"

Lists = Sequence[tuple[Section, Segmentation]]


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen on the way that a reader of the result should know."""

    scanned: tuple[int, ...] = ()
    """1-based pages without text that an image covers."""
    ocr: bool = False
    """Whether pages without text were to be read by OCR."""
    recognised: tuple[int, ...] = ()
    """Pages whose text is from OCR of ours."""
    layered: tuple[int, ...] = ()
    """Pages whose text lies over an image of the page: from the OCR of somebody else."""
    pictured: tuple[int, ...] = ()
    """Pages on which a heading stands above an image instead of a list."""
    from_notes: int = 0
    """References that were taken from notes."""
    citations: int | None = None
    dangling: tuple[str, ...] = ()
    images: Mapping[int, tuple[Area, ...]] = field(default_factory=dict)


def open_headings(layout: Layout, lists: Lists) -> tuple[Row, ...]:
    """Give the headings of reference lists under which no list was found."""
    listed = {id(row) for section, _ in lists for row in section.rows}
    rows = layout.rows
    found = [index for index, row in enumerate(rows) if row.text.count(" ") <= MAX_SPACES and is_heading(row.text)]
    ends = [*found[1:], len(rows)]
    return tuple(
        rows[at]
        for at, end in zip(found, ends, strict=False)
        if not any(id(row) in listed for row in rows[at + 1 : min(end, at + 1 + UNDER)])
    )


def pictured(
    headings: Iterable[Row], images: Mapping[int, Sequence[Area]], pdf: PdfText, textless: Iterable[int] = ()
) -> tuple[int, ...]:
    """Give the pages on which the list of a heading is an image: below it, or on a next page without text."""
    areas = {page.number: page.width * page.height for page in pdf.pages}
    blank = frozenset(textless)
    found = []
    for heading in headings:
        below = [area for area in images.get(heading.page, ()) if area.y1 > heading.y1 + (area.y1 - area.y0) / 2]
        after = images.get(heading.page + 1, ()) if heading.page + 1 in blank else ()
        for page, group in ((heading.page, below), (heading.page + 1, after)):
            if any(cover(area) >= LIST_IMAGE * areas.get(page, float("inf")) for area in group):
                found.append(heading.page)
    return tuple(dict.fromkeys(found))


def cover(area: Area) -> float:
    """Give the size of an image on its page, square points."""
    return max(0.0, area.x1 - area.x0) * max(0.0, area.y1 - area.y0)


def self_check(
    pdf: PdfText, layout: Layout, anchors: Sequence[Anchor], lists: Lists, *, read: int, seen: Seen
) -> SelfCheck:
    """Weigh what was read against what the document announces.

    Args:
        pdf: The document.
        layout: Its rows.
        anchors: Destinations of its citations.
        lists: Its lists, cut.
        read: References read.
        seen: What else was noticed.
    """
    readings = [reading for _, reading in lists]
    labels = [reading.labels for reading in readings if reading.labels]
    destinations = len(anchors) if anchors and anchors[0].name else None
    announced = sum(max((int(label) for label in each if label.isdigit()), default=0) for each in labels)
    if _unread_after(lists, seen):
        announced = 0  # the highest label that was read need not be the last one
    method = list(dict.fromkeys(part for reading in readings for part in reading.method.split("+")))
    method += ["notes"] if seen.from_notes else []
    return SelfCheck(
        method="+".join(method),
        read=read,
        expected=destinations or announced or None,
        labels_missing=tuple(label for reading in readings for label in reading.missing),
        labels_duplicate=tuple(label for reading in readings for label in reading.duplicate),
        destinations=destinations,
        citations=seen.citations,
        dangling=seen.dangling,
        notes=tuple(_sentences(pdf, layout, lists, seen)),
    )


def _sentences(pdf: PdfText, layout: Layout, lists: Lists, seen: Seen) -> Iterable[str]:
    if pdf.repaired:
        yield "The file is damaged and was mended while it was opened; parts may be missing."
    if pdf.broken_pages:
        yield f"Pages that could not be read: {_named(pdf.broken_pages)}."
    yield from _images(seen)
    if layout.hidden:
        yield f"Text that no reader sees (white, tiny or invisible) was left out on pages {_named(layout.hidden)}."
    if layout.line_numbers:
        yield "Numbers of lines were left out."
    if len(lists) > 1:
        yield f"{len(lists)} lists of references were read."
    if lists and all(section.heading is None for section, _ in lists):
        yield "No heading of a reference list was found; the list was recognised by its looks."
    if seen.from_notes:
        taken = "1 reference was" if seen.from_notes == 1 else f"{seen.from_notes} references were"
        yield f"{taken} taken from the notes."
    if _unreadable(lists):
        yield "Many characters of the list have no meaning in the file; compare the references with the page."


def _images(seen: Seen) -> Iterable[str]:
    if seen.scanned:
        yield f"Pages without text, probably scanned: {_named(seen.scanned)}; {_advice(seen)}."
    if seen.recognised:
        yield f"Read by optical character recognition, with its errors: pages {_named(seen.recognised)}."
    if seen.layered:
        yield f"Text over an image, probably from character recognition, with its errors: pages {_named(seen.layered)}."
    if seen.pictured:
        yield f"A heading of references stands above an image on page {_named(seen.pictured)}; its list was not read."
        if seen.ocr:
            yield "Images on pages with text are not recognised."


def _unread_after(lists: Lists, seen: Seen) -> bool:
    """Whether a list may go on with pages that were not read: scans behind its first page."""
    first = min((row.page for section, _ in lists for row in section.rows), default=None)
    return first is not None and any(page > first for page in seen.scanned)


def _advice(seen: Seen) -> str:
    if seen.ocr:
        return "recognition found no text on them"
    return "use --ocr eng (or another language) to have them read"


def _unreadable(lists: Lists) -> bool:
    text = "".join(row.text for section, _ in lists for row in section.rows)
    return text.count(_UNKNOWN) > UNREADABLE * len(text)


def _named(pages: Iterable[int]) -> str:
    """Name pages, runs as ranges."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][-1] + 1:
            runs[-1][1:] = [page]
        else:
            runs.append([page])
    named = ["-".join(map(str, run)) for run in runs[:MAX_PAGES]]
    return ", ".join(named) + (" and others" if len(runs) > MAX_PAGES else "")
