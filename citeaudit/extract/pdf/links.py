"""Give identifiers from link annotations to the references on which they lie.

A link carries its identifier whole where the print breaks it over lines or leaves it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from citeaudit.extract.pdf.layout import Row
from citeaudit.extract.pdf.pieces import Piece
from citeaudit.identifiers import clean_arxiv_id, clean_doi, clean_pmcid, clean_pmid, clean_url, find_doi
from citeaudit.pdf import Link, PdfText

MIN_OVERLAP = 0.3
"""Least share of a link's area that must lie on a row."""
CLOSE = 1.3
"""Distance from a row to the middle of a link below it, in font sizes, at which it still belongs to the row."""
MIN_WIDTH = 3.0
"""Points of a link; narrower ones are leftovers of an editor, a letter is wider."""
MAX_ROWS = 2_000
"""Rows of one page on which links are set; a crowded one has 300."""
_SEARCHES = ("scholar.google.", "www.google.", "search.crossref.org")
"""Links with which publishers offer a search for the reference; they say nothing about it."""


@dataclass(frozen=True, slots=True)
class Linked:
    """Identifiers that links give to one reference; the first of each kind."""

    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    url: str | None = None


class _Place(NamedTuple):
    piece: int
    row: Row


def own_dois(pdf: PdfText) -> frozenset[str]:
    """Give the DOIs of the article itself: from its metadata, and those printed on its first page."""
    found = {find_doi(value) for value in pdf.metadata.values()}
    if pdf.pages and len(pdf.pages) > 1:
        found.update(find_doi(line.text) for line in pdf.pages[0].lines)
    return frozenset(doi for doi in found if doi)


def assign(pdf: PdfText, pieces: Sequence[Piece], own: frozenset[str]) -> tuple[Linked, ...]:
    """Give each reference the identifiers of the links that lie on its rows.

    Args:
        pdf: The document.
        pieces: Its references.
        own: DOIs of the article itself; links to them and to their supplements are left out.

    Returns:
        One value a piece, in order.
    """
    places: dict[int, list[_Place]] = {}
    for index, piece in enumerate(pieces):
        for row in piece.rows:
            on_page = places.setdefault(row.page, [])
            if len(on_page) < MAX_ROWS:
                on_page.append(_Place(index, row))
    found: list[dict[str, str]] = [{} for _ in pieces]
    printed = [find_doi(piece.raw) for piece in pieces]
    for page in pdf.pages:
        near = places.get(page.number)
        if not near:
            continue
        for link in page.links:
            owner = _owner(link, near) if link.uri and link.x1 - link.x0 >= MIN_WIDTH else None
            if owner is None or link.uri is None:
                continue
            for kind, value in _identifiers(link.uri, own).items():
                if kind != "doi" or _agrees(value, printed[owner], pieces[owner].raw):
                    found[owner].setdefault(kind, value)
    return tuple(Linked(**values) for values in found)


def _agrees(doi: str, printed: str | None, raw: str) -> bool:
    """Whether the DOI of a link can be the one printed: the print may be broken, but it is what was claimed."""
    if printed is None or printed == doi:
        return True
    squeezed = "".join(raw.split()).lower().replace("-", "")
    bare, other = doi.replace("-", ""), printed.replace("-", "")
    return bare in squeezed or bare.startswith(other) or other.startswith(bare)


def _owner(link: Link, places: Sequence[_Place]) -> int | None:
    """Give the piece on whose rows most of a link lies, or below whose row it stands close.

    A line of links under a reference (`PubMed | Full Text`) need not be among its rows.
    """
    area = max(0.1, (link.x1 - link.x0) * (link.y1 - link.y0))
    best, share = None, MIN_OVERLAP
    below, gap = None, float("inf")
    for place in places:
        row = place.row
        across = min(link.x1, row.x1) - max(link.x0, row.x0)
        if across <= 0:
            continue
        down = min(link.y1, row.y1) - max(link.y0, row.y0)
        if down > 0 and across * down / area > share:
            best, share = place.piece, across * down / area
        under = (link.y0 + link.y1) / 2 - row.y1
        if 0 < under < min(gap, CLOSE * row.size):
            below, gap = place.piece, under
    return below if best is None else best


def _identifiers(uri: str, own: frozenset[str]) -> dict[str, str]:
    host = urlsplit(uri).netloc.lower() if "://" in uri[:12] else ""
    if host.startswith(_SEARCHES):
        return {}
    doi = clean_doi(uri)
    if doi and any(doi.startswith(mine) for mine in own):
        return {}
    values = {
        "doi": doi,
        "arxiv_id": clean_arxiv_id(uri) if "arxiv" in uri.lower() else None,
        "pmid": clean_pmid(uri) if host else None,
        "pmcid": clean_pmcid(uri) if host and "ncbi" in host else None,
    }
    if not any(values.values()):
        values["url"] = clean_url(uri)
    return {kind: value for kind, value in values.items() if value}
