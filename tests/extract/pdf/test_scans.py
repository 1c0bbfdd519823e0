"""Scans with the text layer of an OCR: uneven sizes, lines askew, feet read anew on each page, damaged labels."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from citeaudit.extract.pdf.askew import straighten
from citeaudit.extract.pdf.layout import lay_out
from citeaudit.extract.pdf.places import boxes, turned
from citeaudit.extract.pdf.reader import PdfExtractor
from citeaudit.extract.pdf.rows import even
from citeaudit.pdf import PdfLine
from tests.pdf.pages import line, listed, pdf, prose, reference

HEADING = line("References", 72, 80, 10)


def raws(pages: Sequence[Sequence[PdfLine]]) -> list[str]:
    return [item.raw for item in PdfExtractor().extract(pdf(pages), "made.pdf").references]


def guessed(lines: Sequence[PdfLine], seed: int = 3) -> list[PdfLine]:
    """The lines with sizes as an OCR measures them."""
    chance = random.Random(seed)  # noqa: S311  # repeatable, and no secret
    made = []
    for item in lines:
        size = round(item.spans[0].size * chance.uniform(0.87, 1.13), 1)
        spans = tuple(span._replace(size=size) for span in item.spans)
        made.append(item._replace(spans=spans))
    return made


def askew(lines: Sequence[PdfLine], degrees: float) -> list[PdfLine]:
    """The lines of a page that was laid on the glass a little turned; each word for itself."""
    slope = math.tan(math.radians(degrees))
    made = []
    for item in lines:
        whole = item.spans[0]
        spans, at = [], 0
        for word in whole.text.split(" "):
            x, width = whole.x0 + 0.5 * whole.size * at, 0.5 * whole.size * (len(word) + 1)
            left, top = x - slope * whole.y0, whole.y0 + slope * x
            spans.append(
                whole._replace(text=f"{word} ", x0=left, x1=left + width, y0=top, y1=top + whole.y1 - whole.y0)
            )
            at += len(word) + 1
        made.append(
            PdfLine(
                tuple(spans),
                spans[0].x0,
                min(s.y0 for s in spans),
                spans[-1].x1,
                max(s.y1 for s in spans),
                upright=True,
            )
        )
    return made


def test_list_is_read_whole_where_every_line_has_a_size_of_its_own() -> None:
    entries = [reference(at) for at in range(24)]
    first = guessed([*prose(20), line("References", 72, 330), *listed(entries[:10], y=350)])
    second = guessed(listed(entries[10:], y=80), seed=5)
    assert raws([guessed(prose(40)), first, second]) == entries


def test_sizes_of_print_are_left_as_they_are() -> None:
    rows = lay_out(pdf([[line("A Heading", 72, 60, 14), *prose(20), *listed([reference(1)] * 4, y=400, size=8)]])).rows
    assert even(rows) == list(rows)
    assert {row.size for row in rows} == {14, 10, 8}


def test_small_type_of_a_scan_stays_smaller_than_its_text() -> None:
    small = [line("Words of a note in small type", 72, 500 + 9 * at, 7) for at in range(12)]
    rows = lay_out(pdf([guessed([*prose(30), *small])])).rows
    assert min(row.size for row in rows[:26]) > 1.15 * max(row.size for row in rows[-8:])


@pytest.mark.parametrize("degrees", [-0.8, 0.5, 1.0])
def test_lines_that_lie_askew_are_read_as_if_they_were_level(degrees: float) -> None:
    entries = [reference(at) for at in range(16)]
    page = askew(guessed([HEADING, *listed(entries)]), degrees)
    assert raws([guessed(prose(30)), page]) == entries


def test_boxes_lie_where_the_scan_has_the_words() -> None:
    page = askew(guessed(listed([reference(at) for at in range(16)])), 0.8)
    level, slopes = straighten(pdf([page]))
    rows = lay_out(level).rows
    assert set(slopes) == {1}
    for row, item in zip(rows, page, strict=True):
        found = boxes([row], turned(level, slopes))[0]
        assert found.x0 <= item.x0 + 1
        assert found.y0 <= item.y0 + 1
        assert found.x1 >= item.x1 - 1
        assert found.y1 >= item.y1 - 1
        assert found.y1 - found.y0 < 4 * row.size


def test_print_is_never_taken_for_askew() -> None:
    document = pdf([[*prose(10), *listed([reference(at) for at in range(12)], y=300)]])
    assert straighten(document) == (document, {})


def test_foot_is_left_out_though_it_is_read_differently_on_each_page() -> None:
    feet = ("Joumal of Rows, Vol. 3", "Journal 0f Rows, Vol, 3", "Journal of R0ws. Vol. 3", "Iournal of Rows Vol 3")
    pages = [[*prose(40, y=110), line(foot, 72, 800)] for foot in feet]
    assert not any("Rows" in row.text or "R0ws" in row.text for row in lay_out(pdf(pages)).rows)


def test_last_line_of_a_page_of_text_is_no_foot() -> None:
    ends = ("nothing was said", "rows are set by hand", "which went on for years", "as the columns show")
    pages = [[*prose(50, y=110), line(end, 72, 800)] for end in ends]
    assert [row.text for row in lay_out(pdf(pages)).rows if row.text in ends] == [*ends]


def test_indents_tell_the_references_where_most_labels_are_misread() -> None:
    damaged = ("[1]", "[2]", "3)", "U4)", "(5}", "[6]", "a7", "[8]", "9}", "110)", "[11]", "|12)")
    entries = [reference(at) for at in range(12)]
    page = [HEADING, *listed([f"{label} {entry}" for label, entry in zip(damaged, entries, strict=True)], hang=20)]
    extraction = PdfExtractor().extract(pdf([prose(30), page]), "made.pdf")
    assert [item.raw for item in extraction.references] == entries
    assert [item.locus.label for item in extraction.references] == [str(at) for at in range(1, 13)]
