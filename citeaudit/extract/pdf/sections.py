"""Find the reference lists of a document: by heading, by where citations lead, or by their looks.

Body text is never given out as references: whatever is chosen must look like references throughout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from citeaudit.extract.pdf.borders import (
    UNHEADED,
    border,
    group_size,
    is_caption,
    modal_size,
    pitch,
    unheaded,
    usual_pitch,
    weigh,
)
from citeaudit.extract.pdf.headings import MAX_HEADING, is_heading, is_note
from citeaudit.extract.pdf.likeness import likeness, years
from citeaudit.extract.pdf.openings import MAX_TAIL, TERMINAL
from citeaudit.extract.pdf.rows import Row

COMMAS = 0.25
"""Commas a word; prose has 0.08, the authors of a large collaboration 0.35 and more."""
UNLIKE = 0.45
"""Likeness that no part of such a stretch reaches."""
LOOK_ROWS = 18
"""Rows after a heading that must look like references: three long ones, or six short ones."""
HEADED = 0.3
"""Least likeness of the rows after a heading; prose measures 0.05 to 0.2, lists 0.5 to 0.95."""
LOST = 0.2
"""Likeness of a stretch from which a list has ended though no heading said so."""
FALLEN = 0.35
"""The same as a share of the likeness of the list before."""
SIZE_TOLERANCE = 0.14
"""Share by which the size of a row may differ from that of the list: captions and footers differ more."""

SAME_SIZE = 0.3
"""Points by which the sizes of two headings of one kind may differ."""
LARGER = 1.08
"""Size of a heading that is set larger than its list, in sizes of the list."""
MAX_HEADINGS = 60
"""Headings that are tried, the last ones of the document; a list by chapter has one a chapter."""
MAX_FLOAT = 90
"""Rows of a table or figure in the middle of a list."""
REACH = 30
"""Rows within which the next destination or label must follow for a list to go on."""

_PAGED = re.compile(r"^\d{1,4}\s[^\W\d_]|[^\W\d_.,]\s\d{1,4}$")
_BIOGRAPHY = re.compile(
    r"(?:[^\W\d_]\S{0,20}\s){2,5}(?:\([^()]{3,40}\)\s)?(?:received\s(?:the|his|her|a)\b|was\sborn|obtained\s(?:the|his|her|a)\b"
    r"|earned\s(?:the|his|her|a)\b|is\s(?:currently|presently|a\s(?:full\s|senior\s|research\s)?(?:prof|fellow|member|ph)))"
)
"""How the lives of the authors begin that some journals set after the list."""
_LABEL = re.compile(r"^\s*(?:\[\d{1,4}\]|\(\d{1,4}\)|\d{1,4}[.)])")


@dataclass(frozen=True, slots=True)
class Section:
    """One reference list: rows of one size, in reading order, without its heading."""

    rows: tuple[Row, ...]
    heading: str | None
    """As printed; `None` where the list has none."""


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
    if not found and (span := unheaded(rows)) is not None:
        listed = rows[slice(*span)]
        size = modal_size(listed)
        found = [Section(tuple(row for row in listed if abs(row.size - size) <= SIZE_TOLERANCE * size), None)]
    return tuple(section for section in found if section.rows)


def _headed(rows: Sequence[Row], anchors: Sequence[int], chain: tuple[int, int] | None) -> list[Section]:
    found: list[Section] = []
    end = 0
    headings = [index for index, row in enumerate(rows) if is_heading(row.text)][-MAX_HEADINGS:]
    for index in headings:
        if index < end:
            continue
        if looks(list(islice(_same_size(rows, index + 1), LOOK_ROWS))) < HEADED:
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


def _same_size(rows: Sequence[Row], start: int) -> Iterator[Row]:
    """Give the rows of the document from `start` on that are set in the size of the first ones there.

    Captions, footers and tables differ, and so does a text column beside the head of a list.
    """
    first = [row for row in rows[start : start + 8] if (row.page, row.column) == (rows[start].page, rows[start].column)]
    size = modal_size(first)
    return (rows[at] for at in range(start, len(rows)) if abs(rows[at].size - size) <= SIZE_TOLERANCE * size)


def _stretch(rows: Sequence[Row], start: int, heading: Row | None, after: int) -> tuple[Section, int]:
    """Give the list that begins at `start` and the row at which it ends, which is not before the row `after`."""
    if start >= len(rows):
        return Section((), None), start
    size = modal_size(islice(_same_size(rows, start), LOOK_ROWS))
    fits = [index for index in range(start, len(rows)) if abs(rows[index].size - size) <= SIZE_TOLERANCE * size]
    group = group_size([rows[index] for index in fits])
    kept: list[int] = []
    end, at, weights = len(rows), 0, 0.0
    resume = start
    for index in range(start, len(rows)):
        row = rows[index]
        if index > start and index >= resume and _captioned(rows, index):
            resume = _resumes(rows, index, group, kept, size)
            if resume == len(rows) and index > after:
                end = index
                break
            # A table inside the list: its rows are left out.
            at += sum(index <= each < resume for each in fits) if resume < len(rows) else 0
        if index < resume < len(rows):
            continue
        if index > max(after, start) and _closes(rows, index, heading, size):
            end = index
            break
        if abs(row.size - size) > SIZE_TOLERANCE * size:
            continue
        at += 1
        if is_heading(row.text) or (index > start and _is_part(rows, index, heading, size)):
            continue
        if index > start and _is_head(rows, index):
            continue
        if len(kept) % group == 0 and len(kept) >= group:
            weights += looks([rows[each] for each in kept[-group:]])
            ahead = [rows[other] for other in fits[at - 1 : at - 1 + 3 * group]]
            if index > after and _lost(ahead, group, weights * group / len(kept)):
                end = (
                    border(rows, index, group, usual_pitch([rows[each] for each in kept]), opens=False)
                    if index - 2 * group > after
                    else index
                )
                kept = [each for each in kept if each < end]
                break
        kept.append(index)
    return Section(tuple(rows[each] for each in kept), heading.text if heading else None), end


def _lost(ahead: Sequence[Row], group: int, usual: float) -> bool:
    """Whether what follows no longer looks like references, measured by those before."""
    if len(ahead) <= group or _names("".join(row.text for row in ahead[:group])):
        return False
    least = max(LOST, FALLEN * usual)
    groups = [weigh(ahead, start, start + group) for start in range(0, len(ahead), group)]
    return sum(groups) < least * len(groups) and groups[0] < least and max(groups) < UNLIKE


def _closes(rows: Sequence[Row], index: int, heading: Row | None, size: float) -> bool:
    """Whether a row ends the list before it: a closing heading or note, a second list, a heading set alike."""
    row = rows[index]
    if is_heading(row.text):
        # The first row of a page may be a running head; elsewhere it opens a second list.
        return row.page == rows[index - 1].page
    if is_heading(row.text, "end"):
        # A last word of a reference alone on its line: "supplement."
        return not row.text[:1].islower() and (row.bold or not row.text.endswith("."))
    # "edited by" also goes on with a reference, and "Received views" may be the rest of a title.
    noted = is_note(row.text) and not row.text[:1].islower() and TERMINAL.search(rows[index - 1].text[-MAX_TAIL:])
    if noted or _BIOGRAPHY.match(row.text):
        return True
    if heading is None or not _alike(row, heading, size):
        return False
    # "Archives", "Web pages": the list goes on in parts.
    return looks(rows[index + 1 : index + 1 + LOOK_ROWS]) < UNHEADED


def _names(text: str) -> bool:
    """Whether a text is a long list of authors, which looks like nothing else: every third word has a comma."""
    return text.count(",") + text.count(";") >= COMMAS * len(text.split())


def _captioned(rows: Sequence[Row], index: int) -> bool:
    """Whether a caption begins there; "Table 3" at a line start may also be part of a title."""
    text = rows[index].text
    return is_caption(text) and text[:1].isupper() and bool(TERMINAL.search(rows[index - 1].text[-MAX_TAIL:]))


def _resumes(rows: Sequence[Row], index: int, group: int, kept: Sequence[int], size: float) -> int:
    """Give the row at which a list goes on behind a table or figure, or the end of the document."""
    other = abs(rows[index].size - size) >= SAME_SIZE
    for at in range(index + 1, min(len(rows), index + MAX_FLOAT)):
        # Where the caption is set in a size of its own, the next row in that of the list goes on with it.
        back = other and abs(rows[at].size - size) < SAME_SIZE / 2 and abs(rows[at - 1].size - size) >= SAME_SIZE
        if back and looks(rows[at : at + LOOK_ROWS]) >= HEADED:
            return at
        if min(weigh(rows, at, at + group), weigh(rows, at + group, at + 2 * group)) >= UNHEADED:
            return border(rows, at, group, usual_pitch([rows[each] for each in kept]), opens=True, least=index + 1)
    return len(rows)


def _is_head(rows: Sequence[Row], index: int) -> bool:
    """Whether a row is a running head that names a section and the page: "1.4. DISCUSSION 5" at the top."""
    text = rows[index].text
    apart = rows[index].page != rows[index - 1].page and len(text) <= MAX_HEADING
    return apart and text.isupper() and bool(_PAGED.search(text)) and not years(text) and likeness(text) < HEADED


def _is_part(rows: Sequence[Row], index: int, heading: Row | None, size: float) -> bool:
    """Whether a row is the heading of a part of a list: "Archives", "Web pages"."""
    row, before = rows[index], rows[index - 1]
    if heading is not None and _alike(row, heading, size):
        return True
    if len(row.text) > MAX_HEADING or years(row.text) or _LABEL.match(row.text) or likeness(row.text) > HEADED:
        return False
    step = pitch(before, row)
    set_off = row.size > 1.05 * size or (row.bold and not before.bold)
    return set_off and (step is None or step > 1.2 * row.size) and not row.text.endswith((".", ","))


def _alike(row: Row, heading: Row, size: float) -> bool:
    """Whether a row is set like the heading of the list, and unlike its references."""
    if len(row.text) > MAX_HEADING or years(row.text) or _LABEL.match(row.text):
        return False
    if likeness(row.text) > HEADED or abs(row.size - heading.size) >= SAME_SIZE:
        return False
    return heading.size > LARGER * size or (heading.bold and row.bold)
