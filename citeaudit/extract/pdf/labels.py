"""Printed labels that follow one another: `[1]`, `2.`, `(3)`, a bare or raised number, `[Abc99]`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from citeaudit.extract.pdf.anchors import Anchor
from citeaudit.extract.pdf.layout import Row
from citeaudit.extract.pdf.likeness import likeness
from citeaudit.extract.pdf.sections import Section
from citeaudit.extract.pdf.segmentation import MIN_REFERENCES, Segmentation, begins, near_margin

MAX_SKIP = 4
"""Labels that may be missing in a row: lost with a page break or glued to their text."""
MIN_SPAN = 5
"""Labels of a list without a heading."""
SPAN_LIKENESS = 0.4
"""Mean likeness of the rows behind them; numbered sections and enumerations measure under 0.2."""
MAX_RUNS = 8
"""Runs of labels that are looked at; sections and enumerations have their own."""
_SPAN = r"(?P<n>\d{1,4})"
LABELS = {
    "[n]": re.compile(rf"[\[［【〔]\s?{_SPAN}\s?[\]］】〕]\s*"),
    "(n)": re.compile(rf"[(（]{_SPAN}[)）]\s*"),
    "n.": re.compile(rf"{_SPAN}[.．、](?!\d)\s*"),
    "n)": re.compile(rf"{_SPAN}[)）]\s*"),
    "n": re.compile(rf"{_SPAN}(?:\s+|(?=[^\W\d_a-z])|$)"),
}
"""Printed labels, each kind read for itself; the bare number last, because so much begins with one."""
ALPHA = re.compile(r"\[(?P<n>[^\W\d_][\w+’'*.-]{0,12}\d{2}[a-z]?)\]\s*")
"""Labels of BibTeX's alpha styles."""
BULLET = re.compile(r"[•▪●■◦‣·∙➢►◆\uf0b7\uf0a7\uf02d*]\s*|[-–—]\s+")
"""What stands before each reference of an unnumbered list; Word's own are private-use characters."""
MARKED = 0.08
"""Share of the rows that open with it at least; twelve rows are a long reference."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that opens with a number which may be a label."""

    row: int
    number: int


def by_labels(section: Section, anchors: Sequence[Anchor]) -> Segmentation | None:
    """Cut at printed labels that follow one another: `[1]`, `2.`, `(3)`, a superscript, `[Abc99]`."""
    del anchors
    rows = section.rows
    best: Segmentation | None = None
    for pattern in LABELS.values():
        found = _numbered(rows, pattern)
        if found and (best is None or found.confidence * len(found.starts) > best.confidence * len(best.starts)):
            best = found
    marked = _marked(rows)
    if marked and (best is None or len(marked.starts) > len(best.starts)):
        best = marked
    named = _named(rows)
    if named and (best is None or len(named.starts) > len(best.starts)):
        return named
    return best


def _numbered(rows: Sequence[Row], pattern: re.Pattern[str]) -> Segmentation | None:
    hits: list[Hit] = []
    for index, row in enumerate(rows):
        match = pattern.match(row.text)
        if match:
            hits.append(Hit(index, int(match["n"])))
    runs = _runs(hits)
    chain = [hit for run in runs for hit in _filled(run, rows)]
    runs = [chain] if len(runs) == 1 else runs
    if len(chain) < MIN_REFERENCES:
        return None
    missing = [number for run in runs for number in _holes(run)]
    margin = near_margin(rows)
    outer = sum(margin[hit.row] for hit in chain) / len(chain)
    before = chain[0].row / len(rows)
    complete = len(chain) / (len(chain) + len(missing))
    confidence = 0.97 * complete * max(0.0, 1 - 1.5 * before) * (0.3 + 0.7 * outer)
    chained = {hit.row for hit in chain}
    numbers = {hit.number for hit in chain}
    again = {hit.number for hit in hits if hit.row not in chained and hit.number in numbers and margin[hit.row]}
    strays = [hit for hit in hits if hit.row > chain[0].row and hit.row not in chained and margin[hit.row]]
    bracketed = pattern is LABELS["[n]"]
    strays = [hit for hit in strays if (bracketed or hit.number in numbers) and _opens(rows, hit)]
    starts = sorted([*chain, *strays], key=lambda hit: hit.row)
    return Segmentation(
        "labels",
        tuple(hit.row for hit in starts),
        confidence,
        labels=tuple(str(hit.number) for hit in starts),
        missing=tuple(str(number) for number in missing),
        duplicate=tuple(str(number) for number in sorted(again)) if len(runs) == 1 else (),
    )


def _opens(rows: Sequence[Row], hit: Hit) -> bool:
    """Whether a label out of sequence (printed twice, a slip) opens a reference all the same."""
    row = rows[hit.row].text
    year = len(str(hit.number)) == 4  # noqa: PLR2004 - a line may open with the year of the reference before
    text = " ".join(each.text for each in rows[hit.row : hit.row + 3])
    return (
        not year
        and row[len(str(hit.number)) :].strip(" .)]") != ""
        and begins(rows, hit.row)
        and likeness(text) >= SPAN_LIKENESS
    )


