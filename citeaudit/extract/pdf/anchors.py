"""Where the citations of a PDF lead: named destinations and targets of links, set on rows of the text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from citeaudit.extract.pdf.layout import Row
from citeaudit.pdf import PdfText

MIN_ANCHORS = 3
"""Fewer destinations than this say nothing about a list."""

MAX_ANCHORS = 5_000
"""Destinations that are used."""
MARGIN = 15.0
"""Points left of its column in which an anchor may stand; labels and TeX's raised names do."""

FAMILIES = re.compile(
    r"(?:"
    r"cite\.(?:\d+@)?(?P<latex>.+)"  # hyperref with natbib or biblatex
    r"|bib\.(?P<dotted>.+)"  # sphinx, LyX
    r"|(?:link_)?(?:CR|bib|bbib|BIB|B|b|bb|bbr|R|r|ref|cit)[-_.]?\d{1,4}(?:_\d+)?"  # Springer, Elsevier, Wiley
    r"|ref-(?P<pandoc>.+)"  # pandoc citeproc, Manubot
    r"|[Rr]eference_?(?P<number>\d{1,4})"  # PLOS
    r"|[a-z.]+\d+\.ref\d{1,4}"
    r"|rfc?\d{1,4}|citation\.\S+"
    r")"
)
"""Names that publishers and LaTeX give to references; a family counts only where its members lead to a list."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place to which a citation leads."""

    name: str | None
    """Of the destination; `None` for a bare target of a link."""
    page: int
    x: float
    y: float
    linked: bool
    """Some link leads there."""

    @property
    def citekey(self) -> str | None:
        """Give the key that the name carries, if it carries one: `cite.Roe2020` -> `Roe2020`."""
        match = FAMILIES.fullmatch(self.name or "")
        if match is None:
            return None
        return match["latex"] or match["dotted"] or match["pandoc"]


def find_anchors(pdf: PdfText) -> tuple[Anchor, ...]:
    """Find the destinations of citations by their names, else the targets of links that are bare points.

    Returns:
        Anchors by page, then as they come; empty where the document has none.
    """
    linked = {link.name for page in pdf.pages for link in page.links if link.name}
    groups: dict[str, list[Anchor]] = defaultdict(list)
    for name, place in pdf.destinations.items():
        if FAMILIES.fullmatch(name):
            family = re.sub(r"\d+", "#", name) if not name.startswith(("cite.", "ref-", "bib.")) else name[:4]
            groups[family].append(Anchor(name, place.page, place.x, place.y, name in linked))
    if groups:
        # The pages of the largest family only: "ref-" also opens headings that begin with that word.
        best = max(groups.values(), key=len)
        if len(best) >= MIN_ANCHORS:
            return tuple(sorted(best[:MAX_ANCHORS], key=lambda anchor: anchor.page))
    return _targets(pdf)


def _targets(pdf: PdfText) -> tuple[Anchor, ...]:
    """Give the distinct points in the last third of a document to which links from earlier pages lead."""
    late = len(pdf.pages) * 2 / 3
    points = {
        (link.target_page, round(link.target_x), round(link.target_y))
        for page in pdf.pages
        for link in page.links
        if link.target_page is not None and link.target_page > late and link.target_page >= page.number
    }
    pages = Counter(page for page, _, _ in points)
    if sum(pages.values()) < 2 * MIN_ANCHORS:
        return ()
    return tuple(Anchor(None, page, x, y, linked=True) for page, x, y in sorted(points)[:MAX_ANCHORS])


def snap(anchors: Sequence[Anchor], rows: Sequence[Row]) -> list[int | None]:
    """Set each anchor on the first row at or below it in its column.

    Some producers leave out where on the line the place is; the order of the numbers in the names then
    tells the column.

    Args:
        anchors: Destinations.
        rows: Of a list or of the document, in reading order.

    Returns:
        For each anchor the index of its row, or `None` where its page has no row at or after it.
    """
    by_page: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for index, row in enumerate(rows):
        by_page[row.page][row.column].append(index)
    options = [_options(anchor, by_page.get(anchor.page, {}), rows) for anchor in anchors]
    chosen: list[int | None] = [option[0] if option else None for option in options]
    if any(len(option) > 1 for option in options):
        last = -1
        for at in sorted(range(len(anchors)), key=lambda at: _number(anchors[at])):
            later = [index for index in options[at] if index > last]
            if later:
                chosen[at] = last = min(later)
    return chosen


def _number(anchor: Anchor) -> tuple[int, float]:
    digits = re.search(r"(\d{1,6})(?!.*\d)", anchor.name or "")
    return (int(digits[1]), 0.0) if digits else (anchor.page, anchor.y)


def _options(anchor: Anchor, columns: dict[int, list[int]], rows: Sequence[Row]) -> list[int]:
    """Give the rows an anchor may stand for: one, or one a column where its place on the line says nothing."""
    if not columns:
        return []
    edges = {number: min(rows[index].x0 for index in indexes) for number, indexes in columns.items()}
    ends = {number: max(rows[index].x1 for index in indexes) for number, indexes in columns.items()}
    inside = [number for number in columns if edges[number] - MARGIN <= anchor.x <= ends[number]]
    # Where margins overlap, the column whose left edge is nearest.
    inside = sorted(inside, key=lambda number: abs(edges[number] - anchor.x))[:1] or list(columns)
    found = [_below(anchor, columns[number], rows) for number in inside]
    return [index for index in found if index is not None]


def _below(anchor: Anchor, column: Sequence[int], rows: Sequence[Row]) -> int | None:
    for index in column:
        if rows[index].middle >= anchor.y - 1:
            return index
    # Below the last row of its column: TeX leaves the name behind when the reference moves to the next one.
    after = column[-1] + 1
    return after if after < len(rows) else None
