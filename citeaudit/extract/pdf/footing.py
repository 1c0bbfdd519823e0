"""Take the notes at the foot of pages out of the running text: small type below it, opened by a label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from citeaudit.extract.ditto import back
from citeaudit.extract.pdf.headings import is_heading
from citeaudit.extract.pdf.hyphens import unbreak
from citeaudit.extract.pdf.noteparts import is_citation, parts
from citeaudit.extract.pdf.rows import Row
from citeaudit.pdf import Face, Span

SMALLER = 0.94
"""Size of notes, in sizes of the text above them, at most; Chicago's are 8 on 10, German ones 9 on 10.5 points."""
EQUAL = 1.06
"""Size of a row, in sizes of the last note of its page, from which it is none of them."""
RAISED = 0.86
"""Size of a raised label, in sizes of its note, at most."""
LOW = 0.25
"""Share of the page height, from the top, above which no notes begin."""
MIN_PAGES = 2
"""Pages with notes, where their labels are not raised."""
MAX_STEP = 3
"""Labels that may be missing from one note to the next: lost with the page they stood on."""
CALLED = 0.5
"""Share of raised labels that the text above must hold, raised as well, for notes in the size of the text."""
CITING = 0.3
"""Share of such notes that cite or point back; the affiliations of authors do neither."""
_LABEL = re.compile(r"(?P<n>\d{1,4}|[a-z]|[*†‡§¶‖#]{1,3})")
_OPENS = re.compile(r"[\s.)]*[^\W_a-z]|[\s.)]+[^\W_]|[\s.)]*[\"“„«‘([]")
_PLAIN = re.compile(r"(?P<n>\d{1,4})[.)]?\s+(?=[^\W\d_a-z]|[\"“„«‘(])")


@dataclass(frozen=True, slots=True)
class FootNote:
    """One note, with what the next page goes on with."""

    page: int
    """1-based page on which it begins."""
    label: str
    """As printed: `12`, `*`; empty for what goes on from a page on which no note was found."""
    rows: tuple[Row, ...]
    """The first one opens with the label."""

    @property
    def text(self) -> str:
        """Give the note as printed, its label left out, words cut by line ends joined where that is sure."""
        return unbreak(
            [self.rows[0].text.removeprefix(self.label).lstrip(" .)]"), *(row.text for row in self.rows[1:])], {}
        )


def take_notes(rows: Sequence[Row], heights: dict[int, float]) -> tuple[list[Row], tuple[FootNote, ...]]:
    """Part the rows of a document into its running text and its notes.

    Args:
        rows: In reading order.
        heights: Of each page, points.

    Returns:
        The other rows, and the notes in the order of the document.
    """
    sizes: Counter[float] = Counter()
    for row in rows:
        sizes[row.size] += len(row.text)
    if not sizes:
        return list(rows), ()
    usual = sizes.most_common(1)[0][0]
    columns = _columns(rows)
    notes: list[FootNote] = []
    starts: list[int] = []
    for column in columns:
        start = _start(column, usual, heights, notes)
        starts.append(start if start < len(column) else _called(column, rows, heights))
        _add(column[starts[-1] :], notes)
    if not _noted(notes):
        return list(rows), ()
    return [row for column, start in zip(columns, starts, strict=True) for row in column[:start]], tuple(notes)


def _noted(notes: Sequence[FootNote]) -> bool:
    """Whether what was found are notes: raised labels, or plain ones on several pages; one list has plain ones too."""
    return any(_is_raised(note.rows[0]) for note in notes) or len({note.page for note in notes}) >= MIN_PAGES


def _columns(rows: Sequence[Row]) -> list[list[Row]]:
    columns: list[list[Row]] = []
    for row in rows:
        last = columns[-1][-1] if columns else None
        if last is None or (last.page, last.column) != (row.page, row.column) or row.y0 < last.y0 - 2 * last.size:
            columns.append([])
        columns[-1].append(row)
    return columns