def _runs(hits: Sequence[Hit]) -> list[list[Hit]]:
    """Give the longest rising run, and further runs from 1 before and after it (lists by chapter)."""
    run = longest_run(hits)
    if len(run) < MIN_REFERENCES:
        return []
    before = [hit for hit in hits if hit.row < run[0].row]
    after = [hit for hit in hits if hit.row > run[-1].row]
    sides = [[inner for inner in _runs(side) if inner[0].number == 1] for side in (before, after)]
    return [*sides[0], run, *sides[1]]


def longest_run(hits: Sequence[Hit]) -> list[Hit]:
    """Give the longest run of labels that rise by one, `MAX_SKIP` lost ones allowed; linear in the hits."""
    best: dict[int, tuple[float, int]] = {}  # last number -> score, index of hit
    previous: list[int | None] = [None] * len(hits)
    top = (0.0, -1)
    for index, hit in enumerate(hits):
        score, link = (1.5 if hit.number == 1 else 1.0), None
        for skip in range(1, MAX_SKIP + 2):
            earlier = best.get(hit.number - skip)
            if earlier and earlier[0] + 1 - 0.4 * (skip - 1) > score:
                score, link = earlier[0] + 1 - 0.4 * (skip - 1), earlier[1]
        previous[index] = link
        if hit.number not in best or score >= best[hit.number][0]:
            best[hit.number] = (score, index)
        top = max(top, (score, index), key=lambda entry: entry[0])
    run: list[Hit] = []
    at: int | None = top[1] if hits else None
    while at is not None:
        run.append(hits[at])
        at = previous[at]
    return run[::-1]


def _filled(run: list[Hit], rows: Sequence[Row]) -> list[Hit]:
    """Find lost labels between their neighbours: rows that open with the bare number, `40 Roe J` among `39.`, `41.`."""
    full = run[:1]
    for hit in run[1:]:
        for number in range(full[-1].number + 1, hit.number):
            opening = re.compile(rf"\W?{number}(?!\d)")
            row = next((at for at in range(full[-1].row + 1, hit.row) if opening.match(rows[at].text)), None)
            if row is not None:
                full.append(Hit(row, number))
        full.append(hit)
    return full


def _holes(run: Sequence[Hit]) -> list[int]:
    seen = {hit.number for hit in run}
    first = 1 if run[0].number <= MAX_SKIP else run[0].number
    return [number for number in range(first, run[-1].number) if number not in seen]


def _marked(rows: Sequence[Row]) -> Segmentation | None:
    """Cut at bullets or dashes, if the first row opens with one; a dash among others stands for the authors before."""
    mark = rows[0].text[:1] if rows and BULLET.match(rows[0].text) else ""
    starts = tuple(at for at, row in enumerate(rows) if mark and row.text.startswith(mark) and BULLET.match(row.text))
    if len(starts) < max(MIN_REFERENCES, MARKED * len(rows)):
        return None
    margin = near_margin(rows)
    return Segmentation("labels", starts, 0.95 * sum(margin[at] for at in starts) / len(starts))


def _named(rows: Sequence[Row]) -> Segmentation | None:
    found = [(index, match["n"]) for index, row in enumerate(rows) if (match := ALPHA.match(row.text))]
    if len(found) < MIN_REFERENCES:
        return None
    counts = Counter(label for _, label in found)
    confidence = 0.97 * max(0.0, 1 - 1.5 * found[0][0] / len(rows)) * min(1.0, 12 * len(found) / len(rows))
    return Segmentation(
        "labels",
        tuple(index for index, _ in found),
        confidence,
        labels=tuple(label for _, label in found),
        duplicate=tuple(label for label, count in counts.items() if count > 1),
    )


def label_span(rows: Sequence[Row]) -> tuple[int, int] | None:
    """Find the longest run of labelled references anywhere in a document, for lists that have no heading.

    Returns:
        First row and row of the last label; `None` where no run of `MIN_SPAN` labels looks like references.
    """
    best: tuple[int, int, int] | None = None
    for kind, pattern in LABELS.items():
        if kind == "n":
            continue
        hits = [Hit(index, int(match["n"])) for index, row in enumerate(rows) if (match := pattern.match(row.text))]
        for _ in range(MAX_RUNS):
            run = longest_run(hits)
            if len(run) < MIN_SPAN or (best and len(run) <= best[0]):
                break
            texts = [" ".join(row.text for row in rows[hit.row : hit.row + 3]) for hit in run]
            if sum(likeness(text) for text in texts) >= SPAN_LIKENESS * len(texts):
                best = (len(run), run[0].row, run[-1].row)
                break
            taken = {hit.row for hit in run}
            hits = [hit for hit in hits if hit.row not in taken]
    return best[1:] if best else None
