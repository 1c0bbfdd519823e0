"""Regions of pages as CiteVQA writes them, and how far those predicted are those wanted.

A region is written `<bbox doc="2" page="1" x1="536" y1="65" x2="642" y2="656" />`: page 1-based, coordinates 0 to 1000
of the page as displayed, origin top-left (github.com/opendatalab/CiteVQA, format of answers).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from citeaudit.pdf import PdfPage
from citeaudit.pdf.boxes import Rect, displayed

SCALE = 1000.0
"""Width and height of any page."""
LARGEST = 1e6
"""Coordinates beyond are none."""
LEAST_IOU = 0.5
"""Intersection over union from which a region is hit; the bound itself counts."""
ONLY_DOC = "1"
"""Name of the document where a region names none."""
_TAG = re.compile(r"<bbox\b([^<>]{0,400})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b([a-z]\w{0,9})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'/]+))", re.IGNORECASE)


class Region(NamedTuple):
    """A rectangle on a page, 0 to 1000 in both directions."""

    doc: str
    page: int
    """1-based."""
    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def area(self) -> float:
        """In square thousandths."""
        return (self.x2 - self.x1) * (self.y2 - self.y1)

    def written(self) -> str:
        """Give it as CiteVQA does."""
        sides = " ".join(f'{name}="{value:g}"' for name, value in zip(("x1", "y1", "x2", "y2"), self[2:], strict=True))
        return f'<bbox doc="{self.doc}" page="{self.page}" {sides} />'


class Overlap(NamedTuple):
    """How far predicted regions are those wanted, each 0 to 1."""

    recall: float
    """Share of the wanted regions that some prediction hits."""
    precision: float
    """Share of the predictions that hit some wanted region; 0 without predictions."""
    page_recall: float
    """Share of the wanted pages on which anything is predicted."""

    @property
    def f1(self) -> float:
        """Harmonic mean of recall and precision; 0 where both are."""
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0


def parse(text: str) -> tuple[Region, ...]:
    """Give the regions written in a text, in order, each once; attributes may stand in any order.

    What lacks a side, is no number, or ends before it begins is left out.

    >>> parse('see <bbox x1="1" x2="3" y1="2" y2="4.5" page="7" /> and <bbox page="1" x1="9" y1="0" x2="5" y2="1"/>')
    (Region(doc='1', page=7, x1=1.0, y1=2.0, x2=3.0, y2=4.5),)
    """
    found = []
    for tag in _TAG.finditer(text):
        named = {one[1].lower(): next(filter(None, one.groups()[1:]), "") for one in _ATTRIBUTE.finditer(tag[1])}
        region = of_fields(named)
        if region is not None:
            found.append(region)
    return tuple(dict.fromkeys(found))


def bare(text: str) -> str:
    """Give a text without its regions."""
    return _TAG.sub(" ", text)


def of_fields(named: dict[str, object]) -> Region | None:
    """Build a region of `doc`, `page`, `x1`, `y1`, `x2`, `y2`; `None` where that is none."""
    try:
        page = int(str(named["page"]))
        x1, y1, x2, y2 = (float(str(named[side])) for side in ("x1", "y1", "x2", "y2"))
    except (KeyError, ValueError):
        return None
    if page < 1 or not (-LARGEST < x1 <= x2 < LARGEST and -LARGEST < y1 <= y2 < LARGEST):  # also where one is `nan`
        return None
    return Region(str(named.get("doc") or ONLY_DOC), page, x1, y1, x2, y2)


def iou(one: Region, two: Region) -> float:
    """Give intersection over union of two regions of one page, 0 to 1."""
    width = min(one.x2, two.x2) - max(one.x1, two.x1)
    height = min(one.y2, two.y2) - max(one.y1, two.y1)
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    return both / (one.area + two.area - both)


def is_hit(wanted: Region, predicted: Region) -> bool:
    """Whether a prediction is a wanted region: the same document and page, and half of the area in common."""
    return wanted[:2] == predicted[:2] and iou(wanted, predicted) >= LEAST_IOU


def compare(wanted: Sequence[Region], predicted: Sequence[Region]) -> Overlap:
    """Measure predictions; `wanted` is not empty."""
    hit = sum(any(is_hit(one, other) for other in predicted) for one in wanted)
    right = sum(any(is_hit(other, one) for other in wanted) for one in predicted)
    pages = {one[:2] for one in wanted}
    return Overlap(
        hit / len(wanted),
        right / len(predicted) if predicted else 0.0,
        len(pages & {one[:2] for one in predicted}) / len(pages),
    )


def of_rect(rect: Rect, page: PdfPage, doc: str = ONLY_DOC, *, turned: bool = False) -> Region:
    """Give a rectangle in points as a region.

    Args:
        rect: Of the unrotated page, origin top-left; with `turned`, of the page as displayed.
        page: On which it stands.
        doc: Name of its document.
        turned: Whether the page's rotation is already in the rectangle.
    """
    x1, y1, x2, y2 = rect if turned else displayed(rect, page.rotation, page.width, page.height)
    across, down = SCALE / page.width, SCALE / page.height
    return Region(doc, page.number, *(round(side, 1) for side in (x1 * across, y1 * down, x2 * across, y2 * down)))


def around(regions: Iterable[Region]) -> tuple[Region, ...]:
    """Give one region for all those of a page, in the order of the pages' first ones."""
    made: dict[tuple[str, int], Region] = {}
    for one in regions:
        old = made.get(one[:2], one)
        made[one[:2]] = Region(
            one.doc, one.page, min(one.x1, old.x1), min(one.y1, old.y1), max(one.x2, old.x2), max(one.y2, old.y2)
        )
    return tuple(made.values())