def _start(column: list[Row], usual: float, heights: dict[int, float], notes: Sequence[FootNote]) -> int:
    """Give where the notes of a column begin; its length where it has none."""
    end = len(column)
    start = end
    # Notes of one page have one size: a list above them, smaller than the text as well, is larger.
    limit = min(SMALLER * usual, EQUAL * column[-1].size)
    while start > 0 and column[start - 1].size <= limit and column[start - 1].y0 > LOW * heights[column[0].page]:
        start -= 1
    if start in {0, end} or any(is_heading(row.text) for row in column[start - 1 :]) or column[start - 1].size <= limit:
        return end
    if column[start].size > SMALLER * column[start - 1].size and not label_of(column[start], notes):
        return end
    opening = next((at for at in range(start, end) if label_of(column[at], notes)), end)
    if opening == end:
        return end
    # What stands before the first label goes on from the page before, if that had notes.
    goes_on = bool(notes) and notes[-1].page in {column[0].page, column[0].page - 1}
    return start if goes_on and opening > start and _apart(column, start) else opening


def _called(column: Sequence[Row], rows: Sequence[Row], heights: dict[int, float]) -> int:
    """Give where notes begin that the size does not tell: by raised labels that the text of their page raises too.

    Word processors may set notes in the size of the text, and a text may be shorter than its notes, so that the
    usual size is theirs. Its length where the column has none.
    """
    end, low = len(column), LOW * heights[column[0].page]
    opened = [at for at in range(1, end) if column[at].y0 > low and _is_raised(column[at]) and _number(column[at])]
    start = next((at for at in opened if _apart(column, at)), end)
    if start == end or any(is_heading(row.text) for row in column[start - 1 :]):
        return end
    opened = [at for at in opened if at >= start]
    taken = {id(row) for row in column[start:]}
    text = [row for row in rows if row.page == column[0].page and id(row) not in taken]
    calls = {span.text.strip() for row in text for span in row.spans[1:] if _raised(span, row)}
    labels = [_number(column[at]) for at in opened]
    if labels[0] not in calls or sum(label in calls for label in labels) < CALLED * len(labels):
        return end
    bounds = [*opened, end]
    notes = [
        FootNote(0, label, tuple(column[at:to])) for label, at, to in zip(labels, bounds, bounds[1:], strict=False)
    ]
    return start if sum(_cites(note.text) for note in notes) >= CITING * len(notes) else end


def _number(row: Row) -> str:
    """Give the number that opens a row as a label, or nothing."""
    text = row.spans[0].text.strip()
    return text if text.isdigit() and _LABEL.fullmatch(text) and _OPENS.match(row.text, len(text)) else ""


def _cites(text: str) -> bool:
    return back(text) is not None or any(is_citation(part) for part in parts(text))


def _apart(column: Sequence[Row], at: int) -> bool:
    """Whether a row stands clear of the one above it."""
    return column[at].y0 - column[at - 1].y1 > 0.4 * column[at].size


def label_of(row: Row, notes: Sequence[FootNote]) -> str | None:
    """Give the label that opens a note: raised, or a plain number that follows that of the note before."""
    text = row.spans[0].text.strip()
    match = _LABEL.fullmatch(text)
    if match and _is_raised(row) and _OPENS.match(row.text, len(text)):
        return match["n"]
    symbol = re.match(r"[*†‡§¶‖]{1,3}", row.text)
    if symbol:
        return symbol[0]
    plain = _PLAIN.match(row.text)
    if plain is None:
        return None
    number = int(plain["n"])
    last = next((int(note.label) for note in reversed(notes) if note.label.isdigit()), 0)
    return plain["n"] if number == 1 or 0 < number - last <= MAX_STEP else None


def _is_raised(row: Row) -> bool:
    return _raised(row.spans[0], row)


def _raised(span: Span, row: Row) -> bool:
    return bool(span.face & Face.SUPERSCRIPT) or span.size <= RAISED * row.size


def _add(rows: Sequence[Row], notes: list[FootNote]) -> None:
    for row in rows:
        label = label_of(row, notes)
        if label is not None:
            notes.append(FootNote(row.page, label, (row,)))
        elif notes and row.page - notes[-1].rows[-1].page <= 1:
            last = notes[-1]
            notes[-1] = FootNote(last.page, last.label, (*last.rows, row))
        else:
            notes.append(FootNote(row.page, "", (row,)))
