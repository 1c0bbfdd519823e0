"""What was read from a PDF, drawn on a copy of it, so that a person sees it at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from citeaudit.model import Extraction, Reference
from citeaudit.model.reference import Box
from citeaudit.pdf.overlay import Marked, Marker, Rect, draw
from citeaudit.report.writing import write_bytes


def write_overlay(extraction: Extraction, target: Path) -> None:
    """Write a copy of the PDF with every reference boxed, numbered and its fields coloured; the PDF stays as it is.

    References carry their printed label, else their place in the list; citations of the text are underlined where
    they are found in their rows.

    Raises:
        ExtractionError: The PDF cannot be opened any more.
        UsageError: The target cannot be written, or is the PDF itself.
    """
    content = draw(Path(extraction.path), marks(extraction), _citations(extraction))
    write_bytes(target, content, inputs=(extraction.path,))


def marks(extraction: Extraction) -> tuple[Marked, ...]:
    """Give what to draw: the references that have places, in their order."""
    return tuple(
        Marked(_label(place, reference), tuple(map(_rect, reference.locus.boxes)), tuple(_fields(reference)))
        for place, reference in enumerate(extraction.references, start=1)
        if reference.locus.boxes
    )


def _label(place: int, reference: Reference) -> str:
    """Give the printed label; a font for numbers has no other scripts, and long labels have no room."""
    label = reference.locus.label or ""
    return label if label.isascii() and label.isprintable() and 0 < len(label) <= 8 else str(place)  # noqa: PLR2004


def _rect(box: Box) -> Rect:
    return (box.page, box.x0, box.y0, box.x1, box.y1)


def _fields(reference: Reference) -> Iterator[tuple[str, str]]:
    """Give the texts to look for, long ones first where one may stand inside another."""
    if reference.title:
        yield "title", reference.title
    if reference.container_title:
        yield "venue", reference.container_title
    found = reference.identifiers
    for value in (found.doi, found.url, found.arxiv_id, found.pmcid, found.pmid, found.isbn):
        if value:
            yield "identifier", value
    for person in (*reference.authors, *reference.editors):
        if person.family and person.given:
            yield "author", f"{person.family} {person.given}"
            yield "author", f"{person.given} {person.family}"
        yield "author", person.family or person.literal or ""
        yield "author", person.given or ""
    if reference.year is not None:
        yield "year", f"{reference.year}{reference.year_suffix or ''}"
    if reference.publisher:
        yield "publisher", reference.publisher
    yield from (("volume, pages", text) for text in _numbers(reference))


def _numbers(reference: Reference) -> Iterator[str]:
    """Give volume, issue and pages as lists print them, joined ones first: `12(3), 101-119`, `vol. 12, no. 3`."""
    volume, issue, pages = reference.volume or "", reference.issue or "", reference.pages or ""
    if volume:
        yield from (f"{volume} {issue} {pages}", f"{volume} {issue} pp {pages}", f"{volume} {issue}")
        yield from (f"vol {volume} no {issue} pp {pages}", f"vol {volume}", f"volume {volume}")
    if issue:
        yield f"no {issue}"
    if pages:
        yield from (f"pp {pages}", f"pages {pages}", pages)
    if volume and volume != reference.locus.label:
        yield volume


def _citations(extraction: Extraction) -> tuple[Marker, ...]:
    return tuple(
        Marker(citation.text, tuple(map(_rect, citation.locus.boxes)))
        for citation in extraction.citations
        if citation.locus.boxes
    )
