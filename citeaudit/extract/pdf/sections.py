"""Find the reference lists of a document: by heading, by where citations lead, or by their looks.

Body text is never given out as references: whatever is chosen must look like references throughout.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citeaudit.extract.pdf.headings import MAX_HEADING, is_heading, is_note
from citeaudit.extract.pdf.layout import Row
from citeaudit.extract.pdf.likeness import likeness, years

LOOK_ROWS = 18
"""Rows after a heading that must look like references: three long ones, or six short ones."""
HEADED = 0.3
"""Least likeness of the rows after a heading; prose measures 0.05 to 0.2, lists 0.5 to 0.95."""
UNHEADED = 0.5
"""Least likeness of a list without a heading."""
LOST = 0.2
"""Likeness of a stretch from which a list has ended though no heading said so."""
STRETCH = 9
"""Rows of a stretch."""
MIN_ROWS = 8
"""Least rows of a list without a heading."""
SIZE_TOLERANCE = 0.14
"""Share by which the size of a row may differ from that of the list: captions and footers differ more."""

SAME_SIZE = 0.3
"""Points by which the sizes of two headings of one kind may differ."""
LARGER = 1.08
"""Size of a heading that is set larger than its list, in sizes of the list."""
MAX_HEADINGS = 60
"""Headings that are tried, the last ones of the document; a list by chapter has one a chapter."""
MAX_SEARCH = 20_000
"""Rows at the end of a document in which a list without a heading is sought: about 400 pages."""
REACH = 30
"""Rows within which the next destination or label must follow for a list to go on."""

_LABEL = re.compile(r"^\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\d{1,4}[.)])")


@dataclass(frozen=True, slots=True)
class Section:
    """One reference list: rows of one size, in reading order, without its heading."""

    rows: tuple[Row, ...]
    heading: str | None
    """As printed; `None` where the list has none."""


def modal_size(rows: Iterable[Row]) -> float:
    """Give the font size of most characters."""
    sizes: Counter[float] = Counter()
    for row in rows:
        sizes[row.size] += len(row.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def looks(rows: Sequence[Row]) -> float:
    """Give how much a stretch of rows looks like references; it is weighed three rows at a time."""
    if not rows:
        return 0.0
    groups = [" ".join(row.text for row in rows[start : start + 3]) for start in range(0, len(rows), 3)]
    return sum(likeness(group) for group in groups) / len(groups)


def find_sections(
    rows: Sequence[Row], anchors: Sequence[int] = (), chain: tuple[int, int] | None = None
) -> tuple[Section, ...]:
    """Find the reference lists.

    Args:
        rows: The document.
        anchors: Rows to which citation destinations lead, sorted; may be empty.
        chain: First row and row of the last label of the longest run of labelled references, if there is one.

    Returns:
        Lists in the order of the document; empty if nothing looks like one.
    """
    found = _headed(rows, anchors, chain)
    if not found and len(anchors) > 2:  # noqa: PLR2004  # two may be anything
        found = [_stretch(rows, anchors[0], None, _last(anchors, anchors[0]))[0]]
    if not found and chain is not None:
        found = [_stretch(rows, chain[0], None, chain[1])[0]]
    if not found:
        found = _unheaded(rows)
    return tuple(section for section in found if section.rows)


def _headed(rows: Sequence[Row], anchors: Sequence[int], chain: tuple[int, int] | None) -> list[Section]:
    found: list[Section] = []
    end = 0
    headings = [index for index, row in enumerate(rows) if is_heading(row.text)][-MAX_HEADINGS:]
    for index in headings:
        if index < end:
            continue
        if looks(_same_size(rows, index + 1)[:LOOK_ROWS]) < HEADED:
            continue
        after = _last(anchors, index)
        if chain and index < chain[0] <= index + LOOK_ROWS:
            after = max(after, chain[1])
        section, end = _stretch(rows, index + 1, rows[index], after)
        if section.rows:
            found.append(section)
    return found


def _last(anchors: Sequence[int], start: int) -> int:
    """Give the last destination of a list: the next one always follows within `REACH` rows."""
    last = start
    for anchor in anchors:
        if last < anchor <= last + REACH:
            last = anchor
    return last


def _same_size(rows: Sequence[Row], start: int) -> list[Row]:
    """Give the rows of the document from `start` on that are set in the size of the first ones there.

    Captions, footers and tables differ, and so does a text column beside the head of a list.
    """
    first = [row for row in rows[start : start + 8] if (row.page, row.column) == (rows[start].page, rows[start].column)]
    size = modal_size(first)
    return [row for row in rows[start:] if abs(row.size - size) <= SIZE_TOLERANCE * size]


def _stretch(rows: Sequence[Row], start: int, heading: Row | None, after: int) -> tuple[Section, int]:
    """Give the list that begins at `start` and the row at which it ends, which is not before the row `after`."""
    if start >= len(rows):
        return Section((), None), start
    size = modal_size(_same_size(rows, start)[:LOOK_ROWS])
    listed = [index for index in range(start, len(rows)) if abs(rows[index].size - size) <= SIZE_TOLERANCE * size]
    kept: list[Row] = []
    end = len(rows)
    for index in range(start, len(rows)):
        row = rows[index]
        if index > max(after, start) and _closes(rows, index, heading, size):
            end = index
            break
        if abs(row.size - size) > SIZE_TOLERANCE * size or is_heading(row.text):
            continue
        if index > after and len(kept) % 3 == 0:
            ahead = [rows[other] for other in listed[len(kept) : len(kept) + STRETCH]]
            if len(ahead) >= STRETCH // 2 and looks(ahead) < LOST and looks(ahead[:3]) < LOST:
                end = index
                break
        kept.append(row)
    return Section(tuple(kept), heading.text if heading else None), end


def _closes(rows: Sequence[Row], index: int, heading: Row | None, size: float) -> bool:
    """Whether a row ends the list before it: a closing heading or note, a second list, a heading set alike."""
    row = rows[index]
    if is_heading(row.text):
        # The first row of a page may be a running head; elsewhere it opens a second list.
        return row.page == rows[index - 1].page
    if is_heading(row.text, "end"):
        return True
    return is_note(row.text) or (heading is not None and _alike(row, heading, size))


def _alike(row: Row, heading: Row, size: float) -> bool:
    """Whether a row is set like the heading of the list, and unlike its references."""
    if len(row.text) > MAX_HEADING or years(row.text) or _LABEL.match(row.text):
        return False
    if likeness(row.text) > HEADED or abs(row.size - heading.size) >= SAME_SIZE:
        return False
    return heading.size > LARGER * size or (heading.bold and row.bold)


def _unheaded(rows: Sequence[Row]) -> list[Section]:
    """Find the longest run of reference-like stretches in the last two thirds of the document."""
    best = (0, 0)
    start: int | None = None
    for index in range(max(len(rows) // 3, len(rows) - MAX_SEARCH), len(rows) + 3, 3):
        good = index < len(rows) and looks(rows[index : index + STRETCH]) >= UNHEADED
        if good and start is None:
            start = index
        elif not good and start is not None:
            if index - start > best[1] - best[0]:
                best = (start, min(len(rows), index + STRETCH - 3))
            start = None
    if best[1] - best[0] < MIN_ROWS:
        return []
    return [Section(tuple(_same_size(rows[: best[1]], best[0])), None)]
